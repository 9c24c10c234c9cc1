"""What is no command is one clear error at its place; nothing of the text is carried out, and no text breaks it."""

from __future__ import annotations

import gc
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.commands.plans import PLAN, TODAY
from tests.commands.test_examples import ACTIONS, ADDED, LATER
from workbench.domain.commands import Parsed, Unread, complete, parse, read_outline, read_step_line
from workbench.domain.commands.reader import MOST_CHARACTERS, MOST_COMMANDS


def unread(text: str, me: str = "") -> Unread:
    found = parse(text, PLAN, TODAY, me=me)
    assert isinstance(found, Unread)
    return found


WRONG = [
    ("S3 ownr Anna", "ownr", "Expected: owner", "S3 owner Anna"),
    ("S3 takes 5m", "5m", "Expected: an effort", "S3 takes 5min"),
    ("S3 by Q2", "Q2", "Expected: a date", "S3 by Q2 2027"),
    ("S3 by soon", "soon", "Expected: a date", ""),
    ("S3 by 31 Feb", "31", "Expected: a date", ""),
    ("S3 cost 400", "400", "Expected: an amount with its currency", "S3 cost 400 EUR"),
    ("S3 done; S13 done", "S13", "There is no S13 in the plan.", ""),
    ('"poster" owner Anna', '"poster"', "S3 “Print posters” and S4 “Hang posters” fit", "S3 owner Anna"),
    ('"pront posters" done', '"pront posters"', "No item has these words.", "S3 done"),
    ("S3 owner", "", "Something is missing here. Expected: a text in quotes, a person, such as @Anna, a name", ""),
    ("S3 needs S3", "S3", "S3 cannot need S3.", ""),
    ("S3 done 3 May 2027", "3 May 2027", "That day is still to come.", "S3 done today"),
    ("S3 on June", "June", "These are several days, and one is needed.", ""),
    ("S9..S3 done", "S9..S3", "S3 does not come after S9 in the plan.", "S3..S9 done"),
    ("S3 set colour red", "colour", "Expected: a field", ""),
    ("S3 priority huge", "huge", "“huge” is no value for priority.", ""),
    ("S3 likelihood low", "likelihood", "S3 has no likelihood.", "S3 outcome low"),
    ("S3 clear title", "title", "S3 has to keep its title.", ""),
    ("Q2 owner Anna takes 2d", "2d", "Q2 is no step, and only steps have an effort.", ""),
    ("S3 dismiss", "S3", "This is said of statements (U4) and findings (V2) alone.", ""),
    ('U4 dispute "no"', "U4", "Of U4 you can say: dismiss, used.", ""),
    ("D1 choose Z", "Z", "D1 has no such option.", "D1 choose A"),
    ('D1 options "Buy, lease"', '"Buy, lease"', 'quotes of its own: options "Buy", "lease".', ""),
    ('S3 options "Buy", "lease"', '"Buy"', "S3 is no decision: only decisions have options.", ""),
    ("S3 is waiting too long", "too", "“too” is not read here", 'S3 is waiting "too long"'),
    ("S3 waiting since Monday; S4 done", "since", "a text in quotes", 'S3 waiting "since Monday"; S4 done'),
    ("S3 title Hang posters", "Hang", "a text in quotes", 'S3 title "Hang posters"'),
    ("mine done", "mine", "Nobody said who you are", ""),
    ("S3 under S3", "S3", "parts have no parts", ""),
    ("S3 @plans/x.md", "@plans/x.md", "is not read here", ""),
    ("repeat S3 every first Monday of the month", "every", "is not read here", ""),
    ('merge D1 D1 "x"', "D1", "Name two steps, or more.", ""),
    ("U4..U6 dismiss", "U4..U6", "There is no U4 in the plan.", ""),
    ('merge S3 D1 "x"', "S3", "Name two steps, or more.", ""),
    ("S3 on 3 May; S3 late 1w", "1w", "S3 has its fixed day", ""),
    ("owner Anna", "owner", "is not read here", ""),
    ("S3 done, S4, owner Anna", ", owner", "", ""),
    ("Drop the signage please", "Drop", "is not read here", ""),
    ('S3 title "Hang', '"Hang', "This quote is not closed.", 'S3 title "Hang"'),
    ("S3 note “asked twice; S4 done", "“asked", "This quote is not closed.", "S3 note “asked twice”; S4 done"),
    ('Q2 note "asked"', '"asked"', "only steps have notes: `add note", ""),
    ("Q2 done", "done", "Q2 is no step, and that is said of steps alone.", "Q2: done"),
    ('add "Sign" under D1', "D1", "D1 is no step: only steps have parts.", ""),
    ("frobnicate", "frobnicate", "Expected: an item, such as S3, add, budget, deadline, undo", ""),
    ("S3 takes 1.250 days", "1.250", "Expected: an effort", "S3 takes 1.2500 days"),
    ("all done", "all", "That is said of steps by their names alone.", "S1..S9 done"),
    ("S3 2 days early", "early", "is not read here", ""),
    ("five of eight found", "five", "is not read here", ""),
    ("remove section risks", "section risks", "There is no section risks in the plan.", "remove section goal"),
    ('add section steps "x"', "section steps", "There is a section steps already.", ""),
    ("move section goal below section goal", "section goal", "It cannot stand behind itself.", ""),
    ('add T1 "Doors open"', '"Doors open"', "Say on which day: on 26 Mar.", ""),
    ('add X1 "x"', "X1", "No item has an id with X.", 'add step "x"'),
    ("Q9: Sam", "Q9", "There is no Q9 in the plan.", ""),
    ("S3 takes 0.125d", "0.125d", "Expected: an effort", "S3 takes 0.1250d"),
    ("S3 effort 4-2-1d", "4-2-1d", "an effort, such as 2d or 1-2-4d", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "why", "suggestion"), WRONG, ids=[text for text, *_ in WRONG])
def test_an_error_names_its_place_what_was_expected_and_what_would_work(text, place, why, suggestion):
    found = unread(text)
    assert why in found.why
    assert found.suggestion == suggestion
    assert text[found.start :].startswith(place.removeprefix(", ")) or place.startswith(", ")
    assert 2 <= len(str(found).splitlines()) <= 3


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
        "an effort, such as 2d or 1-2-4d, a share, such as 40%, a count, such as 5 of 8 …\n"
        "Nearest: S3 owner Anna"
    )


def test_each_suggested_line_is_read():
    for text, *_ in WRONG:
        if suggestion := unread(text).suggestion:
            assert isinstance(parse(suggestion, PLAN, TODAY), Parsed), suggestion


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


@pytest.mark.untraced
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_much_takes_twice_as_long(shape, full_counts):
    largest, made = MOST_CHARACTERS - 100 if full_counts else 8_000, SHAPES[shape]
    slow = []
    for unit in UNITS:
        if (whole := seconds(made(unit, largest))) < 0.05:
            continue
        half = seconds(made(unit, largest // 2))
        for _ in range(4):  # another process may have been in the way
            if whole <= 2.6 * half:
                break
            half, whole = (
                min(one, seconds(made(unit, size))) for one, size in ((half, largest // 2), (whole, largest))
            )
        else:
            slow.append((unit, half, whole))
    assert not slow


def seconds(text: str) -> float:
    gc.disable()  # it comes when it likes
    try:
        begun = time.process_time()
        parse(text, PLAN, TODAY)
        return time.process_time() - begun
    finally:
        gc.enable()
