"""A stranger's workspace, planned once, and clones of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.cli.conftest import parser  # noqa: F401  # a fixture
from tests.hostile.trap import Trap, opened_trap
from tests.hostile.workspaces import FOR_APPLICATION, WAYS, Clone, Way, cloned, stranger_workspace


class Stranger(NamedTuple):
    """What a stranger publishes."""

    project: Path
    sessions: dict[str, str]


@pytest.fixture(scope="session")
def trap() -> Iterator[Trap]:
    """The stranger's server."""
    with opened_trap() as trap:
        yield trap


@pytest.fixture(scope="session")
def stranger(trap: Trap, tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """The stranger's project."""
    folder = tmp_path_factory.mktemp("stranger") / "project"
    folder.mkdir()
    return Stranger(folder, stranger_workspace(folder, trap.address))


CloneIn = Callable[[Way], Clone]


@pytest.fixture
def clone_in(stranger: Stranger, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CloneIn:
    """Clone the project, attack in a way, and go there as a person with keys in the environment."""
    numbers = iter(range(10_000))
    for name, value in trap.environment.items():
        monkeypatch.setenv(name, value)

    def clone_in(way: Way) -> Clone:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        clone = cloned(stranger.project, folder, trap.address, stranger.sessions)
        monkeypatch.setenv("WORKBENCH_CONFIG", str(clone.own / "config.toml"))
        monkeypatch.chdir(clone.project)
        way.prepare(clone)
        trap.take()
        return clone

    return clone_in


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let the application meet every way with --full-counts, and a few of them by default."""
    if "application_way" in metafunc.fixturenames:
        is_full = metafunc.config.getoption("--full-counts")
        ways = [way for way in WAYS if is_full or way.name in FOR_APPLICATION]
        metafunc.parametrize("application_way", ways, ids=[way.name for way in ways])
