"""A summary by rule: of what was said, the sentences that a plan depends on, in the words in which they were said.

    entries ──▶ sentences ──decision, limit, question, date, amount?──▶ the most telling that fit, in their order

It is what the offline planner condenses with. It understands nothing and invents nothing: every line is a quotation.
A summary of its own is read line by line, so that what was kept once competes on the same terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from workbench.context.entry import Entry
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.amounts import read_amounts
from workbench.domain.values.dates import read_dates
from workbench.domain.values.plain import plain_text
from workbench.models.tokens import estimate_tokens

BY = "rule: telling sentences"
HEADING = "Earlier in this conversation, in the words in which it was said:"

_LONGEST = 400
"""Characters of a sentence that are kept."""
_END = lazy_pattern(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
_SPEAKER = lazy_pattern(r"- (?P<who>[^:\n]{1,60}): (?P<said>.+)")
_DECISION = lazy_pattern(
    r"\b(?:decid\w+|decision|agree[ds]?|chos\w+|choose|approv\w+|reject\w+|settled|we(?:'ll| will| go with)|let['’]s|"
    r"instead|entschied\w*|entscheid\w*|beschlossen|einig\w*|décid\w+|choisi\w*|acord\w+|elegi\w+)\b",
    re.IGNORECASE,
)
_LIMIT = lazy_pattern(
    r"\b(?:must(?:n['’]t)?|never|always|only|without|cannot|can['’]t|don['’]t|do not|not|no|at (?:most|least)|"
    r"(?:no )?(?:more|less|later|fewer) than|budget|deadline|require[ds]?|has to|have to|needs? to|"
    r"muss|müssen|darf|nicht|kein\w*|ohne|nur|höchstens|mindestens|doit|jamais|sans|debe\w*|nunca|sin)\b",
    re.IGNORECASE,
)
_ANY_DAY = date(2000, 1, 1)
"""What relative days are counted from; only whether a sentence names a day matters here."""


class _Line(NamedTuple):
    who: str
    said: str
    weight: int

    def __str__(self) -> str:
        return f"- {self.who}: {self.said}"


def telling_summary(entries: Iterable[Entry], max_tokens: int) -> str:
    """Return the most telling sentences of a conversation, in at most so many tokens; "" where none is telling."""
    lines = list({(line.who, line.said): line for entry in entries for line in _lines(entry)}.values())
    room = max_tokens - estimate_tokens(HEADING)
    chosen: set[int] = set()
    for place in sorted(range(len(lines)), key=lambda place: (-lines[place].weight, -place)):
        tokens = estimate_tokens(f"\n{lines[place]}")
        if lines[place].weight > 0 and tokens <= room:
            chosen.add(place)
            room -= tokens
    return "\n".join([HEADING, *(str(lines[place]) for place in sorted(chosen))]) if chosen else ""


def _lines(entry: Entry) -> Iterator[_Line]:
    who = {"user": "you", "artefact": "the session", "tool": "a tool"}.get(entry.role, entry.agent or "a reply")
    for sentence in _END.split(entry.text):
        said = " ".join(sentence.split())
        quoted = _SPEAKER.fullmatch(said) if entry.role == "summary" else None
        if quoted is not None:
            yield _Line(quoted["who"], quoted["said"], _weight(quoted["said"], quoted["who"]))
        elif said and said != HEADING:
            yield _Line(who, shorten(said, _LONGEST), _weight(said, who))


@lru_cache(maxsize=200_000)  # each role's view of a conversation is condensed, and they have most of it in common
def _weight(sentence: str, who: str) -> int:
    """Return how much a plan depends on a sentence; 0 where it says nothing that would be missed."""
    read = sentence[:_LONGEST]
    plain = plain_text(read)
    days = read_dates(read, plain, _ANY_DAY)
    amounts = read_amounts(read, plain, [(day.start, day.end) for day in days])
    weight = (
        3 * (_DECISION.search(read) is not None)
        + 3 * (_LIMIT.search(read) is not None)
        + 2 * read.endswith(("?", "？"))
        + 2 * any(day.value.first or " " in day.text for day in days)
        + 1 * bool(amounts)
    )
    return weight + (weight > 0 and who == "you")
