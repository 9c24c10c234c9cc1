"""A session followed in a thread: a screen is told each new state.

    SessionLog.follow (thread) ─▶ SessionChanged(state) ─▶ the screen of that session, and no other

Everything a screen shows comes this way: from its own driving, from another terminal, from a command. Where states come
from is a ``Source``, so that a sample or a replay can be shown by the same screen.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass

from textual.message import Message

from workbench.domain.errors import LogBusy, LogError, LogUnavailable, NotFound, StaleHead
from workbench.domain.log.envelope import Event
from workbench.domain.session.session import SessionState
from workbench.planning.session_log import Pace, SessionLog
from workbench.storage.files.watching.stopping import Stop
from workbench.tui.pauses import settle
from workbench.tui.session.records.looking_back import in_portions

OpenLog = Callable[[Pace], SessionLog]
"""Opens the log of a session, or catches up with it."""
Source = Callable[[Stop, Callable[[Message], object]], None]
"""Posts SessionChanged as states come, until it is stopped: ``source(stopped, post)``, in a thread of its own."""


@dataclass
class SessionChanged(Message):
    """The session has another state."""

    state: SessionState
    is_anew: bool = False
    """Whether its log was read from the start: what was read of it before may be forgotten."""


@dataclass
class FollowingFailed(Message):
    """The session's log cannot be followed."""

    error: LogError | NotFound
    goes_on: bool = False
    """Whether it is tried again: the place of the log may come back."""


def following(open_log: OpenLog) -> Source:
    """Return where the states of a session in a log come from."""
    return lambda stopped, post: follow(open_log, stopped, post)


async def follow_apart(source: Source, post: Callable[[Message], object]) -> None:
    """Let a source post its states from a thread of its own, until this is cancelled. Raises what the source raises.

    Not from the event loop's pool: that has few threads, every open session would keep one of them, and with all of
    them taken nothing could be painted or decided any more.
    """
    loop, ended, context = asyncio.get_running_loop(), asyncio.Event(), copy_context()
    stopped = Stop()
    failures: list[Exception] = []

    def work() -> None:
        try:
            context.run(source, stopped, post)
        except Exception as error:  # noqa: BLE001 - raised again if it is awaited
            failures.append(error)
        with suppress(RuntimeError):  # the application has ended
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=work, name="follow", daemon=True).start()
    try:
        await ended.wait()
    finally:
        stopped.set()
    if failures:
        raise failures[0]


def follow(open_log: OpenLog, stopped: Stop, post: Callable[[Message], object]) -> None:
    """Follow a session until it is stopped; for a thread of its own. ``post`` must be safe to call from threads."""

    def until_stopped(events: Iterator[Event]) -> Iterator[Event]:
        for event in in_portions(events):
            if stopped():
                raise _Stopped
            yield event

    reported = ""
    while not stopped():
        try:
            log = open_log(until_stopped)
            state = log.state
            post(SessionChanged(state, is_anew=True))
            if state.seq > _LONG:
                settle()
            reported = ""
            for newest in log.follow(stopped, after=state.seq):
                post(SessionChanged(newest))
        except StaleHead:  # the file was replaced: read it again from its start
            continue
        except (LogUnavailable, LogBusy) as error:
            if reported != error.message:
                reported = error.message
                post(FollowingFailed(error, goes_on=True))
            stopped.wait(_AGAIN_AFTER)
        except (LogError, NotFound) as error:
            post(FollowingFailed(error))
            return
        except _Stopped:
            return


class _Stopped(Exception):
    """The session is not followed any more."""


_AGAIN_AFTER = 1.5  # seconds until a log that was away is looked for again
_LONG = 2000  # events from which a session is heavy enough to matter to the garbage collection
