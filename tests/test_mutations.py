"""The list of mutations cannot rot: each text still stands in the package exactly once, and breaks nothing else."""

import ast

import pytest
from tests.mutations import MUTATIONS, ROOT, mutated


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_it_still_fits_and_changes_the_program(mutation):
    text = (ROOT / "workbench" / mutation.file).read_text(encoding="utf-8")
    assert ast.dump(ast.parse(mutated(mutation))) != ast.dump(ast.parse(text))
    files = [argument for argument in mutation.tests if argument.endswith(".py")]
    assert files
    assert all((ROOT / file).exists() for file in files)


def test_a_text_that_does_not_stand_there_once_is_refused():
    with pytest.raises(ValueError, match="stands 0 times"):
        MUTATIONS[0].applied("")
    with pytest.raises(ValueError, match="stands 2 times"):
        MUTATIONS[0].applied(MUTATIONS[0].old * 2)


def test_names_tell_mutations_apart():
    assert len({one.name for one in MUTATIONS}) == len(MUTATIONS) >= 14
