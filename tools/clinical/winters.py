"""Arterial carbon dioxide expected from the respiratory response to a metabolic acidosis.

Winter's formula, 1.5 x bicarbonate + 8, within 2 mm Hg: Albert MS, Dell RB, Winters RW, Ann Intern Med
1967;66:312-322. For a metabolic acidosis only, once compensation has had 12 to 24 hours.
"""

from dataclasses import dataclass
from enum import StrEnum

from tools.clinical.checks import exceeds, require_positive

SLOPE = 1.5
INTERCEPT_MM_HG = 8.0
MARGIN_MM_HG = 2.0


@dataclass(frozen=True)
class ExpectedPaco2:
    """The expected arterial carbon dioxide and its limits, mm Hg."""

    expected_mm_hg: float
    low_mm_hg: float
    high_mm_hg: float


class Compensation(StrEnum):
    """How the measured carbon dioxide compares with the expected range, both limits included."""

    ADEQUATE = "adequate"
    RESPIRATORY_ACIDOSIS_TOO = "respiratory_acidosis_too"
    RESPIRATORY_ALKALOSIS_TOO = "respiratory_alkalosis_too"


def expected_paco2(bicarbonate_meq_l: float) -> ExpectedPaco2:
    """Compute the expected PaCO2 with its range in mm Hg. Raises ValueError unless the bicarbonate is positive."""
    require_positive(bicarbonate_meq_l=bicarbonate_meq_l)
    expected = SLOPE * bicarbonate_meq_l + INTERCEPT_MM_HG
    return ExpectedPaco2(expected, expected - MARGIN_MM_HG, expected + MARGIN_MM_HG)


def compensation(bicarbonate_meq_l: float, paco2_mm_hg: float) -> Compensation:
    """Compare a measured PaCO2 (mm Hg) with the range expected in a metabolic acidosis."""
    require_positive(paco2_mm_hg=paco2_mm_hg)
    expected = expected_paco2(bicarbonate_meq_l)
    if exceeds(paco2_mm_hg, expected.high_mm_hg):
        return Compensation.RESPIRATORY_ACIDOSIS_TOO
    if exceeds(expected.low_mm_hg, paco2_mm_hg):
        return Compensation.RESPIRATORY_ALKALOSIS_TOO
    return Compensation.ADEQUATE
