"""How much a plan may hold, whoever wrote it: enough for any that people read, and no more than can be checked at once.

    reply of a model ─▶ replies.read_reply ────────┐
                                                   ├─▶ excess ─▶ why it is too much, in a sentence; "" if it is not
    edit of a person ─▶ plan.markdown.from_markdown ┘

They are there against files that are no plans, and generous: no plan that people read comes near them. What a model
is shown of a large plan is another matter (``planning/asking/portions.py``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a command that reads a text needs the numbers alone
    from workbench.domain.plan.plan import Effort, Section

MOST_SECTIONS = 1_000
MOST_ITEMS = 10_000
MOST_STEPS = 5_000
MOST_CHARACTERS = 50_000
"""In one text of a plan or a reply, which may quote the goal."""
MOST_IN_A_LIST = 10_000
MOST_NEEDS, MOST_OWNERS = 100, 30
"""Of one step, in a reply or a file."""
MOST_LINKS = 20_000
"""Owners and needs of all steps together: what is calculated with each of them takes its time."""
LONGEST_TITLE = 300
"""Characters of a step's title in a reply; the rest goes to its outcome."""
MOST_OF_A_DELIVERABLE = 200_000
MOST_OF_AN_EDIT = 20_000_000
"""Characters of a plan's Markdown."""
MOST_OF_A_FILE = 20_000_000
"""Bytes of a file with a plan."""
MOST_DAYS = 1_000_000
"""Working days of an effort, either way: that one below nothing is wrong is for the checks to say."""


def is_countable(effort: Effort) -> bool:
    """Tell whether an effort is made of numbers that can be calculated with."""
    return all(abs(days) <= MOST_DAYS for days in (effort.low, effort.likely, effort.high))


def excess(sections: Sequence[Section]) -> str:
    """Return what is too much about a plan of these sections; "" if nothing is."""
    from workbench.domain.plan.plan import Step

    items = [item for section in sections for item in section.items]
    steps = [item for item in items if isinstance(item, Step)]
    for what, count, most in (
        ("sections", len(sections), MOST_SECTIONS),
        ("items", len(items), MOST_ITEMS),
        ("steps", len(steps), MOST_STEPS),
        ("owners and needs of steps", sum(len(step.owners) + len(step.needs) for step in steps), MOST_LINKS),
    ):
        if count > most:
            return f"The plan has {count:,} {what}; {most:,} are the most"
    uncountable = next((step.id for step in steps if step.effort and not is_countable(step.effort)), None)
    if uncountable is not None:
        return f"The effort of {uncountable} is no number of days up to {MOST_DAYS:,}"
    return next(_long_parts(sections), "")


def _long_parts(value: Any, place: str = "") -> Iterator[str]:
    """Yield the parts that are too long, each with its place, as in ``$.sections[3].text``."""
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            yield f"The text at ${place} has {len(value):,} characters; {MOST_CHARACTERS:,} are the most"
    elif isinstance(value, list | tuple):
        if len(value) > MOST_IN_A_LIST:
            yield f"The list at ${place} has {len(value):,} entries; {MOST_IN_A_LIST:,} are the most"
        for number, part in enumerate(value):
            yield from _long_parts(part, f"{place}[{number}]")
    elif isinstance(value, dict):
        yield from _long_parts([*value, *value.values()], place)
    elif hasattr(value, "__struct_fields__"):
        for name in value.__struct_fields__:
            yield from _long_parts(getattr(value, name), f"{place}.{name}")
