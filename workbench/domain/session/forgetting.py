"""Forgetting: which bodies of a session say a text, what they say without it, and who vouches for that.

    item ─▶ its texts ─▶ each event's body, decoded ─▶ every string without them ─▶ redacted body, sha256
                                    └▶ summaries that cover the item: their texts are forgotten too

    redacted event   body, and ``redacted``: its sha256      ◀─ names both ─┐
    later event      content.forgotten ─────────────────────────────────────┘

The chain covers a body by the hash of what was written, so it holds whatever is there now. What is there now is
covered by the content.forgotten event, whose own body the chain covers and nothing may redact: a body that somebody put
in without one is found by ``first_unvouched``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import LogDamaged, NotFound, UsageError
from workbench.domain.log.envelope import UNREADABLE, Event, body_digest
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Section
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent, in_full
from workbench.domain.session.repetition import repetitions, strings_of
from workbench.domain.session.session import SessionState
from workbench.domain.text.mentions import Mentions

MARK = "[forgotten]"
"""What replaces what was forgotten."""
SHORTEST = 4
SHORTEST_PART = 6
"""Characters. Shorter texts are in so many words that forgetting them would destroy what a session says."""

OWN_KIND = "content.forgotten"
"""Of the event that vouches for redacted ones: it is never redacted itself."""


class Redactions(Struct, frozen=True):
    """What forgetting changes in a session."""

    bodies: Mapping[str, msgspec.Raw]
    """Redacted bodies by the id of their event, in the order of the log."""
    summaries: tuple[str, ...]
    """Ids of the events among them in which a summary goes as a whole."""

    def vouched(self) -> tuple[say.Redacted, ...]:
        """Return what a content.forgotten event says of them."""
        return tuple(say.Redacted(event=event, body=body_digest(body)) for event, body in self.bodies.items())


def check_text(text: str, *, part: bool = False) -> None:
    """Refuse a text that cannot be forgotten without destroying what has nothing to do with it. Raises UsageError."""
    least = SHORTEST_PART if part else SHORTEST
    if len(text.strip()) < least:
        raise UsageError(
            f"A text of fewer than {least} characters is part of too many others to be forgotten.",
            "Give more of the text around it with --text.",
        )
    if not is_forgettable(text):
        raise UsageError("That is a part of the mark for what is forgotten.", "Give more of the text around it.")


def is_forgettable(text: str) -> bool:
    """Tell whether a text can be forgotten at all: it is long enough, and no part of the mark."""
    return len(text.strip()) >= SHORTEST and not Mentions([text]).within(MARK)


def texts_of(state: SessionState, item: str) -> tuple[str, ...]:
    """Return the texts that an item is made of; older versions of entities and sections are items too. Raises NotFound.

    A section is made of its prose and of those texts of its entries that are more than a word: a name or a date
    stands for itself everywhere else. What a rewind took back can be forgotten too; where two branches name something
    else the same (an insight, a section), both are.
    """
    found = [text for stood in (state, *(point.state for point in state.points)) for text in _texts_in(stood, item)]
    if not found:
        raise NotFound(f"There is no item {item!r} in {state.session}.", "Look for it with `workbench recall --json`.")
    return tuple(text for text in dict.fromkeys(found) if len(text.strip()) >= SHORTEST)


def _texts_in(state: SessionState, item: str) -> list[str]:
    kind, _, name = item.partition(":")
    match kind:
        case "message":
            found = [
                [said.text, *repetitions(state, said.text), *_statements_in(state, said.text)]
                for said in state.history
                if said.id == name
            ]
        case "entity":
            found = [[entity.content] for entity in state.entities if entity.id == name]
        case "file":
            found = [[file.read.text] for file in state.files if file.id == name]
        case "insight":
            found = [
                [insight]
                for number, result in enumerate(state.iterations, start=1)
                for k, insight in enumerate(result.key_insights, start=1)
                if f"{number}.{k}" == name
            ]
        case "rating" | "outcome":
            found = [list(verdict.texts) for verdict in state.verdicts if verdict.id == name]
        case "section":
            found = [
                _section_texts(section)
                for version in state.versions
                for section in version.plan.sections
                if f"{version.version}.{section.id}" == name
            ]
        case _:
            found = []
    return found[0] if found else []


def _statements_in(state: SessionState, text: str) -> list[str]:
    """Return the statements that a text holds: a prompt may tell the beginning of each of them."""
    return [statement.text for statement in state.statements if statement.text in text]


def _section_texts(section: Section) -> list[str]:
    values = msgspec.to_builtins(section.items)
    entries = (
        text for item in values for text in strings_of(item) if len(text) >= SHORTEST_PART and " " in text.strip()
    )
    return list(dict.fromkeys([section_to_markdown(section), section.text, *entries]))


def redactions(events: Sequence[Event], texts: Collection[str], *, covering: Collection[str] = ()) -> Redactions:
    """Return the bodies of events without these texts, for those that say one of them.

    A summary goes as a whole if it says one of the texts, or covers one of the ids ``covering``; and since prompts
    and replies repeat it, its text is forgotten everywhere. Raises LogDamaged for a body that is not JSON.
    """
    full = [event for event in in_full(events) if event.kind != OWN_KIND]
    bodies = [(event, _decode_body(event)) for event in full]
    mentions = Mentions(texts)
    summed = {
        event.id: found for event, body in bodies if (found := tuple(_summaries(body, mentions, frozenset(covering))))
    }
    everything = Mentions([*texts, *(text for found in summed.values() for text in found if is_forgettable(text))])
    has_facts = any(event.kind == say.FactsRead.kind for event in full)
    left = ((event, body, _left(event, body, everything, has_facts=has_facts)) for event, body in bodies)
    redacted = [
        event if now == body else replace(event, body=msgspec.Raw(msgspec.json.encode(now)))
        for event, body, now in left
    ]
    changed = dict(_bodies_to_record(redacted, {event.id: event for event in events}))
    return Redactions(changed, tuple(event for event in summed if event in changed))


def _left(event: Event, body: Any, gone: Mentions, *, has_facts: bool) -> Any:
    """Return what is left of a body.

    Sessions of rules up to 13 have facts: values that say again what words say. Where one was read of what is
    forgotten, all that were read with it go, and each message of a prompt that says it goes as a whole.
    """
    now = without(body, gone)
    if not has_facts or now == body:
        return now
    if event.kind == say.FactsRead.kind:
        return {**now, "facts": []}
    if event.kind == say.CallStarted.kind:
        pairs = zip(now["messages"], body["messages"], strict=True)
        return {**now, "messages": [one if one == was else {**one, "content": MARK} for one, was in pairs]}
    return now


def _bodies_to_record(redacted: Iterable[Event], as_before: Mapping[str, Event]) -> Iterator[tuple[str, msgspec.Raw]]:
    """Yield the id and the new body of each event that cannot stay as it is recorded: what it copied says less now."""
    recent = Recent()
    for event in redacted:
        now = before = as_before[event.id]
        if not recent.rebuilds(before, event.body):
            (now,) = recent.recorded([event])
            yield event.id, now.body
        recent = recent.after(now)


def _decode_body(event: Event) -> Any:
    try:
        return msgspec.json.decode(event.body)
    except UNREADABLE as error:
        raise LogDamaged(f"The body of event {event.id} is not JSON: {error}.", "Repair the session first.") from error


def _summaries(value: Any, mentions: Mentions, covering: frozenset[str]) -> Iterator[str]:
    """Yield the texts of the summaries in a JSON value that are to go: each is beside the ids that it covers."""
    if isinstance(value, dict):
        text, covers = value.get("text"), value.get("covers")
        if isinstance(text, str) and isinstance(covers, list) and text != MARK:
            covered = any(cover in covering for cover in covers if isinstance(cover, str))
            yield from [text] if covered or mentions.within(text) else []
    if isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _summaries(one, mentions, covering)


def without(value: Any, mentions: Mentions) -> Any:
    """Return a JSON value in which no string, and no name of a field, says one of the texts."""
    if isinstance(value, str):
        return mentions.replaced(value, MARK)
    if isinstance(value, list):
        return [without(one, mentions) for one in value]
    if isinstance(value, dict):
        return {mentions.replaced(name, MARK): without(one, mentions) for name, one in value.items()}
    return value


def first_unvouched(
    events: Iterable[Event], kind: str = OWN_KIND, said: Callable[[Event], object] = say.content
) -> Event | None:
    """Return the first redacted event that no later content.forgotten vouches for as it is now; None for none.

    The last one that names an event is the one that counts, and one that is redacted itself vouches for nothing.
    ``kind`` and ``said``: the kind that vouches in another sort of stream, and what reads its events.
    """
    redacted: dict[str, Event] = {}
    vouched: dict[str, str] = {}
    for event in events:
        if event.redacted:
            redacted[event.id] = event
        elif event.kind == kind and isinstance(body := said(event), say.ContentForgotten):
            vouched.update((one.event, one.body) for one in body.redacted if one.event in redacted)
    return next((event for event in redacted.values() if vouched.get(event.id) != event.redacted), None)
