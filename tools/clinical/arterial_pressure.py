"""Mean arterial pressure from a cuff: diastolic pressure and a third of the pulse pressure.

The usual bedside estimate: diastole fills two thirds of a cycle at a resting rate. A mean measured in the artery
overrules it.
"""

from tools.clinical.checks import require_positive


def mean_arterial_pressure_mm_hg(systolic_mm_hg: float, diastolic_mm_hg: float) -> float:
    """Compute (systolic + 2 x diastolic) / 3 in mm Hg.

    Raises ValueError for a pressure that is not positive or a systolic below the diastolic (as in swapped columns).
    """
    require_positive(systolic_mm_hg=systolic_mm_hg, diastolic_mm_hg=diastolic_mm_hg)
    if systolic_mm_hg < diastolic_mm_hg:
        raise ValueError(f"systolic_mm_hg {systolic_mm_hg} is below diastolic_mm_hg {diastolic_mm_hg}")
    return (systolic_mm_hg + 2 * diastolic_mm_hg) / 3
