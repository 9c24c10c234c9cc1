"""Vectors that were kept are those that would be computed, and are computed once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from safetensors.numpy import save_file
from tests.memory.test_other_sessions import MARKET, Sessions
from workbench.domain.session import events as say
from workbench.memory.library import Library
from workbench.memory.other_sessions import OtherSessions
from workbench.memory.vectors import KeptVectors
from workbench.models.embeddings import HashedWords
from workbench.planning.memory.remembering import Said, remember
from workbench.storage.files.opening import Files

TEXTS = ["Hospitals pay", "Wards close", "\ud800"]


class Counting(HashedWords):
    def __init__(self, name: str = "counting") -> None:
        super().__init__()
        self.name = name
        self.embedded: list[str] = []

    def embed(self, texts: Sequence[str]):
        self.embedded += texts
        return super().embed(texts)


@pytest.fixture
def of_process(tmp_path):
    """Vectors as another process sees them, and what it embeds."""

    def open_one(name: str = "counting") -> tuple[KeptVectors, Counting]:
        embedder = Counting(name)
        return KeptVectors(embedder, tmp_path, Files()), embedder

    return open_one


def test_they_are_the_embedders_own_and_computed_once(of_process):
    first, embedder = of_process()
    first.keep("a", TEXTS)
    assert embedder.embedded == TEXTS
    second, embedder = of_process()
    second.keep("a", TEXTS)
    assert np.array_equal(second.embed([*TEXTS, "new", TEXTS[0]]), HashedWords().embed([*TEXTS, "new", TEXTS[0]]))
    assert embedder.embedded == ["new"]
    assert (second.name, second.dimensions, second.additive) == ("counting", 256, True)


@pytest.mark.parametrize(
    "tensors",
    [
        {"digests": np.zeros((3, 16), np.uint8)},
        {"digests": np.zeros((2, 16), np.uint8), "vectors": np.zeros((3, 256), np.float32)},
        {"digests": np.zeros((3, 8), np.uint8), "vectors": np.zeros((3, 256), np.float32)},
        {"digests": np.zeros((3, 16), np.uint8), "vectors": np.zeros((3, 255), np.float32)},
        {"digests": np.zeros((3, 16), np.uint8), "vectors": np.zeros((3, 256), np.float64)},
        {"digests": np.zeros((3, 16), np.uint8), "vectors": np.full((3, 256), np.nan, np.float32)},
        {},
    ],
)
def test_a_file_of_something_else_is_made_anew(of_process, tmp_path, tensors):
    save_file(tensors, tmp_path / "a.safetensors", {"embedder": "counting"})
    vectors, embedder = of_process()
    vectors.keep("a", TEXTS)
    assert embedder.embedded == TEXTS
    assert not any(one.shape != (256,) or np.isnan(one).any() for one in vectors._known.values())
    again, embedder = of_process()
    again.keep("a", TEXTS)
    assert embedder.embedded == []


# --- of sessions ------------------------------------------------------------------------------------------------------


def searched(sessions: Sessions, asking, embedder: Counting):
    others = OtherSessions(Library(sessions.log, embedder, sessions.folder))
    return others.search("market of hospitals", 10, asking=asking.session_id, agent=None).near


def test_another_process_embeds_the_query_alone_and_finds_the_same(tmp_path):
    sessions = Sessions(tmp_path / "items")
    asking = sessions.begin("Sell lamps")
    sessions.begin("Build clinics", MARKET, "Who pays? " * 100, Said("It pays.", role="assistant", agent="kahneman"))
    first, second = Counting(), Counting()
    found = searched(sessions, asking, first)
    assert searched(sessions, asking, second) == found != ()
    assert MARKET in first.embedded
    assert set(second.embedded) == {"market of hospitals", "market", "of", "hospitals"}


def test_no_vector_of_a_private_session_is_kept(tmp_path):
    sessions = Sessions(tmp_path / "items")
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    searched(sessions, asking, Counting())
    file = sessions.folder / f"{other.session_id}.safetensors"
    assert file.exists()
    other._session.record_given([say.PrivacyChanged(private=True)], actor="person")
    assert searched(sessions, asking, Counting()) == ()
    assert not file.exists()


def test_one_process_reads_a_session_again_only_when_it_changed(tmp_path, monkeypatch):
    sessions = Sessions(tmp_path / "items")
    asking, other = sessions.begin("Sell lamps"), sessions.begin("Build clinics", MARKET)
    embedder = Counting()
    others = OtherSessions(Library(sessions.log, embedder, sessions.folder))
    reads = []
    read = sessions.log.read
    monkeypatch.setattr(sessions.log, "read", lambda stream, **more: reads.append(stream) or read(stream, **more))
    for _ in range(3):
        others.search("market", 10, asking=asking.session_id, agent=None)
    assert reads == [other.session_id]
    list(remember(other._session, [Said("Hospitals are closed")]))
    embedder.embedded.clear()
    others.search("market", 10, asking=asking.session_id, agent=None)
    assert set(embedder.embedded) == {"Hospitals are closed", "market"}
