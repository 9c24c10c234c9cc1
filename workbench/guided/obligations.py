"""What a person's words oblige somebody to do: steps by rule, and only where words say so.

"Legal must sign off the contract" ──approve──▶ Get the sign-off …    before what it gates
"we need a permit for the stand"   ──permit───▶ Apply for …           before the day
"""

from __future__ import annotations

import re

import msgspec

from workbench.domain.plan.plan import ConstraintKind
from workbench.guided import patterns


class Obligation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rule: words that oblige, and the step that follows from them."""

    name: str
    words: str
    """Pattern."""
    title: str
    """``{who}`` is the person or body that the words name, ``{words}`` the words."""
    outcome: str
    check: str = ""
    limits: ConstraintKind
    days: tuple[float, float, float] | None = None
    """Working days that it usually takes; None where that differs too much."""
    after: bool = False
    """Whether it comes when all else is done; else before what it is about is used."""

    def found_in(self, clause: str) -> re.Match[str] | None:
        """Return where a part of a sentence obliges; None where it does not."""
        return re.search(rf"\b(?:{self.words})\b", clause[:500], re.IGNORECASE)


OBLIGATIONS = msgspec.convert(patterns.table("obligations")["rules"], tuple[Obligation, ...])
"""In the order in which they are tried; the first that fits a clause counts."""
_NOBODY = frozenset("it this that they we i you there everything all nothing".split())  # noqa: SIM905


def obligation_of(clause: str) -> Obligation | None:
    """Return the obligation that a part of a sentence speaks of; None for none."""
    return next((one for one in OBLIGATIONS if one.found_in(clause)), None)


def object_of(clause: str, rule: Obligation) -> str:
    """Return what the words speak of after the verb that obliges ("the menu")."""
    match = rule.found_in(clause)
    return clause[match.end() :] if match else ""


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
