"""Why a line of the plan is as it is, read downwards: each change because of something, back to the person's own words.

┃ planner  10:44 · round 2          what was done
  because you wrote                 why: feedback, a finding, an answer, a sentence of the goal
┃ F1  Nothing while the books are open.
┊ office-move  41 d                 what was shown from other sessions: no cause is claimed
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from textual.content import Content

from workbench.domain.loop.answers.causes import cause_text
from workbench.domain.plan.changing.history import Made, changes_of
from workbench.domain.plan.changing.operations import AddSection, Cause
from workbench.domain.plan.changing.review import is_date
from workbench.domain.plan.plan import Item, Section, Step
from workbench.domain.session.named_files import Citations
from workbench.domain.session.said import said_in
from workbench.domain.session.state import PlanVersion, SessionState
from workbench.domain.statements.statement import GOAL
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.words import stems
from workbench.tui.lines import Row, barred, cut, joined, text, wrapped
from workbench.tui.marks import DIM, FAILED, Marks
from workbench.tui.session.main_rows import item_at
from workbench.tui.told import EMPTY, age, local_time
from workbench.tui.views import name_of

_CHANGES, _SHOWN = 8, 3  # changes of a line, the newest, and items of other sessions that are told


def why_rows(
    state: SessionState, subject: str, width: int, marks: Marks, names: Mapping[str, str] | None = None
) -> list[Row]:
    """Return why an item of the plan, or a section, says what it says; ``subject`` is its id.

    ``names`` are what sessions are called, by their ids.
    """
    telling = _Telling(state, width, marks, names or {})
    item = next((item for item in state.plan.items if item.id == subject), None) if state.plan is not None else None
    section = state.plan.section(subject) if state.plan is not None else None
    every = list(changes_of(state.versions))
    made = [one for one in every if _concerns(one, subject, section, item)]
    rows = [*telling.title(subject, item, section), EMPTY]
    for one in list(reversed(made))[:_CHANGES]:
        rows += telling.change(one, moved_by(one, every, state.versions))
    if len(made) > _CHANGES:
        rows.append(telling.link(f"{len(made) - _CHANGES} earlier changes: view 2 and [ show them"))
    if item is not None:
        rows += [*telling.statements(item), *telling.origin(item), *telling.sources(item)]
        rows += telling.findings(item)
        rows += telling.shown_from_elsewhere(item)
    return rows


def _concerns(one: Made, subject: str, section: Section | None, item: Item | None) -> bool:
    operation = one.change.operation
    if item is None:
        return section is not None and getattr(operation, "section", None) in (subject, section)
    is_in = isinstance(operation, AddSection) and any(each.id == subject for each in operation.section.items)
    return is_in or subject in one.items


def moved_by(one: Made, every: Sequence[Made], versions: Sequence[PlanVersion]) -> list[Made]:
    """Return what a person changed that a date follows from; nothing for what they changed themselves.

    That is what they changed of the step itself, else of what it needs, else all that they changed in that version.
    """
    if one.change.cause.kind != "person" or not is_date(one):
        return []
    said = [other for other in every if other.version == one.version and not is_date(other)]
    plan = next(version.plan for version in versions if version.version == one.version)
    needs, near = {step.id: step.needs for step in plan.steps}, set(one.items)
    own = [other for other in said if near & other.items]
    waiting = list(near)
    while waiting:
        new = {*needs.get(waiting.pop(), ())} - near
        near |= new
        waiting += new
    return own or [other for other in said if near & other.items] or said


class _Telling:
    """Rows of one width about one session."""

    def __init__(self, state: SessionState, width: int, marks: Marks, names: Mapping[str, str]) -> None:
        self._state, self._width, self._marks, self._names = state, width, marks, names
        self._versions: dict[int, PlanVersion] = {version.version: version for version in state.versions}

    def title(self, subject: str, item: Item | None, section: Section | None) -> Iterator[Row]:
        """Yield what is asked about."""
        words = section.title if section is not None else subject
        if item is not None:
            words = f"{item.id}  {item.title if isinstance(item, Step) else item.text}"
        yield Row(tuple(text(line, "bold") for line in wrapped(clean(words), self._width)))

    def change(self, one: Made, movers: Sequence[Made] = ()) -> Iterator[Row]:
        """Yield a change with its cause: ``movers`` are the changes that a new date follows from."""
        version = self._versions[one.version]
        facts = f"v{one.version} · {local_time(version.time)} · round {version.iteration}"
        said = _said_of(one)
        cause, key = one.change.cause, f"change:{one.version}:{min(one.items, default='')}"
        yield self._row_with_bar("you" if version.by == "person" else version.by, facts, said, key=key)
        if movers:
            few = [clean(other.text) for other in movers[:_SHOWN]]
            more = [f"{len(movers) - _SHOWN} more"] if len(movers) > _SHOWN else []
            yield self.link(f"it was calculated again when you changed {', '.join((*few, *more))}")
        else:
            yield from self._cause_rows(cause)

    def _cause_rows(self, cause: Cause) -> Iterator[Row]:
        if cause.kind == "statement":
            yield from self._statement_rows(cause.source.split(", "))
        elif cause.kind == "feedback":
            for feedback in self._state.feedback:
                if feedback.id in cause.source.split(", "):
                    yield self.link("because you wrote")
                    yield self._row_with_bar(
                        f"your note {feedback.id}", "", feedback.text, key=self._message(feedback.text)
                    )
        elif cause.kind != "planner":
            yield self.link(f"because: {cause_text(cause, self._state.feedback, self._state.statements)}")

    def statements(self, item: Item) -> Iterator[Row]:
        """Yield what the person said and this item acts on."""
        yield from self._statement_rows(item.causes)

    def _statement_rows(self, names: Sequence[str]) -> Iterator[Row]:
        texts = dict(said_in(self._state))
        for one in self._state.statements:
            if one.id in names:
                yield self.link("because the goal says" if one.source == GOAL else f"because you said in {one.source}")
                yield self._row_with_bar(one.id, "", f"“{one.text}”", key=self._message(texts.get(one.source, "")))

    def origin(self, item: Item) -> Iterator[Row]:
        """Yield where the item comes from, where more is known of it than that the planner wrote it."""
        if item.origin is not None:
            by = f", confirmed by {item.origin.confirmed_by}" if item.origin.confirmed_by else ""
            yield self.link(f"it comes from: {item.origin.kind} {item.origin.source}".rstrip() + by)

    def sources(self, item: Item) -> Iterator[Row]:
        """Yield the lines of files and pages that the item cites, as they were read."""
        quoted = Citations(self._state.sources).quoted(item)
        if quoted:
            yield self.link("its sources, as they were read")
        for name, line in list(quoted.items())[:_SHOWN]:
            yield self._row_with_bar(name, "", f"“{line}”" if line else "read by a tool")

    def findings(self, item: Item) -> Iterator[Row]:
        """Yield what is found wrong with it now."""
        found = [(number, one) for number, one in enumerate(self._state.findings) if one.item == item.id]
        if found:
            yield self.link("and this is found wrong with it")
        for number, finding in found:
            yield self._row_with_bar(f"finding {finding.rule}", "", finding.text, style=FAILED, key=f"finding:{number}")

    def shown_from_elsewhere(self, item: Item) -> Iterator[Row]:
        """Yield what was retrieved while it was planned and shares words with it: shown, never the cause."""
        words = set(stems(item.title if isinstance(item, Step) else item.text))
        quoted = {name_of(one): one for search in self._state.searches for one in search.found if one.score > 0}
        near = [(name, one) for name, one in quoted.items() if len(words & set(stems(one.text))) > 1]
        excluded = {name for name, mark, _ in self._state.marks if mark == "excluded"}
        if near:
            yield self.link("and it was shown, from other sessions")
        for name, one in near[:_SHOWN]:
            facts = " · ".join(
                (age(one.time, self._state.updated), *(["excluded by you"] if name in excluded else []), one.why)
            )
            bar, called = joined("  ", self._marks.bar(is_own=False)), self._names.get(one.session) or one.session
            head = joined(bar, text(clean_name(called), "bold"), text(f"  {clean_name(facts, 200)}", DIM))
            body = barred(bar, f"“{' '.join(clean(one.text[:600]).split())}”", self._width)[:3]
            yield Row((cut(head, self._width), *body), key=f"quoted:{name}")

    def link(self, words: str) -> Row:
        """Return what leads from one thing to the next."""
        return Row(tuple(barred(Content(" " * 6), clean(words), self._width, DIM)))

    def _row_with_bar(self, name: str, facts: str, words: str, *, key: str = "", style: str = "$secondary") -> Row:
        bar = text(f"  {self._marks.session_bar} ", style)
        head = joined(bar, text(clean_name(name), "bold"), text(f"  {facts}" if facts else "", DIM))
        return Row((cut(head, self._width), *barred(bar, clean(words), self._width)), key=key)

    def _message(self, words: str) -> str:
        """Return the key of the message in which words were said; "" if there is none."""
        said = (one.id for one in self._state.history if one.agent is None and words.strip() in one.text)
        return next((f"message:{name}" for name in said), "")


def _said_of(one: Made) -> str:
    values = one.values
    return f"{values[0]}: {values[1] or '–'} → {values[2] or '–'}" if values is not None else one.text


def subject_of(state: SessionState, key: str) -> str:
    """Return which item or section a row of the plan, or a page of the review, is about; "" for none."""
    kind, _, rest = key.partition(":")
    if kind in ("change", "removal"):
        return rest.rpartition(":")[2]
    if kind == "finding":
        number = int(rest.partition(":")[0])
        return (state.findings[number].item or "") if number < len(state.findings) else ""
    if kind != "place" or state.plan is None:
        return ""
    item, section = item_at(state.plan, key), state.plan.section(rest.rpartition(":")[0])
    return item.id if item is not None else section.id if section is not None else ""
