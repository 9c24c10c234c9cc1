"""A session executed again from what was given in it, event by event, beside what its file has.

What follows is made by the product's own code: prepare, started, recall, drafts_of. Nothing is asked and nothing is
written. The state continues from the recorded event, whatever was found.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from workbench.domain.errors import ModelError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Draft, Event
from workbench.domain.loop.steps import Call, Recall, Record, UseTool
from workbench.domain.loop.workflow import next_step
from workbench.domain.session import events as say
from workbench.domain.session.context import SentContext
from workbench.domain.session.copies import Recent
from workbench.domain.session.items import insights, stored_paragraphs
from workbench.domain.session.session import SessionState, apply, said_after
from workbench.memory.memory_view import MemoryView
from workbench.planning.asking.calling import Prepared, prepare, started
from workbench.planning.asking.gathering import RemembersHere
from workbench.planning.asking.guidance import recall
from workbench.planning.session_log import drafts_of
from workbench.replay.fitness import unfit_header, why_not, why_unfit
from workbench.replay.likeness import Unlike, compared, short_value
from workbench.replay.standins import Calls, Memories

Sort = Literal["unlike", "misplaced", "unchecked", "near", "recorded"]
"""unlike: a derived event is not what follows; misplaced: an event cannot be there; unchecked: nobody can tell;
near: the same but for the last digits of scores; recorded: it fits, and older rules derived it."""
_BREAKS_A_BATCH = frozenset({say.SessionForked.kind, say.SessionResumed.kind, say.SessionStopped.kind})
"""Given kinds in front of which a copy of a log may have ended, in the middle of what was recorded at once."""
NOTHING = "nothing that follows by itself"
_CLOUDED = "It follows from words that were forgotten."


class Finding(NamedTuple):
    """What was found at an event."""

    sort: Sort
    why: str
    unlike: Unlike = Unlike("", "", "")


class Reexecution(Struct):
    """A session, executed again up to some event."""

    calls: Calls
    memories: Memories
    state: SessionState | None = None
    batch: tuple[Draft, ...] = ()
    """What is still to come of what was recorded at once."""
    known: set[str] = field(default_factory=set)
    """Ids of the events so far."""
    given_up: set[str] = field(default_factory=set)
    """Calls that nobody waits for any more, and that may still have a result."""
    has_forgotten: bool = False
    """Whether any event so far says less than what was written."""
    befell: str = ""
    """What befell it when it was last asked what follows; "" if it could say."""

    def take(self, event: Event) -> Finding | None:
        """Execute up to an event, compare, and continue from it as it is. Raises LogDamaged if it cannot be."""
        self.has_forgotten = self.has_forgotten or self._is_redacted(event)
        body = said_after(self.state, event)
        finding = self._check_given(event, body) if event.origin == "given" else self._derived(event, body)
        pending = None if self.state is None else self.state.pending
        if isinstance(body, say.CallAbandoned | say.SessionRewound) and pending is not None:
            self.given_up.add(pending.call)
        self.state = apply(self.state, event)
        self.known.add(event.id)
        return finding

    # --- what was given -----------------------------------------------------------------------------------------------

    def _check_given(self, event: Event, body: say.Body | say.Unknown) -> Finding | None:
        state = self.state
        if state is None and event.cause != event.id:
            return _misplaced("The first event of a session is its own cause.")
        if state is None and event.turn != 1:
            return _misplaced_at("turn", str(event.turn), "1", "A session begins with its first turn.")
        broken, self.batch = self.batch, ()
        if broken and event.kind not in _BREAKS_A_BATCH and not self.has_forgotten:
            between = f"It stands between events that were recorded at once: {broken[0].kind} comes first."
            return _misplaced(between)
        if self._is_redacted(event):
            return _unchecked("What it says was forgotten.")
        if state is None:
            return None
        unlike = self._unlike_header(state, event, body)
        if unlike is not None:
            return unlike
        if isinstance(body, say.EntityStored) and not self._is_of_older_rules and self._stores(state, body):
            return _misplaced_at("origin", "given", "derived", "The loop itself stores that here.")
        why = why_not(state, event, body, given_up=self.given_up)
        if why and self.has_forgotten and isinstance(body, say.Body) and "given" in body.origins:
            return _unchecked(_CLOUDED)
        return _unlike_loop(state, event, body) if why is None else _misplaced(why)

    def _stores(self, state: SessionState, body: say.EntityStored) -> bool:
        step = next_step(state)
        return isinstance(step, Record) and body in step.bodies

    def _unlike_header(self, state: SessionState, event: Event, body: say.Body | say.Unknown) -> Finding | None:
        """Return what of a given event's header cannot be after a state; None if all of it can."""
        if event.session != state.session:
            return _misplaced_at("session", event.session, state.session, "It belongs to another session.")
        if event.cause not in self.known:
            return _misplaced_at("cause", event.cause, state.trigger, "Its cause is no earlier event.")
        begins = isinstance(body, say.SessionResumed | say.SessionForked)
        turn = state.turn + begins
        if (begins and event.turn != turn) or (event.turn > turn and not isinstance(body, say.Unknown)):
            said, due = ("begins", "is next") if begins else ("belongs to", "is this")
            why = f"It {said} turn {event.turn}, and turn {turn} {due}."
            return _misplaced_at("turn", str(event.turn), str(turn), why)
        return None

    # --- what was derived ---------------------------------------------------------------------------------------------

    def _derived(self, event: Event, body: say.Body | say.Unknown) -> Finding | None:
        state = self.state
        if isinstance(body, say.Body) and "derived" not in body.origins:
            self.batch = ()
            return _misplaced(f"{event.kind} never follows from other events: it is given.")
        if state is None:
            return None  # the fold refuses a session that does not begin with its creation
        if isinstance(body, say.Unknown):
            self.batch = ()
            return _unchecked("Its kind is newer than this workbench.")
        if self._is_of_older_rules:
            return self._recorded_earlier(state, event, body)
        expected, finding = self._expected(state, event, body)
        first, self.batch = (expected[0] if expected else None), expected[1:]
        if finding is None or finding.sort in ("near", "unchecked"):
            return finding
        if self.has_forgotten:
            self.batch = self.batch if first is not None and first.kind == event.kind else ()
            fits = self._recorded_earlier(state, event, body)
            return fits if fits.sort == "misplaced" else _unchecked(_CLOUDED)
        return finding

    @property
    def _recent(self) -> Recent:
        """What the next event can copy from."""
        return Recent() if self.state is None else self.state.recent

    @property
    def _is_of_older_rules(self) -> bool:
        """Whether older rules derive what follows from the state, so that nothing of it can be derived here."""
        return self.state is not None and rules.is_older(self.state.rules)

    def _recorded_earlier(self, state: SessionState, event: Event, body: say.Body) -> Finding:
        unlike = unfit_header(state, event, self.known)
        if unlike is not None:
            return Finding("misplaced", f"No event that follows here has this {unlike.where}.", unlike)
        why = why_unfit(state, body)
        return _misplaced(why) if why is not None else Finding("recorded", "Older rules derived it.")

    def _expected(self, state: SessionState, event: Event, body: say.Body) -> tuple[tuple[Draft, ...], Finding | None]:
        if self.batch:
            return self.batch, self._like(event, self.batch)
        embedder = _searched_with(event, body)
        found: list[tuple[tuple[Draft, ...], Finding | None]] = []
        for remembers in self._memories(event, body):
            expected = self._follows(event, remembers)
            finding = self._like(event, expected)
            found.append((expected, finding))
            if finding is None or finding.sort == "near":
                return expected, finding
        if found and embedder != "":
            return found[0]
        recorded = self._as_recorded(state, event, body)
        finding = self._like(event, recorded)
        if finding is not None and finding.sort == "unlike":
            return found[0] if found else (recorded, finding)
        searched = (
            f"with {short_value(embedder)}, which is not here" if embedder else "with what its record does not name"
        )
        return recorded, _unchecked(f"It searched {searched}; all of it but that search was reproduced.")

    def _like(self, event: Event, expected: Sequence[Draft]) -> Finding | None:
        if not expected:
            nothing = f"nothing: executing it again failed with {short_value(self.befell)}" if self.befell else NOTHING
            return Finding("unlike", "Nothing follows by itself here.", Unlike("kind", event.kind, nothing))
        whole = self._recent.whole(event)
        likeness = compared(whole, expected[0])
        if likeness.unlike is not None:
            return Finding("unlike", f"Executed again, its {likeness.unlike.where} is another one.", likeness.unlike)
        if whole is not event and bytes(whole.body) == bytes(expected[0].body):
            (as_written,) = self._recent.recorded(expected[:1])
            if bytes(event.body) != bytes(as_written.body):
                otherwise = Unlike("body", "the same with other copies", "as the workbench writes it")
                return Finding("unlike", "Executed again, it copies otherwise.", otherwise)
        return Finding("near", "Its scores differ in their last digits.") if likeness.is_near else None

    def _memories(self, event: Event, body: say.Body) -> list[RemembersHere]:
        """Return the session's memory with each embedder that may have been used; none if that is not here."""
        context = _context(body)
        if context is not None and context.unavailable:
            return [_failing]
        return [memory.at for memory in self.memories.for_session(event.session, _searched_with(event, body))]

    def _follows(self, event: Event, remembers: RemembersHere) -> tuple[Draft, ...]:
        """Return what follows from the state, where the next derived event is this one; () if nothing does."""
        state, self.befell = self.state, ""
        if state is None:
            return ()
        try:
            prepared = prepare(state, partial(self.calls.model_for, event.seq, state), remembers)
            bodies, agent = self._recorded_before(state, event, prepared, remembers)
            return tuple(
                drafts_of(
                    state,
                    bodies,
                    person=event.person,
                    time=event.time,
                    actor="workbench",
                    agent=agent,
                    origin="derived",
                )
            )
        except Exception as error:  # noqa: BLE001 - a doctored session may lead anywhere: it is told where it led
            self.befell = f"{type(error).__name__}: {error}"
            return ()

    def _recorded_before(
        self, state: SessionState, event: Event, prepared: Prepared, remembers: RemembersHere
    ) -> tuple[Sequence[say.Body], str | None]:
        """Return what a step records before anything outside is asked, and whose turn that is."""
        match prepared.step:
            case Record(bodies):
                return bodies, None
            case Call() as call if prepared.model is not None:
                first, *failed = started(state, call, prepared, prepared.model.name)
                return (self._as_searched(event, first), *failed), call.role
            case UseTool(using) if not using.started:
                return (say.ToolStarted(use=using.use),), using.role
            case Recall() as step:
                guidance, origin = recall(state, step, remembers)
                return ((guidance,) if origin == "derived" else ()), None
            case _:
                return (), None

    def _as_searched(self, event: Event, expected: say.CallStarted) -> say.CallStarted:
        """Return a call whose search fails here as one whose search failed there, with the reason that it had."""
        at, context = self.calls.started.get(event.seq), expected.context
        if at is None or at.context is None or context is None or not context.unavailable:
            return expected
        if at.context.unavailable.partition("(")[0] != context.unavailable.partition("(")[0]:
            return expected
        return replace(expected, context=replace(context, unavailable=at.context.unavailable))

    def _as_recorded(self, state: SessionState, event: Event, body: say.Body) -> tuple[Draft, ...]:
        """Return what follows where a search finds what the record says that it found."""
        if isinstance(body, say.CallStarted):
            return self._follows(event, partial(self.memories.as_recorded, context=body.context))
        step = next_step(state)
        if not (isinstance(body, say.GuidanceRecalled) and isinstance(step, Recall)):
            return ()
        texts = {item.text for item in (*insights(state), *stored_paragraphs(state))}
        is_possible = body.source == "search" and texts.issuperset(body.items) and len(body.items) <= step.max_results
        if not is_possible or body.query != step.query or body.note:
            return ()
        return tuple(
            drafts_of(state, [body], person=event.person, time=event.time, actor="workbench", origin="derived")
        )

    def _is_redacted(self, event: Event) -> bool:
        return event.redacted != "" or event.id in self.calls.forgotten


def _context(body: say.Body | say.Unknown) -> SentContext | None:
    return body.context if isinstance(body, say.CallStarted) else None


def _searched_with(event: Event, body: say.Body) -> str | None:
    """Return what a derived event's search was made with; "" if it does not say, None if it did not search."""
    said = body if isinstance(body, say.GuidanceRecalled) else _context(body)
    if said is None or (isinstance(said, SentContext) and said.unavailable):
        return None
    is_older = b'"embedder":' not in bytes(event.body)
    return said.embedder if said.embedder or is_older else None


def _failing(state: SessionState) -> MemoryView:
    """Fail, as a search did: a failure cannot be computed again."""
    raise ModelError("The search failed when the session was recorded.", state.session)


def _unlike_loop(state: SessionState, event: Event, body: say.Body | say.Unknown) -> Finding | None:
    """Return what is wrong where the loop itself looked outside, which it writes as it writes what follows."""
    is_look = isinstance(body, say.OthersSearched | say.SharedObserved | say.GapsResearched) and body.for_call != ""
    if not is_look and not isinstance(body, say.GuidanceRecalled):
        return None
    written = (("actor", event.actor, "workbench"), ("cause", event.cause, state.trigger))
    unlike = next((one for one in written if one[1] != one[2]), None)
    return None if unlike is None else _misplaced_at(*unlike, "The loop does not write it so.")


def _misplaced_at(where: str, recorded: str, expected: str, why: str) -> Finding:
    return Finding("misplaced", why, Unlike(where, short_value(recorded), short_value(expected)))


def _misplaced(why: str) -> Finding:
    return Finding("misplaced", why)


def _unchecked(why: str) -> Finding:
    return Finding("unchecked", why)
