"""A review as rows: the list of changes, the person's notes and the findings, and one page with before and after.

CHANGES  7        v2 → v3      │  S9  Move cohort 2: 1,000 customers
  ✔ Δ S5  way back             │  ┃ finding dates.closing: S9 moves invoices on 3–5 May
▸   Δ S9  keeps off 1–5 May    │  when   − 28 Apr–10 May        │ + 28 Apr–13 May
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.answers.causes import cause_text
from workbench.domain.loop.asking.tasks import Feedback, Handled
from workbench.domain.plan.changing.difference import Pair
from workbench.domain.plan.changing.history import Made
from workbench.domain.plan.changing.operations import AddItem, AddSection, RemoveItem, RemoveSection, SetField, applied
from workbench.domain.plan.figures import Figures, short_day
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Plan, Section, wording
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.export.figures import money_lines, quick_figures_of
from workbench.tui.lines import MAX_PROSE_WIDTH, Row, barred, cut, hung, joined, spread, text, wrapped
from workbench.tui.marks import ASKS, DIM, DONE, FAILED, FOCUS, OWN, Marks
from workbench.tui.replay.difference_rows import LayOut, below_each_other, side_by_side
from workbench.tui.session.review.reviewing import Page, Review, Reviewing
from workbench.tui.told import EMPTY, counted, words_row

if TYPE_CHECKING:
    from workbench.domain.plan.changing.review import ChangeGroup

_LABEL = 11  # cells of a field's name
_BESIDE = 70  # cells from which before and after stand beside each other
_OUTCOMES = {"done": (DONE, "done"), "partly": (FOCUS, "in part"), "not done": (FAILED, "not done")}
_TOTALS: Mapping[str, Callable[[Figures], str]] = {
    "ready": lambda of: short_day(of.finish) if of.finish else "",
    "to spare": lambda of: "" if of.slack_days is None else f"{of.slack_days:,} working days",
    "money": lambda of: " · ".join(money_lines(of)),
}
_NOTHING = "Nothing changed yet: what a round changes stands here, one change at a time."
_NOTES = 6  # requests of the person that are listed, the newest


def list_rows(state: SessionState, review: Review, reviewing: Reviewing, width: int, marks: Marks) -> list[Row]:
    """Return the changes, the notes and the findings in a line or two each; the page that is shown has a mark."""
    shown = reviewing.page(review)
    plan = _plan_of(state, review.version)
    changes = [page for page in review.pages if page.finding is None]
    versions = f"v{review.version - 1} → v{review.version}" if review.version > 1 else ""
    rows = [_title("CHANGES", len(changes), versions, width)] if changes else []
    rows += [_page_row(page, plan, reviewing, width, marks, is_here=page == shown) for page in changes]
    notes = list(_note_rows(state, width, marks))
    if notes:
        rows += [EMPTY, _title("MY NOTES", len(state.feedback), "", width), *notes]
    offers = [offer for offer in state.offers if not offer.decided]
    if offers:
        rows += [EMPTY, _title("OFFERED", len(offers), "`:O1 accept`, `:O1 decline`", width)]
        rows += [
            Row((cut(joined(text(f"  {one.id} ", DIM), text(clean_name(f"{one.client}: {one.text}", 200))), width),))
            for one in offers
        ]
    findings = [page for page in review.pages if page.finding is not None]
    if findings:
        rows += [EMPTY, _title("FINDINGS", len(findings), "open", width)]
        rows += [_page_row(page, plan, reviewing, width, marks, is_here=page == shown) for page in findings]
    return rows[1:] if rows[:1] == [EMPTY] else rows


def _title(words: str, count: int, more: str, width: int) -> Row:
    left = joined(text(words, DIM), text(f"  {count}" if count else "", "bold"))
    return Row((spread(left, text(more, DIM), width),), is_fixed=True)


def _page_row(page: Page, plan: Plan, reviewing: Reviewing, width: int, marks: Marks, *, is_here: bool) -> Row:
    decided = text("  ")
    if page.key in reviewing.accepted:
        decided = text(f"{marks.done} ", DONE)
    elif page.change is not None and page.change.is_rejected:
        decided = text(f"{marks.failed} ", FAILED)
    sign, style = _sign(page, marks)
    name, words = _called(page, plan)
    left = joined(decided, text(f"{sign} ", style), text(f"{name} " if name else "", DIM))
    left = joined(left, text(words, "bold" if is_here else ""))
    rows = [spread(left, text(_cause_word(page), DIM), width)]
    if page.change is not None and page.change.moved:
        names = " ".join(dict.fromkeys(item for made in page.change.moved for item in sorted(made.items)))
        names += " Money" if _spends(page.change) else ""
        rows.append(cut(text(f"      └ {names} move with it", DIM), width))
    return Row(tuple(rows), key=page.key)


def _sign(page: Page, marks: Marks) -> tuple[str, str]:
    if page.finding is not None:
        return marks.found, FAILED
    if page.removal is not None:
        return "−", ASKS
    kind = page.change.sign if page.change is not None else "changed"
    return {"added": ("+", DONE), "removed": ("−", FAILED), "changed": (marks.changed, FOCUS)}[kind]


def _called(page: Page, plan: Plan) -> tuple[str, str]:
    if page.finding is not None:
        about, words = page.finding.item or "", clean_name(page.finding.text, 200)
        if words.startswith(f"{about} "):
            return about, words.removeprefix(about).lstrip()
        return ("" if about and words.startswith(about) else about), words  # of several: it names all of them itself
    name = page.key.rpartition(":")[2]
    before = page.change.made[0].before if page.change is not None else plan
    item = plan.item(name) or before.item(name)
    if item is not None:
        return name, clean_name(wording(item), 200)
    section = plan.section(name) or before.section(name)
    return "", clean_name(section.title if section is not None else "the plan's title", 200)


def _cause_word(page: Page) -> str:
    if page.removal is not None:
        return "taken out"
    if page.change is None:
        return counted(len(page.offers), "repair") if page.offers else ""
    cause = page.change.cause
    match cause.kind:
        case "feedback":
            return clean_name(cause.source, 12)
        case "person":
            return "you"
        case _:
            return cause.kind


def _note_rows(state: SessionState, width: int, marks: Marks) -> Iterator[Row]:
    """Yield what the person asked for, and what became of it."""
    handled: list[tuple[Feedback, Handled | None]] = []
    for feedback in state.feedback:
        of_it = [one for one in state.handled if one.feedback == feedback.id]
        handled += [(feedback, one) for one in of_it] or [(feedback, None)]
    for feedback, one in handled[-_NOTES:]:
        outcome = one.outcome if one is not None else None
        mark = {"done": marks.done, "not done": marks.failed}.get(
            outcome or "", marks.partly if outcome == "partly" else " "
        )
        style, word = _OUTCOMES.get(outcome or "", (DIM, outcome or ("open" if one is None else one.kind)))
        asked = clean_name((one.request if one is not None else "") or feedback.text, 400)
        said = hung(joined(text(f"{mark} ", style), text(f"{feedback.id:<4}", DIM)), asked, width, most=2)
        note = f": {clean_name(one.note, 400)}" if one is not None and one.note else ""
        first, *more = barred(Content(" " * 6), word + note, width, DIM, most=3)
        yield Row((*said, first.stylize(style, 6, 6 + len(word)), *more))


# --- a page -----------------------------------------------------------------------------------------------------------


def page_rows(state: SessionState, review: Review, page: Page | None, width: int, marks: Marks) -> list[Row]:
    """Return a page: what it is about, why it was changed, before and after, and what moves with it."""
    prose = min(width, MAX_PROSE_WIDTH)
    if page is None:
        return [words_row(_NOTHING, prose)]
    if page.finding is not None:
        return _finding_rows(page, prose, marks)
    plan = _plan_of(state, review.version)
    name, words = _called(page, plan)
    title = Row((cut(joined(text(f"{name}  " if name else "", "bold"), text(words, "bold")), width),))
    rows = [title, EMPTY]
    if page.change is None:
        why = "The planner takes this out, and names nothing that you said as its reason. It stays until you accept it."
        return [*rows, _row_with_bar(why, prose, marks, ASKS), EMPTY, *_left_out(state.plan, page, width)]
    lay_out = side_by_side(width - _LABEL, marks.divider) if width >= _BESIDE else below_each_other(width)
    rows += [_row_with_bar(cause_text(page.change.cause, state.feedback, state.statements), prose, marks), EMPTY]
    rows += _changes(page.change.made, lay_out, width)
    totals = list(_totals(state, page.change, review.version))
    if page.change.moved or totals:
        rows += [EMPTY, Row((text("moves with it", f"bold {FOCUS}"),))]
        rows += _changes(page.change.moved, lay_out, width, named=True)
        rows += [Row(tuple(_labelled(name, lay_out([pair]), width))) for name, pair in totals]
    return [*rows, EMPTY, words_row(_consequence(page.change, review.version), prose)]


def _consequence(change: ChangeGroup, version: int) -> str:
    if change.is_rejected:
        return f"Rejected: this is as it was in v{version - 1} again."
    return f"Rejected, all of this goes back to v{version - 1}; nothing else changes."


def _changes(made: Iterable[Made], lay_out: LayOut, width: int, *, named: bool = False) -> Iterator[Row]:
    for one in made:
        values = one.values
        if values is not None:
            label = " ".join((*sorted(one.items), values[0])) if named else values[0]
            pair = Pair(clean(values[1]) or None, clean(values[2]) or None)
            has_both = pair.old is not None and pair.new is not None
            lines = (lay_out if has_both else below_each_other(max(width - _LABEL, 20)))([pair])
            yield Row(tuple(_labelled(clean_name(label), lines, width)))
            continue
        match one.change.operation:
            case AddItem(where, item):
                yield from _whole_item_rows(Section(id=where, title="", items=(item,)), width, is_new=True)
            case RemoveItem(name):
                items = tuple(item for item in one.before.items if item.id == name)
                yield from _whole_item_rows(Section(id="gone", title="", items=items), width, is_new=False)
            case AddSection(section):
                yield from _whole_item_rows(section, width, is_new=True)
            case RemoveSection(name) if (gone := one.before.section(name)) is not None:
                yield from _whole_item_rows(gone, width, is_new=False)
            case _:
                yield words_row(one.text, width, "")


def _spends(change: ChangeGroup) -> bool:
    """Tell whether any of the changes is about what a step costs."""
    operations = [made.change.operation for made in (*change.made, *change.moved)]
    return any(isinstance(operation, SetField) and operation.field == "cost" for operation in operations)


def _totals(state: SessionState, change: ChangeGroup, version: int) -> Iterator[tuple[str, Pair]]:
    before = _plan_of(state, version - 1)
    try:
        after = applied(before, [made.change.operation for made in (*change.made, *change.moved)])
    except PlanUnsound:  # it is on another change of the same version
        return
    old, new = (quick_figures_of(state, plan) for plan in (before, after))
    if old is None or new is None:
        return
    for name, of in _TOTALS.items():
        was, now = of(old), of(new)
        if was != now:
            yield name, Pair(was or "none", now or "none")


def _labelled(label: str, lines: Iterable[Content], width: int) -> Iterator[Content]:
    """Yield lines with the name of what they are of before the first, or above them if there is no room."""
    if width < _BESIDE:
        yield text(label, DIM)
        yield from lines
        return
    parts = wrapped(label, _LABEL - 1)
    laid_out = list(lines)
    for turn in range(max(len(parts), len(laid_out))):
        named = text(f"{parts[turn] if turn < len(parts) else '':<{_LABEL}}", DIM)
        yield joined(named, laid_out[turn]) if turn < len(laid_out) else named


def _whole_item_rows(section: Section, width: int, *, is_new: bool) -> Iterator[Row]:
    """Yield an item, or a section with all of its items, that came or went."""
    heading, *lines = clean(section_to_markdown(section)).splitlines()
    kept = [line for line in ([heading, *lines] if section.title else lines) if line.strip()]
    pairs = [Pair(None, line) if is_new else Pair(line, None) for line in kept]
    yield Row(tuple(below_each_other(min(width, MAX_PROSE_WIDTH))(pairs)))


def _left_out(plan: Plan | None, page: Page, width: int) -> Iterator[Row]:
    if plan is None or page.removal is None:
        return
    name = page.key.rpartition(":")[2]
    item = plan.item(name)
    section = Section(id="gone", title="", items=(item,)) if item is not None else plan.section(name)
    if section is not None:
        yield from _whole_item_rows(section, width, is_new=False)


def _finding_rows(page: Page, width: int, marks: Marks) -> list[Row]:
    finding = page.finding
    if finding is None:
        return []
    rows = [_row_with_bar(finding.text, width, marks, FAILED)]
    rows += [EMPTY, words_row(finding.remedy, width)] if finding.remedy else []
    for place, offer in enumerate(page.offers):
        named = hung(text(f"{offer.number:<3}", f"bold {FOCUS}"), clean(offer.repair.label), width)
        below = barred(Content("   "), clean(offer.consequence), width, DIM)
        rows += [EMPTY, Row((*named, *below), key=f"{page.key}:{place}")]
    return rows if page.offers else [*rows, EMPTY, words_row("No repair is offered for this.", width)]


def _row_with_bar(words: str, width: int, marks: Marks, style: str = OWN) -> Row:
    return Row(tuple(barred(text(f"{marks.session_bar} ", style), clean(words), width)))


def _plan_of(state: SessionState, version: int) -> Plan:
    return next((one.plan for one in state.versions if one.version == version), Plan(title=""))
