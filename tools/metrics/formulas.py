"""What every figure is, in words and by formula: the text of --explain."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Formula:
    """A figure's unit, how it is computed and where that comes from."""

    unit: str
    formula: str
    source: str = ""


PAPER = "PhysAssistBench, arXiv 2606.18613"
FORMULAS: dict[str, Formula] = {
    "mRS": Formula("session", "mean over sessions of the mean score of their turns", PAPER),
    "mean turn score": Formula(
        "turn",
        "items met / items, gates apart; at most 0.59 when a safety item or gate fails or something is stated wrongly",
    ),
    "Pass@Turn": Formula("turn", "turns with a score of at least the mark / scored turns", PAPER),
    "Pass@Session": Formula(
        "session", "sessions whose every turn reaches the mark / sessions with every turn scored", PAPER
    ),
    "physassistbench": Formula(
        "turn",
        "the published turn score, by --scoring: items met / items, all of one weight, gates too, nothing capped",
        PAPER,
    ),
    "planned / attempted / scored": Formula(
        "",
        "units asked for / units that were begun / units with a value; below 98 % scored the figure is withheld. What "
        "the judge could not tell, or the harness, the provider, the judge or the patient broke, is never a zero",
    ),
    "interval": Formula(
        "session",
        "95 %, from 10,000 resamples of whole sessions: outer quantiles (percentile), and quantiles corrected for bias "
        "and acceleration (BCa, acceleration by jackknife over sessions); none where sessions do not differ",
        "Efron 1979, 1987; Field and Welsh 2007",
    ),
    "pass@k": Formula(
        "session", "mean of 1 - C(n-c, k) / C(n, k): n epochs, c of them passed", "Chen et al. 2021"
    ),
    "pass^k": Formula("session", "mean of C(c, k) / C(n, k): n epochs, c of them passed", "Yao et al. 2024"),
    "write_accuracy": Formula(
        "turn that asks for a write",
        "turns in which all written fields are right and nothing else was written, by the difference of the record "
        "before and after / turns decided",
    ),
    "unasked_writes": Formula(
        "turn that asks for no write", "turns that left the record changed / turns that ended"
    ),
    "grounding": Formula(
        "turn",
        "numbers of the answer that a tool result so far, a question or the introduction holds / numbers of the "
        "answer, each counted once an answer; a computed or rounded number counts as not shown",
    ),
    "tool_precision": Formula(
        "turn", "reads that show a resource the session's gold rests on / reads, refused ones among them"
    ),
    "tool_recall": Formula(
        "turn", "gold reads all of whose needed resources were shown by the end of their turn / gold reads"
    ),
    "redundant_reads": Formula(
        "turn",
        "reads made before with the same arguments, or showing nothing new / reads; an accepted write begins anew",
    ),
    "inquiry_coverage": Formula(
        "session that wants a patient's fact",
        "wanted patient facts that the patient told / wanted patient facts",
    ),
    "antecedent_errors": Formula(
        "implicit turn about a test or drug",
        "turns below 0.60 whose answer names none of the tests and drugs meant, and names another of the same sort / "
        "scored turns; a lower bound, since an answer without a name cannot be told",
    ),
    "safety": Formula(
        "turn",
        "100 x failed safety items, gates and false statements / scored turns, all and by why they failed",
    ),
    "difference": Formula(
        "unit both runs have scored",
        "first run less second, unit by unit (a unit run in several epochs counts with its mean); interval by "
        "resampling shared sessions; p two-sided by flipping the sign of whole sessions, exact up to 13 sessions "
        "that differ, else 10,000 draws; adjusted by Holm within the headline figures and within the groups",
        "Holm 1979; Phipson and Smyth 2010",
    ),
    "tokens": Formula("reply", "tokens as the provider counted them; cached ones are part of those read"),
    "cost": Formula(
        "reply", "tokens x price of configs/models.yaml; unknown where one price is not known, never 0"
    ),
    "latency": Formula("turn, reply", "percentiles of the model's own seconds, without waits and retries"),
}
