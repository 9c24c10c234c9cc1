"""The terminal, lent to the person's editor."""

from __future__ import annotations

import asyncio
from typing import Any

from textual.app import App, SuspendNotSupported

from workbench.domain.errors import UsageError
from workbench.export.editor import edit_text


async def edited(app: App[Any], text: str, *, otherwise: str = "") -> str:
    """Return a text as the person's editor leaves it. Raises UsageError; ``otherwise`` is what can be done then."""
    try:
        with app.batch_update(), app.suspend():  # batched: nothing is drawn while the editor has the screen
            return await asyncio.to_thread(edit_text, text)
    except SuspendNotSupported:
        raise UsageError("An editor cannot be started in this terminal.", otherwise) from None
