"""LACE index: risk of death or unplanned readmission within 30 days of discharge home.

van Walraven C et al., CMAJ 2010;182:551-557: Length of stay, Acuity of admission, Comorbidity (Charlson with that
paper's weights), Emergency visits.
"""

from dataclasses import dataclass
from types import MappingProxyType

from tools.clinical.checks import count_points, require_flags, require_not_negative

HIGH_RISK_FROM = 10
ACUTE_POINTS = 3
COMORBIDITY_CAP_FROM, COMORBIDITY_CAP_POINTS = 4, 5
VISIT_CAP = 4
COMORBIDITY_POINTS = MappingProxyType(
    {
        "previous_myocardial_infarction": 1,
        "cerebrovascular_disease": 1,
        "peripheral_vascular_disease": 1,
        "diabetes_without_complications": 1,
        "congestive_heart_failure": 2,
        "diabetes_with_end_organ_damage": 2,
        "chronic_pulmonary_disease": 2,
        "mild_liver_or_renal_disease": 2,
        "any_tumour": 2,
        "dementia": 3,
        "connective_tissue_disease": 3,
        "aids": 4,
        "moderate_or_severe_liver_or_renal_disease": 4,
        "metastatic_solid_tumour": 6,
    }
)
GRADES = (
    ("diabetes_without_complications", "diabetes_with_end_organ_damage"),
    ("mild_liver_or_renal_disease", "moderate_or_severe_liver_or_renal_disease"),
    ("any_tumour", "metastatic_solid_tumour"),
)
"""Pairs that are one disease in two grades: the worse counts."""


@dataclass(frozen=True, kw_only=True)
class LaceComorbidities:
    """The diseases of the index; any tumour includes lymphoma and leukaemia."""

    previous_myocardial_infarction: bool
    cerebrovascular_disease: bool
    peripheral_vascular_disease: bool
    diabetes_without_complications: bool
    congestive_heart_failure: bool
    diabetes_with_end_organ_damage: bool
    chronic_pulmonary_disease: bool
    mild_liver_or_renal_disease: bool
    any_tumour: bool
    dementia: bool
    connective_tissue_disease: bool
    aids: bool
    moderate_or_severe_liver_or_renal_disease: bool
    metastatic_solid_tumour: bool


def lace_comorbidity(comorbidities: LaceComorbidities) -> int:
    """Add the weighted diseases. Raises ValueError for a disease that is neither true nor false."""
    total = int(count_points(comorbidities, COMORBIDITY_POINTS))
    for mild, severe in GRADES:
        if getattr(comorbidities, mild) and getattr(comorbidities, severe):
            total -= COMORBIDITY_POINTS[mild]
    return total


def lace_index(
    *, length_of_stay_days: int, acute_admission: bool, comorbidity: int, emergency_visits_in_6_months: int
) -> int:
    """Compute the index, 0 to 19.

    ``length_of_stay_days`` is 0 for a discharge on the day of admission; the visit that led to this admission is not
    counted. Raises ValueError for a negative value or an acuity that is not true or false.
    """
    require_not_negative(
        length_of_stay_days=length_of_stay_days,
        comorbidity=comorbidity,
        emergency_visits_in_6_months=emergency_visits_in_6_months,
    )
    require_flags(acute_admission=acute_admission)
    return (
        _stay_points(length_of_stay_days)
        + (ACUTE_POINTS if acute_admission else 0)
        + (comorbidity if comorbidity < COMORBIDITY_CAP_FROM else COMORBIDITY_CAP_POINTS)
        + min(emergency_visits_in_6_months, VISIT_CAP)
    )


def lace_high_risk(index: int) -> bool:
    """Tell whether the index is 10 or more, the usual limit of high risk."""
    return index >= HIGH_RISK_FROM


def _stay_points(days: int) -> int:
    if days >= 14:
        return 7
    if days >= 7:
        return 5
    return min(days, 4)
