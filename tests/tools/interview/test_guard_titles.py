"""No diagnosis title of a hospital's dictionary gets past the guard in a patient's mouth."""

from pathlib import Path

from bedside import SYMPTOMS, knowing, utterance

from state.base import Language
from state.patient import Saying, SymptomFact
from tools.ehr.warehouse import Warehouse
from tools.interview.interview import Interview, Utterance, say_plainly
from tools.interview.titles import diagnosis_titles
from tools.vocabulary import Vocabulary

KNOWN = knowing(SymptomFact(symptom="cough", chief=True))


def titles_of(warehouse: Warehouse) -> list[str]:
    rows = (
        warehouse.cursor()
        .execute("SELECT DISTINCT long_title FROM hosp.d_icd_diagnoses ORDER BY 1")
        .fetchall()
    )
    return [title for (title,) in rows]


def test_titles_of_the_real_dictionary_are_refused(demo_warehouse: Path, vocabulary: Vocabulary) -> None:
    """One in 40 of MIMIC-IV's 100,000 titles; those that name the patient's own symptom are no secret."""
    with Warehouse.open(demo_warehouse) as warehouse:
        titles = titles_of(warehouse)[::40]
    said = utterance(KNOWN, vocabulary, Language.EN, SYMPTOMS, "cough")
    passed = [title for title in titles if not said.faults(f"{said.plain} They call it {title}.")]
    assert [title for title in passed if "cough" not in title.lower()] == []
    assert len(titles) > 2000


def test_titles_of_the_synthetic_cohort_are_refused(
    synthetic_warehouse: Path, vocabulary: Vocabulary
) -> None:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        titles = titles_of(warehouse)
    said = utterance(KNOWN, vocabulary, Language.EN, SYMPTOMS, "cough")
    assert [title for title in titles if not said.faults(f"{said.plain} I have {title}.")] == []
    assert len(titles) > 40


def test_a_title_is_found_whole_and_in_any_case(synthetic_warehouse: Path) -> None:
    with Warehouse.open(synthetic_warehouse) as warehouse:
        find = diagnosis_titles(warehouse)
        assert find("they wrote HYPERKALEMIA down") == "Hyperkalemia"
        assert find("hyperkalemias") is None
        assert find("I have a cough") is None


def test_the_guard_asks_the_dictionary(synthetic_warehouse: Path, vocabulary: Vocabulary) -> None:
    heard: list[Utterance] = []

    def speak(utterance: Utterance) -> Saying:
        heard.append(utterance)
        return say_plainly(utterance)

    with Warehouse.open(synthetic_warehouse) as warehouse:
        Interview(KNOWN, vocabulary, Language.EN, speak, diagnosis_titles(warehouse)).ask(SYMPTOMS, "cough")
        faults = heard[0].faults(f"{heard[0].plain} It is hyperkalemia.")
    assert "it names a diagnosis: 'Hyperkalemia'" in faults
