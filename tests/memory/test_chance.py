"""Whether a session concerns a goal: it shares more words than unrelated text would, and never by numbers or dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

import numpy as np
import pytest
from msgspec.structs import replace
from tests.builders import document
from workbench.memory.chance import chance_of
from workbench.memory.goal_words import telling_passage
from workbench.memory.session_terms import TermReader, sessions_concerned

FAIR = "Organise the village fair on 12 September with 10 stalls and a budget of 500 EUR"
FAIR_SAID = ("The Hill Pipers play too loud for the rectory.", "How far is the car park? About 10 minutes.")
BICYCLES = "Recall 500 bicycles because the fork can crack, within 10 weeks, from 12 September on"
BICYCLES_SAID = ("Dealers get 10 EUR for each fork.", "How far have we come? We reached 500 of the owners.")
PRACTICE = "Move Dr. Lindner's dental practice to the new rooms"
PRACTICE_SAID = ("Krüger asks 4,800 for the move of the X-ray unit.", "The chairs come on Thursdays.")


def sessions_found(goal: str, sessions: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the sessions that concern a goal; each is given by what was said in it, in order."""
    reader = TermReader()
    terms = {
        session: reader.read(
            [
                replace(document(f"{session}-{number}", text, talk=True, thread=session), seq=number)
                for number, text in enumerate(texts, start=1)
            ],
            "",
        )
        for session, texts in sessions.items()
    }
    return set(sessions_concerned(goal, terms.items(), None))


def test_a_session_on_something_else_is_not_found_by_numbers_dates_and_small_words() -> None:
    assert sessions_found(FAIR, {"bicycles": (BICYCLES, *BICYCLES_SAID)}) == set()
    assert sessions_found(BICYCLES, {"fair": (FAIR, *FAIR_SAID)}) == set()


@pytest.mark.parametrize(
    "goal", ["Close the dental practice of Dr. Lindner in the old rooms", "Sell the X-ray unit that Krüger moved"]
)
def test_a_session_on_the_same_people_and_things_is_found(goal: str) -> None:
    others = {"practice": (PRACTICE, *PRACTICE_SAID), "fair": (FAIR, *FAIR_SAID)}
    assert sessions_found(goal, others) == {"practice"}


def test_a_word_that_most_sessions_have_says_nothing() -> None:
    goal = "Choose the Zephyrine turbine"
    one = {"first": ("Repair the Zephyrine turbine",)}
    assert sessions_found(goal, one) == {"first"}
    many = {
        f"number-{n}": (f"Repair Zephyrine turbine, {name}",) for n, name in enumerate(("oil", "fan", "hub", "rod"))
    }
    assert sessions_found(goal, one | many) == set()


def test_the_more_sessions_there_are_the_less_chance_each_is_allowed() -> None:
    goal = "Find trombones, drums, a flute"
    one = {"band": ("We need somebody who mends things", "The trombones are new")}
    others = {f"other-{n}": (f"An errand for {chr(97 + n) * 5}",) for n in range(10)}
    assert sessions_found(goal, one) == {"band"}
    assert sessions_found(goal, one | others) == set()


def test_the_chance_is_that_of_all_sets_of_words_that_say_as_much() -> None:
    expected = np.array([0.5, 0.25, 0.01, 0.01])
    held = np.array([False, True, True, False])

    def says(which: Sequence[bool]) -> int:
        return sum(max(round(-np.log(p) / 0.25), 1) for p, has in zip(expected, which, strict=True) if has)

    by_hand = sum(
        prod(p if has else 1 - p for p, has in zip(expected, which, strict=True))
        for which in product([False, True], repeat=len(expected))
        if says(which) >= says(list(held))
    )
    assert chance_of(expected, held) == pytest.approx(by_hand)
    assert chance_of(expected, np.zeros(4, np.bool_)) == 1.0


def test_of_a_long_text_the_passage_with_the_goals_words_is_told() -> None:
    text = "\n\n".join(["Nothing of interest here. " * 20, "The rectory complained of the band.", "Later, more. " * 80])
    passage = telling_passage(text, "Choose a band that the rectory likes")
    assert "The rectory complained of the band." in passage
    assert "Nothing of interest" not in passage
    assert passage.startswith("…")
    assert passage.endswith("…")
    assert telling_passage("A short text", "anything") == "A short text"
