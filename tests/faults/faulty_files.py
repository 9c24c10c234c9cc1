"""The operating system's calls, failing or dying where a test says."""

import os
from pathlib import Path

from workbench.storage.files.opening import Files

CALLS = ("open", "read", "write", "datasync", "truncate", "link", "replace", "unlink", "sync_folder", "make_folder")


class Died(BaseException):
    """The process is gone: nothing it does afterwards reaches the disk."""


class FaultyFiles(Files):
    """Counts its calls, and lets one of them fail: with an errno, by stopping short, or by the process's death."""

    def __init__(self, fail_at: int | None = None, fault: int | type[Died] = 0, portion: int | None = None) -> None:
        self.calls: list[str] = []
        self.dead = False
        self._fail_at = fail_at
        self._fault = fault
        self._portion = portion

    def _step(self, name: str) -> None:
        if self.dead:
            raise Died
        self.calls.append(name)
        if len(self.calls) - 1 == self._fail_at:
            if self._fault is Died:
                self.dead = True
                raise Died
            raise OSError(self._fault, os.strerror(self._fault))

    def open(self, path: Path, flags: int) -> int:
        self._step("open")
        return super().open(path, flags)

    def read(self, descriptor: int, size: int, offset: int) -> bytes:
        self._step("read")
        return super().read(descriptor, size, offset)

    def write(self, descriptor: int, data: memoryview) -> int:
        """Take half of the data before a fault in the middle of it, or no more than a portion at a time."""
        fails = len(self.calls) == self._fail_at and not self.dead
        if fails and self._fault is Died:
            super().write(descriptor, data[: len(data) // 2])
        self._step("write")
        return super().write(descriptor, data[: self._portion])

    def datasync(self, _descriptor: int) -> None:
        self._step("datasync")

    def truncate(self, descriptor: int, size: int) -> None:
        self._step("truncate")
        super().truncate(descriptor, size)

    def link(self, source: Path, target: Path) -> None:
        self._step("link")
        super().link(source, target)

    def replace(self, source: Path, target: Path) -> None:
        self._step("replace")
        super().replace(source, target)

    def unlink(self, path: Path) -> None:
        self._step("unlink")
        super().unlink(path)

    def sync_folder(self, _path: Path) -> None:
        self._step("sync_folder")

    def make_folder(self, path: Path) -> None:
        self._step("make_folder")
        super().make_folder(path)
