"""Changes to the shared context as rows: who changed what, by which rule it was merged, and what lost.

┊ 09:12 infra-7k3p         merged      dotted bar: another session's (this one's is solid)
┊ files: +db.py
┊ list-union: nothing lost

Every row of a change has a key that begins with ``shared:``, with the id of its event behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from workbench.domain.session.events import SharedValue
from workbench.domain.session.session import SessionState
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
from workbench.tui.lines import Row, barred, hung, joined, spread, text
from workbench.tui.marks import DIM, ELSEWHERE, FAILED, Marks
from workbench.tui.session.recalled_rows import age
from workbench.tui.sharing.live import SharedSeen
from workbench.tui.told import EMPTY, local_day, local_time, title_row, words_row

SHARED, VALUE = "shared:", "shared-value:"
"""How the keys of rows begin: of a change, and of a value, which stands for its last change."""
_NOTHING = "What sessions share stands here as it changes. F8 shares a value."
_LINES = 2
"""Lines of a change, and of how it was merged; the whole is one key away."""
_ROOMY = 46
"""Columns from which a change may stand in one line."""
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
        now: str = "",
        brief: bool = False,
    ) -> list[Row]:
        """Return the live pane as ``session`` sees it: its name, the changes, the newest at the end.

        Below them stands what keeps it from being live. ``names`` are what sessions are called, by their ids; ``now``
        is the time by which changes have an age, "" where each says at what time it was made. ``brief``: of what a
        session says it is at, only the last word is told, so that it does not fill the pane.
        """
        rows = list(self._changes(seen, session, said, width, marks=marks, names=names or {}, now=now, brief=brief))
        if seen.trouble:
            rows.append(words_row(seen.trouble, width, DIM if seen.is_off else FAILED))
        return [_title(seen, width), *(rows or [words_row(_NOTHING, width)])]

    def _changes(
        self,
        seen: SharedSeen,
        session: str,
        said: Said,
        width: int,
        *,
        marks: Marks,
        names: Mapping[str, str],
        now: str,
        brief: bool,
    ) -> Iterator[Row]:
        if seen.not_shown:
            yield words_row(f"{seen.not_shown:,} earlier: `workbench shared log` lists them.", width, DIM)
        laid_out_for = (session, width, marks, names, now)
        known = self._known if laid_out_for == self._laid_out_for else {}
        self._laid_out_for = laid_out_for
        self._known = {
            one.event_id: known.get(one.event_id) or change_row(one, session, width, marks, names, now=now)
            for one in _news(_with_last_words(seen.changes) if brief else seen.changes, session)
        }
        for event_id, row in self._known.items():
            yield _with(row, said, width) if event_id == said.event else row


def _news(changes: Iterable[ContextEvent], session: str) -> Iterator[ContextEvent]:
    """Yield changes without what a session is at by its own word: its own screen shows that elsewhere.

    That it joined without having left is news: others had given it up, and what it had claimed is free.
    """
    takes_part = False
    for one in changes:
        if one.session_id == session and one.event_type in ("join", "leave"):
            is_anew = takes_part and one.event_type == "join"
            takes_part = one.event_type == "join"
            if is_anew:
                yield one
        elif one.session_id != session or one.key != OWN + session:
            yield one


def _with_last_words(changes: Sequence[ContextEvent]) -> Iterator[ContextEvent]:
    """Yield changes, and of what each session says it is at the last word only."""
    last = {one.key: one.event_id for one in changes if one.key == OWN + one.session_id}
    yield from (one for one in changes if last.get(one.key, one.event_id) == one.event_id)


def _title(seen: SharedSeen, width: int) -> Row:
    """Return the name of the pane, with how many changes are not shown; it stays where it is, whatever is scrolled."""
    more = f"+{seen.not_shown:,} not shown" if seen.not_shown else ""
    more = f"{more} {_standing(seen)}" if len(more) + 13 <= width else more
    return Row((spread(text("SHARED", DIM), text(more.strip(), DIM), width),), is_title=True)


def _standing(seen: SharedSeen) -> str:
    if seen.is_off:
        return "off"
    return "away" if seen.trouble else "live"


def change_row(
    event: ContextEvent,
    session: str,
    width: int,
    marks: Marks,
    names: Mapping[str, str] | None = None,
    *,
    now: str = "",
) -> Row:
    """Return a change in a few lines; in one where there is room for that."""
    is_own = event.session_id == session
    bar = marks.bar(is_own=is_own)
    called = clean_name((names or {}).get(event.session_id) or event.session_id) or "nobody known"
    who = text("this session", "bold") if is_own else text(called, f"bold {ELSEWHERE}")
    at = age(event.timestamp, now) if now else local_time(event.timestamp)
    time, word, changed = f"{at} ", _word(event), _changed(event)
    if is_own and event.event_type == "join":
        changed = _JOINED_ANEW
    whole = joined(bar, text(time, DIM), who, "  ", text(changed))
    if width >= _ROOMY and whole.cell_length + len(word) < width:
        lines = [spread(whole, text(word, DIM), width)]
    else:
        head = spread(joined(bar, who), text(time.rstrip(), DIM), width)
        words = f"{changed} · {word}" if word not in ("", "new") and changed else changed or word
        lines = [head, *(barred(bar, words, width, most=_LINES) if words else ())]
    if met := conflict_words(event):
        lines += barred(bar, met, width, DIM, most=_LINES)
    return Row(tuple(lines), key=f"{SHARED}{event.event_id}")


def _word(event: ContextEvent) -> str:
    if event.event_type == "update":
        is_new = event.previous_value is ABSENT and event.key != OWN + event.session_id
        return "new" if is_new else ""
    if event.event_type == "undo" and same(event.previous_value, event.value):
        return "not undone"  # what was changed since won
    return _WORDS.get(event.event_type, clean_name(event.event_type))


def _changed(event: ContextEvent) -> str:
    if event.lease:
        kind, _, name = event.lease.partition(":")
        whose = lease_words(event)
        return f"{clean_name(kind)} {clean_name(name, 200)}" + (f": {whose}" if whose else "")
    if not event.key:
        return ""
    if event.key == OWN + event.session_id:  # what a session says of itself: its name stands there already
        return course_words(event.previous_value, event.value)
    key = clean_name(event.key, 200)
    if event.value is ABSENT:
        return f"{key}: was {value_words(event.previous_value)}"
    return f"{key}: {change_words(event.previous_value, event.value)}"


def _with(row: Row, said: Said, width: int) -> Row:
    """Return a change with what is said about it below."""
    told = barred(Content("  "), clean(said.words), width, FAILED if said.is_refusal else DIM)
    return Row((*row.lines, *told), key=row.key)


def whole_change(event: ContextEvent, base: object, width: int) -> list[Row]:
    """Return the whole of a change: facts, then every value. ``base`` is what its session started from."""
    rows = [Row(hung(text(f"{name:<{_FACT}}", DIM), value, width)) for name, value in _facts(event)]
    for name, value in _values(event, base):
        rows += [EMPTY, Row((text(name, DIM),)), words_row(whole_words(value), width, "")]
    return rows


_FACT = 10
"""Cells for the name of a fact."""


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
_SEEN_LINES = 3
"""Lines of a value."""


def seen_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return what a session had seen of the shared context."""
    seen = state.shared
    rows = [title_row("SHARED", "as it was seen")]
    if seen.unavailable:
        rows.append(words_row(f"It could not look again: {seen.unavailable}", width, FAILED))
    rows += [_value_row(one, state.session, width, marks) for one in seen.values.values()]
    return rows if len(rows) > 1 else [*rows, words_row(_SEEN_NOTHING, width)]


def _value_row(one: SharedValue, session: str, width: int, marks: Marks) -> Row:
    bar = marks.bar(is_own=one.session == session)
    who = "this session" if one.session == session else clean_name(one.session) or "nobody known"
    head = joined(bar, text(f"{local_time(one.time)} ", DIM), text(who, "bold"))
    return Row((spread(head, text(f"v{one.version}", DIM), width), *barred(bar, _words(one), width, most=_SEEN_LINES)))


def _words(one: SharedValue) -> str:
    if one.key == OWN + one.session:  # what a session says of itself: its name stands there already
        return course_words(ABSENT, one.value)
    value = f"{one.cut:,} bytes, too large to be quoted" if one.cut else value_words(one.value, _MOST_OF_A_VALUE)
    return f"{clean_name(one.key, 200)}: {value}"


_MOST_OF_A_VALUE = 400
"""Characters of a value."""
