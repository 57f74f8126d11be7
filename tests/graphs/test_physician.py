"""The physician over a set: no wording recurs, ways to leave things unsaid are balanced, each has one reading."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from made import LOOKUP, REASON, WRITE, Made, make
from once import FoundInCohort
from spoken import Spoken, spoken_sessions

from agents.checks.case import Case
from agents.checks.wording import check_wording
from agents.dialogue import reading_faults
from agents.news import tells
from agents.physician import Said, leave_unsaid, say_plan, word_turns
from agents.resolver import Reach
from agents.turn_sizes import Sizes
from graphs.workshop import Workshop
from state.base import Language
from state.findings import Figure
from state.gold import PatientFactItem, PatientUnknownItem
from state.plan import CONCLUDING, KEY_LAB, ORDER, TASK_TYPE, PlannedTurn, TurnKind
from state.session import Implicitness, Scenario, TaskType, Turn, Wording
from tools.clinical.figures import RECIPES
from tools.ehr.warehouse import Warehouse
from tools.gold.around_topics import BACKGROUND
from tools.gold.patient_topics import SAID, PatientTopic
from tools.gold.topics import BESIDE
from tools.gold.turns import Story, draft
from tools.wording import load_turn_wordings

SESSIONS = 60
MOST_RECURRENCES = 3
"""Times one sentence may be said over a set of 324 sessions."""


@pytest.fixture(scope="module")
def workshop(warehouse: Warehouse, found_in_cohort: FoundInCohort) -> Workshop:
    """Give every scenario over the embedded cohort."""
    return Workshop(warehouse, tuple(Scenario), seed=7, found=found_in_cohort(*Scenario))


@pytest.fixture(scope="module")
def spoken(workshop: Workshop) -> list[Spoken]:
    """Plan and say the first sessions of a set; gold is proved elsewhere."""
    return list(spoken_sessions(workshop, SESSIONS))


def _recurring(spoken: list[Spoken], form: str) -> Counter[str]:
    return Counter(
        getattr(said.wording, form) for one in spoken for turn in one.said for said in turn.values()
    )


@pytest.mark.parametrize("form", ["explicit", "implicit"])
def test_no_question_recurs(spoken: list[Spoken], form: str):
    assert len(spoken) == SESSIONS
    most = _recurring(spoken, form).most_common(1)[0]
    assert most[1] <= MOST_RECURRENCES, most


def test_chinese_calls_tests_in_a_row_the_latest_once(spoken: list[Spoken]):
    texts = [
        getattr(turn[Language.ZH].wording, form)
        for one in spoken
        for planned, turn in zip(one.plan.turns, one.said, strict=True)
        if planned.kind is TurnKind.GATHER
        for form in ("explicit", "implicit")
    ]
    test = "[^，。；？、（和]{2,10}"
    assert (
        sum(bool(re.search(f"最近一次{test}和{test}(?:呢|，|一起查|汇总|都找)", text)) for text in texts) > 4
    )
    assert not [text for text in texts if re.search(f"最近一次{test}和最近一次(?!有给药){test}", text)]


def test_a_conclusion_is_asked_for_once_a_session(spoken: list[Spoken]):
    asked = [sum(turn.kind in CONCLUDING for turn in one.plan.turns) for one in spoken]
    assert max(asked) == 1


def test_what_settles_the_matter_is_not_looked_up_after_it_is_settled(spoken: list[Spoken]):
    """Where the record carries another arrangement; a few have none."""
    late: Counter[bool] = Counter()
    for one in spoken:
        kinds = [turn.kind for turn in one.plan.turns]
        concluded = next((at for at, kind in enumerate(kinds) if kind in CONCLUDING), len(kinds))
        for turn in one.plan.turns[concluded + 1 :]:
            if turn.kind in (TurnKind.LOOK_UP, TurnKind.GATHER, TurnKind.TREND):
                beside = {name for name in turn.topics if name.startswith(BESIDE)}
                settling = {*turn.topics} - {KEY_LAB, ORDER, "last_given", *BACKGROUND, *beside}
                late[bool(settling)] += 1
    assert late.total() > 5
    assert late[True] <= late.total() / 5, late


def test_the_patient_is_asked_before_the_question_that_waits_for_it_and_of_symptoms_after(
    spoken: list[Spoken],
):
    of_symptoms = Counter[bool]()
    for one in spoken:
        for turn, said in zip(one.plan.turns, one.said, strict=True):
            assert not re.search(r"[Aa]sk (?:the patient|him|her) any ", " ".join(_forms(said[Language.EN])))
            if turn.kind is TurnKind.CONCLUDE_ASKED:
                asks_first = r"(?:First ask|Go and ask|Go ask|Ask|Check with) "
                symptoms = {name for name in turn.topics if name.startswith(SAID)} == {f"{SAID}pertinent"}
                of_symptoms[symptoms] += 1
                wording = said[Language.EN].wording
                assert re.match(asks_first, wording.explicit), wording
                before_or_after = (
                    rf"(?!{asks_first}).*\? .*\bask (?:him|her) about " if symptoms else asks_first
                )
                assert re.match(before_or_after, wording.implicit), wording
    assert min(of_symptoms[True], of_symptoms[False]) > 0


def test_the_test_goes_unnamed_right_after_its_result(spoken: list[Spoken]):
    for one in spoken:
        label = re.escape(Story(one.source).key.named(Language.EN)["label"])
        text = one.said[1][Language.EN].wording.implicit
        assert not re.search(rf"\b(?:(?:that|which) {label}\b|the {label} you're)", text), text


def test_a_drug_is_named_where_its_level_is_and_once_where_it_is_the_matter(spoken: list[Spoken]):
    levels, matters = 0, 0
    for one in spoken:
        about = one.source.rule.wording[Language.EN].about
        asks = {finding.ask.get(Language.EN) for finding in one.source.rule.trigger.also}
        for said in one.said:
            text = said[Language.EN].wording.implicit
            if one.source.told_by_the_test and one.source.match.orders:
                levels += 1
                assert (one.source.rule.wording[Language.EN].bearing or "") not in text
            if about in asks and about in text:
                matters += 1
                assert text.count(about) == 1, text
    assert levels > 0
    assert matters > 0


def test_templates_recur_little(spoken: list[Spoken]):
    """With its slots blank, a question is put in the same words now and then; no template carries a set."""
    used = Counter(said.key for one in spoken for turn in one.said for said in turn.values())
    assert used.most_common(1)[0][1] <= SESSIONS / 10, used.most_common(3)


def test_ways_to_leave_things_unsaid_are_balanced(spoken: list[Spoken]):
    used = Counter(turn.implicitness for one in spoken for turn in one.plan.turns)
    assert used.pop(Implicitness.EXPLICIT) == SESSIONS
    assert all(0.25 <= count / used.total() <= 0.45 for count in used.values()), used
    assert len(used) == 3


def test_every_question_has_one_reading_and_gives_nothing_away(spoken: list[Spoken]):
    for one in spoken:
        for turn, said in zip(one.plan.turns, one.said, strict=True):
            for language, heard in said.items():
                if turn.implicitness is not Implicitness.EXPLICIT:
                    assert heard.heard.faults == [], (language, heard.wording)
                    assert turn.implicitness in heard.heard.ways


def test_the_same_seed_says_the_same(spoken: list[Spoken]):
    for one in spoken[:6]:
        again = say_plan(one.plan, one.source, tuple(Language))
        assert [{k: v.wording for k, v in said.items()} for said in again] == [
            {k: v.wording for k, v in said.items()} for said in one.said
        ]
        assert leave_unsaid(one.plan.turns, one.source, one.plan.wording_seed) == one.plan.turns


def test_nothing_goes_back_to_the_first_question_on_the_second(spoken: list[Spoken]):
    pointed = [
        (at, anaphor.pointer.reach)
        for one in spoken
        for at, said in enumerate(one.said)
        for worded in said.values()
        for anaphor in worded.heard.anaphors
    ]
    assert (1, Reach.FIRST) not in pointed
    assert (2, Reach.FIRST) in pointed


def _forms(said: Said) -> tuple[str, str]:
    return said.wording.explicit, said.wording.implicit


def test_one_colleague_holds_the_other_opinion_in_both_forms_and_languages(spoken: list[Spoken]):
    voices = Counter[int]()
    for one in spoken:
        for turn, said in zip(one.plan.turns, one.said, strict=True):
            if turn.kind is TurnKind.RECONSIDER:
                named = {
                    number
                    for language, worded in said.items()
                    for text in _forms(worded)
                    for number, who in enumerate(load_turn_wordings(language).colleagues)
                    if who in text[:1].lower() + text[1:]
                }
                assert len(named) == 1, said
                voices.update(named)
    assert len(voices) >= 3, voices


def test_english_sentences_begin_with_a_capital_and_have_none_within(spoken: list[Spoken]):
    for one in spoken:
        for said in one.said:
            for text in _forms(said[Language.EN]):
                unquoted = re.sub(r'"[^"]*"', "", text)
                assert not re.search(r"(?:^|[.?!] )[a-z]", unquoted), text
                assert not re.search(r"[:,;—] (?!Winter)[A-Z][a-z]+\b", unquoted), text


def _asking(spoken: list[Spoken]) -> Iterator[tuple[PlannedTurn, dict[Language, Said], list[PatientTopic]]]:
    for one in spoken:
        for turn, said in zip(one.plan.turns, one.said, strict=True):
            if topics := Story(one.source).told(turn):
                yield turn, dict(said), topics


def test_what_cannot_be_told_is_asked_for_where_something_cannot(spoken: list[Spoken]):
    asked = {Language.EN: "can't", Language.ZH: "说不清"}
    seen = Counter[bool]()
    for _, said, topics in _asking(spoken):
        items = [item for topic in topics for piece in topic.pieces("t") for item in piece.items]
        unsure = any(isinstance(item, PatientUnknownItem) for item in items)
        seen[unsure] += 1
        for language, worded in said.items():
            assert (asked[language] in worded.wording.explicit) is unsure, worded
    assert min(seen[True], seen[False]) > 0


def test_what_became_of_a_drug_here_is_wanted_where_it_is_asked_for(spoken: list[Spoken]):
    seen = Counter[bool]()
    for turn, said, topics in _asking(spoken):
        if f"{SAID}drug" in turn.topics:
            items = [item for topic in topics for piece in topic.pieces("t") for item in piece.items]
            here = any(isinstance(item, PatientFactItem) and item.element == "here" for item in items)
            seen[here] += 1
            asks = (("in here", Language.EN), ("住院以后", Language.ZH))
            assert not here or all(words in said[of].wording.implicit for words, of in asks), said
    assert seen[True] > 0, seen


def test_no_call_names_a_complaint_before_it_is_heard(spoken: list[Spoken]):
    asked = [
        call
        for turn, _, topics in _asking(spoken)
        for name, topic in zip([n for n in turn.topics if n.startswith(SAID)], topics, strict=True)
        for call in topic.calls
        if name == f"{SAID}complaint"
    ]
    assert asked
    assert all(set(call.arguments) == {"subject_id"} for call in asked), asked


@pytest.fixture(scope="module")
def made(workshop: Workshop) -> Made:
    """Make a session that looks a drug up before it asks what to do with it."""
    return make(workshop, "digoxin_hypokalemia_replace", (LOOKUP, LOOKUP, REASON, WRITE))


@pytest.mark.parametrize(
    ("language", "said", "fault"),
    [
        (Language.EN, "Beside the creatinine and the sodium, has it moved?", "could be"),
        (Language.EN, "Is that part of a rise or a fall in the creatinine?", "leaves nothing unsaid"),
        (Language.EN, "With the creatinine in hand, has it risen or fallen?", "reads as creatinine"),
        (Language.EN, "Do you agree?", "has no antecedent"),
        (Language.ZH, "你同意吗？", "has no antecedent"),
        (Language.ZH, "看肌酐，它是升了还是降了？", "reads as creatinine"),
    ],
)
def test_a_question_with_another_reading_is_refused(made: Made, language: Language, said: str, fault: str):
    turn = made.session.turns[2]
    spoiled = turn.model_copy(
        update={
            "implicitness": Implicitness.PREDICATE_ELLIPSIS,
            "wording": {
                **turn.wording,
                language: Wording(explicit=turn.wording[language].explicit, implicit=said),
            },
        }
    )
    turns = (*made.session.turns[:2], spoiled, *made.session.turns[3:])
    case = Case(made.source(), made.plan, session=made.session, resolver=reading_faults)
    assert check_wording(case) == []
    found = check_wording(case.having(session=made.session.model_copy(update={"turns": turns})))
    assert any(fault in one and f"turn 2 {language}" in one for one in found), found


def test_turns_are_the_plan_s(made: Made):
    turns: tuple[Turn, ...] = word_turns(made.plan, made.source(), (Language.EN,))
    assert [turn.implicitness for turn in turns] == [turn.implicitness for turn in made.plan.turns]
    assert [turn.wording[Language.EN] for turn in turns] == [
        turn.wording[Language.EN] for turn in made.session.turns
    ]


def test_nearly_all_turns_are_of_their_sizes_and_a_write_has_one_safety_item(spoken: list[Spoken]):
    """Some records carry no turn of its size; a lookup is the kind that most often has too little."""
    fits: Counter[tuple[TaskType, bool]] = Counter()
    for one in spoken:
        sizes = Sizes(Story(one.source))
        for turn in one.plan.turns:
            fits[TASK_TYPE[turn.kind], sizes.fit((turn.kind, turn.topics))] += 1
            if turn.kind is TurnKind.WRITE:
                rubric = draft(turn, sizes.story, "t", frozenset()).rubric
                assert sum(item.safety for item in rubric) == 1
    assert {task for task, _ in fits} == set(TaskType)
    for task in TaskType:
        assert fits[task, False] <= fits[task, True] / (10 if task is TaskType.LOOKUP else 20), fits


def test_a_drug_goes_by_its_name_once_it_was_looked_up(spoken: list[Spoken]):
    named: Counter[bool] = Counter()
    for one in spoken:
        drugs = {*one.source.orders_by_ingredient} - one.source.told_by_the_test
        known = False
        for turn, said in zip(one.plan.turns, one.said, strict=True):
            for each in said.values():
                found = {d.id for d in one.source.vocabulary.ingredients_in(each.wording.implicit)} & drugs
                assert known or not found or turn.kind is TurnKind.WRITE, each.wording.implicit
                if known and each.names_drug and len(drugs) == 1 == len(one.source.orders_by_ingredient):
                    named[bool(found)] += 1
            known = known or ORDER in tells(turn, one.plan.match)
    assert named[True] > 5
    assert named[False] == 0


def test_no_reasoning_is_asked_for_twice_and_no_order_written_about_unseen(spoken: list[Spoken]):
    for one in spoken:
        reasons = [turn.kind for turn in one.plan.turns if TASK_TYPE[turn.kind] is TaskType.REASON]
        assert len(set(reasons)) == len(reasons)
        told: set[str] = {KEY_LAB}
        for turn in one.plan.turns:
            assert turn.kind is not TurnKind.WRITE or {*turn.topics} <= told
            told |= tells(turn, one.plan.match)


def test_a_step_of_the_reasoning_is_not_asked_for(spoken: list[Spoken]):
    """What Winter's formula predicts is told in other numbers than the gap to it."""
    steps = 0
    for one in spoken:
        figures = [RECIPES[Figure(bound.subject)] for bound in one.plan.match.also if bound.kind == "figure"]
        for turn in one.plan.turns if figures and not any(recipe.stated for recipe in figures) else ():
            rubric = draft(turn, Story(one.source), "t", frozenset()).rubric
            assert not [item.item_id for item in rubric if "-figure-" in item.item_id]
            steps += turn.kind in CONCLUDING
    assert steps > 0
