"""Guidance comes from this session's own memory; a fallback is shown as one; and no session sees another's.

The scenarios are those of the first seed, sections 10 and 16, under their names.
"""

import pytest
from tests.builders import (
    CHOOSE,
    CONTINUE,
    Script,
    answering,
    begin,
    bodies_of,
    events_of,
    log_of,
    notes,
    other_handle,
    plan_reply,
)
from workbench.domain import events as say
from workbench.memory.bm25_memory import SessionMemory
from workbench.planning.policies import approving_all
from workbench.storage.memory_log import MemoryLog


def result(number, *insights):
    return say.IterationResult(iteration_num=number, plan=f"Plan {number}", key_insights=insights)


@pytest.fixture
def failing_search(monkeypatch):
    def fail(*_):
        raise AttributeError("no search_similar")

    monkeypatch.setattr(SessionMemory, "search_similar", fail)


def guidance(manager):
    return bodies_of(manager, say.GuidanceRecalled)


# --- where it comes from ----------------------------------------------------------------------------------------------


async def test_the_first_iteration_has_none_and_says_so():
    manager = begin(max_iterations=1)
    assert manager.get_iteration_guidance() == "There are no insights of this session yet."
    await manager.run(approving_all())
    [first] = guidance(manager)
    assert (first.source, first.items) == ("none", ())
    assert first.note == "There are no insights of this session yet."


async def test_without_insights_there_is_never_something_that_was_stored():
    script = Script().then("plan", plan_reply(notes("x"), title="P"), plan_reply(notes("y" * 99)))
    manager = begin(script=script, max_iterations=2)
    await manager.run(answering(CHOOSE))
    assert [one.source for one in guidance(manager)] == ["none", "none"]
    assert "stored" not in manager.get_iteration_guidance()


async def test_later_iterations_are_guided_by_the_search_and_the_planner_is_told():
    script = Script()
    manager = begin(script=script)
    await manager.run(approving_all())
    [_, second, third] = guidance(manager)
    assert (second.source, third.source) == ("search", "search")
    assert set(third.items) == {f"Insight {n} on planning: the ledger is the truth." for n in (1, 2)}
    assert f"planning iteration 2 for goal: {manager.state.goal}" in third.query
    planned = [request.task for request in script.requests if request.role == "planner"][1:]
    assert [task.guidance for task in planned] == [(), second.items, third.items]
    recalled = [event for event in events_of(manager) if event.kind == "guidance.recalled"]
    assert {event.origin for event in recalled} == {"derived"}


@pytest.mark.usefixtures("failing_search")
async def test_a_failing_search_is_a_fallback_that_shows():
    manager = begin(max_iterations=2)
    await manager.run(approving_all())
    second = guidance(manager)[1]
    assert (second.source, second.items) == ("fallback", ("Insight 1 on planning: the ledger is the truth.",))
    assert second.note == "The search failed (AttributeError); these are the last iteration's first insights."
    recalled = [event for event in events_of(manager) if event.kind == "guidance.recalled"]
    assert [event.origin for event in recalled] == ["derived", "given"], "a failure cannot be computed again"
    assert manager.get_iteration_guidance().startswith("Fallback. The search failed (AttributeError)")


async def test_a_search_that_finds_nothing_is_a_fallback_that_shows():
    texts = [f"Nothing alike {letter}" for letter in "pqrstuv"]
    script = Script().then("plan", plan_reply(notes("x"), title="P", insights=texts))
    manager = begin("Zzz", script=script, max_iterations=2)
    await manager.run(answering(CHOOSE))
    second = guidance(manager)[1]
    assert second.source == "fallback"
    assert second.items == tuple(texts[:5]), "the last iteration's first five"
    assert second.note == "The search found nothing; these are the last iteration's first insights."


async def test_as_many_results_as_asked_for_and_five_by_default():
    manager = begin()
    manager.store_iteration_result(result(1, *(f"Planning insight {n}" for n in range(9))))
    assert manager.get_iteration_guidance().count("\n- ") == 5
    assert manager.get_iteration_guidance(2).count("\n- ") == 2
    assert manager.get_iteration_guidance(2).startswith("Insights of this session, found by search:")


async def test_resuming_at_the_search_searches_again_and_records_it_once():
    manager = begin()
    await manager.run(answering(CHOOSE))
    count = len(guidance(manager))
    await manager.answer(manager.state.gate, CONTINUE)
    await manager.advance()
    await manager.advance()
    assert len(guidance(manager)) == count + 1
    assert manager.state.current.guidance is not None


async def test_what_was_stored_guides_the_first_iteration_already():
    script = Script()
    manager = begin(script=script, max_iterations=1)
    other = other_handle(log_of(manager), manager.session_id)
    note = "The auditors of our billing come in June."
    other.record_given([say.EntityStored(name="notes", content=f"# Notes\n\n{note}")], actor="person")
    assert manager.get_iteration_guidance() == f"Insights of this session, found by search:\n- {note}"
    await manager.run(approving_all())
    [first] = guidance(manager)
    assert (first.source, first.items) == ("search", (note,))
    assert script.requests[1].task.guidance == (note,)


async def test_nothing_found_and_nothing_learned_yet_is_said_as_that(request):
    manager = begin(max_iterations=1)
    other = other_handle(log_of(manager), manager.session_id)
    other.record_given([say.EntityStored(name="x", content="Unrelated")], actor="person")
    assert (
        manager.get_iteration_guidance() == "The search found nothing, and there are no insights of this session yet."
    )
    await manager.run(approving_all())
    assert guidance(manager)[0].source == "none"
    request.getfixturevalue("failing_search")
    later = begin(max_iterations=1)
    other_handle(log_of(later), later.session_id).record_given(
        [say.EntityStored(name="x", content="Unrelated")], actor="person"
    )
    assert later.get_iteration_guidance() == (
        "Fallback. The search failed (AttributeError), and there are no insights of this session yet."
    )


# --- the seed's scenarios ---------------------------------------------------------------------------------------------


def two_sessions(goal_a, insight_a, goal_b, insight_b):
    log = MemoryLog()
    session_a, session_b = begin(goal_a, log=log, ending="aaaa"), begin(goal_b, log=log, ending="bbbb")
    session_a.store_iteration_result(result(1, insight_a))
    session_b.store_iteration_result(result(1, insight_b))
    return session_a, session_b


SCENARIOS = {
    "Scenario 1: Session A Iteration 2 gets Session B Iteration 1 insights": (
        "Enter the market",
        "Market analysis shows 20% CAGR",
        "Enter the market",
        "Market analysis shows 15% CAGR",
    ),
    "Scenario 2: Session A Iteration 2 uses insights from different goal entirely": (
        "Healthcare market strategy",
        "Hospital network is main focus of the market strategy",
        "Real estate market strategy",
        "Market analysis of the market strategy",
    ),
    "Scenario 4: Cross-contamination of planning contexts": (
        "Create 5-year growth strategy for the market",
        "Revenue targets depend on market size",
        "Analyze competitive landscape of the market",
        "Competitor pricing decides market share",
    ),
}


@pytest.mark.parametrize("searches", [True, False], ids=["search", "fallback"])
@pytest.mark.parametrize("name", SCENARIOS)
def test_error_scenario(name, searches, request):
    goal_a, insight_a, goal_b, insight_b = SCENARIOS[name]
    session_a, session_b = two_sessions(goal_a, insight_a, goal_b, insight_b)
    if not searches:
        request.getfixturevalue("failing_search")
    beginning = "Insights of this session, found by search:" if searches else "Fallback. The search failed"
    for session, own, foreign in ((session_a, insight_a, insight_b), (session_b, insight_b, insight_a)):
        text = session.get_iteration_guidance()
        assert text.startswith(beginning)
        assert own in text
        assert foreign not in text


def test_scenario_3_iteration_searching_returns_3_session_old_results():
    log = MemoryLog()
    sessions = [begin("Enter the market", log=log, ending=name * 4) for name in "abc"]
    for name, session in zip("ABC", sessions, strict=True):
        for number in (1, 2):
            session.store_iteration_result(result(number, f"The market of {name}, seen {number} times"))
    text = sessions[0].get_iteration_guidance()
    assert text.count("market of A") == 2
    assert "market of B" not in text
    assert "market of C" not in text


@pytest.mark.parametrize("searches", [True, False], ids=["search", "fallback"])
async def test_cross_session_contamination(searches, request):
    """Section 16: iteration 2 of session A gets no insight of session B, neither by search nor by fallback."""
    session_a, session_b = two_sessions(
        "Goal A", "Session A specific insight on the goal", "Goal B", "Session B specific insight on the goal"
    )
    if not searches:
        request.getfixturevalue("failing_search")
    guidance_a2 = session_a.get_iteration_guidance()
    assert "Session B specific insight" not in guidance_a2
    assert "Session A specific insight" in guidance_a2
    assert guidance_a2.startswith("Insights of this session, found" if searches else "Fallback. The search failed")

    await session_a.run(approving_all())
    await session_b.run(approving_all())
    assert {one.source for one in guidance(session_a)} == {"search" if searches else "fallback"}
    assert "Session B" not in "".join(item for one in guidance(session_a) for item in one.items)
    assert any("Session A specific" in item for item in guidance(session_a)[0].items)


async def test_a_session_is_guided_the_same_whether_or_not_another_exists():
    alone = begin("Enter the market", ending="aaaa")
    await alone.run(approving_all())
    beside = begin("Enter the market", ending="aaaa", log=MemoryLog())
    rival = begin("Enter the market", ending="bbbb", log=log_of(beside))
    rival.store_iteration_result(result(1, "planning iteration market goal insight ledger truth"))
    await beside.run(approving_all())
    assert guidance(alone) == guidance(beside)
