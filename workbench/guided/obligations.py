"""What a person's words oblige somebody to do: a limit, and a step where they name who has to say yes.

"Legal must sign off the contract" ──approve──▶ a limit, and "Get the agreement of legal" before the rest
"we need a permit for the stand"   ──permit───▶ a limit, and no step that nobody asked for
"""

from __future__ import annotations

import re

import msgspec

from workbench.domain.plan.plan import ConstraintKind
from workbench.guided import patterns


class Obligation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule: words that oblige."""

    name: str
    words: str
    """Pattern."""
    limits: ConstraintKind

    def found_in(self, clause: str) -> re.Match[str] | None:
        """Return where a part of a sentence obliges; None where it does not."""
        return re.search(rf"\b(?:{self.words})\b", clause[:500], re.IGNORECASE)


OBLIGATIONS = msgspec.convert(patterns.table("obligations")["rules"], tuple[Obligation, ...])
"""In the order in which they are tried; the first that fits a clause counts."""
_NOBODY = frozenset("it this that they we i you there everything all nothing".split())  # noqa: SIM905


def obligation_of(clause: str) -> Obligation | None:
    """Return the obligation that a part of a sentence speaks of; None for none."""
    return next((one for one in OBLIGATIONS if one.found_in(clause)), None)


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
    return capital_off(subject) if is_body else ""


def capital_off(text: str) -> str:
    """Return words as they stand within a sentence."""
    return text[:1].lower() + text[1:]


_LONGEST_BODY = 4
"""Words of who has to say yes."""
