"""Where logs are kept, as a person writes it: "" for the workspace's own files, else the address of a Redis server.

    redis://user:password@host:6379/0?workspace=acme
    ╰─────────── for the client ────╯ ╰ whose logs, among those on that server

What is shown of an address never holds its password.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import pbkdf2_hmac
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from workbench.domain.errors import InvalidId, SettingsError
from workbench.domain.log.ids import SessionId
from workbench.domain.text.patterns import lazy_pattern

_TLS = ("ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile", "ssl_check_hostname", "ssl_keyfile")
_OPTIONS = {"redis": ("workspace",), "rediss": ("workspace", *_TLS), "unix": ("workspace", "db")}
"""What the query of an address may say, by its scheme; all but ``workspace`` in the words of the client, redis-py."""
_HASH_ROUNDS = 100_000
_DATABASE = lazy_pattern(r"/[0-9]{1,5}")


class LogAddress(NamedTuple):
    """A Redis server, and whose logs on it."""

    url: str
    """For the client: with the password, without the workspace."""
    workspace: str
    """The namespace that is named; "" for the id of the workspace's own folder."""
    shown: str
    """The whole address without its password, always spelt alike: for people, and to compare."""
    holds_password: bool

    @property
    def accepted_as(self) -> str:
        """What a person accepts: the address as it is shown, and for its password a hash that is slow to guess from."""
        password = urlsplit(self.url).password
        if password is None:
            return f"{self.shown} (no password)"
        hashed = pbkdf2_hmac("sha256", password.encode("utf-8", "surrogateescape"), self.shown.encode(), _HASH_ROUNDS)
        return f"{self.shown} (password {hashed.hex()[:32]})"

    def with_workspace(self, workspace: str) -> LogAddress:
        """Return the address with a workspace, if it names none itself."""
        if self.workspace:
            return self
        joint = "&" if "?" in self.shown else "?"
        return self._replace(workspace=workspace, shown=f"{self.shown}{joint}workspace={workspace}")


def parse_log_address(text: str, source: str) -> LogAddress:
    """Read an address; ``source`` is where it stands. Raises SettingsError, which never shows the address."""
    try:
        parts = urlsplit(text)
        server, path = _server(parts)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise SettingsError(
            f"The log address from {source} is not a Redis server's.",
            'Give one like redis://HOST:6379/0, rediss://HOST:6379/0 or unix:///PATH; "" keeps logs in files.',
        ) from None
    known = _OPTIONS[parts.scheme]
    if not options.keys() <= set(known):
        raise SettingsError(
            f"The log address from {source} has an option that does not exist.",
            f"After the question mark it may have {', '.join(known)}.",
        )
    workspace = options.get("workspace", "")
    if "workspace" in options:
        _check_name(workspace, source)
    without = {name: value for name, value in options.items() if name != "workspace"}
    user = f"{parts.username}@" if parts.username else ""
    return LogAddress(
        _format(parts.scheme, parts.netloc, parts.path, without),
        workspace,
        _format(parts.scheme, user + server, path, options),
        bool(parts.password),
    )


def _server(parts: SplitResult) -> tuple[str, str]:
    """Return server and path with what an address leaves out. Raises ValueError for what is no address."""
    if parts.fragment or parts.scheme not in _OPTIONS:
        raise ValueError
    if parts.scheme == "unix":
        if parts.hostname or not parts.path.strip("/"):
            raise ValueError
        return "", parts.path
    database = parts.path if parts.path.strip("/") else "/0"
    if not parts.hostname or parts.port == 0 or not _DATABASE.fullmatch(database):
        raise ValueError
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{host}:{parts.port or 6379}", database


def _format(scheme: str, server: str, path: str, options: Mapping[str, str]) -> str:
    query = urlencode(sorted(options.items()))
    return f"{scheme}://{server}{path}{'?' if query else ''}{query}"


def _check_name(workspace: str, source: str) -> None:
    try:
        SessionId(workspace)
    except InvalidId as error:
        raise SettingsError(
            f"The log address from {source} names a workspace whose name is not valid.", error.remedy
        ) from None
