"""Every rule matched over a whole warehouse, in SQL over sets and never patient by patient."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

import duckdb

from state.base import InputError, ResourceRef
from state.gold import Decision
from state.knowledge import BoundLab, BoundOrder, Rule, RuleMatch
from tools.clinical import scan_sql
from tools.ehr.warehouse import Warehouse
from tools.vocabulary import Vocabulary

NEEDED = ("hosp.patients", "hosp.admissions", "hosp.labevents", "hosp.prescriptions")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?")


def scan(warehouse: Warehouse, rules: Sequence[Rule], vocabulary: Vocabulary) -> list[RuleMatch]:
    """Find where each rule or its control holds, one match of each for an admission: the first moment it holds.

    Moments are those at which a result of the rule's analyte has become known: its storage, rounded up to the minute,
    and five minutes. At that moment the rule's result must be the latest known one of its analyte for the patient and
    belong to the admission, and an order of the admission must be active. A rule that does not hold the drug is not
    matched at a moment at which one of ``rules`` holds it; a control not where any of them says anything about the
    drug, nor during acute kidney injury. Matches are ordered by rule (as given, its control after it), subject,
    admission.
    Raises InputError when the warehouse lacks a table the scan reads.
    """
    missing = [table for table in NEEDED if not warehouse.loaded(table)]
    if missing:
        raise InputError(f"{warehouse.path} has no {' and no '.join(missing)}: ingest them to match rules")
    with warehouse.cursor() as cursor:
        prepare(cursor, rules, vocabulary)
        labels = labels_of_items(cursor, vocabulary)
        found: list[RuleMatch] = []
        for rule in rules:
            found += find(cursor, rule, rules, vocabulary, labels)
            if rule.control is not None:
                found += find(cursor, rule.as_control(), rules, vocabulary, labels, control=True)
        return found


def prepare(cursor: duckdb.DuckDBPyConnection, rules: Sequence[Rule], vocabulary: Vocabulary) -> None:
    """Read the results and orders that ``rules`` speak of into temporary tables of ``cursor``."""
    wanted = {rule.trigger.lab.analyte for rule in rules}
    if any(rule.control for rule in rules):
        wanted.add("creatinine")
    _create(
        cursor,
        "scan_items (itemid INTEGER, analyte VARCHAR, units VARCHAR[])",
        (
            (itemid, analyte.id, [unit.lower() for unit in analyte.units])
            for analyte in vocabulary.analytes
            if analyte.id in wanted
            for itemid in analyte.itemids
        ),
    )
    drugs = {ingredient for rule in rules for ingredient in _ingredients_of(rule)}
    found = ((drug, vocabulary.ingredient(drug)) for (drug,) in _distinct(cursor, "prescriptions", "drug"))
    _create(
        cursor,
        "scan_drugs (drug VARCHAR, ingredient VARCHAR)",
        ((drug, ingredient.id) for drug, ingredient in found if ingredient and ingredient.id in drugs),
    )
    routes = ((route, vocabulary.route(route)) for (route,) in _distinct(cursor, "prescriptions", "route"))
    _create(cursor, "scan_routes (route VARCHAR, code VARCHAR)", routes)
    names = (name for (name,) in _distinct(cursor, "pharmacy", "frequency"))
    _create(
        cursor,
        "scan_frequencies (frequency VARCHAR, code VARCHAR)",
        ((name, vocabulary.frequency(name)) for name in names),
    )
    doses = _distinct(cursor, "prescriptions", "dose_val_rx, dose_unit_rx")
    _create(
        cursor,
        "scan_doses (value VARCHAR, unit VARCHAR, stated DOUBLE, amount DOUBLE, amount_unit VARCHAR)",
        ((value, unit, *_amount(value, unit, vocabulary)) for value, unit in doses),
    )
    cursor.execute(scan_sql.LABS)
    cursor.execute(scan_sql.DRUG_ORDERS)


def _ingredients_of(rule: Rule) -> Iterator[str]:
    for condition in filter(None, (rule.trigger, rule.control)):
        order = condition.order
        yield from (*order.ingredients, *order.absent, *order.rivals)


def find(
    cursor: duckdb.DuckDBPyConnection,
    rule: Rule,
    rules: Sequence[Rule],
    vocabulary: Vocabulary,
    labels: dict[int, str],
    *,
    control: bool = False,
) -> list[RuleMatch]:
    """Match one rule, or one made by ``as_control``, on a prepared cursor."""
    named = _parameters(rule, vocabulary)
    _execute(cursor, scan_sql.MOMENTS, named)
    _execute(cursor, f"CREATE OR REPLACE TEMP TABLE matched AS {scan_sql.held(rule, asked=True)}", named)
    if control or rule.decision is not Decision.HOLD:
        cursor.execute(
            "CREATE OR REPLACE TEMP TABLE moments AS SELECT DISTINCT subject_id, hadm_id, as_of FROM matched"
        )
        for other in rules:
            shared = set(other.trigger.order.ingredients) & set(rule.trigger.order.ingredients)
            if (control or other.decision is Decision.HOLD) and shared:
                _drop_where_held(cursor, other, sorted(shared), vocabulary)
    if control:
        cursor.execute(_DROP.format(scan_sql.KIDNEY_INJURY))
    rows = cursor.execute(
        "SELECT * FROM matched QUALIFY as_of = min(as_of) OVER (PARTITION BY subject_id, hadm_id) "
        "ORDER BY subject_id, hadm_id, starttime, order_row_id"
    )
    columns = [column[0] for column in rows.description]
    records = [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]
    return [
        _match(rule, list(orders), labels, control=control)
        for _, orders in groupby(records, key=lambda record: (record["subject_id"], record["hadm_id"]))
    ]


_DROP = (
    "DELETE FROM matched USING ({}) c WHERE c.subject_id = matched.subject_id "
    "AND c.hadm_id = matched.hadm_id AND c.as_of = matched.as_of"
)


def _drop_where_held(
    cursor: duckdb.DuckDBPyConnection, other: Rule, shared: list[str], vocabulary: Vocabulary
) -> None:
    _execute(
        cursor,
        f"{_DROP.format(scan_sql.held(other))} AND list_contains($shared, c.ingredient)",
        _parameters(other, vocabulary) | {"shared": shared},
    )


def _parameters(rule: Rule, vocabulary: Vocabulary) -> dict[str, Any]:
    values = scan_sql.parameters(rule)
    order = rule.trigger.order
    dose = vocabulary.dose(f"{order.dose_at_least} {order.dose_unit}") if order.dose_at_least else None
    return values | ({"dose_amount": dose.value, "dose_amount_unit": dose.unit} if dose else {})


def _execute(cursor: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any]) -> None:
    used = set(re.findall(r"\$(\w+)", sql))
    cursor.execute(sql, {name: value for name, value in values.items() if name in used})


def _create(cursor: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Sequence[object]]) -> None:
    cursor.execute(f"CREATE TEMP TABLE {table}")
    filled = list(rows)
    if filled:
        marks = ", ".join("?" for _ in filled[0])
        cursor.executemany(f"INSERT INTO {table.split()[0]} VALUES ({marks})", filled)


def _distinct(cursor: duckdb.DuckDBPyConnection, table: str, columns: str) -> list[tuple[str, ...]]:
    present = " AND ".join(f"{column} IS NOT NULL" for column in columns.split(", "))
    return cursor.execute(f"SELECT DISTINCT {columns} FROM hosp.{table} WHERE {present}").fetchall()


def _amount(value: str, unit: str, vocabulary: Vocabulary) -> tuple[float | None, float | None, str | None]:
    """Read a dose as stated (a single number, else None) and as a canonical amount."""
    if not _NUMBER.fullmatch(value.strip()):
        return None, None, None
    dose = vocabulary.dose(f"{value} {unit}")
    return float(value.replace(",", "")), dose.value if dose else None, dose.unit if dose else None


def labels_of_items(cursor: duckdb.DuckDBPyConnection, vocabulary: Vocabulary) -> dict[int, str]:
    """Name each item as the record does, where the vocabulary reads that name as the same analyte."""
    labels: dict[int, str] = {}
    recorded = dict(cursor.execute("SELECT itemid, label FROM hosp.d_labitems").fetchall())
    for (itemid,) in cursor.execute("SELECT itemid FROM scan_items").fetchall():
        analyte = vocabulary.analyte_of_item(itemid)
        label = recorded.get(itemid)
        if analyte is not None:
            same = label is not None and vocabulary.analyte(label) == analyte
            labels[itemid] = label if label is not None and same else next(iter(analyte.names.values()))
    return labels


def _match(rule: Rule, rows: list[dict[str, Any]], labels: dict[int, str], *, control: bool) -> RuleMatch:
    first = rows[0]
    derived = first["derived_value"]
    baseline = first["baseline_row_id"]
    lab = BoundLab(
        ref=ResourceRef(f"Observation/lab-{first['lab_row_id']}"),
        analyte=rule.trigger.lab.analyte,
        label=labels[first["itemid"]],
        value=first["valuenum"],
        unit=first["unit"],
        charttime=first["charttime"],
        storetime=first["storetime"],
        upper_limit=first["upper_limit"],
        baseline_value=first["baseline_value"],
        baseline_ref=ResourceRef(f"Observation/lab-{baseline}") if baseline else None,
        baseline_time=first["baseline_time"],
        derived_value=derived,
        derived_unit=rule.trigger.lab.unit if derived is not None else None,
    )
    orders = tuple(
        BoundOrder(
            ref=ResourceRef(f"MedicationRequest/rx-{row['order_row_id']}"),
            **{name: row[name] for name in BoundOrder.model_fields if name != "ref"},
        )
        for row in rows
    )
    return RuleMatch(
        rule_id=rule.id,
        control=control,
        subject_id=first["subject_id"],
        hadm_id=first["hadm_id"],
        as_of=first["as_of"],
        lab=lab,
        orders=orders,
    )
