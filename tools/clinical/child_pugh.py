"""Child-Pugh score: severity of cirrhosis, and the class by which drug labels reduce doses in liver disease.

Pugh RNH et al., Br J Surg 1973;60:646-649, with the INR bands that now replace the prolongation of prothrombin time.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from tools.clinical.checks import require_between, require_flags, require_not_negative, require_positive

BILIRUBIN_MG_DL = (2.0, 3.0)
CHOLESTATIC_BILIRUBIN_MG_DL = (4.0, 10.0)
ALBUMIN_G_DL = (2.8, 3.5)
INR = (1.7, 2.3)


class Ascites(IntEnum):
    """Ascites by its points; slight includes ascites controlled by diuretics."""

    NONE = 1
    SLIGHT = 2
    MODERATE_OR_SEVERE = 3


class Encephalopathy(IntEnum):
    """Hepatic encephalopathy by its points."""

    NONE = 1
    GRADE_1_OR_2 = 2
    GRADE_3_OR_4 = 3


class ChildPughClass(StrEnum):
    """A: 5-6 points, B: 7-9, C: 10-15."""

    A = "A"
    B = "B"
    C = "C"


@dataclass(frozen=True, kw_only=True)
class ChildPughFindings:
    """The five findings; ``cholestatic`` (primary biliary cholangitis) widens the bilirubin bands."""

    bilirubin_mg_dl: float
    albumin_g_dl: float
    inr: float
    ascites: Ascites
    encephalopathy: Encephalopathy
    cholestatic: bool


def child_pugh_points(findings: ChildPughFindings) -> int:
    """Add the five findings, 5 to 15 points; both limits of a middle band score 2.

    Raises ValueError for a negative bilirubin, or an albumin or INR that is not positive.
    """
    require_flags(cholestatic=findings.cholestatic)
    require_not_negative(bilirubin_mg_dl=findings.bilirubin_mg_dl)
    require_positive(albumin_g_dl=findings.albumin_g_dl, inr=findings.inr)
    bilirubin_band = CHOLESTATIC_BILIRUBIN_MG_DL if findings.cholestatic else BILIRUBIN_MG_DL
    return (
        _band(findings.bilirubin_mg_dl, bilirubin_band)
        + (4 - _band(findings.albumin_g_dl, ALBUMIN_G_DL))
        + _band(findings.inr, INR)
        + Ascites(findings.ascites)
        + Encephalopathy(findings.encephalopathy)
    )


def child_pugh_class(points: int) -> ChildPughClass:
    """Class 5 to 15 points."""
    require_between(5, 15, points=points)
    if points >= 10:
        return ChildPughClass.C
    return ChildPughClass.B if points >= 7 else ChildPughClass.A


def _band(value: float, middle: tuple[float, float]) -> int:
    """Give 1 below the middle band, 2 within it, 3 above it."""
    return 1 if value < middle[0] else 2 if value <= middle[1] else 3
