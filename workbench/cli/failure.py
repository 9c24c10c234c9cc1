"""How a failure is told: one sentence, the remedy, the exit code."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from pathlib import Path

from workbench.domain.errors import WorkbenchError
from workbench.domain.text.cleaning import clean


def tell(error: Exception) -> int:
    """Write what went wrong to standard error and return the exit code."""
    if isinstance(error, WorkbenchError):
        _say(str(error))
        return error.exit_code
    if isinstance(error, OSError):
        place = f" ({error.filename})" if error.filename else ""
        _say(f"The system refused: {error.strerror or error}{place}. Fix that, and run the command again.")
        return 1
    report = _report(error)
    kept = f"; a report without your texts is in {report}" if report else ""
    _say(f"That is a defect of the workbench ({type(error).__name__}). Your sessions are safe{kept}. Please report it.")
    return 1


def _say(sentence: str) -> None:
    sys.stderr.write(f"workbench: {clean(sentence)}\n")


def _report(error: Exception) -> Path | None:
    """Keep where it happened, without values and messages: those may hold a person's texts or a key."""
    frames = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    try:
        handle, name = tempfile.mkstemp(prefix="workbench-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(f"{type(error).__name__}\n{frames}")
    except OSError:
        return None
    return Path(name)
