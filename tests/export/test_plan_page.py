"""The HTML page: what stands on it, what its pictures show, and that nothing of a session acts there."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.builders import plan_changed, told
from tests.domain.sound_plans import sound
from tests.export.elements import Elements
from tests.full_plan import PLAN, state_with
from tests.properties.plans import plans
from tests.tui.hostile import HALVES, IN_A_FILE, ITEMS, Hostile, unsafe
from tests.tui.hostile_session import bodies
from workbench.domain.plan.plan import Bullet, Plan, Section, Step
from workbench.domain.session import events as say
from workbench.domain.session.session import fold
from workbench.export.plan_page import plan_page
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
ATTRIBUTES = {
    "html": {"lang"},
    "meta": {"charset", "name", "content", "http-equiv"},
    "a": {"class", "href", "rel"},
    "section": {"aria-labelledby"},
    "ol": {"start"},
    "th": {"scope", "class"},
    "h2": {"id"},
    **{tag: {"class"} for tag in ("p", "span", "ul", "li", "tr", "td", "div", "table", "figure", "figcaption")},
    "svg": {"viewbox", "role", "aria-label"},
    "line": {"class", "x1", "x2", "y1", "y2"},
    "rect": {"class", "x", "y", "width", "height", "rx"},
    "circle": {"class", "cx", "cy", "r"},
    "text": {"x", "y", "text-anchor"},
}
PLAIN = {"head", "body", "title", "style", "header", "main", "footer", "thead", "tbody", "h1", "h3", "h4", "h5", "h6"}
PLAIN |= {"pre", "code", "small", "br", "em", "strong", "blockquote", "hr"}


def assert_nothing_acts(text: str) -> Elements:
    read = Elements(text)
    for element in read.all:
        assert element.tag in ATTRIBUTES or element.tag in PLAIN, element
        assert set(element.attributes) <= ATTRIBUTES.get(element.tag, set()), element
        address = element.attributes.get("href")
        if address is not None:
            assert re.match(r"https?://", address), element
            assert "noopener" in element.attributes["rel"], element
    assert read.comments == []
    assert len(read.of("style")) == 1
    for seen in (text, read.words):
        assert not unsafe(seen.replace("\n", "").replace("\t", ""))
    return read


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_the_page_of_a_sample_is_the_plan(sample: Path) -> None:
    state = fold(read_session_file(sample))
    read = assert_nothing_acts(plan_page(state))
    assert state.plan is not None
    assert [one.words for one in read.of("h1")] == [state.plan.title]
    for step in state.plan.steps:
        assert step.title in read.words
    assert "prompt" not in read.words, "provenance stands on the other page"


def test_every_part_of_a_plan_stands_on_the_page() -> None:
    read = assert_nothing_acts(plan_page(state_with(PLAN)))
    for words in (
        "Rent the square (done)",
        "the town's letter",
        "2–5 Mar",
        "12,300",
        "Stalls are let",
    ):
        assert words in read.words
    assert len(read.of("svg")) == 1


@pytest.mark.parametrize("hostile", [IN_A_FILE, *(item for item in ITEMS if item not in HALVES)], ids=str)
def test_hostile_texts_do_not_act(hostile: Hostile) -> None:
    assert_nothing_acts(plan_page(fold(told(*bodies(hostile, until="checkpoint")))))


BREAKING_OUT = (
    "<script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><img src=x onerror=alert(1)>",
    "--><svg onload=alert(1)>",
    '"\' onmouseover=alert(1) x="',
    "{{ 7 * 7 }}{% for x in y %}",
    "[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](data:text/html,x)",
    "[w](file:///etc/passwd) [v](//evil.example) [u](vscode://x) [t](plan.md)",
    "[x](&#106;avascript:alert(1)) [y](vbscript:x) <javascript:alert(1)> [z](\x01javascript:alert(1))",
    "![x](http://evil.example/pixel.png) ![y][r]\n\n[r]: http://evil.example/p.png",
    '[x](http://evil.example/" onclick="alert(1)) [y](http://e.example \'a" onclick="b\')',
    '```" onclick="x\n<b>\n```',
    "| a | b |\n|:--|--:|\n| <i>x</i> | y |",
    "<!-- x --><base href=http://evil.example><meta http-equiv=refresh content=0>",
    "<a href=javascript:alert(1)>x</a><form action=//evil.example><input></form><iframe srcdoc=x>",
    "x <!-- goal -->\n# y <!-- goal -->",
    "&#x202e;evil &lt;script&gt; &#0; &#27;[2J",
)


def saying(text: str) -> str:
    """A page on which a text stands wherever it prints one."""
    section = Section(id="s", title=text, text=text, items=(Bullet(id="B1", text=text),))
    steps = Section(id="steps", title=text, items=(Step(id="S1", title=text, outcome=text, check=text, owner=text),))
    plan = Plan(title=text, sections=(Section(id="goal", title=text, text=text), steps, section))
    options = say.Options(model=text)
    begun = say.SessionCreated(goal=text, name=text, options=options, today="2026-03-02", workbench=text)
    return plan_page(fold(told(begun, plan_changed(version=1, plan=plan, by=text))))


@pytest.mark.parametrize("text", BREAKING_OUT)
def test_nothing_breaks_out(text: str) -> None:
    assert_nothing_acts(saying(text))


def test_the_policy_names_the_style_by_its_hash() -> None:
    read = Elements(saying("x"))
    (policy,) = read.of("meta", http_equiv="Content-Security-Policy")
    style = read.of("style")[0].words
    named = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{named}'; base-uri 'none'; form-action 'none'"
    )
    assert "url(" not in style


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.sampled_from(BREAKING_OUT),
            st.sampled_from([item.text for item in ITEMS if "\ud83d" not in item.text]),
            st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
            st.sampled_from(list("<>\"'&[]()`!#|\\\n -*_{}%=:/")),
        ),
        max_size=8,
    ).map("".join)
)
def test_whatever_is_said_nothing_acts(text: str) -> None:
    assert_nothing_acts(saying(text))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_any_plan_is_a_page(plan: Plan) -> None:
    assert_nothing_acts(plan_page(state_with(plan)))


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
IN_SILENCE = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
MOST_SHEETS = 4


@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed to print with")
def test_eleven_steps_print_on_four_sheets_at_most(tmp_path: Path) -> None:
    plan, page, paper = sound("product_launch").plan, tmp_path / "plan.html", tmp_path / "plan.pdf"
    assert len(plan.steps) == 11
    page.write_text(plan_page(state_with(plan)), encoding="utf-8")
    command = [
        BROWSER,
        *IN_SILENCE,
        f"--user-data-dir={tmp_path / 'browser'}",
        f"--print-to-pdf={paper}",
        page.as_uri(),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=100)
    sheets = len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))
    assert 1 <= sheets <= MOST_SHEETS
