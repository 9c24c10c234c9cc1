"""What the log on a server does besides being a log: drivers, heartbeats, trash, damage, and servers that refuse."""

import shutil
import socket
import subprocess
import threading
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec
import pytest
import redis
from tests.event_drafts import draft, drafts, numbers
from tests.redis_server import a_server, free_port
from workbench.domain.errors import (
    Fenced,
    InvalidId,
    LogBusy,
    LogDamaged,
    LogError,
    LogTooNew,
    LogUnavailable,
    NotFound,
    SettingsError,
    StaleHead,
    UsageError,
)
from workbench.storage import codec
from workbench.storage.files.log import FileLog
from workbench.storage.redis.failures import failure
from workbench.storage.redis.store import RedisStore

SECRET = "hunter2"


@pytest.fixture
def log(redis_store):
    return redis_store.log()


@pytest.fixture
def client(redis_server):
    with redis_server.client() as client:
        yield client


def key(store, part, stream="s", group="sessions"):
    return getattr(store.keys.stream(group, stream), part)


def lines(client, store):
    return [fields[b"line"] for _, fields in client.xrange(key(store, "events"))]


def rewritten(client, store, change):
    """Give the stored lines as something else would have left them: ``change(seq, line)``, None to leave one out."""
    events = key(store, "events")
    entries = client.xrange(events)
    client.delete(events)
    for name, fields in entries:
        line = change(int(name.split(b"-")[0]), fields[b"line"])
        if line is not None:
            client.xadd(events, fields | {b"line": line}, id=name)


def test_a_session_is_the_same_bytes_as_in_a_file(redis_server, client, tmp_path):
    epochs, again = iter(["e1", "e2"]), iter(["e1", "e2"])
    store = redis_server.store(new_epoch=lambda: next(epochs))
    files = FileLog(tmp_path / "sessions", new_epoch=lambda: next(again))
    for log in (store.log(), files):
        log.append("s", drafts(1, 3), expected=0)
        log.append("s", [draft(4, event_id="x:1"), draft(5)], expected=None)
        log.append("s", [draft(6), draft(4, event_id="x:1")], expected=None)
        log.redact("s", {"s:2": msgspec.Raw(b'"-"'), "x:1": msgspec.Raw(b'"-"')}, drafts(7, 8), expected=6)
    head = client.hgetall(key(store, "head"))
    whole = b"\n".join([head[b"header"], *lines(client, store), b""])
    assert whole == files.file("s").path.read_bytes()
    assert int(head[b"size"]) == len(whole)
    assert store.log().head("s") == files.head("s")


# who drives


def test_what_another_one_left_in_the_driver_s_place_is_no_driver_of_ours(client, redis_store, log):
    log.append("s", drafts(1, 1), expected=0)
    client.set(key(redis_store, "driver"), b"?")
    assert log.driver("s").pid == 0
    with pytest.raises(LogBusy, match="unknown host"), log.drive("s"):
        pass
    client.set(key(redis_store, "driver"), b'{"pid":1,"host":"a\\u001b[2J","since":"b","token":"c"}')
    assert "\x1b" not in log.driver("s").host


@pytest.fixture
def paused(redis_server):
    """A store whose drivers are not renewed in time, as if it was paused."""
    return redis_server.store(driver_ttl=3600)


def taken_over(client, store):
    """Let a driver's time run out, and another one come and go."""
    client.delete(key(store, "driver"))
    other = RedisStore(f"redis://{store.link.address}", store.workspace)
    with other.log().drive("s"):
        pass


def test_a_driver_that_was_replaced_is_refused_in_both_logs_until_it_leaves(client, paused):
    log, shared = paused.log(), paused.shared_log()
    log.append("s", drafts(1, 1), expected=0)
    log.append("t", drafts(1, 1, session="t"), expected=0)
    shared.append("events", [draft(1)], expected=0)
    with log.drive("s"):
        log.append("s", drafts(2, 2), expected=1)
        taken_over(client, paused)
        with pytest.raises(Fenced, match=r"declared dead.* session s ") as refused:
            log.append("s", drafts(3, 3), expected=2)
        assert "resuming" in refused.value.remedy
        with pytest.raises(Fenced):
            shared.append("events", [draft(2), draft(2, session="t")], expected=None)
        with pytest.raises(Fenced):
            shared.append("new", [draft(2)], expected=0)
        assert list(shared.streams()) == ["events"]
        shared.append("events", [draft(2, session="t")], expected=1)
        log.append("t", drafts(2, 2, session="t"), expected=1)
        with pytest.raises(Fenced):
            log.append("s", drafts(3, 3), expected=None)
    log.append("s", drafts(3, 3), expected=2)
    assert [event.seq for event in log.read("s")] == [1, 2, 3]


def test_what_was_stored_before_is_acknowledged_to_a_driver_that_was_replaced(client, paused):
    log = paused.log()
    log.append("s", drafts(1, 1), expected=0)
    with log.drive("s"):
        stored = log.append("s", drafts(2, 2), expected=1)
        taken_over(client, paused)
        assert log.append("s", drafts(2, 2), expected=1) == stored


def test_a_driver_whose_time_ran_out_goes_on_when_nobody_came(client, paused):
    log = paused.log()
    log.append("s", drafts(1, 1), expected=0)
    with log.drive("s"):
        client.delete(key(paused, "driver"))
        log.append("s", drafts(2, 2), expected=1)
    with log.drive("s"):
        log.append("s", drafts(3, 3), expected=2)


def test_a_driver_s_key_is_renewed_as_long_as_it_drives(redis_server, client):
    store = redis_server.store(driver_ttl=0.15)
    log = store.log()
    log.append("s", drafts(1, 1), expected=0)
    place = key(store, "driver")
    with log.drive("s"):
        for gone in (False, True):
            if gone:
                client.delete(place)
            left = client.pttl(place)
            while client.pttl(place) <= left:  # it only falls, unless somebody sets it anew
                left = client.pttl(place)
        who = client.get(place)
        taken = msgspec.json.decode(who) | {"token": "another"}
        client.set(place, msgspec.json.encode(taken))
        client.hset(key(store, "fence"), mapping={"epoch": 99, "token": "another"})
        renewing = [thread for thread in threading.enumerate() if thread.name == "renewing s"]
        renewing[0].join(60)
        assert not renewing[0].is_alive(), "it has noticed, and leaves the other one alone"
    assert client.hget(key(store, "fence"), "token") == b"another"
    assert client.get(place) == msgspec.json.encode(taken)


def test_a_renewal_that_comes_late_revives_no_driver_that_has_left(client, paused):
    log = paused.log()
    log.append("s", drafts(1, 1), expected=0)
    keys = (key(paused, "driver"), key(paused, "fence"))
    with log.drive("s"):
        who = client.get(keys[0])
        token, epoch = client.hmget(keys[1], "token", "epoch")
    assert log._link.run("renew", keys, (who, token, 60_000, epoch)) == b"lost"
    assert log.driver("s") is None


# trash


def test_a_session_is_put_into_the_trash_and_restored(redis_server):
    store = redis_server.store(now=lambda: datetime(2026, 11, 21, 22, 18, 29, 5, tzinfo=UTC))
    log, trash = store.log(), store.trash()
    log.append("s", drafts(1, 2), expected=0)
    store.lives().beat("s")
    epoch = log.head("s").epoch
    put = trash.put("s")
    assert put[:4] == ("s.deleted-20261121T221829000005Z", "s", "deleted", "2026-11-21T22:18:29.000005Z")
    assert put.size > 900
    assert list(log.streams()) == []
    assert store.lives().since_beat("s") is None
    with pytest.raises(NotFound):
        log.append("s", drafts(3, 3), expected=2)
    log.append("s", drafts(7, 7), expected=0)
    again = trash.put("s")
    assert again.name == f"{put.name}-2"
    assert trash.entries() == [put, again]
    assert trash.restore(put.name) == "s"
    assert numbers(log.read("s")) == [1, 2]
    assert log.head("s").epoch == epoch
    assert list(log.streams()) == ["s"]
    log.append("s", [draft(3)], expected=2)
    with pytest.raises(UsageError, match="a session s already"):
        trash.restore(again.name)
    assert trash.entries() == [again]
    assert trash.empty() == 1
    assert trash.empty() == 0
    with pytest.raises(NotFound):
        trash.restore(again.name.replace("s.", "t.", 1))
    with pytest.raises(InvalidId):
        trash.restore("../s.deleted")


# following


def following(log, after=0):
    return log.follow("s", after=after, stopped=lambda: False)


def test_who_follows_is_told_when_the_session_is_gone_or_another_one(redis_store, log):
    log.append("s", drafts(1, 3), expected=0)
    gone, other = following(log), following(log)
    assert len(next(gone)) == len(next(other)) == 3
    redis_store.trash().put("s")
    with pytest.raises(NotFound, match="removed meanwhile"):
        next(gone)
    log.append("s", drafts(1, 3), expected=0)
    with pytest.raises(StaleHead, match="replaced meanwhile"):
        next(other)


def test_a_stopped_follower_leaves_no_connection_behind(redis_server, client):
    store = redis_server.store()
    log = store.log()
    log.append("s", drafts(1, 3), expected=0)
    before = len(client.client_list())
    batches = following(log)
    next(batches)
    assert len(client.client_list()) == before + 1
    batches.close()
    while len(client.client_list()) > before:  # the server notices in its own time
        pass


# damage


def test_a_garbled_line_is_damage(client, redis_store, log):
    log.append("s", drafts(1, 4), expected=0)
    rewritten(client, redis_store, lambda _, line: line.replace(b'"number":3', b'"number":9'))
    with pytest.raises(LogDamaged, match=r"s at .* is damaged at event 3: its checksum does not hold; 2 events"):
        list(log.read("s"))
    with pytest.raises(LogDamaged, match="event 3"):
        next(following(log, after=2))


def resealed(line):
    """A line whose checksum holds again."""
    return codec.sealed(line[len(b'{"crc":"00000000",') :])[:-1]


def test_a_changed_event_with_a_sound_checksum_is_damage(client, redis_store, log):
    log.append("s", drafts(1, 40), expected=0)
    rewritten(client, redis_store, lambda _, line: resealed(line.replace(b'"number":37', b'"number":38')))
    with pytest.raises(LogDamaged, match="event 37: it was changed"):
        list(log.read("s"))


@pytest.mark.parametrize("lost", [1, 2, 33, 34, 40])
def test_a_lost_event_is_damage(client, redis_store, log, lost):
    log.append("s", drafts(1, 40), expected=0)
    client.xdel(key(redis_store, "events"), f"{lost}-0")
    with pytest.raises(LogDamaged, match=f"event {lost}: it is missing"):
        list(log.read("s"))


def test_an_event_of_another_session_or_no_event_is_damage(client, redis_store, log):
    log.append("s", drafts(1, 3), expected=0)
    foreign = redis_store.shared_log()
    foreign.append("s", [draft(1), draft(2, session="t"), draft(3)], expected=0)
    others = lines_of(client, key(redis_store, "events", group="shared"))
    rewritten(client, redis_store, lambda seq, _: others[seq - 1])
    with pytest.raises(LogDamaged, match="event 2: it belongs to the session 't'"):
        list(log.read("s"))
    rewritten(client, redis_store, lambda seq, line: codec.sealed(b'"doc":1}')[:-1] if seq == 2 else line)
    with pytest.raises(LogDamaged, match="it is no event"):
        list(log.read("s"))
    with pytest.raises(LogDamaged, match="it is no event"):
        list(log.read("s", after=2))


def lines_of(client, events):
    return [fields[b"line"] for _, fields in client.xrange(events)]


def header(version=1, stream="s", form="workbench-journal"):
    return codec.encode_header(codec.FileHeader(form, version, stream, "e"))[:-1]


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("header", header(version=99), LogTooNew),
        ("header", header(stream="t"), LogDamaged),
        ("header", header(form="x"), LogDamaged),
        ("header", b"{}", LogDamaged),
        ("header", codec.sealed(b'"format":1}')[:-1], LogDamaged),
        ("seq", b"x", LogDamaged),
        ("hash", b"\xff", LogDamaged),
    ],
)
def test_a_head_that_cannot_be_understood_is_refused(redis_server, client, redis_store, log, field, value, kind):
    log.append("s", drafts(1, 3), expected=0)
    client.hset(key(redis_store, "head"), field, value)
    for use in (log.head, lambda name: list(log.read(name)), lambda _: next(following(log))):
        with pytest.raises(kind) as told:
            use("s")
        assert told.value.remedy
    for one in (log, redis_server.store(redis_store.workspace).log()):
        with pytest.raises(kind):
            one.append("s", drafts(4, 4), expected=None)
    assert client.xlen(key(redis_store, "events")) == 3


def test_an_end_that_is_not_the_last_event_s_is_damage(client, redis_store, log):
    log.append("s", drafts(1, 3), expected=0)
    client.hset(key(redis_store, "head"), "hash", "0" * 64)
    with pytest.raises(LogDamaged, match="event 3: it is not where the stream ends"):
        list(log.read("s"))


def test_who_reads_while_the_session_is_redacted_is_told(log):
    log.append("s", drafts(1, 100), expected=0)
    reading = log.read("s")
    next(reading)
    log.redact("s", {"s:100": msgspec.Raw(b'"-"')}, [], expected=100)
    with pytest.raises(StaleHead):
        list(reading)


# servers that refuse


def reached(store):
    store.link.command("INFO", "memory")


def told(store, action=None):
    """What is said when the store is used; never with the password in it."""
    with pytest.raises(LogError) as caught:
        (action or reached)(store)
    assert SECRET not in f"{caught.value} {caught.value!r}"
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize(
    "url", ["http://h", "redis://h:x/", "redis://h/abc", "unix://", f"redis://:{SECRET}/@h", "", "redis://h:99999/"]
)
def test_an_address_that_cannot_be_used(url):
    with pytest.raises(SettingsError, match="address") as caught:
        RedisStore(url, "w-1")
    assert SECRET not in str(caught.value)


@contextmanager
def configured(client, **options):
    """The server with other settings for a moment."""
    before = {name: client.config_get(name.replace("_", "-")) for name in options}
    for name, value in options.items():
        client.config_set(name.replace("_", "-"), value)
    try:
        yield
    finally:
        for was in before.values():
            for name, value in was.items():
                client.config_set(name, value)


def test_a_server_without_memory_takes_nothing_and_loses_nothing(client, redis_store, log):
    log.append("s", drafts(1, 3), expected=0)
    with configured(client, maxmemory="1"):
        assert (
            "no memory left"
            in told(redis_store, lambda store: store.log().append("s", drafts(4, 5), expected=3)).message
        )
        assert numbers(log.read("s")) == [1, 2, 3]
    log.append("s", drafts(4, 5), expected=3)


def test_a_replica_takes_nothing(client, redis_store, log):
    log.append("s", drafts(1, 3), expected=0)
    client.replicaof("127.0.0.1", free_port())
    try:
        error = told(redis_store, lambda store: store.log().append("s", drafts(4, 5), expected=3))
        assert "replica" in error.message
        assert numbers(log.read("s")) == [1, 2, 3]
    finally:
        client.replicaof("NO", "ONE")


def test_what_is_no_such_server_is_said_to():
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer():
            for _ in range(2):
                connection, _ = listener.accept()
                with connection:
                    connection.recv(1000)
                    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        threading.Thread(target=answer, daemon=True).start()
        port = listener.getsockname()[1]
        assert "like a Redis or Valkey server" in told(RedisStore(f"redis://127.0.0.1:{port}", "w-1")).message
        assert "over TLS" in told(RedisStore(f"rediss://127.0.0.1:{port}", "w-1")).message


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (redis.BusyLoadingError("Redis is loading the dataset in memory"), LogBusy, "loading its data"),
        (redis.ResponseError("BUSY Redis is busy running a script."), LogBusy, "busy with another script"),
        (redis.ResponseError("Background save already in progress"), LogBusy, "writing its files"),
        (redis.ConnectionError("max number of clients reached"), LogBusy, "no connection left"),
        (redis.ResponseError("MISCONF Redis is configured to save RDB snapshots"), LogUnavailable, "to its disk"),
        (redis.ResponseError("MASTERDOWN Link with MASTER is down"), LogBusy, "lost its primary"),
        (redis.ResponseError("NOREPLICAS Not enough good replicas to write."), LogUnavailable, "too few replicas"),
        (redis.ResponseError("WRONGTYPE Operation against a key"), LogDamaged, "something else"),
        (redis.ResponseError("unknown command 'XADD'"), LogUnavailable, "lacks a command"),
        (redis.AuthenticationError("Authentication required."), LogUnavailable, "user and password"),
        (redis.ConnectionError("Error 113 connecting: No route to host."), LogUnavailable, "cannot be reached"),
        (redis.ResponseError("something \x1b[2J new"), LogUnavailable, "refused: something ␛[2J new"),
    ],
)
def test_every_refusal_has_its_sentence_and_remedy(error, kind, words):
    said = failure(error, "host:6379")
    assert type(said) is kind
    assert words in said.message
    assert said.message.startswith("The server host:6379 ")
    assert said.remedy


# TLS


@pytest.mark.skipif(shutil.which("openssl") is None, reason="makes a certificate with openssl")
def test_a_server_is_reached_over_tls(tmp_path):
    pair = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert")]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *pair, *name]
    subprocess.run(command, check=True, capture_output=True)
    port = free_port()
    options = [
        "--tls-port",
        str(port),
        "--tls-cert-file",
        str(tmp_path / "cert"),
        "--tls-key-file",
        str(tmp_path / "key"),
    ]
    with a_server(*options, "--tls-auth-clients", "no") as server:
        place = f"rediss://127.0.0.1:{port}"
        assert "over TLS" in told(RedisStore(place, "w-1")).message, "nobody vouches for it"
        log = RedisStore(f"{place}?ssl_ca_certs={tmp_path / 'cert'}", "w-1").log()
        log.append("s", drafts(1, 2), expected=0)
        batches = following(log)
        assert numbers(next(batches)) == [1, 2]
        server.store("w-1").log().append("s", drafts(3, 3), expected=2)
        assert numbers(next(batches)) == [3]
        batches.close()
