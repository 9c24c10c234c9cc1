"""Patterns of .gitignore: what Git matches is matched, and as quickly whatever the patterns are."""

from __future__ import annotations

import contextlib
import time

import pytest
from tests.pace import EVEN, growth
from workbench.planning.sources.ignore_rules import MOST_POSITIONS, IgnoreRules, TooManyPatterns


@pytest.mark.parametrize(
    ("pattern", "fits", "does_not"),
    [
        ("a", "a x/a x/y/a a/", "ab x/ab a/b"),
        ("/a", "a a/", "x/a"),
        ("a/", "a/ x/a/", "a x/a"),
        ("a/b", "a/b a/b/", "x/a/b a/x/b"),
        ("*.log", "a.log .log x/a.log", "a.logs log"),
        ("a*c", "ac abc abbc x/abc", "abcd a/c"),
        ("a?c", "abc axc", "ac a/c abbc"),
        ("**/a", "a x/a x/y/a", "xa a/b"),
        ("a/**", "a/b a/b/c a/b/", "a a/ x/a/b"),
        ("a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb x/a/b"),
        ("**/a/**", "a/b x/a/b", "a x/a"),
        ("**", "a a/b", ""),
        ("/*", "a .a a/", "a/b"),
        ("a/*/b", "a/x/b", "a/b a/x/y/b"),
        ("***/a", "a x/a", "xa"),
        ("[ab]c", "ac bc x/ac", "cc abc"),
        ("[!ab]c", "cc", "ac bc c"),
        ("[^a-m]c", "zc", "ac mc"),
        ("[]x]c", "]c xc", "ac"),
        ("[a-]c", "-c ac", "bc"),
        ("[[:digit:]x]c", "1c xc", "ac"),
        (r"[\]]c", "]c", "\\c"),
        ("[ab", "", "[ab a"),
        (r"\!a", "!a", "a"),
        (r"\#a", "#a", "a"),
        ("#a", "", "#a a"),
        (r"a\*", "a*", "ab"),
        ("a\\", "", "a a\\"),
        ("a   ", "a", "a\u00a0"),
        ("a\r", "a", ""),
        ("", "", "a"),
        ("/", "", "a a/"),
        ("a//b", "", "a/b a"),
        ("Grüße*", "Grüße.md", "Gruesse.md"),
    ],
)
def test_a_pattern_fits_what_git_says(pattern: str, fits: str, does_not: str) -> None:
    rules = IgnoreRules([pattern])
    for path in (*fits.split(), *does_not.split()):
        told = rules.says(path.removesuffix("/"), is_folder=path.endswith("/"))
        assert (told is True) == (path in fits.split()), path


def test_the_last_pattern_decides() -> None:
    rules = IgnoreRules(["*.log", "!keep.log", "tmp/keep.log", "!x/"])
    told = [rules.says(path) for path in ("a.log", "keep.log", "tmp/keep.log", "tmp/a", "x")]
    assert told == [True, False, True, None, None]
    assert rules.says("x", is_folder=True) is False


def test_a_name_that_is_a_space_behind_a_backslash_stays() -> None:
    assert IgnoreRules(["a\\ "]).says("a ") is True


def test_what_is_too_large_is_refused_and_never_cut() -> None:
    assert IgnoreRules([f"a{number}" for number in range(2_000)]).size < MOST_POSITIONS
    for lines in (["a" * 900] * 23, ["a" * 1_001], [f"[{chr(300 + number)}]" for number in range(201)]):
        with pytest.raises(TooManyPatterns):
            IgnoreRules(lines)


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 400 + "b", "**/a/" * 150 + "b", "a" * 800 + "b", "*" * 900 + "b", "?*" * 400 + "b", "[ab]*" * 150 + "c"],
)
def test_a_hostile_pattern_takes_time_that_grows_with_the_path(pattern: str) -> None:
    rules = IgnoreRules([pattern])
    assert _doubles(lambda size: rules.says("a/" * size + "a" * size))


def test_hostile_lines_are_read_in_time_that_grows_with_them() -> None:
    for line in ("[" * 900, "[[:a" * 200, "\\" * 900, " " * 900 + "x", "/" * 900, "[a-" * 300):
        assert _doubles(lambda size, line=line: IgnoreRules([line] * (size // 25)))  # type: ignore[misc]


def _doubles(work) -> bool:
    """Tell whether twice as much takes about twice as long."""

    def seconds(size: int) -> float:
        began = time.thread_time()
        with contextlib.suppress(TooManyPatterns):
            work(size)
        return time.thread_time() - began

    return growth(seconds, 400, at_once=0.02) <= EVEN
