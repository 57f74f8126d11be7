"""Lines end between words and at the joints of names, never inside a number or an interval."""

import pytest

from tools.report.wrapping import narrowest, pieces_of, widest, wrapped


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("39.6 % [36.7, 42.2]", ["39.6 % ", "[36.7, 42.2]"]),
        ("-93.8 [-100.0, -87.5]", ["-93.8 ", "[-100.0, -87.5]"]),
        ("24 / 24 / 24 sessions", ["24 / 24 / 24 ", "sessions"]),
        ("withheld (coverage 97 %)", ["withheld ", "(coverage ", "97 %)"]),
        ("lookup-gather-reason", ["lookup-", "gather-", "reason"]),
        ("offline/gold (program)", ["offline/", "gold ", "(program)"]),
        ("< 0.001", ["< 0.001"]),
        ("10,000 resamples, seed 7", ["10,000 ", "resamples, ", "seed ", "7"]),
        ("at 2150-01-02 08:05", ["at ", "2150-01-02 08:05"]),
        ("", [""]),
    ],
)
def test_where_a_line_may_end(text: str, pieces: list[str]) -> None:
    assert pieces_of(text) == pieces


@pytest.mark.parametrize("width", range(1, 30))
def test_lines_fit_and_hold_everything(width: int) -> None:
    text = "openai-compatible/Some-Model 39.6 % [36.7, 42.2]\n患者的回答 and words"
    lines = wrapped(text, width if width > 1 else 2)
    assert max(map(widest, lines)) <= max(width, 2)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert width < narrowest(text) or not [line for line in lines if line.startswith(" ")]


def test_no_column_need_be_wider_than_its_longest_piece() -> None:
    assert narrowest("39.6 % [36.7, 42.2]") == len("[36.7, 42.2]")
    assert wrapped("39.6 % [36.7, 42.2]", 12) == ["39.6 %", "[36.7, 42.2]"]
