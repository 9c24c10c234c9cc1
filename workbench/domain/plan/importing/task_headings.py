"""Headings that are steps themselves: "Task 3: …", "TODO …", phases without lists, headings that say what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.plan.importing.headings import plain
from workbench.domain.plan.importing.judgement import Judgement
from workbench.domain.plan.importing.marks import STATE
from workbench.domain.plan.importing.outline import Head
from workbench.domain.plan.importing.work import begins_with_verb, share

_NAMED = re.compile(
    r"(?!phase|week|sprint|milestone|day|part|chapter|section|appendix|figure|table|[mpwvqh]\d)"
    r"(?:(?:task|step|action|story|issue|ticket|item|work package|schritt|aufgabe|arbeitspaket|maßnahme)"
    r" ?#?\d{1,3}(?:\.\d{1,3})*\b|\[?[A-Z]{1,9}-?\d{1,4}(?:\.\d{1,3})*\]?(?=[\s:.)–—-]))",
    re.IGNORECASE,
)


def task_headings(heads: Sequence[Head], judgement: Judgement) -> set[int]:
    """Return the identities of the headings that are steps."""
    candidates = [head for head in heads if head.line >= 0 and not head.is_title]
    named = {id(head) for head in candidates if STATE.match(head.name) or _is_named(head, judgement)}
    units = {id(head) for head in candidates if head.topic.kind == "unit" and _is_bare(head, judgement, named)}
    return named | units | _beside(heads, judgement, is_only=not named | units and not judgement.has_steps)


def _is_named(head: Head, judgement: Judgement) -> bool:
    """Tell whether a heading has the id of a task, and heads no other tasks."""
    match = _NAMED.match(head.name)
    if head.is_lead or match is None or not re.search(r"[^\W\d_]{2}", head.name[match.end() :]):
        return False
    if any(_NAMED.match(one.name) or (one.topic.kind == "work" and judgement.is_work(one)) for one in head.heads):
        return False
    return (head.parent.subject if head.parent else head.topic).kind not in ("section", "context")


def _is_bare(head: Head, judgement: Judgement, named: set[int]) -> bool:
    """Tell whether no step stands below the heading of a phase, and no heading of work."""
    if judgement.is_work(head) or head.subject.kind == "section":
        return False
    below = [one for one in head.walk() if one is not head]
    return all((one.is_lead or one.topic.kind in ("section", "context")) and id(one) not in named for one in below)


def _beside(heads: Sequence[Head], judgement: Judgement, *, is_only: bool) -> set[int]:
    """Return headings beside each other that say what to do: below one of work, or in a document without any lists."""
    found: set[int] = set()
    for parent in heads:
        beside = [head for head in parent.heads if not head.is_lead and head.topic.kind in ("open", "unit", "work")]
        is_free = parent.topic.is_work and not parent.is_title
        if len(beside) < 2 or not (is_free or is_only) or any(map(judgement.is_work, (parent, *beside))):
            continue
        verbs = share([plain(head.name) for head in beside], begins_with_verb)
        if verbs >= 0.5 or (is_free and parent.topic.kind == "work") or not any(head.parts for head in beside):
            found |= {id(head) for head in beside if not head.heads}
    return found
