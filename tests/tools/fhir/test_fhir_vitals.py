"""Vital signs of the emergency department, the intensive care unit and the clinic."""

import csv
import gzip
from pathlib import Path

import pytest
from hospital import Hospital, at

from tools.fhir.systems import LOINC, UCUM, UCUM_OF_UNIT
from tools.fhir.vital_signs import COMPONENTS, ICU_ITEMS, ICU_PRESSURES, VITAL_SIGNS

NOW = at(8)


def lines(hospital: Hospital, **arguments: object) -> list[str]:
    result = hospital.toolset(NOW).call(
        "Observation.search", {"subject_id": 1, "category": "vital-signs", **arguments}
    )
    assert result.ok, result.text
    return [line for line in result.text.splitlines()[1:] if line.startswith("- ")]


def charted(hospital: Hospital, itemid: int, value: float | None, /, **more: object) -> None:
    row = {"stay_id": 30, "charttime": at(3, 6), "storetime": at(3, 7), "itemid": itemid, "valuenum": value}
    hospital.add("icu.chartevents", row | more)


@pytest.fixture
def emergency(hospital: Hospital) -> Hospital:
    hospital.add("ed.edstays", {"stay_id": 40, "intime": at(1, 5), "outtime": at(1, 8)})
    signs = {
        "temperature": 98.6,
        "heartrate": 88,
        "resprate": 18,
        "o2sat": 97,
        "sbp": 120,
        "dbp": 70,
        "pain": "8",
    }
    hospital.add("ed.vitalsign", {"stay_id": 40, "charttime": at(1, 6), "rhythm": "Sinus"} | signs)
    return hospital


def test_each_vital_sign_of_a_set_is_an_observation(emergency: Hospital) -> None:
    shown = "\n".join(lines(emergency))
    for value in (
        "Body temperature: 98.6 °F",
        "Heart rate: 88 bpm",
        "Respiratory rate: 18 insp/min",
        "Oxygen saturation by pulse oximetry: 97%",
        "Blood pressure | Systolic blood pressure: 120 mmHg; Diastolic blood pressure: 70 mmHg",
        "Pain severity, 0 to 10: 8",
        "Heart rhythm: Sinus",
    ):
        assert f"| 2150-01-01 06:00 | {value} | final | Encounter/ed-40" in shown


def test_an_admission_holds_the_vital_signs_of_its_emergency_stay(emergency: Hospital) -> None:
    assert len(lines(emergency, hadm_id=20)) == 7


@pytest.mark.parametrize("code", ["heart rate", "HR", "心率", "8867-4", "220045"])
def test_a_vital_sign_is_found_by_any_of_its_names(emergency: Hospital, code: str) -> None:
    charted(emergency, 220045, 90.0)
    charted(emergency, 220210, 20.0)
    assert [line.split(" | ")[2] for line in lines(emergency, code=code)] == [
        "Heart rate: 90 bpm",
        "Heart rate: 88 bpm",
    ]


def test_pressures_of_one_method_and_time_belong_together(hospital: Hospital) -> None:
    for itemid, value in ((220179, 118.0), (220180, 64.0), (220181, 78.0), (220050, 121.0), (220051, 60.0)):
        charted(hospital, itemid, value)
    shown = sorted(lines(hospital, code="BP"))
    assert len(shown) == 2
    assert (
        "Arterial blood pressure | Systolic blood pressure: 121 mmHg; Diastolic blood pressure: 60 mmHg |"
        in shown[0]
    )
    assert (
        "Systolic blood pressure: 118 mmHg; Diastolic blood pressure: 64 mmHg; Mean blood pressure: 78 mmHg"
        in shown[1]
    )


def test_charted_words_of_pain_are_kept(hospital: Hospital) -> None:
    charted(hospital, 223791, 4.0, value="4-Moderate")
    assert "Pain severity, 0 to 10: 4-Moderate |" in lines(hospital)[0]


def test_a_temperature_that_cannot_be_fahrenheit_gets_no_unit(emergency: Hospital) -> None:
    emergency.add("ed.vitalsign", {"stay_id": 40, "charttime": at(1, 7), "temperature": 36.8})
    newest = lines(emergency, code="temperature")[0]
    assert (
        "Body temperature: 36.8 | final | note: stored as °F, which it cannot be; plausible as °C" in newest
    )


def test_clinic_measurements_are_known_the_day_after(hospital: Hospital) -> None:
    hospital.add(
        "hosp.omr",
        {"chartdate": at(7).date(), "seq_num": 1, "result_name": "Weight (Lbs)", "result_value": "180"},
    )
    late = {
        "chartdate": at(8).date(),
        "seq_num": 1,
        "result_name": "Blood Pressure Sitting",
        "result_value": "120/80",
    }
    hospital.add("hosp.omr", late)
    (line,) = lines(hospital)
    assert "| 2150-01-07 | Weight (Lbs): 180 lb | final" in line


def test_what_is_missing_is_told(emergency: Hospital) -> None:
    result = emergency.toolset(NOW).call("Observation.search", {"subject_id": 1, "category": "vital-signs"})
    assert "Warning (incomplete): icu.chartevents was not loaded" in result.text
    modes = [entry["search"]["mode"] for entry in result.resource["entry"]]
    assert modes.count("outcome") == 3
    assert result.resource["total"] == modes.count("match") == len(result.refs) == 7


def test_triage_is_known_on_arrival(emergency: Hospital) -> None:
    emergency.add("ed.triage", {"stay_id": 40, "heartrate": 101, "sbp": 150, "dbp": 90, "pain": "unable"})
    emergency.tables["ed.triage"][0] |= {"acuity": 2.0, "chiefcomplaint": "Chest pain"}
    arrival = emergency.toolset(at(1, 5))
    result = arrival.call("Observation.search", {"subject_id": 1, "category": "vital-signs"})
    assert result.refs == (
        "Observation/vs-triage-40-pain",
        "Observation/vs-triage-40-heart-rate",
        "Observation/vs-triage-40-blood-pressure",
    )
    assert "| 2150-01-01 05:00 | Pain severity, 0 to 10: unable | final | Encounter/ed-40" in result.text
    assert "Chest pain" not in result.text
    afterwards = [line for line in lines(emergency) if "vs-triage" in line]
    assert len(afterwards) == 3
    assert all("| 2150-01-01 05:00 |" in line for line in afterwards)
    before = emergency.toolset(at(1, 4)).call("Observation.search", {"subject_id": 1})
    assert before.refs == ()


@pytest.mark.parametrize("code", ["smoking", "Tobacco use", "吸烟", "acuity", "chief complaint"])
def test_what_is_no_vital_sign_is_refused_with_its_reason(emergency: Hospital, code: str) -> None:
    for more in ({}, {"category": "vital-signs"}):
        asked = {"subject_id": 1, "code": code, **more}
        result = emergency.toolset(NOW).call("Observation.search", asked)
        assert result.resource["issue"][0]["code"] == "not-supported"
        assert "no known test" not in result.text


# FHIR R4's vital signs profile, https://hl7.org/fhir/R4/observation-vitalsigns.html: code, and UCUM codes of the value.
PROFILE = {
    "heart-rate": ("8867-4", {"/min"}),
    "respiratory-rate": ("9279-1", {"/min"}),
    "oxygen-saturation": ("2708-6", {"%"}),
    "temperature": ("8310-5", {"Cel", "[degF]"}),
    "weight": ("29463-7", {"g", "kg", "[lb_av]"}),
    "height": ("8302-2", {"cm", "[in_i]"}),
    "bmi": ("39156-5", {"kg/m2"}),
    "blood-pressure": ("85354-9", {"mm[Hg]"}),
}


def test_codes_and_units_are_those_of_the_profile() -> None:
    codes = {sign.id: sign.loinc[0][0] for sign in VITAL_SIGNS if sign.loinc}
    assert codes == {sign: code for sign, (code, _) in PROFILE.items()} | {"pain": "72514-3"}
    for sign, unit in ICU_ITEMS.values():
        if unit is not None:
            assert UCUM_OF_UNIT[unit] in PROFILE[sign.id][1]
    assert {side: code for side, (code, _) in COMPONENTS.items()} == {
        "systolic": "8480-6",
        "diastolic": "8462-4",
        "mean": "8478-0",
    }


def test_pulse_oximetry_bears_the_code_of_the_profile_and_its_own(emergency: Hospital) -> None:
    result = emergency.toolset(NOW).call("Observation.search", {"subject_id": 1, "code": "59408-5"})
    entry = result.resource["entry"][0]
    assert entry["resource"]["code"]["coding"] == [
        {"system": LOINC, "code": "2708-6", "display": "Oxygen saturation in Arterial blood"},
        {
            "system": LOINC,
            "code": "59408-5",
            "display": "Oxygen saturation in Arterial blood by Pulse oximetry",
        },
    ]
    assert entry["resource"]["valueQuantity"] == {"value": 97, "unit": "%", "system": UCUM, "code": "%"}


def test_items_have_the_label_and_unit_of_the_dictionary(mimic_demo: Path) -> None:
    with gzip.open(mimic_demo / "icu" / "d_items.csv.gz", "rt", encoding="utf-8") as lines:
        items = {int(row["itemid"]): row for row in csv.DictReader(lines)}
    labels = {
        220045: "Heart Rate",
        220210: "Respiratory Rate",
        220277: "O2 saturation pulseoxymetry",
        223761: "Temperature Fahrenheit",
        223762: "Temperature Celsius",
        226512: "Admission Weight (Kg)",
        224639: "Daily Weight",
        226730: "Height (cm)",
        223791: "Pain Level",
        220179: "Non Invasive Blood Pressure systolic",
        220180: "Non Invasive Blood Pressure diastolic",
        220181: "Non Invasive Blood Pressure mean",
        220050: "Arterial Blood Pressure systolic",
        220051: "Arterial Blood Pressure diastolic",
        220052: "Arterial Blood Pressure mean",
        225309: "ART BP Systolic",
        225310: "ART BP Diastolic",
        225312: "ART BP Mean",
    }
    units = {itemid: unit or "" for itemid, (_, unit) in ICU_ITEMS.items()}
    units |= {itemid: "mmHg" for p in ICU_PRESSURES for itemid in (p.systolic, p.diastolic, p.mean)}
    assert set(labels) == set(units)
    for itemid, label in labels.items():
        item = items[itemid]
        assert (item["label"], item["linksto"], item["unitname"]) == (label, "chartevents", units[itemid])
