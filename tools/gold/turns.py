"""What each kind of question takes: the calls, the sentences of the gold answer, the rubric items."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from state.base import Language, ResourceRef
from state.gold import Decision, ToolCall
from state.knowledge import OrderAction
from state.plan import KEY_LAB, ORDER, PlannedTurn, TurnKind
from tools.clinical.judgements import load_judgements
from tools.gold import conclusions
from tools.gold.around_topics import AROUND
from tools.gold.figure_pieces import figure_calls, figure_pieces
from tools.gold.finding_topics import FindingTopic
from tools.gold.patient_pieces import only_item
from tools.gold.patient_topics import PATIENT_TOPICS, PatientTopic
from tools.gold.pieces import Draft, Piece
from tools.gold.source import TREND_WINDOW, GoldSource, NoGold, Result
from tools.gold.topics import (
    BESIDE,
    LabTopic,
    OrderTopic,
    Topic,
    after,
    drawn_piece,
    shown,
    time_piece,
)
from tools.gold.writes import write_draft
from tools.wording import load_turn_wordings

OPPOSITE: dict[Decision, Decision] = {
    Decision.HOLD: Decision.CONTINUE,
    Decision.REDUCE: Decision.CONTINUE,
    Decision.REPLACE: Decision.CONTINUE,
    Decision.CONTINUE: Decision.HOLD,
}


@dataclass(frozen=True)
class Story:
    """A match with its topics by name."""

    source: GoldSource
    _found: dict[str, Topic] = field(default_factory=dict, compare=False)

    def topic(self, name: str) -> Topic:
        """Give a topic of the record by its name: the same one each time, for it keeps what it has read."""
        if name not in self._found:
            self._found[name] = self._find(name)
        return self._found[name]

    def _find(self, name: str) -> Topic:
        source = self.source
        if name == KEY_LAB:
            return self.key
        if name == ORDER:
            return OrderTopic(source)
        if name in AROUND:
            return AROUND[name](source)
        if name.startswith(BESIDE):
            return self.beside(name.removeprefix(BESIDE))
        bound = next((bound for bound in source.match.also if bound.name == name), None)
        if bound is None:
            raise NoGold(f"the match has no topic {name}")
        if bound.kind == "lab":
            return LabTopic(source, name, bound.subject, bound.label)
        return FindingTopic(source, bound)

    def told(self, turn: PlannedTurn) -> list[PatientTopic]:
        """Give what a turn asks the patient."""
        return [PATIENT_TOPICS[name](self.source) for name in turn.topics if name in PATIENT_TOPICS]

    def shown(self, turn: PlannedTurn) -> list[Topic]:
        """Give what a turn asks the record beside the key result."""
        names = (name for name in turn.topics if name != KEY_LAB and name not in PATIENT_TOPICS)
        return [self.topic(name) for name in names]

    @property
    def key(self) -> LabTopic:
        """Give the key result's topic."""
        return self._lab(KEY_LAB, self.source.match.lab.analyte, self.source.match.lab.label)

    def beside(self, analyte: str) -> LabTopic:
        """Give the topic of a test that is read beside the key result."""
        return self._lab(f"{BESIDE}{analyte}", analyte, self.source.analyte(analyte).names[Language.EN])

    def _lab(self, name: str, analyte: str, label: str) -> LabTopic:
        known = self._found.get(name)
        if not isinstance(known, LabTopic):
            known = self._found[name] = LabTopic(self.source, name, analyte, label)
        return known


def draft(turn: PlannedTurn, story: Story, prefix: str, known: frozenset[str]) -> Draft:
    """Draft one turn's gold. ``known`` are the topics that earlier turns have looked up.

    Raises NoGold where the record does not carry the question.
    """
    return _DRAFTS[turn.kind](turn, story, prefix, known)


def _look_up(turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    topic = story.topic(turn.topics[0])
    return Draft((topic.call,), topic.pieces(prefix))


def _previous(_turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    key = story.key
    if len(key.history) < 2:
        raise NoGold("there is no result before the latest")
    before = key.history[-2]
    if before.spoiled:
        raise NoGold("the laboratory puts the result before the latest in doubt")
    if before.time == key.latest.time or before.value == key.latest.value:
        raise NoGold("the result before the latest cannot be told from it")
    value = key.value_piece("previous", before, f"{prefix}-value", "previous", safety=True)
    drawn = drawn_piece(f"{prefix}-time", key, before)
    return Draft((key.call,), (value, drawn, *key.range_pieces(before, prefix)))


def _order_start(_turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    source = story.source
    if len(source.match.orders) != 1:
        raise NoGold("more than one order satisfies the rule")
    order = source.order
    topic = OrderTopic(source)
    names = source.drug_names(order)
    time = time_piece("order_start", f"{prefix}-start", "start", order.starttime, (order.ref,), names)
    return Draft((topic.call,), (topic.naming(prefix), time))


def _gather(turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    topics = [story.topic(name) for name in turn.topics]
    pieces = [
        piece for number, topic in enumerate(topics, 1) for piece in topic.reading(f"{prefix}-{number}")
    ]
    return Draft(_once(topic.call for topic in topics), tuple(pieces))


def _trend(turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    key = story.key
    first, _ = _ends(story)
    others = [story.topic(name) for name in turn.topics if name != KEY_LAB]
    pieces = [
        key.reading_piece(first, f"{prefix}-first", "first"),
        *(piece for number, topic in enumerate(others, 1) for piece in topic.reading(f"{prefix}-{number}")),
    ]
    window = story.source.labs(key.label, story.source.match.as_of - TREND_WINDOW)
    return Draft(_once((window, *(topic.call for topic in others))), tuple(pieces))


def _ends(story: Story) -> tuple[Result, Result]:
    trend = story.source.trend
    if len(trend) < 2:
        raise NoGold("fewer than two numeric results in the trend window")
    if any(result.spoiled for result in trend):
        raise NoGold("the laboratory puts a result of the trend window in doubt")
    if trend[0].value == trend[-1].value:
        raise NoGold("the first and the latest result of the trend window are the same")
    if conclusions.turns_back([result.value for result in trend]):
        raise NoGold(
            "the course turns: the last step of the trend window runs against the change over all of it"
        )
    return trend[0], trend[-1]


def _direction(_turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    key = story.key
    first, latest = _ends(story)
    if first.unit != latest.unit:
        raise NoGold("the results of the trend window are in different units")
    told = conclusions.direction(f"{prefix}-direction", key.names, first, latest)
    rises = latest.value > first.value
    words = {language: {"direction": _direction_word(language, rises=rises)} for language in Language}
    wrong = {language: {"direction": _direction_word(language, rises=not rises)} for language in Language}
    difference = Piece(
        "difference",
        (told,),
        {
            "value": shown(round(abs(latest.value - first.value), conclusions.DECIMALS)),
            "unit_after": after(latest.unit),
        },
        words,
        wrong_words=wrong,
    )
    pieces = (
        key.reading_piece(first, f"{prefix}-first", "first"),
        key.reading_piece(latest, f"{prefix}-latest", "latest"),
        difference,
    )
    return Draft((story.source.labs(key.label, story.source.match.as_of - TREND_WINDOW),), pieces)


def _direction_word(language: Language, *, rises: bool) -> str:
    return load_turn_wordings(language).directions["rise" if rises else "fall"]


def _conclude(turn: PlannedTurn, story: Story, prefix: str, known: frozenset[str]) -> Draft:
    source = story.source
    quoted = [topic.name for topic in story.shown(turn)]
    pieces = [_conclusion(story, f"{prefix}-conclusion"), *story.key.reading(prefix, safety=True)]
    pieces += [*_derived(story, prefix), *_looked_at(turn, story, prefix)]
    calls = [story.topic(name).call for name in (KEY_LAB, *_basis(story), *quoted) if name not in known]
    if source.match.lab.baseline_time is not None:
        calls.append(source.labs(story.key.label, source.match.lab.baseline_time))
    calls += figure_calls(story.source)
    return Draft(_once(calls), tuple(pieces))


def _interview(turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    told, shown_too = story.told(turn), story.shown(turn)
    pieces, calls = _asked_of_the_patient(told, prefix)
    for number, topic in enumerate(shown_too, 1 + len(told)):
        pieces += topic.reading(f"{prefix}-{number}")
        calls.append(topic.call)
    return Draft(_once(calls), tuple(pieces), (only_item(story.source, f"{prefix}-only"),))


def _conclude_asked(turn: PlannedTurn, story: Story, prefix: str, known: frozenset[str]) -> Draft:
    concluded = _conclude(turn, story, prefix, known)
    pieces, calls = _asked_of_the_patient(story.told(turn), prefix)
    only = only_item(story.source, f"{prefix}-only")
    return Draft(_once((*calls, *concluded.calls)), (*concluded.pieces, *pieces), (only,))


def _asked_of_the_patient(topics: Sequence[PatientTopic], prefix: str) -> tuple[list[Piece], list[ToolCall]]:
    """Ask each topic; the first answer of the first one is what the turn cannot do without."""
    pieces = [
        piece
        for number, topic in enumerate(topics, 1)
        for piece in topic.pieces(f"{prefix}-{number}", safety=number == 1)
    ]
    return pieces, [call for topic in topics for call in topic.calls]


def _reconsider(turn: PlannedTurn, story: Story, prefix: str, known: frozenset[str]) -> Draft:
    pieces = [Piece("disagree", ()), _conclusion(story, f"{prefix}-conclusion")]
    pieces += [*story.key.reading(prefix, safety=True), *_looked_at(turn, story, prefix)]
    asked = [topic.name for topic in story.shown(turn)]
    calls = [story.topic(name).call for name in (KEY_LAB, *_basis(story), *asked) if name not in known]
    return Draft(_once(calls), tuple(pieces))


def _looked_at(turn: PlannedTurn, story: Story, prefix: str) -> Iterator[Piece]:
    """State what a conclusion has to look at beside the key result, numbered after what the patient is asked."""
    for number, topic in enumerate(story.shown(turn), 1 + len(story.told(turn))):
        yield from topic.reading(f"{prefix}-{number}")


def _basis(story: Story) -> tuple[str, ...]:
    """Name the topics a conclusion rests on beside the key result."""
    match = story.source.match
    order = (ORDER,) if match.orders else ()
    return order + tuple(b.name for b in match.also if not b.absent and b.kind != "figure")


def _conclusion(story: Story, item_id: str) -> Piece:
    source, rule = story.source, story.source.rule
    if rule.judgement is not None:
        question = load_judgements()[rule.judgement.question]
        refs: tuple[ResourceRef, ...] = (source.match.lab.ref,)
        judged = rule.judgement
        item = conclusions.judgement(question, judged.answer, item_id, refs, judged.also)
        other = next(iter(judged.unsafe), None) or next(
            answer for answer in question.answers if answer not in judged.right
        )
        say = {language: {"say": word} for language, word in question.answers[judged.answer].say.items()}
        wrong = {language: {"say": word} for language, word in question.answers[other].say.items()}
        return Piece("judgement", (item,), words=say, wrong_words=wrong)
    wanted = source.decision
    words = {
        language: {"drug": source.drugs_in(language), **_replacement(story, language)}
        for language in Language
    }
    return Piece(
        wanted.value, conclusions.decision(source, item_id), {}, words, wrong_template=OPPOSITE[wanted].value
    )


def _replacement(story: Story, language: Language) -> dict[str, str]:
    action = story.source.rule.action
    if not isinstance(action, OrderAction) or action.medication is None:
        return {}
    return {
        "replacement": story.source.drug_in(action.medication)[language],
        "analyte": story.key.words()[language]["analyte"],
    }


def _derived(story: Story, prefix: str) -> list[Piece]:
    """State the figures and the baseline that the rule's condition is about."""
    lab, key = story.source.match.lab, story.key
    pieces = figure_pieces(story.source, prefix)
    if lab.baseline_value is not None and lab.baseline_ref is not None and lab.baseline_time is not None:
        baseline = Result(lab.baseline_ref, lab.baseline_value, lab.unit, lab.baseline_time)
        pieces.append(key.value_piece("baseline", baseline, f"{prefix}-baseline", "baseline", safety=True))
    return pieces


def _write(_turn: PlannedTurn, story: Story, prefix: str, _known: frozenset[str]) -> Draft:
    return write_draft(story.source, story.key, prefix)


def _once(calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    return tuple({call.model_dump_json(): call for call in calls}.values())


_DRAFTS: Mapping[TurnKind, Callable[[PlannedTurn, Story, str, frozenset[str]], Draft]] = {
    TurnKind.LOOK_UP: _look_up,
    TurnKind.PREVIOUS: _previous,
    TurnKind.ORDER_START: _order_start,
    TurnKind.GATHER: _gather,
    TurnKind.TREND: _trend,
    TurnKind.DIRECTION: _direction,
    TurnKind.CONCLUDE: _conclude,
    TurnKind.RECONSIDER: _reconsider,
    TurnKind.WRITE: _write,
    TurnKind.INTERVIEW: _interview,
    TurnKind.CONCLUDE_ASKED: _conclude_asked,
}
