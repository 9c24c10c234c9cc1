"""Sessions as pages: what stands on one, and that nothing of a session acts there."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import (
    CHOOSE,
    CONTINUE,
    FINISH,
    FIRST_DRAFT,
    answering,
    begin,
    created,
    events_of,
    feedback,
    plan_changed,
    told,
)
from tests.export.elements import Elements
from tests.tui.hostile import ITEMS, unsafe, unseen
from tests.tui.hostile_session import SESSION, SHORT, bodies
from workbench.domain.errors import LogDamaged
from workbench.domain.plan.plan import Bullet, Plan, Section
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext
from workbench.domain.session.copies import in_full
from workbench.export.html import session_page
from workbench.replay.course import moment
from workbench.storage.files.session_file import read_session_file

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))
OURS = {"#plan", "#versions", "#iterations", "#decisions", "#history", "#calls", "#course", "#verify"}
ATTRIBUTES = {
    "html": {"lang"},
    "meta": {"charset", "name", "content", "http-equiv"},
    "a": {"class", "href", "rel"},
    "section": {"aria-labelledby"},
    "nav": {"aria-label"},
    "ol": {"start"},
    "th": {"scope", "class"},
    **{tag: {"class"} for tag in ("p", "span", "ul", "li", "tr", "td", "div", "q")},
    "h2": {"id"},
}
PLAIN = {"head", "body", "title", "style", "header", "main", "footer", "article", "details", "summary", "caption"}
PLAIN |= {"thead", "tbody", "tr", "dl", "h1", "h3", "h4", "h5", "h6", "pre", "code", "ins", "del", "small", "br"}
PLAIN |= {"em", "strong", "blockquote", "hr", "dt", "dd", "table"}


def page(events) -> str:
    return session_page(events, moment)


def assert_nothing_acts(text: str) -> Elements:
    read = Elements(text)
    for element in read.all:
        assert element.tag in ATTRIBUTES or element.tag in PLAIN, element
        assert set(element.attributes) <= ATTRIBUTES.get(element.tag, set()), element
        address = element.attributes.get("href")
        if address is not None and address not in OURS:
            assert re.match(r"https?://", address), element
            assert "noopener" in element.attributes["rel"], element
    assert read.comments == []
    assert len(read.of("style")) == 1
    for seen in (text, read.words):
        assert not unsafe(seen.replace("\n", "").replace("\t", ""))
    return read


@pytest.mark.cases(2)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_is_one_page_of_sound_elements(sample: Path) -> None:
    events = list(read_session_file(sample))
    read = assert_nothing_acts(page(events))
    assert len(read.of("h1")) == 1
    assert read.of("html", lang="en")
    (policy,) = read.of("meta", http_equiv="Content-Security-Policy")
    style = read.of("style")[0].words
    named = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert policy.attributes["content"] == (
        f"default-src 'none'; style-src 'sha256-{named}'; base-uri 'none'; form-action 'none'"
    )
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    assert "url(" not in style
    assert events[-1].hash in read.words
    assert f"workbench replay {events[0].session}.jsonl --verify" in read.words
    for event in in_full(events):
        assert " ".join(moment(event).text.split()) in " ".join(read.words.split())


async def test_a_page_tells_how_the_plan_came_about() -> None:
    manager = begin(max_iterations=3, checkpoint_interval=1)
    await manager.run(answering(CHOOSE, feedback("Keep the auditors informed"), CONTINUE, FINISH))
    manager.capture_user_rating(4, "solid work")
    manager.log_outcome("partial", "two weeks late")
    state = manager.state
    read = assert_nothing_acts(page(events_of(manager)))
    for words in (
        state.goal,
        "finished by you",
        "4 of 5: solid work",
        "partial: two weeks late",
        f"version {state.version}, saved as version {state.saved_version}",
        "Made for what was said:",
        "Insight 1 on planning: the ledger is the truth.",
    ):
        assert words in read.words
    assert [one.words for one in read.of("h3") if one.words.startswith("Version")] == [
        "Version 1",
        "Version 2",
        "Version 3",
    ]
    assert any("Keep the auditors informed" in quoted.words for quoted in read.of("q"))
    assert any("word2" in inserted.words for inserted in read.of("ins"))
    assert any("word1" in deleted.words for deleted in read.of("del"))
    decided = [row.words for row in read.of("tr") if "ada" in row.words]
    assert any("Keep the auditors informed" in row for row in decided)
    assert [one.words for one in read.of("span", class_="who") if one.words == "you"]


def plan(*names: str, **texts: str) -> Plan:
    return Plan(title="P", sections=tuple(Section(id=name, title=name, text=texts.get(name, name)) for name in names))


def changed(number: int, new: Plan) -> say.PlanChanged:
    return plan_changed(version=number, plan=new, by="planner", change=0.1)


def test_differences_say_what_became_of_each_section() -> None:
    old, new = plan("a", "b", "c", "gone"), plan("c", "a", "b", "fresh", b="b and more")
    read = Elements(page(told(created(), changed(1, old), changed(2, new))))
    assert {one.words for one in read.of("summary")} >= {"b: changed", "fresh: added", "gone: removed"}
    assert "c: moved" in [one.words for one in read.of("p")]
    assert "Sections that stayed as they were: 1" in read.words
    assert any("and more" in one.words for one in read.of("ins"))


def test_what_was_retrieved_stands_in_another_tone_and_says_whose_it_is() -> None:
    quoted = say.Quoted(
        id="m1",
        session="pricing-x1",
        role="user",
        agent=None,
        time="t",
        text="Once a year",
        score=0.82,
        relevance=0.9,
        why="same words",
    )
    searched = say.OthersSearched(query="q", reason="r", found=(quoted,))
    read = Elements(page(told(created(), searched)))
    (line,) = read.of("li", class_="retrieved")
    assert "Once a year" in line.words
    assert "from pricing-x1, near: same words" in line.words
    assert not [one for one in read.of("li") if not one.attributes and "Once a year" in one.words]


def test_each_call_says_what_it_was_sent() -> None:
    context = SentContext(
        conversation=(Considered(id="message:s:1", tokens=12, reason="the goal"),),
        dropped=(Considered(id="message:s:2", tokens=1300, why_not="budget", rank=1, score=0.5),),
    )
    started = say.CallStarted(
        call="c1", role="planner", task="plan", attempt=1, model="m", messages=(), prompt_hash="abc", parameters={}
    )
    events = told(created(), msgspec.structs.replace(started, context=context), started)
    read = Elements(page(events))
    rows = [row.words for row in read.of("tr")]
    assert any("message:s:1" in row and "the goal" in row and "conversation" in row for row in rows)
    assert any("message:s:2" in row and "1,300" in row and "(budget)" in row and "left out" in row for row in rows)
    assert "An older workbench recorded no context." in read.words


@pytest.mark.parametrize("until", ["question", "approach", "checkpoint", "failed", "stopped", "finished"])
def test_nothing_of_a_hostile_session_acts(until) -> None:
    read = assert_nothing_acts(page(told(*bodies(until=until), session=SESSION)))
    for name in SHORT:
        assert unseen(name, read.words) == [], name


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


def everywhere(text: str):
    """A session that says a text wherever a page prints one."""
    section = Section(id="s", title=text, text=text, items=(Bullet(id="B1", text=text),))
    result = say.IterationResult(
        iteration_num=1, plan=text, key_insights=(text,), deliverable=text, actions=(), change=1.0
    )
    return told(
        say.SessionCreated(goal=text, name=text, options=say.Options(model=text), today="2026-03-02", workbench=text),
        plan_changed(version=1, plan=Plan(title=text, sections=FIRST_DRAFT), by=text, change=1.0),
        plan_changed(version=2, plan=Plan(title=text, sections=(section,)), by=text, change=1.0),
        say.MessageGiven(role="user", text=text),
        say.EntityStored(name=text, content=text),
        say.FileRead(path=text, lines=1, first=1, last=1, text=text),
        say.FileRead(path=text, why_not=text),
        say.IterationStored(result=result),
        say.RatingGiven(stars=3, note=text),
        say.OutcomeLogged(outcome="success", note=text),
        say.SessionStopped(reason=text),
    )


@pytest.mark.parametrize("text", BREAKING_OUT)
def test_nothing_breaks_out(text: str) -> None:
    assert_nothing_acts(page(everywhere(text)))


def test_a_template_in_a_text_is_a_text() -> None:
    assert "{{ 7 * 7 }}" in Elements(page(everywhere("{{ 7 * 7 }}"))).words


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
    assert_nothing_acts(page(everywhere(text)))


def test_the_same_session_is_the_same_page() -> None:
    assert page(everywhere("x")) == page(everywhere("x"))


def test_a_session_without_events_is_refused() -> None:
    with pytest.raises(LogDamaged, match="no events"):
        page([])


async def test_a_rewind_says_nothing_twice_and_leaves_no_version_out() -> None:
    manager = begin(max_iterations=3, checkpoint_interval=1)
    await manager.run(answering(CHOOSE, feedback("Tell the auditors"), feedback("Tell the staff")))
    straight = Elements(page(events_of(manager)))
    behind = manager.state.way.behind[-1]
    await manager.rewind(behind)
    await manager.redo()
    again = assert_nothing_acts(page(events_of(manager)))
    assert [one.words for one in again.of("div", class_="said")] == [
        one.words for one in straight.of("div", class_="said")
    ]
    assert "left behind" not in again.words
    await manager.rewind(behind)
    back = Elements(page(events_of(manager)))
    assert "left behind when the session was rewound" in back.words
    assert len(back.of("article")) == len(straight.of("article"))


async def test_what_a_rewind_took_back_is_marked_wherever_it_stands() -> None:
    """Feedback and decisions that lead nowhere any more: a page must not show them as what the plan was made for."""
    manager = begin(max_iterations=3, checkpoint_interval=1)
    await manager.run(answering(CHOOSE, feedback("Tell the auditors")))
    await manager.rewind()
    await manager.run(answering(feedback("Tell the staff")))
    shown = Elements(page(events_of(manager)))
    said = [one.words for one in shown.of("li") if one.words.strip().startswith("you ")]
    assert [text in one for text, one in zip(("Move", "auditors", "staff"), said, strict=True)] == [True, True, True]
    assert ["left behind" in one for one in said] == [False, True, False]
    decided = [row.words for row in shown.of("tr") if "feedback : Tell the" in row.words]
    assert ["left behind" in row for row in decided] == [True, False]
    await manager.rewind()
    rewound = Elements(page(events_of(manager))).words
    assert rewound.count("left behind") > shown.words.count("left behind")
    await manager.redo()
    assert Elements(page(events_of(manager))).words.count("left behind") == shown.words.count("left behind")


async def test_a_gate_that_a_rewind_left_open_was_never_decided() -> None:
    manager = begin(max_iterations=3, checkpoint_interval=1)
    await manager.run(answering(CHOOSE))
    await manager.rewind()
    rows = [row.words for row in Elements(page(events_of(manager))).of("tr")]
    assert sum("never" in row for row in rows) == 1
    assert sum("not yet" in row for row in rows) == 1
