"""From a plan to gold: which calls answer each turn, what the answer must hold, and a gold answer that does."""

from collections.abc import Sequence

from state.base import Language
from state.gold import GoldSession, GoldTurn
from state.plan import SessionPlan
from tools.gold.pieces import Draft
from tools.gold.source import GoldSource
from tools.gold.turns import Story, draft


def drafts_of(plan: SessionPlan, source: GoldSource) -> tuple[Draft, ...]:
    """Draft the gold of every turn of a plan.

    Raises NoGold when the record does not carry one of the questions.
    """
    story, known, drafts = Story(source), frozenset[str](), []
    for index, planned in enumerate(plan.turns):
        drafts.append(draft(planned, story, f"t{index}", known))
        known |= set(planned.topics)
    return tuple(drafts)


def derive_gold(
    plan: SessionPlan, source: GoldSource, drafts: Sequence[Draft], languages: Sequence[Language]
) -> GoldSession:
    """Word the drafts of a plan as its gold, in each of ``languages``."""
    turns = tuple(
        GoldTurn(
            index=index,
            calls=drafted.calls,
            answer={language: drafted.answer(language) for language in languages},
            rubric=drafted.rubric,
        )
        for index, drafted in enumerate(drafts)
    )
    return GoldSession(
        session_id=plan.session_id,
        rule_id=source.rule.id,
        bindings=plan.match.model_dump(mode="json"),
        turns=turns,
    )
