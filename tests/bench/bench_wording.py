"""How often a question recurs in a full set: ``python tests/bench/bench_wording.py WAREHOUSE [SESSIONS]``."""

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "graphs"))

from spoken import spoken_sessions

from graphs.workshop import Workshop
from state.base import Language
from state.session import Implicitness, Scenario
from tools.ehr.warehouse import Warehouse

FULL_SET = 324


def main(ehr: Path, sessions: int) -> None:
    """Print how often sentences and templates recur by language and form, and the shares of NA, PE and AE."""
    with Warehouse.open(ehr) as warehouse:
        spoken = list(spoken_sessions(Workshop(warehouse, tuple(Scenario), seed=7), sessions))
    turns = [said for one in spoken for said in one.said]
    print(f"{len(spoken)} sessions, {len(turns)} questions")
    for language in Language:
        for form in ("explicit", "implicit"):
            said = Counter(getattr(turn[language].wording, form) for turn in turns)
            print(
                f"{language} {form}: {len(said)} different, the commonest {said.most_common(1)[0][1]} times"
            )
        used = Counter(turn[language].key for turn in turns)
        print(f"{language} templates: {len(used)} different, the commonest {used.most_common(1)[0]}")
    ways = Counter(turn.implicitness for one in spoken for turn in one.plan.turns)
    del ways[Implicitness.EXPLICIT]
    print(", ".join(f"{way} {count / ways.total():.0%}" for way, count in sorted(ways.items())))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else FULL_SET)
