"""The three-way merge, case by case."""

from typing import Any

import pytest
from workbench.domain.shared.merge import ABSENT, Loser, merge, same


def test_a_later_scalar_wins_and_the_earlier_one_is_kept_as_the_loser():
    merged = merge("plan", "auth", "database")
    assert (merged.value, merged.rule) == ("database", "last-write")
    assert merged.losers == (Loser(value="auth", rule="last-write"),)


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "value"),
    [
        ([], ["auth"], ["db"], ["auth", "db"]),
        (["a", "b"], ["a", "b", "c"], ["b"], ["b", "c"]),
        (["a", "b"], ["b"], ["a"], []),
        (["a"], ["a", "a"], ["a", "b"], ["a", "a", "b"]),
        ([], ["x"], ["x", "z"], ["x", "z"]),
        ([], ["y", "x"], ["x", "z"], ["y", "x", "z"]),
        ([1], [1, True], [1, 1.0], [1, True, 1.0]),
        ([{"id": 1}], [{"id": 1}, {"id": 2}], [{"id": 3}], [{"id": 2}, {"id": 3}]),
        (["a", "b", "c"], ["a", "b", "c", "d"], ["c", "b", "a"], ["c", "b", "a", "d"]),
        (["a", "b"], ["b", "a"], ["a", "b", "c"], ["b", "a", "c"]),
        ("text", ["a"], ["b"], ["a", "b"]),
    ],
)
def test_lists_unite(base, theirs, mine, value):
    merged = merge(base, theirs, mine)
    assert same(merged.value, value)
    assert (merged.rule, merged.losers) == ("list-union", ())


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "value"),
    [
        ([{"id": 1}, {"id": 2}], [{"id": 2}], [{"id": 1}, {"id": 2}, {"id": 3}], [{"id": 2}, {"id": 3}]),
        ([], [{"a": 1, "b": 2}], [{"b": 2, "a": 1}, {"c": 3}], [{"a": 1, "b": 2}, {"c": 3}]),
        ([{"id": 1}], [{"id": 1, "done": True}], [{"id": 1}, {"id": 2}], [{"id": 1, "done": True}, {"id": 2}]),
        ([], [{"id": 1}], [{"id": True}], [{"id": 1}, {"id": True}]),
    ],
    ids=["added-and-removed", "the-order-of-keys-is-none", "a-changed-one-is-another", "as-json-tells-them-apart"],
)
def test_lists_of_objects_unite(base: Any, theirs: Any, mine: Any, value: Any) -> None:
    assert same(merge(base, theirs, mine).value, value)


def test_of_two_new_orders_of_a_list_the_later_one_holds_and_the_other_is_kept():
    merged = merge(["a", "b", "c"], ["b", "a", "c"], ["a", "c", "b"])
    assert merged.value == ["a", "c", "b"]
    assert merged.losers == (Loser(value=["b", "a", "c"], rule="last-write"),)


def test_objects_merge_in_depth_and_name_what_lost():
    base = {"auth": {"state": "open", "who": "ada"}, "old": 1}
    theirs = {"auth": {"state": "done", "who": "ada"}, "old": 1, "db": "new"}
    mine = {"auth": {"state": "working", "who": "ada", "since": 3}}
    merged = merge(base, theirs, mine)
    assert merged.value == {"auth": {"state": "working", "who": "ada", "since": 3}, "db": "new"}
    assert merged.rule == "deep-merge"
    assert merged.losers == (Loser(path=("auth", "state"), value="done", rule="last-write"),)


def test_what_lost_within_objects_is_named_by_its_whole_path() -> None:
    base = {"api": {"db": {"state": "open"}, "old": {"x": 1}}}
    theirs = {"api": {"db": {"state": "done"}, "old": {"x": 2}}}
    mine = {"api": {"db": {"state": ["working"]}}}
    merged = merge(base, theirs, mine)
    assert merged.value == {"api": {"db": {"state": ["working"]}, "old": {"x": 2}}}
    assert merged.losers == (
        Loser(path=("api", "db", "state"), value="done", rule="type-clash"),
        Loser(path=("api", "old"), rule="edit-over-delete"),
    )


def test_objects_that_two_begin_at_once_merge_without_a_base() -> None:
    merged = merge(ABSENT, {"db": {"a": {"x": 1}}}, {"db": {"a": {"y": 2}, "b": {}}})
    assert merged.value == {"db": {"a": {"x": 1, "y": 2}, "b": {}}}
    assert merged.losers == ()


@pytest.mark.parametrize(("theirs", "mine", "value"), [(ABSENT, "new", "new"), ("new", ABSENT, "new")])
def test_an_edit_wins_over_a_deletion_which_is_recorded(theirs, mine, value):
    merged = merge("old", theirs, mine)
    assert (merged.value, merged.rule) == (value, "edit-over-delete")
    assert merged.losers == (Loser(rule="edit-over-delete"),)


def test_a_deletion_of_what_nobody_changed_is_a_deletion():
    assert merge("old", "old", ABSENT).value is ABSENT
    assert merge("old", ABSENT, "old").value is ABSENT
    assert merge({"a": 1, "b": 2}, {"a": 1}, {"a": 2, "b": 2}).value == {"a": 2}


@pytest.mark.parametrize(("theirs", "mine"), [([1], {"a": 1}), ({"a": 1}, "text"), (None, [1]), ([], 0)])
def test_of_two_types_the_later_one_stands(theirs, mine):
    merged = merge("base", theirs, mine)
    assert same(merged.value, mine)
    assert (merged.rule, merged.losers) == ("type-clash", (Loser(value=theirs, rule="type-clash"),))


def test_values_are_told_apart_as_json_does():
    assert merge(1, 2, True).value is True, "1 became true: that is a change"
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same(0, False)
    assert not same(None, ABSENT)
    assert same({"a": 1, "b": 2}, {"b": 2, "a": 1})
