"""A table of several tests or times is told cell by cell; any other stays as it is written."""

from tools.grading.tables import told_by_cell


def test_columns_that_are_tests() -> None:
    table = "Latest:\n| Drawn | Sodium (mEq/L) | Glucose |\n|---|---|---|\n| 04-02 05:15 (latest) | 128 L | 412 |\nEnd."
    assert told_by_cell(table).split("\n") == [
        "Latest:",
        "Sodium 128 mEq/L L (04-02 05:15  latest )",
        "Glucose 412 (04-02 05:15  latest )",
        "End.",
    ]


def test_columns_that_are_times() -> None:
    table = "| 项目 | 05-06 06:10 | 05-08 05:32 |\n|---|---|---|\n| AST (IU/L) | 45 | 75 |"
    assert told_by_cell(table) == "AST 45 IU/L (05-06 06:10)\nAST 75 IU/L (05-08 05:32)"


def test_other_tables_and_texts_stay() -> None:
    for text in (
        "| Test | Result | Unit |\n|---|---|---|\n| Sodium | 128 | mEq/L |",
        "| a | b |\n| c | d |",
        "no table | at all",
        "| Sodium | Glucose | Urea |\n|---|---|---|\n| 1 | 2 |",
    ):
        assert told_by_cell(text) == text
