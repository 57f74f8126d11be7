"""The scan of the MIMIC-IV demo against a plain reading of each rule, result by result."""

from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from state.gold import Decision
from state.knowledge import LabCondition, Rule, RuleMatch
from tools.clinical.egfr import egfr_ckd_epi_2021
from tools.clinical.exclusions import UNSTEADY_KIDNEY
from tools.clinical.sample_comments import spoils
from tools.clinical.scan import scan
from tools.ehr.warehouse import Warehouse
from tools.vocabulary import Vocabulary

MINUTE = timedelta(minutes=1)
NEVER = datetime(9999, 1, 1)
DILUTED = ("calcium", "potassium", "magnesium", "phosphate", "urea_nitrogen", "creatinine", "albumin")


class PlainReading:
    """Rows as lists of dictionaries and rules as if-statements."""

    def __init__(self, path: Path, vocabulary: Vocabulary) -> None:
        with duckdb.connect(str(path), read_only=True) as connection:
            self.patients = {row["subject_id"]: row for row in self._rows(connection, "hosp.patients")}
            self.admissions = self._rows(connection, "hosp.admissions")
            self.labs: dict[Any, list[dict[str, Any]]] = defaultdict(list)
            for row in self._rows(connection, "hosp.labevents"):
                analyte = vocabulary.analyte_of_item(row["itemid"])
                if analyte:
                    stored = row["storetime"] or row["charttime"] + timedelta(days=1)
                    row |= {
                        "known": max(stored, row["charttime"]),
                        "usable": self._usable(row, analyte.units),
                    }
                    self.labs[row["subject_id"], analyte.id].append(row)
            self._set_spoiled_aside()
            pharmacy = {row["pharmacy_id"]: row for row in self._rows(connection, "hosp.pharmacy")}
            self.orders: dict[int, list[dict[str, Any]]] = defaultdict(list)
            for row in self._rows(connection, "hosp.prescriptions"):
                ingredient = vocabulary.ingredient(row["drug"] or "")
                backwards = row["stoptime"] and row["stoptime"] < row["starttime"]
                if ingredient and row["drug_type"] == "MAIN" and row["starttime"] and not backwards:
                    dose = vocabulary.dose(f"{row['dose_val_rx']} {row['dose_unit_rx']}")
                    entry = pharmacy.get(row["pharmacy_id"], {})
                    row |= {
                        "ingredient": ingredient.id,
                        "known": max(row["starttime"], entry.get("entertime") or row["starttime"]),
                        "dose": dose,
                        "standing": vocabulary.frequency(entry.get("frequency") or "") != "ONCE"
                        and (row["dose_val_rx"] or "").strip() not in {"0", "0.0", "0.00"},
                        "code": vocabulary.route(row["route"] or ""),
                    }
                    self.orders[row["hadm_id"]].append(row)

    @staticmethod
    def _rows(connection: duckdb.DuckDBPyConnection, table: str) -> list[dict[str, Any]]:
        found = connection.execute(f"SELECT * FROM {table}")
        columns = [column[0] for column in found.description]
        return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]

    @staticmethod
    def _usable(row: dict[str, Any], units: tuple[str, ...]) -> bool:
        if row["valuenum"] is None or (row["valueuom"] or "").strip().lower() not in {
            u.lower() for u in units
        }:
            return False
        if spoils(row["comments"] or ""):
            return False
        return row["value"] in {None, "___"} or float(row["value"]) == row["valuenum"]

    def _set_spoiled_aside(self) -> None:
        """A draw with an infusion in it is told by the draws within a day before and after it."""
        moved: dict[tuple[int, datetime], dict[str, tuple[bool, bool]]] = defaultdict(dict)
        for (subject, analyte), rows in self.labs.items():
            drawn: dict[datetime, list[float]] = defaultdict(list)
            for row in rows:
                if analyte in {*DILUTED, "glucose"} and (row["valuenum"] or 0) > 0:
                    drawn[row["charttime"]].append(row["valuenum"])
            times = sorted(drawn)
            for before, at, after in zip(times, times[1:], times[2:], strict=False):
                if max(at - before, after - at) <= timedelta(hours=24):
                    low, now, high = (sum(drawn[when]) / len(drawn[when]) for when in (before, at, after))
                    moved[subject, at][analyte] = (now >= max(low, high) + 200, now <= min(low, high) * 0.9)
        still = (False, False)
        spoiled = {
            draw
            for draw, told in moved.items()
            if told.get("glucose", still)[0]
            or (told.get("calcium", still)[1] and sum(told.get(one, still)[1] for one in DILUTED) >= 3)
        }
        for (subject, _), rows in self.labs.items():
            for row in rows:
                row["usable"] = row["usable"] and (subject, row["charttime"]) not in spoiled

    def first(self, rule: Rule, rules: list[Rule], *, control: bool = False) -> dict[int, datetime]:
        """Give the first moment ``rule`` holds in each admission, or its control, which is given as a rule."""
        found = {}
        for admission in self.admissions:
            ordered = {order["ingredient"] for order in self.orders[admission["hadm_id"]]}
            if not ordered & set(rule.trigger.order.ingredients):
                continue
            of_analyte = self.labs[admission["subject_id"], rule.trigger.lab.analyte]
            for as_of in sorted({self._as_of(row["known"]) for row in of_analyte}):
                if not admission["admittime"] <= as_of < (admission["dischtime"] or NEVER):
                    continue
                drugs = self._holds(rule, admission, as_of)
                if not drugs or self._active(admission, as_of) & set(rule.trigger.order.rivals):
                    continue
                stops = (
                    o
                    for o in rules
                    if control or (o.decision is Decision.HOLD and rule.decision is not Decision.HOLD)
                )
                shared = set(rule.trigger.order.ingredients)
                spoken_for = {
                    drug for other in stops for drug in shared & self._holds(other, admission, as_of)
                }
                if not drugs - spoken_for or (control and self._unsteady(admission, as_of)):
                    continue
                found[admission["hadm_id"]] = as_of
                break
        return found

    def _active(self, admission: dict[str, Any], as_of: datetime) -> set[str]:
        return {
            order["ingredient"]
            for order in self.orders[admission["hadm_id"]]
            if order["known"] <= as_of and (order["stoptime"] is None or order["stoptime"] > as_of)
        }

    def _unsteady(self, admission: dict[str, Any], as_of: datetime) -> bool:
        week = [
            row
            for row in self.labs[admission["subject_id"], "creatinine"]
            if row["usable"] and row["known"] <= as_of
        ]
        if any(self._above_baseline(new, week, admission) for new in week if self._is_recent(new, as_of)):
            return True
        return any(
            new["valuenum"] >= 1.5 * old["valuenum"]
            or old["valuenum"] >= 1.5 * new["valuenum"]
            or (
                round(new["valuenum"] - old["valuenum"], 2) >= 0.3
                and new["charttime"] - old["charttime"] <= timedelta(hours=48)
            )
            for new in week
            for old in week
            if self._is_recent(new, as_of)
            and timedelta() < new["charttime"] - old["charttime"] <= timedelta(days=7)
        )

    @staticmethod
    def _is_recent(row: dict[str, Any], as_of: datetime) -> bool:
        return as_of - row["charttime"] <= timedelta(days=7)

    @staticmethod
    def _above_baseline(new: Any, known: list[Any], admission: dict[str, Any]) -> bool:
        if new["hadm_id"] not in {None, admission["hadm_id"]} or (
            new["hadm_id"] is None and new["charttime"] < admission["admittime"]
        ):
            return False
        before = [
            old
            for old in known
            if old["charttime"] < admission["admittime"]
            and timedelta(days=7) <= new["charttime"] - old["charttime"] <= timedelta(days=365)
            and old["known"] <= new["known"]
        ]
        last = max(before, key=lambda row: (row["charttime"], row["labevent_id"]), default=None)
        return last is not None and new["valuenum"] >= 1.5 * last["valuenum"]

    @staticmethod
    def _as_of(known: datetime) -> datetime:
        whole = known.replace(second=0, microsecond=0)
        return whole + (6 if whole < known else 5) * MINUTE

    def _holds(self, rule: Rule, admission: dict[str, Any], as_of: datetime) -> set[str]:
        lab, order = rule.trigger.lab, rule.trigger.order
        oldest = as_of - timedelta(hours=lab.within_hours)
        known = [r for r in self.labs[admission["subject_id"], lab.analyte] if r["known"] <= as_of]
        recent = [row for row in known if row["charttime"] >= oldest]
        active = [
            o
            for o in self.orders[admission["hadm_id"]]
            if o["known"] <= as_of and (o["stoptime"] is None or o["stoptime"] > as_of)
        ]
        if not recent or any(o["ingredient"] in order.absent for o in active):
            return set()
        latest = max(recent, key=lambda row: (row["charttime"], row["known"], row["labevent_id"]))
        here = latest["hadm_id"] in {None, admission["hadm_id"]}
        if not (here and latest["usable"] and self._result_holds(rule, latest, known, admission, as_of)):
            return set()
        if order.first_at_least_days is not None and not self._on_its_days(
            rule, latest, known, admission, as_of
        ):
            return set()
        least = order.dose_at_least
        return {
            o["ingredient"]
            for o in active
            if o["ingredient"] in order.ingredients
            and o["standing"]
            and (not order.routes or o["code"] in order.routes)
            and (
                least is None
                or (o["dose"] and o["dose"].unit == order.dose_unit and o["dose"].value >= least)
            )
        }

    def _on_its_days(self, rule: Rule, latest: Any, known: Any, admission: Any, as_of: datetime) -> bool:
        lab, order = rule.trigger.lab, rule.trigger.order
        starts = [
            o["starttime"]
            for o in self.orders[admission["hadm_id"]]
            if o["ingredient"] in order.ingredients and o["known"] <= as_of
        ]
        if not starts:
            return False
        onset = min(starts) + timedelta(days=order.first_at_least_days or 0)
        if not onset <= latest["charttime"] <= min(starts) + timedelta(days=order.first_at_most_days or 0):
            return False
        if lab.fall_fraction_above is None:
            return True
        peak = max(
            self._baselines(lab, latest, known, admission),
            key=lambda row: (row["valuenum"], row["charttime"], row["labevent_id"]),
        )
        return not any(
            row["usable"]
            and peak["charttime"] < row["charttime"] < onset
            and row["valuenum"] < peak["valuenum"] * (1 - lab.fall_fraction_above)
            for row in known
        )

    @staticmethod
    def _baselines(lab: LabCondition, latest: Any, known: Any, admission: Any) -> list[Any]:
        least, most = timedelta(days=lab.baseline_at_least_days or 0), timedelta(days=lab.lookback_days or 0)
        return [
            row
            for row in known
            if row["usable"]
            and least <= latest["charttime"] - row["charttime"] <= most
            and row is not latest
            and (row["hadm_id"] == admission["hadm_id"] or not row["hadm_id"])
            and (row["hadm_id"] or row["charttime"] >= admission["admittime"])
        ]

    def _result_holds(self, rule: Rule, latest: Any, known: Any, admission: Any, as_of: datetime) -> bool:
        lab, value = rule.trigger.lab, latest["valuenum"]
        if lab.times_uln_above is not None:
            return (
                latest["ref_range_upper"] is not None
                and value > lab.times_uln_above * latest["ref_range_upper"]
            )
        if lab.fall_fraction_above is not None:
            before = [row["valuenum"] for row in self._baselines(lab, latest, known, admission)]
            return sum(value < one * (1 - lab.fall_fraction_above) for one in before) >= lab.fall_from_draws
        figures = [value]
        if lab.derived:
            patient = self.patients[admission["subject_id"]]
            age = patient["anchor_age"] + as_of.year - patient["anchor_year"]
            exact = egfr_ckd_epi_2021(value, age, patient["gender"])
            figures = [exact, round(exact)]
        return all(
            (lab.at_least is None or figure >= lab.at_least)
            and (lab.above is None or figure > lab.above)
            and (lab.below is None or figure < lab.below)
            and (lab.at_most is None or figure <= lab.at_most)
            for figure in figures
        )


@pytest.fixture(scope="module")
def reading(demo_warehouse: Path, vocabulary: Vocabulary) -> PlainReading:
    return PlainReading(demo_warehouse, vocabulary)


@pytest.fixture(scope="module")
def plain(rules: dict[str, Rule]) -> dict[str, Rule]:
    """Give the rules that rest on one result and one order alone, which is what the plain reading knows.

    Of exclusions it knows the unsteady kidney of controls.
    """
    return {name: bare(rule) for name, rule in rules.items() if not rule.trigger.also}


def bare(rule: Rule) -> Rule:
    control = rule.control
    if control is not None:
        kidney = {name: why for name, why in control.unless.items() if name == UNSTEADY_KIDNEY}
        control = control.model_copy(update={"unless": kidney, "also": ()})
    trigger = rule.trigger.model_copy(update={"unless": {}, "bars": ()})
    return rule.model_copy(update={"trigger": trigger, "control": control})


def test_scan_and_plain_reading_agree_on_the_demo(
    demo_warehouse: Path, reading: PlainReading, plain: dict[str, Rule], vocabulary: Vocabulary
):
    with Warehouse.open(demo_warehouse) as warehouse:
        found = scan(warehouse, list(plain.values()), vocabulary)
    assert len({(match.rule_id, match.control, match.hadm_id) for match in found}) == len(found) > 60
    assert sum(match.control for match in found) > 30
    compare(reading, found, list(plain.values()))


def compare(reading: PlainReading, found: list[RuleMatch], rules: list[Rule]) -> None:
    def scanned(rule: Rule, *, control: bool) -> dict[int, datetime]:
        return {m.hadm_id: m.as_of for m in found if (m.rule_id, m.control) == (rule.id, control)}

    for rule in rules:
        assert scanned(rule, control=False) == reading.first(rule, rules), rule.id
        if rule.control is not None:
            near = reading.first(rule.as_control(), rules, control=True)
            assert scanned(rule, control=True) == near, rule.id


def test_looser_rules_agree_too(
    demo_warehouse: Path, reading: PlainReading, plain: dict[str, Rule], vocabulary: Vocabulary
):
    """Rules that match nothing in so few patients are widened until they do."""
    loose = [loosened(rule) for rule in plain.values()]
    with Warehouse.open(demo_warehouse) as warehouse:
        found = scan(warehouse, loose, vocabulary)
    matched = {match.rule_id for match in found}
    assert len(matched) >= 17, sorted(set(plain) - matched)
    compare(reading, found, loose)


def loosened(rule: Rule) -> Rule:
    lab = rule.trigger.lab
    wider = {
        name: getattr(lab, name) * factor
        for name, factor in (
            ("above", 0.6),
            ("at_least", 0.6),
            ("below", 1.6),
            ("at_most", 1.6),
            ("times_uln_above", 0.2),
        )
        if getattr(lab, name) is not None
    }
    order = rule.trigger.order.model_copy(update={"dose_at_least": None, "dose_unit": None})
    trigger = rule.trigger.model_copy(update={"lab": lab.model_copy(update=wider), "order": order})
    return rule.model_copy(update={"trigger": trigger})
