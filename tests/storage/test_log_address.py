"""Addresses of log servers: read, refused, and shown without their passwords."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.errors import SettingsError
from workbench.storage.log_address import parse_log_address


@pytest.mark.parametrize(
    ("text", "url", "workspace", "shown"),
    [
        ("redis://host", "redis://host", "", "redis://host:6379/0"),
        ("redis://HOST:6379/0", "redis://HOST:6379/0", "", "redis://host:6379/0"),
        ("redis://host/2?workspace=acme", "redis://host/2", "acme", "redis://host:6379/2?workspace=acme"),
        ("redis://me:secret@host:7000", "redis://me:secret@host:7000", "", "redis://me@host:7000/0"),
        ("rediss://:secret@host/", "rediss://:secret@host/", "", "rediss://host:6379/0"),
        (
            "rediss://host/0?workspace=w-1&ssl_ca_certs=/ca.pem",
            "rediss://host/0?ssl_ca_certs=%2Fca.pem",
            "w-1",
            "rediss://host:6379/0?ssl_ca_certs=%2Fca.pem&workspace=w-1",
        ),
        ("redis://[::1]:6380", "redis://[::1]:6380", "", "redis://[::1]:6380/0"),
        ("unix:///run/redis.sock?db=3", "unix:///run/redis.sock?db=3", "", "unix:///run/redis.sock?db=3"),
        ("unix://me:secret@/run/redis.sock", "unix://me:secret@/run/redis.sock", "", "unix://me@/run/redis.sock"),
    ],
)
def test_addresses(text: str, url: str, workspace: str, shown: str) -> None:
    address = parse_log_address(text, "--log")
    assert address == (url, workspace, shown, "secret" in text)


@pytest.mark.parametrize(
    "text",
    [
        "files",
        "/srv/logs",
        "http://me:secret@host",
        "redis://",
        "redis://me:secret@",
        "redis://me:secret@host:port",
        "redis://me:secret@host:0",
        "redis://me:secret@host/name",
        "redis://me:secret@host/0#fragment",
        "redis://me:secret@[host",
        "redis://host?password=secret",
        "redis://host?secret",
        "redis://host?socket_timeout=1&workspace=a",
        "redis://host?ssl_cert_reqs=none",
        "redis://host?workspace=",
        "redis://me:secret@host?workspace=Not An Id",
        "unix://",
        "unix://host/run/redis.sock",
    ],
)
def test_what_is_no_address_is_refused_and_never_shown(text: str) -> None:
    with pytest.raises(SettingsError, match="from WORKBENCH_LOG") as failure:
        parse_log_address(text, "WORKBENCH_LOG")
    assert failure.value.remedy
    assert "secret" not in str(failure.value)


@given(st.text(st.characters(codec="utf-8"), max_size=40))
def test_any_text_is_an_address_or_refused_in_a_sentence(text: str) -> None:
    for start in ("", "redis://", "unix://"):
        try:
            address = parse_log_address(start + text, "--log")
        except SettingsError:
            continue
        again = parse_log_address(address.shown, "--log")
        assert (again.shown, again.workspace) == (address.shown, address.workspace)
        assert not again.holds_password
