"""The ward: what sessions run on. Holds live charts; graph state holds only what can rebuild them."""

import asyncio
from dataclasses import dataclass, field

from langchain_core.messages import AnyMessage

from agents.conversation import run_calls, system_message, turn_messages
from agents.doctors import DoctorMaker, Endpoint, doctor_maker
from agents.judge import Judge, make_judge
from graphs.benchmark import Benchmark
from state.base import InputError
from state.manifest import RunSettings
from state.session import Session
from state.trajectory import TurnRecord
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import ToolResult, Toolset
from tools.interview.interview import Interview, Speaker, say_plainly
from tools.interview.titles import diagnosis_titles
from tools.vocabulary import Vocabulary


@dataclass
class LiveSession:
    """One patient's chart with this session's writes, and the conversation after ``turns_done`` turns."""

    session: Session
    toolset: Toolset
    messages: list[AnyMessage]
    turns_done: int = 0

    def take_in(self, record: TurnRecord, results: list[list[ToolResult]]) -> None:
        """Add a finished turn to the conversation."""
        self.messages += turn_messages(record, results)
        self.turns_done += 1


@dataclass
class Ward:
    """A warehouse, a benchmark on it, the doctor under test and the judge."""

    warehouse: Warehouse
    benchmark: Benchmark
    vocabulary: Vocabulary
    make_doctor: DoctorMaker
    judge: Judge
    settings: RunSettings
    dictionaries: Dictionaries
    patient_speaker: Speaker = say_plainly
    _live: dict[str, LiveSession] = field(default_factory=dict)

    @classmethod
    def open(
        cls, warehouse: Warehouse, benchmark: Benchmark, settings: RunSettings, api_key: str | None = None
    ) -> "Ward":
        """Check that everything fits together; what does not is an InputError."""
        language = settings.language
        if benchmark.manifest.warehouse != warehouse.fingerprint:
            raise InputError(
                f"these sessions were generated from another warehouse than {warehouse.path}: "
                "give --ehr the file they were generated from, or generate them again"
            )
        for session in benchmark.sessions:
            if any(language not in turn.wording for turn in session.turns):
                raise InputError(f"session {session.session_id} is not worded in {language.value!r}")
        vocabulary = Vocabulary.load()
        endpoint = None if settings.base_url is None else Endpoint(settings.base_url, api_key)
        return cls(
            warehouse=warehouse,
            benchmark=benchmark,
            vocabulary=vocabulary,
            make_doctor=doctor_maker(settings.model, vocabulary, language, endpoint),
            judge=make_judge(settings.judge),
            settings=settings,
            dictionaries=Dictionaries(warehouse),
        )

    @property
    def planned(self) -> tuple[Session, ...]:
        """Give the sessions this run is to hold."""
        return self.benchmark.sessions[: self.settings.limit]

    def toolset(self, session: Session) -> Toolset:
        """Open a session's chart at its moment, nothing written, with the patient to be asked."""
        interview = Interview(
            self.benchmark.patients.get(session.session_id),
            self.vocabulary,
            self.settings.language,
            self.patient_speaker,
            diagnosis_titles(self.warehouse),
        )
        chart = Chart(self.warehouse, session.subject_id, session.as_of, session.hadm_id)
        return Toolset(chart, self.vocabulary, self.dictionaries, interview)

    def _admit(self, session: Session, records: list[TurnRecord]) -> LiveSession:
        toolset = self.toolset(session)
        chart = toolset.chart
        live = LiveSession(session, toolset, [system_message(chart, session.hadm_id, self.settings.language)])
        for record in records:
            live.take_in(record, run_calls(record, toolset))
        return live

    async def admit(self, session_id: str, records: list[TurnRecord]) -> LiveSession:
        """Take the session as it stands after ``records`` out of the ward, rebuilt where it is not held.

        It goes back with ``keep`` once the turn is done: a turn that breaks off leaves nothing half-written behind.
        """
        live = self._live.pop(session_id, None)
        if live is not None and live.turns_done == len(records):
            return live
        return await asyncio.to_thread(self._admit, self.benchmark.session(session_id), records)

    def keep(self, live: LiveSession) -> None:
        """Hold a session's chart and conversation for its next turn."""
        self._live[live.session.session_id] = live

    def discharge(self, session_id: str) -> None:
        """Let go of a session's chart."""
        self._live.pop(session_id, None)
