"""The workspace: the folder beside a person's work that everything of the workbench is kept in.

.workbench/
├── .gitignore            "*": nothing of it is committed by accident
├── workspace.json        the workspace's id
├── config.toml           settings; read elsewhere
├── sessions/{id}.jsonl   the truth
├── shared/               what sessions share: events.jsonl, and before it archive/, the truth of it, and
│                         shared_context.json, a cache
├── trash/                what was deleted or damaged, until it is emptied
└── cache/                whatever can be deleted
"""

from __future__ import annotations

import os
import stat
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import msgspec

from workbench.domain.errors import LogDamaged, LogUnavailable, NotFound, UsageError
from workbench.domain.log.envelope import UNREADABLE
from workbench.storage import codec
from workbench.storage.files.damage.repair import Repair
from workbench.storage.files.damage.salvage import Salvage, salvage
from workbench.storage.files.drafts import Drafts, KeptDraft
from workbench.storage.files.holdings import FolderHoldings
from workbench.storage.files.lives import FileLives
from workbench.storage.files.log import SUFFIX, FileLog
from workbench.storage.files.mounts import require_local
from workbench.storage.files.opening import Files, create_whole, read_whole, reporting_errors
from workbench.storage.files.trash import Trash, Trashed, utc_now
from workbench.storage.files.watching.bell import Bell
from workbench.storage.places import FOLDER_NAME, find_workspace

ARCHIVE_AT = 16_000_000
"""Bytes of the shared stream's file above which it is archived."""


_NO_TEXT = (".index", ".safetensors", ".terms")
"""Caches of searches, which hold no text: whoever forgets something removes them all."""


class _Identity(msgspec.Struct, frozen=True):
    id: str


def random_workspace_id() -> str:
    """Return an id for a new workspace."""
    return f"w-{os.urandom(5).hex()}"


class WorkspaceFolder:
    """One ``.workbench`` folder, whose id is known."""

    def __init__(self, root: Path, workspace_id: str, *, files: Files, now: Callable[[], datetime]) -> None:
        self.root = root
        self.id = workspace_id
        """Drawn once, when the workspace was created; recorded in every event, on each machine that has these logs."""
        self.sessions = root / "sessions"
        self.shared = root / "shared"
        self.cache = root / "cache"
        self.config = root / "config.toml"
        self.drafts = Drafts(root / "drafts", files)
        self.files = files
        self._now = now
        self.bin = Trash(root / "trash", files=files, now=now)
        """Also if a process keeps what it knew of a session whose log went back."""
        self._bell = Bell(self.sessions)
        self._shared_bell = Bell(self.shared)
        self._logs: weakref.WeakSet[FileLog] = weakref.WeakSet()

    @property
    def waking(self) -> str:
        """How those who follow notice what was appended, in words."""
        return self._shared_bell.mechanism

    def log(self, *, durable: bool = True, new_epoch: Callable[[], str] = codec.random_epoch) -> FileLog:
        """Return the log of the workspace's sessions."""
        log = FileLog(
            self.sessions, durable=durable, new_epoch=new_epoch, now=self._now, files=self.files, bell=self._bell
        )
        self._logs.add(log)
        return log

    def shared_log(self, *, durable: bool = False, archive_at: int = ARCHIVE_AT) -> FileLog:
        """Return the log of what the workspace's sessions share; what it holds is archived from so many bytes on."""
        log = FileLog(
            self.shared,
            durable=durable,
            shared=True,
            archive_at=archive_at,
            now=self._now,
            files=self.files,
            bell=self._shared_bell,
        )
        self._logs.add(log)
        return log

    def close(self) -> None:
        """Let go of the files that logs keep open; the next append opens them again."""
        for log in list(self._logs):
            log.close()

    def lives(self) -> FileLives:
        """Return which of the workspace's sessions are open somewhere on this machine."""
        return FileLives(self.shared / "lives", self.files)

    def trash(self, stream: str) -> Trashed:
        """Move a session into the trash. Raises NotFound, LogBusy while another process drives it."""
        file = self.log().file(stream)
        with file.drive(), file.journal.appending():
            kept = self.bin.keep(file.stream, "deleted", file.path)
            self.files.unlink(file.path)
            self.files.sync_folder(self.sessions)
        self.drafts.keep(str(file.stream), KeptDraft())
        return next(entry for entry in self.bin.entries() if entry.name == kept.name)

    def copies(self, holds: Callable[[str], bool], *, of: str | None) -> list[str]:
        """Return the names of the files of caches and of the trash that ``holds`` says yes to, shown their text.

        In the trash only those of the session ``of`` and what was torn from what is shared, or any where ``of`` is
        None: what somebody deleted and could restore is not lost because it shares a word. Archives that no shared
        stream consists of are copies too. Raises LogUnavailable, LogDamaged.
        """
        log = self.shared_log()
        shared = set(log.streams())
        put_away = [
            self.bin.folder / one.name
            for one in self.trashed()
            if of in (one.stream, None) or (one.reason == "torn" and one.stream in shared)
        ]
        used = {path for stream in shared for path in log.archives(stream)}
        unused = [path for path in self._below(self.shared / "archive") if path not in used]
        return [*self.cached_copies(holds), *self._holding([*put_away, *unused], holds)]

    def cached_copies(self, holds: Callable[[str], bool]) -> list[str]:
        """Return those of caches and drafts, of the snapshot of what is shared, and what a crash left beside it."""
        beside = [path for path in self._below(self.shared, deep=False) if path.suffix in (".json", ".new")]
        texts = [path for path in self._below(self.cache) if path.suffix not in _NO_TEXT]
        return self._holding([*texts, *self._below(self.root / "drafts"), *beside], holds)

    def _below(self, folder: Path, *, deep: bool = True) -> list[Path]:
        """Return the files in a folder and, where ``deep``, in those below it; links among them, to be refused."""
        with reporting_errors(folder):
            entries = self.files.entries(folder)
        paths = []
        for name, status in entries:
            if not stat.S_ISDIR(status.st_mode):
                paths.append(folder / name)
            elif deep:
                paths += self._below(folder / name)
        return paths

    def _holding(self, files: Iterable[Path], holds: Callable[[str], bool]) -> list[str]:
        found = []
        for file in files:
            with reporting_errors(file), suppress(FileNotFoundError):  # another process removed it meanwhile
                if holds(read_whole(self.files, file).decode("utf-8", "replace")):
                    found.append(str(file.relative_to(self.root)))
        return found

    def remove(self, copies: Iterable[str]) -> None:
        """Remove files, by the names that ``copies`` gives them, for good."""
        for name in copies:
            with reporting_errors(self.root / name), suppress(FileNotFoundError):
                self.files.unlink(self.root / name)

    def trashed(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        return self.bin.entries()

    def restore(self, name: str) -> str:
        """Take a deleted session out of the trash, by its name there, and return its id.

        Raises NotFound, UsageError when it is not a deleted session, or when a session with its id exists.
        """
        entry = next((entry for entry in self.trashed() if entry.name == name), None)
        if entry is None:
            raise NotFound(f"There is nothing called {name!r} in the trash.", "Look at what the trash holds.")
        if entry.reason != "deleted":
            raise UsageError(
                f"{name} is not a deleted session but a {entry.reason} part of one.", "Look at it by hand."
            )
        source, target = self.bin.folder / name, self.sessions / f"{entry.stream}{SUFFIX}"
        with reporting_errors(source):
            try:
                self.files.link(source, target)
            except FileExistsError:
                raise UsageError(f"There is a session {entry.stream} already.", "Delete that one first.") from None
            self.files.sync_folder(self.sessions)  # before the old name goes: a power cut leaves one of the two
            self.files.unlink(source)
            self.files.sync_folder(self.bin.folder)
        return entry.stream

    def empty_trash(self) -> int:
        """Remove everything in the trash for good; return how many files that were."""
        return self.bin.empty()

    def holdings(self) -> FolderHoldings:
        """Return the same logs as whole streams, to be copied."""
        shared = self.shared_log(durable=True)
        return FolderHoldings(self.root, self.log(), shared, self.lives(), self.bin)

    def repair(self, stream: str, *, keep_nothing: bool) -> Repair:
        """Keep what can be read of a damaged session, as ``FileLog.repair`` does. Raises LogDamaged."""
        return self.log().repair(stream, keep_nothing=keep_nothing)

    def salvage(self, stream: str) -> Salvage:
        """Return what can be read of a damaged session, more than reading gives. Raises NotFound, LogError."""
        return salvage(self.log().file(stream).path)


def open_workspace(
    start: Path,
    *,
    new_id: Callable[[], str] = random_workspace_id,
    now: Callable[[], datetime] = utc_now,
    files: Files | None = None,
    keeps_logs: bool = True,
    upwards: bool = True,
) -> WorkspaceFolder:
    """Open the nearest workspace at or above a folder, or create one in it. Raises LogUnavailable, LogDamaged.

    A folder that ``keeps_logs`` itself is refused on a network file system. Not ``upwards``: only the folder's own.
    """
    files = files or Files()
    root = (find_workspace(start) if upwards else None) or start.absolute() / FOLDER_NAME
    if keeps_logs:
        require_local(root, files.mounts())
    with reporting_errors(root):
        if files.is_regular(root):
            raise LogUnavailable(f"{root} is a file where the workspace's folder is expected.", "Move that file away.")
        identity = root / "workspace.json"
        if not files.exists(identity):
            _create(root, identity, new_id(), files)
        return WorkspaceFolder(root, _read_id(identity, files), files=files, now=now)


def _create(root: Path, identity: Path, workspace_id: str, files: Files) -> None:
    for folder in (root / "sessions", root / "trash", root / "cache"):
        files.make_folder(folder)
    files.sync_folder(root.parent)  # before the id, which says that the workspace is complete
    for path, content in (
        (root / ".gitignore", b"*\n"),
        (identity, msgspec.json.encode(_Identity(workspace_id)) + b"\n"),
    ):
        with suppress(FileExistsError):  # another process creates the same workspace: its id holds
            create_whole(files, path, content)


def _read_id(identity: Path, files: Files) -> str:
    try:
        return msgspec.json.decode(read_whole(files, identity, 10_000), type=_Identity).id
    except UNREADABLE:
        raise LogDamaged(f"{identity} cannot be read.", "Delete that file: the workspace gets a new id.") from None
