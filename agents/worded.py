"""The words of a model on file, held to the templates of their turns again, without a call."""

from collections.abc import Collection, Iterator, Sequence

from agents.checks.case import Case
from agents.physician import Physician, Said, template_of
from agents.question_brief import Brief, Dialogue
from state.base import Language
from state.session import Implicitness, Wording
from state.wordings import FORMS, Voice, WordedTurn
from tools.gold import NoGold


def worded_faults(case: Case, notes: Sequence[WordedTurn], corrected: Collection[int] = ()) -> Iterator[str]:
    """Say what does not hold of the words of a session that a model worded, and of who is said to have worded it.

    ``corrected`` are turns that people worded: what follows on them is held to the checkers of any session alone.
    """
    by = {(note.turn, note.language): note.voice for note in notes}
    languages = tuple(language for language in Language if language in case.words.turns[0].wording)
    if len(by) != len(notes) or len(by) != len(case.words.turns) * len(languages):
        yield "it does not stand on file once for each turn and language who worded it"
        return
    before = Dialogue(Physician(case.source, case.plan.wording_seed, languages), [])
    for turn, planned in zip(case.words.turns, case.plan.turns, strict=True):
        if turn.index in corrected:
            return
        try:
            template = template_of(before.physician, planned)
        except NoGold as reason:
            yield f"turn {turn.index}: {reason}"
            return
        said: dict[Language, Said] = {}
        for language in languages:
            wording, others = turn.wording[language], {other: one.wording for other, one in said.items()}
            brief = Brief.of(case, planned, template, language, before, others)
            yield from (
                f"turn {turn.index} {language}: {fault}"
                for fault in _faults(brief, wording, template[language], by.get((turn.index, language)))
            )
            said[language] = brief.hear(wording)
        before.put(planned, said)


def _faults(brief: Brief, wording: Wording, template: Said, voice: Voice | None) -> Iterator[str]:
    match voice:
        case Voice.MODEL:
            for form in FORMS[: 1 if brief.turn.implicitness is Implicitness.EXPLICIT else 2]:
                yield from (f"{form} {fault.reason}" for fault in brief.faults(wording, form))
        case Voice.TEMPLATE:
            if wording != template.wording:
                yield "is said to be a template's, and is not"
        case None:
            yield "nobody is said to have worded it"
