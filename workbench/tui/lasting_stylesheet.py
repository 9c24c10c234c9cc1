"""Styles that are parsed when their colours change, and not whenever a screen is opened, as Textual does."""

from __future__ import annotations

from textual.css.stylesheet import Stylesheet


class LastingStylesheet(Stylesheet):
    """A stylesheet that keeps what it parsed for as long as its variables are the same."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._lasting = variables or {}
        self._is_stale = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Take other colours; the same again change nothing."""
        if variables != self._lasting:
            super().set_variables(variables)
            self._lasting = dict(variables)
            self._is_stale = True

    def reparse(self) -> None:
        """Apply other colours, where they were set; sources that were added are parsed when they are asked for."""
        if self._is_stale:
            self._is_stale = False
            self.parse()
