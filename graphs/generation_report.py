"""The generation report: what each stage let through and turned away, and why."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from rich.console import RenderableType

from agents.casting import SMALL_SET, USES_OF_A_MATCH
from state.checking import Ruling, Stage
from state.generation import Attempt, GenerationReport, StageCount
from state.plan import Slot
from state.wordings import Voice, WordedTurn, WordingCount
from tools.counted import counted
from tools.report.as_text import as_rich
from tools.report.cells import ReportTable

ORDER = (
    Stage.PLANNER,
    Stage.PLAN,
    Stage.OBSERVATION,
    Stage.GOLD,
    Stage.CLINICAL,
    Stage.RUBRIC,
    Stage.PATIENT,
    Stage.WORDING,
    Stage.BILINGUAL,
    Stage.VERIFY,
)
"""The stages as a candidate passes them."""
READINGS = (Stage.CLINICAL_READING, Stage.WORDING_READING, Stage.BILINGUAL_READING)
"""Those that come after them where a model reads what code has accepted."""
_PARTICULAR = re.compile(r"'[^']*'|\"[^\"]*\"|[A-Z][A-Za-z]+/\S+|-?\d[\d.,:-]*")
REASONS_SHOWN = 3


def report(attempts: Sequence[Attempt], wanted: int, worded: Sequence[WordedTurn] = ()) -> GenerationReport:
    """Count candidates by stage and reason; numbers and quotes are left out of a reason, so that like meets like.

    ``worded`` says who worded the turns of the accepted, where a model was asked to.
    """
    read = any(attempt.stage in READINGS for attempt in attempts)
    order = (*ORDER, *READINGS) if read else ORDER
    ended: dict[Stage, list[Attempt]] = {stage: [] for stage in order}
    for attempt in attempts:
        ended[attempt.stage].append(attempt)
    counts, reached = [], len(attempts)
    for stage in order:
        rejected = sum(attempt.ruling is Ruling.REJECT for attempt in ended[stage])
        undecided = sum(attempt.ruling is Ruling.CANNOT_DECIDE for attempt in ended[stage])
        passed = reached - rejected - undecided
        counts.append(
            StageCount(
                stage=stage,
                reached=reached,
                passed=passed,
                rejected=rejected,
                undecided=undecided,
                reasons=_reasons(ended[stage]),
            )
        )
        reached = passed
    return GenerationReport(
        wanted=wanted,
        accepted=sum(attempt.accepted for attempt in attempts),
        tried=len(attempts),
        reworded=sum(attempt.rewordings > 0 for attempt in attempts),
        stages=tuple(counts),
        wording=_wording(worded) if worded else None,
    )


def _wording(worded: Sequence[WordedTurn]) -> WordingCount:
    voices = Counter(note.voice for note in worded)
    refused = [words for note in worded for words in note.refused]
    reasons = Counter(
        f"{words.form}: {_PARTICULAR.sub('…', reason)}" for words in refused for reason in words.reasons
    )
    return WordingCount(
        model=voices[Voice.MODEL],
        template=voices[Voice.TEMPLATE],
        refused=len(refused),
        reasons=_commonest_first(reasons),
    )


def _reasons(attempts: Iterable[Attempt]) -> dict[str, int]:
    return _commonest_first(Counter(_PARTICULAR.sub("…", a.reasons[0]) for a in attempts if a.reasons))


def _commonest_first(reasons: Counter[str]) -> dict[str, int]:
    return dict(sorted(reasons.items(), key=lambda counted: (-counted[1], counted[0])))


def shortfall_lines(
    layout: Sequence[Slot], slots: Sequence[Slot], attempts: Sequence[Attempt], wanted: int
) -> list[str]:
    """Say how many sessions were asked for and made, whose slots others took, and why slots stay empty.

    ``layout`` are the slots of a full set, ``slots`` those that some rule match fits; the first ``wanted`` of these are
    to be filled.
    """
    filled = {attempt.slot for attempt in attempts if attempt.accepted}
    wanted_slots = list(enumerate(slots[:wanted]))
    empty = [(number, slot) for number, slot in wanted_slots if number not in filled]
    lines = [f"{counted(wanted, 'session')} asked for, {len(filled)} made"]
    if wanted > len(slots):
        lines.append(f"the set has no more than {counted(len(slots), 'slot')}")
    fitted = {(slot.scenario, slot.tier) for slot in slots}
    left_out = Counter(cell for slot in layout[:wanted] if (cell := (slot.scenario, slot.tier)) not in fitted)
    lines += [
        f"no rule match fits {scenario}, tier {tier}: its share ({count} of {counted(wanted, 'slot')}) goes to the "
        "others, as far as they have slots"
        for (scenario, tier), count in left_out.items()
    ]
    arcs: dict[tuple[str, int, str], list[int]] = {}
    for number, slot in empty:
        tried = [attempt for attempt in attempts if attempt.slot == number]
        why = "no rule match of this scenario and tier is left"
        if wanted <= SMALL_SET:
            why += f" (in a set of up to {SMALL_SET} sessions a match carries {USES_OF_A_MATCH} at most)"
        if tried:
            reasons = Counter((a.stage, _PARTICULAR.sub("…", a.reasons[0])) for a in tried if a.reasons)
            told = "; ".join(
                f"{times} by {stage}: {reason}" for (stage, reason), times in reasons.most_common(3)
            )
            matches = "the one rule match left" if len(tried) == 1 else f"all {len(tried)} rule matches left"
            why = f"{matches} refused ({told})"
        arcs.setdefault((slot.scenario, slot.tier, why), []).append(slot.arc)
    return lines + [
        f"not made: {scenario}, tier {tier}, arc {', '.join(map(str, sorted(set(of))))} ({len(of)} of {wanted}): {why}"
        for (scenario, tier, why), of in arcs.items()
    ]


def report_table(counted: GenerationReport) -> RenderableType:
    """Lay a report out: a line a stage, its commonest reasons beneath."""
    return as_rich(
        [
            ReportTable(
                name="stages",
                title=f"{counted.accepted} accepted of {counted.tried} candidates, {counted.reworded} worded again",
                columns=("stage", "reached", "passed", "rejected", "undecided", "commonest reasons"),
                rows=tuple(
                    (
                        count.stage,
                        count.reached,
                        count.passed,
                        count.rejected,
                        count.undecided,
                        _commonest(count),
                    )
                    for count in counted.stages
                ),
            )
        ]
    )


def _commonest(count: StageCount) -> str:
    return "\n".join(f"{times} {reason}" for reason, times in list(count.reasons.items())[:REASONS_SHOWN])


def wording_lines(counted: WordingCount, model: str) -> list[str]:
    """Say who worded a set that a model was asked to word, and why words of the model were refused."""
    total = counted.model + counted.template
    lines = [
        f"{model} worded {counted.model} of {total} turns (a turn in a language each), templates the rest"
    ]
    if counted.refused:
        why = "; ".join(
            f"{times} {reason}" for reason, times in list(counted.reasons.items())[:REASONS_SHOWN]
        )
        lines.append(f"{counted.refused} wordings refused: {why}")
    return lines
