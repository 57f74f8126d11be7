"""FHIR data types as text, in the reader's language."""

from tools.fhir.elements import Resource
from tools.fhir.labels import Labels


def local(moment: str) -> str:
    """Write a FHIR date or dateTime in the record's local time, without the offset that says nothing."""
    date, _, time = moment.partition("T")
    if not time:
        return date
    return f"{date} {time[:5]}" if time[5:8] == ":00" else f"{date} {time[:8]}"


def concept_text(concept: Resource) -> str:
    """Give the text of a CodeableConcept."""
    text: str = concept["text"]
    return " ".join(text.split())


def quantity_text(quantity: Resource) -> str:
    """Write a Quantity with its comparator and unit; no figure is rounded away."""
    value, unit = quantity["value"], quantity.get("unit", "")
    number = f"{value:.10g}" if isinstance(value, float) else str(value)
    joint = "" if unit in ("", "%") else " "
    return f"{quantity.get('comparator', '')}{number}{joint}{unit}"


def value_text(labels: Labels, observed: Resource) -> str:
    """Write the value[x] of an Observation or a component, or why there is none; empty where components hold it."""
    if "valueQuantity" in observed:
        return quantity_text(observed["valueQuantity"])
    if "valueCodeableConcept" in observed:
        return concept_text(observed["valueCodeableConcept"])
    if "valueString" in observed:
        return " ".join(observed["valueString"].split())
    if "dataAbsentReason" in observed:
        return labels.say("no_value", reason=labels.word(concept_text(observed["dataAbsentReason"])))
    return ""


def flags_text(labels: Labels, observed: Resource) -> str:
    """Write the interpretations: ``HIGH``, ``RESISTANT``."""
    return ", ".join(labels.word(concept_text(flag).upper()) for flag in observed.get("interpretation", []))


def components_text(labels: Labels, observation: Resource) -> str:
    """Write the components of an Observation: susceptibilities, or the sides of a blood pressure."""
    return "; ".join(
        " ".join(
            part
            for part in (
                f"{labels.word(concept_text(component['code']))}:",
                value_text(labels, component),
                flags_text(labels, component),
            )
            if part
        )
        for component in observation.get("component", [])
    )


def finding_text(labels: Labels, observation: Resource) -> str:
    """Write what a microbiology result says, without its specimen and times."""
    return "; ".join(
        part
        for part in (
            f"{concept_text(observation['code'])}: {value_text(labels, observation)}".rstrip(": "),
            components_text(labels, observation),
            labels.word("cancelled") if observation["status"] == "cancelled" else "",
            *notes(labels, observation),
        )
        if part
    )


def range_text(limits: Resource) -> str:
    """Write a reference range: ``3.3-5.1``, ``>= 60``, ``<= 0.01``."""
    low, high = limits.get("low"), limits.get("high")
    if low is not None and high is not None:
        return f"{quantity_text({'value': low['value']})}-{quantity_text(high)}"
    return f">= {quantity_text(low)}" if low is not None else f"<= {quantity_text(limits['high'])}"


def period_text(labels: Labels, period: Resource) -> str:
    """Write a Period; an end that is not known is told as such."""
    if "start" not in period:
        return labels.say("up_to", end=local(period["end"]))
    start = local(period["start"])
    if "end" not in period:
        return labels.say("from_on", start=start)
    return labels.say("from_to", start=start, end=local(period["end"]))


def dosage_text(labels: Labels, dosage: Resource) -> str:
    """Write a dosage instruction: what, how and how often, then when."""
    repeat = dosage.get("timing", {}).get("repeat", {})
    when = period_text(labels, repeat["boundsPeriod"]) if "boundsPeriod" in repeat else ""
    if "boundsDuration" in repeat:
        when = labels.say("for_length", length=quantity_text(repeat["boundsDuration"]))
    return " | ".join(part for part in (dosage.get("text") or labels.say("no_dosage"), when) if part)


def notes(labels: Labels, resource: Resource) -> list[str]:
    """Write every annotation."""
    return [labels.say("note", text=" ".join(note["text"].split())) for note in resource.get("note", [])]


def ref_text(reference: Resource | None) -> str:
    """Write a reference; nothing for none."""
    return "" if reference is None else str(reference["reference"])
