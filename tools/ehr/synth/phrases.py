"""configs/synth/notes.yaml: what notes are worded with."""

from collections.abc import Mapping

from state.base import Record


class Function(Record):
    """How a patient gets about, for ages above and up to a limit. ``activity``: the discharge condition's words."""

    text: str
    activity: str
    above: int = 0
    upto: int = 120


class Allergy(Record):
    """An entry of the allergy list, by weight; not of patients who are given one of ``unless``."""

    weight: int
    unless: tuple[str, ...] = ()


class Exam(Record):
    """Findings on arrival; what is left out is as usual."""

    lungs: str = ""
    belly: str = ""
    legs: str = ""


class Film(Record):
    """A radiology report. Words in {braces} are filled in: {who} and {complaint}."""

    exam: str
    code: str
    indication: str
    technique: str
    findings: str
    impression: str


class Phrases(Record):
    """All of it; ``exam`` and ``films`` go by the principal code of the stay, with an entry ``usual``."""

    living: Mapping[str, tuple[str, ...]]
    work: Mapping[str, tuple[str, ...]]
    function: tuple[Function, ...]
    tobacco: Mapping[str, tuple[str, ...]]
    alcohol: tuple[str, ...]
    family: tuple[str, ...]
    allergies: Mapping[str, Allergy]
    disposition: Mapping[str, str]
    short: Mapping[str, str]
    exam: Mapping[str, Exam]
    films: Mapping[str, Film]
    film_orders: Mapping[str, str]
    spoken: Mapping[str, str]

    def prose(self, complaint: str) -> str:
        """Bring a chief complaint as triage writes it into a sentence."""
        words = [self.spoken.get(word, lowered(word)) for word in complaint.split(", ")]
        return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def lowered(text: str) -> str:
    """Begin in lower case, abbreviations excepted."""
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text
