"""What a word in a medication search means among the drugs of one patient."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches

from tools.fhir.context import Context
from tools.fhir.outcome import IssueType, Refused


def drug_filter(context: Context, asked: str, drugs: Iterable[str]) -> Callable[[str], bool]:
    """Build a test for drug strings: the same ingredient, or exactly the string asked for in any case.

    Refuses a word that is neither a drug of the vocabulary nor a string among ``drugs``, and names the nearest.
    """
    name = asked.strip().lower()
    by_name = {drug.strip().lower(): drug.strip() for drug in drugs}
    ingredient = context.vocabulary.ingredient(asked)
    if ingredient is not None:
        same = {
            drug
            for drug, written in by_name.items()
            if (found := context.vocabulary.ingredient(written)) is not None and found.id == ingredient.id
        }
        return lambda drug: drug.strip().lower() in same or drug.strip().lower() == name
    if name in by_name:
        return lambda drug: drug.strip().lower() == name
    close = get_close_matches(name, by_name, n=8, cutoff=0.4)
    near = [by_name[drug] for drug in close] or sorted(by_name.values())[:8]
    listed = (
        f"nearest drugs of this patient: {'; '.join(near)}" if near else "this patient has none on record"
    )
    raise Refused(IssueType.CODE_INVALID, f"{asked!r} is no known drug; {listed}")
