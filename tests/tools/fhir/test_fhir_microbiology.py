"""Cultures keep every organism, antibiotic and interpretation, and what did not grow."""

from hospital import Hospital, at

NOW = at(8)


def culture(
    hospital: Hospital, number: int, organism: str | None, antibiotic: str | None, **more: object
) -> None:
    row = {
        "microevent_id": number,
        "micro_specimen_id": 7,
        "chartdate": at(2),
        "charttime": at(2, 6),
        "storetime": at(4, 6),
        "spec_type_desc": "BLOOD CULTURE",
        "test_seq": 1,
        "test_itemid": 90201,
        "test_name": "Blood Culture, Routine",
        "org_itemid": {"ESCHERICHIA COLI": 80002, "STAPH AUREUS COAG +": 80023, None: None}.get(
            organism, 80001
        ),
        "org_name": organism,
        "isolate_num": None if organism is None else 1,
        "ab_itemid": None if antibiotic is None else 90000 + number,
        "ab_name": antibiotic,
    }
    hospital.add("hosp.microbiologyevents", row | more)


def lines(hospital: Hospital, **arguments: object) -> list[str]:
    result = hospital.toolset(NOW).call(
        "Observation.search", {"subject_id": 1, "category": "microbiology", **arguments}
    )
    assert result.ok, result.text
    return result.text.splitlines()[1:]


def test_every_organism_and_antibiotic_is_kept(hospital: Hospital) -> None:
    culture(hospital, 1, "ESCHERICHIA COLI", "GENTAMICIN", dilution_text="<=1", interpretation="S")
    culture(hospital, 2, "ESCHERICHIA COLI", "AMPICILLIN", dilution_text="=>32", interpretation="R")
    culture(hospital, 3, "STAPH AUREUS COAG +", "OXACILLIN", dilution_text="1", interpretation="I")
    both = lines(hospital)
    assert len(both) == 2
    assert any(
        "(BLOOD CULTURE): ESCHERICHIA COLI | AMPICILLIN: MIC =>32 RESISTANT; GENTAMICIN: MIC <=1 SUSCEPTIBLE"
        in line
        for line in both
    )
    assert any(
        "(BLOOD CULTURE): STAPH AUREUS COAG + | OXACILLIN: MIC 1 INTERMEDIATE" in line for line in both
    )


def test_no_growth_is_a_result(hospital: Hospital) -> None:
    culture(hospital, 1, None, None, comments="NO GROWTH.  ")
    (line,) = lines(hospital)
    assert line == (
        "- Observation/micro-7-90201-0-0 | 2150-01-02 06:00 | Blood Culture, Routine (BLOOD CULTURE): NO GROWTH. | "
        "final | reported 2150-01-04 06:00 | Encounter/hosp-20"
    )


def test_a_cancelled_test_is_cancelled(hospital: Hospital) -> None:
    culture(hospital, 1, "CANCELLED", None)
    assert "| cancelled |" in lines(hospital)[0]


def test_a_culture_known_by_its_day_alone_shows_the_day(hospital: Hospital) -> None:
    culture(hospital, 1, None, None, charttime=None, storetime=None, storedate=at(4), comments="NO GROWTH.")
    assert "| 2150-01-02 | Blood Culture" in lines(hospital)[0]


def test_a_test_is_found_by_its_exact_name_or_specimen(hospital: Hospital) -> None:
    culture(hospital, 1, None, None, comments="NO GROWTH.")
    culture(
        hospital,
        2,
        None,
        None,
        subject_id=2,
        micro_specimen_id=8,
        test_name="URINE CULTURE",
        spec_type_desc="URINE",
    )
    assert len(lines(hospital, code="blood culture, routine")) == 1
    assert len(lines(hospital, code="BLOOD CULTURE")) == 1
    assert lines(hospital, code="urine culture") == []
    unknown = hospital.toolset(NOW).call("Observation.search", {"subject_id": 1, "code": "blood cultur"})
    assert unknown.resource["issue"][0]["code"] == "code-invalid"
