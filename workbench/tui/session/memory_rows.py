"""Rounds, entities and insights as tables: what each round spent and made, what is remembered, and what became of it.

Rounds       change  findings   tokens    cost   time  made
✔ round 2       6 %    1 open   21,176  $0.117   2:24  v3, 4 insights
Insights                                  what became of it      about
✔ I4  Tax is rounded per line there       used in round 2, 3     S6 R4
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.log.ids import entity_prefix
from workbench.domain.loop.convergence import progress
from workbench.domain.plan.change import percent
from workbench.domain.session.events import IterationResult
from workbench.domain.session.state import Entity, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens
from workbench.planning.driver import Running
from workbench.replay.rounds import CallFigures, Rounds
from workbench.tui.lines import Row, barred, cut, filled, hung, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FOCUS, Marks
from workbench.tui.told import EMPTY, age, counted, money, thousands, words_row

if TYPE_CHECKING:
    from workbench.replay.rounds import CallFigures, Rounds


_NAME, _SHORT = 22, 13
_NUMBERS, _TIGHT = (8, 10, 9, 9, 7), (6, 9, 8, 8, 6)
"""Cells of a round's name, where there is room for it and where not, and of change, findings, tokens, cost and time."""
_WIDE = 84  # cells from which what a round made, and what an entity holds, stands beside its numbers
ROUND = "iteration:"
"""How the keys of rounds begin."""
_FATE, _ABOUT = 22, 14
_ITEM = lazy_pattern(r"\b[A-Z]\d+\b")


def memory_rows(
    state: SessionState,
    width: int,
    marks: Marks | None = None,
    rounds: Rounds | None = None,
    unfolded: Collection[str] = (),
) -> list[Row]:
    """Return the tables; ``rounds`` is None until what they spent was read.

    The calls of the newest round stand below it, and those of the rounds in ``unfolded``; the newest is folded there.
    """
    marks = marks or Marks()
    rows = [*_round_rows(state, rounds, width, marks, unfolded)]
    entities = list(_entity_rows(state, width))
    insights = list(_insight_rows(state, rounds, width, marks))
    rows += [EMPTY, *entities] if entities else []
    rows += [EMPTY, *insights] if insights else []
    if not state.iterations and not entities:
        rows.append(words_row("What rounds find out is kept here.", width))
    return rows


_ENTITY_NAME = 14  # columns for ``iteration_12``: which one it is stands at its end


def _name_room(width: int) -> int:
    return _NAME if width >= _NAME + sum(_NUMBERS) else _SHORT


def _head(title: str, count: str, cells: Content | str, width: int) -> Row:
    return Row((cut(joined(text(title, f"bold {FOCUS}"), text(f"  {count}", DIM), cells), width),))


# --- rounds -----------------------------------------------------------------------------------------------------------


def _round_rows(
    state: SessionState, rounds: Rounds | None, width: int, marks: Marks, unfolded: Collection[str]
) -> Iterator[Row]:
    names = ("change", "findings", "tokens", "cost", "time")
    yield Row((_round_line(text("Rounds", f"bold {FOCUS}"), names, "made", width, style=DIM),))
    calls = rounds.calls if rounds is not None else {}
    done, last = text(f"{marks.done} ", DONE), len(state.iterations) - 1
    unknown = ("…", "…", "…")
    if state.approach is not None or state.proposal:
        title = clean_name(state.approach.title if state.approach is not None else "your proposal")
        spent = _totals(calls.get(0, ())) if rounds else unknown
        key = f"{ROUND}0"
        below = _call_lines(calls.get(0, ()), width, marks) if key in unfolded else ()
        yield Row((_round_line(joined(done, "approach"), ("", "", *spent), title, width), *below), key=key)
    for place, (result, came_to) in enumerate(zip(state.iterations, progress(state), strict=True)):
        number = result.iteration_num
        found = f"{len(result.verification)} open" if result.verification else "none"
        spent = _totals(calls.get(number, ())) if rounds else unknown
        key, more = f"{ROUND}{number}", []
        if (key in unfolded) is not (place == last):  # the newest one is unfolded until a person folds it
            more = barred(Content("    "), came_to.quality, width, DIM) if came_to.quality else []
            more += _call_lines(calls.get(number, ()), width, marks)
        cells = (percent(result.change), found, *spent)
        yield Row((_round_line(joined(done, f"round {number}"), cells, _made(state, result), width), *more), key=key)
    if state.current is not None:
        yield Row((joined(text(f"{marks.runs} ", FOCUS), f"round {state.current.number}", text(" under way", DIM)),))
    all_spent = ("", "", f"{state.spent.tokens:,}", money(state.spent.cost), _time(state.spent.seconds))
    yield Row((_round_line(text("  all", DIM), all_spent, f"{state.spent.calls} calls", width),))


def _round_line(name: Content, cells: Sequence[str], more: str, width: int, *, style: str = "") -> Content:
    """Return a name, numbers below one another, and behind them, where there is room, what else there is to say."""
    rooms = _NUMBERS if _name_room(width) == _NAME else _TIGHT
    numbers = text("".join(f"{cell:>{room}}" for cell, room in zip(cells, rooms, strict=True)), style)
    told = text(f"   {more}" if width >= _WIDE else "", DIM)
    return cut(joined(filled(name, _name_room(width)), numbers, told), width)


def _totals(calls: Sequence[CallFigures]) -> tuple[str, str, str]:
    seconds = sum(one.seconds for one in calls)
    return f"{sum(one.read + one.written for one in calls):,}", money(_cost(calls)), _time(seconds)


def _call_lines(calls: Sequence[CallFigures], width: int, marks: Marks) -> Iterator[Content]:
    is_short = _name_room(width) == _SHORT
    for one in calls:
        who = clean_name(one.role, 9) if is_short else f"{clean_name(one.role, 11):<11} {clean_name(one.call, 6)}"
        cells = ("" if is_short else f"{one.read:,} in", f"{one.written:,} out", *_totals([one]))
        model = f"{'no answer · ' if one.failed else ''}{clean_name(one.model, 30)}"
        yield _round_line(joined("  ", marks.bar(), text(who, DIM)), cells, model, width, style=DIM)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _made(state: SessionState, result: IterationResult) -> str:
    changes = sum(len(one.changes) for one in state.versions if one.iteration == result.iteration_num)
    insights = len(result.key_insights)
    parts = [
        f"plan v{result.plan_version}" if result.plan_version is not None else "",
        counted(changes, "change") if changes and result.iteration_num > 1 else "",
        counted(insights, "insight") if insights else "",
    ]
    return ", ".join(part for part in parts if part)


# --- entities ---------------------------------------------------------------------------------------------------------


def _entity_rows(state: SessionState, width: int) -> Iterator[Row]:
    newest: dict[tuple[str, str], Entity] = {}
    versions: dict[tuple[str, str], int] = {}
    for entity in state.entities:
        name = (entity.origin, _name_here(entity))
        newest[name] = entity
        versions[name] = versions.get(name, 0) + 1
    if not newest:
        return
    room = max(_name_room(width), _ENTITY_NAME)
    named = text(_entity_cells(("version", "size", "age", "made by"), width) + "holds" * (width >= _WIDE), DIM)
    yield _head("Entities", str(len(newest)), joined(" " * (room - 10 - len(str(len(newest)))), named), width)
    for (origin, called), entity in newest.items():
        cells = (
            f"v{versions[origin, called]}",
            f"{estimate_tokens(entity.content):,} t",
            age(entity.time, state.updated),
            "you" if origin == "given" else "the loop",
        )
        label = filled(text(f"  {clean_name(called)}"), room - 1)
        line = joined(label, " ", text(_entity_cells(cells, width), DIM))
        first = next((row.strip("#* ") for row in clean(entity.content[:400]).splitlines() if row.strip("#* ")), "")
        yield Row((cut(joined(line, text(first if width >= _WIDE else "", DIM)), width),), key=f"entity:{entity.id}")


def _entity_cells(cells: tuple[str, str, str, str], width: int) -> str:
    """Return the columns of an entity; who made it leaves where there is no room for it."""
    version, size, old, maker = cells
    line = f"{version:>8}{size:>10}{old:>9}"
    has_room = max(_name_room(width), _ENTITY_NAME) + len(line) + len("   the loop") <= width
    return f"{line}   {maker:<10}" if has_room else line


def _name_here(entity: Entity) -> str:
    """Return what a piece of memory is called in its session; what a fork took over is named after its origin."""
    written_by = entity.id.rpartition(":")[0]
    return entity.name.removeprefix(f"{entity_prefix(written_by)}_")


# --- insights ---------------------------------------------------------------------------------------------------------


def _insight_rows(state: SessionState, rounds: Rounds | None, width: int, marks: Marks) -> Iterator[Row]:
    insights = state.insights
    if not insights:
        return
    is_wide = width >= _WIDE
    fate = f"{'what became of it':<{_FATE}}{'about':<{_ABOUT}}" if is_wide else ""
    yield Row(
        (spread(joined(text("Insights", f"bold {FOCUS}"), text(f"  {len(insights)}", DIM)), text(fate, DIM), width),)
    )
    numbers = {insight: number for number, insight in enumerate(insights, start=1)}
    known = {item.id for item in state.plan.items} if state.plan is not None else set()
    used = rounds.used if rounds is not None else {}
    last = len(state.iterations)
    shown: set[str] = set()
    for place in range(last - 1, -1, -1):
        result = state.iterations[place]
        fresh = [one for one in dict.fromkeys(result.key_insights) if one not in shown]
        shown.update(fresh)
        if fresh:
            yield Row((text(f"  round {result.iteration_num}", DIM),))
        for insight in fresh:
            given = used.get(insight, ())
            is_new = place == last - 1
            mark, style = ("+", DONE) if is_new else (marks.done, FOCUS) if given else (" ", "")
            became = f"used in round {', '.join(map(str, given))}" if given else "new" if is_new else "not used yet"
            about = " ".join(dict.fromkeys(name for name in _ITEM.findall(insight) if name in known))
            yield _insight(f"I{numbers[insight]}", insight, (mark, style), (became, about), width)


def _insight(name: str, insight: str, mark: tuple[str, str], told: tuple[str, str], width: int) -> Row:
    """Return an insight with what became of it, and which items it is about."""
    became, about = told
    is_wide = width >= _WIDE
    head = joined(text(f"{mark[0]} ", mark[1]), text(f"{name:<5}", DIM))
    first, *more = hung(head, clean(insight), width - (_FATE + _ABOUT + 2 if is_wide else 0))
    right = joined(
        text(f"{became:<{_FATE}}", DONE if became == "new" else DIM),
        text(f"{cut(text(about), _ABOUT).plain:<{_ABOUT}}"),
    )
    lines = [spread(first, right if is_wide else Content(), width), *more]
    if not is_wide:
        lines.append(text(f"       {became}{f' · {about}' if about else ''}", DIM))
    return Row(tuple(lines))


_ROLES = ("planner", "verifier", "executor", "generator")
_VALUE = lazy_pattern(r'[:\[,]\s*"((?:[^"\\]|\\.)*)')
_TAIL = 4_000  # characters of the reply that are laid out; its end is what is new
_METER = 8  # cells of a meter
_WITH_METER = 42  # cells from which a limit has a meter


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
