"""MCP servers that a person configured: their tools, behind the same gate.

[mcp.tickets] command = ["tickets-server"]   or   url = "https://HOST/mcp" ─▶ McpServer ─▶ Tool …, results as text
                         │                                                    └─▶ mcp_client.py, in a process of its own
                         └─ its standard error ─▶ cleaned, the end of it ─▶ .workbench/cache/mcp-tickets.log

Each use opens a connection of its own, so a server that hangs or dies costs only that use. Servers are not trusted:
the person says which of their tools only read (``read_only``), and what they say is parsed apart (foreign.py).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import msgspec

from workbench.domain.errors import SettingsError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean, clean_json, clean_name, shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.trust import digest_of
from workbench.foreign import Apart, Defective, TooCostly
from workbench.models.secret import Secret
from workbench.planning.trust.mcp_client import MOST_OF_A_DESCRIPTION, Answered, Asked, Listed
from workbench.planning.trust.programs import path_outside, placed, program_digests
from workbench.storage.files.opening import Files, replace_whole

CONNECTING = 20.0
"""Seconds until a server has said what it offers."""
_TO_END, _LONGEST_USE = 10.0, 3_600.0
"""Seconds that the SDK has to start, and to end a server; and that a use may take if nobody says less."""
_ENVIRONMENT = (
    "HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR", "APPDATA", "LOCALAPPDATA",
    "PATHEXT", "TEMP", "USERPROFILE",
)  # fmt: skip
"""Variables of ours that it takes to run a program, or to reach a server."""
_ASK = "workbench.planning.trust.mcp_client:ask"
_NAME = lazy_pattern(r"[A-Za-z0-9_.-]{1,64}")


class McpSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server is reached."""

    command: tuple[str, ...] = ()
    """The program and its arguments; () if it has an address."""
    url: str = ""
    env: tuple[str, ...] = ()
    """Names of environment variables that the program is given, besides the harmless ones."""
    read_only: tuple[str, ...] = ()
    """Names of its tools that change nothing, which are used without asking."""


class McpServer:
    """One server."""

    def __init__(
        self,
        name: str,
        table: Mapping[str, Any],
        time: float = CONNECTING,
        *,
        project: Path | None = None,
        is_own: bool = True,
        accepted: Callable[[], Mapping[str, str]] = dict,
        logs: Path | None = None,
    ) -> None:
        """``table`` is its settings, the person's own or a folder's. Raises SettingsError.

        A program of the ``project`` is run only as the person ``accepted`` it: names with digests. ``logs`` is
        a folder for what it says on standard error.
        """
        remedy = f'Give [mcp.{name}] a command = ["PROGRAM", …] or a url = "https://…".'
        try:
            self._settings = msgspec.convert(dict(table), McpSettings)
        except msgspec.ValidationError as error:
            raise SettingsError(f"The server {name} cannot be used: {error}.", remedy) from error
        if not _NAME.fullmatch(name):
            why = f"{clean_name(name, 80)!r} cannot be the name of a server."
            raise SettingsError(why, "Use letters, digits, - and _, 64 at most.")
        if bool(self._settings.command) == bool(self._settings.url):
            raise SettingsError(f"The server {name} needs either a command or a url.", remedy)
        if "." in name:
            raise SettingsError(
                f"The server {name} has a dot in its name, so its tools could be mistaken for another server's.",
                f"Call it {name.replace('.', '-')}.",
            )
        self.name = name
        self._time = time
        self._project = project
        self._is_own = is_own
        self._accepted = accepted
        self._log = None if logs is None else logs / f"mcp-{name}.log"
        self._digest = ""
        """Of what the server was when its tools were listed; "" before."""
        self._listed: dict[str, Listed] = {}
        """Its tools as it told them when they were offered."""
        self._idle: list[Apart] = []
        """Processes that have the SDK imported, which takes seconds."""
        self._busy: list[Apart] = []

    @cached_property
    def tools(self) -> tuple[say.Tool, ...]:
        """Its tools; asked for once. Blocks: for a worker thread. Raises OSError if it cannot be reached."""
        self._digest = ""
        with self._client() as client:
            return self.taken(self._ask_server(client, self._time + _TO_END, seconds=self._time))

    def taken(self, answer: bytes) -> tuple[say.Tool, ...]:
        """Return the tools that a listing names. Raises OSError for what is none."""
        listed = [tool for tool in self._usable(answer).tools if _NAME.fullmatch(tool.name)]
        self._listed = {one.name: one for one in listed}
        return tuple(map(self._tool, listed))

    async def use(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Use a tool; return whether that worked, and its result as text. Raises OSError."""
        name = tool.removeprefix(f"{self.name}.")
        using = {"tool": name, "arguments": dict(arguments), "expected": self._listed.get(name)}
        with self._client() as client:
            answered = self._usable(await asyncio.to_thread(partial(self._ask_server, client, _LONGEST_USE, **using)))
        return answered.works, answered.text

    @contextmanager
    def _client(self) -> Iterator[Apart]:
        """Give a process of which nothing is asked now. It is killed where an answer fails, or is not waited for."""
        settings = self._settings
        client = self._idle.pop() if self._idle else Apart(_ASK, (*_ENVIRONMENT, *settings.env))
        self._busy.append(client)
        try:
            yield client
        except BaseException:
            client.close()
            raise
        finally:
            self._busy.remove(client)
        self._idle.append(client)

    def stop(self) -> None:
        """End what is being asked in other threads."""
        for client in tuple(self._busy):
            client.close()

    def _ask_server(self, client: Apart, most_seconds: float, **asked: Any) -> bytes:
        """Return what is said of the server's answer. Raises OSError."""
        settings = self._settings
        self._check_program()
        command = tuple(placed(settings.command, self._project))
        path = path_outside(self._project)
        request = Asked(command=command, url=settings.url, env=settings.env, path=path, **asked)
        try:
            return client.read(msgspec.json.encode(request), most_seconds)
        except TooCostly:
            raise OSError(0, f"the server {self.name} answers with too much, or takes too long") from None
        except Defective as error:
            raise OSError(0, f"the server {self.name} cannot be asked: a defect of the workbench ({error})") from None

    def _usable(self, answer: bytes) -> Answered:
        """Return an answer in its parts. Raises OSError."""
        try:
            answered = msgspec.json.decode(answer, type=Answered)
        except UNREADABLE:
            raise OSError(0, f"the server {self.name} does not answer as it should") from None
        self._keep(answered.said)
        if answered.is_changed:  # it is asked for its tools again, and the person about this one
            self.__dict__.pop("tools", None)
        if answered.failed:
            where = ""
            if answered.said and self._log is not None:
                where = f"; {self._log.name} in .workbench/cache has what it said"
            raise OSError(0, f"the server {self.name} cannot be used: {clean_name(answered.failed, 200)}{where}")
        return answered

    def _check_program(self) -> None:
        """Raise OSError if the program is not what the person accepted, or another one than was listed."""
        try:
            digests = program_digests(self.name, self._settings.command, self._project, is_own=self._is_own)
        except OSError as error:
            raise OSError(error.errno, f"the server {self.name} is not started: {error.strerror}") from error
        accepted = self._accepted() if digests else {}
        if changed := [name for name, digest in digests.items() if accepted.get(name) != digest]:
            program = clean_name(changed[0].partition(": ")[2], 200)
            why = f"you have not accepted {program} as it is now (`workbench trust` shows it)"
            raise OSError(0, f"the server {self.name} is not started: {why}")
        digest = digest_of(placed(self._settings.command, self._project), self._settings.url, digests)
        if self._digest not in ("", digest):
            self.__dict__.pop("tools", None)  # it is asked for its tools again, and the person about them
            raise OSError(0, f"the server {self.name} is not the same program as when its tools were offered")
        self._digest = digest

    def _keep(self, said: str) -> None:
        """Keep what the server said, without the variables that it was given. A full disk costs only that."""
        if self._log is None or not said:
            return
        for name in self._settings.env:
            said = Secret(os.environ.get(name, "")).scrub(said)
        with suppress(OSError):
            replace_whole(Files(), self._log, clean(said).encode(), durable=False)

    def _tool(self, listed: Listed) -> say.Tool:
        return say.Tool(
            name=f"{self.name}.{listed.name}",
            description=shorten(clean(listed.description), MOST_OF_A_DESCRIPTION),
            parameters=clean_json(listed.schema),
            read_only=listed.name in self._settings.read_only,
            server=self.name,
            server_digest=self._digest,
        )
