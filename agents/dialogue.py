"""What the dialogue of a session is about: the things its questions name, and whether each question has one reading."""

from collections.abc import Iterator, Mapping

from agents.checks.case import Case
from agents.resolver import Entity, Heard, Kind, Listener
from state.base import Language
from state.findings import BoundFinding
from state.plan import ORDER
from state.session import Implicitness, TaskType
from tools.clinical.figures import RECIPES
from tools.clinical.judgements import load_judgements
from tools.gold import GoldSource, NoGold
from tools.gold.around_topics import AROUND
from tools.gold.finding_topics import sign_words, ways_to_ask
from tools.gold.items import EGFR_NAMES
from tools.gold.topics import bearing
from tools.wording import load_turn_wordings

MATTER = "matter"
ACCOUNT = "patient's account"
ACCOUNT_WORDS: Mapping[Language, tuple[str, ...]] = {
    Language.EN: (
        "ask the patient",
        "ask him",
        "ask her",
        "check with him",
        "check with her",
        "hear from the patient",
    ),
    Language.ZH: ("问问患者", "问问他", "问问她", "听患者自己说", "患者自己怎么说"),
}
"""What a question says that wants the patient asked: its answer tells the patient's story beside what else it names."""
REPORTING = frozenset({TaskType.LOOKUP, TaskType.GATHER})
WAYS_OF_LEAVING_UNSAID: Mapping[Implicitness, str] = {
    Implicitness.EXPLICIT: "explicit: everything is said in full, for nothing was said before",
    Implicitness.NOMINAL_ANAPHORA: (
        'NA (nominal anaphora): a noun or "it" points back to a test, a drug or a diagnosis named before, as in "that '
        'result" or "that drug"'
    ),
    Implicitness.PREDICATE_ELLIPSIS: (
        "PE (predicate ellipsis): the verb or the question itself is left out, because the turn before has it, as in "
        '"And the potassium?" or "The diuretic: continue, reduce, or hold?"'
    ),
    Implicitness.ABSTRACT_EVENT_ANAPHORA: (
        'AE (abstract-event anaphora): "that" points back to a whole finding or decision and not to one thing, as in '
        '"That being so, ..." or "Is that new?"'
    ),
}
"""What each way of leaving things unsaid means, for whoever words a question or corrects one."""
_FINDING_KINDS = {
    "given": Kind.DRUG,
    "order": Kind.DRUG,
    "home_medication": Kind.DRUG,
    "culture": Kind.CULTURE,
    "condition": Kind.DIAGNOSIS,
}


def listener(source: GoldSource, language: Language) -> Listener:
    """Set up somebody who knows what sessions of a match can be about, in one language.

    Raises NoGold where the rule lacks the words of the language.
    """
    if language not in source.rule.wording:
        raise NoGold(f"rule {source.rule.id} has no words in {language}")
    fragments: tuple[str, ...] = ()
    if source.rule.judgement is not None:
        fragments = (load_judgements()[source.rule.judgement.question].short[language],)
    key = source.analyte_names(source.match.lab.analyte)
    spoken = load_turn_wordings(language).spoken.get(source.match.lab.analyte, "")
    names = (*key, *([spoken] if spoken else []))
    return Listener(tuple(_entities(source, language)), language, source.vocabulary, fragments, names)


def _entities(source: GoldSource, language: Language) -> Iterator[Entity]:
    rule = source.rule
    wording = rule.wording[language]
    if wording.bearing is not None:
        names = [source.drug_in(drug)[language] for drug in source.orders_by_ingredient]
        words = dict.fromkeys((bearing(source, language), *(names if len(names) == 1 else ())))
        several = len(source.match.orders) > 1
        yield Entity(ORDER, Kind.DRUG, tuple(words), several=several, opaque=False)
    for bound in source.match.also:
        yield from _of_finding(bound, source, language)
    yield Entity("egfr", Kind.RESULT, EGFR_NAMES)
    yield Entity(ACCOUNT, Kind.ACCOUNT, ACCOUNT_WORDS[language])
    yield Entity("admission", Kind.VISIT, (AROUND["admission"](source).asked(language),))
    yield Entity("problem", Kind.DIAGNOSIS, (AROUND["problem"](source).asked(language),))
    matter = [*ways_to_ask(wording.about, source, language)]
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        matter.append(question.ask[language])
        for answer in question.answers.values():
            matter += dict.fromkeys((answer.say[language], answer.held(language)))
    yield Entity(MATTER, Kind.MATTER, tuple(matter))


def _of_finding(bound: BoundFinding, source: GoldSource, language: Language) -> Iterator[Entity]:
    if bound.kind == "vital":
        yield Entity(bound.name, Kind.RESULT, (sign_words(bound.subject)[language],))
    elif bound.kind == "figure":
        names = next(recipe.names for figure, recipe in RECIPES.items() if figure.value == bound.subject)
        yield Entity(bound.name, Kind.RESULT, names)
    elif bound.kind in _FINDING_KINDS:
        finding = next(f for f in source.rule.trigger.also if f.name == bound.name)
        phrases = ways_to_ask(finding.ask.get(language, ""), source, language)
        yield Entity(bound.name, _FINDING_KINDS[bound.kind], phrases)


def misreadings(heard: Heard, way: Implicitness, source: GoldSource) -> list[str]:
    """Say why a question is not read in the one way that is meant.

    A result that is pointed to is the key result, a drug is the one whose order the match rests on.
    """
    faults = heard.faults
    if way not in heard.ways:
        faults.append(
            f"leaves nothing unsaid in the way this turn has to; reword it that way: {WAYS_OF_LEAVING_UNSAID[way]}"
        )
    meant = {Kind.RESULT: source.match.lab.analyte}
    if source.match.orders:
        meant[Kind.DRUG] = ORDER
    for anaphor in heard.anaphors:
        kind = anaphor.pointer.kind
        if kind in meant and len(anaphor.readings) == 1 and anaphor.readings[0] != meant[kind]:
            read, wanted = (name.replace("_", " ") for name in (anaphor.readings[0], meant[kind]))
            faults.append(
                f'"{anaphor.words}" reads as {read}, not as {wanted}: point to it so that it is not mistaken'
            )
    return faults


def reading_faults(case: Case, index: int, language: Language) -> list[str]:
    """Say why the implicit form of a turn has not exactly the one reading that is meant; nothing where it has."""
    turn = case.words.turns[index]
    ears, dialogue = listener(case.source, language), list[Heard]()
    for earlier in case.words.turns[: index + 1]:
        said = earlier.wording[language].implicit
        dialogue.append(ears.hear(said, dialogue, reports=earlier.task_type in REPORTING))
    return misreadings(dialogue[-1], turn.implicitness, case.source)
