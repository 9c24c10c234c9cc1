"""P23: prompt tokens of one round that answers one piece of feedback, of a plan of eleven steps.

    python -m tests.benchmarks.p23_tokens [--quick]

A server on the loopback speaks OpenAI's protocol and counts what it is sent: a token for four bytes of the messages.
What begins like an earlier prompt is what a provider's cache of beginnings would hold.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.p25_after_an_operation import plan_of
from tests.builders import execute_reply, generate_reply, plan_reply, propose_reply, verify_reply
from tests.models.fake_openai import fake_server, text

BEFORE = 21_800
"""Tokens of the same round on 22 November 2026, when the plan went out as indented JSON to each role."""
BAR = 10_000
STEPS = 11
_HEADING = re.compile(r"^# Task: (.+)$", re.MULTILINE)


@dataclass
class Counting:
    """A planner that counts what it is asked with."""

    prompts: list[tuple[str, str]] = field(default_factory=list)
    """The task and the messages, of each request."""

    def __call__(self, handler: Any) -> None:
        """Answer the task that the last message names."""
        messages = handler.server.requests[-1]["body"]["messages"]
        [heading] = filter(None, (_HEADING.search(one["content"]) for one in messages))
        self.prompts.append((heading[1], "".join(f"{one['role']}: {one['content']}\n" for one in messages)))
        text(self._reply(heading[1]))(handler)

    def _reply(self, task: str) -> str:
        is_first = sum(name == task for name, _ in self.prompts) == 1
        plan = plan_of(STEPS)
        return {
            "propose approaches": propose_reply(),
            "plan": plan_reply(*(plan.sections if is_first else ()), title="Build in the garden"),
            "verify the plan": verify_reply(),
            "turn steps into actions": execute_reply(),
            "write the page": generate_reply(),
        }[task]


def tokens(said: str) -> int:
    """Return about how many tokens a text takes."""
    return len(said.encode()) // 4


def shared_beginning(said: str, before: list[str]) -> int:
    """Return the tokens at the beginning that an earlier prompt began with, too."""
    alike = (
        "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(said, one, strict=False)))
        for one in before
    )
    return max(map(tokens, alike), default=0)


def main() -> None:
    """Plan, say one thing, and count the round that follows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the same: it takes seconds")
    parser.parse_args()
    planner = Counting()
    with fake_server() as server, tempfile.TemporaryDirectory() as folder:
        server.will(planner)
        program = [sys.executable, "-m", "workbench"]
        model = ["--model", "openai:m", "--base-url", server.base_url, "--json"]
        environ = {
            **os.environ,
            "OPENAI_API_KEY": "sk-loopback-0123456789",
            "WORKBENCH_CONFIG": f"{folder}/config.toml",
        }

        def run(*words: str) -> Any:
            done = subprocess.run(
                [*program, *words, *model],
                cwd=folder,
                env=environ,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=False,
            )
            return json.loads(done.stdout.splitlines()[-1])

        session = run("run", "Build eleven things in the garden by June 2027", "--checkpoint", "1")["session"]
        run("resume", session, "--choose", "1")
        begun = len(planner.prompts)
        run("resume", session, "--feedback", "The oven is the most important one")
    before = [said for _, said in planner.prompts[:begun]]
    by_task: dict[str, int] = {}
    cached = 0
    for task, said in planner.prompts[begun : begun + 4]:
        by_task[task] = tokens(said)
        cached += shared_beginning(said, before)
        before.append(said)
    total = sum(by_task.values())
    printed(
        {
            "id": "P23",
            "figures": {"prompt_tokens": total, "cached_beginning": cached, **by_task},
            "baseline": {"2026-11-22": BEFORE},
            "bar": BAR,
            "ok": total <= BAR and cached >= total / 2,
        }
    )


if __name__ == "__main__":
    main()
