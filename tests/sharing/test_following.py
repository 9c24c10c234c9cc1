"""Following a shared stream that is not there yet: it is waited for, and not listened to again and again."""

from __future__ import annotations

import pytest
from workbench.domain.errors import NotFound
from workbench.domain.shared.context import SharedState
from workbench.sharing import following
from workbench.storage.files.watching.stopping import Stop


class Absent:
    """A log whose stream comes to be after a few looks; the second who follows ends."""

    def __init__(self, stopped: Stop, looks: int) -> None:
        self.follows = self.looks = 0
        self._stopped, self._until = stopped, looks

    def follow(self, _stream, **_more):
        self.follows += 1
        if self.looks < self._until:
            raise NotFound("There is no stream.")
        self._stopped.set()
        return iter(())

    def epoch(self, _stream):
        self.looks += 1
        if self.looks < self._until:
            raise NotFound("There is no stream.")
        return "e"


@pytest.mark.parametrize("looks", [1, 7])
def test_a_stream_that_is_not_there_is_listened_to_once_it_is(monkeypatch, looks):
    monkeypatch.setattr(following, "_FIRST_PAUSE", 0)
    stopped = Stop()
    log = Absent(stopped, looks)
    assert list(following.follow(log, "shared", stopped, state=SharedState())) == []
    assert (log.follows, log.looks) == (2, looks)


def test_waiting_for_a_stream_ends_when_told(monkeypatch):
    monkeypatch.setattr(following, "_FIRST_PAUSE", 0)
    stopped = Stop()
    log = Absent(stopped, 1_000_000)
    monkeypatch.setattr(log, "epoch", lambda _stream: stopped.set() or log.follow(_stream))
    assert list(following.follow(log, "shared", stopped, state=SharedState())) == []
