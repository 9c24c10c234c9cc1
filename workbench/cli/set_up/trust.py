"""``workbench trust``, and the question that any command asks before it uses what a folder asks for.

NotTrusted ─▶ a terminal? ─ yes ─▶ the values, "Accept? [y/N]" ─▶ recorded ─▶ the command runs again
└────── no ──▶ one sentence and exit code 3
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import msgspec

from workbench.bootstrap.models import accept, trust_request, workspace_root
from workbench.cli.opening import session_of
from workbench.cli.options import folder_of
from workbench.cli.output import Output
from workbench.domain.errors import NotTrusted, UsageError
from workbench.domain.trust import TrustRequest
from workbench.planning.trust.person import agent_around, has_terminal, require_person
from workbench.settings import trust_folder
from workbench.storage.places import find_workspace
from workbench.storage.trust import Accepted, TrustStore

WAITING = 3
"""The exit code if a person has to decide."""
_QUESTION = "Accept exactly this for this workspace?"


def trust(options: argparse.Namespace) -> int:
    """Show what the workspace asks for, and accept it; or list or revoke what was accepted."""
    output = Output.from_options(options)
    if options.list:
        return _list(output)
    if options.revoke:
        return _revoke(options, output)
    shown: list[TrustRequest] = []
    while request := _request(options):
        if request in shown:
            raise UsageError("The workspace asks again for what you just accepted.", "Look at its config.toml.")
        shown.append(request)
        before = _accepted(options)
        is_accepted = options.hash == request.hash if options.hash else options.yes
        if output.as_json:
            output.json(_as_object(request, before, options, accepted=is_accepted))
        else:
            _show(request, before, output)
        if not is_accepted:
            if options.hash:
                raise _waits("The hash is another one: it asks for other values than you were shown.", request)
            if output.as_json or not has_terminal():
                raise _waits("Nothing was accepted.", request)
            require_person("accepted")
            if not output.asks(_QUESTION):
                output.line("Nothing was accepted. Name your own with --model, or change config.toml.")
                return WAITING
        _accept(options, request)
    if not output.as_json:
        output.line("Accepted." if shown else "It asks for nothing that you have not accepted.")
    elif not shown:
        output.json(_as_object(TrustRequest(), _accepted(options), options, accepted=True))
    return 0


def accepts(error: Exception, options: argparse.Namespace) -> TrustRequest | None:
    """Ask the person to accept what a command needs; return it, None if it was declined or nobody can be asked."""
    if not isinstance(error, NotTrusted) or options.json or not has_terminal() or agent_around():
        return None
    if getattr(options, "asks_itself", False):
        return None
    output = Output(as_json=False)
    output.line(error.message, "yellow")
    _show(error.request, _accepted(options), output)
    if not output.asks(_QUESTION):
        return None
    _accept(options, error.request)
    return error.request


def _request(options: argparse.Namespace) -> TrustRequest:
    """Return what is asked for next: the folder first, then its settings, then a session's models."""
    request = trust_request(folder_of(options), os.environ)
    if request or not options.session:
        return request
    return session_of(options).trust_request()


def _store() -> TrustStore:
    return TrustStore(trust_folder(os.environ))


def _accepted(options: argparse.Namespace) -> Accepted:
    return _store().accepted(workspace_root(folder_of(options)))


def _accept(options: argparse.Namespace, request: TrustRequest) -> None:
    accept(_store(), workspace_root(folder_of(options)), request)


def _waits(message: str, request: TrustRequest) -> NotTrusted:
    return NotTrusted(message, f"Accept exactly this with `workbench trust --hash {request.hash}`.", request)


def _show(request: TrustRequest, before: Accepted, output: Output) -> None:
    changes = _changes(request, before)
    rows = [(name, value, changes.get(name, "")) for name, value in request.rows]
    rows += [(name, "–", change) for name, change in changes.items() if name not in request.settings]
    output.table(("asks for", "value", "since you accepted"), rows)
    output.line(f"hash {request.hash}", "dim")


def _changes(request: TrustRequest, before: Accepted) -> dict[str, str]:
    """Return what changed since settings were accepted last, by setting."""
    if not request.settings or not before.settings:
        return {}
    names = dict.fromkeys([*request.settings, *before.settings])
    return {
        name: "new"
        if name not in before.settings
        else f"was {before.settings[name]}"
        if name in request.settings
        else "gone"
        for name in names
        if request.settings.get(name) != before.settings.get(name)
    }


def _as_object(
    request: TrustRequest, before: Accepted, options: argparse.Namespace, *, accepted: bool
) -> dict[str, Any]:
    return {
        "schema": "workbench.trust/1",
        "workspace": str(find_workspace(folder_of(options)) or Path()),
        "id": before.id,
        "owner": request.owner,
        "settings": request.settings,
        "contents": request.contents,
        "models": msgspec.to_builtins(request.models),
        "changes": _changes(request, before),
        "hash": request.hash if request else "",
        "accepted": accepted,
    }


def _list(output: Output) -> int:
    """List every workspace for which something was accepted."""
    records = _store().all()
    rows = []
    for record in records:
        rows += [(record.workspace, name, str(value)) for name, value in record.settings.items()]
        rows += [(record.workspace, "model", " at ".join(part for part in pair if part)) for pair in record.models]
        rows += [(record.workspace, "log server", log) for log in record.logs]
        rows += [(record.workspace, "folder", owner) for owner in record.owners]
        rows += [(record.workspace, name, digest) for name, digest in record.contents.items()]
        rows += [(record.workspace, one.kind, f"{one.subject} {one.session}".strip()) for one in record.consents]
    return output.listing(
        ({"schema": "workbench.trusted/1", **msgspec.to_builtins(one)} for one in records),
        ("workspace", "accepted", "value"),
        rows,
        empty="Nothing was accepted for any workspace.",
    )


def _revoke(options: argparse.Namespace, output: Output) -> int:
    revoked = _store().revoke(workspace_root(folder_of(options)))
    workspace = str(find_workspace(folder_of(options)))
    if output.as_json:
        output.json({"schema": "workbench.trust-revoked/1", "workspace": workspace, "revoked": revoked})
    else:
        output.line(f"Nothing is accepted any more for {workspace}." if revoked else "Nothing was accepted here.")
    return 0
