"""The generation report counts every candidate once, at the stage where it ended."""

from agents.casting import SMALL_SET
from graphs.generation_report import ORDER, READINGS, report, shortfall_lines
from state.checking import Ruling, Stage
from state.generation import Attempt
from state.plan import Slot
from state.session import Scenario

ALIKE = ("turn 1 en: states 6.06, which no result shows", "turn 3 en: states 12, which no result shows")


def attempt(slot: int, stage: Stage, ruling: Ruling, *reasons: str, rewordings: int = 0) -> Attempt:
    return Attempt(
        slot=slot,
        candidate=slot,
        scenario=Scenario.MED_SAFETY,
        tier=1,
        arc=1,
        rule_id="a_rule",
        subject_id=1,
        hadm_id=1,
        accepted=ruling is Ruling.ACCEPT,
        stage=stage,
        ruling=ruling,
        rewordings=rewordings,
        reasons=reasons,
    )


ATTEMPTS = [
    attempt(0, Stage.PLANNER, Ruling.REJECT, "no arrangement"),
    attempt(1, Stage.CLINICAL, Ruling.REJECT, ALIKE[0]),
    attempt(2, Stage.CLINICAL, Ruling.REJECT, ALIKE[1]),
    attempt(3, Stage.CLINICAL, Ruling.CANNOT_DECIDE, "KeyError: 'x'"),
    attempt(4, Stage.VERIFY, Ruling.ACCEPT, rewordings=1),
]


def test_each_stage_is_reached_by_what_the_one_before_let_through() -> None:
    counted = report(ATTEMPTS, wanted=3)
    assert (counted.wanted, counted.tried, counted.accepted, counted.reworded) == (3, 5, 1, 1)
    assert [count.stage for count in counted.stages] == list(ORDER)
    clinical = counted.stages[ORDER.index(Stage.CLINICAL)]
    assert (clinical.reached, clinical.passed, clinical.rejected, clinical.undecided) == (4, 1, 2, 1)
    assert counted.stages[-1].passed == counted.accepted


def test_reasons_that_differ_in_figures_count_as_one() -> None:
    clinical = report(ATTEMPTS, wanted=3).stages[ORDER.index(Stage.CLINICAL)]
    assert max(clinical.reasons.values()) == 2


def test_every_stage_has_its_place() -> None:
    assert {*ORDER, *READINGS} == set(Stage)


SLOTS = [Slot(scenario=Scenario.MED_SAFETY, tier=1, arc=arc) for arc in (1, 2, 3)]


def test_slots_that_stay_empty_say_why() -> None:
    tried = [
        attempt(0, Stage.VERIFY, Ruling.ACCEPT),
        attempt(1, Stage.PLANNER, Ruling.REJECT, "no arrangement of arc 2"),
        attempt(1, Stage.PLANNER, Ruling.REJECT, "no arrangement of arc 7"),
        attempt(1, Stage.CLINICAL, Ruling.REJECT, "another"),
    ]
    assert shortfall_lines(SLOTS, SLOTS, tried, wanted=3) == [
        "3 sessions asked for, 1 made",
        (
            "not made: med_safety, tier 1, arc 2 (1 of 3): all 3 rule matches left refused "
            "(2 by planner: no arrangement of arc …; 1 by clinical: another)"
        ),
        (
            "not made: med_safety, tier 1, arc 3 (1 of 3): no rule match of this scenario and tier is left "
            "(in a set of up to 108 sessions a match carries 2 at most)"
        ),
    ]


def test_a_large_set_names_no_bound_on_the_uses_of_a_match() -> None:
    filled = [*SLOTS * 36, SLOTS[0]]
    for wanted, bound in ((SMALL_SET, True), (SMALL_SET + 1, False)):
        (line,) = shortfall_lines(filled, filled, [], wanted)[1:2]
        assert ("a match carries 2 at most" in line) is bound


def test_a_set_that_is_whole_says_so_and_no_more() -> None:
    made = [attempt(slot, Stage.VERIFY, Ruling.ACCEPT) for slot in range(2)]
    assert shortfall_lines(SLOTS, SLOTS, made, wanted=2) == ["2 sessions asked for, 2 made"]


def test_more_sessions_than_a_set_has_slots_is_said() -> None:
    made = [attempt(slot, Stage.VERIFY, Ruling.ACCEPT) for slot in range(3)]
    assert shortfall_lines(SLOTS, SLOTS, made, wanted=9)[1] == "the set has no more than 3 slots"


def test_a_cell_that_no_rule_match_fits_is_named_in_a_set_of_any_size() -> None:
    layout = [slot.model_copy(update={"tier": tier}) for slot in SLOTS for tier in (1, 2, 3)]
    slots = [slot for slot in layout if slot.tier != 2]
    made = [attempt(slot, Stage.VERIFY, Ruling.ACCEPT) for slot in range(6)]
    words = "no rule match fits med_safety, tier 2: its share ({} slots) goes to the others, as far as they have slots"
    assert shortfall_lines(layout, slots, made[:4], wanted=4) == [
        "4 sessions asked for, 4 made",
        words.format("1 of 4"),
    ]
    assert shortfall_lines(layout, slots, made, wanted=9) == [
        "9 sessions asked for, 6 made",
        "the set has no more than 6 slots",
        words.format("3 of 9"),
    ]
    assert shortfall_lines(layout, slots, made[:1], wanted=1) == ["1 session asked for, 1 made"]
