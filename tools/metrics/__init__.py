"""Figures over results: what was planned stays the denominator, whatever happened."""

from tools.metrics.judging import judging_of
from tools.metrics.paired import compare
from tools.metrics.scores import PASS_MARKS
from tools.metrics.summary import summarise, summarise_finished

__all__ = ["PASS_MARKS", "compare", "judging_of", "summarise", "summarise_finished"]
