"""A file of anybody's, read as a plan in a process of its own (foreign.py): no text of a file can hold up anything.

text ─▶ read_plan ─▶ the process: import_plan ─▶ Imported, or UsageError: unusable, or too much to read
"""

from __future__ import annotations

import atexit
import threading
from datetime import date
from functools import cache, lru_cache

import msgspec

from workbench.domain.errors import UsageError
from workbench.domain.plan.importing.imported import Imported
from workbench.domain.plan.plan import Plan
from workbench.foreign import Apart, Defective, TooCostly

SECONDS, WORK = 120.0, 20
"""That reading a file may take, and seconds of work in it, which are the same on a busy machine."""


class TooMuchToRead(UsageError):
    """A file that takes longer to read, or more memory, than it may."""


_one_at_a_time = threading.Lock()


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is read, and as what."""

    text: str
    name: str
    today: date
    base: Plan | None


class Answered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The plan, or why the file cannot be used."""

    imported: Imported | None = None
    message: str = ""
    remedy: str = ""


def read_plan(text: str, *, name: str = "", today: date, base: Plan | None = None) -> Imported:
    """Return the plan that a file's text is, as ``import_plan`` does. Blocks. Raises UsageError, TooMuchToRead."""
    asked = msgspec.json.encode(Asked(text=_encodable(text), name=_encodable(name), today=today, base=base))
    try:
        with _one_at_a_time:
            return _read_apart(asked)
    except TooCostly:
        raise TooMuchToRead(
            f"{_encodable(name) or 'The text'} takes too long to read.", "Give a part of it, or one task a line."
        ) from None
    except Defective as error:
        raise UsageError(
            f"{_encodable(name) or 'The text'} cannot be read: a defect of the workbench ({error}).",
            "Give its tasks in a plain list, one a line, and please report the defect.",
        ) from None
    except OSError as error:
        raise UsageError(f"No process reads the file: {error.strerror}.", "Close other programs.") from error


@lru_cache(maxsize=1)  # a preview, the session that begins with it, and its planner read the same file
def _read_apart(asked: bytes) -> Imported:
    answered = msgspec.json.decode(_process().read(asked, SECONDS, work=WORK), type=Answered)
    if answered.imported is None:
        raise UsageError(answered.message, answered.remedy)
    return answered.imported


def _encodable(text: str) -> str:
    return text.encode(errors="replace").decode()


@cache
def _process() -> Apart:
    """Return the process that reads: one, as it takes half a second to begin."""
    process = Apart("workbench.plan_files:answer")
    atexit.register(process.close)
    return process


def answer(asked: bytes) -> bytes:
    """Read a file, in the process that does."""
    from workbench.domain.plan.importing.reading import import_plan

    told = msgspec.json.decode(asked, type=Asked)
    try:
        answered = Answered(imported=import_plan(told.text, name=told.name, today=told.today, base=told.base))
        return msgspec.json.encode(answered)
    except UsageError as error:
        answered = Answered(message=error.message, remedy=error.remedy)
    return msgspec.json.encode(answered)
