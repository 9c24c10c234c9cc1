"""Regular expressions that are compiled when they are first used.

A command uses a few of the hundreds that its modules hold, and to compile one takes as long as to import a module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, AnyStr, cast

_MEMBERS = (
    *("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn", "scanner"),
    *("pattern", "flags", "groups", "groupindex"),
)


class LazyPattern:
    """Has the members of a pattern once one of them was asked for."""

    def __init__(self, pattern: Any, flags: int, needs: Iterable[str] = ()) -> None:
        self.given = pattern, flags
        """What ``re.compile`` takes."""
        self.needs = tuple(needs)
        """Words of which one is in all that it matches."""
        self._searched = ""  # the last text that has none of them

    def __getattr__(self, name: str) -> Any:
        """Compile, and keep what a pattern has, so that this is asked once."""
        if name not in _MEMBERS:
            raise AttributeError(name)
        compiled = re.compile(*self.given)
        self.__dict__.update({member: getattr(compiled, member) for member in _MEMBERS})
        return getattr(compiled, name)

    def match(self, text: Any, *place: int) -> re.Match[Any] | None:
        """Match; if the text has none of the words that it needs, nothing is compiled."""
        return None if self._cannot_match(text) else self.__getattr__("match")(text, *place)

    def search(self, text: Any, *place: int) -> re.Match[Any] | None:
        """Search as ``match`` does."""
        return None if self._cannot_match(text) else self.__getattr__("search")(text, *place)

    def _cannot_match(self, text: Any) -> bool:
        if not self.needs:
            return False
        if text is not self._searched:  # a reader asks for one text, place after place
            if any(word in text for word in self.needs):
                return False
            self._searched = text
        return True


def lazy_pattern(pattern: AnyStr, flags: int = 0, *, needs: Iterable[str] = ()) -> re.Pattern[AnyStr]:
    """Return a pattern as ``re.compile`` does, compiled at its first use; for the constants of modules.

    ``needs`` are words of which one is in all that it matches: a text that has none is not worth compiling for.
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(pattern, flags, needs))
