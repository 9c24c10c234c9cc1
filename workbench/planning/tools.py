"""Tools that models may ask for: those of the workbench, which only read, and those of servers that a person trusts.

ToolUse ─▶ Toolbox.use ─┬ list_files · search_files · read_file · research · read_entity ─▶ tool.returned
                        └ a server's tool (mcp_servers.py) ────────────────────────────────┘

Whatever a tool does, there is a result: it fails with a sentence, and never hangs longer than its time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.tool_calls import MOST_OF_A_RESULT
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, ToolUse
from workbench.domain.text.cleaning import clean, shorten
from workbench.planning.research import Researcher

if TYPE_CHECKING:
    from workbench.memory.memory_view import MemoryView

TIME = 60.0
"""Seconds that a tool may take."""
_MOST_LINES = 200
_TEXT = {"type": "string"}


def _tool(name: str, description: str, required: Sequence[str] = (), /, **properties: Any) -> say.Tool:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return say.Tool(name=name, description=description, parameters=parameters, read_only=True)


OWN_TOOLS = (
    _tool("list_files", "List the files of the project below a folder, with sizes and headings.", folder=_TEXT),
    _tool("search_files", "Find the files of the project that say something on a text.", ["text"], text=_TEXT),
    _tool(
        "read_file",
        f"Read lines of a text file of the project, {_MOST_LINES} at most, from the first unless told otherwise.",
        ["path"],
        path=_TEXT,
        first={"type": "integer", "minimum": 1},
    ),
    _tool(
        "research",
        "Look a question up in the project's files and in what this session remembers.",
        ["text"],
        text=_TEXT,
    ),
    _tool("read_entity", "Read a named text that this session remembers, by its name.", ["name"], name=_TEXT),
)
"""What models may ask for where a person allowed research."""


class Server(Protocol):
    """A server with tools of its own."""

    @property
    def tools(self) -> tuple[say.Tool, ...]:
        """What it offers. It may block. Raises OSError where it cannot be reached."""
        ...

    async def use(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Use a tool; return whether that worked, and what it says. Raises OSError where it cannot be reached."""
        ...


class NotUsable(ValueError):
    """Arguments that a tool can do nothing with, or nothing that it could bring."""


@dataclass
class Toolbox:
    """Tools that a person allowed, and how each is performed."""

    research: Researcher | None = None
    servers: Mapping[str, Server] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    """Names of tools that a person allowed beforehand, though they do more than read."""
    time: float = TIME

    @property
    def offered(self) -> say.ToolsOffered:
        """What a session is told of it. Servers are asked for the first time: for a worker thread."""
        tools = list(OWN_TOOLS if self.research is not None else ())
        failed: list[str] = []
        for server in self.servers.values():
            try:
                tools += server.tools
            except OSError as error:
                failed.append(f"{(error.strerror or 'a server cannot be used').capitalize()}.")
        return say.ToolsOffered(tools=tuple(tools), allowed=self.allowed, unavailable=" ".join(failed))

    async def use(
        self, using: ToolUse, state: SessionState, memory: MemoryView, now: Callable[[], float]
    ) -> say.ToolReturned:
        """Use a tool and return its result, whatever came of it."""
        begun = now()
        try:
            async with asyncio.timeout(self.time):
                returned = await self._used(using, state, memory)
        except TimeoutError:
            returned = _failed(using, f"{using.tool} has not answered within {self.time:g} seconds.")
        except (WorkbenchError, NotUsable) as error:
            returned = _failed(using, f"{using.tool} failed: {error}")
        except OSError as error:
            returned = _failed(using, f"{using.tool} failed: {error.strerror or type(error).__name__}.")
        except Exception as error:  # noqa: BLE001 - whatever a tool does, planning goes on, and says what failed
            returned = _failed(using, f"{using.tool} failed ({type(error).__name__}).")
        text = shorten(clean(returned.text[: 2 * MOST_OF_A_RESULT]), MOST_OF_A_RESULT) or "It says nothing."
        return replace(returned, text=text, seconds=max(now() - begun, 0.0))

    async def _used(self, using: ToolUse, state: SessionState, memory: MemoryView) -> say.ToolReturned:
        tool = state.tool(using.tool)
        if tool is not None and tool.server:
            server = self.servers.get(tool.server)
            if server is None:
                raise NotUsable(f"the server {tool.server} is not configured here.")
            works, text = await server.use(using.tool, using.arguments)
            return say.ToolReturned(use=using.use, outcome="done" if works else "failed", text=text)
        return await asyncio.to_thread(self._own, using, state, memory)

    def _own(self, using: ToolUse, state: SessionState, memory: MemoryView) -> say.ToolReturned:
        research = self.research
        if research is None:
            raise NotUsable("reading the project is not allowed here.")
        match using.tool:
            case "read_file":
                return _read(using, research, _argument(using, "path"))
            case "list_files":
                read = research.files.named([str(using.arguments.get("folder") or research.files.project)])
                return _shown(using, [replace(one, lines=0) for one in read])
            case "search_files":
                found = research.find(_argument(using, "text")).found
                lines = [f"{one.ref}\t{one.text}" for one in found]
                return say.ToolReturned(use=using.use, outcome="done", text="\n".join(lines) or "Nothing was found.")
            case "research":
                here = replace_fields(research, web=None)  # what a model words is sent to nobody without a gate
                bodies = here.look_up([_argument(using, "text")], state, memory)
                found_lines = [one for one in bodies if isinstance(one, say.FileRead)]
                remembered = [one for one in _account(bodies).found if one.kind == "session"]
                said = [f"remembered, {one.ref}: {one.text}" for one in remembered]
                return _shown(using, found_lines, said)
            case _:
                name = _argument(using, "name")
                entity = state.entity(name)
                if entity is None:
                    names = ", ".join(sorted({one.name for one in state.entities})) or "none"
                    raise NotUsable(f"there is no entity {name!r}. There are: {names}.")
                return say.ToolReturned(use=using.use, outcome="done", text=entity.content)


def _account(bodies: Sequence[say.Body]) -> say.GapsResearched:
    return next(one for one in bodies if isinstance(one, say.GapsResearched))


def _argument(using: ToolUse, name: str) -> str:
    value = using.arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NotUsable(f"it needs {name}, a text.")
    return value


def _read(using: ToolUse, research: Researcher, path: str) -> say.ToolReturned:
    """Read some lines of a file, as many as a result holds."""
    first = using.arguments.get("first", 1)
    if not isinstance(first, int) or first < 1:
        raise NotUsable("first is the number of a line, from 1.")
    read = research.files.named([path])
    if why := next((one.why_not for one in read if one.why_not and not one.text), ""):
        raise NotUsable(f"{read[0].path}: {why}")
    lines = [line for one in read for line in one.text.split("\n")][first - 1 : first - 1 + _MOST_LINES]
    whole = "\n".join(lines)
    if len(whole) > MOST_OF_A_RESULT - 200:
        lines = whole[: MOST_OF_A_RESULT - 200].split("\n")[:-1] or lines[:1]
    part = replace(read[0], first=first, last=first + len(lines) - 1, text="\n".join(lines))
    return _shown(using, [part]) if lines else _failed(using, f"{part.path} has no line {first}.")


def _shown(using: ToolUse, read: Sequence[say.FileRead], said: Sequence[str] = ()) -> say.ToolReturned:
    """Return lines of files as a result, which can be cited."""
    texts: list[str] = []
    cited: list[say.FileRead] = []
    room = MOST_OF_A_RESULT - sum(map(len, said))
    for one in read:
        span = f", lines {one.first}-{one.last} of {one.lines}" if one.lines else ""
        text = f"{one.path}{span}:\n{one.text or one.why_not}"
        room -= len(text) + 2
        if room < 0:
            break
        texts.append(text)
        is_agents = using.task in ("chat", "work")
        cited += [replace(one, text="", to=using.role if is_agents else "")] if one.text and one.lines else []
    text = "\n\n".join([*texts, *said]) or "Nothing was found."
    return say.ToolReturned(use=using.use, outcome="done", text=text, read=tuple(cited))


def _failed(using: ToolUse, why: str) -> say.ToolReturned:
    return say.ToolReturned(use=using.use, outcome="failed", text=why)
