"""The page: a model's own, filled in, or the program's with its order and how it is kept short."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from workbench.domain.handout.choice import how_many_left_out, in_the_whole_plan, least_valuable_first
from workbench.domain.handout.content import Content, lines, part
from workbench.domain.handout.money import money
from workbench.domain.handout.names import called_in_prose
from workbench.domain.handout.open_points import decided, not_settled
from workbench.domain.handout.steps import steps
from workbench.domain.handout.summary import calculated_summary, document_of, ready_lines, written_summary
from workbench.domain.handout.tables import assumptions_and_limits, notes, people, risks, timetable
from workbench.domain.handout.written import is_own, is_page, language_of, written_page
from workbench.domain.plan.figures import figures
from workbench.domain.plan.markdown.grammar import HANDED_OUT
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.references import filled, with_references
from workbench.domain.session.standing import standing_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.languages import ENGLISH
from workbench.domain.text.quoting import quoted
from workbench.domain.text.tables import one_line


def hand_out(state: SessionState) -> str:
    """Return the page of a session in Markdown. Nothing of it acts in whatever shows it."""
    plan = state.plan
    if plan is None:
        return quoted(f"# {one_line(state.name or state.session)}\n\nNo plan is drafted yet.\n")
    content, text = content_of(state, plan), document_of(state)
    keys = _what_may_go(content, text)

    is_foreign = is_own(text) and language_of(text) is not ENGLISH

    def page(count: int) -> str:
        told = _page(content, text, keys[:count])
        explained = _NEEDS if "| needs |" in told else ""
        foot = _short_foot(state) if is_foreign else _foot(state, in_the_whole_plan(keys[:count]), explained)
        return f"{told}\n\n{foot}\n"

    return quoted(page(how_many_left_out(plan, keys, page)))


def _page(content: Content, text: str, left_out: Sequence[tuple[str, str]]) -> str:
    """Return a page without what is left out: a model's, or the program's."""
    content = replace(content, left_out=frozenset(key for key, _ in left_out))
    page = written_page(content, text) if is_own(text) else "\n\n".join(_blocks(content))
    return called_in_prose(content.plan, page)


def shown_document(state: SessionState, text: str) -> str:
    """Return a document of a session as it is read: what it takes from the program is filled in."""
    plan = state.plan
    if plan is None:
        return text
    return _short(content_of(state, plan), text) if is_page(text) else filled(text, plan)


def page_to_verify(state: SessionState, plan: Plan) -> str:
    """Return the page as it is read, without what is at its foot; with the ids that its writer put in brackets."""
    content, text = content_of(state, plan), document_of(state)
    return written_page(content, text, keeps_ids=True) if is_own(text) else _short(content, text)


def _what_may_go(content: Content, text: str) -> list[tuple[str, str]]:
    """Return what a page can do without; its writer has decided that about a page that is their own."""
    return [] if is_own(text) else least_valuable_first(content, text)


def _short(content: Content, text: str) -> str:
    keys = _what_may_go(content, text)

    def page(count: int) -> str:
        return _page(content, text, keys[:count])

    return page(how_many_left_out(content.plan, keys, page))


def content_of(state: SessionState, plan: Plan) -> Content:
    """Return what the page of a session is made from."""
    return Content(state, with_references(plan), figures(plan))


def _blocks(content: Content) -> Iterator[str]:
    """Yield the program's page in the order in which it is read."""
    state, summary = content.state, written_summary(content)
    yield f"# {one_line(content.plan.title or state.name or state.session)}"
    yield from (*summary, *lines(ready_lines(content))) if summary else calculated_summary(content)
    yield from not_settled(content)
    yield from part("## Decided", decided(content))
    yield from steps(content)
    yield from timetable(content)
    yield from money(content)
    yield from risks(content)
    yield from people(content)
    yield from assumptions_and_limits(content)
    yield from notes(content)


_WHOLE = "workbench sessions export {} --format md --full"
_NEEDS = "“needs” names steps by their numbers. "


def _short_foot(state: SessionState) -> str:
    """Return which version it is and where all of the plan is, for a page that is not in English."""
    return f"Version {state.version}: `{_WHOLE.format(state.session)}`\n\n{HANDED_OUT}"


def _foot(state: SessionState, left_out: str, explained: str) -> str:
    """Return which version it is, what numbers mean, and where all of the plan is."""
    whole = f"The whole plan{f', with {left_out}' if left_out else ''}"
    return (
        f"Version {state.version}, {standing_of(state)}. {explained}"
        f"{whole}: `{_WHOLE.format(state.session)}`\n\n{HANDED_OUT}"
    )
