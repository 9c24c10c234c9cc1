"""Every error has a title, an exit code, a sentence and a remedy."""

from __future__ import annotations

import inspect

import pytest
from workbench.domain import errors
from workbench.domain.errors import InvalidId, LogDamaged, PlanUnsound, UsageError, WorkbenchError

ALL = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, WorkbenchError)]


@pytest.mark.parametrize("kind", ALL)
def test_every_error_is_drawn_in_the_tree_with_its_exit_code(kind):
    line = next(line for line in errors.__doc__.splitlines() if kind.__name__ in line.split())
    assert kind.exit_code in {1, 2, 3}
    assert kind is WorkbenchError or str(kind.exit_code) in line.split()
    assert kind.title
    assert kind.__doc__


def test_an_error_says_what_happened_and_what_to_do():
    error = PlanUnsound("S1 needs itself.", "Take out the dependency.")
    assert (error.message, error.remedy) == ("S1 needs itself.", "Take out the dependency.")
    assert str(error) == "S1 needs itself. Take out the dependency."
    assert str(WorkbenchError("Gone.")) == "Gone."


def test_no_error_acts_on_a_terminal():
    error = LogDamaged("It holds \x1b[2J, not a session.", "Rename it to \u202ex.")
    assert str(error) == "It holds ␛[2J, not a session. Rename it to ⟨U+202E⟩x."
    assert error.args == (error.message, error.remedy)


def test_the_kinds_of_wrong_use_exit_alike():
    assert issubclass(InvalidId, UsageError)
    assert (UsageError.exit_code, PlanUnsound.exit_code) == (2, 1)
