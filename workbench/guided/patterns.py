"""The patterns by which a goal is read, from ``patterns.toml``: ``patterns.LEAD`` is its ``LEAD``, compiled."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

_TABLE = tomllib.loads((files("workbench.guided") / "patterns.toml").read_text("utf-8"))


def __getattr__(name: str) -> re.Pattern[str]:
    """Return a pattern by its name in the table."""
    if name not in _TABLE:
        raise AttributeError(name)
    globals()[name] = compiled = re.compile(_TABLE[name])
    return compiled
