"""Small warehouses written row by row, to be scanned."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest
from courses import DISCHARGED, DRAWN, STORED

from state.base import Cohort
from state.knowledge import Rule, RuleMatch
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.vocabulary import Vocabulary

pytest.register_assert_rewrite("rule_checks")

ADMITTED = datetime(2150, 1, 1, 12)
ORDERED = datetime(2150, 1, 9, 8)


class Ward:
    """Rows of a warehouse in the making. Subjects and admissions are numbered from 1."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.rows: dict[str, list[dict[str, object]]] = {
            name: []
            for name in ("patients", "admissions", "labevents", "prescriptions", "pharmacy", "d_labitems")
        }

    def patient(self, gender: str = "M", anchor_age: int = 60, anchor_year: int = 2150) -> int:
        subject_id = len(self.rows["patients"]) + 1
        self.rows["patients"].append(
            {"subject_id": subject_id, "gender": gender, "anchor_age": anchor_age, "anchor_year": anchor_year}
        )
        return subject_id

    def admission(
        self, subject_id: int, admitted: datetime = ADMITTED, discharged: datetime | None = DISCHARGED
    ) -> int:
        hadm_id = 1000 + len(self.rows["admissions"])
        self.rows["admissions"].append(
            {"subject_id": subject_id, "hadm_id": hadm_id, "admittime": admitted, "dischtime": discharged}
        )
        return hadm_id

    def lab(
        self,
        subject_id: int,
        hadm_id: int | None,
        analyte: str,
        value: float | None,
        *,
        drawn: datetime = DRAWN,
        stored: datetime | None = STORED,
        text: str | None = None,
        unit: str | None = None,
        upper: float | None = None,
        lower: float | None = None,
        itemid: int | None = None,
        comments: str | None = None,
    ) -> str:
        known = self.vocabulary.analyte_by_id(analyte)
        assert known is not None
        labevent_id = 1 + len(self.rows["labevents"])
        self.rows["labevents"].append(
            {
                "labevent_id": labevent_id,
                "subject_id": subject_id,
                "hadm_id": hadm_id,
                "itemid": itemid or known.itemids[0],
                "charttime": drawn,
                "storetime": stored,
                "value": text if text is not None or value is None else f"{value:g}",
                "valuenum": value,
                "valueuom": known.unit if unit is None else unit,
                "ref_range_upper": upper,
                "ref_range_lower": lower,
                "comments": comments,
            }
        )
        return f"Observation/lab-{labevent_id}"

    def order(
        self,
        subject_id: int,
        hadm_id: int,
        drug: str,
        *,
        start: datetime = ORDERED,
        stop: datetime | None = None,
        dose: str = "1000",
        unit: str = "mg",
        route: str = "PO",
        drug_type: str = "MAIN",
        doses_a_day: float | None = None,
        frequency: str | None = None,
        entered: datetime | None = None,
    ) -> int:
        pharmacy_id = 5000 + len(self.rows["prescriptions"])
        self.rows["prescriptions"].append(
            {
                "subject_id": subject_id,
                "hadm_id": hadm_id,
                "pharmacy_id": pharmacy_id,
                "starttime": start,
                "stoptime": stop,
                "drug_type": drug_type,
                "drug": drug,
                "dose_val_rx": dose,
                "dose_unit_rx": unit,
                "doses_per_24_hrs": doses_a_day,
                "route": route,
            }
        )
        if frequency is not None:
            self.rows["pharmacy"].append(
                {
                    "subject_id": subject_id,
                    "hadm_id": hadm_id,
                    "pharmacy_id": pharmacy_id,
                    "starttime": start,
                    "entertime": entered,
                    "frequency": frequency,
                }
            )
        return pharmacy_id

    def row(self, table: str, **columns: object) -> None:
        """Add a row to any table, named with its module."""
        self.rows.setdefault(table, []).append(columns)

    def scan(self, path: Path, rules: Sequence[Rule]) -> list[RuleMatch]:
        with WarehouseWriter(path, Cohort.SYNTHETIC) as writer:
            for name, rows in self.rows.items():
                writer.insert(name if "." in name else f"hosp.{name}", rows)
            writer.commit()
        with Warehouse.open(path) as warehouse:
            return scan(warehouse, rules, self.vocabulary)


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    return Vocabulary.load()


@pytest.fixture(scope="session")
def rules() -> dict[str, Rule]:
    return {rule.id: rule for rule in load_rules(Scenario.MED_SAFETY)}


@pytest.fixture
def ward(vocabulary: Vocabulary) -> Ward:
    return Ward(vocabulary)


@pytest.fixture
def stay(ward: Ward) -> tuple[int, int]:
    """Give the subject and admission of a man of 60 with a white count."""
    subject = ward.patient()
    hadm = ward.admission(subject)
    ward.lab(subject, hadm, "wbc", 12.0)
    return subject, hadm


@pytest.fixture(scope="session")
def new_ward() -> type[Ward]:
    return Ward
