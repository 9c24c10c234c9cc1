"""Twice as much foreign text takes twice as long to read: no reader's time grows with the square.

What may take any time (pages, plan files, tool servers) is read in a process that is killed: tests/test_foreign.py.
Plan files are here too, as nobody wants to wait for that.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from math import inf
from pathlib import Path

import msgspec
import pytest
from workbench.bootstrap.contents import LARGEST_TEMPLATE
from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.loop.agents import read_agent
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.shared.input import clean_value, read_value
from workbench.domain.text.cleaning import clean, clean_json
from workbench.domain.text.loose_json import TooDeep, json_values
from workbench.models.wire import _as_chunk
from workbench.planning.web import NotRead, addresses_in
from workbench.settings import find_settings
from workbench.storage.files.drafts import Drafts
from workbench.storage.files.opening import Files
from workbench.templates.playbooks import read_playbook
from workbench.templates.template import UnusableTemplate, read_template
from workbench.tui.themes import read_theme

REFUSALS = (WorkbenchError, TooDeep, NotRead, UnusableTemplate, *UNREADABLE)
RATIO, AT_ONCE = 2.6, 0.05
"""How much longer twice as much may take, and seconds that are no time."""
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
    return lambda _, text: import_plan(text, name=name, today=date(2027, 1, 10))


def draft(folder: Path, text: str) -> None:
    (folder / "s.json").write_text(text, errors="replace")
    Drafts(folder, Files()).read("s")


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
    "any text": (1_000_000, lambda _, text: clean(text)),
    "any JSON": (1_000_000, lambda _, text: clean_json(msgspec.json.decode(text))),
}
"""The most that is read, and what reads it."""


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
@pytest.mark.parametrize("table", TABLES)
def test_a_megabyte_of_a_plan_file_is_read_in_seconds(table: str) -> None:
    head, row = TABLES[table]
    text = head + row * ((1_000_000 - len(head)) // len(row))
    begun = time.process_time()
    import_plan(text, name="plan.md", today=date(2027, 1, 10))
    assert time.process_time() - begun < 10


@pytest.mark.untraced
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("reader", READERS)
def test_twice_as_much_takes_twice_as_long(reader: str, shape: str, tmp_path: Path, full_counts: bool) -> None:
    most, read = READERS[reader]
    if reader.startswith("plan.") and shape != "one thing" and not full_counts:
        return
    largest = most if full_counts else 24_000
    made = SHAPES[shape]
    slow = []
    for unit in UNITS:
        whole = seconds(read, tmp_path, made(unit, largest))
        if whole < AT_ONCE:
            continue
        sizes, times = (largest // 4, largest // 2, largest), [inf, inf, whole]
        for _ in range(5):  # another process may have been in the way
            times = [
                min(one, seconds(read, tmp_path, made(unit, size))) for one, size in zip(times, sizes, strict=True)
            ]
            growth = (times[2] / times[0]) ** 0.5  # of a doubling, over two of them
            if times[2] < AT_ONCE or growth <= RATIO:
                break
        else:
            slow.append((unit, [round(one, 3) for one in times]))
    assert not slow, f"{reader}, {shape}"
