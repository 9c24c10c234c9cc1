"""P11: a shared update until another process has seen it, against the wake-up of a raw inotify watch.

    python -m tests.benchmarks.p11_propagation [--quick] [--log redis://HOST:PORT] [--durable] [--folder DIR]

Four sessions, a process each, follow what is shared while a fifth one changes it; in turns with that, a plain file is
written that a process of its own watches. Each time is from before the call (update_context, write) until the other
process has the value. Then the four change one key at once, each from a version that the others have overtaken: how
long until a session knows that it met another change, and what became of it. Last, another program (`workbench mcp`)
subscribes to what is shared, over standard input and output: how long until the SDK's client has the notification.
"""

from __future__ import annotations

import argparse
import asyncio
import ctypes
import os
import random
import struct
import sys
import time
import warnings
from contextlib import AsyncExitStack
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mcp
from tests.benchmarks.long_sessions import printed
from tests.benchmarks.shared_logs import Place, Taking, new_place, now_us, parsed, ready, summary
from workbench import Workspace
from workbench.bootstrap.clients import allow
from workbench.cli.other_programs.mcp_server import SHARED

_SESSIONS = 4
_IN_MODIFY = 2
_TIME = struct.Struct("d")
_NO_TIME = 0.0
_BAR = 25.0


def follow(pipe: Connection, place: Place, name: str, count: int) -> None:
    """Take part, and answer with the µs that each update took to get here."""
    shared = place.manager()
    shared.subscribe(name)
    taken: list[float] = []
    changes = shared.watch(lambda: len(taken) >= count)
    pipe.send("ready")
    for batch in changes:
        now = now_us()
        taken += [now - event.value for event in batch if event.key == "time"]
    pipe.send(taken)


def watch(pipe: Connection, path: Path) -> None:
    """Watch a file with inotify up to the write that ends it; answer with the µs that each one took to get here."""
    libc = ctypes.CDLL(None, use_errno=True)
    descriptor = libc.inotify_init1(os.O_CLOEXEC)
    if libc.inotify_add_watch(descriptor, os.fsencode(path), _IN_MODIFY) < 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    file = os.open(path, os.O_RDONLY)
    pipe.send("ready")
    taken = []
    while True:
        os.read(descriptor, 4096)  # the system makes one of two changes that were not read yet
        (begun,) = _TIME.unpack(os.pread(file, _TIME.size, 0))
        if begun == _NO_TIME:
            break
        taken.append(now_us() - begun)
    pipe.send(taken)


def propagate(place: Place, rounds: int) -> tuple[list[float], list[float]]:
    """Return the µs of the raw watch and of the shared updates."""
    path = place.folder / "watched"
    path.write_bytes(bytes(_TIME.size))
    writer = place.manager()
    writer.subscribe("writer")
    watcher = Taking(watch, path)
    followers = [Taking(follow, place, f"follower-{number}", rounds) for number in range(_SESSIONS)]
    ready([watcher, *followers])
    chance = random.Random(11)
    file = os.open(path, os.O_WRONLY)
    for _ in range(rounds):
        time.sleep(chance.uniform(0.002, 0.006))
        os.pwrite(file, _TIME.pack(now_us()), 0)
        time.sleep(chance.uniform(0.002, 0.006))
        writer.update_context("writer", "time", now_us())
    os.pwrite(file, _TIME.pack(_NO_TIME), 0)
    os.close(file)
    return watcher.answer(), [one for follower in followers for one in follower.answer()]


def clash(pipe: Connection, place: Place, name: str, rounds: int) -> None:
    """Change one key from a version that others have overtaken; answer with the µs of those changes that met one."""
    shared = place.manager()
    shared.subscribe(name)
    pipe.send("ready")
    taken = []
    for number in range(rounds):
        pipe.recv()
        shared.get_context(name)
        pipe.send("looked")
        pipe.recv()
        begun = now_us()
        done = shared.update_context(name, "one", {"who": name, name: number})
        if done.outcome == "merged":
            taken.append(now_us() - begun)
        pipe.send("done")
    pipe.send(taken)


def conflict(place: Place, rounds: int) -> list[float]:
    """Return the µs of changes that met another one, of four sessions at once."""
    sessions = [Taking(clash, place, f"session-{number}", rounds) for number in range(_SESSIONS)]
    ready(sessions)
    for _ in range(2 * rounds):
        for one in sessions:
            one.tell()
        ready(sessions)
    return [taken for one in sessions for taken in one.answer()]


async def subscribed(rounds: int, *, older: bool) -> list[float]:
    """Return the µs until the SDK's client, of the present protocol or of an older one, is told of a change."""
    told: asyncio.Queue[Any] = asyncio.Queue()
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        workspace = stack.enter_context(Workspace.open(folder))
        allow(workspace, "p11", ["read"])
        command = ["-P", "-m", "workbench", "mcp", "--client", "p11", "--workspace", folder]
        transport = mcp.stdio_client(
            mcp.StdioServerParameters(command=sys.executable, args=command, env={**os.environ})
        )
        mode = "legacy" if older else "auto"
        client = await stack.enter_async_context(mcp.Client(transport, mode=mode, message_handler=told.put))
        if older:
            await client.session.subscribe_resource(SHARED)
            notified = told.get
        else:
            notified = aiter(await stack.enter_async_context(client.listen(resource_subscriptions=[SHARED]))).__anext__
        writer, taken, chance = workspace.shared(), [], random.Random(11)
        writer.subscribe("writer")
        for _ in range(rounds):
            await asyncio.sleep(chance.uniform(0.002, 0.006))
            begun = now_us()
            await asyncio.to_thread(writer.update_context, "writer", "time", begun)
            await notified()
            taken.append(now_us() - begun)
    return taken


def main() -> None:
    warnings.simplefilter("ignore", mcp.MCPDeprecationWarning)  # what older clients do is meant
    given = parsed(argparse.ArgumentParser(description=__doc__))
    rounds = 200 if given.quick else 2000
    with new_place(given) as place:
        waking = getattr(place.open(), "bell", None)
        raw, shared = map(summary, propagate(place, rounds))
        conflicts = summary(conflict(place, rounds // 4))
    programs = {
        name: summary(asyncio.run(subscribed(rounds // 4, older=older)))
        for name, older in (("listening", False), ("subscribed", True))
    }
    ratio = round(shared["p50_ms"] / raw["p50_ms"], 2)
    targets = {"propagation_mean_ms": 500, "conflict_mean_ms": 100, "program_mean_ms": 100}
    printed(
        {
            "id": "P11",
            "log": given.log,
            "durable": given.durable,
            "waking": waking.mechanism if waking else "",
            "figures": {"shared": shared, "conflict_of_4": conflicts, **programs},
            "baseline": {"inotify": raw},
            "ratio": ratio,
            "bar": _BAR,
            "targets_of_the_seed": targets,
            "ok": ratio <= _BAR
            and shared["mean_ms"] < 500
            and all(figure["mean_ms"] < 100 for figure in (conflicts, *programs.values())),
            "runs": rounds,
        }
    )


if __name__ == "__main__":
    main()
