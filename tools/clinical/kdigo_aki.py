"""Stage of acute kidney injury by creatinine and by urine output.

KDIGO Clinical Practice Guideline for Acute Kidney Injury, Kidney Int Suppl 2012;2:1-138, section 2.1. Injury is a rise
of 0.3 mg/dL or more within 48 hours, or to 1.5 times a baseline known or presumed to lie within the prior 7 days, or
urine under 0.5 mL/kg/h for 6 hours; the stage is the worse of the two criteria. For adults (children also have an eGFR
criterion).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from tools.clinical.checks import reaches, require_flags, require_not_negative, require_positive

RISE_MG_DL = 0.3
RISE_WINDOW = timedelta(hours=48)
STAGE_1_RATIO, STAGE_2_RATIO, STAGE_3_RATIO = 1.5, 2.0, 3.0
STAGE_3_CREATININE_MG_DL = 4.0
OLIGURIA_ML_KG_H = 0.5
SEVERE_OLIGURIA_ML_KG_H = 0.3


@dataclass(frozen=True)
class TimedCreatinine:
    """A creatinine and when it was drawn."""

    time: datetime
    creatinine_mg_dl: float


@dataclass(frozen=True)
class UrineCollection:
    """Urine collected from ``start`` to ``end``; a volume of 0 is a measured absence of urine."""

    start: datetime
    end: datetime
    volume_ml: float


def aki_stage_by_creatinine(
    current: TimedCreatinine,
    earlier: Sequence[TimedCreatinine],
    *,
    baseline_mg_dl: float,
    rise_from_baseline_within_7_days: bool,
    renal_replacement_started: bool,
) -> int:
    """Compute the stage, 0 (no injury) to 3, at the current creatinine.

    ``earlier`` serves the 48-hour rule; samples older than that are ignored. The caller chooses the baseline and says
    whether the rise from it is known or presumed to lie within 7 days: if not, ratios to it do not count. 4.0 mg/dL is
    stage 3 only where the definition of injury is met. Raises ValueError for a creatinine that is not positive or an
    earlier sample dated after the current one.
    """
    require_flags(
        rise_from_baseline_within_7_days=rise_from_baseline_within_7_days,
        renal_replacement_started=renal_replacement_started,
    )
    require_positive(baseline_mg_dl=baseline_mg_dl, creatinine_mg_dl=current.creatinine_mg_dl)
    risen = False
    for sample in earlier:
        require_positive(creatinine_mg_dl=sample.creatinine_mg_dl)
        if sample.time > current.time:
            raise ValueError(
                f"an earlier creatinine is dated {sample.time}, after the current one at {current.time}"
            )
        if current.time - sample.time <= RISE_WINDOW:
            risen = risen or reaches(current.creatinine_mg_dl - sample.creatinine_mg_dl, RISE_MG_DL)
    if renal_replacement_started:
        return 3
    ratio = current.creatinine_mg_dl / baseline_mg_dl if rise_from_baseline_within_7_days else 0.0
    if not risen and not reaches(ratio, STAGE_1_RATIO):
        return 0
    if reaches(ratio, STAGE_3_RATIO) or current.creatinine_mg_dl >= STAGE_3_CREATININE_MG_DL:
        return 3
    return 2 if reaches(ratio, STAGE_2_RATIO) else 1


def aki_stage_by_urine(collections: Sequence[UrineCollection], weight_kg: float) -> int | None:
    """Compute the stage, 0 to 3, at the end of the last collection, or None when under 6 hours are known.

    Only the unbroken run of collections that ends last counts: urine in a gap is unknown. A rate is the mean over the
    shortest tail of that run covering 6, 12 or 24 hours. Raises ValueError for a weight that is not positive, a
    negative volume, or collections that overlap or do not last.
    """
    require_positive(weight_kg=weight_kg)
    run = _last_unbroken_run(collections)
    if _volume_and_hours(run, 6) is None:
        return None
    tails = {hours: tail for hours in (6, 12, 24) if (tail := _volume_and_hours(run, hours)) is not None}
    rates = {hours: volume / weight_kg / duration for hours, (volume, duration) in tails.items()}
    if 12 in tails and tails[12][0] == 0:
        return 3
    if 24 in rates and not reaches(rates[24], SEVERE_OLIGURIA_ML_KG_H):
        return 3
    if 12 in rates and not reaches(rates[12], OLIGURIA_ML_KG_H):
        return 2
    return 0 if reaches(rates[6], OLIGURIA_ML_KG_H) else 1


def aki_stage(by_creatinine: int | None, by_urine: int | None) -> int:
    """Combine both criteria: the worse of those known. Raises ValueError when neither is."""
    known = [stage for stage in (by_creatinine, by_urine) if stage is not None]
    if not known:
        raise ValueError("an AKI stage needs a creatinine or a urine criterion, both are unknown")
    return max(known)


def _last_unbroken_run(collections: Sequence[UrineCollection]) -> list[UrineCollection]:
    """List the collections that follow each other without a gap up to the last, latest first."""
    ordered = sorted(collections, key=lambda collection: collection.start)
    for collection in ordered:
        require_not_negative(volume_ml=collection.volume_ml)
        if collection.end <= collection.start:
            raise ValueError(f"a urine collection from {collection.start} ends at {collection.end}")
    for one, following in pairwise(ordered):
        if one.end > following.start:
            raise ValueError(f"urine collections overlap at {following.start}")
    run = ordered[-1:]
    for collection in reversed(ordered[:-1]):
        if collection.end != run[-1].start:
            break
        run.append(collection)
    return run


def _volume_and_hours(run: Sequence[UrineCollection], hours: float) -> tuple[float, float] | None:
    """Add volume (mL) and duration (h) backwards until at least ``hours`` are covered; None if they are not."""
    volume = duration = 0.0
    for collection in run:
        volume += collection.volume_ml
        duration += (collection.end - collection.start) / timedelta(hours=1)
        if reaches(duration, hours):
            return volume, duration
    return None
