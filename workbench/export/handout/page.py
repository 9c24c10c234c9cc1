"""The page: its order, and how it is kept short."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown.grammar import HANDED_OUT
from workbench.domain.plan.references import with_references
from workbench.domain.session.state import SessionState
from workbench.domain.text.quoting import quoted
from workbench.export.figures import standing_of
from workbench.export.handout.content import ROOMS, Content
from workbench.export.handout.money import dates_and_money
from workbench.export.handout.open_points import not_settled
from workbench.export.handout.steps import steps
from workbench.export.handout.summary import calculated_summary, ready_lines, written_summary
from workbench.export.handout.tables import assumptions_and_limits, people, risks, timetable
from workbench.export.markdown_tables import one_line

MOST_WORDS = 2_000
"""Words of a page, for up to forty steps."""
_WORDS_OF_A_STEP = 50
"""Words that each step of a larger plan may have."""
_WORD = re.compile(r"\S*\w\S*")


def hand_out(state: SessionState) -> str:
    """Return the page of a session in Markdown. Nothing of it acts in whatever shows it."""
    plan = state.plan
    if plan is None:
        return quoted(f"# {one_line(state.name or state.session)}\n\nNo plan is drafted yet.\n")
    shown, told = with_references(plan), figures(plan)
    most = max(MOST_WORDS, _WORDS_OF_A_STEP * len(plan.steps))
    page = ""
    for room in ROOMS:
        page = "\n\n".join(_blocks(Content(state, shown, told, room))) + "\n"
        if len(words(page)) <= most:
            break
    return quoted(page)


def words(text: str) -> list[str]:
    """Return the words of a text: whatever has a letter or a digit in it."""
    return _WORD.findall(text)


def _blocks(content: Content) -> Iterator[str]:
    """Yield the page in the order in which it is read."""
    state, summary = content.state, written_summary(content)
    yield f"# {one_line(content.plan.title or state.name or state.session)}"
    yield from summary or calculated_summary(content)
    yield from not_settled(content)
    yield from dates_and_money(content, ready_lines(content, with_title=False) if summary else ())
    yield from steps(content)
    yield from timetable(content)
    yield from risks(content)
    yield from people(content)
    yield from assumptions_and_limits(content)
    yield (
        f"Version {state.version}, {standing_of(state)}. The whole plan: "
        f"`workbench sessions export {state.session} --format md --full`\n\n{HANDED_OUT}"
    )
