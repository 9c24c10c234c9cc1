"""Two other programs and two sessions on one shared context, killed with -9 again and again: no change is lost.

    a program ─▶ the SDK's client ─▶ `workbench mcp`, killed with a call under way ─┐
    a session ─▶ a process of its own, killed between two changes, or in one ───────┴─▶ one log

``--full-counts`` for 2,000 acknowledged changes; the figures are printed with ``-s``.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import mcp
from tests.chains import is_sound
from tests.faults.shared_checks import check_once, check_versions
from workbench import Workspace
from workbench.bootstrap.clients import allow
from workbench.domain.shared import context

LIFE = """
import sys
from workbench import Workspace
folder, session, first, all_of_them = sys.argv[1:]
workspace = Workspace.open(folder)
workspace.session(session).coordinator().start()
shared = workspace.shared()
number = int(first)
while True:
    number += 1
    now = shared.get_context(session)
    if number % 4:
        done = shared.update_context(session, "everybody's", {"by": session, "number": number})
    else:
        value = now.data.get(all_of_them, {}) | {session: number}
        done = shared.update_context(session, all_of_them, value, now.versions.get(all_of_them))
    print(done.event.event_id, number, flush=True)
"""
COUNTED = "counted"
"""A key that holds the last number of each writer: changes of different fields are merged."""


class Killed:
    """What was acknowledged, and how many were killed."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.chance = folder, random.Random(seed)
        self.acknowledged: set[str] = set()
        self.last: dict[str, int] = {}
        """The last number of each writer under COUNTED that was acknowledged."""
        self.kills = 0

    def note(self, event_id: str, who: str, number: int) -> None:
        self.acknowledged.add(event_id)
        if number % 4 == 0:
            self.last[who] = number


@asynccontextmanager
async def served(folder: Path, name: str) -> AsyncIterator[tuple[mcp.Client, Path]]:
    """A server that writes its process's number into a file; how it ends is no matter here."""
    pid = folder / f"{name}.pid"
    server = [sys.executable, "-P", "-m", "workbench", "mcp", "--client", name, "--workspace", str(folder)]
    args = ["-c", 'echo $$ >"$0"; exec "$@"', str(pid), *server]
    transport = mcp.stdio_client(mcp.StdioServerParameters(command="sh", args=args, env=dict(os.environ)))
    async with mcp.Client(transport) as client:
        yield client, pid


async def set_one(client: mcp.Client, who: str, number: int) -> str:
    """Change what is shared as a program does, and return the event's id."""
    key, value, base = "everybody's", {"by": who, "number": number}, None
    if number % 4 == 0:
        found = await client.call_tool("shared_get", {})
        now = json.loads(found.content[0].text).get(COUNTED, {"value": {}, "version": 0})
        key, value, base = COUNTED, now["value"] | {who: number}, now["version"]
    done = await client.call_tool("shared_set", {"key": key, "value": value, "base_version": base})
    assert not done.is_error, done.content
    return str(json.loads(done.content[0].text)["event_id"])


async def programs(killed: Killed, name: str, count: int) -> None:
    """Be a program that makes so many changes, with a server that dies again and again."""
    number = done = 0
    for _ in range(5 + count // 10):  # lives; one may end before it said anything
        ends = min(count, done + killed.chance.randint(20, 110))  # no more than a program may make at once
        with suppress(OSError, mcp.MCPError, ExceptionGroup):  # its server is gone: the SDK may end in many ways
            async with served(killed.folder, name) as (client, pid):
                while done < ends:
                    number, done = number + 1, done + 1
                    killed.note(await set_one(client, name, number), name, number)
                number += 1
                under_way = asyncio.create_task(set_one(client, name, number))
                await asyncio.sleep(killed.chance.uniform(0, 0.004))  # the moment of the death is drawn
                os.kill(int(pid.read_text()), signal.SIGKILL)
                killed.kills += 1
                killed.note(await under_way, name, number)
        if done >= count:
            return


async def sessions(killed: Killed, session: str, count: int) -> None:
    """Be a session that makes so many changes, in processes that die again and again."""
    number = done = 0
    while done < count:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            LIFE,
            str(killed.folder),
            session,
            str(number),
            COUNTED,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        ends = min(count, done + killed.chance.randint(20, 200))
        while line := await process.stdout.readline():
            if not line.endswith(b"\n"):
                continue  # a death cut it off
            event_id, told = line.decode().split()
            number, done = int(told), done + 1
            killed.note(event_id, session, number)
            if done == ends:
                await asyncio.sleep(killed.chance.uniform(0, 0.002))  # as above
                process.kill()
                killed.kills += 1
        assert await process.wait() == -signal.SIGKILL, "it lives until it is killed"
        number += 1  # what was under way is perhaps there


async def test_nothing_acknowledged_is_lost(tmp_path: Path, full_counts: bool) -> None:
    killed = Killed(tmp_path, seed=20261130)
    count = 500 if full_counts else 12
    with Workspace.open(tmp_path) as workspace:
        own = [str(workspace.start(f"Plan number {number}").state.session) for number in range(2)]
        for name in ("claude", "codex"):
            allow(workspace, name, ["read", "offer"])
        await asyncio.gather(
            *(programs(killed, name, count) for name in ("claude", "codex")),
            *(sessions(killed, session, count) for session in own),
        )
        log, shared = workspace.parts.backend.shared_log(), workspace.shared()
        events = list(log.read("events"))
        assert is_sound(log, "events")
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert len(killed.acknowledged) >= 4 * count
        assert killed.acknowledged <= {event.id for event in events}, "nothing acknowledged is lost"
        check_once(events)
        check_versions(shared.events())
        before = context.fold(events)
        assert {key: one.value for key, one in before.entries.items()} == {
            key: one.value for key, one in shared.state().entries.items() if key in before.entries
        }
        counted: dict[str, Any] = before.entry(COUNTED).value
        assert all(counted[who] >= number for who, number in killed.last.items()), "fields are merged"
        assert set(killed.last) == {"claude", "codex", *own}
    assert killed.kills >= 4
    print(f"{len(killed.acknowledged):,} acknowledged of {len(events):,} events, {killed.kills} kills, 0 lost")
