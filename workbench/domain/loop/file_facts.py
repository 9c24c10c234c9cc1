"""What the lines of named files say about the goal, for who plans by rules: asked about, and never acted on.

lines ─▶ dates and amounts ─┬ the person said another deadline, day or budget ─▶ which one holds?
                            ├ the line has a word of the goal                 ─▶ should the plan take it up?
                            └ days on which nothing may be changed, found by research ─▶ a constraint
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import lru_cache

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.loop.tasks import Finding, InFile
from workbench.domain.plan.plan import Plan
from workbench.domain.session.events import FileRead
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.domain.values.amounts import amount_facts
from workbench.domain.values.dates import date_facts
from workbench.domain.values.fact import Fact, Value
from workbench.domain.values.plain import plain_text

MOST = 5
"""Lines that are asked about at once, what contradicts the person first."""
_MOST_OF_A_LINE, _MOST_TOLD = 400, 120
_FREEZE = re.compile(
    r"\b(?:freez\w*|frozen|blackout|embargo\w*|moratorium|lock-?down|no (?:\w+ )?(?:change|deploy|release|merge|launch|"
    r"migration|work|deliver|purchas|hiring)\w*|(?:nothing|nobody) (?:is|may|can|goes)|closed|"
    r"Sperr\w*|gesperrt|gel de)\b",
    re.IGNORECASE,
)
"""Words for a time in which nothing is done."""
_DECIDING = frozenset({"deadline", "on", "budget"})
"""Roles of facts of which a plan has one."""


def in_files(state: SessionState, facts: Sequence[Stated]) -> tuple[InFile, ...]:
    """Return the lines of named files that say something of the goal, or against it, and were not asked about yet."""
    if not state.files:
        return ()
    asked = {item.origin.source for one in state.versions for item in one.plan.items if item.origin is not None}
    unwanted = state.marked(state.session, "excluded")
    told: list[InFile] = []
    for read in (one.read for one in state.named_files if f"file:{one.id}" not in unwanted):
        for source, line, found in _lines(read, state.today) if read.lines and not read.to else ():
            if source in asked:
                continue
            against = _against(found, facts)
            freezes = read.found_for != "" and _freezes(line, found, state.today)
            if freezes or against or (against == "" and not read.found_for and _is_about(line, found, state.goal)):
                shown = shorten(line, _MOST_TOLD)
                told.append(InFile(source=source, text=shown, against=against or "", is_freeze=freezes))
    return tuple(sorted(told, key=lambda one: not (one.is_freeze or one.against))[:MOST])


def tells_against(state: SessionState, read: FileRead) -> bool:
    """Tell whether a line forbids days that are still to come, or is of the goal and contradicts what the person said.

    It is what research reads of files that are not about the goal otherwise.
    """
    facts = tuple(state.facts)
    return any(
        _freezes(line, found, state.today) or (_is_about(line, found, state.goal) and bool(_against(found, facts)))
        for _, line, found in _lines(read, state.today)
    )


def untold(state: SessionState, plan: Plan) -> Iterator[Finding]:
    """Yield a finding for each line, found by research, that the plan has to heed and that no item of it cites."""
    if not any(one.read.found_for for one in state.files):
        return
    told = msgspec.json.encode(plan).decode()
    for one in in_files(state, tuple(state.facts)):
        if one.is_freeze and one.source not in told:
            text = f"{one.source} says “{one.text}”, and no line of the plan cites it."
            remedy = "Take it up as a constraint that cites the line, or say why it does not hold."
            yield Finding(rule="files.unheeded", severity="minor", text=text, section="constraints", remedy=remedy)


def _freezes(line: str, found: Sequence[Fact], today: str) -> bool:
    """Tell whether a line names days, not all of them past, on which nothing may be changed."""
    days = [one.value.last or one.value.first or "" for one in found if one.type == "date"]
    return _FREEZE.search(line) is not None and max(days, default="") >= today


@lru_cache(maxsize=100)  # as many passages as a session shows: each is read for one reply after the other
def _lines(read: FileRead, today: str) -> tuple[tuple[str, str, tuple[Fact, ...]], ...]:
    """Return each line that holds a date or an amount, with where it stands and what they are."""
    told = []
    for numbered in read.text.split("\n"):
        number, _, line = numbered.partition("\t")
        said = " ".join(line[:_MOST_OF_A_LINE].split())
        plain = plain_text(said)
        days = date_facts(said, plain, date.fromisoformat(today))
        amounts = amount_facts(said, plain, [(day.start, day.end) for day in days])
        if found := (*(day for day in days if day.value.first), *(one for one in amounts if one.value.currency)):
            told.append((f"{read.path}:{number}", said, found))
    return tuple(told)


def _against(found: Sequence[Fact], facts: Sequence[Stated]) -> str | None:
    """Return the id and the words of what the person said otherwise; "" for nothing, None where they said the same."""
    for one in found:
        same = [fact for fact in facts if (fact.fact.type, fact.fact.role) == (one.type, one.role)]
        if any(_value(fact.fact.value) == _value(one.value) for fact in same):
            return None
        if same and one.role in _DECIDING:
            return f"“{' '.join(same[-1].fact.text.split())}” ({same[-1].id})"
    return ""


def _value(value: Value) -> tuple[object, ...]:
    return value.first, value.last, value.number, value.up_to, value.currency


def _is_about(line: str, found: Sequence[Fact], goal: str) -> bool:
    """Tell whether a line has a word of the goal beside its dates and amounts."""
    own = {word for one in found for word in stems(one.text)}
    return not (set(stems(line)) - own).isdisjoint(stems(goal))
