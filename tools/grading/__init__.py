"""Grading by code: verdicts on rubric items, and scores of turns."""

from tools.grading.decide import decide, decide_turn
from tools.grading.evidence import TurnEvidence
from tools.grading.score import SAFETY_CAP, score_turn

GRADING_VERSION = 3
"""Raised whenever a verdict or score can change; figures of different versions are not comparable."""

__all__ = ["GRADING_VERSION", "SAFETY_CAP", "TurnEvidence", "decide", "decide_turn", "score_turn"]
