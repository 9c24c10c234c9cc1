"""Keys of a text field act in the order in which they were pressed, however fast they come.

    a b ⌫ c, in one packet ─▶ field: a, b go in; ⌫ acts here, before c does ─▶ "ac"

Textual lets letters in at once, but sends a bound key up to the application before it acts: letters, and Enter, that
came with it overtake it there (Textualize/textual#6605). A slow connection delivers what is typed in such packets.
"""

from __future__ import annotations

from textual.events import Key
from textual.widget import Widget


async def act_at_once(field: Widget, event: Key) -> None:
    """Do here what a key is bound to in a field, by default or by its person; any other key goes its usual way."""
    if event.is_printable:
        return
    active = field.screen.active_bindings.get(event.key)
    if active is None or active.node is not field or not active.enabled:
        return
    if await field.app.run_action(active.binding.action, field):
        event.stop()
        event.prevent_default()
