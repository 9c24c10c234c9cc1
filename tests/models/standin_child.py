"""A stand-in for llama.cpp in the child: the name of the file says what it does, and the address ends with its id."""

import ctypes
import os
import sys
import time
from pathlib import Path

from workbench.models.local import server
from workbench.models.local.server import Ready


def load(file, _window, idle, token):
    begun = time.monotonic()
    name = Path(file).stem
    if name == "broken":
        raise RuntimeError("no such tensor")
    if name == "crashing":
        os._exit(9)
    if name == "slow":
        Path(f"{file}.pid").write_text(str(os.getpid()))
        ctypes.PyDLL(None).sleep(60)  # holds the interpreter, as loading does
    ready = Ready(address=f"http://127.0.0.1:{os.getpid()}", token=token, speed=7.0)
    return ready, lambda: time.monotonic() > begun + idle


if __name__ == "__main__":
    if Path(sys.argv[1]).stem == "elsewhere":
        server._PRCTL = None  # as on other systems than Linux
    server.main(load)
