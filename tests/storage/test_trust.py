"""What a person accepted holds for one workspace at one path, and for no copy of it."""

from __future__ import annotations

import shutil
import stat
from pathlib import Path

import pytest
from workbench.domain.trust import ModelUse, TrustRequest, server_of
from workbench.storage.files.mounts import foreign_owner
from workbench.storage.files.workspace import open_workspace
from workbench.storage.trust import TrustStore

PAIR = ("openai:m", "http://127.0.0.1:9/v1")


@pytest.fixture
def store(tmp_path: Path) -> TrustStore:
    return TrustStore(tmp_path / "own" / "trust")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return open_workspace(tmp_path / "project").root


def name_model(store: TrustStore, root: Path, pair: tuple[str, str] = PAIR) -> None:
    store.change(root, lambda accepted: accepted.with_model(*pair))


def test_a_record_belongs_to_its_person_alone(store: TrustStore, root: Path, tmp_path: Path) -> None:
    name_model(store, root)
    assert store.accepted(root).models == (PAIR,)
    (record,) = (tmp_path / "own" / "trust").glob("*.json")
    assert stat.S_IMODE(record.stat().st_mode) == 0o600
    assert stat.S_IMODE(record.parent.stat().st_mode) == 0o700


def test_a_moved_folder_is_not_trusted(store: TrustStore, root: Path, tmp_path: Path) -> None:
    name_model(store, root)
    moved = (tmp_path / "project").rename(tmp_path / "elsewhere") / ".workbench"
    assert store.accepted(moved).models == ()


def test_a_copy_with_the_same_id_is_not_trusted(store: TrustStore, root: Path, tmp_path: Path) -> None:
    name_model(store, root)
    copy = shutil.copytree(root, tmp_path / "copy" / ".workbench")
    assert store.accepted(copy).id == store.accepted(root).id
    assert store.accepted(copy).models == ()


def test_another_folder_at_the_same_path_is_not_trusted(store: TrustStore, root: Path) -> None:
    name_model(store, root)
    shutil.rmtree(root)
    open_workspace(root.parent)
    assert store.accepted(root).models == ()


def test_a_folder_without_an_id_is_given_one(store: TrustStore, tmp_path: Path) -> None:
    root = tmp_path / "project" / ".workbench"
    root.mkdir(parents=True)
    name_model(store, root)
    assert store.accepted(root).models == (PAIR,)


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff", b'{"workspace": "\xff"}', b'{"models": 7}'])
def test_a_damaged_record_accepts_nothing(content: bytes, store: TrustStore, root: Path, tmp_path: Path) -> None:
    name_model(store, root)
    (record,) = (tmp_path / "own" / "trust").glob("*.json")
    record.write_bytes(content)
    assert store.accepted(root).models == ()
    name_model(store, root)
    assert store.accepted(root).models == (PAIR,)


def test_revoked_trust_is_gone(store: TrustStore, root: Path) -> None:
    name_model(store, root)
    assert [record.workspace for record in store.all()] == [str(root)]
    assert store.revoke(root)
    assert not store.revoke(root)
    assert store.accepted(root).models == ()
    assert store.all() == []


@pytest.mark.parametrize(
    ("model", "base_url", "same"),
    [
        ("openai:other", "http://127.0.0.1:9/v2", True),
        ("openai:m", "http://127.0.0.1:8/v1", False),
        ("openai:m", "https://127.0.0.1:9/v1", False),
        ("openai:m", "", False),
        ("anthropic:m", "http://127.0.0.1:9/v1", False),
    ],
)
def test_a_server_is_provider_scheme_host_and_port(model: str, base_url: str, same: bool) -> None:
    assert (server_of(model, base_url) == server_of(*PAIR)) is same


def test_requests_with_other_values_have_other_hashes() -> None:
    use = ModelUse(model="openai:m", base_url="", host="api.openai.com", used_by="agent nova")
    requests = [
        TrustRequest(settings={"model": "openai:m"}),
        TrustRequest(settings={"model": "openai:n"}),
        TrustRequest(models=(use,)),
        TrustRequest(owner="/x belongs to another user (id 7)."),
    ]
    assert len({request.hash for request in requests}) == len(requests)
    assert all(requests)
    assert not TrustRequest()


def test_another_owner_is_foreign(root: Path) -> None:
    user = root.stat().st_uid
    assert foreign_owner(root, {user}) == ""
    assert str(user) in foreign_owner(root, {user + 1})
