"""The process that serves a model to the sessions of one user, and ends with the last of them.

    python -m workbench.models.local.child FILE WINDOW PLACE

Who uses the model holds PLACE.users locked, which the kernel gives back on any death: a guard waits for the last one,
and ends the server, also while that loads. PLACE.alive is locked while there is a guard; PLACE.json says where to ask.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from workbench.models.local.server import Ready

Load = Callable[[str, int, str], tuple[Ready, object]]
"""Serves a file with a window, for who has the token; returns where, and what has to be kept alive for it."""
_PRCTL = getattr(ctypes.CDLL(None), "prctl", None)
"""Linux only."""
_PDEATHSIG = 1


def load_llama(file: str, window: int, token: str) -> tuple[Ready, object]:
    """Serve a model by llama.cpp on a free port of the loopback interface. Raises RuntimeError."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path, params.n_ctx = file, window
    params.n_parallel = 1  # one answer after the other: two at once are each half as fast
    params.cache_ram_mib = 512  # prompts of other sessions, so that they are not read again
    params.api_keys, params.port, params.use_jinja, params.ui = [token], 0, True, False
    server = xllamacpp.Server(params)
    timed = server.handle_completions({"prompt": "List the steps of a plan. " * 5, "n_predict": 8, "ignore_eos": True})
    timings = timed.get("timings", {})
    speed, reading = (timings.get(f"{part}_per_second", 0.0) for part in ("predicted", "prompt"))
    return Ready(address=server.listening_address, token=token, speed=speed, reading=reading), server


def main(load: Load = load_llama) -> None:
    """Guard a server until nobody uses it, or another process guards one already."""
    file, window, place = sys.argv[1:]
    alive, users = (os.open(f"{place}.{name}", os.O_RDWR | os.O_CREAT, 0o600) for name in ("alive", "users"))
    with suppress(BlockingIOError):
        fcntl.flock(alive, fcntl.LOCK_EX | fcntl.LOCK_NB)
        said = Path(f"{place}.json")
        said.unlink(missing_ok=True)
        guard = os.getpid()
        gone, kept = os.pipe()
        if not (server := os.fork()):
            os.close(kept)
            if _is_bound_to(guard, gone):
                _serve(load, file, int(window), said)
            os._exit(1)

        def end_with_users() -> None:
            fcntl.flock(users, fcntl.LOCK_EX)  # when the last one has gone
            os.kill(server, signal.SIGKILL)

        threading.Thread(target=end_with_users, daemon=True).start()
        os.waitpid(server, 0)  # until it has ended, whoever ended it
        said.unlink(missing_ok=True)
        os._exit(0)


def _is_bound_to(guard: int, gone: int) -> bool:
    """Let this process end with its guard; tell whether that lives. ``gone`` ends when it does."""
    if _PRCTL is not None:
        _PRCTL(_PDEATHSIG, signal.SIGKILL)
        return os.getppid() == guard  # else it was killed before this

    def end() -> None:  # as soon as loading lets go of the interpreter
        os.read(gone, 1)
        os._exit(1)

    threading.Thread(target=end, daemon=True).start()
    return True


def _serve(load: Load, file: str, window: int, said: Path) -> None:
    try:
        ready, _kept = load(file, window, secrets.token_urlsafe(32))
    except (RuntimeError, ImportError) as error:
        ready = Ready(error=str(error))
    aside = said.with_suffix(".new")
    aside.touch(0o600)
    aside.write_bytes(msgspec.json.encode(ready))
    aside.rename(said)
    while True:
        signal.pause()


if __name__ == "__main__":
    main()
