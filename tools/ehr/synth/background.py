"""What a patient would tell of life at home, the same in every note: drawn once, a story's own facts first."""

from collections.abc import Collection
from dataclasses import dataclass

from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.draw import Draw
from tools.ehr.synth.plan import Plan

SMOKERS = frozenset({"past_smoker", "copd"})
"""Conditions of which the tobacco history must be told as past."""

RETIRED_AFTER = 64


@dataclass(frozen=True)
class Background:
    """Sentences without a full stop. ``activity`` is how the discharge condition says the same as ``function``."""

    living: str
    work: str
    function: str
    activity: str
    tobacco: str
    alcohol: str
    family: str
    allergies: str


def make_background(
    catalog: Catalog,
    draw: Draw,
    plan: Plan,
    *,
    sex: str,
    age: int,
    marital_status: str,
    conditions: Collection[str],
    given: Collection[str],
) -> Background:
    """Draw the background of a patient; ``given`` are the classes of drugs the patient is ever given by plan."""
    phrases = catalog.phrases
    told = {fact.kind: fact.text for fact in plan.story.facts if not fact.variants}
    able = [f for f in phrases.function if f.above < age <= f.upto] or list(phrases.function)
    function = draw.one(able)
    allergies = {
        text: entry.weight for text, entry in phrases.allergies.items() if set(given).isdisjoint(entry.unless)
    }
    words = {
        "living": told.get("living") or draw.one(phrases.living[marital_status]),
        "work": told.get("work")
        or draw.one(phrases.work["after_64" if age > RETIRED_AFTER else "before_65"]),
        "function": told.get("function") or function.text,
        "activity": told.get("function") or function.activity,
        "tobacco": told.get("tobacco")
        or draw.one(phrases.tobacco["past" if SMOKERS & set(conditions) else "never"]),
        "alcohol": told.get("alcohol") or draw.one(phrases.alcohol),
        "family": draw.one(phrases.family),
        "allergies": told.get("allergy") or draw.weighted(allergies),
    }
    return Background(**{name: in_person(text, sex) for name, text in words.items()})


def in_person(text: str, sex: str) -> str:
    """Fill in {his} and {spouse}."""
    return text.format(his="his" if sex == "M" else "her", spouse="wife" if sex == "M" else "husband")
