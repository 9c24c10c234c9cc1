"""A folder from somebody else never decides alone who is sent a person's texts."""

from __future__ import annotations

from pathlib import Path

import pytest
from workbench.domain.errors import UsageError
from workbench.storage.accepted import AcceptedServers
from workbench.storage.log_address import parse_log_address

HERE = parse_log_address("redis://me:secret@host/0?workspace=acme", "--log")


def test_a_server_that_was_never_named_is_refused_with_the_line_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="never named") as failure:
        AcceptedServers(tmp_path / "accepted.json").require(HERE, "config.toml")
    assert failure.value.remedy.endswith("`workbench doctor --log 'redis://me@host:6379/0?workspace=acme'`.")
    assert "secret" not in str(failure.value)


def test_what_was_named_once_is_remembered_without_its_password(tmp_path: Path) -> None:
    file = tmp_path / "new" / "accepted.json"
    AcceptedServers(file).add(HERE)
    AcceptedServers(file).add(HERE)
    AcceptedServers(file).require(HERE, "config.toml")
    assert file.read_text().count("acme") == 1
    assert "secret" not in file.read_text()


@pytest.mark.parametrize("other", ["redis://evil/0?workspace=acme", "redis://host/1?workspace=acme", "redis://host/0"])
def test_another_server_database_or_namespace_is_another_one(other: str, tmp_path: Path) -> None:
    accepted = AcceptedServers(tmp_path / "accepted.json")
    accepted.add(HERE)
    assert not accepted.holds(parse_log_address(other, "--log"))


def test_another_password_is_the_same_server(tmp_path: Path) -> None:
    accepted = AcceptedServers(tmp_path / "accepted.json")
    accepted.add(HERE)
    assert accepted.holds(parse_log_address("redis://me:other@HOST:6379?workspace=acme", "--log"))


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1}', b"[1]", b"\xff"])
def test_a_file_that_cannot_be_read_accepts_nothing(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "accepted.json").write_bytes(content)
    assert not AcceptedServers(tmp_path / "accepted.json").holds(HERE)


def test_where_nothing_can_be_written_naming_goes_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    AcceptedServers(tmp_path / "file" / "accepted.json").add(HERE)
