"""An account of what a patient said, read statement by statement: what others tell of the patient, not the patient."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from state.base import Language
from state.patient import AdherenceFact, Fact, Span, SymptomFact
from tools.interview.drugs import DrugMention, DrugWords
from tools.interview.reading import masked, take_scores
from tools.interview.spans import find_spans
from tools.interview.standings import Standing, ToldSymptom, chunks_of, settle, symptoms_of
from tools.interview.words import account_cells, account_claims, account_pattern, account_rewrites, pattern
from tools.vocabulary import Vocabulary
from tools.vocabulary.lexicon import normalise


@dataclass(frozen=True)
class Statement:
    """One statement of an account.

    ``claims`` are ``(group, value)``, with ``not`` before a value that is turned round. ``modal``: advice, a condition
    or a doubt, which tells nothing, or ``unsaid``: what was not asked for or spoken of. ``topic``: it only names what
    the next one is about. ``chart``: the record is its source, and ``by_patient``: the patient is spoken of too;
    ``reported``: it says that the patient said so. ``of_that_drug``: it speaks of the drug named before it.
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
    unsaid: bool
    topic: bool
    chart: bool
    by_patient: bool
    reported: bool
    onset: bool
    of_that_drug: bool

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
    text = normalise(text)
    for pattern_, by in account_rewrites(language):
        text = pattern_.sub(by, text)
    read = [
        _Read(piece, language, words)
        for piece in account_pattern(language, "breaks").split(text)
        if piece and piece.strip()
    ]
    settle([chunk for one in read for chunk in one.chunks])
    for before, one in pairwise(read):
        one.leaving = one.leaving or (before.leaving if before.leaving and before.only_heads() else "")
    return tuple(one.statement() for one in read)


class _Read:
    """A statement while it is read: its chunks wait for those of its neighbours."""

    def __init__(self, text: str, language: Language, words: DrugWords) -> None:
        self.language = language
        question = account_pattern(language, "question")
        self.asked = asked = bool(question.search(text))
        self.whole = text = question.sub("", text) if asked else text
        self.drugs = tuple(words.mentions(text))
        for drug in self.drugs:
            text = masked(text, drug.start, drug.end)
        self.text, symptoms = symptoms_of(text, language)
        self.chunks = chunks_of(self.text, symptoms, language, asked=asked, drugs=bool(self.drugs))
        leaving = account_pattern(language, "leaving").search(text)
        self.leaving = leaving.group() if leaving else ""

    def _labelled(self, text: str) -> Iterator[tuple[str, str]]:
        """Read the short words behind a label: "Living situation: alone"."""
        label, colon, value = text.partition(":")
        if not colon:
            if not self.leaving:
                return
            heading = account_pattern(self.language, "leaving").search(text)
            at = heading.end() if heading else 0
            label, value = heading.group() if heading else self.leaving, text[at:]
        for topic, labels, group, claim, words in account_cells(self.language):
            if words.search(value) and labels.search(label) and (topic != "walking" or not self.leaving):
                yield group, claim

    def only_heads(self) -> bool:
        """Tell whether it is no more than what heads the next: "At the last discharge,"."""
        ended = re.search(r"[.!?;。]\s*$", self.whole)
        claimed = _claims(self.text, self.language, leaving=True)
        return not ended and all(claim.endswith("_any") for _, claim in claimed)

    def statement(self) -> Statement:
        """Read the rest."""

        def says(name: str) -> bool:
            return bool(account_pattern(language, name).search(self.whole))

        language = self.language
        text, scores = take_scores(self.text, language)
        for match in list(account_pattern(language, "score").finditer(text)):
            scores = (*scores, *(int(score) for score in match.groups() if score))
            text = masked(text, match.start(), match.end())
        spans = []
        for start, end, span in list(find_spans(text, language)):
            spans.append(span)
            text = masked(text, start, end)
        claims = {*self._labelled(text), *_claims(text, language, leaving=bool(self.leaving))}
        if self.drugs and account_pattern(language, "drug_denied").search(text):
            claims.add(("home", "not_taking"))
        return Statement(
            text=text,
            drugs=self.drugs,
            symptoms=tuple(
                ToldSymptom(ids, side, chunk.standing or Standing.OPEN)
                for chunk in self.chunks
                for ids, side in chunk.symptoms
            ),
            claims=_only_listed(claims, drugs=bool(self.drugs) and not says("advises")),
            spans=tuple(spans),
            scores=scores,
            unknown=says("unknown"),
            negated=says("negation"),
            modal=says("modal") or says("unsaid") or self.whole.rstrip().endswith("?"),
            unsaid=says("unsaid"),
            topic=says("topic") or (self.asked and not says("unknown")),
            chart=says("chart"),
            by_patient=says("by_patient"),
            reported=says("reported"),
            onset=says("onset"),
            of_that_drug=says("that_drug"),
        )


def _claims(text: str, language: Language, *, leaving: bool) -> Iterator[tuple[str, str]]:
    """Read what is claimed; how a patient walks is told of the last discharge where that is spoken of."""
    now = not leaving or account_pattern(language, "then_and_now").search(text)
    for group, value, words in account_claims(language):
        for match in list(words.finditer(text)):
            turned = pattern(language, "negation").search(text[: match.start()])
            claim = _turned(value) if turned else value
            if now or value not in _LEAVING:
                yield group, claim
            if leaving and claim in _LEAVING:
                yield group, _LEAVING[claim]
            text = masked(text, match.start(), match.end())


_TURNED = {"taking": "not_taking", "given": "not_given", "missing_doses": "fully", "listed": "not_taking"}
"""What the contrary of a value is another value of."""
_LEAVING = {
    "walking_alone": "leaving_walking",
    "walking_with_aid": "leaving_with_aid",
    "walking_helped": "leaving_with_aid",
    "walking_not": "leaving_any",
    "walking_any": "leaving_any",
}
"""What a way of walking is called when it is told of the last discharge."""


def _only_listed(claims: set[tuple[str, str]], *, drugs: bool) -> frozenset[tuple[str, str]]:
    """Read "docusate at home" as taken, where nothing else is said of it."""
    listed = ("home", "listed")
    others = {claim for claim in claims if claim[0] == "home"} - {listed}
    taken = {("home", "taking")} if drugs and listed in claims and not others else set()
    return frozenset(claims - {listed} | taken)


def _turned(value: str) -> str:
    return _TURNED.get(value, f"not {value}")


def about(read: tuple[Statement, ...], fact: Fact) -> Iterator[Statement]:
    """Give the statements that are about a fact: those that name it, and what follows until something else is named.

    "That drug" is the one named last, whatever symptom stands between.
    """
    tied = not (isinstance(fact, AdherenceFact) and any(_of_drug(one, fact.drug) for one in read))
    last = tied
    for statement in read:
        if isinstance(fact, AdherenceFact | SymptomFact):
            tied = _names(statement, fact, tied or (last and statement.of_that_drug))
        if isinstance(fact, AdherenceFact) and statement.drugs:
            last = tied
        if tied:
            yield statement


def _names(statement: Statement, fact: AdherenceFact | SymptomFact, before: bool) -> bool:
    drugs, symptoms = statement.drugs, [name for told in statement.symptoms for name in told.ids]
    if isinstance(fact, AdherenceFact):
        if drugs:
            return _of_drug(statement, fact.drug)
        return before and (not symptoms or any(group in ("home", "reason") for group, _ in statement.claims))
    if statement.symptoms:
        return fact.symptom in symptoms
    return before and not drugs


def _of_drug(statement: Statement, drug: str) -> bool:
    """Tell whether a statement names a drug; a word for its group does, unless another drug of the group is named."""
    named = [mention.drugs for mention in statement.drugs if mention.group is None]
    groups = [mention.drugs for mention in statement.drugs if mention.group is not None]
    if any(drug in one for one in named):
        return True
    return any(drug in group and not any(one <= group for one in named) for group in groups)
