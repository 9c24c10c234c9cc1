"""Marks and colours: each of both says the same thing, so that either is enough.

The marks have an ASCII form for terminals that draw the others wrongly.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from workbench.tui.lines import text


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs that are beside a colour."""

    asks: str = "▲"
    runs: str = "▸"
    done: str = "✔"
    failed: str = "✕"
    here: str = "▸"
    session_bar: str = "┃"
    retrieved_bar: str = "┊"
    meter_full: str = "━"
    meter_empty: str = "─"
    meter_condensed: str = "═"
    meter_retrieved: str = "┅"
    divider: str = "│"
    found: str = "!"
    noted: str = "»"
    changed: str = "Δ"
    partly: str = "◐"
    conflict: str = "≠"
    critical: str = "▄"
    planned: str = "━"
    slack: str = "╌"
    today: str = "│"
    due: str = "◆"
    rests: str = "○"
    folded: str = "▹"
    unfolded: str = "▿"
    rule: str = "─"

    def bar(self, *, is_own: bool = True) -> Content:
        """Return the bar beside what is this session's own, or another's: shape and hue say so."""
        return text(f"{self.session_bar} ", OWN) if is_own else text(f"{self.retrieved_bar} ", ELSEWHERE)


ASCII_MARKS = Marks(*"!>+x>|:=-#:|!n~%*#=-|o.+--")

DIM, ASKS, DONE, FAILED, FOCUS = "$text-muted", "$warning", "$success", "$error", "$primary"
OWN, ELSEWHERE = "$secondary", "$accent"
"""Colours of what is this session's own, and of what comes from another."""
