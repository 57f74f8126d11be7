"""What the laboratory's comment says of a sample: that its number is not the patient's, or may not be."""

import re

_SPOILED = (
    "ha?emoly",
    "contaminat",
    "dilut(ed|ion with)",
    "lip(a)?emi[ac]",
    "icteri[ac]",
    "interfere(s|nce)",
    "falsely (elevat|decreas|increas|reduc|high|low|raise)",
    "interpret .*caution",
    "clotted",
    "mislabel",
    "wrong (tube|patient|blood)",
    "drawn (above|from) .*(iv|line)",
)
_SOUND = (
    "(not?|without) (visible )?(ha?emoly|contaminat|lip(a)?emi|icteri|interfere|clotted|diluted)",
    "interferences? (minimi[sz]ed|removed|excluded)",
)
SPOILED = "|".join(_SPOILED)
"""Comments of MIMIC-IV's hosp.labevents that put the number in doubt (any case).

Hemolysis, clots, lipemia, icterus, what the tube or the line brought in. "Verified by dilution" names a method and says
nothing of the sample.
"""
SOUND = "|".join(_SOUND)
"""Comments that deny it."""


def spoils(comment: str) -> bool:
    """Tell whether a comment puts the result it stands beside in doubt."""
    said = re.sub(SOUND, " ", comment, flags=re.IGNORECASE)
    return re.search(SPOILED, said, re.IGNORECASE) is not None


def spoils_sql(column: str) -> str:
    """Build the same test of a column of comments."""
    return (
        f"coalesce(regexp_matches(regexp_replace({column}, '{SOUND}', ' ', 'gi'), '{SPOILED}', 'i'), false)"
    )
