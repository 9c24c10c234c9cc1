"""``workbench plan``: what a plan comes to, for people and for programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.conftest import MOVE, Command, Once
from tests.full_plan import TEXT


@pytest.fixture
def market(workbench: Command, tmp_path: Path, once: Once) -> str:
    """The id of a session that waits at a checkpoint, with a plan in which all fields say something."""

    def make() -> str:
        begun = workbench("run", "Hold a market", *MOVE, "--json").last["session"]
        (tmp_path / "market.md").write_text(TEXT, encoding="utf-8")
        edited = workbench("resume", begun, "--edit", "market.md", "--json")
        assert edited.last["status"] == "waiting", edited.err
        return str(begun)

    return once("market of plan", make)


def test_it_says_what_the_plan_comes_to(workbench: Command, market: str) -> None:
    out = workbench("plan", market).out
    assert "Village market · version" in out
    assert "1 of 6 steps done · finish 29 May 2026 · 50% by" in out
    assert "12,300 of 14,000 EUR" in out
    for said in ("S5\tWait for the permit (waiting)", "after S1", "not before 25 May", "Costs by kind", "People"):
        assert said in out
    assert "\x1b" not in out
    assert "1 of 6 steps done · finish 29 May 2026 · 50%" in workbench("sessions", "show", market).out


def test_an_unchanged_export_is_no_edit(workbench: Command, market: str) -> None:
    before = workbench("plan", market, "--json").last
    workbench("sessions", "export", market, "--full", "-o", "out.md")
    assert workbench("resume", market, "--edit", "out.md", "--json").code == 3
    assert workbench("plan", market, "--json").last == before


def test_the_page_to_hand_out_is_no_edit(workbench: Command, market: str) -> None:
    before = workbench("plan", market, "--json").last
    workbench("sessions", "export", market, "-o", "page.md")
    refused = workbench("resume", market, "--edit", "page.md")
    assert refused.code == 2
    assert "This is the page to hand out" in refused.err
    assert workbench("plan", market, "--json").last == before
