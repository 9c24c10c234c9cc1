"""What is kept or left out as one: a call, all its results, and the reasoning that led to it.

    user · reasoning(c1) · assistant(makes c1, c2) · user · tool(c2) · tool(c1)
         ──grouped──▶ [user] [reasoning, assistant, tool(c2), tool(c1)] [user]

Providers refuse a call without its results and a result without its call, so a group stands together, at the place of
its call. A message that came in while a call was open stands behind the group. A result belongs to the nearest call
of its id before it; a result or reasoning without a call is a group of its own, for ``validity.repair`` to deal with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from workbench.context.entry import Entry


class Group:
    """Entries that are kept or left out together."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of its entries."""
        return tuple(entry.id for entry in self.entries)

    @cached_property
    def tokens(self) -> int:
        """About how many tokens it takes in a prompt."""
        return sum(entry.tokens for entry in self.entries)

    @cached_property
    def bytes(self) -> int:
        """UTF-8 bytes of its texts."""
        return sum(entry.bytes for entry in self.entries)

    @cached_property
    def is_open(self) -> bool:
        """Whether one of its calls has no result yet."""
        answered = {entry.answers for entry in self.entries}
        return any(call not in answered for entry in self.entries for call in entry.makes)

    @cached_property
    def is_pinned(self) -> bool:
        """Whether a person wants something of it in every prompt."""
        return any(entry.pinned for entry in self.entries)

    @property
    def kind(self) -> str:
        """Role of what it begins with: user, assistant (with calls or without), summary, artefact; tool for orphans."""
        return self.entries[0].role


def grouped(entries: Iterable[Entry]) -> list[Group]:
    """Return the groups of a conversation, in the order of their calls and messages."""
    slots: list[list[Entry]] = []
    calls: dict[str, list[Entry]] = {}
    waiting: dict[str, list[list[Entry]]] = {}
    for entry in entries:
        if entry.answers in calls:
            calls[entry.answers].append(entry)
            continue
        slot = [*_reasoning(entry, waiting), entry]
        slots.append(slot)
        calls.update(dict.fromkeys(entry.makes, slot))
        if entry.leads_to:
            waiting.setdefault(entry.leads_to, []).append(slot)
    return [Group(slot) for slot in slots if slot]


def _reasoning(entry: Entry, waiting: dict[str, list[list[Entry]]]) -> Iterator[Entry]:
    """Yield the reasoning that led to an entry's calls, taken from the places where it stood alone."""
    for call in entry.makes:
        for slot in waiting.pop(call, ()):
            yield from slot
            slot.clear()


def newest_of(entries: Sequence[Entry]) -> Entry | None:
    """Return what came last, also where a late result stands at its call; None where there is nothing."""
    return max(enumerate(entries), key=lambda pair: (pair[1].seq, pair[0]), default=(0, None))[1]


def flat(groups: Iterable[Group]) -> tuple[Entry, ...]:
    """Return the entries of groups, in order."""
    return tuple(chain.from_iterable(group.entries for group in groups))
