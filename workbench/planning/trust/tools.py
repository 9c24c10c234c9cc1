"""Tools for models: the workbench's own, which only read, and those of servers that a person trusts.

ToolUse ─▶ Toolbox.use ─┬ list_files · search_files · read_file · research · read_entity ─▶ tool.returned
                        └ a server's tool (mcp_servers.py) ────────────────────────────────┘

A tool always has a result: it may fail, with a sentence, and it never takes longer than its time.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from workbench.domain.errors import WorkbenchError
from workbench.domain.loop.asking.tool_calls import MOST_OF_A_RESULT
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState, ToolUse
from workbench.domain.text.cleaning import clean, shorten
from workbench.planning.sources.research import Researcher

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
    _tool("search_files", "Search the files of the project for a text.", ["text"], text=_TEXT),
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
"""What models may use if a person allowed research."""


class Server(Protocol):
    """A server with tools of its own."""

    @property
    def tools(self) -> tuple[say.Tool, ...]:
        """Its tools. May block. Raises OSError if it cannot be reached."""
        ...

    async def use(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, str]:
        """Use a tool; return whether that worked, and its result. Raises OSError if it cannot be reached."""
        ...

    def stop(self) -> None:
        """End what is being asked in other threads."""
        ...


class NotUsable(ValueError):
    """A tool cannot use its arguments, or has nothing to return."""


@dataclass
class Toolbox:
    """The tools that a person allowed, and how each is used."""

    research: Researcher | None = None
    servers: Mapping[str, Server] = field(default_factory=dict)
    allowed: tuple[str, ...] = ()
    """Names of tools that a person allowed beforehand, although they may change things."""
    time: float = TIME

    @property
    def offered(self) -> say.ToolsOffered:
        """The event that offers these tools. Asks servers for theirs: for a worker thread."""
        tools = {tool.name: tool for tool in (OWN_TOOLS if self.research is not None else ())}
        failed: list[str] = []
        for server in self.servers.values():
            try:
                listed = server.tools
            except OSError as error:
                failed.append(_sentence(error.strerror or "a server cannot be used"))
                continue
            failed += [
                f"A second tool {tool.name}, of {tool.server}, is not offered."
                for tool in listed
                if tools.setdefault(tool.name, tool) is not tool
            ]
        return say.ToolsOffered(tools=tuple(tools.values()), allowed=self.allowed, unavailable=" ".join(failed))

    def definition(self, name: str) -> say.Tool | None:
        """Return a tool as it is offered now, whatever a session's log says of it. May ask its server: it blocks."""
        server = self.servers.get(name.partition(".")[0])
        if server is None:
            own = OWN_TOOLS if self.research is not None else ()
            return next((tool for tool in own if tool.name == name), None)
        with suppress(OSError):
            return next((tool for tool in server.tools if tool.name == name), None)
        return None

    def stop(self) -> None:
        """End what servers are being asked for."""
        for server in self.servers.values():
            server.stop()

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
        text = shorten(clean(returned.text[: 2 * MOST_OF_A_RESULT]), MOST_OF_A_RESULT) or "It returned nothing."
        return replace(returned, text=text, seconds=max(now() - begun, 0.0))

    async def _used(self, using: ToolUse, state: SessionState, memory: MemoryView) -> say.ToolReturned:
        tool = await asyncio.to_thread(self.definition, using.tool)
        if tool is None:
            raise NotUsable("it is not offered here.")
        if not tool.server:
            return await asyncio.to_thread(self._use_own_tool, using, state, memory)
        works, text = await self.servers[tool.server].use(using.tool, using.arguments)
        return say.ToolReturned(use=using.use, outcome="done" if works else "failed", text=text)

    def _use_own_tool(self, using: ToolUse, state: SessionState, memory: MemoryView) -> say.ToolReturned:
        research = self.research
        if research is None:
            raise NotUsable("reading the project is not allowed here.")
        match using.tool:
            case "read_file":
                return _result_of_lines(using, [_read_lines(using, research, _argument(using, "path"))])
            case "list_files":
                read = research.files.named([str(using.arguments.get("folder") or research.files.project)])
                return _result_of_lines(using, [replace(folder, lines=0) for folder in read])
            case "search_files":
                found = research.find(_argument(using, "text"))
                sources = [f"{source.ref}\t{source.text}" for source in found.found]
                return _done(using, sources, found.unavailable)
            case "research":
                here = dataclasses.replace(research, web=None)  # a model's words are sent to nobody without a gate
                *passages, account = here.look_up([_argument(using, "text")], state, memory)
                lines: list[str] = []
                if isinstance(account, say.GapsResearched):
                    remembered = (one for one in account.found if one.kind == "session")
                    lines = [*(f"remembered, {one.ref}: {one.text}" for one in remembered), account.unavailable]
                return _result_of_lines(using, [one for one in passages if isinstance(one, say.FileRead)], lines)
            case _:
                name = _argument(using, "name")
                entity = state.entity(name)
                if entity is None:
                    names = ", ".join(sorted({entity.name for entity in state.entities})) or "none"
                    raise NotUsable(f"there is no entity {name!r}. There are: {names}.")
                return _done(using, [entity.content])


def _sentence(why: str) -> str:
    return f"{why[:1].upper()}{why[1:]}."


def _argument(using: ToolUse, name: str) -> str:
    value = using.arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NotUsable(f"it needs {name}, a text.")
    return value


def _read_lines(using: ToolUse, research: Researcher, path: str) -> say.FileRead:
    """Return some lines of a file, as many as a result holds."""
    first = using.arguments.get("first", 1)
    if not isinstance(first, int) or first < 1:
        raise NotUsable("first is the number of a line, from 1.")
    passages = research.files.named([path])
    if why := next((passage.why_not for passage in passages if passage.why_not and not passage.text), ""):
        raise NotUsable(f"{passages[0].path}: {why}")
    lines = [line for passage in passages for line in passage.text.split("\n")][first - 1 : first - 1 + _MOST_LINES]
    if not lines:
        raise NotUsable(f"{passages[0].path} has no line {first}.")
    text = "\n".join(lines)
    if len(text) > MOST_OF_A_RESULT - 200:
        lines = text[: MOST_OF_A_RESULT - 200].split("\n")[:-1] or lines[:1]
    return replace(passages[0], first=first, last=first + len(lines) - 1, text="\n".join(lines))


def _result_of_lines(using: ToolUse, passages: Sequence[say.FileRead], more: Sequence[str] = ()) -> say.ToolReturned:
    """Return lines of files as a result, which the plan may cite; those that an agent read, only that agent."""
    reader = using.role if using.task in ("chat", "work") else ""
    texts: list[str] = []
    cited: list[say.FileRead] = []
    room = MOST_OF_A_RESULT - sum(map(len, more))
    for passage in passages:
        span = f", lines {passage.first}-{passage.last} of {passage.lines}" if passage.lines else ""
        text = f"{passage.path}{span}:\n{passage.text or passage.why_not}\n"
        room -= len(text) + 1
        if room < 0:
            break
        texts.append(text)
        if passage.text and passage.lines:
            cited.append(replace(passage, text="", to=reader))
    return replace(_done(using, [*texts, *more]), read=tuple(cited))


def _done(using: ToolUse, lines: Sequence[str], failed: str = "") -> say.ToolReturned:
    text = "\n".join(lines).strip() or "Nothing was found."
    return say.ToolReturned(use=using.use, outcome="done", text=f"{text}\n{failed}".strip())


def _failed(using: ToolUse, why: str) -> say.ToolReturned:
    return say.ToolReturned(use=using.use, outcome="failed", text=why)
