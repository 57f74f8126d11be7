"""The headings of MIMIC-IV-Note's texts: which there are, and by which words they are written or asked for."""

from dataclasses import dataclass

from tools.fhir.search_arguments import DocumentType


@dataclass(frozen=True)
class Heading:
    """A heading. ``written`` are its forms in the texts, ``asked`` further words callers use for it.

    ``nested`` headings stand inside another section and do not end it.
    """

    name: str
    written: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    nested: bool = False

    @property
    def forms(self) -> tuple[str, ...]:
        """List every form in the texts."""
        return (self.name, *self.written)


ALLERGIES = Heading("Allergies", asked=("allergy", "过敏史", "过敏"))
IMPRESSION = Heading("Impression", ("Impressions", "Conclusion"), ("印象", "诊断意见"))
DISCHARGE_SUMMARY = (
    Heading("Service"),
    ALLERGIES,
    Heading("Attending"),
    Heading("Chief Complaint", asked=("主诉",)),
    Heading(
        "Major Surgical or Invasive Procedure",
        ("Major Surgical or Invasive Procedures",),
        ("procedures", "手术及操作"),
    ),
    Heading("History of Present Illness", asked=("hpi", "现病史")),
    Heading("Past Medical History", asked=("pmh", "past history", "既往史")),
    Heading("Social History", asked=("个人史", "社会史")),
    Heading("Family History", asked=("家族史",)),
    Heading("Physical Exam", ("Physical Examination",), ("exam", "体格检查")),
    Heading("Pertinent Results", asked=("results", "辅助检查")),
    Heading("Brief Hospital Course", ("Hospital Course",), ("course", "住院经过", "诊疗经过")),
    Heading("Transitional Issues", ("Transitional Issue",), nested=True),
    Heading(
        "Medications on Admission",
        ("Admission Medications", "Preadmission Medications"),
        ("home medications", "入院用药"),
    ),
    Heading("Discharge Medications", ("Medications on Discharge",), ("出院带药", "出院用药")),
    Heading("Discharge Disposition", asked=("disposition", "出院去向")),
    Heading("Facility", nested=True),
    Heading("Discharge Diagnosis", ("Discharge Diagnoses",), ("diagnosis", "diagnoses", "出院诊断")),
    Heading("Discharge Condition", asked=("condition", "出院情况")),
    Heading("Discharge Instructions", asked=("instructions", "出院医嘱", "出院指导")),
    Heading(
        "Followup Instructions",
        ("Follow-up Instructions", "Follow up Instructions"),
        ("followup", "follow-up", "follow up", "随访"),
    ),
)
RADIOLOGY = (
    Heading("Examination", ("Exam", "Type of Examination", "Study"), ("检查",)),
    Heading(
        "Indication",
        ("History", "Clinical History", "Clinical Information", "Reason for Examination", "Reason for Exam"),
        ("适应证",),
    ),
    Heading("Technique"),
    Heading("Comparison", ("Comparisons",)),
    Heading("Findings", ("Finding",), ("所见",)),
    IMPRESSION,
    Heading("Recommendation", ("Recommendations", "Recommendation(s)")),
    Heading("Notification"),
)
HEADINGS = {DocumentType.DISCHARGE_SUMMARY: DISCHARGE_SUMMARY, DocumentType.RADIOLOGY: RADIOLOGY}
"""Headings as MIMIC-IV-Note writes them (https://physionet.org/content/mimic-iv-note/2.2), at the beginning of a line
and with a colon. Lines such as ``CHEST:`` or ``ACUTE ISSUES:`` are no headings here: they divide a section."""


def folded(text: str) -> str:
    """Bring a heading or a caller's word for it to one form."""
    return " ".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())


def heading_named(kinds: tuple[DocumentType, ...], asked: str) -> dict[DocumentType, Heading]:
    """Find the heading each kind of document has of this name; never by likeness."""
    name = folded(asked)
    return {
        kind: heading
        for kind in kinds
        for heading in HEADINGS[kind]
        if name in {folded(word) for word in (*heading.forms, *heading.asked)}
    }
