"""``workbench serve``: the application in a browser of this machine; elsewhere only with a token."""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import sys
from ipaddress import ip_address
from typing import Literal

import msgspec

from workbench.cli.options import folder_of
from workbench.cli.output import Output
from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean

TOKEN = "WORKBENCH_SERVE_TOKEN"  # noqa: S105 - the variable's name
_SHORTEST_TOKEN = 16
_TOKEN_BYTES = 24


class ServeObject(msgspec.Struct, frozen=True, kw_only=True):
    """What ``workbench serve --json`` prints once a browser can connect."""

    schema: Literal["workbench.serve/1"] = "workbench.serve/1"
    url: str
    """Address to open, with the token if one is needed."""
    host: str
    port: int
    needs_token: bool


def serve(options: argparse.Namespace) -> int:
    """Serve the application until Ctrl+C. Raises UsageError if that cannot be."""
    output, folder = Output.from_options(options), folder_of(options)
    try:
        from workbench.cli.application.web_server import WebServer, run
    except ImportError as error:
        raise UsageError(
            "The application in a browser needs a package that is not installed.",
            "Install it: pip install 'planning-workbench[serve]'.",
        ) from error
    token = _token(options)
    command = [sys.executable, "-P", "-m", "workbench", "open", "--workspace", str(folder.resolve())]
    command += ["--log", options.log] if options.log else []
    command += ["--", options.session] if options.session else []

    def ready(port: int) -> None:
        host = f"[{options.host}]" if ":" in options.host else options.host
        url = f"http://{host}:{port}/" + (f"?token={token}" if token else "")
        if output.as_json:
            told = ServeObject(url=url, host=options.host, port=port, needs_token=bool(token))
            output.json(msgspec.to_builtins(told))
        else:
            output.line(f"Open {url} in a browser. Ctrl+C ends it; everything is kept.")
        if not is_loopback(options.host):
            output.note("The connection is not encrypted: use it in a network that you trust, or behind TLS.")

    server = WebServer(command, token, is_local=is_loopback(options.host))
    try:
        asyncio.run(run(server, options.host, options.port, ready))
    except OSError as error:
        raise UsageError(
            f"Cannot listen on {clean(options.host)}:{options.port}: {error.strerror or error}.",
            "Name another port with --port; 0 takes a free one.",
        ) from error
    return 0


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _token(options: argparse.Namespace) -> str:
    """Return the token that a browser has to know; "" for none. Its variable is not passed on to what is started."""
    given = os.environ.pop(TOKEN, "")
    if given and (len(given) < _SHORTEST_TOKEN or not given.isascii() or not given.isprintable()):
        raise UsageError(f"{TOKEN} is not a safe token.", f"Set it to {_SHORTEST_TOKEN} letters and digits or more.")
    if given or (is_loopback(options.host) and not options.token):
        return given
    return secrets.token_urlsafe(_TOKEN_BYTES)
