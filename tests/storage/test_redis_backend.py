"""What a workspace on a server does with whole sessions: lists them, puts them away, forgets copies of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.event_drafts import draft, drafts
from tests.redis_server import RedisServer, new_workspace
from workbench.domain.errors import LogBusy, NotFound
from workbench.domain.log.envelope import Event
from workbench.storage.catalogue import Catalogue, Entry
from workbench.storage.files.workspace import WorkspaceFolder, open_workspace
from workbench.storage.log_address import parse_log_address
from workbench.storage.redis.backend import RedisBackend


@pytest.fixture
def folder(tmp_path: Path) -> WorkspaceFolder:
    return open_workspace(tmp_path)


@pytest.fixture
def backend(folder: WorkspaceFolder, redis_server: RedisServer) -> RedisBackend:
    return RedisBackend(folder, parse_log_address(f"{redis_server.url}?workspace={new_workspace()}", "test"))


class Listing:
    """A list of a backend's sessions through a cache, and what was read for it."""

    def __init__(self, backend: RedisBackend, cache: Path) -> None:
        self._backend = backend
        self._cache = cache
        self.read: list[list[int]] = []

    def __call__(self) -> dict[str, Entry]:
        self.read.clear()
        catalogue = Catalogue(self._backend.log(), self._cache, self._counted, version="1")
        return {entry.stream: entry for entry in catalogue.entries()}

    def _counted(self, before: dict[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
        self.read.append([event.seq for event in events])
        return {"count": (before or {"count": 0})["count"] + len(events)}


@pytest.fixture
def listed(backend: RedisBackend, tmp_path: Path) -> Listing:
    for name in ("b", "a"):
        backend.log().append(name, drafts(1, 3, session=name), expected=0)
    return Listing(backend, tmp_path / "cache.json")


def counts(entries: dict[str, Entry]) -> dict[str, Any]:
    return {name: entry.summary and entry.summary["count"] for name, entry in entries.items()}


def test_a_cache_that_stands_behind_another_event_is_not_believed(listed: Listing, tmp_path: Path) -> None:
    listed()
    cache = tmp_path / "cache.json"
    known = msgspec.json.decode(cache.read_bytes())
    stamp, cursor, summary, problem = known["sessions"]["a"]
    known["sessions"]["a"] = [["other", 1, 0], {**cursor, "hash": "f" * 64}, {"count": 99}, problem]
    cache.write_bytes(msgspec.json.encode(known))
    assert (stamp[1], summary) == (3, {"count": 3})
    assert counts(listed()) == {"a": 3, "b": 3}


def test_the_trash(backend: RedisBackend) -> None:
    backend.log().append("s", drafts(1, 3), expected=0)
    entry = backend.trash("s")
    assert backend.trashed() == [entry]
    assert (entry.stream, entry.reason) == ("s", "deleted")
    with pytest.raises(NotFound):
        backend.log().head("s")
    assert backend.restore(entry.name) == "s"
    assert backend.log().head("s").seq == 3
    backend.trash("s")
    assert backend.empty_trash() == 1
    assert backend.trashed() == []


def test_what_a_machine_kept_of_a_session_that_went_back_is_in_its_trash(
    backend: RedisBackend, folder: WorkspaceFolder
) -> None:
    log = backend.log()
    events = log.append("s", [draft(body=b'{"text":"secret"}')], expected=0)
    file = log.keep_unsaved("s", events)
    assert file.parent == folder.root / "trash"
    assert [(entry.stream, entry.reason) for entry in backend.trashed()] == [("s", "unsaved")]
    copies = backend.copies(saying("secret"), of="s")
    assert copies == [f"trash/{file.name}"]
    backend.remove(copies)
    assert not file.exists()
    log.keep_unsaved("s", events)
    assert backend.empty_trash() == 1
    assert backend.trashed() == []


def saying(text: str) -> Callable[[str], bool]:
    return lambda whole: text in whole


def test_copies_are_found_in_caches_and_in_the_trash_and_removed(
    backend: RedisBackend, folder: WorkspaceFolder
) -> None:
    for name, text in (("s", "secret"), ("t", "secret"), ("u", "else")):
        backend.log().append(name, [draft(session=name, body=b'{"text":"%b"}' % text.encode())], expected=0)
        backend.trash(name)
    (folder.cache / "items").mkdir()
    (folder.cache / "items" / "s.json").write_text("a secret")
    (folder.cache / "other.json").write_text("nothing")
    own = backend.copies(saying("secret"), of="s")
    assert [name.split(".")[0] for name in own] == ["cache/items/s", "trash/s"]
    everybody = backend.copies(saying("secret"), of=None)
    assert [name.split(".")[0] for name in everybody] == ["cache/items/s", "trash/s", "trash/t"]
    backend.remove(own)
    assert [one.stream for one in backend.trashed()] == ["t", "u"]
    assert not (folder.cache / "items" / "s.json").exists()
    assert (folder.cache / "other.json").exists()
    with pytest.raises(NotFound):
        backend.restore(own[1].removeprefix("trash/"))


def test_a_session_is_open_on_one_machine_at_a_time(backend: RedisBackend) -> None:
    here, elsewhere = backend.lives(), backend.lives()
    assert here.holder("s") is None
    assert here.since_beat("s") is None
    with here.live("s"):
        holder = elsewhere.holder("s")
        assert holder is not None
        assert holder.pid == os.getpid()
        assert (elsewhere.since_beat("s") or 0) < 60
        with pytest.raises(LogBusy, match=str(os.getpid())), elsewhere.live("s"):
            pass
        with elsewhere.live("t"):
            elsewhere.beat("t")
    assert elsewhere.holder("s") is None
    assert elsewhere.since_beat("s") is not None
    with elsewhere.live("s"):
        assert here.holder("s") is not None


def test_names_that_no_workbench_gives_are_passed_over(folder: WorkspaceFolder, redis_server: RedisServer) -> None:
    workspace = new_workspace()
    backend = RedisBackend(folder, parse_log_address(f"{redis_server.url}?workspace={workspace}", "test"))
    backend.log().append("a", drafts(1, 1, session="a"), expected=0)
    with redis_server.client() as client:
        names = client.keys(f"*{workspace}*sessions:streams")
        client.sadd(names[0], "../../../pwn", "\x1b]0;x\x07y", "two\nlines", "")
    assert list(backend.log().streams()) == ["a"]
    assert [stream for stream, _ in backend.log().stamps()] == ["a"]
