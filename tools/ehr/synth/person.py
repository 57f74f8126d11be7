"""Who a patient is before any admission: background, conditions, home drugs and usual results."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from tools.ehr.synth.background import Background, in_person, make_background
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.plan import Plan
from tools.ehr.synth.records import Analyte, Drug, Vital
from tools.ehr.synth.story import Fact, ListedDrug

URINE_ML_PER_KG_HOUR = 0.9
HEAVIEST_KG = 100
"""Beyond it urine output grows no further."""


@dataclass(frozen=True)
class HomeDrug:
    """A drug taken at home; ``key`` is its name in the catalog, ``told`` what a story says of it."""

    key: str
    drug: Drug
    dose: str
    told: ListedDrug | None = None


@dataclass(frozen=True)
class Person:
    """A patient's background. ``usual`` maps what is measured to the patient's mean; ``facts`` hold in every stay."""

    number: int
    subject_id: int
    sex: str
    anchor_year: int
    anchor_age: int
    traits: Mapping[str, str]
    conditions: tuple[str, ...]
    home: tuple[HomeDrug, ...]
    usual: Mapping[str, float]
    height_cm: float
    weight_kg: float
    background: Background
    facts: tuple[Fact, ...] = ()

    @property
    def who(self) -> str:
        """Name the patient as a note does, the age masked."""
        return f"___ year old {'man' if self.sex == 'M' else 'woman'}"

    def age(self, when: datetime) -> int:
        """Give the age as MIMIC-IV defines it: anchor_age moved by whole years from anchor_year."""
        return self.anchor_age + when.year - self.anchor_year

    def creatinine(self, egfr: float, when: datetime) -> float:
        """Give the creatinine (mg/dL) at which CKD-EPI 2021 is ``egfr`` (mL/min/1.73 m2).

        Inker et al., N Engl J Med 2021;385:1737, for creatinine above 0.7 (women) or 0.9 (men) mg/dL.
        """
        female = self.sex == "F"
        at_kappa = 142 * 0.9938 ** self.age(when) * (1.012 if female else 1.0)
        return float((0.7 if female else 0.9) * max(1.0, at_kappa / egfr) ** (1 / 1.2))


def make_person(catalog: Catalog, seed: int, plan: Plan, number: int, subject_id: int) -> Person:
    """Draw the patient who lives through ``plan``; the anchor year is that of the first stay."""
    story = plan.story
    draw = Draw(seed, number, "person")
    sex: str = story.sex or draw.one("MF")
    anchor_year = draw.whole(2112, 2196)
    others = [
        c for c in catalog.common if c not in story.conditions and catalog.conditions[c].only in (None, sex)
    ]
    conditions = [*story.conditions, *draw.some(others, 3)]
    height = draw.about(176 if sex == "M" else 163, 7, (145, 200))
    age = draw.whole(*story.age)
    weight = draw.about(27.5, 4.5, (18, 44)) * (height / 100) ** 2
    if story.weight_kg:
        weight = draw.between(story.weight_kg)
    traits = {trait: draw.weighted(weights) for trait, weights in catalog.demographics.items()}
    person = Person(
        number=number,
        subject_id=subject_id,
        sex=sex,
        anchor_year=anchor_year,
        anchor_age=age,
        traits=traits,
        conditions=tuple(conditions),
        home=_home(catalog, draw, conditions, plan),
        usual=_usual(catalog, draw, conditions),
        height_cm=round(height),
        weight_kg=round(weight, 1),
        background=make_background(
            catalog,
            Draw(seed, number, "background"),
            plan,
            sex=sex,
            age=age,
            marital_status=traits["marital_status"],
            conditions=conditions,
            given=_classes_given(catalog, plan),
        ),
        facts=tuple(
            fact.model_copy(update={"text": in_person(fact.text, sex)})
            for fact in story.facts
            if not fact.variants
        ),
    )
    kidneys = [c.egfr for c in (catalog.conditions[name] for name in conditions) if c.egfr]
    egfr = draw.between(min(kidneys) if kidneys else (68, 100 - 0.2 * age))
    own = {
        "creatinine": person.creatinine(egfr, datetime(anchor_year, 7, 1)),
        "weight": person.weight_kg,
        "urine_output": URINE_ML_PER_KG_HOUR * min(person.weight_kg, HEAVIEST_KG),
    }
    return _with_usual(person, own)


def _classes_given(catalog: Catalog, plan: Plan) -> set[str]:
    keys = [key for given in plan.story.drugs for key in given.one_of]
    keys += [key for stay in plan.stays for key in stay.reason.orders]
    return {name for key in keys for name in catalog.drugs[key].classes}


def _with_usual(person: Person, more: Mapping[str, float]) -> Person:
    return Person(**{**vars(person), "usual": {**person.usual, **more}})


def _usual(catalog: Catalog, draw: Draw, conditions: list[str]) -> dict[str, float]:
    measures: Mapping[str, Analyte | Vital] = {**catalog.analytes, **catalog.vitals}
    means = {
        key: draw.about(*measure.usual, measure.within)
        for key, measure in measures.items()
        if measure.usual is not None
    }
    for name in conditions:
        means |= {key: draw.between(bounds) for key, bounds in catalog.conditions[name].usual.items()}
    return means


def _home(catalog: Catalog, draw: Draw, conditions: list[str], plan: Plan) -> tuple[HomeDrug, ...]:
    """List the story's drugs and one of each list of a condition, never two of a class, none the story is without."""
    story = plan.story
    home = []
    for given in story.drugs:
        drug = catalog.drugs[given.key(plan.turn)]
        if given.home and drug.home:
            home.append(HomeDrug(given.key(plan.turn), drug, draw.one(given.doses or drug.doses)))
    listed = [_listed(catalog, draw, entry) for entry in story.home]
    taken = set(story.without)
    taken.update(
        name
        for given in story.drugs
        if given.tested or given.home
        for name in catalog.drugs[given.key(plan.turn)].classes
    )
    taken.update(c for entry in listed for c in entry.drug.classes)
    wanted = [options for name in conditions for options in catalog.conditions[name].home]
    wanted += [(key,) for key in draw.some(catalog.supplements, 2)]
    for options in wanted:
        free = [key for key in options if taken.isdisjoint(catalog.drugs[key].classes)]
        if free:
            key = draw.one(free)
            chosen = catalog.drugs[key]
            home.append(HomeDrug(key, chosen, draw.one(chosen.doses)))
            taken.update(chosen.classes)
    return (*home, *listed)


def _listed(catalog: Catalog, draw: Draw, entry: ListedDrug) -> HomeDrug:
    drug = catalog.drugs[entry.drug]
    return HomeDrug(entry.drug, drug, entry.dose or draw.one(drug.doses), entry)
