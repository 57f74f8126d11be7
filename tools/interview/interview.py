"""The interview of one session: questions in, sayings out, and what has been told so far."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from state.base import Language, ResourceRef, SessionId, SubjectId
from state.patient import Fact, PatientFacts, Persona, RefusedWords, Saying, SymptomFact, Voice
from tools.interview.drugs import DrugWords
from tools.interview.ground import Ground
from tools.interview.guard import Guard, Titles
from tools.interview.question import Asked, of_kind, read_question
from tools.interview.speech import Speech
from tools.interview.words import read
from tools.vocabulary import Vocabulary


@dataclass(frozen=True)
class Utterance:
    """What a patient is about to say: the question in words, the facts to tell, and the words of the template.

    ``unknown`` names what was asked for and cannot be told; ``faults`` holds any other wording against the facts.
    """

    question: str
    persona: Persona
    language: Language
    plain: str
    told: tuple[str, ...]
    unknown: tuple[str, ...]
    faults: Callable[[str], list[str]]

    def said(self, text: str, voice: Voice, refused: Sequence[RefusedWords] = ()) -> Saying:
        """Give it as said in these words."""
        return Saying(text=text, facts=self.told, unknown=self.unknown, voice=voice, refused=tuple(refused))


Speaker = Callable[[Utterance], Saying]
"""Says an utterance in words of its own; what it gives is said as it is."""


def say_plainly(utterance: Utterance) -> Saying:
    """Speak by the template."""
    return utterance.said(utterance.plain, "template")


def unknown_names(asked: Asked, told: Sequence[Fact]) -> Iterator[str]:
    """Name what was asked for and is not known, in the order it was asked for."""
    for name in asked.symptoms:
        yield f"unknown-symptom-{name}"
    for mention in asked.drugs:
        names = sorted(mention.drugs) if mention.group is None else [mention.group.id]
        yield from (f"unknown-drug-{name}" for name in names)
    if asked.onset:
        for fact in told:
            if isinstance(fact, SymptomFact) and not fact.denied and fact.onset is None:
                yield f"unknown-onset-{fact.symptom}"


def interview_id(session_id: str) -> str:
    """Name the interview of a session for the examinee: the session's own id tells what it is about."""
    return f"interview-{sha256(session_id.encode()).hexdigest()[:10]}"


class Interview:
    """A patient who can be asked. Without facts the patient knows nothing, and says so.

    The same questions in the same order get the same answers. A withheld fact is told when it is asked for by name, and
    from then on to general questions too.
    """

    def __init__(
        self,
        known: PatientFacts | None,
        vocabulary: Vocabulary,
        language: Language = Language.EN,
        speak: Speaker = say_plainly,
        titles: Titles | None = None,
    ) -> None:
        self._known = known or PatientFacts(
            session_id=SessionId("none"), subject_id=SubjectId(0), seed=0, persona=Persona()
        )
        self.id = interview_id(self._known.session_id)
        self._language = language
        self._words = DrugWords(vocabulary)
        self._guard = Guard(vocabulary, self._words, titles)
        self._speech = Speech(self._known, language, self._words)
        self._speak = speak
        self._told: set[str] = set()

    def ask(self, tool: str, topic: str) -> Saying:
        """Put the question of an interview tool; ``topic`` is empty where it asks at large."""
        said = self._speak(self.utterance(tool, topic))
        self.recall(said)
        return said

    def utterance(self, tool: str, topic: str) -> Utterance:
        """Work out what there is to say to a question. Whoever has it said elsewhere has it recalled."""
        asked = read_question(tool, topic, self._known, self._words)
        return self._utterance(tool, topic, asked, self._to_tell(asked))

    def recall(self, saying: Saying) -> None:
        """Take note of what was said, now or before this interview was rebuilt."""
        self._told.update(saying.facts)

    def refs(self, saying: Saying) -> tuple[ResourceRef, ...]:
        """Name what a saying told, and what it could not, as evidence: ``Patient/10000032#adherence-furosemide``."""
        return tuple(self._known.ref(name) for name in (*saying.facts, *saying.unknown))

    def _to_tell(self, asked: Asked) -> tuple[Fact, ...]:
        """Choose the facts to tell; asked for pain, a patient in pain does not hold it back."""
        wanted = {fact.fact_id for fact in asked.facts}
        for kind in asked.general:
            free = self._told | {
                f.fact_id for f in of_kind(kind, self._known) if kind == "pain" or not f.withheld
            }
            wanted |= free & {fact.fact_id for fact in of_kind(kind, self._known)}
        return tuple(fact for fact in self._known.facts if fact.fact_id in wanted)

    def _utterance(self, tool: str, topic: str, asked: Asked, told: Sequence[Fact]) -> Utterance:
        ground = Ground(
            facts=self._known,
            told=tuple(told),
            language=self._language,
            asked_drugs=frozenset(drug for mention in asked.drugs for drug in mention.drugs),
            asked_symptoms=frozenset(asked.symptoms),
            unknown=bool(asked.symptoms or asked.drugs or asked.strange),
        )
        return Utterance(
            question=str(read(self._language)["questions"][tool]).format(asked=topic).strip(),
            persona=self._known.persona,
            language=self._language,
            plain=self._speech.answer(told, asked, f"{tool}:{' '.join(topic.casefold().split())}"),
            told=tuple(fact.fact_id for fact in told),
            unknown=tuple(unknown_names(asked, told)),
            faults=lambda text: self._guard.faults(text, ground),
        )
