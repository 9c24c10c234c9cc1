"""A round while it runs: its roles with what each read and wrote, what was spent against the bounds, the reply so far.

             time   read  written    cost
✔ planner    41 s  6,212    1,480  $0.04
▸ verifier   12 s
  executor   waits
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from textual.content import Content

from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.planning.driver import Running
from workbench.replay.rounds import CallFigures, Rounds
from workbench.tui.lines import Row, barred, cut, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FOCUS, Marks
from workbench.tui.told import EMPTY, money, thousands

_ROLES = ("planner", "verifier", "executor", "generator")
_VALUE = lazy_pattern(r'[:\[,]\s*"((?:[^"\\]|\\.)*)')
_TAIL = 4_000
"""Characters of the reply that are laid out; its end is what is new."""
_METER = 8
"""Cells of a meter."""
_WITH_METER = 42
"""Cells from which a limit has a meter."""


def running_rows(
    state: SessionState,
    running: Running | None,
    partial: str,
    rounds: Rounds | None,
    *,
    size: tuple[int, int],
    marks: Marks,
) -> list[Row]:
    """Return the round that is under way, in so many columns and rows: the end of the reply takes what is left."""
    width, height = size
    number = state.current.number if state.current is not None else 0
    calls = rounds.calls.get(number, ()) if rounds is not None else ()
    rows = [*_role_rows(state, running, calls, width, marks), EMPTY, *_spent_rows(state, calls, width, marks)]
    if running is not None:
        rows += [EMPTY, *_reply_rows(running, partial, width, max(height - len(rows) - 3, 4), marks)]
    return rows


def round_title(state: SessionState) -> str:
    """Return what the drawer of a running round is called."""
    number = state.current.number if state.current is not None else 0
    return f"6 Round {number} of {max(state.limit, number)}" if number else "6 Before the first round"


def _line(mark: tuple[str, str], name: Content, cells: Sequence[str], width: int) -> Content:
    left = joined(text(f"{mark[0]} ", mark[1]), name)
    right = "".join(f"{cell:>{room}}" for cell, room in zip(cells, (7, 8, 9, 8), strict=True))
    return spread(left, text(right, DIM), width)


def _role_rows(
    state: SessionState, running: Running | None, calls: Sequence[CallFigures], width: int, marks: Marks
) -> Iterator[Row]:
    yield Row((_line((" ", ""), Content(), ("time", "read", "written", "cost"), width),))
    current = state.current
    others = [one.role for one in calls if one.role not in _ROLES]
    names = dict.fromkeys((*(_ROLES if current is not None else ()), *others, *([running.role] if running else ())))
    ended = (current.planned, current.verified, current.prepared, current.written) if current is not None else ()
    done = {role for role, is_done in zip(_ROLES, ended, strict=False) if is_done}
    for role in names:
        of_role = [one for one in calls if one.role == role]
        is_running = running is not None and running.role == role
        seconds = sum(one.seconds for one in of_role) + (running.seconds if running is not None and is_running else 0.0)
        if not of_role and not is_running and role not in done:
            yield Row((spread(text(f"  {clean_name(role)}", DIM), text("waits", DIM), width),))
            continue
        read, written = (sum(getattr(one, name) for one in of_role) for name in ("read", "written"))
        cells = (
            (f"{seconds:.0f} s", f"{read:,}", f"{written:,}", money(_cost(of_role)))
            if of_role
            else (f"{seconds:.0f} s", "", "", "")
        )
        mark = (marks.runs, FOCUS) if is_running else (marks.done, DONE)
        lines = [_line(mark, text(clean_name(role), "bold" if is_running else ""), cells, width)]
        if of_role:
            lines.append(cut(text(f"  {clean_name(of_role[-1].model, 60)}", DIM), width))
        if is_running and running is not None and running.note:
            lines += [text(f"  {line}", "bold") for line in wrapped(clean(running.note), max(width - 2, 8))]
        yield Row(tuple(lines))


def _spent_rows(state: SessionState, calls: Sequence[CallFigures], width: int, marks: Marks) -> Iterator[Row]:
    """Yield what this round and the whole session spent, and how much of each limit that is."""
    spent, bounds = state.spent, state.bounds
    tokens = sum(one.read + one.written for one in calls)
    kinds: tuple[tuple[str, Callable[[float], str], float | None, float | None, float, float | None], ...] = (
        ("tokens", _count, tokens, spent.tokens, spent.tokens, bounds.max_tokens),
        ("money", money, _cost(calls), spent.cost, spent.known_cost, bounds.max_cost),
        ("time", _minutes, sum(one.seconds for one in calls), spent.seconds, spent.seconds, bounds.max_time),
        ("calls", _count, len(calls), spent.calls, spent.calls, bounds.max_calls),
    )
    meter_room = _METER if width >= _WITH_METER else 0
    heads = f"{'round':>8}{'session':>9}{'limit':>{meter_room + 10}}"
    yield Row((spread(text("Spent", f"bold {FOCUS}"), text(heads, DIM), width),))
    for name, shown, of_round, of_session, used, limit in kinds:
        full = min(round(used / limit * meter_room), meter_room) if limit else 0
        meter = text(marks.meter_full * full, FOCUS), text(marks.meter_empty * (meter_room - full), DIM)
        known = [money(None) if part is None else shown(part) for part in (of_round, of_session)]
        right = joined(f"{known[0]:>8}{known[1]:>9} ", *(meter if limit else (" " * meter_room,)))
        right = joined(right, text(f"{shown(limit) if limit else 'no limit':>9}", DIM))
        yield Row((spread(text(name, DIM), right, width),))


def _cost(calls: Sequence[CallFigures]) -> float | None:
    """Return what calls cost together; None where the price of one is not known."""
    return None if any(one.cost is None for one in calls) else sum(one.cost or 0.0 for one in calls)


def _count(number: float) -> str:
    return thousands(int(number))


def _words(partial: str) -> str:
    """Return the words of a reply that may end anywhere: of an object, its longer texts."""
    if not partial.lstrip().startswith("{") and '":' not in partial:
        return partial
    values = (value.replace("\\n", "\n").replace('\\"', '"') for value in _VALUE.findall(partial))
    return "\n".join(value for value in values if " " in value)


def last_words(running: Running, partial: str, width: int) -> str:
    """Return the end of the reply that arrives, in a line; "" where nothing of it is words yet."""
    said = " ".join(clean(_words(partial[-_TAIL:])).split())
    name = clean_name(running.role)
    room = max(width - len(name) - 4, 8)
    return f"{name}: {'… ' * (len(said) > room)}{said[-room:]}" if said else ""


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"


def _reply_rows(running: Running, partial: str, width: int, height: int, marks: Marks) -> Iterator[Row]:
    told = text(running.progress or "nothing yet", DIM)
    name = joined(text(clean_name(running.role).capitalize(), f"bold {FOCUS}"), text(" as it comes", DIM))
    yield Row((spread(name, told, width),))
    body = barred(marks.bar(), clean(_words(partial[-_TAIL:])), width) if partial else []
    yield Row(tuple(body[-height:]))
