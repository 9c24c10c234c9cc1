"""Two points compared: of one session, of two, of two forks. Pure: from events or states, nothing is read here.

Whatever came on the way from the first point to the second continued the way back: a comparison has no preferred side.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import Generic, Literal, TypeVar

import msgspec

from workbench.context.entry import Entry
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.changing.difference import PlanDifference, difference_between
from workbench.domain.session.session import SessionState, fold
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.replay.contexts import CallContext, context_of

Unit = Literal["count", "tokens", "usd", "seconds"]
T = TypeVar("T")

_PLACE = lazy_pattern(r"(?P<session>.*)@(?P<version>v?)(?P<number>\d{1,9})", re.DOTALL)


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where to look at a session."""

    session: str
    """Its id, or the file that it is in."""
    seq: int | None = None
    """As of this event; None for as it is now."""
    version: int | None = None
    """As of the event with which this version of the plan came; None for none."""

    @classmethod
    def parse(cls, text: str, *, session: str = "") -> Place:
        """Return what ``ID``, ``ID@SEQ`` or ``ID@vN`` names; without an ID it is ``session``."""
        found = _PLACE.fullmatch(text)
        if found is None:
            return cls(session=text or session)
        name, number = found["session"] or session, int(found["number"])
        return cls(session=name, version=number) if found["version"] else cls(session=name, seq=number)


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """A session as of one of its events."""

    label: str
    """The id or the file that it was asked for by."""
    state: SessionState
    context: CallContext | None = None
    """What was sent for its last call; None before the first, or where only a newer version can read it."""


@dataclass(frozen=True, slots=True)
class Exchange(Generic[T]):
    """Things of two points, told apart by what they are."""

    came: tuple[T, ...]
    went: tuple[T, ...]
    stayed: tuple[T, ...]
    """As they are at the second point."""

    @property
    def differs(self) -> bool:
        """Whether anything came or went."""
        return bool(self.came or self.went)


class SentItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that was sent at one point, and what was with it at the other."""

    item: Entry
    not_sent: Entry | None = None
    """The same as it was considered at the other point and not sent; None if it was not considered."""


class Number(msgspec.Struct, frozen=True, kw_only=True):
    """A figure at both points."""

    name: str
    a: float | None
    """None if nobody knows it."""
    b: float | None
    unit: Unit = "count"

    @property
    def shown(self) -> tuple[str, str, str]:
        """Both, and how much more the second one is, as people read them; what nobody knows is n/a, never 0."""
        more = None if self.a is None or self.b is None else self.b - self.a
        sign = "" if more is None else "+" if more > 0 else "−" if more < 0 else ""
        return self._format(self.a), self._format(self.b), sign + self._format(None if more is None else abs(more))

    def _format(self, value: float | None) -> str:
        if value is None:
            return "n/a"
        match self.unit:
            case "usd":
                return f"${value:.2f}" if value >= 0.01 or value == 0 else f"${value:.4f}"
            case "seconds":
                return f"{value:,.1f} s"
            case _:
                return f"{value:,.0f}"


@dataclass(frozen=True)
class Comparison:
    """Two points, and what differs between them."""

    a: Point
    b: Point
    same_up_to: int
    """Number of the last event that both share from the first on; 0 if they have no common origin."""
    plan: PlanDifference
    insights: Exchange[str]
    findings: Exchange[Finding]
    context: Exchange[SentItem]
    """What was sent for the last call at each point."""
    by_source: tuple[Number, ...]
    """Tokens of that call, by where they come from."""
    numbers: tuple[Number, ...]

    @cached_property
    def relation(self) -> str:
        """How the two points stand to each other, in a sentence."""
        first, second = self.a.state, self.b.state
        if not self.same_up_to:
            return "Two sessions that share no event."
        if self.same_up_to < min(first.seq, second.seq):
            return f"Same up to event {self.same_up_to:,}, and apart since."
        between = abs(second.seq - first.seq)
        if first.session != second.session:
            return f"Same up to event {self.same_up_to:,}; one of them goes on from there."
        return f"One session, {between:,} event{'' if between == 1 else 's'} apart." if between else "The same point."

    @property
    def differs(self) -> bool:
        """Whether anything differs that is shown; numbers that only count time do not matter."""
        exchanges = (self.insights, self.findings, self.context)
        return self.plan.differs or any(one.differs for one in exchanges) or any(n.a != n.b for n in self.numbers)


def compare(a: Point, b: Point, *, same_up_to: int = 0) -> Comparison:
    """Return what differs from one point to another; ``same_up_to`` is how many events they share."""
    return Comparison(
        a=a,
        b=b,
        same_up_to=same_up_to,
        plan=difference_between(a.state.plan, b.state.plan),
        insights=exchange(a.state.insights, b.state.insights, by=str),
        findings=exchange(a.state.findings, b.state.findings, by=lambda one: (one.rule, one.section, one.text)),
        context=_context(a.context, b.context),
        by_source=tuple(_by_source(a.context, b.context)),
        numbers=tuple(_numbers(a, b)),
    )


def compare_places(a: Place, of_a: Sequence[Event], b: Place, of_b: Sequence[Event]) -> Comparison:
    """Return what differs between two places of two sessions, each with its events, which may be the same.

    Raises UsageError and NotFound for a place that is not there, LogDamaged as the fold does.
    """
    first, second = point_at(a, of_a), point_at(b, of_b)
    shared = common_beginning(of_a[: first.state.seq], of_b[: second.state.seq])
    return compare(first, second, same_up_to=shared)


def compare_named(a: str, b: str, read: Callable[[str], Iterable[Event]]) -> Comparison:
    """Return what differs between two points that are named as ``Place.parse`` does; ``read`` gives a session's events.

    Without ``b``: from ``a`` to the same session as it is now, and where ``a`` is no more than a session, between the
    last two versions of its plan. Raises UsageError and NotFound for a point that is not there, and as ``read`` does.
    """
    first = Place.parse(a)
    of_first = tuple(read(first.session))
    if b:
        second = Place.parse(b, session=first.session)
        of_second = of_first if second.session == first.session else tuple(read(second.session))
        return compare_places(first, of_first, second, of_second)
    if (first.seq, first.version) != (None, None):
        return compare_places(first, of_first, Place(session=first.session), of_first)
    before, last = _last_versions(first.session, of_first)
    return compare_places(before, of_first, last, of_first)


def _last_versions(session: str, events: Sequence[Event]) -> tuple[Place, Place]:
    versions = fold(events).versions
    if len(versions) < 2:
        raise UsageError(
            f"{clean_name(session)} has no two versions of its plan to compare.",
            "Name two points: ID@SEQ, ID@vN, or another session.",
        )
    return Place(session=session, version=versions[-2].version), Place(session=session, version=versions[-1].version)


def point_at(place: Place, events: Sequence[Event]) -> Point:
    """Return a session as of a place. Raises UsageError and NotFound, LogDamaged as the fold does."""
    so_far = events[: _seq(place, events)]
    return Point(label=clean_name(place.session), state=fold(so_far), context=_last_context(so_far))


def common_beginning(a: Iterable[Event], b: Iterable[Event]) -> int:
    """Return how many events both share from the first on: the same id, and the same body as it was written."""
    pairs = zip(((one.id, one.body_hash) for one in a), ((one.id, one.body_hash) for one in b), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _seq(place: Place, events: Sequence[Event]) -> int:
    if place.version is None and place.seq is None:
        return len(events)
    name = clean_name(place.session)
    if place.version is None:
        if place.seq is None or not 1 <= place.seq <= len(events):
            raise UsageError(f"{name} has no event {place.seq}.", f"Name one from 1 to {len(events)}.")
        return place.seq
    versions = fold(events).versions
    found = next((version.seq for version in versions if version.version == place.version), None)
    if found is None:
        known = f"Name one from 1 to {versions[-1].version}." if versions else "No plan is drafted there yet."
        raise NotFound(f"{name} has no version {place.version} of its plan.", known)
    return found


def _last_context(events: Sequence[Event]) -> CallContext | None:
    try:
        return context_of(events)
    except NotFound:
        return None


# --- what came, and what went -----------------------------------------------------------------------------------------


def exchange(a: Iterable[T], b: Iterable[T], *, by: Callable[[T], Hashable]) -> Exchange[T]:
    """Return which things came, went and stayed; ``by`` says what makes two of them the same, each time it stands."""
    before, after = dict(_numbered(a, by)), dict(_numbered(b, by))
    return Exchange(
        came=tuple(one for key, one in after.items() if key not in before),
        went=tuple(one for key, one in before.items() if key not in after),
        stayed=tuple(one for key, one in after.items() if key in before),
    )


def _numbered(things: Iterable[T], by: Callable[[T], Hashable]) -> Iterator[tuple[Hashable, T]]:
    seen = Counter[Hashable]()
    for thing in things:
        key = by(thing)
        seen[key] += 1
        yield (key, seen[key]), thing


def _context(a: CallContext | None, b: CallContext | None) -> Exchange[SentItem]:
    sent = exchange(_sent(a), _sent(b), by=lambda one: (one.source, _identity(one)))
    left_out_before, left_out_after = ({_identity(one): one for one in side.dropped} if side else {} for side in (a, b))
    return Exchange(
        came=tuple(SentItem(item=one, not_sent=left_out_before.get(_identity(one))) for one in sent.came),
        went=tuple(SentItem(item=one, not_sent=left_out_after.get(_identity(one))) for one in sent.went),
        stayed=tuple(SentItem(item=one) for one in sent.stayed),
    )


def _sent(context: CallContext | None) -> tuple[Entry, ...]:
    return (*context.current_conversation, *context.relevant_history) if context else ()


def _identity(one: Entry) -> Hashable:
    """Return what an item is by what it says, since ids differ between sessions; by its id where its text is gone."""
    return (one.role, one.agent, one.text or one.id)


def _by_source(a: CallContext | None, b: CallContext | None) -> Iterator[Number]:
    before, after = (side.by_source if side else {} for side in (a, b))
    for name in {**before, **after}:
        if before.get(name, 0) or after.get(name, 0):
            yield Number(name=name, a=before.get(name, 0), b=after.get(name, 0), unit="tokens")


# --- figures ----------------------------------------------------------------------------------------------------------


def _numbers(a: Point, b: Point) -> Iterator[Number]:
    first, second = a.state, b.state
    yield from (Number(name=name, a=read(first), b=read(second), unit=unit) for name, unit, read in _FIGURES)
    before, after = dict(first.tokens_by), dict(second.tokens_by)
    for who in {**before, **after}:
        name = f"tokens of {clean_name(who)}"
        yield Number(name=name, a=before.get(who, 0), b=after.get(who, 0), unit="tokens")
    sent = [side.context.heading.tokens if side.context else None for side in (a, b)]
    yield Number(name="context of the last call", a=sent[0], b=sent[1], unit="tokens")


_FIGURES: tuple[tuple[str, Unit, Callable[[SessionState], float | None]], ...] = (
    ("events", "count", lambda one: one.seq),
    ("plan version", "count", lambda one: one.version),
    ("iterations", "count", lambda one: len(one.iterations)),
    ("insights", "count", lambda one: len(one.insights)),
    ("open findings", "count", lambda one: len(one.findings)),
    ("calls", "count", lambda one: one.spent.calls),
    ("time in calls", "seconds", lambda one: one.spent.seconds),
    ("cost", "usd", lambda one: one.spent.cost),
    ("tokens", "tokens", lambda one: one.spent.tokens),
)
