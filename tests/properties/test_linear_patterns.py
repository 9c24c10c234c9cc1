"""Every pattern of the package takes time in proportion to the text: foreign text must not keep the workbench busy."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

import pytest
from tests.properties.patterns import MOST_GROWTH, Found, Text, growth, inventory, operation_of, texts_against
from workbench.domain.commands.grammar import field_pattern, grammar
from workbench.models.servers.messages import _end_of_plan
from workbench.planning.memory.transcripts import _is_marked_up
from workbench.replay.audit.prompt import Asked

PUT_TOGETHER: dict[str, tuple[str, ...]] = {
    "workbench.domain.commands.draft.Draft.new_id": (r"\bS(\d{1,6})\b",),
    "workbench.domain.commands.grammar.Grammar.cut": (grammar().cut.pattern,),
    "workbench.domain.commands.grammar._compiled": (),  # all of the grammar are tried
    "workbench.domain.commands.grammar.field_pattern": tuple(
        field_pattern(terminal).pattern for terminal in ("FIELD", "ATTRIBUTE")
    ),
    "workbench.domain.loop.answers.causes.steps_cited": (r"(?<![\w./-])P1(?![\w/-])",),
    "workbench.domain.plan.changing.restating.restated": (
        r"(?<=€)(?<![\w.,])40(?![\w,.]*\d)|(?<![\w.,])40(?![\w,.]*\d)(?= ?(?:EUR\b|€))",
        r"(?<!\w)3\ May\ 2027\b",
        r"(?<![\w-])3\ May(?!\w|,? ?\d{4})",
    ),
    "workbench.domain.session.named_files.Citations.__init__": (r"(?<![\w./-])(a/b\.md|c\.md):(\d{1,7})(?!\w)",),
    "workbench.domain.text.words.names_id": (r"(?i)(?<!\w)S1(?!\w)",),
    "workbench.domain.plan.importing.formats.json_tasks._Places.next_of": (r':\s{0,7}(?:"Gr\\u00fcn"|"Grün")',),
    "workbench.domain.plan.markdown.values.pieces": (r'((?:(?<![^\s;])"(?:[^"\\]|\\.)*+"|[^;])*+)(?:;|\Z)',),
    "workbench.planning.sources.secret_detection._rules": (),  # its patterns are in the table of rules, and tried there
    "workbench.storage.files.archives.Archives.__init__": (r"s-1-(?P<first>\d+)-(?P<last>\d+)(-\d+)?\.jsonl",),
    "workbench.tui.widgets.line_list.LineList._with_sought": (r"(?i)words",),
    "workbench.tui.commands.Commands.search": (r"(?i)\bcompare",),
}
"""Patterns that are put together while the program runs, each by an example of what comes of it."""


@pytest.fixture(scope="module")
def patterns() -> list[Found]:
    found = inventory()
    assert not found.faults
    assert found.unnamed == PUT_TOGETHER.keys(), "Add an example of what is put together there, or take it out."
    examples = [Found(where, re.compile(one), "finditer") for where, some in PUT_TOGETHER.items() for one in some]
    examples += [Found(f"commands.lark {name}", pattern, "match") for name, pattern in grammar().patterns.items()]
    return [*found.found, *examples]


def test_every_pattern_takes_linear_time(patterns: list[Found]) -> None:
    assert len(patterns) > 300
    assert slow(patterns, size=800, largest=3_200, many=False) == []


@pytest.mark.full
def test_every_pattern_takes_linear_time_on_many_texts(patterns: list[Found]) -> None:
    assert slow(patterns, size=4_000, largest=64_000, many=True) == []


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("pattern", "operation"),
    [
        (r"\s+$", "search"),
        (r"a+b", "search"),
        (r"(?:a|a)+b", "fullmatch"),
        (r"(?m)^\s*x", "finditer"),
        (r"\b(?:no|without)\b[^.;]*?\bbut\b", "finditer"),
        (r"<!--.*?-->", "finditer"),
        (r"\s*(\d+)\s*(?:d|days)?\s*", "fullmatch"),
    ],
)
def test_a_slow_pattern_is_told(pattern: str, operation: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.properties.patterns._LIMIT", 0.2)
    assert slow([Found("here", re.compile(pattern), operation)], size=1_500, largest=24_000, many=False)


def test_a_linear_pattern_is_not_told_in_that_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.properties.patterns._LIMIT", 0.2)
    assert not slow([Found("here", re.compile(r"\w+"), "finditer")], size=1_500, largest=24_000, many=False)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (Asked.parse, Text("", '<input name="a">\n', "")),
        (_end_of_plan, Text("", '<input name="plan">', "</input")),
        (_is_marked_up, Text("", "<a></a>", "x")),
    ],
)
def test_reading_takes_linear_time(read: Callable[[str], object], text: Text) -> None:
    assert growth(read, text, size=2_000, largest=32_000) <= MOST_GROWTH


def slow(patterns: list[Found], *, size: int, largest: int, many: bool) -> list[str]:
    """Return the patterns whose time grows faster than their text, each with such a text."""
    worst = ((found, _text_too_long_for(found, size, largest, many)) for found in patterns)
    return [f"{found.where} {found.operation} {found.pattern.pattern!r} on {text}" for found, text in worst if text]


def _text_too_long_for(found: Found, size: int, largest: int, many: bool) -> Text | None:
    """Return a text that takes too long; on one four times as long, too, for limits of hundreds of characters count."""
    act = operation_of(found)
    for text in texts_against(found.pattern, many=many):
        grown = growth(act, text, size=size, largest=largest)
        if grown > MOST_GROWTH and (
            grown == inf or growth(act, text, size=4 * size, largest=4 * largest) > MOST_GROWTH
        ):
            return text
    return None
