"""From a session's state to rows of lines: pure functions, one for each side pane and the line on top.

What is in the middle is made in ``session/main_rows.py``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from textual.content import Content

from workbench.domain.plan.changing.change import percent
from workbench.domain.plan.plan import Plan, Question
from workbench.domain.session.context import nearness
from workbench.domain.session.events import Quoted
from workbench.domain.session.items import heard_by
from workbench.domain.session.state import HistoryItem, SessionState, tokens_tree
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.models.tokens import estimate_tokens
from workbench.tui.lines import Row, barred, cut, joined, spread, text
from workbench.tui.marks import DIM, ELSEWHERE, FAILED, FOCUS, Marks
from workbench.tui.session.telling import gist
from workbench.tui.told import age, counted, local_time, money, session_title, thousands, words_row


def top_line(state: SessionState, window: int | None, width: int, marks: Marks, *, badge: str = "") -> Content:
    """Return name, course and meter in one line. The meter shows the tokens of the last call's prompt and reply.

    Where there is no room for all of it, what matters least goes first: the bar, the size of the window, findings and
    change, the context; the round stays, or where an agreed plan stands. Beside a badge, the timeline tells the round.
    """
    badged = text(f"{badge}  ", f"bold {FOCUS}") if badge else ""
    called, goal = session_title(state.name, state.goal, state.session), clean_name(state.goal, 200)
    name = joined("  ", badged, text(called, "bold"))
    courses = ("", "") if badge and width < WITH_COURSE else (_course(state), _standing(state) or _round(state))
    most = 3 if width >= WITH_COURSE else 2
    ways = [
        *((courses[0], parts) for parts in range(most, -1 if state.saved_version else 0, -1)),
        *((courses[1], parts) for parts in range(most, -1, -1)),
    ]
    rights = [_right(course, _meter(state, window, marks, parts=parts)) for course, parts in ways]
    needed = min(name.cell_length, _ENOUGH_OF_A_NAME) + _GAP
    right = next((one for one in rights if needed + one.cell_length <= width), rights[-1])
    room = max(width - right.cell_length - _GAP, 1)
    if room - name.cell_length >= _LEAST_GOAL and not goal.startswith(called.rstrip("…")):
        name = joined(name, f"  {goal}")
    return spread(cut(name, room), right, width)


_GAP = 3  # cells between what a session is called and where it stands
_ENOUGH_OF_A_NAME = 40  # cells of what a session is called that go before what else there is to tell
_LEAST_GOAL = 20  # cells in which a goal can still be recognised
WITH_COURSE = 100
"""Columns from which the line on top has room for the course."""


def _standing(state: SessionState) -> str:
    """Return where an agreed plan stands, and its version; "" before it is agreed."""
    if state.saved_version is None:
        return ""
    from workbench.domain.session.standing import standing_of  # with the first plan: the frame is painted before

    return f"{standing_of(state)} · plan v{state.version}"


def _course(state: SessionState) -> str:
    if standing := _standing(state):
        return f"{standing} · rated {state.rating.stars} of 5" if state.rating is not None else standing
    parts = [one for one in [_round(state)] if one]
    if state.iterations:
        parts.append(f"changed {percent(state.iterations[-1].change)}")
    if state.open_findings:
        parts.append(f"{counted(len(state.open_findings), 'finding')} open")
    return " · ".join(parts)


def _round(state: SessionState) -> str:
    number = state.current.number if state.current else len(state.iterations)
    return f"round {number} of {max(state.limit, number)}" if number else ""


def _right(course: str, meter: Content) -> Content:
    return joined(text(course, DIM), "   ", meter, "  ") if course else joined(meter, "  ")


def _meter(state: SessionState, window: int | None, marks: Marks, *, parts: int) -> Content:
    """Return cost and context; of cost, what is used, the window and the bar, as many parts behind the cost."""
    spent = state.spent
    cost = money(spent.cost)
    cost += f" · {thousands(spent.cached_tokens)} cached" if spent.cached_tokens else ""
    if not parts:
        return text(cost)
    used = text(f"context {thousands(spent.last_call_tokens)} ", DIM)
    if not window or parts == 1:  # no model is known yet that it could be measured by
        return joined(used, f" {cost}")
    of = text(f"of {thousands(window)} ", DIM)
    if parts == 2:
        return joined(used, of, f" {cost}")
    full = max(round(min(spent.last_call_tokens / window, 1.0) * 10), 1) if spent.last_call_tokens else 0
    bar = joined(text(marks.meter_full * full, FOCUS), text(marks.meter_empty * (10 - full), DIM))
    return joined(used, of, bar, f" {cost}")


def spending(state: SessionState) -> Content | None:
    """Return who spent how many tokens, workers under their agents; None before anything was spent."""
    lines = [text(f"{tokens:>9,}  {clean(who)}") for who, tokens in tokens_tree(state)]
    return Content("\n").join(lines) if lines else None


def history_rows(
    state: SessionState, width: int, marks: Marks, seen_by: str = "", *, folded: bool = False
) -> list[Row]:
    """Return this session's messages, with a bar that says whose they are and where they come from.

    ``seen_by`` is the agent whose view it is: then it is what people said, and what this agent replied. ``folded``:
    if there are many, the older ones are one row.
    """
    agent = state.agent(seen_by) if seen_by else None
    seen = state.history if agent is None else heard_by(state, agent.id)
    name = "THIS SESSION" if agent is None else f"AS {clean_name(agent.name, _MOST_OF_A_NAME).upper()} SEES IT"
    tokens = sum(estimate_tokens(item.text) for item in seen)
    more = text(f"{len(seen):,} {'entry' if len(seen) == 1 else 'entries'} · {thousands(tokens)} t", DIM)
    title = Row((spread(text(name, DIM), more, width),), is_fixed=True)
    given, asked = marks_given(state), questions_answered(state)
    older = seen[:-UNFOLDED] if folded and len(seen) > UNFOLDED + UNFOLDED // 2 else ()
    skipped = questions_skipped(state) if agent is None else {}
    rows = [title, *([_older_row(older, width, marks)] if older else [])]
    for item in seen[len(older) :]:
        rows.append(_message_row(item, width, marks, given.get(item.id, ""), asked.get(item.id, "")))
        rows += [_skipped_row(question, state.plan, width, marks) for question in skipped.get(item.id, ())]
    return rows


def _older_row(older: Sequence[HistoryItem], width: int, marks: Marks) -> Row:
    """Return the older entries as one row; opened, each has its own."""
    bar = marks.bar()
    span = f"{local_time(older[0].time)}–{local_time(older[-1].time)}"
    tokens = f"{thousands(sum(estimate_tokens(item.text) for item in older))} t"
    words = joined(bar, text(f"≈ {span}, {len(older):,} older entries", DIM))
    return Row((spread(words, text(tokens, DIM), width),), key=OLDER)


def questions_answered(state: SessionState) -> dict[str, str]:
    """Return the question that each answer of the person is to, by the answer's message."""
    given = [answer for answer in state.answers if answer.answer]
    answered: dict[str, str] = {}
    for item in state.history if given else ():
        if given and item.role == "user" and item.text == given[0].answer:
            answered[item.id] = given.pop(0).question
    return answered


def questions_skipped(state: SessionState) -> dict[str, list[str]]:
    """Return the questions that the person skipped, by the message after which each was asked."""
    answered = {question: message for message, question in questions_answered(state).items()}
    after = state.history[0].id if state.history else ""
    skipped: dict[str, list[str]] = {}
    for answer in state.answers:
        if answer.answer:
            after = answered.get(answer.question, after)
        else:
            skipped.setdefault(after, []).append(answer.question)
    return skipped


def _skipped_row(question: str, plan: Plan | None, width: int, marks: Marks) -> Row:
    """Return a question without an answer: which question of the plan it is now, and what holds until then."""
    bar = marks.bar()
    items = plan.items if plan is not None else ()
    open_now = next((item for item in items if isinstance(item, Question) and item.text == question), None)
    told = f"↳ not answered: {open_now.id}" if open_now is not None else "↳ not answered"
    if open_now is not None and open_now.assumption:
        told += f", until then: {clean_name(open_now.assumption, 60)}"
    asked = barred(bar, clean(question), width)[:_BODY_LINES]
    return Row((joined(bar, text("question", "bold")), *asked, *barred(bar, told, width, DIM)))


def marks_given(state: SessionState) -> dict[str, str]:
    """Return which of its own messages a session's person excluded or pinned, by their events."""
    prefix = f"{state.session} message:"
    return {name.removeprefix(prefix): mark for name, mark, _ in state.marks if name.startswith(prefix)}


def facts_of(item: HistoryItem, mark: str) -> str:
    """Return when a message was said, and what a person decided about it."""
    return " · ".join(fact for fact in (local_time(item.time), mark) if fact)


@lru_cache(maxsize=20_000)
def _message_row(item: HistoryItem, width: int, marks: Marks, mark: str = "", question: str = "") -> Row:
    bar = marks.bar()
    style = DIM if mark == "excluded" else ""
    head = joined(bar, text(who_said(item), style or "bold"), text(f" {facts_of(item, mark)}", DIM))
    lines = [spread(head, text(f"{estimate_tokens(item.text)} t", DIM), width)]
    lines += barred(bar, clean(question), width, DIM)[:_BODY_LINES] if question else []
    told = without_markup(gist(item.text)) if item.agent is not None else clean(item.text)
    told = f"↳ {clean(item.text)}" if question else told
    return Row((*lines, *barred(bar, told, width, style, most=_BODY_LINES)), key=f"message:{item.id}")


def who_said(item: HistoryItem) -> str:
    """Return whose message it is, for people."""
    return clean_name(item.agent or ("you" if item.role == "user" else "a reply"))


_MOST_OF_A_NAME = 14  # characters of an agent's name in the name of a list
OLDER = "older:"
"""Key of the row of older messages."""
UNFOLDED = 40
"""Messages that have a row of their own where the older ones are folded."""
_BODY_LINES = 3  # lines of a message in the history; the transcript has the whole


_MARKUP = lazy_pattern(r"<!--.{0,500}?-->|^#{1,6} |^[^\S\n]*[-*] ", re.MULTILINE | re.DOTALL)
_LINES = 2  # lines of an item's text; its origin has the whole


def recalled_rows(
    state: SessionState, width: int, marks: Marks, names: Mapping[str, str] | None = None, *, as_it_was: bool = False
) -> list[Row]:
    """Return what the next prompt holds of other sessions, and what was kept out; nothing if nothing was found.

    ``names`` are what sessions are called, by their ids.
    ``as_it_was``: in a replay, if nothing is switched.
    """
    rows = [*_missing(state, width, as_it_was=as_it_was), *_items(state, names, width, marks)]
    return [_title(state, width), *rows] if rows else []


def _title(state: SessionState, width: int) -> Row:
    """Return for which call it was retrieved, how much of it is in the prompt and out of it, and what that costs."""
    excluded = sum(mark == "excluded" for _, mark, _ in state.marks)
    tokens = sum(estimate_tokens(one.text) for one in state.recalled)
    out = f", {excluded} out" if excluded else ""
    left, from_where = text("RETRIEVED", f"bold {ELSEWHERE}"), text(" from other sessions", DIM)
    right = text(f"{len(state.recalled)} in{out} · {tokens} t", DIM)
    if left.cell_length + from_where.cell_length + right.cell_length < width:
        left = joined(left, from_where)
    return Row((spread(left, right, width),), is_fixed=True)


def _missing(state: SessionState, width: int, *, as_it_was: bool) -> Iterator[Row]:
    """Say what a person would otherwise take for an empty result."""
    if not state.recall and state.searches:
        off = "Recall is off: other sessions are not searched."
        yield words_row(off if as_it_was else f"{off} ^T switches it on.", width)
    elif state.searches and state.searches[-1].unavailable:
        yield words_row(state.searches[-1].unavailable, width, FAILED)


def _items(state: SessionState, names: Mapping[str, str] | None, width: int, marks: Marks) -> Iterator[Row]:
    marked = {name: mark for name, mark, _ in state.marks}
    shown = {name_of(one): one for one in (*state.recalled, *state.retrieved)}
    if any(mark == "excluded" and name not in shown for name, mark in marked.items()):  # so that it can be taken back
        found = (one for search in reversed(state.searches) for one in search.found)
        shown |= {name: one for one in found if marked.get(name := name_of(one)) == "excluded" and name not in shown}
    for name, one in shown.items():
        called = (names or {}).get(one.session) or one.session
        yield _row(one, called, marked.get(name, ""), width, marks=marks, age=age(one.time, state.updated))


def name_of(one: Quoted) -> str:
    """Return what tells an item from every other one of any session."""
    return f"{one.session} {one.id}"


def _row(one: Quoted, called: str, mark: str, width: int, *, marks: Marks, age: str) -> Row:
    bar = marks.bar(is_own=False)
    is_out = mark == "excluded"
    style = f"{DIM} strike" if is_out else ""
    room = max(width - 2, 8)
    facts = joined(text(f" {age}", DIM), text(f" {mark}" if mark else "", "bold"))
    name = cut(text(clean_name(called), DIM if is_out else f"bold {ELSEWHERE}"), max(room - facts.cell_length - 7, 8))
    source = joined(bar, name, facts)
    near = text(nearness(one.relevance), DIM) if one.relevance else Content()
    lines = (
        spread(source, text(f"{0 if is_out else estimate_tokens(one.text)} t", DIM), width),
        spread(joined(bar, text(clean_name(one.why, 200), DIM)), near, width),
        *barred(bar, f"“{without_markup(clean(one.text[: width * 50]))}”", width, style, most=_LINES),
    )
    return Row(lines, key=f"quoted:{name_of(one)}")


def without_markup(written: str) -> str:
    """Return Markdown as a line of words: what only a reader of files needs is left out."""
    return " ".join(_MARKUP.sub("", written).split())
