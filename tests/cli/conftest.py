"""The command line in this process: arguments in, exit code and output back."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from tests.builders import Script, propose_reply
from tests.json_schemas import FOLDER
from workbench import Workspace
from workbench.cli import run_command
from workbench.cli.parser import build_parser
from workbench.domain.session.events import IterationResult
from workbench.models.scripted import CallableModel
from workbench.planning.policies import nobody


@cache
def validator(schema: str) -> jsonschema.Draft202012Validator:
    """Return what checks an object against its schema in docs/json."""
    return jsonschema.Draft202012Validator(json.loads((FOLDER / f"{schema.replace('/', '-')}.json").read_text()))


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What was printed as JSON; each object fits its published schema."""
        printed = [json.loads(line) for line in self.out.splitlines()]
        for value in printed:
            if isinstance(value, dict) and "schema" in value:
                validator(value["schema"]).validate(value)
        return printed

    @property
    def last(self) -> dict[str, Any]:
        return self.lines[-1]


Command = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def parser() -> Iterator[None]:
    """Build the parser once: it takes an eighth of the time of these tests."""
    built = build_parser()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("workbench.cli.parser.build_parser", lambda _command="": built)
        yield


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


Once = Callable[[str, Callable[[], Any]], Any]
"""The fixture ``once``."""
_prepared: dict[str, tuple[Path, Any]] = {}


@pytest.fixture
def once(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Once:
    """``once("what", make)``: what was made in the folder; later tests get a copy of its files."""

    def prepared(what: str, make: Callable[[], Any]) -> Any:
        if what not in _prepared:
            before = {path.name for path in tmp_path.iterdir()}
            made = make()
            kept = tmp_path_factory.mktemp("prepared") / "folder"
            shutil.copytree(tmp_path, kept, ignore=lambda folder, _names: before if folder == str(tmp_path) else set())
            _prepared[what] = kept, made
        else:
            kept, made = _prepared[what]
            shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
        return made

    return prepared


GOAL = "Move our billing to the new provider by 30 June 2028 without downtime"
MOVE = ("--template", "move-system:cohorts", "--keep", "1-15", "--deadline", "30 June 2028")
"""Options of ``run`` with which it plans GOAL without a model."""


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a workspace with a finished session is kept for all tests, once the first of them has planned it."""
    return tmp_path_factory.mktemp("planned") / ".workbench"


@pytest.fixture
def finished(workbench: Command, tmp_path: Path, planned: Path) -> str:
    """The id of a finished session; of a copy where the test has no workspace of its own yet."""
    here = tmp_path / planned.name
    is_new = not here.exists()
    if is_new and planned.exists():
        shutil.copytree(planned, here)
        (file,) = here.glob("sessions/*.jsonl")
        return file.stem
    result = workbench("run", GOAL, *MOVE, "--approve", "all", "--json")
    assert result.code == 0, result.err
    if is_new:
        shutil.copytree(here, planned)
    return str(result.last["session"])


@pytest.fixture
def questioned(workbench: Command, tmp_path: Path) -> str:
    """The id of a session whose model asks two questions before it offers approaches; without one, nobody asks."""
    assert workbench
    script = Script().then("propose", propose_reply(questions=("What may it cost?", "Who decides?")))
    with Workspace.open(tmp_path) as workspace:
        manager = workspace.start(GOAL, model=CallableModel(script, name="told"), recall=False)
        asyncio.run(manager.run(nobody))
        return str(manager.session_id)


INSIGHT = "The old provider answers on Mondays only."


@pytest.fixture
def taught(finished: str, tmp_path: Path) -> str:
    """The id of a finished session, of which a program stored an iteration with an insight."""
    result = IterationResult(iteration_num=2, plan="# Billing", key_insights=(INSIGHT,))
    with Workspace.open(tmp_path) as workspace:
        workspace.session(finished).resume().store_iteration_result(result)
    return finished
