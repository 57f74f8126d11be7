"""How long an endpoint gives no reply, and what is said of that while a command waits for it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.counted import times

FIRST_SECONDS = 5.0
"""Silence that is worth a word: of an endpoint that has never replied, or after a call that failed."""
SLOW_SECONDS = 60.0
"""The same of one that has replied before, while its calls are merely under way."""
LONGEST_GAP_SECONDS = 60.0


@dataclass
class Silence:
    """Counts the tries since the last reply of one endpoint. ``clock`` is in seconds; ``tell`` hears single lines."""

    who: str
    tell: Callable[[str], None]
    clock: Callable[[], float]
    ever_replied: bool = False
    _open: int = 0
    _asked: int = 0
    _since: float | None = None
    _failed: str = ""
    _again: list[float] = field(default_factory=list)
    _told: float | None = None

    def begin(self) -> None:
        """Note that a call wants a reply."""
        self._open += 1

    def sent(self) -> None:
        """Note a try."""
        self._asked += 1
        if self._since is None:
            self._since = self.clock()

    def failed(self, why: str, wait: float) -> None:
        """Note that a try failed and after how many seconds the next one comes."""
        self._failed = why
        self._again.append(self.clock() + wait)

    def end(self, *, replied: bool) -> None:
        """Note that a call has its reply, or will have none."""
        self._open -= 1
        if not replied:
            return
        if self._told is not None:
            self.tell(f"{self.who} replies again, after {self._seconds:.0f} s")
        self.ever_replied = True
        self._since, self._asked = (self.clock(), self._open) if self._open else (None, 0)
        self._failed, self._told = "", None
        self._again.clear()

    def look(self) -> None:
        """Say how things stand, where it is time to: seldomer, the longer it lasts."""
        if not self._open or self._since is None:
            return
        seconds = self._seconds
        first = SLOW_SECONDS if self.ever_replied and not self._failed else FIRST_SECONDS
        due = first if self._told is None else self._told + min(self._told, LONGEST_GAP_SECONDS)
        if seconds >= due:
            self._told = seconds
            self.tell(self._line(seconds))

    @property
    def _seconds(self) -> float:
        return 0.0 if self._since is None else self.clock() - self._since

    def _line(self, seconds: float) -> str:
        asked = times(self._asked)
        if not self._failed:
            return f"{self.who} has not replied for {seconds:.0f} s; asked {asked}"
        now = self.clock()
        waits = [moment - now for moment in self._again if moment > now]
        again = f"again in {math.ceil(min(waits))} s" if waits else "and again now"
        return f"{self.who} gives no reply ({self._failed}); asked {asked} in {seconds:.0f} s, {again}"
