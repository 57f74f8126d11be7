"""A synthetic cohort in the MIMIC-IV schema: invented patients, drawn from clinical knowledge alone."""

from tools.ehr.synth.cohort import synthesise

__all__ = ["synthesise"]
