"""What an event repeats of earlier ones, recorded as if it is there: a log grows by what changes.

    in full       {"role": "planner", "messages": [{…}, {"role": "user", "content": "Goal … new"}]}
    as recorded   {"role": "planner", "messages": {"items": [[0, 1], {"role": "user", "content": …}]}, "copied": …}
    content       {"lines": [[60, 12], "new"]}
    copied        {"of": ["call.started planner"], "sha256": "…"}

``[60, 12]`` stands for 12 parts from part 60 on, counted through the events that ``of`` names: each the last one of a
kind, or of a kind and an agent, before this event, or with -1 and -2 the ones before that. So nothing can copy from
itself, or from what comes later. Parts are the lines of texts and the items of lists, in the order in which a body has
them (``_parts``). ``sha256`` is of the body in full: a body that is rebuilt otherwise is damage, and is never shown. A
body of which something is forgotten is recorded again, and so is each one that copied that.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice, pairwise
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE, Draft, Event
from workbench.domain.session import events as say
from workbench.domain.text.patterns import lazy_pattern

_OF_AGENT = "{kind} {agent}"
_BEFORE = ("", " -1", " -2")
"""Behind the name of the last event of a kind, and of the two before it: rounds may take turns in what they say."""
_THREE_OF_AGENT = tuple(_OF_AGENT + before for before in _BEFORE)
_SOURCES: Mapping[str, tuple[str, ...]] = {
    say.CallStarted.kind: (*_THREE_OF_AGENT, say.CallStarted.kind),
    say.CallFinished.kind: _THREE_OF_AGENT,
    say.PlanVerified.kind: tuple(say.PlanVerified.kind + before for before in _BEFORE),
    say.DeliverableWritten.kind: (say.DeliverableWritten.kind,),
    say.EntityStored.kind: (say.EntityStored.kind,),
    say.IterationCompleted.kind: (
        say.EntityStored.kind,
        say.PlanVerified.kind,
        say.DeliverableWritten.kind,
        say.IterationCompleted.kind,
    ),
}
"""By kind, what it may copy from. What is derived copies from what is derived, and a reply from replies: where what was
given is changed, what is derived from it can still be rebuilt, and compared."""
_FIELDS = frozenset({"messages", "context", "text", "findings", "insights", "content", "result"})
"""Fields of bodies that may copy: without earlier events (``outline``) all others can be read."""
_LINE = lazy_pattern(r"(?:[^\n\\}]+|\\(?!n)|\}(?!,))*+(?:\n|\\n|\},|\Z)")
"""Each line of a text, and of a text that is in JSON with its ends; a reply is often JSON, in one line."""
_SHORTEST_TEXT = 40
"""Characters of a text whose lines are parts."""
_LONGEST_ITEM = 600
"""Characters of an item, as JSON, that is one part; of a longer one, the parts are what it holds."""
_LINES, _ITEMS = "lines", "items"
_MARKS_COPIES = (f'"{_LINES}":[', f'"{_ITEMS}":[')
_SHORTEST_RUN = 24
"""Characters that are worth a copy."""
_SHORTEST_START = 8
"""Characters of a part that a copy may begin with: empty lines stand everywhere."""
_MOST_PLACES = 8
"""Places of a part that are tried for the longest run."""
_LEAST_SAVED = 0.1
"""Share of a body that copies have to save."""
_EACH_PART = 32
"""Characters that a part counts for beside its own."""
MOST_IN_ONE = 1 << 24
"""Characters that one body may copy."""
MOST_IN_ALL = 1 << 30
"""Characters that all bodies of a session may copy; what comes then is recorded in full. Copies of copies double, so
without limits a small file could keep whoever opens it busy for ever."""

Said = TypeVar("Said", Draft, Event)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode
_NOT_THERE = (KeyError, IndexError, TypeError, AttributeError, *UNREADABLE)


class Copied(msgspec.Struct, frozen=True):
    """What a body copies from."""

    of: tuple[str, ...]
    """Kinds, or kinds and agents."""
    sha256: str
    """Of the body in full, hex."""


class Source:
    """An event that can be copied from."""

    __slots__ = ("_body", "_parts")

    def __init__(self, body: bytes, parts: tuple[str, ...] | None = None) -> None:
        """Without ``parts`` it copies nothing itself: then they are read from the body when something copies them."""
        self._body = body
        self._parts = parts

    @property
    def parts(self) -> tuple[str, ...]:
        """Return what can be copied. Raises what decoding raises."""
        if self._parts is None:
            self._parts = tuple(_parts(_decode(self._body), _NOTHING))
            self._body = b""
        return self._parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Source) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)


class Recent(msgspec.Struct, frozen=True):
    """What the next event of a session can copy from."""

    sources: dict[str, Source] = {}
    """The last event of each kind, and of each kind and agent, by name."""
    copied: int = 0
    """Characters that the events so far have copied."""

    def whole(self, event: Event) -> Event:
        """Return an event with its body in full. Raises LogDamaged if that cannot be rebuilt."""
        return replace(event, body=msgspec.Raw(self._rebuilt(event))) if _has_copies(event) else event

    def rebuilds(self, event: Event, body: msgspec.Raw) -> bool:
        """Tell whether this is an event's body in full."""
        try:
            return bytes(self.whole(event).body) == bytes(body)
        except LogDamaged:
            return False

    def after(self, event: Event | Draft) -> Recent:
        """Return what the event after this one can copy from. Raises LogDamaged if it copies what is not there."""
        if not _is_copied(event):
            return self
        source, copied = Source(bytes(event.body)), self.copied
        if _has_copies(event):
            try:
                value, _, pool = self._opened(event)
                source = Source(b"", tuple(_parts(value, pool)))
            except _NOT_THERE as error:
                raise _not_there(event) from error
            copied += pool.copied
        sources = self.sources.copy()
        for name in (_OF_AGENT.format(kind=event.kind, agent=event.agent), event.kind):
            for before, earlier in reversed([*pairwise(_BEFORE)]):
                if name + before in sources:
                    sources[name + earlier] = sources[name + before]
            sources[name] = source
        return Recent(sources, copied)

    def recorded(self, said: Iterable[Said]) -> Iterator[Said]:
        """Yield what is recorded one after another, with copies; as it is where that saves too little."""
        recent = self
        before: Said | None = None
        for one in said:
            if before is not None:
                recent = recent.after(before)
            before = recent.with_copies(one) if _is_copied(one) else one
            yield before

    def with_copies(self, said: Said) -> Said:
        """Return what may copy with copies; as it is where that saves too little."""
        sources: dict[str, Source] = {}
        for name, source in self._sources_of(said).items():
            if all(source is not other for other in sources.values()):  # the last call may be its own
                sources[name] = source
        body = _Compaction(sources).body(said.body)
        if len(body) > len(said.body) * (1 - _LEAST_SAVED):
            return said
        recorded = replace(said, body=msgspec.Raw(body))
        try:
            is_same = self._rebuilt(recorded) == bytes(said.body)
        except LogDamaged:  # it would copy more than it may, or holds JSON that looks like copies
            return said
        return recorded if is_same else said

    def _sources_of(self, event: Event | Draft) -> dict[str, Source]:
        """Return what an event can copy from."""
        names = (pattern.format(kind=event.kind, agent=event.agent) for pattern in _SOURCES.get(event.kind, ()))
        return {name: self.sources[name] for name in names if name in self.sources}

    def _opened(self, event: Event | Draft) -> tuple[dict[str, Any], str, _Pool]:
        """Return a body as a value, the hash of the body in full, and what it copies from. Raises as decoding does."""
        value = _decode(event.body)
        copied = msgspec.convert(value.pop("copied"), Copied)
        sources = self._sources_of(event)
        pool = _Pool((sources[name] for name in copied.of), min(MOST_IN_ALL - self.copied, MOST_IN_ONE))
        return value, copied.sha256, pool

    def _rebuilt(self, event: Event | Draft) -> bytes:
        """Return the body in full of an event that copies. Raises LogDamaged."""
        try:
            value, sha256, pool = self._opened(event)
            rebuilt = _encode(_in_full(value, pool))
        except _NOT_THERE as error:
            raise _not_there(event) from error
        if hashlib.sha256(rebuilt).hexdigest() != sha256:
            raise _broken(event, "is another one, rebuilt from what it copies, than was recorded")
        return rebuilt


def in_full(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events of a session, from its first on, with their bodies in full. Raises LogDamaged."""
    recent = Recent()
    for event in events:
        yield recent.whole(event)
        recent = recent.after(event)


def outline(event: Event) -> Event:
    """Return an event of which the body lacks all that it copies: for what is never copied, without earlier events."""
    if not _has_copies(event):
        return event
    try:
        return replace(event, body=msgspec.Raw(_encode(_without_copies(_decode(event.body)))))
    except UNREADABLE as error:
        raise _broken(event, f"cannot be read: {error}") from error


def _is_copied(event: Event | Draft) -> bool:
    """Tell whether an event may copy, and be copied from: a text that somebody stored is not of the loop's making."""
    return event.kind in _SOURCES and (event.origin == "derived" or event.kind == say.CallFinished.kind)


class _Marked(msgspec.Struct):
    """A body, as far as it says whether it copies."""

    copied: Any = None


_marked = msgspec.json.Decoder(_Marked).decode


def _has_copies(event: Event | Draft) -> bool:
    if not _is_copied(event) or b'"copied"' not in bytes(event.body):
        return False
    try:
        return _marked(event.body).copied is not None
    except UNREADABLE:  # whoever reads the body says so
        return False


def _not_there(event: Event | Draft) -> LogDamaged:
    return _broken(event, "cannot be rebuilt: what it copies is not there, or is more than one event may copy")


def _broken(event: Event | Draft, why: str) -> LogDamaged:
    return LogDamaged(f"Event {event.id} ({event.kind}) {why}.", say.KEEP_WHAT_IS_BEFORE)


class _Pool:
    """The parts that a body copies from."""

    def __init__(self, sources: Iterable[Source], most: int) -> None:
        """``most``: characters that may be copied."""
        self._sources = [source.parts for source in sources]
        self._most = most
        self.copied = 0

    def run(self, run: Any) -> Sequence[str]:
        """Return the parts that ``[first, count]`` stands for. Raises IndexError, ValidationError."""
        first, count = msgspec.convert(run, tuple[say.Count, say.Count])
        found: list[str] = []
        for parts in self._sources:
            found += parts[first : first + count - len(found)] if first < len(parts) else ()
            first = max(first - len(parts), 0)
        self.copied += sum(map(len, found)) + _EACH_PART * count
        if len(found) != count or self.copied > self._most:
            raise IndexError(run)
        return found


_NOTHING = _Pool((), 0)


def _copies_in(value: dict[str, Any], name: str) -> list[Any] | None:
    """Return what replaces a text (lines) or of a list (items); None if the value is not that."""
    parts = value.get(name) if len(value) == 1 else None
    return parts if isinstance(parts, list) else None


def _parts(value: Any, pool: _Pool) -> list[str]:
    """Return what can be copied of a value: the lines of its texts, and the items of its lists as JSON."""
    found: list[str] = []
    _take_apart(value, pool, found)
    return found


def _take_apart(value: Any, pool: _Pool, found: list[str]) -> None:
    if isinstance(value, str):
        found += _lines(value) if len(value) >= _SHORTEST_TEXT else ()
    elif isinstance(value, list):
        for one in value:
            _take_item(one, pool, found)
    elif pool is not _NOTHING and (lines := _copies_in(value, _LINES)) is not None:
        for one in lines:
            found += pool.run(one) if isinstance(one, list) else _lines(one)
    elif pool is not _NOTHING and (items := _copies_in(value, _ITEMS)) is not None:
        for one in items:
            if isinstance(one, list):
                found += pool.run(one)
            else:
                _take_item(one, pool, found)
    elif isinstance(value, dict):
        for one in value.values():
            if isinstance(one, str | list | dict):
                _take_apart(one, pool, found)


def _lines(text: str) -> list[str]:
    return [line for line in _LINE.findall(text) if line]


def _take_item(value: Any, pool: _Pool, found: list[str]) -> None:
    item = _item(value)
    if item is not None:
        found.append(item)
    elif isinstance(value, str | list | dict):
        _take_apart(value, pool, found)


def _item(value: Any) -> str | None:
    """Return an item as one part; None if it is too long for that, or copies itself."""
    text = _encode(value).decode()
    is_part = len(text) <= _LONGEST_ITEM and not any(mark in text for mark in _MARKS_COPIES)
    return text if is_part else None


def _in_full(value: Any, pool: _Pool) -> Any:
    """Return a value with everything that it copies."""
    if isinstance(value, list):
        return [_in_full(one, pool) for one in value]
    if not isinstance(value, dict):
        return value
    if (lines := _copies_in(value, _LINES)) is not None:
        return "".join(chain.from_iterable(pool.run(line) if isinstance(line, list) else (line,) for line in lines))
    if (items := _copies_in(value, _ITEMS)) is not None:
        runs = (map(msgspec.Raw, pool.run(one)) if isinstance(one, list) else (_in_full(one, pool),) for one in items)
        return [*chain.from_iterable(runs)]
    return {name: _in_full(one, pool) for name, one in value.items()}


def _without_copies(value: Any) -> Any:
    """Return a value with nothing instead of texts and lists that copy."""
    if isinstance(value, list):
        return [_without_copies(one) for one in value]
    if not isinstance(value, dict):
        return value
    if _copies_in(value, _LINES) is not None:
        return ""
    if _copies_in(value, _ITEMS) is not None:
        return []
    return {name: _without_copies(one) for name, one in value.items() if name != "copied"}


@lru_cache(maxsize=16)
def _places(parts: tuple[str, ...]) -> Mapping[str, list[int]]:
    """Return the first places of each part; of a source, for all that copy from it one after the other."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, part in enumerate(parts):
        if len(part) >= _SHORTEST_START and len(places[part]) < _MOST_PLACES:
            places[part].append(place)
    return places


class _Compaction:
    """Finds what a body can copy."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._of = tuple(sources)
        self._parts = tuple(chain.from_iterable(source.parts for source in sources.values()))
        ends = accumulate((len(source.parts) for source in sources.values()), initial=0)
        self._places = [*zip(ends, (_places(source.parts) for source in sources.values()), strict=False)]

    def body(self, body: msgspec.Raw) -> bytes:
        """Return a body with copies instead of what its sources have."""
        copied = Copied(of=self._of, sha256=hashlib.sha256(body).hexdigest())
        value = {name: self._value(one) if name in _FIELDS else one for name, one in _decode(body).items()}
        return _encode({**value, "copied": copied})

    def _value(self, value: Any) -> Any:
        match value:
            case str() if len(value) >= _SHORTEST_TEXT:
                return self._text(value)
            case list():
                return self._list(value)
            case dict():
                return {name: self._value(one) for name, one in value.items()}
            case _:
                return value

    def _text(self, text: str) -> Any:
        parts: list[str | list[int]] = []
        lines = _lines(text)
        for begin, end, place in self._runs(lines):
            if place is not None:
                parts.append([place, end - begin])
            else:
                parts.append("".join(lines[begin:end]))
        return text if parts == [text] else {_LINES: parts}

    def _list(self, items: list[Any]) -> Any:
        if any(isinstance(item, list) for item in items):  # which reads as a copy
            return items
        parts: list[Any] = []
        is_copied = False
        for begin, end, place in self._runs([_item(item) for item in items]):
            if place is not None:
                parts.append([place, end - begin])
                is_copied = True
            else:
                parts += (self._value(one) if _item(one) is None else one for one in items[begin:end])
        return {_ITEMS: parts} if is_copied else parts

    def _runs(self, parts: Sequence[str | None]) -> Iterator[tuple[int, int, int | None]]:
        """Yield (begin, end, where that is in the sources) for all parts in order; None for what is new."""
        new = at = 0
        while at < len(parts):
            length, place = self._longest(parts, at)
            if length == 0:
                at += 1
                continue
            if new < at:
                yield new, at, None
            yield at, at + length, place
            new = at = at + length
        if new < len(parts):
            yield new, len(parts), None

    def _longest(self, parts: Sequence[str | None], at: int) -> tuple[int, int]:
        """Return how long the longest run is that begins at a part, 0 for none that is worth it, and its place."""
        part = parts[at] or ""
        places = (start + place for start, places in self._places for place in places.get(part, ()))
        lengths = [(self._length(parts, at, place), -place) for place in islice(places, _MOST_PLACES)]
        length, place = max(lengths, default=(0, 0))
        is_worth_it = sum(len(one or "") for one in parts[at : at + length]) > _SHORTEST_RUN
        return (length if is_worth_it else 0), -place

    def _length(self, parts: Sequence[str | None], at: int, place: int) -> int:
        """Return how many parts from one on stand in the sources from a place on."""
        most = min(len(parts) - at, len(self._parts) - place)
        return next((n for n in range(most) if parts[at + n] != self._parts[place + n]), most)
