"""The shared context over files or on a server, by managers that come and go, is the one over the log in memory."""

import shutil
import tempfile
from itertools import takewhile
from pathlib import Path
from unittest.mock import patch

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.memory_log import MemoryLog
from tests.redis_server import new_workspace
from tests.sharing.managers import manager
from workbench.domain.errors import NotFound, UsageError
from workbench.domain.shared.context import fold
from workbench.sharing.shared_context import STREAM
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.lives import MemoryLives
from workbench.storage.files.log import FileLog

handles = st.integers(0, 1)
sessions = st.sampled_from(["a", "b", "c"])
keys = st.sampled_from(["k", "other", " k ", ""])
scalars = st.sampled_from([None, True, 1, 1.0, "x", float("nan")])
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xy"), inner, max_size=2),
    max_leaves=5,
)
names = st.sampled_from(["x", "./x", "y", ".."])
bases = st.none() | st.integers(-1, 6)


def outcome(action):
    """What a call comes to: its answer, or the kind of its refusal."""
    try:
        return action()
    except (NotFound, UsageError) as error:
        return type(error)


class SharingIsSharedMemory(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.memory = MemoryLog(shared=True, new_epoch=lambda: "e")
        self.pairs = []
        self.lives = MemoryLives()
        self.living = {}
        self.snapshots = patch("workbench.sharing.view._SNAPSHOT_EVERY", 2)
        self.snapshots.start()

    def opened(self):
        """A manager over each log, as a new process has them."""
        snapshot = Snapshot(self.folder / "shared/shared_context.json")
        log = self.shared_log()
        return manager(self.memory, is_alive=self.is_alive), manager(log, is_alive=self.is_alive, snapshot=snapshot)

    def shared_log(self):
        """The log that is compared, opened as another process would."""
        raise NotImplementedError

    def is_alive(self, session):
        return self.lives.holder(session) is not None

    @initialize()
    def open(self):
        self.pairs = [self.opened(), self.opened()]

    def both(self, handle, call):
        """Do the same with both, and compare all they say, hashes included."""
        of_memory, of_other = (outcome(lambda one=one: call(one)) for one in self.pairs[handle])
        assert of_other == of_memory
        return of_memory

    @rule(handle=handles, session=sessions, key=keys, value=values, base=bases)
    def update(self, handle, session, key, value, base):
        self.both(handle, lambda one: one.update_context(session, key, value, base))

    @rule(handle=handles, session=sessions, key=keys, base=bases)
    def delete(self, handle, session, key, base):
        self.both(handle, lambda one: one.delete(session, key, base))

    @rule(handle=handles, session=sessions, event=st.integers(1, 12), of=sessions)
    def undo(self, handle, session, event, of):
        self.both(handle, lambda one: one.undo(session, f"{of}:{event}"))

    @rule(handle=handles, session=sessions)
    def look(self, handle, session):
        self.both(handle, lambda one: one.get_context(session))

    @rule(handle=handles, session=sessions, back=st.integers(0, 3))
    def catch_up(self, handle, session, back):
        cursor = self.both(handle, lambda one: one.get_pending_events("z")).cursor
        behind = cursor._replace(seq=max(cursor.seq - back, 0))
        self.both(handle, lambda one: one.get_pending_events(session, behind))

    @rule(handle=handles, session=sessions, leaves=st.booleans())
    def take_part(self, handle, session, leaves):
        self.die(session)
        if not leaves:
            self.living[session] = self.lives.live(session)
            self.living[session].__enter__()
        self.both(handle, lambda one: one.unsubscribe(session) if leaves else one.subscribe(session))

    @rule(session=sessions)
    def die(self, session):
        if session in self.living:
            self.living.pop(session).__exit__(None, None, None)

    @rule(handle=handles, session=sessions, name=names, waits=st.booleans())
    def claim(self, handle, session, name, waits):
        before = self.pairs[handle][0].state().leases.get("file:x" if name == "./x" else f"file:{name}")
        done = self.both(handle, lambda one: one.claim(session, "file", name, queue=waits))
        if done.outcome == "granted":
            assert self.is_alive(session)
            line = before.line if before else ()
            ahead = takewhile(lambda one: one != session, line)
            assert not any(map(self.is_alive, ahead)), "nobody alive was passed over"

    @rule(handle=handles, session=sessions, name=names)
    def release(self, handle, session, name):
        self.both(handle, lambda one: one.release(session, "file", name))

    @rule(handle=handles, session=sessions, back=st.integers(0, 3))
    def observe(self, handle, session, back):
        cursor = self.both(handle, lambda one: one.observe("z")).cursor
        behind = cursor._replace(seq=max(cursor.seq - back, 0))
        self.both(handle, lambda one: one.observe(session, behind))

    @rule(handle=handles, left=st.sampled_from([None, b"", b"{}", b"\xff"]))
    def reopen(self, handle, left):
        snapshot = self.folder / "shared/shared_context.json"
        if left is not None and snapshot.exists():
            snapshot.write_bytes(left)
        self.pairs[handle] = self.opened()

    @invariant()
    def the_state_is_the_fold_of_the_log(self):
        for of_memory, of_other in self.pairs:
            assert of_other.state() == of_memory.state()
            for lease in of_memory.state().leases.values():
                assert set(lease.line) <= of_memory.state().members.keys()
                assert len(set(lease.line)) == len(lease.line)
            if STREAM in self.memory.streams():
                assert of_memory.state() == fold(self.memory.read(STREAM))

    def teardown(self):
        self.snapshots.stop()
        shutil.rmtree(self.folder)


class SharedFilesAreSharedMemory(SharingIsSharedMemory):
    def shared_log(self):
        return FileLog(self.folder / "shared", shared=True, durable=False, new_epoch=lambda: "e")

    @rule(handle=handles, torn=st.binary(max_size=30).filter(lambda torn: b"\n" not in torn))
    def die_in_mid_append(self, handle, torn):
        path = self.folder / "shared/events.jsonl"
        if path.exists():
            with path.open("ab") as file:
                file.write(torn)
        self.pairs[handle] = self.opened()


SETTINGS = settings(max_examples=60, stateful_step_count=25, deadline=None)
SharedFilesAreSharedMemory.TestCase.settings = SETTINGS
TestSharedFilesAreSharedMemory = SharedFilesAreSharedMemory.TestCase


def test_sharing_on_a_server_is_sharing_in_memory(redis_server, full_counts):
    class SharedServerIsSharedMemory(SharingIsSharedMemory):
        def __init__(self):
            super().__init__()
            self.workspace = new_workspace()

        def shared_log(self):
            return redis_server.store(self.workspace, new_epoch=lambda: "e").shared_log()

    examples = SETTINGS.max_examples if full_counts else 12
    run_state_machine_as_test(SharedServerIsSharedMemory, settings=settings(SETTINGS, max_examples=examples))
