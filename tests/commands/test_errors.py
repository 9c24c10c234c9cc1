"""What is no command is one clear error at its place; nothing of the text is carried out, and no text breaks it."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.commands.plans import PLAN, TODAY
from tests.commands.test_examples import ACTIONS, ADDED, LATER
from tests.pace import EVEN, growth
from workbench.domain.commands import Parsed, Unread, complete, parse, read_outline, read_step_line
from workbench.domain.commands.reader import MOST_CHARACTERS, MOST_COMMANDS


def unread(text: str, me: str = "") -> Unread:
    found = parse(text, PLAN, TODAY, me=me)
    assert isinstance(found, Unread)
    return found


def test_two_people_who_fit_are_named_and_none_is_chosen():
    plan = parse('add person "Ann Berg"; add person "Ann Moll"', PLAN, TODAY)
    assert isinstance(plan, Parsed)
    found = parse("S3 @Ann", plan.plan, TODAY)
    assert isinstance(found, Unread)
    assert found.why == "Ann Berg and Ann Moll fit: say which one, by the whole name."
    assert found.suggestion == 'S3 @"Ann Berg"'


def test_who_has_no_open_step_is_told_so():
    why = unread("mine done", me="Eva").why
    assert why.startswith("You are Eva, and no open step is Eva's.")
    assert "`person` in config.toml" in why


def test_the_caret_stands_below_what_is_wrong_in_its_own_line():
    assert str(unread("S1 done\nS3 ownr Anna\nS4 done")) == (
        "S3 ownr Anna\n"
        "   ^ “ownr” is not read here. Expected: owner, a field, a delay, such as 2w late, "
        "a share, such as 40%, a count, such as 5 of 8, an item, such as S3 …\n"
        "Nearest: S3 owner Anna"
    )


def test_one_error_stops_all_commands():
    found = parse("S1 done; S2 done; S3 ownr Anna", PLAN, TODAY)
    assert isinstance(found, Unread)
    assert PLAN.steps[0].status == "todo"


def test_too_much_is_refused_with_a_sentence():
    assert "at most 65,536 characters" in unread("S1 done;" * MOST_CHARACTERS).why
    assert f"at most {MOST_COMMANDS:,} commands" in unread("redo;" * (MOST_COMMANDS + 1)).why
    assert "50,000 are the most" in unread(f'S1 note "{"x" * 60_000}"').why


EXAMPLES = [text for text, *_ in (*LATER, *ADDED, *ACTIONS)]
PIECES = st.sampled_from([piece for text in EXAMPLES for piece in text.split(" ")]) | st.text(max_size=8)
texts = st.text(max_size=60) | st.lists(PIECES | st.sampled_from([";", "\n", ",", " and "]), max_size=12).map(" ".join)


@given(texts)
@example("S3 owner " + "\u2028")
@example('"')
@example("S3 0-0-0d")
@example("S3 by 9999-12-31; S3 late 9999w")
@settings(max_examples=2_000)
def test_no_text_breaks_anything(text):
    found = parse(text, PLAN, TODAY, me="Ben Lang")
    if isinstance(found, Unread):
        assert 0 <= found.start <= found.end <= len(text)
        assert str(found)
    else:
        assert found.doubts == tuple(doubt for doubt in found.doubts if text[doubt.start : doubt.end] == doubt.text)
    complete(text, PLAN, TODAY)
    read_outline(text, PLAN, TODAY)
    read_step_line(text.split("\n")[0], TODAY)


UNITS = (
    "S1 done;", "S1 done ", "S1 ", " ", "\t", "\n", ";", ",", ", ", " and ", '"', '\\"', "“", "«", "a", "1", "1-",
    "1,000 ", "-", "@", "@a ", "+a ", "S1..S9 ", "every ", "3 May ", "3 May and ", "by ", "not ", "is ", "the ",
    'add "x" ', "Q1: ", "S1 needs S2, ", "S1 owner Anna, Ben, ", "one of ", 'S1 note "x";', "S1 by 3 May;", "x y ",
    "S1 set title x ", "waiting for x ", "((", "\u0301", "\udcff",
)  # fmt: skip
SHAPES = {
    "commands": lambda unit, size: unit * (size // len(unit)),
    "said of an item": lambda unit, size: "S1 " + unit * (size // len(unit)),
    "in quotes": lambda unit, size: 'S1 title "' + unit * (size // len(unit)) + '"',
    "behind waiting for": lambda unit, size: "S1 waiting for " + unit * (size // len(unit)),
    "a value": lambda unit, size: "S1 set outcome " + unit * (size // len(unit)),
}


@pytest.mark.cases(2)
@pytest.mark.untraced
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_takes_twice_as_long(shape, full_counts):
    largest, made = MOST_CHARACTERS - 100 if full_counts else 5_000, SHAPES[shape]
    units = UNITS if full_counts else UNITS[list(SHAPES).index(shape) % 3 :: 3]
    times = {unit: growth(lambda size, unit=unit: seconds(made(unit, size)), largest) for unit in units}  # type: ignore[misc]
    assert not [(unit, took) for unit, took in times.items() if took > EVEN]


def seconds(text: str) -> float:
    gc.disable()  # it comes when it likes
    try:
        begun = time.process_time()
        parse(text, PLAN, TODAY)
        return time.process_time() - begun
    finally:
        gc.enable()
