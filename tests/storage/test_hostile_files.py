"""Files from somebody else, valid by every checksum: each is refused or read, and none disturbs the others."""

import os

import msgspec
import pytest
from tests.builders import FixedClock
from tests.doctored import CREATED, DEEP, OPTIONS, created, said, write_session
from tests.event_drafts import drafts
from tests.memory_log import MemoryLog
from workbench.domain.errors import LogDamaged
from workbench.domain.log.growing import as_list, from_list
from workbench.domain.session.session import fold
from workbench.domain.session.summary import Summary, summarise
from workbench.planning.beside_the_loop.forking import fork
from workbench.storage import codec
from workbench.storage.catalogue import Catalogue
from workbench.storage.files.cache_seal import PROCESS_SEAL
from workbench.storage.files.log import FileLog
from workbench.storage.files.session_file import read_session_file

GATE = {"id": "g1", "kind": "approach", "question": "?", "choices": [], "options": ["A1"]}
FINISHED = {"call": "c1", "text": "x", "output_tokens": 1, "estimated": False, "model": "m", "reason": "stop"}
UNREADABLE = {
    "nested deeply": [said("session.created", b'{"goal":' + DEEP + b"}")],
    "nested deeply where nobody looks": [said("session.created", b'{"x":' + DEEP + b"}")],
    "not UTF-8": [said("session.created", b'{"goal":"\xff\xfe"}')],
    "half a surrogate pair": [said("session.created", b'{"goal":"\\ud800"}')],
    "a list": [said("session.created", [])],
    "a number of 4,300 digits": [created(), said("iteration.begun", b'{"number":' + b"9" * 4300 + b"}")],
    "of version -5": [said("session.created", CREATED, v=-5)],
    "no day": [created(today="not a day")],
    "no checkpoint ever": [created(options={**OPTIONS, "checkpoint_interval": 0})],
    "no such bound": [created(options={**OPTIONS, "bounds": {"max_tokens": -1}})],
    "tokens beyond counting": [
        created(),
        said("call.finished", {**FINISHED, "input_tokens": 2**60, "cost": None, "seconds": 1}),
    ],
    "a cost beyond all money": [
        created(),
        said("call.finished", {**FINISHED, "input_tokens": 1, "cost": 1e308, "seconds": 1}),
    ],
    "a call of a negative time": [
        created(),
        said("call.finished", {**FINISHED, "input_tokens": 1, "cost": 1, "seconds": -1}),
    ],
    "another kind's body": [created(), said("gate.opened", {"gat": 1})],
    "created twice": [created(), created(goal="Another")],
    "never created": [said("gate.opened", {"gate": GATE})],
    "another session's": [created() | {"session": "victim"}],
    "another session's, later": [created(), said("session.renamed", {"name": "x"}, session="victim")],
    "a path for a name": [created() | {"session": "../../etc"}],
}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "sessions"


def kept_as_session(before, events):
    summary = summarise(None if before is None else msgspec.convert(before, Summary, dec_hook=from_list), events)
    return {} if summary is None else msgspec.to_builtins(summary, enc_hook=as_list)


def accepted(data):
    summary = msgspec.json.decode(data)
    if summary:
        msgspec.convert(summary, Summary, dec_hook=from_list)
    return summary


def listed(folder, summarised=kept_as_session, accept=accepted):
    cache = folder.with_name("cache") / "sessions.json"
    entries = Catalogue(FileLog(folder), cache, summarised, version="1", accept=accept).entries()
    return {entry.stream: entry for entry in entries}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_taken_in_is_damage_and_its_neighbours_are_listed(name, folder):
    write_session(folder / "odd.jsonl", *UNREADABLE[name])
    write_session(folder / "sound.jsonl", created())
    with pytest.raises(LogDamaged) as refused:
        fold(FileLog(folder).read("odd"))
    assert refused.value.remedy
    for _ in range(2):
        entries = listed(folder)
        assert entries["sound"].summary["goal"] == "Move billing"
        assert entries["odd"].error is None or isinstance(entries["odd"].error, LogDamaged)


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_cannot_be_opened_is_repaired_to_what_can(name, folder):
    """Never called sound; and never thrown away without being told to."""
    path = write_session(folder / "odd.jsonl", *UNREADABLE[name])
    before = path.read_bytes()
    log = FileLog(folder)
    sound = len(UNREADABLE[name]) - 1
    if sound == 0:
        with pytest.raises(LogDamaged, match=r"Nothing of .* can be kept") as refused:
            log.repair("odd")
        assert "--keep-nothing" in refused.value.remedy
        assert (path.read_bytes(), log.trash.entries()) == (before, [])
    done = log.repair("odd", keep_nothing=True)
    assert (done.kept, done.lost) == (sound, 1)
    assert done.aside.read_bytes() == before
    if sound:
        assert fold(log.read("odd")).seq == sound
        assert log.repair("odd") == (sound, 0, None)
    else:
        assert list(log.streams()) == []


@pytest.mark.parametrize("body", [b'{"name":"x","more":"\xff"}', b'{"name":"x","more":1e400}'])
def test_a_body_that_no_log_takes_in_is_not_forked(body, folder):
    """Nobody reads the members that no version has; a log refuses them all the same."""
    path = write_session(folder / "odd.jsonl", created(), said("session.renamed", body))
    events = tuple(read_session_file(path))
    assert fold(events).seq == 2
    log = FileLog(folder)
    with pytest.raises(LogDamaged, match="Fork at an earlier event"):
        fork(log, events, 2, person="ada", workspace="w-1", clock=FixedClock())
    assert list(log.streams()) == ["odd"]
    fork(log, events, 1, person="ada", workspace="w-1", clock=FixedClock())


def test_events_of_other_sessions_are_read_where_a_stream_is_shared(folder):
    write_session(folder / "team.jsonl", created() | {"session": "one"}, created() | {"session": "two"})
    with pytest.raises(LogDamaged, match="belongs to the session 'one'"):
        list(FileLog(folder).read("team"))
    shared = FileLog(folder, shared=True)
    assert [event.session for event in shared.read("team")] == ["one", "two"]
    assert shared.repair("team", takes_in=lambda *_: None) == (2, 0, None)
    shared.append("team", drafts(3, 3, session="three"), expected=2)
    assert shared.head("team").seq == 3


@pytest.mark.parametrize("make", [FileLog, lambda _folder, **more: MemoryLog(**more)])
def test_an_event_of_another_session_is_not_appended(make, folder):
    with pytest.raises(ValueError, match="does not belong to a"):
        make(folder).append("a", drafts(1, 1, session="b"), expected=0)
    assert len(make(folder, shared=True).append("a", drafts(1, 1, session="b"), expected=0)) == 1


TAMPERED = {
    "the actor": (b'"actor":"person"', b'"actor":"policy"'),
    "the body": (b"Second", b"2nd..."),
    "a space in the header": (b'"kind":"session.renamed"', b'"kind": "session.renamed"'),
    "members in another order": (b'"actor":"person","person":"ada"', b'"person":"ada","actor":"person"'),
    "an actor behind the hash": (b'"}}', b'","actor":"policy"}}'),
    "a member behind it": (b"}}", b',"more":1}}'),
    "another body before it": (b'"body":{', b'"body":{"name":"No"},"body":{'),
    "another hash behind it": (b'"}}', b'","hash":"0"}}'),
    "another event before it": (b'"doc":{', b'"doc":{},"doc":{'),
    "the number of the line": (b'"id":2', b'"id":3'),
}


@pytest.mark.parametrize("how", TAMPERED)
def test_every_reader_finds_what_was_changed_under_a_right_checksum(how, folder):
    old, new = TAMPERED[how]
    path = write_session(folder / "s.jsonl", created(), said("session.renamed", {"name": "Second"}))
    lines = path.read_bytes().splitlines()
    assert old in lines[2]
    lines[2] = codec.sealed(lines[2][18:].replace(old, new))[:-1]
    path.write_bytes(b"\n".join(lines) + b"\n")
    log = FileLog(folder)
    copy = path.rename(folder.parent / "copy.txt")
    path.write_bytes(copy.read_bytes())
    for events in (log.read("s"), read_session_file(copy), FileLog(folder).read("s", after=1)):
        with pytest.raises(LogDamaged, match=r"line 3: (event 2 was changed|it is no event).*; 1 record before it"):
            list(events)
    assert isinstance(listed(folder)["s"].error, LogDamaged)
    assert log.repair("s").kept == 1


def test_an_append_checks_what_it_follows(folder):
    path = write_session(folder / "s.jsonl", created(), said("session.renamed", {"name": "Second"}))
    path.write_bytes(
        b"".join(codec.sealed(line[18:].replace(b'"turn":1', b'"turn":2')) for line in path.read_bytes().splitlines())
    )
    with pytest.raises(LogDamaged, match="event 1 was changed"):
        FileLog(folder).append("s", drafts(3, 3), expected=2)


@pytest.mark.parametrize("summary", [b'{"session":5}', b'{"events":"many"}', b'{"session":"s"}'])
def test_a_cached_summary_that_nobody_made_is_made_anew(summary, folder):
    write_session(folder / "s.jsonl", created())
    first = listed(folder)
    cache = folder.with_name("cache") / "sessions.json"
    content = cache.read_bytes()
    unsealed = PROCESS_SEAL.opened_object(content, "sessions")
    start = unsealed.index(b'{"session":"s"')
    forged = unsealed[:start] + summary + unsealed[unsealed.index(b"}", start) + 1 :]
    cache.write_bytes(PROCESS_SEAL.sealed_object(forged, "sessions"))
    assert listed(folder) == first
    assert cache.read_bytes() == content


def test_a_cached_place_that_does_not_hold_is_not_blamed_on_the_file(folder):
    path = write_session(folder / "s.jsonl", created())
    listed(folder)
    cache = folder.with_name("cache") / "sessions.json"
    unsealed = PROCESS_SEAL.opened_object(cache.read_bytes(), "sessions")
    forged = unsealed.replace(b'"seq":1,"hash":"', b'"seq":7,"hash":"')
    assert forged != unsealed
    cache.write_bytes(PROCESS_SEAL.sealed_object(forged, "sessions"))
    FileLog(folder).append("s", [rename_draft()], expected=1)
    os.utime(path)
    entry = listed(folder)["s"]
    assert (entry.error, entry.summary["events"]) == (None, 2)


def rename_draft():
    return msgspec.structs.replace(drafts(2, 2)[0], kind="session.renamed", body=msgspec.Raw(b'{"name":"x"}'))


def test_a_summary_that_fails_in_its_own_way_is_that_files_error(folder):
    write_session(folder / "s.jsonl", created())

    def failing(_before, _events):
        raise ValueError("a number with too many digits")

    entry = listed(folder, failing)["s"]
    assert isinstance(entry.error, LogDamaged)
    assert "too many digits" in entry.error.message
