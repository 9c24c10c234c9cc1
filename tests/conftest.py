"""What holds for every test: the same environment everywhere, and options for the full counts."""

from __future__ import annotations

import compileall
import gc
import os
import pkgutil
import shutil
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import pytest
import workbench
from _pytest.assertion import rewrite
from _pytest.assertion.rewrite import assertstate_key
from hypothesis import HealthCheck, is_hypothesis_test, settings
from hypothesis.internal.charmap import intervals_from_codec
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants
from tests.redis_server import redis_server, redis_store  # noqa: F401  # fixtures

EXAMPLES = 6
"""How many examples a test draws by default, at most."""


def leave_out_settings(folder: str) -> None:
    """Keep what this shell happens to set from deciding a test, or a picture.

    Settings, and sockets of processes that are killed, are kept in a folder apart.
    """
    for name in [name for name in os.environ if name.startswith(_UNWANTED)]:
        if not name.startswith("TEXTUAL_SNAPSHOT"):  # the snapshot plugin's own
            del os.environ[name]
    os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_RUNTIME_DIR"] = folder  # never that of who runs the tests
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    os.environ["TZ"] = "UTC"
    os.environ["LANGUAGE"] = "C"  # else argparse looks for a translation of each of its words, in the file system
    time.tzset()


def pytest_configure(config: pytest.Config) -> None:
    """Set up the process as tests need it, and choose how examples are drawn."""
    folder = tempfile.mkdtemp(prefix="workbench-", dir="/tmp" if os.name == "posix" else None)  # short, for sockets
    config.add_cleanup(partial(shutil.rmtree, folder, ignore_errors=True))
    leave_out_settings(folder)
    if locks := config.getoption("--locks"):
        os.environ["WORKBENCH_LOCKS"] = locks
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as for a job in the background; programs would inherit it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if not config.getoption("--full-counts"):
        os.fsync = os.fdatasync = lambda _file: None  # nobody cuts this machine's power, and a busy disk takes its time
    sys.dont_write_bytecode = False  # each worker would rewrite the assertions of every test in every run
    if not hasattr(config, "workerinput"):  # in a new clone each worker would compile everything, all at once
        compileall.compile_dir(Path(workbench.__file__).parent, quiet=2, workers=0)
        if config.getoption("numprocesses", default=None):
            _prepare_for_workers(config)
    gc.set_threshold(50_000, 20, 20)  # painting makes so many objects that looking for cycles took a third of its time
    _register_profiles()
    settings.load_profile("full" if config.getoption("--full-counts") else "same")  # --hypothesis-profile comes later
    if not config.getoption("--full-counts"):
        _draw_without_sources()


def _prepare_for_workers(config: pytest.Config) -> None:
    """Do once, on two cores, what each worker would do for itself in a new clone.

    pytest keeps tests with rewritten assertions beside them, Python compiled packages, and Hypothesis the characters of
    UTF-8 in its folder.
    """

    def rewritten(file: Path) -> None:
        kept = rewrite.get_cache_dir(file) / (file.stem + rewrite.PYC_TAIL)
        with suppress(SyntaxError, OSError):  # said where the file is collected
            if rewrite._read_pyc(file, kept) is None:
                kept.parent.mkdir(exist_ok=True)
                source, code = rewrite._rewrite_test(file, config)
                rewrite._write_pyc(config.stash[assertstate_key], code, source, kept)

    files = [file for pattern in ("test_*.py", "conftest.py") for file in sorted(Path(__file__).parent.rglob(pattern))]
    work = [partial(_compiled, package) for package in _LARGE] + [partial(rewritten, file) for file in files]
    work.insert(1, partial(intervals_from_codec, "utf-8"))
    helpers = []
    for part in (work[::2], work[1::2]):
        if (helper := os.fork()) == 0:
            try:
                with warnings.catch_warnings(action="ignore"):
                    for act in part:
                        act()
            finally:
                os._exit(0)
        helpers.append(helper)
    for helper in helpers:
        os.waitpid(helper, 0)


_LARGE = ("anthropic", "openai", "pydantic_ai", "google.genai", "mcp", "textual.app", "openpyxl", "aiohttp", "numpy")
"""Packages that take seconds to compile."""


def _compiled(package: str) -> None:
    """Import a package that was never imported."""
    with suppress(ImportError):
        found = find_spec(package)
        if found is not None and found.cached is not None and not Path(found.cached).exists():
            import_module(package)


_UNWANTED = (
    "NO_COLOR",
    "TEXTUAL_",
    "WORKBENCH_",
    "PYTHONDONTWRITEBYTECODE",
    "CLAUDECODE",
    "GEMINI_CLI",
    "OPENCODE",
    "CODEX_",
    "CURSOR_AGENT",
    "COPILOT_CLI",
)
"""Prefixes of environment variables that change what a test sees, or let each process compile the product again."""


def _register_profiles() -> None:
    """Register ``same`` (the same examples in every run), ``random`` (as many others), and ``full`` (more, others)."""
    unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("same", unhurried, max_examples=EXAMPLES, derandomize=True, database=None)
    settings.register_profile("random", unhurried, max_examples=EXAMPLES, print_blob=True)
    settings.register_profile("full", unhurried, max_examples=100, print_blob=True)


def _draw_without_sources() -> None:
    """Draw no constants of the product's and the tests' sources.

    Hypothesis parses all that is imported for them, four seconds in each worker, and what it draws depends on what was
    imported by then: no two runs would draw the same.
    """
    providers._get_local_constants = lambda: _NO_CONSTANTS


_NO_CONSTANTS = Constants()


@pytest.hookimpl(trylast=True)  # after -k and -m have chosen
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose what runs by default, in which order, and what of it counts for coverage."""
    if not config.getoption("--full-counts"):
        for item in filter(_is_drawn, items):
            _limit_examples(item, _cases(item) or EXAMPLES)
        _deselect(config, items, {*_further_cases(items), *_long_ways(items)})
    if config.getoption("--snapshot-update"):
        _deselect(config, items, {item for item in items if not _is_picture(item)})
    items.sort(key=lambda item: item.get_closest_marker("first") is None)
    screens: set[str] = set()
    for item in items:
        if item.get_closest_marker("no_cover"):  # pytest-cov's own, which would begin another tracer
            raise pytest.UsageError(f"{item.nodeid}: mark it with untraced instead of no_cover")
        function = item.nodeid.partition("[")[0]
        item.stash[_IS_TRACED] = function not in screens and _is_traced(item)
        if item.path.parent.name == "tui":
            screens.add(function)


_IS_TRACED = pytest.StashKey[bool]()


def _is_traced(item: pytest.Item) -> bool:
    """Whether a test counts for coverage.

    Tracing doubles a test's time. Examples, walks and pictures reach what single cases reach; so do the further cases
    of a test of screens. Lines that only these reach count as missed.
    """
    folder = item.path.parent.name
    return not (_is_drawn(item) or _is_picture(item) or folder == "properties" or item.get_closest_marker("untraced"))


def _is_drawn(item: pytest.Item) -> bool:
    """Whether a test runs on examples that hypothesis draws."""
    return is_hypothesis_test(getattr(item, "obj", None))


def _is_picture(item: pytest.Item) -> bool:
    return "look" in getattr(item, "fixturenames", ())


def _cases(item: pytest.Item) -> int:
    """Return how many cases a test runs by default; 0 for all of them."""
    marker = item.get_closest_marker("cases")
    return int(marker.args[0]) if marker else 0


def _limit_examples(item: pytest.Item, most: int) -> None:
    """Let a test draw no more examples than the default run does, whatever number it names for the full counts."""
    test = getattr(item, "obj", None)
    is_machine = hasattr(test, "_hypothesis_state_machine_class")
    holder, name = (item.cls, "settings") if is_machine else (test, "_hypothesis_internal_use_settings")  # type: ignore[attr-defined]
    named = getattr(holder, name)
    setattr(getattr(holder, "__func__", holder), name, settings(named, max_examples=min(named.max_examples, most)))


def _further_cases(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the cases that a test leaves to --full-counts; which ones depends on their names alone."""
    cases = defaultdict(list)
    for item in items:
        if not _is_drawn(item) and (most := _cases(item)):
            cases[item.nodeid.partition("[")[0], most].append(item)
    for (_, most), same in cases.items():
        yield from sorted(same, key=lambda item: crc32(item.nodeid.encode()))[most:]


def _long_ways(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield the tests that take long to prove what shorter ones prove in part."""
    return (item for item in items if item.get_closest_marker("full"))


def _deselect(config: pytest.Config, items: list[pytest.Item], chosen: set[pytest.Item]) -> None:
    items[:] = [item for item in items if item not in chosen]
    config.hook.pytest_deselected(items=list(chosen))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """End without work that nobody sees: it took five seconds in each worker.

    pytest looks for cycles five times, over all that is there; a worker's summary is not shown, and for it syrupy
    compares the name of each test with each picture.
    """
    if hasattr(session.config, "workerinput"):
        session.config.pluginmanager.unregister(name="syrupy")
    else:
        gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[object]:
    """Trace how the product is imported, but not the tests."""
    if sys.gettrace() is not None:
        for module in pkgutil.walk_packages(workbench.__path__, "workbench."):
            import_module(module.name)
    with _tracing(_NOTHING):
        collected = yield
    gc.freeze()  # half a million objects that stay: looking for cycles among them takes a third of a second each time
    return collected


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    """Trace nothing around a test: neither its fixtures nor pytest itself."""
    item.stash[_TRACING] = _Tracing.now()
    with _tracing(_NOTHING):
        return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[object]:
    """Trace a test itself, and the processes that it starts, where they count for coverage."""
    with _tracing(item.stash[_TRACING] if item.stash[_IS_TRACED] else _NOTHING):
        return (yield)


class _Tracing(NamedTuple):
    """What follows each line for coverage."""

    here: Any
    in_threads: Any
    in_processes: dict[str, str]
    """Environment variables that let a new process trace itself."""

    @classmethod
    def now(cls) -> _Tracing:
        return cls(sys.gettrace(), threading.gettrace(), _process_variables())

    def begin(self) -> None:
        for name in _process_variables():
            del os.environ[name]
        os.environ.update(self.in_processes)
        threading.settrace(self.in_threads)
        sys.settrace(self.here)


_NOTHING = _Tracing(None, None, {})
_TRACING = pytest.StashKey[_Tracing]()


def _process_variables() -> dict[str, str]:
    names = ("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START")
    return {name: os.environ[name] for name in names if name in os.environ}


@contextmanager
def _tracing(tracing: _Tracing) -> Iterator[None]:
    before = _Tracing.now()
    tracing.begin()
    try:
        yield
    finally:
        before.begin()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("workbench")
    group.addoption("--kills", type=int, default=None, help="how many processes the kill -9 tests kill, each")
    group.addoption("--locks", choices=["ofd", "flock"], default=None, help="lock files in this way only")
    group.addoption("--full-counts", action="store_true", help="run every count as large as the issue asks for")


@pytest.fixture
def full_counts(request: pytest.FixtureRequest) -> bool:
    """Whether counts are as large as the issue asks for."""
    return bool(request.config.getoption("--full-counts"))


@pytest.fixture
def flock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lock files as on a system without locks on open file descriptions, in the processes that a test starts too."""
    monkeypatch.setenv("WORKBENCH_LOCKS", "flock")


@pytest.fixture
def kills(request: pytest.FixtureRequest) -> int:
    """How many processes a kill -9 test kills: --kills, else 500 with --full-counts, else 10."""
    given = request.config.getoption("--kills")
    return int(given) if given is not None else 500 if request.config.getoption("--full-counts") else 10
