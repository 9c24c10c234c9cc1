"""What "undo that" and "undo the 5 days for the archive" take back: a version, or the changes that the words mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace

from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.history import Made, Version, changes_of, undone
from workbench.domain.plan.operations import applied, operations_between
from workbench.domain.requests import Request
from workbench.domain.requests.lookup import likeness, roots
from workbench.domain.requests.moves import dating

_AT_ONCE = "undo|revert|roll ?back|reverse|restore"
_UNDO = re.compile(  # the first verb decides: where no "back" follows it, none follows a later one
    rf"(?i)^(?:(?>.*?\b(?:(?P<at_once>{_AT_ONCE})|take|put|go|bring|set|turn|switch|change|get|return)\b)"
    rf"(?(at_once)|.*?\bback\b)|.*?\b(?:{_AT_ONCE})\b)"
)
_WHOLE = frozenset(roots("change last previous latest edit version request step thing everything back before old plan"))
"""Words that mean the last version as a whole."""
_DATES = frozenset({"start", "end"})
ENOUGH = 0.6
"""Share of the words that a change has to have."""


def is_undo(requests: Sequence[Request]) -> bool:
    """Tell whether a message asks to undo something, and for nothing else: "undo that, I misread it"."""
    first, *rest = requests
    return first.control == "undo" and all(request.outcome == "not understood" for request in rest)


def taken_back(request: Request, versions: Sequence[Version], today: date) -> Request:
    """Return a request to undo with what does it, and the dates that follow from it."""
    if len(versions) == 1:
        return replace(
            request, outcome="not done", answer="There is nothing to undo: the plan is as it was first drafted."
        )
    names, answer = _meant(request.text, versions)
    if not names:
        return replace(request, outcome="asked", answer=f"No change speaks of that: which one do you mean? {answer}")
    plan = versions[-1].plan
    try:
        after = applied(plan, [change.operation for change in undone(versions, *names)])
        dates, _ = dating(plan, after, today) if names != (str(versions[-1].version),) else ((), {})
        after = applied(after, dates)
    except WorkbenchError as error:
        return replace(request, outcome="not done", answer=error.message)
    return replace(request, outcome="done", operations=operations_between(plan, after), answer=answer)


def _meant(text: str, versions: Sequence[Version]) -> tuple[tuple[str, ...], str]:
    """Return the names of the changes that are meant, and what is done; no names where no change fits."""
    words = _UNDO.sub("", text).partition(",")[0]
    last = versions[-1].version
    telling = [word for word in roots(words) if word not in _WHOLE]
    if not telling:
        return (str(last),), f"What made version {last} is taken back."
    made = [
        change
        for change in changes_of(versions)
        if change.version > versions[0].version and getattr(change.change.operation, "field", "") not in _DATES
    ]
    if causes := set(re.findall(r"\bF\d+\b", words.upper())):
        of_cause = [change for change in made if change.change.cause.source in causes]
        return tuple(change.name for change in of_cause), f"What {', '.join(sorted(causes))} changed is taken back."
    fit = [(_share(telling, change), change) for change in made]
    best = max((share for share, _ in fit), default=0.0)
    if best < ENOUGH:
        return (), " ".join(f"{change.name}: {change.text}." for change in made[-3:])
    chosen = [change for share, change in fit if share == best][-1]
    return (chosen.name,), f"{chosen.name} is taken back: {chosen.text}."


def _share(words: Sequence[str], change: Made) -> float:
    """Return the share of some words that a change has: in what it did, and in the items that it concerns."""
    lines = [wording(item) for item in change.before.items if item.id in change.items]
    own = roots(" ".join([change.text, *lines]))
    return sum(any(likeness(word, other) >= 0.9 for other in own) for word in words) / len(words)
