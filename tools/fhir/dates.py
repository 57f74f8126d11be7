"""Dates and times as callers write them."""

import re
from datetime import datetime, timedelta

_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_FORMS = (
    (re.compile(_DAY), timedelta(days=1)),
    (re.compile(_DAY + "[T ][0-9]{2}:[0-9]{2}"), timedelta(minutes=1)),
    (re.compile(_DAY + "[T ][0-9]{2}:[0-9]{2}:[0-9]{2}"), timedelta(seconds=1)),
)
_OFFSET = re.compile(r"(\+00:00|Z)$")


def day_or_moment(text: str) -> tuple[datetime, timedelta]:
    """Read a date or time and how long it lasts: a day, a minute or a second.

    Raises ValueError for any other form, a date that does not exist, or an offset other than the ``+00:00`` that this
    record's FHIR times carry.
    """
    plain = _OFFSET.sub("", text.strip()) if "T" in text else text.strip()
    for form, length in _FORMS:
        if form.fullmatch(plain):
            return datetime.fromisoformat(plain), length
    raise ValueError(f"{text!r} is not a date or time: write YYYY-MM-DD or YYYY-MM-DDTHH:MM")


def shown(moment: datetime) -> str:
    """Write a time for people, to the minute; seconds only where there are some."""
    return f"{moment:%Y-%m-%d %H:%M:%S}" if moment.second else f"{moment:%Y-%m-%d %H:%M}"
