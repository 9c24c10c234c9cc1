"""The audit of files that a person named: honest prompts pass, and whatever is planted in a copy is named."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from tests.builders import Script, begin, events_of
from tests.replay.audited_sessions import calls, doctored, entry, resent, with_messages
from workbench.domain.log.envelope import Event
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.context import Message
from workbench.domain.session.session import fold
from workbench.planning.memory.recalling import mark_item
from workbench.planning.policies import approving_all
from workbench.planning.sources.project_files import ProjectFiles, fresh
from workbench.replay.audit import audit

BUDGET = "The hospital pays at most thirty thousand euros for whatever is printed on the second floor"
DATES = "Every invoice of the old provider has to be with the auditors before the ward closes in May"
STAFF = "Of all who work in the laundry nobody may be called before the summer holidays have ended"
OLD = "What this said on the day before is of no interest to whoever counts the laundry today"
START = '<input name="files">\n'


@cache
def made() -> tuple[Event, ...]:
    """A session's file, one of nova's alone, one that a person excluded, one that changed, and one that is not read."""

    async def make(folder: Path) -> tuple[Event, ...]:
        script = Script().then("chat", "Fine.", "Still fine.")
        for name, text in (("budget", BUDGET), ("dates", DATES), ("staff", STAFF), ("laundry", OLD)):
            (folder / f"{name}.md").write_text(f"{text}\n")
        files = ProjectFiles(folder)
        manager = begin(script=script, files=files, max_iterations=1)
        manager.add_agent(new_agent("nova", "You are Nova."))
        for names in (["budget.md", "staff.md", "laundry.md"], ["laundry.md"]):
            manager._session.record_given(fresh(manager.state, files.required(names)), actor="person")
            (folder / "laundry.md").write_text("Ask them.\n")
        mark_item(manager._session, manager.session_id, f"file:{manager.state.files[1].id}", "excluded")
        await manager.ask("nova", "When, by @dates.md and @gone.md?")
        await manager.run(approving_all())
        await manager.ask("nova", "And now?")
        return tuple(events_of(manager))

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(make(Path(folder)))


def broken(events: Any) -> list[tuple[str, int]]:
    return [(one.rule, int(one.event.rpartition(":")[2])) for one in audit(events).violations]


def item_of(text: str) -> str:
    return next(f"file:{one.id}" for one in fold(made()).files if text in one.read.text)


def test_an_honest_session_passes_and_had_something_to_find_fault_with() -> None:
    found = audit(made())
    assert found.ok, found.violations
    assert found.in_full == found.calls
    listed = [
        say.content(made()[seq - 1]).context.relevant for seq in (*calls(made(), "planner"), *calls(made(), "nova"))
    ]
    assert {one.id for entries in listed for one in entries} >= {item_of(BUDGET), item_of(DATES), item_of("Ask them.")}
    (excluded,) = {one.id for seq in calls(made(), "planner") for one in say.content(made()[seq - 1]).context.dropped}
    assert excluded == item_of(STAFF)


# --- what is planted --------------------------------------------------------------------------------------------------


def quoting(text: str, rank: int = 1) -> Callable[[Any], Any]:
    """One more quotation of a file, in the prompt and in the ledger, as one that may stand there would be."""
    one = next(one for one in fold(made()).files if text in one.read.text)
    quoted = f"{one.read.path}, lines 1-1 of 1:\n{one.read.text}"

    def plant(call: Any) -> Any:
        told = {"session": made()[0].session, "time": one.time, "who": one.read.to or "artefact", "text": quoted}
        system, *rest = call.messages
        shown = rest.pop(0).content if rest[0].content.startswith(START) else f"{START}[]\n</input>"
        listed = msgspec.json.decode(shown.removeprefix(START).removesuffix("\n</input>"))
        written = Message(role="user", content=f"{START}{msgspec.json.encode([*listed, told]).decode()}\n</input>")
        call = replace(call, messages=(system, written, *rest))
        fields = {
            "source": "file",
            "role": "artefact",
            "rank": rank,
            "reason": "you named it",
            "agent": one.read.to or None,
        }
        planted = replace(entry(f"file:{one.id}", quoted, **fields), section="relevant_history")
        kept = tuple(entry for entry in call.context.dropped if entry.id != planted.id)
        return replace(call, context=replace(call.context, relevant=(*call.context.relevant, planted), dropped=kept))

    return plant


def of_entry(text: str, **fields: Any) -> Callable[[Any], Any]:
    """Something else is said of an entry, and nothing in the prompt."""

    def plant(call: Any) -> Any:
        name = item_of(text)
        relevant = tuple(replace(one, **fields) if one.id == name else one for one in call.context.relevant)
        return replace(call, context=replace(call.context, relevant=relevant))

    return plant


def in_prompt(old: str, new: str) -> Callable[[Any], Any]:
    def plant(call: Any) -> Any:
        system, files, *rest = call.messages
        assert old in files.content
        return replace(call, messages=(system, replace(files, content=files.content.replace(old, new)), *rest))

    return plant


def elsewhere(text: str) -> Callable[[Any], Any]:
    def plant(call: Any) -> Any:
        return with_messages(call, last=f'<input name="proposal">\n{text}\n</input>\n\n{call.messages[-1].content}')

    return plant


PLANTED = {
    "a file for the verifier": ("scope.caller", "verifier", quoting(BUDGET)),
    "a file for the executor": ("scope.caller", "executor", quoting(BUDGET)),
    "another agent's file": ("scope.agent", "planner", quoting(DATES)),
    "an excluded file": ("scope.excluded", "planner", quoting(STAFF, 2)),
    "a file as it was before": ("scope.retrieved", "planner", quoting(OLD)),
    "the label of a search": ("scope.label", "planner", of_entry(BUDGET, source="semantic")),
    "the label of this session": ("scope.label", "planner", of_entry(BUDGET, source="session")),
    "another session's": ("scope.retrieved", "planner", of_entry(BUDGET, session="peer-b-b2b2")),
    "other lines": ("prompt.ledger", "planner", in_prompt("thirty thousand", "forty thousand")),
    "another path": ("prompt.ledger", "planner", in_prompt("budget.md, lines", "order.md, lines")),
    "under the name of another input": ("prompt.ledger", "planner", in_prompt('"files"', '"from_this_session"')),
    "another rank": ("ledger.entry", "planner", of_entry(BUDGET, rank=2)),
    "another reason": ("ledger.entry", "planner", of_entry(BUDGET, reason="it was near")),
    "a pin": ("ledger.entry", "planner", of_entry(BUDGET, pinned=True)),
    "a person as the speaker": ("ledger.entry", "planner", of_entry(BUDGET, role="user")),
    "other tokens": ("ledger.tokens", "planner", of_entry(BUDGET, tokens=1)),
    "its words in another input": ("prompt.reply", "verifier", elsewhere(BUDGET)),
    "the words of another agent's": ("prompt.reply", "planner", elsewhere(DATES)),
}  # fmt: skip


@pytest.mark.parametrize("planted", PLANTED)
def test_what_is_planted_is_named_with_its_event(planted: str) -> None:
    rule, role, change = PLANTED[planted]
    seq = calls(made(), role)[-1]
    found = broken(resent(made(), seq, change))
    assert (rule, seq) in found, found
    assert {place for _, place in found} == {seq}


@pytest.mark.parametrize(
    "change", [{"why_not": "it is empty."}, {"to": "aniza"}, {"path": "other.md"}, {"text": "1\tx"}]
)
def test_what_the_log_says_of_a_file_is_what_prompts_hold(change: dict[str, str]) -> None:
    seq = next(event.seq for event in made() if event.kind == "file.read")
    assert broken(doctored(made(), seq, partial(replace, **change)))
