"""Agents in one conversation: each sees what people said, and its own replies; of other agents' it sees nothing."""

from __future__ import annotations

import pytest
from tests.builders import GOAL, Script, again, begin, kinds_of, log_of
from workbench.domain.errors import ModelUnreachable, UsageError
from workbench.domain.loop.agents import ROLES, new_agent
from workbench.domain.session.events import Bounds

NOVA = new_agent("digitalization", "You are Nova. You know digitalization.")
ANIZA = new_agent("nzia_policy", "You are Aniza. You know the Net-Zero Industry Act.")


def answering(*replies):
    return Script().then("chat", *replies)


def with_agents(script, **options):
    manager = begin(script=script, **options)
    manager.add_agent(NOVA)
    manager.add_agent(ANIZA)
    return manager


def prompts(script):
    """What each chat was sent, without the system message."""
    return [
        [(message.role, message.content) for message in request.messages[1:]]
        for request in script.requests
        if request.role in {NOVA.id, ANIZA.id}
    ]


async def test_seed_003_five_steps():
    script = answering("Panels learn.", "They also forecast.", "The act asks for 40 %.", "As I said: panels learn.")
    manager = with_agents(script)
    assert await manager.ask(NOVA.id, "Tell me about AI in solar panels") == "Panels learn."
    assert await manager.ask(NOVA.id, "And what else?") == "They also forecast."
    assert await manager.ask(ANIZA.id, "What are the NZIA requirements?") == "The act asks for 40 %."
    assert await manager.ask(NOVA.id, "What did you say first?") == "As I said: panels learn."
    *_, aniza, nova = prompts(script)
    assert aniza[:-1] == [("user", GOAL), ("user", "Tell me about AI in solar panels"), ("user", "And what else?")]
    assert "NZIA requirements" in aniza[-1][1]
    assert not any("Panels learn." in text or "forecast" in text for _, text in aniza)
    assert [text for role, text in nova if role == "assistant"] == ["Panels learn.", "They also forecast."]
    assert not any("40 %" in text for _, text in nova)


async def test_an_answer_changes_nothing_of_the_loop():
    manager = with_agents(answering("Wait."))
    await manager.propose_approach()
    gate = manager.state.gate
    await manager.ask(NOVA.id, "Which one?")
    assert manager.state.gate == gate
    assert manager.state.approaches
    assert manager.state.asking == ()


async def test_a_question_whose_model_failed_is_asked_again_when_the_session_goes_on():
    failing = answering(ModelUnreachable("Nobody answers.", "Try again."), "Here I am.")
    manager = with_agents(failing)
    assert await manager.ask(NOVA.id, "Are you there?") == ""
    assert manager.state.failure is not None
    other = again(log_of(manager), manager.session_id, script=failing)
    await other.resume()
    await other.advance()
    await other.advance()
    assert other.state.history[-1].text == "Here I am."
    assert other.state.asking == ()


async def test_a_bound_that_is_reached_keeps_the_question_waiting_and_asks_first():
    manager = with_agents(answering("Never."), bounds=None)
    await manager.propose_approach()
    await manager.set_bounds(Bounds(max_calls=1))
    assert await manager.ask(NOVA.id, "Are you there?") == ""
    assert kinds_of(manager).count("call.started") == 1
    assert manager.state.asking


def test_two_names_with_one_slug_are_refused():
    manager = with_agents(answering())
    with pytest.raises(UsageError, match="would both be called nzia-policy"):
        manager.add_agent(new_agent("NZIA policy", "Somebody else."))
    manager.add_agent(new_agent("nzia_policy", "You are Aniza, and brief."))
    assert manager.state.agent("nzia-policy").instructions.endswith("brief.")


async def test_nobody_answers_for_an_agent_that_is_not_there():
    manager = with_agents(answering())
    with pytest.raises(UsageError, match="no agent 'kahneman'"):
        await manager.ask("kahneman", "Hello?")
    with pytest.raises(UsageError, match="empty"):
        await manager.ask(NOVA.id, " ")


@pytest.mark.parametrize("role", ROLES)
def test_an_agent_is_not_called_like_a_role(role):
    with pytest.raises(UsageError, match="one of the session's roles"):
        new_agent(role, "I plan.")
