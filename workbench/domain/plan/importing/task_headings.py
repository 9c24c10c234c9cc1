"""Headings that are steps themselves: "Task 3: …", phases without lists, headings below "Tasks", a list of headings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from workbench.domain.plan.importing.document import Listing, Table
from workbench.domain.plan.importing.headings import plain
from workbench.domain.plan.importing.judgement import Judgement
from workbench.domain.plan.importing.outline import Head
from workbench.domain.plan.importing.work import begins_with_verb, share

_NAMED = re.compile(
    r"(?:(?:task|step|action|story|issue|ticket|item|work package|schritt|aufgabe|arbeitspaket|maßnahme)"
    r" ?#?\d{1,3}(?:\.\d{1,3})*\b|\[?[A-Z]{1,9}-?\d{1,4}(?:\.\d{1,3})*\]?(?=[\s:.)–—-]))",
    re.IGNORECASE,
)
_STATE = re.compile(r"(?:TODO|NEXT|DOING|STARTED|INPROGRESS|WAIT(?:ING)?|HOLD|DONE|CANCELL?ED)\b:? +\S")
"""A state of work before a heading."""
_NOT_NAMED = re.compile(
    r"(?:phase|week|sprint|milestone|day|part|chapter|section|appendix|figure|table|[mpwvqh]\d)", re.IGNORECASE
)
_MOST_BELOW = 40
"""Lines below a heading that is a step; one with more is a chapter."""


def task_headings(heads: Sequence[Head], judgement: Judgement, sizes: dict[int, int]) -> set[int]:
    """Return the identities of the headings that are steps; ``sizes`` says how many lines stand below each."""
    candidates = [head for head in heads if not head.is_title and (not head.is_lead or head.topic.kind == "unit")]
    named = {id(head) for head in candidates if _STATE.match(head.name) or _is_named(head, judgement)}
    found = named | {
        id(head)
        for head in candidates
        if head.topic.kind == "unit" and sizes[id(head)] <= _MOST_BELOW and _is_bare(head, judgement, named)
    }
    for parent in heads:
        if parent.topic.is_work and not parent.is_title:
            beside = [head for head in parent.heads if not head.is_lead]
            if all(sizes[id(head)] <= _MOST_BELOW for head in beside) and _are_tasks(beside, parent, judgement):
                found |= {id(head) for head in beside if head.topic.kind in ("open", "unit")}
    return found


def plain_headings(heads: Iterable[Head]) -> set[int]:
    """Return the headings of a document without lists of work that are its steps: they say what to do."""
    candidates = [
        head
        for head in heads
        if not head.is_title and not head.is_lead and head.topic.kind in ("open", "unit", "work") and not head.heads
    ]
    is_bare = all(not head.parts for head in candidates)
    verbs = share([plain(head.name) for head in candidates], begins_with_verb)
    return {id(head) for head in candidates} if len(candidates) > 1 and (is_bare or verbs >= 0.5) else set()


def _is_named(head: Head, judgement: Judgement) -> bool:
    """Tell whether a heading has the id of a task, and heads no other tasks."""
    match = _match(head)
    if any(judgement.is_work(one) for one in head.heads if one.topic.kind == "work"):
        return False
    if match is None or not re.search(r"[^\W\d_]{2}", head.name[match.end() :]):
        return False
    above = head.parent.subject if head.parent else head.topic
    return above.kind not in ("section", "context") and not any(map(_match, head.heads))


def _match(head: Head) -> re.Match[str] | None:
    return None if _NOT_NAMED.match(head.name) else _NAMED.match(head.name)


def _is_bare(head: Head, judgement: Judgement, named: set[int]) -> bool:
    """Tell whether no step stands below the heading of a phase, and no heading of work."""
    if judgement.is_work(head) or head.subject.kind == "section":
        return False
    below = [one for one in head.walk() if one is not head]
    return all(one.is_lead or one.topic.kind in ("section", "context") for one in below) and not any(
        id(one) in named for one in below
    )


def _are_tasks(beside: Sequence[Head], parent: Head, judgement: Judgement) -> bool:
    """Tell whether the headings below one of work are tasks: no list of work stands anywhere among them."""
    lists = [block for block in parent.blocks if isinstance(block, Listing | Table)]
    if len(beside) < 2 or any(judgement.role(one) == "steps" for one in lists) or any(map(judgement.is_work, beside)):
        return False
    if parent.topic.kind == "work":
        return all(head.topic.kind in ("open", "unit") for head in beside)
    return share([plain(head.name) for head in beside], begins_with_verb) >= 0.5
