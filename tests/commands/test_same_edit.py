"""A cell's edit, a command, and an edit of the plan's Markdown are the same operations."""

from __future__ import annotations

import pytest
from tests.commands.plans import PLAN, parsed
from workbench.domain.plan.changing.operations import operations_between
from workbench.domain.plan.markdown import from_markdown, to_markdown

EDITS = [
    ("S3 owner Anna", ("S3", "owner", "Anna"), ("Effort: 2 days (1–3)", "Owner: Anna · Effort: 2 days (1–3)")),
    ("S3 takes 5d", ("S3", "effort", "5d"), ("Effort: 2 days (1–3)", "Effort: 5 days")),
    ("S3 by 3 May", ("S3", "deadline", "3 May"), ("Needs: S2", "Deadline: 2027-05-03 · Needs: S2")),
    ("S3 not before 1 Mar", ("S3", "not before", "1 Mar"), ("Needs: S2", "Not before: 2027-03-01 · Needs: S2")),
    ("S3 needs none", ("S3", "needs", ""), (" - Needs: S2", "")),
    ("S3 needs S1 lag 2d", ("S3", "needs", "S2, S1 + 2 days"), ("Needs: S2", "Needs: S2, S1 + 2 days")),
    ("S3 cost 7,900 EUR", ("S3", "cost", "7,900 EUR"), ("Needs: S2", "Cost: 7900 EUR · Needs: S2")),
    ("S3 wait 3 working days", ("S3", "wait", "3 working days"), ("Effort:", "Wait: 3 working days · Effort:")),
    ("S3 tag +print", ("S3", "tags", "print"), ("Needs: S2", "Tags: print · Needs: S2")),
    ("S3 priority high", ("S3", "priority", "high"), ("Needs: S2", "Priority: high · Needs: S2")),
    ('S3 title "Print them"', ("S3", "title", "Print them"), ("Print posters", "Print them")),
    ("D1 by 3 May", ("D1", "latest", "3 May"), ("Owner: Anna", "Owner: Anna · Latest: 2027-05-03")),
    ("Q2 @Sam", ("Q2", "owner", "Sam"), ("When?", "When?\n  - Owner: Sam")),
    ("P1 hours 20/week", ("P1", "hours", "20 a week"), ("Weekdays:", "Hours: 20 a week · Weekdays:")),
]  # fmt: skip


def markdown_with(item: str, old: str, new: str) -> str:
    """The plan's Markdown with something else in the lines of an item."""
    before, mark, lines = to_markdown(PLAN).partition(f"- {item} · ")
    assert old in lines, lines
    return before + mark + lines.replace(old, new, 1)


@pytest.mark.parametrize(("command", "cell", "markdown"), EDITS, ids=[command for command, *_ in EDITS])
def test_each_way_to_edit_gives_the_same_operations(command, cell, markdown):
    said = parsed(command).operations
    assert said
    item, field, text = cell
    assert parsed(f'{item} set {field} "{text}"' if text else f"{item} clear {field}").operations == said
    edited = from_markdown(markdown_with(cell[0], *markdown), PLAN)
    assert operations_between(PLAN, edited) == said
