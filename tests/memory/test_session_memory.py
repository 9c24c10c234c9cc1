"""A session's memory is kept up as its log grows: results as of one made anew, and only what is new is embedded."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.builders import SESSION, created, told
from workbench.domain.errors import InvalidId, ModelUnreachable, NotFound
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.session import events as say
from workbench.domain.session.session import SessionState, fold
from workbench.memory import memory_view
from workbench.memory.memory_view import SessionMemory
from workbench.models.embeddings import HashedWords

QUERY = "when do the hospitals pay?"


class Counting(HashedWords):
    """Remembers what it embedded, and fails as often as it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.embedded: list[str] = []
        self.fails = 0

    def embed(self, texts: Sequence[str]):
        if self.fails:
            self.fails -= 1
            raise ModelUnreachable("The line is cut.", "Mend it.")
        self.embedded += texts
        return super().embed(texts)


def heard(text: str) -> say.MessageGiven:
    return say.MessageGiven(role="user", text=text)


def replied(text: str, agent: str) -> tuple[say.MessageGiven, str]:
    return say.MessageGiven(role="assistant", text=text), agent


def state_of(*said: say.Body | tuple[say.Body, str], session: SessionId = SESSION) -> SessionState:
    """A session in which this was said, a reply with whose it is."""
    events = told(created(), session=session)
    for one in said:
        body, agent = one if isinstance(one, tuple) else (one, None)
        events = told(body, session=session, after=events, agent=agent)
    return fold(events)


def results(memory: SessionMemory, state: SessionState, agent: str | None = None):
    view = memory.at(state)
    return (view if agent is None else view.for_agent(AgentId(agent))).search(QUERY, 50)


def test_each_view_and_each_part_of_it_stays_indexed_beside_the_others():
    embedder = Counting()
    insight = say.IterationStored(
        result=say.IterationResult(iteration_num=1, plan="", key_insights=("Wards are dear",))
    )
    memory = SessionMemory(SESSION, embedder)
    state = state_of(heard("Pay the wards"), replied("At six", "kahneman"), insight)
    for round_number in range(2):
        for view in (memory.at(state), *(memory.at(state).for_agent(AgentId(name)) for name in ("kahneman", "nzia"))):
            view.search(QUERY, 5)
            view.only("insights").search(QUERY, 5)
        embedded = [text for text in embedder.embedded if "ward" in text.lower() or "six" in text]
        assert bool(embedded) == (round_number == 0)
        embedder.embedded.clear()


SAID = st.one_of(
    st.builds(heard, st.sampled_from(["Hospitals pay in thirty days", "Wards close at six", "When do they pay?"])),
    st.builds(replied, st.sampled_from(["They pay late", "At six"]), st.sampled_from(["kahneman", "nzia"])),
    st.builds(say.EntityStored, name=st.sampled_from("ab"), content=st.sampled_from(["Payment", "Pay the wards"])),
)


@given(st.lists(SAID, max_size=8), st.lists(st.integers(0, 8), min_size=1, max_size=5))
@settings(max_examples=50, deadline=None)  # each example folds and indexes some sessions
def test_a_memory_that_was_kept_up_finds_what_one_made_anew_finds(said, moments):
    """Also after looking at older states, as a replay does."""
    kept = SessionMemory(SESSION, HashedWords())
    for moment in moments:
        state = state_of(*said[:moment])
        for agent in (None, "kahneman"):
            assert results(kept, state, agent) == results(SessionMemory(SESSION, HashedWords()), state, agent)


def test_many_threads_may_search_states_of_different_moments_at_once():
    said = [heard(f"Hospital {number} pays in {number} days") for number in range(40)]
    states = [state_of(*said[:number]) for number in range(0, 40, 5)]
    expected = [results(SessionMemory(SESSION, HashedWords()), state) for state in states]
    memory = SessionMemory(SESSION, HashedWords())
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda number: results(memory, states[number % 8]), range(64))) == expected * 8


def test_another_sessions_state_is_not_found_and_its_id_must_be_one():
    memory = SessionMemory(SESSION, HashedWords())
    with pytest.raises(NotFound, match="no session other-x1y2"):
        memory.at(state_of(session=SessionId("other-x1y2")))
    for nobody in (None, "", "*", [SESSION], 7, "a_b"):
        with pytest.raises(InvalidId):
            SessionMemory(nobody, HashedWords())


def test_a_conversation_that_goes_on_is_not_read_again(monkeypatch):
    """Only what was said since is made into items; agents who never replied are searched in one index."""
    read = []
    real = memory_view.messages

    def reading(state, said):
        taken = list(said)
        read.extend(taken)
        return real(state, taken)

    monkeypatch.setattr(memory_view, "messages", reading)
    state, memory = state_of(*(heard(f"Ward {number}") for number in range(20))), SessionMemory(SESSION, HashedWords())
    results(memory, state)
    read.clear()
    item = msgspec.structs.replace(state.history[-1], id="more:1", text="Hospitals pay")
    grown = msgspec.structs.replace(state, history=state.history.appended(item))
    for agent in (None, "kahneman", "nzia"):
        results(memory, grown, agent)
    assert [said.text for said in read] == ["Hospitals pay"]
