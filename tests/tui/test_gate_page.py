"""Gates: a checkpoint as a page, the pane of answers, what a tool or a removal asks, and pastes that decide nothing."""

from __future__ import annotations

import asyncio
import json
from itertools import accumulate, pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import UNDATED_DRAFT, Script, plan_reply, sections_reply
from tests.planning.test_removals import ELEVEN, TWO
from tests.planning.test_tools import Tickets
from tests.tui.acting import GOAL, SMALL, USUAL, WIDE, Look, RunApp, sees, shown, until, wait_at_checkpoint
from tests.tui.reading import read_at_once
from tests.tui.session_fixtures import (
    HeldModel,
    at_checkpoint,
    begin,
    gate,
    review,
    screen_of,
    settled,
    use,
)
from tests.tui.test_session_snapshots import reviewing, then
from workbench.bootstrap import Workspace
from workbench.domain.log.growing import Growing
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.loop.deciding.gates import Gate
from workbench.domain.loop.deciding.goal_values import unused_values, unused_values_text
from workbench.domain.loop.deciding.offers import offers_of
from workbench.domain.session.session import SessionState
from workbench.domain.statements.statement import Settled, Statement
from workbench.export.gates import gate_lines
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approve_all, approving_all
from workbench.planning.ports import Decision
from workbench.planning.trust.tools import Toolbox
from workbench.tui.dialog import ConfirmDialog
from workbench.tui.home.sessions import SessionsScreen
from workbench.tui.marks import ASCII_MARKS, Marks
from workbench.tui.session.review.change_rows import list_rows
from workbench.tui.session.review.gate_rows import UNUSED, GatePage, gate_page
from workbench.tui.session.review.reviewing import Reviewing, review_of
from workbench.tui.session.screen import SessionScreen
from workbench.tui.widgets.gate_pane import MOMENT, PasteGuard

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


async def test_values_of_the_goal_that_are_not_used_are_named_with_what_each_can_be(
    workspace: Workspace, asked: str
) -> None:
    session = workspace.session(asked)
    goal = "Celebrate on 12 March 2029 with 60 guests, 1,500 EUR"
    state = replace(session.state(), goal=goal)
    page = gate_page(state, (), WIDTH, Marks())
    told = [line.strip() for line in lines(page)]
    at = told.index("Your goal names, not used 2")
    assert [" ".join(line.split()) for line in told[at + 1 : at + 4]] == [
        "Mon 12 March 2029 is the deadline (all is done by then) [use]",
        "or the day it is for (the plan is dated back from it) [use]",
        "1,500 EUR is the budget [use]",
    ]
    deadline, day, budget = (page.deeds[key].enter for key in ("gate:goal-1", "gate:goal-1:1", "gate:goal-2"))
    assert (deadline, day, budget) == ("deadline 2029-03-12", "goal day 2029-03-12", "budget 1500 EUR")
    assert unused_values_text(unused_values(state)) == "Your goal names Mon 12 March 2029 and 1,500 EUR: not used"
    assert [line.text for line in gate_lines(state, state.gate) if "goal names" in line.text] == [
        f"Your goal names Mon 12 March 2029: not used. The command “{deadline}” or “{day}” uses it.",
        "Your goal names 1,500 EUR: not used. The command “budget 1500 EUR” uses it.",
    ]
    assert unused_values(replace(session.edit("goal day 2029-03-12; budget 1500 EUR"), goal=goal)) == ()
    assert unused_values(replace(state, options=replace(state.options, model="openai:x", roles={}))) == ()


async def test_a_value_of_the_goal_is_used_from_the_plan(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, f"{GOAL}, for at most 1,500 EUR")
    async with run_app(session=session) as pilot:
        await sees(pilot, "Fri 30 June 2028 and 1,500 EUR: not used")
        await pilot.press("ctrl+l")
        pane = screen_of(pilot).plan_pane
        pane.cursor = next(at for at, row in enumerate(pane.rows) if row.key.startswith("use:budget"))
        await pilot.press("enter")
        await until(pilot, lambda: screen_of(pilot).draft.text == ":budget 1500 EUR")
        await pilot.press("enter")
        await sees(pilot, "Your goal names Fri 30 June 2028: not used")


async def test_what_other_programs_offer_is_decided_here_and_seen_in_the_review(
    workspace: Workspace, asked: str
) -> None:
    session = workspace.session(asked)
    session.offer("claude", "S1 owner Ben", reason="Anna is away")
    session.offer("codex", "S2 owner Cleo")
    state = session.state()
    page = gate_page(state, (), WIDTH, Marks())
    told = lines(page)
    at = told.index("Offered 2")
    assert told[at + 1].split() == ["▲", "O1", "claude", "offers:", "S1", "owner", "Ben", "[accept]"]
    assert told[at + 2].strip() == "Anna is away"
    assert (page.deeds["gate:O1"].enter, page.deeds["gate:O1"].out) == ("O1 accept", 'O1 decline "')
    listed = [
        line.plain for row in list_rows(state, review_of(state, 0), Reviewing(), WIDTH, Marks()) for line in row.lines
    ]
    assert any(line.startswith("OFFERED  2") for line in listed)
    assert "  O2 codex: S2 owner Cleo" in listed
    session.edit("O1 accept")
    session.edit("O2 decline")
    assert "Offered" not in "\n".join(lines(gate_page(session.state(), (), WIDTH, Marks())))


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
    same = [
        msgspec.structs.replace(one, repair=msgspec.structs.replace(one.repair, finding=found[0])) for one in offers[:1]
    ]
    same += [
        msgspec.structs.replace(one, repair=msgspec.structs.replace(one.repair, finding=found[1])) for one in offers[:1]
    ]
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
        await pilot.press("ctrl+s")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionsScreen))  # what is typed next is typed there
        await pilot.press("escape")
        await review(pilot, "F")
        await until(pilot, lambda: isinstance(pilot.app.screen, ConfirmDialog))
        await pilot.press("y")
        await sees(pilot, "Saved as version")


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


CLOSE = st.floats(0, MOMENT / 2)
APART = st.floats(MOMENT * 1.5, 10)


@given(st.lists(st.one_of(CLOSE, APART), min_size=1, max_size=12))
def test_a_key_stands_alone_when_no_other_came_within_a_moment(gaps: list[float]) -> None:
    guard, alone, times = PasteGuard(), [], list(accumulate(gaps))
    for at, after in pairwise([*times, float("inf")]):
        guard.arrive(at)
        alone.append(after - at >= MOMENT and guard.stands_alone(guard.newest))
    around = pairwise([float("inf"), *gaps[1:], float("inf")])
    assert alone == [before >= MOMENT and after >= MOMENT for before, after in around]


@pytest.fixture
def held_of_paste_guard(workspace: Workspace) -> HeldModel:
    model = HeldModel()
    use(workspace, model)
    return model


@pytest.mark.full
@pytest.mark.usefixtures("held_of_paste_guard")
@pytest.mark.parametrize("pasted", ["continue like this\n", "cF\n", "F\n", "finish F", "x c", "c?\nF", "quit", "cc"])
async def test_a_paste_that_comes_as_keys_decides_nothing(run_app: RunApp, workspace: Workspace, pasted: str) -> None:
    async with run_app() as pilot:
        opened = await at_checkpoint(pilot, GOAL)
        await review(pilot)
        read_at_once(pilot, pasted)
        await pilot.press("escape")  # closes the help that a question mark opens; elsewhere, goes to the input
        await settled(pilot)
        screen = screen_of(pilot)
        assert workspace.session(screen.session).state().gate == opened
        await review(pilot, "F")
        await until(pilot, lambda: screen.state is not None and screen.state.finished is not None)


@pytest.mark.usefixtures("held_of_paste_guard")
async def test_numbers_that_come_at_once_choose_nothing(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        await begin(pilot, GOAL)
        opened = await gate(pilot, "approach")
        await review(pilot)
        read_at_once(pilot, "1. Prepare\n2. Switch")
        await until(pilot, lambda: "Many keys came" in shown(pilot))
        assert workspace.session(screen_of(pilot).session).state().gate == opened


@pytest.fixture
def left_out(workspace: Workspace) -> str:
    """A session whose planner left nine of eleven steps out of its second reply."""
    script = Script().then("plan", plan_reply(*UNDATED_DRAFT[:2], ELEVEN), sections_reply(TWO))
    use(workspace, CallableModel(script, name="told"))
    manager = workspace.start(GOAL)

    async def decide(_state: SessionState, asked: Gate) -> Decision | None:
        answer = None if asked.kind == "removal" else approve_all(asked)
        return None if answer is None else Decision(answer, "person")

    asyncio.run(manager.run(decide))
    assert manager.state.gate is not None
    return str(manager.session_id)


@pytest.mark.parametrize(("key", "count"), [("k", 11), ("x", 2)])
def test_its_letters_keep_or_remove(run_app: RunApp, workspace: Workspace, left_out: str, key: str, count: int) -> None:
    def state() -> SessionState:
        return workspace.session(left_out).state()

    async def decided() -> None:
        async with run_app(session=left_out) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "removal")
            await pilot.press("ctrl+y", key)
            await gate(pilot, "checkpoint")

    asyncio.run(decided())
    plan = state().plan
    assert plan is not None
    assert len(plan.steps) == count


HOSTILE = {
    "title": "Move [@click=app.quit]the ward[/] \x1b]52;c;eA==\x07",
    "text": "harmless" + "\n" * 60 + " " * 1_500 + "and its end",
    "last": True,
}


def asking(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any]) -> tuple[str, Tickets]:
    """Return a session whose planner asks for a tool, and the server that has it."""
    server = Tickets()
    monkeypatch.setattr(workspace.parts, "toolbox", lambda: Toolbox(servers={"tickets": server}))
    call = json.dumps({"tool": "tickets.open_ticket", "arguments": arguments})
    use(workspace, CallableModel(Script().then("plan", call), name="told"))
    manager = workspace.start(GOAL)
    asyncio.run(manager.run(approving_all()))
    assert manager.state.gate is not None
    assert manager.state.gate.kind == "tool"
    return str(manager.session_id), server


@pytest.fixture
def asks(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Tickets]:
    return asking(workspace, monkeypatch, HOSTILE)


@pytest.mark.cases(1)
@pytest.mark.parametrize(("key", "used"), [("y", 1), ("v", 1), ("d", 0)])
def test_its_letters_allow_or_refuse(
    run_app: RunApp, workspace: Workspace, asks: tuple[str, Tickets], key: str, used: int
) -> None:
    session, server = asks

    def state() -> SessionState:
        return workspace.session(session).state()

    async def decided() -> None:
        async with run_app(session=session) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "tool")
            assert not server.used
            await pilot.press("ctrl+y", key)
            await until(pilot, lambda: state().uses)

    asyncio.run(decided())
    assert len(server.used) == used
    assert (state().tools_allowed == ("tickets.open_ticket",)) == (key == "v")


@pytest.mark.cases(1)
@pytest.mark.parametrize("size", [USUAL, SMALL, WIDE])
@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({"text": "harmless" + "\n" * 60 + " " * 1_500 + "TAIL", "b": "LAST"}, ["⏎ ×60", "␣ ×1,500", "TAIL", "LAST"]),
        ({"lines": [f"line {number}." for number in range(60)]}, [f"line {number}." for number in range(60)]),
    ],
)
def test_no_key_allows_what_was_not_shown_to_its_end(
    run_app: RunApp,
    workspace: Workspace,
    monkeypatch: pytest.MonkeyPatch,
    arguments: dict[str, Any],
    parts: list[str],
    size: tuple[int, int],
) -> None:
    session, server = asking(workspace, monkeypatch, arguments)
    pages: list[str] = []

    async def looked() -> None:
        async with run_app(session=session, size=size) as pilot:
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await gate(pilot, "tool")
            await pilot.press("ctrl+y")
            await sees(pilot, "y  once", "q  stop", "Esc to the")
            while "Allow it?" not in (page := shown(pilot)):
                await sees(pilot, "below: PgDn, PgUp", "y  once", "q  stop")
                pages.append(page)
                for key in ("y", "v", "down"):
                    await pilot.press(key)
                await until(pilot, lambda page=page: shown(pilot) != page)
            pages.append(page)
            assert not server.used
            await pilot.press("y")
            await until(pilot, lambda: server.used)

    asyncio.run(looked())
    assert [part for part in parts if not any(part in page for page in pages)] == []
    assert server.used == [arguments]


def test_it_shows_what_is_asked_for(look: Look, asks: tuple[str, Tickets]) -> None:
    assert look(USUAL, then(reviewing()), session=asks[0])


async def test_a_note_that_is_cut_says_so(workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace, feedback=["Ask everybody who has ever been there. " * 9])
    state = workspace.session(session).state()
    rows = list_rows(state, review_of(state, 0), Reviewing(), 38, Marks())
    said, told = (next(row for row in rows if "Ask everybody" in row.lines[0].plain).lines[at] for at in (1, -1))
    assert said.plain.endswith("…")
    assert told.plain.endswith("…")


async def test_many_statements_that_are_not_used_are_one_row_that_opens(workspace: Workspace, asked: str) -> None:
    state = await state_of(workspace, asked)
    said = [Statement(id=f"U{at}", source="F1", text=f"It is thing {at}.", start=at) for at in range(2, 62)]
    state = replace(state, statements=Growing(said))
    told = lines(gate_page(state, (), WIDTH, Marks()))
    row = told[next(at for at, line in enumerate(told) if line.startswith("Not used yet")) + 1]
    assert (row.split("  ")[0], row.split()[-1]) == ("▹ 60 statements, U2 to U61", "[show]")
    assert not any("It is thing" in line for line in told)
    opened = lines(gate_page(state, (), WIDTH, Marks(), {UNUSED}))
    assert opened[opened.index("Not used yet 60") + 2].split()[:2] == ["U2", "“It"]
