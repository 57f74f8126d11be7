"""What the reading of advice is made of: points, records, headings, segments, doses, and how firm an act is."""

import pytest

from state.gold import Decision
from tools.grading.advice import Advice, Force, read
from tools.grading.advice_words import Act
from tools.grading.asides import Kind
from tools.grading.doses import compared_doses
from tools.grading.drug_mentions import About, Drugs, Sense
from tools.grading.segments import Turn, segments
from tools.grading.text import points, said, without_records
from tools.vocabulary import Vocabulary


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.fixture(scope="module")
def spironolactone(vocabulary: Vocabulary) -> Drugs:
    return Drugs.of(("spironolactone", "Aldactone", "螺内酯"), vocabulary)


def only(drugs: Drugs, answer: str, *earlier: str) -> Advice:
    (found,) = read(said(answer, "What now?"), drugs, replacing=False, earlier=earlier).advice
    return found


def test_a_dash_between_words_ends_a_point_and_one_between_numbers_does_not() -> None:
    assert [one.text.strip() for one in points("Not safe - hold it")] == ["Not safe;", "hold it"]
    assert len(points("Potassium 3.3 - 5.1 is normal")) == 1
    assert len(points("a potassium-sparing drug")) == 1


def test_record_lines_are_dropped_wherever_on_a_line_they_begin() -> None:
    pasted = "I see MedicationRequest/rx-1 , Spironolactone , status stopped\nHold it."
    assert without_records(pasted) == "I see \nHold it."
    assert without_records("Potassium 6.4 mEq/L , high") == "Potassium 6.4 mEq/L , high"


def test_a_heading_is_read_with_the_names_under_it(spironolactone: Drugs) -> None:
    answer = "Stop:\n- lisinopril\n- spironolactone\nContinue:\n- furosemide\n- metoprolol"
    found = read(said(answer, "What now?"), spironolactone, replacing=False).advice
    assert [(one.decision, one.about) for one in found] == [
        (Decision.HOLD, About.TARGET),
        (Decision.CONTINUE, About.OTHER),
    ]


def test_a_sentence_turns_to_its_reason_and_to_what_ends_its_advice() -> None:
    text = "hold it until K < 5, because K is high, and recheck"
    turns = [(one.turn, text[one.start : one.end].strip()) for one in segments(text)]
    assert (Turn.UNTIL, "K < 5") in turns
    assert (Turn.REASON, "K is high") in turns
    assert (Turn.NEXT, "recheck") in turns


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("500 mg BID instead of 1000 mg BID", Act.REDUCE),
        ("from 3 mg to 2 mg", Act.REDUCE),
        ("25 mg should become 12.5 mg", Act.REDUCE),
        ("from 1 g to 500 mg", Act.REDUCE),
        ("from 500 mg to 1000 mg", Act.INCREASE),
        ("4 mg rather than 2 mg", Act.INCREASE),
        ("from 5 mg to 5 mg", None),
        ("500 mg daily instead of 1000 mg BID", Act.REDUCE),
        ("1500 mg BID to be reduced to 750 mg QID", None),
        ("900 mg TID -> 1200 mg daily", Act.REDUCE),
        ("from 3 mg BID to 3 mg q12h", None),
        ("500 mg every other day instead of 1000 mg BID", None),
        ("potassium from 5.2 mEq/L to 6.4 mEq/L", None),
        ("5 mg instead of 5 mL", None),
    ],
)
def test_doses_are_compared_on_one_schedule_or_by_the_day(
    text: str, act: Act | None, vocabulary: Vocabulary
) -> None:
    assert [one.act for one in compared_doses(text, vocabulary)] == ([] if act is None else [act])


@pytest.mark.parametrize(
    ("answer", "force"),
    [
        ("Hold spironolactone.", Force.FIRM),
        ("Hold spironolactone until K is below 5.", Force.FIRM),
        ("Hold spironolactone until noon.", Force.UNSURE),
        ("Hold spironolactone in high regard.", Force.UNSURE),
        ("Hold spironolactone tomorrow.", Force.UNSURE),
        ("Hold spironolactone unless K falls.", Force.UNSURE),
        ("Not recommended: hold spironolactone.", Force.UNSURE),
        ("Guidelines recommend to hold spironolactone.", Force.UNSURE),
        ("Hold spironolactone or lisinopril.", Force.OPEN),
        ("Consider holding spironolactone.", Force.DOUBTED),
        ("Do not stop spironolactone.", Force.IMPLIED),
    ],
)
def test_how_firm_an_act_is(answer: str, force: Force, spironolactone: Drugs) -> None:
    assert only(spironolactone, answer).force is force


def test_it_is_the_drug_named_last_before_or_the_only_one_named_after(spironolactone: Drugs) -> None:
    assert only(spironolactone, "Hold it.", "Spironolactone 25 mg.").about is About.TARGET
    assert only(spironolactone, "Hold it.", "Spironolactone 25 mg.", "Lisinopril.").about is About.OTHER
    assert only(spironolactone, "Hold it. Spironolactone raises potassium.").about is About.TARGET
    assert only(spironolactone, "Hold it.").about is About.UNNAMED


def test_a_class_means_its_drug_unless_another_of_the_class_is_named(spironolactone: Drugs) -> None:
    assert [m.drug for m in spironolactone.meant_in("Stop the MRA.", {""})] == [""]
    assert [m.drug for m in spironolactone.meant_in("Stop the MRA.", {"", "eplerenone"})] != [""]
    assert [m.drug for m in spironolactone.meant_in("Stop the statin.", {""})] != [""]


def test_a_level_and_an_antidote_are_not_the_drug(vocabulary: Vocabulary) -> None:
    digoxin = Drugs.of(("digoxin",), vocabulary)
    assert [m.sense for m in digoxin.meant_in("The digoxin level is 2.6.", ())] == [Sense.LEVEL]
    assert [m.drug for m in digoxin.meant_in("Give digoxin immune fab.", ())] != [""]


@pytest.mark.parametrize(
    ("answer", "kinds"),
    [
        ("Spironolactone raises potassium.", []),
        ("Spironolactone 25 mg PO daily.", []),
        ("The potassium is 6.4 mEq/L.", []),
        ("Recheck potassium in 4 hours and get an ECG.", []),
        ("Please let me know if you need more.", []),
        ("Spironolactone is safe.", [Kind.APPROVES]),
        ("Spironolactone gets my blessing.", [Kind.UNREAD]),
        ("Never mind.", [Kind.TAKES_BACK]),
        ("As you prefer.", [Kind.LEAVES_OPEN]),
        ("I was wrong.", [Kind.DOUBTS]),
        ("Why stop it?", [Kind.DOUBTS]),
        ("Shall I place the order?", []),
    ],
)
def test_what_a_remark_does(answer: str, kinds: list[Kind], spironolactone: Drugs) -> None:
    found = read(answer, spironolactone, replacing=False, earlier=("Spironolactone 25 mg.",))
    heard = {one.kind for one in found.remarks}
    assert heard >= set(kinds)
    assert bool(heard) is bool(kinds)
