"""The file of the page: what is in it, and what keeps it safe where no browser is at hand."""

import base64
import gzip
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pages import ANSWER, RESULT, ballot, call, manifest, metrics, page, various, write

from state.base import Cohort
from state.interval import Interval
from state.metrics import Conduct, Figure, Reliability
from state.outcome import Errored, JudgeFault, Party, Verdict
from state.patient import RefusedWords, Saying
from tools.report import write_page
from tools.report.page_faults import taxonomy
from tools.report.page_session import packed, transcript

LEAKED = RefusedWords(who=Party.PATIENT, reason="it names a laboratory test: creatinine")
DOWN = RefusedWords(who=Party.PROVIDER, reason="HTTP 500")
HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)> \u2028 {{ 7 * 7 }} &lt;"


class Elements(HTMLParser):
    """Collect elements, attributes and what stands inside each."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.open = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.inside.append("")
        self.open = True

    def handle_data(self, data: str) -> None:
        if self.open:
            self.inside[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.open = False

    def of(self, tag: str) -> list[tuple[dict[str, str | None], str]]:
        pairs = zip(self.found, self.inside, strict=True)
        return [(attributes, inside) for (name, attributes), inside in pairs if name == tag]


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_allows_its_own_style_and_script_and_nothing_else(tmp_path: Path) -> None:
    read = Elements(write(tmp_path, page(answer=HOSTILE, reason=HOSTILE)).read_text("utf-8"))
    (policy,) = [meta["content"] for meta, _ in read.of("meta") if "http-equiv" in meta]
    (style,) = [inside for _, inside in read.of("style")]
    (script,) = [inside for attributes, inside in read.of("script") if "type" not in attributes]
    assert policy.startswith(
        f"default-src 'none'; style-src '{digest(style)}'; script-src '{digest(script)}'; base-uri 'none'"
    )
    assert "unsafe" not in policy
    assert len(read.of("script")) == 4
    for _, attributes in read.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
    assert all(link.get("href", "").startswith("#") for link, _ in read.of("a"))


def test_script_of_the_page_makes_no_markup_of_text() -> None:
    sources = "".join(
        path.read_text("utf-8") for path in (Path(__file__).parents[3] / "configs" / "report").glob("*.js")
    )
    assert "createElement" in sources
    for maker in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "</",
        "<!--",
    ):
        assert maker not in sources


def test_islands_hold_nothing_that_html_would_take_for_its_own(tmp_path: Path) -> None:
    one = page(calls=(call(HOSTILE),), answer=HOSTILE)
    read = Elements(write(tmp_path, one).read_text("utf-8"))
    for attributes, inside in read.of("script"):
        if attributes.get("type") == "application/json":
            assert inside.isascii()
            assert not re.search("[<>&]", inside)
            json.loads(inside)


def test_a_pack_is_the_same_every_time_and_holds_each_result_once() -> None:
    one = page(calls=(call(), call()), shown=(RESULT, RESULT))
    assert packed(one, show_text=True) == packed(one, show_text=True)
    told = json.loads(gzip.decompress(base64.b64decode(packed(one, show_text=True))))
    assert told["results"] == [RESULT]
    assert [each["result"] for each in told["turns"][0]["steps"][0]["calls"]] == [0, 0]
    assert "".join(part[0] for part in told["turns"][0]["answer"]) == ANSWER


@pytest.mark.parametrize(
    ("said", "voice"),
    [
        (Saying(text="Yes."), ""),
        (Saying(text="Yes.", voice="model"), "spoken by a model"),
        (
            Saying(text="Yes.", voice="model", refused=(LEAKED,)),
            "spoken by a model, refused before: patient: it names a laboratory test: creatinine",
        ),
        (
            Saying(text="Yes.", refused=(LEAKED, DOWN)),
            "spoken by the template in its place: patient: it names a laboratory test: creatinine; provider: HTTP 500",
        ),
    ],
)
def test_who_spoke_for_the_patient_stands_beside_the_answer(said: Saying, voice: str) -> None:
    asked = call("patient_get_pain_assessment").model_copy(update={"said": said})
    told = transcript(page(calls=(asked,)), show_text=True)
    assert told["turns"][0]["steps"][0]["calls"][0]["voice"] == voice
    withheld = transcript(page(calls=(asked,)), show_text=False)
    assert "creatinine" not in str(withheld)


def test_a_call_that_was_not_run_takes_no_result_from_the_next() -> None:
    told = transcript(page(calls=(call(ran=False), call()), shown=(RESULT,)), show_text=True)
    results = [each["result"] for each in told["turns"][0]["steps"][0]["calls"]]
    assert results == [None, 0]


def test_what_the_introduction_said_is_shown() -> None:
    told = transcript(page(answer="At 63, not 64."), show_text=True)["turns"][0]["answer"]
    assert told == [["At "], ["63", "result", "the introduction"], [", not "], ["64", "none", ""], ["."]]


def test_a_session_that_broke_off_shows_what_there_is() -> None:
    whole = page()
    cut = whole.record.model_copy(update={"turns": whole.record.turns[:1]})
    one = replace(whole, record=cut)
    told = transcript(one, show_text=True)["turns"]
    assert [("asked" in turn) for turn in told] == [True, False]


def test_text_is_withheld_unless_it_may_be_shown(tmp_path: Path) -> None:
    one = page(cohort=Cohort.MIMIC_IV, ballots=(ballot(),))
    kept = json.dumps(transcript(one, show_text=False))
    for secret in ("potassium", "5.9", "10000001", "2150", "lab-777", "states"):
        assert secret not in kept
    assert '"item": "t0-value"' in kept
    assert '"judge": "deepseek/x"' in kept
    text = write(tmp_path, one, show_text=False).read_text("utf-8")
    assert "Patient text is withheld" in text
    assert "2150" not in text


def test_a_turn_that_a_judge_failed_shows_its_ballots_though_it_has_no_verdict() -> None:
    failed = ballot(Verdict.CANNOT_TELL, fault=JudgeFault.FAILED, reason="connection refused", quote="")
    one = page(outcome=Errored(error="deepseek/x", who=Party.JUDGE), ballots=(failed,))
    first = one.result.turns[0].model_copy(update={"verdicts": ()})
    turns = (first, *one.result.turns[1:])
    broken = replace(one, result=one.result.model_copy(update={"turns": turns}))
    told = transcript(broken, show_text=True)["turns"][0]
    assert told["verdicts"] == []
    assert [(b["item"], b["fault"], b["reason"]) for b in told["ballots"]] == [
        ("t0-value", "failed", "connection refused")
    ]


def test_faults_are_counted_by_turn_and_by_session() -> None:
    rows = {
        row.fault: (row.turns, row.sessions, row.of_turns) for row in taxonomy(p.faults for p in various())
    }
    assert rows == {
        "ended: empty reply": (4, 4, 8),
        "failed by the provider": (2, 1, 8),
        "not scored": (2, 1, 8),
        "safety item failed": (1, 1, 8),
        "item not met: value": (1, 1, 8),
        "tool call refused": (1, 1, 8),
    }


def test_conduct_reliability_and_formulas_are_told_where_they_are_known(tmp_path: Path) -> None:
    one = page()
    known = Figure(
        value=0.5, planned=2, attempted=2, scored=2, withheld=False, interval=Interval(low=0.25, high=0.75)
    )
    conduct = Conduct(
        figures={"grounding": known},
        antecedent_errors={"NA": known},
        safety={"all": known},
        taxonomy={"calls": {"refused": 3}},
    )
    reliable = Reliability(k=2, mark="0.60", pass_at=known, pass_every=known)
    plain = metrics(one)
    whole = plain.model_copy(update={"conduct": conduct, "reliability": (reliable,)})
    texts = {}
    for name, figures in {"plain": plain, "whole": whole}.items():
        write_page(tmp_path / name, manifest(one.session.cohort), figures, [one], show_text=True, again="")
        texts[name] = (tmp_path / name).read_text("utf-8")
    for words in ("pass^2 at 0.60", "antecedent errors, NA", "refused 3", "Safety violations per 100 turns"):
        assert words in texts["whole"]
        assert words not in texts["plain"]
    assert texts["whole"].count('aria-label="grounding: 50.0 % [25.0, 75.0]"') == 1
    assert "mean over sessions of the mean score of their turns" in texts["plain"]
