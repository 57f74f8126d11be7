"""``call`` prints what a model would see, and says in one sentence what was wrong with a call."""

import json
from datetime import datetime
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from state.base import Cohort
from tools.ehr.call import call_command
from tools.ehr.writer import WarehouseWriter

app = typer.Typer()
app.command()(call_command)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("call") / "w.duckdb"
    with WarehouseWriter(out, Cohort.SYNTHETIC) as writer:
        writer.insert(
            "hosp.patients", [{"subject_id": 1, "gender": "F", "anchor_age": 50, "anchor_year": 2150}]
        )
        stay = {
            "subject_id": 1,
            "hadm_id": 20,
            "admittime": datetime(2150, 1, 1),
            "dischtime": datetime(2150, 1, 9),
        }
        writer.insert("hosp.admissions", [stay])
        writer.commit()
    return str(out)


def call(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.stdout, result.stderr


def test_a_call_prints_text_or_json(file: str) -> None:
    words = (file, "Patient.read", '{"subject_id": 1}', "--as-of", "2150-01-05T12:00")
    assert call(*words) == (0, "Patient/1 | female | born 2100, 50 years at 2150-01-05\n", "")
    code, out, _ = call(*words, "--json", "--hadm-id", "20")
    assert code == 0
    assert json.loads(out)["resourceType"] == "Patient"
    assert call(file, "Patient_read", *words[2:])[0] == 0


def test_tools_that_are_not_offered_to_models_can_be_called(file: str) -> None:
    code, out, error = call(file, "Patient.everything", '{"subject_id": 1}', "--as-of", "2150-01-05T12:00")
    assert (code, error) == (0, "")
    assert "counts: Patient 1, Encounter 1" in out


def test_the_published_gate_is_asked_for_by_name(file: str) -> None:
    words = (file, "Encounter.search", '{"subject_id": 1}', "--as-of", "2150-01-05T12:00")
    assert "end not reached" in call(*words)[1]
    assert "to 2150-01-09 00:00" in call(*words, "--gate", "physassistbench")[1]
    assert call(*words, "--gate", "none")[0] == 2


def test_a_refusal_of_the_record_is_printed_and_exits_1(file: str) -> None:
    code, out, error = call(file, "Observation.search", '{"subject_id": 1}', "--as-of", "2150-01-05T12:00")
    assert (code, error) == (1, "")
    assert out.startswith("Error (not-supported): ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("{f}.not", "Patient.read", '{"subject_id": 1}', "--as-of", "2150-01-05"), "no warehouse at"),
        (
            ("{f}", "Patient.reed", '{"subject_id": 1}', "--as-of", "2150-01-05"),
            "there is no tool 'Patient.reed'",
        ),
        (("{f}", "Patient.read", "{subject_id: 1}", "--as-of", "2150-01-05"), "the arguments are not JSON"),
        (("{f}", "Patient.read", "[1]", "--as-of", "2150-01-05"), "not a JSON object"),
        (("{f}", "Patient.read", "{}", "--as-of", "2150-01-05"), "must hold the patient"),
        (
            ("{f}", "Patient.read", '{"subject_id": 1}', "--as-of", "yesterday"),
            "--as-of: 'yesterday' is not a date",
        ),
        (("{f}", "Patient.read", '{"subject_id": 9}', "--as-of", "2150-01-05"), "no patient 9"),
        (("{f}", "Patient.read", '{"subject_id": 1e400}', "--as-of", "2150-01-05"), "must hold the patient"),
        (
            ("{f}", "Patient.read", '{"subject_id": 1}', "--as-of", "2150-01-05", "--hadm-id", "9"),
            "patient 1 has no admission 9",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(file: str, words: tuple[str, ...], said: str) -> None:
    code, out, error = call(*(word.replace("{f}", file) for word in words))
    assert (code, out) == (2, "")
    assert said in error
    assert error.count("\n") == 1


def test_a_file_that_is_no_warehouse_is_bad_input(tmp_path: Path) -> None:
    other = tmp_path / "x.duckdb"
    other.write_text("not a database")
    code, _, error = call(str(other), "Patient.read", '{"subject_id": 1}', "--as-of", "2150-01-05")
    assert code == 2
    assert "x.duckdb" in error
