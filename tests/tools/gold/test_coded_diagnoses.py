"""What gold takes for the coded diagnosis that is asked for: each of an earlier visit that fits the finding."""

from datetime import datetime
from pathlib import Path

from state.base import Cohort
from state.session import Scenario
from tools.clinical.rules import load_rules
from tools.clinical.scan import scan
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.ehr.writer import WarehouseWriter
from tools.fhir.toolset import Toolset
from tools.gold.finding_topics import FindingTopic
from tools.gold.source import GoldSource
from tools.vocabulary import Vocabulary

RULE = next(
    r for r in load_rules(Scenario.TREATMENT_RESPONSE) if r.id == "heart_failure_natriuresis_low_intensify"
)
CODED = (("I4891", 10), ("I130", 10), ("I5032", 10), ("E119", 10))
HERE = {"subject_id": 1, "hadm_id": 12}
DRAWN = datetime(2150, 1, 10, 6)
KNOWN = datetime(2150, 1, 10, 7)


def written(path: Path) -> Path:
    """Write a patient with four codes of an earlier stay, and a urine sodium of 20 after furosemide into a vein."""
    stays = (
        (11, datetime(2149, 1, 1), datetime(2149, 1, 9)),
        (12, datetime(2150, 1, 1), datetime(2150, 1, 20)),
    )
    given = datetime(2150, 1, 10, 3)
    order = {"pharmacy_id": 5, "drug": "Furosemide", "drug_type": "MAIN", "route": "IV", "starttime": given}
    rows = {
        "patients": [{"subject_id": 1, "gender": "M", "anchor_age": 60, "anchor_year": 2150}],
        "admissions": [
            {"subject_id": 1, "hadm_id": hadm, "admittime": begun, "dischtime": over}
            for hadm, begun, over in stays
        ],
        "labevents": [
            HERE
            | {"labevent_id": 1, "itemid": 51100, "charttime": DRAWN, "storetime": KNOWN}
            | {"value": "20", "valuenum": 20.0, "valueuom": "mEq/L"}
        ],
        "d_labitems": [
            {"itemid": 51100, "label": "Sodium, Urine", "fluid": "Urine", "category": "Chemistry"}
        ],
        "prescriptions": [HERE | order],
        "emar": [
            HERE
            | {"emar_id": "1-1", "emar_seq": 1, "pharmacy_id": 5, "medication": "Furosemide"}
            | {"event_txt": "Administered", "charttime": given, "storetime": given}
        ],
        "diagnoses_icd": [
            {"subject_id": 1, "hadm_id": 11, "seq_num": number, "icd_code": code, "icd_version": version}
            for number, (code, version) in enumerate(CODED, start=1)
        ],
        "d_icd_diagnoses": [
            {"icd_code": code, "icd_version": version, "long_title": f"Title of {code}"}
            for code, version in CODED
        ],
    }
    with WarehouseWriter(path, Cohort.SYNTHETIC) as writer:
        for table, some in rows.items():
            writer.insert(f"hosp.{table}", some)
        writer.commit()
    return path


def test_every_diagnosis_that_fits_is_right_and_no_other(tmp_path: Path):
    vocabulary = Vocabulary.load()
    with Warehouse.open(written(tmp_path / "w.duckdb")) as warehouse:
        (match,) = scan(warehouse, [RULE], vocabulary)
        chart = Chart(warehouse, match.subject_id, match.as_of)
        source = GoldSource(RULE, match, Toolset(chart, vocabulary), vocabulary)
        bound = next(bound for bound in match.also if bound.name == "heart_failure")
        (piece,) = FindingTopic(source, bound).pieces("t")
    titled, coded = piece.items
    codes = ("I13.0", "I130", "I50.32", "I5032")
    assert titled.names == ("Title of I130", "Title of I5032", *codes)
    assert coded.names == codes
    assert len(titled.evidence) == len(coded.evidence) == 2
    assert piece.facts == {"title": "Title of I130", "code": "I13.0"}
