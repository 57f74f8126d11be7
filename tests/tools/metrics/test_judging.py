"""What code left to judges is counted by what became of it, whoever had the last word."""

import pytest
from metric_cases import result, session

from state.outcome import Ballot, ItemVerdict, Verdict
from tools.metrics import judging_of


@pytest.mark.parametrize(
    ("final", "by", "decided", "undecided"),
    [
        (Verdict.MET, "model", 1, 0),
        (Verdict.NOT_MET, "code", 1, 0),
        (Verdict.CANNOT_TELL, "model", 0, 1),
        (None, "", 0, 1),
    ],
)
def test_an_item_left_to_judges_is_decided_or_not(
    final: Verdict | None, by: str, decided: int, undecided: int
) -> None:
    whole = result(session("s", turns=1), 1.0)
    ballot = Ballot(item_id="i", judge="j", code=Verdict.CANNOT_TELL, verdict=Verdict.MET, reason="")
    verdicts = () if final is None else (ItemVerdict(item_id="i", verdict=final, decided_by=by, reason=""),)
    turn = whole.turns[0].model_copy(update={"ballots": (ballot,), "verdicts": verdicts})
    found = judging_of([whole.model_copy(update={"turns": (turn,)})], ["j"])
    assert found is not None
    assert (found.decided, found.undecided) == (decided, undecided)


def test_an_item_that_code_decided_was_not_left_to_judges() -> None:
    whole = result(session("s", turns=1), 1.0)
    ballot = Ballot(item_id="i", judge="j", code=Verdict.MET, verdict=Verdict.NOT_MET, reason="")
    verdict = ItemVerdict(item_id="i", verdict=Verdict.MET, decided_by="code", reason="")
    turn = whole.turns[0].model_copy(update={"ballots": (ballot,), "verdicts": (verdict,)})
    found = judging_of([whole.model_copy(update={"turns": (turn,)})], ["j"])
    assert found is not None
    assert (found.decided, found.undecided) == (0, 0)
