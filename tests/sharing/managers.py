"""Shared contexts and coordinators for tests: over the log in memory and over files, with a clock that is counted."""

from itertools import count

from tests.memory_log import MemoryLog
from workbench.sharing.coordinator import SessionCoordinator
from workbench.sharing.shared_context import SharedContextManager
from workbench.storage.files.lives import FileLives
from workbench.storage.files.log import FileLog


def manager(log, **options):
    """A manager as one process has it; two over the same log are two processes to each other."""
    ticks = count(1)
    fields = {"person": "ada", "workspace": "w-1", "now": lambda: f"2026-11-22T08:00:00.{next(ticks):06}Z"}
    return SharedContextManager(log, **(fields | options))


def a_log(kind, folder, request=None):
    """A log of its own; files are opened anew by each call, as another process would."""
    if kind == "redis":
        return request.getfixturevalue("redis_store").shared_log()
    return MemoryLog(shared=True) if kind == "memory" else FileLog(folder / "shared", shared=True, durable=False)


def coordinator(folder, session, *, lives=None):
    """A session's coordinator over files, as the process that has it open has one."""
    lives = lives or FileLives(folder / "lives")
    shared = manager(a_log("files", folder), is_alive=lambda one: lives.holder(one) is not None)
    return SessionCoordinator(session, shared, lives)
