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


SPECIFIED = """
add "Book the hall" 2d @Anna needs S1 by 3 May | add "Tell patients" below S4 on 26 Mar 13:00
add risk "Movers cancel" likelihood low impact high response "second quote by 1 Feb"
add constraint "No patient data leaves our servers" | add question "Who signs?" @Sam
add criterion "300 visitors" by 18 Apr
S3 owner Anna | S3 @Anna | S3 effort 1-2-4d | S3 takes 5d | S3 duration 3w | S3 clear deadline
S3 needs S1, S2 lag 3d | S3 needs not S1 | S3 needs none | S3 by 3 May | S3 not before 1 Mar
S3 cost 7,900 EUR | S3 wait 20 working days | S3 title "Hang posters" | S3 tag +print | S3 priority high
S3 done | S3 done 26 Nov | S3 started Tue | S3 40% | S3 left 2d | S3 5 of 8
S3 waiting "Anna's answer" | S3 dropped | S6 late 2w | all late 1w | S3 note "asked twice"
S3 S4 S7 owner Bram | S3..S9 tag +move | mine done
remove S3 | move S3 below S5 | S3 under S1 | split S3 "hire" 2d, "train" 3d | merge S3 S4 "Hire and train"
repeat S3 every Mon until 30 May
@Anna away 3-14 May | @Anna hours 8/week from 1 Feb to 28 Feb | @Velten hours 16/day on 26 Mar
@Anna role "lead" | @Anna name "Anna Berg"
days off 24 Dec - 6 Jan "Freeze" for production | holidays DE-BY | working days Mon-Thu
budget 40,000 EUR | deadline 30 June | goal day 18 Apr 2027
Q2: next week, by e-mail | U4 dismiss | U7 used in S3 | V2 dispute "the clamp is certified" | D1 choose B | replan
undo | undo to v3 | redo
"""


def test_the_page_shows_each_command_of_the_design():
    shown = " ".join([*COMMANDS, *MENTIONED])
    specified = [command.strip() for command in re.split(r"[|\n]", SPECIFIED) if command.strip()]
    assert len(specified) == 62
    assert [command for command in specified if command not in shown] == ["S6 late 2w"]  # there it is S3
