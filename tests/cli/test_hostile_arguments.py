"""Arguments that hold control characters, or bytes that are no text."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.cli.conftest import Command
from tests.tui.hostile import unsafe
from workbench.cli.parser import build_parser

_PLACES = [
    ["{}"],
    ["--{}"],
    ["--json={}"],
    ["-{}"],
    ["run", "goal", "{}"],
    ["run", "goal", "--{}"],
    ["run", "--approve", "{}"],
    ["run", "goal", "--max-cost", "{}"],
    ["run", "goal", "--max-tokens={}"],
    ["sessions", "{}"],
    ["sessions", "export", "ID", "--format", "{}"],
    ["resume", "ID", "--skip", "--{}"],
    ["remember", "--role", "{}"],
    ["shared", "{}", "x"],
    ["outcome", "ID", "{}"],
    ["rate", "ID", "{}"],
    ["rate", "ID", "5", "{}", "{}"],
]


@given(st.sampled_from(_PLACES), st.text(max_size=40))
@example(["run", "goal", "{}"], "\x1b]0;owned\x07")
@example(["run", "goal", "--{}"], "\x9b2J")
@example(["{}"], "\u202eabc\nworkbench: all is well\r\x1b[2K")
@example(["rate", "ID", "5", "{}"], "\udc9b")
@example(["shared", "{}"], "a" * 100_000)
def test_no_message_of_the_parser_acts_on_a_terminal(place: list[str], text: str) -> None:
    errors = io.StringIO()
    try:
        with redirect_stderr(errors):
            build_parser().parse_args([part.format(text) for part in place])
    except SystemExit:
        said = errors.getvalue()
        assert unsafe(said.removesuffix("\n")) == [], ascii(said)
        assert len(said) < 1_200


NOT_UTF8 = b"caf\xe9"


def _run(tmp_path: Path, *arguments: str | bytes, **environ: str | bytes) -> tuple[int, str, str]:
    """Run a command in a process: only so are arguments bytes."""
    variables = {key.encode(): value if isinstance(value, bytes) else value.encode() for key, value in environ.items()}
    done = subprocess.run(
        [sys.executable, "-m", "workbench", *arguments],
        cwd=tmp_path,
        env=os.environb | {b"WORKBENCH_CONFIG": os.fsencode(tmp_path / "none.toml")} | variables,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", NOT_UTF8],
        ["run", "goal", "--name", NOT_UTF8],
        ["resume", "ID", "--feedback", NOT_UTF8],
        ["resume", "ID", "--answer", NOT_UTF8],
        ["remember", "--session", "ID", NOT_UTF8],
        ["shared", "set", "key", NOT_UTF8],
        ["shared", "set", "key", "--text", NOT_UTF8],
        ["run", "goal", "--model", NOT_UTF8],
    ],
)
def test_a_text_that_is_not_utf8_is_refused(tmp_path: Path, arguments: list[str | bytes]) -> None:
    code, out, err = _run(tmp_path, *arguments)
    assert (code, out) == (2, "")
    assert "the text is not UTF-8" in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_setting_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    code, out, err = _run(tmp_path, "run", "Plan a move of our office", WORKBENCH_PERSON=NOT_UTF8)
    assert (code, out) == (2, "")
    assert "WORKBENCH_PERSON" in err
    assert err.count("\n") == 1


@pytest.mark.full
def test_a_file_may_have_any_name(tmp_path: Path) -> None:
    goal, proposal = (os.fsencode(tmp_path / name) + NOT_UTF8 for name in ("goal", "proposal"))
    for file in (goal, proposal):
        Path(os.fsdecode(file)).write_text("Move our office to Leipzig by 30 June 2028")
    arguments = ("run", "--goal-file", goal, "--proposal", proposal, "--approve", "all", "--json")
    code, out, err = _run(tmp_path, *arguments)
    assert code == 0, err
    session = json.loads(out.splitlines()[-1])["session"]
    code, out, err = _run(tmp_path, "sessions", "export", session, "--format", "jsonl", "--output", b"out" + NOT_UTF8)
    assert code == 0, err
    assert (os.fsencode(tmp_path) + b"/out" + NOT_UTF8) in [*map(os.fsencode, tmp_path.iterdir())]
    code, out, err = _run(tmp_path, "replay", b"./out" + NOT_UTF8 + b".jsonl", "--verify")
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("value", ["1e400", "-1e400", "NaN", "Infinity", "-Infinity", '"\\ud800"', "[1e400]", "[NaN]"])
def test_no_value_is_shared_that_json_cannot_hold(workbench: Command, finished: str, value: str) -> None:  # noqa: ARG001
    refused = workbench("shared", "set", "key", f" {value}")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.count("\n") == 1
    assert "The value holds" in refused.err
    assert workbench("shared", "get", "key").code == 2
    assert workbench("shared", "set", "key", value, "--text").code == (2 if value.startswith("-") else 0)


@pytest.mark.parametrize("value", ["1e400", "nan", "inf", "-inf"])
@pytest.mark.parametrize("option", ["--max-cost", "--max-time"])
def test_no_bound_is_infinite_or_no_number(workbench: Command, tmp_path: Path, option: str, value: str) -> None:
    refused = workbench("run", "Move our office", f"{option}={value}")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == f"workbench: Argument {option}: '{value}' is not a number. See `workbench run --help`.\n"
    assert not (tmp_path / ".workbench").exists()


@pytest.mark.parametrize("value", ["1e400", "nan", "inf"])
def test_no_setting_is_infinite_or_no_number(workbench: Command, tmp_path: Path, value: str) -> None:
    (tmp_path / "user-config.toml").write_text(f"max_cost = {value}\n")
    refused = workbench("run", "Move our office")
    assert (refused.code, refused.out) == (2, "")
    assert "which is not a number to calculate with" in refused.err


@pytest.mark.parametrize(
    "line", ['{"text": "\\ud800"}', '{"text": "a", "time": 1e400}', '{"text": NaN}', '{"text": "a\\udc00b"}']
)
def test_no_message_is_remembered_that_json_cannot_hold(workbench: Command, finished: str, line: str) -> None:
    refused = workbench("remember", "--session", finished, "--jsonl", "-", stdin=f'{{"text": "one"}}\n{line}\n')
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.startswith("workbench: Line 2 ")
