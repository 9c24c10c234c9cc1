"""Keys of screens and widgets: each has a name by which a person gives it another key, and words that help shows."""

from __future__ import annotations

from textual.binding import Binding


def bind(
    keys: str,
    action: str,
    words: str,
    name: str,
    tooltip: str,
    *,
    priority: bool = False,  # goes before what has the focus
) -> Binding:
    """Return a binding."""
    return Binding(keys, action, words, id=name, tooltip=tooltip, priority=priority)
