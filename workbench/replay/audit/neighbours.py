"""Other sessions, as far as an audit looks at them: what they said, and when they were private."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from msgspec import Struct, field

from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.plan.changing.operations import carried_out
from workbench.domain.plan.markdown import section_to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean
from workbench.replay.audit.conversation import Conversation
from workbench.replay.audit.copies import in_full
from workbench.replay.audit.passages import Passages
from workbench.replay.audit.record import is_forgotten

T = TypeVar("T")

Read = Callable[[str], Iterable[Event] | None]
"""Gives the events of a session; None, or NotFound, if it is not there."""


Privacy = tuple[tuple[str, bool], ...]
"""(time, private) at a session's creation and at each change."""


class _Remembered(Struct):
    """What a session ever remembered, by the ids of its items."""

    texts: dict[str, str] = field(default_factory=dict)
    is_redacted: bool = False
    """Whether something of it was forgotten since."""
    _conversation: Conversation = field(default_factory=Conversation)
    _iterations: int = 0
    _plans: dict[int, Plan] = field(default_factory=dict)
    """By the number of the version, the last one of each: after a rewind nothing goes back to another one."""

    def take(self, event: Event, body: say.Body | say.Unknown) -> None:
        """Take in the next event."""
        self.is_redacted |= is_forgotten(event)
        self.texts.update((one.id, one.text) for one in self._conversation.take(event, body) if not one.task)
        match body:
            case say.EntityStored():
                self.texts[f"entity:{event.id}"] = body.content
            case say.IterationCompleted() | say.IterationStored():
                self._iterations += 1
                for k, insight in enumerate(body.result.key_insights, start=1):
                    self.texts[f"insight:{self._iterations}.{k}"] = insight
            case say.PlanChanged():
                before = self._plans.get(body.version - 1 if body.changes else body.version, Plan(title=""))
                plan, _ = carried_out(before, body.changes)
                self._plans[body.version] = plan
                for section in plan.sections:
                    self.texts[f"section:{body.version}.{section.id}"] = section_to_markdown(section)
            case _:
                pass


class Neighbours:
    """Other sessions, each read when it is first asked for. Nothing of them is changed."""

    def __init__(self, read: Read, sessions: Iterable[str] = (), privacy: Mapping[str, Privacy] | None = None) -> None:
        """``read`` gives a session's events; ``sessions`` are all those among which private ones are looked for.

        ``privacy`` is what is known of some of them without reading them.
        """
        self._read = read
        self._sessions = tuple(sessions)
        self._privacy = dict(privacy or {})
        self._remembered: dict[str, _Remembered | None] = {}
        self._private: Passages | None = None

    def is_private(self, session: str, at: str) -> bool:
        """Tell whether a session was private all of a moment, which events may share; False if nobody can tell."""
        privacy = self._privacy_of(session)
        before = [private for time, private in privacy if time < at][-1:]
        then = [private for time, private in privacy if time == at]
        return bool(before or then) and all(before + then)

    def denies(self, one: say.Quoted) -> bool:
        """Tell whether a session never said what is quoted of it; False if it is gone, or forgot something."""
        known = self._remembered_by(one.session)
        if known is None or known.is_redacted:
            return False
        text, quoted = known.texts.get(one.id), one.text.removeprefix("…").removesuffix("…")
        return text is None or not (clean(text) == one.text or (quoted != one.text and quoted in clean(text)))

    def private_passages(self) -> Passages:
        """Return what sessions say that are private, or were."""
        if self._private is None:
            self._private = Passages()
            for session in self._sessions:
                known = self._remembered_by(session) if any(one for _, one in self._privacy_of(session)) else None
                for text in known.texts.values() if known else ():
                    self._private.add(text, session)
        return self._private

    def _privacy_of(self, session: str) -> Privacy:
        if session not in self._privacy:
            self._privacy[session] = self._tried(lambda: privacy_in(self._read(session) or ())) or ()
        return self._privacy[session]

    def _remembered_by(self, session: str) -> _Remembered | None:
        if session not in self._remembered:
            self._remembered[session] = self._tried(lambda: self._read_remembered(session))
        return self._remembered[session]

    def _read_remembered(self, session: str) -> _Remembered | None:
        events = self._read(session)
        if events is None:
            return None
        remembered = _Remembered()
        for event in in_full(events):
            remembered.take(event, say.content(event))
        return remembered

    @staticmethod
    def _tried(work: Callable[[], T]) -> T | None:
        """Return what is read of a session; None if it is gone, or cannot be read: its own audit says so."""
        try:
            return work()
        except WorkbenchError:
            return None


def privacy_in(events: Iterable[Event]) -> Privacy:
    """Return when some events of a session say that it is private, or is not. Raises LogDamaged."""
    told = ((event.time, say.content(event)) for event in events if event.kind in _ON_PRIVACY)
    return tuple(
        (time, body.options.private if isinstance(body, say.SessionCreated) else body.private)
        for time, body in told
        if isinstance(body, say.SessionCreated | say.PrivacyChanged)
        or (isinstance(body, say.SessionForked) and body.private)
    )


_ON_PRIVACY = (say.SessionCreated.kind, say.SessionForked.kind, say.PrivacyChanged.kind)
