"""What a session remembers, as items that can be found again: a pure reading of its state.

    state.history     ─▶ messages   what a person said, and what an agent said in reply
    state.iterations  ─▶ insights   ┐
    state.versions    ─▶ sections   ├ artefacts: the loop hands them to every role
    state.entities    ─▶ entities   ┘ (the newest version of those that a person or a program stored)

    guiding: insights ─▶ each text once      stored ─▶ the paragraphs of entities

A reply to a task of the loop is not an item: what it says became artefacts. Nor are entities that the loop stored
itself, and what was recalled: text must not be found again as if it were new.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Literal

import msgspec
from msgspec.structs import replace

from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Section
from workbench.domain.session.context import Message
from workbench.domain.session.state import Entity, HistoryItem, Moment, PlanVersion, SessionState
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern

MOST_OF_A_PARAGRAPH = 400
"""Characters of a paragraph that are an item."""
_BREAK = lazy_pattern(r"\n[^\S\n]*\n\s*")
_HEADING = lazy_pattern(r"\s*#[^\n]*")
"""A heading alone repeats the goal's words, and says nothing about them."""

Role = Literal["user", "assistant", "artefact"]
Source = Literal["session", "artefact"]


class Item(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A piece of a session's memory."""

    id: str
    """Unique in its session: ``message:{event}``, ``entity:{event}``, ``insight:{iteration}.{k}``,
    ``section:{version}.{id}``; of a paragraph, its entity's and ``#{k}``."""
    session: str
    role: Role
    agent: str | None
    """Who said it; None for a person and for artefacts, and for replies of which nobody knows whose they are."""
    seq: int
    """Its place in the log."""
    time: str
    """UTC, ISO 8601; for messages brought in from elsewhere, when they were said."""
    text: str

    @property
    def source(self) -> Source:
        """Where it comes from: what was said in the session, or what the loop made of it."""
        return "artefact" if self.role == "artefact" else "session"


def items(state: SessionState) -> tuple[Item, ...]:
    """Return every item of a session, in the order in which they came."""
    return tuple(sorted(chain(messages(state, state.history), artefacts(state)), key=lambda item: item.seq))


def messages(state: SessionState, history: Iterable[HistoryItem]) -> Iterator[Item]:
    """Yield what was said in a part of a session's history."""
    return (_message(state, said) for said in history if not said.task)


def artefacts(state: SessionState) -> Iterator[Item]:
    """Yield every item of a session that nobody said."""
    entities = (_artefact(state, f"entity:{entity.id}", entity, entity.content) for entity in state.given_entities)
    return chain(_insights(state), _sections(state), entities)


def heard_by(state: SessionState, agent: str) -> tuple[HistoryItem, ...]:
    """Return the conversation as an agent sees it: what people said, and what it replied itself."""
    return tuple(said for said in state.history if not said.task and visible_to(_message(state, said), agent))


def as_sent(prompt: Sequence[Message], state: SessionState) -> tuple[Message, ...]:
    """Return a recorded prompt, word for word as it was sent: messages of the session are recorded by their ids.

    One that the session does not have, in a doctored file, is empty.
    """
    wanted = {message.item for message in prompt if message.item}
    named = ((f"message:{said.id}", said.text) for said in reversed(state.history)) if wanted else ()
    texts = dict(islice((one for one in named if one[0] in wanted), len(wanted)))
    return tuple(
        replace(message, content=texts.get(message.item, "")) if message.item else message for message in prompt
    )


def insights(state: SessionState) -> tuple[Item, ...]:
    """Return what iterations learned, each text once, if it was said last."""
    return tuple({item.text: item for item in _insights(state)}.values())


def stored_paragraphs(state: SessionState) -> tuple[Item, ...]:
    """Return what a person or a program stored by its paragraphs, ``entity:{event}#{k}``; headings are none."""
    return tuple(
        _artefact(state, f"entity:{entity.id}#{k}", entity, shorten(" ".join(paragraph.split()), MOST_OF_A_PARAGRAPH))
        for entity in state.given_entities
        for k, paragraph in enumerate(_BREAK.split(entity.content), start=1)
        if paragraph.strip() and not _HEADING.fullmatch(paragraph)
    )


def visible_to(item: Item, agent: str) -> bool:
    """Tell whether an agent may see an item: what people said, artefacts, and its own replies; no other's."""
    return item.role != "assistant" or (item.agent is not None and item.agent == agent)


def _message(state: SessionState, said: HistoryItem) -> Item:
    return Item(
        id=f"message:{said.id}",
        session=state.session,
        role=said.role,
        agent=said.agent,
        seq=said.seq,
        time=said.time,
        text=said.text,
    )


def _artefact(state: SessionState, name: str, at: Moment | Entity | PlanVersion, text: str) -> Item:
    return Item(id=name, session=state.session, role="artefact", agent=None, seq=at.seq, time=at.time, text=text)


def _insights(state: SessionState) -> Iterator[Item]:
    for number, (result, end) in enumerate(zip(state.iterations, state.iteration_ends, strict=True), start=1):
        for k, insight in enumerate(result.key_insights, start=1):
            yield _artefact(state, f"insight:{number}.{k}", end, insight)


def _sections(state: SessionState) -> Iterator[Item]:
    """Yield the sections of the current plan, each under the version that last changed it."""
    changed: dict[str, tuple[Section, PlanVersion]] = {}
    for version in state.versions:
        for section in version.plan.sections:
            known = changed.get(section.id)
            if known is None or known[0] != section:
                changed[section.id] = (section, version)
    for section in state.plan.sections if state.plan is not None else ():
        version = changed[section.id][1]
        yield _artefact(state, f"section:{version.version}.{section.id}", version, section_to_markdown(section))
