"""Sentences that tell on what a patient said, each with the rubric item it meets, and the same made wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from state.base import Language
from state.gold import PatientFactItem, PatientOnlyItem, PatientUnknownItem
from state.knowledge import RuleMatch
from state.patient import Fact, PatientFacts, Span, SymptomFact
from state.patient_values import Level
from tools.gold.pieces import Piece
from tools.gold.source import GoldSource, NoGold
from tools.interview.pertinent import clinical_name
from tools.interview.spans import say_span
from tools.interview.words import account

SAYING = "said"
"""The answer template of a sentence that tells on what a patient said."""
Filled = Mapping[Language, Mapping[str, Any]]


def patient_of(source: GoldSource) -> PatientFacts:
    """Give the patient; NoGold where there is none to ask."""
    if source.patient is None:
        raise NoGold("the patient of this session cannot be asked")
    return source.patient


def turned_on(match: RuleMatch) -> frozenset[str]:
    """Name the drugs a session turns on: those of its orders, and those of the home list that its rule found."""
    listed = (b.subject for b in match.also if b.kind == "home_medication" and not b.absent)
    return frozenset((*(order.ingredient for order in match.orders), *listed))


def plain(fact: Fact) -> Fact:
    """Leave out of a fact what no rubric needs: its proof, what is invented, whether it is kept back."""
    return fact.model_copy(update={"proof": (), "invented": (), "withheld": False})


def only_item(source: GoldSource, item_id: str) -> PatientOnlyItem:
    """Give the item that nothing is laid into the patient's mouth."""
    texts = {language: str(account(language)["only"]) for language in Language}
    facts = tuple(plain(fact) for fact in patient_of(source).facts)
    return PatientOnlyItem(item_id=item_id, text=texts, facts=facts)


def _tell(language: Language, path: str, **filled: Any) -> str:
    template: Any = account(language)["tell"]
    for step in path.split("."):
        template = template[step]
    return str(template).format(**filled)


def _sentence(path: str, filled: Filled) -> dict[Language, dict[str, str]]:
    return {language: {"say": _tell(language, path, **filled[language])} for language in Language}


def told_piece(
    source: GoldSource,
    fact: Fact,
    element: str,
    item_id: str,
    right: tuple[str, Filled],
    wrong: tuple[str, Filled],
    *,
    safety: bool = False,
) -> Piece:
    """Tell one element of a fact; ``right`` and ``wrong`` are each a sentence of the account and what fills it."""
    said = _sentence(*right)
    item = PatientFactItem.model_validate(
        {
            "item_id": item_id,
            "text": {lang: f"{_reports(fact, element, lang)}{words['say']}" for lang, words in said.items()},
            "safety": safety,
            "evidence": (patient_of(source).ref(fact.fact_id),),
            "fact": plain(fact),
            "element": element,
        }
    )
    return Piece(SAYING, (item,), words=said, wrong_words=_sentence(*wrong))


def _reports(fact: Fact, element: str, language: Language) -> str:
    """Open the text of an item; of two complaints it says whose onset, course or severity is wanted."""
    if not isinstance(fact, SymptomFact) or element == "symptom":
        return str(account(language)["reports"])
    return str(account(language)["reports_of"]).format(what=clinical_name(fact.symptom, language, fact.side))


def unknown_piece(
    source: GoldSource,
    about: str,
    subject: str,
    item_id: str,
    evidence: Sequence[str],
    what: Filled,
    wrong: tuple[str, Filled],
    *,
    safety: bool = False,
) -> Piece:
    said = _sentence(f"unknown.{about}", what)
    item = PatientUnknownItem.model_validate(
        {
            "item_id": item_id,
            "text": {lang: f"{account(lang)['reports']}{words['say']}" for lang, words in said.items()},
            "safety": safety,
            "evidence": tuple(patient_of(source).ref(name) for name in evidence),
            "about": about,
            "subject": subject,
        }
    )
    return Piece(SAYING, (item,), words=said, wrong_words=_sentence(*wrong))


def same(**filled: Any) -> dict[Language, dict[str, Any]]:
    return {language: dict(filled) for language in Language}


def spans(span: Span) -> dict[Language, dict[str, str]]:
    return {language: {"span": say_span(span, language, Level.MEDIUM)} for language in Language}


def other_span(span: Span) -> dict[Language, dict[str, str]]:
    return spans(span.model_copy(update={"count": span.count + 3}))


def symptom_piece(source: GoldSource, fact: SymptomFact, item_id: str, *, safety: bool = False) -> Piece:
    what = {language: {"what": clinical_name(fact.symptom, language, fact.side)} for language in Language}
    sides = ("denied", what), ("symptom", what)
    right, wrong = sides if fact.denied else reversed(sides)
    return told_piece(source, fact, "symptom", item_id, right, wrong, safety=safety)
