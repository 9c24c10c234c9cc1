"""The shared context as a session had seen it, as rows: key by key, the last changed last.

    ┊ 09:12 infra-7k3p          v3      dotted bar: another session's (its own is solid)
    ┊ phase: test

The live pane shows changes as others make them; this is what a replay can know: what the session itself recorded.
"""

from __future__ import annotations

from workbench.domain.session.events import SharedValue
from workbench.domain.session.session import SessionState
from workbench.domain.shared.input import OWN
from workbench.domain.shared.merge import ABSENT
from workbench.domain.shared.words import course_words, value_words
from workbench.domain.text.cleaning import clean_name
from workbench.tui.lines import Row, barred, joined, spread, text
from workbench.tui.marks import DIM, FAILED, Marks
from workbench.tui.told import local_time, title_row, words_row

EMPTY = "The session has seen nothing that others share by now."
_LINES = 3
"""Lines of a value."""


def seen_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return what a session had seen of the shared context."""
    seen = state.shared
    rows = [title_row("SHARED", "as it was seen")]
    if seen.unavailable:
        rows.append(words_row(f"It could not look again: {seen.unavailable}", width, FAILED))
    rows += [_value_row(one, state.session, width, marks) for one in seen.values.values()]
    return rows if len(rows) > 1 else [*rows, words_row(EMPTY, width)]


def _value_row(one: SharedValue, session: str, width: int, marks: Marks) -> Row:
    bar = marks.bar(is_own=one.session == session)
    who = "this session" if one.session == session else clean_name(one.session) or "nobody known"
    head = joined(bar, text(f"{local_time(one.time)} ", DIM), text(who, "bold"))
    return Row((spread(head, text(f"v{one.version}", DIM), width), *barred(bar, _words(one), width, most=_LINES)))


def _words(one: SharedValue) -> str:
    if one.key == OWN + one.session:  # what a session says of itself: its name stands there already
        return course_words(ABSENT, one.value)
    value = f"{one.cut:,} bytes, too large to be quoted" if one.cut else value_words(one.value, _MOST_OF_A_VALUE)
    return f"{clean_name(one.key, 200)}: {value}"


_MOST_OF_A_VALUE = 400
"""Characters of a value."""
