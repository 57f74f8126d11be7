"""The clinical checker: gold states only what the results show, contradicts nothing, and advises nothing unsafe."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from agents.checks.case import Case, Resource, leaves
from agents.checks.texts import dates, figures
from state.base import Language
from state.findings import BoundFinding
from state.gold import (
    AvoidItem,
    DecisionItem,
    DoseItem,
    GoldTurn,
    JudgementItem,
    NameItem,
    RangeItem,
    RouteItem,
    RubricItem,
    TimeItem,
    ValueItem,
)
from state.knowledge import OrderAction
from state.outcome import Verdict
from tools.clinical.figures import RECIPES, FigureRecipe
from tools.clinical.judgements import load_judgements
from tools.fhir.toolset import TOOLS
from tools.gold.conclusions import FALLEN, RISEN
from tools.gold.items import EGFR_NAMES, NO_GROWTH
from tools.gold.source import NO_UNITS
from tools.gold.topics import dose_in
from tools.grading import TurnEvidence, decide

SAME = 1e-6
"""Slack of two figures that are the same but for their binary form."""


def check_clinical(case: Case) -> list[str]:
    """Reject gold with a value that no result shows, a conclusion that is not its rule's, or unsafe advice."""
    faults: list[str] = []
    told = _figures_told(case)
    for turn in case.answers.turns:
        found = [fault for item in turn.rubric for fault in _item_faults(item, turn, case)]
        for language, answer in turn.answer.items():
            found += [
                f"{language} states {number:g}, which no result shows"
                for number in _stated_nowhere(answer, told, case)
            ]
            found += [
                f"{language} states {moment}, which no result shows" for moment in _other_days(answer, case)
            ]
            found += _unsafe(answer, language, case)
        faults += [f"turn {turn.index}: {fault}" for fault in found]
    return faults


def _figures_told(case: Case) -> frozenset[float]:
    """Collect every number that the results show, that follows from them, or that the rule itself states."""
    rule, match = case.source.rule, case.source.match
    told = {float(leaf) for leaf in case.leaves if isinstance(leaf, (int, float))}
    told |= {
        round(bound.value, places) for bound in match.also if bound.value is not None for places in range(4)
    }
    if match.lab.derived_value is not None:
        told.add(round(match.lab.derived_value))
    trend = [result.value for result in case.source.trend]
    if trend:
        told.add(round(abs(trend[-1] - trend[0]), 6))
    texts = [*rule.reason.values(), *rule.changes_if.values()]
    if rule.judgement is not None:
        answers = load_judgements()[rule.judgement.question].answers.values()
        texts += [word for answer in answers for word in answer.say.values()]
    told.update(number for text in texts for number in figures(text))
    if isinstance(rule.action, OrderAction) and rule.action.dose_value is not None:
        told.add(rule.action.dose_value)
    return frozenset({WINDOW_HOURS, *told})


WINDOW_HOURS = 72.0


def _is_near(number: float, told: frozenset[float]) -> bool:
    return any(abs(abs(number) - abs(one)) <= SAME * max(1.0, abs(one)) for one in told)


def _stated_nowhere(answer: str, told: frozenset[float], case: Case) -> Iterable[float]:
    """Find numbers that are neither results nor written out in a text of one, as doses of the home list are."""
    for number in figures(answer):
        if not _is_near(number, told) and not any(
            number in figures(text) for text in case.leaves if _may_hold(number, text)
        ):
            yield number


def _may_hold(number: float, leaf: Any) -> bool:
    return isinstance(leaf, str) and f"{abs(number):g}" in leaf


def _other_days(answer: str, case: Case) -> Iterable[str]:
    """Find dates and times that no result shows."""
    if stated := dates(answer):
        shown = {day for leaf in case.leaves if isinstance(leaf, str) for day in _iso(leaf)}
        yield from (day for day in stated if day not in shown)


def _iso(leaf: str) -> Iterable[str]:
    return dates(leaf[:16].replace("T", " ")) if leaf[4:5] == "-" and leaf[10:11] == "T" else ()


def _item_faults(item: RubricItem, turn: GoldTurn, case: Case) -> list[str]:
    unseen = [ref for ref in item.evidence if ref not in case.shown]
    if item.evidence and len(unseen) == len(item.evidence):
        return [f"{item.item_id} rests on {unseen[0]}, which no call shows"]
    proof = [case.shown[ref] for ref in item.evidence if ref in case.shown]
    match item:
        case ValueItem():
            wrong = _value_fault(item, proof, case)
        case TimeItem():
            wrong = (
                None
                if _tells_time(item.time, proof)
                else f"{item.time:%Y-%m-%d %H:%M} is in none of its proof"
            )
        case RangeItem():
            wrong = _range_fault(item, proof)
        case NameItem(written=True) | DoseItem(before=tuple()):
            wrong = _told_fault(item, turn, case)
        case NameItem():
            wrong = _name_fault(item, proof, case)
        case DoseItem() | RouteItem():
            wrong = _order_fault(item, proof, case)
        case DecisionItem() | JudgementItem() | AvoidItem():
            wrong = _conclusion_fault(item, case)
        case _:
            wrong = None
    return [f"{item.item_id}: {wrong}"] if wrong else []


def _value_fault(item: ValueItem, proof: list[Resource], case: Case) -> str | None:
    if item.tolerance:
        return _figure_fault(item, case)
    for resource in proof:
        quantity = resource.get("valueQuantity", {})
        unit = "" if quantity.get("unit") in NO_UNITS else quantity.get("unit", "")
        if quantity.get("value") == item.value and unit == item.unit:
            named = resource["code"].get("text", "")
            analyte = case.source.vocabulary.analyte(named)
            names = {name.casefold() for name in item.names}
            own = {named.casefold(), *(n.casefold() for n in (analyte.names.values() if analyte else ()))}
            return None if names & own else f"its proof is a result of {named}"
    return f"{item.value:g} {item.unit} is not what its proof shows".replace("  ", " ")


def _figure_fault(item: ValueItem, case: Case) -> str | None:
    """Hold a computed figure against what the match bound: its inputs are looked up, it is not."""
    match = case.source.match
    if item.names == EGFR_NAMES and match.lab.derived_value is not None:
        near = (
            abs(match.lab.derived_value - item.value) <= item.tolerance
            and match.lab.derived_unit == item.unit
        )
        return None if near else f"{item.value:g} {item.unit} is not the figure that follows"
    for bound in match.also:
        recipe = next((r for f, r in RECIPES.items() if f.value == bound.subject), None)
        if bound.kind == "figure" and recipe is not None and recipe.names == item.names:
            right = (
                abs((bound.value or 0.0) - item.value) <= 10.0**-recipe.decimals and recipe.unit == item.unit
            )
            if not right:
                return f"{item.value:g} {item.unit} is not the figure that follows"
            return _other_form_fault(item, bound, recipe, case)
    return "no figure of the match goes by its names"


def _other_form_fault(item: ValueItem, bound: BoundFinding, recipe: FigureRecipe, case: Case) -> str | None:
    """Hold what is as right against the laboratory's own gap of the same draw, with the same correction on it."""
    if not item.as_right:
        return None
    if recipe.reported is None:
        return "no laboratory reports this figure"
    sodium, chloride, bicarbonate = (
        case.shown[ref]["valueQuantity"]["value"] for ref in bound.refs[: len(GAP_INPUTS)]
    )
    correction = (bound.value or 0.0) - (sodium - chloride - bicarbonate)
    label = case.source.analyte(recipe.reported).names[Language.EN]
    reported = case.source.results(case.source.labs(label, bound.time))
    follows = [result.value + correction for result in reported if result.time == bound.time]
    wrong = [form for form in item.as_right if not any(abs(form - one) <= item.tolerance for one in follows)]
    return f"{wrong[0]:g} is not what the laboratory reports" if wrong else None


GAP_INPUTS = ("sodium", "chloride", "bicarbonate")


def _tells_time(moment: datetime, proof: list[Resource]) -> bool:
    wanted = f"{moment:%Y-%m-%dT%H:%M}"
    return any(isinstance(leaf, str) and leaf.startswith(wanted) for one in proof for leaf in leaves(one))


def _range_fault(item: RangeItem, proof: list[Resource]) -> str | None:
    for resource in proof:
        for limits in resource.get("referenceRange", []):
            low, high = (limits.get(end, {}).get("value") for end in ("low", "high"))
            if (low, high) == (item.low, item.high):
                return None
    return f"{item.low}-{item.high} is not the range its proof shows"


def _name_fault(item: NameItem, proof: list[Resource], case: Case) -> str | None:
    if item.names == NO_GROWTH:
        sterile = {
            ref for bound in case.source.match.also if bound.subject == "no growth" for ref in bound.refs
        }
        return None if set(item.evidence) <= sterile else "its proof did grow something"
    told = " ".join(str(leaf) for resource in proof for leaf in leaves(resource)).casefold()
    known = any(name.casefold() in told for name in item.names)
    return None if known else f"its proof says nothing of {item.names[0]}"


def _charted_fault(item: DoseItem, proof: list[Resource], case: Case) -> str | None:
    """Hold the dose of a drug that is no order of the match against the orders or administrations that prove it."""
    if not item.evidence or len(proof) < len(item.evidence):
        return "no call shows all that proves it"
    vocabulary = case.source.vocabulary
    for resource in proof:
        drug = vocabulary.ingredient(resource.get("medicationCodeableConcept", {}).get("text", "").strip())
        if drug is None or set(vocabulary.names_of(drug)).isdisjoint(item.of):
            return f"{resource['id']} is of no {item.of[0]}"
    charted = {dose_in(resource) for resource in proof}
    return None if charted == set(item.doses) else f"{item.doses[0]} is not the dose its proof shows"


def _told_fault(item: NameItem | DoseItem, turn: GoldTurn, case: Case) -> str | None:
    """Hold what is told of a write against the call that writes it, and the orders of the match that it names."""
    written = [str(value) for call in turn.calls if _writes(call.tool) for value in call.arguments.values()]
    orders = case.source.match.orders
    if isinstance(item, DoseItem):
        doses = {
            f"{order.dose_value:g} {order.dose_unit}" for order in orders if order.dose_value is not None
        }
        if other := sorted({*(item.before or ())} - doses):
            return f"no order of the match is of {other[0]}"
        return None if item.doses[0] in written else f"{item.doses[0]} is not the dose written"
    told = " ".join((*written, *(order.drug for order in orders if order.ref in written))).casefold()
    known = any(name.casefold() in told for name in item.names)
    return None if known else f"what is written says nothing of {item.names[0]}"


def _writes(tool: str) -> bool:
    return tool in TOOLS and TOOLS[tool].writes


def _order_fault(item: DoseItem | RouteItem, proof: list[Resource], case: Case) -> str | None:
    """Hold a dose or route against the orders that its drug has in the match, and those against the record."""
    of = {name.casefold() for name in item.of}
    if isinstance(item, DoseItem) and not {order.ref for order in case.source.match.orders} & {
        *item.evidence
    }:
        return _charted_fault(item, proof, case)
    orders = [order for order in case.source.match.orders if order.drug.strip().casefold() in of]
    if not orders:
        return f"no order of the match is of {item.of[0]}"
    unseen = [order.ref for order in orders if order.ref not in case.shown]
    if unseen:
        return f"no call shows {unseen[0]}"
    if isinstance(item, DoseItem):
        right = {
            f"{order.dose_value:g} {order.dose_unit}" for order in orders if order.dose_value is not None
        }
        return None if set(item.doses) == right else f"{item.doses[0]} is not the dose ordered"
    vocabulary = case.source.vocabulary
    routes = {vocabulary.route(order.route) for order in orders if order.route}
    return None if set(item.routes) == routes else f"{item.routes[0]} is not the route ordered"


def _conclusion_fault(item: DecisionItem | JudgementItem | AvoidItem, case: Case) -> str | None:
    rule = case.source.rule
    match item:
        case AvoidItem(unsafe=unsafe):
            return None if unsafe in rule.unsafe else f"its rule does not call {unsafe} unsafe"
        case DecisionItem(decision=decision, also=also):
            if decision is not rule.decision:
                return f"advises to {decision}, its rule {rule.decision}"
            if set(item.unsafe) != set(rule.unsafe) or set(rule.unsafe) & {decision, *also}:
                return "what is unsafe is not what its rule calls so"
            return None
        case JudgementItem(names=names) if names in (RISEN, FALLEN):
            return _direction_fault(item, case)
        case JudgementItem(names=names, others=others):
            if rule.judgement is None:
                return "its rule judges nothing"
            answers = load_judgements()[rule.judgement.question].answers
            every = {
                key: tuple(w for words in one.names.values() for w in words) for key, one in answers.items()
            }
            right = rule.judgement.right
            if names != tuple(word for answer in right for word in every[answer]):
                return "concludes what its rule does not"
            if set(others) != {words for key, words in every.items() if key not in right}:
                return "the answers it excludes are not the others of its question"
    return None


def _direction_fault(item: JudgementItem, case: Case) -> str | None:
    """Hold a rise or fall, and its amount, against the results of the trend window."""
    trend = case.source.trend
    moved = trend[-1].value - trend[0].value if trend else 0.0
    if (item.names == RISEN) is not (moved > 0):
        return "the results moved the other way"
    change = item.change
    if change is None or abs(change.by - abs(moved)) > SAME or change.rises is not (moved > 0):
        return f"the results moved by {abs(moved):g}"
    wrong = change.percent is not None and abs(change.percent - 100 * change.by / trend[0].value) > SAME
    return "the percentage is not that of its results" if wrong else None


def _unsafe(answer: str, language: Language, case: Case) -> Iterable[str]:
    """Find advice that the rule calls unsafe, in any turn, and answers that its own excludes."""
    rule, source = case.source.rule, case.source
    if rule.judgement is not None:
        answers = load_judgements()[rule.judgement.question].answers
        for key, one in answers.items():
            if key not in rule.judgement.right and one.say[language].casefold() in answer.casefold():
                yield f"{language} concludes {key}, which its rule excludes"
    drugs = {order.ingredient for order in source.match.orders}
    if drugs.isdisjoint(drug.id for drug in source.vocabulary.ingredients_in(answer)):
        return
    evidence = TurnEvidence(
        question="",
        answer=answer,
        language=language,
        shown=frozenset(),
        writes=(),
        subject_id=source.match.subject_id,
    )
    for unsafe in rule.unsafe:
        item = AvoidItem(
            item_id="unsafe", text={language: unsafe.value}, names=source.bound_names, unsafe=unsafe
        )
        if decide(item, evidence, source.vocabulary).verdict is Verdict.NOT_MET:
            yield f"{language} advises to {unsafe}, which its rule calls unsafe"
