"""How it looks what a model was sent: the context of a call, the history in two tones, agents and their views.

    two sessions, many messages ─▶ planned through the real core ─▶ looked at by keys ─▶ picture

Renew them after a change that is meant: ``pytest tests/tui/test_context_snapshots.py --snapshot-update``, then look at
each.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.tui.acting import (
    GOAL,
    ROOMY,
    USUAL,
    WIDE,
    Look,
    RunApp,
    Way,
    pressing,
    sees,
    shown,
    until,
    wait_at_checkpoint,
)
from tests.tui.session_fixtures import use, write
from tests.tui.test_session_snapshots import guided_reply, then
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.items import Item
from workbench.models.ports import Request
from workbench.models.scripted import CallableModel
from workbench.planning.remembering import Said

SMALL_WINDOW = 5_900
"""Tokens in which the offline planner has to condense what was said."""
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


@pytest.fixture
def condensed(workspace: Workspace) -> str:
    """A session whose model has a small window, so that what was said is condensed."""
    use(workspace, CallableModel(guided_reply, name="guided", window=SMALL_WINDOW))
    said = [
        f"Team {number} has {number + 1},000 euros and must not spend more. We decided that in May. "
        + "Somebody talks of something else for a while. " * 9
        for number in range(40)
    ]
    return asyncio.run(_planned(workspace, said))


async def _planned(workspace: Workspace, said: list[str]) -> str:
    session = workspace.start(GOAL, name="billing").session_id
    workspace.session(session).remember([Said(one) for one in said])
    return await wait_at_checkpoint(workspace, session=session)


def item_of(workspace: Workspace, session: str, words: str) -> Item:
    """Return the item of a session that says something."""
    return next(item for item in workspace.session(session).memory().items if words in item.text)


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


def test_what_a_person_decided_about_items(look: Look, workspace: Workspace, billing: str, pricing: str) -> None:
    workspace.session(billing).mark(billing, item_of(workspace, billing, "budget").id, "excluded")
    workspace.session(billing).mark(billing, item_of(workspace, billing, "Finance").id, "pinned")
    workspace.session(billing).mark(pricing, item_of(workspace, pricing, "list price").id, "pinned")
    workspace.session(billing).mark(pricing, item_of(workspace, pricing, "nine days").id, "excluded")
    assert look(WIDE, then(_at_the_top_of_the_history), session=billing)


async def _at_the_top_of_the_history(pilot: Pilot[Any]) -> None:
    await pressing("ctrl+l", "3", shows="THIS SESSION")(pilot)
    pilot.app.screen.query_one("#history").focus()
    await pressing("home", shows="excluded")(pilot)


async def test_a_search_that_failed(run_app: RunApp, workspace: Workspace, billing: str) -> None:
    failed = say.OthersSearched(
        query="billing", reason="before the plan is written", found=(), unavailable="The search failed (OSError)."
    )
    workspace.session(billing).log().record_given([failed], actor="workbench")
    async with run_app(session=billing, size=ROOMY) as pilot:
        await pilot.press("ctrl+l", "3")
        await sees(pilot, "The search failed (OSError).")


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


def test_an_agent_is_added(look: Look, with_agents: str) -> None:
    ways = (pressing("f3", shows="Add an agent"), pressing("enter", shows="has no instructions"))
    assert look(USUAL, then(*ways), session=with_agents)


def test_isolation(look: Look, with_agents: str) -> None:
    assert look(WIDE, then(pressing("f4", shows="AUDIT"), pressing(shows="call")), session=with_agents)


# --- the context of a call --------------------------------------------------------------------------------------------


def test_the_context_of_a_call(look: Look, billing: str) -> None:
    assert look(WIDE, then(at_call(2, shows="c2 · planner")), session=billing)


def test_the_items_of_a_context(look: Look, billing: str) -> None:
    assert look(USUAL, then(at_call(2, "pagedown", shows="close in meaning")), session=billing)


def test_a_receipt_is_unfolded(look: Look, condensed: str) -> None:
    assert look(USUAL, then(at_call(5, "home", "enter", shows="Team 0")), session=condensed)
