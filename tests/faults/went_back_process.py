"""A process that drives a session while its log goes back: ``went_back_process.py FOLDER [URL WORKSPACE]``.

Says ``asked N`` when its model is asked for the N-th time, and ``gate N`` when a person is asked: each then waits for a
line on standard input. Ends as a command does: a sentence on standard error, and the exit code.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tests.builders import ENDING, GOAL, Script, begin
from workbench.cli.failure import tell
from workbench.domain.errors import WorkbenchError
from workbench.models.scripted import CallableModel
from workbench.planning.policies import approving_all
from workbench.storage.files.log import FileLog


def open_log(folder, url="", workspace=""):
    if not url:
        return FileLog(folder / "sessions")
    from workbench.storage.files.trash import Trash
    from workbench.storage.redis.store import RedisStore

    return RedisStore(url, workspace).log(Trash(folder / "trash"))


def say_and_wait(words):
    print(words, flush=True)
    if not sys.stdin.readline():
        raise SystemExit(9)


def main():
    folder, *server = sys.argv[1:]
    script, asked, decided = Script(), 0, 0
    approve = approving_all()

    def answer(request):
        nonlocal asked
        asked += 1
        say_and_wait(f"asked {asked}")
        return script(request)

    async def decide(state, gate):
        nonlocal decided
        decided += 1
        say_and_wait(f"gate {decided}")
        return await approve(state, gate)

    async def live():
        log = open_log(Path(folder), *server)
        manager = begin(GOAL, log=log, model=CallableModel(answer, name="told"), ending=ENDING)
        await manager.run(decide)

    try:
        asyncio.run(live())
    except WorkbenchError as error:
        return tell(error)
    return 0


if __name__ == "__main__":
    sys.exit(main())
