"""Verification: what the product made is reproduced; in a copy where one thing was changed, it shows where it does."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script, as_draft, begin, events_of
from tests.memory_log import MemoryLog
from tests.replay.audited_sessions import NOVA, calls, doctored, resent, with_others
from tests.replay.verified_sessions import (
    SESSIONS,
    Events,
    changed,
    crashed,
    first,
    forked,
    redacted,
    rewritten,
    sealed,
    swapped,
    without,
)
from workbench.domain.errors import LogDamaged
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event, chained, genesis
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.embeddings import Embedder, HashedWords
from workbench.planning.policies import nobody
from workbench.replay import reexecution
from workbench.replay.likeness import SCORES_WITHIN
from workbench.replay.verification import Difference, Verification, verify
from workbench.storage.files.session_file import read_session_file

OLDER = sorted((Path(__file__).parent / "older").glob("*.jsonl"))
SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


def here(name: str) -> list[Embedder]:
    return [HashedWords()] if name in ("", HashedWords.name) else []


def nowhere(_name: str) -> list[Embedder]:
    return []


def verified(events: Sequence[Event]) -> Verification:
    return verify(events, here)


def difference(events: Sequence[Event]) -> Difference:
    found = verified(events).difference
    assert found is not None, "nothing was found"
    return found


def body(events: Sequence[Event], seq: int) -> Any:
    return say.content(events[seq - 1])


def says(event: Event, text: str) -> bool:
    return text.encode() in bytes(event.body)


def found_again(events: Sequence[Event]) -> int:
    """Where a call's prompt holds what a search of the session's own memory found."""
    bodies = ((event.seq, say.content(event)) for event in events if event.kind == "call.started")
    return next(seq for seq, call in bodies if any(one.score for one in call.context.relevant))


def derived(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if event.origin == "derived"]


def assert_reproduced(events: Sequence[Event]) -> None:
    found = verified(events)
    assert (found.difference, found.unchecked) == (None, ())
    assert found.verified
    assert (found.session, found.events) == (events[0].session, len(events))
    assert found.reproduced == len(derived(events))


# --- what the product made --------------------------------------------------------------------------------------------


@pytest.mark.cases(6)
@pytest.mark.parametrize("name", SESSIONS)
def test_every_event_of_a_session_is_reproduced(name: str) -> None:
    assert_reproduced(SESSIONS[name]())


def test_the_sessions_hold_every_derived_kind_and_what_is_hard_to_repeat() -> None:
    everything = [event for make in SESSIONS.values() for event in make()]
    assert {event.kind for event in derived(everything)} == {
        *("gate.opened", "call.started", "call.failed", "reply.rejected", "conversation.condensed"),
        *("approaches.proposed", "approach.chosen", "iteration.begun", "iteration.completed", "guidance.recalled"),
        *("plan.changed", "plan.verified", "plan.saved", "actions.prepared", "deliverable.written"),
        *("agent.answered", "worker.reported", "entity.stored", "session.finished"),
        "statements.read",
    }
    contexts = [one.context for event in everything if isinstance(one := say.content(event), say.CallStarted)]
    assert any(context.unavailable for context in contexts)
    assert any(one.source == "semantic" and not one.session for context in contexts for one in context.relevant)
    assert {event.origin for event in everything if event.kind == "guidance.recalled"} == {"derived", "given"}


def looks(events: Sequence[Event]) -> list[str]:
    """The calls that the loop looked outside for, and the calls, in order."""
    bodies = (say.content(event) for event in events)
    told = {say.OthersSearched: "search", say.SharedObserved: "look"}
    return [one.task if isinstance(one, say.CallStarted) else told[type(one)] for one in bodies if type(one) in _LOOKS]


_LOOKS = (say.OthersSearched, say.SharedObserved, say.CallStarted)


def test_what_was_looked_at_before_condensing_is_for_the_call_behind_it() -> None:
    told = looks(SESSIONS["looking_and_condensing"]())
    at = told.index("condense")
    assert told[at - 2 : at] == ["search", "look"]
    assert next(one for one in told[at:] if one != "condense") == "plan"


async def test_a_repair_is_searched_for_again_where_another_agent_was_asked_meanwhile() -> None:
    log, script = MemoryLog(), Script().then("propose", "no JSON at all").always("chat", "Fine.")
    with tempfile.TemporaryDirectory() as folder:
        manager = begin(log=log, others=with_others(log, Path(folder)), script=script, max_iterations=1)
        manager.add_agent(NOVA)
        while not manager.state.rejected:
            await manager.advance()
        await manager.address("nova", "Will the old provider of billing say no?")
        await manager.run(nobody)
    events = events_of(manager)
    assert looks(events) == ["search", "propose", "search", "chat", "search", "propose"]
    assert_reproduced(events)


@pytest.mark.cases(2)
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_every_event_of_a_sample_is_reproduced(sample: Path) -> None:
    assert_reproduced(list(read_session_file(sample)))


@pytest.mark.parametrize("at", range(3, 85, 27))
def test_a_fork_is_reproduced_with_what_it_copied(at: int) -> None:
    assert_reproduced(forked(at))


@pytest.mark.parametrize("length", range(2, 100, 27))
def test_a_session_that_ended_anywhere_and_was_resumed_is_reproduced(length: int) -> None:
    assert_reproduced(crashed(length))


def test_what_befell_the_execution_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A defect of the product must not look like a session from which nothing follows."""

    def fails(*_: object) -> None:
        message = "no such [b]place[/b]\x1b[31m"
        raise KeyError(message)

    monkeypatch.setattr(reexecution, "prepare", fails)
    found = difference(SESSIONS["every_step"]())
    assert "KeyError" in found.expected
    assert "no such" in found.expected
    assert "\x1b" not in found.expected


def test_there_is_nothing_to_verify_without_an_event() -> None:
    with pytest.raises(LogDamaged, match="no events"):
        verified([])


# --- one thing changed ------------------------------------------------------------------------------------------------


def test_a_reply_shows_in_what_follows_from_it() -> None:
    events = SESSIONS["every_step"]()
    seq = next(event.seq for event in events if event.kind == "call.finished" and says(event, "Insight 1"))
    found = difference(changed(events, seq, "the ledger is the truth", "the ledger is a lie"))
    assert (found.seq, found.where) == (seq + 1, "body.insights.0")
    assert ("truth" in found.recorded, "lie" in found.expected) == (True, True)


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"rank":', '"rank":1', "rank"),
        ('"reason":"', '"reason":"not ', "reason"),
        ('"score":', '"score":1', "score"),
        ('"tokens":', '"tokens":1', "tokens"),
    ],
)
def test_an_entry_of_a_ledger_is_named(old: str, new: str, where: str) -> None:
    events = SESSIONS["recalling_itself"]()
    seq = found_again(events)
    found = difference(changed(events, seq, old, new))
    assert found.seq == seq
    assert found.where.startswith("body.context.")
    assert where in found.where


@pytest.mark.parametrize(
    "kinds",
    [
        ("gate.opened", "gate.answered"),
        ("gate.answered", "approach.chosen"),
        ("call.started", "call.finished"),
        ("call.finished", "plan.changed"),
        ("iteration.begun", "guidance.recalled"),
        ("entity.stored", "iteration.completed"),
        ("plan.saved", "session.finished"),
    ],
)
def test_two_events_in_the_other_order_are_named(kinds: tuple[str, str]) -> None:
    events = SESSIONS["every_step"]()
    pairs = pairwise(events)
    seq = next(one.seq for one, other in pairs if (one.kind, other.kind) == kinds)
    found = difference(swapped(events, seq))
    assert (found.seq, found.kind) == (seq, kinds[1])


def unrenumbered(events: Events, *seqs: int) -> Events:
    """The same events without some, each with the id and the cause that it had."""
    return sealed(events[0].session, [as_draft(event) for event in events if event.seq not in seqs])


GAPS = [
    *(("every_step", kind) for kind in ("gate.opened", "call.started", "reply.rejected", "approaches.proposed")),
    *(("every_step", kind) for kind in ("approach.chosen", "entity.stored", "iteration.begun", "guidance.recalled")),
    *(("every_step", kind) for kind in ("plan.changed", "plan.verified", "actions.prepared", "deliverable.written")),
    *(("every_step", kind) for kind in ("iteration.completed", "plan.saved", "gate.answered", "call.finished")),
    *(("with_workers", kind) for kind in ("worker.reported", "agent.answered")),
    *(("sharing", "shared.observed"), ("with_agents", "others.searched")),
    *((f"condensed_by_{who}", "conversation.condensed") for who in ("rule", "a_model")),
]


@pytest.mark.cases(10)
@pytest.mark.parametrize("cut", [without, unrenumbered])
@pytest.mark.parametrize(("course", "kind"), GAPS)
def test_the_place_of_an_event_that_is_gone_is_named(course: str, kind: str, cut: Any) -> None:
    events = SESSIONS[course]()
    seq = first(events, kind)
    assert difference(cut(events, seq)).seq == seq


@pytest.mark.parametrize("header", [{}, {"actor": "person"}])
@pytest.mark.parametrize("number", [1, 2, 3])
def test_what_the_loop_stored_is_not_what_a_person_gave(number: int, header: dict[str, Any]) -> None:
    """Else what was made of the session's own words would guide it as somebody's."""
    events = SESSIONS["every_step"]()
    seq = first(events, "entity.stored", number)
    found = difference(rewritten(events, seq, origin="given", **header))
    assert (found.seq, found.where) == (seq, "origin")


@pytest.mark.parametrize(
    ("course", "kind", "number", "old", "new"),
    [
        ("every_step", "session.created", 1, "Move our billing", "Move our building"),
        ("with_agents", "message.given", 1, "What about the printer", "What about the painter"),
        ("with_agents", "others.searched", 1, "ends every June", "ends every July"),
        ("with_agents", "others.searched", 3, '"query":"', '"query":"no '),
        ("with_agents", "agent.added", 2, "You are Aniza", "You are Amiza"),
        ("with_workers", "agent.added", 1, '"name":"nova"', '"name":"nora"'),
        ("sharing", "shared.observed", 2, "The hospital pays", "Nobody ever pays"),
        ("recalling_itself", "entity.stored", 1, "The auditors want", "The auditors hate"),
        ("from_proposal", "session.reopened", 1, "Tell the auditors", "Fool the auditors"),
        ("edited", "gate.answered", 2, "Nobody pays twice", "Somebody pays twice"),
        ("with_workers", "workers.sent", 1, "Compare the terms", "Compare the times"),
        ("bounded", "bounds.changed", 1, "30000", "31000"),
        ("bounded", "call.finished", 1, '"output_tokens":', '"output_tokens":1'),
    ],
)
def test_what_was_given_shows_at_it_or_in_what_follows(course: str, kind: str, number: int, old: str, new: str) -> None:
    events = SESSIONS[course]()
    seq = first(events, kind, number)
    assert difference(changed(events, seq, old, new)).seq >= seq


@pytest.mark.parametrize(
    ("kind", "header"),
    [
        ("plan.changed", {"actor": "person"}),
        ("plan.changed", {"agent": "planner"}),
        ("plan.changed", {"turn": 2}),
        ("plan.changed", {"workspace": "w-2"}),
        ("plan.changed", {"cause": "move-billing-provider-x1y2:1"}),
        ("plan.changed", {"id": "move-billing-provider-x1y2:999"}),
        ("plan.changed", {"origin": "given"}),
        ("session.created", {"origin": "derived"}),
        ("gate.answered", {"origin": "derived"}),
        ("call.finished", {"origin": "derived"}),
        ("call.finished", {"cause": "move-billing-provider-x1y2:1"}),
        ("call.finished", {"cause": "move-billing-provider-x1y2:900"}),
        ("call.finished", {"agent": "verifier"}),
        ("gate.answered", {"cause": "move-billing-provider-x1y2:1"}),
        ("gate.answered", {"turn": 7}),
        ("gate.answered", {"session": "other-session-x1y2"}),
        ("session.created", {"cause": "move-billing-provider-x1y2:2"}),
        ("session.created", {"turn": 2}),
    ],
)
def test_a_header_is_named(kind: str, header: dict[str, Any]) -> None:
    events = SESSIONS["guided"]()
    seq = first(events, kind)
    assert difference(rewritten(events, seq, **header)).seq == seq


@pytest.mark.parametrize(
    ("old", "new"), [('"origin":"move', '"origin":"move-the'), ('"at":40', '"at":39'), ('"hash":"', '"hash":"0')]
)
def test_where_a_fork_comes_from_is_named(old: str, new: str) -> None:
    events = forked(40)
    assert difference(changed(events, 41, old, new)).seq == 41


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_rewind_that_says_it_is_a_redo_and_the_other_way_round_is_named(number: int) -> None:
    events = SESSIONS["rewound"]()
    seq = first(events, "session.rewound", number)
    is_redo = body(events, seq).redo
    others = (f'"redo":{str(said).lower()}' for said in (is_redo, not is_redo))
    assert difference(changed(events, seq, *others)).seq == seq


def test_a_prompt_whose_hash_and_tokens_were_made_right_again_is_named() -> None:
    events = SESSIONS["every_step"]()
    seq = calls(events, "verifier")[0]

    def other(call: say.CallStarted) -> say.CallStarted:
        told = [replace(one, content=one.content.replace("new provider", "old provider")) for one in call.messages]
        return replace(call, messages=tuple(told))

    assert difference(resent(events, seq, other)).seq == seq


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('"model":"told"', '"model":"tall"', "body.model"),
        ('"idle":120.0', '"idle":121.0', "body.parameters.idle"),
        ('"window":', '"window":1', "body.context.limit"),
        ('"prompt_hash":"', '"prompt_hash":"0', "body.prompt_hash"),
        ('"attempt":1', '"attempt":2', "body.attempt"),
        ('"covers":[]', '"covers":[],"more":1', "body.more"),
    ],
)
def test_a_field_of_a_call_is_named(old: str, new: str, where: str) -> None:
    events = SESSIONS["every_step"]()
    seq = calls(events, "planner", "plan")[0]
    found = difference(changed(events, seq, old, new))
    assert (found.seq, found.where) == (seq, where)


def test_a_body_that_is_written_in_another_way_is_named() -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "plan.saved")
    found = difference(changed(events, seq, '{"version"', '{ "version"'))
    assert (found.seq, found.where) == (seq, "body")


@pytest.mark.parametrize("text", ["{", '{"version":"one"}', "[]"])
def test_a_body_that_cannot_be_read_is_named(text: str) -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "plan.saved")
    drafts = [as_draft(event) for event in events]
    drafts[seq - 1] = replace(drafts[seq - 1], body=msgspec.Raw(text.encode()))
    assert difference(sealed(events[0].session, drafts)).seq == seq


# --- what cannot stand where it does ----------------------------------------------------------------------------------


def planted(events: Events, behind: int, kind: str, said: say.Body, **header: Any) -> Events:
    """The same events with one more, sealed anew under new ids."""
    drafts = [as_draft(event) for event in events]
    like = next(draft for draft in drafts if draft.kind in (kind, "gate.answered"))
    more = replace(like, kind=kind, body=msgspec.Raw(msgspec.json.encode(said)), id="", cause=events[behind - 1].id)
    told = [*drafts[:behind], replace(more, **header)]
    return sealed(events[0].session, told)


RESULT = say.CallFinished(
    call="c1", text="", input_tokens=1, output_tokens=1, cost=0.0, estimated=True, seconds=1.0, model="m", reason="stop"
)


@pytest.mark.parametrize(
    ("kind", "said", "why"),
    [
        ("gate.answered", say.GateAnswered(gate="g9", answer=Answer(kind="finish")), "g9 that it answers is not open"),
        ("gate.answered", say.GateAnswered(gate="g1", answer=Answer(kind="finish")), "does not fit the gate"),
        ("call.finished", RESULT, "No call c1 is waiting"),
        ("call.retried", say.CallRetried(call="c9", reason="Busy", wait=1.0), "No call c9 is waiting"),
        ("shared.observed", say.SharedObserved(for_call="c2"), "No look at the shared context is due"),
        (
            "others.searched",
            say.OthersSearched(query="x", reason="y", found=(), for_call="c2"),
            "No search of other sessions is due",
        ),
        ("message.given", say.MessageGiven(role="user", text="Hi", to="nobody"), "There is no agent nobody"),
        ("session.rewound", say.SessionRewound(to=2), "never stood at event 2"),
        ("session.resumed", say.SessionResumed(rules=rules.CURRENT), "It begins turn 1, and turn 2 is next"),
        ("guidance.recalled", say.GuidanceRecalled(query="", source="fallback", items=()), "No search for guidance"),
    ],
)
def test_a_given_event_that_cannot_stand_there_is_named(kind: str, said: say.Body, why: str) -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "gate.opened") + 1
    found = difference(planted(events, seq - 1, kind, said))
    assert (found.seq, found.kind) == (seq, kind)
    assert why in found.why


def test_an_event_between_two_that_were_recorded_at_once_is_named() -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "plan.saved") + 1
    found = difference(planted(events, seq - 1, "session.renamed", say.SessionRenamed(name="Other")))
    assert (found.seq, "recorded at once" in found.why) == (seq, True)


def test_guidance_of_a_failed_search_has_no_other_insights_than_the_last_ones() -> None:
    events = SESSIONS["failing_searches"]()
    seq = next(event.seq for event in events if event.kind == "guidance.recalled" and event.origin == "given")
    found = difference(changed(events, seq, "Insight", "Outsight"))
    assert (found.seq, "no others" in found.why) == (seq, True)


# --- what cannot be checked -------------------------------------------------------------------------------------------


def test_words_that_were_forgotten_are_said_to_be_unchecked_and_the_rest_is_checked() -> None:
    events = redacted()
    found = verified(events)
    assert found.verified
    kinds = {one.kind: one.why for one in found.unchecked}
    assert set(kinds) == {"session.created", "statements.read", "call.started"}
    assert all("forgotten" in why for why in kinds.values())
    assert found.reproduced == len(derived(events)) - sum(one.kind != "session.created" for one in found.unchecked)
    changed_later = [as_draft(event) for event in events]
    assert changed_later
    broken = list(events)
    seq = first(events, "actions.prepared")
    broken[seq - 1] = replace(
        broken[seq - 1], body=msgspec.Raw(bytes(broken[seq - 1].body).replace(b"Export", b"Import"))
    )
    assert difference(broken).seq == seq


@pytest.mark.parametrize(
    ("kind", "header"), [("plan.changed", {"actor": "person"}), ("gate.answered", {"cause": "nobody:1"})]
)
def test_behind_what_was_forgotten_a_header_is_named_all_the_same(kind: str, header: dict[str, Any]) -> None:
    events = list(redacted())
    seq = first(events, kind)
    events[seq - 1] = replace(events[seq - 1], **header)
    previous = genesis(events[0].session)
    for place, event in enumerate(events):
        events[place] = replace(event, hash=(previous := chained(previous, event)))
    assert difference(events).seq == seq


def searching(events: Events) -> list[int]:
    """Where this session's own memory was searched."""
    return [event.seq for event in events if b'"embedder":"hashed' in bytes(event.body)]


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("call.started", '"limit":5100', '"limit":5101'),
        ("call.started", "nova", "NOVA"),
        ("guidance.recalled", "The auditors want", "The auditors hate"),
        ("guidance.recalled", "for goal", "for gold"),
    ],
)
def test_without_its_embedder_everything_else_is_still_compared(kind: str, old: str, new: str) -> None:
    events = SESSIONS["recalling_itself"]()
    seq = next(s for s in searching(events) if events[s - 1].kind == kind and says(events[s - 1], old))
    found = verify(changed(events, seq, old, new), nowhere).difference
    assert found is not None
    assert found.seq == seq


@pytest.mark.parametrize(("by", "is_near"), [(SCORES_WITHIN / 4, True), (SCORES_WITHIN * 4, False)])
def test_scores_may_differ_in_their_last_digits_and_that_is_said(by: float, is_near: bool) -> None:
    events = SESSIONS["recalling_itself"]()
    seq = found_again(events)

    def scored(call: say.CallStarted) -> say.CallStarted:
        assert call.context is not None
        best, *others = call.context.relevant
        return replace(call, context=replace(call.context, relevant=(replace(best, score=best.score + by), *others)))

    found = verified(doctored(events, seq, scored))
    assert found.verified is is_near
    assert [one.seq for one in found.unchecked] == ([seq] if is_near else [])


def test_an_event_of_a_newer_kind_is_unchecked() -> None:
    events = SESSIONS["every_step"]()
    seq = first(events, "gate.opened")
    drafts = [as_draft(event) for event in events[:seq]]
    newer = replace(drafts[-1], kind="dream.dreamt", id="")
    found = verified(sealed(events[0].session, [*drafts, newer]))
    assert found.verified
    assert [(one.seq, one.kind) for one in found.unchecked] == [(seq + 1, "dream.dreamt")]
