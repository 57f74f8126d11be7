"""Grading by code: verdicts on rubric items, and scores of turns."""

from tools.grading.decide import SpokenItem, decide, decide_items, decide_turn, rests_on_reading, settle
from tools.grading.evidence import TurnEvidence
from tools.grading.quotes import void_quote
from tools.grading.score import SAFETY_CAP, score_turn

GRADING_VERSION = 7
"""Raised whenever a verdict or score can change; figures of different versions are not comparable."""

__all__ = [
    "GRADING_VERSION",
    "SAFETY_CAP",
    "SpokenItem",
    "TurnEvidence",
    "decide",
    "decide_items",
    "decide_turn",
    "rests_on_reading",
    "score_turn",
    "settle",
    "void_quote",
]
