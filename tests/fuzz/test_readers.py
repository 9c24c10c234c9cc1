"""No file, whatever its bytes, makes a reader fail, hang or grow: 25 cases each, 20,000 with ``--full-counts``."""

import os
from itertools import count

import pytest
from tests.fuzz.cases import Failure, Reader, run_cases
from tests.fuzz.mutator import Mutator
from tests.fuzz.readers import READERS
from workbench.domain.errors import LogDamaged, UsageError, WorkbenchError

pytestmark = pytest.mark.untraced  # lines are counted by the tests of single files


@pytest.mark.cases(8)
@pytest.mark.parametrize("reader", READERS)
def test_a_mutated_file_is_read_or_refused(reader, tmp_path, full_counts):
    run_cases(READERS[reader], tmp_path, range(20_000 if full_counts else 25), seed=0)


@pytest.mark.parametrize(
    ("reader", "number"),
    [
        ("session", 1845),  # an event whose time is none
        ("edit", 1050),  # a goal of a hundred thousand letters, and no full stop
    ],
)
def test_what_once_failed_is_read_or_refused(reader, number, tmp_path):
    run_cases(READERS[reader], tmp_path, range(number, number + 1), seed=0)


def failing(function, refusing=()):
    """A reader that does this in its third case."""

    def case(_mutator, number, call):
        if number == 2:
            call(function, refusing=refusing)

    return Reader("odd", lambda _folder: case)


def raising(error):
    def read():
        raise error

    return read


def spinning():
    for _ in count():
        pass


KEPT = []

FAILURES = {
    "a defect": (raising(KeyError("x")), "KeyError"),
    "no sentence": (raising(UsageError(" ")), "BadRefusal"),
    "too deep": (raising(RecursionError()), "RecursionError"),
    "a hang": (spinning, "TookTooLong"),
    "growth": (lambda: KEPT.append(os.urandom(300_000_000)), "MemoryError"),
}


@pytest.mark.parametrize("what", FAILURES)
def test_a_failure_names_the_command_that_repeats_it(what, tmp_path, monkeypatch):
    monkeypatch.setattr("tests.fuzz.cases.SECONDS", 0.2)
    function, kind = FAILURES[what]
    with pytest.raises(Failure, match=kind) as failure:
        run_cases(failing(function), tmp_path, range(5), seed=7)
    KEPT.clear()
    assert "python -m tests.fuzz odd --seed 7 --case 2" in str(failure.value)


def test_an_error_that_would_act_on_a_terminal_is_a_failure(tmp_path):
    error = LogDamaged("Gone.")
    error.args = error.message, error.remedy = "\x1b[2J", ""
    with pytest.raises(Failure, match="BadRefusal"):
        run_cases(failing(raising(error)), tmp_path, range(5), seed=7)


@pytest.mark.parametrize("error", [WorkbenchError("It is damaged.", "Restore it."), OSError(5, "x")])
def test_a_refusal_is_no_failure(error, tmp_path):
    run_cases(failing(raising(error), refusing=(OSError,)), tmp_path, range(5), seed=7)


def test_a_case_is_the_same_for_the_same_seed():
    data = b'{"a":[1,"text",{"b":null}],"c":2.5}'

    def mutations(seed):
        mutator = Mutator(seed)
        return [change(data) for _ in range(50) for change in (mutator.damage, mutator.edit, mutator.change_json)]

    assert mutations("session 0 1") == mutations("session 0 1")
    assert mutations("session 0 1") != mutations("session 0 2")
    assert len(set(mutations("session 0 1"))) > 100
