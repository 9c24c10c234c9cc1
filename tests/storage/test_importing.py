"""Session files from anywhere, taken in: whole and unchanged, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from tests.builders import created as created_body
from tests.builders import told
from tests.doctored import created, said, sealed, write_session
from tests.redis_server import RedisServer, new_workspace
from workbench.domain.errors import InvalidId, LogDamaged, LogTooNew, LogUnavailable, NotFound, UsageError
from workbench.domain.log.envelope import Event
from workbench.storage import codec, importing
from workbench.storage.backend import Backend, open_backend
from workbench.storage.files.session_file import read_session_file, session_file
from workbench.storage.files.workspace import open_workspace
from workbench.storage.holdings import Held
from workbench.storage.importing import read_to_import, take_in
from workbench.storage.log_address import parse_log_address
from workbench.storage.redis.link import RedisLink

SAMPLES = sorted((Path(__file__).parents[2] / "sessions").glob("*.jsonl"))


@pytest.fixture(params=["files", "server"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    (tmp_path / "here").mkdir()
    folder = open_workspace(tmp_path / "here")
    if request.param == "files":
        return open_backend(folder, None)
    server: RedisServer = request.getfixturevalue("redis_server")
    return open_backend(folder, parse_log_address(f"{server.url}?workspace={new_workspace()}", "test"))


def lines_of(events: list[Event]) -> list[bytes]:
    return [codec.encode_event(event, more=False) for event in events]


def renamed(number: int) -> dict:
    return said("session.renamed", {"name": f"name {number}"})


def session_of(path: Path, length: int, *, name: str = "s") -> Path:
    return write_session(path, created(), *map(renamed, range(2, length + 1)), stream=name)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
def test_what_is_taken_in_is_the_same_byte_for_byte(backend: Backend, sample: Path, tmp_path: Path) -> None:
    events, lost = read_to_import(sample)
    assert (lost, lines_of(events)) == (0, lines_of(list(read_session_file(sample))))
    assert take_in(events, backend.holdings()) is None
    log = backend.log()
    assert lines_of(list(log.read(sample.stem))) == lines_of(events)
    assert list(log.streams()) == [sample.stem]
    back = tmp_path / "back.jsonl"
    back.write_bytes(session_file(list(log.read(sample.stem))))
    assert read_to_import(back).events == events
    assert back.read_bytes() == session_file(events)
    assert back.read_bytes().splitlines()[1:] == [line[:-1] for line in lines_of(events)]


def test_what_is_here_already_is_left_as_it_is(backend: Backend, tmp_path: Path) -> None:
    events = read_to_import(session_of(tmp_path / "s.jsonl", 3)).events
    holdings = backend.holdings()
    assert take_in(events, holdings) is None
    head = backend.log().head("s")
    assert take_in(events, holdings) == 0
    assert take_in(events[:2], holdings) == 1
    assert backend.log().head("s") == head


def test_another_session_of_that_id_is_refused_with_the_place(backend: Backend, tmp_path: Path) -> None:
    holdings = backend.holdings()
    take_in(read_to_import(session_of(tmp_path / "s.jsonl", 3)).events, holdings)
    head = backend.log().head("s")
    other = write_session(tmp_path / "other", created(), renamed(2), renamed(7), stream="s")
    for file, why in (
        (other, "event 3 is another one"),
        (session_of(tmp_path / "more", 5), "ends with event 3.*event 5"),
    ):
        with pytest.raises(UsageError, match=why) as refused:
            take_in(read_to_import(file).events, holdings)
        assert "--new-id" in refused.value.remedy
    assert backend.log().head("s") == head


def forgotten(path: Path, vouched: str = "") -> Path:
    """A file in which event 2 says something else than it did, and one that vouches for that."""
    from workbench.domain.log.envelope import body_digest

    body = msgspec.Raw(b'{"name":"forgotten"}')
    says = {"item": "message:s:2", "redacted": [{"event": "s:2", "body": vouched or body_digest(body)}]}
    vouching = said("content.forgotten", says)
    events = list(read_session_file(write_session(path, created(), renamed(2), renamed(3), vouching, stream="s")))
    events[1] = msgspec.structs.replace(events[1], body=body, redacted=body_digest(body))
    path.write_bytes(session_file(events))
    return path


def test_redacted_events_stay_redacted_and_differ_from_those_that_are_not(backend: Backend, tmp_path: Path) -> None:
    events = read_to_import(forgotten(tmp_path / "redacted")).events
    take_in(events, backend.holdings())
    assert list(backend.log().read("s"))[1].redacted
    with pytest.raises(UsageError, match="event 2 is redacted in one of them only"):
        take_in(read_to_import(session_of(tmp_path / "s.jsonl", 3)).events, backend.holdings())


def test_an_import_to_a_server_that_was_interrupted_goes_on(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    address = parse_log_address(f"{redis_server.url}?workspace={new_workspace()}", "test")
    backend = open_backend(open_workspace(tmp_path / "here"), address)
    events = read_to_import(session_of(tmp_path / "s.jsonl", 450)).events
    run_script, sent = RedisLink.run, []

    def failing(link: object, script: str, *words: object, **options: object) -> object:
        sent.append(script)
        if len(sent) == 2:
            raise LogUnavailable("The server is gone.", "Start it.")
        return run_script(link, script, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(RedisLink, "run", failing)
    with pytest.raises(LogUnavailable):
        take_in(events, backend.holdings())
    assert list(backend.log().streams()) == []
    head = backend.holdings().head(Held("session", "s"))
    assert head is not None
    assert head.seq == 200
    assert take_in(events, backend.holdings()) is None
    assert list(backend.log().read("s")) == events


# --- what is refused --------------------------------------------------------------------------------------------------


def flipped(path: Path, line: int) -> Path:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line][:-10] + b"X" + lines[line][-9:]
    path.write_bytes(b"".join(lines))
    return path


def without(path: Path, line: int) -> Path:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:line] + lines[line + 1 :]))
    return path


def cut(path: Path, size: int) -> Path:
    path.write_bytes(path.read_bytes()[:-size])
    return path


DAMAGED: dict[str, Callable[[Path], Path]] = {
    "a garbled line": lambda path: flipped(path, 3),
    "a missing line": lambda path: without(path, 3),
    "a torn end": lambda path: cut(path, 5),
    "a line of another kind": lambda path: write_session(
        path, created(), renamed(2), said("gate.opened", {"gat": 1}), renamed(4), stream="s"
    ),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_file_is_refused_and_its_sound_part_is_taken_where_that_is_wanted(how: str, tmp_path: Path) -> None:
    path = DAMAGED[how](session_of(tmp_path / "s.txt", 4))
    before = path.read_bytes()
    with pytest.raises(LogDamaged) as refused:
        read_to_import(path)
    assert "--sound-part" in refused.value.remedy
    events, lost = read_to_import(path, sound_part=True)
    sound = 3 if how == "a torn end" else 2
    assert [event.seq for event in events] == list(range(1, sound + 1))
    assert lost == {"a missing line": 1, "a torn end": 0}.get(how, 2)
    assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("sound_part", [False, True])
def test_other_words_that_no_forgetting_vouches_for_are_refused(tmp_path: Path, *, sound_part: bool) -> None:
    with pytest.raises(LogDamaged, match=r"Event 2 of .* has been changed"):
        read_to_import(forgotten(tmp_path / "s.jsonl", vouched="0" * 64), sound_part=sound_part)


def test_two_events_of_one_id_are_refused(tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", created(), {**renamed(2), "id": "s:1"})
    with pytest.raises(LogDamaged, match="same id"):
        read_to_import(path)


@pytest.mark.parametrize("name", ["../../etc/passwd", "UPPER", "a_b", "\x1b]0;owned\x07", "a" * 41, "*"])
def test_a_session_of_a_hostile_name_is_refused(tmp_path: Path, name: str) -> None:
    header = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN, name, "e"))
    (tmp_path / "s.jsonl").write_bytes(header + b"".join(lines_of(list(sealed(name, created())))))
    for sound_part in (False, True):
        with pytest.raises(InvalidId) as refused:
            read_to_import(tmp_path / "s.jsonl", sound_part=sound_part)
        assert "\x1b" not in str(refused.value)
    assert [path.name for path in tmp_path.iterdir()] == ["s.jsonl"]


def test_what_is_no_sessions_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "text").write_text("Dear all,\n")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "documents").write_bytes(codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN)))
    newer = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.VERSION + 1, "s", "e"))
    (tmp_path / "newer").write_bytes(newer)
    behind = codec.FileHeader(codec.FORMAT, codec.CONTINUED, "s", "e", 5, "ab")
    (tmp_path / "behind").write_bytes(
        codec.encode_header(behind) + b"".join(lines_of(told(created_body(), session="s")))
    )
    for name, error in (
        ("nothing", NotFound),
        (".", UsageError),
        ("x" * 300, LogUnavailable),
        ("text", LogDamaged),
        ("empty", LogDamaged),
        ("documents", LogDamaged),
        ("newer", LogTooNew),
        ("behind", LogDamaged),
    ):
        with pytest.raises(error) as refused:
            read_to_import(tmp_path / name)
        assert refused.value.remedy
    session_of(tmp_path / "large", 4)
    monkeypatch.setattr(importing, "LARGEST", 500)
    with pytest.raises(UsageError, match="too large"):
        read_to_import(tmp_path / "large")
