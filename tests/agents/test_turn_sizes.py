"""How large turns are: what one answer would meet under two heads is no turn."""

import pytest

from agents.turn_sizes import counted, names_twice
from state.base import Language, ResourceRef
from state.gold import AvoidItem, Decision, NameItem
from tools.gold.pieces import Draft

TEXT = {Language.EN: "Names it", Language.ZH: "说出"}


def named(item_id: str, names: tuple[str, ...], resource: str) -> NameItem:
    return NameItem(item_id=item_id, text=TEXT, names=names, evidence=(ResourceRef(f"Condition/{resource}"),))


@pytest.mark.parametrize(
    ("first", "second", "twice"),
    [
        (("Heart failure", "I50.9"), ("I50.9",), True),
        (("Heart failure", "I50.9"), ("i50.9",), True),
        (("Heart failure", "I50.9"), ("Cirrhosis", "K74.60"), False),
    ],
)
def test_a_thing_under_two_heads_is_named_twice(first: tuple[str, ...], second: tuple[str, ...], twice: bool):
    apart = (named("a", first, "icd-1"), named("b", second, "icd-2"))
    assert names_twice(Draft((), (), apart)) is twice
    of_one = (named("a", first, "icd-1"), named("b", second, "icd-1"))
    assert not names_twice(Draft((), (), of_one))


def test_gates_do_not_count():
    gate = AvoidItem(item_id="c", text=TEXT, names=("x",), unsafe=Decision.HOLD)
    assert counted(Draft((), (), (named("a", ("x",), "icd-1"), gate))) == 1
