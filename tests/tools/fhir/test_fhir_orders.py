"""Medication orders: their state at as_of, their parts, their words."""

import pytest
from hospital import Hospital, at

NOW = at(5, 12)


def orders(hospital: Hospital, **arguments: object) -> dict[str, str]:
    result = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    found = [
        entry["resource"] for entry in result.resource.get("entry", []) if entry["search"]["mode"] == "match"
    ]
    return {resource["medicationCodeableConcept"]["text"]: resource["status"] for resource in found}


def pharmacy(hospital: Hospital, pharmacy_id: int, **more: object) -> None:
    hospital.add("hosp.pharmacy", {"pharmacy_id": pharmacy_id, "starttime": at(2), "entertime": at(2)} | more)


def test_status_is_the_orders_state_now(hospital: Hospital) -> None:
    hospital.order(1, "Metoprolol Tartrate", at(2), at(8))
    hospital.order(2, "Lisinopril", at(2), at(4))
    hospital.order(3, "Furosemide", at(2), at(4))
    hospital.order(4, "Warfarin", at(4), at(2))
    hospital.order(5, "Digoxin", at(6), at(8))
    hospital.order(6, "Aspirin", at(2))
    pharmacy(hospital, 1, stoptime=at(8), status="Discontinued")
    pharmacy(hospital, 2, stoptime=at(4), status="Discontinued via patient discharge")
    pharmacy(hospital, 3, stoptime=at(4), status="Expired")
    assert orders(hospital) == {
        "Metoprolol Tartrate": "active",
        "Lisinopril": "stopped",
        "Furosemide": "completed",
        "Warfarin": "cancelled",
        "Aspirin": "active",
    }
    for status in ("active", "stopped", "completed", "cancelled"):
        assert set(orders(hospital, status=status).values()) == {status}


def test_nothing_is_told_of_an_end_to_come(hospital: Hospital) -> None:
    hospital.order(1, "Metoprolol Tartrate", at(2), at(8))
    pharmacy(hospital, 1, stoptime=at(8), status="Discontinued")
    result = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1})
    assert "2150-01-08" not in str(result)
    assert "Discontinued" not in str(result)


def test_an_order_without_stop_does_not_outlast_its_admission(hospital: Hospital) -> None:
    hospital.add("hosp.admissions", {"hadm_id": 10, "admittime": at(1, 1), "dischtime": at(1, 6)})
    hospital.order(1, "Aspirin", at(1, 2), hadm_id=10)
    assert orders(hospital, status="active") == {}
    assert orders(hospital, status="completed") == {"Aspirin": "completed"}


def test_an_order_is_not_known_before_it_was_entered(hospital: Hospital) -> None:
    hospital.order(1, "Aspirin", at(5, 12))
    pharmacy(hospital, 1, starttime=at(5, 12), entertime=at(5, 12, 1))
    hospital.order(2, "Digoxin", at(5, 12))
    pharmacy(hospital, 2, starttime=at(5, 12), entertime=at(5, 12))
    assert orders(hospital) == {"Digoxin": "active"}


def test_bases_and_additives_belong_to_the_main_order(hospital: Hospital) -> None:
    hospital.order(1, "Vancomycin", at(2), dose_val_rx="1000", route="IV")
    hospital.order(1, "0.9% Sodium Chloride", at(2), drug_type="BASE", dose_val_rx="250", dose_unit_rx="mL")
    hospital.order(2, "Lactated Ringers", at(2), drug_type="BASE", dose_val_rx="1000", dose_unit_rx="mL")
    hospital.order(3, "5% Dextrose", at(2), dose_val_rx="1000", dose_unit_rx="mL")
    hospital.order(3, "Potassium Chloride", at(2), drug_type="ADDITIVE", dose_val_rx="20", dose_unit_rx="mEq")
    assert orders(hospital) == {"Vancomycin": "active", "Lactated Ringers": "active", "5% Dextrose": "active"}
    text = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1}).text
    assert "prepared with 0.9% Sodium Chloride 250 mL (base)" in text
    assert orders(hospital, medication="potassium chloride") == {"5% Dextrose": "active"}


def test_a_drug_is_found_by_any_of_its_names_and_by_no_likeness(hospital: Hospital) -> None:
    hospital.order(1, "HydrALAZINE", at(2))
    hospital.order(2, "HydrOXYzine", at(2))
    hospital.order(3, "Furosemide", at(2))
    assert orders(hospital, medication="Lasix") == {"Furosemide": "active"}
    assert orders(hospital, medication="hydralazine") == {"HydrALAZINE": "active"}
    assert orders(hospital, medication="warfarin") == {}
    refused = hospital.toolset(NOW).call(
        "MedicationRequest.search", {"subject_id": 1, "medication": "furosemid"}
    )
    assert refused.resource["issue"][0]["code"] == "code-invalid"
    assert "Furosemide" in refused.text


@pytest.mark.parametrize(
    ("columns", "dose"),
    [
        (
            {"dose_val_rx": "25,000", "dose_unit_rx": "UNIT"},
            {"doseQuantity": {"value": 25000, "unit": "UNIT"}},
        ),
        (
            {"dose_val_rx": "0.25-0.5", "dose_unit_rx": "TAB"},
            {"doseRange": {"low": {"value": 0.25, "unit": "TAB"}, "high": {"value": 0.5, "unit": "TAB"}}},
        ),
    ],
)
def test_doses_are_read_exactly(hospital: Hospital, columns: dict[str, str], dose: dict[str, object]) -> None:
    hospital.order(1, "Heparin", at(2), **columns)
    resource = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1}).resource
    (dosage,) = resource["entry"][0]["resource"]["dosageInstruction"]
    assert dosage["doseAndRate"] == [dose]


def test_an_order_is_written_with_all_it_says(hospital: Hospital) -> None:
    hospital.order(1, "Metoprolol Tartrate", at(2, 8), at(4), prod_strength="25mg Tablet", dose_val_rx="12.5")
    pharmacy(
        hospital,
        1,
        starttime=at(2, 8),
        entertime=at(2, 7),
        stoptime=at(4),
        status="Discontinued",
        frequency="BID:PRN",
    )
    result = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1})
    (ref,) = result.refs
    assert result.text.splitlines()[-1] == (
        f"- {ref} | Metoprolol Tartrate | 12.5 mg PO BID:PRN | from 2150-01-02 08:00 to 2150-01-04 00:00 | "
        "stopped (Discontinued) | ordered 2150-01-02 07:00 | note: product: 25mg Tablet | Encounter/hosp-20"
    )


def test_orders_without_pharmacy_say_what_is_missing(hospital: Hospital) -> None:
    hospital.order(1, "Aspirin", at(2), doses_per_24_hrs=1)
    text = hospital.toolset(NOW).call("MedicationRequest.search", {"subject_id": 1}).text
    assert "Warning (incomplete): hosp.pharmacy was not loaded" in text
    assert "5 mg PO 1 doses per 24 hours" in text
    assert "hosp.prescriptions was not loaded" not in text
