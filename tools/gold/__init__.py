"""Gold derived from the record: tool calls, answers and rubric items that a program can prove."""

from tools.gold.derive import derive_gold, drafts_of
from tools.gold.source import GoldSource, NoGold

__all__ = ["GoldSource", "NoGold", "derive_gold", "drafts_of"]
