"""The table that README shows is what the demo prints."""

import os
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_readme_shows_the_table_of_the_demo(cohort_cache: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "graphs.evaluate", "--output", str(tmp_path)],
        env={**os.environ, "WARDROUND_CACHE": str(cohort_cache), "COLUMNS": "100"},
        check=True,
        capture_output=True,
        encoding="utf-8",
    )
    table = done.stdout[done.stdout.index("offline/baseline ·") : done.stdout.index("report: ")]
    assert table in README.read_text("utf-8")
