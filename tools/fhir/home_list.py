"""The home medication list taken down in the emergency department (ed.medrecon) as MedicationRequest."""

import re
from datetime import datetime

from tools.fhir.context import Context, Row
from tools.fhir.elements import Resource, compact, concept, date_time, reference, text_of
from tools.fhir.outcome import not_loaded
from tools.fhir.systems import MEDICATION_REQUEST_CATEGORY, NDC

TABLES = ("ed.edstays", "ed.medrecon")
_LOCAL_GROUP = re.compile(
    r"dermatolog|topical|nasal|inhal|beta adrenergic-glucocorticoid|ophthalm|artificial tears|otic \(|vaginal|anorectal"
    r"|mouth and throat",
    re.IGNORECASE,
)
_LOCAL_FORM = re.compile(
    r"\b(cream|ointment|lotion|foam|shampoo|spray|inhaler|inhalation|hfa|diskus|flexhaler|drops?|eye|ear|otic|nasal"
    r"|ophthalmic|topical|vaginal)\b",
    re.IGNORECASE,
)
_SYSTEMIC = re.compile(r"\bsystemic\b|\boral\b", re.IGNORECASE)


def home_list(context: Context) -> list[Row]:
    """Give the entries of the lists of the emergency stays known at as_of, newest list first, then by name."""
    if not context.chart.loaded("ed.medrecon"):
        raise not_loaded("ed.medrecon")
    rows = [row for row in context.rows("ed.medrecon") if row["stay_id"] in context.ed_stays]
    rows.sort(key=lambda row: (drug_of(row).lower(), row["row_id"]))
    return sorted(rows, key=_charted, reverse=True)


def drug_of(row: Row) -> str:
    """Name the drug as the record has it."""
    return text_of(row["name"]) or "drug not recorded"


def is_local(name: str, group: str | None) -> bool:
    """Tell whether an entry is put on skin, eye, ear or mucosa or breathed in, by its therapeutic class or its name.

    ``group`` is the row's etcdescription. What is so taken is no treatment of the whole body with its drug.
    """
    by_group = group is not None and _LOCAL_GROUP.search(group) and not _SYSTEMIC.search(group)
    return bool(by_group or _LOCAL_FORM.search(name))


def resource_id_of(row: Row) -> str:
    """Name an entry by its row."""
    return f"home-{row['row_id']}"


def _charted(row: Row) -> datetime:
    moment: datetime = row["charttime"]
    return moment


def home_medication(context: Context, row: Row) -> Resource:
    """Build the MedicationRequest of one entry: reported, by whom it was prescribed and how is not on record.

    The therapeutic class is told in its note: the record has an entry for each class of a drug.
    """
    ndc, group = text_of(row["ndc"]), text_of(row["etcdescription"])
    return compact(
        {
            "resourceType": "MedicationRequest",
            "id": resource_id_of(row),
            "status": "unknown",
            "intent": "order",
            "category": [
                concept("community", (MEDICATION_REQUEST_CATEGORY, "community", "Community")),
            ],
            "reportedBoolean": True,
            "medicationCodeableConcept": concept(
                drug_of(row), *([(NDC, ndc, None)] if ndc and ndc != "0" else [])
            ),
            "subject": context.subject,
            "encounter": reference("Encounter", f"ed-{row['stay_id']}"),
            "authoredOn": date_time(row["charttime"]),
            "note": [{"text": group}] if group else [],
        }
    )
