"""A view holds one session, or one agent's part of it, and nothing that others do moves a result."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import SESSION, created, told
from workbench.domain.errors import InvalidId, NotFound
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session import events as say
from workbench.domain.session.items import items, visible_to
from workbench.domain.session.session import SessionState, fold
from workbench.memory.memory_view import MemoryView, SessionMemory
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
    assert "market" in first.why


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
@settings(max_examples=50, deadline=None)  # the first search of a process imports numpy
def test_an_agents_view_is_what_people_said_artefacts_and_its_own_replies(said):
    state = conversation(said)
    for agent in AGENTS:
        own = view(state).for_agent(AgentId(agent))
        expected = [item for item in items(state) if item.role != "assistant" or item.agent == agent]
        assert list(own.items) == expected
        assert {one.item.id for one in own.search("market budget canary", 100)} <= {item.id for item in expected}


@given(REPLIES, st.sampled_from(AGENTS))
@settings(max_examples=50, deadline=None)  # the first search of a process imports numpy
def test_what_other_agents_say_moves_neither_order_nor_score_for_an_agent(said, agent):
    alone = conversation([one for one in said if one[0] in (None, agent)])
    ranked = [
        [(one.item.text, one.score, one.why) for one in view(state, agent).search("the market budget", 10)]
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
@settings(max_examples=60, deadline=None)  # the first one loads the embedder
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


# --- the seed's calls -------------------------------------------------------------------------------------------------


def stored(*bodies: say.Body, session: SessionId = SESSION) -> SessionState:
    return fold(told(created(), *bodies, session=session))


NOTES = (
    say.EntityStored(name="notes", content="The wards close at five"),
    say.EntityStored(name="notes", content="The wards close at six"),
    say.MessageGiven(role="user", text="Who closes the wards?"),
    say.MessageGiven(role="user", text="The kitchen is closed on Sundays"),
    say.MessageGiven(role="user", text="Doctors start at eight"),
)


def test_search_similar_is_the_search_of_the_session_that_is_named():
    own = view(stored(*NOTES))
    assert own.search_similar("wards", 3, SESSION) == own.search("wards", 3) != ()


@pytest.mark.parametrize(
    "nobody", [None, "", "*", [SESSION], ["*"], 7, {"session": "*"}, "../x", "A", "a_b", SESSION + " "]
)
def test_what_is_no_session_id_is_refused_never_widened(nobody):
    with pytest.raises(InvalidId):
        view(stored(*NOTES)).search_similar("wards", 5, nobody)


@pytest.mark.parametrize("other", [OTHER, SESSION[:-1], SESSION + "0", "1", "10"])
def test_another_session_is_not_found_the_same_as_one_that_does_not_exist(other):
    with pytest.raises(NotFound, match=f"no session {other}"):
        view(stored(*NOTES)).search_similar("wards", 5, SessionId(other))


def test_entities_are_retrieved_by_name_the_newest_version_and_of_this_session_only():
    own = view(stored(*NOTES))
    assert own.retrieve_entity("notes").content == "The wards close at six"
    assert own.for_agent(AgentId("kahneman")).retrieve_entity("notes") == own.retrieve_entity("notes")
    for name in ("note", "Notes", "planning_session_other_iteration_1", "*", "", None, ["notes"]):
        with pytest.raises(NotFound):
            own.retrieve_entity(name)


def test_search_memory_gives_the_named_entities_and_what_else_is_nearest_to_any_query():
    own = view(stored(*NOTES))
    got = own.search_memory(["notes", "notes"], ["Who closes the wards?", "Doctors start at eight", "kitchen"], 3)
    assert [entity.content for entity in got.entities] == ["The wards close at six"]
    assert texts(got.found) == ["Who closes the wards?", "Doctors start at eight", "The kitchen is closed on Sundays"]
    assert [one.rank for one in got.found] == [1, 1, 1]
    [*_, notes] = [item for item in own.items if item.role == "artefact"]
    assert notes in [one.item for one in own.search_memory([], ["wards"], 50).found]
    assert notes not in [one.item for one in own.search_memory(["notes"], ["wards"], 50).found]


def test_search_memory_gives_each_item_once_at_its_best_rank_and_no_more_than_asked_for():
    own = view(stored(*NOTES))
    queries = ["kitchen", "doctors", "closes"]
    got = own.search_memory([], queries, 50)
    best: dict[str, int] = {}
    for query in queries:
        for one in own.search(query, 50):
            best[one.item.id] = min(one.rank, best.get(one.item.id, 99))
    assert {one.item.id: one.rank for one in got.found} == best
    assert [one.rank for one in got.found] == sorted(best.values())
    assert len(got.found) == len(best)
    assert own.search_memory([], queries, 2).found == got.found[:2]
    assert own.search_memory([], queries, 0).found == ()


@pytest.mark.parametrize("everybody", [None, "", "*", "notes", 7, [None], [["notes"]], {"notes"}, b"notes"])
def test_search_memory_takes_lists_of_texts_and_nothing_that_could_mean_everything(everybody):
    own = view(stored(*NOTES))
    for arguments in ((everybody, []), ([], everybody)):
        with pytest.raises(TypeError, match="must be a list of texts"):
            own.search_memory(*arguments, 5)
    for name in ("*", ""):
        with pytest.raises(NotFound):
            own.search_memory([name], [], 5)
    with pytest.raises(TypeError):
        own.search_memory(["notes"], 5)
