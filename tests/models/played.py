"""A small model that a reader plays: one file for each prompt, and one for what they answer.

    python -m tests.models.played FOLDER [GOAL]

Each request becomes FOLDER/N.prompt.md, and waits for FOLDER/N.reply.txt (write it under another name, then rename it).
The window is short, a draft is asked for in parts, one field in three that the reader writes arrives wrong, and the
person interrupts between two parts. What was answered is kept as FOLDER/played.json, which test_small.py plays again.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.builders import again, begin, bodies_of, log_of
from tests.models.fake_openai import FakeServer, fake_server, hanging, text
from tests.waiting import eventually
from workbench.bootstrap.models import open_model
from workbench.domain.session import events as say
from workbench.models.small import PARTS
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.policies import approving_all

GOAL = "Move our choir's rehearsals to the new hall by 30 June, without missing a concert"
WINDOW = 8_192
_WHOLE_DAY = 86_400.0

Reply = Callable[[int, str, dict[str, Any]], str]
"""Gives the reply to a request, by its number, what it asks for, and its body."""


def asked_for(body: dict[str, Any]) -> str:
    """Return what a request asks for: the heading of a task, and the first list of a part."""
    words = "\n".join(message["content"] for message in body["messages"])
    headings = re.findall(r"^# Task: (.+)$", words, re.MULTILINE)
    part = re.search(r"Now only with `(\w+)`", words)
    return f"{headings[-1] if headings else '?'}{f': {part[1]}' if part else ''}"


class Wrong:
    """Makes one field in three wrong, of all that are said."""

    def __init__(self, before: int = 0) -> None:
        """``before``: fields that came before the first one, so that others are wrong."""
        self._fields = before

    def in_reply(self, reply: str) -> str:
        """Return a reply with a wrong value in each third field; as it is, where it is no JSON."""
        try:
            return json.dumps(self._in(json.loads(reply)), ensure_ascii=False)
        except ValueError:
            return reply

    def _in(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self._field(one) for name, one in value.items()}
        return [self._in(one) for one in value] if isinstance(value, list) else value

    def _field(self, value: Any) -> Any:
        if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(one, dict) for one in value)):
            return self._in(value)
        self._fields += 1
        if self._fields % 3:
            return value
        return 7 if isinstance(value, str) else "lots" if isinstance(value, int | float) else "none of them"


class Played(NamedTuple):
    """A session that was played."""

    manager: IterationManager
    asked: list[str]
    """What was asked for, in order."""
    again: list[str]
    """What of it had been answered before."""


async def play(server: FakeServer, reply: Reply, goal: str = GOAL, *, wrong: Wrong | None = None) -> Played:
    """Plan with a small model, interrupted between two parts of the draft."""
    wrong, asked, again_asked, answered = wrong or Wrong(), list[str](), list[str](), set[str]()
    interrupted, never = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    server.pages["/v1/models"] = {"data": [{"id": "played-8b", "max_model_len": WINDOW}]}

    def answer(handler: Any) -> None:
        body = handler.server.requests[-1]["body"]
        asked.append(asked_for(body))
        if asked[-1].endswith(f": {PARTS[1][0]}") and not interrupted.is_set():
            loop.call_soon_threadsafe(interrupted.set)
            hanging(until=never)(handler)
            return
        again_asked.extend(asked[-1:] if json.dumps(body) in answered else ())
        text(wrong.in_reply(reply(len(asked), asked[-1], body)))(handler)
        answered.add(json.dumps(body))

    server.will(answer)
    model = open_model("openai:played-8b", base_url=server.base_url, environ={})
    manager = await asyncio.to_thread(lambda: begin(goal, model=model, max_iterations=1))
    running = asyncio.ensure_future(manager.run(approving_all()))
    stopping = asyncio.ensure_future(interrupted.wait())
    await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    await asyncio.gather(running, stopping, return_exceptions=True)
    manager = again(log_of(manager), manager.session_id, model=model)
    await manager.resume()
    await manager.run(approving_all())
    return Played(manager, asked, again_asked)


def main() -> None:
    """Let a reader play, and print what came of it."""
    folder, kept = Path(sys.argv[1]), dict[str, list[str]]()
    folder.mkdir(parents=True, exist_ok=True)

    def read(number: int, asked: str, body: dict[str, Any]) -> str:
        prompt = "\n\n".join(f"## {one['role']}\n\n{one['content']}" for one in body["messages"])
        rest = json.dumps({name: value for name, value in body.items() if name != "messages"}, indent=1)
        (folder / f"{number}.prompt.md").write_text(f"{prompt}\n\n## The rest of the request\n\n{rest}\n")
        print(f"{number}: {asked}", flush=True)
        written = folder / f"{number}.reply.txt"
        eventually(written.exists, within=_WHOLE_DAY)
        kept.setdefault(asked, []).append(written.read_text())
        return kept[asked][-1]

    with fake_server() as server:
        manager, asked, again_asked = asyncio.run(play(server, read, *sys.argv[2:3]))
    (folder / "played.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    told = {
        "status": manager.state.status,
        "asked": asked,
        "asked again": again_asked,
        "mended": [note for body in bodies_of(manager, say.ReplyMended) for note in body.notes],
        "rejected": [body.message for body in bodies_of(manager, say.ReplyRejected)],
        "noted": [body.note for body in bodies_of(manager, say.CallNoted)],
    }
    print(json.dumps(told, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
