"""What is kept or left out as one: a call of tools and all its results.

    user · assistant(makes c1, c2) · user · tool(c2) · tool(c1)
         ──grouped──▶ [user] [assistant, tool(c2), tool(c1)] [user]

A group is together, at the place of its call. A message that came in while a call was open is after the group.
A result belongs to the nearest call of its id before it; a result without a call is a group of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from workbench.context.entry import Entry


class Group:
    """Entries that are kept or left out together."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = tuple(entries)
        answered = {entry.answers for entry in self.entries}
        self.kind = self.entries[0].role
        """Role of what it begins with: user, assistant (with calls or without), summary, artefact; tool for orphans."""
        self.tokens = sum([entry.tokens for entry in self.entries])
        """About how many tokens it takes in a prompt."""
        self.bytes = sum([entry.bytes for entry in self.entries])
        """UTF-8 bytes of its texts."""
        self.is_open = any(not answered.issuperset(entry.makes) for entry in self.entries)
        """Whether one of its calls has no result yet."""
        self.is_pinned = any(entry.pinned for entry in self.entries)
        """Whether a person wants something of it in every prompt."""

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids of its entries."""
        return tuple(entry.id for entry in self.entries)


def grouped(entries: Iterable[Entry]) -> list[Group]:
    """Return the groups of a conversation, in the order of their calls and messages."""
    slots: list[list[Entry]] = []
    calls: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.answers in calls:
            calls[entry.answers].append(entry)
            continue
        slot = [entry]
        slots.append(slot)
        calls.update(dict.fromkeys(entry.makes, slot))
    return [Group(slot) for slot in slots]


def newest_of(entries: Sequence[Entry]) -> Entry | None:
    """Return what came last, also where a late result is at its call; None if there is nothing."""
    return max(enumerate(entries), key=lambda pair: (pair[1].seq, pair[0]), default=(0, None))[1]


def flat(groups: Iterable[Group]) -> tuple[Entry, ...]:
    """Return the entries of groups, in order."""
    return tuple(chain.from_iterable(group.entries for group in groups))
