"""What every calculator asks of its inputs: numbers that a patient can have, answers that are known.

Laboratory values come as decimal fractions, and 1.4 - 1.1 is a little under 0.3 in floating point. A threshold on a
computed quantity (a ratio, a difference, a converted unit) is therefore compared with :func:`reaches` or
:func:`exceeds`; a threshold on a value as reported is compared directly.
"""

import math
from collections.abc import Mapping
from typing import Literal, TypeVar

Sex = Literal["F", "M"]
"""MIMIC-IV's ``gender``."""

ROUNDING = 1e-9

Choice = TypeVar("Choice")


def require_positive(**values: float) -> None:
    """Raise ValueError for a value that is zero, negative, infinite or not a number."""
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a positive number, got {value}")


def require_not_negative(**values: float) -> None:
    """Raise ValueError for a value that is negative, infinite or not a number."""
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"{name} must be zero or more, got {value}")


def require_finite(**values: float) -> None:
    """Raise ValueError for a value that is infinite or not a number."""
    for name, value in values.items():
        if not math.isfinite(value):
            raise ValueError(f"{name} must be a number, got {value}")


def require_between(low: float, high: float, **values: float) -> None:
    """Raise ValueError for a value outside ``low`` to ``high``, both included."""
    for name, value in values.items():
        if not low <= value <= high:
            raise ValueError(f"{name} must lie between {low} and {high}, got {value}")


def require_flags(**values: object) -> None:
    """Raise ValueError for a value that is not true or false: an unknown (None) is never counted as absent."""
    for name, value in values.items():
        if value is not True and value is not False:
            raise ValueError(f"{name} must be true or false, got {value!r}")


def by_sex(sex: str, *, female: Choice, male: Choice) -> Choice:
    """Choose the constant for ``F`` or ``M``; any other sex raises ValueError, none is assumed."""
    if sex == "F":
        return female
    if sex == "M":
        return male
    raise ValueError(f"sex must be 'F' or 'M', got {sex!r}")


def reaches(value: float, threshold: float) -> bool:
    """Compare a computed value with a threshold that it meets when equal."""
    return value >= threshold - ROUNDING


def exceeds(value: float, threshold: float) -> bool:
    """Compare a computed value with a threshold that it must pass."""
    return value > threshold + ROUNDING


def count_points(findings: object, points: Mapping[str, float]) -> float:
    """Add the points of the findings that are true.

    ``points`` names the yes/no attributes of ``findings``; one that is neither true nor false raises ValueError.
    """
    found = {name: getattr(findings, name) for name in points}
    require_flags(**found)
    return sum(weight for name, weight in points.items() if found[name])
