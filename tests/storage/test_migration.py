"""Logs on their way from one place to another: nothing is lost, changed, half there, or deleted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from tests.event_drafts import draft, drafts
from tests.redis_server import RedisServer, new_workspace
from workbench.domain.errors import LogBusy, LogDamaged, LogUnavailable, StaleHead, UsageError
from workbench.storage.backend import Backend, open_backend, open_holdings
from workbench.storage.files.workspace import WorkspaceFolder, open_workspace
from workbench.storage.holdings import Held, Holdings
from workbench.storage.log_address import LogAddress, parse_log_address
from workbench.storage.migration import Copied, Failed, migrate
from workbench.storage.redis.link import RedisLink


class Place:
    """Somewhere logs are kept."""

    def __init__(self, folder: WorkspaceFolder, address: LogAddress | None) -> None:
        self.folder = folder
        self.backend: Backend = open_backend(folder, address)
        self.holdings: Holdings = open_holdings(folder, address)

    def content(self) -> dict[str, list[bytes]]:
        """Every event of every stream, as it is stored."""
        return {
            str(one): [msgspec.json.encode(event) for event in self.holdings.events(one)]
            for one in self.holdings.held()
        }


@pytest.fixture
def files(tmp_path: Path) -> Callable[[str], Place]:
    def made(name: str) -> Place:
        (tmp_path / name).mkdir(exist_ok=True)
        return Place(open_workspace(tmp_path / name, now=lambda: datetime(2026, 11, 22, 10, tzinfo=UTC)), None)

    return made


@pytest.fixture
def server(redis_server: RedisServer, tmp_path: Path) -> Place:
    address = parse_log_address(f"{redis_server.url}?workspace={new_workspace()}", "test")
    (tmp_path / "machine").mkdir()
    return Place(open_workspace(tmp_path / "machine"), address)


@pytest.fixture
def here(files: Callable[[str], Place]) -> Place:
    """A workspace with sessions, one of them redacted and one deleted, and a shared log of two sessions."""
    place = files("here")
    log = place.backend.log()
    log.append("a", drafts(1, 3, session="a"), expected=0)
    log.append("a", drafts(4, 650, session="a"), expected=3)
    log.append("b", [draft(1, session="b", event_id="b:one"), *drafts(2, 5, session="b")], expected=0)
    log.redact("b", {"b:2": msgspec.Raw(b'{"number":0}')}, drafts(6, 6, session="b"), expected=5)
    log.append("c", drafts(1, 4, session="c"), expected=0)
    place.backend.trash("c")
    shared = place.backend.shared_log()
    shared.append("events", [draft(1, session="a"), draft(2, session="b")], expected=0)
    return place


def run(source: Place, target: Place) -> list[Copied | Failed]:
    return list(migrate(source.holdings, target.holdings, lambda _one, _count: None))


def how(done: list[Copied | Failed]) -> dict[str, str]:
    return {str(one.one): one.how if isinstance(one, Copied) else type(one.error).__name__ for one in done}


def test_there_and_back_every_event_is_byte_for_byte_the_same(
    here: Place, server: Place, files: Callable[[str], Place]
) -> None:
    before = here.content()
    assert set(how(run(here, server)).values()) == {"copied"}
    assert server.content() == before
    back = files("back")
    assert set(how(run(server, back)).values()) == {"copied"}
    assert back.content() == before == here.content()
    for log, stream in ((back.backend.log(), "a"), (back.backend.log(), "b"), (server.backend.log(), "b")):
        assert (log.head(stream).seq, log.head(stream).hash) == (
            here.backend.log().head(stream).seq,
            here.backend.log().head(stream).hash,
        )
    assert [one.stream for one in back.backend.trashed()] == ["c"]
    assert [one.when for one in back.backend.trashed()] == [one.when for one in here.backend.trashed()]


def test_interrupted_in_the_middle_nothing_half_is_listed_and_the_next_run_goes_on(
    here: Place, server: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = []
    run_script = RedisLink.run

    def failing(link: object, script: str, *words: object, **options: object) -> object:
        sent.append(script)
        if sent.count("append") == 3:
            raise LogUnavailable("The server is gone.", "Start it.")
        return run_script(link, script, *words, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(RedisLink, "run", failing)
    (failed, *_) = run(here, server)
    assert isinstance(failed, Failed)
    assert failed.error.message == "The server is gone."
    assert "a" not in set(server.backend.log().streams())
    monkeypatch.undo()
    assert server.holdings.head(failed.one) is not None
    assert how(run(here, server))["session a"] == "continued"
    assert server.content() == here.content()


def test_a_damaged_source_is_named_nothing_of_it_is_there_and_the_others_are(here: Place, server: Place) -> None:
    file = here.folder.sessions / "a.jsonl"
    data = file.read_bytes()
    file.write_bytes(data[:-60] + b"x" + data[-59:])
    done = run(here, server)
    assert how(done)["session a"] == "LogDamaged"
    assert {type(one) for one in done[1:]} == {Copied}
    assert server.holdings.head(Held("session", "a")) is None
    assert file.read_bytes() == data[:-60] + b"x" + data[-59:]


def test_another_stream_of_that_name_is_refused_with_both_heads(here: Place, server: Place) -> None:
    server.backend.log().append("a", [draft(7, session="a")], expected=0)
    before = server.backend.log().head("a")
    (failed, *_) = run(here, server)
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, StaleHead)
    assert before.hash[:12] in failed.error.message
    assert here.backend.log().head("a").hash[:12] in failed.error.message
    assert server.backend.log().head("a") == before


@pytest.mark.parametrize("place", ["here", "there"])
def test_what_was_redacted_in_one_place_only_is_refused(place: str, here: Place, server: Place) -> None:
    run(here, server)
    log = (here if place == "here" else server).backend.log()
    log.redact("a", {"a:2": msgspec.Raw(b'{"number":0}')}, drafts(651, 651, session="a"), expected=650)
    (failed, *_) = run(here, server)
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, UsageError)
    assert "Event 2" in failed.error.message


def test_what_was_redacted_since_is_not_appended_to_a_file(here: Place, files: Callable[[str], Place]) -> None:
    there = files("there")
    run(here, there)
    log = here.backend.log()
    log.append("a", drafts(651, 651, session="a"), expected=650)
    log.redact("a", {"a:651": msgspec.Raw(b'{"number":0}')}, drafts(652, 652, session="a"), expected=651)
    (failed, *_) = run(here, there)
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, UsageError)
    assert there.backend.log().head("a").seq == 650


@pytest.mark.parametrize("on_server", [False, True])
def test_nothing_begins_while_a_session_is_open(
    on_server: bool, here: Place, server: Place, files: Callable[[str], Place]
) -> None:
    source, target = here, files("there")
    if on_server:
        run(here, server)
        source = server
    with source.backend.lives().live("b"), pytest.raises(LogBusy, match=r"open: b \(process \d+ on .*Close them"):
        run(source, target)
    assert target.content() == {}
    assert set(how(run(source, target)).values()) == {"copied"}


def test_a_session_is_held_while_it_is_copied(here: Place, files: Callable[[str], Place]) -> None:
    there = files("there")
    held = set()

    def tell(one: Held, _count: int) -> None:
        if one.part == "session" and here.backend.log().driver(one.name) is not None:
            held.add(one.name)

    list(migrate(here.holdings, there.holdings, tell))
    assert held == {"a", "b"}


def test_what_is_appended_while_it_is_copied_waits_for_the_next_run(here: Place, server: Place) -> None:
    log = here.backend.log()

    def rated(one: Held, count: int) -> None:
        if (one.name, count) == ("a", 650):
            log.append("a", drafts(log.head("a").seq + 1, log.head("a").seq + 1, session="a"), expected=None)

    list(migrate(here.holdings, server.holdings, rated))
    assert server.backend.log().head("a").seq == 650
    run(here, server)
    assert server.content() == here.content()


def test_a_stream_that_does_not_arrive_whole_is_not_published(here: Place, files: Callable[[str], Place]) -> None:
    there = files("there")
    published = []

    class Losing:
        def __getattr__(self, name: str) -> object:
            return getattr(there.holdings, name)

        def take_in(self, _one: Held, events: Iterator[object], **_: object) -> None:
            list(events)

        def publish(self, one: Held) -> None:
            published.append(one)

    done = list(migrate(here.holdings, Losing(), lambda *_: None))  # type: ignore[arg-type]
    assert {type(one.error) for one in done if isinstance(one, Failed)} == {LogDamaged}
    assert published == []


def test_a_place_that_is_gone_ends_it_with_one_error(here: Place, files: Callable[[str], Place]) -> None:
    there = files("there")
    gone = LogUnavailable("The server is gone.", "Start it.")
    asked = []

    class Going:
        def __getattr__(self, name: str) -> object:
            return getattr(there.holdings, name)

        def held(self) -> list[Held]:
            asked.append("held")
            if len(asked) > 1:
                raise gone
            return []

        def head(self, _one: Held) -> None:
            raise gone

    with pytest.raises(LogUnavailable):
        list(migrate(here.holdings, Going(), lambda *_: None))  # type: ignore[arg-type]
    assert asked == ["held", "held"]
