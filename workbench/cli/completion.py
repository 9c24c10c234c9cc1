"""Completion in a shell: commands, options, files, and the ids of the sessions in this folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import argcomplete

from workbench.cli.parser import build_parser
from workbench.storage.files.log import stream_of
from workbench.storage.files.opening import Files
from workbench.storage.places import find_workspace


def complete() -> None:
    """Answer the shell, which asks by the variables of argcomplete, and end the process."""
    parser = build_parser()
    for action in _arguments(parser):
        if action.dest == "session":
            action.completer = _sessions
        elif action.metavar not in ("FILE", "DIR", "PATH"):
            action.completer = _nothing  # else it offers files
    argcomplete.autocomplete(parser, always_complete_options="long")


def _arguments(parser: Any) -> list[Any]:
    """Return what takes a value, of all commands below; argparse names its parts only so."""
    found = []
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        if isinstance(action.choices, dict):
            found += [argument for each in action.choices.values() for argument in _arguments(each)]
        elif action.nargs != 0:
            found.append(action)
    return found


def _nothing(**_given: object) -> list[str]:
    return []


def _sessions(**_given: object) -> list[str]:
    """Return the ids of the workspace's sessions; a file of another name may hold what a terminal obeys."""
    folder = find_workspace(Path.cwd())
    names = Files().names(folder / "sessions") if folder else []
    return [name for name in map(stream_of, names) if name]
