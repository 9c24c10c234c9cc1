"""What chosen groups and quotations weigh together, as they are taken in one after the other."""

from __future__ import annotations

from collections.abc import Collection

from workbench.context.entry import Entry
from workbench.context.groups import Group


class Load:
    """What chosen groups weigh together; a quotation of what the conversation says itself weighs nothing."""

    def __init__(self, quotes: Collection[Group]) -> None:
        self.groups: set[Group] = set()
        self.tokens = 0
        self.bytes = 0
        self._quotes = quotes
        self._said: set[str] = set()
        self._quoted: dict[str, Entry] = {}

    def with_added(self, group: Group) -> tuple[int, int]:
        """Return the tokens and bytes with one more group."""
        if group in self._quotes:
            (entry,) = group.entries
            if self._has(entry):
                return self.tokens, self.bytes
            return self.tokens + entry.tokens, self.bytes + entry.bytes
        freed = self._repeated_by(group)
        return (
            self.tokens + group.tokens - sum(entry.tokens for entry in freed),
            self.bytes + group.bytes - sum(entry.bytes for entry in freed),
        )

    def add(self, group: Group) -> None:
        """Take a group in."""
        self.tokens, self.bytes = self.with_added(group)
        self.groups.add(group)
        if group in self._quotes:
            (entry,) = group.entries
            if not self._has(entry):
                self._quoted |= {entry.id: entry, entry.text: entry}
            return
        for entry in self._repeated_by(group):
            self._quoted = {key: other for key, other in self._quoted.items() if other is not entry}
        for entry in group.entries:
            self._said |= {entry.id, entry.text}

    def _has(self, entry: Entry) -> bool:
        """Tell whether an entry is among those taken in, by id or word for word."""
        return any(key in self._said or key in self._quoted for key in (entry.id, entry.text))

    def _repeated_by(self, group: Group) -> list[Entry]:
        """Return the quotations that say the same as an entry of the group."""
        if not self._quoted:
            return []
        same = {key for entry in group.entries for key in (entry.id, entry.text) if key in self._quoted}
        return list({id(self._quoted[key]): self._quoted[key] for key in same}.values())
