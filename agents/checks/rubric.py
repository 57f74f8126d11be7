"""The rubric checker: what a turn asks for is all in its rubric, and every item says in words what it holds."""

from collections.abc import Iterable

from agents.checks.case import CannotDecide, Case
from agents.checks.texts import dates, figures
from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    ExactWritesItem,
    GoldTurn,
    JudgementItem,
    NameItem,
    PatientFactItem,
    PatientOnlyItem,
    RangeItem,
    RubricItem,
    SelectiveItem,
    TimeItem,
    ValueItem,
    WriteAvoidItem,
    WriteFieldItem,
    WriteTextItem,
)
from state.knowledge import FlagAction, OrderAction, ServiceAction, StopAction
from state.patient import SymptomFact
from state.plan import KEY_LAB, ORDER, PlannedTurn, TurnKind
from tools.fhir.toolset import TOOLS
from tools.gold.patient_topics import PATIENT_TOPICS
from tools.gold.told import told_by_its_level
from tools.gold.topics import BESIDE
from tools.interview.pertinent import clinical_name


def check_rubric(case: Case) -> list[str]:
    """Reject a rubric that leaves out what its turn asks for, or whose words are not those of its items."""
    gold, plan = case.answers, case.plan
    if len(gold.turns) != len(plan.turns):
        return [f"{len(gold.turns)} turns have gold, {len(plan.turns)} are planned"]
    faults: list[str] = []
    for index, (turn, planned) in enumerate(zip(gold.turns, plan.turns, strict=True)):
        found = [*_ids(turn, index), *_words(turn), *_missing(turn, planned, case)]
        faults += [f"turn {index}: {fault}" for fault in found]
    return [*faults, *_told_before(case)]


def _told_before(case: Case) -> Iterable[str]:
    """Find figures and findings that a turn wants stated though an earlier one did; the key result may be."""
    lab, told = case.source.match.lab, dict[tuple[str, float | None], int]()
    for index, turn in enumerate(case.answers.turns):
        wanted = {
            (item.evidence[0], item.value if isinstance(item, ValueItem) else None)
            for item in turn.rubric
            if isinstance(item, ValueItem | NameItem) and item.evidence
        }
        for ref, value in sorted(wanted & told.keys(), key=str):
            if (ref, value) != (lab.ref, lab.value):
                yield f"turn {index} asks again for {ref}, which turn {told[ref, value]} had to state"
        told |= dict.fromkeys(wanted - told.keys(), index)


def _ids(turn: GoldTurn, index: int) -> Iterable[str]:
    names = [item.item_id for item in turn.rubric]
    if turn.index != index:
        yield f"its gold is numbered {turn.index}"
    if len(set(names)) < len(names):
        yield f"{next(name for name in names if names.count(name) > 1)} stands twice"
    if stray := next((name for name in names if not name.startswith(f"t{index}-")), None):
        yield f"{stray} is an item of another turn"


def _words(turn: GoldTurn) -> Iterable[str]:
    """Find items whose text, in a language of the answers, is missing or states another figure or time."""
    languages = set(turn.answer)
    for item in turn.rubric:
        if set(item.text) != languages:
            yield f"{item.item_id} has no text in every language of the answers"
        for language, text in item.text.items():
            match item:
                case ValueItem():
                    right = item.value in figures(_after_colon(text)) and (item.unit in text)
                case RangeItem(low=low, high=high):
                    right = {limit for limit in (low, high) if limit is not None} <= set(figures(text))
                case TimeItem(time=time):
                    right = f"{time:%Y-%m-%d %H:%M}" in text and len(dates(text)) == 1
                case JudgementItem(change=change) if change is not None:
                    right = change.by in figures(_after_colon(text)) and change.unit in text
                case PatientFactItem(fact=SymptomFact(symptom=symptom, side=side)):
                    right = clinical_name(symptom, language, side) in text
                case WriteFieldItem(values=values):
                    right = not values or any(value in text for value in values)
                case ExactWritesItem(conditions=conditions):
                    right = all(_part(one.text[language]) in text for one in conditions)
                case _:
                    right = True
            if not right:
                yield f"{item.item_id}: its text in {language} does not state what it holds"


def _part(text: str) -> str:
    """Give what the text of a part of a write says, without the tool it is of."""
    return text.replace("：", ":").partition(":")[2].strip()


def _after_colon(text: str) -> str:
    return text.replace("：", ":").rpartition(": ")[2] if ": " in text else text.rpartition("：")[2]


def _missing(turn: GoldTurn, planned: PlannedTurn, case: Case) -> Iterable[str]:
    match planned.kind:
        case TurnKind.LOOK_UP if planned.topics[0] == KEY_LAB or planned.topics[0].startswith(BESIDE):
            yield from _lacking(turn, ValueItem, TimeItem)
            if _has_range(turn, case):
                yield from _lacking(turn, RangeItem)
        case TurnKind.LOOK_UP if planned.topics[0] == ORDER:
            yield from _lacking(turn, SelectiveItem)
            yield from _safe_order(turn, case)
        case TurnKind.LOOK_UP:
            yield from ()
        case TurnKind.PREVIOUS:
            yield from _lacking(turn, ValueItem, TimeItem)
        case TurnKind.ORDER_START:
            yield from _lacking(turn, TimeItem, SelectiveItem)
        case TurnKind.GATHER:
            yield from _topics_lacking(turn, planned.topics)
        case TurnKind.TREND:
            yield from _values(turn, 1)
            yield from _topics_lacking(turn, planned.topics[1:])
        case TurnKind.DIRECTION:
            yield from _values(turn, 2)
            yield from _lacking(turn, JudgementItem)
        case TurnKind.CONCLUDE | TurnKind.RECONSIDER | TurnKind.CONCLUDE_ASKED:
            yield from _conclusion(turn, case)
            yield from _topics_lacking(turn, planned.topics[1:])
            if planned.kind is TurnKind.CONCLUDE_ASKED:
                yield from _lacking(turn, PatientOnlyItem)
                yield from _nothing_known(turn, planned.topics[1:])
        case TurnKind.INTERVIEW:
            yield from _topics_lacking(turn, planned.topics)
            yield from _lacking(turn, PatientOnlyItem)
            yield from _nothing_known(turn, planned.topics)
        case TurnKind.WRITE:
            yield from _write(turn, case)
        case _:
            raise CannotDecide(f"no checker knows what the question {planned.kind} is scored on")


def _lacking(turn: GoldTurn, *kinds: type[RubricItem]) -> Iterable[str]:
    for kind in kinds:
        if not any(isinstance(item, kind) for item in turn.rubric):
            yield f"no {kind.model_fields['kind'].default} item"


def _values(turn: GoldTurn, wanted: int) -> Iterable[str]:
    if sum(isinstance(item, ValueItem) for item in turn.rubric) < wanted:
        yield f"fewer than {wanted} value items"


def _topics_lacking(turn: GoldTurn, topics: Iterable[str]) -> Iterable[str]:
    for number, topic in enumerate(topics, 1):
        if not any(item.item_id.startswith(f"t{turn.index}-{number}-") for item in turn.rubric):
            yield f"nothing is scored of {topic}"


def _nothing_known(turn: GoldTurn, topics: Iterable[str]) -> Iterable[str]:
    """Find what a patient is asked and has nothing to say to."""
    for number, topic in enumerate(topics, 1):
        own = [item for item in turn.rubric if item.item_id.startswith(f"t{turn.index}-{number}-")]
        if topic in PATIENT_TOPICS and own and not any(isinstance(item, PatientFactItem) for item in own):
            yield f"the patient is asked {topic} and knows nothing of it"


def _has_range(turn: GoldTurn, case: Case) -> bool:
    proof = [ref for item in turn.rubric if isinstance(item, ValueItem) for ref in item.evidence]
    return any(case.shown.get(ref, {}).get("referenceRange") for ref in proof)


def _safe_order(turn: GoldTurn, case: Case) -> Iterable[str]:
    drugs = len(case.source.orders_by_ingredient)
    named = sum(item.kind == "name" for item in turn.rubric)
    if named < drugs:
        yield f"{named} of {drugs} drugs are named"


def _conclusion(turn: GoldTurn, case: Case) -> Iterable[str]:
    rule, key = case.source.rule, case.source.match.lab
    kind = DecisionItem if rule.judgement is None else JudgementItem
    concluded = [item for item in turn.rubric if isinstance(item, kind)]
    if len(concluded) != 1 or not concluded[0].safety:
        yield "no conclusion that a pass rests on"
    if rule.unsafe and not any(isinstance(item, AvoidItem) for item in turn.rubric):
        yield "nothing asks that unsafe advice be left out"
    if not any(
        isinstance(item, ValueItem) and item.safety and item.value == key.value for item in turn.rubric
    ):
        yield "the result it rests on is not asked for"
    if key.derived_value is not None and turn.index and _concludes(turn, case) and not _figure(turn):
        yield "the figure its rule is about is not asked for"


def _concludes(turn: GoldTurn, case: Case) -> bool:
    return case.plan.turns[turn.index].kind is TurnKind.CONCLUDE


def _figure(turn: GoldTurn) -> bool:
    return any(isinstance(item, ValueItem) and item.tolerance for item in turn.rubric)


def _write(turn: GoldTurn, case: Case) -> Iterable[str]:
    """Find what is not scored of a write, not told of it, or wrong without failing the one item a pass rests on."""
    rule, orders = case.source.rule, case.source.match.orders
    exact = next((item for item in turn.rubric if isinstance(item, ExactWritesItem)), None)
    if exact is None or not exact.tools or [item for item in turn.rubric if item.safety] != [exact]:
        yield "a pass does not rest on the writes, and on them alone"
        return
    scored = {item.field for item in turn.rubric if isinstance(item, WriteFieldItem)}
    held = {item.field for item in exact.conditions if isinstance(item, WriteFieldItem)}
    texts = [item for item in turn.rubric if isinstance(item, WriteTextItem)]
    free = {"subject_id", "reason", *(("code", "detail") if isinstance(rule.action, FlagAction) else ())}
    for call in turn.calls:
        fields = set(call.arguments) - free if call.tool in TOOLS and TOOLS[call.tool].writes else set()
        if left := sorted(fields - scored):
            yield f"the {left[0]} of {call.tool} is not scored"
        if left := sorted(fields - held - {"priority"}):
            yield f"a wrong {left[0]} of {call.tool} may pass"
    match rule.action:
        case FlagAction():
            drug = [NameItem] if orders and not told_by_its_level(case.source) else []
            yield from _lacking(turn, ValueItem, *drug)
            if len(texts) < 2:
                yield "what the flag has to hold is not scored"
            if sum(isinstance(item, WriteTextItem) for item in exact.conditions) < 1 + bool(orders):
                yield "a flag that does not name what it is about may pass"
            avoided = {item.unsafe for item in exact.conditions if isinstance(item, WriteAvoidItem)}
            if orders and avoided != set(rule.unsafe):
                yield "nothing asks that the flag advise nothing unsafe"
        case OrderAction():
            yield from _lacking(turn, DoseItem)
            if "duration_days" not in held:
                yield "nothing asks that no duration be added"
        case StopAction() | ServiceAction():
            if sum(isinstance(item, NameItem) for item in turn.rubric) < 2:
                yield "what was written is not told"
