"""A session's screen with what a person says of it: how the work stands, a rating, an outcome, its calendar."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType

from workbench.tui.forms import calendar_form, status_form, verdict_form
from workbench.tui.keys import bind
from workbench.tui.main_rows import place_of
from workbench.tui.painting import CHANGES
from workbench.tui.reviewing import Reviewing
from workbench.tui.screens.form import Form, FormDialog
from workbench.tui.screens.learning import LearningDialog
from workbench.tui.screens.sharing_view import SharingView

if TYPE_CHECKING:
    from workbench.bootstrap import Session


def today() -> date:
    """Return the person's day, which reports are understood by."""
    return datetime.now().astimezone().date()


class TellingView(SharingView):
    """One session, and what is said of it beside its gates: at any time, whoever drives it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        bind("D", "status", "how the work stands…", "session.status", "Say what is done or late"),
        bind(
            "R",
            "replan",
            "plan again…",
            "session.replan",
            "Date every open step again, from today on; you see first what moves",
        ),
        bind(
            "asterisk",
            "verdict",
            "rate, outcome…",
            "session.rate",
            "Rate the plan or a round, and say what became of it",
        ),
        bind("L", "learning", "lessons…", "session.learning", "See what sessions teach"),
        bind("H", "calendar", "calendar…", "session.calendar", "Keep public holidays free"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what is said of a plan where there is one."""
        if action in ("status", "replan", "verdict", "calendar"):
            return self.state is not None and self.state.plan is not None
        return super().check_action(action, parameters)

    @property
    def can_change(self) -> bool:
        """Whether the plan can be changed at this moment."""
        return False

    def edit_plan(self, text: str) -> None:
        """Make an edited plan its next version."""

    def _session(self) -> Session:
        workspace = self.workbench.workspace
        if workspace is None:
            raise AssertionError  # a session is shown from a workspace
        return workspace.session(self.session)

    def ask(self, form: Form, then: Callable[[], None] = lambda: None) -> None:
        """Show a form, and say what was done; ``then`` is called where something was."""

        def done(what: str | None) -> None:
            self.workbench.tell(what)
            if what:
                then()

        self.workbench.push_dialog(FormDialog(form), done)

    def report(self, said: str, then: Callable[[], None]) -> None:
        """Show what a report does to the plan, and record it where the person agrees."""
        self.ask(status_form(self._session(), today(), said), then)

    def action_replan(self) -> None:
        """Date what is open again; what that changed is then reviewed like any other change."""
        version = self.state.version if self.state is not None else 0

        def review() -> None:
            self.view, self.reviewing = CHANGES, Reviewing(version=version + 1)
            self.plan_pane.focus()
            self._repaint()

        self.report("replan", review)

    def action_status(self) -> None:
        """Say how the work stands; on a step, that it is done."""
        plan = self.state.plan if self.state is not None else None
        pane = self.plan_pane
        place = place_of(plan, pane.chosen, pane.rows) if plan is not None and pane.has_focus else None
        chosen = place.quoted if place is not None else pane.chosen.removeprefix("step:") if pane.has_focus else ""
        is_step = plan is not None and chosen in {step.id for step in plan.steps}
        self.ask(status_form(self._session(), today(), f"{chosen} done" if is_step else ""))

    def action_verdict(self) -> None:
        """Rate the plan, and say what became of it."""
        if self.state is not None:
            self.ask(verdict_form(self._session(), self.state))

    def action_calendar(self) -> None:
        """Keep public holidays free."""
        if self.state is not None:
            take: Callable[[str], None] = partial(self.app.call_from_thread, self.edit_plan)
            self.ask(calendar_form(self.state, take))

    def action_learning(self) -> None:
        """See what saved sessions teach, and decide about it."""
        self.workbench.push_dialog(LearningDialog())
