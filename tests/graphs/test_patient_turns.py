"""Turns that ask the patient: gold passes, nothing that did not ask does, and no fact slips past what was said."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from made import GATHER, LOOKUP, REASON, Made, make
from pydantic import ValidationError
from wards import Run

from agents.checkers import check_gold, leaked_gold
from agents.offline.baseline import BaselineDoctor
from agents.planner import plan_session
from graphs.benchmark import PATIENTS, Benchmark, read_benchmark, write_benchmark
from graphs.embedded import SEED
from graphs.run_folder import RunFolder, read_manifest
from graphs.verify import session_faults, verify
from graphs.ward import Ward
from graphs.workshop import Workshop
from state.base import Cohort, InputError, Language
from state.gold import PatientFactItem, PatientOnlyItem, PatientUnknownItem
from state.manifest import BenchmarkManifest, RunSettings
from state.outcome import Scored
from state.patient import AdherenceFact, SymptomFact
from state.plan import Slot
from state.session import Scenario, TaskSource
from tools.clinical.rules import knowledge_fingerprint
from tools.ehr.warehouse import Warehouse
from tools.gold import NoGold

PASS_MARK = 0.60


@pytest.fixture(scope="module")
def workshop(warehouse: Warehouse) -> Workshop:
    return Workshop(warehouse, (Scenario.MED_SAFETY, Scenario.DISCHARGE_PLANNING), seed=SEED)


@pytest.fixture(scope="module")
def asking(workshop: Workshop) -> list[Made]:
    return [
        make(workshop, "apixaban_age_alone_continue", (LOOKUP, REASON, LOOKUP, REASON), asks=True),
        make(workshop, "statin_mild_alt_rise_continue", (LOOKUP, REASON, LOOKUP, REASON), asks=True),
        make(workshop, "ferritin_below_45_anemia_start", (LOOKUP, LOOKUP, GATHER, REASON), asks=True),
    ]


@pytest.fixture(scope="module")
def folder(workshop: Workshop, asking: Sequence[Made], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the sessions as a set."""
    out = tmp_path_factory.mktemp("asking")
    manifest = BenchmarkManifest(
        cohort=Cohort.SYNTHETIC,
        warehouse=workshop.warehouse.fingerprint,
        knowledge=knowledge_fingerprint(),
        vocabulary=workshop.vocabulary.fingerprint,
        wording="",
        scenarios=tuple(scenario.value for scenario in workshop.scenarios),
        sessions=len(asking),
        seed=workshop.seed,
        model="offline/templates",
        gate=workshop.gate,
    )
    patients = [made.patient for made in asking if made.patient]
    write_benchmark(
        out,
        [m.session for m in asking],
        [m.gold for m in asking],
        [m.plan for m in asking],
        manifest,
        patients,
    )
    return out


@pytest.fixture(scope="module")
def benchmark(folder: Path) -> Benchmark:
    return read_benchmark(folder)


def asked_turn(made: Made) -> int:
    (turn,) = [turn for turn in made.session.turns if turn.source.asks_the_patient]
    return turn.index


def test_every_session_asks_once_and_proves_itself(asking: Sequence[Made]) -> None:
    for made in asking:
        turn = made.session.turns[asked_turn(made)]
        assert (turn.source is TaskSource.MIXED) == (turn.task_type is REASON)
        items = made.gold.turns[turn.index].rubric
        assert sum(isinstance(item, PatientFactItem | PatientUnknownItem) for item in items) >= 2
        assert sum(isinstance(item, PatientOnlyItem) for item in items) == 1
        assert session_faults(made.session, made.gold, made.plan, made.patient, made.workshop) == []


def test_a_drug_kept_back_is_asked_for_by_name(asking: Sequence[Made]) -> None:
    made = asking[0]
    assert made.patient is not None
    facts = {fact.fact_id: fact for fact in made.patient.facts}
    assert facts["adherence-apixaban"].withheld
    calls = [c.arguments for c in made.gold.turns[asked_turn(made)].calls if c.tool.endswith("adherence")]
    assert {"subject_id": made.session.subject_id, "drug": "apixaban"} in calls


def test_a_patient_who_says_otherwise_is_caught(asking: Sequence[Made]) -> None:
    """Gold that rests on what the patient does not say is refused, in both languages."""
    for made in asking:
        assert made.patient is not None
        silent = replace(made, patient=made.patient.model_copy(update={"facts": ()}))
        faults = check_gold(made.session, made.gold, made.drafts, silent.source())
        for language in Language:
            told = f"turn {asked_turn(made)} {language}: the patient does not tell"
            assert any(told in fault for fault in faults), faults


def test_a_patient_who_knows_nothing_makes_no_tier_three_session(asking: Sequence[Made]) -> None:
    made = asking[0]
    assert made.patient is not None
    source = made.workshop.source(made.plan.match, made.patient.model_copy(update={"facts": ()}))
    slot = Slot(scenario=made.plan.scenario, tier=3, arc=made.plan.arc)
    with pytest.raises(NoGold, match="the patient knows no fact that a turn of arc"):
        plan_session(source, slot, SEED, made.plan.persona)


def passed(folder: RunFolder, made: Sequence[Made]) -> dict[str, bool]:
    turns = {m.session.session_id: asked_turn(m) for m in made}
    found = {}
    for result in folder.results():
        outcome = result.turns[turns[result.session_id]].outcome
        assert isinstance(outcome, Scored), outcome
        found[result.session_id] = outcome.score >= PASS_MARK
    return found


@pytest.mark.parametrize("language", Language)
def test_gold_passes_and_no_doctor_who_does_not_ask(
    warehouse: Warehouse, benchmark: Benchmark, asking: Sequence[Made], run: Run, language: Language
) -> None:
    settings = RunSettings(model="offline/gold", language=language)
    assert set(passed(run(Ward.open(warehouse, benchmark, settings)), asking).values()) == {True}


@pytest.mark.parametrize("model", ["empty", "refuse", "echo", "wrong-patient"])
def test_no_trivial_doctor_passes(
    warehouse: Warehouse, benchmark: Benchmark, asking: Sequence[Made], run: Run, model: str
) -> None:
    ward = Ward.open(warehouse, benchmark, RunSettings(model=f"offline/{model}"))
    assert set(passed(run(ward), asking).values()) == {False}


def test_the_baseline_asks(warehouse: Warehouse, benchmark: Benchmark, run: Run) -> None:
    ward = Ward.open(warehouse, benchmark, RunSettings(model="offline/baseline"))
    records = run(ward).records()
    for record in records:
        known = ward.benchmark.patients[record.session_id]
        refs = {
            ref for turn in record.turns for step in turn.steps for call in step.calls for ref in call.refs
        }
        assert refs & {known.ref(fact.fact_id) for fact in known.facts}


def test_neither_gold_nor_facts_reach_a_doctor(
    warehouse: Warehouse, benchmark: Benchmark, asking: Sequence[Made], run: Run
) -> None:
    """Beyond what the patient said, nothing of patients.jsonl or gold is in any message."""
    ward = Ward.open(warehouse, benchmark, RunSettings(model="offline/baseline"))
    heard: list[str] = []

    class Listening(BaselineDoctor):
        def reply(self, messages):  # type: ignore[no-untyped-def]
            heard.extend(message.text for message in messages if message.type != "ai")
            return super().reply(messages)

    ward.make_doctor = lambda _: Listening(vocabulary=ward.vocabulary)
    run(ward)
    sent = "\n".join(heard)
    assert "patient: " in sent
    for made in asking:
        assert leaked_gold(made.gold, heard) == []
        assert made.patient is not None
        for secret in ("withheld", "persona", "invented", "critical", made.session.session_id):
            assert secret not in sent
        for fact in made.patient.facts:
            assert f"#{fact.fact_id}" not in sent
            if isinstance(fact, AdherenceFact) and fact.withheld and fact.reason:
                assert fact.reason not in sent


def test_questions_name_nothing_the_patient_has_to_tell(asking: Sequence[Made]) -> None:
    for made in asking:
        vocabulary = made.workshop.vocabulary
        assert made.patient is not None
        drugs = {fact.drug for fact in made.patient.facts if isinstance(fact, AdherenceFact)}
        chief = {f.symptom for f in made.patient.facts if isinstance(f, SymptomFact) and f.chief}
        for wording in made.session.turns[asked_turn(made)].wording.values():
            for text in (wording.explicit, wording.implicit):
                assert drugs.isdisjoint(drug.id for drug in vocabulary.ingredients_in(text))
                assert all(name.replace("_", " ") not in text for name in chief)


def test_a_set_is_proved_again_with_its_patients(folder: Path, warehouse: Warehouse) -> None:
    assert verify(folder, warehouse) == []


def test_changed_facts_are_found_and_change_the_fingerprint(
    folder: Path, benchmark: Benchmark, warehouse: Warehouse, tmp_path: Path
) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    text = (tmp_path / PATIENTS).read_text("utf-8")
    (tmp_path / PATIENTS).write_text(text.replace('"withheld":true', '"withheld":false'), "utf-8")
    assert read_benchmark(tmp_path, altered_too=True).fingerprint != benchmark.fingerprint
    assert any("the patient on file is not who" in fault for fault in verify(tmp_path, warehouse))


def test_a_set_without_its_patients_is_refused(folder: Path, tmp_path: Path) -> None:
    for file in folder.iterdir():
        if file.name != PATIENTS:
            (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(InputError, match=r"asks the patient, and .* does not say what is known"):
        read_benchmark(tmp_path)


def test_a_session_asks_the_patient_in_one_turn_at_most(asking: Sequence[Made]) -> None:
    session = asking[0].session
    turns = tuple(turn.model_copy(update={"source": TaskSource.PATIENT}) for turn in session.turns)
    with pytest.raises(ValidationError, match="at most one turn of a session asks the patient"):
        type(session).model_validate(session.model_copy(update={"turns": turns}).model_dump())


def test_the_words_of_patients_are_in_the_comparison_key(
    benchmark: Benchmark, warehouse: Warehouse, run: Run
) -> None:
    folder = run(Ward.open(warehouse, benchmark, RunSettings(model="offline/empty", limit=1)))
    manifest = read_manifest(folder.path)
    assert manifest.comparison_key != manifest.model_copy(update={"patient_words": "other"}).comparison_key
