"""Review: an untouched workbook changes nothing, a correction is proved, and what breaks a session is refused."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from typer.testing import CliRunner
from wards import OpenWorkshop

from agents.dialogue import WAYS_OF_LEAVING_UNSAID
from graphs.benchmark import GOLD, MANIFEST, REVIEWS, SESSIONS, read_benchmark, read_lines, seal
from graphs.generate import generate
from graphs.review import app
from graphs.review_import import import_review
from graphs.review_rows import COLUMNS
from graphs.review_workbook import SET, TURNS, read_workbook, write_workbook
from graphs.verify import verify
from state.base import InputError
from state.review import TurnReview
from tools.ehr.warehouse import Warehouse

Edit = Callable[[Any], None]


@pytest.fixture(scope="module")
def made(med_safety: OpenWorkshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "set"
    generate(med_safety(), 3, folder)
    return folder


@pytest.fixture
def xlsx(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "review.xlsx"
    result = CliRunner().invoke(app, ["export", str(made), "--xlsx", str(path)])
    assert result.exit_code == 0, result.output
    return path


@pytest.fixture
def edited(xlsx: Path) -> Callable[..., Path]:
    """Give a function that changes cells of the workbook: ``edited(row, column=text, ...)``."""

    def change(row: int, **cells: Any) -> Path:
        book = load_workbook(xlsx)
        for column, value in cells.items():
            cell = book[TURNS].cell(row, COLUMNS.index(column) + 1)
            cell.value = value(cell.value) if callable(value) else value
        book.save(xlsx)
        return xlsx

    return change


def refused(made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse) -> str:
    """Import what must be refused; nothing may have been written."""
    with pytest.raises(InputError) as error:
        import_review(made, xlsx, tmp_path / "out", warehouse)
    assert not (tmp_path / "out").exists()
    (line,) = str(error.value).splitlines()
    return line


def test_an_untouched_export_changes_no_byte(
    made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse
) -> None:
    out = tmp_path / "out"
    import_review(made, xlsx, out, warehouse)
    names = sorted(path.name for path in made.iterdir())
    assert sorted(path.name for path in out.iterdir()) == names
    for name in names:
        assert (out / name).read_bytes() == (made / name).read_bytes(), name


def test_a_row_holds_a_turn_in_both_languages(made: Path, xlsx: Path) -> None:
    _, rows = read_workbook(xlsx)
    session = read_benchmark(made).sessions[0]
    assert len(rows) == sum(len(one.turns) for one in read_benchmark(made).sessions)
    assert rows[1].cells["en_implicit"] == session.turns[1].wording["en"].implicit
    assert rows[1].cells["zh_explicit"] == session.turns[1].wording["zh"].explicit
    assert rows[0].cells["tools"].startswith("Observation.search {")
    assert "[t0-value]" in rows[0].cells["en_rubric"]
    assert "[t0-value]" in rows[0].cells["zh_rubric"]


def test_numbers_are_numbers_and_all_else_is_text(xlsx: Path) -> None:
    sheet = load_workbook(xlsx)[TURNS]
    for name, column in zip(COLUMNS, sheet.iter_cols(min_row=2), strict=True):
        kinds = {cell.data_type for cell in column if cell.value is not None}
        assert kinds <= ({"n"} if name in {"turn", "tier"} else {"s"}), name
    assert [cell.value for cell in sheet["B"][1:5]] == [0, 1, 2, 3]
    assert sheet.freeze_panes == "C2"
    assert sheet.auto_filter.ref == sheet.dimensions
    (choice,) = sheet.data_validations.dataValidation
    signed = get_column_letter(COLUMNS.index("signed_off") + 1)
    assert (choice.formula1, str(choice.sqref)) == ('"yes,no"', f"{signed}2:{signed}{sheet.max_row}")


def test_the_workbook_says_what_the_ways_of_leaving_unsaid_mean(xlsx: Path) -> None:
    told = " ".join(str(cell.value) for cell in load_workbook(xlsx)[SET]["B"])
    assert all(word in told for word in ("nominal anaphora", "predicate ellipsis", "abstract-event anaphora"))


@pytest.mark.parametrize("kind", [str, float])
def test_a_workbook_with_other_cells_for_numbers_is_taken(
    kind: type, made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse
) -> None:
    """Workbooks were of text alone once, and a spreadsheet program may store 1 as 1.0."""
    book = load_workbook(xlsx)
    for name in ("turn", "tier"):
        for row in book[TURNS].iter_rows(min_row=2):
            cell = row[COLUMNS.index(name)]
            cell.value = kind(cell.value)
    book.save(xlsx)
    import_review(made, xlsx, tmp_path / "out", warehouse)
    assert (tmp_path / "out" / SESSIONS).read_bytes() == (made / SESSIONS).read_bytes()


def test_a_turn_worded_otherwise_than_it_has_to_be_is_told_in_plain_words(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    turn = read_benchmark(made).sessions[0].turns[1]
    path = edited(3, en_implicit="Go on with this patient.", reviewer="Dr. Who")
    line = refused(made, path, tmp_path, warehouse)
    assert "reword it that way" in line
    assert WAYS_OF_LEAVING_UNSAID[turn.implicitness] in line


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")']
    path = tmp_path / "texts.xlsx"
    write_workbook(path, [dict.fromkeys(COLUMNS, text) for text in texts], "print")
    sheet = zipfile.ZipFile(path).read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    _, rows = read_workbook(path)
    assert [row.cells["comment"] for row in rows] == texts


def test_a_correction_is_taken_proved_and_signed(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    out = tmp_path / "out"
    path = edited(
        3,
        en_implicit=lambda text: f"{text} Thank you.",
        zh_implicit=lambda text: f"{text}谢谢。",
        en_rubric=lambda text: text.replace("] States", "] Says"),
        reviewer="Dr. Who",
        signed_off="yes",
        comment="kinder",
    )
    import_review(made, path, out, warehouse)
    before, after = read_benchmark(made), read_benchmark(out)
    assert after.sessions[0].turns[1].wording["en"].implicit.endswith(" Thank you.")
    assert after.sessions[0].turns[1].wording["zh"].implicit.endswith("谢谢。")
    assert after.sessions[1:] == before.sessions[1:]
    (review,) = read_lines(out / REVIEWS, TurnReview)
    assert (review.reviewer, review.signed_off, review.turn, review.comment) == ("Dr. Who", True, 1, "kinder")
    assert {"en_implicit", "zh_implicit"} <= {change.column for change in review.changes}
    assert verify(out, warehouse) == []


def test_an_answer_that_says_the_same_otherwise_is_taken(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    path = edited(2, en_answer=lambda text: text.replace("The most recent", "The latest"), reviewer="Dr. Who")
    import_review(made, path, tmp_path / "out", warehouse)
    assert read_benchmark(tmp_path / "out").gold != read_benchmark(made).gold
    assert verify(tmp_path / "out", warehouse) == []


def test_reviews_of_one_reader_stay_when_another_comes(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    import_review(made, edited(2, reviewer="One", signed_off="yes"), first, warehouse)
    again = tmp_path / "again.xlsx"
    assert CliRunner().invoke(app, ["export", str(first), "--xlsx", str(again)]).exit_code == 0
    book = load_workbook(again)
    book[TURNS].cell(3, COLUMNS.index("reviewer") + 1).value = "Two"
    book.save(again)
    import_review(first, again, second, warehouse)
    assert [review.reviewer for review in read_lines(second / REVIEWS, TurnReview)] == ["One", "Two"]
    assert (second / SESSIONS).read_bytes() == (made / SESSIONS).read_bytes()


def test_a_leaked_value_is_refused(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    lab = json.loads((made / GOLD).read_text("utf-8").splitlines()[0])["bindings"]["lab"]
    path = edited(3, en_implicit=lambda text: f"{text} It was {lab['value']}.", reviewer="Dr. Who")
    line = refused(made, path, tmp_path, warehouse)
    column = COLUMNS.index("en_implicit")
    assert f"sheet turns, row 3, column {chr(ord('A') + column)} (en_implicit)" in line
    assert "states the value" in line


@pytest.mark.parametrize(
    ("row", "cells", "place", "reason"),
    [
        (2, {"en_answer": "I do not know."}, "(en_answer)", "breaks the session"),
        (2, {"zh_answer": "不知道。"}, "(zh_answer)", "breaks the session"),
        (2, {"zh_rubric": lambda text: text.replace("：", "：9")}, "(zh_rubric)", "breaks the session"),
        (2, {"zh_implicit": "现在怎么样？"}, "(zh_implicit)", "breaks the session"),
        (2, {"tools": ""}, "(tools)", "breaks the session"),
        (
            2,
            {"tools": lambda text: text.replace("Observation.search", "Observation.guess")},
            "(tools)",
            "refused",
        ),
        (2, {"tools": 'Observation.search {"subject_id": 1}'}, "(tools)", "not about the patient"),
        (2, {"tools": "Observation.search code=x"}, "(tools)", "not of the form"),
        (2, {"en_rubric": "no brackets"}, "(en_rubric)", "not of the form"),
        (2, {"en_rubric": "[t0-value] States it."}, "(en_rubric)", "missing"),
        (2, {"en_rubric": lambda text: f"{text}\n[t9-new] More."}, "(en_rubric)", "none of this turn"),
        (2, {"en_explicit": ""}, "(en_explicit)", "is empty"),
        (2, {"facts": "Observation/lab-1"}, "(facts)", "not to be changed"),
        (2, {"tier": "3"}, "(tier)", "not to be changed"),
        (2, {"signed_off": "perhaps"}, "(signed_off)", "neither yes nor no"),
        (2, {"session_id": "another"}, "(session_id)", "no turn of the set"),
        (3, {"turn": "0"}, "(turn)", "stands twice"),
        (2, {"en_answer": "=SUM(A1:A3)"}, "(en_answer)", "holds a formula"),
    ],
)
def test_what_breaks_is_refused_with_its_place(
    row: int,
    cells: dict[str, Any],
    place: str,
    reason: str,
    made: Path,
    edited: Callable[..., Path],
    tmp_path: Path,
    warehouse: Warehouse,
) -> None:
    line = refused(made, edited(row, reviewer="Dr. Who", **cells), tmp_path, warehouse)
    assert f"row {row}, column" in line
    assert place in line
    assert reason in line


def test_a_change_without_a_name_is_refused(
    made: Path, edited: Callable[..., Path], tmp_path: Path, warehouse: Warehouse
) -> None:
    path = edited(2, en_answer=lambda text: text.replace("The most recent", "The latest"))
    assert "(reviewer): is empty" in refused(made, path, tmp_path, warehouse)


def test_a_row_taken_out_is_refused(made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse) -> None:
    book = load_workbook(xlsx)
    book[TURNS].delete_rows(3)
    book.save(xlsx)
    assert "is missing" in refused(made, xlsx, tmp_path, warehouse)


def test_rows_may_be_sorted(made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse) -> None:
    book = load_workbook(xlsx)
    book[TURNS].move_range("A2:Z2", rows=100)
    book.save(xlsx)
    import_review(made, xlsx, tmp_path / "out", warehouse)
    assert (tmp_path / "out" / SESSIONS).read_bytes() == (made / SESSIONS).read_bytes()


def test_the_workbook_of_another_set_is_refused(
    made: Path, xlsx: Path, tmp_path: Path, warehouse: Warehouse
) -> None:
    other = Path(shutil.copytree(made, tmp_path / "other"))
    lines = (other / SESSIONS).read_text("utf-8").replace("this patient", "that patient", 1)
    (other / SESSIONS).write_text(lines, "utf-8")
    seal(other, read_benchmark(made).manifest)
    assert "another set" in refused(other, xlsx, tmp_path, warehouse)


def test_what_is_no_workbook_is_bad_input(made: Path, tmp_path: Path, synthetic_warehouse: Path) -> None:
    path = tmp_path / "no.xlsx"
    path.write_text("no workbook")
    command = ["import", str(made), "--xlsx", str(path), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, [*command, "--ehr", str(synthetic_warehouse)])
    assert result.exit_code == 2
    assert "no Excel workbook" in result.stderr


def test_texts_about_real_patients_need_to_be_asked_for(made: Path, tmp_path: Path) -> None:
    real = Path(shutil.copytree(made, tmp_path / "real"))
    manifest = (real / MANIFEST).read_text("utf-8").replace('"synthetic"', '"mimic-iv"')
    (real / MANIFEST).write_text(manifest, "utf-8")
    path = tmp_path / "real.xlsx"
    result = CliRunner().invoke(app, ["export", str(real), "--xlsx", str(path)])
    assert result.exit_code == 2
    assert "--include-phi" in result.stderr
    assert not path.exists()
    assert CliRunner().invoke(app, ["export", str(real), "--xlsx", str(path), "--include-phi"]).exit_code == 0


def test_a_workbook_is_not_written_over(made: Path, xlsx: Path) -> None:
    before = xlsx.read_bytes()
    result = CliRunner().invoke(app, ["export", str(made), "--xlsx", str(xlsx)])
    assert result.exit_code == 2
    assert xlsx.read_bytes() == before


def test_a_workbook_goes_by_its_suffix(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "review.txt"
    result = CliRunner().invoke(app, ["export", str(made), "--xlsx", str(path)])
    assert result.exit_code == 2
    assert "review.xlsx" in result.stderr
    assert not path.exists()
