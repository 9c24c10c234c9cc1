"""The audit of what sessions share: honest prompts pass, and whatever is planted in a copy is named with its event."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script, events_of
from tests.planning.together import PEER, Project
from tests.replay.audited_sessions import calls, doctored, entry, resent, with_messages
from workbench.domain.log.envelope import Event
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.planning.memory.recalling import mark_item
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit

DEADLINE = "The auditors of the hospital want every invoice of the old provider before the end of June"
BUDGET = "Whatever is bought for the printers of the second floor is paid by the hospital's own foundation"
TIME = "2026-11-22T08:00:00.000001Z"
START = '<input name="shared_context">\n'


@cache
def made() -> tuple[Event, ...]:
    """A session beside a peer: keys of both, one that is deleted, one that is cut, one that is excluded, a course."""

    async def make() -> tuple[Event, ...]:
        project, script = Project(), Script().then("chat", "Fine.", "Still fine.")
        project.share("deadline", DEADLINE)
        project.share("gone", "soon")
        project.share("minutes", "x" * 9_000)
        project.share(f"sessions/{PEER}", {"phase": "planning", "goal": "Paint the fence of the hospital garden"})
        manager = project.begin(script=script, max_iterations=1)
        project.share("printers", 7, by=manager.session_id)
        manager.add_agent(new_agent("nova", "You are Nova."))
        await manager.ask("nova", "When?")
        project.delete("gone")
        project.share("budget", {"who": BUDGET})
        mark_item(manager._session, PEER, "shared:budget", "excluded")
        await manager.ask("nova", "And who pays?")
        await manager.run(approving_all())
        return tuple(events_of(manager))

    return asyncio.run(make())


def broken(events: Any) -> list[tuple[str, int]]:
    return [(one.rule, int(one.event.rpartition(":")[2])) for one in audit(events).violations]


def test_an_honest_session_passes_and_had_something_to_find_fault_with() -> None:
    found = audit(made())
    assert found.ok, found.violations
    assert found.in_full == found.calls
    bodies = [say.content(event) for event in made() if event.kind == "call.started"]
    listed = {one.id for body in bodies for one in body.context.relevant}
    assert listed == {"shared:deadline", "shared:gone", "shared:minutes", "shared:printers"}
    dropped = {(one.id, one.why_not) for body in bodies for one in body.context.dropped}
    assert ("shared:budget", "excluded") in dropped


# --- what is planted --------------------------------------------------------------------------------------------------


def quoting(key: str, text: str) -> Callable[[Any], Any]:
    """One more quotation of the shared context, in the prompt and in the ledger, as one that was seen would be."""
    fields = {"session": PEER, "source": "shared", "role": "artefact", "rank": 1, "reason": "shared, version 1"}

    def plant(call: Any) -> Any:
        one = {"session": PEER, "time": TIME, "who": "artefact", "text": f"{key} = {text}"}
        *others, last = call.messages[-1].content.split(START)
        listed = msgspec.json.decode(last.split("\n</input>")[0]) if others else []
        rest = last.split("\n</input>", 1)[1] if others else f"\n\n{last}"
        written = msgspec.json.format(msgspec.json.encode([*listed, one]), indent=1).decode()
        call = with_messages(call, last=f"{''.join(others)}{START}{written}\n</input>{rest}")
        planted = replace(entry(f"shared:{key}", one["text"], **fields), section="relevant_history")
        kept = tuple(one for one in call.context.dropped if one.id != planted.id)
        relevant = (*call.context.relevant, planted)
        return replace(call, context=replace(call.context, relevant=relevant, dropped=kept))

    return plant


def of_entry(key: str, **fields: Any) -> Callable[[Any], Any]:
    """Something else is said of an entry, and nothing in the prompt."""

    def plant(call: Any) -> Any:
        relevant = tuple(replace(one, **fields) if one.id == f"shared:{key}" else one for one in call.context.relevant)
        return replace(call, context=replace(call.context, relevant=relevant))

    return plant


def in_prompt(old: str, new: str) -> Callable[[Any], Any]:
    def plant(call: Any) -> Any:
        assert old in call.messages[-1].content
        return with_messages(call, last=call.messages[-1].content.replace(old, new))

    return plant


def elsewhere(call: Any) -> Any:
    return with_messages(call, last=f'<input name="proposal">\n{DEADLINE}\n</input>\n\n{call.messages[-1].content}')


PLANTED = {
    "a key that was never seen": ("scope.retrieved", "planner", quoting("salaries", '"They are low"')),
    "a key that was deleted": ("scope.retrieved", "planner", quoting("gone", '"soon"')),
    "a key that a person excluded": ("scope.excluded", "planner", quoting("budget", f'{{"who": "{BUDGET}"}}')),
    "what another session is at": ("scope.retrieved", "planner", quoting(f"sessions/{PEER}", '{"phase": "planning"}')),
    "another writer": ("scope.retrieved", "planner", of_entry("deadline", session="peer-c-c3c3")),
    "this session as the writer": ("scope.retrieved", "planner", of_entry("deadline", session="")),
    "the label of a search": ("scope.label", "planner", of_entry("deadline", source="semantic")),
    "the label of this session": ("scope.label", "planner", of_entry("printers", source="session")),
    "a quotation for the verifier": ("scope.caller", "verifier", quoting("deadline", f'"{DEADLINE}"')),
    "a quotation for the executor": ("scope.caller", "executor", quoting("deadline", f'"{DEADLINE}"')),
    "another value": ("prompt.ledger", "planner", in_prompt("before the end of June", "before the end of July")),
    "another writer in the prompt": ("prompt.ledger", "planner", in_prompt(PEER, "peer-c-c3c3")),
    "under the name of another input": ("prompt.ledger", "planner", in_prompt("shared_context", "from_this_session")),
    "another version": ("ledger.entry", "planner", of_entry("deadline", reason="shared, version 9")),
    "another rank": ("ledger.entry", "planner", of_entry("deadline", rank=1)),
    "a score": ("ledger.entry", "planner", of_entry("deadline", score=1.5)),
    "a pin": ("ledger.entry", "planner", of_entry("deadline", pinned=True)),
    "a person as the speaker": ("ledger.entry", "planner", of_entry("deadline", role="user")),
    "other tokens": ("ledger.tokens", "planner", of_entry("deadline", tokens=1)),
    "its words in another input": ("prompt.quotation", "planner", elsewhere),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_is_named_with_its_event(planted: str) -> None:
    rule, role, change = PLANTED[planted]
    seq = calls(made(), role)[-1]
    found = broken(resent(made(), seq, change))
    assert (rule, seq) in found, found
    assert {place for _, place in found} == {seq}


def test_with_sharing_off_nothing_of_it_is_quoted() -> None:
    def switched_off(created: say.SessionCreated) -> say.SessionCreated:
        return replace(created, options=replace(created.options, shared=False))

    found = broken(doctored(made(), 1, switched_off))
    assert {rule for rule, _ in found} == {"scope.retrieved"}
    quoting_calls = [seq for role in ("nova", "planner") for seq in calls(made(), role)]
    assert sorted({seq for _, seq in found}) == sorted(quoting_calls)
