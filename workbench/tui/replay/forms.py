"""Where in a session to go, and where to fork it: the session that is forked stays as it is.

Enter ─▶ the events up to there, copied, in a thread ─▶ the fork's own screen, if a gate asks how to continue
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.bootstrap import Workspace
from workbench.domain.errors import UsageError
from workbench.domain.log.rules import rules_change_text, stretches_of
from workbench.domain.text.cleaning import clean_name
from workbench.replay.recording import Recording
from workbench.tui.form import Box, Form, Values
from workbench.tui.pauses import BESIDE
from workbench.tui.session.records.looking_back import ReadEvents

_WHAT_HAPPENS = (
    "A session of its own begins with everything up to that event. This one stays as it is. "
    "No approval is taken over: the fork asks you before it goes on."
)


def fork_form(
    origin: str, read: ReadEvents, last: int, workspace: Callable[[], Workspace], tell: Callable[[str], object]
) -> Form:
    """Return the form that forks a session; what was done is the fork's id.

    ``origin`` is the name of the session, ``read`` reads all of it, ``last`` is where it stands. ``tell`` is given what
    a person should know where newer rules begin to apply. Both calls are made in the form's thread.
    """

    def fork(values: Values) -> str:
        at = _number(values["at"])
        if not 1 <= at <= last:
            raise UsageError("There is no such event yet.", f"Give a number from 1 to {last:,}.")
        to = workspace()
        with BESIDE:
            events = tuple(read())
            made = to.fork(events, at, name=values["name"])
            change = rules_change_text(stretches_of(events[:at]), stretches_of(made.events()))
        if change:
            tell(change)
        return made.id

    boxes = (
        Box("at", f"at event, 1 to {last:,}", str(last), is_named=True),
        Box("name", "called", f"Fork of {clean_name(origin)}", is_named=True),
    )
    title = f"Fork {clean_name(origin)}"
    return Form(title, _WHAT_HAPPENS, fork, boxes, verb="fork")


def _number(written: str) -> int:
    """Return the number of an event as it is typed; 0 for what is none."""
    given = written.replace(",", "")
    return int(given[:9]) if given.isascii() and given.isdigit() else 0


def go_to_form(recording: Recording) -> Form:
    """Return the form that asks for a place; what was done is the number of an event."""
    box = Box("place", f"an event from 1 to {recording.length:,}")
    return Form("Go to", "", lambda values: str(place_named(recording, values["place"])), (box,), verb="go")


def place_named(recording: Recording, named: str) -> int:
    """Return the number of the event that is meant. Raises UsageError if there is none."""
    if not (number := _number(named.strip())):
        raise UsageError(f"{clean_name(named, 40) or 'Nothing'} is not an event.", "Give its number, as 213.")
    return recording.events[recording.place(number) - 1].seq
