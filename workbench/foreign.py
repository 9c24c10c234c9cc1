"""Foreign text is read apart: in a process of its own, with limits on time and memory, that is killed beyond them.

    Apart("MODULE:FUNCTION") ── bytes ─▶ python -I -S: FUNCTION(bytes) ─▶ bytes
                 │                  (no terminal, none of our variables, a group of its own)
                 ├─ too slow, too large ─▶ killed, TooCostly
                 └─ we end ─▶ it ends

What parses is not asked to be quick, or to be interrupted: a regular expression, an HTML parser and a decoder hold up
the whole interpreter, Ctrl+C included. Starting takes 0.1 s and what the function's module takes to import.
"""

from __future__ import annotations

import os
import struct
import sys
from contextlib import suppress
from importlib import import_module
from math import ceil
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:  # the process that reads starts no other
    from subprocess import Popen

MEMORY = 1_000_000_000
"""Bytes that a reading process may have mapped."""
MOST_OF_A_RESULT = 50_000_000
"""Bytes of what it returns."""
_KEPT = ("LD_LIBRARY_PATH", "SYSTEMROOT")
"""Variables without which an interpreter may not start."""
_BEGIN = "import sys; sys.path[:] = sys.argv[2:]; from workbench.foreign import serve; serve(sys.argv[1])"
_ASKED, _SIZE = struct.Struct("!IQ"), struct.Struct("!Q")
"""Before what is to be read: seconds, bytes. Before what came of it: bytes."""
_DONE, _COSTLY, _DEFECT = b"=", b">", b"!"


class TooCostly(Exception):
    """Reading took more time or memory than it may."""


class Defective(Exception):
    """What reads has a defect of ours; with the name of the error that it raised."""


class Apart:
    """A function of ours, from bytes to bytes, that runs in a process of its own.

    One thread reads at a time; ``close`` may be called from any, and ends a reading.
    """

    def __init__(self, function: str, environment: tuple[str, ...] = ()) -> None:
        """Start nothing yet. ``function``: ``MODULE:NAME``; ``environment``: names of variables that it is given."""
        self._function, self._environment = function, environment
        self._process: Popen[bytes] | None = None
        self._is_over = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        """End the process for good, also if another thread only begins to read."""
        self._is_over = True
        self._end()

    def read(self, data: bytes, seconds: float, *, work: int | None = None) -> bytes:
        """Return what the function makes of foreign bytes within so many seconds, the start included. Blocks.

        ``work``: seconds of work, if these are to be less than those that pass.

        Raises TooCostly, Defective, OSError if no process starts.
        """
        from threading import Timer

        process = self._process = self._process or self._started()
        if self._is_over:
            self._end()
            raise TooCostly
        late = Timer(seconds, process.kill)
        late.daemon = True
        late.start()
        try:
            kind, result = _answered(process, data, work or ceil(seconds))
        except (EOFError, BrokenPipeError, ValueError):  # it was killed; or closed here, in another thread
            self._end()
            if process.wait() > 0:
                raise OSError(0, f"what reads {self._function} did not start") from None
            raise TooCostly from None
        except BaseException:
            self._end()
            raise
        finally:
            late.cancel()
        late.join()
        if kind == _COSTLY or process.poll() is not None:
            self._end()
        if kind == _COSTLY:
            raise TooCostly
        if kind == _DEFECT:
            raise Defective(result.decode(errors="replace"))
        return result

    def _end(self) -> None:
        if (process := self._process) is None:
            return
        self._process = None
        process.kill()  # one that has ended keeps its own exit code
        with suppress(OSError), process:  # what could not be written any more
            process.wait()

    def _started(self) -> Popen[bytes]:
        from pathlib import Path
        from subprocess import DEVNULL, PIPE, Popen

        package = Path(__file__).resolve().parents[1]
        places = [str(package), *(place for place in sys.path if Path(place).is_absolute())]
        return Popen(
            [sys.executable, "-I", "-S", "-c", _BEGIN, self._function, *places],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            env={name: os.environ[name] for name in (*_KEPT, *self._environment) if name in os.environ},
            start_new_session=True,
        )


def _answered(process: Popen[bytes], data: bytes, seconds: int) -> tuple[bytes, bytes]:
    """Ask a reading process. Raises EOFError or BrokenPipeError if it is killed, or says more than it may."""
    assert process.stdin is not None  # noqa: S101 - they are pipes
    assert process.stdout is not None  # noqa: S101
    process.stdin.write(_ASKED.pack(seconds, len(data)))
    process.stdin.write(data)
    process.stdin.flush()
    kind = _exactly(process.stdout, 1)
    (size,) = _SIZE.unpack(_exactly(process.stdout, _SIZE.size))
    if size > MOST_OF_A_RESULT:
        raise EOFError
    return kind, _exactly(process.stdout, size)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def serve(function: str) -> None:
    """Be the reading process: answer until nobody asks any more."""
    _limit_memory()
    module, _, name = function.partition(":")
    read = getattr(import_module(module), name)
    asking, answers = sys.stdin.buffer, sys.stdout.buffer
    while asked := asking.read(_ASKED.size):
        seconds, size = _ASKED.unpack(asked)
        data = _exactly(asking, size)
        _limit_time(seconds)
        _end_with_the_other_end(True)
        try:
            kind, result = _DONE, read(data)
        except (MemoryError, RecursionError):
            kind, result = _COSTLY, b""
        except BaseExceptionGroup as group:
            is_costly = group.subgroup((MemoryError, RecursionError)) is not None
            kind, result = (_COSTLY, b"") if is_costly else (_DEFECT, name_of(group).encode())
        except Exception as error:  # noqa: BLE001 - a defect is reported where its report is written
            kind, result = _DEFECT, type(error).__name__.encode()
        _end_with_the_other_end(False)
        answers.write(kind + _SIZE.pack(len(result)))
        answers.write(result)
        answers.flush()


def name_of(error: BaseException) -> str:
    """Return what went wrong first, of several errors."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # not on every system: time is limited everywhere
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _limit_time(seconds: int) -> None:
    """Let the system end this process after so many more seconds of work, if nobody is left to kill it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(used.ru_utime + used.ru_stime) + seconds, hard))


def _end_with_the_other_end(on: bool) -> None:
    """Let the system send SIGIO, which ends a process, when the other end of standard input is closed."""
    with suppress(ImportError, OSError, AttributeError):
        import fcntl

        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(0, fcntl.F_GETFL) & ~os.O_ASYNC
        fcntl.fcntl(0, fcntl.F_SETFL, flags | (os.O_ASYNC if on else 0))
