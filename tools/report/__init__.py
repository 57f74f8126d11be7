"""What a person reads after a run: a table on the screen and a page."""

from tools.report.judging_table import judging_table
from tools.report.page import write_page
from tools.report.page_session import SessionPage
from tools.report.table import closing_table

__all__ = ["SessionPage", "closing_table", "judging_table", "write_page"]
