"""What a program sees of the workbench: names, reprs, types, and the examples in the documentation."""

from __future__ import annotations

import ast
import asyncio
import runpy
import shutil
import subprocess
import sys
import threading
import venv
import zipfile
from pathlib import Path

import msgspec
import pytest
import workbench
from workbench import Workspace, approving_all

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))
LAST_LINES = {
    "give_feedback": "True saved as version 1",
    "own_model": "waiting 1 True",
    "plan_and_approve": "finished version 2",
    "replay_and_fork": "Same up to event 8, and apart since.",
    "search_across": "['The auditors come in May']",
    "shared_context": "[(True, 'active'), (False, 'active')]",
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_as_it_stands(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], full_counts: bool
) -> None:
    monkeypatch.setenv("WORKBENCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.chdir(tmp_path)
    if full_counts:  # in a process of its own, as a person starts it
        subprocess.run([sys.executable, str(example)], check=True)
    else:
        runpy.run_path(str(example), run_name="__main__")
    out, err = capfd.readouterr()
    assert err == ""
    assert out.splitlines()[-1] == LAST_LINES[example.stem]


def test_the_readme_links_to_every_example() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {path.stem for path in EXAMPLES} == LAST_LINES.keys()
    assert [path.name for path in EXAMPLES if f"(docs/examples/{path.name})" not in readme] == []


def test_type_checkers_see_the_names_that_can_be_imported() -> None:
    imports = [node for node in ast.walk(ast.parse(Path(workbench.__file__).read_text())) if isinstance(node, ast.If)]
    seen = {
        (name.asname, node.module)
        for block in imports
        for node in ast.walk(block)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert seen == {(name, f"workbench.{module}") for name, module in workbench._PLACES.items()}
    for name in workbench.__all__:
        assert getattr(workbench, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        workbench.Nothing  # noqa: B018  # looking is what is tested


def test_the_typed_program_touches_every_name() -> None:
    program = (ROOT / "tests" / "library" / "typed_program.py").read_text(encoding="utf-8")
    assert [name for name in workbench.__all__ if f"w.{name}" not in program] == []


def test_what_a_program_holds_says_what_it_is(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path, environ={"WORKBENCH_CONFIG": str(tmp_path / "none.toml")})
    manager = workspace.start("Paint the fence by May 2029")
    session = workspace.session(manager.session_id)
    assert repr(workspace) == f"<Workspace {tmp_path}>"
    assert repr(session) == f"<Session {session.id} in {tmp_path}>"
    assert repr(manager) == f"<IterationManager of {session.id}: running>"
    assert repr(session.state()) == f"<SessionState of {session.id}: running, event 1>"


def test_a_with_block_closes_what_it_opened(tmp_path: Path) -> None:
    threads, files = set(threading.enumerate()), _open_files()
    with Workspace.open(tmp_path, environ={"WORKBENCH_CONFIG": str(tmp_path / "none.toml")}) as workspace:
        manager = workspace.start("Paint the fence by May 2029")
        session = workspace.session(manager.session_id)
        coordinator = session.coordinator()
        coordinator.start(lambda _events: None)
        coordinator.update_shared("phase", "painting")
        assert set(threading.enumerate()) > threads
        assert _open_files() > files
    assert set(threading.enumerate()) == threads
    assert _open_files() == files
    assert [info.status for info in workspace.sharing_sessions()] == []
    assert asyncio.run(session.resume().run(approving_all())).status == "finished", "what is closed opens again on use"
    workspace.close()
    assert _open_files() == files


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir())) if Path("/proc/self/fd").is_dir() else 0


@pytest.mark.full
def test_a_program_against_the_wheel_is_typed(tmp_path: Path) -> None:
    """The default run checks the same program against the sources (``tests/test_architecture.py``)."""
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv")
    (site,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "dependencies.pth").write_text(str(Path(msgspec.__file__).parents[1]))
    program = tmp_path / "program.py"
    shutil.copy(ROOT / "tests" / "library" / "typed_program.py", program)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", str(tmp_path / "cache")]
    command += ["--python-executable", str(tmp_path / "venv" / "bin" / "python"), str(program)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=580)
    assert done.returncode == 0, done.stdout + done.stderr
