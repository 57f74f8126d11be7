"""Every rule matched over a whole warehouse, in SQL over sets and never patient by patient."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from itertools import groupby
from threading import Event
from typing import Any

import duckdb

from state.base import InputError, ResourceRef
from state.findings import BoundFinding, Finding, LabFinding
from state.gold import Decision
from state.knowledge import BoundLab, BoundOrder, Rule, RuleMatch
from tools.clinical import scan_sql
from tools.clinical.exclusion_sql import NOT_EXCLUDED, lacking_tables
from tools.clinical.finding_sql import COLUMNS, finding_sql
from tools.clinical.scan_tables import TABLES_OF, exclusions_of, findings_of, prepare
from tools.ehr.warehouse import Warehouse
from tools.vocabulary import Vocabulary

SCANNERS = 2
"""Threads that match rules: DuckDB plans each of many small statements on one."""
NEEDED = ("hosp.patients", "hosp.admissions", "hosp.labevents", "hosp.prescriptions")


def scan(warehouse: Warehouse, rules: Sequence[Rule], vocabulary: Vocabulary) -> list[RuleMatch]:
    """Find where each rule or its control holds, one match of each for an admission: the first moment it holds.

    Moments are those at which a result of the rule's analyte, or one that counts only if drawn with it or with others
    of its figure, has become known: its storage, rounded up to the minute, and five minutes; for rules on discharge no
    sooner than a day after admission. At that moment the rule's result must be the latest known one of its analyte for
    the patient and belong to the admission, and an order of the admission
    must be active. A rule that does not hold the drug is not matched at a moment at which one of ``rules`` holds it,
    though that one be excluded; a control not where any of them says anything about the drug. No rule is matched where
    an exclusion that its ``unless`` names shows, or one of its ``bars``. Matches are ordered by rule (as given, its
    control after it), subject, admission. Rules whose further findings or exclusions need a table that was not ingested
    are passed over (``lacking`` names it).
    Raises InputError when the warehouse lacks a table that every rule needs.
    """
    missing = [table for table in NEEDED if not warehouse.loaded(table)]
    if missing:
        raise InputError(f"{warehouse.path} has no {' and no '.join(missing)}: ingest them to match rules")
    possible = [rule for rule in rules if not lacking(warehouse, rule)]
    tries = [(rule, of) for rule in possible for of in (False, True) if not of or rule.control is not None]
    stopped = Event()
    with ThreadPoolExecutor(SCANNERS) as pool:
        share = partial(_scan_share, warehouse, possible, vocabulary, stopped)
        shares = [pool.submit(share, tries[start::SCANNERS]) for start in range(SCANNERS)]
        try:
            found = [iter(one.result()) for one in shares]
        finally:
            stopped.set()
    return [match for at in range(len(tries)) for match in next(found[at % SCANNERS])]


def _scan_share(
    warehouse: Warehouse,
    rules: Sequence[Rule],
    vocabulary: Vocabulary,
    stopped: Event,
    tries: Sequence[tuple[Rule, bool]],
) -> list[list[RuleMatch]]:
    """Match some rules, or their controls, on a cursor of its own; nothing more once ``stopped`` is set."""
    found: list[list[RuleMatch]] = []
    with warehouse.cursor() as cursor:
        prepare(cursor, rules, vocabulary)
        labels = labels_of_items(cursor, vocabulary)
        for rule, control in tries:
            if stopped.is_set():
                break
            tried = rule.as_control() if control else rule
            found.append(find(cursor, tried, rules, vocabulary, labels, control=control))
    return found


def lacking(warehouse: Warehouse, rule: Rule) -> tuple[str, ...]:
    """Name the tables without which ``rule`` cannot be matched."""
    wanted = (table for finding in findings_of([rule]) for table in TABLES_OF.get(type(finding), ()))
    unread = [table for table in wanted if not warehouse.loaded(table)]
    for exclusion in exclusions_of([rule]):
        unread += lacking_tables(exclusion, warehouse)
    return tuple(dict.fromkeys(unread))


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
    _execute(cursor, scan_sql.moments(rule), named)
    _execute(cursor, f"CREATE OR REPLACE TEMP TABLE matched AS {scan_sql.held(rule, asked=True)}", named)
    if not _any_left(cursor):
        return []
    order = rule.trigger.order
    if order is not None and (control or rule.decision not in (None, Decision.HOLD)):
        cursor.execute(
            "CREATE OR REPLACE TEMP TABLE moments AS SELECT DISTINCT subject_id, hadm_id, as_of FROM matched"
        )
        for other in rules:
            theirs = other.trigger.order.ingredients if other.trigger.order is not None else ()
            shared = set(theirs) & set(order.ingredients)
            if (control or other.decision is Decision.HOLD) and shared:
                _drop_where_held(cursor, other, sorted(shared), vocabulary)
    if rule.trigger.unless:
        cursor.execute(NOT_EXCLUDED, {"unless": list(rule.trigger.unless)})
    for finding in rule.trigger.also:
        _keep_where_found(cursor, finding, asked=True)
        if not _any_left(cursor):
            return []
    for bar in rule.trigger.bars:
        _keep_where_found(cursor, bar.finding, barring=True)
    rows = cursor.execute(
        "SELECT * FROM matched QUALIFY as_of = min(as_of) OVER (PARTITION BY subject_id, hadm_id) "
        "ORDER BY subject_id, hadm_id, starttime, order_row_id"
    )
    columns = [column[0] for column in rows.description]
    records = [dict(zip(columns, row, strict=True)) for row in rows.fetchall()]
    also = [(finding, _bound(cursor, finding, labels)) for finding in rule.trigger.also] if records else []
    matches = []
    for key, group in groupby(records, key=lambda record: (record["subject_id"], record["hadm_id"])):
        match = _match(rule, list(group), labels, control=control)
        found = tuple(bound[*key, match.as_of] for finding, bound in also if not finding.absent)
        missed = tuple(_nothing(finding) for finding, _ in also if finding.absent)
        matches.append(match.model_copy(update={"also": found + missed}))
    return matches


def _any_left(cursor: duckdb.DuckDBPyConnection) -> bool:
    return bool(cursor.execute("SELECT 1 FROM matched LIMIT 1").fetchall())


def _keep_where_found(
    cursor: duckdb.DuckDBPyConnection,
    finding: Finding,
    table: str = "matched",
    *,
    asked: bool = False,
    barring: bool = False,
) -> None:
    """Drop the moments of ``table`` at which a further finding does not hold; its rows stay in ``found_<name>``.

    ``asked``: it will be asked for, and has to have one answer. ``barring``: the moments at which it does hold are
    dropped instead; it holds where it is ``absent`` and is not found.
    """
    cursor.execute(
        "CREATE OR REPLACE TEMP TABLE asked AS "
        f"SELECT DISTINCT subject_id, hadm_id, as_of, charttime AS drawn FROM {table}"
    )
    sql, values = finding_sql(finding, asked=asked)
    _execute(cursor, f"CREATE OR REPLACE TEMP TABLE found_{finding.name} AS {sql}", values)
    wrong = "EXISTS" if finding.absent is not barring else "NOT EXISTS"
    cursor.execute(
        f"DELETE FROM {table} WHERE {wrong} (SELECT 1 FROM found_{finding.name} f WHERE "
        f"f.subject_id = {table}.subject_id AND f.hadm_id = {table}.hadm_id AND f.as_of = {table}.as_of)"
    )


def _bound(
    cursor: duckdb.DuckDBPyConnection, finding: Finding, labels: dict[int, str]
) -> dict[tuple[int, int, datetime], BoundFinding]:
    """Read what a finding bound, by moment."""
    rows = cursor.execute(
        f"SELECT subject_id, hadm_id, as_of, {', '.join(COLUMNS)} FROM found_{finding.name}"
    ).fetchall()
    found = {}
    for subject_id, hadm_id, as_of, *values in rows:
        fields = dict(zip(COLUMNS, values, strict=True))
        if isinstance(finding, LabFinding):
            fields["label"] = labels[int(fields["label"])]
        fields["refs"] = tuple(fields["refs"])
        found[subject_id, hadm_id, as_of] = BoundFinding(name=finding.name, kind=finding.kind, **fields)
    return found


def _nothing(finding: Finding) -> BoundFinding:
    """Say that a finding is absent."""
    words = finding.name.replace("_", " ")
    return BoundFinding(name=finding.name, kind=finding.kind, absent=True, subject=finding.name, label=words)


_DROP = (
    "DELETE FROM matched USING ({}) c WHERE c.subject_id = matched.subject_id "
    "AND c.hadm_id = matched.hadm_id AND c.as_of = matched.as_of"
)


def _drop_where_held(
    cursor: duckdb.DuckDBPyConnection, other: Rule, shared: list[str], vocabulary: Vocabulary
) -> None:
    """Drop the moments at which ``other`` holds, with its further findings, for one of the drugs ``shared``."""
    _execute(
        cursor,
        f"CREATE OR REPLACE TEMP TABLE others AS SELECT * FROM ({scan_sql.held(other)}) "
        "WHERE list_contains($shared, ingredient)",
        _parameters(other, vocabulary) | {"shared": shared},
    )
    for finding in other.trigger.also:
        _keep_where_found(cursor, finding, "others")
    cursor.execute(_DROP.format("SELECT * FROM others"))


def _parameters(rule: Rule, vocabulary: Vocabulary) -> dict[str, Any]:
    values = scan_sql.parameters(rule)
    order = rule.trigger.order
    limit = f"{order.dose_at_least} {order.dose_unit}" if order is not None and order.dose_at_least else None
    dose = vocabulary.dose(limit) if limit else None
    return values | ({"dose_amount": dose.value, "dose_amount_unit": dose.unit} if dose else {})


def _execute(cursor: duckdb.DuckDBPyConnection, sql: str, values: dict[str, Any]) -> None:
    used = set(re.findall(r"\$(\w+)", sql))
    cursor.execute(sql, {name: value for name, value in values.items() if name in used})


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
        if row["order_row_id"] is not None
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
