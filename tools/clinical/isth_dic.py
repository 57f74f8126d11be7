"""ISTH score for overt disseminated intravascular coagulation, where an underlying disorder is known.

Taylor FB et al., Thromb Haemost 2001;86:1327-1330. The paper leaves the fibrin marker's moderate and strong rise to the
laboratory, and values equal to a limit open. Here, as in later tables, platelets and fibrinogen score only below their
limits (exactly 100 and 50 K/uL, 100 mg/dL do not), the prothrombin time from 3 and from 6 seconds.
"""

from enum import IntEnum

from tools.clinical.checks import require_finite, require_not_negative

OVERT_FROM = 5


class FibrinMarker(IntEnum):
    """Rise of D-dimer or fibrin degradation products as the laboratory defines it, by its points."""

    NO_INCREASE = 0
    MODERATE_INCREASE = 2
    STRONG_INCREASE = 3


def isth_dic_points(
    *,
    platelets_k_ul: float,
    fibrin_marker: FibrinMarker,
    prothrombin_prolongation_s: float,
    fibrinogen_mg_dl: float,
) -> int:
    """Add the four tests, 0 to 8; overt from 5.

    ``prothrombin_prolongation_s`` is seconds over the upper limit of normal; a shorter time is negative. Raises
    ValueError for a negative count or fibrinogen.
    """
    require_not_negative(platelets_k_ul=platelets_k_ul, fibrinogen_mg_dl=fibrinogen_mg_dl)
    require_finite(prothrombin_prolongation_s=prothrombin_prolongation_s)
    return (
        (platelets_k_ul < 100)
        + (platelets_k_ul < 50)
        + FibrinMarker(fibrin_marker)
        + (prothrombin_prolongation_s >= 3)
        + (prothrombin_prolongation_s >= 6)
        + (fibrinogen_mg_dl < 100)
    )


def overt_dic(points: int) -> bool:
    """Tell whether the points are compatible with overt DIC (5 or more); under 5 the score is repeated."""
    return points >= OVERT_FROM
