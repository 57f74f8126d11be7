"""Compare ``estimate_tokens`` with what real tokenizers count, on results of a warehouse's charts.

    uv run --with dashscope --with tiktoken python tests/bench/bench_tokens.py WAREHOUSE

Qwen's vocabulary comes with the package dashscope; OpenAI's is fetched by tiktoken, and left out where it cannot be.
"""

import statistics
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

from state.base import Language
from tools.ehr.chart import Chart
from tools.ehr.warehouse import Warehouse
from tools.fhir.dictionaries import Dictionaries
from tools.fhir.tokens import estimate_tokens
from tools.fhir.toolset import TOOLS, Toolset
from tools.vocabulary import Vocabulary

EVERY = 4
"""Of which patients results are taken."""
Count = Callable[[str], int]
QWEN_PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)
"""How Qwen splits a text before its merges (https://huggingface.co/Qwen): every digit by itself."""


def tokenizers() -> Iterator[tuple[str, Count]]:
    """Give the tokenizers that are here."""
    import tiktoken
    from tiktoken.load import load_tiktoken_bpe

    package = find_spec("dashscope")
    if package is None or package.origin is None:
        sys.exit(
            "dashscope is not here: uv run --with dashscope --with tiktoken python tests/bench/bench_tokens.py"
        )
    ranks = Path(package.origin).parent / "resources" / "qwen.tiktoken"
    qwen = tiktoken.Encoding(
        "qwen", pat_str=QWEN_PATTERN, mergeable_ranks=load_tiktoken_bpe(str(ranks)), special_tokens={}
    )
    yield "qwen", lambda text: len(qwen.encode(text))
    try:
        o200k = tiktoken.get_encoding("o200k_base")
    except OSError as fault:
        print(f"o200k_base is left out: {fault}")
        return
    yield "o200k_base", lambda text: len(o200k.encode(text))


def results(warehouse: Warehouse, language: Language) -> Iterator[str]:
    """Yield what every search shows of some patients at their last discharge, 20 and 100 results a page."""
    query = "SELECT subject_id, max(dischtime) FROM hosp.admissions GROUP BY subject_id ORDER BY subject_id"
    vocabulary, dictionaries = Vocabulary.load(), Dictionaries(warehouse)
    for subject_id, ended in warehouse.cursor().execute(query).fetchall()[::EVERY]:
        tools = Toolset(Chart(warehouse, subject_id, ended), vocabulary, dictionaries, language)
        for name in (name for name in TOOLS if name.endswith(".search")):
            for count in (20, 100):
                result = tools.call(name, {"subject_id": subject_id, "_count": count})
                if result.refs:
                    yield result.text


def main() -> None:
    """Print how many times the real count the estimate is."""
    counts = dict(tokenizers())
    with Warehouse.open(Path(sys.argv[1])) as warehouse:
        for language in Language:
            texts = list(results(warehouse, language))
            for name, count in counts.items():
                ratios = sorted(estimate_tokens(text) / count(text) for text in texts)
                print(
                    f"{language}, {name}: {len(texts)} results, estimate / count {ratios[0]:.2f} to {ratios[-1]:.2f}, "
                    f"median {statistics.median(ratios):.2f}"
                )


if __name__ == "__main__":
    main()
