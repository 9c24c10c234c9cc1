"""Nearly the same words: what counts as one, what never does, and how far apart real texts are."""

import random
import re
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.context.similarity import THRESHOLD, alike, resemblance, sketch

ITEMS = Path(__file__).parent.parent / "memory" / "data" / "items.jsonl"
SAID = "The cut-over to the new provider happens on a Sunday night in June."


@pytest.mark.parametrize(
    "other",
    [
        SAID.upper(),
        "the cut over to the new provider happens, on a Sunday night, in June",
        "As I said: the cut-over to the new provider happens on a Sunday night in June.",
        "The cut-over to the new provder happens on a Sunday nihgt in June.",
    ],
)
def test_nearly_the_same_is_one(other):
    assert alike(sketch(SAID), sketch(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SAID, SAID.replace("happens", "never happens")),
        (SAID, SAID.replace("June", "July")),
        ("It costs 40,000 euros, all of it together.", "It costs 60,000 euros, all of it together."),
        ("We don't move the billing before the audit.", "We do move the billing before the audit."),
        ("The invoices are signed off by Anna Berg.", "The invoices are signed off by Anna Borg."),
        (SAID, "Something else entirely."),
    ],
)
def test_what_says_something_else_is_two(one, other):
    assert not alike(sketch(one), sketch(other))


def test_a_number_is_the_same_however_its_thousands_are_written():
    assert alike(sketch("It costs 40,000 euros in all."), sketch("It costs 40000 euros in all."))
    assert not alike(sketch("It costs 1.5 euros in all."), sketch("It costs 15 euros in all."))


@given(st.text(max_size=300), st.text(max_size=300))
def test_it_is_a_similarity(one, other):
    mine, theirs = sketch(one), sketch(other)
    assert resemblance(mine, mine) == 1.0
    assert resemblance(mine, theirs) == resemblance(theirs, mine)
    assert 0.0 <= resemblance(mine, theirs) <= 1.0
    assert alike(mine, theirs) == alike(theirs, mine)


@pytest.mark.full
def test_different_things_that_people_said_are_far_from_the_threshold():
    lines = ITEMS.read_bytes().splitlines()[:200]
    texts = sorted({re.sub(r"\W+", " ", msgspec.json.decode(line)["text"].casefold()).strip() for line in lines})
    sketches = [sketch(text) for text in texts if len(text) > 20]
    nearest = max(resemblance(one, other) for one, other in combinations(sketches, 2))
    assert nearest < THRESHOLD - 0.1


def test_a_long_text_and_its_copy_with_typos_are_one():
    chance = random.Random(7)
    text = " ".join("".join(chance.choices("abcdefghij", k=chance.randint(2, 9))) for _ in range(3_000))
    places = chance.sample(range(len(text)), 40)
    copy = "".join("z" if place in places else letter for place, letter in enumerate(text))
    assert alike(sketch(text), sketch(copy))
