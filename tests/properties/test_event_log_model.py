"""A log of files or on a server, used through two handles that come and go, behaves like the log in memory."""

import shutil
import tempfile
from pathlib import Path

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.chains import is_sound
from tests.event_drafts import draft
from tests.memory_log import MemoryLog
from tests.redis_server import new_workspace
from workbench.domain.errors import NotFound, StaleHead
from workbench.storage.files.log import FileLog

streams = st.sampled_from(["a", "b"])
handles = st.integers(0, 1)
ids = st.sampled_from(["", "", "", "x:1", "x:2", "x:3"])
batches = st.lists(st.tuples(st.integers(0, 3), ids), min_size=1, max_size=3, unique_by=lambda one: one[1] or one)


def outcome(action):
    """What an append or a read comes to: its events, or the kind of its refusal."""
    try:
        return tuple(action())
    except (NotFound, StaleHead) as error:
        return type(error)


class LogIsMemoryLog(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.redactions = 0
        self.model = MemoryLog(new_epoch=self.epoch)
        self.handles = []
        self.last = {}

    def epoch(self):
        """A name for a history: another one after each redaction."""
        return f"e{self.redactions:03}"

    def open(self):
        """Open the log as another process would."""
        raise NotImplementedError

    @initialize()
    def opened(self):
        self.handles = [self.open(), self.open()]

    def append(self, handle, stream, drafts, expected):
        model = outcome(lambda: self.model.append(stream, drafts, expected=expected))
        assert outcome(lambda: self.handles[handle].append(stream, drafts, expected=expected)) == model
        self.last[stream] = drafts, expected

    def head_of(self, stream):
        try:
            return self.model.head(stream).seq
        except NotFound:
            return 0

    @rule(handle=handles, stream=streams, batch=batches)
    def append_at_the_head(self, handle, stream, batch):
        self.append(handle, stream, [draft(n, event_id=i, session=stream) for n, i in batch], self.head_of(stream))

    @rule(handle=handles, stream=streams, batch=batches)
    def append_behind_whatever_is_there(self, handle, stream, batch):
        self.append(handle, stream, [draft(n, event_id=i, session=stream) for n, i in batch], None)

    @rule(handle=handles, stream=streams, batch=batches, expected=st.integers(0, 12))
    def append_behind_a_guess(self, handle, stream, batch, expected):
        self.append(handle, stream, [draft(n, event_id=i, session=stream) for n, i in batch], expected)

    @rule(
        handle=handles, stream=streams, seqs=st.sets(st.integers(1, 12)), text=st.text(max_size=3), said=st.booleans()
    )
    def redact(self, handle, stream, seqs, text, said):
        stored = [event.id for event in self.model.read(stream)] if stream in self.model.streams() else []
        bodies = {name: msgspec.Raw(msgspec.json.encode(text)) for seq, name in enumerate(stored, 1) if seq in seqs}
        self.redactions += 1
        last = [draft(9, session=stream)] * said
        done = outcome(lambda: self.model.redact(stream, bodies, last, expected=len(stored)))
        log = self.handles[handle]
        assert outcome(lambda: log.redact(stream, bodies, last, expected=len(stored))) == done

    @rule(handle=handles, stream=streams)
    def retry(self, handle, stream):
        if stream in self.last:
            self.append(handle, stream, *self.last[stream])

    @rule(handle=handles, stream=streams, after=st.integers(0, 15))
    def read(self, handle, stream, after):
        expected = outcome(lambda: self.model.read(stream, after=after))
        assert outcome(lambda: self.handles[handle].read(stream, after=after)) == expected

    @rule(handle=handles)
    def reopen(self, handle):
        self.handles[handle] = self.open()

    @invariant()
    def both_show_the_same(self):
        for log in self.handles:
            assert list(log.streams()) == list(self.model.streams())
            for stream in self.model.streams():
                assert log.head(stream) == self.model.head(stream)
                assert is_sound(log, stream)


class FileLogIsMemoryLog(LogIsMemoryLog):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())

    def open(self):
        return FileLog(self.folder / "sessions", durable=False, new_epoch=self.epoch)

    @rule(handle=handles, stream=streams, torn=st.binary(max_size=30).filter(lambda torn: b"\n" not in torn))
    def die_in_mid_append(self, handle, stream, torn):
        path = self.folder / "sessions" / f"{stream}.jsonl"
        if path.exists():
            with path.open("ab") as file:
                file.write(torn)
        self.handles[handle] = self.open()

    def teardown(self):
        shutil.rmtree(self.folder)


SETTINGS = settings(max_examples=60, stateful_step_count=25, deadline=None)
FileLogIsMemoryLog.TestCase.settings = SETTINGS
TestFileLogIsMemoryLog = FileLogIsMemoryLog.TestCase


def test_a_log_on_a_server_is_the_log_in_memory(redis_server, full_counts):
    class RedisLogIsMemoryLog(LogIsMemoryLog):
        def __init__(self):
            super().__init__()
            self.workspace = new_workspace()

        def open(self):
            return redis_server.store(self.workspace, new_epoch=self.epoch).log()

    examples = SETTINGS.max_examples if full_counts else 12  # each redaction lets the server write its files anew
    run_state_machine_as_test(RedisLogIsMemoryLog, settings=settings(SETTINGS, max_examples=examples))
