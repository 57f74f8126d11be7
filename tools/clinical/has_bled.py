"""HAS-BLED: yearly risk of major bleeding on anticoagulation for atrial fibrillation, and what of it can be corrected.

Pisters R et al., Chest 2010;138:1093-1100. A high score calls for closer follow-up, not for withholding anticoagulants.
"""

from dataclasses import dataclass
from types import MappingProxyType

from tools.clinical.checks import count_points, require_positive

HIGH_RISK_FROM = 3
ELDERLY_ABOVE = 65
POINTS = MappingProxyType(
    {
        "uncontrolled_hypertension": 1,
        "abnormal_renal_function": 1,
        "abnormal_liver_function": 1,
        "stroke": 1,
        "bleeding_history_or_predisposition": 1,
        "labile_inr": 1,
        "antiplatelet_or_nsaid": 1,
        "alcohol_excess": 1,
    }
)


@dataclass(frozen=True, kw_only=True)
class HasBledFindings:
    """Definitions of the original.

    Hypertension: systolic over 160 mm Hg. Kidney: dialysis, transplant, creatinine from 200 umol/L (2.26 mg/dL). Liver:
    cirrhosis, or bilirubin over twice with enzymes over three times the upper limit. Labile INR: in range under 60 % of
    the time (false without a vitamin K antagonist). Alcohol: 8 units a week or more.
    """

    age_years: int
    uncontrolled_hypertension: bool
    abnormal_renal_function: bool
    abnormal_liver_function: bool
    stroke: bool
    bleeding_history_or_predisposition: bool
    labile_inr: bool
    antiplatelet_or_nsaid: bool
    alcohol_excess: bool


def has_bled_points(findings: HasBledFindings) -> int:
    """Add the findings, 0 to 9; age over 65 scores 1. Raises ValueError for a finding that is not true or false."""
    require_positive(age_years=findings.age_years)
    return int(count_points(findings, POINTS)) + (findings.age_years > ELDERLY_ABOVE)


def high_bleeding_risk(points: int) -> bool:
    """Tell whether the risk is high (3 points or more)."""
    return points >= HIGH_RISK_FROM
