"""The interview tools in a session's toolset: arguments, references, resources, recorded answers."""

from collections.abc import Callable, Iterator

import pytest
from bedside import ADHERENCE, COMPLAINT, PAIN, SOCIAL, SYMPTOMS, Bedside, at, interview, knowing
from fhir.resources.R4B import get_fhir_model_class

from state.base import Language
from state.patient import AdherenceFact, PainFact, PatientFacts, Saying, SymptomFact
from tools.fhir.toolset import TOOLS, ToolResult, Toolset
from tools.interview.interview import interview_id
from tools.vocabulary import Vocabulary

KNOWN = knowing(
    SymptomFact(symptom="dyspnea", chief=True),
    AdherenceFact(drug="furosemide", home="not_taking", reason="cost", withheld=True),
    AdherenceFact(drug="warfarin", home="taking"),
    PainFact(score=4),
)
OpenTools = Callable[..., Toolset]


@pytest.fixture
def open_tools(bedside: Bedside, vocabulary: Vocabulary) -> OpenTools:
    context = bedside.context(at(5))

    def open_them(known: PatientFacts | None = KNOWN, language: Language = Language.EN) -> Toolset:
        return Toolset(
            context.chart,
            vocabulary,
            context.dictionaries,
            interview=interview(known, vocabulary, language),
        )

    return open_them


def ask(tools: Toolset, name: str, said: Saying | None = None, **arguments: object) -> ToolResult:
    return tools.call(name, {"subject_id": 1, **arguments}, said)


def test_an_answer_is_shown_with_the_references_of_its_facts(open_tools: OpenTools) -> None:
    result = ask(open_tools(), ADHERENCE, drug="Lasix")
    assert result.ok
    assert result.refs == ("Patient/1#adherence-furosemide",)
    assert result.said is not None
    assert result.said.facts == ("adherence-furosemide",)
    assert f'patient: "{result.said.text}"' in result.text
    assert "#" not in result.text
    assert "withheld" not in str(result.resource).lower()


def test_not_knowing_shows_no_fact_but_that_it_was_asked(open_tools: OpenTools) -> None:
    result = ask(open_tools(), ADHERENCE, drug="insulin")
    assert (result.ok, result.refs) == (True, ("Patient/1#unknown-drug-insulin_shot",))
    assert result.said is not None
    assert result.said.facts == ()


def test_an_onset_that_is_not_known_is_named(open_tools: OpenTools) -> None:
    result = ask(open_tools(), SYMPTOMS, query="dyspnea: when did it start? any fever?")
    assert set(result.refs) == {
        "Patient/1#symptom-dyspnea",
        "Patient/1#unknown-symptom-fever",
        "Patient/1#unknown-onset-dyspnea",
    }


def test_the_wire_names_call_the_same_tools(open_tools: OpenTools) -> None:
    dotted = ask(open_tools(), ADHERENCE, drug="warfarin")
    assert dotted == ask(open_tools(), "patient_get_medication_adherence", drug="warfarin")


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        (SYMPTOMS, {}, "missing argument 'query'"),
        (ADHERENCE, {}, "missing argument 'drug'"),
        (ADHERENCE, {"drug": " "}, "must not be empty"),
        (ADHERENCE, {"drug": ["aspirin"]}, "'drug'"),
        (SOCIAL, {"drug": "aspirin"}, "unknown argument 'drug'"),
        (PAIN, {"session_id": "another"}, "there is no interview 'another': leave session_id out"),
        (SYMPTOMS, {"query": "pain", "session_id": KNOWN.session_id}, "there is no interview"),
    ],
)
def test_a_wrong_question_is_refused_and_not_put(
    open_tools: OpenTools, tool: str, arguments: dict[str, object], said: str
) -> None:
    result = ask(open_tools(), tool, **arguments)
    assert not result.ok
    assert said in result.text
    assert (result.refs, result.said) == ((), None)


def test_another_patient_is_refused(open_tools: OpenTools) -> None:
    result = open_tools().call(ADHERENCE, {"subject_id": 2, "drug": "warfarin"})
    assert not result.ok
    assert "this session is about patient 1, not 2" in result.text
    assert result.said is None


def test_the_interview_has_a_name_that_tells_nothing(open_tools: OpenTools) -> None:
    shown = ask(open_tools(), COMPLAINT).text
    assert interview_id(KNOWN.session_id) in shown
    assert KNOWN.session_id not in shown
    named = ask(open_tools(), COMPLAINT, session_id=interview_id(KNOWN.session_id))
    assert named.refs == ("Patient/1#symptom-dyspnea",)


def test_a_recorded_answer_is_said_again_as_it_was(open_tools: OpenTools) -> None:
    """A live model may not say it twice the same way; what it told counts as told."""
    said = Saying(text="Truth is, I quit the furosemide.", facts=("adherence-furosemide",), voice="model")
    tools = open_tools()
    again = ask(tools, ADHERENCE, said, drug="Lasix")
    assert again.said is said
    assert "Truth is" in again.text
    assert set(ask(tools, ADHERENCE, drug="all").refs) == {
        "Patient/1#adherence-furosemide",
        "Patient/1#adherence-warfarin",
    }


def test_the_tool_list_is_the_same_with_facts_and_without(open_tools: OpenTools) -> None:
    with_facts, without = open_tools(), open_tools(None)
    assert with_facts.schemas() == without.schemas()
    assert not TOOLS[COMPLAINT].exposed
    assert sum(schema["function"]["name"].startswith("patient_") for schema in with_facts.schemas()) == 5


def questions() -> Iterator[tuple[str, dict[str, str]]]:
    yield from ((SYMPTOMS, {"query": "fever"}), (ADHERENCE, {"drug": "water pill"}), (COMPLAINT, {}))
    yield from ((name, {}) for name in (SOCIAL, PAIN))


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("known", [KNOWN, None])
def test_answers_are_valid_resources(
    open_tools: OpenTools, known: PatientFacts | None, language: Language
) -> None:
    tools = open_tools(known, language)
    for name, arguments in questions():
        resource = ask(tools, name, **arguments).resource
        get_fhir_model_class(resource["resourceType"]).model_validate(resource)
