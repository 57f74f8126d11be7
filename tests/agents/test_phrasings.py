"""The phrasings of questions: no way of saying one asks for something else than the others do."""

import random
import re
from itertools import islice

import pytest

from state.base import Language
from state.session import Implicitness
from tools.phrasing import Phrasing
from tools.vocabulary import Vocabulary
from tools.wording import Question, load_turn_wordings, render

WAYS = 120
"""Ways of a phrasing that are looked at: all of most, a seeded sample of the longest."""
MAY_BE_POINTED_TO = {"bearing", "analyte"}
"""What an implicit form may name or point to: it is the same drug, or the same test once others were asked for."""
OF_THE_TALK = {"he", "him", "his", "adjacent", "concluded", "kind", "ranged", "details", "late", "clauses"}
"""Who the patient is, where in the dialogue a question stands, and what the doctor tells unasked: no part of what is
asked."""
SAID = {
    ("en", "trend"): ("earliest|first|start", "72 hours"),
    ("en", "direction"): ("up|rising|higher|rise", "by how much|by what amount|difference", "72 hours"),
    ("zh", "trend"): ("第一次|最早", "72小时"),
    ("zh", "direction"): ("72小时", "多少", "升|往上"),
    ("en", "write_order_scaled"): ("route", "frequency"),
    ("zh", "write_order_scaled"): ("途径", "频次"),
    ("zh", "order_start"): ("开始",),
    ("en", "order_start"): ("since when|how long|start",),
    ("en", "previous"): ("before|previous|prior|preceding",),
    ("zh", "previous"): ("上一次|前一次|往前|之前",),
}
"""What every way of a question has to say, however it is put."""
_SLOT = re.compile(r"\{[{%] (?:(?:el)?if )?(?:not )?(?!endif|else)(\w+)")
_NAMES = re.compile(r"[a-z_]+")
LATE = {"reconsider", "raise_flag", "raise_flag_plain"}
"""Questions that never come right after the first."""
_BACK = re.compile(r"(?:go|com)ing back to|back to|回到|再说|回头|再回", re.IGNORECASE)
"""Begins what goes back to the first result; a physician does not say it right after that."""
QUESTIONS = [
    (language, key, number)
    for language in Language
    for key, questions in load_turn_wordings(language).questions.items()
    for number in range(len(questions))
]


def _ways(phrasing: Phrasing) -> list[str]:
    if phrasing.count <= WAYS:
        return list(phrasing.ways())
    rng = random.Random(7)  # noqa: S311
    return [*islice(phrasing.ways(), 20), *(phrasing.pick(rng) for _ in range(WAYS))]


def _slots(text: str) -> frozenset[str]:
    """Name what a text takes; the drug is the same by what it bears on and by its name."""
    return frozenset("bearing" if slot == "drug" else slot for slot in _SLOT.findall(text)) - OF_THE_TALK


def _forms(question: Question) -> list[Phrasing]:
    return [question.explicit] + ([question.implicit] if question.implicit is not None else [])


@pytest.mark.parametrize(("language", "key", "number"), QUESTIONS)
def test_every_way_names_the_same_things(language: Language, key: str, number: int):
    question = load_turn_wordings(language).questions[key][number]
    explicit = {_slots(way) for way in _ways(question.explicit)}
    assert len(explicit) == 1
    if question.implicit is not None:
        implicit = {_slots(way) - MAY_BE_POINTED_TO for way in _ways(question.implicit)}
        assert len(implicit) == 1, implicit
        assert "test" not in next(iter(implicit))


@pytest.mark.parametrize(("language", "key", "number"), QUESTIONS)
def test_the_test_goes_unnamed_right_after_its_result(language: Language, key: str, number: int):
    question = load_turn_wordings(language).questions[key][number]
    for way in _ways(question.implicit) if question.implicit is not None and key not in LATE else []:
        if _BACK.match(way):
            continue
        names = {name: f"~{name}~" for name in _NAMES.findall(way)}
        context = names | {
            "adjacent": True,
            "concluded": False,
            "kind": "given",
        }
        assert "~analyte~" not in render(way, context), way


@pytest.mark.parametrize(("language", "key", "number"), QUESTIONS)
def test_every_way_says_which_period_and_what_is_wanted(language: Language, key: str, number: int):
    for form in _forms(load_turn_wordings(language).questions[key][number]):
        for way in _ways(form):
            for said in SAID.get((language.value, key), ()):
                assert any(word in way.lower() for word in said.split("|")), (said, way)


@pytest.mark.parametrize(("language", "key", "number"), QUESTIONS)
def test_a_choice_of_what_to_do_with_a_drug_leaves_room_for_something_else(
    language: Language, key: str, number: int
):
    """The right answer can be to replace what is lacking, which no choice of the drug alone names."""
    chooses = {Language.EN: r"(?:continue|carry on|keep going), ", Language.ZH: r"接着用、减"}[language]
    other = {Language.EN: r"something else", Language.ZH: r"另作处理|别的(?:办法|想法)"}[language]
    for form in _forms(load_turn_wordings(language).questions[key][number]):
        for way in _ways(form):
            assert not re.search(chooses, way) or re.search(other, way), way


@pytest.mark.parametrize("key", load_turn_wordings(Language.EN).questions)
def test_a_question_asks_for_the_same_in_every_way_and_language(key: str):
    """The slots of full forms agree, but for those that say where in the record a question is at home."""
    beside = {"analyte", "test", "about"}
    asked = {
        frozenset(_slots(way) - beside)
        for language in Language
        for question in load_turn_wordings(language).questions[key]
        for way in _ways(question.explicit)[:20]
    }
    assert len(asked) == 1, asked


@pytest.mark.parametrize("key", load_turn_wordings(Language.EN).questions)
@pytest.mark.parametrize("way", Implicitness)
def test_full_forms_of_a_way_name_the_test_in_both_languages_or_in_neither(key: str, way: Implicitness):
    """Whichever phrasing either language draws, the two full forms name the same tests."""
    named = {
        "analyte" in _slots(said)
        for language in Language
        for question in load_turn_wordings(language).questions[key]
        if question.implicitness is way
        for said in _ways(question.explicit)[:20]
    }
    assert len(named) <= 1


@pytest.mark.parametrize("language", Language)
def test_questions_after_the_first_can_be_put_in_several_ways(language: Language):
    for key, questions in load_turn_wordings(language).questions.items():
        ways = {question.implicitness for question in questions}
        if key == "look_up_lab":
            assert ways == {Implicitness.EXPLICIT}
        else:
            assert len(ways - {Implicitness.EXPLICIT}) >= 2, key


def test_both_languages_put_the_same_questions():
    """A way that reads lightly in one language alone is used in neither; two are left for every question."""
    english, chinese = (load_turn_wordings(language).questions for language in (Language.EN, Language.ZH))
    assert set(english) == set(chinese)
    for key in english:
        ways = {q.implicitness for q in english[key]} & {q.implicitness for q in chinese[key]}
        assert len(ways) >= 2 or ways == {Implicitness.EXPLICIT}, key


@pytest.mark.parametrize("language", Language)
def test_what_a_test_is_called_is_known_to_the_vocabulary(language: Language):
    vocabulary = Vocabulary.load()
    for analyte_id, spoken in load_turn_wordings(language).spoken.items():
        found = vocabulary.analyte(spoken)
        assert found is not None, spoken
        assert found.id == analyte_id
        assert [analyte.id for analyte in vocabulary.analytes_in(f"最近一次{spoken}多少")] == [analyte_id]
