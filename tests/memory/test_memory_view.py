"""A view holds one session, or one agent's part of it, and nothing that others do moves a result."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import SESSION, created, told
from workbench.domain import events as say
from workbench.domain.errors import InvalidId, NotFound
from workbench.domain.ids import AgentId, SessionId
from workbench.domain.items import items, visible_to
from workbench.domain.session import SessionState, fold
from workbench.memory.memory_view import MemoryView
from workbench.memory.session_memory import SessionMemory
from workbench.models.embeddings import HashedWords

OTHER = SessionId("real-estate-strategy-b2b2")


def remembering(*said: str, session: SessionId = SESSION) -> SessionState:
    """A session in which a person said these."""
    messages = [say.MessageGiven(role="user", text=text) for text in said]
    return fold(told(created(), *messages, session=session))


def view(state: SessionState, agent: str | None = None) -> MemoryView:
    whole = SessionMemory(SessionId(state.session), HashedWords()).at(state)
    return whole if agent is None else whole.for_agent(AgentId(agent))


def texts(found) -> list[str]:
    return [one.item.text for one in found]


def test_what_was_said_is_found_with_its_reason():
    [first, *_] = view(remembering("The market grows by 20 %", "Hospitals come first")).search("market growth", 5)
    assert first.item.text == "The market grows by 20 %"
    assert first.item.session == SESSION
    assert "market" in first.found.why


def test_an_item_is_got_by_its_id_and_one_of_another_session_is_simply_not_there():
    own = view(remembering("The market grows"))
    for item in own.items:
        assert own.get(item.id) == item
    foreign = view(remembering("Their market grows", session=OTHER)).items[-1].id
    for item_id in (foreign, "message:*", "*", "", "message:%"):
        with pytest.raises(NotFound) as caught:
            own.get(item_id)
        assert "Their market" not in str(caught.value)


AGENTS = ("kahneman", "nzia-policy")
REPLIES = st.lists(
    st.tuples(st.sampled_from([None, *AGENTS]), st.sampled_from(["market", "budget", "canary"])), max_size=12
)


@given(REPLIES)
@settings(max_examples=50)
def test_an_agents_view_is_what_people_said_artefacts_and_its_own_replies(said):
    state = conversation(said)
    for agent in AGENTS:
        own = view(state).for_agent(AgentId(agent))
        expected = [item for item in items(state) if item.role != "assistant" or item.agent == agent]
        assert list(own.items) == expected
        assert {one.item.id for one in own.search("market budget canary", 100)} <= {item.id for item in expected}


@given(REPLIES, st.sampled_from(AGENTS))
@settings(max_examples=50)
def test_what_other_agents_say_moves_neither_order_nor_score_for_an_agent(said, agent):
    alone = conversation([one for one in said if one[0] in (None, agent)])
    ranked = [
        [(one.item.text, one.found.score, one.found.why) for one in view(state, agent).search("the market budget", 10)]
        for state in (conversation(said), alone)
    ]
    assert ranked[0] == ranked[1]


def conversation(said) -> SessionState:
    """People and agents in turn; the replies of agents carry their name in the header."""
    drafts = [created()]
    for agent, word in said:
        role = "user" if agent is None else "assistant"
        drafts.append(say.MessageGiven(role=role, text=f"{agent or 'somebody'} on {word}"))
    state = fold(told(*drafts))
    history = [
        type(one)(**{name: getattr(one, name) for name in one.__struct_fields__} | {"agent": agent})
        for one, (agent, _) in zip(list(state.history)[1:], said, strict=True)
    ]
    return type(state)(
        **{name: getattr(state, name) for name in state.__struct_fields__}
        | {"history": type(state.history)([state.history[0], *history])}
    )


def test_a_view_of_one_agent_does_not_lead_to_anothers():
    own = view(remembering("Hello")).for_agent(AgentId("kahneman"))
    assert own.for_agent(AgentId("kahneman")).items == own.items
    with pytest.raises(NotFound):
        own.for_agent(AgentId("nzia-policy"))


@pytest.mark.parametrize("nobody", ["", "*", "%", "a_b", None, ["kahneman"]])
def test_what_is_no_agent_is_an_error_and_not_everybody(nobody):
    with pytest.raises(InvalidId):
        view(remembering("Hello")).for_agent(nobody)


def test_a_reply_of_nobody_is_in_no_agents_view():
    state = fold(told(created(), say.MessageGiven(role="assistant", text="An old record")))
    assert "An old record" in [item.text for item in view(state).items]
    assert not any(visible_to(item, agent) for item in items(state) if item.text == "An old record" for agent in AGENTS)


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_any_query_is_answered_from_this_session(query):
    for one in view(remembering("The market grows", "Hospitals come first")).search(query, 5):
        assert one.item.session == SESSION


def test_what_a_prompt_shows_already_is_left_out_and_moves_nothing_else():
    said = [f"The market of region {number} grows" for number in range(30)]
    own = view(remembering(*said))
    whole = own.search("market region 7", 40)
    shown = {one.item.id for one in whole[:12:2]} | {"message:of-another-session"}
    assert (
        own.search("market region 7", 12, without=shown) == tuple(one for one in whole if one.item.id not in shown)[:12]
    )
    assert own.search("market region 7", 40, without={item.id for item in own.items}) == ()
