"""What a model was sent for a call: read apart, dropped when it is wanted no more, laid out in words and numbers."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import Script, created, told
from tests.tui.acting import ROOMY, USUAL, WIDE, RunApp, sees, shown, until, wait_at_checkpoint
from tests.tui.hostile import IN_A_FILE, unsafe, unseen
from tests.tui.session_fixtures import begin, gate, screen_of, use, write
from textual.pilot import Pilot
from workbench.bootstrap import Workspace
from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import Event
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.context import Considered, Message, Receipt, SentContext, Summary
from workbench.domain.session.events import OthersSearched, Quoted
from workbench.domain.session.session import fold
from workbench.models.scripted import CallableModel
from workbench.planning.memory.remembering import Said
from workbench.tui.lines import Row
from workbench.tui.marks import Marks
from workbench.tui.session.records.context_rows import SENT, _shared_out, context_rows
from workbench.tui.session.records.looking_back import Looked, LookingBack, Wanted, look_back
from workbench.tui.session.screen import SessionScreen
from workbench.tui.session.view import SessionView
from workbench.tui.views import recalled_rows
from workbench.tui.widgets.main_pane import RecalledList

WIDTH = 88
NEWEST = Wanted(1, None)


def asked(call: str = "c1", context: SentContext | None = None, **changes: Any) -> say.CallStarted:
    said = {"role": "planner", "task": "plan", "attempt": 1, "model": "told", "estimated_tokens": 1000}
    prompt = (Message(role="system", content="You plan."), Message(role="user", content="Plan."))
    return say.CallStarted(
        call=call, messages=prompt, prompt_hash="", parameters={}, context=context, **{**said, **changes}
    )


def sent(*, window: int = 8000, **parts: Any) -> SentContext:
    return SentContext(window=window, limit=6000, tokens={"everything else": 1000}, **parts)


def looked_at(*bodies: say.Body, wanted: Wanted = NEWEST) -> Looked:
    return look_back(wanted, lambda: told(created(), *bodies))


def plain(rows: Iterable[Row]) -> str:
    return "\n".join(line.plain for row in rows for line in row.lines)


def page(looked: Looked, *unfolded: str, width: int = WIDTH, marks: Marks | None = None) -> str:
    return plain(context_rows(looked, frozenset(unfolded), width, marks or Marks()))


# --- reading ----------------------------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_said() -> None:
    def damaged() -> Iterable[Event]:
        yield from told(created())
        raise LogDamaged("Line 2 of s is damaged.", "Run repair.")

    assert "Line 2 of s is damaged." in page(look_back(NEWEST, damaged))
    assert "No model was asked yet" in page(looked_at())
    assert "Reading" in page_of_nothing()


def page_of_nothing() -> str:
    return plain(context_rows(None, frozenset(), WIDTH, Marks()))


def test_two_agents_summaries_of_the_same_messages_are_not_taken_for_one_another() -> None:
    def condensed(agent: str, text: str) -> say.ConversationCondensed:
        receipt = Receipt(
            what="condensed", by=text, ids=("m",), tokens_before=9, tokens_after=5, hash_before="", hash_after=""
        )
        summary = Summary(id="summary:1", text=text, by=text, covers=("m",), seq=1, time="")
        return say.ConversationCondensed(agent=agent, summary=summary, receipt=receipt)

    mine = Considered(id="summary:1", tokens=5, role="summary", agent="planner", source="summary")
    both = condensed("planner", "as planned"), condensed("verifier", "as verified")
    for bodies in (both, both[::-1]):
        shown_page = page(looked_at(*bodies, asked("c1", sent(conversation=(mine,)))))
        assert "as planned" in shown_page
        assert "as verified" not in shown_page


@given(st.lists(st.sampled_from(["earlier", "later", "a call starts", "asks", "answers"]), max_size=40))
def test_only_what_is_wanted_last_is_shown_and_one_is_read_at_a_time(steps: list[str]) -> None:
    back, calls, reading = LookingBack(), 3, []
    for step in steps:
        match step:
            case "earlier":
                back.step(-1)
            case "later":
                back.step(1)
            case "a call starts":
                calls += 1
            case "asks":
                if (wanted := back.due(calls)) is not None:
                    reading.append(wanted)
                    assert len(reading) == 1
            case "answers" if reading:
                wanted = reading.pop()
                place = calls - 1 if wanted.place is None else wanted.place
                was_wanted = wanted.generation == back._generation
                looked = Looked(wanted, place, calls)
                back.take(looked)
                assert (back.looked is looked) == was_wanted
        assert back.looked is None or 0 <= back.looked.place < back.looked.calls


# --- words and numbers ------------------------------------------------------------------------------------------------


def considered(name: str = "note:x", tokens: int = 10, **more: Any) -> Considered:
    return Considered(id=name, tokens=tokens, **more)


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 10**6), min_size=1), st.integers(20, 200))
def test_every_amount_has_a_cell_and_the_bar_its_width(amounts: dict[str, int], cells: int) -> None:
    shares = _shared_out(amounts, cells)
    assert sum(shares.values()) == cells
    assert min(shares.values()) >= 1


WHY_NOT = {
    "budget": "no room",
    "scope": "not in this agent's view",
    "excluded": "you excluded it",
    "threshold": "too far from what was asked",
    "limit": "enough of its kind were nearer",
    "unpaired": "its call is not there",
    "duplicate": "says the same as",
}


@pytest.mark.parametrize("why", WHY_NOT)
def test_why_something_was_not_sent_is_said_in_words(why: str) -> None:
    like = "q" if why == "duplicate" else ""
    dropped = considered("m", 70, why_not=why, like=like)
    said = page(looked_at(asked(context=sent(dropped=(dropped,), goes_back_further=True))))
    assert WHY_NOT[why] in said.partition("NOT SENT")[2]
    assert "70 t" in said
    assert "Older messages were not even considered" in said


def test_what_failed_and_what_an_older_workbench_kept_is_said() -> None:
    assert "could not be searched" in page(looked_at(asked(context=sent(unavailable="It could not be searched."))))
    older = looked_at(asked())
    assert "kept the prompt, and no ledger" in page(older)
    assert "THIS CONVERSATION" not in page(older)
    assert "You plan." in page(older, f"{SENT}prompt")


def test_a_row_unfolds_to_the_exact_text() -> None:
    long = "Start. " + "word " * 60 + "the end of it\n  and an indented line"
    given_message = say.MessageGiven(role="user", text=long)
    events = told(created(), given_message)
    item = f"message:{events[-1].id}"
    looked = looked_at(given_message, asked(context=sent(conversation=(considered(item, 70, reason=""),))))
    (key,) = (row.key for row in context_rows(looked, frozenset(), WIDTH, Marks()) if item in row.key)
    assert "the end of it" not in page(looked)
    assert "the end of it" in page(looked, key)
    assert "┃   and an indented line" in page(looked, key)
    assert "Plan." not in page(looked)
    assert "You plan." in page(looked, f"{SENT}prompt")


def test_hostile_texts_reach_no_line() -> None:
    text = IN_A_FILE.text
    item = considered(
        text, source="semantic", session=text, agent=text, role="assistant", rank=1, reason=text, like=text
    )
    dropped = considered(text, why_not="duplicate", like=text, role="assistant", agent=text, reason=text)
    receipt = Receipt(
        what="condensed",
        by=text,
        ids=(text,),
        note=text,
        tokens_before=1,
        tokens_after=1,
        hash_before="",
        hash_after="",
    )
    found = say.Quoted(id=text, session=text, role="user", agent=text, time=text, text=text, score=1.0, why=text)
    looked = looked_at(
        say.OthersSearched(query=text, reason=text, found=(found,), unavailable=text, for_call="c1"),
        asked(
            text,
            sent(conversation=(dropped,), relevant=(item,), dropped=(dropped,), receipts=(receipt,), unavailable=text),
            role=text,
            model=text,
            task=text,
        ),
    )
    rows = context_rows(looked, frozenset(), WIDTH, Marks())
    rows = context_rows(looked, frozenset(row.key for row in rows), WIDTH, Marks())
    for row in rows:
        for line in row.lines:
            assert unsafe(line.plain) == []
            assert not any("@" in str(span.style) for span in line.spans)
    assert unseen(IN_A_FILE, plain(rows)) == []


# --- on the screen ----------------------------------------------------------------------------------------------------


async def at_context(pilot: Pilot[Any]) -> SessionView:
    await until(pilot, lambda: isinstance(pilot.app.screen, SessionView) and pilot.app.screen._picture is not None)
    await pilot.press("ctrl+l", "4")
    await until(pilot, lambda: re.search(r"call \d+ of \d+", shown(pilot)))
    return pilot.app.screen


async def test_calls_are_gone_through_by_keys(run_app: RunApp, workspace: Workspace) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        await at_context(pilot)
        for key, call in (("left", "call 4 of 5"), ("left", "call 3 of 5"), ("right", "call 4 of 5")):
            await pilot.press(key)
            await until(pilot, lambda call=call: call in shown(pilot))
        await pilot.press("end", "enter")
        await until(pilot, lambda: "system" in shown(pilot))
        await pilot.press("1")
        await until(pilot, lambda: "Plan v1" in shown(pilot))


class Waiting:
    """Reads a session when it is told to."""

    def __init__(self, events: Callable[[], Iterable[Event]]) -> None:
        self.events = events
        self.go = threading.Event()
        self.reads = 0

    def __call__(self) -> Iterable[Event]:
        self.reads += 1
        self.go.wait(60)
        return self.events()


async def test_a_slow_reading_holds_nobody_up_and_is_dropped_where_another_is_wanted(
    run_app: RunApp, workspace: Workspace
) -> None:
    session = await wait_at_checkpoint(workspace)
    async with run_app(session=session) as pilot:
        screen = await at_context(pilot)
        assert isinstance(screen, SessionScreen)
        slow = Waiting(lambda: workspace.session(session).events())
        screen._events = slow
        await pilot.press("left")
        await until(pilot, lambda: slow.reads == 1)
        await pilot.press("left", "left")
        await pilot.press("1")
        await until(pilot, lambda: "Plan v1" in shown(pilot))
        await pilot.press("4")
        slow.go.set()
        await until(pilot, lambda: "call 2 of 5" in shown(pilot))
        assert slow.reads == 2


@pytest.mark.full
async def test_what_was_forgotten_does_not_stay_on_the_screen(run_app: RunApp, workspace: Workspace) -> None:
    named = workspace.start("Paint the fence by May 2029").session_id
    (item,) = workspace.session(named).remember([Said("The gate's code is 4711")])
    session = await wait_at_checkpoint(workspace, session=named)
    async with run_app(session=session) as pilot:
        await at_context(pilot)
        await until(pilot, lambda: "4711" in shown(pilot))
        workspace.session(session).forget(item)
        await until(pilot, lambda: "4711" not in shown(pilot))


async def test_what_is_kept_out_says_so_where_it_was_sent(run_app: RunApp, workspace: Workspace) -> None:
    async with run_app(size=USUAL) as pilot:
        screen = await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        await pilot.press("ctrl+l", "4")
        await sees(pilot, "THIS CONVERSATION")
        await pilot.press("home", "x")
        await sees(pilot, "excluded from the next prompt on")
        await pilot.press("P")
        await sees(pilot, "pinned from the next prompt on")
        await pilot.press("P")
        await until(pilot, lambda: "from the next prompt on" not in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


HOSTILE = [
    "[@click=app.quit]quit[/]",
    "\x1b]52;c;aGk=\x07",
    "\x9b31m",
    "list[int] [/x]",
    "\u202eabc\u200b",
    "e\u0301" * 999,
]
FACT = "The vault's password is kept by Anna"


async def other(workspace: Workspace) -> str:
    """Another session, which remembers a fact."""
    manager = workspace.start("Look after the vault")
    workspace.session(manager.session_id).remember([Said(FACT)])
    return manager.session_id


async def test_its_origin_is_opened_to_be_looked_at_and_not_driven(run_app: RunApp, workspace: Workspace) -> None:
    source = await other(workspace)
    before = workspace.log.head(source)
    async with run_app(size=ROOMY) as pilot:
        await begin(pilot, "Who keeps the password of the vault?")
        await pilot.press("ctrl+l", "3")
        recalled = screen_of(pilot).query_one(RecalledList)
        await until(pilot, lambda: len(recalled.rows) > 1)
        recalled.focus()
        await until(pilot, lambda: recalled.has_focus and recalled.cursor >= 0)
        await pilot.press("enter")
        await until(pilot, lambda: "READ-ONLY" in shown(pilot))
        assert isinstance(pilot.app.screen, SessionView)
        assert not isinstance(pilot.app.screen, SessionScreen)
        assert pilot.app.screen.session == source
        await until(pilot, lambda: pilot.app.screen.plan_pane.has_focus)
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
    assert workspace.log.head(source) == before


@pytest.mark.parametrize("narrow", [False, True], ids=["beside the plan", "as a view"])
async def test_a_message_of_this_session_is_kept_out_of_prompts_or_pinned(
    run_app: RunApp, workspace: Workspace, narrow: bool
) -> None:
    async with run_app(size=USUAL if narrow else WIDE) as pilot:
        screen = await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        workspace.session(screen.session).remember([Said("Blue is out of the question")])
        await until(pilot, lambda: len(screen.state.history) == 3)
        await pilot.press("ctrl+l", "3")
        screen.query_one("#plan" if narrow else "#history").focus()
        await until(pilot, lambda: "Blue is out" in shown(pilot))
        await pilot.press("end", "x")
        await until(pilot, lambda: "excluded" in shown(pilot))
        (item,) = (one for one in workspace.session(screen.session).memory().items if "Blue" in one.text)
        assert workspace.session(screen.session).state().marked(screen.session, "excluded") == {item.id}
        await pilot.press("P")
        await until(pilot, lambda: "pinned" in shown(pilot))
        await pilot.press("P")
        await until(pilot, lambda: "pinned" not in shown(pilot))
        await pilot.press("up", "x")
        await until(pilot, lambda: "became the plan" in shown(pilot))
        assert workspace.session(screen.session).state().marks == ()


async def test_recall_is_switched_off_and_what_is_excluded_stays_in_sight(
    run_app: RunApp, workspace: Workspace
) -> None:
    await other(workspace)
    async with run_app(size=ROOMY) as pilot:
        await begin(pilot, "Who keeps the password of the vault?")
        await pilot.press("ctrl+l", "3")
        await until(pilot, lambda: "RETRIEVED" in shown(pilot))
        await pilot.press("tab", "x")
        await sees(pilot, "1 out")
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "Recall is off" in shown(pilot).replace("\n", " "))
        await sees(pilot, "excluded", "1 out")  # it can be taken back still
        await pilot.press("x")
        await until(pilot, lambda: "1 out" not in shown(pilot))
        await pilot.press("ctrl+t")
        await until(pilot, lambda: "Recall is off" not in shown(pilot))


async def test_an_agent_is_talked_to_at_an_open_gate_and_the_gate_stays(run_app: RunApp, workspace: Workspace) -> None:
    use(workspace, CallableModel(Script().then("chat", "Losses loom larger."), name="told"))
    async with run_app() as pilot:
        screen = await begin(pilot, "Paint the fence by May 2029")
        await gate(pilot, "approach")
        log = workspace.session(screen.session).log()
        workspace.session(screen.session).resume().add_agent(new_agent("kahneman", "You know biases."))
        await write(pilot, "@kahneman, what do I overlook?")
        await pilot.press("enter")
        await until(pilot, lambda: "Losses loom larger." in shown(pilot))
        assert screen.draft.text == ""
        await gate(pilot, "approach")
        await write(pilot, "@nobody are you there?")
        await pilot.press("enter")
        await until(pilot, lambda: "There is no agent 'nobody'" in shown(pilot).replace("\n", " "))
        assert screen.draft.text == "@nobody are you there?"
    assert log.refresh().feedback == ()


@pytest.mark.parametrize("text", HOSTILE)
def test_what_another_session_holds_reaches_no_row_as_it_is(text: str) -> None:
    found = Quoted(id=text, session=text, role="user", agent=None, time=text, text=text, score=1.0, why=text)
    searched = OthersSearched(query="q", reason="r", found=(found,), unavailable=text, for_call="c1")
    for row in recalled_rows(fold(told(created(), searched)), 40, Marks()):
        for line in row.lines:
            assert not set(line.plain) & set("\x1b\x07\x9b\u202e\u200b\n")
