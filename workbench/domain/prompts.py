"""A recorded prompt, word for word as it was sent: messages of the session are recorded by their ids.

What a session's own messages say stands in its history once; ``call.started`` names them, and has only the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from workbench.domain.session.context import Message
from workbench.domain.session.session import SessionState


def as_sent(messages: Sequence[Message], state: SessionState) -> tuple[Message, ...]:
    """Return a prompt's messages with their texts; one that the session does not have, in a doctored file, is empty."""
    wanted = {message.item for message in messages if message.item}
    texts = {name: said.text for said in state.history if (name := f"message:{said.id}") in wanted} if wanted else {}
    return tuple(
        replace(message, content=texts.get(message.item, "")) if message.item else message for message in messages
    )
