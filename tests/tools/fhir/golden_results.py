"""What ``test_fhir_golden.py`` compares: calls on a made-up hospital that show every resource type in its shapes.

Run as a program, it writes the golden files anew; read the difference before committing it:

    PYTHONPATH=.:tests/tools python tests/tools/fhir/golden_results.py
"""

import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from hospital import Hospital, at
from made_up_notes import report, summary

from state.base import Cohort, Language
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

GOLDEN = Path(__file__).parent / "golden"
NOW = at(5, 12)
EARLIER = {"hadm_id": 10}
CALLS: dict[str, tuple[dict[str, Any], ...]] = {
    "Patient.read": ({},),
    "Encounter.search": ({},),
    "Condition.search": ({}, {"clinical_status": "active"}),
    "Observation.search": (
        {"category": "laboratory"},
        {"category": "vital-signs", "_sort": "date"},
        {"category": "microbiology"},
        {"code": "K", "_count": 1},
        {"code": "K", "_count": 1, "page": 2},
        {"code": "Digoxin", "category": "laboratory"},
    ),
    "MedicationRequest.search": (
        {},
        {"status": "active"},
        {"medication": "warfarin", "status": "stopped"},
        {"category": "community"},
    ),
    "MedicationAdministration.search": ({}, {"medication": "heparin"}),
    "DiagnosticReport.search": ({}, {"report_type": "radiology", "_sort": "date", "_count": 1}),
    "DocumentReference.search": (
        {},
        {"type_code": "discharge-summary"},
        {"section": "Allergies"},
        {"keyword": "heart"},
    ),
    "CarePlan.search": ({}, {"category": "followup"}),
    "patient.get_medication_adherence": ({"drug": "water pill"},),
    "AllergyIntolerance.search": ({},),
    "Procedure.search": ({}, {"code": "39.61"}),
    "MedicationRequest.create": (
        {
            "medication": "furosemide",
            "dose": "40 mg",
            "route": "IV",
            "frequency": "BID",
            "indication": "edema",
        },
    ),
    "ServiceRequest.create": (
        {
            "service_type": "chest x-ray",
            "priority": "urgent",
            "note": "new cough",
            "target_date": "2150-01-06",
        },
    ),
    "Flag.create": ({"category": "safety", "code": "High potassium", "detail": "6.1 mEq/L on lisinopril"},),
    "Patient.everything": ({"_count": 1},),
}


def filled(hospital: Hospital) -> Hospital:
    """Add rows that show statuses, ranges, flags, units and times in all their shapes."""
    stay = {"admittime": datetime(2149, 3, 1, 9), "dischtime": datetime(2149, 3, 9, 15, 30)}
    places = {"admission_location": "EMERGENCY ROOM", "discharge_location": "HOME", "race": "WHITE"}
    hospital.add("hosp.admissions", EARLIER | stay | places | {"admission_type": "URGENT"})
    hospital.tables["hosp.admissions"][0] |= {
        "marital_status": "MARRIED",
        "language": "ENGLISH",
        "race": "WHITE",
    }
    ward = {"transfer_id": 1, "eventtype": "admit", "careunit": "Medicine", "intime": at(1, 8)}
    hospital.add("hosp.transfers", ward)
    emergency = {"stay_id": 30, "intime": at(1, 5), "outtime": at(1, 8), "arrival_transport": "AMBULANCE"}
    hospital.add("ed.edstays", emergency | {"disposition": "ADMITTED"})
    home = {"stay_id": 30, "charttime": at(1, 6), "name": "lisinopril", "gsn": "000391", "ndc": "58517031030"}
    hospital.add("ed.medrecon", home | {"etc_rn": 1, "etcdescription": "ACE Inhibitors"})
    _diagnoses(hospital)
    _observations(hospital)
    _medications(hospital)
    hospital.add(
        "hosp.procedures_icd",
        EARLIER
        | {"seq_num": 1, "chartdate": datetime(2149, 3, 2).date(), "icd_code": "3961", "icd_version": 9},
    )
    title = {"icd_code": "3961", "icd_version": 9, "long_title": "Extracorporeal circulation"}
    hospital.add("hosp.d_icd_procedures", title)
    hospital.add("icu.d_items", {"itemid": 225792, "label": "Ventilation", "linksto": "procedureevents"})
    line = {
        "stay_id": 30,
        "itemid": 225792,
        "orderid": 1,
        "starttime": at(2),
        "endtime": at(3),
        "storetime": at(3),
    }
    place = {"statusdescription": "Stopped", "ordercategoryname": "Breathing", "location": "Left Arm"}
    hospital.add("icu.procedureevents", line | place)
    _notes(hospital)
    return hospital


def _diagnoses(hospital: Hospital) -> None:
    coded = {"seq_num": 1, "icd_code": "I5023", "icd_version": 10}
    hospital.add("hosp.diagnoses_icd", EARLIER | coded)
    title = {"icd_code": "I5023", "icd_version": 10, "long_title": "Acute on chronic systolic heart failure"}
    hospital.add("hosp.d_icd_diagnoses", title)
    hospital.add(
        "ed.diagnosis",
        {
            "stay_id": 30,
            "seq_num": 1,
            "icd_code": "78605",
            "icd_version": 9,
            "icd_title": "SHORTNESS OF BREATH",
        },
    )


def _observations(hospital: Hospital) -> None:
    limits = {"valueuom": "mEq/L", "ref_range_lower": 3.3, "ref_range_upper": 5.1}
    hospital.lab(50971, at(2, 6), "4.1", **limits)
    hospital.lab(50971, at(4, 6, 30), "6.1", **limits, flag="abnormal", comments="NOT HEMOLYZED")
    hospital.lab(50912, at(4, 6), "0.4", valueuom="mg/dL", ref_range_lower=0.5, flag="abnormal")
    hospital.lab(50822, at(4, 7), ">10", valueuom="mEq/L", ref_range_upper=5.1)
    hospital.lab(52033, at(4, 7), "ART.", flag="delta")
    hospital.lab(59001, at(4, 8), "___")
    hospital.lab(59002, at(4, 9), None, hadm_id=None, storetime=None)
    signs = {"temperature": 98.6, "heartrate": 88, "resprate": 18, "o2sat": 97, "sbp": 140, "dbp": 85}
    hospital.add("ed.triage", {"stay_id": 30, "pain": "5"} | signs)
    hospital.add(
        "ed.vitalsign", {"stay_id": 30, "charttime": at(1, 6), "temperature": 36.8, "rhythm": "Sinus"}
    )
    hospital.add("icu.chartevents")
    measured = {"seq_num": 1, "result_name": "Weight (Lbs)", "result_value": "150"}
    hospital.add("hosp.omr", {"chartdate": at(1).date()} | measured)
    culture = {
        "micro_specimen_id": 7,
        "test_itemid": 90,
        "test_name": "BLOOD CULTURE",
        "spec_type_desc": "BLOOD",
    }
    culture |= {"chartdate": at(2), "charttime": at(2, 6), "storetime": at(4, 6)}
    organism = {"org_itemid": 80, "org_name": "ESCHERICHIA COLI", "isolate_num": 1}
    for number, (drug, letter) in enumerate((("CEFTRIAXONE", "S"), ("AMPICILLIN", "R"), ("CEFAZOLIN", "I"))):
        row = {"microevent_id": number, "ab_itemid": number + 1, "ab_name": drug, "interpretation": letter}
        hospital.add("hosp.microbiologyevents", culture | organism | row | {"dilution_text": "<=4"})
    urine = culture | {"micro_specimen_id": 8, "test_name": "URINE CULTURE", "spec_type_desc": "URINE"}
    hospital.add("hosp.microbiologyevents", urine | {"microevent_id": 8, "comments": "NO GROWTH."})
    cancelled = {"microevent_id": 9, "test_itemid": 91, "org_itemid": 1, "org_name": "CANCELLED"}
    hospital.add("hosp.microbiologyevents", urine | cancelled | {"charttime": None})


def _medications(hospital: Hospital) -> None:
    hospital.order(1, "Lisinopril", at(2, 9), prod_strength="5 mg Tablet", ndc="00000123456")
    hospital.order(2, "Warfarin", at(2), at(3), dose_val_rx="2.5-5")
    hospital.order(3, "Heparin", at(4), at(3, 18), dose_val_rx="5000", dose_unit_rx="UNIT", route="SC")
    hospital.order(4, "Furosemide", datetime(2149, 3, 2), hadm_id=10)
    hospital.order(5, "Potassium Chloride", at(3, 8), dose_val_rx="20", dose_unit_rx="mEq", route="IV")
    hospital.order(5, "NS", at(3, 8), drug_type="BASE", dose_val_rx="1000", dose_unit_rx="mL")
    schedules = {1: "DAILY", 2: "DAILY", 3: "Q8H PRN", 4: "BID", 5: "ONCE"}
    for pharmacy_id, frequency in schedules.items():
        ended = {"status": "Discontinued", "stoptime": at(3)} if pharmacy_id == 2 else {}
        start = hospital.tables["hosp.prescriptions"][pharmacy_id - 1]["starttime"]
        hospital.add(
            "hosp.pharmacy", {"pharmacy_id": pharmacy_id, "frequency": frequency, "starttime": start} | ended
        )
    events = (
        ("Administered", "Lisinopril", {"dose_due": "5", "dose_given": "5"}),
        ("Not Given", "Lisinopril", {"dose_due": "5"}),
        ("Hold Dose", "Lisinopril", {}),
        ("Started", "Heparin", {"infusion_rate": "900", "infusion_rate_unit": "units/hr"}),
        ("Stopped", "Heparin", {}),
        (None, None, {}),
    )
    for number, (event, drug, detail) in enumerate(events, 1):
        row = {"emar_id": f"1-{number}", "emar_seq": number, "charttime": at(3, number), "event_txt": event}
        hospital.add(
            "hosp.emar", row | {"medication": drug, "pharmacy_id": 1 if drug == "Lisinopril" else None}
        )
        units = (
            {"dose_due_unit": "mg", "dose_given_unit": "mg", "route": "PO"} if "dose_due" in detail else {}
        )
        hospital.add("hosp.emar_detail", {"emar_id": f"1-{number}"} | units | detail)


def _notes(hospital: Hospital) -> None:
    charted = datetime(2149, 3, 9)
    hospital.discharge_summary(
        charted, summary(allergies="Penicillins / NKDA", followup="Clinic"), hadm_id=10
    )
    film = hospital.film(at(2, 6), at(2, 9), report(), "CHEST (PORTABLE AP)")
    addendum = hospital.film(at(2, 6), at(3, 9), "Added: no fracture.", "CHEST", note_type="AR")
    hospital.detail(addendum, "parent_note_id", film)


def results(hospital: Hospital) -> Iterator[tuple[str, str]]:
    """Give the name of each golden file with what should be in it, language by language."""
    for language in Language:
        tools = hospital.toolset(NOW, hadm_id=20, language=language)
        for name, asked in CALLS.items():
            texts = []
            for arguments in asked:
                called = ", ".join(f"{key}={value}" for key, value in arguments.items())
                result = tools.call(name, {"subject_id": 1} | arguments)
                assert result.ok, result.text
                texts.append(f"# {name}({called})\n{result.text}\n")
            yield f"{name}.{language}.txt", "\n".join(texts)


def main() -> None:
    """Write every golden file, and remove those that nothing gives any more."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty.duckdb"
        with WarehouseWriter(empty, Cohort.SYNTHETIC) as writer:
            writer.commit()
        hospital = filled(Hospital(Path(folder), empty, Vocabulary.load()))
        written = dict(results(hospital))
        hospital.close()
    GOLDEN.mkdir(exist_ok=True)
    for stale in set(GOLDEN.glob("*.txt")) - {GOLDEN / name for name in written}:
        stale.unlink()
    for name, text in written.items():
        (GOLDEN / name).write_text(text, "utf-8")
    print(f"{len(written)} files in {GOLDEN}")


if __name__ == "__main__":
    main()
