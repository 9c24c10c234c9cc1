"""``workbench sessions diff``: two points of one session, or of two, for people and for programs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.cli.conftest import Command, Once
from tests.sample_sessions import FOLDER
from workbench.domain.session.session import fold
from workbench.storage.files.session_file import read_session_file

BILLING, WEDDING = "move-billing-provider-demo", "organise-wedding-80-demo"


@pytest.fixture
def demo(workbench: Command, tmp_path: Path, once: Once) -> str:
    """A workspace with a session that has three versions of its plan."""

    def make() -> str:
        workbench("run", "Plant a hedge")
        shutil.copy(FOLDER / f"{BILLING}.jsonl", tmp_path / ".workbench/sessions")
        return BILLING

    return once("demo of sessions_diff", make)


EVENTS = tuple(read_session_file(FOLDER / f"{BILLING}.jsonl"))
FIRST, SECOND = (version.seq for version in fold(EVENTS).versions[:2])
"""The events that made the first and the second version of the plan."""


def tokens_at(seq: int) -> int:
    """What the session had spent as of an event."""
    return fold(EVENTS[:seq]).spent.tokens


def test_two_versions_of_a_session(workbench: Command, demo: str) -> None:
    out = workbench("sessions", "diff", f"{demo}@v1", "@v2").out
    head, *_ = out.split("\n\n")
    assert [line.split()[0] for line in head.splitlines()] == ["−", "+", "One"]
    assert f"event {FIRST}" in head
    assert f"One session, {SECOND - FIRST} events apart." in head
    assert "\nRisks · changed" in out
    assert "\nGoal · " not in out
    assert "+ • R3 · Customers" in out
    a, b = tokens_at(FIRST), tokens_at(SECOND)
    assert re.search(rf"^tokens +{a:,} +{b:,} +\+{b - a:,}$", out, re.MULTILINE)


def test_json_is_one_object_with_everything(workbench: Command, demo: str) -> None:
    result = workbench("sessions", "diff", f"{demo}@v1", f"{demo}@v2", "--json")
    compared = json.loads(result.out)
    assert compared["schema"] == "workbench.comparison/1"
    assert compared["differs"]
    assert {one["section"]: one["kind"] for one in compared["plan"]["sections"]}["risks"] == "changed"
    assert "+- R3 · Customers" in compared["plan"]["unified"]
    assert compared["insights"]["lost"] == []
    assert compared["context"]["stayed"] > 0
    tokens = {"name": "tokens", "a": tokens_at(FIRST), "b": tokens_at(SECOND), "unit": "tokens"}
    assert tokens in compared["numbers"]


def test_files_and_sessions_of_the_workspace(workbench: Command, demo: str) -> None:
    out = workbench("sessions", "diff", str(FOLDER / f"{WEDDING}.jsonl"), demo).out
    assert "Two sessions that share no event." in out
    assert f"− {FOLDER}"[:20] in out
    assert "Nothing stayed." in out
    copied = workbench("sessions", "diff", f"{FOLDER / demo}.jsonl@10", f"{demo}@12", "--json").last
    assert copied["relation"] == "One session, 2 events apart."


def test_mistakes_are_told_with_what_to_do(workbench: Command, demo: str) -> None:
    young = next(one["session"] for one in workbench("sessions", "list", "--json").lines if one["session"] != demo)
    for arguments, message, remedy in (
        ([f"{demo}@v9"], "has no version 9", "from 1 to 3"),
        ([demo, "@900"], "has no event 900", f"from 1 to {len(EVENTS)}"),
        ([young], "no two versions", "Name two points"),
        ([f"{young}@v1"], "has no version 1", "No plan is drafted"),
        ([demo, "nobody"], "nobody", ""),
    ):
        result = workbench("sessions", "diff", *arguments)
        assert (result.code, result.out) == (2, "")
        assert message in result.err
        assert remedy in result.err
