"""What can be planned for: the check of a goal, the first thing a person types."""

from __future__ import annotations

from workbench.domain.errors import InvalidGoal
from workbench.domain.text.cleaning import clean

MAX_GOAL_LENGTH = 20_000
"""Characters. Longer material is a proposal (``--proposal``) or a file to refer to."""


def check_goal(goal: str) -> str:
    """Return the goal cleaned and stripped. Raises InvalidGoal when nothing is left, or too much."""
    text = clean(goal).strip()
    if not any(character.isalnum() for character in goal):  # before cleaning, which writes ⟨U+202E⟩ for the invisible
        raise InvalidGoal("The goal is empty.", "Say in a sentence what you want to plan.")
    if len(text) > MAX_GOAL_LENGTH:
        raise InvalidGoal(
            f"The goal has {len(text):,} characters; {MAX_GOAL_LENGTH:,} are the most.",
            "State the goal in a few sentences, and give the rest as a proposal with --proposal FILE.",
        )
    return text
