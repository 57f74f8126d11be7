"""The physician over a set: no wording recurs, ways to leave things unsaid are balanced, each has one reading."""

from collections import Counter

import pytest
from made import LOOKUP, REASON, WRITE, Made, make
from once import FoundInCohort
from spoken import Spoken, spoken_sessions

from agents.checks.case import Case
from agents.checks.plan import CONCLUDING
from agents.checks.wording import check_wording
from agents.dialogue import reading_faults
from agents.physician import leave_unsaid, say_plan, word_turns
from graphs.workshop import Workshop
from state.base import Language
from state.session import Implicitness, Scenario, Turn, Wording
from tools.ehr.warehouse import Warehouse

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


def test_a_conclusion_is_asked_for_once_a_session(spoken: list[Spoken]):
    asked = [sum(turn.kind in CONCLUDING for turn in one.plan.turns) for one in spoken]
    assert max(asked) == 1


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
