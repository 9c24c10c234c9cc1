"""The parser of the command line, built from the commands. Imports nothing of the core: ``--help`` is fast."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Any, NoReturn

from workbench.cli import argument_types
from workbench.cli.commands import EXAMPLES, PATH, SEVERAL, Command, Group, Option, commands

_EPILOG = """\
exit codes: 0 done, 1 failed, 2 wrong use, 3 waiting for a person, 4 something is late, 130 interrupted

  workbench run "Move our billing to the new provider by 30 June without downtime"
  workbench sessions list
  workbench resume ID --feedback "Keep the old provider until the audit is through"
"""

_LONGEST_MESSAGE = 1_000
"""Characters of an error message, which may quote an argument of any length."""


class _Formatter(argparse.HelpFormatter):
    """Wraps prose, and leaves examples, which are indented, as they are."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width())  # without one it imports shutil for every argument that is added

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if "\n " in f"\n{text}" else super()._fill_text(text, width, indent)


@cache
def _width() -> int:
    """Return the columns of the terminal that help is wrapped to."""
    try:
        return int(os.environ.get("COLUMNS", "") or os.get_terminal_size(sys.stdout.fileno()).columns) - 2
    except (OSError, ValueError):  # no terminal
        return 78


class _Parser(argparse.ArgumentParser):
    """Wrong use ends in one sentence and where to look."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Formatter} | options)
        self._is_mixed = False
        if self.prog in EXAMPLES:
            self.epilog = "\n".join(f"  {example}" for example in EXAMPLES[self.prog])
        self.register("type", None, argument_types.text)
        self.register("type", int, argument_types.whole)
        self.register("type", float, argument_types.decimal)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Take what may be left out, or be several, before and after options: each alone is no end of it."""
        if self._is_mixed or not any(action.nargs in ("*", "?") for action in self._get_positional_actions()):
            return super().parse_known_args(args, namespace)
        self._is_mixed = True  # it calls this method for the options, and once more for all others
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixed = False

    def error(self, message: str) -> NoReturn:
        """End with a message on one line; argparse quotes arguments in it as they are."""
        from workbench.domain.text.cleaning import clean_name  # here: `--help` does not need it

        sentence = clean_name(f"{message[:1].upper()}{message[1:]}", _LONGEST_MESSAGE)
        self.exit(2, f"workbench: {sentence}. See `{self.prog} --help`.\n")


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of the whole command line; of one ``command`` alone, if it names one: others cost time."""
    parser = _Parser(
        prog="workbench",
        description="Plan with language models, in sessions that are isolated, visible and replayable.",
        epilog=_EPILOG,
    )
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    parser.set_defaults(
        run=_lazily("application.start:start"), workspace=None, log=None, session="", context=[], allow_tools=[]
    )
    _add_commands(parser, commands(command), _common(), required=False)
    return parser


def _common(*, inherited: bool = False) -> _Parser:
    """Return the options of every command; ``inherited``: for a subcommand, whose parent command has set them."""
    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS if inherited else None)
    _add(common, SEVERAL["@everywhere"])
    if not inherited:
        common.set_defaults(json=False)
    return common


def _add_commands(
    parser: argparse.ArgumentParser, commands: Iterable[Command], common: _Parser, *, required: bool
) -> None:
    place = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=required)
    place.type = PATH  # a command is given with all its arguments, which have types of their own
    for command in commands:
        added = place.add_parser(command.name, parents=[common], help=command.summary, description=command.description)
        _add(added, command.arguments)
        if command.run:
            added.set_defaults(run=_lazily(command.run))
        added.set_defaults(**command.defaults)
        if command.subcommands:
            _add_commands(added, command.subcommands, _common(inherited=True), required=not command.run)


def _add(parser: Any, arguments: Iterable[Option | Group]) -> None:
    for argument in arguments:
        if isinstance(argument, Option):
            parser.add_argument(*argument.names, **argument.settings)
            continue
        place = parser.add_argument_group(argument.title) if argument.title else parser
        _add(place.add_mutually_exclusive_group() if argument.is_exclusive else place, argument.options)


def _lazily(place: str) -> Callable[[argparse.Namespace], int]:
    """Return the function ``folder.module:name`` of ``workbench.cli``, whose module is imported when it runs."""
    module, _, name = place.partition(":")

    def run(options: argparse.Namespace) -> int:
        code: int = getattr(import_module(f"workbench.cli.{module}"), name)(options)
        return code

    return run
