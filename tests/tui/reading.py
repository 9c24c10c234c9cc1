"""What a terminal's reader does with many keys at once."""

from __future__ import annotations

from typing import Any

from textual.events import Key
from textual.pilot import Pilot


def read_at_once(pilot: Pilot[Any], text: str) -> None:
    """Let a text arrive as keys that were read together: as a paste, from a terminal that does not mark it."""
    driver = pilot.app._driver
    assert driver is not None
    keys = [Key("enter" if character == "\n" else character, character) for character in text]
    for key in keys:
        key.time = keys[0].time
        driver.process_message(key)
