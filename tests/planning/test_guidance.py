"""Guidance comes from this session's own memory; a fallback is shown as one; and no session sees another's.

The scenarios are those of the first seed, sections 10 and 16, under their names.
"""

import pytest
from tests.builders import (
    CHOOSE,
    STEPS,
    FixedClock,
    Script,
    answering,
    begin,
    bodies_of,
    events_of,
    log_of,
    notes,
    plan_reply,
)
from tests.memory_log import MemoryLog
from workbench.bootstrap import Workspace
from workbench.domain.session import events as say
from workbench.memory.memory_view import MemoryView
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all


def result(number, *insights):
    return say.IterationResult(iteration_num=number, plan=f"Plan {number}", key_insights=insights)


@pytest.fixture
def failing_search(monkeypatch):
    def fail(*_):
        raise AttributeError("no search_similar")

    monkeypatch.setattr(MemoryView, "search_similar", fail)


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
    script = Script().then("plan", plan_reply(STEPS, title="P"), plan_reply(notes("y" * 99)))
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


# --- the seed's scenarios ---------------------------------------------------------------------------------------------

MARKET = "How large the market is decides the market strategy"

SCENARIOS = {
    "Scenario 1: Session A Iteration 2 gets Session B Iteration 1 insights": {
        "A": ("Enter the market", ("Market analysis shows 20% CAGR",)),
        "B": ("Enter the market", ("Market analysis shows 15% CAGR",)),
    },
    "Scenario 2: Session A Iteration 2 uses insights from different goal entirely": {
        "A": ("Healthcare market strategy", ("Hospital network is main focus of the market",)),
        "B": ("Real estate market strategy", ("Market analysis of houses", MARKET)),
    },
    "Scenario 3: Iteration searching returns 3-session-old results": {
        "A": ("Enter the market", ("The market of A, seen once", "The market of A, seen twice")),
        "B": ("Enter the market", ("The market of B, seen once", "The market of B, seen twice", MARKET)),
        "C": ("Leave the market", ("The market of C, seen once",)),
    },
    "Scenario 4: Cross-contamination of planning contexts": {
        "A": ("Create 5-year growth strategy", ("Revenue targets of the strategy", "Market size and growth")),
        "B": ("Analyze competitive landscape", ("Competitor pricing by market size", "Market share and growth")),
    },
    "Section 16: Cross-Session Contamination": {
        "A": ("Goal A", ("Session A specific insight",)),
        "B": ("Goal B", ("Session B specific insight",)),
    },
}


class SeedSessions:
    """Sessions of one workspace, begun in the same second, each with an iteration for each of its insights."""

    def __init__(self, folder, sessions):
        environ = {"WORKBENCH_CONFIG": str(folder / "none.toml")}
        self.workspace = Workspace.open(folder, environ=environ, clock=FixedClock())
        self.managers = {}
        self.insights = {name: insights for name, (_, insights) in sessions.items()}
        for name, (goal, insights) in sessions.items():
            manager = self.workspace.start(goal, model=CallableModel(Script(), name="told"), recall=True)
            for number, insight in enumerate(insights, start=1):
                manager.store_iteration_result(result(number, insight))
            self.managers[name] = manager

    def foreign(self, name):
        return {text for other, texts in self.insights.items() if other != name for text in texts}


@pytest.mark.cases(1)
@pytest.mark.parametrize("searches", [True, False], ids=["search", "fallback"])
@pytest.mark.parametrize("scenario", SCENARIOS)
async def test_error_scenario(scenario, searches, tmp_path, request):
    """No session is guided by another one's insights: neither by the search nor, where that fails, by the fallback."""
    sessions = SeedSessions(tmp_path, SCENARIOS[scenario])
    if not searches:
        request.getfixturevalue("failing_search")
    for name, manager in sessions.managers.items():
        await manager.run(approving_all())
        recalled = guidance(manager)
        assert len(recalled) > 1
        assert {one.source for one in recalled} == {"search" if searches else "fallback"}
        assert searches or all(one.note.startswith("The search failed (AttributeError)") for one in recalled)
        own = sessions.insights[name] if searches else sessions.insights[name][-1:]
        assert set(recalled[0].items) >= set(own)
        for one in recalled:
            assert not sessions.foreign(name) & set(one.items)
    created = {next(iter(events_of(manager))).time for manager in sessions.managers.values()}
    assert len(created) == 1, "begun in the same second"
    across = [one for manager in sessions.managers.values() for one in bodies_of(manager, say.OthersSearched)]
    assert any(one.found for one in across), "recall is on, and what others learned is near: where it may come from"


@pytest.mark.parametrize("searches", [True, False], ids=["search", "fallback"])
def test_cross_session_contamination(searches, tmp_path, request):
    """Section 16 in its own words: iteration 2 of session A gets no insight of session B."""
    sessions = SeedSessions(tmp_path, SCENARIOS["Section 16: Cross-Session Contamination"])
    if not searches:
        request.getfixturevalue("failing_search")
    guidance_a2 = sessions.managers["A"].get_iteration_guidance()
    assert "Session B specific insight" not in guidance_a2
    assert "Session A specific insight" in guidance_a2
    assert guidance_a2.startswith("Insights of this session, found" if searches else "Fallback. The search failed")


async def test_a_session_is_guided_the_same_whether_or_not_another_exists():
    alone = begin("Enter the market", ending="aaaa")
    await alone.run(approving_all())
    beside = begin("Enter the market", ending="aaaa", log=MemoryLog())
    rival = begin("Enter the market", ending="bbbb", log=log_of(beside))
    rival.store_iteration_result(result(1, "planning iteration market goal insight ledger truth"))
    await beside.run(approving_all())
    assert guidance(alone) == guidance(beside)
