"""Keys of screens and widgets: each has a name by which a person gives it another key, and words that help shows."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual.binding import Binding


def let_alt_reach_digits() -> None:
    """Let Alt and a digit be a key in every terminal.

    Most send an escape before the digit, which Textual takes for what a Mac types with Option: ∞ or £.
    """
    known = cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)
    known |= {f"\x1b{digit}": (SimpleNamespace(value=f"alt+{digit}"),) for digit in range(10)}


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
