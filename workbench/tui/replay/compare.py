"""Two points compared: what differs between their plans, insights, contexts and numbers.

    Side, Side ─▶ read_comparison (thread) ─▶ Comparison ─▶ comparison_rows (thread) ─▶ one list, both sides in it

Nothing is written and nothing followed: it shows two points that stay as they are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.changing.change import percent
from workbench.domain.text.cleaning import clean, clean_name
from workbench.export.figures import change_line, quick_figures_of
from workbench.replay.comparing import Comparison, Exchange, Number, Point, SentItem
from workbench.tui.base import WorkbenchScreen
from workbench.tui.keymap import hint
from workbench.tui.keys import bind
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, Sheet, cut, hung, joined, spread, text, wrapped
from workbench.tui.marks import DIM, DONE, FAILED, Marks
from workbench.tui.pauses import beside
from workbench.tui.replay.difference_rows import CAME, CHANGE, WENT, plan_difference_rows
from workbench.tui.session.records.context_rows import OLDER, SOURCES, WHY_NOT, who
from workbench.tui.session.records.looking_back import Side, read_comparison
from workbench.tui.told import EMPTY, counted, local_day, session_title, thousands, words_row
from workbench.tui.views import WITH_COURSE
from workbench.tui.widgets.bars import Hints, StillLine, TopLine
from workbench.tui.widgets.framed_list import FramedList
from workbench.tui.widgets.line_list import LineList


class ChangeList(FramedList):
    """Rows of which those that differ can be chosen; the cursor keys scroll, letters go to the next change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("n", "change(1)", "next", "compare.next", "Go to the next change"),
        bind("p", "change(-1)", "previous", "compare.previous", "Go to the change before"),
        bind("s", "screen.lay_out", "side by side", "compare.layout", "Side by side, or below each other"),
        bind("1", "view('plan')", "plan", "compare.plan", "Show the plans"),
        bind("2", "view('insights')", "insights", "compare.insights", "Show the insights"),
        bind("3", "view('context')", "context", "compare.context", "Show what was sent"),
        bind("4", "view('numbers')", "numbers", "compare.numbers", "Show tokens and cost"),
    ]

    digits: ClassVar[Mapping[str, str]] = {"plan": "1", "insights": "2", "context": "3", "numbers": "4"}

    def action_view(self, view: str) -> None:
        """Show another view."""
        self.post_message(self.ViewWanted(view))

    def action_move(self, step: int) -> None:
        """Scroll: between two changes stands what did not change, and is read too."""
        self.scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        """Scroll by a page, for the same reason."""
        self.scroll_relative(y=step * max(self.size.height - 1, 1), animate=False)

    def action_change(self, step: int) -> None:
        """Go to the next change; from what is in sight, where the chosen one is not."""
        place = self._next(self.cursor if self._is_in_sight(self.cursor) else self._edge(step), step)
        if place is None:
            return
        if self._is_in_sight(place):
            self.cursor = place
            return
        self.cursor = place
        self.scroll_to(y=max(self._sheet.starts[place] - self._height // 4, 0), animate=False)

    @property
    def _height(self) -> int:
        return self.scrollable_content_region.height

    def _is_in_sight(self, place: int) -> bool:
        if not 0 <= place < len(self._sheet):
            return False
        first = self._sheet.starts[place]
        top = self.scroll_offset.y
        return top <= first and first + len(self._sheet[place].lines) <= top + self._height

    def _edge(self, step: int) -> int:
        """Return the row before the first one in sight, or after the last."""
        top = self.scroll_offset.y
        if step > 0:
            return self._sheet.line_at(top)[1] - 1
        return self._sheet.line_at(min(top + self._height, self._sheet.height) - 1)[1] + 1


WIDE = 100
"""Columns from which two plans stand side by side."""


class CompareScreen(WorkbenchScreen[None]):
    """What differs between two points."""

    CSS_PATH = "compare.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("escape", "back", "back", "compare.back", "Go back to where you were")
    ]

    def __init__(self, a: Side, b: Side) -> None:
        """Compare ``b`` with ``a``: what came is in ``b``, what went was in ``a``."""
        super().__init__()
        self._sides = (a, b)
        self._comparison: Comparison | None = None
        self._trouble = ""
        self._view = VIEWS[0]
        self._shown = ""  # the view that is on the screen
        self._side_by_side: bool | None = None  # as a person chose; None for by the width
        self._unfolded: frozenset[str] = frozenset()

    def compose(self) -> ComposeResult:
        """Return both points, and what differs between them."""
        yield TopLine(id="top", markup=False)
        yield StillLine(id="head", markup=False)
        with Vertical(id="compared"):
            yield ChangeList(id="changes", mark=self.workbench.marks.here)
        yield Hints(id="hints", markup=False)

    def on_mount(self) -> None:
        """Begin to read."""
        self.changes.focus()
        self.query_one(TopLine).tell(text("  Comparison", "bold"))
        self.changes.frame(VIEWS[0].capitalize(), [])
        self.changes.show([Row((text(READING, DIM),))])
        self._read()

    @property
    def changes(self) -> ChangeList:
        """What differs."""
        return self.query_one(ChangeList)

    @property
    def is_side_by_side(self) -> bool:
        """Whether two plans stand beside each other."""
        return self.size.width >= WIDE if self._side_by_side is None else self._side_by_side

    @work(group="read-comparison", exclusive=True)
    async def _read(self) -> None:
        try:
            self._comparison = await asyncio.to_thread(read_comparison, *self._sides)
        except WorkbenchError as error:
            self._trouble = str(error)
        self._repaint()

    def on_line_list_resized(self) -> None:
        """Break lines again."""
        self._repaint()

    @work(group="paint-comparison", exclusive=True)
    async def _repaint(self) -> None:
        """Lay out what is to be seen in a thread; what is not wanted any more by then is dropped."""
        comparison, width = self._comparison, self.changes.room
        if not width:  # nothing is laid out yet; then this comes again
            return
        if comparison is None:
            if self._trouble:
                self.changes.show([Row(tuple(text(line, FAILED) for line in wrapped(clean(self._trouble), width)))])
            self._show_hints()
            return
        look = Look(self._view, width, self.workbench.marks, self.is_side_by_side, self._unfolded)
        self._show(comparison, look.view, await beside(lambda: Sheet(comparison_rows(comparison, look))))

    def _show(self, comparison: Comparison, view: str, sheet: Sheet) -> None:
        self.query_one(TopLine).tell(joined(text("  Comparison", "bold"), text(f"  {comparison.relation}", DIM)))
        self.query_one("#head", StillLine).tell(head_lines(comparison, self.size.width, titled=True))
        self.changes.frame(title_of(comparison, view), [one for one in VIEWS if one != view])
        self.changes.show(sheet, from_top=view != self._shown)
        self._shown = view
        self._show_hints()

    def _show_hints(self) -> None:
        always = [*hint(self, "compare.back"), ("F1", "more")]
        if self._comparison is None or not self._comparison.differs:
            self.query_one(Hints).show_hints([], self.size.width, always=always)
            return
        layout = "below each other" if self.is_side_by_side else "side by side"
        goes = any(row.key.startswith(CHANGE) for row in self.changes.rows)
        hints = [
            *([*hint(self, "compare.next", "next change"), *hint(self, "compare.previous")] if goes else []),
            *([("Enter", "unfold")] if goes and self._view == "context" else []),
            *(hint(self, "compare.layout", layout) if self._view == "plan" else []),
            ("1–4", "views"),
        ]
        self.query_one(Hints).show_hints(hints, self.size.width, always=always)

    # --- what a person does -------------------------------------------------------------------------------------------

    def on_framed_list_view_wanted(self, message: FramedList.ViewWanted) -> None:
        """Show the view that was asked for."""
        self._view = message.view
        self._repaint()

    def on_line_list_chosen(self, message: LineList.Chosen) -> None:
        """Show the whole text of an item, or its first line again."""
        self._unfolded ^= {message.key}
        self._repaint()

    def action_lay_out(self) -> None:
        """Put two plans side by side, or what went above what came."""
        self._side_by_side = not self.is_side_by_side
        self._repaint()

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()


VIEWS = ("plan", "insights", "context", "numbers")
"""What of a comparison can be shown."""
READING = "Reading …"
_NUMBER = 12  # cells of a number in a column
_EXCERPT = 400  # characters of a text of which the first line is shown


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


def head_lines(comparison: Comparison, width: int, *, titled: bool = False) -> Content:
    """Return both points, each behind the sign that stands for it: as they were asked for, or by their titles."""
    a, b = comparison.a, comparison.b
    names = [session_title(one.state.name, one.state.goal, one.label) for one in (a, b)]
    if not titled or (names[0] == names[1] and a.state.session != b.state.session):  # only ids tell them apart
        names = [a.label, b.label]
    first = _point(WENT, FAILED, names[0], a, width)
    return Content("\n").join([first, _point(CAME, DONE, names[1], b, width)])


def _point(sign: str, style: str, called: str, point: Point, width: int) -> Content:
    state = point.state
    facts = [
        f"event {state.seq:,}",
        local_day(state.updated),
        f"plan v{state.version}" if state.version else "no plan",
        *([f"{thousands(state.spent.tokens)} tokens"] if width >= WITH_COURSE else []),
    ]
    title = joined(text(f"  {sign}", style), text(called, "bold"))
    return spread(title, text(f"{' · '.join(facts)}  ", DIM), width)


def title_of(comparison: Comparison, view: str) -> str:
    """Return what is above a view: its name, and how much differs there."""
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
            return [_columns(look), *(_number_row(number, look) for number in comparison.numbers)]
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
