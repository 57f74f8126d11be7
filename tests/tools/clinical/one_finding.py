"""A rule made up around further findings, and rows for the one stay it is tried on."""

from datetime import datetime
from pathlib import Path
from typing import Any

from courses import DRAWN, HOUR, STORED, Dose, put

from state.knowledge import Rule, RuleMatch

Stay = tuple[int, int]


def rule_with(*also: dict[str, Any], **trigger: Any) -> Rule:
    """Build a rule whose key is any white count."""
    return Rule.model_validate(
        {
            "id": "made_up",
            "scenario": "diagnostic_workup",
            "tier": 1,
            "title": "made up",
            "trigger": {
                "lab": {"analyte": "wbc", "unit": "K/uL", "at_least": 0, "within_hours": 24},
                "also": list(also),
                **trigger,
            },
            "judgement": {"question": "anything", "answer": "something"},
            "reason": {"en": "only to be tried", "zh": "仅供试用而已"},
            "action": {"tool": "Flag.create"},
            "changes_if": {"en": "nothing at all", "zh": "没有任何情况"},
            "citation": {"source": "no source at all", "year": 2020, "statement": "nothing is stated"},
        }
    )


def matched(ward: Any, path: Path, rule: Rule) -> list[RuleMatch]:
    """Scan the ward for one rule, in a new file of the folder ``path``."""
    return list(ward.scan(path / "w.duckdb", [rule]))


def dose(ward: Any, stay: Stay, drug: str, event: str, time: datetime) -> str:
    """Chart an administration; return its reference."""
    put(ward, *stay, Dose(0, drug, event, at=time))
    return f"MedicationAdministration/emar-{ward.rows['hosp.emar'][-1]['emar_id']}"


def culture(ward: Any, stay: Stay, specimen: str, test_itemid: int, **result: object) -> None:
    """Take a culture two days before the draw; ``result`` are the columns of what it came to."""
    subject, hadm = stay
    ward.row(
        "hosp.microbiologyevents",
        microevent_id=1,
        subject_id=subject,
        hadm_id=hadm,
        micro_specimen_id=7,
        test_itemid=test_itemid,
        chartdate=DRAWN - 48 * HOUR,
        charttime=DRAWN - 48 * HOUR,
        storetime=STORED,
        spec_type_desc=specimen,
        **result,
    )


def temperature(ward: Any, stay: Stay, fahrenheit: float, hours: float = 0) -> None:
    """Chart a temperature so many hours before the draw."""
    subject, hadm = stay
    ward.row(
        "icu.chartevents",
        subject_id=subject,
        hadm_id=hadm,
        stay_id=3,
        itemid=223761,
        valuenum=fahrenheit,
        charttime=DRAWN - hours * HOUR,
        storetime=DRAWN - hours * HOUR,
        value=f"{fahrenheit}",
        valueuom="°F",
    )
