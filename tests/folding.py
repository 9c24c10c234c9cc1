"""A file system that tells no capitals apart and stores names decomposed (NFD), as that of macOS, for this process.

Below one folder, each name of a path is looked up as it is listed, whatever its capitals and its form; a new name is
stored in NFD. Calls of the system are wrapped, so ``io.open`` is too, and a C library's own calls are not.
"""

import io
import os
import unicodedata

BY_NAME = ("open", "stat", "lstat", "unlink", "mkdir", "rmdir", "utime", "readlink", "scandir", "listdir", "chmod")
BY_TWO_NAMES = ("link", "replace", "rename")


def fold_names(monkeypatch, root):
    """Let the file system below a folder be such a one until the test ends."""
    listdir, readlink, real_open, root = os.listdir, os.readlink, io.open, os.path.realpath(root)

    def stored(name, folder):
        if name in ("", ".", ".."):
            return name
        try:
            names = listdir(folder)
        except OSError:
            return name
        return next((one for one in names if key(one) == key(name)), unicodedata.normalize("NFD", name))

    def folded(path, folder=None):
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            return path
        text = os.fspath(path)
        start = "cwd" if folder is None else f"fd/{folder}"
        at, parts = "/" if text.startswith("/") else readlink(f"/proc/self/{start}"), []
        for part in text.split("/"):
            parts.append(stored(part, at) if (at + "/").startswith(root + "/") else part)
            at = os.path.normpath(f"{at}/{parts[-1]}")
        return "/".join(parts)

    def one(call):
        return lambda path=".", *rest, dir_fd=None, **options: call(
            folded(path, dir_fd), *rest, **options, **({} if dir_fd is None else {"dir_fd": dir_fd})
        )

    def two(call):
        def act(source, target, *, src_dir_fd=None, dst_dir_fd=None, **options):
            folders = {"src_dir_fd": src_dir_fd, "dst_dir_fd": dst_dir_fd}
            return call(folded(source, src_dir_fd), folded(target, dst_dir_fd), **folders, **options)

        return act

    for name in BY_NAME:
        monkeypatch.setattr(os, name, one(getattr(os, name)))
    for name in BY_TWO_NAMES:
        monkeypatch.setattr(os, name, two(getattr(os, name)))
    monkeypatch.setattr(io, "open", lambda file, *rest, **options: real_open(folded(file), *rest, **options))


def key(name):
    return unicodedata.normalize("NFD", name).casefold()
