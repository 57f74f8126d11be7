"""Temporary tables of the administration record: doses charted, doses withheld, and infusions set anew.

``administrations`` has the route of the order behind a dose, where that order is of the same drug or one of its class.
``withheld`` has a row for each dose that was not given or held, none where the scale asked for none.
``set_anew`` has a row (subject_id, hadm_id, name, time) for each time an infusion began, ended, changed its rate or was
topped by a bolus, named by ingredient (hosp.emar) or item (icu.inputevents).
"""

from collections.abc import Sequence

import duckdb

from state.exclusions import GivenSign, WithheldSign
from state.findings import GivenFinding, RateFinding
from tools.clinical.temporary import create, distinct, map_drugs
from tools.ehr.gates import timed
from tools.fhir.emar_events import STATUS_OF_EVENT, AdministrationStatus
from tools.vocabulary import Vocabulary

_CHARTED = (
    *(AdministrationStatus.COMPLETED, AdministrationStatus.IN_PROGRESS),
    AdministrationStatus.STOPPED,
)
_OMITTED = (AdministrationStatus.NOT_DONE, AdministrationStatus.ON_HOLD)
_ADMINISTRATIONS = f"""
CREATE TEMP TABLE administrations AS
SELECT t.subject_id, t.hadm_id, t.charttime, t.known_at, t.medication, d.ingredient,
       'MedicationAdministration/emar-' || t.row_id AS ref, s.running, s.stopped, o.route
FROM ({timed("hosp.emar")}) t JOIN scan_given d ON d.medication = t.medication
JOIN scan_events s ON s.event = lower(trim(t.event_txt))
LEFT JOIN (SELECT p.subject_id, p.pharmacy_id, w.medication, min(r.code) AS route
           FROM hosp.prescriptions p JOIN scan_same w ON w.drug = p.drug JOIN scan_routes r ON r.route = p.route
           WHERE p.drug_type = 'MAIN' GROUP BY ALL HAVING min(r.code) = max(r.code)) o
    ON o.subject_id = t.subject_id AND o.pharmacy_id = t.pharmacy_id AND o.medication = t.medication
"""
_WITHHELD = """
CREATE TEMP TABLE withheld AS
SELECT t.subject_id, t.charttime, d.ingredient
FROM hosp.emar t JOIN scan_given d ON d.medication = t.medication
WHERE list_contains($events, lower(trim(t.event_txt)))
"""
_SET_ANEW = """
CREATE TEMP TABLE set_anew AS
WITH events AS (
    SELECT t.subject_id, t.hadm_id, d.ingredient, t.charttime, s.running,
           lower(t.event_txt) LIKE '%start%' AS started, e.rate
    FROM hosp.emar t JOIN scan_given d ON d.medication = t.medication
    JOIN scan_events s ON s.event = lower(trim(t.event_txt))
    LEFT JOIN (SELECT subject_id, emar_id, max(TRY_CAST(infusion_rate AS DOUBLE)) AS rate
               FROM hosp.emar_detail GROUP BY ALL) e ON e.subject_id = t.subject_id AND e.emar_id = t.emar_id
),
rates AS (
    SELECT *, lag(rate) OVER (PARTITION BY subject_id, hadm_id, ingredient ORDER BY charttime) AS before
    FROM events WHERE running AND rate IS NOT NULL
),
bedside AS (
    SELECT subject_id, hadm_id, itemid::VARCHAR AS name, starttime, endtime, rate,
           lag(endtime) OVER run AS ended, lag(rate) OVER run AS before, lead(starttime) OVER run AS next
    FROM icu.inputevents WHERE list_contains($itemids, itemid)
    WINDOW run AS (PARTITION BY subject_id, hadm_id, itemid, rate IS NULL ORDER BY starttime, endtime)
)
SELECT subject_id, hadm_id, ingredient AS name, charttime AS time FROM events WHERE started OR NOT running
UNION ALL SELECT subject_id, hadm_id, ingredient, charttime FROM rates WHERE rate <> before
UNION ALL SELECT subject_id, hadm_id, name, starttime FROM bedside
    WHERE rate IS NULL OR ended IS NULL OR starttime > ended + INTERVAL 1 MINUTE OR abs(rate - before) > 0.01 * before
UNION ALL SELECT subject_id, hadm_id, name, endtime FROM bedside
    WHERE rate IS NOT NULL AND (next IS NULL OR next > endtime + INTERVAL 1 MINUTE)
"""
# The bedside's rates are computed back from amounts: a hundredth of one is rounding, no pump is set that finely.


def make_administrations(
    cursor: duckdb.DuckDBPyConnection,
    given: Sequence[GivenFinding | RateFinding | GivenSign | WithheldSign],
    vocabulary: Vocabulary,
) -> None:
    """Make the tables; ``scan_routes`` is there already."""
    wanted = {ingredient for one in given for ingredient in one.ingredients}
    wanted.update(other for one in given if isinstance(one, GivenSign) for other in one.beside)
    wanted.update(rival for one in given if isinstance(one, GivenFinding) for rival in one.rivals)
    names = distinct(cursor, "hosp.emar", "medication")
    map_drugs(cursor, "scan_given", "medication", names, wanted, vocabulary)
    routed = {
        ingredient
        for one in given
        if isinstance(one, GivenFinding) and one.routes
        for ingredient in one.ingredients
    }
    create(
        cursor, "scan_same (medication VARCHAR, drug VARCHAR)", _same_drugs(cursor, names, routed, vocabulary)
    )
    events = (
        (event, status is AdministrationStatus.IN_PROGRESS, status is AdministrationStatus.STOPPED)
        for event, status in STATUS_OF_EVENT.items()
        if status in _CHARTED
    )
    create(cursor, "scan_events (event VARCHAR, running BOOLEAN, stopped BOOLEAN)", events)
    cursor.execute(_ADMINISTRATIONS)
    omitted = [
        event
        for event, status in STATUS_OF_EVENT.items()
        if status in _OMITTED and "per sliding scale" not in event
    ]
    cursor.execute(_WITHHELD, {"events": omitted})
    rates = [one for one in given if isinstance(one, RateFinding)]
    if rates:
        cursor.execute(_SET_ANEW, {"itemids": sorted({item for one in rates for item in one.itemids})})


def _same_drugs(
    cursor: duckdb.DuckDBPyConnection,
    names: Sequence[tuple[str, ...]],
    wanted: set[str],
    vocabulary: Vocabulary,
) -> list[tuple[str, str]]:
    """Pair the names of administrations with those of orders that can be behind them: of one drug, or of a class."""
    given = [(name, drug) for (name,) in names if (drug := vocabulary.ingredient(name)) and drug.id in wanted]
    ordered = distinct(cursor, "hosp.prescriptions", "drug") if given else []
    return [
        (name, order)
        for (order,) in ordered
        if (behind := vocabulary.ingredient(order))
        for name, drug in given
        if drug == behind or set(drug.classes) & set(behind.classes)
    ]
