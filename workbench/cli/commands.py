"""The commands of the program, as ``commands.txt`` tells them. Imports nothing of the core: ``--help`` is fast.

@name                            arguments that several commands have
name  folder.module:function key=value  a command and its defaults; a subcommand's name is after its command's
    what it does, in the list of commands
    : what it does, in its own help
    name VALUE                      an argument by its place, with its help
    --flag                          help that continues in the next line
                                    begins far to the right
    --option VALUE … {default=10}   one that may be repeated; in braces, what else argparse has to know
    a title (one of):               a group; its arguments are indented further
    $ an example                    what follows # is for the reader
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from workbench.cli import argument_types as types

PATH = str
"""The type of an argument that names a file or folder: its bytes need not be UTF-8."""


class Option(NamedTuple):
    """An argument of a command, as argparse takes it."""

    names: tuple[str, ...]
    settings: dict[str, Any]


class Group(NamedTuple):
    """Options under a title of their own, or of which at most one may be given."""

    options: tuple[Option | Group, ...]
    title: str
    is_exclusive: bool


class Command(NamedTuple):
    """A command, or a subcommand."""

    name: str
    run: str
    """``module:function`` in ``workbench.cli``; "" for a command that needs a subcommand."""
    summary: str
    """What it does, in the list of commands."""
    description: str
    """What it does, in its own help."""
    defaults: dict[str, Any]
    arguments: tuple[Option | Group, ...]
    subcommands: list[Command]


_FURTHER = "\n" + 32 * " "
"""Before what a line says further."""
_ONE_OF = "(one of)"
_TYPES: dict[str, Any] = {
    **dict.fromkeys(("N", "SEQ", "1..5"), int),
    **dict.fromkeys(("USD", "SECONDS", "X"), float),
    **dict.fromkeys(("FILE", "DIR", "PATH", "A", "B", "FILE|ID", "ID|FILE", "FILE|DIR|GLOB"), PATH),
    "DATE": types.day,
}
"""By the word that stands for a value in the help."""


def _option(line: str) -> Option:
    usage, _, text = line.partition("  ")
    more = ""
    if " {" in usage:
        usage, _, rest = line.partition(" {")
        more, _, text = rest.partition("}")
    words = usage.split()
    names = tuple(word for word in words if word.startswith("-")) or (words[0],)
    value, *repeats = words[len(names) :] or [""]
    given = {name: _setting(name, word) for name, word in _pairs(more.split())}
    settings: dict[str, Any] = {"help": text.strip() or None}
    if repeats:
        settings |= {"action": "append", "default": [], "help": f"{settings['help']}; repeatable"}
    elif not value and "choices" not in given:
        settings["action"] = "store_const" if "const" in given else "store_true"
    if value:
        settings |= {"metavar": value, "type": _TYPES.get(value)}
    return Option(names, settings | given)


def _pairs(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    for word in words:
        name, equals, text = word.partition("=")
        yield name, text if equals else "True"


def _setting(name: str, text: str) -> Any:
    if name in ("choices", "metavar"):
        return tuple(text.split(","))
    if name == "type":
        return getattr(types, text)
    return int(text) if text.isdecimal() else {"True": True, "False": False}.get(text, text)


def _arguments(lines: Iterable[str]) -> Iterator[Option | Group]:
    parts: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(" "):
            parts[-1][1].append(line.strip())
        else:
            parts.append((line, []))
    for line, within in parts:
        if within:
            title = line.removesuffix(":")
            yield Group(tuple(_arguments(within)), title.removesuffix(_ONE_OF).strip(), title.endswith(_ONE_OF))
        elif line.startswith("@"):
            yield from SEVERAL[line]
        else:
            yield _option(line)


def _marked(lines: Iterable[str], mark: str) -> list[str]:
    return [line.removeprefix(mark) for line in lines if line.startswith(mark)]


def commands(name: str = "") -> tuple[Command, ...]:
    """Return all commands, each with its subcommands; the one of a name alone, if there is one: others cost time."""
    blocks = _TEXT.replace(_FURTHER, " ").split("\n\n")
    only = [block for block in blocks if block.startswith(("@", f"{name} "))] if f"\n\n{name} " in _TEXT else blocks
    return tuple(_parse_commands(only))


def _parse_commands(blocks: Iterable[str]) -> Iterator[Command]:
    """Yield the commands, each with its subcommands, which are after it."""
    known: dict[str, Command] = {}
    for block in blocks:
        head, *lines = block.strip().replace("\n    ", "\n").split("\n")
        if head.startswith("@"):
            SEVERAL[head] = tuple(_arguments(lines))
            continue
        path, _, about = head.partition("  ")
        (*above, name), (run, *defaults) = path.split(), about.split()
        summary, marked = lines[0], [line for line in lines[1:] if line.startswith((": ", "$ "))]
        command = Command(
            name=name,
            run=run if ":" in run else "",
            summary=summary,
            description=" ".join(_marked(marked, ": ")) or f"{summary[0].upper()}{summary[1:]}.",
            defaults={one: _setting(one, given) for one, given in _pairs(defaults)},
            arguments=tuple(_arguments(line for line in lines[1:] if line not in marked)),
            subcommands=[],
        )
        known[path] = command
        if examples := _marked(marked, "$ "):
            EXAMPLES[f"workbench {path}"] = examples
        if above:
            known[above[0]].subcommands.append(command)
        else:
            yield command


SEVERAL: dict[str, tuple[Option | Group, ...]] = {}
"""Arguments that several commands have, by ``@name``."""
EXAMPLES: dict[str, list[str]] = {}
"""By command; what follows ``#`` is for the reader."""
with open(__file__.removesuffix("py") + "txt", encoding="utf-8") as _file:  # noqa: PTH123  # pathlib takes long to import
    _TEXT = _file.read()
