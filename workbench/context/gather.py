"""What a model is shown for its next answer: this conversation, what was recalled for it, and why not the rest.

    view ──Conversation.read: from its end, as far as the budget reaches──┐   once for each call
    found in this session and in others ──────────────choose──────────────┴─fit─▶ Bundle
                                                                ├ current_conversation   in order
                                                                ├ relevant_history       best first, labelled
                                                                ├ chat_history           both, each once
                                                                └ dropped                and why

The conversation is read backwards and no further than the budget and the guaranteed tail need, so the work does not
grow with the log. Nothing here searches: what was found is given, with its scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from workbench.context.entry import Entry, is_visible
from workbench.context.fit import Budget, Bundle, certain, fit
from workbench.context.recall import choose
from workbench.context.view import SessionView
from workbench.domain.session.context import RecallSettings

LOOK_BACK = 500
"""Entries among which the guaranteed tail is looked for. Of a kind that is rarer, older ones come by being recalled."""


def gather(view: SessionView, found: Iterable[Entry], budget: Budget, settings: RecallSettings | None = None) -> Bundle:
    """Return what a model is shown for its next answer in this view.

    ``found`` is what searches brought for it, best first: of this view's own session, and of others. Raises
    ContextTooSmall if not even what has to be kept word for word fits.
    """
    return Conversation.read(view, budget, settings or RecallSettings()).with_found(found)


class Conversation(NamedTuple):
    """The end of a view's conversation, as far as a budget can show it: what it may hold, and the tail."""

    view: SessionView
    budget: Budget
    settings: RecallSettings
    entries: tuple[Entry, ...]
    """In order; no result without its call."""
    refused: tuple[Entry, ...]
    more: bool
    """Whether there are older ones."""

    @classmethod
    def read(cls, view: SessionView, budget: Budget, settings: RecallSettings) -> Conversation:
        """Read it, with what is kept from before."""
        refused: list[Entry] = []
        kept = tuple(_admitted(view, view.kept, refused))
        before = tuple(_admitted(view, () if view.summary is None else (view.summary,), refused))
        known = {entry.id for entry in kept}
        said = (entry for entry in _admitted(view, view.newest_first(), refused) if entry.id not in known)
        end, more = _end(said, budget, _tail(settings))
        entries = (*before, *sorted((*kept, *reversed(end)), key=lambda entry: entry.seq))
        made = {call for entry in entries for call in entry.makes}
        paired = tuple(entry for entry in entries if not entry.answers or entry.answers in made)
        if not more:
            refused += [replace(entry, why_not="unpaired") for entry in entries if entry not in paired]
        return cls(view, budget, settings, paired, tuple(refused), more)

    def with_found(self, found: Iterable[Entry]) -> Bundle:
        """Return what a model is shown of it, and of what searches brought for it. Raises ContextTooSmall."""
        tail = _tail(self.settings)
        labelled = (replace(entry, section="relevant_history") for entry in found)
        chosen, dropped = choose(labelled, self.settings, self.view, certain(self.entries, tail))
        bundle = fit(self.entries, self.budget, recalled=chosen, tail=tail, more=self.more)
        return replace(bundle, dropped=(*self.refused, *bundle.dropped, *dropped))


def _tail(settings: RecallSettings) -> dict[str, int]:
    """Return how many of the last of each kind are guaranteed: of what people said, at least one."""
    return {"user": max(settings.user.tail, 1), "assistant": settings.assistant.tail}


def _admitted(view: SessionView, entries: Iterable[Entry], refused: list[Entry]) -> Iterator[Entry]:
    """Yield what this view may show; the rest goes to ``refused``."""
    for entry in entries:
        if not is_visible(entry, view.session, view.agent):
            refused.append(replace(entry, why_not="scope"))
        elif not view.excluded.isdisjoint((entry.id, *entry.covers)):
            refused.append(replace(entry, why_not="excluded"))
        else:
            yield entry


def _end(newest_first: Iterator[Entry], budget: Budget, tail: dict[str, int]) -> tuple[list[Entry], bool]:
    """Return the newest entries, and whether there are older ones.

    Enough are taken that the budget cannot hold more, that the tail is among them, that the last message of a person
    is, and the call of which the newest entry is the result.
    """
    end: list[Entry] = []
    tokens, count, call = 0, Counter[str](), ""
    for entry in newest_first:
        is_full = budget.counted(tokens) >= budget.limit
        has_tail = len(end) >= LOOK_BACK or all(count[kind] >= number for kind, number in tail.items())
        if is_full and has_tail and count["user"] and not call:
            return end, True
        call = entry.answers if not end else "" if call in entry.makes else call
        end.append(entry)
        tokens += entry.tokens
        count[entry.role] += 1
    return end, False
