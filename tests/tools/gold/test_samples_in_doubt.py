"""A result that the laboratory itself puts in doubt is no first, no previous and no latest value of gold."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from state.base import Cohort
from state.plan import KEY_LAB, PlannedTurn, TurnKind
from state.session import Implicitness, Scenario
from tools.clinical.rules import load_rules
from tools.clinical.sample_comments import spoils
from tools.clinical.scan import scan
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.fhir.toolset import Toolset
from tools.gold.source import GoldSource, NoGold
from tools.gold.topics import BESIDE
from tools.gold.turns import Story, draft
from tools.vocabulary import Vocabulary

RULE = next(r for r in load_rules(Scenario.MED_SAFETY) if r.id == "potassium_chloride_hyperkalemia")
HERE = {"subject_id": 1, "hadm_id": 12}
DRAWN = datetime(2150, 1, 10, 6)
HOUR = timedelta(hours=1)
VALUES = (4.1, 4.9, 5.8)
DOUBT = "HEMOLYSIS FALSELY ELEVATES THIS TEST."


def story(path: Path, comments: Sequence[str | None], sodium: str | None = None) -> tuple[Warehouse, Story]:
    """Write three potassium values a day apart with their comments, and a sodium, under potassium chloride."""
    results = [(50971, v, (2 - n) * 24 * HOUR, comments[n]) for n, v in enumerate(VALUES)]
    results.append((50983, 138.0, 0 * HOUR, sodium))
    rows = {
        "patients": [{"subject_id": 1, "gender": "M", "anchor_age": 60, "anchor_year": 2150}],
        "admissions": [HERE | {"admittime": DRAWN - 240 * HOUR, "dischtime": DRAWN + 240 * HOUR}],
        "labevents": [
            HERE
            | {"labevent_id": number, "itemid": item, "value": f"{value:g}", "valuenum": value}
            | {"valueuom": "mEq/L", "comments": comment}
            | {"charttime": DRAWN - before, "storetime": DRAWN - before + HOUR}
            for number, (item, value, before, comment) in enumerate(results, start=1)
        ],
        "d_labitems": [
            {"itemid": item, "label": label, "fluid": "Blood", "category": "Chemistry"}
            for item, label in ((50971, "Potassium"), (50983, "Sodium"))
        ],
        "prescriptions": [
            HERE
            | {"pharmacy_id": 5, "drug": "Potassium Chloride", "drug_type": "MAIN", "route": "PO"}
            | {"dose_val_rx": "20", "dose_unit_rx": "mEq", "starttime": DRAWN - 8 * HOUR}
        ],
    }
    with WarehouseWriter(path, Cohort.SYNTHETIC) as writer:
        for table, some in rows.items():
            writer.insert(f"hosp.{table}", some)
        writer.commit()
    vocabulary = Vocabulary.load()
    warehouse = Warehouse.open(path)
    (match,) = scan(warehouse, [RULE], vocabulary)
    toolset = Toolset(Chart(warehouse, match.subject_id, match.as_of), vocabulary)
    return warehouse, Story(GoldSource(RULE, match, toolset, vocabulary))


def held(turn: PlannedTurn, told: Story, asked: bool) -> None:
    """Hold that a turn is asked, or is not because a sample is in doubt."""
    if asked:
        assert draft(turn, told, "t", frozenset()).pieces
    else:
        with pytest.raises(NoGold, match="in doubt"):
            draft(turn, told, "t", frozenset())


@pytest.mark.parametrize(
    ("kind", "doubtful", "asked"),
    [
        (TurnKind.PREVIOUS, 1, False),
        (TurnKind.PREVIOUS, 0, True),
        (TurnKind.DIRECTION, 0, False),
        (TurnKind.DIRECTION, 1, False),
        (TurnKind.DIRECTION, None, True),
        (TurnKind.TREND, 0, False),
        (TurnKind.TREND, None, True),
    ],
)
def test_a_sample_in_doubt_is_no_part_of_a_course(
    kind: TurnKind, doubtful: int | None, asked: bool, tmp_path: Path
):
    comments = [DOUBT if n == doubtful else "VERIFIED." for n in range(3)]
    warehouse, told = story(tmp_path / "w.duckdb", comments)
    turn = PlannedTurn(kind=kind, topics=(KEY_LAB,), implicitness=Implicitness.EXPLICIT)
    with warehouse:
        held(turn, told, asked)


@pytest.mark.parametrize(("comment", "asked"), [(DOUBT, False), ("NOT HEMOLYZED.", True)])
def test_a_sample_in_doubt_is_not_read_beside_the_key_result(comment: str, asked: bool, tmp_path: Path):
    warehouse, told = story(tmp_path / "w.duckdb", [None] * 3, comment)
    turn = PlannedTurn(kind=TurnKind.LOOK_UP, topics=(f"{BESIDE}sodium",), implicitness=Implicitness.EXPLICIT)
    with warehouse:
        held(turn, told, asked)


@pytest.mark.parametrize(
    ("comment", "doubt"),
    [
        ("HEMOLYZED SPECIMEN.", True),
        ("SPUN HEMATOCRIT PERFORMED.  HEMOLYZED, SLIGHTLY.", True),
        ("QNS TO VERIFY HEMOLYSIS.", True),
        ("VERIFIED.  NOT HEMOLYZED.", False),
        ("VERIFIED.  NO HEMOLYSIS.", False),
        ("LIPEMIA AFFECTS THIS TEST.  VERIFIED BY DILUTION.", True),
        ("VERIFIED BY DILUTION.", False),
        ("ICTERIC SPECIMEN.", True),
        ("UNABLE TO REPORT, SPECIMEN CLOTTED.", True),
        ("VERIFIED BY REPLICATE ANALYSIS.  CHECKED FOR CLOT.", False),
        ("POSSIBLE CONTAMINATION WITH IV FLUID.", True),
        ("SPECIMEN DILUTED.", True),
        ("MAY CAUSE FALSELY ELEVATED VALUES WITH THIS METHOD.", True),
        ("IN IGA DEFICIENCY, MAY BE FALSELY NEGATIVE.", False),
        ("DUE TO COLOUR INTERFERENCE, INTERPRET TEST RESULTS WITH CAUTION.", True),
        ("VERIFIED BY ALTERNATE METHODOLOGY.  INTERFERENCES MINIMIZED.", False),
        ("NEW REFERENCE RANGE.", False),
    ],
)
def test_a_comment_puts_a_result_in_doubt_or_says_something_else(comment: str, doubt: bool):
    assert spoils(comment) is doubt
    assert spoils(comment.lower()) is doubt
