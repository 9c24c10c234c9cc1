"""Which servers a person's logs may be kept on: those that they named themselves, once.

    option, variable, own settings ─▶ named ─▶ remembered beside the person's settings
    the workspace's config.toml ─────▶ remembered? ─ no ─▶ refused, with the line that names it

A workspace's folder may come from somebody else, and where logs are kept decides who is sent all that is planned.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from pathlib import Path

import msgspec

from workbench.domain.errors import UsageError
from workbench.storage.files import Files, replace_whole
from workbench.storage.log_address import LogAddress


class AcceptedServers:
    """The servers that one person accepted, in a file of theirs."""

    def __init__(self, file: Path, files: Files | None = None) -> None:
        """Use a file, which need not exist."""
        self._file = file
        self._files = files or Files()

    def holds(self, address: LogAddress) -> bool:
        """Tell whether an address was accepted."""
        return address.shown in self._shown()

    def add(self, address: LogAddress) -> None:
        """Remember that a person named an address; where that cannot be written, they name it again."""
        if not self.holds(address):
            with suppress(OSError):
                replace_whole(self._files, self._file, msgspec.json.encode([*self._shown(), address.shown]))

    def require(self, address: LogAddress, source: str) -> None:
        """Raise UsageError for an address from a place that may be somebody else's, unless it was accepted."""
        if not self.holds(address):
            raise UsageError(
                f"{source} keeps logs on {address.shown}, which would be sent everything that you plan, and which you "
                "never named yourself.",
                f"If you trust that server, name it once: `workbench doctor --log {shlex.quote(address.shown)}`.",
            )

    def _shown(self) -> list[str]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=list[str])
        except (OSError, msgspec.MsgspecError):
            return []
