"""Which lists and tables of a document are work, judged together: where tasks are ticked off, a plain list is less.

list ─▶ its heading, its boxes, its words, marks in it ─▶ weight ─▶ steps, items of a section, or prose
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workbench.domain.plan.importing.columns import kind_of_table
from workbench.domain.plan.importing.document import Entry, Listing, Table, lines_of
from workbench.domain.plan.importing.headings import UNIT, is_name, topic_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.marks import STATE, WHEN, has_id
from workbench.domain.plan.importing.outline import Head
from workbench.domain.plan.importing.requests import is_request, tell_who
from workbench.domain.plan.importing.words import words
from workbench.domain.plan.importing.work import begins_with_verb, is_statement, share

_ENOUGH = 1.5
_ENOUGH_BESIDE_TABLES = 2.0
_ENOUGH_BESIDE_BOXES = 2.5
_LEAST = -0.5
"""Weight of a list that is work where nothing else in the document is."""
_ITEMS_WITH_BOXES = frozenset({"criteria", "risks", "questions", "decisions", "wont"})
"""Sections whose items may have boxes; below other headings a box makes a step."""
_LEAST_BESIDE = -2
_SAMPLE = 60
"""Entries of a list that are looked at."""


_MARK = re.compile(
    r"(?<![\w.])@[A-Za-z]|[(–—,~] ?~?\d{1,3}(?:[.,]\d)? ?(?:d|h|w|days?|weeks?|hours?|tage?|wochen?|std)\b"
    r"|\b(?:by|due|until|bis)\b.{0,20}\d|\b(?:owner|assignee|verantwortlich|wer):|^\W*[A-Z]{1,9}-?\d+\b"
    r"|\s[–—-]+ (?:still )?(?:done|open|erledigt|offen)\b"
    r"|^[A-ZÄÖÜ][a-zäöüß]+(?::| to| will) |\([A-ZÄÖÜ][a-zäöüß]+(?:,[^()]*)?\)$",
    re.IGNORECASE,
)
"""An owner, a duration, a date or an id within a line."""
MOST_ARE_GROUPS = 0.6
"""Share of the entries of a list with lists below that makes them groups."""
_Weighed = tuple[float, Head, Listing]


@dataclass(slots=True, eq=False)
class Judgement:
    """What each list and table is: "steps", the id of a section, or "prose"."""

    heads: Sequence[Head]
    roles: dict[int, str] = field(default_factory=dict)
    """By the identity of the block."""
    weights: list[_Weighed] = field(default_factory=list)
    """Of the lists that nothing says certainly of what they are."""
    has_steps: set[int] = field(default_factory=set)
    """Identities of the headings with steps below them."""

    def role(self, block: Listing | Table) -> str:
        """Return what a list or table is."""
        return self.roles.get(id(block), "prose")

    def is_work(self, head: Head) -> bool:
        """Tell whether steps stand below a heading."""
        return id(head) in self.has_steps

    def accept(self, blocks: Iterable[Listing | Table]) -> None:
        """Let lists and tables be work, and the headings above them have steps."""
        chosen = {id(block) for block in blocks}
        self.roles |= dict.fromkeys(chosen, "steps")
        for head in self.heads:
            if not chosen.isdisjoint(map(id, head.blocks)):
                above: Head | None = head
                while above is not None and id(above) not in self.has_steps:
                    self.has_steps.add(id(above))
                    above = above.parent

    def accept_best(self) -> None:
        """Take the lists for which most speaks where nothing in a document is work for sure."""
        most = max((weight for weight, _, _ in self.weights), default=_LEAST - 1)
        best = [one for one in self.weights if one[0] >= max(_LEAST, most - 1)]
        self.accept(block for _, _, block in (*best, *_beside(best, self.weights)))


def judge(root: Head) -> Judgement:
    """Return what the lists and tables of a document are."""
    heads = list(root.walk())
    found = Judgement(heads)
    lists = [(head, block) for head in heads for block in head.blocks if isinstance(block, Listing)]
    tables = [(head, block) for head in heads for block in head.blocks if isinstance(block, Table)]
    boxed = [block for head, block in lists if has_boxes(block) and head.subject.section not in _ITEMS_WITH_BOXES]
    found.roles = {id(block): _table_role(head, block) for head, block in tables}
    has_ticks = bool(boxed) or "steps" in found.roles.values()
    for head, block in lists:
        if (role := _list_role(head, block)) is not None:
            found.roles[id(block)] = role
            continue
        weight = weight_of(head, block)
        is_beside = has_ticks and any(has_boxes(one) for one in head.blocks if isinstance(one, Listing))
        found.weights.append((weight - (2 if is_beside else 0), head, block))
    enough = _ENOUGH_BESIDE_BOXES if boxed else _ENOUGH_BESIDE_TABLES if has_ticks else _ENOUGH
    accepted = [one for one in found.weights if one[0] >= enough]
    accepted += _beside(accepted, found.weights)
    blocks: list[Listing | Table] = [block for _, block in lists]
    blocks += [block for _, block in tables]
    certain = [block for block in blocks if found.roles.get(id(block)) == "steps"]
    found.accept([*certain, *(block for _, _, block in accepted)])
    return found


def _beside(accepted: Sequence[_Weighed], weights: Sequence[_Weighed]) -> list[_Weighed]:
    """Return the other parts of a text that was split at short lines, where a third of its parts is work."""
    parts = [weighed for weighed in weights if weighed[1].is_split]
    chosen = {id(block) for _, _, block in accepted}
    others = [weighed for weighed in parts if id(weighed[2]) not in chosen and weighed[0] >= _LEAST_BESIDE]
    return others if 3 * (len(parts) - len(others)) >= len(parts) else []


def has_boxes(listing: Listing) -> bool:
    """Tell whether entries of a list, or of one below it, have checkboxes; signs such as ✅ alone are none."""
    if any(entry.box is not None and (not entry.is_pictured or entry.box == " ") for entry in listing.entries):
        return True
    return any(has_boxes(one) for entry in listing.entries for one in below(entry))


def below(entry: Entry) -> Iterator[Listing]:
    """Yield the lists below an entry."""
    return (block for block in entry.blocks if isinstance(block, Listing))


def _list_role(head: Head, block: Listing) -> str | None:
    """Return what a list is for certain; None where its words have to say it."""
    subject = head.subject
    if subject.section == "milestones" or (has_boxes(block) and subject.section not in _ITEMS_WITH_BOXES):
        return "steps"
    if all((label := label_of(entry.whole)) is not None and label[1] and label[2] for entry in block.entries):
        return "prose"  # fields of what stands above
    return subject.section if subject.kind == "section" else None


def weight_of(head: Head, block: Listing) -> float:
    """Return how much speaks for a list as work."""
    entries = _lowest(block)[:_SAMPLE]
    texts, subject, first = [entry.whole for entry in entries], head.subject, entries[0]
    is_below_units = first not in block.entries and share(block.entries, lambda one: topic_of(one.whole) == UNIT) >= 0.5
    is_letterhead = not head.trail or (head.is_lead and head.line == 0)
    is_letterhead = is_letterhead and (
        share(texts, _is_labelled) == 1 or (block.is_loose and any(map(_names_people, texts)))
    )
    verbs = share(texts, begins_with_verb)
    return sum(
        points
        for points, holds in (
            (-3.0 if subject.kind == "context" else _of_work(head), True),
            (-1.5, block.is_loose),
            (2.5, is_below_units),
            (3, share(texts, lambda text: WHEN.match(text) is not None) >= 0.5),
            (3, not block.is_loose and share(texts, is_request) >= 0.5),
            (-3, is_letterhead),
            (2 if verbs >= 0.6 else 1, verbs >= 0.33),
            (1.5, share(texts, lambda text: _MARK.search(text[:400]) is not None or has_id(text)) >= 0.33),
            (2, not block.is_loose and tell_who(texts)),
            (0.5, bool(first.number)),
            (2, first.is_pictured and first.box is None),
            (1, first.is_pictured and subject.is_work),
            (-1.5, share(texts, is_statement) >= 0.5),
            (-1, sum(len(words(text)) for text in texts) > 30 * len(texts)),
        )
        if holds
    )


def _is_labelled(text: str) -> bool:
    return label_of(text) is not None and not (WHEN.match(text) or is_request(text))


def _names_people(text: str) -> bool:
    """Tell whether a line lists who is there, as minutes do above all."""
    label = label_of(text)
    return label is not None and bool(label[2]) and topic_of(label[0]).section == "people"


def _lowest(block: Listing) -> tuple[Entry, ...]:
    """Return the entries of a list; those below them where they are groups."""
    if share(block.entries, lambda entry: any(below(entry)) and is_name(entry.whole)) < MOST_ARE_GROUPS:
        return block.entries
    return tuple(low for entry in block.entries for one in below(entry) for low in _lowest(one)) or block.entries


def _of_work(head: Head) -> float:
    """Return how much the headings above a list speak for work: the nearest ones do most."""
    trail = head.trail
    if not trail:
        return 0.0
    nearest = [one for one in (trail[-2:] if trail[-1].is_lead else trail[-1:]) if one.topic.is_work]
    if nearest:
        return 3.0 if nearest[-1].topic.kind == "work" else 2.5
    above = [one.topic.kind for one in trail if one.topic.is_work]
    return 1.5 if "work" in above else 0.5 if above else 0.0


def _table_role(head: Head, table: Table) -> str:
    kind = kind_of_table(table.head.cells, [row.cells for row in table.rows[:_SAMPLE]])
    subject = head.subject
    if kind in ("risks", "questions", "decisions"):
        return kind
    if subject.section in ("risks", "questions", "decisions", "people", "criteria") and kind != "steps":
        return subject.section if subject.section in ("risks", "questions", "decisions") else "prose"
    is_work = _of_work(head) > 1 or subject.section == "milestones"
    return "steps" if kind == "steps" or (kind == "maybe" and (is_work or subject.kind == "open")) else "prose"


# --- headings that are steps: "Task 3: …", phases without lists, headings that say what to do ------------------------

_NAMED = re.compile(
    r"(?!phase|week|sprint|milestone|day|part|chapter|section|appendix|figure|table|[mpwvqh]\d)"
    r"(?:(?:task|step|action|story|issue|ticket|item|work package|schritt|aufgabe|arbeitspaket|maßnahme)"
    r" ?#?\d{1,3}(?:\.\d{1,3})*\b|\[?[A-Z]{1,9}-?\d{1,4}(?:\.\d{1,3})*\]?(?=[\s:.)–—-]))",
    re.IGNORECASE,
)


_DAY = re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.? \d", re.IGNORECASE)
"""A day of a schedule, which is no task where nothing is done on it."""


def task_headings(heads: Sequence[Head], judgement: Judgement) -> set[int]:
    """Return the identities of the headings that are steps."""
    candidates = [head for head in heads if head.line >= 0 and not head.is_title]
    named = {
        id(head)
        for head in candidates
        if STATE.match(head.name) or _has_task_id(head, judgement) or _has_fields(head, judgement)
    }
    units = {id(head) for head in candidates if head.topic.kind == "unit" and _is_bare(head, judgement, named)}
    return named | units


def _has_fields(head: Head, judgement: Judgement) -> bool:
    """Tell whether the lines right below a heading say who does it, by when, or how far it is."""
    is_text = head.topic.kind in ("section", "context") and not begins_with_verb(head.name)
    if head.is_lead or judgement.is_work(head) or head.heads or is_text:
        return False
    labels = [label_of(line.text) for block in head.blocks for line in lines_of(block)]
    fields = {label[1] for label in labels if label is not None and label[2]}
    return len(fields & {"owner", "deadline", "status", "effort", "needs"}) > 1


def _has_task_id(head: Head, judgement: Judgement) -> bool:
    """Tell whether a heading has the id of a task, and heads no other tasks."""
    match = _NAMED.match(head.name)
    if head.is_lead or match is None or not re.search(r"[^\W\d_]{2}", head.name[match.end() :]):
        return False
    if any(_NAMED.match(one.name) or (one.topic.kind == "work" and judgement.is_work(one)) for one in head.heads):
        return False
    return (head.parent.subject if head.parent else head.topic).kind not in ("section", "context")


def _is_bare(head: Head, judgement: Judgement, named: set[int]) -> bool:
    """Tell whether no step stands below the heading of a phase, and no heading of work."""
    if judgement.is_work(head) or head.subject.kind == "section" or _DAY.match(head.name):
        return False
    below = [one for one in head.walk() if one is not head]
    return all((one.is_lead or one.topic.kind in ("section", "context")) and id(one) not in named for one in below)
