"""One case of fuzzing: what is called may succeed or refuse in a sentence, within two seconds and some memory.

Reader.prepare(folder) ─▶ case(mutator, number, call) ─▶ call(function, …) ─┬▶ a result
                                                                           ├▶ WorkbenchError with a sentence
                                                                           └▶ anything else: Failure, with how to
                                                                              run this case alone
"""

from __future__ import annotations

import resource
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.fuzz.mutator import Mutator
from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean

SECONDS = 2.0
"""Of processor time that a case may take."""
MEGABYTES = 200
"""By which this process may grow."""


class Call(Protocol):
    """Calls a function that reads what was mutated; returns its result, or None where it refused with a sentence."""

    def __call__(self, function: Callable[..., Any], *args: Any, refusing: tuple[type[Exception], ...] = ()) -> Any: ...


Case = Callable[[Mutator, int, Call], object]


@dataclass(frozen=True)
class Reader:
    """Something that reads files."""

    name: str
    prepare: Callable[[Path], Case]
    """Makes what a case needs in an empty folder."""


class Failure(AssertionError):
    """A reader that neither read nor refused."""


class TookTooLong(BaseException):
    """Raised in a case that hangs; no reader catches it."""


class BadRefusal(AssertionError):
    """An error without a sentence that can be shown as it is."""


def call(function: Callable[..., Any], *args: Any, refusing: tuple[type[Exception], ...] = ()) -> Any:
    """Call a reader. Raises whatever it raises that is no refusal."""
    try:
        return function(*args)
    except WorkbenchError as error:
        check_sentence(error)
    except refusing:
        pass
    return None


def check_sentence(error: WorkbenchError) -> None:
    """Raise BadRefusal for an error that says nothing, or whose words act on a terminal."""
    if not error.message.strip() or clean(str(error)) != str(error):
        raise BadRefusal(f"{type(error).__name__} says {str(error)!r}") from error


def run_cases(reader: Reader, folder: Path, numbers: Iterator[int] | range, *, seed: int) -> None:
    """Run cases of a reader in a folder. Raises Failure at the first that fails."""
    case = reader.prepare(folder)
    at_most = peak_memory() + MEGABYTES * 1_000_000
    for number in numbers:
        try:
            with watched(SECONDS):
                case(Mutator(f"{reader.name} {seed} {number}"), number, call)
            check_memory(at_most)
        except (Exception, TookTooLong) as error:
            alone = f"python -m tests.fuzz {reader.name} --seed {seed} --case {number}"
            told = "".join(traceback.format_exception(error)[-12:])
            raise Failure(f"{reader.name}, seed {seed}, case {number}:\n{told}\nAlone: {alone}") from error


def check_memory(at_most: float) -> None:
    """Raise MemoryError where this process has had more bytes in memory."""
    if (peak := peak_memory()) > at_most:
        raise MemoryError(f"the process grew to {peak / 1e6:,.0f} MB")


def peak_memory() -> int:
    """Return the most bytes that this process has had in memory."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


@contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raise TookTooLong inside of what takes more processor time: a busy machine changes nothing."""

    def stop(_number: int, _frame: object) -> None:
        raise TookTooLong(f"more than {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
