"""``workbench migrate``: the logs of a workspace to a server, or back into files.

here ─▶ every stream, copied and compared ─▶ there         and the line for config.toml that makes it the place to be
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

from workbench.bootstrap.models import accept_log, log_server
from workbench.cli.opening import has_workspace
from workbench.cli.options import folder_of, settings_of
from workbench.cli.output import Output, counted
from workbench.cli.progress import SlowProgress
from workbench.domain.errors import NotFound, UsageError
from workbench.settings import find_settings
from workbench.storage.backend import open_holdings
from workbench.storage.files.workspace import WorkspaceFolder, open_workspace
from workbench.storage.holdings import Holdings
from workbench.storage.log_address import parse_log_address
from workbench.storage.migration import Copied, Failed, migrate
from workbench.storage.places import FOLDER_NAME


def migrate_logs(options: argparse.Namespace) -> int:
    """Copy every log, and say which line makes them the ones in use."""
    output = Output.from_options(options)
    source, folder, workspace = _source(options)
    target, line = _target(options.to, folder, workspace)
    if source.where == target.where:
        raise UsageError(f"The logs are in {source.where} already.", "Name another place with --to.")
    done = []
    with SlowProgress(output, tells_pipes=True) as progress:
        for one in migrate(source, target, lambda held, events: progress.tell(f"{held}: {counted(events, 'event')}")):
            done.append(one)
            _print_result(one, output)
    failed = sum(isinstance(one, Failed) for one in done)
    left = source.left()
    if output.as_json:
        output.json(
            {
                "schema": "workbench.migrated/1",
                "from": source.where,
                "to": target.where,
                "streams": len(done) - failed,
                "failed": failed,
                "left": left,
                "log": line,
            }
        )
    else:
        _tell_end(output, source, target, len(done) - failed, left)
        _tell_what_next(output, failed, folder, line)
    return 1 if failed else 0


def _source(options: argparse.Namespace) -> tuple[Holdings, WorkspaceFolder, str]:
    """Return what is to be copied, also from a network file system; the folder of its settings; and its namespace."""
    if not has_workspace(options):
        raise NotFound("There is no workspace here or in a folder above.", "Name its folder with --workspace.")
    settings = settings_of(options)
    settings.require("log")
    folder = open_workspace(folder_of(options), keeps_logs=False)
    address = log_server(settings, folder.root, os.environ)
    return (
        open_holdings(folder, address),
        folder,
        folder.id if address is None else address.with_workspace(folder.id).workspace,
    )


def _target(to: str, folder: WorkspaceFolder, workspace: str) -> tuple[Holdings, str]:
    """Return the place to copy to, and what the setting ``log`` has to be there."""
    if "://" in to:
        address = parse_log_address(to, "--to").with_workspace(workspace)
        accept_log(folder.root, address, os.environ)
        return open_holdings(folder, address), address.shown
    if not Path(to).is_dir():
        raise UsageError(f"{to} is not a folder.", "Name an existing folder, or redis://HOST:6379/0, with --to.")
    if os.path.lexists(Path(to) / FOLDER_NAME):
        find_settings(to)  # refuses a folder of somebody else
    return open_holdings(open_workspace(Path(to), new_id=lambda: workspace, upwards=False), None), ""


def _print_result(one: Copied | Failed, output: Output) -> None:
    if output.as_json:
        output.json({"schema": "workbench.migrated-log/1", **_as_object(one)})
    elif isinstance(one, Failed):
        output.line(f"✕ {one.one}: {one.error}", "red")
    else:
        output.line(f"✔ {one.one}: {counted(one.events, 'event')}, {one.how}")


def _as_object(one: Copied | Failed) -> dict[str, object]:
    about: dict[str, object] = {"part": one.one.part, "name": one.one.name}
    if isinstance(one, Failed):
        return {**about, "how": "failed", "error": one.error.message, "remedy": one.error.remedy}
    return {**about, "how": one.how, "events": one.events}


def _tell_end(output: Output, source: Holdings, target: Holdings, copied: int, left: list[str]) -> None:
    output.line()
    output.line(f"{counted(copied, 'log')} in {target.where}, compared event by event with {source.where}.")
    if left:
        output.line(f"Left in the trash, as they are not whole sessions: {', '.join(left)}.", "dim")


def _tell_what_next(output: Output, failed: int, folder: WorkspaceFolder, line: str) -> None:
    if failed:
        output.line(f"{counted(failed, 'log')} could not be copied. Fix that, and run the same command again.", "red")
    elif line:
        output.line(f"To use it, put this line into {folder.config}, here and on every other machine:")
        output.line(f"log = {json.dumps(line)}", "bold")  # written alike in TOML
        output.line("Where the server asks for a password, set WORKBENCH_LOG to the address with it instead.", "dim")
        output.line("On each other machine, accept the server once: workbench trust", "dim")
    else:
        output.line("To use the files there, leave `log` out of config.toml and WORKBENCH_LOG out of the environment.")
