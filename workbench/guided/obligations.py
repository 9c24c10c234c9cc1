"""What a person's words oblige somebody to do: a limit, and a step where they name who has to say yes.

"Legal must sign off the contract" ──approve──▶ a limit, and "Get the agreement of legal" before the rest
"we need a permit for the stand"   ──permit───▶ a limit, and no step that nobody asked for
"""

from __future__ import annotations

import re
from typing import Literal

from workbench.guided import patterns

Duty = Literal["", "approve", "other"]
"""Whether somebody has to say yes, or something else is owed; "" for neither."""
_NOBODY = frozenset("who it this that they we i you there everything all nothing".split())  # noqa: SIM905


def duty_of(clause: str) -> Duty:
    """Return what a part of a sentence obliges to."""
    if patterns.APPROVES.search(clause[:500]):
        return "approve"
    return "other" if patterns.OBLIGES.search(clause[:500]) else ""


def who_is_asked(clause: str, people: tuple[str, ...] = ()) -> str:
    """Return who has to say yes, as the words name them; else ""."""
    if people:
        return people[0]
    for pattern in (patterns.WHO, patterns.BY):
        match = pattern.search(clause[:300])
        if match and match["who"].casefold() not in _NOBODY:
            return re.sub(r"^(The|Our|My)\b", lambda article: article[1].lower(), match["who"])
    subject = clause[: verb.start()].strip() if (verb := patterns.FINITE.search(clause[:300])) else ""
    is_body = patterns.DETERMINED.match(subject) is not None and len(subject.split()) <= _LONGEST_BODY
    return subject[:1].lower() + subject[1:] if is_body else ""


_LONGEST_BODY = 4
"""Words of who has to say yes."""
