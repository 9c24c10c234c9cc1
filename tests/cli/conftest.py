"""The command line in this process: arguments in, exit code and output back."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from workbench.cli import run_command


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def last(self) -> dict[str, Any]:
        return self.lines[-1]


Command = Callable[..., Result]


@pytest.fixture
def workbench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run a command in an empty folder, without a terminal, keys or settings of the machine's user."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "user-config.toml"))
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY", "EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, stdin: str | bytes = "") -> Result:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        code = run_command(arguments)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    return run


GOAL = "Move our billing to the new provider by 30 June 2028 without downtime"


@pytest.fixture
def finished(workbench: Command) -> str:
    """The id of a finished session."""
    result = workbench("run", GOAL, "--approve", "all", "--json")
    assert result.code == 0, result.err
    return str(result.last["session"])
