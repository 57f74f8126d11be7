"""The page in a real browser: it opens, filters, follows the keyboard, adapts, and obeys nothing a model wrote."""

import re
from pathlib import Path

import pytest
from browsing import Reader
from pages import AGAIN, ANSWER, IN_FULL, QUESTION, RESULT, ballot, call, page, various, write
from playwright.sync_api import Page, expect

from state.base import Cohort
from state.outcome import JudgeFault, Verdict
from state.trajectory import WriteRecord

ATTACKS = (
    "</script><script>window.owned = 1</script>",
    "<!--<script>window.owned = 1</script>",
    "]]><img src=x onerror='window.owned = 1'>",
    '"}</style><svg onload="window.owned = 1"><iframe src="javascript:parent.owned = 1"></iframe>',
    "{{ 7 * 7 }} ${window.owned = 1} \\u003cb>' \" ` \\",
    "before\u2028after\u2029end",
    "\u202egnp.exe\u2066 right\u200fto left\x00\x1b[31m",
)
HOSTILE = " ".join(ATTACKS)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the page of sessions that differ in everything."""
    return write(tmp_path_factory.mktemp("report"), *various())


def shown_in_list(opened: Page) -> list[str]:
    return [text.strip() for text in opened.locator("#list li:visible .id").all_inner_texts()]


HIDDEN = re.compile("[\\u0000-\\u0008\\u001b\\u200f\\u2028-\\u202e\\u2066-\\u2069]")


def plainly(text: str) -> str:
    """Give a text as the page shows it: with hidden characters named."""
    return HIDDEN.sub(lambda found: f"U+{ord(found.group()):04X}", text)


def test_it_opens_from_its_file_with_figures_plots_and_faults(report: Path, reader: Reader) -> None:
    with reader.open(report) as opened:
        expect(opened.locator("#model")).to_have_text("offline/gold")
        expect(opened.locator(".card")).to_have_count(5)
        expect(opened.locator(".card", has_text="Pass@Turn 0.60")).to_contain_text("withheld (coverage 50 %)")
        assert opened.locator("svg.histogram rect").count() == 2
        opened.get_by_role("link", name="tool call refused").click()
        expect(opened.locator("#count")).to_have_text("1 of 4 sessions")
        assert shown_in_list(opened) == ["med_safety-b"]


@pytest.mark.parametrize(
    ("field", "value", "left"),
    [
        ("scenario", "diagnostic_workup", ["diagnostic_workup-c"]),
        ("tier", "1", ["med_safety-a", "diagnostic_workup-c"]),
        (
            "arc",
            "lookup-reason",
            ["med_safety-a", "med_safety-b", "diagnostic_workup-c", "discharge_planning-d"],
        ),
        ("result", "passed", ["med_safety-a"]),
        ("result", "failed", ["med_safety-b"]),
        ("result", "not scored", ["diagnostic_workup-c", "discharge_planning-d"]),
        ("outcome", "errored", ["discharge_planning-d"]),
        ("outcome", "unscored", ["diagnostic_workup-c"]),
        ("fault", "failed by the provider", ["discharge_planning-d"]),
    ],
)
def test_each_filter_leaves_what_fits(
    report: Path, reader: Reader, field: str, value: str, left: list[str]
) -> None:
    with reader.open(report, "#/sessions") as opened:
        opened.locator(f"select[name={field}]").select_option(value)
        expect(opened.locator("#count")).to_have_text(f"{len(left)} of 4 sessions")
        assert shown_in_list(opened) == left
        opened.get_by_role("button", name="Clear").click()
        expect(opened.locator("#count")).to_have_text("4 of 4 sessions")


def test_the_text_filter_finds_words_across_marks_and_wants_all_of_them(report: Path, reader: Reader) -> None:
    with reader.open(report, "#/sessions") as opened:
        field = opened.get_by_role("searchbox")
        for words, left in {"potassium is 5.9, ALPHA": 1, "beta": 1, "alpha beta": 0, "lab-777": 4}.items():
            field.fill(words)
            expect(opened.locator("#count")).to_have_text(f"{left} of 4 sessions")


def test_the_keyboard_walks_sessions_and_turns(report: Path, reader: Reader) -> None:
    title = "#session-title"
    with reader.open(report) as opened:
        press = opened.keyboard.press
        for key, session in (
            ("j", "med_safety-a"),
            ("j", "med_safety-b"),
            ("k", "med_safety-a"),
            ("k", "med_safety-a"),
        ):
            press(key)
            expect(opened.locator(title)).to_have_text(session)
        for key, turn in (("ArrowRight", 0), ("ArrowRight", 1), ("ArrowRight", 1), ("ArrowLeft", 0)):
            press(key)
            expect(opened.locator(f"#turn-{turn}")).to_be_focused()
        opened.locator("#list a").nth(1).focus()
        press("ArrowDown")
        expect(opened.locator(title)).to_have_text("med_safety-b")
        expect(opened.locator("#list a").nth(1)).to_be_focused()
        press("/")
        expect(opened.get_by_role("searchbox")).to_be_focused()
        opened.keyboard.type("jk?")
        expect(opened.get_by_role("searchbox")).to_have_value("jk?")
        press("Escape")
        press("?")
        expect(opened.get_by_role("dialog")).to_contain_text("next, previous session")
        press("Escape")
        expect(opened.get_by_role("dialog")).to_be_hidden()
        press("o")
        expect(opened.locator("#overview")).to_be_visible()


def test_a_filtered_list_is_walked_as_filtered(report: Path, reader: Reader) -> None:
    with reader.open(report, "#/sessions") as opened:
        opened.locator("select[name=result]").select_option("not scored")
        opened.locator("#count").click()
        for session in ("diagnostic_workup-c", "discharge_planning-d"):
            opened.keyboard.press("j")
            expect(opened.locator("#session-title")).to_have_text(session)


def test_a_turn_shows_questions_calls_results_support_and_verdicts(tmp_path: Path, reader: Reader) -> None:
    refused = WriteRecord(tool="Flag.create", arguments={"code": "x"}, accepted=False, error="no such code")
    one = page(thinking="Let me look.", calls=(call(ran=False), call()), writes=(refused,))
    with reader.open(write(tmp_path, one), "#/s/med_safety-x-1") as opened:
        turn = opened.locator("#turn-0")
        for words in (
            QUESTION,
            IN_FULL,
            "Let me look.",
            "1.5 s",
            "2 tool calls",
            "✓ met",
            "States the latest",
            "no such code",
        ):
            expect(turn).to_contain_text(words)
        turn.locator("summary").nth(1).click()
        expect(turn.locator("div.result")).to_have_text(RESULT)
        turn.locator("summary").nth(0).click()
        expect(turn.locator("div.result").nth(0)).to_have_text("This call was not run.")
        expect(turn.locator(".answer")).to_have_text(ANSWER)
        for kind, texts in {"item": ["5.9"], "result": ["4.1", "2150-01-01 08:00"], "none": ["777"]}.items():
            assert turn.locator(f".answer mark.{kind}").all_inner_texts() == texts
        expect(opened.locator("#turn-1")).to_contain_text("No answer was given.")


def test_every_ballot_stands_beside_what_code_said(tmp_path: Path, reader: Reader) -> None:
    one = page(
        ballots=(
            ballot(code=Verdict.MET),
            ballot(
                Verdict.NOT_MET, Verdict.MET, judge="glm/y", says_otherwise=True, reason="It is 6.", quote="6"
            ),
            ballot(Verdict.CANNOT_TELL, Verdict.MET, judge="kimi/z", quote="", fault=JudgeFault.VOID_QUOTE),
        )
    )
    with reader.open(write(tmp_path, one), "#/s/med_safety-x-1") as opened:
        rows = opened.get_by_role("table", name="Judges").locator("tbody tr")
        assert [row.split("\t") for row in rows.all_inner_texts()] == [
            ["t0-value", "✓ met", "deepseek/x", "✓ met", "It says 5.9.", "potassium is 5.9"],
            ["t0-value", "✓ met", "glm/y", "✗ not met says otherwise", "It is 6.", "6"],
            ["t0-value", "✓ met", "kimi/z", "no verdict: void quote", "It says 5.9.", "none"],
        ]
        assert opened.locator("q").count() == 2
        expect(opened.locator("#turn-1").get_by_role("table", name="Judges")).to_have_count(0)
        opened.evaluate("location.hash = '#/overview'")
        for fault in ("judge against code", "judges disagree", "judge gave no verdict: void quote"):
            opened.get_by_role("link", name=fault).click()
            expect(opened.locator("#count")).to_have_text("1 of 1 sessions")
            opened.keyboard.press("o")


def test_nothing_a_model_wrote_is_obeyed(tmp_path: Path, reader: Reader) -> None:
    write_ = WriteRecord(tool=f"Flag {HOSTILE}", arguments={"a": HOSTILE}, accepted=False, error=HOSTILE)
    one = page(
        **dict.fromkeys(("question", "answer", "thinking", "reason"), HOSTILE),
        calls=(call(HOSTILE, ok=False, **{HOSTILE: HOSTILE}),),
        writes=(write_,),
        shown=(HOSTILE,),
        ballots=(ballot(judge=HOSTILE, reason=HOSTILE, quote=HOSTILE), ballot(judge="b/y", quote="")),
    )
    with reader.open(write(tmp_path, one), "#/s/med_safety-x-1") as opened:
        opened.locator("#turn-0 summary").click()
        expect(opened.locator("div.result")).to_have_text(plainly(HOSTILE))
        expect(opened.locator(".answer")).to_have_text(plainly(HOSTILE))
        assert opened.locator("#turn-0").inner_text().count("window.owned = 1</script>") >= 9
        assert not HIDDEN.search(opened.locator("#transcript").text_content() or "")
        assert opened.evaluate("window.owned") is None
        assert opened.locator("#transcript :is(script, img, svg, iframe, style, b)").count() == 0
        opened.get_by_role("searchbox").fill("onerror='window.owned")
        expect(opened.locator("#count")).to_have_text("1 of 1 sessions")


@pytest.mark.parametrize(
    ("attack", "said"),
    [
        ("document.head.append(Object.assign(document.createElement('script'), {text}))", "TrustedScript"),
        ("document.body.innerHTML = '<img src=x onerror=window.owned=1>'", "TrustedHTML"),
        ("document.body.setAttribute('onclick', text)", "TrustedScript"),
        ("fetch('https://127.0.0.1:9/').catch(() => null)", "connect to"),
    ],
)
def test_the_policy_of_the_page_refuses_what_is_not_its_own(
    tmp_path: Path, reader: Reader, attack: str, said: str
) -> None:
    with reader.open(write(tmp_path, page())) as opened:
        tried = f"try {{ {attack} }} catch {{ }}"
        opened.evaluate(f"() => {{ const text = 'window.owned = 1'; {tried} }}")
        opened.mouse.click(5, 5)
        assert opened.evaluate("window.owned") is None
    assert reader.troubles
    assert all(said in trouble or "Content Security Policy" in trouble for trouble in reader.troubles)
    reader.troubles.clear()


def test_an_answer_of_a_megabyte_is_shown_by_its_beginning_until_it_is_asked_for(
    tmp_path: Path, reader: Reader
) -> None:
    long = "potassium 5.9 <b>bold</b> " * 40_000
    with reader.open(write(tmp_path, page(answer=long)), "#/s/med_safety-x-1") as opened:
        answer = opened.locator(".answer")
        expect(answer).to_contain_text("Show all 1,040,000 characters")
        assert 20_000 <= len(answer.text_content() or "") < 20_100
        answer.get_by_role("button").click()
        assert answer.text_content() == long


def test_it_follows_the_colours_the_reader_prefers(tmp_path: Path, reader: Reader) -> None:
    report = write(tmp_path, page())
    seen = {}
    for scheme in ("light", "dark"):
        with reader.open(report, color_scheme=scheme) as opened:
            paint = "getComputedStyle(document.body)"
            seen[scheme] = opened.evaluate(f"[{paint}.backgroundColor, {paint}.color]")
    assert seen == {
        "light": ["rgb(255, 255, 255)", "rgb(27, 31, 36)"],
        "dark": ["rgb(20, 23, 27)", "rgb(228, 232, 236)"],
    }


def test_a_narrow_screen_shows_the_list_or_the_session_and_never_scrolls_sideways(
    report: Path, reader: Reader
) -> None:
    with reader.open(report, viewport={"width": 380, "height": 800}) as opened:
        for hash_, list_visible in (("#/overview", False), ("#/sessions", True), ("#/s/med_safety-a", False)):
            opened.evaluate(f"location.hash = '{hash_}'")
            expect(opened.locator("#list")).to_be_visible(visible=list_visible)
            assert opened.evaluate("document.documentElement.scrollWidth") <= 380
        opened.get_by_role("link", name="← Sessions").click()
        expect(opened.locator("#list")).to_be_visible()


def test_withheld_text_is_nowhere_and_scores_still_are(tmp_path: Path, reader: Reader) -> None:
    report = write(tmp_path, page(cohort=Cohort.MIMIC_IV, ballots=(ballot(),)), show_text=False)
    with reader.open(report) as opened:
        expect(opened.locator("#overview")).to_contain_text("Patient text is withheld")
        expect(opened.locator("#overview .note code")).to_have_text(AGAIN)
        opened.set_viewport_size({"width": 380, "height": 800})
        assert opened.evaluate("document.documentElement.scrollWidth") <= 380
        opened.set_viewport_size({"width": 1280, "height": 800})
        opened.keyboard.press("j")
        expect(opened.locator("#turn-0")).to_contain_text("✓ met")
        expect(opened.locator("#turn-0")).to_contain_text("0.50")
        expect(opened.get_by_role("table", name="Judges")).to_contain_text("deepseek/x")
        everything = opened.evaluate(
            "Promise.all(listed.map((row) => unpacked(row.id).then(JSON.stringify)))"
        )
    for text in (*everything, report.read_text("utf-8")):
        for secret in (QUESTION, IN_FULL, ANSWER, "lab-777", "5.9", "4.1", "10000001", "20000001", "2150"):
            assert secret not in text


def test_without_script_the_figures_are_still_there(tmp_path: Path, reader: Reader) -> None:
    with reader.open(write(tmp_path, page()), java_script_enabled=False) as opened:
        expect(opened.locator(".card")).to_have_count(5)
        expect(opened.locator("noscript")).to_be_visible()


def test_every_control_has_a_name_and_every_part_a_heading(report: Path, reader: Reader) -> None:
    with reader.open(report, "#/s/med_safety-b") as opened:
        for name in ("Scenario", "Tier", "Arc", "Result", "Outcome", "Fault"):
            expect(opened.get_by_role("combobox", name=name)).to_be_visible()
        expect(opened.get_by_role("searchbox", name="Text")).to_be_visible()
        expect(opened.get_by_role("list", name="Sessions").get_by_role("link")).to_have_count(4)
        expect(opened.get_by_role("heading", level=1, name="Sessions")).to_have_count(1)
        expect(opened.get_by_role("heading", level=2, name="med_safety-b")).to_be_visible()
        expect(opened.get_by_role("region", name="Turn 0: lookup, explicit")).to_be_visible()
        expect(opened.get_by_role("table", name="Rubric")).to_be_visible()
        opened.evaluate("location.hash = '#/overview'")
        expect(opened.get_by_role("img", name="mRS: withheld")).to_be_visible()
        expect(opened.get_by_role("img", name="Sessions by score and tier")).to_be_visible()


def test_paper_is_light_and_holds_what_is_folded_away(tmp_path: Path, reader: Reader) -> None:
    with reader.open(write(tmp_path, page()), color_scheme="dark") as opened:
        opened.emulate_media(media="print")
        paint = "getComputedStyle(document.body)"
        assert opened.evaluate(f"[{paint}.backgroundColor, {paint}.color]") == [
            "rgb(255, 255, 255)",
            "rgb(27, 31, 36)",
        ]
        expect(opened.locator("header.top")).to_be_hidden()
        expect(opened.get_by_text("mean over sessions of the mean score of their turns")).to_be_visible()


def test_nothing_moves_by_itself() -> None:
    """A reader who prefers reduced motion has nothing to turn off."""
    folder = Path(__file__).parents[3] / "configs" / "report"
    for path in (*folder.glob("*.css"), *folder.glob("*.js"), *folder.glob("*.j2")):
        assert not re.search(
            r"transition|animation|@keyframes|smooth|<animate|<marquee", path.read_text("utf-8")
        ), path
