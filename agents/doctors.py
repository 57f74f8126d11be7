"""Doctors by name. ``offline/*`` need no key and are never to be compared with published figures."""

from collections.abc import Callable

from langchain_core.language_models import BaseChatModel

from agents.models import COMPATIBLE
from agents.offline.baseline import BaselineDoctor
from agents.offline.look_alike import LookAlikeDrugDoctor
from agents.offline.scripted import DoubleDoseDoctor, GoldDoctor, WrongPatientDoctor
from agents.offline.trivial import DumpDoctor, EchoDoctor, EmptyDoctor, RefusingDoctor
from state.base import InputError, Language
from state.gold import GoldSession
from state.models import ServedModel
from tools.vocabulary import Vocabulary

Doctor = BaseChatModel | ServedModel
"""A program of the product, or a model that the gateway calls."""
DoctorMaker = Callable[[GoldSession], Doctor]
"""Makes the doctor of one session. Only scripted doctors look at the gold; a model under test never gets it."""

OFFLINE = (
    "offline/baseline",
    "offline/gold",
    "offline/empty",
    "offline/refuse",
    "offline/echo",
    "offline/wrong-patient",
    "offline/double-dose",
    "offline/look-alike-drug",
    "offline/dump-everything",
)


def is_offline(name: str) -> bool:
    """Tell whether a doctor is one of the product's own programs."""
    return name.startswith("offline/")


def doctor_maker(name: str, vocabulary: Vocabulary, language: Language) -> DoctorMaker:
    """Return what makes the named program for a session; an unknown name is an InputError."""
    baseline = BaselineDoctor(vocabulary=vocabulary, language=language)
    makers: dict[str, DoctorMaker] = {
        "offline/baseline": lambda _: baseline,
        "offline/gold": lambda gold: GoldDoctor(gold=gold, language=language),
        "offline/empty": lambda _: EmptyDoctor(),
        "offline/refuse": lambda _: RefusingDoctor(),
        "offline/echo": lambda _: EchoDoctor(),
        "offline/wrong-patient": lambda gold: WrongPatientDoctor(gold=gold, language=language),
        "offline/dump-everything": lambda _: DumpDoctor(),
        "offline/look-alike-drug": lambda gold: LookAlikeDrugDoctor(
            gold=gold, language=language, vocabulary=vocabulary
        ),
        "offline/double-dose": lambda gold: DoubleDoseDoctor(
            gold=gold, language=language, vocabulary=vocabulary
        ),
    }
    if name not in makers:
        raise InputError(
            f"unknown model {name!r}: use {COMPATIBLE}/NAME with --base-url, or {', '.join(OFFLINE)}"
        )
    return makers[name]
