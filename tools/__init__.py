"""What can be done, without a language model."""

from tools.interrupt import end_at_once_while_loading

end_at_once_while_loading()
