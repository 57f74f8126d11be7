"""The command lines of the product."""

COMMANDS = (
    "graphs.compare",
    "graphs.doctor_check",
    "graphs.evaluate",
    "graphs.generate",
    "graphs.judge_audit",
    "graphs.replay",
    "graphs.report",
    "graphs.review",
    "tools.ehr",
)
