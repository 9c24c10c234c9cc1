"""What can be planned for."""

import pytest
from workbench.domain.errors import InvalidGoal
from workbench.domain.text.goal import MAX_GOAL_LENGTH, check_goal


def test_a_goal_is_stripped_and_cleaned():
    assert check_goal("  Move\r\nthe \x1b[31moffice \u202e now \n") == "Move\nthe ␛[31moffice ⟨U+202E⟩ now"


@pytest.mark.parametrize("goal", ["", " \n\t", "?!…", "\x00\x1b", "\u200b\u202e", "\x9b"])
def test_nothing_to_plan_for(goal):
    with pytest.raises(InvalidGoal, match="Say in a sentence"):
        check_goal(goal)


def test_the_longest_goal_and_one_more():
    assert len(check_goal("x" * MAX_GOAL_LENGTH)) == MAX_GOAL_LENGTH
    with pytest.raises(InvalidGoal, match=r"20,001 characters.*--proposal"):
        check_goal("x" * (MAX_GOAL_LENGTH + 1))


def test_a_goal_of_100_kilobytes_is_refused():
    with pytest.raises(InvalidGoal, match="102,399 characters"):
        check_goal("long " * 20_480)
