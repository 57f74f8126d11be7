"""Whether the doctor asked the patient for what the turn rests on."""

from collections.abc import Sequence

from state.base import ResourceRef
from state.gold import GoldSession
from state.metrics import Figure
from tools.metrics.figure import pooled_figure
from tools.metrics.resample import Resampler
from tools.metrics.trace import SessionTrace


def is_patient_fact(ref: ResourceRef) -> bool:
    """Tell whether a reference is to what only the patient can tell: ``Patient/10000032#adherence-furosemide``."""
    return ref.startswith("Patient/") and "#" in ref


def wanted_facts(gold: GoldSession) -> set[frozenset[ResourceRef]]:
    """List the patient facts that gold rests on; each is a set of references, of which one is enough."""
    return {
        frozenset(filter(is_patient_fact, item.evidence))
        for turn in gold.turns
        for item in turn.rubric
        if any(map(is_patient_fact, item.evidence))
    }


def inquiry_coverage(traces: Sequence[SessionTrace], drawn: Resampler) -> Figure:
    """Give the share of wanted patient facts that the doctor asked for; units are sessions that want one."""
    planned = [(trace, wanted) for trace in traces if (wanted := wanted_facts(trace.gold))]
    ended = [(trace, wanted) for trace, wanted in planned if trace.ended]
    points = []
    for trace, wanted in ended:
        told = {ref for turn in trace.turns for call in turn.calls for ref in call.refs}
        points.append(
            (trace.session_id, float(sum(bool(fact & told) for fact in wanted)), float(len(wanted)))
        )
    attempted = sum(bool(trace.turns) for trace, _ in planned)
    return pooled_figure(points, len(planned), attempted, len(ended), drawn)
