"""How a session's screen looks, reached by keys through the real core; compared as pictures.

    prepared through the core (three lines of a fixture) ─▶ opened ─▶ the last steps by keys ─▶ calm ─▶ picture

Renew them after a change that is meant: ``pytest tests/tui/test_session_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script
from tests.offline import MOVE
from tests.sample_sessions import FOLDER
from tests.sharing.managers import manager
from tests.tui.acting import (
    GOAL,
    ROOMY,
    USUAL,
    WIDE,
    Look,
    RunApp,
    Way,
    finish,
    in_turn,
    open_palette,
    pressing,
    sees,
    shown,
    until,
    wait_at_checkpoint,
    wait_at_gate,
)
from tests.tui.replays import Hand, loaded, shows_its_place
from tests.tui.session_fixtures import (
    PIECE,
    HeldModel,
    asking,
    begin,
    calm,
    choose,
    cut_off,
    gate,
    review,
    screen_of,
    then,
    use,
    write,
)
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import ModelUnreachable
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.asking.tasks import PlanTask
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.models.ports import Request
from workbench.models.scripted import CallableModel
from workbench.planning.memory.remembering import Said
from workbench.replay.comparing import Place
from workbench.sharing.shared_context import STREAM, SharedContextManager
from workbench.storage.files.session_file import read_session_file
from workbench.templates.catalogue import Catalogue
from workbench.templates.model import answer
from workbench.tui.home.sessions import FoundSessions
from workbench.tui.replay.compare import CompareScreen
from workbench.tui.replay.replaying import Replayed, loading_file
from workbench.tui.replay.screen import ReplayScreen
from workbench.tui.session.records.looking_back import Side
from workbench.tui.session.screen import SessionScreen

NINE = 1_794_819_600
"""16 November 2026, 9:00 UTC."""
FENCE = "Paint the fence by May 2029"
AUDITORS = ("Tell the auditors in May", "Tell the bank in June")
"""What a person says at the first two checkpoints."""
SUPPORT = "Hire two people for support by June 2029"


def guided_reply(request: Request) -> str:
    """Say what the offline planner says, as a model that a test can hold."""
    task = request.task
    if isinstance(task, PlanTask) and (task.approach is None or not task.approach.template):
        task = replace(task, begin=MOVE)
    return msgspec.json.encode(answer(task, Catalogue())).decode()


def reviewing(*keys: str) -> Way:
    return lambda pilot: review(pilot, *keys)


@pytest.fixture
def at_approaches(workspace: Workspace) -> str:
    return asyncio.run(wait_at_gate(workspace, name="billing"))


@pytest.fixture
def at_checkpoint(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.fixture
def finished(workspace: Workspace) -> str:
    return asyncio.run(finish(workspace, name="billing"))


@pytest.fixture
def held(workspace: Workspace) -> HeldModel:
    """The offline planner behind a model that a test can hold."""
    model = HeldModel(guided_reply)
    use(workspace, model)
    return model


@pytest.fixture
def seven_seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The clock of the screen stands still, until it is told that seven seconds have gone by."""
    now = [0.0]
    monkeypatch.setattr(SessionScreen, "clock", lambda _screen: now[0])

    def gone() -> None:
        now[0] += 7

    return gone


# --- before there is a plan -------------------------------------------------------------------------------------------


def test_the_first_question(look: Look, workspace: Workspace) -> None:
    use(workspace, CallableModel(asking("What may it cost?", "Who decides?"), name="told"))

    async def go(pilot: Pilot[Any]) -> None:
        await begin(pilot, GOAL)
        await gate(pilot, "question")
        await calm(pilot)

    assert look(USUAL, go)


def test_approaches_in_focus(look: Look, at_approaches: str) -> None:
    assert look(USUAL, then(reviewing()), session=at_approaches)


def test_a_goal_in_another_script(look: Look, workspace: Workspace) -> None:
    goal = "課金システムを2028年6月30日までに新しい決済事業者へ停止なしで移行する"
    session = asyncio.run(wait_at_checkpoint(workspace, goal, name="課金システムの移行"))
    assert look(USUAL, then(), session=session)


# --- what runs --------------------------------------------------------------------------------------------------------


def planner_streams(held: HeldModel, seven_seconds: Callable[[], None]) -> Way:
    """Return the way to a planner that has written some sections, seven seconds after it was asked."""

    async def go(pilot: Pilot[Any]) -> None:
        held.hold("plan", after=8)
        await choose(pilot)
        screen = screen_of(pilot)
        await until(pilot, lambda: len(screen.drive.driving.driver.partial) == 8 * PIECE)
        seven_seconds()
        await until(pilot, lambda: "7 s" in shown(pilot) or screen.is_narrow)

    return go


def test_the_planner_writes(look: Look, held: HeldModel, seven_seconds: Callable[[], None], at_approaches: str) -> None:
    assert look(WIDE, then(planner_streams(held, seven_seconds)), session=at_approaches)


# --- gates ------------------------------------------------------------------------------------------------------------


def test_a_checkpoint(look: Look, at_checkpoint: str) -> None:
    assert look(WIDE, then(), session=at_checkpoint)


# --- views ------------------------------------------------------------------------------------------------------------


def test_the_difference(look: Look, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script(), name="told"))
    session = asyncio.run(wait_at_checkpoint(workspace, name="billing", feedback=AUDITORS[:1]))
    assert look(WIDE, then(pressing("ctrl+l", "2", shows="Changes v1 → v2")), session=session)


def test_the_transcript(look: Look, finished: str) -> None:
    assert look(WIDE, then(pressing("ctrl+l", "t", shows="Transcript"), pressing("home")), session=finished)


@pytest.mark.parametrize(("view", "words"), [("6", "Entities"), ("3", "THIS SESSION")], ids=["rounds", "history"])
def test_what_stands_beside_the_plan_is_a_view_where_it_is_narrow(
    look: Look, finished: str, view: str, words: str
) -> None:
    assert look(USUAL, then(pressing("ctrl+l", view, shows=words)), session=finished)


# --- ends -------------------------------------------------------------------------------------------------------------


def test_a_session_that_is_saved(look: Look, finished: str) -> None:
    assert look(WIDE, then(), session=finished)


# --- what goes wrong --------------------------------------------------------------------------------------------------


class AlwaysDown:
    """A provider that is never reached."""

    def __call__(self, _request: Request) -> str:
        raise ModelUnreachable("The provider could not be reached: connection refused.", "Check the network.")


async def test_a_provider_fails_again(run_app: RunApp, workspace: Workspace, at_approaches: str) -> None:
    use(workspace, CallableModel(AlwaysDown(), name="told"))
    async with run_app(session=at_approaches) as pilot:
        await then(choose, pressing(shows="connection refused"))(pilot)
        await then(pressing("ctrl+r", shows="× 2"))(pilot)
        await sees(pilot, "for the second time", "Kept: the chosen approach.")


# --- several sessions -------------------------------------------------------------------------------------------------


@pytest.fixture
def fleet(workspace: Workspace, tmp_path: Path) -> str:
    """Sessions of every kind: two that ask, one whose process crashed, one that is saved, one whose file is damaged."""
    asyncio.run(finish(workspace, "Move the office to Lyon by 1 May 2029", name="office"))
    crashed = workspace.start(SUPPORT, name="hiring").session_id
    cut_off(workspace, crashed)
    asyncio.run(wait_at_gate(workspace, FENCE, name="A fence that is painted, repaired and kept for ten years"))
    damaged = tmp_path / ".workbench" / "sessions" / f"{asyncio.run(wait_at_gate(workspace, FENCE))}.jsonl"
    lines = damaged.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(b"".join([*lines[:2], b"not a record\n", *lines[3:]]))
    os.utime(damaged, (NINE, NINE))
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.mark.usefixtures("fleet")
def test_the_list_of_sessions_over_a_session(look: Look, fleet: str) -> None:
    assert look(WIDE, then(in_turn(pressing("ctrl+s", shows="unreadable"), pressing("down"))), session=fleet)


def test_the_sample(look: Look) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await pressing("f5", shows="SAMPLE")(pilot)
        await calm(pilot)

    assert look(ROOMY, go)


# --- colours and marks ------------------------------------------------------------------------------------------------


def test_without_colour(look: Look, fleet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert look(USUAL, then(reviewing()), session=fleet)


def test_first_run(look: Look) -> None:
    assert look(USUAL)


def test_help(look: Look) -> None:
    assert look(WIDE, pressing("f1", shows="Everywhere"))


def test_palette(look: Look) -> None:
    assert look(USUAL, open_palette)


def test_settings(look: Look) -> None:
    assert look(WIDE, pressing("f2", shows="asks you"))


@pytest.fixture
def saved(workspace: Workspace) -> str:
    return asyncio.run(finish(workspace))


@pytest.fixture
def damaged(workspace: Workspace, saved: str) -> str:
    """The same, with one line in its middle that is no record."""
    file = workspace.folder.sessions / f"{saved}.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([*lines[:24], b"not a record\n", *lines[25:]]))
    return saved


def replaying(*keys: str, shows: str = "") -> Way:
    """Return the way into the replay of the only session, and over these keys."""

    async def go(pilot: Pilot[Any]) -> None:
        await pilot.press("ctrl+s")
        await until(pilot, lambda: len(pilot.app.screen.query_one(FoundSessions).rows) == 1)
        await pilot.press("down", "p")
        screen = await loaded(pilot)
        await pilot.press(*keys)
        if pilot.app.screen is screen:
            await shows_its_place(pilot)
        await until(pilot, lambda: shows in shown(pilot))

    return go


@pytest.mark.usefixtures("saved")
def test_playing(look: Look, hand: Hand) -> None:
    async def go(pilot: Pilot[Any]) -> None:
        await replaying("right_square_bracket", "m", "right_square_bracket", "5", "space", shows="▸ 5×")(pilot)
        hand.now += 2.1
        await until(pilot, lambda: "event 16 of 35" in shown(pilot))
        await shows_its_place(pilot)

    assert look(WIDE, go)


SAMPLE = Path(__file__).parents[2] / "sessions" / "run-city-trees-fork.jsonl"
EVENTS = list(in_full(read_session_file(SAMPLE)))


def last(kind: type[say.Body]) -> int:
    """Where the last event of a kind stands."""
    return next(event.seq for event in reversed(EVENTS) if isinstance(say.content(event), kind))


def first(kind: type[say.Body], *, after: int) -> int:
    """Where the next event of a kind stands."""
    return next(event.seq for event in EVENTS[after:] if isinstance(say.content(event), kind))


def at(seq: int, *keys: str, shows: str) -> Way:
    """Return the way to an event of the sample, and over these keys."""

    async def go(pilot: Pilot[Any]) -> None:
        await pilot.app.push_screen(ReplayScreen(Replayed(SAMPLE.stem, loading_file(SAMPLE), in_workspace=False)))
        screen = await loaded(pilot)
        screen.timeline.seek(seq)
        await shows_its_place(pilot)
        await pilot.press(*keys)
        await shows_its_place(pilot)
        await until(pilot, lambda: shows in " ".join(shown(pilot).split()))

    return go


CALLS = 5
"""Calls up to the first checkpoint."""


@pytest.fixture
def pricing(workspace: Workspace) -> str:
    """Another session, which remembers something about billing."""
    session = workspace.start("Review what our billing costs", name="pricing").session_id
    said = [
        Said("The provider of our billing moves its list price once a year, in January"),
        Said("Moving billing to a new provider without downtime took us nine days last time"),
        Said("Billing at the new provider has no sandbox"),
    ]
    workspace.session(session).remember(said)
    return session


@pytest.fixture
def billing(workspace: Workspace, pricing: str) -> str:  # noqa: ARG001 - it is there to be quoted
    """A session at its checkpoint, in which people said something, and another session was quoted."""
    return asyncio.run(_planned(workspace, ["Keep the budget under 40,000 euros.", "Finance closes on the 5th."]))


async def _planned(workspace: Workspace, said: list[str]) -> str:
    session = workspace.start(GOAL, name="billing").session_id
    workspace.session(session).remember([Said(one) for one in said])
    return await wait_at_checkpoint(workspace, session=session)


def at_call(number: int, *keys: str, shows: str = "") -> Way:
    """Return the way to the context of a call, and over some keys from there."""

    async def go(pilot: Pilot[Any]) -> None:
        await pressing("ctrl+l", "4", shows=f"of {CALLS}")(pilot)
        for _ in range(CALLS - number):
            await pilot.press("left")
        await until(pilot, lambda: f"call {number} of {CALLS}" in shown(pilot))
        await pressing(*keys, shows=shows)(pilot)

    return go


# --- the history in two tones -----------------------------------------------------------------------------------------


def test_the_history_with_both_sources(look: Look, billing: str) -> None:
    ways = (pressing("ctrl+l", "3", shows="RETRIEVED"), pressing("end"))
    assert look(USUAL, then(*ways), session=billing)


# --- agents -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def with_agents(workspace: Workspace, billing: str) -> str:
    """The session with two agents; each was asked, and answered."""
    asyncio.run(_asked(workspace, billing))
    return billing


async def _asked(workspace: Workspace, session: str) -> None:
    told = {"kahneman": "You know how people misjudge plans.", "nzia_policy": "You know what policies ask for."}
    use(workspace, CallableModel(_answer, name="told"))
    manager = workspace.session(session).resume()
    for name, instructions in told.items():
        manager.add_agent(new_agent(name, instructions))
    await manager.ask("kahneman", "What do we overlook?")
    await manager.ask("nzia-policy", "Is there a policy for this?")
    await manager.ask("kahneman", "How long will it take?")


def _answer(request: Request) -> str:
    said = {"overlook": "The outside view: such moves took others twice as long.", "policy": "Two policies apply."}
    asked = request.messages[-1].content
    return next((answer for word, answer in said.items() if word in asked.rpartition("message")[2]), "About 9 weeks.")


def test_an_agent_is_talked_to(look: Look, with_agents: str) -> None:
    words = "And what would an outsider say?"
    ways = (pressing("f"), pressing("shift+tab", shows="@kahneman ›"), lambda pilot: write(pilot, words))
    assert look(WIDE, then(*ways), session=with_agents)


def test_isolation(look: Look, with_agents: str) -> None:
    assert look(WIDE, then(pressing("7", shows="AUDIT"), pressing(shows="call")), session=with_agents)


# --- the context of a call --------------------------------------------------------------------------------------------


def test_the_context_of_a_call(look: Look, billing: str) -> None:
    assert look(WIDE, then(at_call(2, shows="c2 · planner")), session=billing)


INFRA, PRICING = "infra-7k3p", "pricing-a1b2"


@pytest.fixture
def session(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, name="billing"))


@pytest.fixture
def others(workspace: Workspace) -> SharedContextManager:
    """The shared context as another process has it, with a clock of its own."""
    minutes = count(30)
    return manager(workspace.folder.shared_log(), now=lambda: f"2026-11-16T09:{next(minutes)}:00.000000Z")


def meanwhile(change: Callable[[], object]) -> Way:
    """Return the way on which others change something, until it is taken in, and the session has joined."""

    async def go(pilot: Pilot[Any]) -> None:
        await asyncio.to_thread(change)
        sharing = screen_of(pilot).workbench.sharing
        assert sharing is not None
        own = screen_of(pilot).session
        await until(pilot, lambda: own in {one.session_id for one in sharing.seen().present})
        head = screen_of(pilot).workbench.workspace.folder.shared_log().head(STREAM)
        await until(pilot, lambda: sharing.seen().seq == head.seq)

    return go


at_the_pane = pressing("f5")


# --- what sessions hold -----------------------------------------------------------------------------------------------


@pytest.fixture
def neighbours(workspace: Workspace, others: SharedContextManager) -> Any:
    """One session that works, and one whose process died; each has claimed something."""
    with ExitStack() as open_sessions:
        open_sessions.enter_context(workspace.folder.lives().live(INFRA))
        for session, files in ((INFRA, ["src/db.py"]), (PRICING, ["src/api.py", "prices.csv"])):
            others.subscribe(session)
            course = {"goal": session, "phase": "verifying", "iteration": 2}
            others.update_context(session, f"sessions/{session}", course)
            for file in files:
                others.claim(session, "file", file)
        others.claim(INFRA, "task", "move the invoices")
        yield others


@pytest.mark.usefixtures("neighbours")
def test_one_works_and_one_crashed(look: Look, session: str) -> None:
    async def crashed(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: len(pilot.app.sharing._present) == 3)  # type: ignore[attr-defined]

    assert look(WIDE, then(crashed, at_the_pane), session=session)


@pytest.fixture
def waiting(workspace: Workspace) -> str:
    return asyncio.run(wait_at_checkpoint(workspace, feedback=["Add a step: tell the auditors in May."]))


async def asked(pilot: Pilot[Any]) -> str:
    """Wait until the session's checkpoint stands on the screen; return its id."""
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    return (await gate(pilot, "checkpoint")).id


BILLING, WEDDING = "move-billing-provider-demo", "organise-wedding-80-demo"


@pytest.fixture
def demo(workspace: Workspace) -> None:
    """A workspace with two of the sample sessions."""
    for name in (BILLING, WEDDING):
        shutil.copy(FOLDER / f"{name}.jsonl", workspace.folder.sessions)


def comparing(workspace: Workspace, a: str, b: str, *keys: str, shows: str) -> Way:
    """Return the way to a comparison, and over these keys until words are seen."""

    async def go(pilot: Pilot[Any]) -> None:
        places = (Place.parse(a), Place.parse(b))
        pilot.app.compare(*(Side(place, workspace.session(place.session).events) for place in places))
        await until(pilot, lambda: isinstance(pilot.app.screen, CompareScreen) and pilot.app.screen._shown)
        await pressing(*keys, shows=shows)(pilot)

    return go


@pytest.mark.usefixtures("demo")
def test_two_versions(look: Look, workspace: Workspace) -> None:
    assert look(WIDE, comparing(workspace, f"{BILLING}@v1", f"{BILLING}@v3", "n", "n", shows="Archive the old"))
