"""What each event of the electronic medication administration record says was done."""

from enum import StrEnum


class AdministrationStatus(StrEnum):
    """Codes used of FHIR R4's value set medication-admin-status."""

    COMPLETED = "completed"
    IN_PROGRESS = "in-progress"
    NOT_DONE = "not-done"
    ON_HOLD = "on-hold"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


_DONE = (
    *(
        "Administered",
        "Administered Bolus from IV Drip",
        "Administered in Other Location",
        "Delayed Administered",
    ),
    *(
        "Partial Administered",
        "Applied",
        "Applied in Other Location",
        "Removed Existing / Applied New",
        "Read",
    ),
    *("Flushed", "Flushed in Other Location", "Delayed Flushed", "Delayed Applied"),
)
_RUNNING = (
    *("Started", "Started in Other Location", "Delayed Started", "Restarted", "Restarted in Other Location"),
    *("Delayed Restarted", "Confirmed", "Confirmed in Other Location", "Delayed Confirmed", "Rate Change"),
    *("Infusion Reconciliation", "Assessed", "Assessed in Other Location", "Delayed Assessed", "Not Stopped"),
    "Not Removed",
)
_NOT_DONE = (
    *(
        "Not Given",
        "Not Given per Sliding Scale",
        "Not Given per Sliding Scale in Other Location",
        "Not Applied",
    ),
    *("Not Flushed", "Not Started", "Not Restarted", "Not Read", "Not Confirmed", "Not Assessed"),
    "Infusion Reconciliation Not Done",
)
_HELD = ("Hold Dose", "Delayed", "Delayed Not Started")
_ENDED = (
    *(
        "Stopped",
        "Stopped As Directed",
        "Stopped in Other Location",
        "Stopped - Unscheduled",
        "Delayed Stopped",
    ),
    *("Stopped - Unscheduled in Other Location", "Stopped - Unscheduled As Directed", "Removed"),
    *("Removed in Other Location", "Delayed Removed"),
)

STATUS_OF_EVENT: dict[str, AdministrationStatus] = {
    event.lower(): status
    for status, events in (
        (AdministrationStatus.COMPLETED, _DONE),
        (AdministrationStatus.IN_PROGRESS, _RUNNING),
        (AdministrationStatus.NOT_DONE, _NOT_DONE),
        (AdministrationStatus.ON_HOLD, _HELD),
        (AdministrationStatus.STOPPED, _ENDED),
    )
    for event in events
}
"""hosp.emar.event_txt in lower case -> status, after FHIR R4's definitions of the codes
(https://hl7.org/fhir/R4/valueset-medication-admin-status.html).

Confirmed, Assessed and Infusion Reconciliation are charted on running infusions, pumps and worn patches, and give no
dose of their own: in-progress. Delayed without a further word is a dose still to come: on-hold, like a held one.
"""


def status_of(event: str | None) -> AdministrationStatus:
    """Map an event text; ``unknown`` for none, for " in Other Location" alone, and for any text not in the map."""
    return STATUS_OF_EVENT.get((event or "").strip().lower(), AdministrationStatus.UNKNOWN)
