"""A session's memory: found by meaning of words, in this session and in no other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import SESSION, as_draft, created, told
from workbench.domain import events as say
from workbench.domain.envelope import Head, Turn, seal
from workbench.domain.errors import InvalidId, NotFound
from workbench.domain.ids import SessionId
from workbench.domain.session import fold
from workbench.memory.bm25_memory import SessionMemory
from workbench.storage.memory_log import MemoryLog

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


# --- what was stored --------------------------------------------------------------------------------------------------


def stored(**texts):
    return [say.EntityStored(name=name, content=content) for name, content in texts.items()]


def view(*bodies):
    return SessionMemory(fold(told(created(), *bodies)))


def hits(memory, query, limit=9):
    return [(hit.id, hit.text) for hit in memory.search_similar(query, limit, SESSION)]


def test_what_a_person_or_a_program_stored_is_found_by_its_paragraphs():
    notes = "# Hospital notes\n\nThe wards close at  six.\n \n\nThe hospital pays\nin thirty days.\n"
    assert hits(view(*stored(notes=notes)), "hospital wards") == [
        ("notes#2", "The wards close at six."),
        ("notes#3", "The hospital pays in thirty days."),
    ]


def test_only_the_newest_version_of_an_entity_is_found():
    memory = view(*stored(notes="The ledger is wrong"), *stored(notes="The ledger is right"))
    assert hits(memory, "ledger") == [("notes#1", "The ledger is right")]


def test_an_insight_comes_before_a_paragraph_that_matches_as_well():
    result = say.IterationResult(iteration_num=1, plan="", key_insights=("The ledger is late",))
    memory = view(*stored(a="The ledger is old"), say.IterationStored(result=result))
    assert [text for _, text in hits(memory, "ledger")] == ["The ledger is late", "The ledger is old"]


def test_a_text_that_is_an_insight_too_is_found_once_as_the_insight():
    result = say.IterationResult(iteration_num=1, plan="", key_insights=("The ledger is late",))
    memory = view(*stored(a="The ledger is late"), say.IterationStored(result=result))
    assert hits(memory, "ledger") == [("iteration_1#1", "The ledger is late")]


def test_what_the_loop_stored_itself_is_not_found_again():
    name = f"planning_session_{SESSION}_iteration_1"
    before = told(created(), *stored(**{name: "The ledger is late"}))
    assert before[-1].origin == "derived"
    memory = SessionMemory(fold(before))
    assert hits(memory, "ledger") == []
    assert memory.retrieve_entity(name).content == "The ledger is late"

    turn = Turn(session=SESSION, person="ada", workspace="w-1")
    [body] = stored(**{name: "Our own ledger"})
    draft = say.draft(body, turn, actor="person", cause=before[-1].id, time="2026-03-02T09:31:00.000000Z")
    given = seal([draft], Head("e", before[-1].seq, before[-1].hash))
    assert hits(SessionMemory(fold([*before, *given])), "ledger") == [(f"{name}#1", "Our own ledger")]


def test_a_long_paragraph_is_shortened():
    [(_, text)] = hits(view(*stored(a="ledger " * 500)), "ledger")
    assert len(text) <= 400


# --- other sessions ---------------------------------------------------------------------------------------------------

OTHER = SessionId("other-x1y2")
TEXTS = st.sampled_from([text for texts in INSIGHTS for text in texts])
SAID = st.one_of(
    TEXTS.map(lambda text: say.EntityStored(name="notes", content=text)),
    st.lists(TEXTS, max_size=3).map(
        lambda texts: say.IterationStored(
            result=say.IterationResult(iteration_num=1, plan="", key_insights=tuple(texts))
        )
    ),
)


def log_with(*streams):
    """A log that holds these sessions, each written as one batch."""
    log = MemoryLog(new_epoch=lambda: "e")
    for session, bodies in streams:
        events = told(created(), *bodies, session=session)
        log.append(session, [as_draft(event) for event in events], expected=0)
    return log


def everything_found(log, query):
    memory = SessionMemory(fold(log.read(SESSION)))
    return memory.search_similar(query, 9, SESSION)


@given(
    st.lists(SAID, max_size=4),
    st.lists(SAID, max_size=6),
    st.sampled_from(["market", "hospitals focus law", "20%", "*", OTHER, f"planning_session_{OTHER}"]),
)
def test_another_session_in_the_same_log_shifts_no_result_no_order_and_no_score(own, others, query):
    alone = everything_found(log_with((SESSION, own)), query)
    assert everything_found(log_with((OTHER, others), (SESSION, own)), query) == alone
    assert everything_found(log_with((SESSION, own), (OTHER, others)), query) == alone
    texts = {body.content for body in own if isinstance(body, say.EntityStored)}
    texts |= {text for body in own if isinstance(body, say.IterationStored) for text in body.result.key_insights}
    assert {hit.text for hit in alone} <= texts


def test_entities_are_retrieved_by_name_of_this_session():
    state = fold(
        told(created(), say.EntityStored(name="notes", content="one"), say.EntityStored(name="notes", content="two"))
    )
    assert SessionMemory(state).retrieve_entity("notes").content == "two"
    for name in ("note", "Notes", "planning_session_other_iteration_1", "*", ""):
        with pytest.raises(NotFound):
            SessionMemory(state).retrieve_entity(name)
