"""What happened in one stay, gathered so that its notes tell the same as the tables."""

from collections.abc import Mapping
from dataclasses import dataclass

from tools.ehr.synth.blood import Unit
from tools.ehr.synth.orders import Ending, Order
from tools.ehr.synth.person import HomeDrug, Person
from tools.ehr.synth.radiology import Report
from tools.ehr.synth.results import Drawn
from tools.ehr.synth.rows import Row
from tools.ehr.synth.stay import Stay
from tools.ehr.synth.story import Fact


@dataclass(frozen=True)
class Account:
    """One stay: its home list, orders, results, reports, units of blood and rows."""

    person: Person
    stay: Stay
    home: tuple[HomeDrug, ...]
    orders: tuple[Order, ...]
    drawn: tuple[Drawn, ...]
    reports: tuple[Report, ...]
    units: tuple[Unit, ...]
    rows: tuple[Row, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """List what the story has the patient tell in this stay."""
        exposure = self.stay.exposure
        return tuple(fact for fact in exposure.story.facts if self.stay.tells(fact)) if exposure else ()

    @property
    def triage(self) -> Mapping[str, object] | None:
        """Give the row of ed.triage, if the stay began in the emergency department."""
        return next((row for table, row in self.rows if table == "ed.triage"), None)

    @property
    def admission(self) -> Mapping[str, object]:
        """Give the row of hosp.admissions."""
        return next(row for table, row in self.rows if table == "hosp.admissions")

    @property
    def codes(self) -> tuple[str, ...]:
        """List the diagnoses coded of the stay, the first being the principal."""
        return tuple(str(row["icd_code"]) for table, row in self.rows if table == "hosp.diagnoses_icd")

    def ordered(self, key: str) -> Order | None:
        """Give the last order of a drug of the catalog."""
        found = [order for order in self.orders if order.key == key]
        return max(found, key=lambda order: order.start) if found else None

    def stopped(self, key: str) -> bool:
        """Tell whether a drug was ended before discharge, by the ward or as a story says of an earlier stay."""
        earlier, order = self.stay.plan.earlier, self.ordered(key)
        told = earlier is not None and key in earlier.stopped
        return told or (order is not None and order.ending is Ending.DISCONTINUED)
