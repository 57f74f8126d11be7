"""What an account speaks of at all: where it does in words that are not understood, nothing is decided."""

from state.base import Language
from state.gold import PatientFactItem
from state.patient import AdherenceFact, FunctionalFact, PainFact, SocialFact, SymptomFact
from tools.interview.accounts import Statement, about
from tools.interview.standings import Standing
from tools.interview.words import account_roots

_UNSETTLED = ("_any", "_helped")
"""Ends of values that name a topic and none of its states."""
_NOT_READ = frozenset({Standing.NAMED, Standing.UNCLEAR})


def speaks_of(item: PatientFactItem, read: tuple[Statement, ...], language: Language) -> bool:
    """Tell whether an account speaks of what an item wants told, in words that are not understood."""
    fact, element = item.fact, item.element
    if isinstance(fact, SymptomFact) and element == "symptom":
        return any(symptom_spoken_of(fact.symptom, s, language) for s in read)
    told = [s for s in read if not (s.modal or s.unknown or s.of_record)]
    match fact:
        case PainFact():
            return any(_says("pain", s, language) for s in told if not s.scores)
        case SocialFact() | FunctionalFact():
            return any(_says(fact.topic, s, language) for s in told if not _claims(s, fact.topic))
        case AdherenceFact() if element in ("home", "here"):
            return any(_of_drug(fact, element, s, language) for s in about(tuple(told), fact))
    told_of = list(about(tuple(told), fact))
    graded = any(g == element and not value.startswith("not ") for s in told_of for g, value in s.claims)
    return graded or any(_says(element, s, language) for s in told_of)


def symptom_spoken_of(symptom: str, statement: Statement, language: Language) -> bool:
    """Tell whether a statement names a symptom and is not understood, or has a word of it and does not name it."""
    standings = [said.standing for said in statement.symptoms if symptom in said.ids]
    if standings:
        return not statement.of_record and bool(_NOT_READ.intersection(standings))
    tells = statement.unknown or not statement.modal
    return tells and not statement.of_record and _says(symptom, statement, language)


def _says(subject: str, statement: Statement, language: Language) -> bool:
    words = account_roots(language).get(subject)
    return words is not None and words.search(statement.text) is not None


def _claims(statement: Statement, topic: str) -> bool:
    told = (value.removeprefix("not ") for _, value in statement.claims)
    return any(value.partition("_")[0] == topic and not value.endswith(_UNSETTLED) for value in told)


def _of_drug(fact: AdherenceFact, element: str, statement: Statement, language: Language) -> bool:
    groups = {group for group, _ in statement.claims}
    if element in groups:
        return False
    named = any(fact.drug in mention.drugs for mention in statement.drugs)
    return _says(element, statement, language) if groups or element == "here" else named
