"""Every module that decodes what others wrote is tried: on growing texts, on mutated files, or in a killed process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.readers import READERS as FUZZED
from tests.properties.test_doubling import READERS as DOUBLED

PACKAGE = Path(__file__).parents[2] / "workbench"
_ENDS = (
    *("json.decode", "json.loads", "json.Decoder", "JSONDecoder", "raw_decode", "json_values"),
    *("tomllib.loads", "read_toml", "tomlkit.parse", "csv.reader", "MarkdownIt", "ParserCreate", "HTMLParser"),
)
"""Ends of the names of calls that decode."""
DECODERS: dict[str, str] = {
    # texts that grow: tests/properties/test_doubling.py
    "domain/loop/agents.py": "doubled agent",
    "domain/loop/answers/replies.py": "doubled answer",
    "domain/loop/answers/reply_schema.py": "doubled answer",
    "domain/loop/asking/tool_calls.py": "doubled tool call",
    "domain/plan/importing/lines/blocks.py": "doubled plan.md",
    "domain/plan/importing/formats/delimited.py": "doubled plan.csv",
    "domain/plan/importing/formats/json_tasks.py": "doubled plan.json",
    "domain/plan/importing/own.py": "doubled plan.json",
    "domain/plan/markdown/values.py": "doubled own plan",
    "domain/shared/input.py": "doubled shared value",
    "domain/text/comparable.py": "a version of at most some thousand lines: tests/domain/test_review.py",
    "domain/text/loose_json.py": "doubled reply",
    "domain/text/toml.py": "doubled settings",
    "domain/commands/fields.py": "doubled commands",
    "models/servers/wire.py": "doubled whole answer",
    "planning/asking/gathering.py": "doubled answer",
    "planning/asking/incoming.py": "doubled reply",
    "planning/sources/web.py": "doubled search answer",
    "settings.py": "doubled settings",
    "storage/files/drafts.py": "doubled draft",
    "templates/template.py": "doubled template",
    "tui/markdown_lines.py": "doubled Markdown shown",
    "tui/session/plan/streaming.py": "doubled draft of an answer",
    "tui/settings/themes.py": "doubled theme",
    # mutated files: tests/fuzz
    "bootstrap/learning.py": "fuzzed session",
    "bootstrap/listing.py": "fuzzed session",
    "cli/memory_and_sharing/remember.py": "fuzzed remember",
    "domain/log/bodies.py": "fuzzed session",
    "domain/loop/answers/causes.py": "fuzzed session",
    "domain/plan/importing/formats/xml.py": "fuzzed plan-file",
    "domain/plan/changing/operations.py": "fuzzed session",
    "domain/session/copies.py": "fuzzed session",
    "domain/shared/words.py": "fuzzed shared",
    "memory/index.py": "fuzzed items",
    "memory/kept_index.py": "fuzzed vectors",
    "memory/library.py": "fuzzed items",
    "models/scripted.py": "fuzzed script",
    "planning/trust/mcp_servers.py": "fuzzed tools",
    "planning/memory/transcripts.py": "fuzzed transcript",
    "replay/audit/copies.py": "fuzzed session",
    "replay/audit/prompt.py": "fuzzed session",
    "replay/audit/record.py": "fuzzed session",
    "replay/likeness.py": "fuzzed session",
    "sharing/snapshot.py": "fuzzed snapshot",
    "storage/admission.py": "fuzzed import",
    "storage/catalogue.py": "fuzzed catalogue",
    "storage/codec.py": "fuzzed session",
    "storage/files/workspace.py": "fuzzed identity",
    "storage/tinydb.py": "fuzzed session",
    "storage/trust.py": "fuzzed identity",
    # a process that is killed: tests/test_foreign.py
    "plan_files.py": "what the reading process says of a plan file",
    "planning/trust/mcp_client.py": "a process of its own for each server of tools",
    "planning/sources/pages.py": "a process of its own for pages",
    "workbooks.py": "the process that reads a plan file",
    # bounded where it comes from
    "cli/other_programs/mcp_server.py": "a line of a client, of which only the id is read: tests/cli/test_mcp.py",
    "cli/other_programs/review_hook.py": "what an agent's hook gives, some megabytes at most: tests/cli/test_review.py",
    "cli/application/web_process.py": "messages of a browser of at most 64 kB: tests/tui/test_terminal_input.py",
    "models/servers/failures.py": "an error of at most some kilobytes: tests/models/test_providers.py",
    "models/small.py": "what domain/text/loose_json.py reads of a reply",
    "models/local/files.py": "the person's own list, and what was written beside a model",
    "models/local/server.py": "what the child of this process wrote",
    "models/servers/inquiry.py": "an answer that is bounded in bytes and time: tests/models/test_inquiry.py",
    "storage/redis/driving.py": "a reply of a server that is bounded: tests/storage/test_hostile_servers.py",
    # what was read before
    "domain/plan/importing/items_json.py": "values that it has just written itself",
    "domain/session/forgetting.py": "texts of a session that is folded",
    "domain/shared/forgetting.py": "texts of a log that is folded",
    "planning/memory/forgetting.py": "texts of a session that is folded",
    "sharing/forgetting.py": "texts of a log that is folded",
    "tui/session/telling.py": "texts of a session that is folded",
    # the person's own
    "tui/settings/preferences.py": "the person's own settings, as they stand",
}
"""Module → how it is tried, or why it need not be."""


def decoding_calls(source: str) -> Iterator[str]:
    """Yield the calls of a module that decode bytes or texts."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)).endswith(_ENDS):
            yield name


def test_every_module_that_decodes_is_tried() -> None:
    files = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    assert {name for name, source in files.items() if any(decoding_calls(source))} == DECODERS.keys()


def test_every_reader_that_is_named_exists() -> None:
    named = {(how.partition(" ")[0], how.partition(" ")[2]) for how in DECODERS.values()}
    assert {name for kind, name in named if kind == "doubled"} <= DOUBLED.keys()
    assert {name for kind, name in named if kind == "fuzzed"} <= FUZZED.keys()


def test_a_call_that_decodes_is_noticed() -> None:
    assert list(decoding_calls("msgspec.json.decode(a)\ntomllib.loads(b)\na.decode()")) == [
        "msgspec.json.decode",
        "tomllib.loads",
    ]
