"""Measure how long the rules judge reads answers that mean to keep it busy: time must go with their length.

Run with ``PYTHONPATH=.:tests/tools/grading python tests/bench/bench_hostile.py``. One row a kind of answer: seconds for
one item of every kind, at three lengths up to the longest answer that is read. What is longer recites and is not read.
"""

import itertools
import time
from collections.abc import Iterable
from pathlib import Path

import yaml
from judged import build
from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table

from state.base import Language
from state.gold import RubricItem
from tools.grading import TurnEvidence, decide
from tools.grading.accounts import without_accounts
from tools.grading.decide import ADVISING, decide_beside
from tools.grading.evidence import LONGEST_ANSWER
from tools.vocabulary import Vocabulary

TABLES = Path(__file__).parent.parent / "tools" / "grading"
LENGTHS = (LONGEST_ANSWER // 4, LONGEST_ANSWER // 2, LONGEST_ANSWER)
ONE = {
    "many sentences": "I would hold lisinopril today. The potassium is 5.9 mEq/L. Do not stop metoprolol. ",
    "one sentence": "she is tired and we should not hold lisinopril because it may be right, ",
    "acts": "stop and not continue to hold ",
    "nested quotes": '"she said "hold the lisinopril now" and "do not stop it today" ',
    "brackets": "(hold (not ",
    "empty lines": "\n",
    "one letter": "a",
    "one digit": "1",
    "accounts": "She takes naproxen at home; none here. She says no fever, and the doctor will hold lisinopril. ",
    "Chinese sentence": "患者目前血钾偏高不应该继续使用赖诺普利建议先停药观察复查以后再说",
    "Chinese symptoms": "否认咳嗽、呕吐，没有发热，",
    "Chinese acts": "停",
}


def cut(pieces: Iterable[str], length: int) -> str:
    """Join pieces up to a length."""
    found, size = [], 0
    for piece in pieces:
        if size >= length:
            break
        found.append(piece)
        size += len(piece)
    return "".join(found)[:length]


def kinds(vocabulary: Vocabulary) -> dict[str, Iterable[str]]:
    """Give the pieces of each kind of answer."""
    drugs = [drug.names[Language.EN] for drug in vocabulary.ingredients]
    figures = [f"potassium {at % 97}.{at % 10} mEq/L at {at % 24:02}:{at % 60:02}, " for at in range(500)]
    return {
        **{name: [piece] for name, piece in ONE.items()},
        "drug names": [f"hold {name} and " for name in drugs],
        "numbers": [f"{at % 97}.{at % 10} " for at in range(970)],
        "results": figures,
    }


def one_of_each(vocabulary: Vocabulary) -> list[RubricItem]:
    """Give the first item of every kind in the tables of the tests."""
    found: dict[str, RubricItem] = {}
    for file in sorted(TABLES.glob("adversarial_*.yaml")):
        for group in yaml.safe_load(file.read_text("utf-8")):
            if group["item"]["kind"] not in found:
                found[group["item"]["kind"]] = build(group["item"], vocabulary)
    adapter: TypeAdapter[RubricItem] = TypeAdapter(RubricItem)
    for group in yaml.safe_load((TABLES / "accounts_first_sight.yaml").read_text("utf-8")):
        for name, item in group["items"].items():
            found.setdefault(
                item["kind"], adapter.validate_python({**item, "item_id": name, "text": {"en": "-"}})
            )
    return list(found.values())


def main() -> None:
    """Measure and print."""
    vocabulary = Vocabulary.load()
    items = one_of_each(vocabulary)
    table = Table("answer", *(f"{length} characters" for length in LENGTHS))
    for name, pieces in kinds(vocabulary).items():
        row = []
        language = Language.ZH if name.startswith("Chinese") else Language.EN
        for length in LENGTHS:
            answer = cut(itertools.cycle(list(pieces)), length)
            began = time.perf_counter()
            evidence = TurnEvidence("What now?", answer, language, frozenset(), (), 1)
            accounted = without_accounts(evidence, vocabulary)
            for item in items:
                if isinstance(item, ADVISING):
                    decide_beside(item, accounted, vocabulary)
                else:
                    decide(item, evidence, vocabulary)
            row.append(f"{time.perf_counter() - began:.2f}")
        table.add_row(name, *row)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
