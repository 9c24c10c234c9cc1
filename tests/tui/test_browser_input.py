"""What a page sends faster than the application can take waits in the pipe, and not in memory."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from typing import Any, cast

import pytest
from textual.events import Key
from workbench.tui.browser_input import BrowserInput


class BusyApp:
    """An application that catches up while it is looked at."""

    def __init__(self, *waiting: int) -> None:
        self.waiting = list(waiting)
        self.screen_stack: list[Any] = []
        self.taken: list[object] = []

    @property
    def message_queue_size(self) -> int:
        return self.waiting.pop(0)

    async def _post_message(self, message: object) -> None:
        self.taken.append(message)

    def post_message(self, message: object) -> None:
        self.taken.append(message)


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A standard input that can be waited for."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as pipe, os.fdopen(writing, "w"):
        monkeypatch.setattr(sys, "__stdin__", pipe)
        yield


@pytest.mark.usefixtures("stdin")
async def test_no_more_is_read_while_the_application_is_behind() -> None:
    app = BusyApp(9_000, 9_000, 3)
    driver = BrowserInput(cast("Any", app))
    await asyncio.to_thread(driver.process_message, Key("a", "a"))
    assert not app.waiting
    app.waiting = [9_000, 9_000, 3]
    await asyncio.to_thread(driver.on_meta, "resize", {"width": 80, "height": 24})
    assert not app.waiting
    app.waiting = [9_000, 9_000]
    driver.exit_event.set()  # whoever leaves waits for nothing
    await asyncio.to_thread(driver.on_meta, "focus", {})
    assert len(app.waiting) == 1
    await asyncio.sleep(0)  # what was handed over from the thread
    assert len(app.taken) == 3
