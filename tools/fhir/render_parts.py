"""FHIR data types as text."""

from tools.fhir.elements import Resource


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


def value_text(observed: Resource) -> str:
    """Write the value[x] of an Observation or a component, or why there is none; empty where components hold it."""
    if "valueQuantity" in observed:
        return quantity_text(observed["valueQuantity"])
    if "valueCodeableConcept" in observed:
        return concept_text(observed["valueCodeableConcept"])
    if "valueString" in observed:
        return " ".join(observed["valueString"].split())
    if "dataAbsentReason" in observed:
        return f"no value ({concept_text(observed['dataAbsentReason'])})"
    return ""


def components_text(observation: Resource) -> str:
    """Write the components of an Observation: susceptibilities, or the sides of a blood pressure."""
    return "; ".join(
        " ".join(
            part
            for part in (
                f"{concept_text(component['code'])}:",
                value_text(component),
                ", ".join(concept_text(flag).upper() for flag in component.get("interpretation", [])),
            )
            if part
        )
        for component in observation.get("component", [])
    )


def finding_text(observation: Resource) -> str:
    """Write what a microbiology result says, without its specimen and times."""
    return "; ".join(
        part
        for part in (
            f"{concept_text(observation['code'])}: {value_text(observation)}".rstrip(": "),
            components_text(observation),
            "cancelled" if observation["status"] == "cancelled" else "",
            *notes(observation),
        )
        if part
    )


def range_text(limits: Resource) -> str:
    """Write a reference range: ``3.3-5.1``, ``>= 60``, ``<= 0.01``."""
    low, high = limits.get("low"), limits.get("high")
    if low is not None and high is not None:
        return f"{quantity_text({'value': low['value']})}-{quantity_text(high)}"
    return f">= {quantity_text(low)}" if low is not None else f"<= {quantity_text(limits['high'])}"


def period_text(period: Resource) -> str:
    """Write a Period; an end that is not known is told as such."""
    start = f"from {local(period['start'])}" if "start" in period else ""
    end = f"to {local(period['end'])}" if "end" in period else "end not reached"
    return f"{start} {end}".strip()


def dosage_text(dosage: Resource) -> str:
    """Write a dosage instruction: what, how and how often, then when."""
    repeat = dosage.get("timing", {}).get("repeat", {})
    when = period_text(repeat["boundsPeriod"]) if "boundsPeriod" in repeat else ""
    if "boundsDuration" in repeat:
        when = f"for {quantity_text(repeat['boundsDuration'])}"
    return " | ".join(part for part in (dosage.get("text", "dosage not recorded"), when) if part)


def notes(resource: Resource) -> list[str]:
    """Write every annotation."""
    return [f"note: {' '.join(note['text'].split())}" for note in resource.get("note", [])]


def ref_text(reference: Resource | None) -> str:
    """Write a reference; nothing for none."""
    return "" if reference is None else str(reference["reference"])
