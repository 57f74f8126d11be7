"""Sentences about computed figures: of which draw, and what the laboratory itself reports under the same name."""

from collections.abc import Iterator
from datetime import datetime

from state.base import Language, ResourceRef
from state.findings import BoundFinding, Figure
from state.gold import ToolCall, ValueItem
from tools.clinical.anion_gap import corrected_anion_gap_meq_l
from tools.clinical.figures import RECIPES, FigureRecipe
from tools.gold import items
from tools.gold.pieces import Piece
from tools.gold.source import GoldSource, Result
from tools.gold.topics import BESIDE, WRONG_BY, LabTopic, after, shown, when, wrong_value


def figure_pieces(source: GoldSource, prefix: str) -> list[Piece]:
    """State the figures that the rule's conditions are about."""
    pieces, lab = [], source.match.lab
    if lab.derived_value is not None and lab.derived_unit is not None:
        recipe = RECIPES[Figure.EGFR]
        item = items.figure(
            f"{prefix}-egfr",
            recipe.label,
            items.EGFR_NAMES,
            round(lab.derived_value),
            lab.derived_unit,
            1.0,
            (lab.ref,),
        )
        pieces.append(_piece(item.value, recipe, item, None))
    for number, bound in enumerate(_figures(source), 1):
        if RECIPES[Figure(bound.subject)].stated:
            pieces.append(_of_bound(source, bound, f"{prefix}-figure-{number}"))
    return pieces


def figure_calls(source: GoldSource) -> list[ToolCall]:
    """Look up what the figures are computed from."""
    return [
        _input(source, analyte).call
        for bound in _figures(source)
        for analyte in RECIPES[Figure(bound.subject)].analytes
    ]


def _figures(source: GoldSource) -> Iterator[BoundFinding]:
    return (bound for bound in source.match.also if bound.kind == "figure")


def _input(source: GoldSource, analyte: str) -> LabTopic:
    label = source.analyte(analyte).names[Language.EN]
    return LabTopic(source, f"{BESIDE}{analyte}", analyte, label)


def _of_bound(source: GoldSource, bound: BoundFinding, item_id: str) -> Piece:
    """State a figure rounded as laboratories report it; one unit of the last place is the rounding of its inputs."""
    recipe = RECIPES[Figure(bound.subject)]
    rounded = round(bound.value or 0.0, recipe.decimals)
    tolerance = 10.0**-recipe.decimals
    drawn = bound.time if len(recipe.draws) == 1 else None
    refs: list[ResourceRef] = [*bound.refs]
    as_right = []
    for result in _reported(source, recipe, drawn):
        value = round(_by_the_laboratory(source, bound, result), recipe.decimals)
        if abs(value - rounded) > tolerance:
            as_right.append(value)
            refs.append(result.ref)
    item = items.figure(
        item_id,
        recipe.label,
        recipe.names,
        rounded,
        recipe.unit,
        tolerance,
        tuple(refs),
        drawn=drawn,
        as_right=tuple(as_right),
    )
    return _piece(rounded, recipe, item, drawn)


def _piece(value: float, recipe: FigureRecipe, item: ValueItem, drawn: datetime | None) -> Piece:
    """Word it; the last of its names is the Chinese one."""
    facts = {
        "value": shown(value),
        "unit_after": after(recipe.unit),
        "time": when(drawn) if drawn is not None else None,
    }
    words = {Language.EN: {"label": recipe.label}, Language.ZH: {"label": recipe.names[-1]}}
    wrong = max((value, *item.as_right))
    untrue = {"value": shown(wrong_value(wrong) + 10), "time": when(drawn + WRONG_BY) if drawn else None}
    return Piece("figure", (item,), facts, words, untrue)


def _reported(source: GoldSource, recipe: FigureRecipe, drawn: datetime | None) -> list[Result]:
    """Find what the laboratory reports of the same draw under the figure's name."""
    if recipe.reported is None or drawn is None:
        return []
    return [result for result in _input(source, recipe.reported).history if result.time == drawn]


def _by_the_laboratory(source: GoldSource, bound: BoundFinding, reported: Result) -> float:
    """Give the figure as it follows from the reported one: laboratories may count potassium into an anion gap."""
    if bound.subject != Figure.CORRECTED_ANION_GAP:
        return reported.value
    albumin = [r.value for r in _input(source, "albumin").history if r.ref in bound.refs]
    return corrected_anion_gap_meq_l(reported.value, albumin[0])
