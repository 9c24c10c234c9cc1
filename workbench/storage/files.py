"""The operating system's calls that keeping events depends on, and its errors in words a person can act on.

One seam: a test hands over a subclass whose calls fail, stop short or die, and so proves each step of an append, a
creation and a repair. Everything that is created here belongs to its owner alone: files 0600, folders 0700.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from workbench.domain.errors import LogUnavailable, NotFound

FILE_MODE = 0o600
FOLDER_MODE = 0o700

_CAUSES = {
    errno.EACCES: ("permission is denied", "Give yourself permission to read and write it."),
    errno.EPERM: ("the system does not permit it", "Give yourself permission, or use a workspace on a local disk."),
    errno.EROFS: ("the file system is read-only", "Use a workspace on a disk that can be written to."),
    errno.ENOSPC: ("the disk is full", "Free some space and try again; nothing that was saved is lost."),
    errno.EDQUOT: ("your disk quota is used up", "Free some space and try again; nothing that was saved is lost."),
    errno.EIO: ("the disk reported an error", "Check the disk and try again; nothing that was saved is lost."),
    errno.ENOTDIR: ("a file stands where a folder is expected", "Move that file away, or use another workspace."),
    errno.EISDIR: ("a folder stands where a file is expected", "Move that folder away."),
    errno.EMFILE: ("too many files are open", "Close other sessions and try again."),
    errno.ENOTSUP: ("the file system cannot do this", "Use a workspace on a local disk."),
}


def unavailable(error: OSError, path: Path) -> LogUnavailable:
    """Return an error of the operating system as a sentence and a remedy."""
    otherwise = (f"the system says “{error.strerror or error}”", "Use another workspace, or ask who runs this system.")
    cause, remedy = _CAUSES.get(error.errno or 0, otherwise)
    return LogUnavailable(f"{path} cannot be used: {cause}.", remedy)


class reported:  # noqa: N801  # read as a statement: with reported(path): …
    """Turn errors of the operating system into NotFound and LogUnavailable for a path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, FileNotFoundError):
            raise NotFound(f"There is no {self._path}.", "Look at what `workbench sessions list` shows.") from error
        if isinstance(error, OSError):
            raise unavailable(error, self._path) from error


class Files:
    """The calls themselves; errors are OSError."""

    def open(self, path: Path, flags: int) -> int:
        """Open a file; a created one is readable by its owner only, whatever the umask. Never waits on a pipe."""
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NONBLOCK, FILE_MODE)
        if flags & os.O_CREAT:
            os.fchmod(descriptor, FILE_MODE)
        return descriptor

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        """Return up to ``size`` bytes from ``offset``."""
        return os.pread(descriptor, size, offset)

    def write(self, descriptor: int, data: memoryview) -> int:
        """Write at the end of a file opened for appending; return how many bytes it took."""
        return os.write(descriptor, data)

    def datasync(self, descriptor: int) -> None:
        """Return when the file's bytes would survive a power cut."""
        os.fdatasync(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file off at ``size`` bytes."""
        os.ftruncate(descriptor, size)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must be free: FileExistsError says that it is not."""
        os.link(source, target)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file over another."""
        source.replace(target)

    def unlink(self, path: Path) -> None:
        """Remove a name of a file."""
        path.unlink()

    def sync_folder(self, path: Path) -> None:
        """Return when the names in a folder would survive a power cut."""
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def mounts(self) -> str:
        """Return what is mounted where, as Linux' /proc/self/mountinfo says it; "" on other systems."""
        try:
            return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return ""

    def make_folder(self, path: Path) -> None:
        """Create a folder and those above it, readable by their owner only; an existing one is left as it is."""
        if path.is_dir():
            return
        if not path.parent.exists():
            self.make_folder(path.parent)
        try:
            path.mkdir(FOLDER_MODE)
        except FileExistsError:
            if not path.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path)) from None
        else:
            path.chmod(FOLDER_MODE)


class OpenFile(NamedTuple):
    """A regular file that is open."""

    descriptor: int
    device: int
    inode: int
    size: int
    """Bytes, when it was looked at."""


def look_at(descriptor: int, path: Path) -> OpenFile:
    """Return what is open. Raises LogUnavailable for a pipe, a folder or a device."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise LogUnavailable(f"{path} is not a regular file.", "Move it away.")
    return OpenFile(descriptor, status.st_dev, status.st_ino, status.st_size)


@contextmanager
def opened(files: Files, path: Path, flags: int) -> Iterator[OpenFile]:
    """Open a regular file for a while. Raises OSError, LogUnavailable."""
    descriptor = files.open(path, flags)
    try:
        yield look_at(descriptor, path)
    finally:
        os.close(descriptor)


class Kept:
    """A regular file that stays open until ``close``, or until nobody refers to it."""

    def __init__(self, files: Files, path: Path, flags: int) -> None:
        """Open it. Raises OSError, LogUnavailable."""
        descriptor = files.open(path, flags)
        self.close = weakref.finalize(self, os.close, descriptor)
        """Close the file; closing it again does nothing."""
        self.file = look_at(descriptor, path)
        self._process = os.getpid()

    def is_inherited(self) -> bool:
        """Tell whether it was opened before a fork: then parent and child would share its locks."""
        return self._process != os.getpid()


def write_all(files: Files, descriptor: int, data: bytes) -> None:
    """Write all of the data in one call, and in further ones where the system took less."""
    rest = memoryview(data)
    while rest:
        rest = rest[files.write(descriptor, rest) :]


def write_aside(files: Files, path: Path, data: bytes, *, durable: bool = True) -> Path:
    """Write a complete new file beside ``path`` and return its name, for a link or a rename to publish."""
    aside = path.with_name(f".{path.name}.{os.urandom(6).hex()}.new")
    try:
        with opened(files, aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
            write_all(files, file.descriptor, data)
            if durable:
                files.datasync(file.descriptor)
    except OSError:
        with suppress(OSError):
            files.unlink(aside)
        raise
    return aside


def remove_asides(files: Files, path: Path) -> None:
    """Remove what ``write_aside`` left beside a path when its process died. Only for who keeps others from writing."""
    for aside in path.parent.glob(f".{path.name}.*.new"):
        files.unlink(aside)


def create_whole(files: Files, path: Path, data: bytes, *, durable: bool = True) -> None:
    """Create a file with its content, exclusively: it is never seen empty or half. Raises FileExistsError."""
    files.make_folder(path.parent)
    aside = write_aside(files, path, data, durable=durable)
    try:
        files.link(aside, path)
    finally:
        files.unlink(aside)
    if durable:
        files.sync_folder(path.parent)


def replace_whole(files: Files, path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace a file, or create it, so that readers see the old content or the new, never a mixture."""
    files.make_folder(path.parent)
    aside = write_aside(files, path, data, durable=durable)
    try:
        files.replace(aside, path)
    except OSError:
        files.unlink(aside)
        raise
    if durable:
        files.sync_folder(path.parent)
