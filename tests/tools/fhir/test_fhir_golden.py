"""Every result of a made-up hospital is written as in its golden file, in every language."""

import pytest
from golden_results import CALLS, GOLDEN, NOW, filled, results
from hospital import Hospital

from state.base import Language
from tools.fhir.labels import Labels
from tools.fhir.render import WRITE


@pytest.fixture(scope="module")
def written(make_hospital) -> dict[str, str]:
    return dict(results(filled(make_hospital())))


@pytest.mark.parametrize("name", [f"{call}.{language}.txt" for call in CALLS for language in Language])
def test_a_result_is_written_as_before(written: dict[str, str], name: str) -> None:
    assert written[name] == (GOLDEN / name).read_text("utf-8"), (
        "remake: see tests/tools/fhir/golden/README.md"
    )


def test_there_is_a_golden_file_for_every_result_and_a_line_for_every_type(written: dict[str, str]) -> None:
    assert {file.name for file in GOLDEN.glob("*.txt")} == written.keys()
    for language in Language:
        texts = "".join(text for name, text in written.items() if f".{language}." in name)
        assert all(f"{kind}/" in texts for kind in WRITE)


def test_no_label_of_one_language_stands_in_another(written: dict[str, str]) -> None:
    chinese = "".join(text for name, text in written.items() if ".zh." in name)
    english = Labels.load(Language.EN)
    told = (
        "note: ",
        "reported ",
        "ordered ",
        "reference ",
        "end not reached",
        "showing ",
        " known at ",
        "recorded ",
    )
    assert all(any(words in phrase for phrase in english.phrases.values()) for words in told)
    assert [words for words in told if words in chinese] == []


def test_both_languages_say_the_same_of_the_same(make_hospital) -> None:
    hospital: Hospital = filled(make_hospital())
    by_language = [hospital.toolset(NOW, 20, language=language) for language in Language]
    for name in (call for call in CALLS if call.endswith((".search", ".read", ".everything"))):
        found = [tools.call(name, {"subject_id": 1}) for tools in by_language]
        assert found[0].refs == found[1].refs
        assert found[0].resource["resourceType"] == found[1].resource["resourceType"]
        assert found[0].text != found[1].text
