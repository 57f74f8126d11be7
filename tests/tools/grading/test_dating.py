"""A date that an answer says once is that of the times told with it; one it does not say is not made up."""

import pytest

from tools.grading.dating import dated_moments
from tools.grading.text import sentences

Clock = tuple[int | None, int | None, int | None, int, int]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("5月6日:上午10:25为2.1,当晚22:25为4.2", [(None, 5, 6, 10, 25), (None, 5, 6, 22, 25)]),
        ("21:50开出,22:25采血,均在2180年5月6日", [(2180, 5, 6, 21, 50), (2180, 5, 6, 22, 25)]),
        ("8月23日22:10、24日05:24", [(None, 8, 23, 22, 10), (None, 8, 24, 5, 24)]),
        ("On 2180-02-28 at 22:25; next day at 05:30.", [(2180, 2, 28, 22, 25), (2180, 2, 29, 5, 30)]),
        (
            "On 03-01 at 06:00 it was 4.8; the previous day at 22:25 5.9.",
            [(None, 3, 1, 6, 0), (None, 2, 29, 22, 25)],
        ),
        ("12月6日18:00为3.7,次日06:26为3.1", [(None, 12, 6, 18, 0), (None, 12, 7, 6, 26)]),
        ("K 5.9 at 22:25.\nAll of 2180-05-06.", [(2180, 5, 6, 22, 25)]),
        (
            "05-06 06:00 was 4.8. Yesterday at 22:25 it was 5.9.",
            [(None, 5, 6, 6, 0), (None, None, None, 22, 25)],
        ),
        ("at 22:25", [(None, None, None, 22, 25)]),
        ("夜里2点采,晚10点25分报", [(None, None, None, 2, 0), (None, None, None, 22, 25)]),
    ],
)
def test_times_have_the_date_that_was_said(answer: str, told: list[Clock]) -> None:
    read = [
        one for found in dated_moments([s.text for s in sentences(answer)]) for one in found if one.clocked
    ]
    assert [(one.year, one.month, one.day, one.hour, one.minute) for one in read] == told
