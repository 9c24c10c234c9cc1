"""Where files are opened: the system's calls that keeping events depends on, and its errors in a person's words.

A ``.workbench`` folder may be somebody else's work. Whatever is opened, created, renamed, removed or listed below it
goes through ``Files``, which looks each name up in the folder that it has open already, and refuses links and what is
no regular file: nothing that is in the folder leads out of it, also while somebody changes it. Other paths are a
person's, and are used as they are.

It is also the seam for tests: a subclass whose calls fail, stop short or die proves each step of an append, a creation
and a repair. Everything that is created here belongs to its owner alone: files 0600, folders 0700.
"""

from __future__ import annotations

import errno
import os
import stat
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from workbench.domain.errors import LogUnavailable, Vanished
from workbench.named_files import FOLDER, PASSED, UnusableFile, enter, refused, require_regular, too_large
from workbench.storage.places import FOLDER_NAME

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FILE_MODE = 0o600
FOLDER_MODE = 0o700
LARGEST = 512_000_000
"""Bytes of a file that is read as a whole: about a hundred times the longest session ever seen."""

_PORTION = 1 << 16
"""Bytes that are read at once of a file that grew while it was read."""

_FULLFSYNC: int | None = getattr(fcntl, "F_FULLFSYNC", None)
"""Of macOS, whose fsync returns when the disk has the bytes, be it in a memory that a power cut empties."""
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.ENOTTY)
"""Errors of file systems that have no such call, or none for folders; a disk that fails says something else."""

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
    errno.ENXIO: ("it is not a regular file", "Move it away."),
    errno.ENOTSUP: ("the file system cannot do this", "Use a workspace on a local disk."),
}


def unavailable(error: OSError, path: Path) -> LogUnavailable:
    """Return an error of the operating system as a sentence and a remedy."""
    if isinstance(error, UnusableFile):
        return LogUnavailable(f"{error.filename} cannot be used: {error.strerror}.", error.remedy)
    otherwise = (f"the system says “{error.strerror or error}”", "Use another workspace, or ask who runs this system.")
    cause, remedy = _CAUSES.get(error.errno or 0, otherwise)
    return LogUnavailable(f"{path} cannot be used: {cause}.", remedy)


@contextmanager
def reporting_errors(path: Path) -> Iterator[None]:
    """Turn errors of the operating system into Vanished and LogUnavailable for a path."""
    try:
        yield
    except FileNotFoundError as error:
        raise Vanished(f"There is no {path} any more.", "Look at what `workbench sessions list` shows.") from error
    except OSError as error:
        raise unavailable(error, path) from error


def _synced_by_the_disk(descriptor: int) -> bool:
    """Let the disk itself write what it has, where the system has a call for it; tell whether that was done."""
    if _FULLFSYNC is None:
        return False
    try:
        fcntl.fcntl(descriptor, _FULLFSYNC)
    except OSError as error:
        if error.errno not in _CANNOT_SYNC:
            raise
        return False
    return True


def _split(path: Path) -> tuple[str, list[str]] | None:
    """Return the folder that holds a path's ``.workbench``, and the names from there on; None if it has none."""
    names = os.fspath(path).split("/")
    if FOLDER_NAME not in names:
        return None
    index = len(names) - 1 - names[::-1].index(FOLDER_NAME)
    return "/".join([*names[:index], ""]) or ".", names[index:]


@contextmanager
def _located(path: Path) -> Iterator[tuple[str, int | None]]:
    """Yield a path as the system's calls take it: a name, and the open folder to look it up in, if any."""
    place = _split(path)
    if place is None:
        yield os.fspath(path), None
        return
    base, names = place
    folder = enter(base, names[:-1])
    try:
        yield names[-1], folder
    except OSError as error:
        if error.filename != names[-1]:
            raise
        raise refused(error, folder, names[-1], os.fspath(path)) from None
    finally:
        os.close(folder)


class Files:
    """The calls themselves. Errors are OSError, and UnusableFile among them."""

    def open(self, path: Path, flags: int) -> int:
        """Open a regular file; a created one is readable by its owner only, whatever the umask. Never waits."""
        with _located(path) as (name, folder):
            flags |= os.O_CLOEXEC | os.O_NONBLOCK | (0 if folder is None else os.O_NOFOLLOW)
            descriptor = os.open(name, flags, FILE_MODE, dir_fd=folder)
        try:
            require_regular(descriptor, path)
            if flags & os.O_CREAT:
                os.fchmod(descriptor, FILE_MODE)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        """Return up to ``size`` bytes from ``offset``."""
        return os.pread(descriptor, size, offset)

    def write(self, descriptor: int, data: memoryview) -> int:
        """Write at the end of a file opened for appending; return how many bytes it took."""
        return os.write(descriptor, data)

    def datasync(self, descriptor: int) -> None:
        """Return when the file's bytes would survive a power cut."""
        if not _synced_by_the_disk(descriptor):
            getattr(os, "fdatasync", os.fsync)(descriptor)  # macOS has no fdatasync

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file off at ``size`` bytes."""
        os.ftruncate(descriptor, size)

    def link(self, source: Path, target: Path) -> None:
        """Give a file a second name, which must be free: FileExistsError says that it is not."""
        with _located(source) as (old, old_folder), _located(target) as (new, new_folder):
            os.link(old, new, src_dir_fd=old_folder, dst_dir_fd=new_folder, follow_symlinks=False)

    def replace(self, source: Path, target: Path) -> None:
        """Rename a file over another."""
        with _located(source) as (old, old_folder), _located(target) as (new, new_folder):
            os.replace(old, new, src_dir_fd=old_folder, dst_dir_fd=new_folder)

    def unlink(self, path: Path) -> None:
        """Remove a name of a file; of a link, the link."""
        with _located(path) as (name, folder):
            os.unlink(name, dir_fd=folder)

    def set_time(self, path: Path, when: float) -> None:
        """Set when a file was last changed, in seconds since 1970."""
        with _located(path) as (name, folder):
            os.utime(name, (when, when), dir_fd=folder, follow_symlinks=folder is None)

    def status(self, path: Path) -> os.stat_result:
        """Return the status of a file; in a workspace, of a link itself."""
        with _located(path) as (name, folder):
            return os.stat(name, dir_fd=folder, follow_symlinks=folder is None)

    def identity(self, path: Path) -> os.stat_result:
        """Return the status of what has a name now, to be compared with a file that is open; the fastest way."""
        return os.lstat(path) if FOLDER_NAME in os.fspath(path) else os.stat(path)  # noqa: PTH116  # in every append

    def exists(self, path: Path) -> bool:
        """Tell whether anything has this name, be it of no use."""
        try:
            self.status(path)
        except FileNotFoundError:
            return False
        return True

    def is_regular(self, path: Path) -> bool:
        """Tell whether a path names a regular file; False if it names nothing."""
        try:
            return stat.S_ISREG(self.status(path).st_mode)
        except FileNotFoundError:
            return False

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, sorted; none if there is no folder."""
        with self._opened_folder(folder) as descriptor:
            return [] if descriptor is None else sorted(os.listdir(descriptor))  # noqa: PTH208  # an open folder has no Path

    def entries(self, folder: Path) -> list[tuple[str, os.stat_result]]:
        """Return the names in a folder, sorted, each with its status; none if there is no folder."""
        listed = []
        with self._opened_folder(folder) as descriptor:
            for name in [] if descriptor is None else os.listdir(descriptor):  # noqa: PTH208  # as above
                with suppress(FileNotFoundError):  # removed since the folder was read
                    listed.append((name, os.stat(name, dir_fd=descriptor, follow_symlinks=False)))
        return sorted(listed)

    @contextmanager
    def _opened_folder(self, folder: Path) -> Iterator[int | None]:
        try:
            descriptor = self._open_folder(folder)
        except FileNotFoundError:
            yield None
            return
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _open_folder(self, path: Path, flags: int = FOLDER) -> int:
        with _located(path) as (name, folder):
            return os.open(name, flags | (0 if folder is None else os.O_NOFOLLOW), dir_fd=folder)

    def sync_folder(self, path: Path) -> None:
        """Return when the names in a folder would survive a power cut, as far as its file system can tell."""
        descriptor = self._open_folder(path)
        try:
            if not _synced_by_the_disk(descriptor):
                os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _CANNOT_SYNC:
                raise
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
        try:
            os.close(self._open_folder(path, PASSED))
        except FileNotFoundError:
            try:
                self._make_folder(path)
            except FileNotFoundError:
                self.make_folder(path.parent)
                self._make_folder(path)

    def _make_folder(self, path: Path) -> None:
        try:
            with _located(path) as (name, folder):
                os.mkdir(name, FOLDER_MODE, dir_fd=folder)
        except FileExistsError:  # another process was first, or a link to nothing is there
            os.close(self._open_folder(path, PASSED))
            return
        descriptor = self._open_folder(path)
        try:
            os.fchmod(descriptor, FOLDER_MODE)
        finally:
            os.close(descriptor)


class OpenFile(NamedTuple):
    """A regular file that is open."""

    descriptor: int
    device: int
    inode: int
    size: int
    """Bytes, when it was looked at."""


def look_at(descriptor: int, path: Path) -> OpenFile:
    """Return what is open. Raises UnusableFile for what is not a regular file."""
    status = require_regular(descriptor, path)
    return OpenFile(descriptor, status.st_dev, status.st_ino, status.st_size)


@contextmanager
def opened(files: Files, path: Path, flags: int) -> Iterator[OpenFile]:
    """Open a regular file for a while. Raises OSError."""
    descriptor = files.open(path, flags)
    try:
        yield look_at(descriptor, path)
    finally:
        os.close(descriptor)


class Kept:
    """A regular file that stays open until ``close``, or until nobody refers to it."""

    def __init__(self, files: Files, path: Path, flags: int) -> None:
        """Open it. Raises OSError."""
        descriptor = files.open(path, flags)
        self.close = weakref.finalize(self, os.close, descriptor)
        """Close the file; closing it again does nothing."""
        self.file = look_at(descriptor, path)
        self._process = os.getpid()

    def is_inherited(self) -> bool:
        """Tell whether it was opened before a fork: then parent and child would share its locks."""
        return self._process != os.getpid()


def read_whole(files: Files, path: Path, most: int = LARGEST) -> bytes:
    """Return the content of a regular file of at most ``most`` bytes. Raises OSError, UnusableFile."""
    with opened(files, path, os.O_RDONLY) as file:
        return read_open(files, file, path, most)


def read_open(files: Files, file: OpenFile, path: Path, most: int = LARGEST) -> bytes:
    """Return the content of a file that is open, as ``read_whole`` does."""
    portions: list[bytes] = []
    length = 0
    while file.size <= most and (portion := files.read(file.descriptor, max(file.size - length, _PORTION), length)):
        portions.append(portion)  # all of it, usually: joining one portion copies nothing
        length += len(portion)
        if length > most:
            break
    if max(file.size, length) > most:
        raise too_large(path, most)
    return b"".join(portions)


def write_all(files: Files, descriptor: int, data: bytes | memoryview) -> None:
    """Write all of the data in one call, and in further ones where the system took less."""
    rest = memoryview(data)
    while rest:
        rest = rest[files.write(descriptor, rest) :]


def write_aside(files: Files, path: Path, *parts: bytes | memoryview, durable: bool = True) -> Path:
    """Write a complete new file beside ``path`` and return its name, for a link or a rename to publish."""
    aside = path.with_name(f".{path.name}.{os.urandom(6).hex()}.new")
    try:
        with opened(files, aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as file:
            for part in parts:
                write_all(files, file.descriptor, part)
            if durable:
                files.datasync(file.descriptor)
    except OSError:
        with suppress(OSError):
            files.unlink(aside)
        raise
    return aside


def remove_asides(files: Files, path: Path) -> None:
    """Remove what ``write_aside`` left beside a path when its process died. Only for who keeps others from writing."""
    for name in files.names(path.parent):
        if name.startswith(f".{path.name}.") and name.endswith(".new"):
            files.unlink(path.parent / name)


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


def replace_whole(files: Files, path: Path, *parts: bytes | memoryview, durable: bool = True) -> None:
    """Replace a file, or create it, so that readers see the old content or the new, never a mixture."""
    files.make_folder(path.parent)
    aside = write_aside(files, path, *parts, durable=durable)
    try:
        files.replace(aside, path)
    except OSError:
        files.unlink(aside)
        raise
    if durable:
        files.sync_folder(path.parent)
