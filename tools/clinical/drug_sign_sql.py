"""SQL of signs that drugs are: doses given and withheld, and the doses of orders."""

from typing import Any

from state.exclusions import DoseChangeSign, GivenSign, SmallDoseSign, WithheldSign

Built = tuple[str, dict[str, Any]]


def given_sign(sign: GivenSign) -> Built:
    """Build the SELECT of doses given, or running, or given beside another drug."""
    values: dict[str, Any] = {"ingredients": list(sign.ingredients), "hours": sign.for_hours}
    only = " AND g.running" if sign.infusion else ""
    if sign.beside:
        only += """ AND EXISTS (SELECT 1 FROM administrations b WHERE b.subject_id = g.subject_id
              AND list_contains($beside, b.ingredient)
              AND b.charttime BETWEEN g.charttime - to_minutes($minutes) AND g.charttime + to_minutes($minutes))"""
        values |= {"beside": list(sign.beside), "minutes": sign.minutes}
    sql = f"""
SELECT g.subject_id, g.charttime AS starts, g.charttime + to_hours($hours) AS ends
FROM administrations g WHERE list_contains($ingredients, g.ingredient){only}"""
    return sql, values


def withheld_sign(sign: WithheldSign) -> Built:
    """Build the SELECT of doses that were not given."""
    sql = """
SELECT subject_id, charttime AS starts, charttime + to_hours($hours) AS ends
FROM withheld WHERE list_contains($ingredients, ingredient)"""
    return sql, {"ingredients": list(sign.ingredients), "hours": sign.for_hours}


def dose_change_sign(sign: DoseChangeSign) -> Built:
    """Build the SELECT of orders in another dose than the one before."""
    sql = """
SELECT subject_id, starttime AS starts, starttime + to_hours($hours) AS ends
FROM (SELECT *, lag(amount) OVER (PARTITION BY subject_id, ingredient, amount_unit ORDER BY starttime, row_id) AS before
      FROM drug_orders WHERE list_contains($ingredients, ingredient) AND amount > 0)
WHERE amount <> before"""
    return sql, {"ingredients": list(sign.ingredients), "hours": sign.for_hours}


def small_dose_sign(sign: SmallDoseSign) -> Built:
    """Build the SELECT of orders of little a day; where their frequency is not known, of one dose a day."""
    sql = """
SELECT o.subject_id, o.starttime AS starts, coalesce(o.stoptime + to_hours($hours), TIMESTAMP 'infinity') AS ends
FROM drug_orders o JOIN (SELECT unnest($drugs) AS ingredient, unnest($below) AS below) l ON l.ingredient = o.ingredient
WHERE o.amount_unit = 'mg' AND o.amount > 0 AND o.amount * coalesce(o.doses_a_day, 1) < l.below
    AND o.route_code IN ('PO', 'IV', 'IV BOLUS')"""
    return sql, {"drugs": list(sign.below), "below": list(sign.below.values()), "hours": sign.for_hours}
