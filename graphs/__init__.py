"""When it happens: graphs and their command lines."""

from tools.interrupt import end_at_once_while_loading

end_at_once_while_loading()
