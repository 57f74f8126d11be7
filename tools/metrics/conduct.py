"""How the doctor worked: writes, grounding, tools, questions to the patient, antecedents, safety, faults."""

from collections.abc import Sequence

from state.metrics import Conduct
from tools.metrics.antecedents import antecedent_errors
from tools.metrics.faults import safety_figures, taxonomy
from tools.metrics.grounding import grounding
from tools.metrics.inquiry import inquiry_coverage
from tools.metrics.summary import resampler
from tools.metrics.tool_use import tool_use
from tools.metrics.trace import SessionTrace
from tools.metrics.written import unasked_writes, write_accuracy
from tools.vocabulary import Vocabulary


def conduct_of(traces: Sequence[SessionTrace], vocabulary: Vocabulary) -> Conduct:
    """Compute every figure of conduct; ``traces`` are all planned sessions, in each epoch."""
    drawn = resampler()
    figures = {
        "grounding": grounding(traces, drawn),
        "inquiry_coverage": inquiry_coverage(traces, drawn),
        **tool_use(traces, drawn),
        "unasked_writes": unasked_writes(traces, drawn),
        "write_accuracy": write_accuracy(traces, drawn),
    }
    return Conduct(
        figures=dict(sorted(figures.items())),
        antecedent_errors=antecedent_errors(traces, vocabulary, drawn),
        safety=safety_figures(traces, drawn),
        taxonomy=taxonomy(traces),
    )
