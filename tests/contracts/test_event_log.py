"""What every EventLog promises, proven on each implementation."""

import copy
import os
import tempfile
import threading
from itertools import islice
from pathlib import Path

import msgspec
import pytest
from tests import memory_log
from tests.event_drafts import draft, drafts, numbers
from tests.memory_log import MemoryLog
from workbench.domain.errors import InvalidId, LogBusy, LogWentBack, NotFound, StaleHead
from workbench.domain.log.envelope import Head, first_broken_link, genesis
from workbench.storage.files.log import FileLog
from workbench.storage.files.watching import bell
from workbench.storage.files.watching.bell import Bell
from workbench.storage.files.watching.stopping import Stop

MINUTE = 60.0


FLOCK = pytest.param("flock-files", marks=pytest.mark.full)  # its locks have tests of their own


@pytest.fixture(params=["memory", "files", "durable-files", FLOCK, "redis"])
def log(request, tmp_path):
    if request.param == "flock-files":
        request.getfixturevalue("flock")
    if request.param == "memory":
        return MemoryLog()
    if request.param == "redis":
        return request.getfixturevalue("redis_store").log()
    return FileLog(tmp_path / "sessions", durable=request.param == "durable-files")


def test_a_stream_is_created_with_its_first_append(log):
    assert list(log.streams()) == []
    events = log.append("s", drafts(1, 3), expected=0)
    assert [event.seq for event in events] == [1, 2, 3]
    assert list(log.read("s")) == list(events)
    assert list(log.streams()) == ["s"]


@pytest.mark.parametrize("expected", [None, 1, 7])
def test_a_stream_is_never_created_silently(log, expected):
    with pytest.raises(NotFound):
        log.append("s", drafts(1, 1), expected=expected)
    assert list(log.streams()) == []


def test_what_does_not_exist_is_not_found(log):
    with pytest.raises(NotFound):
        list(log.read("s"))
    with pytest.raises(NotFound):
        log.head("s")
    with pytest.raises(NotFound):
        list(log.follow("s", after=0, stopped=lambda: False))
    with pytest.raises(NotFound):
        log.driver("s")
    with pytest.raises(NotFound), log.drive("s"):
        pass


@pytest.mark.parametrize("name", ["", "../s", "S", "a/b", "*", "a" * 41, "s.jsonl", "-s"])
def test_a_stream_is_named_by_an_id(log, name):
    with pytest.raises(InvalidId):
        log.append(name, drafts(1, 1, session=name), expected=0)
    with pytest.raises(InvalidId):
        list(log.read(name))


def test_an_append_behind_the_expected_head(log):
    log.append("s", drafts(1, 2), expected=0)
    log.append("s", drafts(3, 3), expected=2)
    log.append("s", drafts(4, 5), expected=None)
    assert [event.seq for event in log.read("s")] == [1, 2, 3, 4, 5]
    assert numbers(log.read("s")) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("expected", [0, 1, 3, 99])
def test_a_stale_append_changes_nothing(log, expected):
    before = log.append("s", drafts(1, 2), expected=0)
    with pytest.raises(StaleHead) as failure:
        log.append("s", drafts(10, 12), expected=expected)
    assert failure.value.remedy
    assert tuple(log.read("s")) == before


def test_a_retry_is_acknowledged_and_not_stored_twice(log):
    first = log.append("s", drafts(1, 2), expected=0)
    second = log.append("s", drafts(3, 4), expected=2)
    assert log.append("s", drafts(3, 4), expected=2) == second
    assert log.append("s", drafts(1, 2), expected=0) == first
    log.append("s", drafts(5, 5), expected=4)
    assert log.append("s", drafts(3, 4), expected=2) == second, "also when somebody appended behind it"
    assert len(list(log.read("s"))) == 5


@pytest.mark.parametrize("expected", [None, 1, 2])
def test_a_repeated_id_is_acknowledged_and_not_stored_twice(log, expected):
    (first,) = log.append("s", [draft(1, event_id="a:1")], expected=0)
    (second,) = log.append("s", [draft(2, event_id="a:2")], expected=None)
    assert first.id == "a:1"
    assert log.append("s", [draft(2, event_id="a:2")], expected=expected) == (second,)
    assert len(list(log.read("s"))) == 2


def test_a_batch_that_is_stored_in_part_is_completed(log):
    (first,) = log.append("s", [draft(1, event_id="a:1")], expected=0)
    mixed = log.append(
        "s", [draft(3, event_id="a:3"), draft(1, event_id="a:1"), draft(4, event_id="a:4")], expected=None
    )
    assert [event.id for event in mixed] == ["a:3", "a:1", "a:4"]
    assert mixed[1] == first
    assert [event.id for event in log.read("s")] == ["a:1", "a:3", "a:4"]


def test_an_id_names_one_event(log):
    log.append("s", [draft(1, event_id="a:1")], expected=0)
    with pytest.raises(StaleHead):
        log.append("s", [draft(2, event_id="a:1")], expected=None)
    with pytest.raises(ValueError, match="same id"):
        log.append("s", [draft(2, event_id="a:2"), draft(2, event_id="a:2")], expected=None)
    assert len(list(log.read("s"))) == 1


def test_an_empty_batch_does_nothing(log):
    assert log.append("s", [], expected=0) == ()
    assert list(log.streams()) == []
    log.append("s", drafts(1, 1), expected=0)
    assert log.append("s", [], expected=1) == ()
    assert log.head("s").seq == 1


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"NaN", b'{"a":Infinity}', b'{"a":"\xff"}', b'{"a":\n1}', b'{"a":\r1}', b'{"a":"\\ud800"}', b"{}{}"],
)
def test_a_body_that_could_not_be_read_back_is_refused(log, body):
    log.append("s", drafts(1, 1), expected=0)
    with pytest.raises(ValueError, match="body of a note"):
        log.append("s", [draft(2), draft(body=body)], expected=1)
    assert log.head("s").seq == 1


@pytest.mark.parametrize(
    "body", [b"null", b'"\xe2\x80\xa8\x7f"', b'{"b": 1,  "a": [1e300, -0.0]}', b'{"crc":"00000000"}']
)
def test_a_body_is_kept_byte_for_byte(log, body):
    log.append("s", [draft(body=body)], expected=0)
    (event,) = log.read("s")
    assert bytes(event.body) == body


def test_reading_after_a_cursor(log):
    log.append("s", drafts(1, 5), expected=0)
    for after in range(7):
        assert [event.seq for event in log.read("s", after=after)] == list(range(after + 1, 6))


def test_reading_a_long_stream_from_every_part(log):
    big = b'{"text":"%s"}' % (b"x" * 40_000)
    for seq in range(0, 100, 10):
        log.append("s", [draft(body=big)] * 10, expected=seq)
    list(log.read("s"))
    for after in (0, 1, 25, 26, 27, 52, 98, 99, 100):
        assert [event.seq for event in log.read("s", after=after)] == list(range(after + 1, 101))


def test_a_reader_sees_what_was_there_when_it_began(log):
    log.append("s", drafts(1, 3), expected=0)
    reading = log.read("s")
    assert next(reading).seq == 1
    log.append("s", drafts(4, 4), expected=3)
    assert [event.seq for event in reading] in ([2, 3], [2, 3, 4])


def test_following_yields_what_is_there_and_what_is_appended(log):
    log.append("s", drafts(1, 3), expected=0)
    batches = log.follow("s", after=1, stopped=lambda: False)
    assert [event.seq for event in next(batches)] == [2, 3]
    log.append("s", drafts(4, 5), expected=3)
    assert [event.seq for event in next(batches)] == [4, 5]
    batches.close()


def test_following_waits_and_never_sees_half_a_batch(log):
    log.append("s", drafts(1, 1), expected=0)
    seen = []
    enough = threading.Event()

    def follow():
        for batch in log.follow("s", after=1, stopped=enough.is_set):
            seen.append([event.seq for event in batch])
            if batch[-1].seq >= 61:
                return

    follower = threading.Thread(target=follow)
    follower.start()
    for seq in range(1, 61, 3):
        log.append("s", drafts(seq + 1, seq + 3), expected=seq)
    follower.join(60)
    enough.set()
    assert [seq for batch in seen for seq in batch] == list(range(2, 62))
    assert all(batch[-1] % 3 == 1 for batch in seen), "batches end where an append ended"


@pytest.fixture
def patient_log(request, log, tmp_path, monkeypatch):
    """Whoever follows it looks once a minute only: what they notice sooner, they were woken for.

    Over a server they ask the connection several times a second.
    """
    if isinstance(log, FileLog):
        monkeypatch.setattr(bell, "LOOK_EVERY", MINUTE)
        runtime = Path(request.getfixturevalue("short_folder"))
        return FileLog(tmp_path / "sessions", bell=Bell(tmp_path / "sessions", look_every=MINUTE, runtime=runtime))
    monkeypatch.setattr(memory_log, "ASK_EVERY", MINUTE)
    return log


@pytest.fixture
def short_folder():
    """A folder with a short path, as a socket's name must be."""
    with tempfile.TemporaryDirectory() as folder:
        yield folder


def test_a_follower_that_waits_ends_at_once_when_its_stop_is_set(patient_log):
    patient_log.append("s", drafts(1, 1), expected=0)
    asked = threading.Event()

    class Asked(Stop):
        def __call__(self):
            is_set = super().__call__()
            asked.set()
            return is_set

    stop = Asked()
    follower = threading.Thread(target=lambda: list(patient_log.follow("s", after=1, stopped=stop)), daemon=True)
    follower.start()
    assert asked.wait(60)
    stop.set()
    follower.join(MINUTE / 2)
    assert not follower.is_alive()


def test_threads_append_without_losing_or_doubling(log):
    log.append("s", drafts(1, 1), expected=0)
    acknowledged = []

    def write(writer):
        for number in range(20):
            acknowledged.extend(log.append("s", [draft(writer * 100 + number)] * 2, expected=None))

    threads = [threading.Thread(target=write, args=(writer,)) for writer in (1, 2, 3, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = list(log.read("s"))
    assert [event.seq for event in stored] == list(range(1, 162))
    assert sorted(acknowledged, key=lambda event: event.seq) == stored[1:]
    assert all(bytes(one.body) == bytes(two.body) for one, two in zip(stored[1::2], stored[2::2], strict=True))


def test_one_creator_wins(log):
    results = []
    barrier = threading.Barrier(4)

    def create(writer):
        barrier.wait()
        try:
            results.append(log.append("s", [draft(writer)], expected=0))
        except StaleHead:
            results.append(None)

    threads = [threading.Thread(target=create, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result for result in results if result] == [tuple(log.read("s"))]
    assert results.count(None) == 3


def test_one_driver_at_a_time(log):
    log.append("s", drafts(1, 1), expected=0)
    assert log.driver("s") is None
    with log.drive("s"):
        driver = log.driver("s")
        assert driver.pid == os.getpid()
        assert driver.host
        assert driver.since.endswith("Z")
        with pytest.raises(LogBusy) as failure, log.drive("s"):
            pass
        assert failure.value.remedy
        log.append("s", drafts(2, 2), expected=1)
    assert log.driver("s") is None
    with log.drive("s"):
        pass


def body(text):
    return msgspec.Raw(msgspec.json.encode({"text": text}))


def test_redacted_events_have_other_bodies_and_the_same_chain(log):
    before = log.append("s", drafts(1, 3), expected=0)
    epoch = log.head("s").epoch
    (said,) = log.redact("s", {"s:2": body("redacted")}, drafts(4, 4), expected=3)
    after = list(log.read("s"))
    assert [event.seq for event in after] == [1, 2, 3, 4]
    assert after[3] == said
    assert (after[0], after[2]) == (before[0], before[2])
    assert bytes(after[1].body) == b'{"text":"redacted"}'
    assert after[1].redacted
    assert msgspec.structs.replace(after[1], redacted="", body=before[1].body) == before[1]
    head = log.head("s")
    assert (head.seq, head.hash) == (4, said.hash)
    assert head.epoch != epoch
    assert first_broken_link(after, Head(head.epoch, 0, genesis("s"))) is None


def test_a_redacted_stream_goes_on(log):
    log.append("s", drafts(1, 3), expected=0)
    log.redact("s", {"s:1": body("x")}, drafts(4, 4), expected=3)
    log.append("s", drafts(5, 5), expected=4)
    log.redact("s", {"s:1": body("y"), "s:5": body("z")}, drafts(6, 7), expected=5)
    assert [bytes(event.body)[:9] for event in log.read("s", after=4)] == [b'{"text":"', b'{"number"', b'{"number"']
    assert [event.seq for event in log.read("s") if event.redacted] == [1, 5]
    assert log.head("s").seq == 7


def test_a_retry_of_what_was_redacted_meanwhile_is_acknowledged_and_not_stored_again(log):
    log.append("s", drafts(1, 1), expected=0)
    log.append("s", [draft(2, event_id="a:2"), draft(3)], expected=1)
    log.redact("s", {"a:2": body("x"), "s:3": body("x")}, drafts(4, 4), expected=3)
    assert [one.redacted != "" for one in log.append("s", [draft(2, event_id="a:2"), draft(3)], expected=1)] == [
        True
    ] * 2
    assert [one.seq for one in log.append("s", [draft(2, event_id="a:2")], expected=None)] == [2]
    assert log.head("s").seq == 4


@pytest.mark.parametrize("expected", [0, 2, 4])
def test_a_redaction_behind_another_head_changes_nothing(log, expected):
    before = log.append("s", drafts(1, 3), expected=0)
    head = log.head("s")
    with pytest.raises(StaleHead):
        log.redact("s", {"s:2": body("x")}, drafts(4, 4), expected=expected)
    assert tuple(log.read("s")) == before
    assert log.head("s") == head


def test_a_redaction_that_could_not_be_read_back_is_refused(log):
    before = log.append("s", drafts(1, 3), expected=0)
    for bodies in ({"s:9": body("x")}, {"s:2": msgspec.Raw(b"{")}, {"s:2": msgspec.Raw(b'{"a":\n1}')}):
        with pytest.raises(ValueError, match=r"no event s:9|body of the redacted event s:2"):
            log.redact("s", bodies, drafts(4, 4), expected=3)
    with pytest.raises(ValueError, match="does not belong"):
        log.redact("s", {}, drafts(4, 4, session="t"), expected=3)
    with pytest.raises(NotFound):
        log.redact("t", {}, [], expected=0)
    assert tuple(log.read("s")) == before


def test_a_session_that_is_driven_is_not_redacted(log):
    before = log.append("s", drafts(1, 3), expected=0)
    with log.drive("s"), pytest.raises(LogBusy):
        log.redact("s", {"s:2": body("x")}, drafts(4, 4), expected=3)
    assert tuple(log.read("s")) == before
    log.redact("s", {"s:2": body("x")}, drafts(4, 4), expected=3)
    assert log.driver("s") is None


def test_who_follows_a_redacted_stream_is_told_to_start_again(log):
    log.append("s", drafts(1, 3), expected=0)
    batches = log.follow("s", after=0, stopped=lambda: False)
    assert len(next(batches)) == 3
    log.redact("s", {"s:2": body("x")}, drafts(4, 4), expected=3)
    with pytest.raises(StaleHead):
        next(batches)
    (again,) = islice(log.follow("s", after=0, stopped=lambda: False), 1)
    assert len(again) == 4


# --- a log that goes back ---------------------------------------------------------------------------------------------


@pytest.fixture
def remember(log, request):
    """Return a function that remembers what the stream "s" holds, and returns one that puts it back."""

    def in_memory():
        kept = copy.deepcopy(log._streams["s"])
        return lambda: log._streams.update(s=copy.deepcopy(kept))

    def in_file():
        path = log.file("s").path
        content = path.read_bytes()
        return lambda: path.write_bytes(content)

    def on_server():
        keys, server = log._keys.stream("sessions", "s"), request.getfixturevalue("redis_server")
        with server.client() as client:
            dumped = {key: client.dump(key) for key in keys}

        def put_back():
            with server.client() as client:
                for key, value in dumped.items():
                    client.restore(key, 0, value, replace=True)

        return put_back

    return {MemoryLog: in_memory, FileLog: in_file}.get(type(log), on_server)


def head_of(events):
    return Head("", events[-1].seq, events[-1].hash)


@pytest.fixture(params=["missing", "another event there", "others after another event"])
def gone(request, log, remember):
    """The head of events 1 to 3 in a stream that went back, and what it holds now."""
    log.append("s", drafts(1, 2), expected=0)
    go_back = remember()
    known = head_of(log.append("s", drafts(3, 3), expected=2))
    go_back()
    if request.param != "missing":
        log.append("s", drafts(13, 13 if request.param == "another event there" else 15), expected=2)
    return known, list(log.read("s"))


@pytest.mark.parametrize("expected", [None, 3])
def test_nothing_is_appended_after_a_log_went_back(log, gone, expected):
    known, there = gone
    with pytest.raises(LogWentBack, match="event 3 is missing or another one") as failure:
        log.append("s", drafts(4, 4), expected=expected, known=known)
    assert failure.value.remedy
    assert list(log.read("s")) == there


def test_reading_on_after_a_log_went_back_is_refused(log, gone):
    known, there = gone
    with pytest.raises(LogWentBack):
        list(log.read("s", after=3, known=known))
    with pytest.raises(LogWentBack):
        next(log.follow("s", after=3, stopped=lambda: False, known=known))
    assert list(log.read("s", after=2, known=head_of(there[:2]))) == there[2:], "what is still there can be read on"


@pytest.mark.parametrize("then", [0, 1, 3])
def test_a_follower_is_told_that_the_log_went_back(log, remember, then):
    log.append("s", drafts(1, 2), expected=0)
    go_back = remember()
    log.append("s", drafts(3, 3), expected=2)
    batches = log.follow("s", after=0, stopped=lambda: False)
    assert sum(len(batch) for batch in islice(batches, 1)) == 3
    go_back()
    if then:
        log.append("s", drafts(13, 12 + then), expected=2)
    with pytest.raises(LogWentBack):
        next(batches)
