"""Whom a draft is for: nobody, or one of the session's agents; and adding somebody to talk to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Script
from tests.tui.acting import ROOMY, RunApp, shown, until
from tests.tui.session_fixtures import begin, gate, screen_of, use, write
from workbench.bootstrap import Workspace
from workbench.domain.loop.agents import new_agent
from workbench.domain.loop.deciding.gates import Note
from workbench.models.scripted import CallableModel
from workbench.tui.form import FormDialog
from workbench.tui.session.drafting import Addressing, Drafting, Place

AGENTS = (new_agent("kahneman", "You know biases."), new_agent("nzia_policy", "You know policies."))
FENCE = "Paint the fence by May 2029"


@given(st.integers(0, 4))
def test_everybody_comes_in_turn_and_then_nobody(count: int) -> None:
    agents = [new_agent(f"agent {number}", "You are.") for number in range(count)]
    one, seen = Addressing(), []
    for _ in range(count + 1):
        one = one.after(agents)
        seen.append(one.chosen)
    assert seen == [*(agent.id for agent in agents), ""]
    assert Addressing("gone").after(agents).chosen == (agents[0].id if agents else "")


@pytest.mark.parametrize(
    ("chosen", "draft", "seen", "spoken"),
    [
        ("", "what now?", "", None),
        ("kahneman", "what now?", "kahneman", ("kahneman", "what now?")),
        ("kahneman", "", "kahneman", ("kahneman", "")),
        ("", "@kahneman", "", None),
        ("", "@kahneman ", "kahneman", None),
        ("", "@nzia_policy, what now?", "nzia-policy", ("nzia-policy", "what now?")),
        ("kahneman", "@nzia_policy what now?", "nzia-policy", ("nzia-policy", "what now?")),
        ("kahneman", "@nobody what now?", "", ("nobody", "what now?")),
        ("", "mail a@kahneman now", "", None),
    ],
)
def test_who_is_named_goes_before_who_was_chosen(
    chosen: str, draft: str, seen: str, spoken: tuple[str, str] | None
) -> None:
    agent = Addressing(chosen).agent(draft, AGENTS)
    assert (agent.id if agent else "") == seen
    assert Addressing(chosen).spoken(draft) == spoken


async def test_an_agent_is_talked_to_until_another_one_is_chosen(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script().then("chat", "Losses loom larger.", "No policy says so."), name="told"))
    async with run_app(size=ROOMY) as pilot:
        screen = await begin(pilot, FENCE)
        await gate(pilot, "approach")
        await pilot.press("shift+tab")
        assert screen.talk.addressing.chosen == ""  # nobody is there to talk to: the key goes back, as elsewhere
        assert screen.focused is screen.gate_pane
        await pilot.press("tab")
        manager = workspace.session(screen.session).resume()
        for agent in AGENTS:
            manager.add_agent(agent)
        await until(pilot, lambda: len(screen.state.agents) == 2)
        await pilot.press("ctrl+l", "3")
        screen.draft.focus()
        await pilot.press("shift+tab")
        await until(pilot, lambda: "@kahneman ›" in shown(pilot) and "AS KAHNEMAN SEES IT" in shown(pilot))
        assert "planner 09" not in shown(pilot)  # a reply to a task is nobody's to see
        await write(pilot, "What do I overlook?")
        await pilot.press("enter")
        await until(pilot, lambda: screen.state.history[-1].text == "Losses loom larger." and screen.draft.text == "")
        await pilot.press("shift+tab")
        await until(pilot, lambda: "@nzia_policy ›" in shown(pilot) and "AS NZIA_POLICY SEES IT" in shown(pilot))
        history = "\n".join(line.plain for row in screen.query_one("#history").rows for line in row.lines)
        assert "What do I overlook?" in history
        assert "Losses loom larger." not in history
        await write(pilot, "@kahneman,")
        await pilot.press("space")
        await until(pilot, lambda: "@kahneman ›" in shown(pilot))
        screen.draft.clear()
        await pilot.press("shift+tab")
        await until(pilot, lambda: "@" not in shown(pilot).replace("@kahneman …", ""))
        assert screen.talk.addressing.chosen == ""
        await gate(pilot, "approach")
        assert screen.state.feedback == ()


# --- adding -----------------------------------------------------------------------------------------------------------


async def test_an_agent_is_added_by_name_and_talked_to(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app() as pilot:
        screen = await begin(pilot, FENCE)
        await gate(pilot, "approach")
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(pilot.app.screen, FormDialog))
        await pilot.press("enter")
        await until(pilot, lambda: "has no instructions" in shown(pilot))
        await pilot.press("tab", *"planner", "enter", *"You plan.", "enter")
        await until(pilot, lambda: "called planner" in shown(pilot))
        await pilot.press("shift+tab", "end", *"two", "enter")
        await until(pilot, lambda: screen_of_or_none(pilot) is screen)
        await until(pilot, lambda: "@plannertwo ›" in shown(pilot))
        (agent,) = workspace.session(screen.session).state().agents
        assert (agent.id, agent.instructions) == ("plannertwo", "You plan.")


def screen_of_or_none(pilot: object) -> object:
    return None if isinstance(pilot.app.screen, FormDialog) else screen_of(pilot)


HEADING = Place("risks", 0, "“Risks”")


def typed(drafting: Drafting, gate: str, *, stands: bool = True) -> Drafting:
    return drafting.typed(stands=stands, gate=gate)


def test_a_draft_begun_before_a_gate_does_not_belong_to_it():
    begun = typed(typed(Drafting(), ""), "g1")
    assert not begun.belongs_to("g1")
    assert begun.reviewed("g1").belongs_to("g1")


@given(st.lists(st.sampled_from(["", "g1", "g2"]), min_size=2, max_size=8))
def test_typing_on_never_moves_a_draft_to_another_gate(gates):
    drafting = Drafting()
    for one in gates:
        drafting = typed(drafting, one)
    assert drafting.gate == gates[0]


def test_a_note_puts_the_reply_aside_and_brings_it_back():
    reply = typed(Drafting(), "g1")
    noted = reply.begun(HEADING, "g1", "be quick").noted("too few")
    assert (noted.purpose, noted.gate, noted.kept) == ("reply", "g1", "")
    assert [one.as_note() for one in noted.notes] == [Note(section="risks", text="too few")]
