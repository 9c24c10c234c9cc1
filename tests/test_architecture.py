"""The house stands as drawn: layers, a pure domain, and start-up that loads only what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def tool(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool that reads the code, without coverage's tracing: it runs none of it."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_PROCESS")}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environ, capture_output=True, text=True, check=False, timeout=580
    )


def test_import_contracts_hold() -> None:
    done = tool("-c", "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())")
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    done = tool("-m", "ruff", "check", "--no-cache", ".")
    assert done.returncode == 0, done.stdout


def test_code_is_formatted() -> None:
    done = tool("-m", "ruff", "format", "--no-cache", "--check", ".")
    assert done.returncode == 0, done.stdout


def test_types_are_strict_and_sound(tmp_path: Path) -> None:
    done = tool("-m", "mypy", "--cache-dir", str(tmp_path))
    assert done.returncode == 0, done.stdout


HEAVY = (
    "textual",
    "rich",
    "pydantic_ai",
    "pydantic",
    "openai",
    "anthropic",
    "google.genai",
    "tinydb",
    "asyncio",
    "msgspec",
    "numpy",
    "redis",
    "jinja2",
    "markdown_it",
)
LIST_HEAVY = (
    "numpy",
    "textual",
    "pydantic_ai",
    "pydantic",
    "openai",
    "anthropic",
    "google.genai",
    "tinydb",
    "asyncio",
    "redis",
    "jinja2",
    "markdown_it",
)
RUN_HEAVY = ("textual", "pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "tinydb", "redis", "jinja2")


def loaded(argv: list[str], cwd: Path) -> set[str]:
    """Run a command in a clean interpreter and return what it imported."""
    script = (
        "import sys\nfrom workbench.__main__ import main\nsys.argv = ['workbench', *sys.argv[1:]]\nmain()\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *argv], cwd=cwd, capture_output=True, text=True, check=True, timeout=240
    )
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("argv", "forbidden"),
    [
        (["--help"], HEAVY),
        (["run", "--help"], HEAVY),
        (["sessions", "list", "--json"], LIST_HEAVY),
        (["run", "Paint the fence by May", "--approve", "all"], RUN_HEAVY),
    ],
    ids=["help", "run help", "list", "run"],
)
def test_a_command_loads_only_what_it_needs(argv: list[str], forbidden: tuple[str, ...], tmp_path: Path) -> None:
    assert loaded(argv, tmp_path).isdisjoint(forbidden)


def test_the_library_is_imported_when_it_is_first_used() -> None:
    script = "import sys, workbench; before = 'workbench.bootstrap' in sys.modules; workbench.Workspace; print(before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=240)
    assert done.stdout.strip() == "False"


def test_top_level_is_as_the_user_laid_it_out() -> None:
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    top = {path.split("/")[0] for path in tracked.splitlines()}
    allowed = {
        "pyproject.toml",
        "workbench",
        "tests",
        "themes",
        "sessions",
        "README.md",
        "LICENSE",
        "CHANGELOG.md",
        "docs",
    }
    assert {name for name in top if not name.startswith(".")} <= allowed
