"""Topics that any patient has, and that are no laboratory result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from state.base import Language, ResourceRef
from state.gold import ToolCall
from tools.gold.items import ADMISSION_NAMES, dose, name
from tools.gold.pieces import Piece
from tools.gold.source import ALL_ON_ONE_PAGE, GoldSource, NoGold
from tools.gold.topics import WRONG_DOSE, Topic, diagnosis_pieces, dose_in, order_words, time_piece
from tools.wording import load_turn_wordings, render


def _asked(source: GoldSource, name: str, language: Language) -> str:
    wordings = load_turn_wordings(language)
    return render(wordings.asks[name], wordings.pronouns[source.sex])


@dataclass(frozen=True)
class AdmissionTopic:
    """When the current admission began, and where the patient came from."""

    source: GoldSource
    name: str = "admission"

    @property
    def call(self) -> ToolCall:
        """Ask for the current admission."""
        return self.source.call("Encounter.search", hadm_id=self.source.match.hadm_id)

    def asked(self, language: Language) -> str:
        """Name the admission."""
        return _asked(self.source, "admission", language)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State when it began, and from where, unless the record does not say."""
        ref = ResourceRef(f"Encounter/hosp-{self.source.match.hadm_id}")
        found = [r for r in self.source.resources(self.call) if f"Encounter/{r['id']}" == ref]
        if not found:
            raise NoGold("the current admission is not shown")
        time = datetime.fromisoformat(found[0]["period"]["start"]).replace(tzinfo=None)
        began = time_piece("admitted", f"{prefix}-admitted", "admission", time, (ref,), ADMISSION_NAMES)
        place = (found[0].get("hospitalization") or {}).get("admitSource", {}).get("text")
        known = admission_sources()
        return (began, _came_from(place, prefix, ref)) if place in known else (began,)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it began, and from where."""
        return self.pieces(prefix)


def _came_from(place: str, prefix: str, ref: ResourceRef) -> Piece:
    """Say where a stay began; made wrong, it began at the first other place."""
    known = admission_sources()
    said = {language: str(known[place][language.value]) for language in Language}
    names = tuple(dict.fromkeys((place, *said.values(), *known[place]["names"])))
    item = name(f"{prefix}-source", "where the patient came from", names, (ref,), shown=said)
    other = known[next(one for one in known if one != place)]
    words = {language: {"place": words} for language, words in said.items()}
    wrong = {language: {"place": other[language.value]} for language in Language}
    return Piece("came_from", (item,), words=words, wrong_words=wrong)


@cache
def admission_sources() -> Mapping[str, Mapping[str, Any]]:
    """Read where stays begin, by MIMIC-IV's admission_location: how it is said, and the names it goes by."""
    text = (files("configs") / "vocabulary" / "admission_sources.yaml").read_text("utf-8")
    read: Mapping[str, Mapping[str, Any]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return read


@dataclass(frozen=True)
class LastGivenTopic:
    """The last charted dose, in this stay, of the drug of the order a match rests on."""

    source: GoldSource
    name: str = "last_given"

    @property
    def call(self) -> ToolCall:
        """Ask for the charted administrations of its drug."""
        drug = self.source.drug_in(self.source.order.ingredient)[Language.EN]
        return self.source.call("MedicationAdministration.search", medication=drug, _count=ALL_ON_ONE_PAGE)

    def asked(self, language: Language) -> str:
        """Name the dose by how its order bears on the result."""
        words = order_words(self.source, language)
        return render(load_turn_wordings(language).asks["last_given"], words)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State when it was given, and how much of it."""
        if len(self.source.orders_by_ingredient) != 1:
            raise NoGold("orders of several drugs satisfy the rule")
        stay = f"Encounter/hosp-{self.source.match.hadm_id}"
        shown = self.source.resources(self.call)
        given = [
            r
            for r in shown
            if r["status"] == "completed" and (r.get("context") or {}).get("reference") == stay
        ]
        times = [datetime.fromisoformat(r["effectiveDateTime"]).replace(tzinfo=None) for r in given]
        if not times or times.count(max(times)) > 1:
            raise NoGold("no single last dose is charted as given")
        last = max(times)
        event = given[times.index(last)]
        ref = ResourceRef(f"MedicationAdministration/{event['id']}")
        names = self.source.bound_names
        told = time_piece("given_time", f"{prefix}-given", "dose", last, (ref,), names)
        amount = dose_in(event)
        if amount is None:
            return (told,)
        item = dose(f"{prefix}-dose", (amount,), names, (ref,))
        return told, Piece("given_dose", (item,), {"dose": amount}, wrong={"dose": WRONG_DOSE})

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it was given, and how much of it."""
        return self.pieces(prefix)


@dataclass(frozen=True)
class ProblemTopic:
    """The principal diagnosis coded at the last finished admission."""

    source: GoldSource
    name: str = "problem"

    @property
    def call(self) -> ToolCall:
        """Ask for the coded diagnoses, newest visit first."""
        return self.source.call("Condition.search", _count=ALL_ON_ONE_PAGE)

    def asked(self, language: Language) -> str:
        """Name the diagnosis."""
        return _asked(self.source, "problem", language)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State it with its code, and when it was recorded."""
        coded = [r for r in self.source.resources(self.call) if r["id"].startswith("icd-")]
        if not coded:
            raise NoGold("no diagnosis of an earlier admission is coded")
        return diagnosis_pieces(prefix, "the principal diagnosis", coded[0], template="principal")

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State it with its code, without when it was recorded."""
        return self.pieces(prefix)[:1]


AROUND: Mapping[str, Callable[[GoldSource], Topic]] = {
    "admission": AdmissionTopic,
    "last_given": LastGivenTopic,
    "problem": ProblemTopic,
}
"""By the name they have in a plan."""
BACKGROUND = frozenset({"admission", "problem"})
"""Those that any stay has, whatever the matter is."""
