"""A Redis server of our own: private, on a loopback port, killed and restarted at will.

@pytest.fixture(scope="session") redis_server ─▶ RedisServer, one for each worker
@pytest.fixture                  redis_store  ─▶ a RedisStore with a namespace of its own
"""

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import pytest
import redis
from tests.waiting import eventually
from workbench.storage.redis.store import RedisStore

_PROGRAMS = ("redis-server", "valkey-server")
_numbers = count(1)


class RedisServer:
    """One server process, with its data in one folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = ("--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder), "--save", "")
        command = [_program(), *options, "--appendonly", "yes", *self._options]
        with (self.folder / "log").open("ab") as said:
            self._process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        eventually(self._answers)

    def _answers(self) -> bool:
        try:
            with self.client() as client:
                return bool(client.ping())
        except redis.RedisError:
            assert self._process.poll() is None, (self.folder / "log").read_text()
            return False

    def client(self, **options) -> redis.Redis:
        """A client of redis-py's own, for looking behind the log's back."""
        return redis.Redis(port=self.port, protocol=2, **options)

    def kill(self) -> None:
        """End the server as a crash does."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def pause(self) -> None:
        """Let the server stand still."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it run again."""
        self._process.send_signal(signal.SIGCONT)

    def restart(self) -> None:
        """Kill the server and start it with what it had on its disk."""
        self.kill()
        self.start()

    def journal(self) -> Path:
        """The append-only file, as far as all that was answered is in it."""
        with self.client() as client:
            eventually(lambda: not client.info("persistence")["aof_buffer_length"])
        return max(self.folder.glob("appendonlydir/*.incr.aof"), key=lambda path: int(path.name.split(".")[2]))

    def wait_for_rewriting(self) -> None:
        """Wait until the append-only file has been written anew since the server was started."""
        with self.client() as client:
            eventually(lambda: _is_rewritten(client.info("persistence")))

    def store(self, workspace: str = "", **options) -> RedisStore:
        """A workspace on this server: a new one, or one by its name as another process opens it."""
        return RedisStore(self.url, workspace or new_workspace(), **options)


def new_workspace() -> str:
    """A name for a namespace that no test had before."""
    return f"w-{os.getpid()}-{next(_numbers)}"


def _program() -> str | None:
    return next(filter(None, map(shutil.which, _PROGRAMS)), None)


def free_port() -> int:
    """Return a port on which nothing listens, and that the system gives to no client.

    A server that is restarted needs its own port again. Of the ports that clients are given one may be taken meanwhile,
    and a client that is given the very port it calls is connected to itself.
    """
    first, last = map(int, Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split())
    ports = [port for port in range(10_000, 65_000) if not first <= port <= last]
    while True:
        port = random.choice(ports)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def require_redis() -> None:
    """Skip where there is no server to start, unless REQUIRE_REDIS=1 says that there has to be one."""
    if _program() is None:
        assert os.environ.get("REQUIRE_REDIS") != "1", "REQUIRE_REDIS=1, and redis-server is not installed"
        pytest.skip("redis-server is not installed (apt-get install redis-server)")


@pytest.fixture(scope="session")
def redis_server():
    """A server for this worker's tests; who kills it starts one of their own."""
    with a_server() as server:
        yield server


@contextmanager
def a_server(*options: str):
    """Start a server, and end it behind the test: ``with a_server("--appendfsync", "always") as server``."""
    require_redis()
    with tempfile.TemporaryDirectory(prefix="workbench-redis-") as folder:
        server = RedisServer(Path(folder), *options)
        try:
            yield server
        finally:
            server.kill()


@pytest.fixture
def redis_store(redis_server):
    """A workspace of its own on the worker's server."""
    store = redis_server.store()
    yield store
    store.close()


def _is_rewritten(persistence) -> bool:
    return persistence["aof_rewrite_in_progress"] == 0 and persistence["aof_last_rewrite_time_sec"] >= 0
