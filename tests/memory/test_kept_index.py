"""A kept index gives the results of one that was made from nothing, and is used only where it fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import pytest
from msgspec.structs import replace
from tests.builders import created, told
from tests.memory.test_vectors import Counting
from workbench import Workspace
from workbench.domain.log.growing import Growing
from workbench.domain.session import events as say
from workbench.domain.session.items import Item, items
from workbench.domain.session.session import fold
from workbench.memory import kept_index
from workbench.memory.kept_index import KeptIndexes
from workbench.memory.memory_view import SessionMemory
from workbench.memory.scope import Scope
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.remembering import Said
from workbench.storage.files.cache_seal import CacheSeal
from workbench.storage.files.opening import Files

TEXTS = ["The wards close at six", "Hospitals pay late", "x" * 700 + " and pages", "Beds are ordered in May", "数据库"]
PLANS = [
    Item(id="plan", session="s", role="artefact", agent=None, seq=9, time="", text=text)
    for text in ("Beds, then wards", "Wards, then beds")
]
QUERIES = ["wards", "who pays", "hospitls", "pages", "beds in May", "数据", "nothing of it"]


def state_of(*texts: str):
    return fold(told(created(), *(say.MessageGiven(role="user", text=text) for text in texts)))


def named(*texts: str) -> dict[str, Item]:
    return {item.id: item for item in items(state_of(*texts))}


@pytest.fixture
def kept(tmp_path, monkeypatch) -> KeptIndexes:
    monkeypatch.setattr(kept_index, "_LEAST", 3)
    return KeptIndexes(tmp_path, Files(), CacheSeal(lambda: b"secret", "w"))


def opened(kept: KeptIndexes) -> tuple[Scope, Counting]:
    embedder = Counting()
    return Scope(embedder, kept.for_asker("s", None)), embedder


def search(scope: Scope, query: str, seen: dict[str, Item], beside: dict[str, Item] | None = None):
    history: Any = Growing(seen.values())
    return scope.search(query, 9, beside or {}, history=history, said=lambda said: cast("Iterable[Item]", said))


def answers(scope: Scope, seen: dict[str, Item], beside: dict[str, Item] | None = None):
    return [search(scope, query, seen, beside) for query in QUERIES]


@pytest.mark.parametrize("before", range(3, len(TEXTS) + 1))
def test_results_are_those_of_a_new_index(kept, before):
    seen = named(*TEXTS)
    answers(opened(kept)[0], named(*TEXTS[:before]))
    assert answers(opened(kept)[0], seen) == answers(Scope(HashedWords()), seen)


@pytest.mark.parametrize("is_gone", [False, True])
def test_what_changed_or_is_gone_is_not_taken_from_it(kept, is_gone):
    seen = named(*TEXTS)
    answers(opened(kept)[0], seen)
    _, gone, changed, *_ = seen
    if is_gone:
        del seen[gone]
    seen[changed] = replace(seen[changed], text="The kitchen opens")
    scope, _ = opened(kept)
    assert answers(scope, seen) == answers(Scope(HashedWords()), seen)
    assert "shares “kitchen”" in search(scope, "kitchen", seen)[0].why


def test_what_is_beside_the_conversation_may_change_meanwhile(kept):
    seen, (old, new) = named(*TEXTS), PLANS
    answers(opened(kept)[0], seen, {"plan": old})
    scope, embedder = opened(kept)
    assert answers(scope, seen, {"plan": new}) == answers(Scope(HashedWords()), seen, {"plan": new})
    assert not set(TEXTS) & set(embedder.embedded)


def damaged(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize("change", [damaged, lambda data: data[:20], lambda _data: b""])
def test_a_file_that_was_changed_is_not_used(kept, tmp_path, change):
    answers(opened(kept)[0], named(*TEXTS))
    (file,) = tmp_path.iterdir()
    file.write_bytes(change(file.read_bytes()))
    scope, embedder = opened(kept)
    assert answers(scope, named(*TEXTS)) == answers(Scope(HashedWords()), named(*TEXTS))
    assert set(TEXTS[:2]) <= set(embedder.embedded)


def test_another_sessions_or_askers_file_is_not_used(kept, tmp_path):
    answers(opened(kept)[0], named(*TEXTS))
    (file,) = tmp_path.iterdir()
    for other in (kept.for_asker("t", None), kept.for_asker("s", ""), kept.for_asker("s", "ada")):
        (tmp_path / other._name).write_bytes(file.read_bytes())
        embedder = Counting()
        search(Scope(embedder, other), "wards", named(*TEXTS))
        assert set(TEXTS[:2]) <= set(embedder.embedded)


def test_a_private_session_keeps_none(kept, tmp_path):
    state = state_of(*TEXTS)
    SessionMemory(state.session, HashedWords(), kept).at(state).search("wards", 5)
    assert list(tmp_path.iterdir())
    private = replace(state, private=True)
    SessionMemory(state.session, HashedWords(), kept).at(private).search("wards", 5)
    assert not list(tmp_path.iterdir())


def test_forgetting_removes_it(tmp_path, monkeypatch):
    workspace = Workspace.open(tmp_path, environ={"WORKBENCH_CONFIG": f"{tmp_path}/none"})
    monkeypatch.setattr(kept_index, "_LEAST", 3)
    manager = workspace.start("Move the office by May")
    session = workspace.session(manager.session_id)
    first, *_ = session.remember([Said(text) for text in TEXTS])
    session.memory().search("wards", 5)
    cache = workspace.parts.indexes.folder
    assert [path.suffix for path in cache.iterdir()] == [kept_index.SUFFIX]
    session.forget(first)
    assert not list(cache.iterdir())
