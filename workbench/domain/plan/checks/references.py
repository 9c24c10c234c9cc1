"""Does what prose refers to exist.

references.unknown   a reference in prose, as ``{S99.end}``, that nothing of the plan answers to
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case
from workbench.domain.plan.references import unknown_references


def references_are_known(case: Case) -> Iterator[Finding]:
    """Find references in prose that stay as they are."""
    for one in unknown_references(case.plan):
        text = f"{one.item or 'The text'} refers to {one.reference}, which the plan does not have."
        remedy = "Name an item and a value that it has, or say it in words."
        yield Finding(
            rule="references.unknown", severity="minor", text=text, section=one.section, item=one.item, remedy=remedy
        )
