"""What a person says of a session beside its gates: how the work stands, a rating, an outcome."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import TYPE_CHECKING

from workbench.tui.keys import bind
from workbench.tui.session.painting import CHANGES
from workbench.tui.session.review.reviewing import Reviewing
from workbench.tui.session.view import SessionView

if TYPE_CHECKING:  # forms are imported with the first one
    from workbench.tui.form import Form


def today() -> date:
    """Return the person's day, which reports are understood by."""
    return datetime.now().astimezone().date()


class Reports:
    """What is said of a session, at any time, whoever drives it."""

    BINDINGS = (
        bind("D", "status", "how the work stands…", "session.status", "Say what is done or late"),
        bind("R", "replan", "plan again…", "session.replan", "Date every open step again; you see first what moves"),
        bind("asterisk", "verdict", "rate, outcome…", "session.rate", "Rate the plan, and say what became of it"),
        bind("L", "app.show_learning", "lessons…", "session.learning", "See what sessions teach"),
    )

    def __init__(self, screen: SessionView, steps: Callable[[], tuple[str, ...]]) -> None:
        """Take what gives the chosen ``steps``."""
        self._screen, self._steps = screen, steps

    def acts(self, action: str) -> bool | None:
        """Tell whether an action acts now; None for one of somebody else."""
        state = self._screen.state
        if action in ("status", "replan", "verdict"):
            return state is not None and state.plan is not None
        return None

    def _ask(self, form: Form, then: Callable[[], None] = lambda: None) -> None:
        from workbench.tui.form import FormDialog

        def done(what: str | None) -> None:
            self._screen.workbench.tell(what)
            if what:
                then()

        self._screen.workbench.push_dialog(FormDialog(form), done)

    def report(self, said: str, then: Callable[[], None] = lambda: None) -> None:
        """Show what a report does to the plan, and record it if the person agrees."""
        from workbench.tui.settings.forms import status_form

        self._ask(status_form(self._screen.in_workspace, today(), said), then)

    def replan(self) -> None:
        """Date what is open again; what that changed is then reviewed like any other change."""
        screen = self._screen
        version = screen.state.version if screen.state is not None else 0

        def review() -> None:
            screen.view, screen.reviewing = CHANGES, Reviewing(version=version + 1)
            screen.plan_pane.focus()
            screen.repaint()

        self.report("replan", review)

    def status(self) -> None:
        """Say how the work stands; on steps, that they are done."""
        pane = self._screen.plan_pane
        steps = self._steps() if pane.has_focus else ()
        self.report(f"{' '.join(steps)} done" if steps else "")

    def verdict(self) -> None:
        """Rate the plan, and say what became of it."""
        from workbench.tui.settings.forms import verdict_form

        if self._screen.state is not None:
            self._ask(verdict_form(self._screen.in_workspace, self._screen.state))
