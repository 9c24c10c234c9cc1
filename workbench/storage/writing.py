"""Files that are written where a person or a command says: exports and templates.

below a workspace's folder, or the current one ─▶ no name on the way may be a link
elsewhere                                      ─▶ links are the person's own, and are followed

Each is for its owner alone, whatever the umask, is never seen half, and replaces nothing that nobody agreed to replace.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from workbench.named_files import UnusableFile, enter
from workbench.storage.places import FOLDER_NAME

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW


def write_file(path: Path, data: bytes, *, replace: bool = False, is_ours: bool = False) -> None:
    """Write a file, over another one only if ``replace`` says so. A person's own device or pipe is written to as it is.

    ``is_ours``: it belongs into ``.workbench``, as a team's template does. Raises FileExistsError, OSError, and
    UnusableFile for a link below a workspace's folder and for what is ours alone.
    """
    base, names = _split(path, is_ours=is_ours)
    if base == os.sep and path.exists() and not path.is_file() and not path.is_dir():
        _write_to_device(path, data)
        return
    folder = enter(base, names[:-1])
    try:
        _require_replaceable(folder, names[-1], path, replace=replace)
        _write(folder, names[-1], data, replace=replace)
    finally:
        os.close(folder)


def make_folder(path: Path, *, is_ours: bool = False) -> None:
    """Make a folder and those above it, for their owner alone; an existing one is left as it is.

    Raises as ``write_file`` does.
    """
    base, names = _split(path, is_ours=is_ours)
    for depth, name in enumerate(names):
        above = enter(base, names[:depth])
        try:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=above)
        finally:
            os.close(above)
    os.close(enter(base, names))


def _split(path: Path, *, is_ours: bool) -> tuple[str, list[str]]:
    """Return the folder below which no link is followed, and the names from there on."""
    named = Path(os.path.abspath(path))  # noqa: PTH100 - nothing is resolved
    parts = {part.casefold() for part in (*named.parts, *Path(os.path.realpath(named)).parts)}
    if not is_ours and FOLDER_NAME in parts:
        raise UnusableFile(errno.EPERM, f"{FOLDER_NAME} keeps what is the workbench's", path, "Name another path.")
    here = Path.cwd()
    workspaces = [folder for folder in named.parents if os.path.lexists(folder / FOLDER_NAME)]
    projects = [*([here] if here in named.parents else []), *workspaces]
    base = min(projects, key=lambda folder: len(folder.parts), default=None)  # a link may lead to another workspace
    if base is None:
        return os.sep, list(Path(os.path.realpath(named)).parts[1:])
    return os.path.join(base, ""), list(named.relative_to(base).parts)  # noqa: PTH118 - ends with a separator


def _require_replaceable(folder: int, name: str, path: Path, *, replace: bool) -> None:
    """Raise UnusableFile for a link or a device, FileExistsError for a file that is not to be replaced."""
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise UnusableFile(errno.ELOOP, "it is a link", path, "Name another path.")
    if not stat.S_ISREG(mode):
        raise UnusableFile(errno.EINVAL, "it is not a regular file", path, "Name another path.")
    if not replace:
        raise FileExistsError(errno.EEXIST, "it exists", os.fspath(path))


def _write_to_device(path: Path, data: bytes) -> None:
    """Write to what is not a regular file. Raises OSError for a pipe that nobody reads: it is not waited for."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)


def _write(folder: int, name: str, data: bytes, *, replace: bool) -> None:
    if not replace:  # whoever else makes it now is refused, or refuses us
        os.close(os.open(name, _NEW, 0o600, dir_fd=folder))
    aside = f".{os.urandom(8).hex()}.new"
    try:
        with os.fdopen(os.open(aside, _NEW, 0o600, dir_fd=folder), "wb") as file:
            os.fchmod(file.fileno(), 0o600)  # a umask can take it away from the owner, too
            file.write(data)
        os.replace(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        for made in (aside, *([] if replace else [name])):
            with suppress(OSError):
                os.unlink(made, dir_fd=folder)
        raise
