"""Events that copy from earlier ones: they are rebuilt byte for byte, or the session says where it is broken."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import (
    Script,
    answering,
    as_draft,
    as_in_full,
    as_recorded,
    begin,
    feedback,
    log_of,
    stored_events_of,
)
from tests.doctored import created, said, sealed
from tests.offline import Offline
from tests.replay.verified_sessions import NOVA, SESSIONS
from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event, Head, genesis, seal
from workbench.domain.session.copies import MOST_IN_ONE, Recent, in_full
from workbench.domain.session.session import fold
from workbench.models.embeddings import HashedWords
from workbench.planning.policies import approving_all
from workbench.replay.audit import audit
from workbench.replay.contexts import context_of
from workbench.replay.verification import verify

COURSES = ("every_step", "guided", "with_agents", "with_workers", "rewound", "failed_and_resumed")
LINE = "A line that is long enough to be copied by whoever wants to.\n"


@pytest.mark.parametrize("name", COURSES)
def test_what_is_recorded_with_copies_is_the_same_session(name: str) -> None:
    events = SESSIONS[name]()
    recorded = as_recorded(events)
    assert sum(len(event.body) for event in recorded) < sum(len(event.body) for event in events)
    assert [bytes(event.body) for event in in_full(recorded)] == [bytes(event.body) for event in events]
    assert replace(fold(recorded), recent=Recent(), points=()) == replace(fold(events), recent=Recent(), points=())
    assert (found := verify(recorded, lambda _name: [HashedWords()])).verified, found.difference
    assert audit(recorded) == audit(events)


async def test_a_round_takes_as_much_as_what_it_changes() -> None:
    manager = begin(model=Offline(), checkpoint_interval=1, max_iterations=100)
    rounds = [feedback(f"Add a step to inform branch {number} of the bank") for number in range(12)]
    await manager.run(answering_each(rounds))
    stored, sizes = stored_events_of(manager), []
    for event in stored:
        sizes += [0] if event.kind == "iteration.begun" else []
        if sizes and event.kind != "call.finished":
            sizes[-1] += len(event.body)
    assert len(sizes) > 12
    assert sizes[11] < 2 * sizes[3]
    assert sum(len(event.body) for event in stored) < 0.4 * sum(len(event.body) for event in as_in_full(stored))


def answering_each(rounds: list[Any]) -> Any:
    approve = approving_all()

    async def decide(state: Any, gate: Any) -> Any:
        if gate.kind == "checkpoint" and rounds:
            return await answering(rounds.pop(0))(state, gate)
        return await approve(state, gate)

    return decide


# --- files of others --------------------------------------------------------------------------------------------------


def call(number: int, messages: Any, **more: Any) -> dict[str, Any]:
    body = {"call": f"c{number}", "role": "planner", "task": "plan", "attempt": 1, "model": "m"}
    body |= {"messages": messages, "prompt_hash": "", "parameters": {}, **more}
    return said("call.started", body, origin="derived", agent="planner")


def copying(number: int, *runs: list[Any], of: str = "call.started", sha256: str = "0" * 64) -> dict[str, Any]:
    messages = [{"role": "user", "content": {"lines": list(runs)}}]
    return call(number, messages, copied={"of": [of], "sha256": sha256})


def file_with(*events: dict[str, Any]) -> tuple[Event, ...]:
    return sealed("billing", created(rules=1), *events)


FIRST = call(1, [{"role": "user", "content": LINE * 20}])


@pytest.mark.parametrize(
    "broken",
    [
        copying(2, [0, 1], of="call.started nova"),
        copying(2, [0, 1], of="deliverable.written"),
        copying(2, [19, 2]),
        copying(2, [-1, 1]),
        copying(2, [0, 10**15]),
        copying(2, [0]),
        copying(2, ["0", "1"]),
        copying(2, [0.5, 1]),
        call(2, {"items": [[0, 1]]}, copied={"of": ["call.started"], "sha256": ""}),
        call(2, [], copied={"of": "call.started"}),
        call(2, [], copied={}),
    ],
)
def test_copies_of_what_is_not_there_are_damage_that_is_named(broken: dict[str, Any]) -> None:
    events = file_with(FIRST, broken)
    for read in (lambda: list(in_full(events)), lambda: context_of(events)):
        with pytest.raises(LogDamaged, match=r"call\.started") as caught:
            read()
        assert "billing:3" in str(caught.value)
    assert [one.event for one in audit(events).violations if one.rule == "log.copies"] == ["billing:3"]


def test_copies_that_are_changed_are_named_by_verification() -> None:
    events = as_recorded(SESSIONS["guided"]())
    for event in events:
        body = bytes(event.body)
        if b'"copied":' in body:
            changed = [as_draft(one) for one in events]
            other = re.sub(rb"\[(\d+),(\d+)\]", rb"[1\1,\2]", body, count=1)
            changed[event.seq - 1] = replace(changed[event.seq - 1], body=msgspec.Raw(other))
            found = verify(seal(changed, Head("e", 0, genesis(event.session))), lambda _name: [HashedWords()])
            assert found.difference is not None
            assert found.difference.seq == event.seq


@pytest.mark.parametrize("line", [LINE, "\n"])
def test_copies_of_copies_cannot_double_for_ever(line: str) -> None:
    counts = [20 * 2**number for number in range(64)]
    doubling = [copying(number, [0, count], [0, count]) for number, count in enumerate(counts, start=2)]
    events = file_with(call(1, [{"role": "user", "content": LINE + line * 19}]), *doubling)
    with pytest.raises(LogDamaged, match="more than one event may copy"):
        fold(events)
    recent, read = Recent(), 0
    for event in events:
        try:
            recent = recent.after(event)
        except LogDamaged:
            break
        read += 1
    assert sum(len(part) for part in recent.sources["call.started"].parts) <= MOST_IN_ONE
    assert read < 22
    assert {one.rule for one in audit(events).violations} >= {"log.copies"}


def test_what_looks_like_copies_is_recorded_in_full() -> None:
    model = {"lines": ["a text", [0, 1]]}
    drafts = file_with(FIRST, call(2, [{"role": "user", "content": LINE * 20}], parameters=model))
    recorded = as_recorded(drafts)
    assert [bytes(event.body) for event in recorded] == [bytes(event.body) for event in drafts]


async def test_a_reply_that_repeats_the_one_before_it_is_kept_whole() -> None:
    reply = json.dumps({"answer": LINE * 40})
    manager = begin(script=Script().then("chat", reply, reply))
    manager.add_agent(NOVA)
    for question in ("What is to be done?", "And what else?"):
        await manager.ask("nova", question)
    replies = [event for event in log_of(manager).read(manager.session_id) if event.kind == "call.finished"]
    assert len(replies[1].body) < len(replies[0].body) / 2
    assert [one.text for one in manager.state.history if one.role == "assistant"] == [reply, reply]
