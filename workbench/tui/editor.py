"""The person's own editor: a text goes out to it and comes back."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from workbench.domain.errors import UsageError


def edit_text(text: str) -> str:
    """Return a text as the person's editor leaves it. Raises UsageError, and keeps the file, when the editor fails."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise UsageError("No editor is set.", "Set EDITOR, for example `export EDITOR=nano`.")
    handle, name = tempfile.mkstemp(prefix="workbench-plan-", suffix=".md")  # only its owner may read it
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    try:
        ended = subprocess.run([*shlex.split(editor), name], check=False).returncode
    except (OSError, ValueError) as error:
        Path(name).unlink()
        raise UsageError(f"The editor {editor!r} cannot be started.", "Set EDITOR to one that is installed.") from error
    if ended != 0:
        raise UsageError(f"The editor ended with {ended}; nothing was changed.", f"Your text is kept in {name}.")
    edited = Path(name).read_text(encoding="utf-8", errors="replace")
    Path(name).unlink()
    return edited
