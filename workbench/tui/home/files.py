"""Sessions as files: written into the folder that the application was started in, over no other file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from workbench.bootstrap import Session
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean
from workbench.storage.writing import write_file

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
