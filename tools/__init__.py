"""What can be done, without a language model."""

import sys

from tools.interrupt import end_at_once

if sys.argv[:1] == [
    "-m"
]:  # python -m is still locating a command of this package: its modules take seconds to load
    end_at_once()
