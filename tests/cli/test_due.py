"""``workbench due``: what is late, due or at risk over the plans of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import GOAL, MOVE, Command, Once


@pytest.fixture
def saved(workbench: Command, once: Once) -> str:

    def make() -> str:
        return str(workbench("run", GOAL, *MOVE, "--approve", "all", "--json").last["session"])

    return once("saved of due", make)


def test_late_steps_are_listed_and_end_with_code_4(workbench: Command, saved: str) -> None:
    result = workbench("due", "--today", "2099-01-01")
    assert result.code == 4
    assert saved in result.out
    assert "days late" in result.out
    lines = workbench("due", "--today", "2099-01-01", "--json").lines
    assert {(line["kind"], line["session"], line["standing"]) for line in lines} == {("late", saved, "agreed")}


def test_the_report_of_a_week_is_markdown(workbench: Command, saved: str) -> None:
    report = workbench("due", "--today", "2099-01-01", "--report").out
    assert report.startswith("# Due as of 2099-01-01\n\n1 plan, the next 7 days.\n\n## ")
    assert f"Session {saved}, agreed." in report
    assert "- **late** S1 " in report
    assert "Nothing is due." in workbench("due", "--today", "2020-01-01", "--report").out


def test_private_plans_and_drafts_are_looked_at_only_when_named(workbench: Command) -> None:
    private = workbench("run", GOAL, *MOVE, "--approve", "all", "--private", "--json").last["session"]
    draft = workbench("run", GOAL, "--json").last["session"]
    nothing = workbench("due", "--today", "2099-01-01")
    assert nothing.code == 0
    assert "0 plans looked at" in nothing.out
    assert "--plan ID" in nothing.err
    assert workbench("due", "--plan", private, "--today", "2099-01-01").code == 4
    assert workbench("due", "--plan", draft, "--today", "2099-01-01").code == 0


def test_an_unreadable_session_is_named_and_the_others_are_listed(workbench: Command, saved: str) -> None:
    [file] = Path(".workbench/sessions").glob("*.jsonl")
    (file.parent / "broken-x1y2.jsonl").write_text("garbage\n", encoding="utf-8")
    result = workbench("due", "--today", "2099-01-01")
    assert result.code == 4
    assert saved in result.out
    assert "broken-x1y2 cannot be read" in result.err


def test_a_plan_is_read_again_only_where_it_changed(workbench: Command, saved: str, tmp_path: Path) -> None:
    """What is due of the others is kept, sealed, and holds nothing of a private plan."""
    late = ("due", "--today", "2099-01-01", "--json")
    before = workbench(*late).lines
    kept = tmp_path / ".workbench" / "cache" / "open-plans.json"
    assert saved in kept.read_text(encoding="utf-8")
    stamp = kept.stat().st_mtime_ns
    assert workbench(*late).lines == before
    assert kept.stat().st_mtime_ns == stamp, "nothing was read, so nothing was kept"
    workbench("status", saved, "S1 done", "--yes")
    after = workbench(*late).lines
    assert [line["step"] for line in after] == [line["step"] for line in before if line["step"] != "S1"]
    kept.write_text(kept.read_text(encoding="utf-8").replace('"S2"', '"S9"'), encoding="utf-8")
    assert workbench(*late).lines == after, "what somebody else wrote is not believed"
    kept.unlink()
    assert workbench(*late).lines == after


def test_nothing_of_a_private_plan_is_kept(workbench: Command, tmp_path: Path) -> None:
    private = workbench("run", GOAL, *MOVE, "--approve", "all", "--private", "--json").last["session"]
    workbench("due")
    kept = (tmp_path / ".workbench" / "cache" / "open-plans.json").read_text(encoding="utf-8")
    assert private in kept
    assert GOAL not in kept
