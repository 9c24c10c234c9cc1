"""What is missing in a wish that cannot be carried out as it was said: which line, and which value.

    "make it cheaper"     ─ wish: money, no step, no sum ─▶ which step should cost less, and how much?
    "Peter does that one" ─ wish: who, no step           ─▶ which step does Peter take?

A wish is told by its words alone; it changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from workbench.domain.plan.plan import Constraint, Item
from workbench.domain.requests.amounts import days, money
from workbench.domain.requests.context import Context, listed
from workbench.domain.requests.lookup import ID, quoted
from workbench.domain.text.cleaning import shorten


class Wish(NamedTuple):
    """A kind of change that a person may wish for, and what has to be known before it is made."""

    words: str
    """What tells it."""
    of_one: str
    """The question where the line is known: ``{}`` stands for it."""
    of_none: str
    """The question where it is not."""


_TABLE = r"""
Who should do {}? / Which steps should somebody else take, and who
    (somebody|someone) else; (get|find) (somebody|someone|anyone|help); too much for; alone; on my own
    overloaded; help(s|ed|ing)?; too busy; no time; (my|his|her|their|\w+'s?) (job|turn|task|business); not mine
How much may {} cost? / What should cost less, and how much may it cost
    cheap\w*; expensive; pric[ey]+; cost\w*; money; budget; afford\w*; spend\w*; cap (it|this|that)
By which day should {} be done, or how much earlier? / Which step should come earlier, and by how many days
    earlier; sooner; forward; too late; faster; quicker; speed; rush; hurry; as soon as possible; asap
By how many days should {} move, or to which day? / Which step should move, and by how many days or to which day
    late; behind; later; postpone\w*; push\w*; delay\w*; too early; too soon; more time; not ready; back a bit
    slow\w* down; breathing space; slack; buffer; (too )?tight
How many days should {} take? / Which step is meant, and how many days should it take
    too (long|slow|short); takes? (ages|forever); longer; shorter; shorten; (less|half the|enough) time; quick\w*
    effort; optimistic; pessimistic; realistic; (under|over)estimat\w*; (more|less) work; estimates?
Which day should it be for {}? / Which date should change, and to which day
    dates?; (another|different|the|that|which) days?; deadline; weekend; schedule; timing; move\w*; shift\w*; bring
What of {} should go? / Which lines should go
    too (many|much); complicated; overkill; simpl\w+; less; fewer; leaner; cut down; trim\w*
Which step should {} wait for? / Which step should wait for which
    depends?; waits?; after; before; first; order
With what should {} be one? / Which lines should be one
    merge; combine; join; together; the same
Into which parts should {} be split? / Which step should be split, and into what
    split; divide; break up; separate
Who should do {}? / Which step is meant, and who does it
    who; put \w+ (on|in); can have; does; do; takes?; owns; owner; handles?; leads?; responsible
    mine; yours; hers; theirs
What is wrong with {}, and how should it be? / Which line is wrong, and how should it be
    wrong; (not|in)(correct| right| true| happy| sure| convinced); off; mistake; nonsense; makes? no sense
    don't (get|like); confus\w+; unclear; unhappy; unsure; worr\w+; sucks; bad; hate; silly; weird; strange
    (doesn't|won't) work; change; different(ly)?; better; improve; fix; instead; rather; prefer
"""


def _wishes() -> Iterator[Wish]:
    """Yield the kinds of wishes of the table: two questions, and below them the words that tell it."""
    for row in re.split(r"\n(?=\w)", _TABLE.strip()):
        questions, *words = row.split("\n")
        of_one, _, of_none = questions.partition(" / ")
        told = "|".join(word.strip() for line in words for word in line.split(";"))
        yield Wish(rf"(?i)\b(?:{told})\b", of_one, of_none)


_WISHES = tuple(_wishes())
_MOST_NAMED = 4


def missing(context: Context) -> tuple[str, tuple[str, ...]] | None:
    """Return what to ask about a wish that says too little, and the lines it is about; None where it is no wish."""
    text = context.text
    wish = next((wish for wish in _WISHES if re.search(wish.words, text)), None)
    if wish is None:
        return None
    item = _item(context)
    if item is not None:
        return wish.of_one.format(quoted(item)), (item.id,)
    near = _candidates(context)
    which = f": {listed([quoted(one) for one in near], 'or')}" if near else ""
    return f"{wish.of_none}{which}? You say “{shorten(text.rstrip('.!'), 60)}”", ()


def _item(context: Context) -> Item | None:
    """Return the one line that a clause names, or speaks of in its words."""
    finder = context.finder
    named = {name.upper() for name in re.findall(rf"\b{ID}\b", context.text)}
    items = [finder.by_id[name] for name in sorted(named) if name in finder.by_id]
    if items or finder.pinned:
        return items[0] if len(items) == 1 else finder.by_id.get(finder.pinned.upper())
    return finder.nearest(context.text)


def _candidates(context: Context) -> tuple[Item, ...]:
    """Return the lines that a clause without a line may mean: those of a person, those with a day, or the limits."""
    owned = [
        step for step in context.open_steps
        if step.owner and re.search(rf"(?i)\b{re.escape(step.owner.split()[-1])}(?:'?s)?\b", context.text)
    ]  # fmt: skip
    if owned and len(owned) < len(context.open_steps):
        return tuple(owned[:_MOST_NAMED])
    limits = [item for item in context.plan.items if isinstance(item, Constraint)]
    if re.search(r"(?i)\b(?:cheap\w*|expensive|cost\w*|money|budget|cap)\b", context.text):
        return tuple(item for item in limits if item.amount or money(item.text, context.today))[:1]
    if days(context.text, context.today) or re.search(
        r"(?i)\b(?:the|that) (?:date|day|\d+(?:st|nd|rd|th))\b", context.text
    ):
        fixed = [step for step in context.open_steps if step.on or step.deadline]
        dated = [item for item in limits if item.day or days(item.text, context.today)]
        lines: tuple[Item, ...] = (*dated, *sorted(fixed, key=lambda step: step.on is None))
        return lines[: _MOST_NAMED - 1]
    return ()
