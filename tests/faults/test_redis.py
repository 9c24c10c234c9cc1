"""A server that dies, a network that is cut, a driver that sleeps: nothing acknowledged is lost or there twice."""

import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from tests.chains import is_sound
from tests.event_drafts import draft, drafts, numbers
from tests.faults.cutting_proxy import CuttingProxy
from tests.redis_server import a_server, new_workspace
from tests.waiting import eventually
from workbench.domain.errors import LogBusy, LogWentBack
from workbench.storage.redis.store import RedisStore

ROOT = Path(__file__).parents[2]
SOON = 60
"""Seconds within which what has to happen happens, on any machine."""


@pytest.fixture
def rounds(full_counts):
    """How many times the server is killed, or the network cut; 300 take longer than a test may: add ``--timeout 0``."""
    return 300 if full_counts else 3


class Writer(threading.Thread):
    """Appends batches as a process of its own would, and notes what was acknowledged."""

    def __init__(self, store, name, *, with_ids):
        super().__init__(daemon=True)
        self.log = store.log()
        self.name = name
        self.acknowledged = []
        self.sent = 0
        self.stopped = threading.Event()
        self._with_ids = with_ids
        self._chance = random.Random(name)

    def run(self):
        while not self.stopped.is_set():
            batch = []
            for _ in range(self._chance.randint(1, 3)):
                self.sent += 1
                named = {"event_id": f"{self.name}:{self.sent}"} if self._with_ids else {}
                body = msgspec.json.encode({"writer": self.name, "number": self.sent})
                batch.append(draft(body=body, **named))
            self.acknowledged += self.log.append("s", batch, expected=None)


class Reader(threading.Thread):
    """Follows a session; begins anew where it is told to."""

    def __init__(self, store):
        super().__init__(daemon=True)
        self.log = store.log()
        self.seen = []
        self.told = 0
        self.stopped = threading.Event()
        self.error = None

    def run(self):
        while not self.stopped.is_set():
            try:
                for batch in self.log.follow("s", after=len(self.seen), stopped=self.stopped.is_set):
                    self.seen += batch
            except LogWentBack:
                self.told += 1
                self.seen = []
            except BaseException as error:
                self.error = error
                raise


def run(*threads):
    for thread in threads:
        thread.start()


def end(*threads):
    for thread in threads:
        thread.stopped.set()
    for thread in threads:
        thread.join(SOON)
        assert not thread.is_alive()


def places(events):
    return {(event.seq, event.id, event.hash) for event in events}


def assert_whole(log, writers):
    """The session is dense, its chain holds, and nothing is in it that nobody wrote, or twice."""
    events = list(log.read("s"))
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert is_sound(log, "s")
    assert len({event.id for event in events}) == len(events)
    written = [bytes(event.body) for event in events[1:]]
    assert len(set(written)) == len(written)
    for writer in writers:
        assert sum(f'"{writer.name}"'.encode() in body for body in written) <= writer.sent
    return events


def test_the_server_is_killed_while_writers_append(rounds):
    """With always, what is acknowledged is there, whatever happens to the server."""
    chance = random.Random(5)
    workspace = new_workspace()
    with a_server("--appendfsync", "always") as server:
        stores = [server.store(workspace, patience=SOON) for _ in range(3)]
        log = stores[0].log()
        log.append("s", [draft()], expected=0)
        writers = [Writer(stores[0], "a", with_ids=True), Writer(stores[1], "b", with_ids=False)]
        reader = Reader(stores[2])
        run(*writers, reader)
        eventually(lambda: reader.seen)  # who never had an answer does not wait for the server to come back
        for _ in range(rounds):
            for writer in writers:
                enough = len(writer.acknowledged) + chance.randint(5, 60)
                eventually(lambda: len(writer.acknowledged) >= enough)  # noqa: B023  # called in this very round
            server.restart()
        end(*writers)
        events = assert_whole(log, writers)
        for writer in writers:
            assert len(writer.acknowledged) == writer.sent
            assert places(writer.acknowledged) <= places(events)
        eventually(lambda: len(reader.seen) >= len(events))
        end(reader)
        assert reader.seen == events
        assert reader.told == 0


def test_the_power_is_cut_and_what_was_not_synced_is_lost(rounds):
    """With everysec the last second is written but not synced; here it is cut off, somewhere in it.

    Who was told of a loss reads the session again while others write on: with each round it grows by more, so that a
    new one is begun after some.
    """
    chance = random.Random(6)
    while rounds > 0:
        cut_the_power(min(rounds, 30), chance)
        rounds -= 30


def cut_the_power(rounds: int, chance: random.Random) -> None:
    workspace = new_workspace()
    with a_server("--appendfsync", "everysec") as server:
        stores = [server.store(workspace, patience=SOON) for _ in range(3)]
        log = stores[0].log()
        log.append("s", [draft()], expected=0)
        writers = [Writer(stores[0], "a", with_ids=True), Writer(stores[1], "b", with_ids=True)]
        reader = Reader(stores[2])
        run(*writers, reader)
        eventually(lambda: all(len(writer.acknowledged) > 20 for writer in writers))
        acknowledged = [event for writer in writers for event in list(writer.acknowledged)]
        assert places(acknowledged) <= places(log.read("s"))
        for number in range(rounds):
            synced = log.head("s")
            journal = server.journal()
            size = journal.stat().st_size
            eventually(lambda: len(reader.seen) > synced.seq + 50, within=600.0)  # noqa: B023  # called in this round
            server.kill()
            written = journal.stat().st_size
            os.truncate(journal, chance.randint(size, min(size + 2000, written) if number == 0 else written))
            server.start()
            assert next(iter(log.read("s", after=synced.seq - 1))).hash == synced.hash, "and so all before it"
            server.wait_for_rewriting()
        end(*writers)
        events = assert_whole(log, writers)
        eventually(lambda: len(reader.seen) >= len(events))
        end(reader)
        assert reader.seen == events
        assert reader.told > 0
        for store in stores:
            store.close()


@pytest.mark.cases(1)
@pytest.mark.parametrize("with_ids", [True, False])
def test_the_network_is_cut_and_restored(redis_server, rounds, with_ids):
    chance = random.Random(7)
    workspace = new_workspace()
    log = redis_server.store(workspace).log()
    log.append("s", [draft()], expected=0)
    with CuttingProxy(redis_server.port) as proxy:
        stores = [RedisStore(proxy.url, workspace, patience=SOON) for _ in range(3)]
        writers = [Writer(stores[0], "a", with_ids=with_ids), Writer(stores[1], "b", with_ids=with_ids)]
        reader = Reader(stores[2])
        run(*writers, reader)
        eventually(lambda: reader.seen)  # who never had an answer does not wait for the server to come back
        for number in range(max(rounds, 15)):
            for writer in writers:
                enough = len(writer.acknowledged) + chance.randint(5, 30)
                eventually(lambda: len(writer.acknowledged) >= enough)  # noqa: B023  # called in this very round
            if number % 2:
                proxy.cut()
                proxy.restore()
            else:
                cut = proxy.replies_cut
                proxy.cut_replies(*(chance.randint(0, 6) for _ in range(3)))
                eventually(lambda: proxy.replies_cut == cut + 3)  # noqa: B023  # called in this very round
        end(*writers)
        events = assert_whole(log, writers)
        assert [len(writer.acknowledged) for writer in writers] == [writer.sent for writer in writers]
        assert sum(len(writer.acknowledged) for writer in writers) == len(events) - 1, "each of them once"
        assert places(event for writer in writers for event in writer.acknowledged) == places(events[1:])
        eventually(lambda: len(reader.seen) >= len(events))
        end(reader)
    assert reader.seen == events
    assert reader.told == 0
    assert reader.error is None


def test_who_follows_is_told_when_what_it_saw_last_is_lost_and_another_event_stands_there(redis_server):
    store = redis_server.store()
    log = store.log()
    log.append("s", drafts(1, 2), expected=0)
    keys = log._keys.stream("sessions", "s")
    with CuttingProxy(redis_server.port) as proxy, redis_server.client() as client:
        before = {key: client.dump(key) for key in keys}
        log.append("s", drafts(3, 3), expected=2)
        batches = RedisStore(proxy.url, store.workspace).log().follow("s", after=0, stopped=lambda: False)
        assert numbers(next(batches)) == [1, 2, 3]
        proxy.cut()
        for key, dumped in before.items():
            client.restore(key, 0, dumped, replace=True)
        log.append("s", drafts(13, 14), expected=None)
        proxy.restore()
        with pytest.raises(LogWentBack, match="event 3 is missing or another one"):
            next(batches)


@pytest.mark.parametrize("keep", [0, 1, 7])
@pytest.mark.parametrize("expected", [None, 2])
def test_an_append_whose_answer_is_cut_off_is_stored_once(redis_server, keep, expected):
    workspace = new_workspace()
    redis_server.store(workspace).log().append("s", drafts(1, 2), expected=0)
    with CuttingProxy(redis_server.port) as proxy:
        log = RedisStore(proxy.url, workspace).log()
        assert log.head("s").seq == 2
        proxy.cut_replies(keep)
        assert numbers(log.append("s", drafts(3, 4), expected=expected)) == [3, 4]
        assert proxy.replies_cut == 1
        assert numbers(log.read("s")) == [1, 2, 3, 4]


def test_a_creation_whose_answer_is_cut_off_is_done_once(redis_server):
    with CuttingProxy(redis_server.port) as proxy:
        store = RedisStore(proxy.url, new_workspace())
        store.link.command("PING")
        log = store.log()
        assert list(log.streams()) == []
        log.append("t", drafts(1, 1, session="t"), expected=0)
        proxy.cut_replies(200, 0)  # what is known of the stream, and the answer to the append
        log.append("s", drafts(1, 2), expected=0)
        assert proxy.replies_cut == 2
        assert numbers(log.read("s")) == [1, 2]


def test_whatever_is_sent_twice_is_done_once(redis_server):
    """As if every first answer was lost."""
    store = redis_server.store()
    log, trash = store.log(), store.trash()
    answer = log._link._answer
    log._link._answer = lambda work, *, once: (answer(work, once=once), answer(work, once=once))[1]
    log.append("s", drafts(1, 2), expected=0)
    log.append("s", drafts(3, 3), expected=2)
    log.append("s", [draft(4), draft(5, event_id="x:1")], expected=None)
    log.append("s", [draft(5, event_id="x:1"), draft(6)], expected=None)
    assert numbers(log.read("s")) == [1, 2, 3, 4, 5, 6]
    log.redact("s", {"s:2": msgspec.Raw(b'{"number":0}')}, drafts(7, 8), expected=6)
    assert numbers(log.read("s")) == [1, 0, 3, 4, 5, 6, 7, 8]
    with log.drive("s"):
        assert log.driver("s").pid == os.getpid()
        log.append("s", drafts(9, 9), expected=8)
    assert log.driver("s") is None
    put = trash.put("s")
    assert [put] == trash.entries()
    assert trash.restore(put.name) == "s"
    assert numbers(log.read("s")) == [1, 0, 3, 4, 5, 6, 7, 8, 9]
    assert is_sound(log, "s")
    trash.put("s")
    assert trash.empty() == 1


class Driving:
    """Another process that drives the session."""

    def __init__(self, server, workspace, ttl):
        command = [sys.executable, "-m", "tests.faults.redis_driver", server.url, workspace, str(ttl)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.says() == "driving"

    def says(self):
        return self.process.stdout.readline().strip()

    def appends(self, group):
        self.process.stdin.write(f"{group}\n")
        self.process.stdin.flush()
        return self.says()

    def signal(self, number):
        self.process.send_signal(number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.signal(signal.SIGCONT)
        self.process.communicate()


@pytest.fixture
def driven(redis_server):
    """A store with a session, and a process that drives it under a short time to live."""
    store = redis_server.store(workspace := new_workspace())
    store.log().append("s", drafts(1, 1), expected=0)
    store.shared_log().append("events", [draft()], expected=0)
    with Driving(redis_server, workspace, 0.3) as driving:
        yield store, driving
    store.close()


@pytest.mark.full
def test_a_driver_that_was_paused_until_another_one_came_is_refused(driven):
    store, driving = driven
    log = store.log()
    assert driving.appends("sessions") == "stored"
    assert log.driver("s").pid == driving.process.pid
    with pytest.raises(LogBusy, match=f"process {driving.process.pid} on .+ since"), log.drive("s"):
        pass
    driving.signal(signal.SIGSTOP)
    eventually(lambda: log.driver("s") is None)
    with log.drive("s"):
        log.append("s", drafts(2, 2), expected=None)
    driving.signal(signal.SIGCONT)
    assert driving.appends("sessions") == "Fenced"
    assert driving.appends("shared") == "Fenced"
    assert log.head("s").seq == 3
    assert log.driver("s") is None
    with log.drive("s"):
        log.append("s", drafts(3, 3), expected=3)


@pytest.mark.full
def test_a_driver_that_was_paused_while_nobody_came_goes_on(driven):
    store, driving = driven
    log = store.log()
    driving.signal(signal.SIGSTOP)
    eventually(lambda: log.driver("s") is None)
    driving.signal(signal.SIGCONT)
    assert driving.appends("sessions") == "stored"
    assert driving.appends("shared") == "stored"
    eventually(lambda: log.driver("s") is not None)
    assert log.driver("s").pid == driving.process.pid


def test_a_driver_that_dies_is_replaced(driven):
    store, driving = driven
    log = store.log()
    driving.signal(signal.SIGKILL)
    eventually(lambda: log.driver("s") is None)
    with log.drive("s"):
        assert log.driver("s").pid == os.getpid()
