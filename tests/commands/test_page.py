"""The page about commands says what the grammar takes: each example is read, and the page is made of them."""

from __future__ import annotations

import re

import pytest
from tests.command_page import FILE, written
from tests.commands.plans import PLAN, TODAY
from workbench.domain.commands import Parsed, parse
from workbench.domain.commands.examples import EXAMPLES, nearest_example
from workbench.domain.commands.grammar import grammar

COMMANDS = [command for group in EXAMPLES.values() for command, _ in group]
MENTIONED = [
    quoted for group in EXAMPLES.values() for _, meaning in group for quoted in re.findall("`([^`]+)`", meaning)
]


def test_the_page_is_made_of_the_examples():
    assert FILE.read_text(encoding="utf-8") == written()


@pytest.mark.parametrize("command", [*COMMANDS, *(one for one in MENTIONED if " " in one and one[0].isupper())])
def test_each_example_is_read_and_does_something(command):
    found = parse(command, PLAN, TODAY, me="Ben Lang")
    assert isinstance(found, Parsed), str(found)
    says_so_already = command in ("S3 todo", "S3 clear deadline", "S3 needs not S1")
    assert says_so_already or found.operations or found.actions


def test_each_kind_of_command_has_an_example():
    words = {word.split()[0] for word in grammar().keywords.values()}
    shown = set(re.findall(r"[a-z-]+", " ".join([*COMMANDS, *MENTIONED])))
    assert {"add", "remove", "move", "split", "merge", "repeat", "holidays", "replan", "undo", "redo"} <= words & shown
    few = "at from id in lag till away owned finished together set after none dispute name"
    assert words - shown <= {*few.split()}, "say it in an example"


@pytest.mark.parametrize(
    ("sentence", "command"),
    [
        ("S5 is late by two weeks", "S5 late 2w"),
        ("please undo that", "undo"),
        ("Anna is away from 3 to 14 May", "@Anna away 3-14 May"),
        ("Anna looks after S4 from now on", "S4 owner Anna"),
    ],
)
def test_a_sentence_has_a_nearest_example(sentence, command):
    assert nearest_example(sentence) == command
