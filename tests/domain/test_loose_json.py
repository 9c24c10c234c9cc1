"""JSON as models write it is read; what is hostile takes no longer than what is not."""

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.text.loose_json import DEEPEST, MOST_VALUES, LooseValue, TooDeep, json_values

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def value_of(text):
    [found] = json_values(text)
    return found.value


@given(st.dictionaries(st.text(), ANY_JSON, max_size=5))
def test_json_is_read_as_it_is(value):
    assert list(json_values(f"Here it is: {json.dumps(value)} That is all.")) == [LooseValue(value)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // why\n "b": [1, 2,], # more\n /* and\n more */ "c": 3,}', {"a": 1, "b": [1, 2], "c": 3}),
        ("{'a': 'it's fine', 'b': True, c: None, d: false}", {"a": "it's fine", "b": True, "c": None, "d": False}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ("{'a': 'two\nlines'}", {"a": "two\nlines"}),
        ('{"a": "he said "yes" to it", "b": 1}', {"a": 'he said "yes" to it', "b": 1}),
        ('{"a": "he said "yes", and left", "b": 1}', {"a": 'he said "yes", and left', "b": 1}),
        ('{"a": "x"\n "b": "y"}', {"a": "x", "b": "y"}),
        ('{"a": High, "b": S1, "c": [S1, S2, ...], "d": 1.5, "e": -7}',
         {"a": "High", "b": "S1", "c": ["S1", "S2"], "d": 1.5, "e": -7}),
        ("{a: “quoted”}", {"a": "quoted"}),
        ('{\'a\': "\\u0041\\n\\t\\\\ \\ud83d\\ude00 \\q \\u12"}', {"a": "A\n\t\\ 😀 q u12"}),
        ('{"a": {"b": [1, 2}, "c": 3}', {"a": {"b": [1, 2]}, "c": 3}),
        ('{"a" "b", "c": 1,}', {"c": 1}),
        ("{{'a': 1}}", {"a": 1}),
        ('{"a": 1e400, b: 2}', {"a": float("inf"), "b": 2}),
        ("{a: 5 // five\n}", {"a": 5}),
        ("{) a: 1}", {"a": 1}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": {"b": 1}, {"c": 2}}', {"a": {"b": 1}}),
    ],
)  # fmt: skip
def test_what_is_not_quite_json_is_read_as_it_was_meant(text, value):
    assert value_of(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [{"b": 1}, {"b": "begi', {"a": [{"b": 1}, {"b": "begi…"}]}),
        ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1, 2]}),
        ('{"a": 1, "b"', {"a": 1}),
        ('{"a": 1 /* never closed', {"a": 1}),
        ("[", []),
    ],
)
def test_what_is_cut_off_keeps_what_came_and_says_so(text, value):
    assert list(json_values(text)) == [LooseValue(value, is_mended=True, is_cut=True)]


def test_several_objects_are_several():
    text = 'Perhaps {x}, or ```json\n{"a": 1}\n``` No: {"a": 2} [3] {this}'
    assert [found.value for found in json_values(text)] == [{}, {"a": 1}, {"a": 2}, [3], {}]


@pytest.mark.parametrize("text", ["{" * 200, '{"a":' * 200, "[" * 100_000 + "]" * 100_000, "{x " * 200])
def test_what_nobody_needs_to_nest_is_refused(text):
    with pytest.raises(TooDeep):
        list(json_values(text))


@pytest.mark.parametrize("ends", [("[", "]"), ('{"a":', "}")])
def test_json_is_as_deep_as_it_is_whoever_reads_it(ends):
    begin, end = ends

    def read(levels, room):
        return read(levels, room - 1) if room else [*json_values(begin * levels + "[]" + end * levels)]

    for room in (0, 400):
        assert not read(DEEPEST, room)[0].is_mended
        for levels in (DEEPEST + 1, 330, 900, 100_000):
            with pytest.raises(TooDeep):
                read(levels, room)


@pytest.mark.cases(2)
@pytest.mark.parametrize("piece", ["{x}", "[x]", "{}", "[1 2]", '["a" "b"]', '{"a":1]', "[NaN]", '{"a": x}\n'])
def test_a_reply_of_a_million_characters_that_is_no_json_is_read_in_no_time(piece):
    begun = time.process_time()
    assert sum(1 for _ in json_values(piece * (1_000_000 // len(piece)))) == MOST_VALUES
    assert time.process_time() - begun < 2.0


def test_json_after_much_that_is_none_is_read_all_the_same():
    assert [found.value for found in json_values("{x}" * 100 + '{"a": "b, \\"c\\""}')][-1] == {"a": 'b, "c"'}


HOSTILE = [
    *("{", '"', '",', '"a', "\\", "'", "/*", "{/*", "//", "#", " ", "\n", ":", ",", '" "', '"x', '":', '", "b', "”"),
    *('{"a":1}', "[ {", "{]", "[}", "\\u12", "\\ud83d", "'a' ", "word ", "-", "1", "{a ", '"\n', "e1", "\u0301"),
]


@pytest.mark.cases(50)
@pytest.mark.parametrize("start", ["", '{"a":"', '{"a":["x', "{", "{'a':", '{"a":"",'])
@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_in_no_time(start, piece):
    text = start + piece * (20_000 // len(piece))
    begun = time.process_time()
    with suppress(TooDeep):
        assert sum(1 for _ in json_values(text)) <= 20_000
    assert time.process_time() - begun < 1.0


@given(st.text(st.sampled_from("{}[]\"':,\\/*#\n au1“”"), max_size=60))
def test_any_text_is_read_or_too_deep(text):
    for found in json_values(text):
        assert isinstance(found.value, dict | list)
