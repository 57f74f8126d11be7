"""What earlier discharge summaries say of plans and allergies, and what they leave unsaid."""

from datetime import datetime

import pytest
from hospital import Hospital, at
from made_up_notes import summary

from tools.fhir.toolset import ToolResult

NOW = at(5, 12)
EARLIER = datetime(2149, 3, 9)


@pytest.fixture
def known(hospital: Hospital) -> Hospital:
    """Give a hospital with a finished admission 10 before the one under way."""
    for hadm_id, day in ((9, datetime(2148, 3, 9)), (10, EARLIER)):
        row = {"hadm_id": hadm_id, "admittime": day.replace(day=1), "dischtime": day}
        hospital.add("hosp.admissions", row)
    return hospital


def call(hospital: Hospital, tool: str, as_of: datetime = NOW, **arguments: object) -> ToolResult:
    result = hospital.toolset(as_of).call(tool, {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return result


def substances(hospital: Hospital) -> list[str]:
    entries = call(hospital, "AllergyIntolerance.search").resource["entry"]
    return [e["resource"]["code"]["text"] for e in entries if e["search"]["mode"] == "match"]


def test_plans_come_by_category(known: Hospital) -> None:
    known.discharge_summary(EARLIER, summary(followup="Clinic in two weeks"), hadm_id=10)
    everything = call(known, "CarePlan.search")
    assert [ref.partition("1-DS-1-")[2] for ref in everything.refs] == [
        "discharge-instructions",
        "followup-instructions",
        "transitional-issues",
        "discharge-medications",
    ]
    for category, words in (
        ("discharge-planning", "one water tablet"),
        ("followup", "Clinic in two weeks"),
        ("treatment", "Furosemide 40 mg PO DAILY"),
    ):
        shown = call(known, "CarePlan.search", category=category).text
        assert words in shown
        assert "from DocumentReference/note-1-DS-1" in shown
        assert "whether still followed is not recorded" in shown


def test_a_plan_that_was_removed_is_told_and_not_shown(known: Hospital) -> None:
    known.discharge_summary(EARLIER, summary(followup="___ \n___"), hadm_id=10)
    shown = call(known, "CarePlan.search", category="followup")
    assert shown.refs == ("CarePlan/plan-1-DS-1-transitional-issues",)
    assert "1 further sections hold nothing but the mark of de-identification" in shown.text


def test_the_plan_of_the_admission_under_way_is_not_made_yet(known: Hospital) -> None:
    known.discharge_summary(at(10), summary(followup="Clinic in two weeks"))
    empty = call(known, "CarePlan.search")
    assert empty.refs == ()
    assert "discharge summaries of finished admissions: 0 searched" in empty.text
    assert call(known, "CarePlan.search", at(11)).refs


def test_a_long_plan_says_where_the_rest_is(known: Hospital) -> None:
    known.discharge_summary(EARLIER, summary(followup="Come back. " * 2_000), hadm_id=10)
    listed = call(known, "CarePlan.search")
    where = "whole by DocumentReference_search _id=note-1-DS-1, section=Followup Instructions"
    assert where in listed.text
    alone = call(known, "CarePlan.search", _id="plan-1-DS-1-followup-instructions")
    assert len(alone.text) > len(listed.text)
    assert where in alone.text


@pytest.mark.parametrize(
    ("section", "found"),
    [
        ("Penicillins / shellfish derived", ["Penicillins", "shellfish derived"]),
        (
            "Sulfa (Sulfonamide\nAntibiotics) / amoxicillin-clavulanate",
            ["Sulfa (Sulfonamide Antibiotics)", "amoxicillin-clavulanate"],
        ),
        ("Penicillin (rash, hives), codeine; latex", ["Penicillin (rash, hives)", "codeine", "latex"]),
        ("aspirin\nlatex", ["aspirin", "latex"]),
        (
            "No Known Allergies / Adverse Drug Reactions",
            ["No Known Allergies / Adverse Drug Reactions"],
        ),
        ("Patient recorded as having No Known Allergies to Drugs", None),
        ("NKDA", ["NKDA"]),
        ("No Known Drug Allergies; latex", ["No Known Drug Allergies", "latex"]),
        ("青霉素 / crème solaire", ["青霉素", "crème solaire"]),
        ("___ / codeine", ["codeine"]),
    ],
)
def test_substances_are_told_apart(known: Hospital, section: str, found: list[str] | None) -> None:
    known.discharge_summary(EARLIER, summary(section), hadm_id=10)
    assert substances(known) == (found or [section])


def test_none_known_is_coded_as_such(known: Hospital) -> None:
    known.discharge_summary(EARLIER, summary("NKDA"), hadm_id=10)
    (entry, _) = call(known, "AllergyIntolerance.search").resource["entry"]
    assert entry["resource"]["code"]["coding"][0]["code"] == "409137002"


def test_an_allergy_is_told_once_with_every_note_that_says_it(known: Hospital) -> None:
    known.discharge_summary(datetime(2148, 3, 9), summary("PENICILLINS"), hadm_id=9)
    known.discharge_summary(EARLIER, summary("Penicillins"), hadm_id=10)
    result = call(known, "AllergyIntolerance.search")
    assert result.refs == ("AllergyIntolerance/allergy-1-DS-2-1",)
    assert 'note: "Penicillins" (Allergies, DocumentReference/note-1-DS-2)' in result.text
    assert "said by earlier notes too: DocumentReference/note-1-DS-1" in result.text


def test_notes_that_disagree_are_all_told(known: Hospital) -> None:
    known.discharge_summary(datetime(2148, 3, 9), summary("Penicillins"), hadm_id=9)
    known.discharge_summary(EARLIER, summary("NKDA"), hadm_id=10)
    assert substances(known) == ["NKDA", "Penicillins"]


@pytest.mark.parametrize("text", ["No headings.", summary("___"), "Allergies:"])
def test_notes_that_say_nothing_are_not_taken_for_no_allergy(known: Hospital, text: str) -> None:
    known.discharge_summary(EARLIER, text, hadm_id=10)
    result = call(known, "AllergyIntolerance.search")
    assert result.refs == ()
    assert "0 of 1 known summaries have one" in result.text


def test_a_section_without_end_is_cut(known: Hospital) -> None:
    known.discharge_summary(EARLIER, "Allergies: latex\n\n" + "He said, and then; " * 20_000, hadm_id=10)
    assert substances(known) == ["latex"]


@pytest.mark.parametrize("tool", ["CarePlan.search", "AllergyIntolerance.search"])
def test_without_notes_both_are_refused(hospital: Hospital, tool: str) -> None:
    result = hospital.toolset(NOW).call(tool, {"subject_id": 1})
    assert result.resource["issue"][0]["code"] == "not-supported"
