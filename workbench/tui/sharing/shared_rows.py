"""Changes to the shared context as rows: who changed what, by which rule it was merged, and what lost.

┊ 09:12 infra-7k3p         merged      dotted bar: another session's (this one's is solid)
┊       files: +db.py
┊       list-union: nothing lost

Every row of a change has a key that begins with ``shared:``, with the id of its event after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.session.events import SharedValue
from workbench.domain.session.state import SessionState
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.input import OWN
from workbench.domain.shared.merge import ABSENT, same
from workbench.domain.shared.words import (
    change_words,
    conflict_words,
    course_words,
    lease_words,
    value_words,
    whole_words,
)
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.lines import Row, barred, cut, filled, hung, joined, spread, text
from workbench.tui.marks import ASKS, DIM, ELSEWHERE, FAILED, FOCUS, Marks
from workbench.tui.sharing.live import SharedSeen
from workbench.tui.told import EMPTY, age, local_day, local_time, title_row, words_row

if TYPE_CHECKING:
    from workbench.domain.shared.context import Entry
    from workbench.sharing.presence import SessionInfo


SHARED, VALUE = "shared:", "shared-value:"
"""How the keys of rows begin: of a change, and of a value, which stands for its last change."""
_NOTHING = "What sessions share stands here as it changes. F8 shares a value."
_LINES = 2  # lines of a change, and of how it was merged; the whole is one key away
_JOINED_ANEW = "It was away. What it had claimed is free."
_WORDS = {
    "merge": "merged",
    "delete": "deleted",
    "undo": "undone",
    "join": "joined",
    "leave": "left",
    "forget": "forgot",
    "claim": "claimed",
    "queue": "waits",
    "refuse": "refused",
    "release": "released",
}
_REPLACING = ("last-write", "type-clash", "too-large")
"""Rules by which one of two values stands as it is."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person is told beside a change: that it is being undone, or why it was not."""

    event: str
    """Id of the change; "" for none."""
    words: str = ""
    is_refusal: bool = False


NOTHING_SAID = Said("")


def change_at(key: str) -> str:
    """Return the id of the change that a row shows; "" for a row of anything else."""
    return next((key.removeprefix(kind) for kind in (SHARED, VALUE) if key.startswith(kind)), "")


class LiveRows:
    """Makes the rows of changes; a change is laid out once for a width."""

    def __init__(self) -> None:
        self._known: dict[str, Row] = {}
        self._laid_out_for: tuple[object, ...] = ()

    def rows(
        self,
        seen: SharedSeen,
        session: str,
        said: Said,
        width: int,
        marks: Marks,
        *,
        names: Mapping[str, str] | None = None,
    ) -> list[Row]:
        """Return the log as ``session`` sees it: the changes, the newest at the end.

        Below them stands what keeps it from being live. ``names`` are what sessions are called, by their ids.
        """
        rows = list(self._changes(seen, session, said, width, marks=marks, names=names or {}))
        if seen.trouble:
            rows.append(words_row(seen.trouble, width, DIM if seen.is_off else FAILED))
        return rows or [words_row(_NOTHING, width)]

    def _changes(
        self,
        seen: SharedSeen,
        session: str,
        said: Said,
        width: int,
        *,
        marks: Marks,
        names: Mapping[str, str],
    ) -> Iterator[Row]:
        if seen.not_shown:
            yield words_row(f"{seen.not_shown:,} earlier: `workbench shared log` lists them.", width, DIM)
        laid_out_for = (session, width, marks, names)
        known = self._known if laid_out_for == self._laid_out_for else {}
        self._laid_out_for = laid_out_for
        self._known = {
            one.event_id: known.get(one.event_id) or change_row(one, session, width, marks, names)
            for one in _news(seen.changes, session)
        }
        for event_id, row in self._known.items():
            yield _with_words(row, said, width) if event_id == said.event else row


def _news(changes: Iterable[ContextEvent], session: str) -> Iterator[ContextEvent]:
    """Yield changes without what a session is at by its own word: its own screen shows that elsewhere.

    That it joined without having left is news: others had given it up, and what it had claimed is free.
    """
    takes_part = False
    for change in changes:
        if change.session_id == session and change.event_type in ("join", "leave"):
            is_anew = takes_part and change.event_type == "join"
            takes_part = change.event_type == "join"
            if is_anew:
                yield change
        elif change.session_id != session or change.key != OWN + session:
            yield change


def change_row(
    event: ContextEvent,
    session: str,
    width: int,
    marks: Marks,
    names: Mapping[str, str] | None = None,
) -> Row:
    """Return a change in a few lines; in one if there is room for that."""
    is_own = event.session_id == session
    bar = marks.bar(is_own=is_own)
    called = clean_name((names or {}).get(event.session_id) or event.session_id) or "nobody known"
    who = text("this session", "bold") if is_own else text(called, f"bold {ELSEWHERE}")
    time, word, changed = f"{local_time(event.timestamp)} ", text(_word(event), DIM), _changed(event)
    if is_own and event.event_type == "join":
        changed = _JOINED_ANEW
    head, below = joined(bar, text(time, DIM)), joined(bar, " " * len(time))
    whole = joined(head, cut(who, max(width // 3, _WHO)), "  ", text(changed))
    if whole.cell_length + word.cell_length < width:
        lines = [spread(whole, word, width)]
    else:
        lines = [spread(joined(head, who), word, width), *barred(below, changed, width, most=_LINES)]
    if event.key != OWN + event.session_id and (met := conflict_words(event)):
        lines += barred(below, met, width, DIM, most=_LINES)
    return Row(tuple(lines), key=f"{SHARED}{event.event_id}")


_WHO = 16  # cells that the name of a session keeps


def _word(event: ContextEvent) -> str:
    if event.key == OWN + event.session_id and event.event_type in ("update", "merge"):
        return ""  # nobody else says what it is at
    if event.event_type == "update":
        return "new" if event.previous_value is ABSENT else ""
    if event.event_type == "undo" and same(event.previous_value, event.value):
        return "not undone"  # what was changed since won
    if event.event_type == "merge" and event.rule in _REPLACING:
        return "replaced"  # somebody saw the other value and set theirs, or came later: nothing of the two was joined
    return _WORDS.get(event.event_type, clean_name(event.event_type))


def _changed(event: ContextEvent) -> str:
    if event.lease:
        kind, _, name = event.lease.partition(":")
        whose = lease_words(event)
        return f"{clean_name(kind)} {clean_name(name, 200)}" + (f": {whose}" if whose else "")
    if not event.key:
        return ""
    if event.key == OWN + event.session_id:  # what a session says of itself: its name is there already
        return course_words(event.previous_value, event.value)
    key = clean_name(event.key, 200)
    if event.value is ABSENT:
        return f"{key}: was {value_words(event.previous_value)}"
    return f"{key}: {change_words(event.previous_value, event.value)}"


def _with_words(row: Row, said: Said, width: int) -> Row:
    """Return a change with what is said about it below."""
    told = barred(Content("  "), clean(said.words), width, FAILED if said.is_refusal else DIM)
    return Row((*row.lines, *told), key=row.key)


def whole_change(event: ContextEvent, base: object, width: int) -> list[Row]:
    """Return the whole of a change: facts, then every value. ``base`` is what its session started from."""
    rows = [Row(hung(text(f"{name:<{_FACT}}", DIM), value, width)) for name, value in _facts(event)]
    for name, value in _values(event, base):
        rows += [EMPTY, Row((text(name, DIM),)), words_row(whole_words(value), width, "")]
    return rows


_FACT = 10  # cells for the name of a fact


def _facts(event: ContextEvent) -> Iterable[tuple[str, str]]:
    yield "by", clean_name(event.session_id)
    yield "at", local_day(event.timestamp)
    yield "what", _word(event) or "changed"
    if event.key:
        yield "version", f"{event.version:,}, begun from {event.base_version:,}"
        yield "rule", conflict_words(event) or "nobody else had changed it"
    if event.lease:
        yield "of", _changed(event)
    if event.undone:
        yield "takes back", clean_name(event.undone, 200)
    yield "event", clean_name(event.event_id, 200)


def _values(event: ContextEvent, base: object) -> Iterable[tuple[str, object]]:
    if not event.key:
        return
    yield "before", event.previous_value
    yield "after", event.value
    if event.rule != "unchanged":
        yield "what its session began from", base
    for loser in event.losers:
        place = f" at {clean_name('.'.join(loser.path), 200)}" if loser.path else ""
        yield f"lost{place} ({clean_name(loser.rule)})", loser.value


_SEEN_NOTHING = "The session has seen nothing that others share by now."
_SEEN_LINES = 3  # lines of a value


def seen_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return what a session had seen of the shared context."""
    seen = state.shared
    rows = [title_row("SHARED", "as it was seen")]
    if seen.unavailable:
        rows.append(words_row(f"It could not look again: {seen.unavailable}", width, FAILED))
    rows += [_value_row(value, state.session, width, marks) for value in seen.values.values()]
    return rows if len(rows) > 1 else [*rows, words_row(_SEEN_NOTHING, width)]


def _value_row(one: SharedValue, session: str, width: int, marks: Marks) -> Row:
    bar = marks.bar(is_own=one.session == session)
    who = "this session" if one.session == session else clean_name(one.session) or "nobody known"
    head = joined(bar, text(f"{local_time(one.time)} ", DIM), text(who, "bold"))
    return Row((spread(head, text(f"v{one.version}", DIM), width), *barred(bar, _words(one), width, most=_SEEN_LINES)))


def _words(one: SharedValue) -> str:
    if one.key == OWN + one.session:  # what a session says of itself: its name is there already
        return course_words(ABSENT, one.value)
    value = f"{one.cut:,} bytes, too large to be quoted" if one.cut else value_words(one.value, _MOST_OF_A_VALUE)
    return f"{clean_name(one.key, 200)}: {value}"


_MOST_OF_A_VALUE = 400  # characters of a value


_BY, _VERSION, _AGE, _USED = 20, 8, 8, 14
_WIDE = 84  # cells from which a value has columns for who set it, and where it is used


def shared_table_rows(
    seen: SharedSeen,
    state: SessionState,
    names: Mapping[str, str],
    width: int,
    marks: Marks,
    *,
    live: LiveRows,
    said: Said = NOTHING_SAID,
    now: str = "",
) -> list[Row]:
    """Return sessions, values and log; ``names`` are what sessions are called, by their ids, ``now`` counts ages."""
    tables = _Tables(state, names, width, marks, now)
    rows = [*tables.sessions(seen), EMPTY, *tables.values(seen), EMPTY, *tables.log_head(seen)]
    return [*rows, *reversed(live.rows(seen, state.session, said, width, marks, names=names))]


class _Tables:
    """The tables of one session at one width."""

    def __init__(self, state: SessionState, names: Mapping[str, str], width: int, marks: Marks, now: str) -> None:
        self._state, self._names, self._width, self._marks, self._now = state, names, width, marks, now
        self._is_wide = width >= _WIDE

    def _bar(self, session: str) -> Content:
        return self._marks.bar(is_own=session == self._state.session)

    def _session_name(self, session: str) -> str:
        if session == self._state.session:
            return "this session"
        return clean_name(self._names.get(session) or session, 60) or "nobody known"

    def _head(self, title: str, count: str, right: str) -> Row:
        left = joined(text(title, f"bold {FOCUS}"), text(f"  {count}" if count else "", DIM))
        return Row((spread(left, text(right if self._is_wide else "", DIM), self._width),))

    def sessions(self, seen: SharedSeen) -> Iterator[Row]:
        """Yield who takes part: what each is doing, and what it has claimed."""
        yield self._head("Sessions", str(len(seen.present) or ""), "")
        for one in seen.present:
            yield Row(self._session(one))
        if not seen.present and (seen.is_looked or seen.is_off):
            yield words_row("No session takes part at the moment.", self._width)

    def _session(self, one: SessionInfo) -> tuple[Content, ...]:
        is_own = one.session_id == self._state.session
        name = text(self._session_name(one.session_id), "bold" if is_own else "")
        left = joined(self._bar(one.session_id), cut(name, max(self._width // 3, 8)))
        has = ", ".join(clean_name(name, 60) for name in one.claimed)
        words = clean_name(one.phase, 40) if one.status == "active" and one.phase else one.status
        line = joined(left, " " * max(self._width // 3 + 4 - left.cell_length, 2))
        line = joined(line, text(f"{words:<18}", FAILED if one.status == "crashed" else ""))
        claimed = text(f"has {has}" if has else "", DIM)
        if self._is_wide or not has:
            return (cut(joined(line, claimed), self._width),)
        return cut(line, self._width), cut(joined(self._bar(one.session_id), "  ", claimed), self._width)

    def values(self, seen: SharedSeen) -> Iterator[Row]:
        """Yield every value that is everybody's."""
        values = [(key, entry) for key, entry in seen.values if not key.startswith(OWN)]
        right = f"{'by':<{_BY}}{'version':>{_VERSION}}{'age':>{_AGE}}  {'used in':<{_USED}}"
        yield self._head("Values", str(len(values) or ""), right)
        if not values:
            yield words_row("No values yet. F8 shares one.", self._width)
        widest = min(max((len(key) for key, _ in values), default=0) + 2, max(self._width // 4, 10))
        for key, entry in values:
            yield Row(self._value(key, entry, widest, seen), key=f"{VALUE}{entry.event}")

    def _value(self, key: str, entry: Entry, widest: int, seen: SharedSeen) -> tuple[Content, ...]:
        change = next((one for one in reversed(seen.changes) if one.event_id == entry.event), None)
        is_met = change is not None and bool(change.losers)
        mark = text(f"{self._marks.conflict} " if is_met else "  ", ASKS)
        name = filled(text(clean_name(key, 200)), widest - 1)
        left = joined(mark, self._bar(entry.session), name, " ", text(value_words(entry.value, 200)))
        lines = []
        if self._is_wide:
            used = " ".join(
                item.id
                for item in (self._state.plan.items if self._state.plan is not None else ())
                if item.origin is not None and item.origin.kind == "shared" and key in item.origin.source
            ) or ("prompts" if self._state.calls and key in self._state.shared.values else "")
            right = joined(
                filled(text(self._session_name(entry.session), DIM), _BY - 2),
                "  ",
                text(f"{entry.version:>{_VERSION},}{age(entry.time, self._now):>{_AGE}}", DIM),
                text(f"  {used:<{_USED}}"),
            )
            lines.append(spread(left, right, self._width))
        else:
            lines.append(spread(left, text(f"v{entry.version}", DIM), self._width))
        if is_met and change is not None:
            loser = change.losers[0]
            lost = value_words(loser.value, 200)
            indent = " " * (4 + widest)
            lines.append(cut(joined(indent, text(lost, f"{DIM} strike"), text("  overruled", DIM)), self._width))
        return tuple(lines)

    def log_head(self, seen: SharedSeen) -> Iterator[Row]:
        """Yield the title of the log, with how its changes went."""
        changed = [change for change in seen.changes if change.key and not change.key.startswith(OWN)]
        lost = sum(bool(one.losers) for one in changed)
        merged = sum(one.rule not in ("", "unchanged") for one in changed) - lost
        missing = f"+{seen.not_shown:,} not shown" if seen.not_shown else ""
        shown = sum(1 for _ in _news(seen.changes, self._state.session))
        counts = {"shown": shown, "merged": merged, "overruled": lost}
        yield self._head("Log", missing, " · ".join(f"{count} {word}" for word, count in counts.items() if count))
