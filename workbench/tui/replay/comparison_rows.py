"""A comparison of two points as rows: its head, and a page for each view.

    Comparison ─▶ head_lines      − launch v1 · event 41 …       what the signs below stand for
               └▶ comparison_rows plan · insights · context · numbers

What differs has a key that begins with ``change:``, so that a person can go from one to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from textual.content import Content

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.change import percent
from workbench.domain.text.cleaning import clean, clean_name
from workbench.export.figures import change_line, quick_figures_of
from workbench.replay.comparing import Comparison, Exchange, Number, Point, SentItem
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, cut, hung, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, Marks
from workbench.tui.replay.difference_rows import CAME, CHANGE, WENT, plan_difference_rows
from workbench.tui.session.context_rows import OLDER, SOURCES, WHY_NOT, who
from workbench.tui.told import EMPTY, counted, local_day, thousands, words_row
from workbench.tui.views import WITH_COURSE

VIEWS = ("plan", "insights", "context", "numbers")
"""What of a comparison can be shown."""
READING = "Reading …"
_NUMBER = 12
"""Cells of a number in a column."""
_EXCERPT = 400
"""Characters of a text of which the first line is shown."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a comparison is looked at."""

    view: str
    width: int
    marks: Marks
    side_by_side: bool = False
    """Whether two plans stand beside each other."""
    unfolded: frozenset[str] = frozenset()
    """Keys of items whose whole text is shown."""

    @property
    def prose(self) -> int:
        """Cells of a line of prose."""
        return min(self.width, MAX_PROSE_WIDTH)


def head_lines(comparison: Comparison, width: int) -> Content:
    """Return both points, each behind the sign that stands for it."""
    first = _point(WENT, FAILED, comparison.a, width)
    return Content("\n").join([first, _point(CAME, DONE, comparison.b, width)])


def _point(sign: str, style: str, point: Point, width: int) -> Content:
    state = point.state
    facts = [
        f"event {state.seq:,}",
        local_day(state.updated),
        f"plan v{state.version}" if state.version else "no plan",
        *([f"{thousands(state.spent.tokens)} tokens"] if width >= WITH_COURSE else []),
    ]
    named = joined(text(f"  {sign}", style), text(point.label, "bold"))
    return spread(named, text(f"{' · '.join(facts)}  ", DIM), width)


def title_of(comparison: Comparison, view: str) -> str:
    """Return what stands above a view: its name, and how much differs there."""
    match view:
        case "plan":
            return f"Plan · changed {percent(comparison.plan.ratio)}" if comparison.plan.differs else "Plan"
        case "insights":
            return f"Insights{_count(comparison.insights)}"
        case "context":
            return f"Context{_count(comparison.context)}"
        case _:
            return view.capitalize()


def _count(exchange: Exchange[str] | Exchange[SentItem]) -> str:
    return f" · +{len(exchange.came):,} −{len(exchange.went):,}" if exchange.differs else ""


def comparison_rows(comparison: Comparison, look: Look) -> list[Row]:
    """Return a view of a comparison."""
    if not comparison.differs:
        return [words_row("Nothing differs.", look.prose), words_row(comparison.relation, look.prose)]
    match look.view:
        case "insights":
            return list(_insight_rows(comparison, look))
        case "context":
            return list(_context_rows(comparison, look))
        case "numbers":
            return [_columns(look), *(_number_row(one, look) for one in comparison.numbers)]
        case _:
            return _plan_rows(comparison, look)


def _plan_rows(comparison: Comparison, look: Look) -> list[Row]:
    if comparison.a.state.plan is None and comparison.b.state.plan is None:
        return [words_row("No plan is drafted at either point.", look.prose)]
    if not comparison.plan.differs:
        return [words_row("Both plans say the same.", look.prose)]
    moved = change_line(*(quick_figures_of(one.state, one.state.plan) for one in (comparison.a, comparison.b)))
    rows = [words_row(moved, look.prose, "bold"), EMPTY] if moved else []
    if look.side_by_side:
        return [*rows, *plan_difference_rows(comparison.plan, look.width, look.marks.divider)]
    return [*rows, *plan_difference_rows(comparison.plan, look.prose)]


# --- insights and findings --------------------------------------------------------------------------------------------


def _insight_rows(comparison: Comparison, look: Look) -> Iterator[Row]:
    yield from _exchanged("INSIGHTS", comparison.insights, "insight", look)
    yield EMPTY
    findings = comparison.findings
    told = Exchange(*(tuple(map(_finding, side)) for side in (findings.came, findings.went, findings.stayed)))
    yield from _exchanged("OPEN FINDINGS", told, "finding", look)


def _finding(finding: Finding) -> str:
    return f"{finding.severity}: {finding.text}" + (f" ({finding.section})" if finding.section else "")


def _exchanged(title: str, exchange: Exchange[str], name: str, look: Look) -> Iterator[Row]:
    yield Row((text(title, DIM),))
    for sign, style, side in ((WENT, FAILED, exchange.went), (CAME, DONE, exchange.came)):
        for number, words in enumerate(side):
            lines = hung(text(sign, style), clean(words), look.prose, style)
            yield Row(lines, f"{CHANGE}{name}:{sign}{number}")
    yield words_row(_stayed(len(exchange.stayed), name, differs=exchange.differs), look.prose)


def _stayed(count: int, name: str, *, differs: bool) -> str:
    if not count:
        return "" if differs else f"There are no {name}s at either point."
    return f"{'' if differs else 'None came or went: '}{counted(count, name)} stayed."


# --- context ----------------------------------------------------------------------------------------------------------


def _context_rows(comparison: Comparison, look: Look) -> Iterator[Row]:
    sides = [side.context for side in (comparison.a, comparison.b)]
    if not any(sides):
        yield words_row("No model was asked yet at either point.", look.prose)
        return
    called = (f"{clean_name(one.heading.call)} · {clean_name(one.heading.role)}" if one else "no call" for one in sides)
    yield words_row(f"The last call at each point: {' → '.join(called)}", look.prose)
    if any(one is not None and not one.is_recorded for one in sides):
        yield words_row(OLDER, look.prose)
    yield from (EMPTY, _columns(look), *(Row(_number_row(one, look).lines) for one in comparison.by_source))
    yield from _sent("NOT SENT ANY MORE", WENT, FAILED, comparison.context.went, look)
    yield from _sent("SENT NOW", CAME, DONE, comparison.context.came, look)
    stayed = comparison.context.stayed
    tokens = sum(one.item.tokens for one in stayed)
    yield from (
        EMPTY,
        words_row(f"{len(stayed):,} stayed, with {tokens:,} tokens." if stayed else "Nothing stayed.", look.prose),
    )


def _sent(title: str, sign: str, style: str, items: Iterable[SentItem], look: Look) -> Iterator[Row]:
    for number, one in enumerate(items):
        if not number:
            yield from (EMPTY, Row((text(title, DIM),)))
        yield _item(one, sign, style, f"{CHANGE}item:{sign}{one.item.session} {one.item.id}:{number}", look)


def _item(one: SentItem, sign: str, style: str, key: str, look: Look) -> Row:
    """Return an item: whose it is, where it comes from and why; its first line, or all of its text."""
    item, room = one.item, max(look.prose - len(sign), 8)
    facts = (
        SOURCES.get(item.source, item.source),
        clean_name(item.session) if item.source == "semantic" else "",
        clean_name(item.reason, 200),
        _not_sent(one, sign),
    )
    told = " · ".join(("", *filter(None, facts)))
    named = joined(text(sign, style), text(who(item), "bold"), text(told, DIM))
    first = spread(named, text(f"{item.tokens:,} t", DIM), look.prose)
    said = clean(item.text) or f"({clean_name(item.id)}, whose text is not there)"
    body = wrapped(said, room) if key in look.unfolded else (_first_line(said, room),)
    return Row((first, *(text(" " * len(sign) + line) for line in body)), key=key)


def _not_sent(one: SentItem, sign: str) -> str:
    """Return why it was considered at the other point, and not sent."""
    if one.not_sent is None:
        return ""
    why = WHY_NOT.get(one.not_sent.why_not, clean_name(one.not_sent.why_not))
    return f"{'before' if sign == CAME else 'now'}: {why}"


def _first_line(words: str, room: int) -> str:
    return cut(Content(" ".join(words[:_EXCERPT].split())), room).plain


# --- numbers ----------------------------------------------------------------------------------------------------------


def _columns(look: Look) -> Row:
    return Row((_table_line(Content(), (WENT, CAME, "difference"), look, DIM),))


def _number_row(number: Number, look: Look) -> Row:
    name = SOURCES.get(number.name, number.name)
    is_same = number.a == number.b
    line = _table_line(text(clean_name(name), DIM if is_same else ""), number.shown, look, DIM if is_same else "")
    return Row((line,), key="" if is_same else f"{CHANGE}number:{number.name}")


def _table_line(name: Content, cells: Iterable[str], look: Look, style: str) -> Content:
    return spread(name, text("".join(f"{cell.strip():>{_NUMBER}}" for cell in cells), style), look.prose)
