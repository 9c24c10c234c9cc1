"""The bytes that reach a terminal when everything that can be hostile is: no escape of a text, no action, no crash.

hostile_program.py in a pseudo-terminal ─▶ every byte it writes ─▶ judged() ─▶ strange == ()
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import tomlkit
from tests.tui.hostile import ESCAPES, IN_A_FILE, PROSE, UNSEEN, Hostile
from tests.tui.hostile_session import SHORT, write
from tests.tui.real_terminal import RealTerminal, real_terminal
from tests.tui.terminal_stream import Judged, judged
from workbench.tui.settings.themes import shipped_folder

ROOT = Path(__file__).parents[2]
SIZE = COLUMNS, ROWS = 120, 40
PROGRAM = (sys.executable, "-m", "tests.tui.hostile_program")
HOSTILE_FOLDER = b"w\x1b]0;owned\x07[@click=app.quit]list[int]\xe2\x80\xae\xff"
CLIPBOARD = "␛]52;c;aGk=␇"
PASTED = b"\x1b[200~%b\x1b[201~"


class Recorded:
    """A program in a pseudo-terminal, of which every byte is kept."""

    def __init__(self, terminal: RealTerminal) -> None:
        self.terminal = terminal
        self._written = io.BytesIO()
        terminal.child.logfile_read = self._written

    def paste(self, pasted: bytes) -> None:
        """Paste bytes, as a terminal does that passes everything on."""
        self.terminal.child.send(PASTED % pasted)

    def click_on(self, words: str) -> int:
        """Click on every place where words stand; return how many there were."""
        lines = self.terminal.shown.split("\n")
        places = [(line.index(words) + 1, y) for y, line in enumerate(lines, start=1) if words in line]
        for x, y in places:
            self.terminal.child.send(f"\x1b[<0;{x};{y}M\x1b[<0;{x};{y}m")
        return len(places)

    def judged(self) -> Judged:
        """Wait for the end, and judge everything that was written."""
        self.terminal.ended()
        return judged(self._written.getvalue(), columns=COLUMNS, rows=ROWS)


@contextmanager
def recorded(*program: str, cwd: Path) -> Iterator[Recorded]:
    with real_terminal(*program, cwd=cwd, size=SIZE) as terminal:
        yield Recorded(terminal)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose name is hostile, with settings, themes and sessions that are."""
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + HOSTILE_FOLDER))
    user = folder / "user"
    (user / "themes").mkdir(parents=True)
    monkeypatch.setenv("WORKBENCH_CONFIG", str(user / "config.toml"))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in ("NO_COLOR", "COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    return folder


def furnished(folder: Path) -> None:
    """Put in what a person may have got from somebody else."""
    user = folder / "user"
    theme = tomlkit.parse((shipped_folder() / "night.toml").read_text())
    theme["name"] = SHORT[0].text
    (user / "themes" / "hostile.toml").write_text(tomlkit.dumps(theme))
    (user / "themes" / "not-utf-8.toml").write_bytes(b"name = '\xff\x9b5m'")
    (user / "themes" / os.fsdecode(b"\x1b]0;t\x07\xff.toml")).write_text(f"name = {IN_A_FILE.text!r}")
    keys = {"session.columns": "\x1b[5m", SHORT[3].text: "f9", SHORT[1].text: "f9", "list.open": "\x9d0;t\x9c"}
    (user / "config.toml").write_text(tomlkit.dumps({"theme": SHORT[0].text, "keys": keys}))
    write(folder / ".workbench" / "sessions", "finished", names=SHORT[:3])
    (folder / ".workbench" / "sessions" / "broken.jsonl").write_bytes(PROSE.text.encode(errors="replace") + b"\xff\n")


@pytest.mark.parametrize("item", [*ESCAPES, *UNSEEN], ids=str)
def test_the_judge_lets_nothing_through(item: Hostile) -> None:
    done = judged(f"\x1b[1mplain{item.text}".encode(), columns=COLUMNS, rows=ROWS)
    assert done.strange + done.hidden


@pytest.mark.parametrize(
    "lawful", ["\x1b[0m", "\x1b[1;38;2;1;2;3;48;5;9m", "\x1b[40;120H", "\x1b[?2026h", "a\r\nb", "é"]
)
def test_the_judge_knows_what_is_lawful(lawful: str) -> None:
    done = judged(lawful.encode(), columns=COLUMNS, rows=ROWS)
    assert (done.strange, done.hidden) == ((), ())


@pytest.mark.full
def test_planning_among_hostile_texts(folder: Path) -> None:
    furnished(folder)
    with recorded(*PROGRAM, "planning", cwd=folder) as run:
        plans_among_hostile_texts(run, folder / "go")
        looks_around(run.terminal)
        reads_what_is_from_elsewhere(run)
        run.terminal.press("ctrl+q")
        done = run.judged()
        assert run.terminal.child.exitstatus == 0
    assert (done.strange, done.hidden) == ((), ())
    assert not list(folder.glob("workbench-crash-*"))
    assert "Saved. Go on with: workbench open from-elsewhere-x1y2" in done.text


def plans_among_hostile_texts(run: Recorded, go: Path) -> None:
    """Goal, question, approaches, a reply that arrives, a model that fails, the plan, a note on it."""
    at = run.terminal
    at.sees("What do you want to plan")
    run.paste(IN_A_FILE.text.encode() + b" \xff\x9b5m")
    at.sees("t⟨U+2028⟩u")
    at.press("enter")
    at.sees("Question", "^Y answer", "list[int]", CLIPBOARD)
    at.press("ctrl+y")
    at.sees("Esc to the input")
    at.press("s")
    at.sees("Choose an approach", "␛]0;owned␇")
    at.press("ctrl+y")
    at.sees("Esc to the input")
    at.press("1")
    at.sees("being written", CLIPBOARD)
    at.press("ctrl+l", "t")
    at.sees("Transcript", "u001b]52;c;aGk=")  # as it arrives: JSON that is not decoded yet
    assert run.click_on("[@click=app.quit]Click[/]")
    go.touch()
    at.sees("No answer came", "␛]0;owned␇")  # the message of the provider that failed
    at.press("ctrl+y")
    at.sees("Esc to the input")
    at.press("t")
    at.sees("^Y answer")
    at.press("ctrl+l", "1")
    at.sees("Plan v2", "list[int]")
    at.press("home", "m")
    at.sees("Note on")
    run.paste(PROSE.text.encode(errors="replace"))
    at.sees("t⟨U+2028⟩u")
    at.press("enter")
    at.sees("note: ")


def looks_around(at: RealTerminal) -> None:
    """Changes and transcript, settings, palette, help."""
    at.press("ctrl+l", "2")
    at.sees("Changes")
    at.press("t")
    at.sees("Transcript", "generator")
    at.press("f2")
    at.sees("Settings", "Click[/]", "cannot be used", "␛]0;t␇⟨U+DCFF⟩.toml")
    at.press("end")
    at.sees("No key has the id")
    at.press("escape")
    at.sees("Transcript", without=["Settings"])
    at.press("ctrl+p")
    at.sees("Search for commands", "␛[5m")
    at.type("Click")
    at.sees("Theme: [@click=app.quit]Click[/]", without=["Theme: dusk"])
    at.press("escape")
    at.sees("Transcript", without=["Theme: "])
    at.press("f1")
    at.sees("In the plan", "Reject a change")
    at.press("escape")
    at.sees("Transcript", without=["Reject a change"])


def reads_what_is_from_elsewhere(run: Recorded) -> None:
    """The list of sessions, a search for something hostile, and somebody else's session in each of its views."""
    at = run.terminal
    at.press("ctrl+s")
    at.sees("from-elsewhere-x1y2", "broken")
    run.paste(SHORT[-1].text.encode())
    at.sees("pay⟨U+200B⟩pal⟨U+2060⟩")
    at.press("escape")
    at.sees("Transcript", without=["Enter open the first"])
    at.press("ctrl+s")
    at.sees("Sessions", "words inside")
    at.type("elsewhere")
    at.press("enter")
    at.sees("Saved as version 2", CLIPBOARD)
    at.press("ctrl+l", "2")
    at.sees("Changes v1", CLIPBOARD)
    at.press("t")
    at.sees("Transcript", "⟨U+202E⟩gnp.exe")


@pytest.mark.cases(1)
@pytest.mark.parametrize("arguments", [["open", SHORT[6].text], ["open", "--workspace", SHORT[9].text]])
def test_what_cannot_be_opened(arguments: list[str], folder: Path) -> None:
    with recorded(sys.executable, "-m", "workbench", *arguments, cwd=folder) as run:
        done = run.judged()
        assert run.terminal.child.exitstatus == 2
    assert (done.strange, done.hidden) == ((), ())
