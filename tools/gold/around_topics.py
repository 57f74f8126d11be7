"""Topics that any patient has, and that are no laboratory result."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from state.base import Language, ResourceRef
from state.gold import ToolCall
from tools.gold.items import ADMISSION_NAMES
from tools.gold.pieces import Piece
from tools.gold.source import ALL_ON_ONE_PAGE, GoldSource, NoGold
from tools.gold.topics import Topic, bearing, diagnosis_piece, time_piece
from tools.wording import load_turn_wordings, render


def _asked(source: GoldSource, name: str, language: Language) -> str:
    wordings = load_turn_wordings(language)
    return render(wordings.asks[name], wordings.pronouns[source.sex])


@dataclass(frozen=True)
class AdmissionTopic:
    """When the current admission began."""

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
        """State when it began."""
        ref = ResourceRef(f"Encounter/hosp-{self.source.match.hadm_id}")
        found = [r for r in self.source.resources(self.call) if f"Encounter/{r['id']}" == ref]
        if not found:
            raise NoGold("the current admission is not shown")
        time = datetime.fromisoformat(found[0]["period"]["start"]).replace(tzinfo=None)
        return (time_piece("admitted", f"{prefix}-admitted", "admission", time, (ref,), ADMISSION_NAMES),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it began."""
        return self.pieces(prefix)


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
        words = {"bearing": bearing(self.source, language)}
        return render(load_turn_wordings(language).asks["last_given"], words)

    def pieces(self, prefix: str) -> tuple[Piece, ...]:
        """State when it was given."""
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
        ref = ResourceRef(f"MedicationAdministration/{given[times.index(last)]['id']}")
        names = self.source.bound_names
        return (time_piece("given_time", f"{prefix}-given", "dose", last, (ref,), names),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State when it was given."""
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
        """State it with its code."""
        coded = [r for r in self.source.resources(self.call) if r["id"].startswith("icd-")]
        if not coded:
            raise NoGold("no diagnosis of an earlier admission is coded")
        first = coded[0]
        code, title = first["code"]["coding"][0]["code"], first["code"]["text"]
        ref = ResourceRef(f"Condition/{first['id']}")
        item_id, what = f"{prefix}-diagnosis", "the principal diagnosis"
        return (diagnosis_piece(item_id, what, code, title, (ref,), template="principal"),)

    def reading(self, prefix: str, *, safety: bool = False) -> tuple[Piece, ...]:
        """State it with its code."""
        return self.pieces(prefix)


AROUND: Mapping[str, Callable[[GoldSource], Topic]] = {
    "admission": AdmissionTopic,
    "last_given": LastGivenTopic,
    "problem": ProblemTopic,
}
"""By the name they have in a plan."""
