"""Diagnosis titles of a hospital's dictionaries, found in a text."""

from tools.ehr.warehouse import Warehouse
from tools.fhir.excerpts import whole_words
from tools.interview.guard import Titles

SHORTEST = 5
"""Characters of a title looked for; shorter ones are fragments."""


def diagnosis_titles(warehouse: Warehouse) -> Titles:
    """Give a search for ICD titles of hosp.d_icd_diagnoses; a title alone, in any case, whole words."""

    def find(text: str) -> str | None:
        cursor = warehouse.cursor()
        try:
            rows = cursor.execute(
                "SELECT long_title FROM hosp.d_icd_diagnoses WHERE length(long_title) >= $shortest "
                "AND contains(lower($text), lower(long_title)) ORDER BY length(long_title) DESC, long_title",
                {"text": text, "shortest": SHORTEST},
            ).fetchall()
        finally:
            cursor.close()
        return next((title for (title,) in rows if whole_words(title).search(text)), None)

    return find
