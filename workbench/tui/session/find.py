"""Words to find on the page that is shown."""

from __future__ import annotations

from workbench.tui.form import Box, Form, FormDialog


class FindDialog(FormDialog):
    """Ends with what to look for; nothing ends the search."""

    def __init__(self, sought: str) -> None:
        box = Box("place", "words", sought)
        super().__init__(Form("Find on this page", "", lambda values: values["place"], (box,), verb="find"))
