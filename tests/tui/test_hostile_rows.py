"""Hostile text in every row that is made of a session, before any widget: all of it is read, and nothing of it acts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal

import msgspec
import pytest
from tests.builders import plan_reply, sections_reply
from tests.tui.hostile import ENTITIES, HALVES, IN_A_FILE, ITEMS, LONG_LINE, NAMES, PROSE, Hostile, unsafe, unseen
from tests.tui.hostile_session import SHORT, state
from textual.content import Content
from workbench.bootstrap import Listed
from workbench.domain.log.growing import Growing
from workbench.domain.loop.gates import Choice, Gate
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import DaysOff, Money, Person, Plan, Section, Step
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean
from workbench.planning.driver import Running
from workbench.settings import Settings
from workbench.tui.help import help_rows
from workbench.tui.home.searching import Query, SessionTexts
from workbench.tui.home.sessions import session_rows
from workbench.tui.keymap import mapped_keys, problems, shown_key
from workbench.tui.lines import Row
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.marks import Marks
from workbench.tui.session.change_rows import list_rows, page_rows
from workbench.tui.session.drafting import Noted, Place
from workbench.tui.session.gate_rows import gate_page
from workbench.tui.session.main_rows import (
    approach_rows,
    partial_rows,
    question_rows,
    transcript_rows,
    waiting_rows,
)
from workbench.tui.session.memory_rows import memory_rows
from workbench.tui.session.plan_page import Page, Standing
from workbench.tui.session.plan_page import page_rows as page_rows_of_plan
from workbench.tui.session.plan_tables import Shown
from workbench.tui.session.reviewing import Reviewing, review_of
from workbench.tui.session.status_rows import status_rows
from workbench.tui.session.streaming import drafted
from workbench.tui.session.telling import gist, tell
from workbench.tui.session.why import subject_of, why_rows
from workbench.tui.session.wording import problem_of
from workbench.tui.settings.screen import key_rows, settings_rows
from workbench.tui.settings.themes import ThemeFailure
from workbench.tui.views import history_rows, recalled_rows, round_rows, top_line
from workbench.tui.widgets.bars import _lines
from workbench.tui.widgets.fleet import fleet_rows
from workbench.tui.widgets.gate_pane import gate_layout

WIDTH = 400
"""Wide enough that nothing is cut."""
MARKS = Marks()
IN_JSON = tuple(item for item in ITEMS if item not in HALVES)


def read(rows: Iterable[Row | Content]) -> str:
    """Return what rows say; nothing of it may act, be a link or disturb the line it stands on."""
    lines = [line for row in rows for line in (row.lines if isinstance(row, Row) else (row,))]
    for line in lines:
        assert unsafe(line.plain) == []
        assert not any("@" in str(span.style) or "link" in str(span.style) for span in line.spans)
    return "\n".join(line.plain for line in lines)


def all_read(items: Iterable[Hostile], said: str) -> None:
    missing = {item.name: pieces for item in items if (pieces := unseen(item, said))}
    assert missing == {}


def listed(called: Hostile, **changes: str) -> Listed:
    told = {"session": "s-x1y2", "name": called.text, "goal": called.text, "status": "waiting"} | changes
    return Listed(**{"updated": "2026-11-21T10:00:00Z", **told})


@pytest.mark.parametrize("item", [*ITEMS, PROSE, ENTITIES], ids=str)
def test_markdown_is_read_and_nothing_more(item: Hostile) -> None:
    all_read([item], read(line.content for line in markdown_lines(_arrived(item).text, WIDTH)))


def _arrived(item: Hostile) -> Hostile:
    """Return a text as it is once it has come in."""
    return Hostile(item.name, clean(item.text), item.seen)


def test_markdown_hides_nothing() -> None:
    hidden = "[a]: http://x 'b'\n\n```c d\ne\n```\n\n![f](g 'h')\n\n<!-- i -->\n\n<j k='l'>\n\n[m](n 'o')\n\n&NewLine;p"
    said = read(line.content for line in markdown_lines(hidden, WIDTH))
    assert [letter for letter in "abcdefghijklmnop" if letter not in said.replace("http", "")] == []


def _review_rows(one: SessionState) -> Iterator[Row]:
    """Yield each page of the review, beside the list, and why each of its lines is as it is."""
    review = review_of(one, 0)
    yield from list_rows(one, review, Reviewing(), WIDTH, MARKS)
    for page in review.pages:
        yield from page_rows(one, review, page, WIDTH, MARKS)
        yield from why_rows(one, subject_of(one, page.key), WIDTH, MARKS)


def whole_page(plan: Plan, noted: Sequence[Noted] = ()) -> list[Row]:
    """Return a plan as one page, with all that can be unfolded."""
    folded = page_rows_of_plan(Page(plan, WIDTH, 40, Shown.of(plan, None, MARKS), noted=noted))
    every = frozenset(key for row in folded for key in row.keys)
    return page_rows_of_plan(Page(plan, WIDTH, 40, Shown.of(plan, None, MARKS, unfolded=every), noted=noted))


STAGES: dict[str, Callable[[SessionState], Iterable[Row | Content]]] = {
    "question": lambda one: question_rows(one, WIDTH),
    "approach": lambda one: approach_rows(one, WIDTH),
    "checkpoint": lambda one: [
        *whole_page(one.plan),
        *_review_rows(one),
        *gate_page(one, (), WIDTH, MARKS).rows,
    ],
    "finished": lambda one: waiting_rows(one, None, WIDTH),
}


@pytest.mark.parametrize("stage", STAGES)
def test_what_a_session_shows_in_the_middle(stage: str) -> None:
    session = state(stage)
    all_read([IN_A_FILE], read(STAGES[stage](session)))
    for message in transcript_rows(session, WIDTH, MARKS):
        all_read([IN_A_FILE], read([message]))


def test_titles_of_sections_and_approaches() -> None:
    session = state("checkpoint")
    for name in SHORT:
        read(whole_page(Plan(title=name.text)))
    all_read(SHORT, read(whole_page(session.plan)))
    all_read(SHORT, read(approach_rows(session, WIDTH)))


def test_what_stands_beside_it() -> None:
    session = state("checkpoint")
    all_read(SHORT, read(memory_rows(session, WIDTH)))
    for name in SHORT:
        session = state("checkpoint", prose=name, names=SHORT[:3])
        all_read([name], read(memory_rows(session, WIDTH)))
        for message in history_rows(session, WIDTH, MARKS)[1:]:
            all_read([name], read(message.lines[1:]))
    session = state("checkpoint")
    roles = [item for item in SHORT if not unseen(item, read(history_rows(session, WIDTH, MARKS)))]
    assert len(roles) >= 3  # each of three replies came from a role of its own
    read(round_rows(session, None, WIDTH, MARKS))


def test_what_is_retrieved_from_other_sessions() -> None:
    found = recalled_rows(state("checkpoint"), WIDTH, MARKS)[-len(SHORT) :]
    for name, row in zip(SHORT, found, strict=True):
        for line in row.lines:  # whose it is, what it says, why it was found
            all_read([name], read([line]))
    searched = msgspec.structs.replace(state("checkpoint").searches[-1], unavailable=PROSE.text)
    missing = msgspec.structs.replace(state("checkpoint"), searches=Growing([searched]), recall=True)
    all_read([PROSE], read(recalled_rows(missing, WIDTH, MARKS)))


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_names_of_sessions_and_of_everything_else(name: Hostile) -> None:
    session = state("checkpoint", names=(name, *SHORT)) if name in SHORT else None
    if session is not None:
        all_read([name], read([top_line(session, None, WIDTH, MARKS)]))
        all_read([name], read(round_rows(session, None, WIDTH, MARKS)))
    all_read([name], read(fleet_rows([listed(name)], "", WIDTH, MARKS)))
    for one in (listed(name, goal="x"), listed(name, name="x")):
        all_read([name], read(session_rows([one], WIDTH, MARKS, best="", doomed="", driven=())))
    unread = listed(name, status="unreadable", error=name.text)
    all_read([name], read(session_rows([unread], WIDTH, MARKS, best="", doomed="", driven=())[0].lines[1:]))
    read(session_rows([listed(name, updated=name.text)], WIDTH, MARKS, best="", doomed="", driven=()))


@pytest.mark.parametrize("stamp", ["not a time", "", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_is_none_is_a_text(stamp: str) -> None:
    odd = listed(NAMES[0], updated=stamp)
    assert session_rows([odd], WIDTH, MARKS, best="", doomed="", driven=())


@pytest.mark.parametrize("name", SHORT, ids=str)
def test_what_is_found_inside_a_session(name: Hostile) -> None:
    session = state("checkpoint", prose=Hostile(name.name, f"needle {name.text}", name.seen), names=(name, *SHORT))
    (found,) = SessionTexts(lambda _session: session).look([listed(name)], Query("needle"))
    assert found is not None
    shown = session_rows([listed(name)], WIDTH, MARKS, best="", doomed="", driven=(), inside=[found])
    all_read([name], read([shown[0].lines[-1]]))


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_reply_under_way(name: Hostile) -> None:
    running = Running("planner", "plan", 1.0, 10, note=name.text)
    all_read([name], read(round_rows(state("approach"), running, WIDTH, MARKS)))
    all_read([PROSE], read(partial_rows(running, PROSE.text, WIDTH, MARKS)))


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_what_a_plan_comes_to(name: Hostile) -> None:
    text = name.text[:200]  # as much as a name shows
    step = Step(id="S1", title=text, owner=text, start="2026-03-02", cost=Money(Decimal(5), text), cost_kind=text)
    person = Person(id="P1", text=text, role=text)
    days_off = DaysOff(id="H1", text=text, country=text)
    section = Section(id="steps", title="Steps", items=(step, person, days_off))
    plan, today = Plan(title="", sections=(section,)), date(2026, 3, 2)
    told = figures(plan)
    for width in (30, 76, WIDTH):
        standing, shown = Standing.of(plan, plan, told, today), Shown.of(plan, told, MARKS)
        said = read(status_rows(Page(plan, width, 30, shown, standing=standing, is_status=True)))
    assert "Costs" in said


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_note_on_the_plan(name: Hostile) -> None:
    session = state("checkpoint")
    noted = Noted(Place(session.plan.sections[0].id, 0, "x"), name.text)
    without, with_note = (read(whole_page(session.plan, notes)) for notes in ((), (noted,)))
    all_read([name], with_note[len(without.partition("\n")[0]) :])
    assert "note: " in with_note


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_gate(name: Hostile) -> None:
    choice = Choice(kind="continue", label=name.text, consequence=name.text)
    gate = Gate(id="g1", kind="checkpoint", question=name.text, choices=(choice,), options=(name.text,))
    *question, option = gate_layout(gate, WIDTH, str).lines
    all_read([name], read(question))
    all_read([name], read([option])[: WIDTH // 2])
    feedback = Gate(
        id="g2", kind="checkpoint", question="", choices=(msgspec.structs.replace(choice, kind="feedback"),)
    )
    read(gate_layout(feedback, WIDTH, str, notes=1, can_note=True).lines)


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_settings_keys_and_themes(name: Hostile) -> None:
    settings = Settings(theme=name.text, keys={"app.new": name.text, name.text: "f4"}, sources={"theme": name.text})
    failure = ThemeFailure(name.text, name.text)
    all_read([name], read(settings_rows(settings, (name.text,), (failure,), WIDTH, MARKS)))
    read(key_rows(settings.keys, WIDTH))
    assert unsafe("".join(shown_key(key) for one in mapped_keys(settings.keys) for key in one.keys)) == []
    read(help_rows([(name.name, mapped_keys(settings.keys))]))
    assert problems(settings.keys)


def test_a_key_that_is_none_is_shown_with_its_marks() -> None:
    (row,) = (row for row in key_rows({"app.new": "\x1b]0;x\x07"}, WIDTH) if row.key == "key:app.new")
    assert "␛]0;x␇" in read([row])
    assert shown_key("ctrl+\x1b") == "^␛"


def test_replies_that_are_no_replies() -> None:
    said = json.dumps({"findings": [{"severity": item.text, "text": item.text} for item in IN_JSON]})
    all_read(IN_JSON, tell(said))
    all_read(IN_JSON, gist(said))
    for item in ITEMS:
        all_read([item], tell(item.text))
        all_read([item], gist(item.text))
    assert unsafe((gist(said) + tell(said)).replace("\n", "")) == []


def test_a_plan_while_it_is_written() -> None:
    sections = state("checkpoint").plan.sections
    for reply in (plan_reply(*sections, title=SHORT[0].text), sections_reply(*sections, title=SHORT[0].text)):
        so_far = drafted(reply.removesuffix("}") + ', "', None)
        assert so_far is not None
        assert len(so_far.items) == len([item for section in sections for item in section.items])
        all_read(SHORT[:1], so_far.title)
        said = [line for section in so_far.sections for line in (section.title, *section.text.split("\n"))]
        assert [found for line in said for found in unsafe(line)] == []


def test_a_line_of_a_megabyte_is_read_to_its_end() -> None:
    lines = markdown_lines(LONG_LINE, 80)
    assert sum(line.content.plain.count("x") for line in lines) == len(LONG_LINE)
    assert max(line.content.cell_length for line in lines) <= 80


@pytest.mark.parametrize("stage", ["failed", "stopped", "finished"])
def test_why_a_session_does_not_go_on(stage: str) -> None:
    for name in SHORT:
        problem = problem_of(state(stage, prose=name), str, can_drive=True)
        assert problem is not None
        all_read([name], read(_lines(problem, 1, WIDTH, MARKS)))
