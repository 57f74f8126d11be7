"""What an answer tells of a patient's words: told, left out, or told otherwise; English and Chinese."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from state.base import Language
from state.gold import PatientFactItem, PatientOnlyItem, PatientUnknownItem, RubricItem
from state.outcome import Verdict
from state.patient import AdherenceFact, Fact, FunctionalFact, PainFact, SocialFact, Span, SymptomFact
from state.patient_values import Course, HomeUse, InHospital, Reason, Severity, SpanUnit
from tools.grading import TurnEvidence, decide
from tools.interview.words import symptoms
from tools.vocabulary import Vocabulary

TWO_WEEKS = Span(count=2, unit="week")
TEXTS = dict.fromkeys(Language, "-")
TAKING = AdherenceFact(drug="apixaban", home="taking", here="given")
MISSING = AdherenceFact(drug="apixaban", home="missing_doses", since=TWO_WEEKS, reason="felt_better")
DYSPNEA = SymptomFact(symptom="dyspnea", onset=TWO_WEEKS, course="worse", severity="severe", chief=True)
STOOLS = SymptomFact(symptom="black_stools", denied=True)
LIVING = SocialFact(status="living_alone")
WALKING = FunctionalFact(status="walking_with_aid")
HOUSEHOLD = FunctionalFact(status="household_with_help")
PAIN = PainFact(score=8)


SHORT = {Verdict.MET: "m", Verdict.NOT_MET: "n", Verdict.CANNOT_TELL: "c"}


def told(fact: Fact, element: str) -> PatientFactItem:
    return PatientFactItem(item_id=element, text=TEXTS, fact=fact, element=element)


def untold(about: str, subject: str) -> PatientUnknownItem:
    return PatientUnknownItem(item_id=subject, text=TEXTS, about=about, subject=subject)


def only(*facts: Fact) -> PatientOnlyItem:
    return PatientOnlyItem(item_id="only", text=TEXTS, facts=facts)


SHORT_STATUS: dict[str, Fact] = {
    "alone": SocialFact(status="living_alone"),
    "spouse": SocialFact(status="living_with_spouse"),
    "family": SocialFact(status="living_with_family"),
    "walk": FunctionalFact(status="walking_alone"),
    "aid": FunctionalFact(status="walking_with_aid"),
    "lwalk": FunctionalFact(status="leaving_walking"),
    "laid": FunctionalFact(status="leaving_with_aid"),
    "lchair": FunctionalFact(status="leaving_in_chair"),
    "lbed": FunctionalFact(status="leaving_bedbound"),
    "care": FunctionalFact(status="care_alone"),
    "careh": FunctionalFact(status="care_with_help"),
    "hh": FunctionalFact(status="household_alone"),
    "hhh": FunctionalFact(status="household_with_help"),
    "pills": FunctionalFact(status="pills_alone"),
    "pillsh": FunctionalFact(status="pills_with_help"),
}


def words() -> dict[str, RubricItem]:
    """Give the items of the rows that try words: ``no_``, ``has_``, ``un_`` and a symptom, a drug and its value."""
    items: dict[str, RubricItem] = {name: told(fact, "status") for name, fact in SHORT_STATUS.items()}
    for name in symptoms():
        items[f"no_{name}"] = told(SymptomFact(symptom=name, denied=True), "symptom")
        items[f"has_{name}"] = told(SymptomFact(symptom=name, chief=True), "symptom")
        items[f"un_{name}"] = untold("symptom", name)
    for drug in ("warfarin", "digoxin", "docusate"):
        for home in HomeUse:
            items[f"{drug}_{home}"] = told(AdherenceFact(drug=drug, home=home), "home")
        for here in InHospital:
            items[f"{drug}_{here}"] = told(AdherenceFact(drug=drug, here=here), "here")
        for reason in Reason:
            fact = AdherenceFact(drug=drug, home=HomeUse.MISSING_DOSES, reason=reason)
            items[f"{drug}_{reason}"] = told(fact, "reason")
    for severity in Severity:
        items[f"sev_{severity}"] = told(SymptomFact(symptom="dyspnea", severity=severity), "severity")
    for course in Course:
        items[f"course_{course}"] = told(SymptomFact(symptom="dyspnea", course=course), "course")
    for name, unit in (("on2w", SpanUnit.WEEK), ("on2d", SpanUnit.DAY)):
        items[name] = told(SymptomFact(symptom="dyspnea", onset=Span(count=2, unit=unit)), "onset")
    return items | {"un_nsaid": untold("drug", "nsaid")}


ITEMS: dict[str, dict[str, RubricItem]] = {
    "taking": {"home": told(TAKING, "home"), "here": told(TAKING, "here"), "only": only(TAKING)},
    "missing": {name: told(MISSING, name) for name in ("home", "since", "reason")},
    "complaint": {
        "dyspnea": told(DYSPNEA, "symptom"),
        **{name: told(DYSPNEA, name) for name in ("onset", "course", "severity")},
    },
    "pertinent": {
        "stools": told(STOOLS, "symptom"),
        "weight": untold("symptom", "weight_loss"),
        "only": only(STOOLS),
    },
    "probe": {"nsaid": untold("drug", "nsaid")},
    "home": {
        "living": told(LIVING, "status"),
        "walking": told(WALKING, "status"),
        "household": told(HOUSEHOLD, "status"),
        "only": only(LIVING, WALKING, HOUSEHOLD),
    },
    "pain": {"pain": told(PAIN, "score")},
    "words": words(),
}


def rows() -> list[Any]:
    found = []
    for language in Language:
        data = yaml.safe_load(Path(__file__).with_name(f"accounts.{language}.yaml").read_text("utf-8"))
        for case, answers in data.items():
            for number, row in enumerate(answers):
                wanted = {name: verdict for name, verdict in row.items() if name != "says"}
                name = f"{case}-{language}-{number}"
                found.append(pytest.param(case, language, row["says"], wanted, id=name))
    return found


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.mark.parametrize(("case", "language", "says", "wanted"), rows())
def test_an_account_is_read(
    case: str, language: Language, says: str, wanted: dict[str, str], vocabulary: Vocabulary
) -> None:
    evidence = TurnEvidence("", says, language, frozenset(), (), 1)
    got = {}
    for name in wanted:
        verdict = decide(ITEMS[case][name], evidence, vocabulary)
        got[name] = "w" if verdict.wrong else SHORT[verdict.verdict]
    assert got == wanted
