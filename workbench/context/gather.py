"""What a model is shown for its next answer: this conversation, what was recalled for it, and a ledger of both.

    view ──from its end, as far as the budget reaches──▶ repair ─┐
    found in this session and in others ──choose──▶ ─────────────┴─fit─▶ Bundle
                                                                         ├ current_conversation   in order
                                                                         ├ relevant_history       best first, labelled
                                                                         ├ chat_history           both, each once
                                                                         └ ledger                 and why not the rest

The conversation is read backwards and no further than the budget and the guaranteed tail need, so the work does not
grow with the log. Nothing here searches: what was found is given, with its scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from workbench.context.budget import Budget
from workbench.context.entry import Entry, is_visible
from workbench.context.fit import Fitted, certain, fit, new_to
from workbench.context.oversized import Moved, slimmed
from workbench.context.recall import Dropped, choose
from workbench.context.validity import repair
from workbench.context.view import View
from workbench.domain.session.context import RecallSettings, Receipt, Section, Source, WhyNot

LOOK_BACK = 500
"""Entries among which the guaranteed tail is looked for. Of a kind that is rarer, older ones come by being recalled."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one entry that was considered."""

    entry: Entry
    section: Section
    """Where it stands, or would have stood."""
    why_not: WhyNot = ""
    """"" for what is shown."""
    like: str = ""
    """Of a duplicate: id of what says the same."""

    @property
    def id(self) -> str:
        """The entry's id."""
        return self.entry.id

    @property
    def session(self) -> str:
        """Whose it is."""
        return self.entry.session

    @property
    def source(self) -> Source:
        """How it came here."""
        return self.entry.source

    @property
    def tokens(self) -> int:
        """About how many it takes."""
        return self.entry.tokens


class Ledger(msgspec.Struct, frozen=True, kw_only=True):
    """What was considered, what of it is shown, and why the rest is not."""

    lines: tuple[Line, ...]
    goes_back_further: bool
    """Whether the session holds older entries that were not considered, as the budget does not reach them."""
    tokens: tuple[tuple[str, int], ...]
    """By section, with what else is sent; they sum up to what the bundle counts."""

    @property
    def considered(self) -> tuple[Line, ...]:
        """All of it."""
        return self.lines

    @property
    def injected(self) -> tuple[Line, ...]:
        """What is shown."""
        return tuple(line for line in self.lines if not line.why_not)

    def dropped(self, why: WhyNot = "") -> tuple[Line, ...]:
        """Return what is not shown, for one reason or for any."""
        return tuple(line for line in self.lines if line.why_not and why in ("", line.why_not))


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """What a model is shown."""

    session: str
    agent: str | None
    current_conversation: tuple[Entry, ...]
    """This session's, in order, with the workbench's own notes."""
    relevant_history: tuple[Entry, ...]
    """What was recalled, best first: of other sessions, and older things of this one. To be quoted as data."""
    ledger: Ledger
    receipts: tuple[Receipt, ...]
    moved: tuple[Moved, ...]
    """Texts to store as entities."""
    tokens: int
    """What it counts with everything else that is sent: at most the budget's limit."""

    @property
    def is_condensed(self) -> bool:
        """Whether a summary stands for a part of the conversation."""
        return any(entry.role == "summary" for entry in self.current_conversation)

    @property
    def chat_history(self) -> tuple[Entry, ...]:
        """Both, each thing once; the session's copy of what both say."""
        return (*self.current_conversation, *new_to(self.current_conversation, self.relevant_history))


def gather(view: View, found: Iterable[Entry], budget: Budget, settings: RecallSettings | None = None) -> Bundle:
    """Return what a model is shown for its next answer in this view.

    ``found`` is what searches brought for it, best first: of this view's own session, and of others. Raises
    ContextTooSmall where not even what has to be kept word for word fits.
    """
    settings = settings or RecallSettings()
    tail = {"user": max(settings.user.tail, 1), "assistant": settings.assistant.tail}
    window = _window(view, budget, tail)
    mended = repair(window.entries, awaiting=True, whole=not window.more)
    chosen, dropped = choose(
        found,
        settings,
        session=view.session,
        agent=view.agent,
        excluded=view.excluded,
        shown=certain(mended.entries, tail),
    )
    whole = {entry.id for entry in mended.entries}
    unpaired = [Dropped(entry=entry, why="unpaired") for entry in window.entries if entry.id not in whole]
    fitted = fit(mended.entries, budget, recalled=chosen, tail=tail, more=window.more)
    repairs = () if mended.receipt is None else (mended.receipt,)
    return Bundle(
        session=view.session,
        agent=view.agent,
        current_conversation=fitted.entries,
        relevant_history=fitted.recalled,
        ledger=_ledger((*window.refused, *unpaired), chosen, dropped, fitted, budget, goes_back_further=window.more),
        receipts=(*repairs, *fitted.receipts),
        moved=fitted.moved,
        tokens=fitted.tokens,
    )


class _Window(NamedTuple):
    """The end of a conversation, as far as a budget can show it."""

    entries: tuple[Entry, ...]
    refused: tuple[Dropped, ...]
    more: bool


def _window(view: View, budget: Budget, tail: dict[str, int]) -> _Window:
    """Return the end of a conversation: what the budget may hold, the tail, and what is kept from before."""
    refused: list[Dropped] = []
    kept = tuple(_admitted(view, view.kept, refused))
    before = tuple(_admitted(view, () if view.summary is None else (view.summary,), refused))
    known = {entry.id for entry in kept}
    said = (entry for entry in _admitted(view, view.newest_first(), refused) if entry.id not in known)
    end, more = _end(said, budget, tail)
    if more:
        made = {call for entry in end for call in entry.makes}
        end = [entry for entry in end if not entry.answers or entry.answers in made]
    in_order = sorted((*kept, *reversed(end)), key=lambda entry: entry.seq)
    return _Window(entries=(*before, *in_order), refused=tuple(refused), more=more)


def _admitted(view: View, entries: Iterable[Entry], refused: list[Dropped]) -> Iterator[Entry]:
    """Yield what this view may show; the rest goes to ``refused``."""
    for entry in entries:
        if not is_visible(entry, view.session, view.agent):
            refused.append(Dropped(entry=entry, why="scope"))
        elif not view.excluded.isdisjoint((entry.id, *entry.covers)):
            refused.append(Dropped(entry=entry, why="excluded"))
        else:
            yield entry


def _end(newest_first: Iterator[Entry], budget: Budget, tail: dict[str, int]) -> tuple[list[Entry], bool]:
    """Return the newest entries, and whether there are older ones.

    Enough are taken that the budget cannot hold more, that the tail is among them, that the last message of a person
    is, and the call of which the newest entry is the result. Reasoning is not parted from the call behind it.
    """
    end: list[Entry] = []
    tokens, count, call = 0, Counter[str](), ""
    for entry in newest_first:
        is_full = budget.counted(tokens) >= budget.limit
        has_tail = len(end) >= LOOK_BACK or all(count[kind] >= number for kind, number in tail.items())
        if is_full and has_tail and count["user"] and not call and not entry.leads_to:
            return end, True
        call = entry.answers if not end else "" if call in entry.makes else call
        end.append(entry)
        tokens += slimmed(entry, budget.max_result)[0].tokens
        count[entry.role] += not entry.leads_to
    return end, False


def _ledger(
    refused: Sequence[Dropped],
    chosen: Sequence[Entry],
    dropped: Sequence[Dropped],
    fitted: Fitted,
    budget: Budget,
    *,
    goes_back_further: bool,
) -> Ledger:
    current, relevant = fitted.entries, fitted.recalled
    said = {entry.text: entry.id for entry in reversed(current)} | {entry.id: entry.id for entry in current}
    quoted = {id(entry) for entry in chosen}
    lines = [
        *(_line(entry, "current_conversation") for entry in current),
        *(_line(one.entry, "current_conversation", one.why) for one in refused),
        *(_line(entry, "current_conversation", "budget") for entry in fitted.left_out if id(entry) not in quoted),
        *(_line(entry, "relevant_history") for entry in relevant),
        *(_line(entry, "relevant_history", "budget") for entry in fitted.left_out if id(entry) in quoted),
        *(
            _line(entry, "relevant_history", "duplicate", said.get(entry.id) or said.get(entry.text, ""))
            for entry in fitted.repeated
        ),
        *(_line(one.entry, "relevant_history", one.why, one.like) for one in dropped),
    ]
    shown = {
        "current_conversation": sum(entry.tokens for entry in current),
        "relevant_history": sum(entry.tokens for entry in relevant),
        "everything else": budget.overhead,
        "the provider counts more": budget.counted(0) - budget.overhead,
    }
    return Ledger(lines=tuple(lines), goes_back_further=goes_back_further, tokens=tuple(shown.items()))


def _line(entry: Entry, section: Section, why_not: WhyNot = "", like: str = "") -> Line:
    return Line(entry=entry, section=section, why_not=why_not, like=like)
