"""Documents are listed, found by word, and read: whole, in parts, or by section."""

from collections.abc import Callable
from datetime import datetime

import pytest
from hospital import Hospital, at
from made_up_notes import report, summary

from tools.fhir.excerpts import CHARACTERS_A_TOKEN, PART_TOKENS, attached_text, parts, whole_words
from tools.fhir.tokens import estimate_tokens
from tools.fhir.toolset import ToolResult, Toolset

NOW = at(20)
EARLIER = datetime(2149, 3, 9)


@pytest.fixture(scope="module")
def tools(make_hospital: Callable[[], Hospital]) -> Toolset:
    hospital = make_hospital()
    hospital.add("hosp.admissions", {"hadm_id": 10, "admittime": datetime(2149, 3, 1), "dischtime": EARLIER})
    hospital.discharge_summary(EARLIER, summary("NKDA"), hadm_id=10)
    hospital.discharge_summary(at(10), summary())
    hospital.film(at(2, 6), at(2, 9), report(), "CHEST (PORTABLE AP)")
    return hospital.toolset(NOW)


def search(tools: Toolset, **arguments: object) -> ToolResult:
    result = tools.call("DocumentReference.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return result


def refused(tools: Toolset, **arguments: object) -> tuple[str, str]:
    result = tools.call("DocumentReference.search", {"subject_id": 1, **arguments})
    assert not result.ok
    return result.resource["issue"][0]["code"], result.text


def test_several_documents_are_listed_with_their_sections(tools: Toolset) -> None:
    result = search(tools)
    assert [ref.split("/")[1][:9] for ref in result.refs] == ["note-1-DS", "note-1-RR", "note-1-DS"]
    notice, newest, film, _ = result.text.splitlines()[1:]
    assert "Read one by its _id" in notice
    assert newest.startswith(
        "- DocumentReference/note-1-DS-2 | 2150-01-10 00:00 | Discharge summary | final |"
    )
    assert "stored 2150-01-10 12:00 | Encounter/hosp-20" in newest
    assert "sections: Service, Allergies, Attending, Chief Complaint" in newest
    assert "Radiology report | CHEST (PORTABLE AP) | final" in film
    assert "retired baker" not in result.text.lower()


def test_a_document_found_alone_is_shown_whole(tools: Toolset) -> None:
    result = search(tools, type_code="radiology")
    assert result.text.split("<<<\n")[1].removesuffix("\n>>>") == report().strip()
    assert "Read one by its _id" not in result.text
    by_id = search(tools, _id="note-1-DS-1")
    assert by_id.refs == ("DocumentReference/note-1-DS-1",)
    assert "NKDA" in by_id.text
    assert search(tools, _id="DocumentReference/note-1-DS-1").refs == by_id.refs
    assert search(tools, _count=1, page=3).refs == by_id.refs


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("Discharge Medications", "1. Furosemide 40 mg PO DAILY\n2. Allopurinol 100 mg PO DAILY"),
        ("discharge medications:", "1. Furosemide 40 mg PO DAILY\n2. Allopurinol 100 mg PO DAILY"),
        ("出院带药", "1. Furosemide 40 mg PO DAILY\n2. Allopurinol 100 mg PO DAILY"),
        ("service", "MEDICINE"),
        ("Transitional Issues", "[ ] Check potassium within a week\n[ ] Weigh every morning"),
    ],
)
def test_a_section_is_shown_by_name(tools: Toolset, asked: str, text: str) -> None:
    shown = search(tools, _id="note-1-DS-2", section=asked).text
    assert shown.split("<<<\n")[1].removesuffix("\n>>>") == text


def test_a_section_ends_at_the_next_heading_and_keeps_what_divides_it(tools: Toolset) -> None:
    course = search(tools, _id="note-1-DS-2", section="Brief Hospital Course").text
    for inside in ("ACUTE ISSUES:", "CHRONIC ISSUES:", "TRANSITIONAL ISSUES:", "Weigh every morning"):
        assert inside in course
    assert "Medications on Admission" not in course
    findings = search(tools, type_code="radiology", section="findings").text
    assert "CHEST: The heart is large." in findings
    assert "no pneumonia" not in findings


def test_a_section_of_several_documents_is_shown_of_each(tools: Toolset) -> None:
    shown = search(tools, section="Allergies").text
    assert "Allergies, 4 characters, whole:\n<<<\nNKDA\n>>>" in shown
    assert "Penicillins / shellfish derived" in shown
    assert "no section 'Allergies' in this text of" in shown


def test_what_cannot_be_shown_is_said(tools: Toolset) -> None:
    code, text = refused(tools, section="Weather")
    assert code == "code-invalid"
    assert "Brief Hospital Course" in text
    assert refused(tools, section="Impression", type_code="discharge-summary")[0] == "code-invalid"
    assert refused(tools, part=2)[1].endswith("Name one by its _id")
    assert "the last part is 1" in refused(tools, part=2, _id="note-1-DS-2")[1]
    assert refused(tools, _id="note-1-DS-9")[0] == "not-found"
    assert refused(tools, _id="Encounter/hosp-20")[0] == "not-found"


@pytest.mark.parametrize(
    ("keyword", "found"),
    [
        ("baker", 3),
        ("BAKER", 3),
        ("retired   baker", 3),
        ("bake", 0),
        ("gout", 2),
        ("air.", 2),
        ("pneumonia", 1),
        ("40 mg", 2),
        ("0 mg", 0),
        ("[ ]", 2),
        ("___", 3),
        (".*", 0),
    ],
)
def test_a_keyword_is_a_whole_word(tools: Toolset, keyword: str, found: int) -> None:
    assert search(tools, keyword=keyword).resource["total"] == found


def test_the_places_of_a_keyword_are_quoted(tools: Toolset) -> None:
    shown = search(tools, keyword="allopurinol").text
    assert "'allopurinol' in 3 places: " in shown
    assert "# Gout: allopurinol went on." in shown


def test_documents_narrow_by_type_date_and_admission(tools: Toolset) -> None:
    assert search(tools, type_code="discharge-summary").resource["total"] == 2
    assert search(tools, hadm_id=10).refs == ("DocumentReference/note-1-DS-1",)
    assert search(tools, date_from="2150-01-10").refs == ("DocumentReference/note-1-DS-2",)
    oldest_first = search(tools, _sort="date").refs
    assert oldest_first == search(tools).refs[::-1]


def test_without_notes_nothing_is_claimed(hospital: Hospital) -> None:
    code, text = refused(hospital.toolset(NOW))
    assert code == "not-supported"
    assert "note.discharge and note.radiology were not loaded" in text
    hospital.add("note.radiology")
    assert "Warning (incomplete): note.discharge was not loaded" in search(hospital.toolset(NOW)).text


LONG = "".join(f"Line {n} of a very long course, with a 5 mg dose.\n" for n in range(4_500))
HOSTILE = {
    "huge": "Brief Hospital Course:\n" + LONG,
    "one word": "x" * 200_000,
    "only headings": "Allergies:\n" * 20_000,
    "no headings": "she came. she went. " * 30,
    "not ASCII": "Brief Hospital Course:\n患者好转。Crème brûlée, 38 °C — naïve 😷\n" * 400,
    "masks": "___\n" * 5_000 + "Discharge Medications:\n___",
    "spaces": " \n" * 100_000 + "end",
    "only spaces": "start" + " " * 100_000 + "end",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_parts_hold_every_character_of_any_text_once(hospital: Hospital, kind: str) -> None:
    text = HOSTILE[kind]
    hospital.discharge_summary(at(10), text)
    tools = hospital.toolset(NOW)
    whole, part, more = "", 1, True
    while more:
        result = search(tools, part=part)
        attached = result.resource["entry"][0]["resource"]["content"][0]["attachment"]
        shown = attached_text(attached) or ""
        assert estimate_tokens(shown) <= PART_TOKENS
        assert len(shown) <= PART_TOKENS * CHARACTERS_A_TOKEN
        whole, part = whole + shown, part + 1
        more = f"call again with part={part}" in result.text
    assert whole == text
    assert part - 1 == len(parts(text))


def test_a_long_section_is_read_in_parts(hospital: Hospital) -> None:
    hospital.discharge_summary(at(10), HOSTILE["huge"])
    hospital.discharge_summary(at(9), HOSTILE["huge"])
    tools = hospital.toolset(NOW)
    first = search(tools, _id="note-1-DS-1", section="Brief Hospital Course")
    last = search(tools, _id="note-1-DS-1", section="Brief Hospital Course", part=len(parts(LONG.strip())))
    assert "Line 0 of" in first.text
    assert "call again with part=2" in first.text
    assert "Line 4499 of" in last.text
    assert "call again" not in last.text.split("<<<")[0].split("showing")[1]
    both = search(tools, section="Brief Hospital Course").text
    assert both.count("for the rest, ask for this _id") == 2
    assert len(both) < 6_000


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("HIT", "a white coat", False),
        ("hit", "HIT was excluded", True),
        ("胸痛", "患者胸痛三天", True),
        ("CT", "头颅CT检查", True),
        ("café", "the cafés", False),
        ("q.d", "taken q.d.", True),
    ],
)
def test_words_are_whole_in_any_script(phrase: str, text: str, found: bool) -> None:
    assert (whole_words(phrase).search(text) is not None) is found
