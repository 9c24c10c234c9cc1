"""Writing a session into the folder that the application was started in: over no other file."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from workbench.bootstrap import Session
from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.text.cleaning import clean
from workbench.storage.writing import write_file
from workbench.tui.host import Workbench

Form = Literal["md", "html"]

_WRITERS: dict[Form, Callable[[Session], str]] = {"md": Session.markdown, "html": Session.page}


def export(session: Session, folder: Path, form: Form = "md") -> str:
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


def export_page(app: Workbench, session: str) -> None:
    """Write a session as a web page here, beside the event loop, and say where."""
    app.run_worker(_export_page(app, session), group="export-page", exit_on_error=False)


async def _export_page(app: Workbench, session: str) -> None:
    workspace = await app.opened_workspace()
    try:
        file = await asyncio.to_thread(lambda: export(workspace.session(session), Path.cwd(), "html"))
    except WorkbenchError as error:
        app.notify(clean(str(error)), title=error.title, severity="error", markup=False)
    else:
        app.notify(f"Written to {file}.", markup=False)
