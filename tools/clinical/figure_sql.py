"""SQL of figures: computed from the latest results, where these were drawn together."""

from typing import Any

from state.findings import FigureFinding
from tools.clinical.figures import RECIPES, FigureRecipe
from tools.clinical.latest_sql import latest_lab, limit_values, limits


def figure_sql(finding: FigureFinding) -> tuple[str, dict[str, Any]]:
    """Build the statement of a figure, with the columns of ``finding_sql``, and the values it binds."""
    recipe = RECIPES[finding.figure]
    analytes = recipe.analytes
    parts = [f"i{k} AS ({latest_lab(_quoted(analyte))})" for k, analyte in enumerate(analytes)]
    joins = " ".join(f"JOIN i{k} USING (subject_id, hadm_id, as_of)" for k in range(1, len(analytes)))
    usable = [f"i{k}.usable AND coalesce(i{k}.lab_hadm_id, hadm_id) = hadm_id" for k in range(len(analytes))]
    refs = ", ".join(f"'Observation/lab-' || i{k}.row_id" for k in range(len(analytes)))
    conditions = ["isfinite(f.figure)", *_fits(finding, recipe, "f.figure")]
    values: dict[str, Any] = {
        "within_hours": finding.within_hours,
        "apart_hours": recipe.apart_hours,
        "figure": finding.figure.value,
        "label": recipe.label,
        "unit": recipe.unit,
        **limit_values(finding),
    }
    held = _NEVER_HELD
    if finding.for_days is not None:
        held = _held(finding, recipe)
        conditions.append("h.ref IS NOT NULL")
        values["for_days"] = finding.for_days
    sql = f"""
WITH {", ".join(parts)},
f AS (
    SELECT subject_id, hadm_id, as_of, ({_computed(recipe, "i", "as_of")})::DOUBLE AS figure, [{refs}] AS refs,
           greatest({_times(len(analytes))}) AS time
    FROM i0 {joins} JOIN hosp.patients p USING (subject_id)
    WHERE {" AND ".join((*usable, *_drawn_together(recipe)))}
), {held}
SELECT f.subject_id, f.hadm_id, f.as_of, f.refs, $figure AS subject, $label AS label, f.figure AS value, $unit AS unit,
       NULL AS text, f.time, h.figure AS earlier_value, h.ref AS earlier_ref, h.charttime AS earlier_time
FROM f LEFT JOIN held h USING (subject_id, hadm_id, as_of) WHERE {" AND ".join(conditions)}"""
    return sql, values


def _computed(recipe: FigureRecipe, inputs: str, when: str) -> str:
    """Build the figure of results that are joined as ``inputs`` with a number each."""
    names = {analyte: f"{inputs}{k}.value" for k, analyte in enumerate(recipe.analytes)}
    names |= {f"{analyte}_upper": f"{inputs}{k}.upper_limit" for k, analyte in enumerate(recipe.analytes)}
    names |= {"age": f"(p.anchor_age + (year({when}) - p.anchor_year))", "sex": "p.gender"}
    return recipe.sql(names)


def _times(count: int) -> str:
    return ", ".join(f"i{k}.charttime" for k in range(count))


def _drawn_together(recipe: FigureRecipe) -> list[str]:
    """Build the tests that the inputs of each draw share its time, and that the draws lie close enough."""
    number = {analyte: k for k, analyte in enumerate(recipe.analytes)}
    tests = [
        f"i{number[analyte]}.charttime = i{number[draw[0]]}.charttime"
        for draw in recipe.draws
        for analyte in draw[1:]
    ]
    if len(recipe.draws) > 1:
        times = _times(len(recipe.analytes))
        tests.append(f"greatest({times}) - least({times}) <= to_hours($apart_hours)")
    return tests


def _fits(finding: FigureFinding, recipe: FigureRecipe, figure: str) -> list[str]:
    """Hold a figure to its limits both exact and as reported, so that rounding cannot change what follows."""
    return limits(finding, figure, f"round({figure}, {recipe.decimals})")


_NEVER_HELD = """
held AS (SELECT NULL::INTEGER AS subject_id, NULL::INTEGER AS hadm_id, NULL::TIMESTAMP AS as_of,
                NULL::DOUBLE AS figure, NULL::VARCHAR AS ref, NULL::TIMESTAMP AS charttime WHERE false)"""


def _held(finding: FigureFinding, recipe: FigureRecipe) -> str:
    """Build the CTE of the latest draw that is ``$for_days`` older and, like every one since, within the limits."""
    first, *others = recipe.analytes
    joins = " ".join(
        f"JOIN labs l{k} ON l{k}.subject_id = f.subject_id AND l{k}.analyte = {_quoted(analyte)} "
        f"AND l{k}.charttime = l0.charttime AND l{k}.usable AND l{k}.known_at <= f.as_of"
        for k, analyte in enumerate(others, 1)
    )
    renamed = ", ".join(
        f"l{k}.valuenum AS v{k}, l{k}.upper_limit AS u{k}" for k in range(len(recipe.analytes))
    )
    inputs = {analyte: f"d.v{k}" for k, analyte in enumerate(recipe.analytes)}
    inputs |= {f"{analyte}_upper": f"d.u{k}" for k, analyte in enumerate(recipe.analytes)}
    inputs |= {"age": "(p.anchor_age + (year(d.charttime) - p.anchor_year))", "sex": "p.gender"}
    fits = " AND ".join(("isfinite(c.figure)", *_fits(finding, recipe, "c.figure")))
    return f"""
draws AS (
    SELECT f.subject_id, f.hadm_id, f.as_of, f.time, l0.charttime, 'Observation/lab-' || l0.row_id AS ref, {renamed}
    FROM f JOIN labs l0 ON l0.subject_id = f.subject_id AND l0.analyte = {_quoted(first)} AND l0.usable
        AND l0.known_at <= f.as_of AND l0.charttime <= f.time {joins}
),
computed AS (
    SELECT d.*, ({recipe.sql(inputs)})::DOUBLE AS figure FROM draws d JOIN hosp.patients p USING (subject_id)
),
held AS (
    SELECT * FROM (SELECT c.*, bool_and({fits}) OVER (PARTITION BY subject_id, hadm_id, as_of
                                                      ORDER BY charttime DESC) AS kept FROM computed c)
    WHERE kept AND charttime <= time - to_days($for_days)
    QUALIFY row_number() OVER (PARTITION BY subject_id, hadm_id, as_of ORDER BY charttime DESC, ref DESC) = 1
)"""


def _quoted(text: str) -> str:
    """Quote a vocabulary id as an SQL string."""
    return "'" + text.replace("'", "''") + "'"
