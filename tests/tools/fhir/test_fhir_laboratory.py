"""A laboratory search means one test of one specimen, and keeps all that the result says."""

from collections.abc import Callable

import pytest
from hospital import Hospital, at

NOW = at(5, 12)


def found(hospital: Hospital, **arguments: object) -> list[str]:
    result = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, **arguments})
    assert result.ok, result.text
    return [str(ref) for ref in result.refs]


def refusal(hospital: Hospital, **arguments: object) -> tuple[str, str]:
    result = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, **arguments})
    assert not result.ok
    assert result.refs == ()
    issue = result.resource["issue"][0]
    return issue["code"], issue["details"]["text"]


@pytest.fixture(scope="module")
def labs(make_hospital: Callable[[], Hospital]) -> Hospital:
    hospital = make_hospital()
    hospital.lab(50971, at(2, 6), "4.1", valueuom="mEq/L")
    hospital.lab(50822, at(2, 7), "4.2", valueuom="mEq/L")
    hospital.lab(51097, at(2, 8), "30", valueuom="mEq/L")
    hospital.lab(50912, at(2, 9), "1.1", valueuom="mg/dL")
    hospital.lab(59001, at(2, 10), "2", valueuom="%")
    hospital.lab(59002, at(2, 11), "1", valueuom="%")
    return hospital


@pytest.mark.parametrize("code", ["Potassium", "potassium", "K", "血钾", "50971", "2823-3"])
def test_every_name_of_serum_potassium_finds_serum_potassium_alone(labs: Hospital, code: str) -> None:
    assert found(labs, code=code) == ["Observation/lab-1"]


def test_a_loinc_code_means_the_items_that_bear_it_and_no_others(hospital: Hospital) -> None:
    items = {51478: ("Glucose", "Hematology"), 51084: ("Glucose, Urine", "Chemistry")}
    for itemid, (label, category) in items.items():
        item = {"itemid": itemid, "label": label, "fluid": "Urine", "category": category}
        hospital.tables["hosp.d_labitems"].append(item)
        hospital.lab(itemid, at(2, 6), "100", valueuom="mg/dL")
    assert found(hospital, code="urine glucose") == ["Observation/lab-2", "Observation/lab-1"]
    assert found(hospital, code="5792-7") == ["Observation/lab-1"]
    assert found(hospital, code="2350-7") == ["Observation/lab-2"]
    result = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, "code": "5792-7"})
    assert "results of Glucose (Urine), LOINC 5792-7" in result.text
    (entry,) = result.resource["entry"]
    assert entry["resource"]["code"]["coding"][1] == {
        "system": "http://loinc.org",
        "code": "5792-7",
        "display": "Glucose [Mass/volume] in Urine by Test strip",
    }
    assert refusal(hospital, code="5792-8")[0] == "code-invalid"


def test_an_unknown_name_finds_nothing_and_names_the_nearest(labs: Hospital) -> None:
    code, text = refusal(labs, code="Potasium", category="laboratory")
    assert code == "code-invalid"
    assert "potassium" in text.lower()


@pytest.mark.parametrize("code", ["Potass", "assium", "Creat", "%", "50971 OR 1=1", "99999999"])
def test_no_part_of_a_name_is_a_name(labs: Hospital, code: str) -> None:
    assert refusal(labs, code=code)[0] == "code-invalid"


def test_a_label_of_two_specimens_is_refused_with_both(labs: Hospital) -> None:
    code, text = refusal(labs, code="namesake")
    assert code == "multiple-matches"
    assert "itemid 59001" in text
    assert "itemid 59002" in text
    assert found(labs, code="59002") == ["Observation/lab-6"]
    assert found(labs, code="Namesake (Urine)") == ["Observation/lab-6"]


def test_a_known_test_without_results_is_an_empty_bundle_that_says_so(labs: Hospital) -> None:
    result = labs.toolset(NOW).call(
        "Observation.search", {"subject_id": 1, "code": "Digoxin", "category": "laboratory"}
    )
    assert result.ok
    assert result.resource["total"] == 0
    assert "entry" not in result.resource
    assert result.text == "No results of digoxin level (serum) known at 2150-01-05 12:00 (total 0)."


def test_a_result_counts_from_its_storage_not_its_draw(hospital: Hospital) -> None:
    hospital.lab(50971, at(5, 11), "4.1", storetime=at(5, 12, 1))
    hospital.lab(50971, at(5, 10), "4.2", storetime=at(5, 12))
    assert found(hospital, code="K") == ["Observation/lab-2"]


def test_the_last_day_of_a_range_counts_whole(hospital: Hospital) -> None:
    for day in (2, 3, 4):
        hospital.lab(50971, at(day, 22), "4.1")
    assert found(hospital, code="K", date_from="2150-01-03", date_to="2150-01-03") == ["Observation/lab-2"]
    assert found(hospital, code="K", date_to="2150-01-03T22:00") == ["Observation/lab-2", "Observation/lab-1"]
    assert found(hospital, code="K", date_to="2150-01-03T21:59") == ["Observation/lab-1"]
    assert found(hospital, code="K", date_from="2150-01-03T22:00:00Z", _sort="date") == [
        "Observation/lab-2",
        "Observation/lab-3",
    ]


def test_an_admission_holds_its_linked_results_and_the_unlinked_ones_within_it(hospital: Hospital) -> None:
    hospital.lab(50971, at(2, 6), "4.1")
    hospital.lab(50971, at(3, 6), "4.2", hadm_id=None)
    hospital.lab(50971, at(1, 2), "4.3", hadm_id=None)
    hospital.add("hosp.admissions", {"hadm_id": 10, "admittime": at(1, 1), "dischtime": at(1, 3)})
    assert found(hospital, code="K", hadm_id=20) == ["Observation/lab-2", "Observation/lab-1"]
    assert found(hospital, code="K", hadm_id=10) == ["Observation/lab-3"]


def test_a_result_is_written_with_all_it_says(hospital: Hospital) -> None:
    hospital.lab(
        50971,
        at(2, 6),
        "5.9",
        valueuom="mEq/L",
        ref_range_lower=3.3,
        ref_range_upper=5.1,
        flag="abnormal",
        comments="HEMOLYZED.",
    )
    result = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, "code": "K"})
    assert result.text.splitlines()[1] == (
        "- Observation/lab-1 | 2150-01-02 06:00 | Potassium (Blood): 5.9 mEq/L | HIGH | reference 3.3-5.1 mEq/L | final"
        " | reported 2150-01-02 07:00 | note: HEMOLYZED. | Encounter/hosp-20"
    )
    (resource,) = [entry["resource"] for entry in result.resource["entry"]]
    assert resource["valueQuantity"]["code"] == "meq/L"
    assert {c["code"] for c in resource["code"]["coding"]} == {"50971", "2823-3"}


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ({"value": "___", "valuenum": 133.0, "valueuom": "mEq/L"}, "133 mEq/L"),
        ({"value": ">300", "valueuom": "mg/dL"}, ">300 mg/dL"),
        ({"value": None, "comments": "NEG."}, "NEG."),
        ({"value": "___", "comments": None}, "no value (removed by de-identification)"),
        ({"value": None, "comments": None}, "no value (not recorded)"),
        ({"value": "1,250", "valuenum": 1250.0, "valueuom": "units"}, "1250 units"),
    ],
)
def test_odd_values_keep_their_meaning(hospital: Hospital, row: dict[str, object], shown: str) -> None:
    hospital.lab(50971, at(2, 6), None, **row)
    text = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, "code": "K"}).text
    assert f"Potassium (Blood): {shown} | final" in text


def test_a_warehouse_without_laboratory_says_so(hospital: Hospital) -> None:
    code, text = refusal(hospital, category="laboratory")
    assert code == "not-supported"
    assert text.startswith("hosp.labevents was not loaded into this warehouse")
    hospital.add("hosp.labevents")
    assert found(hospital, category="laboratory") == []


def test_other_categories_are_named_not_searched(labs: Hospital) -> None:
    code, text = refusal(labs, code="heart rate", category="laboratory")
    assert code == "code-invalid"
    assert "category vital-signs" in text
