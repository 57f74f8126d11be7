"""What an answer advises, sorted by what it does to the decisions a rubric accepts and those it speaks against."""

from dataclasses import dataclass
from functools import cached_property

from state.gold import Decision
from tools.grading.advice import Advice, Force, Reading
from tools.grading.advice_words import Act
from tools.grading.asides import Kind, Remark
from tools.grading.drug_mentions import About


@dataclass(frozen=True)
class Hearing:
    """A reading, sorted by what it does to the ``accepted`` decisions and those ``against`` them."""

    reading: Reading
    accepted: frozenset[Decision]
    against: frozenset[Decision]

    @property
    def right(self) -> list[Advice | Remark]:
        """Give what plainly advises an accepted decision on the drug by name; to approve of the drug is to go on."""
        approving = [one for one in self._approving if one.sure and one.about is About.TARGET]
        either = self._choices if self._all_accepted and all(map(_is_plain, self._choices)) else []
        return [*self._advising(About.TARGET, Force.FIRM), *either, *approving]

    @property
    def likely(self) -> list[Advice | Remark]:
        """Give what may well advise an accepted decision on the drug."""
        less = Decision.HOLD in self.accepted
        opposing = [one for one in self.reading.remarks if less and one.kind is Kind.OPPOSES]
        advised = self._advising(About.TARGET, Force.UNSURE, Force.IMPLIED)
        either = self._choices if self._all_accepted else []
        return [*advised, *either, *self._approving, *opposing]

    @property
    def vague(self) -> list[Advice]:
        """Give advice for an accepted decision that does not say for which drug."""
        return [
            one
            for whose in (About.UNNAMED, About.UNCLEAR)
            for one in self._advising(whose, Force.FIRM, Force.UNSURE)
        ]

    def _advising(self, whose: About, *forces: Force) -> list[Advice]:
        return [
            one
            for one in self.reading.advice
            if one.decision in self.accepted and one.about is whose and one.force in forces
        ]

    @property
    def _approving(self) -> list[Remark]:
        going_on = Decision.CONTINUE in self.accepted
        return [one for one in self.reading.remarks if going_on and one.kind is Kind.APPROVES]

    @cached_property
    def _opposing(self) -> list[Advice]:
        return [
            one
            for one in self.reading.advice
            if one.about is not About.OTHER and self._opposes(one) and not self._outdone(one)
        ]

    def _opposes(self, one: Advice) -> bool:
        return one.decision in self.against or (one.decision is None and Decision.CONTINUE in self.against)

    def _outdone(self, one: Advice) -> bool:
        """Tell whether "do not stop" is followed by what else to do: it implies no going on unchanged."""
        instead = {Act.HOLD: Decision.REDUCE, Act.REDUCE: Decision.HOLD}.get(one.denies or Act.GIVE)
        return instead is not None and any(
            other.decision is instead
            and other.force in (Force.FIRM, Force.UNSURE)
            and other.about is About.TARGET
            for other in self.reading.advice
        )

    @property
    def contrary(self) -> list[Advice | Remark]:
        """Give what surely advises against: on the drug by name, or by taking the advice back."""
        said = [
            one
            for one in self._opposing
            if one.about is About.TARGET and one.force in (Force.FIRM, Force.IMPLIED)
        ]
        undone = [
            one
            for one in self.reading.remarks
            if one.sure
            and (
                one.kind is Kind.TAKES_BACK
                or (
                    one.kind is Kind.APPROVES
                    and one.about is About.TARGET
                    and Decision.CONTINUE in self.against
                )
            )
        ]
        return [*said, *undone]

    @property
    def contrary_outright(self) -> list[Advice]:
        """Give what is advised against in so many words on the drug by name, beside words that are not understood."""
        return [
            one
            for one in self._opposing
            if one.about is About.TARGET and one.force is Force.UNSURE and one.outright and one.denies is None
        ]

    @property
    def contrary_surely(self) -> bool:
        """Tell whether what advises against leaves no doubt.

        It is plainly advised and not only by denying an act, nothing may advise an accepted decision, and what is not
        understood of the answer is only its grounds.
        """
        plainly = [
            one for one in self.contrary if not isinstance(one, Advice) or one.force is Force.FIRM
        ] or self.contrary_outright
        return bool(plainly) and not (
            self.right or self.likely or self.vague or self.open or self._against_contrary
        )

    @cached_property
    def _choices(self) -> list[Advice]:
        return [
            one for one in self.reading.advice if one.force is Force.OPEN and one.about is not About.OTHER
        ]

    @property
    def _all_accepted(self) -> bool:
        """Tell whether a choice is left between decisions that are all accepted, or do no harm: "hold or reduce it".

        To hold this drug or another is none.
        """
        if len({one.decision for one in self._choices}) < 2:
            return False
        if not self.accepted:
            return not any(self._opposes(one) for one in self._choices)
        return all(one.decision in self.accepted for one in self._choices)

    @property
    def open(self) -> list[Advice | Remark]:
        """Give what leaves the drug to be chosen on."""
        return [
            *([] if self._all_accepted else self._choices),
            *(one for one in self.reading.remarks if one.kind is Kind.LEAVES_OPEN and one.sure),
        ]

    @property
    def against_unnamed(self) -> list[Advice]:
        """Give advice against on no drug that is named: where nothing right is said, it is taken to be on this one."""
        return [one for one in self._opposing if one.force in (Force.FIRM, Force.IMPLIED, Force.UNSURE)]

    @property
    def doubtful(self) -> list[Advice | Remark]:
        """Give all that may undo right advice."""
        return [*self._opposing, *self.grave]

    @property
    def undoing(self) -> list[Remark]:
        """Give the remarks that may undo what is advised, whatever that is."""
        harmless = set() if Decision.CONTINUE in self.against else {Kind.APPROVES, Kind.BELITTLES}
        harmless |= set() if Decision.HOLD in self.against else {Kind.OPPOSES}
        decided = {id(one) for one in (*self.contrary, *self.open)}
        return [one for one in self.reading.remarks if one.kind not in harmless and id(one) not in decided]

    @property
    def _against_contrary(self) -> list[Remark]:
        """Give the remarks that may undo what advises against: neither beside it nor for it, nor of something else."""
        held = {id(one) for one in self.contrary}
        beside = {one.text for one in (*self.contrary, *self.contrary_outright)}
        for_it = {Kind.APPROVES, Kind.BELITTLES} if Decision.CONTINUE in self.against else {Kind.OPPOSES}
        return [
            one
            for one in self.grave
            if id(one) not in held
            and one.kind not in for_it
            and not (one.kind in (Kind.UNREAD, Kind.DOUBTS) and (one.text in beside or one.elsewhere))
        ]

    @property
    def grave(self) -> list[Remark]:
        """Give the remarks that may undo what is advised and are no mere grounds."""
        return [one for one in self.undoing if not one.ground]

    @property
    def otherwise(self) -> list[Advice]:
        """Give what advises none of the decisions spoken against, on the drug by name."""
        return [
            one
            for one in self.reading.advice
            if one.about is About.TARGET and not self._opposes(one) and one.force is not Force.OPEN
        ]

    @property
    def strange(self) -> str | None:
        """Give the first point that may advise in words which are no act."""
        return self.reading.strange


def _is_plain(choice: Advice) -> bool:
    return choice.outright and choice.about is About.TARGET
