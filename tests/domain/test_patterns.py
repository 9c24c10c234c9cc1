"""Patterns of modules are compiled on use, and each of them is one."""

from __future__ import annotations

import ast
import pkgutil
import re
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from re import _constants as op
from re import _parser
from typing import Any

import pytest
from workbench.domain import values
from workbench.domain.text.patterns import LazyPattern, lazy_pattern

PACKAGE = Path(__file__).parents[2] / "workbench"


def test_a_pattern_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given[0]) or compile_now(*given))
    pattern = lazy_pattern(r"(?P<day>\d+)\. May", re.IGNORECASE)
    assert not compiled
    assert [found["day"] for text in ("1. may", "2. May") if (found := pattern.fullmatch(text))] == ["1", "2"]
    assert pattern.sub("–", "3. May 4") == "– 4"
    assert pattern.pattern in compiled
    assert len(compiled) == 1
    with pytest.raises(AttributeError):
        _ = pattern.nothing  # type: ignore[attr-defined]


def test_a_pattern_is_not_compiled_for_a_text_without_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given[0]) or compile_now(*given))
    pattern = lazy_pattern(r"\d+ (?:May|June)", needs=("May", "June"))
    text = "3 July, 4 August"
    assert [pattern.match(text), pattern.match(text, 8), pattern.search(text), pattern.search("")] == [None] * 4
    assert not compiled
    found = pattern.search("3 July, 4 June")
    assert found is not None
    assert found[0] == "4 June"
    assert pattern.match(text) is None
    assert len(compiled) == 1


def test_all_that_a_pattern_matches_has_what_it_needs() -> None:
    names = [module.name for module in pkgutil.walk_packages(values.__path__, f"{values.__name__}.")]
    patterns = {
        f"{name}.{key}": value
        for name in names
        for key, value in vars(import_module(name)).items()
        if isinstance(value, LazyPattern) and value.needs
    }
    assert len(patterns) > 20
    assert not any(one.given[1] for one in patterns.values())  # no flags, by which other letters would match
    assert {name: some for name, one in patterns.items() if (some := without(one.given[0], one.needs))} == {}


@pytest.mark.parametrize(
    ("pattern", "needed", "too_few"),
    [
        (r"(?:the\s)?(?:may|june)\b", ["may", "june"], ["may"]),
        (r"(?P<a>may\s)?\d(?(a)|ly)", ["may", "ly"], ["may"]),
        (r"\d(?=\sof\smay)|eo[wm]|(?:w|\sm){1,3}", ["may", "eo", "w", " m"], ["may", "w", " m"]),
    ],
)
def test_what_a_pattern_matches_without_is_found_out(pattern: str, needed: list[str], too_few: list[str]) -> None:
    assert not without(pattern, needed)
    assert without(pattern, too_few)


def without(pattern: str, needs: Iterable[str]) -> set[str]:
    """Return ends of texts that a pattern may match although they have none of these words; "·" is any character."""
    parts = set(needs)
    longest = max(map(len, parts))

    def kept(ends: set[tuple[str, frozenset[int]]]) -> set[tuple[str, frozenset[int]]]:
        return {(end[-longest:], groups) for end, groups in ends if not any(part in end for part in parts)}

    def after(ends: set[tuple[str, frozenset[int]]], items: Iterable[Any]) -> set[tuple[str, frozenset[int]]]:
        for kind, value in items:
            ends = kept(one(ends, kind, value))
        return ends

    def one(ends: set[tuple[str, frozenset[int]]], kind: Any, value: Any) -> set[tuple[str, frozenset[int]]]:
        match kind:
            case op.LITERAL:
                return {(end + chr(value), groups) for end, groups in ends}
            case op.IN if all(part is op.LITERAL for part, _ in value):
                return {(end + chr(sign), groups) for end, groups in ends for _, sign in value}
            case op.IN:
                sign = " " if value == [(op.CATEGORY, op.CATEGORY_SPACE)] else "·"
                return {(end + sign, groups) for end, groups in ends}
            case op.ANY | op.NOT_LITERAL | op.GROUPREF:
                return {(end + "·", groups) for end, groups in ends}
            case op.BRANCH:
                return {found for branch in value[1] for found in after(ends, branch)}
            case op.SUBPATTERN:
                found = after(ends, value[3])
                return {(end, groups | {value[0]}) for end, groups in found} if value[0] is not None else found
            case op.ATOMIC_GROUP:
                return after(ends, value)
            case op.MAX_REPEAT | op.MIN_REPEAT | op.POSSESSIVE_REPEAT:
                least, most, body = value
                found = set(ends) if least == 0 else set()
                for number in range(1, min(most, max(least, 3)) + 1):
                    ends = kept(after(ends, body))
                    found |= ends if number >= least else set()
                return found
            case op.GROUPREF_EXISTS:
                group, then, otherwise = value
                matched = {end for end in ends if group in end[1]}
                return after(matched, then) | after(ends - matched, otherwise or [])
            case op.ASSERT if value[0] > 0:
                return {(end + "·", groups) for end, groups in after(ends, value[1])}
            case op.ASSERT_NOT if not value[1]:
                return set()
        return ends  # a place, or what does not stand there

    return {end for end, _ in after({("", frozenset())}, _parser.parse(pattern))}


def test_no_module_compiles_patterns_when_it_is_imported() -> None:
    def eager(node: ast.AST) -> list[int]:
        found = []
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            if isinstance(child, ast.Call) and ast.unparse(child.func) == "re.compile":
                found.append(child.lineno)
            found += eager(child)
        return found

    sources = {path: path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    files = {path: eager(ast.parse(source)) for path, source in sources.items() if "re.compile" in source}
    assert {str(path.relative_to(PACKAGE)): lines for path, lines in files.items() if lines} == {}
