"""Sessions as files: written into the folder that the application was started in, over no other file; and taken in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from workbench.bootstrap import Session, Workspace
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean
from workbench.storage.writing import write_file
from workbench.tui.form import Box, Form, Values

Format = Literal["md", "html"]

_WRITERS: dict[Format, Callable[[Session], str]] = {"md": Session.markdown, "html": Session.page}


def export(session: Session, folder: Path, form: Format = "md") -> str:
    """Write a session as Markdown or as a web page into a folder; return the file's name. Raises UsageError."""
    told = clean(_WRITERS[form](session))
    for number in range(1, 100):
        path = folder / (f"{session.id}.{form}" if number == 1 else f"{session.id}-{number}.{form}")
        try:
            write_file(path, told.encode())
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(
                f"{path.name} cannot be written here: {error.strerror}.", "Start in another folder."
            ) from error
        return f"./{path.name}"
    raise UsageError(f"There are a hundred exports of {session.id} here.", "Put some of them away.")


def import_form(workspace: Workspace) -> Form:
    """Return the form that takes in a session's file; what was done is the session's id."""

    def take_in(values: Values) -> str:
        if not values["file"]:
            raise UsageError("No file is named.", "Give the path of a session's file.")
        return workspace.import_session(_of_home(Path(values["file"]))).session

    about = "Nothing of it is run; every event of it is checked."
    box = Box("file", "the path of its file: ~/downloads/plan.jsonl")
    return Form("Import a session", about, take_in, (box,), verb="import")


def _of_home(file: Path) -> Path:
    """Return a path with ``~`` read as a shell does; one that names nobody's home stays as it is."""
    try:
        return file.expanduser()
    except RuntimeError:
        return file
