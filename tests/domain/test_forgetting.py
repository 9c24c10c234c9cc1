"""Which bodies say a text, what they say without it, and who vouches for that."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.builders import STEPS, created, plan_changed, told
from tests.properties.test_operations import pairs
from tests.session_events import started
from workbench.domain.errors import LogDamaged, NotFound, UsageError
from workbench.domain.log.envelope import Event, Head, body_digest, first_broken_link, genesis
from workbench.domain.loop.asking.tasks import Feedback, Handled
from workbench.domain.plan.changing.operations import Cause, Change, operations_between
from workbench.domain.plan.plan import Plan, Section
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.domain.session.forgetting import MARK, check_text, first_unvouched, is_forgettable, redactions, texts_of
from workbench.domain.session.repetition import repetitions, strings_of
from workbench.domain.session.session import fold
from workbench.domain.text.mentions import Mentions
from workbench.storage.admission import redacted

SECRET = 'sk-"4711"\nend'


def message(text: str) -> say.MessageGiven:
    return say.MessageGiven(role="user", text=text)


def replaced(events: list[Event], texts: list[str], **more: object) -> list[Event]:
    """The events as they stand after forgetting, without the event that vouches."""
    change = redactions(events, texts, **more)  # type: ignore[arg-type]
    return [redacted(event, change.bodies) for event in events]


def vouching(events: list[Event], *bodies: tuple[Event, msgspec.Raw]) -> list[Event]:
    named = tuple(say.Redacted(event=event.id, body=body_digest(body)) for event, body in bodies)
    return told(say.ContentForgotten(item="message:s:2", redacted=named), after=events)


@pytest.mark.parametrize("text", ["", "abc", " \n\t      ", "  ab  ", "[forgotten]", "forgotten", "orgott"])
def test_what_would_destroy_everything_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as failure:
        check_text(text)
    assert failure.value.remedy


def test_only_bodies_that_say_it_change_and_the_chain_holds() -> None:
    events = told(created(), message(f"The key is {SECRET}!"), message("Nothing."), message(SECRET))
    left = replaced(events, [SECRET])
    assert [event.redacted != "" for event in left] == [False, True, False, True]
    assert [event.redacted for event in left if event.redacted] == [body_digest(left[n].body) for n in (1, 3)]
    assert left[0] is events[0]
    assert [one.hash for one in left] == [one.hash for one in events]
    assert [one.body_hash for one in left] == [one.body_hash for one in events]
    assert first_broken_link(left, Head("e", 0, genesis(left[0].session))) is None
    assert [said.text for said in fold(left).history][-3:] == [f"The key is {MARK}!", "Nothing.", MARK]


def test_a_redacted_body_is_the_one_that_its_event_names() -> None:
    events = told(created(), message(SECRET))
    left = replaced(events, [SECRET])
    start = Head("e", 0, genesis(left[0].session))
    other = msgspec.Raw(b'{"role":"user","text":"put in"}')
    assert first_broken_link([left[0], msgspec.structs.replace(left[1], body=other)], start) is not None
    assert first_broken_link([left[0], msgspec.structs.replace(events[1], body=other)], start) is not None
    assert first_broken_link([left[0], msgspec.structs.replace(events[1], redacted="0" * 64)], start) is not None


def test_a_body_that_is_no_json_is_damage() -> None:
    (event,) = told(created())
    with pytest.raises(LogDamaged):
        redactions([msgspec.structs.replace(event, body=msgspec.Raw(b"{"))], [SECRET])


def condensed(text: str, *covers: str) -> Event:
    """An event with a summary, as a context is condensed; the fields beside it are of no matter here."""
    (event,) = told(created())
    body = msgspec.Raw(msgspec.json.encode({"summary": {"id": "summary:1", "text": text, "covers": covers}}))
    return msgspec.structs.replace(event, id="s:9", kind="conversation.condensed", body=body)


def test_a_summary_that_covers_the_item_goes_as_a_whole_and_so_does_what_repeats_it() -> None:
    retold = "They spoke of a credential."
    events = [*told(created(), message(f"We read: {retold} Well.")), condensed(retold, "message:s:2", "s:3")]
    for covering in (["message:s:2"], ["s:3"]):
        change = redactions(events, [SECRET], covering=covering)
        assert change.summaries == ("s:9",)
        assert list(change.bodies) == [events[1].id, "s:9"]
        assert msgspec.json.decode(change.bodies["s:9"])["summary"]["text"] == MARK
        assert msgspec.json.decode(change.bodies[events[1].id])["text"] == f"We read: {MARK} Well."
    assert not redactions(events, [SECRET], covering=["message:s:1"]).bodies


def test_a_summary_that_says_it_goes_as_a_whole() -> None:
    change = redactions([condensed(f"The key is {SECRET}, they said.", "message:s:5")], [SECRET])
    assert msgspec.json.decode(change.bodies["s:9"])["summary"] == {
        "id": "summary:1",
        "text": MARK,
        "covers": ["message:s:5"],
    }
    again = condensed(MARK, "message:s:5")
    assert redactions([again], [SECRET], covering=["message:s:5"]).summaries == ()


def test_a_redaction_is_vouched_for_by_the_last_that_names_it_and_stands_behind_it() -> None:
    events = told(created(), message(SECRET), message("later"))
    assert first_unvouched(events) is None
    once = replaced(events, [SECRET])
    assert first_unvouched(once) == once[1]
    vouched = vouching(once, (once[1], once[1].body))
    assert first_unvouched(vouched) is None
    put_in = msgspec.Raw(b'{"role":"user","text":"put in"}')
    other = msgspec.structs.replace(once[1], body=put_in, redacted=body_digest(put_in))
    assert first_unvouched([vouched[0], other, *vouched[2:]]) == other
    twice = vouching(vouched, (once[1], put_in))
    assert first_unvouched(twice) == once[1], "what was vouched for before counts no more"
    assert first_unvouched([twice[0], other, *twice[2:]]) is None
    before = vouching([events[0]], (events[1], once[1].body))
    assert first_unvouched([*before, once[1]]) == once[1], "nobody vouches for what is to come"


def test_what_vouches_and_is_redacted_vouches_for_nothing() -> None:
    once = replaced(told(created(), message(SECRET)), [SECRET])
    vouched = vouching(once, (once[1], once[1].body))
    doctored = msgspec.structs.replace(vouched[-1], redacted=body_digest(vouched[-1].body))
    assert first_unvouched([*once, doctored]) == once[1]


def test_the_texts_of_items() -> None:
    plan = Plan(title="P", sections=(Section(id="goal", title="Goal", text="The whole goal."), STEPS))
    result = say.IterationResult(iteration_num=1, plan="# P", key_insights=("First insight.", "Second."))
    state = fold(
        told(
            created(),
            message("Hello there"),
            say.EntityStored(name="notes", content="old notes"),
            say.EntityStored(name="notes", content="new notes"),
            plan_changed(version=1, plan=plan, by="planner", change=1.0),
            say.IterationStored(result=result),
        )
    )
    session = state.session
    assert texts_of(state, f"message:{session}:2") == ("Hello there",)
    assert texts_of(state, f"entity:{session}:3") == ("old notes",)
    assert texts_of(state, "insight:1.2") == ("Second.",)
    assert texts_of(state, "section:1.goal")[1:] == ("The whole goal.",)
    steps = texts_of(state, "section:1.steps")
    assert "Copy the customers" in steps
    assert "Data lead" in steps
    assert "S1" not in steps
    assert "step" not in steps
    for unknown in ("message:s:99", "insight:2.1", "insight:x", "section:1.risks", "what:1", "", "message:"):
        with pytest.raises(NotFound):
            texts_of(state, unknown)


@given(pairs(), st.data())
def test_any_string_of_a_plan_can_be_forgotten_and_what_is_left_of_its_operations_is_a_plan(
    pair: tuple[Plan, Plan], data: st.DataObject
) -> None:
    empty = Plan(title="")
    drafts = [
        say.PlanChanged(
            version=number,
            changes=tuple(Change(one, Cause("planner")) for one in operations_between(before, after)),
            by="planner",
            change=1.0,
        )
        for number, (before, after) in enumerate(pairwise((empty, *pair)), start=1)
    ]
    events = told(created(), *drafts)
    strings = sorted({one for event in events[1:] for one in strings_of(msgspec.json.decode(event.body))})
    text = data.draw(st.sampled_from(strings))
    assume(is_forgettable(text) and readable(replaced(events, [text])))
    state = fold(replaced(events, [text]))
    assert not any(Mentions([text]).within(one) for one in strings_of(msgspec.to_builtins(state.plan)))


def readable(events: Sequence[Event]) -> bool:
    """Tell whether every event still says what its kind should: no word of the format was forgotten."""
    try:
        return all(say.content(event) for event in events)
    except LogDamaged:
        return False


def test_what_rules_once_read_of_it_goes_from_old_sessions_with_the_prompts_that_told_it() -> None:
    fact = {"text": "at most 4711 EUR", "type": "amount", "value": {"number": 4711.0, "currency": "EUR"}}
    read = say.FactsRead(source="goal", facts=({"id": "G1", "source": "goal", "fact": fact},))
    prompt = [Message(role="system", content="You plan."), Message(role="user", content=f"at most 4711 EUR: {fact}")]
    left = replaced(told(created(), read, replace(started(1), messages=tuple(prompt))), ["at most 4711 EUR"])
    assert not any(b"4711" in bytes(event.body) for event in left)
    messages = msgspec.json.decode(left[-1].body)["messages"]
    assert [one["content"] for one in messages] == ["You plan.", MARK]
    assert fold(left).calls == 1


@pytest.mark.parametrize(
    ("made", "repeated"),
    [
        ("S9 “Call the Marmalade lawyer” is added.", ["Call the Marmalade lawyer"]),
        ("Which one is “call the Marmalade law…”?", ["call the Marmalade law"]),
        ("S2 “Rent the rooms” is dropped.", []),
        ("The lawyer", []),
        ("Pay the bill; marmalade lawyer, twice", ["Pay the bill", "marmalade lawyer"]),
    ],
)
def test_what_a_note_repeats_of_a_message(made: str, repeated: list[str]) -> None:
    said = "Please call the Marmalade lawyer, then pay the bill"
    handled = Handled(feedback="F1", kind="add", note=made)
    state = replace(fold(told(created())), feedback=(Feedback(id="F1", text=said),), handled=(handled,))
    assert list(repetitions(state, said)) == repeated
    assert list(repetitions(state, "Something else")) == []
