"""Nothing later than as_of reaches a tool result: random patients, moments and calls, honest or not."""

import base64
import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from known_by import Known

from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.toolset import TOOLS, ToolResult, Toolset
from tools.vocabulary import Vocabulary

TIME = re.compile(
    r"(?<![\d-])(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[T ](\d{2}:\d{2}(?::\d{2})?))?"
)
FAR = "2999-12-31"
CODES = ("Potassium", "Creatinine", "heart rate", "URINE CULTURE", "50912", "N", "I10", "x", None)
DRUGS = ("heparin", "furosemide", "potassium chloride", "Vancomycin", "x", None)
SERVICE = {"service_type": "chest x-ray", "priority": "urgent"}
STATUSES = ("active", "completed", "stopped", "cancelled", None)
WRITE = {"dose": "5 mg", "route": "PO", "frequency": "DAILY", "detail": "y"}


class Records:
    """A warehouse with its admissions, opened once."""

    def __init__(self, path: Path) -> None:
        self.warehouse = Warehouse.open(path)
        self.vocabulary = Vocabulary.load()
        self.admissions: list[tuple[int, int, datetime, datetime]] = (
            self.warehouse.cursor()
            .execute(
                "SELECT subject_id, hadm_id, admittime, dischtime FROM hosp.admissions ORDER BY admittime, hadm_id"
            )
            .fetchall()
        )

    def tools(self, subject_id: int, as_of: datetime) -> Toolset:
        return Toolset(Chart(self.warehouse, subject_id, as_of), self.vocabulary)

    def ids(self, subject_id: int) -> list[str]:
        """List ids of notes and admissions of a patient, known or not."""
        query = f"""SELECT 'note-' || note_id FROM note.discharge WHERE subject_id = {subject_id} UNION ALL
            SELECT 'rad-' || note_id FROM note.radiology WHERE subject_id = {subject_id} UNION ALL
            SELECT 'hosp-' || hadm_id FROM hosp.admissions WHERE subject_id = {subject_id}"""
        return [name for (name,) in self.rows(query)]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        return self.warehouse.cursor().execute(query).fetchall()


@pytest.fixture(scope="module", params=["noted_demo", "noted_synthetic"])
def records(request: pytest.FixtureRequest) -> Iterator[Records]:
    opened = Records(request.getfixturevalue(request.param))
    yield opened
    opened.warehouse.close()


def times_in(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every date and time in a text as ISO, and whether it has a time."""
    for date, time in TIME.findall(text):
        yield (f"{date}T{time}" if time else date), bool(time)


def attached_texts(element: object) -> Iterator[str]:
    """Yield every attached text of a resource, decoded."""
    if isinstance(element, dict):
        if isinstance(element.get("data"), str):
            yield base64.b64decode(element["data"]).decode()
        for child in element.values():
            yield from attached_texts(child)
    elif isinstance(element, list):
        for child in element:
            yield from attached_texts(child)


def check(result: ToolResult, known: Known, as_of: datetime, asked: dict[str, Any]) -> None:
    """Find anything in a result that was not known, beside the words of the caller."""
    assert [ref for ref in result.refs if ref not in known and "/new-" not in ref] == []
    told = {key: value for key, value in result.resource.items() if key != "link"}
    for text in (json.dumps(told), result.text, *attached_texts(told)):
        for value in asked.values():
            text = text.replace(str(value), "") if isinstance(value, str) else text
        late = [
            when
            for when, has_time in times_in(text)
            if (datetime.fromisoformat(when) > as_of if has_time else when > f"{as_of:%Y-%m-%d}")
        ]
        assert late == []
        said = set(re.findall(r"\d+", text)) - {str(value) for value in asked.values()}
        assert said.isdisjoint(known.later_admissions)


def calls(asked: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Give every tool those of the drawn arguments that it takes."""
    for name, spec in TOOLS.items():
        chosen = {key: value for key, value in asked.items() if key in spec.allowed and value is not None}
        if name == "CarePlan.search" and "category" in chosen:
            chosen["category"] = {"laboratory": "followup", "vital-signs": "treatment"}.get(
                chosen["category"], "discharge-planning"
            )
        if name == "Flag.create":
            chosen |= {"category": "safety", "code": "x"}
        yield name, chosen


@settings(
    max_examples=16,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_no_tool_shows_what_was_not_known(records: Records, data: st.DataObject) -> None:
    pick = st.integers(0, len(records.admissions) - 1)
    subject_id, _, admitted, discharged = records.admissions[data.draw(pick, "admission")]
    stay = int((discharged - admitted).total_seconds())
    as_of = admitted + timedelta(
        seconds=data.draw(st.integers(-86_400, stay + 3 * 86_400), "seconds after admission")
    )
    asked = {
        "hadm_id": data.draw(
            st.sampled_from([None, None, None, *(a[1] for a in records.admissions if a[0] == subject_id)])
        ),
        "date_from": data.draw(st.sampled_from([None, None, "1900-01-01", f"{admitted:%Y-%m-%d}"])),
        "date_to": data.draw(st.sampled_from([None, FAR, f"{discharged:%Y-%m-%d}"])),
        "category": data.draw(st.sampled_from([None, "laboratory", "vital-signs", "microbiology"])),
        "code": data.draw(st.sampled_from([None, None, *CODES])),
        "medication": data.draw(st.sampled_from([None, None, *DRUGS])),
        "status": data.draw(st.sampled_from(STATUSES)),
        "report_type": data.draw(st.sampled_from([None, "radiology", "microbiology"])),
        "type_code": data.draw(st.sampled_from([None, "discharge-summary", "radiology"])),
        "keyword": data.draw(st.sampled_from([None, None, "heart", "tablet"])),
        "section": data.draw(st.sampled_from([None, "Discharge Instructions", "Impression"])),
        "part": data.draw(st.sampled_from([None, None, 2])),
        "_id": data.draw(st.sampled_from([None, None, None, *records.ids(subject_id)])),
        "clinical_status": data.draw(st.sampled_from([None, "active", "resolved"])),
        "page": data.draw(st.sampled_from([None, 1, 2, 10**9])),
        "_count": data.draw(st.sampled_from([None, 1, 100])),
        "_sort": data.draw(st.sampled_from([None, "date", "-date"])),
        **WRITE,
        **SERVICE,
    }
    tools = records.tools(subject_id, as_of)
    known = Known(records.warehouse.cursor(), subject_id, as_of)
    for name, chosen in calls(asked):
        check(tools.call(name, {"subject_id": subject_id, **chosen}), known, as_of, chosen)
    for name, spec in TOOLS.items():
        if "_count" in spec.allowed:
            for count in (1, 80):
                check(tools.call(name, {"subject_id": subject_id, "_count": count}), known, as_of, {})


def test_what_was_known_is_shown(records: Records) -> None:
    subject_id, _, admitted, discharged = records.admissions[len(records.admissions) // 2]
    as_of = admitted + (discharged - admitted) / 2
    tools, bound = records.tools(subject_id, as_of), {"s": subject_id, "t": as_of}
    query = """SELECT count(*) FROM hosp.labevents WHERE subject_id = $s AND charttime <= $t
        AND coalesce(storetime, charttime + INTERVAL 1 DAY) <= $t"""
    (expected,) = records.warehouse.cursor().execute(query, bound).fetchall()[0]
    result = tools.call("Observation.search", {"subject_id": subject_id, "category": "laboratory"})
    assert result.resource["total"] == expected > 0


def test_death_is_not_told_early(records: Records) -> None:
    died = records.rows(
        "SELECT subject_id, deathtime FROM hosp.admissions WHERE deathtime IS NOT NULL ORDER BY hadm_id"
    )
    for subject_id, moment in died[:5]:
        for tool in ("Patient.read", "Encounter.search"):
            result = records.tools(subject_id, moment - timedelta(seconds=1)).call(
                tool, {"subject_id": subject_id}
            )
            assert "deceased" not in str(result).lower()
            assert "DIED" not in str(result)
        dead = records.tools(subject_id, moment).call("Patient.read", {"subject_id": subject_id})
        assert "deceasedDateTime" in dead.resource


def test_codes_and_destination_wait_for_discharge(records: Records) -> None:
    coded = records.rows(
        "SELECT DISTINCT subject_id, hadm_id, greatest(dischtime, deathtime) "
        "FROM hosp.diagnoses_icd JOIN hosp.admissions USING (subject_id, hadm_id) "
        "WHERE discharge_location IS NOT NULL ORDER BY hadm_id"
    )
    assert coded
    for subject_id, hadm_id, discharged in coded[:: max(1, len(coded) // 8)]:
        asked = {"subject_id": subject_id, "hadm_id": hadm_id}
        before = records.tools(subject_id, discharged - timedelta(seconds=1))
        after = records.tools(subject_id, discharged)
        assert not any(r.startswith("Condition/icd") for r in before.call("Condition.search", asked).refs)
        assert any(r.startswith("Condition/icd") for r in after.call("Condition.search", asked).refs)
        stays = [tools.call("Encounter.search", asked).resource["entry"] for tools in (before, after)]
        (still, over) = [
            next(e["resource"] for e in entries if e["resource"]["id"] == f"hosp-{hadm_id}")
            for entries in stays
        ]
        assert (still["status"], over["status"]) == ("in-progress", "finished")
        assert "end" not in still["period"]
        assert "dischargeDisposition" not in still.get("hospitalization", {})
        assert "dischargeDisposition" in over["hospitalization"]


def test_an_orders_end_waits_for_its_time(records: Records) -> None:
    ended = records.rows(
        "SELECT subject_id, pharmacy_id, stoptime FROM hosp.prescriptions JOIN hosp.admissions a "
        "USING (subject_id, hadm_id) WHERE drug_type = 'MAIN' AND stoptime > starttime + INTERVAL 1 DAY "
        "AND stoptime < a.dischtime ORDER BY pharmacy_id"
    )
    assert ended
    for subject_id, pharmacy_id, stop in ended[:: max(1, len(ended) // 8)]:
        for as_of, running in ((stop - timedelta(seconds=1), True), (stop, False)):
            tools = records.tools(subject_id, as_of)
            asked = {"subject_id": subject_id, "status": "active", "_count": 100}
            active = tools.call("MedicationRequest.search", asked)
            refs = list(active.refs)
            for page in range(2, -(-active.resource["total"] // 100) + 1):
                refs += tools.call("MedicationRequest.search", asked | {"page": page}).refs
            assert any(ref.startswith(f"MedicationRequest/rx-{pharmacy_id}-") for ref in refs) is running


def test_the_emergency_disposition_waits_for_its_time(records: Records) -> None:
    stays = records.rows(
        "SELECT subject_id, stay_id, outtime FROM ed.edstays WHERE disposition IS NOT NULL ORDER BY stay_id"
    )
    assert stays
    for subject_id, stay_id, left in stays[:: max(1, len(stays) // 8)]:
        for as_of, told in ((left - timedelta(seconds=1), False), (left, True)):
            entries = records.tools(subject_id, as_of).call(
                "Encounter.search", {"subject_id": subject_id, "_count": 100}
            )
            stay = next(
                e["resource"] for e in entries.resource["entry"] if e["resource"]["id"] == f"ed-{stay_id}"
            )
            assert ("dischargeDisposition" in stay.get("hospitalization", {})) is told
