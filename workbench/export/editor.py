"""The person's own editor: a text goes out to it and comes back."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from workbench.domain.errors import UsageError
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.plan.plan import Plan
from workbench.named_files import read_named_file

_LARGEST = 10_000_000
"""Bytes that are read back."""
_USUAL = ("editor", "nano", "vi", "notepad")
"""Editors of a system if a person has set none."""


def edit_plan(plan: Plan) -> str | None:
    """Return the plan's Markdown as the person's editor leaves it; None when they changed nothing.

    Raises UsageError when there is no editor, it fails, or its text is no plan: then the text is kept, and the error
    says where.
    """
    text = edit_text(to_markdown(plan))
    try:
        edited = from_markdown(text, plan)
    except UsageError as error:
        raise UsageError(error.message, f"{error.remedy} Your text is kept in {_written(text)}.") from error
    return None if edited == plan else text


def edit_text(text: str) -> str:
    """Return a text as the person's editor leaves it, or the system's; blocks until the editor ends.

    Raises UsageError when there is no editor, or when it fails: then the text is kept, and the error says where.
    """
    set_up = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    editor = set_up or next((name for name in _USUAL if shutil.which(name)), None)
    if editor is None:
        raise UsageError("No editor is set.", "Set EDITOR, for example `export EDITOR=nano`.")
    file = _written(text)
    _edit(editor, file)
    try:
        edited = read_named_file(file, _LARGEST)
    except OSError as error:
        raise UsageError(f"What the editor left cannot be read: {error.strerror}.", f"Look at {file}.") from error
    file.unlink()
    return edited.decode(errors="replace")


def _written(text: str) -> Path:
    handle, name = tempfile.mkstemp(prefix="workbench-plan-", suffix=".md")  # only its owner may read it
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


def _edit(editor: str, file: Path) -> None:
    try:
        ended = subprocess.run([*shlex.split(editor), str(file)], check=False).returncode
    except (OSError, ValueError) as error:
        file.unlink()
        raise UsageError(f"The editor {editor!r} cannot be started.", "Set EDITOR to one that is installed.") from error
    if ended != 0:
        raise UsageError(f"The editor ended with {ended}; nothing was changed.", f"Your text is kept in {file}.")
