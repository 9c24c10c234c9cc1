"""The older middle of a conversation said in fewer words, with a receipt and a way back.

    entries ──is_due──▶ ──middle──▶ the oldest groups that may go ──a model, or telling.py, writes──▶ text
                                                │                                                      │
        Condensed: a summary, and all the rest word for word ◀──condense(entries, middle, text)────────┤
        Refusal: it saves too little, or is longer than what it replaces ◀─────────────────────────────┘
                                                └──elide, when no text could be had──▶ Condensed, by a rule

Nothing is destroyed: the log keeps the originals, and a summary the ids of all that it stands for, of summaries within
it too. Pins, the last message of a person, open calls and the most recent part are never condensed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec

from workbench.context.entry import Entry, is_visible, size
from workbench.context.fit import Budget
from workbench.context.groups import Group, flat, grouped, newest_of
from workbench.context.receipts import receipt
from workbench.domain.errors import UsageError
from workbench.domain.session.context import Receipt, What

TRIGGER = 0.8
"""Share of the window from which a conversation is condensed."""
AIM = 0.5
"""Share of the window that it takes afterwards, if that can be had."""
RECENT = 0.25
"""Share of the window whose newest groups are the most recent part."""
LEAST_SAVED = 0.1
"""Share of the conversation's tokens that a condensation has to save."""
SUMMARY = 0.1
"""Share of the window that a summary may take."""
ELIDED = "[Messages from {first} to {last} are left out here: {count} of them. The session's log has them.]"
ELIDE = "rule: elide"


class Condensed(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation of which a part is summarised."""

    entries: tuple[Entry, ...]
    """The summary first, then everything that stays."""
    summary: Entry
    receipt: Receipt


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why a summary is not used: the conversation stays as it was."""

    why: str


def is_due(entries: Iterable[Entry], budget: Budget) -> bool:
    """Tell whether a conversation has come near its window."""
    return budget.counted(sum(entry.tokens for entry in entries)) >= TRIGGER * budget.window


def middle(entries: Sequence[Entry], budget: Budget) -> tuple[Entry, ...]:
    """Return what is to be condensed: the oldest that may go, until what stays and a summary take half of the window.

    Empty if nothing may go.
    """
    groups = grouped(entries)
    stays = _staying(groups, entries, budget)
    excess = budget.counted(sum(group.tokens for group in groups)) + summary_room(budget) - AIM * budget.window
    chosen: list[Group] = []
    for group in groups:
        if excess > 0 and group not in stays:
            chosen.append(group)
            excess -= group.tokens
    return flat(chosen)


def summary_room(budget: Budget) -> int:
    """Return the tokens that a summary may take."""
    return room_in(budget.window)


def room_in(window: int) -> int:
    """Return the tokens that a summary may take of a window."""
    return int(SUMMARY * window)


def condense(
    entries: Sequence[Entry], chosen: Sequence[Entry], text: str, *, by: str, agent: str | None
) -> Condensed | Refusal:
    """Return the conversation of a view with what was chosen said in these words.

    ``by`` is the model or the rule that wrote them, ``agent`` whose view it is. Raises UsageError if something was
    chosen that the view may not show: a summary would carry one agent's words to another.
    """
    return _condensed("condensed", entries, chosen, text, by=by, agent=agent)


def elide(entries: Sequence[Entry], chosen: Sequence[Entry], *, agent: str | None) -> Condensed | Refusal:
    """Return the conversation with a note instead of what was chosen: for when nobody could summarise it."""
    text = ELIDED.format(first=chosen[0].time, last=chosen[-1].time, count=len(_leaves(chosen))) if chosen else ""
    return _condensed("elided", entries, chosen, text, by=ELIDE, agent=agent)


def _condensed(
    what: What, entries: Sequence[Entry], chosen: Sequence[Entry], text: str, *, by: str, agent: str | None
) -> Condensed | Refusal:
    """Return the conversation with a summary instead of what it covers, if that is worth it."""
    if not chosen or not text.strip():
        return Refusal(why="The summary says nothing." if chosen else "There is nothing that may be condensed.")
    foreign = next((entry for entry in chosen if not is_visible(entry, chosen[0].session, agent)), None)
    if foreign is not None:
        raise UsageError(
            f"{foreign.id} is not in the view of {agent or 'the session'}.", "Condense one view at a time."
        )
    summary = _summary(chosen, text, by, agent)
    gone = {entry.id for entry in chosen}
    stay = tuple(entry for entry in entries if entry.id not in gone)
    before, replaced = sum(entry.tokens for entry in entries), sum(entry.tokens for entry in chosen)
    if summary.tokens > replaced or summary.bytes > sum(entry.bytes for entry in chosen):
        return Refusal(why=f"The summary is longer ({summary.tokens:,} tokens) than what it replaces ({replaced:,}).")
    if replaced - summary.tokens < LEAST_SAVED * before:
        return Refusal(why=f"It would save {replaced - summary.tokens:,} of {before:,} tokens, which is under a tenth.")
    after = (summary, *stay)
    stamped = receipt(what, entries, after, by=summary.by, ids=summary.covers, way_back=summary.id)
    return Condensed(entries=after, summary=summary, receipt=stamped)


def _staying(groups: Sequence[Group], entries: Sequence[Entry], budget: Budget) -> set[Group]:
    """Return what is never condensed."""
    newest = newest_of(entries)
    last_said = next((group for group in reversed(groups) if group.kind == "user"), None)
    stays = {
        group for group in groups if group.is_pinned or group.is_open or group is last_said or newest in group.entries
    }
    recent = 0
    for group in reversed(groups):
        recent += group.tokens
        if recent > RECENT * budget.window:
            break
        stays.add(group)
    return stays


def _summary(chosen: Sequence[Entry], text: str, by: str, agent: str | None) -> Entry:
    covers = _leaves(chosen)
    return Entry(
        id="summary:" + hashlib.sha256("\n".join(covers).encode()).hexdigest()[:12],
        session=chosen[0].session,
        agent=agent,
        role="summary",
        seq=max(entry.seq for entry in chosen),
        time=chosen[-1].time,
        text=text,
        tokens=size(text),
        source="summary",
        reason=f"stands for {len(covers)} earlier entries",
        by=by,
        covers=covers,
    )


def _leaves(entries: Iterable[Entry]) -> tuple[str, ...]:
    return tuple(leaf for entry in entries for leaf in entry.leaves)
