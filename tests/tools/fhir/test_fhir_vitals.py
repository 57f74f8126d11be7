"""Vital signs of the emergency department, the intensive care unit and the clinic."""

import pytest
from hospital import Hospital, at

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
