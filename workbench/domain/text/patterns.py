"""Regular expressions that are compiled when they are first used.

A command uses a few of the hundreds that its modules hold, and to compile one takes as long as to import a module.
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, cast

_MEMBERS = (
    *("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "scanner"),
    *("pattern", "flags", "groups", "groupindex"),
)


class LazyPattern:
    """Has the members of a pattern once one of them was asked for."""

    def __init__(self, pattern: Any, flags: int) -> None:
        self.given = pattern, flags
        """What ``re.compile`` takes."""

    def __getattr__(self, name: str) -> Any:
        """Compile, and keep what a pattern has, so that this is asked once."""
        if name not in _MEMBERS:
            raise AttributeError(name)
        compiled = re.compile(*self.given)
        self.__dict__.update({member: getattr(compiled, member) for member in _MEMBERS})
        return getattr(compiled, name)


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern as ``re.compile`` does, compiled at its first use; for the constants of modules."""
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags))
