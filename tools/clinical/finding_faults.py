"""What the vocabulary contradicts in a rule's further findings."""

from state.findings import (
    LIMITS,
    ConditionFinding,
    CultureFinding,
    FigureFinding,
    Finding,
    GivenFinding,
    HomeFinding,
    LabFinding,
    OrderFinding,
    RateFinding,
    VitalFinding,
)
from tools.clinical.figures import RECIPES
from tools.vocabulary import Vocabulary

Faults = list[tuple[str, str]]


def finding_faults(finding: Finding, vocabulary: Vocabulary) -> Faults:
    """List the fields of a finding that cannot be, each with what is wrong."""
    match finding:
        case LabFinding():
            return _lab(finding, vocabulary)
        case FigureFinding():
            return _figure(finding)
        case OrderFinding() | GivenFinding():
            drugs = (*finding.ingredients, *finding.rivals)
            return _ingredients(drugs, vocabulary) + _routes(finding.routes, vocabulary)
        case HomeFinding():
            return _ingredients((*finding.ingredients, *finding.rivals), vocabulary)
        case RateFinding():
            return _ingredients(finding.ingredients, vocabulary)
        case CultureFinding():
            words = (
                *(*finding.specimens, *finding.organisms, *finding.comments),
                *(*finding.susceptible_to, *finding.resistant_to),
            )
            return [
                ("culture", f"{word!r}: MIMIC-IV writes it in capitals")
                for word in words
                if word != word.upper()
            ]
        case VitalFinding():
            limits = (finding.at_least, finding.above, finding.below, finding.at_most, finding.change)
            bare = (
                [] if any(limit is not None for limit in limits) else [("sign", "give a limit or a change")]
            )
            if finding.change is not None and finding.change.from_below_range:
                bare.append(("change", "a vital sign has no reference range to start from"))
            return bare + _hours(finding)
        case ConditionFinding():
            codes = (*finding.icd10, *finding.icd9)
            return [
                ("icd", f"{code!r}: write ICD codes without dots") for code in codes if not code.isalnum()
            ]


def _lab(finding: LabFinding, vocabulary: Vocabulary) -> Faults:
    analyte = vocabulary.analyte_by_id(finding.analyte)
    if analyte is None:
        return [("analyte", f"{finding.analyte} is not in the vocabulary")]
    faults: Faults = []
    if finding.unit not in analyte.units:
        faults.append(
            (
                "unit",
                f"{finding.unit!r} is not a unit of {finding.analyte}: give one of {list(analyte.units)}",
            )
        )
    conditions = finding.limited or finding.range is not None or finding.change is not None
    if conditions == finding.absent:
        faults.append(
            ("absent", "an absent result takes no limits, any other takes a limit, a range or a change")
        )
    return faults + _hours(finding)


def _hours(finding: LabFinding | VitalFinding) -> Faults:
    limited = any(getattr(finding, name) is not None for name in LIMITS)
    if finding.for_hours is None or (
        limited and finding.change is None and finding.for_hours < finding.within_hours
    ):
        return []
    return [("for_hours", "it takes a limit, no change, and fewer hours than within_hours")]


def _figure(finding: FigureFinding) -> Faults:
    faults: Faults = []
    unit = RECIPES[finding.figure].unit
    if finding.unit != unit:
        faults.append(("unit", f"{finding.figure} is in {unit!r}, not {finding.unit!r}"))
    if not finding.limited or finding.absent:
        faults.append(("figure", "a figure takes a limit and cannot be absent"))
    if finding.for_days is not None and len(RECIPES[finding.figure].draws) > 1:
        faults.append(("for_days", f"{finding.figure} is of more than one draw"))
    return faults


def _routes(routes: tuple[str, ...], vocabulary: Vocabulary) -> Faults:
    return [
        ("routes", f"{route} is no canonical route; the vocabulary says {vocabulary.route(route)}")
        for route in routes
        if vocabulary.route(route) != route
    ]


def _ingredients(ingredients: tuple[str, ...], vocabulary: Vocabulary) -> Faults:
    return [
        ("ingredients", f"{ingredient} is not in the vocabulary")
        for ingredient in ingredients
        if vocabulary.ingredient_by_id(ingredient) is None
    ]
