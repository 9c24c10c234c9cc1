"""A line of the input that begins with ``:`` is a command: what may come next, and what it would do.

    ":S3 ow"          ─look─▶ suggestion "ned by", below: what may come next
    ":S3 owner Anna"  ─look─▶ below: S3 owner: Ben → Anna · 2 steps move

Pure. Everything slow is here, so that the screen can have it done in a thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from workbench.domain.commands import Completion, complete
from workbench.domain.commands.errors import NoCommand
from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.plan import Plan
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean, clean_name
from workbench.export.edits import preview_line
from workbench.planning.beside_the_loop.commanding import worked_out

_MOST_OF_A_LINE = 300
_MOST_OFFERED = 6  # what may come next, at most


@dataclass(frozen=True, slots=True)
class Look:
    """What a command that is being written looks like."""

    suggestion: str = ""
    """What may be behind the cursor; "" if nothing is meant by what is there."""
    below: str = ""
    """What it would do, or what may come next; a line."""
    plan: Plan | None = None
    """The plan as it would be; None if it is not a command, or not yet."""


def look(state: SessionState, command: str, today: date, me: str) -> Look:
    """Return what a command would do to a session, or what may come next in it; a plan's texts are anybody's."""
    seen = _look(state, command, today, me)
    return Look(clean(seen.suggestion).replace("\n", " "), clean_name(seen.below, _MOST_OF_A_LINE), seen.plan)


def _look(state: SessionState, command: str, today: date, me: str) -> Look:
    if state.plan is None:
        return Look(below="There is no plan yet that a command could change.")
    offered = complete(command, state.plan, today)
    suggestion = next(filter(None, (_rest(one, command) for one in offered)), "")
    if command.strip():
        try:
            commanded = worked_out(state, command, today, me=me)
            return Look(suggestion, preview_line(commanded), commanded.plan)
        except NoCommand as error:
            if error.unread.end < len(command):  # the word at the cursor may only be half written
                return Look(suggestion, error.unread.why)
        except WorkbenchError as error:
            return Look(suggestion, str(error))
    shown = dict.fromkeys(one.text.strip() or one.hint for one in offered if one.kind != "end")
    return Look(suggestion, " · ".join(list(shown)[:_MOST_OFFERED]))


def _rest(one: Completion, command: str) -> str:
    """Return what a completion puts after what is typed; "" if nothing of it is."""
    typed = command[one.start :]
    begins = bool(typed) and one.kind != "end" and one.text.casefold().startswith(typed.casefold())
    return one.text[len(typed) :] if begins else ""


def error_lines(error: WorkbenchError) -> str:
    """Return an error as it is below the input: of a command, with a caret below its place."""
    return clean(str(error.unread)) if isinstance(error, NoCommand) else str(error)
