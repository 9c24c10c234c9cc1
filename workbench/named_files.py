"""Files that a person names, wherever they are, are read up to a size.

Links are followed to a regular file and to nothing else: a pipe would be waited on for ever, and a device can be read
without end. Below a folder that may be somebody else's work none is followed (``opened_below``).
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, BinaryIO

FOLDER = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_DIRECTORY", 0)
PASSED = FOLDER | getattr(os, "O_PATH", 0)
"""How a folder is opened to look names up in it."""
_READING = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0)
_PORTION = 1 << 20


class UnusableFile(OSError):
    """A link inside a workspace, something that is not a regular file, or a file that is too large."""

    def __init__(self, number: int, cause: str, path: str | os.PathLike[str], remedy: str) -> None:
        super().__init__(number, cause, os.fspath(path))
        self.remedy = remedy
        """What to do: one sentence in the imperative."""


def require_regular(descriptor: int, path: str | os.PathLike[str]) -> os.stat_result:
    """Return the status of an open file. Raises UnusableFile for a pipe, a socket, a device or a folder."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise UnusableFile(errno.EINVAL, "it is not a regular file", path, "Move it away.")
    return status


def too_large(path: str | os.PathLike[str], most: int) -> UnusableFile:
    """Return the error for a file of more than ``most`` bytes."""
    return UnusableFile(errno.EFBIG, f"it is larger than {most:,} bytes", path, "Move it away.")


def open_named_file(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a file that a person names, to read it line by line; without waiting. Raises OSError, UnusableFile."""
    descriptor = os.open(path, _READING)
    try:
        require_regular(descriptor, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def unnamed_file() -> IO[bytes]:
    """Return a new file that nobody else sees, gone as soon as it is closed. Raises OSError."""
    import tempfile  # most commands need none

    return tempfile.TemporaryFile()


def read_named_file(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the content of a file of at most ``most`` bytes. Raises OSError, UnusableFile.

    The file is never waited for; one that grows while it is read is read up to ``most`` bytes.
    """
    descriptor = os.open(path, _READING)
    try:
        return read_descriptor(descriptor, path, most)
    finally:
        os.close(descriptor)


def read_descriptor(descriptor: int, path: str | os.PathLike[str], most: int) -> bytes:
    """Return the content of a file that is open, as ``read_named_file`` does."""
    require_regular(descriptor, path)
    content = bytearray()
    while portion := os.read(descriptor, min(_PORTION, most + 1 - len(content))):
        content += portion
        if len(content) > most:
            raise too_large(path, most)
    return bytes(content)


def refused(error: OSError, folder: int, name: str, path: str) -> OSError:
    """Return why a name in a folder cannot be used: as the system says, unless it is a link."""
    error.filename = path
    if error.errno not in (errno.ELOOP, errno.ENOTDIR):
        return error
    with suppress(OSError):
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            remedy = "Replace it by a real folder or file."
            return UnusableFile(errno.ELOOP, "it is a link, and a workspace holds none", path, remedy)
    return error


def enter(base: str, names: Sequence[str]) -> int:
    """Open the folder at the end of some names, each looked up in the one before. Raises OSError, UnusableFile."""
    folder = os.open(base, PASSED)
    for depth, name in enumerate(names, 1):
        try:
            inner = os.open(name, PASSED | os.O_NOFOLLOW, dir_fd=folder)
        except OSError as error:
            raise refused(error, folder, name, base + "/".join(names[:depth])) from None
        finally:
            os.close(folder)
        folder = inner
    return folder


@contextmanager
def opened_below(base: str, names: Sequence[str]) -> Iterator[int]:
    """Open a file or folder below another to read it, without waiting; no name may be a link. Raises OSError."""
    *above, name = names or (".",)
    folder = enter(base, above)
    try:
        descriptor = os.open(name, _READING | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
