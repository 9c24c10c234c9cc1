"""Twice as much foreign text takes twice as long to read: no reader's time grows with the square.

What may take any time (pages, plan files, tool servers) is read in a process that is killed: tests/test_foreign.py.
Plan files are here too, as nobody wants to wait for that.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from tests.full_plan import PLAN, TODAY, state_with
from tests.pace import EVEN, growth, took
from workbench.bootstrap.contents import LARGEST_TEMPLATE
from workbench.domain.commands import parse
from workbench.domain.errors import WorkbenchError
from workbench.domain.handout import hand_out
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.loop.agents import read_agent
from workbench.domain.loop.answers.replies import read_reply
from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.loop.asking.tool_calls import tool_call_in
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown
from workbench.domain.plan.plan import Item, Step
from workbench.domain.session.state import SessionState
from workbench.domain.shared.input import clean_value, read_value
from workbench.domain.text.cleaning import clean, clean_json
from workbench.domain.text.encodings import decoded
from workbench.domain.text.loose_json import TooDeep, json_values
from workbench.domain.text.quoting import closed, quoted, restored
from workbench.domain.values.dates import read_dates
from workbench.domain.values.plain import plain_text
from workbench.export.formats import FORMATS
from workbench.export.formats.workbooks import as_workbook
from workbench.export.markdown import entity_files, session_markdown
from workbench.export.objects import session_object
from workbench.export.plan_page import plan_page
from workbench.export.prose import as_html
from workbench.models.servers.wire import _as_chunk
from workbench.planning.sources.ignore_rules import IgnoreRules, TooManyPatterns
from workbench.planning.sources.web import NotRead, addresses_in
from workbench.settings import find_settings
from workbench.storage.files.drafts import Drafts
from workbench.storage.files.opening import Files
from workbench.storage.log_address import parse_log_address
from workbench.templates.playbooks import read_playbook
from workbench.templates.template import UnusableTemplate, read_template
from workbench.tui.markdown_lines import markdown_lines
from workbench.tui.session.plan.streaming import drafted
from workbench.tui.settings.themes import read_theme

MOMENT = datetime(2026, 3, 2, tzinfo=UTC)
REFUSALS = (WorkbenchError, TooDeep, NotRead, UnusableTemplate, TooManyPatterns, *UNREADABLE)
UNITS = (
    "[", "]", "{", '{"a":', "[[", '"', "\\", '\\"', '"""', "'''", "1", "-", "1e", "a.", "a", " ", "\t", "\n", "\r\n",
    ",", "=", "#", "a = 1\n", "[a]\n", "[[a]]\n", "[a.a]\n", "[a.", "a={a.", '"a".', "a=[", "a={a=", "<", "&", "*",
    "*a", "`", "\u0301", "\u200d", "\x1b[", "\udcff", '{"a":1},', "[],", '"a",', "x = '''", "words = [",
    'only = "a|"\n', "- ", "https://a.b/",
)  # fmt: skip
SHAPES = {
    "one thing": lambda unit, size: unit * (size // len(unit)),
    "a text of it": lambda unit, size: 'a = "' + unit * (size // len(unit)) + '"',
    "JSON of it": lambda unit, size: '{"results": [' + unit * (size // len(unit)) + "]}",
}


def settings(folder: Path, text: str) -> None:
    (folder / "config.toml").write_text(text, errors="replace")
    find_settings(folder, environ={"WORKBENCH_CONFIG": str(folder / "config.toml")})


def imported(name: str) -> Callable[[Path, str], object]:
    return lambda _, text: import_plan(text, name=name, today=TODAY)


def draft(folder: Path, text: str) -> None:
    (folder / "s.json").write_text(text, errors="replace")
    Drafts(folder, Files()).read("s")


def titled(text: str) -> SessionState:
    """Return a session whose plan has a step, a risk and everything else of this text."""
    sections = (replace(one, items=tuple(_titled(item, text) for item in one.items)) for one in PLAN.sections)
    return state_with(replace(PLAN, sections=tuple(sections)))


def _titled(item: Item, text: str) -> Item:
    if isinstance(item, Step):
        return replace(item, title=text, outcome=text) if item.id == "S2" else item
    return replace(item, text=text) if item.id in ("C1", "R1", "D1", "Q1") else item


WRITERS: dict[str, Callable[[SessionState], object]] = {
    "md": hand_out,
    "md, all of it": session_markdown,
    "html": plan_page,
    "json": session_object,
    "entities": entity_files,
    "xlsx": lambda state: as_workbook(state.plan or PLAN, MOMENT),
}
WRITERS |= {
    name: (lambda state, form=form: form(state.plan or PLAN, MOMENT, "s-1"))  # type: ignore[misc]
    for name, form in FORMATS.items()
}


def exported(write: Callable[[SessionState], object]) -> Callable[[Path, str], object]:
    return lambda _, text: write(titled(clean(text)))


READERS: dict[str, tuple[int, Callable[[Path, str], object]]] = {
    "search answer": (2_000_000, lambda _, text: addresses_in(text.encode(errors="replace"))),
    "playbook": (LARGEST_TEMPLATE, lambda _, text: read_playbook(text, "p")),
    "template": (LARGEST_TEMPLATE, lambda _, text: read_template(text, "t")),
    "settings": (200_000, settings),
    "theme": (200_000, lambda _, text: read_theme(text)),
    "agent": (200_000, lambda _, text: read_agent(text, "a")),
    "draft": (1_000_000, draft),
    "reply": (1_000_000, lambda _, text: list(json_values(text))),
    "whole answer": (1_000_000, lambda _, text: _as_chunk(text.encode(errors="replace"))),
    "shared value": (200_000, lambda _, text: clean_value(read_value(text))),
    **{f"plan.{end}": (120_000, imported(f"plan.{end}")) for end in ("md", "csv", "json", "mmd", "ics", "txt")},
    "Markdown shown": (200_000, lambda _, text: markdown_lines(text, 80)),
    "Markdown exported": (200_000, lambda _, text: as_html(text)),
    "own plan": (1_000_000, lambda _, text: from_markdown(text, PLAN)),
    "commands": (65_000, lambda _, text: parse(text, PLAN, today=TODAY)),
    "dates": (100_000, lambda _, text: read_dates(text, plain_text(text), TODAY)),
    "answer": (200_000, lambda _, text: read_reply(PlanTask(goal="x", today=f"{TODAY}", iteration=1), text)),
    "tool call": (200_000, lambda _, text: tool_call_in(text)),
    "draft of an answer": (200_000, lambda _, text: drafted(text, PLAN)),
    "foreign Markdown": (1_000_000, lambda _, text: (quoted(text), restored(text), closed(text))),
    "any bytes": (1_000_000, lambda _, text: decoded(text.encode(errors="replace"))),
    "log address": (10_000, lambda _, text: parse_log_address(f"redis://a/0?workspace={text}", "here")),
    "ignore file": (100_000, lambda _, text: IgnoreRules(text.split("\n")[:400])),
    "any text": (1_000_000, lambda _, text: clean(text)),
    "any JSON": (1_000_000, lambda _, text: clean_json(msgspec.json.decode(text))),
    **{f"export {name}": (50_000, exported(write)) for name, write in WRITERS.items()},
}
"""The most that is read, and what reads it."""
COSTLY = {"Markdown shown", "Markdown exported", "dates", "export html"}
"""Readers that take a tenth of a second for ten thousand characters."""


def seconds(read: Callable[[Path, str], object], folder: Path, text: str) -> float:
    gc.disable()  # it comes when it likes
    try:
        begun = time.process_time()
        with suppress(*REFUSALS):
            read(folder, text)
        return time.process_time() - begun
    finally:
        gc.enable()


TABLES = {
    "one column": ("| Task |\n|---|\n", "| Do |\n"),
    "bars": ("| Task |\n|---|\n", "|\n"),
    "tables": ("", "|x|\n|-|\n|y|\n\n"),
    "boxes": ("", "- [ ] Do\n"),
    "lists": ("", "1. Do\n   - it\n"),
    "headings": ("", "## Do\n"),
}


@pytest.mark.untraced
@pytest.mark.cases(2)
@pytest.mark.parametrize("table", TABLES)
def test_a_megabyte_of_a_plan_file_is_read_in_seconds(table: str, full_counts: bool) -> None:
    head, row = TABLES[table]
    share = 1 if full_counts else 16
    text = head + row * ((1_000_000 // share - len(head)) // len(row))
    most = 10 / share
    assert took(lambda: import_plan(text, name="plan.md", today=TODAY), within=most) < most


@pytest.mark.untraced
def test_blanks_before_lines_cost_nothing(full_counts: bool) -> None:
    lines = 10_000 if full_counts else 3_000
    text, most = "".join(" " * (line % 900 * 2) + "- [ ] Do\n" for line in range(lines)), lines / 5_000
    counts: list[int] = []
    work = lambda: counts.append(len(import_plan(text, name="plan.md", today=TODAY).plan.steps))  # noqa: E731
    assert took(work, within=most) < most
    assert counts[-1] > 10


@pytest.mark.untraced
def test_rows_beyond_the_most_steps_are_left_out() -> None:
    assert len(import_plan('a = "' + "[a]\n" * 7_500 + '"', name="plan.csv", today=TODAY).plan.steps) <= 5_000


@pytest.mark.cases(24)
@pytest.mark.untraced
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reader", READERS)
def test_twice_as_much_takes_twice_as_long(reader: str, shape: str, tmp_path: Path, full_counts: bool) -> None:
    most, read = READERS[reader]
    if reader.startswith(("plan.", "export ")) and shape != "one thing" and not full_counts:
        return
    largest = most if full_counts else 4_000 if reader in COSTLY else 8_000
    made = SHAPES[shape]
    shift = list(READERS).index(reader) + list(SHAPES).index(shape)
    slow = []
    for unit in UNITS if full_counts else UNITS[shift % 3 :: 3]:  # each reader another third
        times = growth(lambda size, unit=unit: seconds(read, tmp_path, made(unit, size)), largest)  # type: ignore[misc]
        if times > EVEN:
            slow.append((unit, round(times, 2)))
    assert not slow, f"{reader}, {shape}"
