"""Other sessions in prompts: searched on the record, quoted as data, excluded or pinned from the next prompt on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tests.builders import GOAL, Script, begin, events_of, kinds_of
from tests.memory_log import MemoryLog
from workbench.domain.session import events as say
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import approving_all

FACT = "The billing of the old provider ends every June"
REPLY = "A reply: ask the provider for the billing of last year"


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def others(log: MemoryLog, tmp_path: Path) -> OtherSessions:
    """Another session, in which somebody said something about billing, and an agent replied."""
    other = begin("Look back at the old provider", log=log, ending="o1o1")
    list(remember(other._session, [Said(FACT), Said(REPLY, role="assistant", agent="kahneman")]))
    return OtherSessions(Library(log, HashedWords(), tmp_path / "items"))


def planning(log, others, script=None):
    return begin(GOAL, log=log, others=others, script=script or Script())


def inputs(script, task):
    """What the user message of the last request for a task holds, and the system message."""
    request = [one for one in script.requests if type(one.task).__name__.lower().startswith(task)][-1]
    return request.messages[-1].content, request.messages[0].content


async def test_other_sessions_are_searched_before_the_planner_is_asked_and_at_no_other_time(log, others):
    manager = planning(log, others)
    await manager.run(approving_all())
    kinds = kinds_of(manager)
    behind = [after for kind, after in pairwise(kinds) if kind == "others.searched"]
    assert set(behind) == {"call.started"}
    asked = [say.content(event).task for event in events_of(manager) if event.kind == "call.started"]
    assert kinds.count("others.searched") == asked.count("propose") + asked.count("plan")
    searched = [event for event in events_of(manager) if event.kind == "others.searched"]
    assert {(event.origin, event.agent, event.actor) for event in searched} == {("given", "planner", "workbench")}


async def test_what_was_found_is_quoted_as_data_with_whose_it_is(log, others):
    script = Script()
    manager = planning(log, others, script)
    await manager.propose_approach()
    told, system = inputs(script, "propose")
    assert '<input name="from_other_sessions">' in told
    assert FACT in told
    assert "look-back-old-o1o1" in told
    assert FACT not in system


async def test_another_agents_reply_in_another_session_is_not_quoted_to_the_planner(log, others):
    script = Script()
    manager = planning(log, others, script)
    await manager.propose_approach()
    assert "A reply" not in inputs(script, "propose")[0]


async def test_seed_001_current_conversation_and_relevant_history_are_two_sources(log, others):
    """This session's own messages and what was found elsewhere never mix: two sources, each item with its session."""
    manager = planning(log, others)
    await manager.propose_approach()
    state = manager.state
    assert {said.text for said in state.history if said.role == "user"} == {GOAL}
    assert ("look-back-old-o1o1", FACT) in [(one.session, one.text) for one in state.recalled]
    assert {one.session for one in state.recalled} == {"look-back-old-o1o1"}
    without = begin(GOAL, log=log, ending="n1n1")
    await without.propose_approach()
    assert without.state.recalled == ()
    assert "others.searched" not in kinds_of(without)


async def test_an_excluded_item_is_gone_from_the_very_next_prompt_and_a_pinned_one_stays(log, others):
    script = Script()
    manager = planning(log, others, script)
    await manager.propose_approach()
    quoted = next(one for one in manager.state.recalled if one.text == FACT)
    await manager.mark(quoted.session, quoted.id, "excluded")
    await manager.process_user_feedback("What of the billing of the old provider, which ends every June?")
    await manager.propose_approach()
    assert FACT in [one.text for one in manager.state.retrieved], "it is found once more"
    assert FACT not in inputs(script, "propose")[0]
    await manager.mark(quoted.session, quoted.id, "pinned")
    await manager.switch_recall(on=False)
    await manager.process_user_feedback("Once more")
    await manager.propose_approach()
    assert FACT in inputs(script, "propose")[0]
    await manager.mark(quoted.session, quoted.id, "")
    await manager.process_user_feedback("And again")
    await manager.propose_approach()
    assert FACT not in inputs(script, "propose")[0]


async def test_a_search_that_fails_is_shown_and_planning_goes_on(log, others, monkeypatch):
    def failing(*_args, **_named):
        raise OSError("disk")

    monkeypatch.setattr(others, "concerning", failing)
    manager = planning(log, others)
    await manager.propose_approach()
    [searched] = manager.state.searches
    assert (searched.found, searched.unavailable) == ((), "The search failed (OSError).")
    assert manager.state.approaches
