"""What the physician is told of a write: a sentence of each kind, with the items that ask for its particulars."""

from collections.abc import Mapping

from state.base import Language
from state.gold import DoseItem, NameItem
from state.knowledge import BoundOrder, FlagAction, ServiceAction, StopAction
from tools.gold.items import both
from tools.gold.pieces import Piece
from tools.gold.source import GoldSource
from tools.gold.topics import STRANGER, WRONG_DOSE, LabTopic, spelled
from tools.vocabulary import Vocabulary

CODES: Mapping[str, Mapping[Language, str]] = {
    "safety": both("safety", "安全类"),
    "clinical": both("clinical", "临床类"),
    "stopped": both("stopped", "停用"),
    "on-hold": both("put on hold", "暂停"),
    "routine": both("routine", "常规"),
    "urgent": both("urgent", "紧急"),
    "asap": both("ASAP", "尽快"),
}
"""The codes that are written, in words."""
_SAID: Mapping[str, tuple[str, ...]] = {
    "stopped": (
        "stopped",
        "stop",
        "discontinued",
        "discontinue",
        "ended",
        "停用",
        "停止",
        "停药",
        "停掉",
        "已停",
    ),
    "on-hold": ("on hold", "on-hold", "held", "hold", "paused", "suspended", "暂停", "挂起"),
    "routine": ("routine", "routinely", "常规", "普通"),
    "urgent": ("urgent", "urgently", "紧急", "加急", "急查"),
    "asap": ("ASAP", "as soon as possible", "尽快", "尽早"),
}
"""The words by which an answer tells a code."""
_OTHER = {
    "stopped": "on-hold",
    "on-hold": "stopped",
    "routine": "urgent",
    "urgent": "routine",
    "asap": "routine",
}
_STRANGE_SERVICE = both("chaplain visit", "心理关怀探访")
"""A service no rule asks for; it stands in for the right one where an answer is made wrong."""


def flagged(source: GoldSource, key: LabTopic, action: FlagAction, prefix: str) -> Piece:
    """Tell the flag: the result, and the drug where it is about one that the test's own name does not tell."""
    result = key.value_piece("flag", key.latest, f"{prefix}-told-result", "latest")
    drug = source.drug_in(source.order.ingredient) if source.match.orders else None
    words = {
        language: {
            **key.words()[language],
            "category": CODES[action.category][language],
            "drug": drug and drug[language],
        }
        for language in Language
    }
    if drug is None or told_by_its_level(source):
        return Piece("flag", result.items, result.facts, words, result.wrong)
    named = _named(f"{prefix}-told-drug", "the drug it flagged", "所警示的药物", drug, source.bound_names)
    return Piece("flag", (*result.items, named), result.facts, words, {**result.wrong, "drug": STRANGER})


def told_by_its_level(source: GoldSource) -> bool:
    """Tell whether the test measures the flagged drug: who tells its level has told the drug."""
    level = source.vocabulary.level_of(source.ingredient(source.order.ingredient))
    measured = level is not None and level.id == source.match.lab.analyte
    return measured or source.order.ingredient in source.told_by_the_test


def ordered(
    source: GoldSource,
    ingredient: str,
    written: Mapping[str, str],
    replaced: BoundOrder | None,
    prefix: str,
) -> Piece:
    """Tell the order by its drug and dose, in mmol too where the write may be; ``written`` are its fields."""
    drug, dose = source.drug_in(ingredient), written["dose"]
    before = () if replaced is None or replaced.dose_value is None else (_dose(replaced),)
    item = DoseItem(
        item_id=f"{prefix}-told-dose",
        text=both(
            f"Tells the physician what it ordered: {drug[Language.EN]}, {dose}",
            f"告知医生所开的医嘱：{drug[Language.ZH]}，{dose}",
        ),
        doses=(dose, *_in_mmol(source.vocabulary, ingredient, dose)),
        of=source.ingredient_names(ingredient) if replaced is None else source.drug_names(replaced),
        before=before,
    )
    words = {language: {"drug": drug[language]} for language in Language}
    return Piece("order_written", (item,), dict(written), words, {"dose": WRONG_DOSE})


def ended(source: GoldSource, action: StopAction, prefix: str) -> Piece:
    """Tell which order was ended, and whether it is stopped or held."""
    order = source.order
    drug = source.drug_in(order.ingredient)
    told = (
        _named(
            f"{prefix}-told-drug", "whose order it ended", "所停医嘱的药物", drug, source.drug_names(order)
        ),
        _code(f"{prefix}-told-status", "how it ended it", "处理方式", action.status),
    )
    words = {
        language: {"order": spelled(drug[language], order), "status": CODES[action.status][language]}
        for language in Language
    }
    wrong = {
        language: {"order": STRANGER, "status": CODES[_OTHER[action.status]][language]}
        for language in Language
    }
    return Piece("order_stopped", told, words=words, wrong_words=wrong)


def requested(source: GoldSource, action: ServiceAction, prefix: str) -> Piece:
    """Tell which service was requested, and how soon it is wanted."""
    told = (
        _named(
            f"{prefix}-told-service",
            "the service it requested",
            "所申请的项目",
            action.words,
            service_names(source.vocabulary, action),
        ),
        _code(f"{prefix}-told-priority", "how soon it is wanted", "优先级", action.priority),
    )
    words = {
        language: {"service": action.words[language], "priority": CODES[action.priority][language]}
        for language in Language
    }
    wrong = {
        language: {
            "service": _STRANGE_SERVICE[language],
            "priority": CODES[_OTHER[action.priority]][language],
        }
        for language in Language
    }
    return Piece("service", told, words=words, wrong_words=wrong)


def service_names(vocabulary: Vocabulary, action: ServiceAction) -> tuple[str, ...]:
    """Give the words a service is told by: the action's, and every word for a single test; a drug is no service."""
    names = [*action.words.values(), *action.names]
    service = vocabulary.service(action.words[Language.EN])
    if service is not None and not service.names and len(service.analytes) == 1:
        test = vocabulary.analyte_by_id(next(iter(service.analytes)))
        names += (*test.names.values(), *test.synonyms) if test is not None else ()
    return tuple(name for name in dict.fromkeys(names) if vocabulary.ingredient(name) is None)


def _named(item_id: str, en: str, zh: str, shown: Mapping[Language, str], names: tuple[str, ...]) -> NameItem:
    return NameItem(
        item_id=item_id,
        text=both(f"Tells the physician {en}: {shown[Language.EN]}", f"告知医生{zh}：{shown[Language.ZH]}"),
        names=names,
        written=True,
    )


def _code(item_id: str, en: str, zh: str, code: str) -> NameItem:
    return _named(item_id, en, zh, CODES[code], _SAID[code])


def _dose(order: BoundOrder) -> str:
    return f"{order.dose_value:g} {order.dose_unit}"


def _in_mmol(vocabulary: Vocabulary, ingredient: str, dose: str) -> tuple[str, ...]:
    """Give a dose in mEq as mmol too, where the drug's valence is known."""
    drug, amount = vocabulary.ingredient_by_id(ingredient), vocabulary.dose(dose)
    if drug is None or drug.valence is None or amount is None or amount.unit != "mEq":
        return ()
    return (f"{amount.value / drug.valence:g} mmol",)
