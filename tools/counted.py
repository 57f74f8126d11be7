"""A number with its noun, for lines that people read."""


def counted(number: int, noun: str) -> str:
    """Write ``1 session`` or ``1,200 sessions``; the noun in the singular, one that takes an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def times(number: int) -> str:
    """Write ``once`` or ``3 times``."""
    return "once" if number == 1 else f"{number:,} times"
