"""Patterns of modules are compiled on use, and each of them is one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from workbench.domain.text.patterns import lazy_pattern

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
