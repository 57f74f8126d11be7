"""Acute respiratory distress syndrome and its severity by the Berlin definition.

ARDS Definition Task Force, JAMA 2012;307:2526-2533: onset within a week of a known insult or of new symptoms, bilateral
opacities, oedema not fully explained by heart failure or fluid overload, and hypoxaemia under at least 5 cm H2O of
PEEP: mild over 200 to 300 mm Hg, moderate over 100 to 200, severe up to 100. The altitude correction (above 1000 m) is
the caller's.
"""

from dataclasses import dataclass
from enum import StrEnum

from tools.clinical.checks import exceeds, require_flags, require_not_negative, require_positive

MINIMUM_PEEP_CM_H2O = 5.0
MILD_MM_HG, MODERATE_MM_HG, SEVERE_MM_HG = 300.0, 200.0, 100.0


class ArdsClass(StrEnum):
    """Berlin severity, or the definition not met."""

    NOT_MET = "not_met"
    MILD = "mild"
    MODERATE = "moderate"
    SEVERE = "severe"


@dataclass(frozen=True, kw_only=True)
class BerlinFindings:
    """What the definition asks for; the opacities are on chest film or CT, not explained by effusion or collapse."""

    onset_within_one_week: bool
    bilateral_opacities: bool
    explained_by_cardiac_failure_or_overload: bool
    pao2_fio2_mm_hg: float
    peep_cm_h2o: float


def berlin_class(findings: BerlinFindings) -> ArdsClass:
    """Classify by the Berlin definition. CPAP counts as PEEP in the mild class only; below that, say if PEEP was given.

    Raises ValueError for a ratio that is not positive, a negative PEEP, or a finding that is neither true nor false.
    """
    ratio = findings.pao2_fio2_mm_hg
    require_flags(
        onset_within_one_week=findings.onset_within_one_week,
        bilateral_opacities=findings.bilateral_opacities,
        explained_by_cardiac_failure_or_overload=findings.explained_by_cardiac_failure_or_overload,
    )
    require_positive(pao2_fio2_mm_hg=ratio)
    require_not_negative(peep_cm_h2o=findings.peep_cm_h2o)
    eligible = (
        findings.onset_within_one_week
        and findings.bilateral_opacities
        and not findings.explained_by_cardiac_failure_or_overload
        and findings.peep_cm_h2o >= MINIMUM_PEEP_CM_H2O
    )
    if not eligible or exceeds(ratio, MILD_MM_HG):
        return ArdsClass.NOT_MET
    if exceeds(ratio, MODERATE_MM_HG):
        return ArdsClass.MILD
    return ArdsClass.MODERATE if exceeds(ratio, SEVERE_MM_HG) else ArdsClass.SEVERE
