"""Rubric items of what is concluded: advice about a drug, an answer to a question, the way a result has moved."""

from collections.abc import Mapping, Sequence

from state.base import Language, ResourceRef
from state.gold import (
    AvoidItem,
    Change,
    Decision,
    DecisionItem,
    JudgementItem,
    RubricItem,
    SparesItem,
)
from state.knowledge import JudgementQuestion, OrderAction, Rule
from tools.gold.items import OTHERS_ALLOWED, both, bound_ingredients
from tools.gold.source import GoldSource, Result

LOWERING = (Decision.HOLD, Decision.REDUCE)
"""Less of a drug: where a rule wants one of these and does not call the other unsafe, either is accepted."""
DECIMALS = 6
"""Of a difference of two results: what floating point adds is cut off, nothing that a laboratory reports is."""
TURN_SHARE = 1 / 3
"""Of the change over a course: a last step back that is larger makes "risen" or "fallen" the wrong story. Ours."""
RISEN = (
    *(
        "risen",
        "rise",
        "rising",
        "rose",
        "rises",
        "increase",
        "increased",
        "increasing",
        "going up",
        "went up",
        "up",
        "Up",
    ),
    *("climbed", "climbing", "higher", "upward", "上升", "升高", "增加", "上涨", "升"),
)
FALLEN = (
    *(
        "fallen",
        "fall",
        "falling",
        "fell",
        "falls",
        "decrease",
        "decreased",
        "decreasing",
        "going down",
        "went down",
    ),
    *("down", "dropped", "drop", "dropping", "declined", "decline", "declining", "lower", "downward"),
    *("下降", "降低", "减少", "下跌", "降"),
)
_ADVISED: Mapping[Decision, tuple[str, str]] = {
    Decision.HOLD: ("hold", "暂停"),
    Decision.REDUCE: ("reduce", "减量使用"),
    Decision.REPLACE: ("replace what is lacking with", "补充"),
    Decision.CONTINUE: ("continue", "继续使用"),
}
_CONCLUDES = both("Concludes: ", "结论：")
_OR = both(" Or, as right: ", "或者（同样正确）：")


def advised_on(source: GoldSource) -> tuple[str, ...]:
    """Name what the decision is about: the triggering drugs, or what is to be replaced."""
    rule = source.rule
    if (
        source.decision is Decision.REPLACE
        and isinstance(rule.action, OrderAction)
        and rule.action.medication
    ):
        return (
            *source.ingredient_names(rule.action.medication),
            *source.analyte_names(source.match.lab.analyte),
        )
    return source.bound_names


def _advice(source: GoldSource, decisions: Sequence[Decision]) -> dict[Language, str]:
    """Word what is advised, any of ``decisions``, with the drug it is about: of a replacement, what is to be given."""
    action = source.rule.action
    given = action.medication if isinstance(action, OrderAction) else None
    replaces = Decision.REPLACE in decisions and given is not None
    drugs = {
        language: source.drug_in(given)[language] if replaces and given else source.drugs_in(language)
        for language in Language
    }
    return both(
        f"{' or '.join(_ADVISED[one][0] for one in decisions)} {drugs[Language.EN]}",
        f"{'或'.join(_ADVISED[one][1] for one in decisions)}{drugs[Language.ZH]}",
    )


def _why(rule: Rule, advice: Mapping[Language, str]) -> dict[Language, str]:
    """Word an item of advice with the rule's reason, and with what would change the advice, which may be left out."""
    en, zh = Language.EN, Language.ZH
    return both(
        f"Advises to {advice[en]}. {rule.reason[en]} It may say what would change this: {rule.changes_if[en]}",
        f"建议{advice[zh]}。{rule.reason[zh]}回答还可以说明什么情况下会改变这一建议：{rule.changes_if[zh]}",
    )


def advised(decision: Decision) -> dict[Language, str]:
    """Word what a decision does to a drug, to be followed by its name."""
    return both(*_ADVISED[decision])


def decision(source: GoldSource, item_id: str) -> tuple[RubricItem, ...]:
    """Advise what the rule concludes, nothing it calls unsafe, and leave the other drugs alone."""
    rule, wanted = source.rule, source.decision
    also = tuple(d for d in LOWERING if wanted in LOWERING and d not in {wanted, *rule.unsafe})
    advice = _advice(source, (wanted, *also))
    found: list[RubricItem] = [
        DecisionItem(
            item_id=item_id,
            text=_why(rule, advice),
            names=advised_on(source),
            decision=wanted,
            also=also,
            unsafe=rule.unsafe,
            safety=True,
            evidence=source.shown_by(source.match.orders),
        )
    ]
    found += [
        AvoidItem(
            item_id=f"{item_id}-avoids",
            text=both(
                f"Does not advise to {_advice(source, (unsafe,))[Language.EN]}",
                f"不建议{_advice(source, (unsafe,))[Language.ZH]}",
            ),
            names=source.bound_names,
            unsafe=unsafe,
        )
        for unsafe in rule.unsafe[:1]
    ]
    others = source.other_drugs(bound_ingredients(source))
    if len(others) > OTHERS_ALLOWED:
        found.append(
            SparesItem(
                item_id=f"{item_id}-spares",
                text=both(
                    f"Advises to hold at most {OTHERS_ALLOWED} other active drugs",
                    f"建议停用的其他在用药物不超过{OTHERS_ALLOWED}种",
                ),
                others=others,
                at_most=OTHERS_ALLOWED,
            )
        )
    return tuple(found)


def judgement(
    question: JudgementQuestion,
    answer: str,
    item_id: str,
    evidence: tuple[ResourceRef, ...],
    also: tuple[str, ...] = (),
) -> JudgementItem:
    """Conclude what the rule concludes, or what is as right, and none of the question's other answers."""
    right = (answer, *also)

    def names(answer_id: str) -> tuple[str, ...]:
        return tuple(word for words in question.answers[answer_id].names.values() for word in words)

    def options(*answer_ids: str) -> tuple[str, ...]:
        each = (question.answers[answer_id].options.values() for answer_id in answer_ids)
        return tuple(option for languages in each for listed in languages for option in listed)

    others = [other for other in question.answers if other not in right]

    text = {
        language: head + _OR[language].join(question.answers[answer].say[language] for answer in right)
        for language, head in _CONCLUDES.items()
    }
    return JudgementItem(
        item_id=item_id,
        text=text,
        safety=True,
        names=tuple(name for answer in right for name in names(answer)),
        others=tuple(map(names, others)),
        options=(options(*right), *map(options, others)),
        evidence=evidence,
    )


def turns_back(values: Sequence[float]) -> bool:
    """Tell whether the last step of a course runs against its overall change by more than ``TURN_SHARE`` of it.

    ``values`` are two or more, oldest first.
    """
    overall = values[-1] - values[0]
    back = (values[-2] - values[-1]) * (1 if overall > 0 else -1)
    return round(back, DECIMALS) > round(TURN_SHARE * abs(overall), DECIMALS)


def direction(item_id: str, names: tuple[str, ...], first: Result, latest: Result) -> JudgementItem:
    """Say whether the test called ``names`` has risen or fallen from ``first`` to ``latest``, and by how much."""
    rises = latest.value > first.value
    by = round(abs(latest.value - first.value), DECIMALS)
    right, other = (RISEN, FALLEN) if rises else (FALLEN, RISEN)
    amount = f"{by:g} {latest.unit}".strip()
    return JudgementItem(
        item_id=item_id,
        text=both(
            f"Says that it has {right[0]}, and by how much: {amount}",
            f"说明{'上升' if rises else '下降'}了多少：{amount}",
        ),
        safety=True,
        names=right,
        others=(other,),
        change=Change(
            names=names,
            by=by,
            unit=latest.unit,
            percent=round(100 * by / first.value, DECIMALS) if first.value > 0 else None,
            rises=rises,
        ),
        evidence=(latest.ref,),
    )
