"""``workbench sessions export``: each form, whole or as of an event, to a file or to standard output."""

from __future__ import annotations

import io
import json
import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.cli.conftest import Command
from workbench.cli.carry_out import exporting
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.export.formats import FORMATS


def test_markdown_is_the_page_to_hand_out_and_full_is_the_plan_to_edit(workbench: Command, finished: str) -> None:
    page = workbench("sessions", "export", finished).out
    full = workbench("sessions", "export", finished, "--format", "md", "--full").out
    assert "| 1 |" in page
    assert "- S1 · " not in page
    assert "\n- S1 · " in full
    assert "\n<!-- end-of-plan -->\n" in full
    assert f"sessions export {finished} --format md --full`" in page


@pytest.mark.parametrize("form", [*FORMATS, "md", "html", "agents", "json"])
def test_no_form_steers_a_terminal(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdout", Terminal(written := io.BytesIO(), encoding="utf-8"))
    exporting._print(form, "a\x1b]0;x\x07\x9b1m\u202eb\n")
    assert written.getvalue().decode() == "a␛]0;x␇⟨U+009B⟩1m⟨U+202E⟩b\n"


def test_a_file_of_tasks_and_a_table_hold_no_controls() -> None:
    text = "a\0\x9b\u202e\x7fé"
    plan = Plan(title="T", sections=(Section(id="steps", title="Steps", items=(Step(id="S1", title=text),)),))
    written = FORMATS["tasks.json"](plan, datetime.now(UTC), "x")
    assert r'"a\u0000\u009b\u202e\u007fé"' in written
    assert json.loads(written)["master"]["tasks"][0]["title"] == text
    assert "\0" not in FORMATS["csv"](plan, datetime.now(UTC), "x")


@pytest.mark.parametrize("form", ["md", "json"])
def test_a_form_as_of_an_event_says_what_was_then(workbench: Command, finished: str, form: str) -> None:
    course = workbench("replay", finished, "--json").lines
    asks = next(one["seq"] for one in course if one["kind"] == "call.started")
    then = workbench("sessions", "export", finished, "--format", form, "--at", str(asks))
    assert then.code == 0
    assert ("No plan is drafted yet" in then.out) or json.loads(then.out)["plan"] is None
    last = str(course[-1]["seq"])
    whole = workbench("sessions", "export", finished, "--format", form)
    assert workbench("sessions", "export", finished, "--format", form, "--at", last).out == whole.out


@pytest.mark.parametrize("form", FORMATS)
def test_each_form_is_exported_on_the_command_line(workbench: Command, finished: str, form: str) -> None:
    result = workbench("sessions", "export", finished, "--format", form)
    assert result.code == 0
    assert "S1" in result.out or "T001" in result.out or "s1" in result.out
    assert f"{form} does not hold: " in result.err
    draft = workbench("run", "Plan a fair", "--json").last["session"]
    refused = workbench("sessions", "export", draft, "--format", form)
    assert (refused.code, "No plan is drafted yet" in refused.err) == (2, True)


@pytest.fixture
def no_umask() -> Iterator[None]:
    """A person whose files everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_umask")
def test_every_export_is_for_its_owner_alone(workbench: Command, finished: str, tmp_path: Path) -> None:
    older = tmp_path / "older.md"
    older.write_text("an older export")
    for form, name in (("md", "older.md"), ("jsonl", "new.jsonl"), ("html", "plan.html")):
        assert workbench("sessions", "export", finished, "--format", form, "-o", name, "--yes").code == 0
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    assert older.read_text() != "an older export"
    assert workbench("sessions", "export", finished, "--format", "entities", "-o", "notes").code == 0
    assert stat.S_IMODE((tmp_path / "notes").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "command", [("sessions", "export", "ID", "-o", "a.md"),
                ("sessions", "export", "ID", "--format", "entities", "-o", "a")]
)  # fmt: skip
def test_a_file_is_replaced_only_when_it_is_said(
    workbench: Command, finished: str, tmp_path: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = tuple(finished if word == "ID" else word for word in command)
    assert workbench(*command).code == 0
    (written, *_) = files = [tmp_path / "a.md"] if "a.md" in command else sorted((tmp_path / "a").iterdir())
    for file in files:
        file.write_text("mine now")
    refused = workbench(*command)
    assert (refused.code, written.read_text()) == (2, "mine now")
    assert "exists already. Name another one, or add --yes" in refused.err
    assert workbench(*command, "--yes").code == 0
    written.write_text("mine now")
    monkeypatch.setattr("workbench.cli.output.has_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: "y")
    assert workbench(*command).code == 0
    assert "mine now" not in {file.read_text() for file in files}


@pytest.mark.parametrize("form", ["md", "entities"])
def test_an_export_goes_through_no_link_of_the_project(
    workbench: Command, finished: str, tmp_path: Path, form: str
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "docs").symlink_to("outside")
    refused = workbench("sessions", "export", finished, "--format", form, "-o", "docs/plan", "--yes")
    assert refused.code == 2
    assert "docs cannot be " in refused.err
    assert "it is a link" in refused.err
    assert list((tmp_path / "outside").iterdir()) == []
