"""The other side of a server of the Model Context Protocol, in a process of its own (foreign.py).

    Asked ─▶ the protocol's SDK ─▶ the server ─▶ Answered, cut to what is kept

What a server lists or returns is parsed by the SDK, which bounds neither its time nor its memory. A server that is a
program of this machine is run without the limits of this process, and ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

from workbench.foreign import name_of
from workbench.planning.trust.programs import NO_PYCACHE

if TYPE_CHECKING:  # the SDK is imported when a server is used
    from mcp import Client

MOST_TOOLS, MOST_OF_A_DESCRIPTION, MOST_OF_A_SCHEMA = 50, 1_000, 8_000
MOST_OF_A_RESULT = 100_000
"""Characters of a result that are returned."""
MOST_OF_A_LOG = 65_536
"""Bytes of a server's standard error that are returned: the last ones."""
_UNTIL_ENDED = 1.0
"""Seconds for the end of a server's standard error, once the server has ended: what it started may hold it."""
_RUN = """
import os, sys
try:
    import resource
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_CORE):
        resource.setrlimit(limit, (resource.getrlimit(limit)[1],) * 2)
    if sys.platform == "linux":
        import ctypes
        ctypes.CDLL(None).prctl(1, 9)
except (ImportError, OSError, ValueError):
    pass
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Becomes a server without our limits; on Linux one that is killed when who began it ends (PR_SET_PDEATHSIG)."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of a server."""

    command: tuple[str, ...]
    url: str
    env: tuple[str, ...]
    """Names of the variables that the program is given."""
    path: str = ""
    """Its PATH."""
    seconds: float | None = None
    """Until it has to have answered; None: as long as this process lives."""
    tool: str = ""
    """The tool that is used; "" to list them."""
    arguments: dict[str, Any] = {}
    expected: Listed | None = None
    """What the tool was listed as, when it was offered; None to use it whatever it is now."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as its server tells it."""

    name: str
    description: str = ""
    schema: dict[str, Any] = {}


class Answered(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of it."""

    tools: tuple[Listed, ...] = ()
    text: str = ""
    works: bool = False
    """Whether the tool says that it did what it was asked."""
    failed: str = ""
    """Why the server cannot be used; "" if it can."""
    is_changed: bool = False
    """Whether the tool is defined otherwise than it was expected to be."""
    said: str = ""
    """The end of what it said on its standard error."""


def ask(asked: bytes) -> bytes:
    """Ask a server, whatever it does."""
    return msgspec.json.encode(asyncio.run(_answered(msgspec.json.decode(asked, type=Asked))))


async def _answered(asked: Asked) -> Answered:
    said = _Said()
    return msgspec.structs.replace(await _answer(asked, said), said=said.text)


async def _answer(asked: Asked, said: _Said) -> Answered:
    try:
        async with said.heard() as errors, asyncio.timeout(asked.seconds), _client(asked, errors) as client:
            return await (_used(client, asked) if asked.tool else _list_tools(client))
    except ImportError:
        return Answered(failed="install planning-workbench[mcp]")
    except (MemoryError, RecursionError):
        raise
    except BaseExceptionGroup as group:
        if group.subgroup((MemoryError, RecursionError)) is not None:
            raise
        return Answered(failed=f"it does not answer as it should ({name_of(group)})")
    except Exception as error:  # noqa: BLE001 - a server that is not there, or none: whatever the SDK makes of it
        if isinstance(error, OSError) and error.strerror:
            return Answered(failed=error.strerror[:200])
        return Answered(failed=f"it does not answer as it should ({name_of(error)})")


def _client(asked: Asked, errors: TextIO) -> Client:
    from mcp import Client, StdioServerParameters, stdio_client

    if asked.url:
        return Client(asked.url)
    given = {name: os.environ[name] for name in asked.env if name in os.environ}
    given |= {"PYTHONPYCACHEPREFIX": NO_PYCACHE, "PATH": asked.path}
    arguments = ["-I", "-S", "-c", _RUN, *asked.command]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=given, cwd="/")
    return Client(stdio_client(parameters, errors))


async def _list_tools(client: Client) -> Answered:
    listed = await client.list_tools()
    told = ((tool, dict(tool.input_schema)) for tool in listed.tools[:MOST_TOOLS])
    return Answered(
        tools=tuple(
            Listed(
                name=one.name[:200],
                description=(one.description or "")[: 2 * MOST_OF_A_DESCRIPTION],
                schema=schema if len(msgspec.json.encode(schema)) <= MOST_OF_A_SCHEMA else {"type": "object"},
            )
            for one, schema in told
        )
    )


async def _used(client: Client, asked: Asked) -> Answered:
    if asked.expected is not None:
        listed = await _list_tools(client)
        if asked.expected not in listed.tools:
            return Answered(failed="it defines the tool otherwise than when it was offered", is_changed=True)
    result = await client.call_tool(asked.tool, asked.arguments)
    texts = [getattr(part, "text", f"[{part.type}, which is not shown]") for part in result.content]
    return Answered(works=not result.is_error, text="\n".join(texts)[:MOST_OF_A_RESULT])


class _Said:
    """The end of what a process says on its standard error, as it comes; nothing of it reaches a terminal."""

    def __init__(self) -> None:
        self._data = bytearray()

    @property
    def text(self) -> str:
        return bytes(self._data[-MOST_OF_A_LOG:]).decode("utf-8", "replace")

    @asynccontextmanager
    async def heard(self) -> AsyncIterator[TextIO]:
        """Yield what a process is given as its standard error, and wait for the end of it afterwards."""
        reading, writing = os.pipe()
        reader = Thread(target=self._drain, args=(reading,), daemon=True)
        reader.start()
        try:
            with os.fdopen(writing, "w") as errors:
                yield errors
        finally:
            await asyncio.to_thread(reader.join, _UNTIL_ENDED)

    def _drain(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while portion := pipe.read(8_192):
                self._data += portion
                del self._data[:-MOST_OF_A_LOG]
