"""One patient at one moment: the only door to patient data."""

import copy
from collections.abc import Mapping
from datetime import datetime

from state.base import GatePolicy, InputError
from tools.ehr.gates import gated, ungated
from tools.ehr.overlay import Overlay
from tools.ehr.warehouse import Warehouse

Row = dict[str, object]


class Chart:
    """What is known of ``subject_id`` at ``as_of`` (local time of the record, no zone), and the session's writes.

    Every table is read once, through its gate, and answered from memory from then on. ``policy`` chooses the gates;
    any but ``strict`` shows what was not known (``tools.ehr.gates.ungated``).
    """

    def __init__(
        self,
        warehouse: Warehouse,
        subject_id: int,
        as_of: datetime,
        hadm_id: int | None = None,
        policy: GatePolicy = GatePolicy.STRICT,
        *,
        overlay: Overlay | None = None,
    ) -> None:
        """Open the chart.

        ``InputError`` for an unknown patient, one not yet born at ``as_of``, or an admission not his or not begun then.
        """
        if as_of.tzinfo is not None:
            raise InputError(
                f"as_of {as_of.isoformat()} carries a time zone: MIMIC-IV times are local, leave it out"
            )
        self.warehouse = warehouse
        self.subject_id = subject_id
        self.as_of = as_of
        self.hadm_id = hadm_id
        self.policy = policy
        self.overlay = Overlay() if overlay is None else overlay
        self._rows: dict[tuple[str, frozenset[int] | None], list[Row]] = {}
        if not self.rows("hosp.patients"):
            raise InputError(
                f"no patient {subject_id} in {warehouse.path}: give a subject_id of its table hosp.patients"
            )
        if self.birth_year is not None and as_of.year < self.birth_year:
            raise InputError(
                f"patient {subject_id} was born in {self.birth_year}, after {as_of:%Y-%m-%d}: name a later time"
            )
        if hadm_id is not None and all(row["hadm_id"] != hadm_id for row in self.rows("hosp.admissions")):
            raise InputError(
                f"patient {subject_id} has no admission {hadm_id} that had begun by {as_of:%Y-%m-%d %H:%M}: "
                "name another admission or a later time"
            )

    def with_overlay(self, overlay: Overlay) -> "Chart":
        """Give the same record with other writes on it; what was read of it is shared."""
        twin = copy.copy(self)
        twin.overlay = overlay
        return twin

    def rows(self, table: str, items: frozenset[int] | None = None) -> list[Row]:
        """Return the rows of ``table`` known at ``as_of``, each with ``row_id`` and ``known_at``.

        ``items`` narrows a table with an ``itemid`` column to those items; ``icu.chartevents`` is too long to be read
        whole. Callers share the list: they must not change it.
        """
        key = (table, items)
        if key not in self._rows:
            self._rows[key] = self._read(table, items)
        return self._rows[key]

    @property
    def birth_year(self) -> int | None:
        """Give the year of birth, shifted like all dates; the year is all that MIMIC-IV tells."""
        (patient,) = self.rows("hosp.patients")
        year, age = patient["anchor_year"], patient["anchor_age"]
        return year - age if isinstance(year, int) and isinstance(age, int) else None

    @property
    def charted_until(self) -> datetime | None:
        """Give the charted time up to which observations count unless a caller asks further; None where gates tell."""
        return None if self.policy is GatePolicy.STRICT else self.as_of

    def loaded(self, table: str) -> bool:
        """Tell whether the warehouse's source had ``table`` at all."""
        return self.warehouse.loaded(table)

    def _read(self, table: str, items: frozenset[int] | None) -> list[Row]:
        bound: Mapping[str, object] = {"subject_id": self.subject_id}
        if self.policy is GatePolicy.STRICT:
            statement, bound = gated(table), {**bound, "as_of": self.as_of}
        else:
            statement = ungated(table)
        if items is not None:
            statement = f"SELECT * FROM ({statement}) WHERE list_contains($items, itemid)"
            bound = {**bound, "items": sorted(items)}
        cursor = self.warehouse.cursor()
        try:
            result = cursor.execute(statement, bound)
            names = [column[0] for column in result.description]
            return [dict(zip(names, values, strict=True)) for values in result.fetchall()]
        finally:
            cursor.close()
