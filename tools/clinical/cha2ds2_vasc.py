"""CHA2DS2-VASc: yearly risk of stroke in atrial fibrillation without anticoagulation.

Lip GYH et al., Chest 2010;137:263-272. The 2024 ESC guideline leaves sex out (CHA2DS2-VA); this is the original.
"""

from dataclasses import dataclass
from types import MappingProxyType

from tools.clinical.checks import Sex, by_sex, count_points, require_positive

POINTS = MappingProxyType(
    {
        "heart_failure": 1,
        "hypertension": 1,
        "diabetes": 1,
        "stroke_tia_or_thromboembolism": 2,
        "vascular_disease": 1,
    }
)


@dataclass(frozen=True, kw_only=True)
class Cha2ds2VascFindings:
    """Heart failure includes left ventricular dysfunction; vascular disease is infarction, peripheral or aortic."""

    age_years: int
    sex: Sex
    heart_failure: bool
    hypertension: bool
    diabetes: bool
    stroke_tia_or_thromboembolism: bool
    vascular_disease: bool


def cha2ds2_vasc_points(findings: Cha2ds2VascFindings) -> int:
    """Add the findings, 0 to 9: age from 65 scores 1 and from 75 scores 2, female sex 1.

    Raises ValueError for a finding that is neither true nor false, an age not positive, or another sex than F or M.
    """
    require_positive(age_years=findings.age_years)
    age_points = (findings.age_years >= 65) + (findings.age_years >= 75)
    return int(count_points(findings, POINTS)) + age_points + by_sex(findings.sex, female=1, male=0)
