"""Diagnosis codes as rules name them: by how they begin."""

from typing import Self

from pydantic import model_validator

from state.base import Record


class CodePrefixes(Record):
    """Prefixes of ICD codes, without dots; of one version at least."""

    icd10: tuple[str, ...] = ()
    icd9: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _some_code(self) -> Self:
        if not self.icd10 and not self.icd9:
            raise ValueError("give icd10 or icd9 prefixes")
        return self
