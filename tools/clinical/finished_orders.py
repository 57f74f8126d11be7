"""Orders that are over though their stop time lies ahead: every dose is charted, or another drug has taken over.

Told by doses of which some may not be charted at as_of: this only takes matches away, and nothing of it reaches a
session.
"""

import duckdb

from tools.clinical.temporary import create, distinct, map_drugs
from tools.fhir.emar_events import STATUS_OF_EVENT, AdministrationStatus
from tools.vocabulary import Vocabulary

ONE_AT_A_TIME = (
    *("ace_inhibitor", "arb", "mra", "loop_diuretic", "statin", "sulfonylurea", "sglt2_inhibitor", "nsaid"),
    *(
        "proton_pump_inhibitor",
        "factor_xa_inhibitor",
        "low_molecular_weight_heparin",
        "xanthine_oxidase_inhibitor",
    ),
)
"""Classes of which nobody takes two drugs at once: who is given another one after the last dose has been switched."""

_GIVEN = (AdministrationStatus.COMPLETED, AdministrationStatus.IN_PROGRESS)
_FINISHED = """
CREATE TEMP TABLE finished AS
WITH given AS (
    SELECT t.subject_id, t.hadm_id, t.pharmacy_id, t.charttime, d.ingredient
    FROM hosp.emar t JOIN scan_ordered_given d ON d.medication = t.medication
    WHERE list_contains($events, lower(trim(t.event_txt)))
),
bounded AS (
    SELECT subject_id, pharmacy_id,
           CASE WHEN min(f.code) = 'ONCE' THEN 1 ELSE max(h.duration) END AS doses
    FROM hosp.pharmacy h LEFT JOIN scan_frequencies f ON f.frequency = h.frequency
    WHERE f.code = 'ONCE' OR (h.duration_interval = 'Doses' AND h.duration >= 1)
    GROUP BY ALL
),
last_given AS (SELECT subject_id, hadm_id, ingredient, max(charttime) AS charttime FROM given GROUP BY ALL)
SELECT subject_id, pharmacy_id, NULL AS row_id, charttime AS finished_at
FROM bounded JOIN given USING (subject_id, pharmacy_id)
QUALIFY row_number() OVER (PARTITION BY subject_id, pharmacy_id ORDER BY charttime) = doses
UNION ALL
SELECT o.subject_id, NULL, o.row_id, min(g.charttime)
FROM drug_orders o JOIN scan_switched s ON s.ingredient = o.ingredient
LEFT JOIN last_given l ON l.subject_id = o.subject_id AND l.hadm_id = o.hadm_id AND l.ingredient = o.ingredient
JOIN given g ON g.subject_id = o.subject_id AND g.hadm_id = o.hadm_id AND g.ingredient = s.other
    AND g.charttime > greatest(l.charttime, o.known_at)
WHERE EXISTS (FROM drug_orders n WHERE n.subject_id = o.subject_id AND n.hadm_id = o.hadm_id
              AND n.ingredient = s.other AND n.known_at >= o.known_at AND n.known_at <= g.charttime)
GROUP BY ALL
"""
_MARK = """
UPDATE drug_orders SET finished_at = f.finished_at FROM (
    SELECT o.subject_id, o.row_id, min(f.finished_at) AS finished_at
    FROM drug_orders o JOIN finished f ON f.subject_id = o.subject_id
        AND (f.row_id = o.row_id OR f.pharmacy_id = o.pharmacy_id)
    GROUP BY ALL
) f WHERE f.subject_id = drug_orders.subject_id AND f.row_id = drug_orders.row_id
"""


def with_switches(drugs: set[str], vocabulary: Vocabulary) -> set[str]:
    """Add to ``drugs`` those that can take over from one of them."""
    return drugs | {other for _, other in _switches(drugs, vocabulary)}


def mark_finished(cursor: duckdb.DuckDBPyConnection, drugs: set[str], vocabulary: Vocabulary) -> None:
    """Set ``finished_at`` of ``drug_orders``: of ``drugs`` and those that can take over from them.

    An order of a set number of doses is over with the last of them; any order with the first dose of another drug of
    its class, ordered with it or later, after which none of its own drug is charted in the stay.
    """
    names = distinct(cursor, "hosp.emar", "medication")
    map_drugs(cursor, "scan_ordered_given", "medication", names, with_switches(drugs, vocabulary), vocabulary)
    create(cursor, "scan_switched (ingredient VARCHAR, other VARCHAR)", sorted(_switches(drugs, vocabulary)))
    events = [event for event, status in STATUS_OF_EVENT.items() if status in _GIVEN]
    cursor.execute(_FINISHED, {"events": events})
    cursor.execute(_MARK)


def _switches(drugs: set[str], vocabulary: Vocabulary) -> set[tuple[str, str]]:
    members = [{drug.id for drug in vocabulary.ingredients_of_class(name)} for name in ONE_AT_A_TIME]
    return {(drug, other) for group in members for drug in group & drugs for other in group - {drug}}
