"""R factor: the pattern of a liver injury, hepatocellular against cholestatic.

ALT over its upper limit divided by alkaline phosphatase over its own: Danan G, Benichou C, J Clin Epidemiol
1993;46:1323-1330; limits of 2 and 5 kept by the ACG guideline on drug-induced liver injury (Chalasani NP et al., Am J
Gastroenterol 2021;116:878-898).
"""

from enum import StrEnum

from tools.clinical.checks import exceeds, reaches, require_positive

HEPATOCELLULAR_FROM, CHOLESTATIC_TO = 5.0, 2.0


class LiverInjuryPattern(StrEnum):
    """Hepatocellular from 5, cholestatic to 2, mixed between."""

    HEPATOCELLULAR = "hepatocellular"
    MIXED = "mixed"
    CHOLESTATIC = "cholestatic"


def r_factor(
    *,
    alt_u_l: float,
    alt_upper_limit_u_l: float,
    alkaline_phosphatase_u_l: float,
    alkaline_phosphatase_upper_limit_u_l: float,
) -> float:
    """Compute R from ALT and alkaline phosphatase of one sample, each with its laboratory's upper limit, all U/L.

    Raises ValueError for a value that is not positive.
    """
    require_positive(
        alt_u_l=alt_u_l,
        alt_upper_limit_u_l=alt_upper_limit_u_l,
        alkaline_phosphatase_u_l=alkaline_phosphatase_u_l,
        alkaline_phosphatase_upper_limit_u_l=alkaline_phosphatase_upper_limit_u_l,
    )
    return (alt_u_l / alt_upper_limit_u_l) / (alkaline_phosphatase_u_l / alkaline_phosphatase_upper_limit_u_l)


def liver_injury_pattern(r: float) -> LiverInjuryPattern:
    """Classify R. The pattern means something only where an enzyme is raised."""
    require_positive(r=r)
    if reaches(r, HEPATOCELLULAR_FROM):
        return LiverInjuryPattern.HEPATOCELLULAR
    return LiverInjuryPattern.MIXED if exceeds(r, CHOLESTATIC_TO) else LiverInjuryPattern.CHOLESTATIC
