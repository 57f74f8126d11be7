"""The vocabulary: what words of the record and of clinicians mean."""

from tools.vocabulary.records import Analyte, Dose, Ingredient
from tools.vocabulary.services import Service
from tools.vocabulary.vocabulary import Vocabulary

__all__ = ["Analyte", "Dose", "Ingredient", "Service", "Vocabulary"]
