"""Every command of the parser, with arguments for a hostile workspace; a new command is found by reflection.

parser ─▶ its commands ─▶ required arguments from VALUES ─▶ COMMANDS
                                              MORE ─────────▶ options that read, write, send or delete more
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

from workbench.cli.parser import build_parser

GOAL = "Move our billing to the new provider by 30 June 2028"

VALUES: dict[str, str] = {
    "client": "claude",
    "permissions": "read",
    "a": "{finished}", "agent": "nova", "file": "{finished}.jsonl", "goal": GOAL, "item": "message:{finished}:1",
    "key": "billing", "lesson": "L4f21c", "commands": "S1 done", "event": "{finished}:2", "name": "billing.txt",
    "outcome": "success", "query": "billing", "session": "{finished}", "stars": "4", "text": "Hello?",
    "to": "{elsewhere}", "value": '"ready"', "what": "billing",
}  # fmt: skip
"""A value for each argument that a command requires, or that stands without an option."""

MORE: tuple[tuple[str, ...], ...] = (
    ("run", GOAL, "--approve", "all", "--json"),
    ("run", GOAL, "--approve", "all", "--agent", "nova.toml"),
    ("run", GOAL, "--goal-file", "goal.txt"),
    ("resume", "{begun}"),
    ("resume", "{begun}", "--json"),
    ("resume", "{begun}", "--approve", "all"),
    ("resume", "{called}", "--approve", "all"),
    ("resume", "{foreign}", "--approve", "all"),
    ("resume", "{waiting}", "--choose", "1"),
    ("resume", "{finished}", "--feedback", "Add a risk", "--approve", "all"),
    ("resume", "{finished}", "--feedback", "Add a risk", "--holidays", "DE-BY", "--approve", "all"),
    ("resume", "{finished}", "--feedback", "Add a risk", "--agent", "nova.toml"),
    ("ask", "{begun}", "Hello?", "--agent", "nova"),
    ("ask", "{finished}", "Hello?", "--agent", "nova", "--part", "List the risks"),
    ("ask", "{finished}", "Hello?", "--agent", "reader"),
    ("edit", "{foreign}", "S1 owner Anna", "--yes"),
    ("resume", "{waiting}", "--do", "S1 owner Anna"),
    ("trust", "{begun}", "--json"),
    ("trust", "{foreign}"),
    ("trust", "--list"),
    ("mcp", "allow", "claude", "read", "offer", "--all", "--yes"),
    ("offers", "{foreign}", "--accept", "O1"),
    ("recall", "billing", "--session", "{finished}"),
    ("recall", "billing", "--across", "--asking", "{finished}", "--reason", "r"),
    ("recall", "billing", "--across", "--asking", "{begun}", "--reason", "r"),
    ("forget", "message:{finished}:1", "--text", "billing", "--yes", "--everywhere"),
    ("audit", "--all"),
    ("replay", "{finished}", "--verify"),
    ("replay", "{begun}", "--json"),
    ("sessions", "list", "--json"),
    ("sessions", "show", "{foreign}"),
    ("sessions", "delete", "{foreign}"),
    ("sessions", "repair", "{foreign}"),
    ("sessions", "fork", "{begun}", "--at", "1"),
    ("sessions", "fork", "{foreign}"),
    ("sessions", "rewind", "{foreign}"),
    ("sessions", "diff", "{finished}", "{foreign}"),
    ("sessions", "export", "{foreign}", "--format", "html"),
    ("sessions", "export", "{foreign}", "--format", "json"),
    ("sessions", "export", "{foreign}", "--format", "entities"),
    ("sessions", "export", "{finished}", "--format", "entities"),
    ("sessions", "restore", "{deleted}"),
    ("sessions", "empty-trash", "--yes"),
    ("sessions", "import", "{foreign}.jsonl", "--new-id"),
    ("shared", "get", "--json"),
    ("shared", "log", "--json"),
    ("shared", "set", "billing", '"late"', "--session", "{finished}"),
    ("migrate", "--to", "{elsewhere}", "--json"),
    ("context", "{foreign}", "--prompt"),
    ("doctor", "--json"),
    ("config", "--json"),
)
"""Commands with options that go deeper than what is required."""

ENDLESS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("shared", "watch"): ("--after", "0", "--limit", "1"),
    ("serve",): ("--port", "0"),
}
"""Commands that end with Ctrl+C alone, with options that end them where there is something to see."""


class _Leaf(NamedTuple):
    words: tuple[str, ...]
    parser: argparse.ArgumentParser


def _leaves(parser: argparse.ArgumentParser, words: tuple[str, ...] = ()) -> Iterator[_Leaf]:
    """Yield every command that can be given, groups that are commands themselves among them."""
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not any(group.required for group in groups):
        yield _Leaf(words, parser)
    for group in groups:
        for name, below in group.choices.items():
            yield from _leaves(below, (*words, name))


def _required(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the required arguments of a command. Raises KeyError where ``VALUES`` has none for a new argument."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            continue
        if not action.option_strings and action.nargs != "?":
            yield VALUES[action.dest]
        elif action.required:
            yield from (action.option_strings[-1], VALUES[action.dest])


def _reflected() -> list[tuple[str, ...]]:
    commands = []
    for words, parser in _leaves(build_parser()):
        command = (*words, *_required(parser), *ENDLESS.get(words, ()))
        takes_goal = any(action.dest == "goal" for action in parser._actions)
        commands.append((*command, GOAL) if takes_goal else command)
    return commands


COMMANDS: tuple[tuple[str, ...], ...] = (*_reflected(), *MORE)
"""Every command to run; ``{finished}`` and its like stand for sessions of the workspace."""
SENDING: tuple[tuple[str, ...], ...] = tuple(
    command for command in COMMANDS if command[:1] in {("run",), ("resume",), ("ask",)}
)
"""Those that would send prompts."""
