"""Small whole numbers in words, English and Chinese."""

ENGLISH = {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
HANZI = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "十二": 12,
    "十四": 14,
    "二十四": 24,
}


def count(text: str) -> int:
    """Read a whole number in ASCII digits or in one of the words above; anything else is a KeyError."""
    return int(text) if text.isdigit() else (ENGLISH | HANZI)[text]
