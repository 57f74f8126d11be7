"""One made-up patient at the bedside: rows written as a test needs, and the chart opened on them."""

from datetime import datetime
from pathlib import Path
from typing import Any

from state.base import Cohort, Language, SessionId, SubjectId
from state.patient import Fact, PatientFacts, Persona
from state.patient_values import Completeness
from tools.ehr.chart import Chart
from tools.ehr.tables import TABLES
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.fhir.context import Context
from tools.fhir.dictionaries import Dictionaries
from tools.interview.derive import derive_patient_facts
from tools.interview.interview import Interview, Saying, Speaker, Utterance, say_plainly
from tools.vocabulary import Vocabulary

SYMPTOMS = "patient.get_symptom_history"
ADHERENCE = "patient.get_medication_adherence"
SOCIAL = "patient.get_social_history"
FUNCTIONAL = "patient.get_functional_status"
PAIN = "patient.get_pain_assessment"
COMPLAINT = "patient.get_chief_complaint"


def at(day: int, hour: int = 0, minute: int = 0) -> datetime:
    """Give a time of January 2150."""
    return datetime(2150, 1, day, hour, minute)


class Bedside:
    """Patient 1: admission 20 from January 3 to 10 by way of emergency stay 30, and admission 10 a month before."""

    def __init__(self, file: Path, vocabulary: Vocabulary, cohort: Cohort = Cohort.MIMIC_IV) -> None:
        self._file = file
        self._vocabulary = vocabulary
        self._cohort = cohort
        self._opened: list[Warehouse] = []
        self._tables: dict[str, list[dict[str, Any]]] = {}
        self.add("hosp.patients", {"gender": "F", "anchor_age": 70, "anchor_year": 2150})
        before = {"hadm_id": 10, "admittime": datetime(2149, 12, 1), "dischtime": datetime(2149, 12, 6)}
        now = {"admittime": at(3, 12), "dischtime": at(10, 12), "marital_status": "WIDOWED"}
        self.add("hosp.admissions", before, now)
        self.add("ed.edstays", {"stay_id": 30, "intime": at(3, 6), "outtime": at(3, 12)})

    def add(self, table: str, *rows: dict[str, Any]) -> None:
        """Add rows of patient 1, admission 20 and emergency stay 30 unless they say otherwise."""
        columns = TABLES[table].columns
        own = {"subject_id": 1, "hadm_id": 20} | ({"stay_id": 30} if table.startswith("ed.") else {})
        self._tables.setdefault(table, []).extend(
            {name: value for name, value in own.items() if name in columns} | row for row in rows
        )

    def triage(self, complaint: str | None, pain: str | None = None) -> None:
        """Chart triage, with an acuity and vital signs no patient may ever recite."""
        self.add(
            "ed.triage",
            {"chiefcomplaint": complaint, "pain": pain, "acuity": 2.0, "heartrate": 133.0, "sbp": 81.0},
        )

    def home(self, *names: str) -> None:
        """Write the home medication list."""
        rows = [{"name": name, "charttime": at(3, 7), "etc_rn": 1} for name in names]
        self.add("ed.medrecon", *rows)

    def dose(self, number: int, drug: str, event: str, time: datetime) -> None:
        """Chart an event of the administration record."""
        row = {"emar_id": f"1-{number}", "emar_seq": number, "medication": drug, "event_txt": event}
        self.add("hosp.emar", row | {"charttime": time, "storetime": time})

    def summary(
        self, text: str, note_id: str = "1-DS-1", hadm_id: int = 10, day: datetime | None = None
    ) -> None:
        """Write the discharge summary of the earlier admission."""
        charted = day or datetime(2149, 12, 6)
        row = {"note_id": note_id, "hadm_id": hadm_id, "note_type": "DS", "note_seq": 1, "text": text}
        self.add("note.discharge", row | {"charttime": charted, "storetime": charted})

    def context(self, as_of: datetime) -> Context:
        """Write all rows and open the chart."""
        with WarehouseWriter(self._file, self._cohort, overwrite=True) as writer:
            for table, rows in self._tables.items():
                writer.insert(table, rows)
            writer.commit()
        warehouse = Warehouse.open(self._file)
        self._opened.append(warehouse)
        return Context(Chart(warehouse, 1, as_of, 20), self._vocabulary, Dictionaries(warehouse))

    def close(self) -> None:
        """Close every file opened."""
        while self._opened:
            self._opened.pop().close()


NOW = at(5, 12)
FULL = Persona(completeness=Completeness.FULL)


def derived(bedside: Bedside, as_of: datetime = NOW, **asked: Any) -> PatientFacts:
    """Derive the patient's facts; a patient who tells everything unless a persona is given."""
    return derive_patient_facts(bedside.context(as_of), SessionId("s-1"), 7, **{"persona": FULL} | asked)


def by_id(known: PatientFacts) -> dict[str, Fact]:
    """Map fact ids to facts."""
    return {fact.fact_id: fact for fact in known.facts}


def knowing(*facts: Fact, seed: int = 1, **persona: Any) -> PatientFacts:
    """Give a patient who knows some facts."""
    return PatientFacts(
        session_id=SessionId("med_safety-rule-1"),
        subject_id=SubjectId(1),
        seed=seed,
        persona=Persona(**persona),
        facts=facts,
    )


class Heard:
    """A speaker that says the template and keeps what it was asked to say."""

    def __init__(self) -> None:
        self.utterances: list[Utterance] = []

    def __call__(self, utterance: Utterance) -> Saying:
        """Say an utterance plainly."""
        self.utterances.append(utterance)
        return say_plainly(utterance)


def interview(
    known: PatientFacts | None,
    vocabulary: Vocabulary,
    language: Language = Language.EN,
    speak: Speaker = say_plainly,
) -> Interview:
    """Open an interview."""
    return Interview(known, vocabulary, language, speak)


def utterance(
    known: PatientFacts, vocabulary: Vocabulary, language: Language, tool: str, topic: str
) -> Utterance:
    """Give what a patient would say, with the guard's ear for other words."""
    heard = Heard()
    interview(known, vocabulary, language, heard).ask(tool, topic)
    return heard.utterances[0]
