"""What a person was writing when a window closed: a small file for each session, which nobody else reads."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import msgspec

from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import UNREADABLE
from workbench.domain.text.cleaning import clean
from workbench.storage.files.opening import Files, read_whole, replace_whole

_LARGEST = 1_000_000
"""Bytes of a file that is read."""


class KeptDraft(msgspec.Struct, frozen=True):
    """A draft, what was written ahead and waits for the next question, and notes that were not sent."""

    text: str = ""
    queued: tuple[str, ...] = ()
    notes: tuple[tuple[str, int, str, str], ...] = ()
    """Section, number of the block in it, how a person recognises that, and the note."""


class Drafts:
    """The drafts of a workspace's sessions."""

    def __init__(self, folder: Path, files: Files) -> None:
        self._folder, self._files = folder, files

    def _file(self, session: str) -> Path:
        return self._folder / f"{session}.json"

    def read(self, session: str) -> KeptDraft:
        """Return what was kept; nothing if nothing was, or where it cannot be read."""
        try:
            kept = msgspec.json.decode(read_whole(self._files, self._file(session), _LARGEST), type=KeptDraft)
        except (OSError, WorkbenchError, *UNREADABLE):
            return KeptDraft()
        notes = tuple((section, block, clean(quoted), clean(said)) for section, block, quoted, said in kept.notes)
        return KeptDraft(clean(kept.text), tuple(map(clean, kept.queued)), notes)

    def keep(self, session: str, draft: KeptDraft) -> None:
        """Keep a draft instead of the one before; an empty one leaves no file. What cannot be written is not kept."""
        with suppress(OSError, WorkbenchError):
            if draft == KeptDraft():
                self._files.unlink(self._file(session))
            else:
                self._files.make_folder(self._folder)
                replace_whole(self._files, self._file(session), msgspec.json.encode(draft), durable=False)
