"""Other sessions, as far as an audit looks at them: what they said, and when they were private.

sessions, read ─▶ each session once ─┬▶ was it private at that moment?
                                     ├▶ did it say what is quoted of it?
                                     └▶ passages of those that were ever private
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from workbench.domain import events as say
from workbench.domain.envelope import Event
from workbench.domain.errors import WorkbenchError
from workbench.domain.plan import Section
from workbench.domain.plan_markdown import section_to_markdown
from workbench.domain.text import clean
from workbench.replay.audit.passages import Passages
from workbench.replay.audit.record import Record, is_forgotten

Read = Callable[[str], Iterable[Event] | None]
"""Gives the events of a session; None, or NotFound, where it is not there."""


@dataclass
class _Neighbour:
    """What one other session is known for."""

    record: Record
    privacy: list[tuple[str, bool]] = field(default_factory=list)
    """(time, private) at its creation and at each change."""
    insights: dict[str, str] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    iterations: int = 0
    is_redacted: bool = False

    @classmethod
    def of(cls, session: str, events: Iterable[Event]) -> _Neighbour:
        neighbour = cls(Record(session))
        for event in events:
            neighbour._take(event, say.content(event))
        return neighbour

    def _take(self, event: Event, body: say.Body | say.Unknown) -> None:
        self.record.take(event, body)
        self.is_redacted |= is_forgotten(event)
        match body:
            case say.SessionCreated():
                self.privacy.append((event.time, body.options.private))
            case say.PrivacyChanged():
                self.privacy.append((event.time, body.private))
            case say.EntityStored():
                self.entities[f"entity:{event.id}"] = body.content
            case say.IterationCompleted() | say.IterationStored():
                self.iterations += 1
                numbered = enumerate(body.result.key_insights, start=1)
                self.insights.update((f"insight:{self.iterations}.{k}", text) for k, text in numbered)
            case say.PlanChanged():
                self.sections.update((f"section:{body.version}.{one.id}", one) for one in body.plan.sections)
            case _:
                pass

    def text_of(self, item: str) -> str | None:
        said = self.record.said.get(item)
        if said is not None:
            return None if said.task else said.text
        section = self.sections.get(item)
        return section_to_markdown(section) if section else self.entities.get(item, self.insights.get(item))

    def is_private(self, at: str) -> bool:
        """Tell whether it was private all of that moment; two events may have the same time."""
        before = [private for time, private in self.privacy if time < at][-1:]
        then = [private for time, private in self.privacy if time == at]
        return all(before + then) and bool(before or then)

    @property
    def texts(self) -> Iterable[str]:
        """Everything that it remembers."""
        yield from (said.text for said in self.record.said.values() if not said.task)
        yield from self.entities.values()
        yield from self.insights.values()
        yield from map(section_to_markdown, self.sections.values())


class Neighbours:
    """Other sessions, each read once, when it is first asked for. Nothing of them is changed, and nothing kept."""

    def __init__(self, read: Read, sessions: Iterable[str] = ()) -> None:
        """``read`` gives a session's events; ``sessions`` are all those among which private ones are looked for."""
        self._read = read
        self._sessions = tuple(sessions)
        self._known: dict[str, _Neighbour | None] = {}
        self._private: Passages | None = None

    def is_private(self, session: str, at: str) -> bool:
        """Tell whether a session was private at a moment; False where nobody can tell."""
        known = self._neighbour(session)
        return known is not None and known.is_private(at)

    def denies(self, one: say.Quoted) -> bool:
        """Tell whether a session never said what is quoted of it; False where it is gone, or forgot something."""
        known = self._neighbour(one.session)
        if known is None or known.is_redacted:
            return False
        text = known.text_of(one.id)
        quoted = one.text.removesuffix("…")
        return text is None or not (clean(text) == one.text or (quoted != one.text and clean(text).startswith(quoted)))

    def private_passages(self) -> Passages:
        """Return what sessions say that are private, or were."""
        if self._private is None:
            self._private = Passages()
            for session in self._sessions:
                known = self._neighbour(session)
                if known is not None and any(private for _, private in known.privacy):
                    for text in known.texts:
                        self._private.add(text, session)
        return self._private

    def _neighbour(self, session: str) -> _Neighbour | None:
        if session not in self._known:
            try:
                events = self._read(session)
                self._known[session] = None if events is None else _Neighbour.of(session, events)
            except WorkbenchError:  # gone, unreadable (its own audit says so), or no session at all
                self._known[session] = None
        return self._known[session]
