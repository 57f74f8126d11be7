"""What the rules of every scenario are held to; each function asserts one thing."""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from course_cases import Case, limited, looser
from courses import Course

from state.base import Language
from state.findings import LIMITS, LabFinding
from state.knowledge import Rule, RuleMatch
from tools.clinical.judgements import load_judgements
from tools.clinical.scan import lacking, scan
from tools.ehr.warehouse import Warehouse
from tools.vocabulary import Vocabulary

RESOURCE_TYPES = {
    "condition": "Condition",
    "given": "MedicationAdministration",
    "order": "MedicationRequest",
    "home_medication": "MedicationRequest",
}


def matches_only_where_it_holds(rule: Rule, case: Case, found: Sequence[RuleMatch]) -> None:
    """Where it holds there is one match, of the key result and of each finding, with what shows it."""
    assert len(found) == case.matches
    for match in found:
        assert match.lab.value == case.key.value
        assert {bound.name for bound in match.also} == {finding.name for finding in rule.trigger.also}
        assert all(bound.refs for bound in match.also if not bound.absent)


def rests_on_key_alone(rule: Rule) -> bool:
    """Tell whether further findings, if there are any, are limits of the key result and nothing else."""
    return all(
        isinstance(finding, LabFinding)
        and finding.analyte == rule.trigger.lab.analyte
        and finding.change is None
        and finding.for_hours is None
        for finding in rule.trigger.also
    )


def key_is_tried_at_its_limits(rule: Rule, course: Course, step: float, *, held: bool = True) -> None:
    """Each bound has a value within a step that falls short, and where it can be ``held`` one that holds."""
    lab = rule.trigger.lab
    bounds = [getattr(lab, name) for name in LIMITS if getattr(lab, name) is not None]
    if lab.times_uln_above is not None:
        assert course.key_limits is not None
        bounds.append(lab.times_uln_above * course.key_limits[1])
    for bound in bounds:
        assert not held or min(abs(value - bound) for value in course.holds) <= step + 1e-9
        assert min(abs(value - bound) for value in course.short) <= step + 1e-9


def every_finding_has_facts(rule: Rule, course: Course, beside: Collection[str] = ()) -> None:
    """``beside``: facts that are of no finding."""
    present = {finding.name for finding in rule.trigger.also if not finding.absent}
    absent = {finding.name for finding in rule.trigger.also if finding.absent}
    told = (set(course.facts) | set(course.resting)) - set(beside)
    assert (told, set(course.breaks)) == (present, absent)


def findings_are_tried_at_their_limits(rule: Rule, course: Course) -> None:
    """Each finding with limits has an edge that the facts told of it are not already: holding, or not."""
    for finding in rule.trigger.also:
        tried = {holds for name, _, holds in course.edges if name == finding.name}
        if limited(finding, rule):
            assert tried | {not finding.absent} == {True, False}, finding.name


def there_are_enough_of_each_tier(
    rules: Sequence[Rule], total: int = 25, least: tuple[int, int, int] = (8, 8, 6)
) -> None:
    """``least``: of tier 1, 2 and 3."""
    tiers = Counter(rule.tier for rule in rules)
    assert len(rules) >= total
    assert all(tiers[tier] >= number for tier, number in enumerate(least, start=1)), tiers


def resource_types(rule: Rule) -> set[str]:
    """Give the types of the key result and of what a rule's findings rest on."""
    found = {RESOURCE_TYPES.get(f.kind, "Observation") for f in rule.trigger.also if not f.absent}
    return found | {"Observation"}


def questions_stay_open(
    rules: Sequence[Rule], going_on: Collection[str], *, every_answer: bool = True
) -> None:
    """To go on as before is right in a fifth of the rules, and ``every_answer`` of a question, or two, in some."""
    right: dict[str, set[str]] = {}
    for rule in rules:
        assert rule.judgement is not None
        right.setdefault(rule.judgement.question, set()).add(rule.judgement.answer)
    assert sum(rule.judgement.answer in going_on for rule in rules if rule.judgement) >= len(rules) / 5
    for question, answers in right.items():
        assert len(answers) >= 2, question
        assert not every_answer or answers == set(load_judgements()[question].answers), question


def secret_drugs(rule: Rule, vocabulary: Vocabulary) -> set[str]:
    """Name the drugs a rule turns on that the name of its test does not tell."""
    opened = vocabulary.analyte_by_id(rule.trigger.lab.analyte)
    called = opened.synonyms if opened is not None else ()
    told = {drug.id for name in called for drug in vocabulary.ingredients_in(name)}
    order = rule.trigger.order.ingredients if rule.trigger.order is not None else ()
    return {*order, *(drug for f in rule.trigger.also for drug in getattr(f, "ingredients", ()))} - told


def words_give_nothing_away(rule: Rule, language: Language, vocabulary: Vocabulary) -> None:
    """No wording names a drug of the rule that its test does not, nor a test beside the one a session opens with.

    In Chinese the name of a disorder (低钠血症) holds that of its test, so ``about`` is held to its English there.
    """
    wording = rule.wording[language]
    tests = {finding.analyte for finding in rule.trigger.also if isinstance(finding, LabFinding)}
    tests.discard(rule.trigger.lab.analyte)
    others = (wording.bearing, wording.drug, *(f.ask[language] for f in rule.trigger.also))
    for text in filter(None, (wording.about, *others)):
        assert not {drug.id for drug in vocabulary.ingredients_in(text)} & secret_drugs(rule, vocabulary), (
            text
        )
    for text in filter(None, (rule.wording[Language.EN].about, *others)):
        assert not tests & {analyte.id for analyte in vocabulary.analytes_in(text)}, text
    assert (rule.trigger.order is not None) is (wording.bearing is not None)
    assert (rule.action.tool == "MedicationRequest.create") is (wording.drug is not None)


def demo_has_matches(
    path: Path, rules: Sequence[Rule], vocabulary: Vocabulary, without_tables: int = 0, share: float = 0.5
) -> list[RuleMatch]:
    """Scan the demo in 10 s of the processor, whose time other work on the machine does not lengthen.

    ``without_tables``: how many rules may rest on tables that the demo lacks. ``share``: of the rules, how many match.
    """
    with Warehouse.open(path) as warehouse:
        assert sum(bool(lacking(warehouse, rule)) for rule in rules) <= without_tables
        begun = time.process_time()
        found = scan(warehouse, rules, vocabulary)
        seconds = time.process_time() - begun
    print(f"{len(rules)} rules, {len(found)} matches, {seconds:.1f} s of processor time")
    assert len({match.rule_id for match in found}) >= len(rules) * share
    assert seconds < 10
    return found


def cohort_has_every_rule(path: Path, rules: Sequence[Rule], vocabulary: Vocabulary) -> list[RuleMatch]:
    """Scan the cohort; a rule whose control alone holds there is not had."""
    with Warehouse.open(path) as warehouse:
        matches = scan(warehouse, rules, vocabulary)
    assert {match.rule_id for match in matches if not match.control} == {rule.id for rule in rules}
    return matches


def cohort_has_near_misses(
    path: Path, rules: Sequence[Rule], vocabulary: Vocabulary, matches: Sequence[RuleMatch]
) -> None:
    """A near miss is a moment at which all holds but one thing; no rule holds before its first match."""
    found = {(m.rule_id, m.hadm_id, m.as_of) for m in matches}
    loose = [other for rule in rules for other in looser(rule)]
    with Warehouse.open(path) as warehouse:
        nearly = {(m.rule_id, m.hadm_id, m.as_of) for m in scan(warehouse, loose, vocabulary)} - found
    assert {rule_id for rule_id, _, _ in nearly} == {rule.id for rule in rules}


def no_question_has_two_answers(
    matches: Sequence[RuleMatch], rules: Sequence[Rule], *, of_one_matter: bool = False
) -> None:
    """``of_one_matter``: the question is put of each matter, such as each home drug, apart."""
    by_id = {rule.id: rule for rule in rules}
    answers: dict[tuple[object, ...], set[str]] = {}
    for match in matches:
        rule = by_id[match.rule_id]
        assert rule.judgement is not None
        matter = rule.wording[Language.EN].about if of_one_matter else None
        key = (match.hadm_id, match.as_of, rule.judgement.question, matter)
        answers.setdefault(key, set()).add(rule.judgement.answer)
    assert all(len(right) == 1 for right in answers.values()), answers
