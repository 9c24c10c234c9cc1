"""The patterns by which a goal is read, from ``patterns.toml``: ``patterns.LEAD`` is its ``LEAD``, compiled.

Rules with texts of their own have tables beside it: ``table("questions")``.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any


def table(name: str) -> dict[str, Any]:
    """Return a table of the planner by its name."""
    return tomllib.loads((files("workbench.guided") / f"{name}.toml").read_text("utf-8"))


_PATTERNS = table("patterns")


def __getattr__(name: str) -> re.Pattern[str]:
    """Return a pattern by its name in the table."""
    if name not in _PATTERNS:
        raise AttributeError(name)
    globals()[name] = compiled = re.compile(_PATTERNS[name])
    return compiled
