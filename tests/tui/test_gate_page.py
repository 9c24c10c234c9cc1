"""An open checkpoint as a page: its findings, questions and answers in texts, and what Enter and x do with each."""

from __future__ import annotations

import dataclasses

import pytest
from msgspec.structs import replace
from tests.tui.acting import USUAL, WIDE, RunApp, sees, shown, until, wait_at_checkpoint
from tests.tui.session_fixtures import calm, gate, review, screen_of
from workbench.bootstrap import Workspace
from workbench.domain.log.growing import Growing
from workbench.domain.loop.offers import offers_of
from workbench.domain.loop.tasks import Finding
from workbench.domain.session.state import SessionState
from workbench.domain.statements.statement import Settled, Statement
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.marks import ASCII_MARKS, Marks
from workbench.tui.session.following import SessionChanged
from workbench.tui.session.gate_rows import GatePage, gate_page
from workbench.tui.session.reviewing import Reviewing
from workbench.tui.session.screen import SessionScreen

WIDTH = 90


def lines(page: GatePage) -> list[str]:
    return [line.plain.rstrip() for row in page.rows for line in row.lines]


def alike(item: str, severity: str = "minor", **more: str) -> Finding:
    return Finding(rule="steps.outcome", severity=severity, text=f"{item} has no outcome.", item=item, **more)  # type: ignore[arg-type]


@pytest.fixture
async def asked(workspace: Workspace) -> str:
    """A session at a checkpoint with an open decision, questions and findings."""
    commands = (
        'add decision "Buy or lease the van" @Anna by 3 May 2027',
        'D1 options "Buy it", "Lease it"',
        'add question "Who pays?" @Sam',
    )
    return await wait_at_checkpoint(workspace, commands=commands)


async def state_of(workspace: Workspace, session: str, *findings: Finding) -> SessionState:
    state = workspace.session(session).state()
    return replace(state, findings=findings) if findings else state


async def test_texts_and_not_counts(workspace: Workspace, asked: str) -> None:
    found = [alike("S1"), alike("S2"), Finding(rule="x", severity="major", text="It is late.", remedy="Begin sooner.")]
    wrong = Finding(rule="x", severity="major", text="Too heavy.", disputed="The clamp is certified.")
    state = await state_of(workspace, asked, *found, wrong)
    page = gate_page(state, (), WIDTH, Marks())
    told = lines(page)
    at = {name: told.index(name) for name in ("Decide first 1", "Findings 2", "Disputed 1")}
    assert list(at) == sorted(at, key=at.__getitem__)
    assert "▲ D1    Buy or lease the van (Anna · by 3 May)" in told
    assert [one.split()[0] for one in told if one.endswith("[choose]")] == ["A", "B"]
    majors = told[at["Findings 2"] + 1 :]
    assert majors[:2] == ["! V3    major  It is late.", "               Begin sooner."]
    assert "! V1    minor  2 alike: has no outcome. S1 S2" in told
    assert told[at["Disputed 1"] + 1 :][:2] == ["  V4    Too heavy.", "        The clamp is certified."]
    newest = next(one for one in told[told.index("Questions 3") + 1 :])
    assert newest.startswith("  Q4    Who pays? (Sam)"), "what came last is asked first"
    assert page.deeds["gate:D1:B"].enter == "D1 choose B"
    assert page.deeds["gate:V3"].out == 'V3 dispute "'


async def test_what_the_person_asked_stands_with_its_answer(workspace: Workspace, asked: str) -> None:
    state = await state_of(workspace, asked)
    said = Statement(id="U2", source="F1", text="Who tells the patients?", start=0)
    settled = Settled(statement="U2", state="answered", note="Mira does.")
    state = replace(state, statements=Growing([said]), settled=Growing([settled]))
    told = lines(gate_page(state, (), WIDTH, Marks()))
    at = told.index("You asked 1")
    assert told[at + 1].startswith("» U2    Who tells the patients?")
    assert told[at + 2].strip() == "Mira does."
    ascii_rows = gate_page(state, (), WIDTH, ASCII_MARKS).rows
    assert not any(sign in line.plain for row in ascii_rows for line in row.lines for sign in "▲»")
    state = replace(state, settled=Growing())
    told = lines(gate_page(state, (), WIDTH, Marks()))
    assert told[told.index("Not used yet 1") + 1].split()[:2] == ["U2", "“Who"]


async def test_repairs_of_findings_that_say_the_same_are_offered_together(workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=("deadline 20 Nov 2026",))
    state = workspace.session(session).state()
    offers = offers_of(state)
    assert offers
    page = gate_page(state, offers, WIDTH, Marks())
    told = lines(page)
    for offer in offers:
        at = next(at for at, line in enumerate(told) if line.strip().startswith(f"· {offer.repair.label[:40]}"))
        assert told[at].endswith("[take]")
        assert offer.consequence[:40] in told[at + 1] + told[at + 2]
    taken = [deeds.changes for deeds in page.deeds.values() if deeds.changes]
    assert taken == [offer.changes() for offer in offers]
    found = [alike(f"S{number}") for number in (1, 2, 3)]
    same = [dataclasses.replace(one, repair=dataclasses.replace(one.repair, finding=found[0])) for one in offers[:1]]
    same += [dataclasses.replace(one, repair=dataclasses.replace(one.repair, finding=found[1])) for one in offers[:1]]
    page = gate_page(replace(state, findings=tuple(found)), same, WIDTH, Marks())
    assert any(line.startswith("! V1    minor  3 alike") and line.endswith("[2 repairs]") for line in lines(page))
    assert len(page.deeds["gate:V1"].changes) == 2 * len(offers[0].changes())


@pytest.mark.parametrize("size", [USUAL, WIDE])
async def test_the_checkpoint_takes_the_page_and_its_rows_write_commands(
    run_app: RunApp, asked: str, size: tuple[int, int]
) -> None:
    async with run_app(session=asked, size=size) as pilot:
        await gate(pilot, "checkpoint")
        screen = screen_of(pilot)
        await pilot.press("ctrl+y")
        await sees(pilot, "to be decided", "Buy or lease the van", "F  finish")
        await pilot.press("up")
        await until(pilot, lambda: screen.plan_pane.has_focus)
        screen.plan_pane.reveal("gate:D1:B")
        await pilot.press("enter")
        await until(pilot, lambda: screen.draft.text == ":D1 choose B")
        screen.draft.put("")
        screen.plan_pane.focus()
        screen.plan_pane.reveal("gate:Q4")
        await pilot.press("x")
        await until(pilot, lambda: screen.draft.text == ":remove Q4")
        await pilot.press("enter")
        await until(pilot, lambda: "Who pays?" not in shown(pilot))
        assert screen.view == "gate"
        await pilot.press("ctrl+l", "1")
        await sees(pilot, "1 Plan v")


async def test_finishing_with_a_major_finding_asks(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, commands=("deadline 20 Nov 2026",))
    async with run_app(session=session) as pilot:
        await gate(pilot, "checkpoint")
        await review(pilot, "F")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await sees(pilot, "Finish all the same, with 1 major finding open?", "V1:")
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert workspace.session(session).state().finished is None
        await review(pilot, "F")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await pilot.press("y")
        await sees(pilot, "Saved as version")


async def test_the_review_follows_the_newest_version_of_a_round(run_app: RunApp, asked: str) -> None:
    async with run_app(session=asked) as pilot:
        await gate(pilot, "checkpoint")
        await calm(pilot)
        screen = screen_of(pilot)
        state = screen.state
        assert state is not None
        screen.reviewing = Reviewing(version=2, shown="change:2:D1", is_stacked=True)
        screen.on_session_changed(SessionChanged(state))
        assert screen.reviewing.version == 2
        newest = replace(state.versions[-1], version=state.version + 1, by="planner")
        screen.on_session_changed(SessionChanged(replace(state, versions=state.versions.appended(newest))))
        assert screen.reviewing == Reviewing(is_stacked=True)


@pytest.mark.parametrize("width", [46, 52, 72, 120])
async def test_no_line_of_it_is_wider_than_its_pane(workspace: Workspace, width: int) -> None:
    commands = (
        "deadline 20 Nov 2026",
        f'add decision "{"Buy or lease " * 12}" @"{"Anna of the fleet " * 4}" by 3 May 2027',
        f'D1 options "{"Buy it " * 20}", "Lease it"',
        f'add question "{"Who pays for all of it " * 6}" @Sam',
    )
    state = workspace.session(await wait_at_checkpoint(workspace, commands=commands)).state()
    page = gate_page(state, offers_of(state), width, Marks())
    assert max(line.cell_length for row in page.rows for line in row.lines) <= width


async def test_it_says_in_a_line_what_a_round_changed(workspace: Workspace, asked: str) -> None:
    state = workspace.session(asked).state()
    by_round = Growing(replace(one, by="planner") for one in state.versions)
    told = lines(gate_page(replace(state, versions=by_round), (), WIDTH, Marks()))
    (line,) = (one for one in told if "Changed" in one)
    assert line.startswith("Changed 1  ")
    assert "Q4" in line
    draft = replace(state, versions=Growing(state.versions[:1]))
    assert not any("Changed" in one for one in lines(gate_page(draft, (), WIDTH, Marks())))
