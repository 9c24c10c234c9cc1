"""A model on this machine as the loop asks it, by the protocol of a server that a child process is; and that process.

    LocalModel ─▶ LocalServer ─┬─ PLACE.alive is locked ─▶ PLACE.json says where, and the token
                               └─ by nobody ─▶ python -m workbench.models.local.server FILE WINDOW IDLE PLACE

Who uses the model holds PLACE.users locked, which the kernel gives back on any death: a guard waits for the last one,
and ends the server, also while that loads. PLACE.alive is locked while there is a guard.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import multiprocessing
import os
import secrets
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from subprocess import DEVNULL, call

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import ModelError, ModelUnreachable
from workbench.domain.text.cleaning import clean_name
from workbench.models.catalogue import LOCAL_PROVIDER, PROVIDERS
from workbench.models.local.files import GB, TOKEN_BYTES
from workbench.models.own_settings import ModelSettings
from workbench.models.secret import Secret
from workbench.models.servers.connection import Address, Opened, open_provider
from workbench.models.servers.providers import ProviderModel
from workbench.models.servers.traits import Remembered
from workbench.models.small import is_small

_OURS = Path(__file__).parents[3]
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)  # Linux only


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """Where a model is served, and how many tokens of an answer, and of a prompt, take a second."""

    address: str
    token: str
    speed: float
    reading: float = 0.0


class LocalServer:
    """The server of one file, as this process uses it. Safe to use from several threads."""

    def __init__(self, file: Path, window: int, folder: Path, *, idle: float = 600, program: str = __name__) -> None:
        """``folder``: this user's own, for locks, logs and tokens; ``idle``: seconds after which it ends unasked."""
        self.file = file
        self._place = str(folder / hashlib.sha256(f"{file}\0{window}".encode()).hexdigest()[:16])
        self._command = (sys.executable, "-m", program, str(file), str(window), str(idle), self._place)
        self._loading = threading.Lock()
        self._use: int | None = None

    def ready(self) -> Ready:
        """Return where the server is, started if there is none. Blocks while it loads. Raises ModelUnreachable."""
        with self._loading:
            if self._use is None:
                Path(self._place).parent.mkdir(0o700, parents=True, exist_ok=True)
                self._use = os.open(f"{self._place}.users", os.O_RDWR | os.O_CREAT, 0o600)
                fcntl.flock(self._use, fcntl.LOCK_SH)
            log = Path(f"{self._place}.log")
            for _ in range(3):
                if not self._is_alive():
                    with log.open("wb") as said:  # a session of its own: Ctrl+C is not for the server of all
                        call(self._command, stdin=DEVNULL, stdout=said, stderr=said, cwd=_OURS, start_new_session=True)
                while self._is_alive():
                    with suppress(FileNotFoundError, msgspec.DecodeError):  # it loads
                        return msgspec.json.decode(Path(f"{self._place}.json").read_bytes(), type=Ready)
                    time.sleep(0.02)
            why = log.read_text(errors="replace").strip().rpartition("\n")[2].rpartition("Error: ")[2]
            why = why or "its server ended again and again."
            raise ModelUnreachable(f"{self.file.name} cannot be used: {clean_name(why, 200)}", f"See {log}.")

    def close(self) -> None:
        """Let go of the server; it ends with its last user, and the next request starts it again."""
        use, self._use = self._use, None
        if use is not None:
            os.close(use)

    def _is_alive(self) -> bool:
        with Path(f"{self._place}.alive").open("w") as alive, suppress(BlockingIOError):
            fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
        return True


local_server = cache(LocalServer)
"""This process's use of the server of a file: one for all of its sessions."""


class LocalModel(ProviderModel):
    """A language model that a child process serves here, for nothing."""

    def __init__(
        self, name: str, server: LocalServer, own: ModelSettings | None, remembered: Remembered | None
    ) -> None:
        """Take what is set for it; what is not, is as a slow machine needs it."""
        self.server, own = server, own or ModelSettings()
        small = is_small(name, unknown=True) if own.small is None else own.small
        own = replace(own, input_price=0.0, output_price=0.0, first=own.first or 3_600.0, small=small)
        super().__init__(LOCAL_PROVIDER, name, key=Secret(""), own=own, opening=self._open, remembered=remembered)

    def _endpoint(self) -> tuple[str, Secret]:
        ready = self.server.ready()
        return f"{ready.address}/v1", Secret(ready.token)

    def _asked_server(self) -> tuple[str, Secret] | None:
        with suppress(ModelError):  # told by the call that follows
            return self._endpoint()
        return None

    def _open(self, address: Address) -> Opened:
        base_url, key = self._endpoint()
        return open_provider(replace(address, provider=PROVIDERS["openai"], base_url=base_url, key=key))

    def told(self) -> str:
        """Return what planning with it takes on this machine, in a sentence. Starts it. Raises ModelUnreachable."""
        ready = self.server.ready()
        self.inquire()
        memory = self.server.file.stat().st_size * 1.05 + self.window * TOKEN_BYTES
        minutes = 3_000 / max(ready.speed, 0.01) / 60  # tokens of a first plan, about
        return (
            f"{self.name} runs on this machine: {ready.speed:,.1f} tokens a second ({ready.reading:,.0f} of a prompt), "
            f"window {self.window:,}, at most {memory / GB:.1f} GB. A first plan takes about {minutes:,.0f} minutes."
        )


def load_llama(file: str, window: int, idle: float, token: str) -> tuple[Ready, Callable[[], bool]]:
    """Serve a model by llama.cpp on a free port of the loopback interface, for who has the token. Raises RuntimeError.

    Returns if it is served, and what tells whether it has been idle for so many seconds.
    """
    import httpx2
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx, params.sleep_idle_seconds = file, window, max(1, round(idle))
    params.n_parallel = 1  # one answer after the other: two at once are each half as fast
    params.cache_ram_mib = 512  # prompts of other sessions, so that they are not read again
    params.api_keys, params.port, params.use_jinja, params.ui = [token], 0, True, False
    server = xllamacpp.Server(params)
    timed = server.handle_completions({"prompt": "List the steps of a plan. " * 5, "n_predict": 8, "ignore_eos": True})
    speed, reading = (timed.get("timings", {}).get(f"{part}_per_second", 0.0) for part in ("predicted", "prompt"))
    address, headers = server.listening_address, {"authorization": f"Bearer {token}"}

    def sleeps() -> bool:  # holds the server, which ends with its last holder
        with suppress(httpx2.HTTPError):  # it has no time to answer
            props = httpx2.get(f"{server.listening_address}/props", headers=headers, trust_env=False).json()
            return bool(props["is_sleeping"])
        return False

    return Ready(address=address, token=token, speed=speed, reading=reading), sleeps


def main(load: Callable[[str, int, float, str], tuple[Ready, Callable[[], bool]]] = load_llama) -> None:
    """Let a process guard a server until nobody uses it, unless another one guards one already."""
    file, window, idle, place = sys.argv[1:]
    alive, users = (os.open(f"{place}.{name}", os.O_RDWR | os.O_CREAT, 0o600) for name in ("alive", "users"))
    with suppress(BlockingIOError):
        fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fork():  # who started this waits for no more
            os._exit(0)
        said = Path(f"{place}.json")
        said.unlink(missing_ok=True)
        given = (partial(load, file, int(window), float(idle)), float(idle), said)
        server = multiprocessing.get_context("fork").Process(target=_serve, args=given)
        server.start()

        def end_with_users() -> None:
            fcntl.flock(users, fcntl.LOCK_EX)  # when the last one has gone
            server.kill()

        threading.Thread(target=end_with_users, daemon=True).start()
        server.join()  # until it has ended, whoever ended it
        said.unlink(missing_ok=True)


def _serve(load: Callable[[str], tuple[Ready, Callable[[], bool]]], idle: float, said: Path) -> None:
    """Serve until it is idle, or its guard ends; elsewhere than on Linux, loading is not ended with that."""
    if _PRCTL is not None:
        _PRCTL(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    ready, is_idle = load(secrets.token_urlsafe(32))  # its error ends the log
    said.touch(0o600)
    said.write_bytes(msgspec.json.encode(ready))
    guard = multiprocessing.parent_process()
    while guard is not None and guard.is_alive() and not is_idle():
        guard.join(idle / 10)
    os._exit(1)


if __name__ == "__main__":
    main()
