"""How much of what was recalled into prompts the replies quote: by the records alone, and word for word.

That a reply says a run of 40 characters or more of what was recalled says that it cites it, and no more: what it was
influenced by nobody knows. A paraphrase counts as not cited.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
from workbench.domain.session.copies import Recent
from workbench.replay.audit.conversation import Conversation
from workbench.replay.audit.passages import Passages


class Citations(msgspec.Struct, frozen=True, kw_only=True):
    """What recall spent in a session's prompts, and what of it was cited."""

    items: int = 0
    """Things that were recalled into prompts, each as often as it was sent and answered."""
    tokens: int = 0
    """About how many they took."""
    cited_items: int = 0
    cited_tokens: int = 0


class Citing:
    """Counts while events are read, the oldest first."""

    def __init__(self) -> None:
        self.citations = Citations()
        self._texts: dict[tuple[str, str], str] = {}
        self._conversation = Conversation()
        self._recent = Recent()
        self._asked: dict[str, say.CallStarted] = {}

    def take(self, event: Event) -> None:
        """Take the next event. Raises LogDamaged."""
        body = say.content(self._recent.whole(event))
        self._recent = self._recent.after(event)
        self._texts.update((("", one.id), one.text) for one in self._conversation.take(event, body))
        match body:
            case say.EntityStored():
                self._texts["", f"entity:{event.id}"] = body.content
            case say.OthersSearched():
                self._texts.update(((one.session, one.id), one.text) for one in body.found)
            case say.CallStarted():
                self._asked[body.call] = body
            case say.CallFinished() if (call := self._asked.pop(body.call, None)) is not None:
                self._count(call, body.text)

    def _count(self, call: say.CallStarted, reply: str) -> None:
        relevant = call.context.relevant if call.context is not None else ()
        recalled = {(one.session, one.id): one for one in relevant if one.source == "semantic"}
        passages = Passages()
        for session, item in recalled:
            passages.add(self._texts.get((session, item), ""), f"{session} {item}")
        said = {passage.whose for passage in passages.said_in(reply)}
        cited = [one.tokens for (session, item), one in recalled.items() if f"{session} {item}" in said]
        before = self.citations
        self.citations = Citations(
            items=before.items + len(recalled),
            tokens=before.tokens + sum(one.tokens for one in recalled.values()),
            cited_items=before.cited_items + len(cited),
            cited_tokens=before.cited_tokens + sum(cited),
        )


def citations(events: Iterable[Event]) -> Citations:
    """Return what was recalled from this session and others, and cited in the reply. Raises LogDamaged."""
    citing = Citing()
    for event in events:
        citing.take(event)
    return citing.citations
