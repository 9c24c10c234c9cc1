"""From a session's state to rows of lines: pure functions, one for each pane.

Numbers that people compare stand at the right; a mark and a colour say the same thing, so that either is enough. The
marks have an ASCII form for terminals that draw the others wrongly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
from textual.content import Content

from workbench.domain.change import percent
from workbench.domain.gates import Gate
from workbench.domain.session import HistoryItem, SessionState
from workbench.domain.tasks import Approach
from workbench.domain.text import clean, clean_name
from workbench.models.tokens import estimate_tokens
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, cut, joined, spread, text, wrapped


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs that stand beside a colour."""

    asks: str = "▲"
    runs: str = "▸"
    done: str = "✔"
    failed: str = "✕"
    here: str = "▸"
    session_bar: str = "┃"
    retrieved_bar: str = "┊"
    meter_full: str = "━"
    meter_empty: str = "─"


ASCII_MARKS = Marks("!", ">", "+", "x", ">", "|", ":", "=", "-")

DIM, ASKS, DONE, FAILED, FOCUS = "$text-muted", "$warning", "$success", "$error", "$primary"

STATUS_WORDS = {
    "running": "working",
    "waiting": "asks you",
    "finished": "saved",
    "stopped": "stopped",
    "failed": "failed",
    "unreadable": "unreadable",
}


@dataclass(frozen=True, slots=True)
class Running:
    """What is under way at this moment."""

    role: str
    task: str
    seconds: float
    received: int
    """Characters of the reply so far."""


def top_line(state: SessionState, window: int, width: int, marks: Marks) -> Content:
    """Return name, course and meter in one line. The meter shows the tokens of the last call's prompt and reply."""
    name = joined(text(f" {state.session} ", "bold"), text(state.name, DIM))
    course = text(_course(state), DIM)
    meter = _meter(state, window, marks)
    right = joined(course, "   ", meter, " ") if width >= 100 else joined(meter, " ")
    return spread(name, right, width)


def _course(state: SessionState) -> str:
    current = state.current
    parts = []
    if current is not None or state.iterations:
        number = current.number if current else len(state.iterations)
        parts.append(f"round {number} of {max(state.limit, number)}")
    if state.iterations:
        parts.append(f"changed {percent(state.iterations[-1].change)}")
    if state.findings:
        parts.append(f"{len(state.findings)} finding{'s' if len(state.findings) > 1 else ''} open")
    return " · ".join(parts)


def _meter(state: SessionState, window: int, marks: Marks) -> Content:
    spent = state.spent
    share = min(spent.last_call_tokens / window, 1.0) if window else 0.0
    full = round(share * 10)
    bar = joined(text(marks.meter_full * full, FOCUS), text(marks.meter_empty * (10 - full), DIM))
    cost = "n/a" if spent.cost is None else f"${spent.cost:.2f}"
    return joined(text(f"context {_thousands(spent.last_call_tokens)} of {_thousands(window)} ", DIM), bar, f" {cost}")


def _thousands(number: int) -> str:
    return (
        f"{number / 1000:.1f}k" if 1000 <= number < 100_000 else f"{number // 1000}k" if number >= 1000 else str(number)
    )


def fleet_rows(sessions: Sequence[Any], current: str, width: int, marks: Marks) -> list[Row]:
    """Return a line for each session: what it is called and what it does; those that ask come in amber."""
    rows = [Row((text("SESSIONS", DIM),))]
    for one in sessions:
        mark, style = {
            "waiting": (marks.asks, ASKS),
            "failed": (marks.failed, FAILED),
            "unreadable": (marks.failed, FAILED),
        }.get(one.status, (" ", ""))
        is_here = one.session == current
        mark = marks.here if is_here and mark == " " else mark
        word = text(STATUS_WORDS.get(one.status, one.status), style or DIM)
        left = joined(text(f"{mark} ", style), text(clean_name(one.name or one.session), "bold" if is_here else ""))
        rows.append(Row((spread(left, word, width),), key=one.session))
    return rows


def round_rows(state: SessionState, running: Running | None, width: int, marks: Marks) -> list[Row]:
    """Return a line for each finished round, and the roles of the one that is under way."""
    rows = [Row((text("ROUNDS", DIM),))]
    if state.approach is not None or state.proposal:
        title = state.approach.title if state.approach else "your proposal"
        rows.append(Row((spread(_marked(marks.done, DONE, "approach"), text(clean_name(title), DIM), width),)))
    for result in state.iterations:
        told = f"{percent(result.change):>5}  {len(result.key_insights)} insights"
        left = _marked(marks.done, DONE, f"{result.iteration_num}")
        rows.append(Row((cut(joined(left, text(f"  {told}", DIM)), width),), key=f"iteration:{result.iteration_num}"))
    if running is not None:
        number = f"{state.current.number} " if state.current else ""
        doing = text(f"{running.role} {running.seconds:.0f} s", DIM)
        rows.append(Row((spread(_marked(marks.runs, FOCUS, f"{number}{_DOING.get(running.task, '')}"), doing, width),)))
    if len(rows) == 1:
        rows.append(Row((text("Rounds appear as they are done.", DIM),)))
    return rows


_DOING = {
    "propose": "looking",
    "plan": "planning",
    "verify": "verifying",
    "execute": "preparing",
    "generate": "writing",
}


def _marked(mark: str, style: str, words: str) -> Content:
    return joined(text(f"{mark} ", style), words)


def memory_rows(state: SessionState, width: int) -> list[Row]:
    """Return what the session remembers: entities with their time, and the newest insights."""
    rows = [Row((text("MEMORY", DIM),))]
    prefix = f"planning_session_{state.session}_"
    newest = {entity.name: entity for entity in state.entities}
    for name, entity in newest.items():
        label = clean_name(name.removeprefix(prefix))
        rows.append(Row((spread(text(label), text(entity.time[11:16], DIM), width),), key=f"entity:{entity.id}"))
    insights = state.iterations[-1].key_insights if state.iterations else ()
    if insights:
        rows += [Row((Content(),)), Row((text("insights", DIM),))]
        rows += [Row(tuple(text(line) for line in wrapped(clean(insight), width))) for insight in insights]
    if len(rows) == 1:
        rows += [Row((text(line, DIM),)) for line in wrapped("What rounds find out is kept here.", width)]
    return rows


def history_rows(state: SessionState, width: int, marks: Marks) -> list[Row]:
    """Return this session's messages, with a bar that says whose they are and where they come from."""
    rows = [Row((text("THIS SESSION", DIM),))]
    rows += [_message_row(item, width, marks) for item in state.history]
    return rows


@lru_cache(maxsize=20_000)
def _message_row(item: HistoryItem, width: int, marks: Marks) -> Row:
    who = item.agent or "you"
    bar = text(f"{marks.session_bar} ", FOCUS)
    told = clean(item.text) if item.agent is None else gist(item.text)
    head = joined(bar, text(clean_name(who), "bold"), text(f" {item.time[11:16]}", DIM))
    lines = [spread(head, text(f"{estimate_tokens(item.text)} t", DIM), width)]
    body = wrapped(told, max(width - 2, 8))
    lines += [joined(bar, line) for line in body[:4]]
    if len(body) > 4:
        lines[-1] = joined(bar, cut(text(body[3] + " …"), width - 2))
    return Row(tuple(lines), key=f"message:{item.id}")


def gist(reply: str) -> str:
    """Return what a reply says, in a sentence; the reply itself where it is no JSON object of ours."""
    try:
        said = msgspec.json.decode(reply.encode())
    except (msgspec.DecodeError, UnicodeEncodeError):
        return clean(reply)
    if not isinstance(said, dict):
        return clean(reply)
    return clean(next(_gists(said), reply))


def _gists(said: dict[str, Any]) -> Iterator[str]:
    def listed(name: str) -> list[Any]:
        value = said.get(name)
        return value if isinstance(value, list) else []

    if approaches := listed("approaches"):
        titles = [str(one.get("title", "")) for one in approaches if isinstance(one, dict)]
        yield "Approaches: " + "; ".join(titles)
    if "amendments" in said:
        sections = [str(one["section"].get("title", "")) for one in listed("amendments") if _has_section(one)]
        yield "Amended " + ", ".join(sections) if sections else "Changed nothing."
    if "findings" in said:
        found = [str(one.get("text", "")) for one in listed("findings") if isinstance(one, dict)]
        yield " ".join(found) if found else "Found nothing wrong."
    if actions := listed("actions"):
        yield f"{len(actions)} actions."
    if isinstance(said.get("deliverable"), str):
        yield said["deliverable"].strip().split("\n")[0].lstrip("# ")


def _has_section(amendment: object) -> bool:
    return isinstance(amendment, dict) and isinstance(amendment.get("section"), dict)


def approach_rows(approaches: Sequence[Approach], width: int) -> list[Row]:
    """Return the approaches as cards: number, title, how it works, what speaks for and against it."""
    width = min(width, MAX_PROSE_WIDTH)
    rows: list[Row] = []
    for number, approach in enumerate(approaches, start=1):
        lines = [joined(text(f" {number} ", f"bold {FOCUS}"), text(clean_name(approach.title), "bold"))]
        lines += [text(f"   {line}") for line in wrapped(clean(approach.summary), width - 3)]
        for mark, style, points in (("+", DONE, approach.advantages), ("−", FAILED, approach.drawbacks)):
            for point in points:
                first, *more = wrapped(clean(point), width - 5)
                lines.append(joined(text(f"   {mark} ", style), first))
                lines += [text(f"     {line}") for line in more]
        if approach.fits:
            lines += [text(f"   {line}", DIM) for line in wrapped(clean(approach.fits), width - 3)]
        rows += [Row((*lines, Content()), key=f"approach:{approach.id}")]
    return rows


GATE_KEYS = {
    "feedback": "f",
    "reject": "r",
    "answer": "a",
    "skip": "s",
    "continue": "c",
    "edit": "e",
    "finish": "F",
    "stop": "q",
}
"""The letter of each answer; approaches are chosen by their number."""


def gate_lines(gate: Gate, width: int, *, has_notes: bool) -> list[Content]:
    """Return the question and its answers, each with its letter and its consequence."""
    lines = [text(line) for line in wrapped(clean(gate.question), width)]
    for choice in gate.choices:
        key = f"1–{len(gate.options)}" if choice.kind == "choose" else GATE_KEYS[choice.kind]
        line = joined(
            text(f"{key:>4} ", "bold"), clean_name(choice.label), text(f"  {clean_name(choice.consequence)}", DIM)
        )
        lines.append(cut(line, width))
    if has_notes:
        lines.append(
            joined(text("   n ", "bold"), "note on a section", text("  collected, and sent as one batch", DIM))
        )
    return lines


def difference_lines(unified: str, width: int) -> list[Row]:
    """Return a unified difference, a row a line."""
    styles = {"+": DONE, "-": FAILED, "@": DIM}
    rows = []
    for line in clean(unified).splitlines():
        style = styles.get(line[:1], "")
        rows.append(Row(tuple(text(part, style) for part in wrapped(line, width))))
    return rows or [Row((text("There is no earlier version to compare with.", DIM),))]
