"""What holds for every test: the same environment everywhere, and options for the full counts."""

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator

import hypothesis
import pytest
from hypothesis import is_hypothesis_test
from tests.redis_server import redis_server, redis_store  # noqa: F401  # fixtures


def pytest_configure() -> None:
    """Keep what this shell happens to set from deciding a test."""
    for name in [name for name in os.environ if name == "NO_COLOR" or name.startswith(("TEXTUAL_", "WORKBENCH_"))]:
        if not name.startswith("TEXTUAL_SNAPSHOT"):  # the snapshot plugin's own
            del os.environ[name]
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    os.environ["TZ"] = "UTC"
    time.tzset()
    gc.set_threshold(50_000, 20, 20)  # painting makes so many objects that looking for cycles took a third of its time
    hypothesis.settings.register_profile(
        "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
    hypothesis.settings.load_profile("any machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let examples, walks and pictures run without coverage's tracing, which takes half of their time.

    They reach what the tests of single cases reach: lines are counted there.
    """
    for item in items:
        walks = is_hypothesis_test(getattr(item, "obj", None)) or item.path.parent.name == "properties"
        if walks or "look" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.no_cover)


def pytest_sessionfinish() -> None:
    """Look for cycles once at the end: pytest does so five times, over all that is there."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Trace nothing where a test says ``no_cover``.

    pytest-cov pauses its own tracer there, and the one that each worker of xdist began as a process takes over.
    """
    if item.get_closest_marker("no_cover") is None:
        return (yield)
    here, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(here)
        threading.settrace(in_threads)


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
