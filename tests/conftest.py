"""Options that turn the suite's small counts into the full ones."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("workbench")
    group.addoption("--kills", type=int, default=None, help="how many processes the kill -9 tests kill, each")
    group.addoption("--full-counts", action="store_true", help="run every count as large as the issue asks for")


@pytest.fixture
def full_counts(request: pytest.FixtureRequest) -> bool:
    """Whether counts are as large as the issue asks for."""
    return bool(request.config.getoption("--full-counts"))


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """How many processes a kill -9 test kills: --kills, else 500 with --full-counts, else 20."""
    given = request.config.getoption("--kills")
    return int(given) if given is not None else 500 if request.config.getoption("--full-counts") else 20
