"""One session as the page keeps it: a row of the list, and a transcript that is unpacked when it is opened."""

import base64
import gzip
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from state.gold import RubricItem
from state.outcome import Ballot, Errored, Scored, SessionResult, TurnResult, Unscored
from state.session import Session
from state.trajectory import SessionRecord, TurnRecord
from tools.fhir.elements import Resource
from tools.metrics import PASS_MARKS
from tools.report.page_dialogue import Dialogue, Json, changes
from tools.report.page_faults import turn_faults


@dataclass(frozen=True)
class SessionPage:
    """One session of the page.

    ``introduction``: what the doctor was told before its first answer. ``shown``: the text of each tool result, by turn
    and place among the turn's calls that were run. ``rubric``: each item by its id.
    """

    session: Session
    result: SessionResult
    record: SessionRecord
    introduction: str
    shown: Mapping[tuple[int, int], str]
    rubric: Mapping[str, RubricItem]

    @cached_property
    def faults(self) -> list[set[str]]:
        """Name the faults of each turn."""
        records = self.records
        return [turn_faults(turn, records.get(turn.index), self.rubric) for turn in self.result.turns]

    @property
    def records(self) -> dict[int, TurnRecord]:
        """Give what was done, by turn; a turn that broke off has no record."""
        return {record.index: record for record in self.record.turns}

    @property
    def scores(self) -> list[float | None]:
        """Give each turn's score, None where it has none."""
        return [
            turn.outcome.score if isinstance(turn.outcome, Scored) else None for turn in self.result.turns
        ]

    @property
    def mean(self) -> float | None:
        """Give the session's score: the mean of its turns, where all have one."""
        scores = [score for score in self.scores if score is not None]
        return fmean(scores) if scores and len(scores) == len(self.result.turns) else None

    @property
    def passed(self) -> bool | None:
        """Tell whether every turn reaches the lower pass mark; None where one has no score."""
        return None if self.mean is None else all((score or 0) >= PASS_MARKS[0] for score in self.scores)


def list_row(page: SessionPage) -> Json:
    """Give what the list shows and is filtered by; it holds nothing of the record, the dialogue or the patient."""
    outcomes = [turn.outcome for turn in page.result.turns]
    return {
        "id": page.session.session_id,
        "scenario": page.session.scenario,
        "tier": page.session.tier,
        "arc": page.session.arc,
        "scores": page.scores,
        "mean": page.mean,
        "passed": page.passed,
        "outcomes": sorted({"capped" if isinstance(o, Scored) and o.capped else o.kind for o in outcomes}),
        "faults": sorted(set[str]().union(*page.faults)),
    }


def packed(page: SessionPage, *, show_text: bool) -> str:
    """Pack a session's transcript: JSON, gzip, base64. The same session gives the same characters."""
    text = json.dumps(transcript(page, show_text=show_text), ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")


def transcript(page: SessionPage, *, show_text: bool) -> Json:
    """Give all turns. A tool result is a place in ``results``, which holds what was shown more than once only once.

    Without ``show_text`` there are only scores, verdicts, kinds and efforts.
    """
    records, dialogue = page.records, Dialogue(page.result.language, page.introduction)
    before: Sequence[Resource] = ()
    turns: list[Json] = []
    for result, turn in zip(page.result.turns, page.session.turns, strict=False):
        told = _outcome(result, page.rubric if show_text else None, page.result.language)
        record = records.get(result.index)
        if record is not None:
            told |= _effort(record)
        if record is not None and show_text:
            texts = [page.shown.get((result.index, place), "") for place in range(_ran(record))]
            told |= dialogue.turn(turn, record, texts, _met(result, page.rubric))
            told["writes"] = changes(before, record)
            before = record.overlay
        turns.append(told)
    about = _about(page.session) if show_text else {}
    return {"about": about, "turns": turns, "results": list(dialogue.results)}


def _ran(record: TurnRecord) -> int:
    return sum(call.ran for step in record.steps for call in step.calls)


def _met(result: TurnResult, rubric: Mapping[str, RubricItem]) -> Sequence[RubricItem]:
    return [rubric[v.item_id] for v in result.verdicts if v.verdict == "met" and v.item_id in rubric]


def _about(session: Session) -> Json:
    return {
        "patient": session.subject_id,
        "admission": session.hadm_id,
        "at": f"{session.as_of:%Y-%m-%d %H:%M}",
    }


def _outcome(turn: TurnResult, rubric: Mapping[str, RubricItem] | None, language: str) -> Json:
    """Give score and verdicts; reasons and the items' words only with a ``rubric``, for they quote the record."""
    verdicts: list[Json] = []
    for verdict in turn.verdicts:
        told: Json = {
            "item": verdict.item_id,
            "verdict": verdict.verdict,
            "by": verdict.decided_by,
            "safety": verdict.safety,
            "gate": verdict.gate,
        }
        if rubric is not None:
            told |= {"wanted": _wanted(rubric.get(verdict.item_id), language), "reason": verdict.reason}
        verdicts.append(told)
    outcome: Json = {"kind": turn.outcome.kind}
    match turn.outcome:
        case Scored(score=score, capped=capped):
            outcome |= {"score": score, "capped": capped}
        case Unscored(reason=why) if rubric is not None:
            outcome["why"] = why
        case Errored(error=error, who=who):
            outcome |= {"who": who, "why": error if rubric is not None else ""}
    return {
        "index": turn.index,
        "task": turn.task_type,
        "implicitness": turn.implicitness,
        "rests": turn.rests_on_answer,
        "outcome": outcome,
        "verdicts": verdicts,
        "ballots": [_ballot(ballot, show_text=rubric is not None) for ballot in turn.ballots],
    }


def _ballot(ballot: Ballot, *, show_text: bool) -> Json:
    """Give what a judge said beside what code had said; its reason and quotation are text of the dialogue."""
    told: Json = {
        "item": ballot.item_id,
        "judge": ballot.judge,
        "code": ballot.code,
        "verdict": ballot.verdict,
        "otherwise": ballot.says_otherwise,
        "fault": ballot.fault,
    }
    return told | {"reason": ballot.reason, "quote": ballot.quote} if show_text else told


def _wanted(item: RubricItem | None, language: str) -> str:
    return "" if item is None else {str(key): text for key, text in item.text.items()}.get(language, "")


def _effort(record: TurnRecord) -> Json:
    """Give how the turn ended and what it took; dollars are None where a price is not known."""
    costs = [step.usd for step in record.steps]
    usages = [step.usage for step in record.steps]
    return {
        "termination": record.termination,
        "seconds": record.seconds,
        "replies": len(record.steps),
        "calls": sum(len(step.calls) for step in record.steps),
        "tokens": [sum(u.input_tokens for u in usages), sum(u.output_tokens for u in usages)],
        "usd": None if None in costs else sum(cost for cost in costs if cost is not None),
    }
