"""``workbench mcp``: another program takes part in this project; and what it is allowed to do."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import shlex
import sys
from typing import Literal

import msgspec

from workbench.bootstrap.clients import Client, Permission, allow, allowed, client_name, deny
from workbench.cli.opening import existing_workspace, session_of
from workbench.cli.options import folder_of
from workbench.cli.output import Output
from workbench.domain.errors import UsageError
from workbench.planning.trust.person import require_person

TOKEN = "WORKBENCH_MCP_TOKEN"  # noqa: S105 - the variable's name
_SHORTEST_TOKEN = 16
_FORMS: dict[str, str] = {
    "claude": "claude mcp add --scope user workbench -- {command}",
    "codex": "codex mcp add workbench -- {command}",
    "gemini": "gemini mcp add --scope user workbench {program} -- {args}",
    "vscode": "code --add-mcp {vscode}",
    "cursor": "# ~/.cursor/mcp.json\n{cursor}",
}
"""What is typed, or pasted, by program."""


class McpObject(msgspec.Struct, frozen=True, kw_only=True):
    """What ``workbench mcp --http N --json`` prints once a program can connect."""

    schema: Literal["workbench.mcp/1"] = "workbench.mcp/1"
    url: str
    token: str
    """For the header ``Authorization: Bearer``."""
    client: str


class McpConfigObject(msgspec.Struct, frozen=True, kw_only=True):
    """What ``workbench mcp --print-config PROGRAM --json`` prints."""

    schema: Literal["workbench.mcp-config/1"] = "workbench.mcp-config/1"
    client: str
    command: str
    args: tuple[str, ...]
    text: str
    """What is typed, or pasted into its settings."""


class ClientObject(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ``workbench mcp clients --json``."""

    schema: Literal["workbench.client/1"] = "workbench.client/1"
    client: str
    session: str
    """Empty for all that are not private."""
    permission: Permission


def serve(options: argparse.Namespace) -> int:
    """Serve one client: over standard input and output, or on a port of this machine."""
    output = Output.from_options(options)
    if options.print_config:
        return _print_config(options, output)
    workspace = existing_workspace(options)
    try:
        from workbench.cli.other_programs.mcp_server import serve as serving
    except ImportError as error:
        raise UsageError(
            "Other programs join through a package that is not installed.",
            "Install it: pip install 'planning-workbench[mcp]'.",
        ) from error
    token = os.environ.pop(TOKEN, "") or secrets.token_urlsafe(24)
    if len(token) < _SHORTEST_TOKEN or not (token.isascii() and token.isprintable()):
        raise UsageError(f"{TOKEN} is not a safe token.", f"Set it to {_SHORTEST_TOKEN} letters and digits or more.")

    def ready(port: int) -> None:
        told = McpObject(url=f"http://127.0.0.1:{port}/mcp", token=token, client=options.client)
        if not output.json_lines([msgspec.to_builtins(told)]):
            output.line(f"{told.url}   Authorization: Bearer {token}   Ctrl+C ends it.")

    try:
        asyncio.run(serving(Client(workspace, options.client), port=options.http, token=token, ready=ready))
    except OSError as error:
        raise UsageError(
            f"Cannot listen on port {options.http}: {error.strerror or error}.", "Name another port."
        ) from error
    return 0


def _print_config(options: argparse.Namespace, output: Output) -> int:
    """Print what another program is told, and what a person then allows it."""
    name = options.print_config
    folder = str(folder_of(options).resolve())
    args = ["-P", "-m", "workbench", "mcp", "--client", name, "--workspace", folder]
    told = {"command": sys.executable, "args": args}
    text = _FORMS[name].format(
        command=shlex.join([sys.executable, *args]),
        program=shlex.quote(sys.executable),
        args=shlex.join(args),
        vscode=shlex.quote(json.dumps({"name": "workbench", **told})),
        cursor=json.dumps({"mcpServers": {"workbench": told}}, indent=2),
    )
    printed = McpConfigObject(client=name, command=sys.executable, args=tuple(args), text=text)
    if not output.json_lines([msgspec.to_builtins(printed)]):
        output.line(text)
        output.note(f"Then allow it what you want: workbench mcp allow {name} read offer --all")
    return 0


def change(options: argparse.Namespace) -> int:
    """Let a client do things, or no longer."""
    output, workspace = Output.from_options(options), existing_workspace(options)
    if bool(options.session) == options.all:
        raise UsageError("It is not clear for which sessions.", "Name one with --session ID, or say --all.")
    session = str(session_of(options).id) if options.session else ""
    where = f"in {session}" if session else "in all sessions of this project that are not private"
    name, what = client_name(options.client), ", ".join(options.permissions)
    if options.deny:
        deny(workspace, name, options.permissions, session)
    else:
        require_person("allowed")
        if not (options.yes or output.asks(f"Let {name} {what} {where}?")):
            raise UsageError("Nothing was allowed.", "Say --yes where nobody can be asked.")
        allow(workspace, name, options.permissions, session)
    if output.as_json:
        return show_clients(options)
    output.line(f"{name} may {'no longer ' if options.deny else ''}{what} {where}.")
    return 0


def show_clients(options: argparse.Namespace) -> int:
    """List what clients are allowed."""
    rows = allowed(existing_workspace(options))
    return Output.from_options(options).listing(
        [msgspec.to_builtins(ClientObject(client=name, session=where, permission=may)) for name, where, may in rows],
        ("client", "may", "in"),
        [(name, may, where or "all sessions") for name, where, may in rows],
        empty="No program is allowed anything here. Allow one: workbench mcp allow NAME read --all",
    )
