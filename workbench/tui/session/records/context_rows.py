"""What a model was sent for a call, as rows: how full the window was, what came from where, each item, and the prompt.

c3 · verifier · verify · guided · 12:01            call 3 of 9
12.4k of 200k tokens (6%)
━━━━━━━━━━━━━━━━━━━━━━━═══┅┅┅┅┅────────────────────────────     a mark and a colour for each source
THIS CONVERSATION                                       8,204 t
┃ you 12:01                                                14 t      solid bar: this session's, dotted: another's
┃ Keep the budget under …                                            Enter unfolds the exact text

Every row that can be unfolded has a key that begins with ``sent:``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from workbench.domain.plan.changing.change import percent
from workbench.domain.session.context import Receipt
from workbench.domain.text.cleaning import clean, clean_name
from workbench.models.tokens import estimate_tokens
from workbench.tui.lines import Row, barred, cut, hung, joined, spread, text, wrapped
from workbench.tui.marks import DIM, ELSEWHERE, FAILED, OWN, Marks
from workbench.tui.session.records.looking_back import Looked
from workbench.tui.told import EMPTY, age, counted, local_time, thousands, words_row

if TYPE_CHECKING:  # imported with the first context that is read
    from workbench.context.entry import Entry
    from workbench.replay.contexts import CallContext

SENT = "sent:"
"""How the keys of these rows begin."""
NOT_YET = "No model was asked yet. What each call is sent stands here as soon as it is made."
OLDER = "An older workbench made this call: it kept the prompt, and no ledger."

_NOBODY_SAID = ("note:", "summary:", "worker:")
"""How the ids of items begin that the workbench made itself: no mark keeps them out of prompts, or in."""
SOURCES = {
    "session": "said in this session",
    "summary": "condensed",
    "artefact": "made by this session",
    "semantic": "recalled",
    "shared": "shared context",
    "lesson": "lessons",
    "practice": "practice of such work",
    "research": "research",
    "file": "files that you named",
    "parent": "handed on",
    "worker": "reports of workers",
    "everything else": "inputs and instructions",
}
"""What a source is called; in this order they are in the bar."""
_FOUND = frozenset({"semantic", "shared", "lesson", "practice", "research", "file"})
WHY_NOT = {
    "budget": "no room",
    "scope": "not in this agent's view",
    "threshold": "too far from what was asked",
    "limit": "enough of its kind were nearer",
    "excluded": "you excluded it",
    "unpaired": "its call is not there",
}
"""Why something was not sent."""
_FOLDED = 4  # lines of a text that are laid out to show its first one


MarkOf = Callable[[str, str], str]
"""From session and id of an item to what its person decided about it: excluded, pinned, or nothing."""


def item_at(key: str) -> str:
    """Return session and id of the item that a row shows; "" if there is none that could bear a mark."""
    section, _, name = key.removeprefix(SENT).partition(":")
    is_item = key.startswith(SENT) and section in ("current", "relevant", "dropped")
    return name if is_item and not name.partition(" ")[2].startswith(_NOBODY_SAID) else ""


@dataclass(frozen=True, slots=True)
class _Page:
    """What the rows of one call are laid out with."""

    context: CallContext
    originals: Mapping[str, tuple[Entry, ...]]
    unfolded: frozenset[str]
    width: int
    marks: Marks
    mark_of: MarkOf

    @property
    def room(self) -> int:
        """Cells after a bar."""
        return max(self.width - 2, 8)


def context_rows(
    looked: Looked | None, unfolded: frozenset[str], width: int, marks: Marks, mark_of: MarkOf = lambda *_: ""
) -> list[Row]:
    """Return what was sent for the call that is looked at, or why there is nothing to show."""
    if looked is None:
        return [words_row("Reading what was sent …", width)]
    if looked.context is None:
        return [words_row(looked.trouble, width, FAILED) if looked.trouble else words_row(NOT_YET, width)]
    page = _Page(looked.context, dict(looked.originals), unfolded, width, marks, mark_of)
    return [_heading(looked, page), words_row(_fill(page.context), width, ""), *_rows(page)]


def _rows(page: _Page) -> Iterator[Row]:
    context = page.context
    if not context.is_recorded:
        yield from (EMPTY, words_row(OLDER, page.width), *_prompt(page))
        return
    yield from _sources(page)
    if context.unavailable:
        yield from (EMPTY, words_row(context.unavailable, page.width, FAILED))
    if context.receipts:
        yield from (EMPTY, _title("MADE TO FIT", page))
        yield from (_receipt(number, receipt, page) for number, receipt in enumerate(context.receipts))
    yield from _section("THIS CONVERSATION", "current", context.current_conversation, page, _NOTHING_SAID)
    yield from _section("RECALLED", "relevant", context.relevant_history, page, _NOTHING_RECALLED)
    yield from _not_sent(page)
    yield from _prompt(page)


_NOTHING_SAID = "Nothing was said yet that this agent sees."
_NOTHING_RECALLED = "Nothing was recalled for this call."


def _title(name: str, page: _Page, tokens: int | None = None) -> Row:
    amount = Content() if tokens is None else text(f"{tokens:,} t", DIM)
    return Row((spread(text(name, DIM), amount, page.width),))


# --- the call, and how much was sent ----------------------------------------------------------------------------------


def _heading(looked: Looked, page: _Page) -> Row:
    heading = page.context.heading
    again = f"attempt {heading.attempt}" if heading.attempt > 1 else ""
    facts = (heading.role, heading.task, again, heading.model, local_time(heading.time))
    named = " · ".join(clean_name(fact) for fact in facts if fact)
    which = text(f"call {looked.place + 1:,} of {looked.calls:,}", DIM)
    line = joined(text(clean_name(heading.call), "bold"), " · " if named else "", named)
    return Row((spread(line, which, page.width),))


def _fill(context: CallContext) -> str:
    sent = thousands(context.heading.tokens)
    if not context.window:
        return f"{sent} tokens"
    return f"{sent} of {thousands(context.window)} tokens ({percent(context.heading.tokens / context.window)})"


def _sources(page: _Page) -> Iterator[Row]:
    """Yield a bar of what was sent by where it comes from, and what its parts are."""
    by_source = {name: tokens for name in SOURCES if (tokens := page.context.by_source.get(name, 0)) > 0}
    whole = sum(by_source.values())
    if not whole:
        return
    cells = _shared_out(by_source, page.width)
    bar = joined(*(text(_meter(name, page.marks)[0] * cells[name], _meter(name, page.marks)[1]) for name in by_source))
    yield Row((Content(), bar))
    for name, tokens in by_source.items():
        mark, style = _meter(name, page.marks)
        amount = text(f"{tokens:,} t {percent(tokens / whole):>8}", DIM)
        yield Row((spread(joined(text(f"{mark} ", style), SOURCES[name]), amount, page.width),))


def _meter(source: str, marks: Marks) -> tuple[str, str]:
    if source in _FOUND:
        return marks.meter_retrieved, ELSEWHERE
    if source == "everything else":
        return marks.meter_empty, DIM
    return (marks.meter_condensed if source == "summary" else marks.meter_full), OWN


def _shared_out(amounts: Mapping[str, int], cells: int) -> dict[str, int]:
    """Return how many cells each amount gets: at least one, and all together ``cells``; the largest gives way."""
    whole = sum(amounts.values())
    shares = {name: max(cells * amount // whole, 1) for name, amount in amounts.items()}
    largest = max(amounts, key=lambda name: amounts[name])
    shares[largest] += cells - sum(shares.values())
    return shares


# --- items ------------------------------------------------------------------------------------------------------------


def _section(name: str, kind: str, items: Sequence[Entry], page: _Page, empty: str) -> Iterator[Row]:
    yield from (EMPTY, _title(name, page, sum(one.tokens for one in items)))
    if not items:
        yield words_row(empty, page.width)
    yield from (_item(item, f"{kind}:{item.session} {item.id}", page) for item in items)


def _not_sent(page: _Page) -> Iterator[Row]:
    context = page.context
    if not (context.dropped or context.goes_back_further):
        return
    yield from (EMPTY, _title("NOT SENT", page))
    yield from (_item(one, f"dropped:{one.session} {one.id}", page) for one in context.dropped)
    if context.goes_back_further:
        yield words_row("Older messages were not even considered: the window does not reach them.", page.width)


def _item(one: Entry, key: str, page: _Page) -> Row:
    """Return an item: whose it is and why it is here, or is not; its first line, or all of its text."""
    key = f"{SENT}{key}"
    style = DIM if one.why_not else ""
    bar = _bar(one, page)
    named = joined(bar, text(who(one), "bold" if not one.why_not else DIM), text(_facts(one, page), DIM))
    amount = text(f"{one.tokens:,} t", DIM)
    said = clean(one.text) if key in page.unfolded else _first_line(one.text, page)
    lines = [spread(named, amount, page.width), *barred(bar, said, page.width, style)]
    if one.rank and one.reason and not one.why_not:
        score = f" ({one.score:.1f})" if one.score else ""
        lines.append(joined(bar, cut(text(f"{clean_name(one.reason, 200)}{score}", DIM), page.room)))
    return Row(tuple(lines), key=key)


def _bar(one: Entry, page: _Page) -> Content:
    return page.marks.bar(is_own=one.source not in _FOUND)


def who(one: Entry) -> str:
    """Return who said an item, or what it is."""
    match one.role:
        case "user":
            return "you"
        case "assistant":
            return clean_name(one.agent or "a reply")
        case "summary":
            return "summary"
        case _ if one.source == "worker":
            return clean_name(one.id.replace(":", " "))
        case _ if one.source == "file":
            return "file"
        case _:
            return "workbench" if one.id.startswith("note:") else "artefact"


def _facts(one: Entry, page: _Page) -> str:
    is_own = one.session == page.context.session
    when = local_time(one.time) if is_own else age(one.time, page.context.heading.time)
    facts = [
        when,
        "" if is_own else clean_name(one.session),
        _why_not(one, page),
        "pinned" if one.pinned else "",
        f"{mark} from the next prompt on" if (mark := page.mark_of(one.session, one.id)) else "",
        "" if one.rank or one.why_not or (one.pinned and not is_own) else clean_name(one.reason, 200),
    ]
    return " ".join(("", " · ".join(fact for fact in facts if fact)))


def _why_not(one: Entry, page: _Page) -> str:
    if one.why_not != "duplicate":
        return WHY_NOT.get(one.why_not, clean_name(one.why_not))
    context = page.context
    others = (*context.current_conversation, *context.relevant_history, *context.dropped)
    same = next((other for other in others if other.id == one.like), None)
    return f"says the same as {_quoted(same.text) if same else clean_name(one.like)}"


def _quoted(words: str) -> str:
    return f"“{clean_name(words[:200], 32)}”"


def _first_line(words: str, page: _Page) -> str:
    start = " ".join(clean(words[: page.room * _FOLDED]).split())
    first, *more = wrapped(start, page.room)
    return f"{wrapped(first, max(page.room - 2, 1))[0]} …" if more else first


# --- what was done to make it fit -------------------------------------------------------------------------------------


def _receipt(number: int, receipt: Receipt, page: _Page) -> Row:
    key = f"{SENT}receipt:{number}"
    saved = f"{receipt.tokens_before:,} → {receipt.tokens_after:,} tokens"
    words = f"{receipt.what} {counted(len(receipt.ids), 'message')}: {saved}, by {receipt.by}"
    lines = [*hung(text(f"{page.marks.meter_condensed} ", OWN), clean(words), page.width)]
    lines += barred(Content("  "), clean(receipt.note), page.width, DIM) if receipt.note else []
    if key in page.unfolded:
        lines += _done_to(receipt, page)
    return Row(tuple(lines), key=key)


def _done_to(receipt: Receipt, page: _Page) -> Iterator[Content]:
    context = page.context
    known = {one.id: one for one in (*context.current_conversation, *context.dropped)}
    originals = page.originals.get(receipt.way_back) or tuple(known[name] for name in receipt.ids if name in known)
    if not originals:
        yield text("  The session's log has what this was done to.", DIM)
    for one in originals:
        bar = joined("  ", _bar(one, page))
        yield joined(bar, text(who(one), "bold"), text(f" {local_time(one.time)}", DIM))
        yield from barred(bar, clean(one.text), page.width)


# --- the prompt -------------------------------------------------------------------------------------------------------


def _prompt(page: _Page) -> Iterator[Row]:
    """Yield the whole prompt, in a line; unfolded, word for word."""
    prompt = page.context.prompt
    yield from (EMPTY, _title("THE PROMPT", page, page.context.heading.tokens))
    key, mark = f"{SENT}prompt", text(f"{page.marks.meter_empty} ", DIM)
    words = f"{counted(len(prompt), 'message')}, word for word as they were sent."
    lines = [cut(joined(mark, text(words, DIM)), page.width)]
    for message in prompt if key in page.unfolded else ():
        amount = text(f"{estimate_tokens(message.content):,} t", DIM)
        lines.append(spread(joined(mark, text(clean_name(message.role), "bold")), amount, page.width))
        lines += barred(mark, clean(message.content), page.width)
    yield Row(tuple(lines), key=key)
