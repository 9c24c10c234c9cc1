"""The people of a plan, and which agent sees what of a session: counted, from its events, and laid out as a table.

    events ─▶ items, who may see them ─┐
    call.started: the last of each ────┴▶ Matrix: rows say who said it, columns who sees it ─▶ rows of lines

A cell says how many items are in an agent's view, and how many of them were in its last prompt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual.content import Content

from workbench.domain.log.envelope import Event
from workbench.domain.loop.agents import ROLES
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext
from workbench.domain.session.items import Item, items, visible_to
from workbench.domain.session.session import SessionState, apply, said_after
from workbench.domain.session.state import CONDENSE
from workbench.domain.text.cleaning import clean, clean_name
from workbench.tui.lines import Row, cut, filled, hung, joined, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, Marks
from workbench.tui.session.records.looking_back import ReadEvents
from workbench.tui.told import EMPTY, counted, title_row

if TYPE_CHECKING:
    from workbench.bootstrap import Workspace
    from workbench.domain.plan.figures import Figures
    from workbench.replay.audit import Audit


YOU, ARTEFACTS, SUMMARIES, OTHERS, NOBODY = "you", "artefacts", "summaries", "other sessions", "nobody known"
QUOTED_TO = frozenset({"planner"})
"""Roles whose prompts may quote other sessions; so may those of the agents that are talked to."""
Kind = Literal["never", "sees", "inputs", "quoted"]
"""inputs: among the inputs of its tasks; quoted: under a label, as data."""

_LABEL, _COLUMN = 16, 10  # cells of a row's name, and of a column


@dataclass(frozen=True, slots=True)
class Cell:
    """What one agent sees of what somebody said."""

    kind: Kind = "never"
    seen: int = 0
    sent: int | None = None
    """Of these, in its last prompt; None if it was not asked yet."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """Who sees what."""

    agents: tuple[str, ...]
    """Those who see, by name."""
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    """(Who said it, what of it each of them sees)."""


def matrix_of(events: Iterable[Event]) -> Matrix:
    """Return who sees what as of the last event. It reads the whole session: for a thread."""
    state: SessionState | None = None
    last: dict[str, SentContext] = {}
    found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for event in events:
        body = said_after(state, event)
        state = apply(state, event)
        if isinstance(body, say.CallStarted) and body.context is not None and body.task != CONDENSE:
            last[body.role] = body.context
        elif isinstance(body, say.OthersSearched):
            found[event.agent or ""] |= {(one.session, one.id) for one in body.found}
    return Matrix((), ()) if state is None else _matrix(state, last, found)


def _matrix(state: SessionState, last: Mapping[str, SentContext], found: Mapping[str, set[tuple[str, str]]]) -> Matrix:
    """Return who sees what: ``last`` is what each agent was sent last, ``found`` what was found elsewhere for it."""
    excluded = state.marked(state.session, "excluded")
    said = [item for item in items(state) if item.id not in excluded]
    sent = {
        agent: Counter(_speaker(state, one) for one in (*context.conversation, *context.relevant))
        for agent, context in last.items()
    }
    replied = (item.agent or NOBODY for item in said if item.role == "assistant")
    speakers = dict.fromkeys((*(agent.id for agent in state.agents), *replied))

    def cell(row: str, agent: str) -> Cell:
        in_prompt = sent[agent][row] if agent in sent else None
        if row == OTHERS:
            may = agent in QUOTED_TO or state.agent(agent) is not None
            given = len(found.get(agent, ())) + len(state.lessons_in_force)
            return Cell("quoted", given, in_prompt) if may else Cell(sent=in_prompt)
        if row == SUMMARIES:
            return _seen(int(state.summary_for(agent) is not None), in_prompt)
        count = sum(_said_by(item) == row and visible_to(item, agent) for item in said)
        return Cell("inputs", count, in_prompt) if row == ARTEFACTS else _seen(count, in_prompt, is_own=row == agent)

    names = {role: role for role in ROLES} | {agent.id: clean_name(agent.name) for agent in state.agents}
    rows = [YOU, ARTEFACTS, *speakers, *([SUMMARIES] if state.condensed else []), OTHERS]
    cells = ((names.get(row, row), tuple(cell(row, agent) for agent in names)) for row in rows)
    return Matrix(tuple(names.values()), tuple(cells))


def _speaker(state: SessionState, one: Considered) -> str:
    if one.session and one.session != state.session:
        return OTHERS
    return {"user": YOU, "artefact": ARTEFACTS, "summary": SUMMARIES}.get(one.role, one.agent or NOBODY)


def _said_by(item: Item) -> str:
    return {"user": YOU, "artefact": ARTEFACTS}.get(item.role, item.agent or NOBODY)


def _seen(count: int, in_prompt: int | None, *, is_own: bool = False) -> Cell:
    return Cell("sees" if count or in_prompt or is_own else "never", count, in_prompt)


# --- as lines ---------------------------------------------------------------------------------------------------------


def matrix_rows(matrix: Matrix, width: int, marks: Marks) -> list[Row]:
    """Return the table, in parts below one another where all columns have no room, and what its signs mean."""
    rows: list[Row] = []
    columns = max((width - _LABEL) // _COLUMN, 1)
    for first in range(0, len(matrix.agents), columns):
        shown = slice(first, first + columns)
        agents = (cut(text(name, "bold"), _COLUMN - 1) for name in matrix.agents[shown])
        names = joined(*(filled(name, _COLUMN, is_right=True) for name in agents))
        rows += [EMPTY] if rows else []
        rows.append(Row((joined(text(f"{'said by':<{_LABEL}}", DIM), names),)))
        for name, cells in matrix.rows:
            label = joined(filled(text(clean_name(name)), _LABEL - 1), " ")
            seen = (filled(_cell_line(cell, marks), _COLUMN, is_right=True) for cell in cells[shown])
            rows.append(Row((joined(label, *seen),)))
    told = (
        f"{marks.done} 12/3: 12 in its view, 3 of them in its last prompt; in: among the inputs of its tasks",
        f"{marks.retrieved_bar} quoted under a label, as data · – never seen · the roles' replies become artefacts",
    )
    rows.append(Row((Content(), *(text(line, DIM) for said in told for line in wrapped(said, width)))))
    return rows


def _cell_line(cell: Cell, marks: Marks) -> Content:
    if cell.kind == "never":
        return text("–", DIM)
    count = text(f" {cell.seen}/{'in' if cell.kind == 'inputs' else '–' if cell.sent is None else cell.sent}")
    mark = text(marks.retrieved_bar, "$accent") if cell.kind == "quoted" else text(marks.done, DONE)
    return joined(mark, count)


def audited(workspace: Workspace | None, session: str, events: ReadEvents) -> Audit:
    """Return what an audit comes to; of a session that is in no workspace, by its own records alone. For a thread."""
    if workspace is None:
        from workbench.replay.audit import audit

        return audit(events())
    return workspace.session(session).audit()


@dataclass(frozen=True, slots=True)
class Isolation:
    """Who sees what, as far as it is known."""

    calls: int = -1
    """Calls of the session when it was counted; -1 before."""
    matrix: Matrix = Matrix((), ())
    progress: str = "Reading the session …"
    trouble: str = ""
    """Why it cannot be said."""
    audited: Audit | None = None


NOT_COUNTED = Isolation()


def people_rows(seen: Isolation, told: Figures | None, width: int, marks: Marks) -> list[Row]:
    """Return the people of the plan, who sees what, and what the audit came to."""
    from workbench.export.figures import tables  # with what calculates: not for the first paint
    from workbench.tui.session.plan.plan_tables import table_rows

    people = [
        row
        for table in (tables(told) if told is not None else ())
        if table.title == "People"
        for row in (title_row("PEOPLE"), *table_rows(table, width), EMPTY)
    ]
    matrix = [title_row("AGENTS", "who sees what"), *matrix_rows(seen.matrix, width, marks)]
    told_rows = audit_rows(seen.audited, seen.progress, seen.trouble, width, marks)
    return [*people, *(matrix if seen.matrix.rows else []), *told_rows]


def audit_rows(result: Audit | None, progress: str, trouble: str, width: int, marks: Marks) -> list[Row]:
    """Return what the audit came to, or how far it is."""
    title = Row((Content(), text("AUDIT", DIM)))
    if trouble:
        return [title, _marked_row(marks.failed, FAILED, trouble, width)]
    if progress:
        return [title, Row((text(progress, DIM),))]
    if result is None:
        return []
    calls = counted(result.calls, "call")
    if result.ok:
        return [title, _marked_row(marks.done, DONE, f"The prompts of {calls} held only what they may.", width)]
    broken = f"{counted(len(result.violations), 'violation')} of a rule, in the prompts of {calls}."
    listed = (_marked_row(" ", "", f"{one.rule} · {one.event} · {one.detail}", width) for one in result.violations)
    return [title, _marked_row(marks.failed, FAILED, broken, width), *listed]


def _marked_row(mark: str, style: str, words: str, width: int) -> Row:
    return Row(hung(text(f"{mark} ", style), clean(words), width))
