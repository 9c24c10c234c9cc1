"""The whole main job with keys alone, in a real terminal, with the command as it is installed.

Behind it stands a language model on the loopback, which answers when the test lets it: so that a role can be watched
at work and interrupted in the middle of a reply.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.builders import UNDATED_DRAFT, execute_reply, generate_reply, notes, plan_reply, propose_reply, verify_reply
from tests.models.fake_openai import FakeServer, fake_server, hanging, text
from tests.tui.real_terminal import RealTerminal, real_terminal

WORKBENCH = str(Path(sys.executable).with_name("workbench"))
GOAL = "Move our billing to the new provider by 30 June 2028"
OTHER = "Paint the fence of the school before the summer fair"
EDITOR = """
import sys
from pathlib import Path

file = Path(sys.argv[1])
file.write_text(file.read_text().replace("Copy the customers", "Copy the customers by night"))
"""


class Planner:
    """Answers like a language model; holds the reply to a task while the test looks, until it lets it go."""

    def __init__(self) -> None:
        self._drafts = 0
        self._held = ""
        self._go_on = threading.Event()

    def hold(self, task: str) -> None:
        """Let the next reply to this task wait in its middle."""
        self._go_on.clear()
        self._held = task

    def release(self) -> None:
        """Let it go on."""
        self._held = ""
        self._go_on.set()

    def __call__(self, handler: Any) -> None:
        prompt = handler.server.requests[-1]["body"]["messages"][-1]["content"]
        heading = re.search(r"^# Task: (.+)$", prompt, re.MULTILINE)
        assert heading is not None
        reply = self._reply(heading[1])
        pieces = [reply[at : at + 200] for at in range(0, len(reply), 200)]
        if heading[1] == self._held:
            hanging(pieces[0], until=self._go_on, rest=pieces[1:])(handler)
        else:
            text(*pieces)(handler)

    def _reply(self, task: str) -> str:
        match task:
            case "propose approaches":
                return propose_reply(questions=["What may it cost?", "Who decides?"])
            case "plan":
                self._drafts += 1
                sections = UNDATED_DRAFT if self._drafts == 1 else ()
                return plan_reply(*sections, notes(f"Draft {self._drafts}, as agreed."), title="Move billing")
            case "verify the plan":
                return verify_reply()
            case "turn steps into actions":
                return execute_reply()
            case _:
                return generate_reply()


@pytest.fixture
def planner() -> Planner:
    return Planner()


@pytest.fixture
def server(planner: Planner) -> Iterator[FakeServer]:
    with fake_server() as running:
        running.will(planner)
        yield running
        planner.release()


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FakeServer) -> None:
    """A person's environment: a model, a checkpoint after every round, an editor, and settings of their own."""
    editor = tmp_path / "editor.py"
    editor.write_text(EDITOR)
    for name, value in {
        "WORKBENCH_CONFIG": str(tmp_path / "user" / "config.toml"),
        "WORKBENCH_MODEL": "openai:some-model",
        "WORKBENCH_BASE_URL": server.base_url,
        "WORKBENCH_CHECKPOINT": "1",
        "OPENAI_API_KEY": "sk-loopback-0123456789",
        "EDITOR": f"{sys.executable} {editor}",
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TMPDIR": str(tmp_path),
    }.items():
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "VISUAL", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.full
@pytest.mark.first
def test_the_main_job_with_keys_alone(tmp_path: Path, planner: Planner) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with real_terminal(WORKBENCH, cwd=work) as terminal:
        terminal.sees("What do you want to plan?", "Plans with openai:some-model")
        _answer_questions(terminal)
        _choose_and_watch(terminal, planner)
        _read_and_note(terminal)
        _compare_and_edit(terminal)
        _go_on_and_interrupt(terminal, planner)
        _finish(terminal)
        _begin_another(terminal)
        _find_rename_and_export(terminal)
        _switch(terminal)
        _choose_a_theme(terminal)
        _delete(terminal)
        session = _leave(terminal)
    _everything_is_there(session, work)
    assert 'theme = "paper"' in (tmp_path / "user" / "config.toml").read_text()


def _review(terminal: RealTerminal) -> None:
    """Go to the open question: its letters act from then on."""
    terminal.press("ctrl+y")
    terminal.sees("Esc to the ")


def _answer_questions(terminal: RealTerminal) -> None:
    terminal.type(GOAL)
    terminal.press("enter")
    terminal.sees("What may it cost?", "A question for you", "2. Who decides?")
    terminal.type("At most 20,000 EUR")
    terminal.press("enter")
    terminal.sees("Who decides?", "A question for you", "› your answer", without=["2. Who decides?"])
    _review(terminal)
    terminal.press("s")


def _choose_and_watch(terminal: RealTerminal, planner: Planner) -> None:
    terminal.sees("Choose an approach", "1  Way 1", "3  Way 3")
    _review(terminal)
    planner.hold("plan")
    terminal.press("2")
    terminal.sees("▸ planner", "Plan v1 is being written", "Esc interrupt")
    planner.release()
    terminal.sees("^Y answer", "Plan v1")


def _read_and_note(terminal: RealTerminal) -> None:
    terminal.press("ctrl+l", "pagedown")
    terminal.sees("Draft 1, as agreed.")
    terminal.press("home", "m")
    terminal.sees("Note on S1")
    terminal.type("Say whose billing this is")
    terminal.press("enter")
    terminal.sees("send 1 note", without=["Note on"])
    terminal.press("ctrl+l", "down", "m")
    terminal.sees("Note on S2")
    terminal.type("Paper ones too")
    terminal.press("enter")
    terminal.sees("send 2 notes", "note: Say whose billing this is", "note: Paper ones too")
    _review(terminal)
    terminal.press("b")
    terminal.sees("Plan v2", "^Y answer", without=["note: Paper ones too"])


def _compare_and_edit(terminal: RealTerminal) -> None:
    terminal.press("ctrl+l", "2")
    terminal.sees("Changes v1 → v2", "− Draft 1, as agreed.", "+ Draft 2, as agreed.")
    terminal.press("ctrl+g")
    terminal.sees("Changes v1 → v2", "^Y answer", "You edited the plan by hand")
    terminal.press("ctrl+l", "1")
    terminal.sees("Plan v3", "Copy the customers by night")


def _go_on_and_interrupt(terminal: RealTerminal, planner: Planner) -> None:
    planner.hold("verify the plan")
    _review(terminal)
    terminal.press("c")
    terminal.sees("▸ verifier", "Esc interrupt")
    terminal.press("escape")
    terminal.sees("Stopped: interrupted by you.", "^R goes on")
    planner.release()
    terminal.press("ctrl+r")
    terminal.sees("Plan v4", "^Y answer")


def _finish(terminal: RealTerminal) -> None:
    _review(terminal)
    terminal.press("F")
    terminal.sees("Finish all the same, with", "y finish")
    terminal.press("y")
    terminal.sees("Saved as version 4")


def _begin_another(terminal: RealTerminal) -> None:
    terminal.press("ctrl+n")
    terminal.sees("What do you want to plan?")
    terminal.type(OTHER)
    terminal.press("enter")
    terminal.sees("What may it cost?", "A question for you")


def _find_rename_and_export(terminal: RealTerminal) -> None:
    terminal.press("ctrl+s")
    terminal.sees("Sessions", "✔ Move our billing", "Enter open the first")
    terminal.type("biling provder")
    terminal.sees("✔ Move our billing", without=["▲ Paint the fence of the school"])
    terminal.press("down", "r")
    terminal.sees("Rename", "Enter rename")
    terminal.press("ctrl+u")
    terminal.type("Billing")
    terminal.press("enter")
    terminal.sees("Renamed to Billing.", "✔ Billing")
    terminal.press("e")
    terminal.sees("Written to ./")


def _switch(terminal: RealTerminal) -> None:
    terminal.press("enter")
    terminal.sees("Billing", "Saved as version 4", without=["A question for you"])
    terminal.press("ctrl+s")
    terminal.sees("Enter open the first")
    terminal.type("fence")
    terminal.press("enter")
    terminal.sees("What may it cost?", "A question for you", without=["Saved as version"])
    terminal.press("ctrl+s")
    terminal.sees("Enter open the first")
    terminal.type("billing")
    terminal.press("enter")
    terminal.sees("Saved as version 4", without=["A question for you"])


def _choose_a_theme(terminal: RealTerminal) -> None:
    terminal.press("f2")
    terminal.sees("▸ ✔ night")
    dark = terminal.colour_behind("Settings")
    terminal.press("down")
    terminal.sees("▸   paper")
    terminal.until(lambda: terminal.colour_behind("Settings") != dark, "the theme's own background")
    light = terminal.colour_behind("Settings")
    terminal.press("up")
    terminal.until(lambda: terminal.colour_behind("Settings") == dark, "the first background again")
    terminal.press("down", "enter")
    terminal.sees("▸ ✔ paper")
    terminal.press("escape")
    terminal.sees("Saved as version 4", without=["Settings"])
    terminal.until(lambda: terminal.colour_behind("Saved as version 4") == light, "the theme that was chosen")


def _delete(terminal: RealTerminal) -> None:
    terminal.press("ctrl+s")
    terminal.sees("Enter open the first")
    terminal.type("fence")
    terminal.sees("▲ Paint the fence of the school", without=["✔ Billing"])
    terminal.press("down", "d")
    terminal.sees("to the trash?", "y delete")
    terminal.press("y")
    terminal.sees("Moved to the trash.", "No session fits.")
    terminal.press("escape")
    terminal.sees("Saved as version 4", without=["Moved to the trash."])


def _leave(terminal: RealTerminal) -> str:
    """Quit; return the session that the farewell names."""
    terminal.press("ctrl+q")
    farewell = re.search(r"^Saved\. Go on with: workbench open (\S+)$", terminal.ended(), re.MULTILINE)
    assert farewell is not None
    assert terminal.child.exitstatus == 0
    return farewell[1]


def _everything_is_there(session: str, work: Path) -> None:
    (listed,) = _told("sessions", "list", cwd=work)
    assert (listed["session"], listed["name"], listed["status"]) == (session, "Billing", "finished")
    (shown,) = _told("sessions", "show", session, cwd=work)
    assert shown["goal"] == GOAL
    assert [one["number"] for one in shown["iterations"]] == [1, 2, 3]
    assert [one["by"] for one in shown["versions"]] == ["planner", "planner", "person", "planner"]
    assert (shown["saved_version"], shown["approach"]["id"]) == (4, "A2")
    assert "Copy the customers by night" in shown["plan"]["markdown"]
    assert [one["answer"] for one in shown["answers"]] == ["At most 20,000 EUR", ""]
    assert [one["text"] for one in shown["feedback"]] == ["S1: Say whose billing this is", "S2: Paper ones too"]
    assert "Copy the customers by night" in (work / f"{session}.md").read_text()


def _told(*command: str, cwd: Path) -> list[dict[str, Any]]:
    done = subprocess.run([WORKBENCH, *command, "--json"], cwd=cwd, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]
