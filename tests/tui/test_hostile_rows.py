"""Hostile text in every row that is made of a session, before any widget: all of it is read, and nothing of it acts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.builders import plan_reply, sections_reply
from tests.tui.hostile import ENTITIES, HALVES, IN_A_FILE, ITEMS, NAMES, PROSE, Hostile, unsafe, unseen
from tests.tui.hostile_session import SHORT, state
from textual.content import Content
from workbench.bootstrap import Listed
from workbench.domain.plan.figures import figures
from workbench.domain.plan.plan import DaysOff, Money, Person, Plan, Section, Step
from workbench.domain.session.items import items
from workbench.domain.text.cleaning import clean
from workbench.tui.home.searching import found_in
from workbench.tui.home.sessions import session_rows
from workbench.tui.lines import Row
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.marks import Marks
from workbench.tui.session.plan.plan_page import Page, Standing
from workbench.tui.session.plan.plan_page import page_rows as page_rows_of_plan
from workbench.tui.session.plan.plan_tables import Shown, costs_and_people
from workbench.tui.session.plan.streaming import drafted
from workbench.tui.session.review.change_rows import list_rows, page_rows
from workbench.tui.session.review.gate_rows import gate_page
from workbench.tui.session.review.reviewing import Reviewing, review_of
from workbench.tui.session.review.why import subject_of, why_rows
from workbench.tui.session.telling import gist, tell
from workbench.tui.session.wording import standstill_of
from workbench.tui.widgets.bars import _lines

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


def test_a_plan_unfolded_and_each_page_of_its_review() -> None:
    one = state("checkpoint")
    folded = page_rows_of_plan(Page(one.plan, WIDTH, 40, Shown.from_plan(one.plan, None, MARKS)))
    every = frozenset(key for row in folded for key in row.keys)
    rows = page_rows_of_plan(Page(one.plan, WIDTH, 40, Shown.from_plan(one.plan, None, MARKS, unfolded=every)))
    review = review_of(one, 0)
    rows += list_rows(one, review, Reviewing(), WIDTH, MARKS)
    for page in review.pages:
        rows += [*page_rows(one, review, page, WIDTH, MARKS), *why_rows(one, subject_of(one, page.key), WIDTH, MARKS)]
    all_read([IN_A_FILE], read([*rows, *gate_page(one, (), WIDTH, MARKS).rows]))


@pytest.mark.parametrize("stamp", ["not a time", "", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"])
def test_a_time_that_is_none_is_a_text(stamp: str) -> None:
    odd = listed(NAMES[0], updated=stamp)
    assert session_rows([odd], WIDTH, MARKS)


@pytest.mark.parametrize("name", SHORT, ids=str)
def test_what_is_found_inside_a_session(name: Hostile) -> None:
    session = state("checkpoint", prose=Hostile(name.name, f"needle {name.text}", name.seen), names=(name, *SHORT))
    literal = [SimpleNamespace(item=item) for item in items(session) if "needle" in item.text]
    found = next(found_in(cast("Any", SimpleNamespace(literal=literal, near=())), "needle"))
    shown = session_rows([listed(name, session=found.session)], WIDTH, MARKS, inside=[found])
    all_read([name], read([shown[0].lines[-1]]))


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
        standing, shown = Standing.from_plans(plan, plan, today), Shown.from_plan(plan, told, MARKS)
        page = Page(plan, width, 30, shown, standing=standing, by_urgency=True)
        said = read([*page_rows_of_plan(page), *costs_and_people(told, width)])
    assert "Costs" in said


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


@pytest.mark.parametrize("stage", ["failed", "stopped", "finished"])
def test_why_a_session_does_not_go_on(stage: str) -> None:
    for name in SHORT:
        problem = standstill_of(state(stage, prose=name), str, can_drive=True)
        assert problem is not None
        all_read([name], read(_lines(problem, 1, WIDTH, MARKS)))
