"""Words in a prompt that are somebody else's: another agent's, another session's or, in a system message, anybody's.

What people, artefacts or the caller itself say, too, is nobody else's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from msgspec import Struct, field

from workbench.domain.text.cleaning import shorten
from workbench.replay.audit.ledger import Broken
from workbench.replay.audit.neighbours import Neighbours
from workbench.replay.audit.passages import Passage, Words, plain
from workbench.replay.audit.record import Record


class Leaks(Struct, frozen=True):
    """Looks for words that are not the prompt's to have."""

    record: Record
    neighbours: Neighbours | None = None
    house: Words = field(default_factory=Words)
    """System messages that were found to say nothing of anybody's: what they say is nobody's secret."""

    def in_text(self, text: str, role: str, time: str) -> Broken | None:
        """Return the rule that a text breaks in a prompt of a role; None if it says nothing of others."""
        if self.record.words.has(text, role):
            return None
        read = plain(text)
        for whose, words in self._private(read, time):
            if not self.record.words.holds(words, role):
                return "private.text", f"{_beginning(words)} is said in {whose}, which is private"
        for passage in self.record.others.said_in(read):
            if passage.whose == role or self.record.words.holds(passage.words, role):
                continue
            if passage.whose.startswith("session "):
                return "prompt.quotation", f"{_beginning(passage.words)} of {passage.whose[8:]} is not quoted as such"
            return "prompt.reply", f"{_beginning(passage.words)} was said by {passage.whose}"
        return None

    def in_system(self, text: str, role: str, time: str) -> Broken | None:
        """Return the rule that a system message breaks. What the agent is told to be is in it, and is its own."""
        told = text.replace(self.record.agents.get(role, ""), "", 1)
        if self.house.has(told, ""):
            return None
        private = (Passage(words, whose) for whose, words in self._private(told, time))
        for passage in chain(self.record.people.said_in(told), self.record.others.said_in(told), private):
            if not self.house.holds(passage.words, ""):
                return "prompt.system", f"{_beginning(passage.words)} is what {passage.whose} said"
        self.house.add([told])
        return None

    def _private(self, text: str, time: str) -> Iterator[tuple[str, str]]:
        """Yield (session, words) of what sessions say that are private at that time."""
        if self.neighbours is None:
            return
        for passage in self.neighbours.private_passages().said_in(text):
            if passage.whose != self.record.session and self.neighbours.is_private(passage.whose, time):
                yield passage.whose, passage.words


def _beginning(words: str) -> str:
    return repr(shorten(words, 60))
