"""Sessions that share a context, each with a process of its own to itself: two managers over one shared log.

project = Project()
a = project.begin(ending="a1a1", script=script)     a session that takes part
project.share("deadline", "30 June")                what another session says, as the loop of none does
project.look()                                      everything that is shared now
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from tests.builders import Script, again, begin, task_name
from tests.memory_log import MemoryLog
from tests.sharing.managers import manager
from workbench.domain.log.ids import SessionId
from workbench.planning.iteration_manager import IterationManager
from workbench.sharing.coordinator import SessionCoordinator
from workbench.storage.ports import EventLog

PEER = "peer-b-b2b2"
"""A session that only shares."""


class OpenElsewhere(SessionCoordinator):
    """A session's part that is never started: as if another process had it open, and took part for it."""

    def publish(self, course: Mapping[str, Any], *, works: bool) -> None:
        self.elsewhere = "Another process has it open."
        super().publish(course, works=works)


def taking_part(session: str, shared: EventLog) -> SessionCoordinator:
    """A session's part over a manager of its own."""
    return OpenElsewhere(session, manager(shared), None)


class Project:
    """A log of sessions and a log that they share."""

    def __init__(self, shared: EventLog | None = None) -> None:
        self.log = MemoryLog()
        self.shared = MemoryLog(shared=True) if shared is None else shared
        self._peer = manager(self.shared)

    def coordinate(self, session: SessionId) -> SessionCoordinator:
        """A session's part, over a manager of its own, as another process would have it."""
        return taking_part(session, self.shared)

    def begin(self, ending: str = "a1a1", **options: Any) -> IterationManager:
        return begin(log=self.log, ending=ending, coordinate=self.coordinate, **options)

    def again(self, session: str, *, shares: bool = True, **options: Any) -> IterationManager:
        return again(self.log, session, coordinate=self.coordinate if shares else None, **options)

    def share(self, key: str, value: Any, *, by: str = PEER) -> None:
        assert self._peer.update_context(by, key, value).event is not None

    def delete(self, key: str, *, by: str = PEER) -> None:
        self._peer.get_context(by)
        assert self._peer.delete(by, key).event is not None

    def look(self) -> dict[str, Any]:
        return self._peer.state().context().data

    def said_by(self, session: str) -> list[str]:
        """The kinds of what a session wrote into the shared log."""
        return [event.kind for event in self.shared.read("events") if event.session == session]


def asked(script: Script, task: str) -> str:
    """The last message of the last prompt for a task."""
    return next(one for one in reversed(script.requests) if task_name(one) == task).messages[-1].content


def quoted(prompt: str) -> list[dict[str, str]]:
    """What a prompt quotes of the shared context."""
    start = '<input name="shared_context">\n'
    if start not in prompt:
        return []
    found: list[dict[str, str]] = json.loads(prompt.split(start)[1].split("\n</input>", maxsplit=1)[0])
    return found
