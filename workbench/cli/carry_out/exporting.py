"""``workbench sessions export``: a session in a form that leaves the workspace.

events (up to --at) ─┬▶ the state ─▶ md (handed out, or --full) · html · json · entities
                     ├▶ its plan ─▶ agents · csv · xlsx · ics · mermaid · tasks · spec-kit · tasks.json · mspdi
                     └▶ the session's file ─▶ jsonl            all to --output, else to standard output
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from workbench.bootstrap import Workspace
from workbench.cli.look_back.sessions import done
from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.handout import hand_out
from workbench.domain.log.envelope import Event, said_at
from workbench.domain.plan.plan import Plan
from workbench.domain.session.session import SessionState, fold
from workbench.domain.text.cleaning import clean, clean_json
from workbench.export.markdown import entity_files, session_markdown
from workbench.export.objects import session_object
from workbench.named_files import UnusableFile
from workbench.storage.writing import make_folder, write_file

_PLANS = ("csv", "ics", "mermaid", "tasks", "spec-kit", "tasks.json", "mspdi", "xlsx")
_TAKES = {"full": {"md"}, "at": {"md", "json", "html", "entities", *_PLANS}}
"""Option → the formats that it means something for."""


def export_session(options: argparse.Namespace) -> int:
    """Write a session in the form that is asked for."""
    form = options.format or ("json" if options.json and options.output is None else "md")
    for option, forms in _TAKES.items():
        if getattr(options, option) is not None and form not in forms:
            raise UsageError(
                f"--{option} does not apply to {form}.", f"Leave it out; it applies to {_form_names(forms)}."
            )
    workspace = existing_workspace(options)
    if form == "entities":
        return _export_entities(_state(workspace, options), options)
    content = _WRITERS[form](workspace, options)
    if options.output is None:
        return _print(form, content)
    write(Path(options.output), content, options)
    if form == "agents":
        from workbench.bootstrap.plan_files import keep

        keep(workspace, options.session, Path(options.output))
    return done(options, f"Written to {options.output}.", session=options.session, files=[options.output])


def _form_names(forms: set[str]) -> str:
    return ", ".join(sorted(forms))


def _events(workspace: Workspace, options: argparse.Namespace) -> Iterator[Event]:
    """Yield the session's events, up to ``--at``. Raises UsageError if there is no such event."""
    events = workspace.session(options.session).events()
    if options.at is None:
        yield from events
        return
    seq = 0
    for event in islice(events, max(options.at, 0)):
        seq = event.seq
        yield event
    if seq != max(options.at, 1):
        last = workspace.log.head(options.session).seq
        raise UsageError(f"There is no event {options.at}.", f"Name one from 1 to {last}.")


def _state(workspace: Workspace, options: argparse.Namespace) -> SessionState:
    return fold(_events(workspace, options))


def _markdown(workspace: Workspace, options: argparse.Namespace) -> str:
    written = session_markdown if options.full else hand_out
    return clean(written(_state(workspace, options)))


def _json(workspace: Workspace, options: argparse.Namespace) -> str:
    shown = clean_json(session_object(_state(workspace, options)))
    return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"


def _html(workspace: Workspace, options: argparse.Namespace) -> str:
    from workbench.export.plan_page import plan_page

    return plan_page(_with_plan(workspace, options))


def _plan(workspace: Workspace, options: argparse.Namespace) -> str | bytes:
    from workbench.export.formats import FORMATS
    from workbench.export.formats.calendars import has_bars
    from workbench.export.formats.losses import left_out

    state = _with_plan(workspace, options)
    plan = state.plan or Plan(title="")
    if told := left_out(plan, options.format):
        Output.from_options(options).note(told)
    if options.format == "xlsx":
        from workbench.export.formats.workbooks import as_workbook

        return as_workbook(plan, said_at(state.updated))
    if options.format == "mermaid" and not has_bars(plan):
        Output.from_options(options).note("No step has dates yet, so the chart is empty.")
    return FORMATS[options.format](plan, said_at(state.updated), state.session)


def _with_plan(workspace: Workspace, options: argparse.Namespace) -> SessionState:
    """Return the state of a session that has a plan. Raises NotFound for others."""
    state = _state(workspace, options)
    if state.plan is None:
        raise NotFound("No plan is drafted yet.", f"Go on with: workbench resume {state.session}")
    return state


def _agents(workspace: Workspace, options: argparse.Namespace) -> str:
    from workbench.export.plan_file import plan_file

    return plan_file(_state(workspace, options))


_WRITERS: dict[str, Callable[[Workspace, argparse.Namespace], str | bytes]] = {
    "md": _markdown,
    "json": _json,
    "html": _html,
    "agents": _agents,
    "jsonl": lambda workspace, options: workspace.session(options.session).file(),
    **dict.fromkeys(_PLANS, _plan),
}


def _print(form: str, content: str | bytes) -> int:
    """Write to standard output, in UTF-8 whatever the terminal's encoding: a page says that it is."""
    if isinstance(content, bytes) and sys.stdout.isatty():
        raise UsageError(
            f"A terminal could obey the content of such a file, so {form} is not printed to one.",
            "Name a file with --output.",
        )
    if isinstance(content, str):
        content = (clean(content) if sys.stdout.isatty() else content).encode("utf-8", "backslashreplace")
    sys.stdout.flush()
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
    return 0


def _export_entities(state: SessionState, options: argparse.Namespace) -> int:
    folder = Path(options.output or f"{state.session}-entities")
    files = entity_files(state)
    with _as_usage_error(folder, "made"):
        make_folder(folder)
    replace = options.yes
    for name, content in files.items():
        replace = write(folder / name, content, options, replace=replace)  # asked once
    written = [str(folder / name) for name in files]
    return done(options, f"{counted(len(files), 'file')} in {folder}.", session=state.session, files=written)


def write(path: Path, content: str | bytes, options: argparse.Namespace, *, replace: bool = False) -> bool:
    """Write a file that a person names; over another one only if they agree. Raises UsageError.

    Returns whether they agreed that files are replaced.
    """
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    replace = replace or options.yes
    with _as_usage_error(path, "written"):
        try:
            write_file(path, data, replace=replace)
        except FileExistsError:
            require_replacing(path, options)
            write_file(path, data, replace=True)
            return True
    return replace


def require_replacing(path: Path, options: argparse.Namespace) -> None:
    """Ask whether an existing file is replaced. Raises UsageError if it is not, or nobody can be asked."""
    if not Output.from_options(options).asks(f"{path} exists. Replace it?"):
        raise UsageError(f"{path} exists already.", "Name another one, or add --yes to replace it.")


@contextmanager
def _as_usage_error(path: Path, what: str) -> Iterator[None]:
    """Raise UsageError for a file or folder that cannot be written or made."""
    try:
        yield
    except UnusableFile as error:
        raise UsageError(f"{error.filename} cannot be {what}: {error.strerror}.", "Name another path.") from error
    except OSError as error:
        raise UsageError(f"{path} cannot be {what}: {error.strerror}.", "Name another path.") from error
