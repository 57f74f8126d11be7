"""The medication lists of a discharge summary: at home before, and at home after."""

from tools.ehr.synth.account import Account
from tools.ehr.synth.catalog import Catalog
from tools.ehr.synth.records import Drug

SPOKEN = {"PO/NG": "PO", "DAILY16": "DAILY", "HS": "QHS", "Q24H": "DAILY"}
"""Routes and frequencies that only a ward writes, as a list for the home says them."""


def line_of(drug: Drug, dose: str) -> str:
    """Write a drug with dose, route and frequency: ``Lisinopril 20 mg PO DAILY``; of a drip, the drug alone."""
    if drug.infusion:
        return f"{drug.name} {drug.route}"
    route, frequency = (SPOKEN.get(word, word) for word in (drug.route, drug.frequency))
    return f"{drug.name} {dose} {drug.unit} {route} {frequency}"


def admission_list(account: Account) -> list[str]:
    """List the home drugs; what a story says is not taken is marked."""
    lines = []
    for home in account.home:
        why = home.told.not_taken if home.told else None
        lines.append(line_of(home.drug, home.dose) + (f" (not taking: {why})" if why else ""))
    return lines


def discharge_list(catalog: Catalog, account: Account) -> list[str]:
    """List the home drugs that go on, at the ward's dose where it ordered one, and what the story adds."""
    if account.stay.died:
        return []
    earlier, exposure = account.stay.plan.earlier, account.stay.exposure
    started = {new.drug: new.dose for new in earlier.started} if earlier else {}
    lines = [line_of(catalog.drugs[key], dose) for key, dose in started.items()]
    for home in account.home:
        order = account.ordered(home.key)
        if not account.stopped(home.key) and home.key not in started:
            lines.append(line_of(home.drug, order.dose if order else home.dose))
    for given in exposure.story.drugs if exposure else ():
        order = account.ordered(given.key(exposure.turn)) if exposure else None
        if given.at_discharge and order and account.stay.tells(given):
            lines.append(line_of(order.drug, order.dose))
    return lines
