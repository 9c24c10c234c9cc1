"""What can be planned for."""

import pytest
from workbench.domain.errors import InvalidGoal
from workbench.domain.text.goal import check_goal


@pytest.mark.parametrize("goal", ["", " \n\t", "?!…", "\x00\x1b", "\u200b\u202e", "\x9b"])
def test_nothing_to_plan_for(goal):
    with pytest.raises(InvalidGoal, match="Say in a sentence"):
        check_goal(goal)


def test_a_goal_of_100_kilobytes_is_refused():
    with pytest.raises(InvalidGoal, match="102,399 characters"):
        check_goal("long " * 20_480)
