"""What a person or a program brings into a session's memory: messages that were said elsewhere.

    text, role, agent, time ─▶ Said (checked, cleaned) ─▶ message.given ─▶ the one history, and what search finds

What is brought in cannot say whose session it belongs to: the session is the one whose log is open here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from workbench.domain.errors import UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import AgentId, agent_id, entity_prefix
from workbench.domain.loop.limits import MOST_CHARACTERS
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean, clean_name
from workbench.planning.ports import stamp
from workbench.planning.session_log import SessionLog

_KIND = "message.given"
_BATCH = 500
"""Messages in one batch: a batch is written, and lost, as a whole."""
_MOST_OF_A_MESSAGE = 1_000_000
_PART = 8_000
"""Characters of the parts that a message over MOST_CHARACTERS is kept in: a prompt has room for one of them."""


class Said(Struct, frozen=True):
    """Something that was said."""

    text: str
    role: str = "user"
    """user or assistant."""
    agent: str | None = None
    """Who replied; only for role assistant. None if nobody knows: no agent sees such a reply."""
    time: str = ""
    """When, as ISO 8601; without a zone it is UTC; "" for now."""
    file: str = ""
    """sha256, hex, of the file that it is from; "" if it is from none."""
    line: int = 0
    """Its line there, from 1."""


def remember(
    session: SessionLog, said: Sequence[Said], on_progress: Callable[[int], None] | None = None, *, seen: bool = True
) -> Iterator[str]:
    """Bring messages into a session, all checked before the first is written; yield the id of each as it is kept.

    One that is very long (a pasted log) is kept as several, and has the id of the first. ``on_progress`` is told after
    each batch how many messages are in; ``seen`` as for ``SessionLog.bring_in``. Raises UsageError, naming the message,
    and InvalidId for an agent's name that is none.
    """
    checked = [check(one, number) for number, one in enumerate(said, start=1)]
    for start in range(0, len(checked), _BATCH):
        batch = checked[start : start + _BATCH]
        events = iter(session.bring_in(list(chain.from_iterable(batch)), actor="person", seen=seen))
        if on_progress is not None:
            on_progress(start + len(batch))
        for parts in batch:
            first, *_ = islice(events, len(parts))
            yield _item_of(first)


def lines_in(events: Iterable[Event], file: str) -> dict[int, str]:
    """Return which lines of a file are in a session already, each with the id of its item.

    Whoever was interrupted continues after them; ``file`` is its sha256.
    """
    found: dict[int, str] = {}
    for event in events:
        body = say.content(event) if event.kind == _KIND else None
        if isinstance(body, say.MessageGiven) and body.file == file:
            found.setdefault(body.line, _item_of(event))
    return found


def not_yet_in(events: Iterable[Event], said: Iterable[Said]) -> list[Said]:
    """Return the messages of files that a session does not have: others may be in the same lines of another file."""
    bodies = (say.content(event) for event in events if event.kind == _KIND)
    known = {(body.line, body.text) for body in bodies if isinstance(body, say.MessageGiven)}
    return [one for one in said if not {(one.line, body.text) for body, _ in check(one, one.line)} <= known]


def _item_of(event: Event) -> str:
    return f"message:{event.id}"


def store_entity(session: SessionLog, name: str, content: str) -> str:
    """Keep a named text in a session's memory, the same name again as its next version; return the item's id.

    Raises UsageError. The names of what the loop stores itself are its own.
    """
    called, text = clean_name(name), clean(content)
    if not called or not text.strip():
        raise UsageError("An entity needs a name and a content.", "Give both.")
    if called.startswith(entity_prefix(session.session)):
        raise UsageError(f"{called} is a name that the workbench uses itself.", "Choose another name.")
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"{called} has {len(text):,} characters.", f"Use {MOST_CHARACTERS:,} at most.")
    (event,) = session.record_given([say.EntityStored(name=called, content=text)], actor="person")
    return f"entity:{event.id}"


def check(said: Said, number: int) -> list[tuple[say.MessageGiven, AgentId | None]]:
    """Return a message in the parts that it is kept in; ``number`` names it in errors. Raises as ``remember`` does."""
    which = f"Message {number}"
    text = clean(said.text)
    if not text.strip():
        raise UsageError(f"{which} says nothing.", "Give each message a text.")
    if len(text) > _MOST_OF_A_MESSAGE:
        raise UsageError(
            f"{which} has {len(text):,} characters; {_MOST_OF_A_MESSAGE:,} are the most.", "Bring it in in parts."
        )
    if said.agent is not None and said.role != "assistant":
        raise UsageError(
            f"{which} names an agent, but its role is not assistant.", "Use the role assistant, or no agent."
        )
    match said.role:
        case "user" | "assistant":
            moment = _moment(said.time, which)
            body = say.MessageGiven(role=said.role, text=text, said=moment, file=said.file, line=said.line)
            agent = None if said.agent is None else agent_id(said.agent)
        case _:
            raise UsageError(f"{which} has the role {said.role!r}.", "Use user or assistant.")
    return [(replace(body, text=part), agent) for part in _parts(text)]


def _parts(text: str) -> Iterator[str]:
    """Yield a text whole, or where it is very long in parts, each up to the last line or word that fits."""
    start, size = 0, _PART if len(text) > MOST_CHARACTERS else len(text)
    while start < len(text):
        end = start + size
        if end < len(text):
            end = max(text.rfind("\n", start, end), start + size // 2)
            end = end if text[end] == "\n" else max(text.rfind(" ", start, start + size), end)
        if text[start:end].strip():
            yield text[start:end]
        start = end


def _moment(time: str, which: str) -> str:
    if not time:
        return ""
    try:
        moment = datetime.fromisoformat(time)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{which} has the time {time!r}, which cannot be read.", "Write it as ISO 8601.") from error
    return stamp(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
