"""Which event was changed, where one does not follow from those before it: that one, or one that it follows from.

Where the session goes on from the recorded event, it is genuine, and something given was changed after it was derived
from it. Where it goes on from the expected one, the event itself was. A prompt says more: it quotes what was said word
for word.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec
from msgspec import Struct

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE, Draft, Event
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.domain.session.copies import in_full
from workbench.domain.session.items import as_sent
from workbench.domain.session.repetition import strings_of
from workbench.domain.session.session import SessionState, apply, said_after
from workbench.domain.text.patterns import lazy_pattern
from workbench.planning.calling import prompt_hash
from workbench.replay.gaps import BY_PLACE, as_event, awaited, is_like, missing_before
from workbench.replay.reexecution import Finding, Reexecution

_TELLING = 24
"""Characters of a text, up to the place where it differs, that are looked for in what was given."""
_WORD_AT_END, _WORD_AT_START = lazy_pattern(r"(?<!\w)\w+$"), lazy_pattern(r"^\w+")

_LOOKS = frozenset({say.OthersSearched.kind, say.SharedObserved.kind, say.GapsResearched.kind})
"""Kinds that are given, and that the loop asked for."""
_CALL_ENDS = frozenset({say.CallFinished.kind, say.CallFailed.kind, say.CallAbandoned.kind})
_SPENDING = _CALL_ENDS | {say.BoundsChanged.kind, say.SessionCreated.kind}
"""Given kinds that say what the bounds leave for a call."""


class Blamed(NamedTuple):
    """The event that was changed, and why it is that one."""

    event: Event
    why: str


class _Reach(NamedTuple):
    """How far a session follows."""

    to_the_end: bool
    """Whether nothing else was found, as far as it was looked."""
    followed: int
    """Derived events until then."""
    quoted: frozenset[str] = frozenset()
    """Messages that stand in prompts that were reproduced."""


class _Prompts(NamedTuple):
    """What a call sent, by its record and by what was given."""

    recorded: tuple[Message, ...]
    expected: tuple[Message, ...]
    is_sound: bool
    """Whether the recorded prompt has the recorded hash."""
    items: tuple[str, ...]
    """Messages of the session that it names."""


class Attribution(Struct, frozen=True):
    """One event that does not follow, in its session."""

    events: Sequence[Event]
    place: int
    """Of the event, from 0."""
    before: Reexecution
    finding: Finding
    since: int
    """Place after the last derived event that followed: what was given from there on may have led to this one."""
    since_call: int
    """Place after the last call that followed."""
    origin: SessionState | None
    """The state at ``since_call``."""

    def blamed(self) -> Blamed:
        """Return the event that was changed."""
        itself = Blamed(self._event, self.finding.why)
        missing = self._missing()
        if missing is not None:
            return missing
        if self._is_created_elsewhere:
            return Blamed(self.events[0], f"Every event after it is of workspace {self.finding.unlike.recorded}.")
        is_look = self._event.kind in _LOOKS and self.finding.sort == "misplaced" and not self.finding.unlike.where
        if not is_look and self.finding.unlike.where.partition(".")[0] not in ("kind", "body"):
            return itself
        if self._is_out_of_order():
            return Blamed(self._event, "It is out of order: it follows from what stands after it.")
        if is_look:
            return itself if self._from_recorded().followed else self._looked_for() or itself
        recorded, expected = self._from_recorded(), self._from_expected()
        if expected.to_the_end or expected[:2] > recorded[:2]:
            found = self._quoted_once(expected.quoted)
            return found or (self._or_what_led_here(itself) if recorded.to_the_end else itself)
        found = self._quoted_otherwise() or self._last_given()
        found = found or self._never_came()
        if found is None and recorded[:2] > expected[:2]:
            return self._anything_given()
        return found or itself

    @property
    def _event(self) -> Event:
        return self.events[self.place]

    @property
    def _expected(self) -> Draft | None:
        """What should stand in its place; None where nothing follows by itself."""
        return self.finding.expected[0] if self.finding.expected else None

    @property
    def _led_elsewhere(self) -> str:
        event = self._event
        return f"The session did not go on from what it says now, as event {event.seq} ({event.kind}) shows."

    # --- what is not there --------------------------------------------------------------------------------------------

    def _missing(self) -> Blamed | None:
        """Name the place in front of which something is missing that would make the event follow."""
        where = self.finding.unlike.where
        is_given = self.finding.sort == "misplaced"
        if where.partition(".")[0] not in (("", "cause") if is_given else ("kind", "body")):
            return None
        missing = missing_before(self.before, self.events[self.place :], self.finding.expected)
        return self._lacking(", then ".join(draft.kind for draft in missing)) if missing else None

    def _never_came(self) -> Blamed | None:
        """Name the place in front of which something from outside is missing."""
        state = self.before.state
        what = "" if state is None or self._expected is not None else awaited(state)
        return self._lacking(what) if what else None

    def _lacking(self, what: str) -> Blamed:
        return Blamed(self._event, f"Something is missing in front of it: {what} should stand here.")

    @property
    def _is_created_elsewhere(self) -> bool:
        """Whether all other events contradict the first one, which says what workspace the session is of."""
        if self.finding.unlike.where != "workspace":
            return False
        others = {event.workspace for event in self.events[1:] if event.kind != say.SessionForked.kind}
        return others == {self._event.workspace}

    # --- how far it goes on -------------------------------------------------------------------------------------------

    def _from_recorded(self) -> _Reach:
        """Go on from the event as it stands, and from those that were recorded with it: they have the same origin."""
        together = [self._event]
        for draft, event in zip(self.finding.expected[1:], self.events[self.place + 1 :], strict=False):
            if event.kind != draft.kind:
                break
            together.append(event)
        execution = self.before.from_here(self.before.state)
        try:
            for event in together:
                execution.go_on(event, said_after(execution.state, event))
        except LogDamaged:
            return _Reach(to_the_end=False, followed=0)
        return _follow(execution, self.events[self.place + len(together) :])

    def _from_expected(self) -> _Reach:
        execution = self.before.from_here(self.before.state)
        if self._expected is not None:
            event = as_event(self._event, self._expected)
            execution.go_on(event, said_after(execution.state, event))
            execution.batch = self.finding.expected[1:]
        return _follow(execution, self.events[self.place + 1 :])

    def _is_out_of_order(self) -> bool:
        """Tell whether the event follows once some of those after it have happened."""
        if self.finding.sort == "unlike" and self.finding.unlike.where != "kind":
            return False
        execution = self.before.from_here(self.before.state)
        for behind in self.events[self.place + 1 :][:3]:
            if self._expected is not None and is_like(behind, self._expected, execution.recent):
                return True
            try:
                execution.go_on(behind, said_after(execution.state, behind))
                found = execution.from_here(execution.state).take(self._event)
            except LogDamaged:
                return False
            if found is None or found.unlike.where.startswith(BY_PLACE):
                return True
        return False

    # --- what was given -----------------------------------------------------------------------------------------------

    def _last_given(self) -> Blamed | None:
        """Return the last given event without which something else would follow."""
        since = self.since_call if self._event.kind == say.CallStarted.kind else self.since
        is_of_spending = self.finding.unlike.where.startswith("body.parameters")
        for place in range(self.place - 1, since - 1, -1):
            event = self.events[place]
            if is_of_spending and event.kind not in _SPENDING:
                continue
            if event.origin == "given" and self._matters(place):
                return Blamed(event, self._led_elsewhere)
        return None

    def _or_what_led_here(self, itself: Blamed) -> Blamed:
        """Say what else may have been changed, where nothing that follows tells."""
        given = self._last_given()
        if given is None:
            return itself
        also = f"Or event {given.event.seq} ({given.event.kind}), which it follows from: nothing after them tells."
        return Blamed(itself.event, f"{itself.why} {also}")

    def _anything_given(self) -> Blamed:
        """Return what was given last, else what the session was created with: something that led here was changed."""
        latest = (one for one in reversed(self.events[self.since_call : self.place]) if one.origin == "given")
        return Blamed(next(latest, self.events[0]), self._led_elsewhere)

    def _looked_for(self) -> Blamed | None:
        """Return what was given last that moves the loop: what others were searched for follows from it."""
        state = self.before.state
        moved = next((one for one in self.events[: self.place] if state is not None and one.id == state.trigger), None)
        return Blamed(moved, self._led_elsewhere) if moved is not None and moved.origin == "given" else None

    def _matters(self, left_out: int) -> bool:
        state, now = self.origin, self.before.state
        try:
            for place in range(self.since_call, self.place):
                state = state if place == left_out else apply(state, self.events[place])
        except LogDamaged:  # without its creation there is no session
            return True
        if state is None or now is None:
            return True
        without = self.before.from_here(state)
        follows = without.follows(self._event, without.remembers(self._event))
        is_same = [(one.kind, bytes(one.body)) for one in follows] == [
            (one.kind, bytes(one.body)) for one in self.finding.expected
        ]
        return not is_same or (not follows and (state.status, state.gate) != (now.status, now.gate))

    # --- what a prompt quotes -----------------------------------------------------------------------------------------

    def _quoted_once(self, quoted_later: frozenset[str]) -> Blamed | None:
        """Return what a sound prompt quoted otherwise, where no other prompt has it as it is now; else None."""
        prompts = self._prompts
        if prompts is None:
            return None
        if prompts.recorded == prompts.expected:
            return self._last_named(prompts, quoted_later)
        if not prompts.is_sound:
            return None
        return self._said_otherwise(prompts, but_not_elsewhere=True)

    def _quoted_otherwise(self) -> Blamed | None:
        prompts = self._prompts
        if prompts is None:
            return None
        if prompts.recorded == prompts.expected:
            return self._last_named(prompts, frozenset())
        return self._said_otherwise(prompts, but_not_elsewhere=False)

    @property
    def _prompts(self) -> _Prompts | None:
        """The prompts of a call, where their words or their hash differ."""
        state, expected = self.before.state, self._expected
        if state is None or expected is None or {self._event.kind, expected.kind} != {say.CallStarted.kind}:
            return None
        call, other = said_after(state, self._event), said_after(state, as_event(self._event, expected))
        if not (isinstance(call, say.CallStarted) and isinstance(other, say.CallStarted)):
            return None
        if (call.messages, call.prompt_hash) == (other.messages, other.prompt_hash):
            return None
        recorded, wanted = as_sent(call.messages, state), as_sent(other.messages, state)
        items = tuple(one.item for one in call.messages if one.item)
        return _Prompts(recorded, wanted, prompt_hash(recorded) == call.prompt_hash, items)

    def _last_named(self, prompts: _Prompts, quoted_later: frozenset[str]) -> Blamed | None:
        """Return the last message that a prompt names and that no reproduced one has."""
        return self._last_of(set(prompts.items) - self.before.quoted - quoted_later)

    def _last_of(self, items: Collection[str]) -> Blamed | None:
        ids = {item.removeprefix("message:").partition("#")[0] for item in items}
        event = next((event for event in reversed(self.events[: self.place]) if event.id in ids), None)
        return None if event is None else Blamed(event, f"The prompt of event {self._event.seq} quoted it otherwise.")

    def _said_otherwise(self, prompts: _Prompts, *, but_not_elsewhere: bool) -> Blamed | None:
        """Return the given event whose words, or whose id, stand otherwise in a recorded prompt."""
        named = {message.item for message in prompts.expected} - {message.item for message in prompts.recorded}
        if named and not but_not_elsewhere:
            return self._last_of(named)
        for words in _telling(prompts):
            if but_not_elsewhere and self._is_in_another_prompt(words):
                continue
            for event in reversed(tuple(in_full(self.events[: self.place]))):
                if event.origin == "given" and any(words in text for text in _texts(event)):
                    return Blamed(event, f"The prompt of event {self._event.seq} quoted it otherwise.")
        return None

    def _is_in_another_prompt(self, words: str) -> bool:
        others = (call for seq, call in self.before.calls.started.items() if seq != self._event.seq)
        return any(words in message.content for call in others for message in call.messages)


def _follow(execution: Reexecution, events: Sequence[Event]) -> _Reach:
    followed = 0
    for event in events:
        if followed >= 12:  # so many do not follow by chance
            break
        try:
            finding = execution.take(event)
        except LogDamaged:
            return _Reach(to_the_end=False, followed=followed)
        if finding is not None and finding.sort in ("unlike", "misplaced"):
            return _Reach(to_the_end=False, followed=followed)
        followed += event.origin == "derived"
    return _Reach(to_the_end=True, followed=followed, quoted=frozenset(execution.quoted))


def _telling(prompts: _Prompts) -> Iterator[str]:
    """Yield words of the expected prompt from where it differs from the recorded one."""
    for one, other in zip_longest(prompts.expected, prompts.recorded):
        expected, recorded = (message.content if message is not None else "" for message in (one, other))
        if expected == recorded:
            continue
        begin, end = _differing(expected, recorded)
        end = min(max(end, begin + 2), begin + _TELLING)
        found = [expected[max(begin - before, 0) : end].strip() for before in (_TELLING, _TELLING // 2, 4, 0)]
        whole_word = _WORD_AT_END.findall(expected[max(begin - _TELLING, 0) : begin])
        whole_word += _WORD_AT_START.findall(expected[begin : begin + _TELLING])
        yield from (words for words in (*found, "".join(whole_word)) if len(words) >= 4)


def _differing(text: str, other: str) -> tuple[int, int]:
    """Return where a text begins and ends to differ from another one."""
    from rapidfuzz.distance import Postfix, Prefix

    begin = Prefix.similarity(text, other)
    return begin, len(text) - Postfix.similarity(text[begin:], other[begin:])


def _texts(event: Event) -> Iterator[str]:
    try:
        yield from strings_of(msgspec.json.decode(event.body))
    except UNREADABLE:
        return
