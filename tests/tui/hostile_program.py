"""The application in a process of its own, with a hostile model, a careless widget or a defect: ``… SCENARIO``.

planning    the installed command; its model says hostile things, slowly, fails once, and answers then
careless    a screen that cleans nothing, and output that goes past the screen
crashing    a defect whose message is hostile, when a goal is given
drawn       the same, in an error that draws itself
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from tests.builders import Script, plan_reply, propose_reply, task_name, verify_reply
from tests.tui.hostile import HALVES, IN_A_FILE, PROSE
from tests.tui.hostile_session import SHORT, plan
from textual.app import ComposeResult
from textual.widgets import Static
from workbench.bootstrap import Workspace
from workbench.bootstrap.models import TrustedModels
from workbench.cli import run_command
from workbench.domain.errors import ModelDenied
from workbench.domain.loop.asking.tasks import Approach, Finding
from workbench.models.ports import Done, Part, Request, TextDelta, Usage
from workbench.tui.app import WorkbenchApp
from workbench.tui.base import WorkbenchScreen
from workbench.tui.home.start import StartScreen
from workbench.tui.lines import text
from workbench.tui.session.view import SessionView

GO = Path("go")
"""The file that lets the second half of the first plan come."""


class HostileModel:
    """Says hostile things in pieces, as a model may; its first plan stops in the middle until a test lets it go on."""

    name = SHORT[0].text
    window = 100_000

    def __init__(self) -> None:
        said = IN_A_FILE.text
        approaches = (
            Approach(id=f"A{n}", title=name.text, summary=said, outline=(said,), advantages=(said,))
            for n, name in enumerate(SHORT[:3], start=1)
        )
        sections = plan(said, SHORT[:3], 1).sections[:-1]
        finding = Finding(rule="model", severity="minor", text=said, remedy=said)
        self._script = Script()
        self._script.then("propose", propose_reply(*approaches, questions=(said,)))
        self._script.then("plan", plan_reply(*sections, title=SHORT[1].text, insights=(said,)))
        self._script.then("verify", ModelDenied(PROSE.text, PROSE.text), verify_reply(finding, insights=(said,)))

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        """Say what the script says."""
        said = self._script(request)
        half = len(said) // 2
        yield TextDelta(said[:half])
        while task_name(request) == "plan" and not await asyncio.to_thread(GO.exists):  # noqa: ASYNC110 - a file comes
            await asyncio.sleep(0.01)
        yield TextDelta(said[half:])
        yield Usage(input_tokens=1, output_tokens=1, cost=None)
        yield Done(reason="stop", model=SHORT[2].text)


def planning() -> None:
    model = HostileModel()
    TrustedModels._open = lambda _self, _model: model  # type: ignore[method-assign]


class Careless(WorkbenchScreen[None]):
    """Makes every mistake: raw text, markup, links and actions, in widgets, frames and styles."""

    CSS = "Careless > Static { border: round red; height: auto; }"

    def compose(self) -> ComposeResult:
        """Return a widget with raw text, and one whose markup is interpreted."""
        for content, markup in ((PROSE.text, False), (MARKED, True)):
            careless = Static(content, markup=markup)
            careless.border_title = MARKED
            careless.border_subtitle = text(PROSE.text)  # type: ignore[assignment]  # Textual takes content too
            yield careless


MARKED = "[@click=app.quit]quit[/] [link='https://evil.example']there[/] [@click=app.bell]ring[/]"


def careless() -> None:
    def on_mount(self: WorkbenchApp) -> None:
        self.push_screen(Careless())
        self.notify(PROSE.text, title=PROSE.text, markup=False, timeout=600)
        self.title = self.sub_title = PROSE.text
        sayable = IN_A_FILE.text
        print(sayable)
        print(sayable, file=sys.stderr)
        logging.getLogger("hostile").warning(sayable)
        threading.Thread(target=_defect).start()

    WorkbenchApp.on_mount = on_mount  # type: ignore[method-assign]


def crashing() -> None:
    Workspace.start = _defect  # type: ignore[method-assign]


class DrawnError(RuntimeError):
    """Knows how it wants to look, as some errors of Textual do."""

    def __rich__(self) -> str:
        return f"[blink]{IN_A_FILE.text}"


def breaking() -> None:
    planning()
    SessionView.show = _defect  # type: ignore[method-assign]


def drawn() -> None:
    def on_draft_sent(*_given: object) -> None:
        raise DrawnError(PROSE.text)

    StartScreen.on_draft_sent = on_draft_sent  # type: ignore[method-assign, assignment]


def _defect(*_given: object) -> None:
    raise RuntimeError(PROSE.text, HALVES[0].text)


if __name__ == "__main__":
    scenarios = {one.__name__: one for one in (planning, careless, crashing, drawn, breaking)}
    scenarios[sys.argv[1]]()
    sys.exit(run_command(sys.argv[2:]))
