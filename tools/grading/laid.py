"""What an answer lays into the patient's mouth: told as the patient's words, and never said."""

import re
from collections.abc import Iterator

from state.base import Language
from state.gold import PatientOnlyItem
from state.patient import AdherenceFact, Fact, FunctionalFact, SocialFact, SymptomFact
from state.patient_values import HomeUse
from tools.grading.accounts import CATCH_ALL, FULLY, USED, account_of
from tools.grading.evidence import Finding, TurnEvidence, cannot_tell, met, wrong
from tools.interview.accounts import Statement, about
from tools.interview.standings import Standing
from tools.interview.words import account_pattern, looser_words
from tools.vocabulary import Vocabulary

_ENDED = re.compile(r"[.!?;。]\s*$|\n\s*$")


def decide_patient_only(item: PatientOnlyItem, evidence: TurnEvidence, vocabulary: Vocabulary) -> Finding:
    """Decide whether all that the answer says the patient told is among the facts.

    Left open is a denial that may not be told as the patient's, and one in a word for several symptoms of which the
    patient denied one.
    """
    read = account_of(evidence, vocabulary)
    denials = list(_denials(item.facts, read, evidence.language))
    invented = next(_invented(item.facts, read, evidence.language), None)
    invented = invented or next((f"denies {denied}" for denied, sure in denials if sure), None)
    if invented:
        return wrong(f"the patient never said so: {invented}")
    if denials:
        return cannot_tell(f"denies what the patient may never have spoken of: {denials[0][0]}")
    return met("tells nothing the patient did not say")


def _denials(
    facts: tuple[Fact, ...], read: tuple[Statement, ...], language: Language
) -> Iterator[tuple[str, bool]]:
    """Find symptoms denied that the patient did not deny, and whether they are denied as the patient's words.

    Of a symptom that the patient has, only a denial in so many words is one: "no relief" and the like are not.
    """
    denied = {fact.symptom for fact in facts if isinstance(fact, SymptomFact) and fact.denied}
    had = {fact.symptom for fact in facts if isinstance(fact, SymptomFact) and not fact.denied}
    spoken = False
    for statement in read:
        spoken = spoken or account_pattern(language, "spoken").search(statement.text) is not None
        if _tells_otherwise(statement, language):
            spoken = False
            continue
        told = denied if account_pattern(language, "denies").search(statement.text) else denied | had
        for said in statement.symptoms:
            if said.standing is Standing.DENIED and not told.intersection(said.ids):
                loose = any(denied & looser_words().get(one, frozenset()) for one in said.ids)
                yield ", ".join(said.ids) or "a symptom", spoken and not loose
        spoken = spoken and not _ENDED.search(statement.text)


def _tells_otherwise(statement: Statement, language: Language) -> bool:
    """Tell whether a statement tells nothing, or what the record or the physician says."""
    examined = account_pattern(language, "examined").search(statement.text)
    return statement.modal or statement.chart or examined is not None


def _invented(facts: tuple[Fact, ...], read: tuple[Statement, ...], language: Language) -> Iterator[str]:
    symptoms = {fact.symptom for fact in facts if isinstance(fact, SymptomFact) and not fact.denied}
    statuses = {f.status.value for f in facts if isinstance(f, SocialFact | FunctionalFact)}
    taken = {fact.drug for fact in facts if isinstance(fact, AdherenceFact)}
    for statement in read:
        if statement.modal or statement.unknown or statement.chart:
            continue
        drugs = frozenset[str]().union(*(mention.drugs for mention in statement.drugs))
        at_home = account_pattern(language, "at_home").search(statement.text)
        if at_home and drugs and not drugs & taken and _tells_of_use(statement):
            yield f"{min(drugs)} at home"
        if drugs and (at_home or statement.reported) and _tells_of_use(statement):
            dose = account_pattern(language, "dose").search(statement.text)
            if dose:
                named = [min(mention.drugs) for mention in statement.drugs if mention.group is None]
                yield f"{(named or [min(drugs)])[0]}, {dose.group()}"
        if not statement.reported:
            continue
        for said in statement.symptoms:
            if said.standing is Standing.AFFIRMED and not set(said.ids) & symptoms:
                yield ", ".join(said.ids) or "a symptom"
        for group, value in sorted(statement.claims):
            if group in ("social", "functional") and value not in statuses and not _idle(value):
                yield value
    for fact in facts:
        if isinstance(fact, AdherenceFact) and fact.home is not None and fact.reason is None:
            yield from _reasons(fact, read, language)
        if isinstance(fact, AdherenceFact) and fact.home is HomeUse.TAKING:
            yield from _regimens(fact, read, language)


def _tells_of_use(statement: Statement) -> bool:
    """Tell whether a statement says that a drug is taken, and of none that it is given here."""
    return ("here", "given") not in statement.claims and any(
        ("home", use) in statement.claims for use in (*USED, FULLY)
    )


def _idle(value: str) -> bool:
    return value.endswith(f"_{CATCH_ALL}") or value.startswith("not ")


def _reasons(fact: AdherenceFact, read: tuple[Statement, ...], language: Language) -> Iterator[str]:
    """Find a reason told of a drug for which the patient gave none."""
    for statement in about(read, fact):
        named = any(fact.drug in mention.drugs for mention in statement.drugs)
        labelled = account_pattern(language, "reason_label").search(statement.text)
        if (named or labelled) and not (statement.modal or statement.unknown or statement.chart):
            for group, value in sorted(statement.claims):
                if group == "reason" and value != CATCH_ALL and not value.startswith("not "):
                    yield f"{fact.fact_id} for {value}"


def _regimens(fact: AdherenceFact, read: tuple[Statement, ...], language: Language) -> Iterator[str]:
    """Find how often, for how long or what for a drug is said to be taken at home, of which a patient tells nothing.

    It may stand in a further statement of the sentence that says so.
    """
    inside = False
    for statement in read:
        if statement.drugs:
            at_home = account_pattern(language, "at_home").search(statement.text)
            named = any(fact.drug in mention.drugs for mention in statement.drugs)
            inside = named and bool(at_home or statement.reported) and _tells_of_use(statement)
        of_home = not any(group == "here" for group, _ in statement.claims)
        inside = inside and of_home and not (statement.modal or statement.unknown or statement.chart)
        if inside:
            yield from (f"{fact.drug}, {said}" for said in _regimen(statement, language))
        inside = inside and not _ENDED.search(statement.text)


def _regimen(statement: Statement, language: Language) -> Iterator[str]:
    often = account_pattern(language, "often").search(statement.text)
    if often:
        yield "how often"
    if statement.spans and not (often or statement.symptoms or statement.onset) and _tells_of_use(statement):
        yield f"for {statement.spans[0].count} {statement.spans[0].unit}"
    if account_pattern(language, "for_what").search(statement.text) and (often or not statement.spans):
        yield "what for"
