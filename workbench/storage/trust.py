"""What each person accepted for each workspace, kept in the person's own folder and never in the workspace.

A record, ``trust/{hash of the real path}.json``, is for one real path and one workspace id. A folder that was moved,
another folder at the same path and a copy elsewhere have no record: the person is asked again.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec

from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.trust import Consent, TrustRequest, server_of
from workbench.storage.files.opening import Files, opened, read_whole, replace_whole, reporting_errors

_LARGEST = 20_000_000
"""Bytes of a record: a workspace with ten thousand sessions keeps a few consents for each."""


class _Identity(msgspec.Struct, frozen=True):
    id: str


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """What a person accepted for one workspace."""

    workspace: str = ""
    """Real path of the ``.workbench`` folder."""
    id: str = ""
    settings: dict[str, Any] = {}
    """Exact values of the folder's config.toml, accepted together."""
    models: tuple[tuple[str, str], ...] = ()
    """Models that the person named or accepted, each with its server; "" for the provider's own."""
    logs: tuple[str, ...] = ()
    """Log servers that the person named, with a hash instead of their password (``LogAddress.accepted_as``)."""
    owners: tuple[str, ...] = ()
    """Foreign owners that the person accepted, as ``owner.foreign_owner`` tells them."""
    contents: dict[str, str] = {}
    """Files of the folder that may be run or followed, by name, each with the digest of what was accepted."""
    consents: tuple[Consent, ...] = ()
    """What the person allowed inside its sessions."""

    def has_server_of(self, model: str, base_url: str) -> bool:
        """Tell whether a model's server is one of an accepted model."""
        return server_of(model, base_url) in {server_of(*pair) for pair in self.models}

    def with_request(self, request: TrustRequest) -> Accepted:
        """Return the record after a request was accepted; accepted settings take the place of earlier ones."""
        return msgspec.structs.replace(
            self,
            settings=request.settings or self.settings,
            contents=self.contents | request.contents,
            models=_union(self.models, (use.pair for use in request.models)),
            owners=_union(self.owners, [request.owner] if request.owner else []),
        )

    def with_model(self, model: str, base_url: str) -> Accepted:
        """Return the record after the person named a model and its server."""
        return msgspec.structs.replace(self, models=_union(self.models, [(model, base_url)]))

    def with_consent(self, consent: Consent) -> Accepted:
        """Return the record after the person allowed something."""
        return msgspec.structs.replace(self, consents=_union(self.consents, [consent]))

    def without_consent(self, consent: Consent) -> Accepted:
        """Return the record after something is not allowed any more."""
        return msgspec.structs.replace(self, consents=tuple(one for one in self.consents if one != consent))

    def with_log(self, accepted_as: str) -> Accepted:
        """Return the record after the person named a log server, as ``LogAddress.accepted_as`` tells it."""
        return msgspec.structs.replace(self, logs=_union(self.logs, [accepted_as]))


class TrustStore:
    """The records of one person."""

    def __init__(self, folder: Path, files: Files | None = None) -> None:
        """Use a folder, which need not exist."""
        self._folder = folder
        self._files = files or Files()

    def accepted(self, root: Path) -> Accepted:
        """Return what was accepted for the workspace in a ``.workbench`` folder; an empty record if nothing was."""
        workspace = os.fsencode(os.path.realpath(root)).decode("utf-8", "backslashreplace")
        identity = self._identity(root)
        record = self._read_record(self._file(root))
        is_same = record is not None and bool(identity) and (record.workspace, record.id) == (workspace, identity)
        return record if record is not None and is_same else Accepted(workspace=workspace, id=identity)

    def change(self, root: Path, changed: Callable[[Accepted], Accepted]) -> None:
        """Replace the record of a workspace. Gives the folder an id if it has none. Raises LogUnavailable."""
        if not self._identity(root):
            from workbench.storage.files.workspace import open_workspace

            open_workspace(root.parent, keeps_logs=False, upwards=False)
        with reporting_errors(self._folder), self._locked():
            before = self.accepted(root)
            after = changed(before)
            if after != before:
                content = msgspec.json.format(msgspec.json.encode(after)) + b"\n"
                replace_whole(self._files, self._file(root), content)

    def revoke(self, root: Path) -> bool:
        """Forget what was accepted for a workspace; tell whether there was anything. Raises LogUnavailable."""
        file = self._file(root)
        with reporting_errors(self._folder):
            if not self._files.exists(file):
                return False
            with self._locked(), suppress(FileNotFoundError):
                self._files.unlink(file)
        return True

    def all(self) -> list[Accepted]:
        """Return every record that can be read, by the workspaces' paths."""
        names = [name for name in self._files.names(self._folder) if name.endswith(".json")]
        records = [self._read_record(self._folder / name) for name in names]
        return sorted((record for record in records if record is not None), key=lambda record: record.workspace)

    def _file(self, root: Path) -> Path:
        path = os.fsencode(os.path.realpath(root))
        return self._folder / f"{hashlib.sha256(path).hexdigest()[:32]}.json"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from changing records: none of two changes is lost."""
        import fcntl  # if there are no locks, only this fails

        self._files.make_folder(self._folder)
        with opened(self._files, self._folder / "lock", os.O_RDWR | os.O_CREAT) as lock:
            fcntl.flock(lock.descriptor, fcntl.LOCK_EX)
            yield

    def _identity(self, root: Path) -> str:
        content = self._bytes(root / "workspace.json")
        try:
            return msgspec.json.decode(content, type=_Identity).id
        except UNREADABLE:
            return ""

    def _read_record(self, file: Path) -> Accepted | None:
        """Return a record; None if there is none that can be read, so that the person is asked again."""
        try:
            return msgspec.json.decode(self._bytes(file), type=Accepted)
        except UNREADABLE:
            return None

    def _bytes(self, file: Path) -> bytes:
        try:
            return read_whole(self._files, file, most=_LARGEST)
        except OSError:
            return b""


def _union(before: tuple[Any, ...], more: Any) -> tuple[Any, ...]:
    return tuple(dict.fromkeys([*before, *more]))
