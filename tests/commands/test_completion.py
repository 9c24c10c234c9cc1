"""At each place, what may come next is offered, at once."""

from __future__ import annotations

import time
from datetime import date

import pytest
from tests.commands.plans import PLAN, TODAY, long_plan
from tests.commands.test_examples import ACTIONS, ADDED, LATER
from workbench.domain.commands import Completion, complete
from workbench.domain.commands.grammar import HINTS, Word, grammar
from workbench.domain.commands.reader import Reader

EXAMPLES = [text for text, *_ in (*LATER, *ADDED, *ACTIONS)]


def offered(before: str) -> list[str]:
    return [one.text or one.hint for one in complete(before, PLAN, TODAY)]


def words(text: str) -> list[list[Word]]:
    """The words of each command of a text."""
    commands: list[list[Word]] = []

    class Watched(Reader):
        def word(self, parser, previous):
            if previous is None:
                commands.append([])
            found = super().word(parser, previous)
            if found is not None:
                commands[-1].append(found)
            return found

    list(Watched(text, TODAY).clauses())
    return commands


@pytest.mark.cases(50)
@pytest.mark.parametrize("text", EXAMPLES)
def test_every_prefix_of_every_example_offers_its_next_part(text):
    for command in words(text):
        for word in command:
            for end in range(word.start, word.end):
                found = complete(text[:end], PLAN, TODAY)
                assert offers(found, word, text, end), f"{text[:end]!r}: {found}"


def offers(found: tuple[Completion, ...], word: Word, text: str, end: int) -> bool:
    """Whether one of these is a word of an example, or says what it is."""
    keyword = grammar().keywords.get(word.type)
    rest = text[end : word.end].casefold()
    for one in found:
        typed = text[one.start : end].casefold()
        if one.text and one.text.casefold().startswith(typed + rest) and one.start <= word.start:
            return True
        if keyword is None and word.type in HINTS and one.hint == HINTS[word.type]:
            return True
    # a comma and what is behind "S3." are no words, and may end a command as well
    return (word.type.startswith("_") and keyword is None) or (word.type == "RANGE" and text[end - 1] == ".")


def test_what_is_offered_begins_with_what_is_typed():
    assert offered("S3 ow")[:2] == ["owned by", "owner"]
    assert "S3" in offered("")
    assert {"add", "remove", "replan"} <= set(offered(""))
    assert offered("S3 by ") == ["a date, such as 3 May"]
    assert '"Ben Lang"' in offered("S3 owner ")
    assert '@"Ben Lang"' in offered("@")
    assert offered("D1 clear ")[:3] == ["reason", "owner", "latest"]
    assert "weekdays" not in offered("S3 clear ")
    assert [one.hint for one in complete("remove S1", PLAN, TODAY) if one.text == "S1"] == ["Find a hall"]
    assert "S3" in offered("S4 needs post")


@pytest.mark.parametrize(
    ("before", "choices"),
    [
        ("S3 priority ", ["low", "high"]),
        ("S3 set priority ", ["low", "high"]),
        ("S1 done; S3 priority hi", ["high"]),
        ("S3 basis ", ["quote", "price", "estimate"]),
        ("R1 likelihood ", ["low", "medium", "high"]),
        ("R1 probability m", ["medium"]),
        ('add risk "Rain" likelihood ', ["low", "medium", "high"]),
        ("S3 place ", []),
        ("S3 tag ", []),
        ("S3 priority high, tag ", []),
    ],
)
def test_the_values_of_a_choice_are_offered(before, choices):
    assert [one.text for one in complete(before, PLAN, TODAY) if one.kind == "value" and one.text] == choices


def test_what_is_offered_replaces_what_is_typed():
    [first, *_] = complete("S1 done; S3 ow", PLAN, TODAY)
    assert (first.text, first.start, first.kind) == ("owned by", 12, "keyword")


def test_behind_a_comma_more_can_be_said_of_the_same_item():
    assert "waiting" in offered("S3 left 2d, ")
    assert "waiting" not in offered("S3 left 2d; ")


@pytest.mark.untraced
def test_it_takes_no_time_on_a_plan_of_300_steps(full_counts):
    plan, times = long_plan(), []
    complete("", plan, TODAY)
    for text in EXAMPLES:
        for end in range(0, len(text) + 1, 1 if full_counts else 5):
            begun = time.process_time()
            complete(text[:end], plan, date(2026, 11, 29))
            times.append(time.process_time() - begun)
    times.sort()
    assert times[len(times) * 99 // 100] < (0.02 if full_counts else 0.08)
