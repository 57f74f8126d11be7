"""What only tells of the patient: known word by word, and never where it may advise or conclude."""

import pytest

from state.base import Language
from tools.grading.accounts import drug_words
from tools.grading.tellings import Told, told
from tools.grading.text import parts
from tools.interview.words import account
from tools.vocabulary import Vocabulary

FILLED = {
    Language.EN: {"what": "diarrhea", "drug": "warfarin", "span": "three weeks", "score": "7"},
    Language.ZH: {"what": "腹泻", "drug": "华法林", "span": "三周", "score": "7"},
}
OPENED = {Language.EN: "The patient reports fever.\n", Language.ZH: "患者诉发热。\n"}


def _leaves(entry: object) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    return [leaf for one in (entry.values() if isinstance(entry, dict) else ()) for leaf in _leaves(one)]


SENTENCES = [
    (language, sentence.format(**FILLED[language]))
    for language in Language
    for sentence in _leaves(account(language)["tell"])
]


def _read(text: str, language: Language) -> list[Told]:
    points = parts(text)
    read = told(points, language, drug_words(Vocabulary.load()))
    return [one for point, one in zip(points, read, strict=True) if point.strip()]


@pytest.mark.parametrize(("language", "sentence"), SENTENCES)
def test_what_reference_answers_tell_of_the_patient_is_known(language: Language, sentence: str) -> None:
    assert _read(OPENED[language] + sentence, language) == [Told.ACCOUNT, Told.ACCOUNT]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.EN, "Interview:\n- Naproxen: takes it at home, none given since admission\n- Dysuria: no"),
        (
            Language.EN,
            "I spoke with the patient. They came in with weakness that began 4 days before arrival.",
        ),
        (
            Language.EN,
            "Pt: belly swelling x2 wks, on and off, mild. No diarrhea. Can't tell re urine output.",
        ),
        (Language.EN, 'Patient said it is "not too bad", so mild. They are worried.'),
        (Language.EN, "What the patient couldn't answer\n- Whether urine output has been lower than usual"),
        (
            Language.ZH,
            "已询问患者。患者表示在家服用萘普生，入院以来未再使用；没有尿痛；尿量有没有减少，患者说不上来。",
        ),
        (Language.ZH, "患者的回答\n- 华法林：在家在吃，住院后护士也在给\n- 血尿：没有\n- 黑便：患者不清楚"),
        (Language.ZH, "气短5天，加重，重。没头痛。体重说不清。"),
    ],
)
def test_an_account_is_known_as_one(language: Language, text: str) -> None:
    assert set(_read(text, language)) == {Told.ACCOUNT}


@pytest.mark.parametrize(
    ("language", "text", "hidden"),
    [
        (Language.EN, "The patient says the doctor will stop warfarin.", Told.AMONG),
        (Language.EN, "She was told to hold it.", Told.AMONG),
        (Language.EN, "She takes warfarin at home, and may go on with it there.", Told.AMONG),
        (Language.EN, "The patient reports no dysuria so naproxen is fine again.", Told.AMONG),
        (Language.EN, "No question she can't resume naproxen.", Told.OWN),
        (Language.EN, "Nothing she could not go on with as usual.", Told.OWN),
        (Language.EN, "Naproxen at home: yes.", Told.OWN),
        (Language.EN, "Take it at home.", Told.OWN),
        (Language.EN, "Polydipsia, severe.", Told.AMONG),
        (Language.EN, "If no dysuria.", Told.OWN),
        (Language.ZH, "患者说医生会停用萘普生。", Told.AMONG),
        (Language.ZH, "在家服用萘普生。", Told.OWN),
        (Language.ZH, "没有腹泻，今晚那次照给。", Told.OWN),
    ],
)
def test_what_may_advise_or_conclude_is_no_account(language: Language, text: str, hidden: Told) -> None:
    assert _read(text, language) == [hidden]


def test_what_stands_below_a_heading_or_in_one_sentence_with_the_account_may_be_the_patients_word() -> None:
    listed = "Patient says:\n- takes naproxen at home\n- withheld since admission\n\nWithhold naproxen."
    assert _read(listed, Language.EN) == [Told.ACCOUNT, Told.ACCOUNT, Told.AMONG, Told.OWN]
    advised = "Patient says:\n- takes naproxen at home\n- Recommendation: withhold naproxen"
    assert _read(advised, Language.EN) == [Told.ACCOUNT, Told.ACCOUNT, Told.OWN]
    joined = "Pt: takes naproxen at home; withheld here. Withhold naproxen."
    assert _read(joined, Language.EN) == [Told.ACCOUNT, Told.AMONG, Told.OWN]
