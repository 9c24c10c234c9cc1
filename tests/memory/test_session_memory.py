"""A session's memory: found by meaning of words, in this session and in no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import SESSION, created, told
from workbench.domain import events as say
from workbench.domain.errors import InvalidId, NotFound
from workbench.domain.ids import SessionId
from workbench.domain.session import fold
from workbench.memory.session_memory import SessionMemory

INSIGHTS = (
    ("Market analysis shows 20% growth", "Hospitals are the main focus"),
    ("Prices are set by law", "Hospitals are the main focus", "The market is small"),
)


def memory(*iterations, session=SESSION):
    stored = [
        say.IterationStored(result=say.IterationResult(iteration_num=n, plan="", key_insights=insights))
        for n, insights in enumerate(iterations, start=1)
    ]
    return SessionMemory(fold(told(created(), *stored, session=session)))


def found(query, limit=5, *iterations):
    return [hit.text for hit in memory(*(iterations or INSIGHTS)).search_similar(query, limit, SESSION)]


def test_what_shares_more_and_rarer_words_comes_first():
    assert found("market analysis") == ["Market analysis shows 20% growth", "The market is small"]
    assert found("LAW") == ["Prices are set by law"]


def test_each_text_is_found_once_and_says_where_it_stands():
    [hit] = memory(*INSIGHTS).search_similar("hospitals", 5, SESSION)
    assert hit.id == "iteration_2#2"
    assert hit.score > 0


def test_nothing_found_is_nothing():
    assert found("quantum") == found("") == found("the of and") == []
    assert memory().search_similar("market", 5, SESSION) == ()
    assert found("market", 5, ("", "…")) == []


@pytest.mark.parametrize(("limit", "count"), [(0, 0), (1, 1), (2, 2), (99, 2), (-1, 0)])
def test_no_more_results_than_asked_for(limit, count):
    assert len(found("market", limit)) == count


@pytest.mark.parametrize(
    "nobody", [None, "", "*", [SESSION], ["*"], 7, {"session": "*"}, "../x", "A", "a_b", SESSION + " "]
)
def test_what_is_no_session_id_is_refused_never_widened(nobody):
    with pytest.raises(InvalidId):
        memory(*INSIGHTS).search_similar("market", 5, nobody)


@pytest.mark.parametrize("other", ["other-x1y2", SESSION[:-1], SESSION + "0", "1", "10"])
def test_another_session_is_not_found_the_same_as_one_that_does_not_exist(other):
    with pytest.raises(NotFound, match=f"no session {other}"):
        memory(*INSIGHTS).search_similar("market", 5, SessionId(other))


def test_there_is_no_default_session():
    with pytest.raises(TypeError):
        memory(*INSIGHTS).search_similar("market", 5)


@given(
    st.lists(
        st.lists(st.sampled_from([text for texts in INSIGHTS for text in texts]), max_size=4).map(tuple), max_size=4
    ),
    st.sampled_from(["market", "hospitals focus law", "20%", "*", "planning_session_other"]),
)
def test_another_session_shifts_no_result_no_order_and_no_score(others, query):
    alone = memory(*INSIGHTS).search_similar(query, 5, SESSION)
    beside = memory(*others, session="other-x1y2")
    assert memory(*INSIGHTS).search_similar(query, 5, SESSION) == alone
    assert beside.search_similar(query, 5, SessionId("other-x1y2")) is not None


def test_entities_are_retrieved_by_name_of_this_session():
    state = fold(
        told(created(), say.EntityStored(name="notes", content="one"), say.EntityStored(name="notes", content="two"))
    )
    assert SessionMemory(state).retrieve_entity("notes").content == "two"
    for name in ("note", "Notes", "planning_session_other_iteration_1", "*", ""):
        with pytest.raises(NotFound):
            SessionMemory(state).retrieve_entity(name)
