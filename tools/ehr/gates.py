"""When each row of MIMIC-IV becomes known: the one table every reader of the warehouse goes by.

A row is visible at ``as_of`` when its ``known_at`` is not later. A column listed under ``revealed`` stays NULL until
its own time. A ``hadm_id`` is NULL until that admission has begun: a later admission must not show through an earlier
row.
"""

from dataclasses import dataclass, field

NEVER_BEFORE_DISCHARGE = "greatest(adm.dischtime, adm.deathtime)"
"""The discharge of some who died is charted at the midnight before their death, the stay having gone on till then."""
# DuckDB's greatest() skips NULL: without the admission's end the row must stay unknown, not show a day after.
DAY_PASSED = "t.chartdate + INTERVAL 1 DAY"
AFTER_DISCHARGE_AND_DAY = (
    f"CASE WHEN adm.dischtime IS NOT NULL THEN greatest({NEVER_BEFORE_DISCHARGE}, {DAY_PASSED}) END"
)
FIELD_NAME = "regexp_replace(t.field_name, '[^A-Za-z0-9]+', '-', 'g')"
ADMISSION = "LEFT JOIN hosp.admissions adm ON adm.hadm_id = t.hadm_id AND adm.subject_id = t.subject_id"
ED_STAY = "LEFT JOIN ed.edstays ed ON ed.stay_id = t.stay_id AND ed.subject_id = t.subject_id"


@dataclass(frozen=True)
class Gate:
    """Times of one table as SQL over ``t`` (its rows) and what ``join`` brings.

    ``row_id`` names the row in resource ids: unique in its table, the same in every process.
    """

    row_id: str
    known_at: str
    revealed: dict[str, str] = field(default_factory=dict)
    join: str = ""


def _stay_key(column: str) -> str:
    return f"t.stay_id || '-' || strftime(t.{column}, '%Y%m%d%H%M%S')"


GATES: dict[str, Gate] = {
    "hosp.patients": Gate(
        row_id="t.subject_id",
        known_at="TIMESTAMP '-infinity'",
        revealed={"dod": "t.dod + INTERVAL 1 DAY"},
    ),
    "hosp.admissions": Gate(
        row_id="t.hadm_id",
        known_at="t.admittime",
        revealed={
            "dischtime": "greatest(t.dischtime, t.deathtime)",
            "discharge_location": "greatest(t.dischtime, t.deathtime)",
            "hospital_expire_flag": "greatest(t.dischtime, t.deathtime)",
            "deathtime": "t.deathtime",
            "edouttime": "t.edouttime",
        },
    ),
    "hosp.transfers": Gate(row_id="t.transfer_id", known_at="t.intime", revealed={"outtime": "t.outtime"}),
    "hosp.services": Gate(
        row_id="t.hadm_id || '-' || strftime(t.transfertime, '%Y%m%d%H%M%S')", known_at="t.transfertime"
    ),
    # Codes are assigned after the stay: MIMIC-IV's billing codes carry no time of their own.
    "hosp.diagnoses_icd": Gate(
        row_id="t.hadm_id || '-' || t.seq_num", known_at=NEVER_BEFORE_DISCHARGE, join=ADMISSION
    ),
    "hosp.procedures_icd": Gate(
        row_id="t.hadm_id || '-' || t.seq_num",
        known_at=AFTER_DISCHARGE_AND_DAY,
        join=ADMISSION,
    ),
    "hosp.drgcodes": Gate(
        row_id="t.hadm_id || '-' || t.drg_type || '-' || t.drg_code",
        known_at=NEVER_BEFORE_DISCHARGE,
        join=ADMISSION,
    ),
    "hosp.hcpcsevents": Gate(
        row_id="t.hadm_id || '-' || t.seq_num",
        known_at=AFTER_DISCHARGE_AND_DAY,
        join=ADMISSION,
    ),
    # A result without a storage time is taken as known a day after the draw, the late side of usual turnaround.
    "hosp.labevents": Gate(
        row_id="t.labevent_id",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime + INTERVAL 1 DAY))",
    ),
    # storedate is the date alone: known when that day has passed. Without either, a week covers slow cultures.
    "hosp.microbiologyevents": Gate(
        row_id="t.microevent_id",
        known_at=(
            "CASE WHEN t.storetime IS NOT NULL THEN greatest(t.storetime, coalesce(t.charttime, t.chartdate)) "
            "ELSE coalesce(t.storedate + INTERVAL 1 DAY, coalesce(t.charttime, t.chartdate) + INTERVAL 7 DAY) END"
        ),
    ),
    # Drug rows of one pharmacy order differ by drug, type and start; the digest keeps the id short and FHIR-legal.
    "hosp.prescriptions": Gate(
        row_id=(
            "t.pharmacy_id || '-' || left(md5(concat_ws('|', t.drug, t.drug_type, "
            "strftime(t.starttime, '%Y%m%d%H%M%S'))), 8)"
        ),
        # Many orders start, on paper, at the full hour before they were entered; nobody knew them then.
        known_at="greatest(t.starttime, coalesce(ph.entertime, t.starttime))",
        revealed={"stoptime": "t.stoptime"},
        join="LEFT JOIN hosp.pharmacy ph ON ph.pharmacy_id = t.pharmacy_id AND ph.subject_id = t.subject_id",
    ),
    # status is the order's last state, reached when it ended.
    "hosp.pharmacy": Gate(
        row_id="t.pharmacy_id",
        known_at="greatest(t.starttime, coalesce(t.entertime, t.starttime))",
        revealed={
            "stoptime": "t.stoptime",
            "status": "t.stoptime",
            "expirationdate": "t.expirationdate",
            "verifiedtime": "t.verifiedtime",
        },
    ),
    "hosp.poe": Gate(
        row_id="t.poe_id",
        known_at="t.ordertime",
        revealed={
            "order_status": "TIMESTAMP 'infinity'",
            "discontinued_by_poe_id": "TIMESTAMP 'infinity'",
        },
    ),
    "hosp.poe_detail": Gate(
        row_id=f"t.poe_id || '-' || {FIELD_NAME}",
        known_at="poe.ordertime",
        join="LEFT JOIN hosp.poe poe ON poe.poe_id = t.poe_id AND poe.subject_id = t.subject_id",
    ),
    "hosp.emar": Gate(
        row_id="t.emar_id",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime))",
        revealed={"scheduletime": "t.scheduletime"},
    ),
    "hosp.emar_detail": Gate(
        row_id="t.emar_id || '-' || coalesce(t.parent_field_ordinal::VARCHAR, '0')",
        known_at="greatest(emar.charttime, coalesce(emar.storetime, emar.charttime))",
        join="LEFT JOIN hosp.emar emar ON emar.emar_id = t.emar_id AND emar.subject_id = t.subject_id",
    ),
    "hosp.omr": Gate(
        row_id="t.subject_id || '-' || strftime(t.chartdate, '%Y%m%d') || '-' || t.seq_num || '-' "
        "|| left(md5(t.result_name), 6)",
        known_at="t.chartdate + INTERVAL 1 DAY",
    ),
    "icu.icustays": Gate(
        row_id="t.stay_id",
        known_at="t.intime",
        revealed={"outtime": "t.outtime", "last_careunit": "t.outtime", "los": "t.outtime"},
    ),
    "icu.chartevents": Gate(
        row_id=_stay_key("charttime") + " || '-' || t.itemid",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime))",
    ),
    "icu.datetimeevents": Gate(
        row_id=_stay_key("charttime") + " || '-' || t.itemid",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime))",
        revealed={"value": "t.value"},
    ),
    # The amount is what had run by endtime.
    "icu.inputevents": Gate(
        row_id="t.orderid || '-' || t.itemid || '-' || strftime(t.starttime, '%Y%m%d%H%M%S')",
        known_at="greatest(t.endtime, coalesce(t.storetime, t.endtime))",
    ),
    "icu.ingredientevents": Gate(
        row_id="t.orderid || '-' || t.itemid || '-' || strftime(t.starttime, '%Y%m%d%H%M%S')",
        known_at="greatest(t.endtime, coalesce(t.storetime, t.endtime))",
    ),
    "icu.outputevents": Gate(
        row_id=_stay_key("charttime") + " || '-' || t.itemid",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime))",
    ),
    "icu.procedureevents": Gate(
        row_id="t.orderid || '-' || t.itemid",
        known_at="greatest(t.endtime, coalesce(t.storetime, t.endtime))",
    ),
    "ed.edstays": Gate(
        row_id="t.stay_id",
        known_at="t.intime",
        revealed={"outtime": "t.outtime", "disposition": "t.outtime"},
    ),
    "ed.triage": Gate(row_id="t.stay_id", known_at="ed.intime", join=ED_STAY),
    "ed.diagnosis": Gate(row_id="t.stay_id || '-' || t.seq_num", known_at="ed.outtime", join=ED_STAY),
    "ed.vitalsign": Gate(row_id=_stay_key("charttime"), known_at="t.charttime"),
    "ed.medrecon": Gate(
        row_id=(
            "t.stay_id || '-' || left(md5(concat_ws('|', t.name, t.gsn, t.ndc, t.etc_rn, "
            "strftime(t.charttime, '%Y%m%d%H%M%S'))), 8)"
        ),
        known_at="t.charttime",
    ),
    "ed.pyxis": Gate(
        row_id=_stay_key("charttime") + " || '-' || t.med_rn || '-' || t.gsn_rn", known_at="t.charttime"
    ),
    "note.discharge": Gate(
        row_id="t.note_id",
        known_at="greatest(t.charttime + INTERVAL 1 DAY, coalesce(t.storetime, t.charttime), adm.dischtime, "
        "adm.deathtime)",
        join=ADMISSION,
    ),
    "note.discharge_detail": Gate(
        row_id=f"t.note_id || '-' || {FIELD_NAME} || '-' || t.field_ordinal",
        known_at="greatest(n.charttime + INTERVAL 1 DAY, coalesce(n.storetime, n.charttime), adm.dischtime, "
        "adm.deathtime)",
        join="LEFT JOIN note.discharge n ON n.note_id = t.note_id AND n.subject_id = t.subject_id "
        "LEFT JOIN hosp.admissions adm ON adm.hadm_id = n.hadm_id AND adm.subject_id = t.subject_id",
    ),
    "note.radiology": Gate(
        row_id="t.note_id",
        known_at="greatest(t.charttime, coalesce(t.storetime, t.charttime + INTERVAL 1 DAY))",
    ),
    "note.radiology_detail": Gate(
        row_id=f"t.note_id || '-' || {FIELD_NAME} || '-' || t.field_ordinal",
        known_at="greatest(n.charttime, coalesce(n.storetime, n.charttime + INTERVAL 1 DAY))",
        join="LEFT JOIN note.radiology n ON n.note_id = t.note_id AND n.subject_id = t.subject_id",
    ),
}

HADM_OF_OTHER_TABLES = frozenset(
    {"hosp.patients", "hosp.admissions", "hosp.poe_detail", "hosp.emar_detail", "hosp.omr", "ed.triage"}
    | {
        "ed.diagnosis",
        "ed.vitalsign",
        "ed.medrecon",
        "ed.pyxis",
        "note.discharge_detail",
        "note.radiology_detail",
    }
)
"""Tables without a ``hadm_id`` column that could name a later admission."""


def timed(table: str) -> str:
    """Build a SELECT of every row of ``table`` with ``row_id`` (text) and ``known_at`` added, nothing hidden.

    For the rule scan, which compares ``known_at`` itself. Readers of charts use ``gated``.
    """
    gate = GATES[table]
    named = f"CAST({gate.row_id} AS VARCHAR) AS row_id, {gate.known_at} AS known_at"
    return f"SELECT t.*, {named} FROM {table} t {gate.join}"


def gated(table: str) -> str:
    """Build a SELECT of what is known of ``table`` for ``$subject_id`` at ``$as_of``; later columns are NULL."""
    gate = GATES[table]
    join = gate.join
    hidden = [
        f"CASE WHEN {when} <= $as_of THEN t.{column} END AS {column}"
        for column, when in gate.revealed.items()
    ]
    if table not in HADM_OF_OTHER_TABLES:
        hidden.append("CASE WHEN begun.admittime <= $as_of THEN t.hadm_id END AS hadm_id")
        join += " LEFT JOIN hosp.admissions begun ON begun.hadm_id = t.hadm_id AND begun.subject_id = t.subject_id"
    replace = f" REPLACE ({', '.join(hidden)})" if hidden else ""
    return (
        f"SELECT t.*{replace}, CAST({gate.row_id} AS VARCHAR) AS row_id, {gate.known_at} AS known_at "
        f"FROM {table} t {join} WHERE t.subject_id = $subject_id AND {gate.known_at} <= $as_of"
    )


def ungated(table: str) -> str:
    """Build a SELECT of every row of ``table`` for ``$subject_id``, as ``GatePolicy.PHYSASSISTBENCH`` reads it.

    For comparability with the published figures only: it shows what nobody knew at ``as_of``. Against ``gated``:

    - Observations are the one thing with a date gate, and it is on the charted time (``Chart.charted_until``): a
      laboratory result, culture or vital sign counts from when it was drawn or taken, not from when it was stored,
      and a caller's ``date_to`` lifts the gate.
    - Everything else of the patient is readable: later admissions, orders, administrations, procedures, notes; the
      current admission's discharge summary and discharge-coded diagnoses.
    - No column waits for its time: date of death, discharge time and destination, the stop time and last state of an
      order, the end of an intensive care or emergency stay.

    ``known_at`` is still the strict time. Rows that never become known (of a stay that is not there) stay out.
    """
    gate = GATES[table]
    return (
        f"SELECT t.*, CAST({gate.row_id} AS VARCHAR) AS row_id, {gate.known_at} AS known_at "
        f"FROM {table} t {gate.join} WHERE t.subject_id = $subject_id AND {gate.known_at} IS NOT NULL"
    )
