"""Judgement questions read from configs/knowledge/judgements, one file a scenario."""

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import yaml
from pydantic import ValidationError

from state.base import InputError
from state.knowledge import JudgementQuestion, Rule

FOLDER = "judgements"


@cache
def load_judgements() -> dict[str, JudgementQuestion]:
    """Read every question, by id. Raises InputError naming the file, the question and what is wrong."""
    questions: dict[str, JudgementQuestion] = {}
    for file in sorted((files("configs") / "knowledge" / FOLDER).iterdir(), key=lambda f: f.name):
        for question in read_judgements(file):
            if question.id in questions:
                raise InputError(
                    f"{file.name}: {question.id} is there already; give this question another id"
                )
            questions[question.id] = question
    return questions


def read_judgements(file: Traversable) -> list[JudgementQuestion]:
    """Read one file: a mapping of question ids."""
    try:
        data = yaml.load(file.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise InputError(f"{file.name}: not readable as YAML: {' '.join(str(error).split())}") from error
    questions = []
    for question_id, fields in (data or {}).items():
        try:
            question = JudgementQuestion.model_validate({"id": question_id, **fields})
        except (ValidationError, TypeError) as error:
            what = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "holds no mapping"
            raise InputError(f"{file.name}: {question_id}: {what}") from error
        questions.append(question)
    return questions


def judgement_faults(rule: Rule) -> list[tuple[str, str]]:
    """List what is wrong with a rule's judgement."""
    if rule.judgement is None:
        return []
    question = load_judgements().get(rule.judgement.question)
    if question is None:
        return [
            ("judgement.question", f"{rule.judgement.question} is in no file of configs/knowledge/judgements")
        ]
    judgement = rule.judgement
    answers = (*judgement.right, *judgement.unsafe)
    faults = [
        ("judgement", f"{answer} is no answer of {question.id}")
        for answer in answers
        if answer not in question.answers
    ]
    if set(judgement.right) & set(judgement.unsafe):
        faults.append(("judgement.unsafe", "what is right cannot be unsafe"))
    if judgement.answer in judgement.also or not set(question.answers) - set(judgement.right):
        faults.append(("judgement.also", "name other answers than the first, and leave one that is wrong"))
    return faults
