"""Figures over results: what was planned stays the denominator, whatever happened."""

from tools.metrics.summary import PASS_MARKS, summarise

__all__ = ["PASS_MARKS", "summarise"]
