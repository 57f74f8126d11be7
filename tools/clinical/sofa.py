"""Sequential Organ Failure Assessment: six organs, 0 to 4 points each, from the worst values of a day.

Vincent JL et al., Intensive Care Med 1996;22:707-710. A rise of 2 or more with infection is sepsis (Singer M et al.,
JAMA 2016;315:801-810). The printed bands leave gaps (bilirubin 11.9 to 12.0); here a band begins where it is printed to
begin, and the top bands of bilirubin and creatinine include 12.0 and 5.0 mg/dL.
"""

from bisect import bisect_right
from dataclasses import dataclass, fields

from tools.clinical.checks import require_between, require_flags, require_not_negative, require_positive

BILIRUBIN_MG_DL = (1.2, 2.0, 6.0, 12.0)
CREATININE_MG_DL = (1.2, 2.0, 3.5, 5.0)
LOW_URINE_ML_PER_DAY, VERY_LOW_URINE_ML_PER_DAY = 500.0, 200.0
MAP_MM_HG = 70.0
DOPAMINE_MID, DOPAMINE_HIGH = 5.0, 15.0
CATECHOLAMINE_HIGH = 0.1


@dataclass(frozen=True, kw_only=True)
class Vasopressors:
    """Infusion rates in mcg/kg/min, given for at least an hour; 0 for a drug that does not run."""

    dopamine: float
    dobutamine: float
    epinephrine: float
    norepinephrine: float


@dataclass(frozen=True, kw_only=True)
class SofaComponents:
    """Points of each organ, 0 to 4, or None where it was not measured."""

    respiration: int | None
    coagulation: int | None
    liver: int | None
    cardiovascular: int | None
    nervous_system: int | None
    renal: int | None


@dataclass(frozen=True)
class SofaTotal:
    """The sum over the measured organs, and the organs it lacks: with any missing it is a lower bound."""

    points: int
    missing: tuple[str, ...]


def respiration_points(pao2_fio2_mm_hg: float, *, respiratory_support: bool) -> int:
    """Score PaO2/FiO2 in mm Hg; 3 and 4 points need ventilation or CPAP."""
    require_flags(respiratory_support=respiratory_support)
    require_positive(pao2_fio2_mm_hg=pao2_fio2_mm_hg)
    if respiratory_support and pao2_fio2_mm_hg < 200:
        return 4 if pao2_fio2_mm_hg < 100 else 3
    return 2 if pao2_fio2_mm_hg < 300 else int(pao2_fio2_mm_hg < 400)


def coagulation_points(platelets_k_ul: float) -> int:
    """Score platelets in K/uL."""
    require_not_negative(platelets_k_ul=platelets_k_ul)
    return sum(platelets_k_ul < limit for limit in (150, 100, 50, 20))


def liver_points(bilirubin_mg_dl: float) -> int:
    """Score total bilirubin in mg/dL."""
    require_not_negative(bilirubin_mg_dl=bilirubin_mg_dl)
    return bisect_right(BILIRUBIN_MG_DL, bilirubin_mg_dl)


def cardiovascular_points(mean_arterial_pressure_mm_hg: float, vasopressors: Vasopressors) -> int:
    """Score vasopressors, and mean arterial pressure (mm Hg) where none runs."""
    require_positive(mean_arterial_pressure_mm_hg=mean_arterial_pressure_mm_hg)
    require_not_negative(**{field.name: getattr(vasopressors, field.name) for field in fields(vasopressors)})
    catecholamine = max(vasopressors.epinephrine, vasopressors.norepinephrine)
    if vasopressors.dopamine > DOPAMINE_HIGH or catecholamine > CATECHOLAMINE_HIGH:
        return 4
    if vasopressors.dopamine > DOPAMINE_MID or catecholamine > 0:
        return 3
    if vasopressors.dopamine > 0 or vasopressors.dobutamine > 0:
        return 2
    return int(mean_arterial_pressure_mm_hg < MAP_MM_HG)


def nervous_system_points(glasgow_coma_scale: int) -> int:
    """Score the Glasgow Coma Scale, 3 to 15 (of a sedated patient, as it would be without sedation)."""
    require_between(3, 15, glasgow_coma_scale=glasgow_coma_scale)
    return sum(glasgow_coma_scale < limit for limit in (15, 13, 10, 6))


def renal_points(creatinine_mg_dl: float, urine_output_ml_per_day: float | None) -> int:
    """Score creatinine in mg/dL, or the day's urine (None: not measured) where that is worse."""
    require_positive(creatinine_mg_dl=creatinine_mg_dl)
    by_creatinine = bisect_right(CREATININE_MG_DL, creatinine_mg_dl)
    if urine_output_ml_per_day is None:
        return by_creatinine
    require_not_negative(urine_output_ml_per_day=urine_output_ml_per_day)
    if urine_output_ml_per_day < VERY_LOW_URINE_ML_PER_DAY:
        return 4
    return max(by_creatinine, 3) if urine_output_ml_per_day < LOW_URINE_ML_PER_DAY else by_creatinine


def sofa_total(components: SofaComponents) -> SofaTotal:
    """Add the organs and name those not measured. Raises ValueError for points outside 0 to 4 or no organ at all."""
    points = {field.name: getattr(components, field.name) for field in fields(components)}
    known = {organ: value for organ, value in points.items() if value is not None}
    if not known:
        raise ValueError("a SOFA total needs at least one organ, none was measured")
    require_between(0, 4, **known)
    return SofaTotal(sum(known.values()), tuple(organ for organ in points if organ not in known))
