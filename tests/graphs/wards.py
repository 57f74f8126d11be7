"""What the fixtures of these tests give."""

from collections.abc import Callable

from graphs.run_folder import RunFolder
from graphs.ward import Ward
from graphs.workshop import Workshop

OpenWard = Callable[..., Ward]
Run = Callable[[Ward], RunFolder]
OpenWorkshop = Callable[[], Workshop]
