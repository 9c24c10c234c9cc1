"""Rounds, entities and insights as tables: what each round spent and made, what is remembered, and what became of it.

Rounds       change  findings   tokens    cost   time  made
✔ round 2       6 %    1 open   21,176  $0.117   2:24  v3, 4 insights
Insights  4
✔ I4  Tax is rounded per line there
      used in round 2, 3 · S6 R4
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from textual.content import Content

from workbench.domain.log.ids import entity_prefix
from workbench.domain.loop.deciding.convergence import progress
from workbench.domain.plan.changing.change import percent
from workbench.domain.session.events import IterationResult
from workbench.domain.session.state import Entity, SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens
from workbench.planning.driver import Running
from workbench.replay.rounds import CallFigures, Rounds
from workbench.tui.lines import Row, barred, cut, hung, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FOCUS, Marks
from workbench.tui.table import Column, Table
from workbench.tui.told import EMPTY, age, counted, money, thousands, words_row

_ROOMS = {"change": 8, "findings": 9, "tokens": 8, "cost": 7, "time": 6}
"""Cells of what a round came to."""
_LEAST = 8  # cells in which it can be read what a round made
ROUND = "iteration:"
"""How the keys of rounds begin."""
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
    insights = _insight_rows(state, rounds, width, marks)
    for title, count, told in (("Entities", len(entities), entities), ("Insights", len(state.insights), insights)):
        if count:
            rows += [EMPTY, Row((joined(text(title, f"bold {FOCUS}"), text(f"  {count}", DIM)),)), *told]
    if not state.iterations and not state.entities:
        rows.append(words_row("What rounds find out is kept here.", width))
    return rows


# --- rounds -----------------------------------------------------------------------------------------------------------


def _table(width: int) -> Table:
    columns = [Column("mark", 2, gap=0), Column("name", 13, gap=0)]
    columns += [Column(name, room, name, is_right=True, gap=0) for name, room in _ROOMS.items()]
    rest = width - sum(column.width for column in columns) - 3
    return Table(
        (*columns, Column("gap", 3, gap=0), Column("made", rest, "made", gap=0)) if rest >= _LEAST else (*columns,)
    )


def _round_rows(
    state: SessionState, rounds: Rounds | None, width: int, marks: Marks, unfolded: Collection[str]
) -> Iterator[Row]:
    table = _table(width)

    def line(mark: Content, name: str, cells: Sequence[str], made: str, style: str = "") -> Content:
        shown = {of: text(cell, style) for of, cell in zip(_ROOMS, cells, strict=True)}
        return cut(table.line({"mark": mark, "name": text(name, style), "made": text(made, DIM)} | shown), width)

    def call_lines(calls: Sequence[CallFigures]) -> Iterator[Content]:
        for call in calls:
            cells = (f"{thousands(call.read)} in", f"{thousands(call.written)} out", *_totals([call]))
            model = f"{'no answer · ' if call.failed else ''}{clean_name(call.model, 30)}"
            yield line(marks.bar(), f"{clean_name(call.role, 9)} {clean_name(call.call, 6)}", cells, model, DIM)

    yield Row((cut(joined(text("Rounds", f"bold {FOCUS}"), table.head(DIM)[len("Rounds") :]), width),))
    calls, done = rounds.calls if rounds is not None else {}, text(f"{marks.done} ", DONE)

    def spent(number: int) -> tuple[str, ...]:
        return _totals(calls.get(number, ())) if rounds is not None else ("…", "…", "…")

    if state.approach is not None or state.proposal:
        title = clean_name(state.approach.title if state.approach is not None else "your proposal")
        below = call_lines(calls.get(0, ())) if f"{ROUND}0" in unfolded else ()
        yield Row((line(done, "approach", ("", "", *spent(0)), title), *below), key=f"{ROUND}0")
    for result, came_to in zip(state.iterations, progress(state), strict=True):
        number = result.iteration_num
        found = f"{len(result.verification)} open" if result.verification else "none"
        key, more = f"{ROUND}{number}", []
        if (key in unfolded) is not (result is state.iterations[-1]):  # the newest is unfolded until a person folds it
            more = barred(Content("    "), came_to.quality, width, DIM) if came_to.quality else []
            more += call_lines(calls.get(number, ()))
        cells = (percent(result.change), found, *spent(number))
        yield Row((line(done, f"round {number}", cells, _made(state, result)), *more), key=key)
    if state.current is not None:
        yield Row((joined(text(f"{marks.runs} ", FOCUS), f"round {state.current.number}", text(" under way", DIM)),))
    all_spent = ("", "", f"{state.spent.tokens:,}", money(state.spent.cost), _time(state.spent.seconds))
    yield Row((line(Content(), "all", all_spent, f"{state.spent.calls} calls", DIM),))


def _totals(calls: Sequence[CallFigures]) -> tuple[str, str, str]:
    seconds = sum(call.seconds for call in calls)
    return f"{sum(one.read + one.written for one in calls):,}", money(_cost(calls)), _time(seconds)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _made(state: SessionState, result: IterationResult) -> str:
    changes = sum(len(version.changes) for version in state.versions if version.iteration == result.iteration_num)
    insights = len(result.key_insights)
    parts = [
        f"plan v{result.plan_version}" if result.plan_version is not None else "",
        counted(changes, "change") if changes and result.iteration_num > 1 else "",
        counted(insights, "insight") if insights else "",
    ]
    return ", ".join(part for part in parts if part)


# --- entities and insights --------------------------------------------------------------------------------------------


def _entity_rows(state: SessionState, width: int) -> Iterator[Row]:
    versions: dict[tuple[str, str], list[Entity]] = {}
    for entity in state.entities:
        versions.setdefault((entity.origin, _name_here(entity)), []).append(entity)
    for (origin, called), found in versions.items():
        newest = found[-1]
        by = "by you" if origin == "given" else ""
        facts = (f"v{len(found)}", f"{estimate_tokens(newest.content):,} t", age(newest.time, state.updated), by)
        first = next((row.strip("#* ") for row in clean(newest.content[:400]).splitlines() if row.strip("#* ")), "")
        told = text(f"  {' · '.join(filter(None, (*facts, first)))}", DIM)
        yield Row((cut(joined("  ", clean_name(called), told), width),), key=f"entity:{newest.id}")


def _name_here(entity: Entity) -> str:
    """Return what a piece of memory is called in its session; what a fork took over is named after its origin."""
    written_by = entity.id.rpartition(":")[0]
    return entity.name.removeprefix(f"{entity_prefix(written_by)}_")


def _insight_rows(state: SessionState, rounds: Rounds | None, width: int, marks: Marks) -> Iterator[Row]:
    numbers = {insight: number for number, insight in enumerate(state.insights, start=1)}
    known = {item.id for item in state.plan.items} if state.plan is not None else set()
    used = rounds.used if rounds is not None else {}
    shown: set[str] = set()
    for result in reversed(state.iterations):
        fresh = [removal for removal in dict.fromkeys(result.key_insights) if removal not in shown]
        shown.update(fresh)
        if fresh:
            yield Row((text(f"  round {result.iteration_num}", DIM),))
        for insight in fresh:
            given, is_new = used.get(insight, ()), result is state.iterations[-1]
            mark, style = ("+", DONE) if is_new else (marks.done, FOCUS) if given else (" ", "")
            became = f"used in round {', '.join(map(str, given))}" if given else "new" if is_new else "not used yet"
            about = " ".join(dict.fromkeys(name for name in _ITEM.findall(insight) if name in known))
            head = joined(text(f"{mark} ", style), text(f"I{numbers[insight]:<4}", DIM))
            facts = " · ".join(filter(None, (became, about)))
            yield Row((*hung(head, clean(insight), width), text(f"       {facts}", DIM)))


_ROLES = ("planner", "verifier", "executor", "generator")
_VALUE = lazy_pattern(r'[:\[,]\s*"((?:[^"\\]|\\.)*)')
_TAIL = 4_000  # characters of the reply that are laid out; its end is what is new


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
    rows = [*_role_rows(state, running, calls, width, marks), EMPTY, *_spent_rows(state, calls, width)]
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
    others = [call.role for call in calls if call.role not in _ROLES]
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


def _spent_rows(state: SessionState, calls: Sequence[CallFigures], width: int) -> Iterator[Row]:
    """Yield what this round and the whole session spent, and the limits."""
    spent, bounds, no = state.spent, state.bounds, "no limit"
    tokens, seconds = sum(call.read + call.written for call in calls), sum(one.seconds for one in calls)
    most = thousands(bounds.max_tokens) if bounds.max_tokens else no
    for name, *cells in (
        ("Spent", "round", "session", "limit"),
        ("tokens", thousands(tokens), thousands(spent.tokens), most),
        ("money", money(_cost(calls)), money(spent.cost), money(bounds.max_cost) if bounds.max_cost else no),
        ("time", _minutes(seconds), _minutes(spent.seconds), _minutes(bounds.max_time) if bounds.max_time else no),
        ("calls", str(len(calls)), str(spent.calls), str(bounds.max_calls or no)),
    ):
        right = text("".join(f"{cell:>10}" for cell in cells), DIM)
        yield Row((spread(text(name, f"bold {FOCUS}" if name == "Spent" else DIM), right, width),))


def _cost(calls: Sequence[CallFigures]) -> float | None:
    """Return what calls cost together; None if the price of one is not known."""
    return None if any(call.cost is None for call in calls) else sum(one.cost or 0.0 for one in calls)


def _words(partial: str) -> str:
    """Return the words of a reply that may end anywhere: of an object, its longer texts."""
    if not partial.lstrip().startswith("{") and '":' not in partial:
        return partial
    values = (value.replace("\\n", "\n").replace('\\"', '"') for value in _VALUE.findall(partial))
    return "\n".join(value for value in values if " " in value)


def last_words(running: Running, partial: str, width: int) -> str:
    """Return the end of the reply that arrives, in a line; "" if nothing of it is words yet."""
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
