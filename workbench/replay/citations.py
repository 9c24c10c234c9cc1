"""How much of what was recalled into prompts the replies quote: by the records alone, and word for word.

That a reply says a run of 40 characters or more of what was recalled says that it cites it, and no more: what it was
influenced by nobody knows. A paraphrase counts as not cited.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from workbench.domain.log.envelope import Event
from workbench.domain.session import events as say
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


def citations(events: Iterable[Event]) -> Citations:
    """Return what was recalled from this session and others, and cited in the reply. Raises LogDamaged."""
    texts: dict[tuple[str, str], str] = {}
    conversation, asked = Conversation(), dict[str, say.CallStarted]()
    sent: list[int] = []
    cited: list[int] = []
    for event in events:
        body = say.content(event)
        texts.update((("", one.id), one.text) for one in conversation.take(event, body))
        match body:
            case say.EntityStored():
                texts["", f"entity:{event.id}"] = body.content
            case say.OthersSearched():
                texts.update(((one.session, one.id), one.text) for one in body.found)
            case say.CallStarted():
                asked[body.call] = body
            case say.CallFinished() if (call := asked.pop(body.call, None)) is not None and call.context is not None:
                recalled = {(one.session, one.id): one for one in call.context.relevant if one.source == "semantic"}
                passages = Passages()
                for session, item in recalled:
                    passages.add(texts.get((session, item), ""), f"{session} {item}")
                said = {passage.whose for passage in passages.said_in(body.text)}
                sent += (one.tokens for one in recalled.values())
                cited += (one.tokens for (session, item), one in recalled.items() if f"{session} {item}" in said)
    return Citations(items=len(sent), tokens=sum(sent), cited_items=len(cited), cited_tokens=sum(cited))
