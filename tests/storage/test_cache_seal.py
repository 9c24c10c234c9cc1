"""Seals of caches: only what this person's workbench wrote, of this very thing and unchanged, is used."""

import asyncio
import shutil

import msgspec
import pytest
from tests.memory_log import MemoryLog
from tests.sharing.managers import manager
from workbench import Workspace
from workbench.domain.log.ids import SessionId
from workbench.planning.memory.remembering import Said
from workbench.planning.policies import approving_all
from workbench.sharing.snapshot import Snapshot
from workbench.storage.files.cache_seal import PROCESS_SECRET, CacheSeal, secret_in

CONTENT = b'{"version":"1","sessions":{}}'


def seal(secret=b"s" * 32, workspace="w"):
    return CacheSeal(lambda: secret, workspace)


def test_a_sealed_object_is_json_and_opens_again():
    data = seal().sealed_object(CONTENT, "items", "a")
    assert msgspec.json.decode(data).keys() == {"seal", "version", "sessions"}
    assert seal().opened_object(data, "items", "a") == CONTENT


@pytest.mark.parametrize(
    ("other", "subject"),
    [
        (seal(b"t" * 32), ("items", "a")),
        (seal(workspace="v"), ("items", "a")),
        (seal(), ("items", "b")),
        (seal(), ("itemsa",)),
        (seal(), ("vectors", "a")),
    ],
)
def test_a_seal_of_another_secret_or_subject_does_not_hold(other, subject):
    assert seal().opened_object(other.sealed_object(CONTENT, *subject), "items", "a") is None


def test_every_changed_byte_is_noticed():
    data = seal().sealed_object(CONTENT, "items", "a")
    for index in range(len(data)):
        changed = data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]
        assert seal().opened_object(changed, "items", "a") is None
    for garbage in (b"", b"{}", b"\xff\xfe", data[:-1], data + b" ", data[:40]):
        assert seal().opened_object(garbage, "items", "a") is None


def test_the_secret_is_drawn_once_and_is_its_owners_alone(tmp_path):
    file = tmp_path / "config" / "cache-key"
    secret = secret_in(file)()
    assert (len(secret), file.read_bytes()) == (32, secret)
    assert file.stat().st_mode & 0o777 == 0o600
    assert secret_in(file)() == secret


@pytest.mark.parametrize("kind", ["folder in the way", "too short", "too long", "folder"])
def test_where_no_secret_can_be_kept_there_is_one_for_this_process(tmp_path, kind):
    file = tmp_path / "config" / "cache-key"
    if kind == "folder in the way":
        file.parent.write_text("x")
    elif kind == "folder":
        file.mkdir(parents=True)
    else:
        file.parent.mkdir()
        file.write_bytes(b"x" * (31 if kind == "too short" else 33))
    assert secret_in(file)() == PROCESS_SECRET


def opened(folder, config="config.toml"):
    return Workspace.open(folder, environ={"WORKBENCH_CONFIG": str(folder / "mine" / config)})


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A workspace with two sessions, all of whose caches were written."""
    folder = tmp_path_factory.mktemp("original")
    workspace = opened(folder)
    for cost in (4200, 4300):
        manager = workspace.start(f"Move billing for {cost} euros")
        asyncio.run(manager.run(approving_all()))
    shown(workspace)
    return folder


@pytest.fixture
def folder(original, tmp_path):
    shutil.copytree(original, tmp_path / "copy", copy_function=shutil.copy2)
    shown(opened(tmp_path / "copy"))  # in the copy, files have other inodes
    return tmp_path / "copy"


def shown(workspace):
    """What a person sees that comes from caches."""
    found = workspace.search_sessions("billing euros", 9)
    asking = SessionId("another-0000")
    recalled = workspace.parts.others.concerning("Billing: when did we move it?", 9, asking=asking, agent=None)
    return workspace.sessions(), [one.item for one in (*found.literal, *found.near, *recalled.near)]


def caches(folder):
    files = (folder / ".workbench" / "cache").rglob("*.*")
    return {file.relative_to(folder).as_posix(): file for file in files if file.is_file()}


def test_a_cache_of_another_session_is_not_shown(folder):
    before = shown(opened(folder))
    one, two = sorted((folder / ".workbench" / "cache" / "items").glob("*.json"))
    content = two.read_bytes()
    two.write_bytes(one.read_bytes().replace(one.stem.encode(), two.stem.encode()))
    assert shown(opened(folder)) == before
    assert two.read_bytes() == content


def test_a_cache_of_an_older_history_is_not_shown(folder):
    session = opened(folder).sessions()[0].session
    file = folder / ".workbench" / "cache" / "items" / f"{session}.json"
    old = file.read_bytes()
    opened(folder).session(session).remember([Said("Billing costs 7 euros.")])
    before = shown(opened(folder))
    assert any("7 euros" in item.text for item in before[1])
    file.write_bytes(old)
    assert shown(opened(folder)) == before


def test_caches_of_another_person_are_ignored_and_made_again(folder):
    """They came with a folder: sealed by somebody, with a secret that is not this person's."""
    before = {name: file.read_bytes() for name, file in caches(folder).items()}
    assert shown(opened(folder, "another/config.toml")) == shown(opened(folder, "another/config.toml"))
    after = {name: file.read_bytes() for name, file in caches(folder).items()}
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] == after[name]] == []


def test_no_secret_is_kept_in_the_workspace(folder):
    secret = (folder / "mine" / "cache-key").read_bytes()
    for file in (folder / ".workbench").rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert secret not in content
        assert secret.hex().encode() not in content


def test_bytes_that_are_not_utf8_are_no_cache(folder):
    before = shown(opened(folder))
    for file in caches(folder).values():
        file.write_bytes(b'{"seal":"\xff\xfe' + b"\xff" * 200)
        assert shown(opened(folder)) == before


def test_a_snapshot_sealed_by_another_secret_is_not_used(tmp_path):
    path = tmp_path / "shared_context.json"
    shared = manager(MemoryLog(shared=True))
    shared.subscribe("a")
    shared.get_context("a")
    shared.update_context("a", "billing", "4200 euros")
    Snapshot(path, seal=seal()).keep(shared.state(), "e")
    assert Snapshot(path, seal=seal()).load() == (shared.state(), "e", None)
    assert Snapshot(path, seal=seal(b"t" * 32)).load() is None
    path.write_bytes(path.read_bytes().replace(b"4200", b"9200"))
    assert Snapshot(path, seal=seal()).load() is None
