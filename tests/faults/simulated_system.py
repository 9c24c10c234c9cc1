"""What a simulated session meets in place of the system: every call is a place where another session may go on.

    SteppedFiles   each call; it may be the last one of its process, or fail     ─┐
    SteppedLog     before an append, between commit and acknowledgement, behind  ─┤
    SteppedBell    before a ring, between ring and waking; rings get lost        ─┼─▶ between()   another's whole step
    Pulse, Heart   between two beats                                             ─┘
    FencingLives   who was declared dead is refused, as a server does it

One thread, and no time but the Clock's. Files and their locks are the system's own, in a folder of one run.
"""

from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta

from tests.faults.faulty_files import Died, FaultyFiles
from workbench.domain.errors import Fenced, LogUnavailable
from workbench.storage.files.lives import MemoryLives
from workbench.storage.files.log import FileLog
from workbench.storage.files.watching.bell import Bell, Listener

PORTION = 400
"""Bytes that one write takes: a batch is seen half written."""
LOST = 0.2
"""How many of the rings are."""
BEATS = 3
"""Of a heart in one step: that a life is gone is believed when it was found so twice."""
_BEGIN = datetime(2026, 11, 22, 8, tzinfo=UTC)


class Clock:
    """Seconds that pass when the simulation says so."""

    def __init__(self):
        self.passed = 0.0

    def __call__(self):
        return self.passed

    def date(self, *, back=0):
        return _BEGIN + timedelta(seconds=self.passed - back)


class SteppedFiles(FaultyFiles):
    """The system's calls as one process makes them."""

    def __init__(self, between, fail_at=None, fault=0):
        super().__init__(fail_at, fault, PORTION)
        self._between = between

    def _step(self, name):
        if not self.dead:
            self._between()
        super()._step(name)

    def heal(self):
        """Fail no more."""
        self._fail_at = None


class SteppedLog(FileLog):
    """The shared log as one process has it; what it acknowledges is noted."""

    def __init__(self, folder, *, between, noted, lives, last=0, **options):
        """``last``: with which of its appends the process dies, before it is told that it is done; 0 for none."""
        super().__init__(folder, shared=True, durable=False, patience=0, **options)
        self._between = between
        self._noted = noted
        self._lives = lives
        self._left = last

    def append_decided(self, stream, decide, *, known):
        def let_in(missed):
            drafts = decide(missed)
            self._lives.check(drafts[0].session)
            return drafts

        return self._noting(lambda: super(SteppedLog, self).append_decided(stream, let_in, known=known))

    def append(self, stream, drafts, *, expected, **options):
        self._lives.check(drafts[0].session)
        return self._noting(lambda: super(SteppedLog, self).append(stream, drafts, expected=expected, **options))

    def _noting(self, append):
        self._between()
        try:
            events = append()
            self._die_in_time()
        except (Died, LogUnavailable):
            self._noted.unanswered += 1
            raise
        self._noted.acknowledged |= {event.seq: event.hash for event in events}
        self._between()
        return events

    def _die_in_time(self):
        self._left -= 1
        if self._left == 0:
            self._files.dead = True
            raise Died


class SteppedBell(Bell):
    """One process's end of a bell; ``tower`` holds everybody's."""

    def __init__(self, tower, *, between, chance):
        self._tower = tower
        self._between = between
        self._chance = chance
        self.is_rung = False
        tower.append(self)

    def listener(self, _stream, _stopped):
        return _Ear(self)

    def ring(self, _stream):
        self._between()
        for bell in self._tower:
            bell.is_rung = bell.is_rung or self._chance.random() >= LOST
        self._between()

    def rest(self):
        """What a follower does between two looks."""
        self.is_rung = False
        self._between()


class _Ear(Listener):
    def __init__(self, bell):
        self._bell = bell
        self._in_vain = 0

    def wait(self, *, found):
        self._in_vain = 0 if found else self._in_vain + 1
        assert self._in_vain < 3, "what a follower looks for is there"
        self._bell.rest()


class FencingLives(MemoryLives):
    """Lives that end while their process is paused; what comes from it is refused once it was declared dead."""

    def __init__(self, now, noted):
        super().__init__(now)
        self._noted = noted
        self._fenced = set()
        self.begun = {}
        """Session → what had been acknowledged when its last life began."""

    @contextmanager
    def live(self, session):
        with super().live(session):
            self._fenced.discard(session)
            self.begun[session] = len(self._noted.acknowledged)
            yield

    def declare_dead(self, session):
        if self.holder(session) is None:
            self._fenced.add(session)

    def check(self, session):
        if session in self._fenced:
            raise Fenced(f"Session {session} was declared dead.", "Open it again.")


class _Rest(Exception):
    """A heart has beaten enough for one step."""


class Pulse:
    """The condition that a heart rests on."""

    def __init__(self, between):
        self._between = between
        self._left = BEATS

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def notify_all(self):
        pass

    def wait(self, _seconds):
        self._left -= 1
        if self._left < 0:
            self._left = BEATS
            raise _Rest
        self._between()


class Heart:
    """The thread of a heart, which beats when its session's step is that; and that of a leaving, done at once."""

    def __init__(self, *, target, name, daemon, args=()):
        self.name, self.daemon = name, daemon
        self._target, self._args = target, args

    def start(self):
        if self._args:
            self._target(*self._args)

    def join(self, _timeout=None):
        pass

    def is_alive(self):
        return False

    def beat(self):
        with suppress(_Rest):
            self._target()
