"""What a page about a session shows, gathered in one reading of its events.

Nothing here knows HTML, and nothing is shortened: a page is what remains when the workbench is gone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event, Moment
from workbench.domain.loop.gates import Gate
from workbench.domain.loop.tasks import Feedback, Handled
from workbench.domain.plan.difference import PlanDifference, difference_between
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, SentContext, nearness
from workbench.domain.session.session import SessionState, apply, said_after
from workbench.domain.session.state import HistoryItem, PlanVersion
from workbench.export.told import Tell


@dataclass(frozen=True, slots=True)
class VersionMade:
    """A version of the plan, what it changed, and what it was made for."""

    made: PlanVersion
    difference: PlanDifference
    """Against the version before; for the first one, all that it holds."""
    handled: tuple[tuple[Handled, Feedback | None], ...]
    """What of the feedback was taken up in it; None where the file does not hold that feedback."""

    @property
    def unchanged(self) -> int:
        """How many sections stayed as they were, where they were."""
        return sum(one.change.kind == "same" for one in self.difference.sections)


@dataclass(frozen=True, slots=True)
class Decision:
    """A gate and what was decided at it."""

    gate: Gate
    opened: str
    answer: say.GateAnswered | None = None
    """None while nobody has decided."""
    actor: str = ""
    """Who decided: person, or policy."""
    person: str = ""
    answered: str = ""
    """When: UTC, ISO 8601."""
    place: int = 0
    """Seq of the event that the session stood at then."""


@dataclass(frozen=True, slots=True)
class Line:
    """A piece of the history: said in this session, or retrieved from another one."""

    tone: str
    """session or retrieved."""
    who: str
    time: str
    text: str
    note: str = ""
    """Of a reply to the loop, its task; of what was retrieved, where it came from and why."""
    id: str = ""
    """In the session's history; "" for what was retrieved."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a model, and what it was sent."""

    started: say.CallStarted
    time: str

    @property
    def context(self) -> SentContext | None:
        """Item by item; None where an older workbench recorded the call."""
        return self.started.context

    @property
    def considered(self) -> tuple[tuple[str, Considered], ...]:
        """Every item, behind the name of the part of the prompt that it stands in, or was left out of."""
        sent = self.started.context
        if sent is None:
            return ()
        parts = (("conversation", sent.conversation), ("recalled", sent.relevant), ("left out", sent.dropped))
        return tuple((part, one) for part, items in parts for one in items)


@dataclass(slots=True)
class Page:
    """Everything that stands on a page."""

    state: SessionState
    head: str
    """Hash of the last event, which the whole chain leads to."""
    versions: list[VersionMade] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    history: list[Line] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    course: list[Moment] = field(default_factory=list)

    @property
    def said(self) -> frozenset[str]:
        """Ids of the messages that no rewind has taken back."""
        return frozenset(item.id for item in self.state.history)

    @property
    def decided(self) -> frozenset[str]:
        """Ids of the gates whose decisions lead to where the session stands: at each place, the last one made there."""
        last_at = {one.place: one.gate.id for one in self.decisions if one.answer is not None}
        return frozenset(last_at[place] for place in self.state.way.behind if place in last_at)


def gathered(events: Iterable[Event], tell: Tell) -> Page:
    """Read a session once and return what there is to show. Raises LogDamaged as the fold does."""
    page: Page | None = None
    state: SessionState | None = None
    for event in events:
        whole = event if state is None else state.recent.whole(event)
        before, state = state, apply(state, event)
        page = page or Page(state, event.hash)
        page.state, page.head = state, event.hash
        page.course.append(tell(whole))
        _take(page, event, before, state)
    if page is None:
        raise LogDamaged("The session has no events.", "Delete it, or restore the file from a copy.")
    return page


def _take(page: Page, event: Event, before: SessionState | None, state: SessionState) -> None:
    body = said_after(before, event)
    if not isinstance(body, say.SessionRewound):  # which says nothing new, wherever it goes back or forward to
        page.history += map(_said, state.history[len(before.history) if before else 0 :])
    match body:
        case say.PlanChanged() if before is None or len(state.versions) > len(before.versions):
            page.versions.append(_version(state, body))
        case say.GateOpened():
            page.decisions.append(Decision(body.gate, event.time))
        case say.GateAnswered() if before is not None:
            _decide(page.decisions, event, body, before.way.here or before.seq)
        case say.SessionRewound() if state.gate is not None and state.gate_event == event.id:
            page.decisions.append(Decision(state.gate, event.time))  # asked again, under an id of its own
        case say.CallStarted():
            page.calls.append(Call(body, event.time))
        case say.OthersSearched():
            page.history += [_retrieved(one) for one in body.found]
        case say.LessonsGiven():
            page.history += [_retrieved(one) for one in body.lessons]


def _said(item: HistoryItem) -> Line:
    note = f"reply to {item.task}" if item.task else ""
    return Line("session", item.agent or "you", item.time, item.text, note, item.id)


def _version(state: SessionState, body: say.PlanChanged) -> VersionMade:
    feedback = {one.id: one for one in state.feedback}
    old = state.versions[-2].plan if len(state.versions) > 1 else None
    return VersionMade(
        made=state.versions[-1],
        difference=difference_between(old, state.versions[-1].plan),
        handled=tuple((one, feedback.get(one.feedback)) for one in body.handled),
    )


def _decide(decisions: list[Decision], event: Event, body: say.GateAnswered, place: int) -> None:
    for number, one in enumerate(decisions):
        if one.gate.id == body.gate and one.answer is None:
            decisions[number] = Decision(one.gate, one.opened, body, event.actor, event.person, event.time, place)


def _retrieved(one: say.Quoted) -> Line:
    near = f", {nearness(one.relevance)}" if one.relevance else ""
    return Line("retrieved", one.agent or one.role, one.time, one.text, f"from {one.session}{near}: {one.why}")
