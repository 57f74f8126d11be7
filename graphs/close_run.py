"""Closing a run: metrics from its results, the report a person reads, the table on the screen."""
