"""Draws with an infusion in them: what they say of electrolytes, glucose and blood gases is not the patient's.

Told by the results drawn before and after, of which the later may not be known at as_of: like an exclusion's sign this
only takes matches away, and nothing of it reaches a session.
"""

import duckdb

from tools.clinical.temporary import create
from tools.vocabulary import Vocabulary

GLUCOSE_JUMP_MG_DL = 200
"""Glucose above that before and that after by so much: a draw of which a twenty-fifth is 5 % dextrose (5,000 mg/dL).

Lippi G et al. Br J Biomed Sci 2013;70(4):176-179 has the bias of glucose by the share of such a solution.
"""
DILUTED_BY = 0.1
DILUTED_ANALYTES = 3
"""So many results, calcium among them, below those before and after by that fraction.

Rios Campillo C et al. Clin Chem Lab Med 2023;61(11):1934-1940 tell a diluted draw by a fifth less than the draw
before in six of ten analytes that infusions do not hold (specificity 0.91 to 0.98, sensitivity 0.64). Here it is held
against both neighbours, with calcium, which moves little by itself and which no dialysis lowers and gives back; the
tenth is ours, and only turns matches away.
"""
NEIGHBOR_HOURS = 24
DILUTED = ("calcium", "potassium", "magnesium", "phosphate", "urea_nitrogen", "creatinine", "albumin")

_SPOILED = f"""
CREATE TEMP TABLE spoiled AS
WITH draws AS (
    SELECT t.subject_id, t.charttime, d.analyte, avg(t.valuenum) AS value
    FROM hosp.labevents t JOIN scan_draws d ON d.itemid = t.itemid
    WHERE t.valuenum > 0 AND isfinite(t.valuenum) AND t.charttime IS NOT NULL
    GROUP BY ALL
),
beside AS (
    SELECT *, lag(value) OVER draw AS before, lead(value) OVER draw AS after,
           lag(charttime) OVER draw AS time_before, lead(charttime) OVER draw AS time_after
    FROM draws WINDOW draw AS (PARTITION BY subject_id, analyte ORDER BY charttime)
),
moved AS (
    SELECT subject_id, charttime, analyte,
           value >= greatest(before, after) + {GLUCOSE_JUMP_MG_DL} AS above,
           value <= least(before, after) * {1 - DILUTED_BY} AS below
    FROM beside
    WHERE time_before >= charttime - to_hours({NEIGHBOR_HOURS}) AND time_after <= charttime + to_hours({NEIGHBOR_HOURS})
)
SELECT subject_id, charttime FROM moved
GROUP BY ALL
HAVING bool_or(analyte = 'glucose' AND above)
    OR (bool_or(analyte = 'calcium' AND below)
        AND count(*) FILTER (below AND analyte <> 'glucose') >= {DILUTED_ANALYTES})
"""


def find_spoiled_draws(cursor: duckdb.DuckDBPyConnection, vocabulary: Vocabulary) -> None:
    """Make the temporary table ``spoiled`` (subject_id, charttime)."""
    told = (*DILUTED, "glucose")
    rows = (
        (itemid, analyte.id)
        for analyte in vocabulary.analytes
        if analyte.id in told
        for itemid in analyte.itemids
    )
    create(cursor, "scan_draws (itemid INTEGER, analyte VARCHAR)", rows)
    cursor.execute(_SPOILED)
