"""Going to a place in a replay: the number of an event, or a time."""

from __future__ import annotations

from workbench.replay.recording import Recording
from workbench.tui.form import Box, Form, FormDialog
from workbench.tui.replay.going_to import place_named


class GoToDialog(FormDialog):
    """Ends with the number of an event."""

    def __init__(self, recording: Recording) -> None:
        about = f"an event from 1 to {recording.length:,}, or a time of that day"
        box = Box("place", "213 or 12:03")
        super().__init__(
            Form("Go to", about, lambda values: str(place_named(recording, values["place"])), (box,), verb="go")
        )
