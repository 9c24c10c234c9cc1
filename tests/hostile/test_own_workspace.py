"""A person who named a model once for a workspace of their own is not asked again on an ordinary day."""

from __future__ import annotations

from tests.cli.conftest import Command, workbench  # noqa: F401  # fixture
from tests.hostile.commands import GOAL
from tests.models.fake_openai import fake_server


def test_an_ordinary_day_asks_nothing(workbench: Command) -> None:  # noqa: F811  # the fixture
    with fake_server() as server:
        named = ("--model", "openai:m", "--base-url", server.base_url)
        session = str(workbench("run", GOAL, *named, "--json").last["session"])
        for command in (
            ("resume", session),
            ("ask", session, "Hello?", "--agent", "nova"),
            ("recall", "billing", "--session", session),
            ("sessions", "list"),
            ("sessions", "show", session),
            ("sessions", "fork", session),
            ("sessions", "search", "billing"),
            ("replay", session),
            ("shared", "get"),
            ("config",),
            ("trust",),
            ("trust", session),
        ):
            before = len(server.requests)
            ended = workbench(*command)
            assert "accept" not in ended.err, (command, ended.err)
            assert command[0] != "resume" or len(server.requests) > before
