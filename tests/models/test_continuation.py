"""What goes on after a cut fits what came before it, and is paid for once."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import ModelReplyInvalid
from workbench.models.answers import ended
from workbench.models.continuation import Seam, continued
from workbench.models.ports import Done, Noted, Retried, TextDelta, Thought, Usage
from workbench.models.retry import CutOff

TEXT = "The quick brown fox jumps over the lazy dog, and then it sleeps until the morning comes."
LENGTH, STOP = Done(reason="length", model="m"), Done(reason="stop", model="m")


def joined(before, *pieces):
    seam, text = Seam(before), before
    parts = [part for piece in pieces for part in seam.feed(piece)]
    for part in [*parts, *seam.finish()]:
        text = "" if isinstance(part, Thought) and part.takes_back else text
        text += part.text
    return text


@given(st.integers(25, len(TEXT)), st.integers(0, 40), st.lists(st.integers(0, 80), max_size=4))
def test_words_that_are_said_again_stand_once(at, again, cuts):
    overlap = again if again >= 8 else 0
    rest = TEXT[max(at - overlap, 0) :]
    ends = [0, *sorted(min(cut, len(rest)) for cut in cuts), len(rest)]
    assert joined(TEXT[:at], *(rest[a:b] for a, b in pairwise(ends))) == TEXT


@pytest.mark.parametrize(
    ("before", "after", "whole"),
    [
        ('{"a": "x', '```json\n y"}', '{"a": "x y"}'),
        ("```json\n{", "```\n}", "```json\n{```\n}"),
        (TEXT[:50], TEXT, TEXT),
        (TEXT[:50], f"\n{TEXT}", TEXT),
        ("short", "short", "shortshort"),
        ("abc", "", "abc"),
    ],
)
def test_a_seam_fits(before, after, whole):
    assert joined(before, after) == whole


async def parts_of(*parts):
    for part in parts:
        if isinstance(part, Exception):
            raise part
        yield part


async def heard(first, second, *, may_go_on=True):
    asked = []

    def ask(so_far):
        asked.append(so_far)
        return parts_of(*(second if so_far else first))

    parts = []
    async with ended(continued(ask, lambda _text, _usage: may_go_on, 100)) as stream:
        async for part in stream:
            parts.append(part)  # noqa: PERF401  # what arrived before an error is kept
    return parts, asked


def usage(tokens, **more):
    return Usage(input_tokens=tokens, output_tokens=tokens, **more)


async def test_what_two_requests_took_is_one_sum():
    first = [TextDelta(TEXT[:40]), usage(10, cost=0.5, cached_tokens=3, reasoning_tokens=2), LENGTH]
    second = [Thought("Hm."), TextDelta(TEXT[40:]), usage(20, cost=0.25, cached_tokens=4, reasoning_tokens=1), STOP]
    parts, asked = await heard(first, second)
    assert asked == ["", TEXT[:40]]
    assert parts[1] == Noted("The reply was cut off at its limit of 10 tokens, and continued from there.")
    assert "".join(part.text for part in parts if isinstance(part, TextDelta)) == TEXT
    assert parts[-2:] == [usage(30, cost=0.75, cached_tokens=7, reasoning_tokens=3, is_continued=True), STOP]


async def test_what_a_lost_connection_took_is_estimated_and_has_no_price():
    lost = CutOff("The reply was cut off: the connection was lost.", "Ask again.")
    parts, _ = await heard([TextDelta(TEXT[:40]), lost], [TextDelta(TEXT[40:]), usage(20, cost=0.25), STOP])
    assert parts[1].note.startswith(
        "The reply was cut off: the connection was lost, after 40 characters, and continued"
    )
    assert (parts[-2].input_tokens, parts[-2].estimated, parts[-2].cost) == (120, True, None)


NOTHING = ModelReplyInvalid("The model answered with nothing.", "Ask again.")
GONE = CutOff("The reply was cut off: the connection was lost.", "Ask again.")


@pytest.mark.parametrize("second", [[NOTHING], [Retried(reason="busy", wait=1.0), GONE]])
async def test_what_was_paid_for_is_kept_where_the_rest_does_not_come(second):
    paid = usage(10, cost=0.5)
    parts, asked = await heard([TextDelta(TEXT[:40]), paid, LENGTH], second)
    assert asked == ["", TEXT[:40]]
    assert parts[-2:] == [paid, LENGTH]
    assert parts[-3].note.startswith("The rest did not come, and what came before is used: The ")


async def test_an_answer_that_began_again_and_broke_off_is_the_one_before_it():
    parts, _ = await heard([TextDelta(TEXT), LENGTH], [TextDelta(TEXT[:30]), GONE])
    taken_back = max(at for at, part in enumerate(parts) if isinstance(part, Thought))
    assert [part for part in parts[taken_back:] if isinstance(part, TextDelta)] == [TextDelta(TEXT)]


async def test_an_answer_that_was_lost_twice_is_cut_off():
    with pytest.raises(CutOff):
        await heard([TextDelta(TEXT[:40]), GONE], [GONE])
