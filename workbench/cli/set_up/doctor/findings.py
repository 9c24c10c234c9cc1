"""What an examination finds: a line for each thing, how it is, and what to change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from workbench.domain.errors import WorkbenchError

Level = Literal["ok", "warning", "problem"]


class Finding(NamedTuple):
    """One thing that was looked at."""

    check: str
    level: Level
    """A problem keeps something from working; a warning is worth knowing."""
    found: str
    remedy: str = ""
    """What to change, in the imperative; "" if nothing is to be changed."""


Check = Callable[[], Iterator[Finding]]


def examined(name: str, check: Check) -> Iterator[Finding]:
    """Yield what a check finds; if it fails itself, that is a problem too, and the others go on."""
    try:
        yield from check()
    except WorkbenchError as error:
        yield Finding(name, "problem", error.message, error.remedy)
    except OSError as error:
        place = f" ({error.filename})" if error.filename else ""
        yield Finding(name, "problem", f"the system refused: {error.strerror or error}{place}", "Mend that.")
    except Exception as error:  # noqa: BLE001  # who examines what is broken must not break off
        yield Finding(name, "problem", f"could not be examined ({type(error).__name__})", "Please report it.")
