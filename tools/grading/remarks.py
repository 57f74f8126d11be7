"""What an answer says beside its advice that can undo it: approval, retraction, a choice left open, the unread."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tools.grading.advice_words import Voice, find_phrases, remark
from tools.grading.asides import Aside, Kind, Remark
from tools.grading.company import only_reports
from tools.grading.cut import Cut
from tools.grading.drug_mentions import About
from tools.grading.grounds import is_elsewhere, is_ground, thinks_again
from tools.grading.mood import Mood
from tools.grading.segments import Segment
from tools.grading.sentence import Sentence
from tools.grading.stand_ins import no_subject
from tools.grading.text import speech

_UNSURE = (Kind.UNREAD, Kind.DOUBTS)
_WAITING = (Mood.CONDITIONAL, Mood.LATER)


def remarks_on(cut: Cut) -> list[Remark]:
    """Find what a sentence says that can undo advice, its own or that of another sentence."""
    ground = _leaves_alone(cut)
    return [replace(one, ground=True) if ground and one.kind in _UNSURE else one for one in _remarks_on(cut)]


def _remarks_on(cut: Cut) -> list[Remark]:
    found = list(_of_whole(cut))
    reports = not cut.heard and only_reports(cut.sentence.text, cut.vocabulary)
    if reports and not remark("belittles").search(cut.sentence.text):
        return found
    for segment in cut.segments:
        inside = [one for one in cut.heard if segment.holds(one.phrase.start)]
        if any(one.about is not About.OTHER for one in inside) or _is_subject(segment, cut):
            continue
        made = Aside(segment, inside, cut).remark()
        found += [made] if made is not None else []
    return found


def _leaves_alone(cut: Cut) -> bool:
    """Tell whether a sentence only gives grounds, looks elsewhere, or lets the drug wait for a result."""
    said, mentions = cut.sentence.said, cut.sentence.mentions
    if not cut.heard and is_ground(said, cut.vocabulary):
        return True
    if all(one.mood in _WAITING for one in cut.heard) and thinks_again(said):
        return True
    elsewhere = all(one.about is About.OTHER for one in cut.heard) and not any(m.drug == "" for m in mentions)
    return elsewhere and is_elsewhere(said, cut.vocabulary, classes=cut.apart)


def remarks_on_question(sentence: Sentence) -> Sequence[Remark]:
    """Find a question that doubts: "why stop it?"."""
    asked = remark("asks_why").search(sentence.said)
    return [Remark(Kind.DOUBTS, About.UNNAMED, sentence.said.strip())] if asked else []


def _of_whole(cut: Cut) -> Iterator[Remark]:
    text = cut.sentence.said
    whole = text.strip()
    if remark("takes_back").search(text):
        yield Remark(Kind.TAKES_BACK, About.UNNAMED, whole, sure=True)
    if remark("leaves_open").search(text):
        beside = any(one.about is not About.OTHER for one in cut.heard)
        yield Remark(Kind.LEAVES_OPEN, About.UNNAMED, whole, sure=beside)
    alternative = remark("alternatively").search(text)
    opens = alternative is not None and not text[: alternative.start()].strip(" ,")
    denied = bool(cut.before) and remark("bare_denials").search(text)
    if opens or denied or remark("doubts").search(text) or any(find_phrases(one) for one in speech(text)):
        yield Remark(Kind.DOUBTS, About.UNNAMED, whole)


def _is_subject(segment: Segment, cut: Cut) -> bool:
    """Tell whether a segment is what a later one advises on: "all doses, the next one included, should be held"."""
    passive = next((one for one in cut.heard if one.phrase.start >= segment.end), None)
    if passive is None or passive.phrase.voice is not Voice.PASSIVE or passive.about is not About.TARGET:
        return False
    home = next(one for one in cut.segments if one.holds(passive.phrase.start))
    return no_subject(cut.sentence.text[home.start : passive.phrase.start])
