"""An account of what a patient said, read statement by statement: what others tell of the patient, not the patient."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from state.base import Language
from state.patient import AdherenceFact, Fact, Span, SymptomFact
from state.patient_values import Side
from tools.interview.drugs import DrugMention, DrugWords
from tools.interview.reading import masked, side_of, symptom_places, take_scores
from tools.interview.spans import find_spans
from tools.interview.words import ASKED_ONLY, account_claims, account_pattern, pattern
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import normalise


class Standing(StrEnum):
    """How a statement stands to a symptom that it names."""

    AFFIRMED = "affirmed"
    DENIED = "denied"
    UNKNOWN = "unknown"
    OPEN = "open"


@dataclass(frozen=True)
class ToldSymptom:
    """A symptom that is told of; no ids where it is one that no patient here has."""

    ids: tuple[str, ...]
    side: Side | None
    standing: Standing


@dataclass(frozen=True)
class Statement:
    """One statement of an account.

    ``claims`` are ``(group, value)``, with ``not`` before a value that is turned round. ``modal``: advice, a condition
    or a doubt, which tells nothing; ``topic``: it only names what the next one is about. ``chart``: the record is its
    source, and ``by_patient``: the patient is spoken of too; ``reported``: it says that the patient said so.
    """

    text: str
    drugs: tuple[DrugMention, ...]
    symptoms: tuple[ToldSymptom, ...]
    claims: frozenset[tuple[str, str]]
    spans: tuple[Span, ...]
    scores: tuple[int, ...]
    unknown: bool
    negated: bool
    modal: bool
    topic: bool
    chart: bool
    by_patient: bool
    reported: bool
    onset: bool

    @property
    def of_record(self) -> bool:
        """Tell whether it says what the record holds, and not what the patient said."""
        return self.chart and not self.by_patient


@lru_cache(maxsize=4)
def drug_words(vocabulary: Vocabulary) -> DrugWords:
    """Give what words for drugs mean, once for a vocabulary."""
    return DrugWords(vocabulary)


@lru_cache(maxsize=512)
def statements(text: str, language: Language, words: DrugWords) -> tuple[Statement, ...]:
    """Read a whole account."""
    pieces = account_pattern(language, "breaks").split(normalise(text))
    return tuple(_read(piece, language, words) for piece in pieces if piece and piece.strip())


def _read(text: str, language: Language, words: DrugWords) -> Statement:
    def says(name: str) -> bool:
        return bool(account_pattern(language, name).search(text))

    unknown, modal = says("unknown"), says("modal") or text.rstrip().endswith("?")
    topic = says("topic")
    chart, by_patient, reported = says("chart"), says("by_patient"), says("reported")
    negated, onset = says("negation"), says("onset")
    drugs = tuple(words.mentions(text))
    for drug in drugs:
        text = masked(text, drug.start, drug.end)
    symptoms = []
    for start, end, entry in list(symptom_places(text)):
        ids = () if entry == ASKED_ONLY else tuple(entry.split("+"))
        standing = _standing(text, start, end, language, unknown=unknown, modal=modal or topic)
        symptoms.append(ToldSymptom(ids, side_of(text[start:end], language), standing))
        text = masked(text, start, end)
    text, scores = take_scores(text, language)
    for match in list(account_pattern(language, "score").finditer(text)):
        scores = (*scores, int(match[1]))
        text = masked(text, match.start(), match.end())
    spans = []
    for start, end, span in list(find_spans(text, language)):
        spans.append(span)
        text = masked(text, start, end)
    return Statement(
        text=text,
        drugs=drugs,
        symptoms=tuple(symptoms),
        claims=frozenset(_claims(text, language)),
        spans=tuple(spans),
        scores=scores,
        unknown=unknown,
        negated=negated,
        modal=modal,
        topic=topic,
        chart=chart,
        by_patient=by_patient,
        reported=reported,
        onset=onset,
    )


def _standing(text: str, start: int, end: int, language: Language, *, unknown: bool, modal: bool) -> Standing:
    if unknown:
        return Standing.UNKNOWN
    before, after = text[:start], text[end:]
    if account_pattern(language, "negation").search(before):
        return Standing.DENIED
    if account_pattern(language, "denied_after").search(after):
        return Standing.DENIED
    return Standing.OPEN if modal else Standing.AFFIRMED


def _claims(text: str, language: Language) -> Iterator[tuple[str, str]]:
    for group, value, words in account_claims(language):
        for match in list(words.finditer(text)):
            turned = pattern(language, "negation").search(text[: match.start()])
            yield group, _turned(value) if turned else value
            text = masked(text, match.start(), match.end())


_TURNED = {"taking": "not_taking", "given": "not_given", "missing_doses": "fully"}
"""What the contrary of a value is another value of."""


def _turned(value: str) -> str:
    return _TURNED.get(value, f"not {value}")


def is_account(sentence: str, language: Language, words: DrugWords) -> bool:
    """Tell whether a sentence only tells what the patient said, did or has, and neither advises nor orders anything."""
    text = normalise(sentence)
    if not account_pattern(language, "opens").search(text) or account_pattern(language, "orders").search(
        text
    ):
        return False
    read = statements(text, language, words)
    told = any(s.claims or s.symptoms or s.unknown or s.spans or s.scores for s in read)
    return told and not any(s.modal and not s.unknown for s in read)


def about(read: tuple[Statement, ...], fact: Fact) -> Iterator[Statement]:
    """Give the statements that are about a fact: those that name it, and what follows until something else is named."""
    tied = True
    for statement in read:
        if isinstance(fact, AdherenceFact | SymptomFact):
            tied = _names(statement, fact, tied)
        if tied:
            yield statement


def _names(statement: Statement, fact: AdherenceFact | SymptomFact, before: bool) -> bool:
    drugs, symptoms = statement.drugs, [name for told in statement.symptoms for name in told.ids]
    if isinstance(fact, AdherenceFact):
        if drugs:
            return any(fact.drug in mention.drugs for mention in drugs)
        return before and (not symptoms or any(group in ("home", "reason") for group, _ in statement.claims))
    if statement.symptoms:
        return fact.symptom in symptoms
    return before and not drugs
