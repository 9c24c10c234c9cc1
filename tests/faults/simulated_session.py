"""A session of the simulation: it looks, thinks, changes, claims, follows, naps, leaves, dies, and is opened again.

open ─▶ step · step · step ─┬─▶ leaves    ─▶ open …
                            └─▶ dies of its fault, anywhere ─▶ open …
"""

import errno
from dataclasses import dataclass, field

from tests.faults.faulty_files import Died
from tests.faults.simulated_system import SteppedBell, SteppedFiles, SteppedLog
from tests.sharing.managers import manager
from workbench.domain.errors import Fenced, LogBusy, LogUnavailable, WorkbenchError
from workbench.domain.shared.input import OWN
from workbench.sharing.coordinator import SessionCoordinator
from workbench.sharing.following import state_at
from workbench.sharing.shared_context import STREAM, Cursor
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.watching.bell import LOOK_EVERY

LIST = "everybody's list"
KEY = "everybody's key"
FILES = ("a.py", "b.py")
FAULTS = ("none", "dies", "dies", "acknowledged", errno.ENOSPC, errno.EIO)
MOST_CALLS = 1_000
"""Of the system, until a fault."""
MOST_APPENDS = 30


@dataclass
class Noted:
    """What sessions were told, for the checks."""

    acknowledged: dict[int, str] = field(default_factory=dict)
    unanswered: int = 0
    """Appends that ended in a death or an error of the system, so that they may be in the log or not."""
    added: set[str] = field(default_factory=set)
    """Elements of the list whose addition was acknowledged."""
    removed: set[str] = field(default_factory=set)
    """Elements that somebody set out to remove."""
    watches: list["Watch"] = field(default_factory=list)


class Watch:
    """Who follows the stream from a place on, and what it was told."""

    def __init__(self, shared, log, bell, clock, *, after):
        self.after = after
        self.told = []
        self._shared, self._log, self._bell, self._clock = shared, log, bell, clock
        self._batches = None
        self._looked = 0.0

    @property
    def seq(self):
        return self.told[-1][0] if self.told else self.after

    def look(self, *, patiently=True):
        """Go on if it was rung for or has not looked for long, and if there is something: it would wait for it."""
        is_time = self._bell.is_rung or self._clock() - self._looked >= LOOK_EVERY
        if (patiently and not is_time) or self._log.head(STREAM).seq == self.seq:
            return
        self._looked = self._clock()
        if self._batches is None:
            self._batches = self._shared.watch(lambda: False, after=self.seq)
        try:
            batch = next(self._batches)
        except WorkbenchError:
            self._batches = None
            raise
        self.told += [(event.seq, event.context_hash) for event in batch]

    def close(self):
        if self._batches is not None:
            self._batches.close()


class Session:
    """One session, in one process after another."""

    def __init__(self, name, world):
        self.name = name
        self.paused_until = 0
        self.holds = set()
        """The files that it was granted in this life."""
        self._world = world
        self._chance = world.chance
        self._back = 0
        self._numbers = 0
        self._coordinator = None
        self._watch = None
        self._does = {
            self._look: 10,
            self._change: 14,
            self._change_list: 14,
            self._delete: 3,
            self._undo: 2,
            self._publish: 6,
            self._observe: 6,
            self._claim: 10,
            self._release: 8,
            self._beat: 6,
            self._follow: 14,
            self._nap: 2,
            self._set_clock: 2,
            self._leave: 1,
        }

    def step(self):
        """Do one thing; the others may go on anywhere within."""
        try:
            if self._coordinator is None:
                self._open()
            else:
                (act,) = self._chance.choices(list(self._does), weights=list(self._does.values()))
                act()
        except Died:
            self._world.figures["deaths"] += 1
            self._end()
        except (Fenced, LogBusy, LogUnavailable) as error:
            self._world.figures[type(error).__name__] += 1
            if self._watch is None:  # it could not be opened
                self._end()

    def _open(self):
        """Begin as a new process does."""
        world, chance = self._world, self._chance
        fault = chance.choice(FAULTS)
        fails = None if fault in ("none", "acknowledged") else chance.randrange(10, MOST_CALLS)
        self._files = SteppedFiles(world.between, fails, Died if fault == "dies" else fault if fails else 0)
        self._bell = SteppedBell(world.tower, between=world.between, chance=chance)
        self._log = SteppedLog(
            world.folder,
            between=world.between,
            noted=world.noted,
            lives=world.lives,
            last=chance.randint(1, MOST_APPENDS) if fault == "acknowledged" else 0,
            archive_at=world.archive_at,
            bell=self._bell,
            files=self._files,
            new_epoch=lambda: "e",
            now=world.clock.date,
        )
        self._shared = manager(
            self._log,
            now=lambda: world.clock.date(back=self._back).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            snapshot=Snapshot(world.snapshot, self._files),
            is_alive=lambda session: world.lives.holder(session) is not None,
            declare_dead=world.lives.declare_dead,
            patience=float("inf"),
        )
        self._base = None
        self._cursor, self._copy = Cursor(), {}
        coordinator = SessionCoordinator(self.name, self._shared, world.lives)
        self._coordinator = coordinator
        coordinator.start()
        state = self._shared.state()
        assert state == self._state_at(state.seq), "what it begins with is the fold of the log"
        self._watch = Watch(self._shared, self._log, self._bell, world.clock, after=state.seq)
        world.noted.watches.append(self._watch)

    def _end(self):
        """Be gone, as a process is: the system takes back what it had."""
        self.holds.clear()
        if self._coordinator is not None:
            self._coordinator._life.close()
            self._world.tower.remove(self._bell)
        if self._watch is not None:
            self._watch.close()
        self._coordinator = self._watch = None

    # what a session does

    def _number(self):
        self._numbers += 1
        return self._numbers

    def _look(self):
        self._base = self._shared.get_context(self.name)

    def _version(self, key):
        """The version to start from: the one that was looked at some steps ago, or what the session was shown last."""
        return None if self._base is None else self._base.versions.get(key, 0)

    def _change(self):
        key = self._chance.choice([KEY, self.name])
        version = self._chance.choice([None, self._version(key)])
        self._note(self._shared.update_context(self.name, key, {"by": self.name, "number": self._number()}, version))

    def _change_list(self):
        if self._base is None or self._chance.random() < 2 / 3:
            self._look()
        before = self._base.data.get(LIST, [])
        gone = [one for one in before if self._chance.random() < 1 / 8]
        self._world.noted.removed |= set(gone)
        mine = f"{self.name}-{self._number()}"
        value = [one for one in before if one not in gone] + [mine]
        self._note(self._shared.update_context(self.name, LIST, value, self._version(LIST)))
        self._world.noted.added.add(mine)

    def _note(self, outcome):
        assert outcome.outcome != "refused", outcome.why
        self._world.figures[outcome.outcome] += 1

    def _delete(self):
        self._shared.delete(self.name, KEY, self._version(KEY))

    def _undo(self):
        changes = [event for event in self._shared.events() if event.key in (KEY, self.name)]
        if changes:
            self._shared.undo(self.name, self._chance.choice(changes[-10:]).event_id)

    def _publish(self):
        if self._chance.random() < 1 / 4:
            self._coordinator.withdraw()
        else:
            self._coordinator.publish({"iteration": self._number()}, works=self._chance.random() < 1 / 2)

    def _observe(self):
        observed, _ = self._coordinator.observe(self._cursor)
        if observed is not None:
            self._copy = ({} if observed.anew else self._copy) | dict(observed.changed)
            self._cursor = observed.cursor

    def _claim(self):
        name = self._chance.choice(FILES)
        claim = self._coordinator.claim("file", name, queue=self._chance.random() < 1 / 2)
        self._world.figures[claim.outcome] += 1
        if claim.outcome == "granted" and self._world.lives.holder(self.name):
            holders = [one.name for one in self._world.sessions if name in one.holds and one is not self]
            assert not holders, f"{name} is held by {holders} and was granted to {self.name}"
            self.holds.add(name)

    def _release(self):
        if self.holds:
            name = self._chance.choice(sorted(self.holds))
            self.holds.remove(name)
            self._coordinator.release("file", name)

    def _beat(self):
        self._coordinator._heart.beat()

    def _follow(self):
        self._watch.look()

    def _nap(self):
        """Stand still for a while; a long nap outlives the life."""
        self.paused_until = self._world.steps + self._chance.randint(5, 80)
        if self._chance.random() < 1 / 2:
            self.lose_life()

    def _set_clock(self):
        self._back = self._chance.choice([0, 60, 3600])

    def _leave(self):
        self.holds.clear()
        try:
            self._coordinator.stop("done")
        finally:
            self._end()

    def lose_life(self):
        """Be taken for dead, as a server does with who was not heard of for long; what it was granted is others'."""
        self.holds.clear()
        self._world.lives.die(self.name)

    # what must hold of it

    def check(self, events):
        """What it was told step by step adds up to the state; what it was granted is its own."""
        if self._coordinator is None:
            return
        self._files.heal()
        lives = self._world.lives
        own = OWN + self.name
        entries = self._state_at(self._cursor.seq).entries
        assert self._copy == {key: entry for key, entry in entries.items() if key != own}, "what was observed"
        state = self._shared.state()
        assert state == self._state_at(state.seq), "its state is the fold of the log"
        if lives.holder(self.name):
            since = [events[seq - 1] for seq in list(self._world.noted.acknowledged)[lives.begun[self.name] :]]
            said = {event.kind for event in since if event.session == self.name}
            assert "session.joined" in said, "who lives anew has joined anew"
        assert all(state.leases[f"file:{name}"].session == self.name for name in self.holds), "what is granted is held"

    def _state_at(self, seq):
        return state_at(self._world.log, STREAM, seq)
