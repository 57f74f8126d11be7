"""The sameness checker: a question that a model worded asks what the template of its turn asks, no less and no more."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agents.checks.texts import dates, figures
from agents.dialogue import listener
from agents.meaning import Demand, demand, load_senses, senses_of
from agents.question_context import Setting, question_key
from agents.question_terms import Terms
from agents.resolver import Listener, Reach
from state.base import Language
from state.findings import Sign
from state.plan import ORDER, PlannedTurn
from state.session import Implicitness, Wording
from tools.gold import GoldSource
from tools.gold.finding_topics import sign_words
from tools.grading.text import plain

LONGER_BY, LONGER_TIMES = 90, 2
"""How much longer than its template a question may be: so many times, and so many characters beside."""
_MARKUP = re.compile(r"\n|\*\*|^\s*(?:[#>*-]|\d+[.)]\s)|`|\{\{|\}\}")
_LABEL = re.compile(
    r"^\W*(?:the )?(?:question|(?:ex|im)plicit(?: form)?|physician|doctor|提问|问题|医生)\s*[:：]",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class TurnMeaning:
    """What a planned turn asks in one language, by its template's words in both forms."""

    turn: PlannedTurn
    language: Language
    template: Wording
    terms: Terms
    full: Demand
    short: Demand
    ears: Listener

    @classmethod
    def of(
        cls, turn: PlannedTurn, source: GoldSource, language: Language, template: Wording, setting: Setting
    ) -> "TurnMeaning":
        """Read a turn's template; of the first turn both forms are the same."""
        terms, key = Terms.of(turn, source, language, setting), question_key(turn, source)
        outline = terms.outline()
        full = demand(key, None, outline, language)
        way = turn.implicitness
        short = full if way is Implicitness.EXPLICIT else demand(key, way, outline, language).allowing(full)
        return cls(turn, language, template, terms, full, short, listener(source, language))

    def said(self, form: str) -> tuple[str, ...]:
        """List the terms that the template of a form holds."""
        return self.terms.said(getattr(self.template, form))

    @property
    def drug(self) -> str | None:
        """Give the words for the drug in question; in the dialogue it may be named by them or pointed to."""
        named: str | None = self.terms.context.get("bearing")
        return named

    @property
    def test(self) -> str:
        """Name the key test as questions do."""
        return str(self.terms.context["analyte"])

    def wanted(self, form: str) -> list[str]:
        """Say in words what a form must ask for."""
        must = (self.full if form == "explicit" else self.short).must
        return list(dict.fromkeys(sense.say for sense in load_senses(self.language) if sense.name in must))

    def faults(self, text: str, form: str) -> list[str]:
        """Say what a form asks that it should not, and what it does not ask that it should."""
        template = getattr(self.template, form)
        found = [*self._shape(text, template), *self._terms(text, form), *self._named(text, form)]
        if form == "explicit":
            found += self._open(text, template)
        return [*found, *self._senses(text, self.full if form == "explicit" else self.short)]

    def _open(self, text: str, template: str) -> list[str]:
        """List words of a full form that point back to nothing; a rule's own words may."""
        own, known = (self.ears.hear(said, [], reports=False).anaphors for said in (text, template))
        dangling = {a.words for a in own if len(a.readings) != 1 and a.pointer.reach is not Reach.REPORT}
        dangling -= {a.words for a in known}
        return [f'points back with "{words}", and is to be understood alone' for words in sorted(dangling)]

    def _shape(self, text: str, template: str) -> Iterator[str]:
        if _MARKUP.search(text) or _LABEL.search(text):
            yield "is not a question alone, in one paragraph, without markup or a label"
        if len(text) > LONGER_TIMES * len(template) + LONGER_BY:
            yield "is much longer than it need be"

    def _terms(self, text: str, form: str) -> Iterator[str]:
        loose = {self.drug} if form == "implicit" else set()
        said, meant = (
            [term for term in terms if term not in loose]
            for terms in (self.terms.said(text), self.said(form))
        )
        yield from (f'does not say "{term}" as it stands' for term in meant if term not in said)
        yield from (f'says "{term}", which is not to be said here' for term in said if term not in meant)

    def _named(self, text: str, form: str) -> Iterator[str]:
        """Compare the tests, drugs, signs, conditions, numbers and days that are named."""
        said, meant = self._names(text), self._names(getattr(self.template, form))
        if form == "implicit":
            key = self.terms.vocabulary.analyte(self.test)
            for may_be_pointed_to in (ORDER, key.id if key is not None else ""):
                said.pop(may_be_pointed_to, None)
                meant.pop(may_be_pointed_to, None)
        yield from (f'leaves out "{meant[name]}"' for name in meant if name not in said)
        yield from (f'names "{said[name]}", which is not asked about' for name in said if name not in meant)

    def _names(self, text: str) -> dict[str, str]:
        own = plain(text)
        names = self.ears.named_in(own)
        for mention in self.terms.vocabulary.condition_mentions(own):
            if mention.entry:
                names[f"condition {mention.entry}"] = own[mention.start : mention.end]
        for sign in Sign:
            words = sign_words(sign.value)[self.language]
            if words.casefold() in own.casefold():
                names[f"sign {sign}"] = words
        names |= {f"figure {number:g}": f"{number:g}" for number in figures(own)}
        return names | {f"day {day}": day for day in dates(own)}

    def _senses(self, text: str, asked: Demand) -> Iterator[str]:
        found = senses_of(self.terms.blanked(text), self.language)
        say = {sense.name: sense.say for sense in load_senses(self.language)}
        yield from (f"does not ask for this: {say[name]}" for name in sorted(asked.must - found))
        yield from (
            f"says something of this, which is not asked: {say[name]}" for name in sorted(found - asked.may)
        )
