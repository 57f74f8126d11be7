"""What bears on how a test is read and only the patient can tell: configs/patient/pertinent.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from state.base import Language
from state.patient_values import Level, Side
from tools.interview.words import read, symptoms

ABBREVIATED = frozenset({"abd", "ams", "brbpr", "cp", "doe", "llq", "luq", "n/v", "po", "rlq", "ruq", "sob"})
"""Short forms of the record, which nobody says aloud."""


@dataclass(frozen=True)
class Matters:
    """Symptoms a story may deny, symptoms a patient often cannot tell, and groups of drugs taken on one's own."""

    symptoms: tuple[str, ...]
    unsure: tuple[str, ...]
    probes: tuple[str, ...]


def matters_of(analyte: str) -> Matters:
    """Give what matters beside a test."""
    listed = read("pertinent")["matters"]
    entry = next(one for one in listed if "tests" not in one or analyte in one["tests"])
    return Matters(*(tuple(entry[name]) for name in ("symptoms", "unsure", "probes")))


@cache
def symptom_words() -> Mapping[str, Mapping[Language, str]]:
    """Name each symptom that is asked for as a physician does."""
    return {
        name: {language: words[language] for language in Language}
        for name, words in read("pertinent")["names"].items()
    }


def clinical_name(symptom: str, language: Language, side: Side | None = None) -> str:
    """Name any symptom as a physician does, who does not call it his own."""
    words = symptom_words().get(symptom)
    if words is not None:
        return words[language]
    if language is Language.EN and (recorded := _recorded().get(symptom)):
        return f"{side} {recorded}" if side else recorded
    return symptoms()[symptom].name(language, Level.HIGH, side)


@cache
def _recorded() -> Mapping[str, str]:
    """Give what the record calls each symptom, where it has a word for it that is no abbreviation."""
    whole = {
        entry["id"]: [word for word in entry["record"] if ABBREVIATED.isdisjoint(word.split())]
        for entry in read("symptoms")["symptoms"]
    }
    return {name: words[0] for name, words in whole.items() if words}


def probe_words(group: str) -> Mapping[Language, str]:
    """Name a group of drugs as a physician does."""
    entry = read("pertinent")["probes"][group]
    return {language: entry[language] for language in Language}


def probe_question(group: str) -> str:
    """Give the drug argument that asks for a group."""
    return str(read("pertinent")["probes"][group]["ask"])
