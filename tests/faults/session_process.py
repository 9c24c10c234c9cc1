"""Processes that drive a session and can be killed: ``session_process.py FOLDER``.

    test ──ending──▶ this process ──fork──▶ a life: begins or resumes the session, drives it to its end
      ▲                   │                   │ asked HASH · answered HASH · ack SEQ HASH
      └── pid · exit ─────┴───────────────────┘ (to standard output, and kept in FOLDER/diary-ENDING)

A life is forked from a process that has imported everything, so it costs milliseconds. Each line of the diary is one
write: what was written survives the death of the process.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.builders import GOAL, Script, again, begin
from workbench.domain.log.ids import session_id_for
from workbench.models.scripted import CallableModel
from workbench.planning.asking.calling import prompt_hash
from workbench.planning.policies import approving_all
from workbench.storage.files.log import FileLog


class Diary:
    """What a life does, line by line; a purchase is on the disk before the next thing happens."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def note(self, line: str, *, synced: bool = False) -> None:
        os.write(self._file, f"{line}\n".encode())
        if synced:
            os.fsync(self._file)
        os.write(1, f"{line}\n".encode())


class NotedLog(FileLog):
    """A log whose acknowledgements are noted."""

    diary: Diary

    def append(self, stream, drafts, *, expected, **options):
        events = super().append(stream, drafts, expected=expected, **options)
        for event in events:
            self.diary.note(f"ack {event.seq} {event.hash}")
        return events


def buying(diary: Diary) -> CallableModel:
    """A model that notes what is bought from it: before it answers, and when it has answered."""
    script = Script()

    def answer(request):
        prompt = prompt_hash(request.messages)
        diary.note(f"asked {prompt}", synced=True)
        text = script(request)
        diary.note(f"answered {prompt}", synced=True)
        return text

    return CallableModel(answer, name="bought")


async def live(folder: Path, ending: str) -> None:
    if int(ending) % 2 == 0:  # both kinds of locks cost no more kills than one
        os.environ.setdefault("WORKBENCH_LOCKS", "flock")
    diary = Diary(folder / f"diary-{ending}")
    log = NotedLog(folder / "sessions")
    log.diary = diary
    session = session_id_for(GOAL, ending)
    if session in set(log.streams()):
        manager = again(log, session, model=buying(diary))
        await manager.resume()
    else:
        manager = begin(log=log, model=buying(diary), ending=ending)
    await manager.run(approving_all())


def main() -> None:
    folder = Path(sys.argv[1])
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                asyncio.run(live(folder, line.strip()))
                code = 0
            finally:
                os._exit(code)
        os.write(1, f"pid {pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        os.write(1, f"exit {os.waitstatus_to_exitcode(status)}\n".encode())


if __name__ == "__main__":
    main()
