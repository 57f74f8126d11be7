"""Names of analytes, drugs, doses, routes and frequencies in English and Chinese, and what each means."""

import difflib
import hashlib
import re
from collections.abc import Callable
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, TypeVar

import yaml

from state.base import InputError, Language
from tools.vocabulary.amounts import DoseParser, parse_duration
from tools.vocabulary.lexicon import Lexicon, Mention, key, normalise, phrases
from tools.vocabulary.loinc import LoincMap
from tools.vocabulary.records import Analyte, Dose, Ingredient
from tools.vocabulary.schedule import WordTable, parse_frequency, says_as_needed
from tools.vocabulary.services import Service, Services

_ROUTE_PHRASE = re.compile(r"^(?:(?:via|by) )?(?:the )?(.+) route$", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"\s*([^()（）]+)[(（]([^()（）]+)[)）]\s*")
_FILES = ("analytes", "drugs", "loinc", "routes", "frequencies", "units", "services", "conditions")
DRUGS_REMEMBERED = 20_000
"""More than MIMIC-IV has different drug strings."""
SENTENCES_REMEMBERED = 4096
LIKE, SHARED_WORD = 0.5, 0.3
"""How like a name must be to be suggested (1 is equal), and what a whole word in common adds to that."""
_STRENGTH = re.compile(
    r"\d+(?:\.\d+)?(?:%|mg|mcg|g|gm|ml|l|meq|mmol|units?|hr?)?|mg|mcg|gm?|ml|l|meq|mmol|units?|hr?"
)


SALTS = ("钠", "钾", "钙")
"""What Chinese names of drugs end in that are salts."""

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
        self._groups: dict[str, list[str]] = data["drugs"]["groups"]
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
                self._add_salts(word)
        self._add_levels()
        self._conditions: dict[str, dict[str, list[str]]] = data["conditions"]
        self._condition_words = Lexicon("configs/vocabulary/conditions.yaml")
        for analyte_id, ways in self._conditions.items():
            for word in (word for words in ways.values() for word in words):
                self._condition_words.add(word, self._analytes[analyte_id].id)
        self._services = Services(data["services"])
        self._ingredient_of = lru_cache(maxsize=DRUGS_REMEMBERED)(self._find_ingredient)
        self._analyte_mentions = _remembered(self._analyte_words)
        self._drug_mentions = _remembered(self._drug_words)
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
    @cache
    def load(cls) -> "Vocabulary":
        """Read the vocabulary of the product, once a process."""
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
        """List ingredients and combination products of a class, or of a group of classes, in file order."""
        classes = set(self._groups.get(drug_class, [drug_class]))
        return tuple(drug for drug in self.ingredients if classes & set(drug.classes))

    def names_of(self, drug: Ingredient) -> tuple[str, ...]:
        """List every word for a drug; a product for another end goes by the plain drug's words too."""
        forms = (drug, *(self._ingredients[form] for form in drug.form_of))
        return tuple(dict.fromkeys(word for one in forms for word in (*one.names.values(), *one.synonyms)))

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

    def knows_drug(self, drug: str) -> bool:
        """Tell whether some ingredient goes by exactly this string, strengths in it included."""
        return self._drug_words.exact(drug) is not None

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
        return self._analyte_mentions(text)

    def conditions(self, analyte_id: str, *, high: bool) -> tuple[str, ...]:
        """Give the words for a result of this analyte that is too high, or too low: hyperkalemia, 低钠血症."""
        return tuple(self._conditions.get(analyte_id, {}).get("high" if high else "low", ()))

    def condition_mentions(self, text: str) -> tuple[Mention, ...]:
        """Place every condition in NFKC text that is named for a result; the entry is its analyte."""
        return tuple(self._condition_words.mentions(text))

    def ingredient_mentions(self, text: str) -> tuple[Mention, ...]:
        """Place every mention of an ingredient in NFKC text; decoys are placed too, without an entry."""
        return self._drug_mentions(text)

    def dose(self, text: str) -> Dose | None:
        """Read one amount with its unit; None for ranges, rates and anything else."""
        dose = self.dose_or_range(text)
        return dose if dose is not None and dose.high is None else None

    def dose_or_range(self, text: str) -> Dose | None:
        """Read one amount, or a range of two, with its unit; None for rates and anything else."""
        return self._doses.parse(text)

    @property
    def kinds_of_service(self) -> tuple[str, ...]:
        """List the kinds of service: laboratory, imaging, consult ..."""
        return self._services.kinds

    def service(self, text: str) -> Service | None:
        """Understand what a request asks for; a drug by itself is no service, though its level is."""
        if self.ingredient(text) is not None:
            return None
        plain = normalise(text)
        return self._services.find(plain, [test for test in self.analyte_mentions(plain) if test.entry])

    def route(self, text: str) -> str | None:
        """Give MIMIC-IV's code of a route. PO/NG (by mouth or tube) is taken as PO, and so is "oral (PO)"."""
        return _agreed(text, lambda words: self._routes.get(_ROUTE_PHRASE.sub(r"\1", words.strip())))

    def duration_days(self, text: str) -> int | None:
        """Read a number of days: ``7``, ``7 days``, ``two weeks``, ``一周``; None for anything else."""
        return parse_duration(text)

    def says_as_needed(self, text: str) -> bool:
        """Tell whether a text makes giving a matter of need: PRN, as needed, 必要时."""
        return says_as_needed(text)

    def frequency(self, text: str) -> str | None:
        """Give the canonical code of a schedule; ``schedule.parse_frequency`` lists what is taken as equal."""
        return _agreed(text, lambda words: parse_frequency(words, self._frequencies))

    def _add_salts(self, drug: str) -> None:
        """Let the salt of a Chinese drug name be no electrolyte: 头孢曲松钠 says nothing of sodium."""
        for salt in SALTS if not drug[-1].isascii() else ():
            if not self._analyte_words.knows(drug + salt):
                self._analyte_words.add(drug + salt, None)

    def _add_levels(self) -> None:
        """Let a drug's level be known by each of its names: "Dilantin level" is that of phenytoin."""
        for drug in self.ingredients:
            test = self.level_of(drug)
            for word in drug.synonyms if test is not None else ():
                for level in (f"{word} level", f"{word} concentration", f"{word} trough", f"{word}浓度"):
                    if test is not None and not self._analyte_words.knows(level):
                        self._analyte_words.add(level, test.id)

    def level_of(self, drug: Ingredient) -> Analyte | None:
        """Find the test that measures a drug: the one that goes by its name."""
        return self.analyte(drug.names[Language.EN])

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


def _agreed(text: str, read: Callable[[str], str | None]) -> str | None:
    """Read a text, or the two parts of "twice daily (BID)" where both mean the same."""
    code = read(text)
    if code is None and (parts := _IN_BRACKETS.fullmatch(text)):
        code, other = read(parts.group(1)), read(parts.group(2))
        return code if code == other else None
    return code


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


def _remembered(words: Lexicon) -> Callable[[str], tuple[Mention, ...]]:
    """Place a lexicon's phrases; each item of a rubric asks for the same sentences."""
    return lru_cache(maxsize=SENTENCES_REMEMBERED)(lambda text: tuple(words.mentions(text)))


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
