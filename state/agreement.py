"""How far judges agree: with code, with each other, with people."""

from pydantic import Field

from state.base import Record
from state.interval import Interval

Confusion = dict[str, dict[str, int]]
"""Counts from one side's verdict to the other's."""


class Coefficient(Record):
    """A measure of agreement; None where it is not defined, as a kappa is when all is of one kind."""

    value: float | None
    interval: Interval | None = None


class PairAgreement(Record):
    """Two raters over the items that both labelled."""

    items: int = Field(ge=0)
    raw: Coefficient
    cohen_kappa: Coefficient
    krippendorff_alpha: Coefficient


class GroupAgreement(Record):
    """Several raters. ``raw`` is the share of agreeing pairs; Fleiss' kappa takes the items that all labelled."""

    raters: int = Field(ge=2)
    items: int = Field(ge=0)
    raw: Coefficient
    fleiss_kappa: Coefficient
    krippendorff_alpha: Coefficient


class JudgeRecord(Record):
    """One judge beside code: ``table`` goes from code's verdict to the judge's, or to "no_verdict" where it gave none.

    ``no_verdict`` goes from fault to count. ``agreement`` is over the items that both decided.
    """

    judge: str
    asked: int = Field(ge=0)
    table: Confusion
    no_verdict: dict[str, int]
    agreement: PairAgreement


class Judging(Record):
    """What models judged in a run. ``decided`` and ``undecided`` count the items code had left to them."""

    decided: int = Field(ge=0)
    undecided: int = Field(ge=0)
    judges: tuple[JudgeRecord, ...]
    panel: GroupAgreement | None = None
