"""What was given and what was not is never confused."""

from pathlib import Path

import duckdb
import pytest
from hospital import Hospital, at

from tools.fhir.emar_events import AdministrationStatus, status_of

NOW = at(5, 12)


def event(
    hospital: Hospital, number: int, said: str | None, *details: dict[str, object], **more: object
) -> None:
    row = {
        "emar_id": f"1-{number}",
        "emar_seq": number,
        "charttime": at(4, number),
        "storetime": at(4, number, 5),
    }
    hospital.add("hosp.emar", row | {"medication": "Furosemide", "event_txt": said} | more)
    hospital.add(
        "hosp.emar_detail", *({"emar_id": f"1-{number}", "emar_seq": number} | detail for detail in details)
    )


def lines(hospital: Hospital, **arguments: object) -> list[str]:
    result = hospital.toolset(NOW).call("MedicationAdministration.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return result.text.splitlines()[1:]


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("Administered", "completed"),
        ("Not Given", "not-done"),
        ("Hold Dose", "on-hold"),
        ("Delayed ", "on-hold"),
        ("Delayed Administered", "completed"),
        ("Started", "in-progress"),
        ("Stopped - Unscheduled", "stopped"),
        ("Not Stopped", "in-progress"),
        (" in Other Location", "unknown"),
        ("Something new", "unknown"),
        (None, "unknown"),
    ],
)
def test_each_event_has_its_status_and_keeps_its_words(
    hospital: Hospital, said: str | None, status: str
) -> None:
    event(hospital, 1, said)
    (line,) = lines(hospital)
    assert f"| {status} ({(said or 'no event text').strip()}) |" in line


def test_every_event_text_of_real_records_is_mapped_but_those_that_say_nothing(demo_warehouse: Path) -> None:
    with duckdb.connect(str(demo_warehouse), read_only=True) as connection:
        texts = {
            text for (text,) in connection.execute("SELECT DISTINCT event_txt FROM hosp.emar").fetchall()
        }
    unknown = {text for text in texts if status_of(text) is AdministrationStatus.UNKNOWN}
    assert len(texts) == 44
    assert unknown <= {None, " in Other Location", "in Other Location"}


def test_products_scanned_for_one_event_add_up(hospital: Hospital) -> None:
    products = [
        {"parent_field_ordinal": f"1.{n}", "dose_given": "10", "dose_given_unit": "mEq"} for n in range(1, 9)
    ]
    event(hospital, 1, "Administered", {"dose_due": "80", "dose_due_unit": "mEq", "route": "PO"}, *products)
    (line,) = lines(hospital)
    assert "completed (Administered) | dose 80 mEq | route PO | note: due 80 mEq" in line


def test_what_was_not_given_has_no_dose(hospital: Hospital) -> None:
    due = {"dose_due": "40", "dose_due_unit": "mg", "route": "IV"}
    scanned = {"parent_field_ordinal": "1.1", "dose_given": "40", "dose_given_unit": "mg"}
    event(hospital, 1, "Not Given", due, scanned)
    (line,) = lines(hospital)
    assert "not-done (Not Given) | note: due 40 mg | note: product scanned: 40 mg | note: route IV" in line
    assert "dose 40" not in line


def test_a_redacted_or_mixed_dose_is_not_made_up(hospital: Hospital) -> None:
    redacted = {"parent_field_ordinal": "1.1", "dose_given": "___", "dose_given_unit": "mg"}
    mixed = [
        {"parent_field_ordinal": "1.1", "dose_given": "1", "dose_given_unit": "TAB"},
        {"parent_field_ordinal": "1.2", "dose_given": "5", "dose_given_unit": "mg"},
    ]
    event(hospital, 1, "Administered", redacted)
    event(hospital, 2, "Administered", *mixed)
    assert all("dose" not in line for line in lines(hospital))


def test_an_event_names_its_drug_and_its_order(hospital: Hospital) -> None:
    hospital.order(7, "Heparin", at(2), route="IV DRIP")
    rate = {"infusion_rate": "900", "infusion_rate_unit": "units/hr"}
    event(hospital, 1, "Confirmed", rate, medication=None, pharmacy_id=7)
    result = hospital.toolset(NOW).call(
        "MedicationAdministration.search", {"subject_id": 1, "medication": "heparin"}
    )
    order = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1}).refs[0]
    assert (
        f"Heparin | in-progress (Confirmed) | rate 900 units/hr | route IV DRIP | order {order}"
        in result.text
    )


def test_an_event_counts_from_its_storage_and_hides_a_later_schedule(hospital: Hospital) -> None:
    event(hospital, 1, "Administered", storetime=at(5, 12, 1))
    event(hospital, 2, "Administered", scheduletime=at(5, 14))
    result = hospital.toolset(NOW).call("MedicationAdministration.search", {"subject_id": 1})
    assert result.refs == ("MedicationAdministration/emar-1-2",)
    (row,) = hospital.toolset(NOW).chart.rows("hosp.emar")
    assert row["scheduletime"] is None


def test_a_warehouse_without_emar_says_so(hospital: Hospital) -> None:
    result = hospital.toolset(NOW).call("MedicationAdministration.search", {"subject_id": 1})
    assert not result.ok
    assert result.text.startswith("Error (not-supported): hosp.emar was not loaded into this warehouse")
