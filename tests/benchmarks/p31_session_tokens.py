"""P31: tokens of a session with a strong model: a draft, two rounds of feedback, and the page that is handed out.

    python -m tests.benchmarks.p31_session_tokens [--quick] [--calls]

The model's answers are recorded (tests/strong). Each prompt is told by its parts, a token for four bytes, and how much
of it begins like an earlier prompt of the session, which a provider's cache of beginnings holds. The schema of an
answer, which goes beside the messages, is counted apart. ``--calls``: a line for each call, before the totals.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from tests.benchmarks.long_sessions import printed
from tests.benchmarks.p23_tokens import shared_beginning, tokens
from tests.strong import Person, Strong, surgery
from workbench.domain.session.context import Message
from workbench.models.ports import Request

BEFORE = {"calls": 23, "prompt_tokens": 221_503, "not_cached": 106_882, "schema_tokens": 47_340}
"""The same session on 30 November 2026, before its prompts were shortened."""
BARS = {"prompt_tokens": 100_000, "not_cached": 40_000, "reply_tokens": 20_000, "schema_tokens": 30_000}
PARTS = ("system", "goal", "statements", "plan", "schedule", "findings", "task", "other")
_INPUT = re.compile(r'<input name="(\w+)"[^>]*>\n.*?\n</input>\n*', re.DOTALL)
_PART_OF = {
    "plan": "plan", "changes": "plan", "items": "plan", "statements": "statements", "schedule": "schedule",
    "findings": "findings", "known": "findings", "earlier": "findings", "goal": "goal",
}  # fmt: skip


def parts_of(messages: Sequence[Message]) -> Counter[str]:
    """Return the tokens of a prompt by part."""
    parts: Counter[str] = Counter()
    for name, text in _pieces(messages):
        parts[name] += tokens(text)
    return parts


def _pieces(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    for place, message in enumerate(messages, 1):
        for found in _INPUT.finditer(message.content):
            yield _PART_OF.get(found[1], "other"), found[0]
        left = _INPUT.sub("", message.content)
        is_task = place == len(messages) or left.startswith("# Task: ")
        kind = "system" if message.role == "system" else "task" if is_task else "goal"
        yield kind, left


def as_sent(messages: Iterable[Message]) -> str:
    """Return a prompt as one text, as a cache of beginnings compares it."""
    return "".join(f"{one.role}: {one.content}\n" for one in messages)


def main() -> None:
    """Play the session, and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the same: it takes seconds")
    parser.add_argument("--calls", action="store_true", help="a line for each call, too")
    asked = parser.parse_args()
    model = Strong()
    asyncio.run(surgery(model).run(Person()))
    before: list[str] = []
    totals: Counter[str] = Counter()
    if asked.calls:
        print("  ".join(f"{name:>10}" for name in ("task", "prompt", *PARTS, "schema", "cached", "reply")))
    for request, reply in zip(model.requests, model.replies, strict=True):
        parts, said = parts_of(request.messages), as_sent(request.messages)
        row = {"prompt": tokens(said), **{name: parts[name] for name in PARTS}}
        schema = "" if request.schema is None else json.dumps(request.schema, separators=(",", ":"), ensure_ascii=False)
        row |= {"schema": tokens(schema)}
        row |= {"cached": shared_beginning(said, before), "reply": tokens(reply)}
        before.append(said)
        totals.update(row)
        if asked.calls:
            cells = (_task(request), *map(str, row.values()))
            print("  ".join(f"{cell:>10}" for cell in cells))
    figures = {
        "calls": len(model.requests),
        "prompt_tokens": totals["prompt"],
        "not_cached": totals["prompt"] - totals["cached"],
        "reply_tokens": totals["reply"],
        "schema_tokens": totals["schema"],
        **{name: totals[name] for name in PARTS},
    }
    is_kept = all(figures[name] <= bar for name, bar in BARS.items())
    printed({"id": "P31", "figures": figures, "baseline": BEFORE, "bar": BARS, "ok": is_kept})


def _task(request: Request) -> str:
    return str(type(request.task).__struct_config__.tag)


if __name__ == "__main__":
    main()
