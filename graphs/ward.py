"""The ward: what sessions run on. Holds live charts; graph state holds only what can rebuild them."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from langchain_core.messages import AnyMessage

from agents.conversation import run_calls, system_message, turn_messages
from agents.doctors import DoctorMaker, doctor_maker, is_offline
from agents.gateway import WireTools
from agents.judge import Panel, seat_panel
from agents.models import key_for, priced, read_catalogue, serve
from agents.patient import served_patient
from graphs.benchmark import Benchmark
from state.base import InputError
from state.manifest import RunSettings
from state.models import Catalogue, ModelChoice, ServedModel
from state.session import Session
from state.trajectory import TurnRecord
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.toolset import ToolResult, Toolset
from tools.interview.interview import Interview
from tools.interview.titles import diagnosis_titles
from tools.vocabulary import Vocabulary


def _refuse_strangers(warehouse: Warehouse, sessions: Iterable[Session]) -> None:
    """Raise ``InputError`` for a session whose patient, admission or moment is not in the warehouse."""
    about = list(sessions)
    query = "SELECT hadm_id, subject_id, admittime FROM hosp.admissions WHERE hadm_id IN (SELECT unnest(?::INTEGER[]))"
    with warehouse.cursor() as cursor:
        rows = cursor.execute(query, [[session.hadm_id for session in about]]).fetchall()
    known = {(subject_id, hadm_id): begun for hadm_id, subject_id, begun in rows}
    for session in about:
        begun = known.get((session.subject_id, session.hadm_id))
        if begun is None or begun > session.as_of:
            raise InputError(
                f"session {session.session_id} is about an admission of a patient that is not in {warehouse.path}, or "
                "has not begun there at its as_of: give --ehr the file the sessions were generated from"
            )


def thread_of(session_id: str, epoch: int) -> str:
    """Name one epoch of a session; no session id holds a tilde."""
    return f"{session_id}~{epoch}" if epoch else session_id


@dataclass
class LiveSession:
    """One patient's chart with this session's writes, and the conversation after ``turns_done`` turns."""

    session: Session
    toolset: Toolset
    messages: list[AnyMessage]
    turns_done: int = 0
    epoch: int = 0

    def take_in(self, record: TurnRecord, results: list[list[ToolResult]]) -> None:
        """Add a finished turn to the conversation."""
        self.messages += turn_messages(record, results, self.toolset.language)
        self.turns_done += 1


@dataclass(frozen=True)
class Roles:
    """Who plays which part in a run; ``examinee`` and ``patient`` are None where a program does."""

    examinee: ServedModel | None
    make_doctor: DoctorMaker
    panel: Panel
    patient: ServedModel | None

    @classmethod
    def of(cls, settings: RunSettings, vocabulary: Vocabulary) -> "Roles":
        """Fill every part; a name that nobody goes by is an InputError."""
        examinee, catalogue = served_examinee(settings), _catalogue(settings)
        maker: DoctorMaker = (
            doctor_maker(settings.model, vocabulary, settings.language)
            if examinee is None
            else lambda _: examinee
        )
        panel = seat_panel(settings, catalogue, examinee)
        return cls(examinee, maker, panel, served_patient(settings, catalogue))


@dataclass
class Ward:
    """A warehouse, a benchmark on it, the doctor under test, the patient's voice and the judges.

    ``examinee`` is the model under test, None where the doctor is a program of the product; ``patient`` the model that
    speaks for patients, None for the templates. ``key_of`` gives a key by the name of its variable.
    """

    warehouse: Warehouse
    benchmark: Benchmark
    vocabulary: Vocabulary
    make_doctor: DoctorMaker
    panel: Panel
    settings: RunSettings
    dictionaries: Dictionaries
    examinee: ServedModel | None = None
    patient: ServedModel | None = None
    key_of: Callable[[str], str | None] = lambda _: None
    _tools: WireTools | None = None
    _live: dict[str, LiveSession] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        warehouse: Warehouse,
        benchmark: Benchmark,
        settings: RunSettings,
        key_of: Callable[[str], str | None] = lambda _: None,
        *,
        judging_only: bool = False,
    ) -> "Ward":
        """Check that everything fits together; what does not is an InputError.

        ``judging_only``: doctor and patient have spoken already, and only judges are called.
        """
        language = settings.language
        if benchmark.manifest.warehouse != warehouse.fingerprint:
            raise InputError(
                f"these sessions were generated from another warehouse than {warehouse.path}: "
                "give --ehr the file they were generated from, or generate them again"
            )
        for session in benchmark.sessions:
            if any(language not in turn.wording for turn in session.turns):
                raise InputError(f"session {session.session_id} is not worded in {language.value!r}")
        _refuse_strangers(warehouse, benchmark.sessions)
        vocabulary = Vocabulary.load()
        roles = Roles.of(settings, vocabulary)
        ward = cls(
            warehouse=warehouse,
            benchmark=benchmark,
            vocabulary=vocabulary,
            make_doctor=roles.make_doctor,
            panel=roles.panel,
            settings=settings,
            dictionaries=Dictionaries(warehouse),
            examinee=None if judging_only else roles.examinee,
            patient=None if judging_only else roles.patient,
            key_of=key_of,
        )
        for served in ward.served:
            ward.key(served)
        return ward

    @property
    def served(self) -> tuple[ServedModel, ...]:
        """List the models that are called."""
        asked = (self.examinee, self.patient, *(seat.served for seat in self.panel.seats))
        return tuple(served for served in asked if served is not None)

    def key(self, served: ServedModel) -> str | None:
        """Give a model's key; a service that wants one and has none is an InputError."""
        return key_for(served, self.key_of)

    @property
    def wire_tools(self) -> WireTools:
        """Give the tool list as models see it, the same for every session."""
        if self._tools is None:
            session = self.benchmark.sessions[0]
            chart = Chart(self.warehouse, session.subject_id, session.as_of, session.hadm_id)
            self._tools = WireTools.of(Toolset(chart, self.vocabulary, self.dictionaries).as_langchain())
        return self._tools

    @property
    def planned(self) -> tuple[Session, ...]:
        """Give the sessions this run is to hold."""
        return self.benchmark.sessions[: self.settings.limit]

    def toolset(self, session: Session) -> Toolset:
        """Open a session's chart at its moment, through the gate of this run, with the patient to be asked."""
        interview = Interview(
            self.benchmark.patients.get(session.session_id),
            self.vocabulary,
            self.settings.language,
            titles=diagnosis_titles(self.warehouse),
        )
        chart = Chart(self.warehouse, session.subject_id, session.as_of, session.hadm_id, self.settings.gate)
        return Toolset(chart, self.vocabulary, self.dictionaries, self.settings.language, interview)

    def shown(self, session: Session, records: Sequence[TurnRecord]) -> list[list[list[ToolResult]]]:
        """Run the calls of finished turns again, on a chart of their own."""
        toolset = self.toolset(session)
        return [run_calls(record, toolset) for record in records]

    def _admit(self, session: Session, records: list[TurnRecord], epoch: int) -> LiveSession:
        toolset = self.toolset(session)
        chart = toolset.chart
        opening = system_message(chart, session.hadm_id, self.settings.language)
        live = LiveSession(session, toolset, [opening], epoch=epoch)
        for record in records:
            live.take_in(record, run_calls(record, toolset))
            if chart.overlay.snapshot() != list(record.overlay):
                raise RuntimeError(
                    f"{session.session_id}: the calls of turn {record.index} no longer write what its record says"
                )
        return live

    async def admit(self, session_id: str, records: list[TurnRecord], epoch: int = 0) -> LiveSession:
        """Take the session as it stands after ``records`` out of the ward, rebuilt where it is not held.

        It goes back with ``keep`` once the turn is done: a turn that breaks off leaves nothing half-written behind.
        """
        live = self._live.pop(thread_of(session_id, epoch), None)
        if live is not None and live.turns_done == len(records):
            return live
        return await asyncio.to_thread(self._admit, self.benchmark.session(session_id), records, epoch)

    def keep(self, live: LiveSession) -> None:
        """Hold a session's chart and conversation for its next turn."""
        self._live[thread_of(live.session.session_id, live.epoch)] = live

    def discharge(self, session_id: str, epoch: int = 0) -> None:
        """Let go of a session's chart."""
        self._live.pop(thread_of(session_id, epoch), None)


def served_examinee(settings: RunSettings) -> ServedModel | None:
    """Work out how the model under test is called; None for a program. What cannot be is an InputError."""
    if is_offline(settings.model):
        if settings.base_url is not None:
            raise InputError(f"--base-url goes with a model that is served, not with {settings.model!r}")
        return None
    examinee = serve(
        ModelChoice(
            name=settings.model,
            base_url=settings.base_url,
            key_variable=settings.key_variable,
            temperature=settings.temperature,
            seed=settings.model_seed,
            thinking=settings.thinking,
            output_tokens=settings.output_tokens,
        ),
        _catalogue(settings),
    )
    if settings.turn_usd is not None:
        priced(examinee, "--turn-usd")
    return examinee


def _catalogue(settings: RunSettings) -> Catalogue:
    return read_catalogue(None if settings.models is None else Path(settings.models))
