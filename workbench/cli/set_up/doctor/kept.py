"""Where things are kept: settings, the workspace's folder, its file system and locks, its sessions, and the log.

settings ─▶ folder: writable? locks? which file system? ─▶ log: files, or a server ─▶ sessions, and damaged ones
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from workbench.bootstrap import Workspace
from workbench.bootstrap.models import log_server
from workbench.cli.output import counted
from workbench.cli.set_up.doctor.findings import Finding, examined
from workbench.settings import Settings, user_config_file
from workbench.storage.files.locking.lock_choice import TOLD, can_lock, lock_kind
from workbench.storage.files.mounts import file_system, is_network
from workbench.storage.files.opening import Files, reporting_errors
from workbench.storage.log_address import parse_log_address
from workbench.storage.places import find_workspace
from workbench.storage.ports import EventLog


def config(settings: Settings, folder: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at which files of settings there are, and whether one of them tells a password."""
    root = find_workspace(folder)
    files = [user_config_file(environ), *([] if root is None else [root / "config.toml"])]
    present = [str(file) for file in files if file.exists()]
    yield Finding("settings", "ok", ", ".join(present) or "no files; defaults hold")
    for name, value in settings.not_taken.items():
        remedy = "Look at it: `workbench trust`." if name in settings.asked else "Set it in your own settings."
        yield Finding("trust", "warning", f"{value.source} sets {name}, which does not hold: {value.reason}", remedy)
    source = settings.sources["log"]
    if source in present and settings.log and parse_log_address(settings.log, source).holds_password:
        yield Finding(
            "password",
            "warning",
            f"the log server's password stands in {source}",
            "Keep it out of files: set WORKBENCH_LOG to the whole address, and leave the password out there.",
        )


def place(settings: Settings, folder: Path, files: Files) -> Iterator[Finding]:
    """Look at the folder that the workspace is in, or would be created in."""
    root = find_workspace(folder)
    if root is None:
        yield Finding("workspace", "ok", f"none in {folder.absolute()} or above; the first run creates one")
    else:
        yield Finding("workspace", "ok", str(root))
    where = root or folder.absolute()
    kind = file_system(where, files.mounts())
    if is_network(kind) and not settings.log:
        yield Finding(
            "file system",
            "problem",
            f"{kind}: a network file system, where locks of several machines do not hold",
            "Use a folder on a local disk, or keep the logs on a Redis server: `workbench migrate --to redis://HOST/0`.",
        )
    else:
        yield Finding("file system", "ok", kind or "unknown to this system")
    with reporting_errors(where):
        files.names(where)  # refuses a folder that is a link
    with tempfile.TemporaryFile(dir=where) as probe:
        yield Finding("writable", "ok", "yes")
        if not can_lock(probe.fileno()):
            yield Finding("file locks", "problem", "a lock on a new file is refused", "Use a folder on a local disk.")
            return
    yield Finding("file locks", "ok", f"yes, {TOLD[lock_kind()]}")


def log(settings: Settings, folder: Path, environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at where the logs are, and ask a server whether it can keep them."""
    root = find_workspace(folder)
    address = log_server(settings, root, environ)
    if address is None:
        yield Finding("log", "ok", "in files of the workspace")
        return
    from workbench.cli.set_up.doctor.server import server

    yield Finding("log", "ok", f"{address.shown}, by {settings.sources['log']}")
    yield from server(address)


def sessions(workspace: Workspace) -> Iterator[Finding]:
    """Look at every session, and at what they share."""
    yield Finding("namespace" if workspace.settings.log else "workspace id", "ok", workspace.backend.id)
    listed = workspace.sessions()
    yield Finding("sessions", "ok", f"{len(listed)}, and {len(workspace.trash())} in the trash")
    for one in listed:
        if one.status == "unreadable":
            yield Finding("session", "problem", f"{one.session} cannot be read", one.error)
    yield Finding("waking", "ok", workspace.backend.waking)
    if workspace.settings.shared == "off":
        yield Finding("shared context", "ok", f"switched off by {workspace.settings.sources['shared']}")
    else:
        yield from examined("shared context", partial(_shared, workspace.backend.shared_log()))


def _shared(log: EventLog) -> Iterator[Finding]:
    events = sum(1 for stream in log.streams() for _ in log.read(stream))
    yield Finding("shared context", "ok", counted(events, "event"))
