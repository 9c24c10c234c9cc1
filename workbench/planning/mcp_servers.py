"""MCP servers that a person configured: their tools, behind the same gate.

[mcp.tickets] command = ["tickets-server"]   or   url = "https://HOST/mcp" ─▶ McpServer ─▶ Tool …, results as text
                         └─ its standard error ─▶ cleaned, the end of it ─▶ .workbench/cache/mcp-tickets.log

Each use opens a connection of its own, so a server that hangs or dies costs only that use. Servers are not trusted:
the person says which of their tools only read (``read_only``).
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from workbench.domain.errors import SettingsError
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean, clean_json, clean_name, shorten
from workbench.models.secret import Secret
from workbench.planning.programs import NO_PYCACHE, placed, program_digests
from workbench.storage.files.opening import Files, replace_whole

if TYPE_CHECKING:  # the SDK is imported when a server is used
    from mcp import Client

CONNECTING = 20.0
"""Seconds until a server has said what it offers."""
MOST_TOOLS, MOST_OF_A_DESCRIPTION, MOST_OF_A_SCHEMA = 50, 1_000, 8_000
MOST_OF_A_LOG = 65_536
"""Bytes of a server's standard error that are kept: the last ones."""
_UNTIL_ENDED = 1.0
"""Seconds for the end of a server's standard error, once the server has ended: what it started may hold it."""
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class McpSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a server is reached."""

    command: tuple[str, ...] = ()
    """The program and its arguments; () where it has an address."""
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
        if bool(self._settings.command) == bool(self._settings.url) or not _NAME.fullmatch(name):
            raise SettingsError(f"The server {name} has neither a command nor a url, or both.", remedy)
        if "." in name:
            raise SettingsError(
                f"The server {name} has a dot in its name, so its tools could be taken for those of another one.",
                f"Call it {name.replace('.', '-')}.",
            )
        self.name = name
        self._time = time
        self._project = project
        self._is_own = is_own
        self._accepted = accepted
        self._log = None if logs is None else logs / f"mcp-{name}.log"

    @cached_property
    def tools(self) -> tuple[say.Tool, ...]:
        """Its tools; asked for once. Blocks: for a worker thread. Raises OSError if it cannot be reached."""
        with ThreadPoolExecutor(1) as thread:  # there may be an event loop in this one
            return thread.submit(asyncio.run, self._listed()).result()

    async def use(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Use a tool; return whether that worked, and its result as text. Raises OSError."""
        async with self._connected() as client:
            result = await client.call_tool(tool.removeprefix(f"{self.name}."), dict(arguments))
        texts = [getattr(part, "text", f"[{part.type}, which is not shown]") for part in result.content]
        return not result.is_error, "\n".join(texts)

    async def _listed(self) -> tuple[say.Tool, ...]:
        async with self._connected(self._time) as client:
            listed = await client.list_tools()
        known = (one for one in listed.tools[:MOST_TOOLS] if _NAME.fullmatch(one.name))
        return tuple(self._tool(one.name, one.description or "", one.input_schema) for one in known)

    def _tool(self, name: str, description: str, schema: Mapping[str, Any]) -> say.Tool:
        parameters = clean_json(dict(schema))
        is_short = len(msgspec.json.encode(parameters)) <= MOST_OF_A_SCHEMA
        return say.Tool(
            name=f"{self.name}.{name}",
            description=shorten(clean(description[: 2 * MOST_OF_A_DESCRIPTION]), MOST_OF_A_DESCRIPTION),
            parameters=parameters if is_short else {"type": "object"},
            read_only=name in self._settings.read_only,
            server=self.name,
        )

    @asynccontextmanager
    async def _connected(self, time: float | None = None) -> AsyncIterator[Client]:
        """Connect for at most so many seconds. Raises OSError for whatever goes wrong."""
        said = _Said()
        try:
            await asyncio.to_thread(self._check_program)
            async with said.heard() as errors, asyncio.timeout(time), self._client(errors) as client:
                yield client
        except Exception as error:
            raise self._unreachable(error, said.text) from error
        finally:
            await asyncio.to_thread(self._keep, said.text)

    def _check_program(self) -> None:
        """Raise OSError where the program is not what the person accepted."""
        try:
            digests = program_digests(self.name, self._settings.command, self._project, is_own=self._is_own)
        except OSError as error:
            raise OSError(error.errno, f"the server {self.name} is not started: {error.strerror}") from error
        accepted = self._accepted() if digests else {}
        if changed := [name for name, digest in digests.items() if accepted.get(name) != digest]:
            program = clean_name(changed[0].partition(": ")[2], 200)
            why = f"you have not accepted {program} as it is now (`workbench trust` shows it)"
            raise OSError(0, f"the server {self.name} is not started: {why}")

    def _client(self, errors: TextIO) -> Client:
        try:
            from mcp import Client, StdioServerParameters, stdio_client
        except ImportError as error:
            raise OSError(0, "install planning-workbench[mcp]") from error
        log = logging.getLogger("mcp")  # it prints what a server says wrongly
        log.addHandler(logging.NullHandler())
        log.propagate = False
        if self._settings.url:
            return Client(self._settings.url)
        program, *arguments = placed(self._settings.command, self._project)
        given = {name: os.environ[name] for name in self._settings.env if name in os.environ}
        given["PYTHONPYCACHEPREFIX"] = NO_PYCACHE
        parameters = StdioServerParameters(command=program, args=arguments, env=given, cwd="/")
        return Client(stdio_client(parameters, errors))

    def _keep(self, said: str) -> None:
        """Keep what the server said, without the variables that it was given. A full disk costs only that."""
        if self._log is None or not said:
            return
        for name in self._settings.env:
            said = Secret(os.environ.get(name, "")).scrub(said)
        with suppress(OSError):
            replace_whole(Files(), self._log, clean(said).encode(), durable=False)

    def _unreachable(self, error: Exception, said: str) -> OSError:
        """Return what went wrong with the server, in our own words, and where its own are."""
        where = f"; {self._log.name} in .workbench/cache has what it said" if said and self._log is not None else ""
        if isinstance(error, OSError) and error.strerror and error.errno == 0:
            return error
        if isinstance(error, OSError) and error.strerror:
            return OSError(error.errno, f"the server {self.name} cannot be used: {clean_name(error.strerror)}{where}")
        return OSError(0, f"the server {self.name} does not answer as it should ({type(error).__name__}){where}")


class _Said:
    """The end of what a process says on its standard error, as it comes; nothing of it reaches the terminal."""

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def text(self) -> str:
        return bytes(self._data[-MOST_OF_A_LOG:]).decode("utf-8", "replace")

    @asynccontextmanager
    async def heard(self) -> AsyncIterator[TextIO]:
        """Yield what a process is given as its standard error, and wait for the end of it afterwards."""
        reading, writing = os.pipe()
        reader = Thread(target=self._read, args=(reading,), daemon=True)
        reader.start()
        try:
            with os.fdopen(writing, "w") as errors:
                yield errors
        finally:
            await asyncio.to_thread(reader.join, _UNTIL_ENDED)

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while portion := pipe.read(8_192):
                self._data += portion
                del self._data[:-MOST_OF_A_LOG]
