"""Sequences that only grow: every prefix keeps seeing what it saw."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.log.growing import Growing, as_list, from_list


@given(st.lists(st.tuples(st.integers(0, 30), st.lists(st.integers(), max_size=3)), max_size=30))
def test_equals_tuples_whatever_is_appended_to_which_prefix(appends):
    """Against the model: tuples, which are copied each time."""
    known = [(Growing(), ())]
    for which, new in appends:
        growing, model = known[which % len(known)]
        known.append((growing.appended(*new), (*model, *new)))
    for growing, model in known:
        assert tuple(growing) == model
        assert growing == model
        assert len(growing) == len(model)
        assert list(reversed(growing)) == list(reversed(model))
        assert hash(growing) == hash(model)


def test_an_item_behind_a_prefix_is_out_of_its_reach():
    short = Growing([1])
    short.appended(2)
    for index in (1, -2):
        try:
            short[index]
        except IndexError:
            continue
        raise AssertionError(index)
    assert 2 not in short
    assert repr(short) == "Growing([1])"


def test_two_histories_from_one_empty_beginning_share_nothing():
    """States of every session begin with the same empty default: no session's items may be kept in it."""
    empty = Growing()
    empty.appended("of session A")
    assert empty._items == []


def test_it_is_a_list_in_json_and_comes_back_from_one():
    class Held(msgspec.Struct):
        numbers: Growing[int]

    held = Held(Growing([1, 2]))
    told = msgspec.to_builtins(held, enc_hook=as_list)
    assert told == {"numbers": [1, 2]}
    assert msgspec.convert(told, Held, dec_hook=from_list) == held
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"numbers": ["one"]}, Held, dec_hook=from_list)
    with pytest.raises((NotImplementedError, TypeError)):
        msgspec.to_builtins(object(), enc_hook=as_list)


def test_what_was_appended_since_is_told_only_of_what_goes_on_from_it():
    first = Growing([1, 2])
    second = first.appended(3)
    third = second.appended(4, 5)
    assert third.since(first) == [3, 4, 5]
    assert third.since(third) == []
    assert first.since(second) is None, "an earlier one does not go on from a later one"
    assert first.appended(9).since(second) is None, "another way on"
    assert list(reversed(third)) == [5, 4, 3, 2, 1]
    assert list(reversed(first)) == [2, 1]
