"""Names of analytes, drugs, doses, routes and frequencies in English and Chinese, and what each means."""

import difflib
import hashlib
import re
from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import yaml

from state.base import InputError, Language
from tools.vocabulary.lexicon import Lexicon, Mention, key, phrases
from tools.vocabulary.loinc import LoincMap
from tools.vocabulary.records import Analyte, Dose, Ingredient
from tools.vocabulary.schedule import DoseParser, WordTable, parse_frequency

_ROUTE_PHRASE = re.compile(r"^(?:(?:via|by) )?(?:the )?(.+) route$", re.IGNORECASE)
_FILES = ("analytes", "drugs", "loinc", "routes", "frequencies", "units")
DRUGS_REMEMBERED = 20_000
"""More than MIMIC-IV has different drug strings."""
LIKE, SHARED_WORD = 0.5, 0.3
"""How like a name must be to be suggested (1 is equal), and what a whole word in common adds to that."""
_STRENGTH = re.compile(
    r"\d+(?:\.\d+)?(?:%|mg|mcg|g|gm|ml|l|meq|mmol|units?|hr?)?|mg|mcg|gm?|ml|l|meq|mmol|units?|hr?"
)


Entry = TypeVar("Entry", Analyte, Ingredient)


class Vocabulary:
    """The words of the record and of clinicians. Immutable; ``load`` reads ``configs/vocabulary``."""

    def __init__(self, texts: dict[str, str]) -> None:
        data = {name: yaml.load(text, Loader=yaml.CSafeLoader) for name, text in texts.items()}
        self.fingerprint = hashlib.sha256(
            "\0".join(texts[name] for name in sorted(texts)).encode()
        ).hexdigest()
        self.analytes = tuple(Analyte.read(entry) for entry in data["analytes"]["analytes"])
        self.ingredients = tuple(Ingredient.read(entry) for entry in data["drugs"]["ingredients"])
        self._analytes = _by_id(self.analytes, "analytes.yaml")
        self._ingredients = _by_id(self.ingredients, "drugs.yaml")
        self._of_item = _by_item(self.analytes)
        self.loinc = LoincMap(data["loinc"]["families"])
        self._combinations = {
            frozenset(drug.components): drug.id for drug in self.ingredients if drug.components
        }
        qualifiers = data["drugs"]["qualifiers"]
        self._qualifiers = phrases(qualifiers["forms"] + qualifiers["salts"])
        self._analyte_words = _lexicon("analytes.yaml", self.analytes, data["analytes"]["decoys"])
        self._drug_words = _lexicon("drugs.yaml", self.ingredients, data["drugs"]["decoys"])
        for word in (word for drug in self.ingredients for word in drug.synonyms):
            if not self._analyte_words.knows(word):
                self._analyte_words.add(word, None)
        self._ingredient_of = lru_cache(maxsize=DRUGS_REMEMBERED)(self._find_ingredient)
        self._routes = WordTable("routes.yaml", _coded(data["routes"]))
        self._frequencies = WordTable("frequencies.yaml", _coded(data["frequencies"]))
        self._doses = DoseParser(
            {
                word.casefold(): (Decimal(unit["factor"]), unit["unit"])
                for unit in data["units"].values()
                for word in unit["words"] + [word.replace("µ", "μ") for word in unit["words"]]
            }
        )

    @classmethod
    def load(cls) -> "Vocabulary":
        """Read the vocabulary of the product."""
        folder = files("configs") / "vocabulary"
        return cls({name: (folder / f"{name}.yaml").read_text(encoding="utf-8") for name in _FILES})

    def analyte(self, text: str) -> Analyte | None:
        """Find the analyte that goes by ``text``, compared whole without case, space and punctuation."""
        found = self._analyte_words.exact(text)
        return self._analytes[found] if found else None

    def analyte_by_id(self, analyte_id: str) -> Analyte | None:
        """Find an analyte by its vocabulary id."""
        return self._analytes.get(analyte_id)

    def ingredient_by_id(self, ingredient_id: str) -> Ingredient | None:
        """Find an ingredient by its vocabulary id."""
        return self._ingredients.get(ingredient_id)

    def ingredients_of_class(self, drug_class: str) -> tuple[Ingredient, ...]:
        """List ingredients and combination products of a class, in file order."""
        return tuple(drug for drug in self.ingredients if drug_class in drug.classes)

    def nearest_analytes(self, text: str, n: int = 5) -> tuple[str, ...]:
        """Suggest English names of analytes spelled like ``text``, best first; for error messages only."""
        wanted = " ".join(key(text))
        best: dict[str, float] = {}
        for analyte in self.analytes:
            words = [" ".join(key(word)) for word in analyte.synonyms]
            shared = any(set(word.split()) & set(wanted.split()) for word in words)
            bonus = SHARED_WORD if shared else 0.0
            best[analyte.names[Language.EN]] = _likeness(wanted, words, at_least=LIKE - bonus) + bonus
        ranked = sorted((name for name in best if best[name] >= LIKE), key=lambda name: (-best[name], name))
        return tuple(ranked[:n])

    def analyte_of_item(self, itemid: int) -> Analyte | None:
        """Find the analyte of a MIMIC-IV laboratory item."""
        found = self._of_item.get(itemid)
        return self._analytes[found] if found else None

    def ingredient(self, drug: str) -> Ingredient | None:
        """Find the ingredient of a drug string, brand or name; strings met lately are remembered.

        The whole string must be accounted for by one ingredient (or one known combination), dosage forms, salts and
        strengths; otherwise None. So a flush is not the drug, nor a product with an unknown second drug
        the first.
        """
        return self._ingredient_of(drug)

    def _find_ingredient(self, drug: str) -> Ingredient | None:
        whole = self._drug_words.exact(drug)
        if whole:
            return self._ingredients[whole]
        entries, rest = self._drug_words.cover(key(drug))
        if not entries or not self._only_qualifiers(rest):
            return None
        if len(entries) == 1:
            return self._ingredients[next(iter(entries))]
        combination = self._combinations.get(entries)
        return self._ingredients[combination] if combination else None

    def analytes_in(self, text: str) -> tuple[Analyte, ...]:
        """List analytes mentioned in free text, in order; drug names such as potassium chloride are no mention.

        A drug whose level is an analyte (digoxin) counts as a mention by its bare name too.
        """
        return tuple(self._analytes[found] for found in self._analyte_words.find(text))

    def ingredients_in(self, text: str) -> tuple[Ingredient, ...]:
        """List ingredients mentioned in free text, in order."""
        return tuple(self._ingredients[found] for found in self._drug_words.find(text))

    def analyte_mentions(self, text: str) -> tuple[Mention, ...]:
        """Place every mention of an analyte in NFKC text; drug names and decoys are placed too, without an entry."""
        return tuple(self._analyte_words.mentions(text))

    def ingredient_mentions(self, text: str) -> tuple[Mention, ...]:
        """Place every mention of an ingredient in NFKC text; decoys are placed too, without an entry."""
        return tuple(self._drug_words.mentions(text))

    def dose(self, text: str) -> Dose | None:
        """Read one amount with its unit; None for ranges, rates and anything else."""
        return self._doses.parse(text)

    def route(self, text: str) -> str | None:
        """Give MIMIC-IV's code of a route. PO/NG (by mouth or tube) is taken as PO."""
        return self._routes.get(_ROUTE_PHRASE.sub(r"\1", text.strip()))

    def frequency(self, text: str) -> str | None:
        """Give the canonical code of a schedule; ``schedule.parse_frequency`` lists what is taken as equal."""
        return parse_frequency(text, self._frequencies)

    def _only_qualifiers(self, tokens: tuple[str, ...]) -> bool:
        at = 0
        while at < len(tokens):
            for length in (3, 2, 1):
                if tokens[at : at + length] in self._qualifiers:
                    at += length
                    break
            else:
                if not _STRENGTH.fullmatch(tokens[at]):
                    return False
                at += 1
        return True


def _likeness(wanted: str, words: list[str], at_least: float) -> float:
    """Give the ratio of the likest word; 0 where lengths alone leave none ``at_least`` as like."""
    matcher = difflib.SequenceMatcher(b=wanted)
    ratios = [0.0]
    for word in words:
        matcher.set_seq1(word)
        if matcher.real_quick_ratio() >= at_least:
            ratios.append(matcher.ratio())
    return max(ratios)


def _by_id(entries: tuple[Entry, ...], source: str) -> dict[str, Entry]:
    found = {entry.id: entry for entry in entries}
    if len(found) != len(entries):
        raise InputError(f"configs/vocabulary/{source}: an id is given twice")
    return found


def _by_item(analytes: tuple[Analyte, ...]) -> dict[int, str]:
    found: dict[int, str] = {}
    for analyte in analytes:
        for itemid in analyte.itemids:
            if found.setdefault(itemid, analyte.id) != analyte.id:
                raise InputError(
                    f"analytes.yaml: item {itemid} belongs to {found[itemid]} and {analyte.id}; keep one"
                )
    return found


def _lexicon(
    source: str, entries: tuple[Analyte, ...] | tuple[Ingredient, ...], decoys: list[str]
) -> Lexicon:
    lexicon = Lexicon(f"configs/vocabulary/{source}")
    for entry in entries:
        for word in entry.synonyms:
            lexicon.add(word, entry.id, exact_case=word in entry.symbols)
    for phrase in decoys:
        lexicon.add(phrase, None)
    return lexicon


def _coded(data: dict[str, dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    return {
        str(code): (str(code), entry["en"], entry["zh"], *map(str, entry.get("synonyms", ())))
        for code, entry in data.items()
    }
