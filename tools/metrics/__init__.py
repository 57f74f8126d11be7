"""Figures over results: what was planned stays the denominator, whatever happened."""

from tools.metrics.judging import judging_of
from tools.metrics.paired import compare
from tools.metrics.scores import PASS_MARKS
from tools.metrics.summary import summarise, summarise_finished
from tools.metrics.voices import patient_voice

__all__ = ["PASS_MARKS", "compare", "judging_of", "patient_voice", "summarise", "summarise_finished"]
