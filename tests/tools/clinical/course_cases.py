"""Cases of a rule made from its course: each limit on both sides, each window's end, each finding taken away once."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from circumstances import BARS, MISSED, shown
from courses import AS_OF, DISCHARGED, DRAWN, HOUR, Course, Facts, Lab, Order, moved, write

from state.findings import (
    LIMITS,
    MEASURES,
    CultureFinding,
    FigureFinding,
    Finding,
    GivenFinding,
    LabFinding,
    VitalFinding,
)
from state.knowledge import Rule, RuleMatch
from tools.clinical.figures import RECIPES

MINUTE = timedelta(minutes=1)
IMPLIED = {"comfort_care"}
"""Exclusions that rules need not name."""


@dataclass(frozen=True)
class Case:
    """One patient of one rule: the key result, the facts, who it is, and whether the rule is to match."""

    rule_id: str
    variant: str
    key: Lab
    facts: Facts
    matches: bool
    anchor_age: int
    gender: str
    discharged: datetime = DISCHARGED

    def __str__(self) -> str:
        return f"{self.rule_id}-{self.variant}"


def cases(rule: Rule, course: Course) -> Iterator[Case]:
    """Make the cases of one rule, first of all one that holds."""

    def case(
        variant: str,
        matches: bool,
        value: float = course.holds[0],
        anchor_age: int = course.anchor_age,
        gender: str = course.gender,
        **changed: Facts,
    ) -> Case:
        key = Lab(0, rule.trigger.lab.analyte, value, course.key_limits)
        return Case(rule.id, variant, key, tuple(course.chart(**changed)), matches, anchor_age, gender)

    for value in course.holds:
        yield case(f"holds_at_{value:g}", True, value)
    for value in course.short:
        yield case(f"short_at_{value:g}", False, value)
    for name in course.facts:
        yield case(f"without_{name}", False, **{name: ()})
    for name, facts in course.breaks.items():
        yield case(f"with_{name}", False, **{name: facts})
    for number, (name, facts, matches) in enumerate(course.edges):
        yield case(f"{name}_{number}", matches, **{name: facts})
    if rule.trigger.sex is not None:
        yield case("other_sex", False, gender="F" if course.gender == "M" else "M")
    if rule.trigger.age_at_least is not None:
        yield case("a_year_too_young", False, anchor_age=rule.trigger.age_at_least - 1)
    if rule.trigger.age_at_most is not None:
        yield case("a_year_too_old", False, anchor_age=rule.trigger.age_at_most + 1)
    for finding in rule.trigger.also:
        if of_a_figure(finding, rule):
            continue
        for label, facts, there in window(finding, course):
            yield case(f"{finding.name}_{label}", there is not finding.absent, **{finding.name: facts})
    for name in sorted(set(rule.trigger.unless) - IMPLIED):
        yield case(f"unless_{name}", False, **{f"unless_{name}": shown(name, rule)})
    for bar in rule.trigger.bars:
        name = bar.finding.name
        of, barring, nearly = MISSED[name] if bar.finding.absent else (f"bar_{name}", *BARS[name])
        yield case(f"barred_by_{name}", False, **{of: barring})
        yield case(f"nearly_{name}", True, **{of: nearly})


def scan_cases(
    ward: Any, path: Path, rules: Sequence[Rule], cases: Sequence[Case]
) -> dict[str, list[RuleMatch]]:
    """Scan one warehouse at ``path`` with the patients of all cases; give each case's matches of its own rule."""
    subjects = {
        str(case): write(ward, case.key, case.facts, case.anchor_age, case.gender, case.discharged)
        for case in cases
    }
    of_subject: dict[tuple[str, int], list[RuleMatch]] = {}
    for match in ward.scan(path, rules):
        if match.as_of == AS_OF and not match.control:
            of_subject.setdefault((match.rule_id, match.subject_id), []).append(match)
    return {str(case): of_subject.get((case.rule_id, subjects[str(case)]), []) for case in cases}


def window(finding: Finding, course: Course) -> list[tuple[str, Facts, bool]]:
    """Move a finding's only fact to the end of its window and a minute beyond, and a dose past the draw."""
    facts = {**course.facts, **course.breaks}.get(finding.name, ())
    oldest: datetime | None = None
    ordered: Facts = ()
    made: list[tuple[str, Facts, bool]] = []
    if finding.name in course.resting:
        return made
    if isinstance(finding, CultureFinding):
        oldest = AS_OF - timedelta(days=finding.within_days)
    if isinstance(finding, GivenFinding) and finding.doses == 1 and finding.spanning_hours is None:
        oldest = AS_OF - finding.within_hours * HOUR
        ordered = tuple(fact for fact in facts if isinstance(fact, Order))
        facts = facts[-1:]
        made.append(("at_the_draw", moved(facts, DRAWN), finding.hours_before_draw is None))
        latest = DRAWN - (finding.hours_before_draw or 0) * HOUR
        made.append(("just_before", moved(facts, latest - MINUTE), True))
        if finding.hours_before_draw:
            made += [
                ("latest", moved(facts, latest), True),
                ("too_late", moved(facts, latest + MINUTE), False),
            ]
    if (
        isinstance(finding, LabFinding | VitalFinding)
        and finding.change is None
        and finding.for_hours is None
    ):
        oldest = AS_OF - finding.within_hours * HOUR
        if isinstance(finding, LabFinding) and finding.hours_from_draw is not None:
            oldest = DRAWN - finding.hours_from_draw * HOUR
            latest = DRAWN + finding.hours_from_draw * HOUR
            if latest <= AS_OF:
                made += [
                    ("latest", moved(facts, latest), True),
                    ("too_late", moved(facts, latest + MINUTE), False),
                ]
    if oldest is None:
        return made
    made = [("oldest", moved(facts, oldest), True), ("too_old", moved(facts, oldest - MINUTE), False), *made]
    return [(label, (*ordered, *one), there) for label, one, there in made]


def of_a_figure(finding: Finding, rule: Rule) -> bool:
    """Tell whether a finding is an input of a figure, whose draw it cannot leave whatever its own window."""
    figures = [RECIPES[other.figure] for other in rule.trigger.also if isinstance(other, FigureFinding)]
    return isinstance(finding, LabFinding) and any(
        finding.analyte in recipe.analytes and len(recipe.analytes) > 1 for recipe in figures
    )


def limited(finding: Finding, rule: Rule) -> bool:
    """Tell whether a finding has limits of its own, beside those of the key result and its window."""
    change = getattr(finding, "change", None)
    if change is not None and any(getattr(change, name) is not None for name in MEASURES):
        return True
    if isinstance(finding, GivenFinding):
        return finding.doses > 1 or finding.spanning_hours is not None or finding.infusion
    same = isinstance(finding, LabFinding) and finding.analyte == rule.trigger.lab.analyte
    return not same and any(
        getattr(finding, name, None) is not None for name in (*LIMITS, "range", "for_hours")
    )


def looser(rule: Rule) -> Iterator[Rule]:
    """Give the rule without the limits on its key analyte, and without each further finding; nothing bars them."""
    trigger = rule.trigger.model_copy(update={"bars": ()})
    special = ("times_uln_above", "fall_fraction_above", "lookback_days")
    lab = trigger.lab.model_copy(update=dict.fromkeys((*LIMITS, *special)) | {"at_least": 0.0})
    also = tuple(
        finding.model_copy(update=dict.fromkeys(LIMITS))
        if isinstance(finding, LabFinding) and finding.analyte == lab.analyte and finding.change is not None
        else finding
        for finding in trigger.also
    )
    yield rule.model_copy(update={"trigger": trigger.model_copy(update={"lab": lab, "also": also})})
    for finding in trigger.also:
        also = tuple(other for other in trigger.also if other is not finding)
        yield rule.model_copy(update={"trigger": trigger.model_copy(update={"also": also})})
