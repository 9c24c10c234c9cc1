"""The grammar is loaded when the first command is read, once, and ships with the package."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

from workbench.cli import run_command
from workbench.domain.commands.grammar import grammar


def run(script: str, folder: Path | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=240, cwd=folder
    )
    return done.stdout.strip()


def test_neither_the_package_nor_the_room_loads_the_parser():
    script = (
        "import sys, workbench, workbench.domain.commands; print('lark' in sys.modules, 'rapidfuzz' in sys.modules)"
    )
    assert run(script) == "False False"


def test_the_first_command_loads_it():
    script = (
        "import sys\nfrom datetime import date\nfrom workbench.domain.commands import parse\n"
        "from workbench.domain.plan.plan import Plan\n"
        "parse('plan title \"Fair\"', Plan(title=''), date(2026, 11, 29))\n"
        "print('lark' in sys.modules, 'rapidfuzz' in sys.modules)"
    )
    assert run(script) == "True False"  # nothing that resembles is looked for


def test_it_is_built_once():
    assert grammar() is grammar()


def test_the_grammar_is_a_file_of_the_package():
    grammar_file = files("workbench.domain.commands").joinpath("commands.lark")
    assert "QUOTED" in grammar_file.read_text()
    wheel = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'packages = ["workbench"]' in wheel  # every file of the package, this one too


def loaded_by(folder: Path, *commands: list[str]) -> set[str]:
    """Which of the grammar and the templates commands of the command line load, one behind the other."""
    script = (
        "import sys\nfrom workbench.cli import run_command\n"
        f"for arguments in {commands!r}: run_command(arguments)\nprint()\n"
        "known = ('lark', 'workbench.domain.commands', 'workbench.templates')\n"
        "print('loaded', *(name for name in known if name in sys.modules))"
    )
    return {*run(script, folder).splitlines()[-1].split()[1:]}


def test_a_command_loads_neither_grammar_nor_templates_that_it_does_not_use(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "steps.txt").write_text("Build 2d\n")
    run_command(["run", "Make a shed", "--steps", "steps.txt", "--approve", "all"])
    [session] = [file.stem for file in (tmp_path / ".workbench/sessions").glob("*.jsonl")]
    assert loaded_by(tmp_path, ["sessions"], ["due"], ["models"], ["plan", session]) == set()
    edited = loaded_by(tmp_path, ["edit", session, "S1 owner Anna", "--yes"])
    assert edited == {"lark", "workbench.domain.commands"}
