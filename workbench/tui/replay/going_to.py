"""A place in a recording, as a person names it: the number of an event, or a time of the day it was recorded.

"213", "1,204"      that event
"12:03", "12:03:22" the first event at that time or later, where the person is
"""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime, timedelta

from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.replay.recording import Recording
from workbench.tui.form import Box, Form

_TIME = lazy_pattern(r"(\d{1,2}):(\d{2})(?::(\d{2}))?")


def go_to_form(recording: Recording) -> Form:
    """Return the form that asks for a place; what was done is the number of an event."""
    about = f"an event from 1 to {recording.length:,}, or a time of that day"
    box = Box("place", "213 or 12:03")
    return Form("Go to", about, lambda values: str(place_named(recording, values["place"])), (box,), verb="go")


def place_named(recording: Recording, named: str) -> int:
    """Return the number of the event that is meant. Raises UsageError where there is none."""
    said = named.strip()
    digits = said.replace(",", "")
    if digits.isdecimal() and digits.isascii():
        return recording.events[recording.place(int(digits)) - 1].seq
    time = _TIME.fullmatch(said)
    if time is None:
        raise UsageError(f"{clean_name(said, 40) or 'Nothing'} is no event and no time.", "Give 213, or 12:03.")
    return recording.events[_at_time(recording, *(int(part or 0) for part in time.groups()))].seq


def _at_time(recording: Recording, hours: int, minutes: int, seconds: int) -> int:
    """Return the index of the first event at a time of day, counted from the first event on."""
    try:
        begun = datetime.fromisoformat(recording.events[0].time).astimezone()
        wanted = begun.replace(hour=hours, minute=minutes, second=seconds, microsecond=0)
    except (ValueError, OverflowError) as error:
        raise UsageError("There is no such time in this session.", "Give the number of an event.") from error
    if wanted < begun.replace(microsecond=0):
        wanted += timedelta(days=1)
    index = bisect_left(recording.times, (wanted - begun).total_seconds())
    if index == len(recording.events):
        raise UsageError("Nothing happened at that time or later.", "Give an earlier time, or the number of an event.")
    return index
