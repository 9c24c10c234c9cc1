"""Parses the command line. Imports nothing of the core: ``--help`` costs what argparse costs.

commands.txt ─▶ a parser for each command ─▶ options.run, which imports the command's module when it runs
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from workbench.cli import argument_types

_EPILOG = """\
exit codes: 0 done, 1 failed, 2 wrong use, 3 waiting for a person, 130 interrupted

  workbench run "Move our billing to the new provider by 30 June without downtime"
  workbench sessions list
  workbench resume ID --feedback "Keep the old provider until the audit is through"
"""

_LONGEST_MESSAGE = 1_000
"""Characters of what the parser says, which may quote an argument of any length."""
_CONTINUED = " " * 12
_ARGUMENT = re.compile(
    r"(?P<names>[^\s,]+(?:, [^\s,]+)*)(?: (?P<value>[^({]+?))?(?: \{(?P<choices>.+)\})?(?: \((?P<more>.+)\))?"
)
_TYPES = {"path": str, "whole": int, "decimal": float}
_VALUES = {"yes": True, "no": False, "": None}


class Command(NamedTuple):
    """A block of ``commands.txt``."""

    name: str
    place: str
    """Module and function; "" where a command below it has to be named."""
    lines: Sequence[str]
    """What is said of it, without what they are indented by at least."""

    def marked(self, mark: str) -> list[str]:
        """Return what stands behind a mark."""
        return [line[2:] for line in self.lines if line.startswith(f"{mark} ")]

    @property
    def arguments(self) -> list[str]:
        """The lines that name arguments, and groups of them."""
        return [line for line in self.lines if line[:2] not in (": ", "| ", "+ ", "$ ")]


@lru_cache(maxsize=1)
def commands() -> dict[str, Command]:
    """Return what ``commands.txt`` says of each command, by its name."""
    text = Path(__file__).with_name("commands.txt").read_text(encoding="utf-8").replace(f"\n{_CONTINUED}", " ")
    blocks = [block.splitlines() for block in text.split("\n\n") if not block.startswith("#")]
    found = (Command(*_name_and_place(head), [line[4:] for line in lines]) for head, *lines in blocks)
    return {command.name: command for command in found}


def _name_and_place(head: str) -> tuple[str, str]:
    name, _, place = head.partition(" = ")
    return name, place


class _Formatter(argparse.HelpFormatter):
    """Wraps prose, and leaves examples, which are indented, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(" ") else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Wrong use ends in one sentence and where to look."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Formatter} | options)
        self.register("type", None, argument_types.text)
        self.register("type", int, argument_types.whole)
        self.register("type", float, argument_types.decimal)

    def error(self, message: str) -> NoReturn:
        """End with a message on one line; argparse quotes arguments in it as they are."""
        from workbench.domain.text.cleaning import clean_name  # here: `--help` does not need it

        sentence = clean_name(f"{message[:1].upper()}{message[1:]}", _LONGEST_MESSAGE)
        self.exit(2, f"workbench: {sentence}. See `{self.prog} --help`.\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="workbench",
        description="Plan with language models, in sessions that are isolated, visible and replayable.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.set_defaults(run=_lazily("start.start"), workspace=None, log=None, session="")
    below: dict[str, list[Command]] = defaultdict(list)
    for command in commands().values():
        below[command.name.rpartition(" ")[0]].append(command)
    own = [command for command in below[""] if command.marked(":")]
    places = _places(parser)
    for command in own:
        added = _added(command, places, _common())
        if verbs := below[command.name]:
            inherited, inner = _common(inherited=True), _places(added, required=not command.place)
            for verb in verbs:
                _added(verb, inner, inherited)
    return parser


def _places(parser: argparse.ArgumentParser, *, required: bool = False) -> Any:
    """Return where the commands below a parser are added."""
    places = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=required)
    places.type = str  # a command is given with all its arguments, which have types of their own
    return places


def _added(command: Command, places: Any, common: _Parser) -> argparse.ArgumentParser:
    (summary,) = command.marked(":")
    above, _, name = command.name.rpartition(" ")
    described = [f"{summary[0].upper()}{summary[1:]}."] if above else command.marked("|")
    parents = [common, *(_options(group) for group in ["model and bounds"] if command.marked("+"))]
    more = {"description": described[0]} if described else {}
    examples = "\n".join(f"  {example}" for example in command.marked("$"))
    added: argparse.ArgumentParser = places.add_parser(
        name, parents=parents, help=summary, epilog=examples or None, **more
    )
    _add_arguments(added, command.arguments)
    if command.place:
        place, *values = command.place.split()
        given = (value.partition("=") for value in values)
        added.set_defaults(run=_lazily(place), **{name: _VALUES[value] for name, _, value in given})
    return added


def _add_arguments(parser: Any, lines: Sequence[str]) -> None:
    group = parser
    for line in lines:
        if line.startswith("one of:"):
            title = line.removeprefix("one of:").strip()
            group = (parser.add_argument_group(title) if title else parser).add_mutually_exclusive_group()
        elif line.startswith(" "):
            _add_argument(group, line.strip())
        else:
            _add_argument(parser, line)


def _add_argument(parser: Any, line: str) -> None:
    left, _, summary = line.partition("  ")
    parsed = _ARGUMENT.fullmatch(left)
    if parsed is None:
        raise ValueError(line)
    names = parsed["names"].split(", ")
    settings = dict(_settings((parsed["more"] or "").split(", "))) | {"help": summary or None}
    values = parsed["value"].split() if parsed["value"] else []
    if len(values) > 1:
        settings |= {"metavar": tuple(values), "nargs": len(values)}
    elif values:
        settings["metavar"] = values[0]
    if parsed["choices"]:
        settings["choices"] = parsed["choices"].split(",")
    elif not values and "const" not in settings:
        settings["action"] = "store_true"
    parser.add_argument(*names, **settings)


def _settings(more: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """Yield what argparse is told, for each word in the parentheses of an argument."""
    for word in more:
        name, _, value = word.partition("=")
        match name:
            case "path" | "whole" | "decimal":
                yield "type", _TYPES[name]
            case "optional":
                yield from {"nargs": "?", "default": None if "none" in more else ""}.items()
            case "required":
                yield "required", True
            case "many":
                yield from {"action": "append", "default": []}.items()
            case "const":
                yield from {"action": "store_const", "const": _VALUES[value]}.items()
            case "default":
                yield "default", int(value) if value.isdecimal() else value
            case "dest":
                yield "dest", value


def _common(*, inherited: bool = False) -> _Parser:
    """Return the options of every command; ``inherited``: of a command below one that has them already."""
    return _options("everywhere", argument_default=argparse.SUPPRESS if inherited else None)


def _options(name: str, **more: Any) -> _Parser:
    """Return a group of options that several commands have."""
    parser = _Parser(add_help=False, **more)
    _add_arguments(parser.add_argument_group(name), commands()[name].arguments)
    return parser


def _lazily(place: str) -> Callable[[argparse.Namespace], int]:
    """Return a command that imports its module when it runs; ``place`` is a module of this folder, and a function."""

    def run(options: argparse.Namespace) -> int:
        module, _, name = place.rpartition(".")
        code: int = getattr(import_module(f"workbench.cli.{module}"), name)(options)
        return code

    return run
