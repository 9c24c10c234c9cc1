"""What sessions share as tables: who takes part, every value with who set it and where it is used, and the log.

Values  9                                   by               version    age  used in
┊ go_live      28 June                      Price list 2028        6    9 s  K1 S13
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.session.state import SessionState
from workbench.domain.shared.input import OWN
from workbench.domain.shared.words import value_words
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, cut, filled, joined, spread, text
from workbench.tui.marks import ASKS, DIM, FAILED, FOCUS, Marks
from workbench.tui.session.recalled_rows import age
from workbench.tui.sharing.live import SharedSeen
from workbench.tui.sharing.shared_rows import NOTHING_SAID, VALUE, LiveRows, Said
from workbench.tui.told import EMPTY, words_row

if TYPE_CHECKING:
    from workbench.domain.shared.context import Entry
    from workbench.sharing.presence import SessionInfo

_BY, _VERSION, _AGE, _USED = 20, 8, 8, 14
_WIDE = 84
"""Cells from which a value has columns for who set it, and where it is used."""


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
    _title, *changes = live.rows(seen, state.session, said, width, marks, names=names)
    return [*rows, *reversed(changes)]


class _Tables:
    """The tables of one session at one width."""

    def __init__(self, state: SessionState, names: Mapping[str, str], width: int, marks: Marks, now: str) -> None:
        self._state, self._names, self._width, self._marks, self._now = state, names, width, marks, now
        self._is_wide = width >= _WIDE

    def _bar(self, session: str) -> Content:
        return self._marks.bar(is_own=session == self._state.session)

    def _who(self, session: str) -> str:
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
        name = text(self._who(one.session_id), "bold" if is_own else "")
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
            )
            right = joined(
                filled(text(self._who(entry.session), DIM), _BY - 2),
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
        changed = [one for one in seen.changes if one.key and not one.key.startswith(OWN)]
        lost = sum(bool(one.losers) for one in changed)
        merged = sum(one.rule not in ("", "unchanged") for one in changed) - lost
        missing = f"+{seen.not_shown:,} not shown" if seen.not_shown else ""
        counts = {"shown": len(changed), "merged": merged, "overruled": lost}
        yield self._head("Log", missing, " · ".join(f"{count} {word}" for word, count in counts.items() if count))
