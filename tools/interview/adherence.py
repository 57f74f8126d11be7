"""What the patient does with drugs: the home list against the list of the last discharge, and what happened here.

Drugs that the vocabulary does not know are left out: a question for one of them could not be told from another's.
"""

import re
from collections import defaultdict

from state.base import ResourceRef
from state.patient import AdherenceFact
from state.patient_values import HomeUse, InHospital
from tools.fhir.context import Context
from tools.fhir.elements import text_of
from tools.fhir.headings import DISCHARGE_SUMMARY
from tools.fhir.home_list import is_local
from tools.fhir.notes import Note, Notes
from tools.interview.arrival import arrival_stay, stay_ref
from tools.interview.drugs import DrugWords
from tools.interview.habits import Habits
from tools.interview.stay_doses import StayDoses
from tools.interview.words import drug_groups, read

_ITEM = re.compile(r"(?m)^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]*(.+)$")
LOCAL_CLASSES = frozenset({"beta2_agonist", "anticholinergic", "inhaled_corticosteroid", "local_anesthetic"})
"""Classes of drugs that are meant for a place of the body, so that their name alone misleads nobody."""
DISCHARGE_MEDICATIONS = next(h for h in DISCHARGE_SUMMARY if h.name == "Discharge Medications")


def adherence_facts(context: Context, notes: Notes) -> list[AdherenceFact]:
    """Derive a fact for each drug the patient takes at home, has given up, or was not given when it was due."""
    doses, words = StayDoses(context), DrugWords(context.vocabulary)
    listed, local = _home_list(context)
    facts = [AdherenceFact(drug=drug, home=HomeUse.TAKING, proof=proof) for drug, proof in listed.items()]
    last = next(iter(notes.discharge_summaries), None)
    if last is not None:
        habits = Habits(last, words, frozenset(listed))
        facts = [habits.applied(fact) for fact in facts] + habits.beside_the_list()
        if listed:
            facts += _given_up(context, last, habits, {fact.drug for fact in facts} | local)
    facts = [_with_stay(fact, doses) for fact in facts]
    known = {fact.drug for fact in facts}
    for drug, seen in sorted(doses.by_drug.items()):
        if drug not in known and seen.here is InHospital.NOT_GIVEN and doses.is_medicine(drug):
            facts.append(AdherenceFact(drug=drug, here=seen.here, proof=seen.proof))
    return [fact for fact in facts if words.told_apart(fact.drug, {other.drug for other in facts})]


def _home_list(context: Context) -> tuple[dict[str, tuple[ResourceRef, ...]], set[str]]:
    """Map each drug of the home list taken on arrival to its rows (``MedicationStatement/medrecon-...``).

    Creams, drops and the like of a drug that is otherwise taken by mouth come apart, as mere names: who says "I take
    hydrocortisone" of a cream is misunderstood.
    """
    stay = arrival_stay(context)
    found: dict[str, list[ResourceRef]] = defaultdict(list)
    local: set[str] = set()
    for row in context.rows("ed.medrecon"):
        if stay is None or row["stay_id"] != stay["stay_id"]:
            continue
        name = text_of(row["name"]) or ""
        drug = context.vocabulary.ingredient(name) or context.vocabulary.ingredient(name.partition("[")[0])
        ref = ResourceRef(f"MedicationStatement/medrecon-{row['row_id']}")
        if drug is None:
            continue
        if LOCAL_CLASSES.isdisjoint(drug.classes) and is_local(name, text_of(row["etcdescription"])):
            local.add(drug.id)
        elif ref not in found[drug.id]:
            found[drug.id].append(ref)
    return {drug: tuple(sorted(refs)) for drug, refs in sorted(found.items())}, local


def _given_up(context: Context, last: Note, habits: Habits, taken: set[str]) -> list[AdherenceFact]:
    """Derive drugs of the last discharge list that the patient no longer takes, nor anything like them."""
    stay = arrival_stay(context)
    if stay is None or last.moment >= stay["intime"]:
        return []
    facts = []
    for drug in _discharge_list(context, last):
        if any(_same_class(context, drug, other) for other in taken):
            continue
        proof = [ResourceRef(f"DocumentReference/{last.document_id}"), stay_ref(stay)]
        facts.append(
            AdherenceFact(
                drug=drug,
                home=HomeUse.NOT_TAKING,
                reason=habits.why_not_taken(drug),
                proof=tuple(proof),
            )
        )
    return facts


def _discharge_list(context: Context, note: Note) -> list[str]:
    """Read the drugs of a discharge list that were meant to be taken on."""
    short = re.compile(read("records")["not_for_long"], re.IGNORECASE)
    antibiotics = drug_groups()["antibiotic"]
    found = []
    for line in _ITEM.findall(note.section(DISCHARGE_MEDICATIONS) or ""):
        named = context.vocabulary.ingredients_in(line)
        if len(named) != 1 or short.search(line):
            continue
        if antibiotics.classes.isdisjoint(named[0].classes) and named[0].id not in antibiotics.drugs:
            found.append(named[0].id)
    return list(dict.fromkeys(found))


def _with_stay(fact: AdherenceFact, doses: StayDoses) -> AdherenceFact:
    seen = doses.by_drug.get(fact.drug)
    if seen is not None:
        return fact.model_copy(update={"here": seen.here, "proof": (*fact.proof, *seen.proof)})
    if fact.home is HomeUse.TAKING and doses.never_given(fact.drug):
        return fact.model_copy(update={"here": InHospital.NEVER_GIVEN})
    return fact


def _same_class(context: Context, drug: str, other: str) -> bool:
    one, two = context.vocabulary.ingredient_by_id(drug), context.vocabulary.ingredient_by_id(other)
    return drug == other or bool(one and two and set(one.classes) & set(two.classes))
