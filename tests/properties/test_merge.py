"""The laws of the three-way merge, for any JSON."""

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from workbench.domain.shared.merge import ABSENT, merge, same

keys = st.sampled_from("abc")
scalars = st.sampled_from([None, True, False, 0, 1, 1.0, -0.0, "", "x", "1"])
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=3), max_leaves=8
)
maybe = values | st.just(ABSENT)
lists = st.lists(scalars | st.lists(scalars, max_size=2) | st.dictionaries(keys, scalars, max_size=2), max_size=6)
objects = st.dictionaries(keys, values, max_size=3)
LAWS = settings(max_examples=200, deadline=None)


def holds(elements, element):
    return any(same(one, element) for one in elements)


def leaves(value):
    """Every scalar, key and empty container within a value."""
    if isinstance(value, dict) and value:
        return list(chain.from_iterable([key, *leaves(inner)] for key, inner in value.items()))
    if isinstance(value, list) and value:
        return list(chain.from_iterable(map(leaves, value)))
    return [value]


@LAWS
@given(base=maybe, changed=maybe)
def test_where_one_side_changed_nothing_the_other_stands(base, changed):
    assert same(merge(base, base, changed).value, changed)
    assert same(merge(base, changed, base).value, changed)
    assert merge(base, base, changed).losers == merge(base, changed, base).losers == ()


def repeats(value):
    """Whether a list within a value holds the same twice: which of the two somebody removed is not known later."""
    inner = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    twice = isinstance(value, list) and any(same(one, two) for one, two in combinations(value, 2))
    return twice or any(map(repeats, inner))


@LAWS
@given(base=maybe, theirs=maybe, mine=maybe)
def test_a_merge_is_the_same_every_time_and_merging_again_changes_nothing(base, theirs, mine):
    merged = merge(base, theirs, mine)
    assert merge(base, theirs, mine) == merged
    assert repeats(theirs) or repeats(mine) or same(merge(base, merged.value, mine).value, merged.value)
    assert same(merge(base, merged.value, merged.value).value, merged.value)
    assert same(merge(base, mine, mine).value, mine)


@LAWS
@given(base=maybe, theirs=maybe, mine=maybe)
def test_nothing_is_invented(base, theirs, mine):
    given_by_both = [*leaves(theirs), *leaves(mine)]
    merged = merge(base, theirs, mine).value
    for leaf in leaves(merged):
        assert holds(given_by_both, leaf) or leaf in ({}, []), "an object or list may become empty, nothing else is new"


@LAWS
@given(base=lists, theirs=lists, mine=lists)
def test_lists_keep_both_sides_additions_and_respect_removals(base, theirs, mine):
    merged = merge(base, theirs, mine).value
    for element in [*theirs, *mine]:
        if not holds(base, element):
            assert holds(merged, element), "an addition survives"
    for element in base:
        if not (holds(theirs, element) and holds(mine, element)):
            added_anew = sum(same(one, element) for one in [*theirs, *mine]) > sum(same(one, element) for one in base)
            assert added_anew or not holds(merged, element), "a removal is respected"
        elif not holds(merged, element):
            raise AssertionError("what nobody removed is there")


@LAWS
@given(base=lists, theirs=lists, mine=lists)
def test_a_list_keeps_the_order_of_one_of_the_sides(base, theirs, mine):
    merged = merge(base, theirs, mine).value
    if len({repr(one) for one in (*base, *theirs, *mine)}) < len([*base, *theirs, *mine]):
        return  # with repeated elements positions cannot be told apart by value
    assert [one for one in merged if holds(theirs, one)] == [one for one in theirs if holds(merged, one)]
    assert [one for one in merged if holds(mine, one)] == [one for one in mine if holds(merged, one)]


@LAWS
@given(base=objects, theirs=objects, mine=objects)
def test_objects_merge_key_by_key(base, theirs, mine):
    merged = merge(base, theirs, mine).value
    if same(base, theirs) or same(base, mine) or same(theirs, mine):
        return
    for key in "abc":
        parts = base.get(key, ABSENT), theirs.get(key, ABSENT), mine.get(key, ABSENT)
        assert same(merged.get(key, ABSENT), merge(*parts).value)


@LAWS
@given(base=maybe, theirs=maybe, mine=maybe)
def test_what_lost_is_said_with_its_place(base, theirs, mine):
    merged = merge(base, theirs, mine)
    for loser in merged.losers:
        if loser.value is ABSENT:
            assert loser.rule == "edit-over-delete"
            continue
        found = theirs
        for key in loser.path:
            found = found[key]
        assert same(found, loser.value), "it is theirs, since mine commits later"
