"""The other side of a server of the Model Context Protocol, in a process of its own (foreign.py).

    Asked ─▶ the protocol's SDK ─▶ the server ─▶ Answered, cut to what is kept

What a server lists or returns is parsed by the SDK, which bounds neither its time nor its memory. A server that is a
program of this machine is run without the limits of this process, and ends with it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:  # the SDK is imported when a server is used
    from mcp import Client

MOST_TOOLS, MOST_OF_A_DESCRIPTION, MOST_OF_A_SCHEMA = 50, 1_000, 8_000
MOST_OF_A_RESULT = 100_000
"""Characters of a result that are returned."""
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
    seconds: float | None = None
    """Until it has to have answered; None: as long as this process lives."""
    tool: str = ""
    """The tool that is used; "" to list them."""
    arguments: dict[str, Any] = {}


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


def ask(asked: bytes) -> bytes:
    """Ask a server, whatever it does."""
    return msgspec.json.encode(asyncio.run(_answered(msgspec.json.decode(asked, type=Asked))))


async def _answered(asked: Asked) -> Answered:
    try:
        async with asyncio.timeout(asked.seconds), _client(asked) as client:
            return await (_used(client, asked) if asked.tool else _listed(client))
    except ImportError:
        return Answered(failed="install planning-workbench[mcp]")
    except Exception as error:  # noqa: BLE001 - a server that is not there, or none: whatever the SDK makes of it
        if isinstance(error, OSError) and error.strerror:
            return Answered(failed=error.strerror[:200])
        return Answered(failed=f"it does not answer as it should ({type(error).__name__})")


def _client(asked: Asked) -> Client:
    from mcp import Client, StdioServerParameters

    if asked.url:
        return Client(asked.url)
    given = {name: os.environ[name] for name in asked.env if name in os.environ}
    arguments = ["-I", "-S", "-c", _RUN, *asked.command]
    return Client(StdioServerParameters(command=sys.executable, args=arguments, env=given))


async def _listed(client: Client) -> Answered:
    listed = await client.list_tools()
    told = ((one, dict(one.input_schema)) for one in listed.tools[:MOST_TOOLS])
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
    result = await client.call_tool(asked.tool, asked.arguments)
    texts = [getattr(part, "text", f"[{part.type}, which is not shown]") for part in result.content]
    return Answered(works=not result.is_error, text="\n".join(texts)[:MOST_OF_A_RESULT])
