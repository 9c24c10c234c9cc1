"""Sessions of one workspace, each with a word that nothing else says, and everything that can be asked of them.

    Lives(folder) ─ begin, remember, ask, drive, mark, forget, delete … ─▶ what came of it: a text, or the refusal
         │
         └ answers(n)   all that session n says of itself, to compare two worlds by
           strays()     words that stand where they do not belong: in another session, in another agent's prompt

A quotation is looked at apart: it says whose it is, and may hold the words of that session alone. So is what sessions
share: each key with the session that changed it last.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace
from tests.builders import FixedClock, Script, begin, standard_reply, task_name
from workbench.bootstrap import Workspace
from workbench.cli import run_command
from workbench.context.view import SessionView
from workbench.domain.errors import WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import AgentId
from workbench.domain.loop.agents import ROLES, new_agent
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.domain.session.copies import in_full
from workbench.domain.session.state import SessionState, SharedSeen
from workbench.export.markdown import entity_files, session_markdown
from workbench.export.objects import session_object
from workbench.models.embeddings import HashedWords
from workbench.models.scripted import CallableModel
from workbench.planning.asking.condensing import whole
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.remembering import Said
from workbench.planning.policies import approve_all, nobody
from workbench.replay.contexts import calls_of, context_of

WINDOW = 8_000
"""Tokens: a conversation of some pages is condensed."""
LONG = "and whatever else there is to say about the budget of the hospital is said here once more, in full; " * 30
QUERIES = ("Who pays the budget of the hospital?", "*", "planning_session_ kanarie")

_SESSION_WORD = re.compile(r"kanarie(\d+)q")
_AGENT_WORD = re.compile(r"stimme\d+q([a-z0-9-]+?)q")
_QUOTED = re.compile(r'<input name="(?:from_other_sessions|shared_context)">\n(.*?)\n</input>', re.DOTALL)
_COUNTED = re.compile(r"[\d,]+ tokens")
_TREE = re.compile(r'(?m)^ *[\d,]+  (?= *[a-z0-9.-]+$)|"tokens_by": \{[^}]*\}')
"""Who spent how much, as `sessions show` lists it."""


def word(number: int) -> str:
    """What every text of a session says, and none of another."""
    return f"kanarie{number}q"


def agent_word(number: int, agent: str) -> str:
    """What every reply of an agent in a session says."""
    return f"stimme{number}q{agent}q"


def words_in(text: str) -> set[int]:
    """The sessions whose words a text says."""
    return {int(found) for found in _SESSION_WORD.findall(text)}


def agents_in(text: str) -> set[str]:
    """The agents whose words a text says."""
    return set(_AGENT_WORD.findall(text))


def unquoted(state: SessionState) -> SessionState:
    """A state without what it quotes of others under their names."""
    return replace(state, searches=(), retrieved=(), marks=(), shared=SharedSeen(), points=())


class Voice(Script):
    """Answers each task as usual, with the session's word in whatever it says; an agent says its own too."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def __call__(self, request: Any) -> str:
        if self._says[task_name(request)]:
            return super().__call__(request)
        self.requests.append(request)
        match task_name(request):
            case "chat":
                return f"{agent_word(self.number, request.role)}: the budget of {word(self.number)} holds."
            case "condense":
                return "\n".join(request.task.said)[:900]
        reply = standard_reply(request)
        for said in ("ledger", "Way", "Nobody", "customers"):
            reply = reply.replace(said, f"{word(self.number)} {said}")
        return reply


class Lives:
    """A workspace, and how its sessions are called: by number, in the order in which they began."""

    def __init__(self, folder: Path, runner: asyncio.Runner) -> None:
        environ = {"WORKBENCH_CONFIG": str(folder / "none.toml")}
        self.folder = folder
        self.workspace = Workspace.open(folder, environ=environ, options={"person": "ada"}, clock=FixedClock())
        self.workspace.parts.log = self.workspace.log = self.workspace.folder.log(durable=False)
        self.workspace.parts.embedder = HashedWords()  # a cached property: what a person set
        self.voices: dict[int, Voice] = {}
        self.private: set[int] = set()
        self.ids: dict[int, str] = {}
        self.managers: dict[int, IterationManager] = {}
        self._runner = runner

    # --- what is done -------------------------------------------------------------------------------------------------

    def begin(self, number: int, goal: str, *, private: bool, recall: bool, shares: bool = True) -> str:
        self.voices[number] = Voice(number)
        manager = begin(
            goal,
            log=self.workspace.log,
            model=self._model(number),
            ending=f"x{number:03}",
            private=private,
            others=self.workspace.parts.others if recall else None,
            embedder=self.workspace.parts.embedder,
            lessons=self.workspace._learning.fitting,
            coordinate=self.workspace.parts.coordinator if shares else None,
            max_iterations=2,
            checkpoint_interval=1,
        )
        self.ids[number], self.managers[number] = manager.session_id, manager
        if private:
            self.private.add(number)
        return manager.session_id

    def reopen(self, number: int) -> str:
        self.managers[number] = self.workspace.session(self.ids[number]).resume(model=self._model(number))
        return self.managers[number].state.status

    def rate(self, number: int, note: str) -> str:
        return repr(self.workspace.session(self.ids[number]).rate(1, note).rating)

    def remember(self, number: int, said: list[Said]) -> str:
        return " ".join(self.workspace.session(self.ids[number]).remember(said))

    def add_agent(self, number: int, name: str) -> str:
        told = f"You are {name} of {word(number)}."
        self.workspace.session(self.ids[number]).add_agent(new_agent(name, told))
        return name

    def ask(self, number: int, agent: str, message: str) -> str:
        return self._runner.run(self.managers[number].ask(agent, message))

    def drive(self, number: int) -> str:
        state = self._runner.run(self.managers[number].run(nobody))
        return f"{state.status} {state.gate}"

    def answer(self, number: int, feedback: str) -> str:
        manager = self.managers[number]
        gate = manager.state.gate
        if gate is None:
            return "no gate"
        may_say = any(choice.kind == "feedback" for choice in gate.choices)
        answer = Answer(kind="feedback", text=feedback) if feedback and may_say else approve_all(gate)
        self._runner.run(manager.answer(gate, answer))
        return f"{answer}"

    def mark(self, number: int, other: str, item: str, mark: Any) -> str:
        self.workspace.session(self.ids[number]).mark(other, item, mark)
        return f"{other} {item} {mark}"

    def switch(self, number: int, *, on: bool) -> str:
        self.workspace.session(self.ids[number]).switch_recall(on=on)
        return f"{on}"

    def share(self, number: int, key: str, value: str) -> str:
        self.workspace.session(self.ids[number]).coordinator().update_shared(key, value)
        return key

    def search_across(self, number: int, query: str, agent: str | None) -> str:
        named = None if agent is None else AgentId(agent)
        self.workspace.session(self.ids[number]).recall(query, 10, agent=named, reason="to compare")
        return query

    def store(self, number: int, name: str, content: str) -> str:
        self.workspace.session(self.ids[number]).log().record_given(
            [say.EntityStored(name=name, content=content)], actor="person"
        )
        return name

    def read_file(self, number: int, content: str) -> str:
        name = f"{number}.md"
        (self.folder / name).write_text(content, encoding="utf-8")
        self.workspace.session(self.ids[number]).read_files([name])
        return name

    def forget(self, number: int, item: str, *, everywhere: bool = False) -> list[str]:
        """Forget an item; return the other sessions in which it was."""
        done = self.workspace.session(self.ids[number]).forget(item, everywhere=everywhere)
        return [one.session for one in done.quoted if one.forgotten]

    def delete(self, number: int) -> str:
        del self.managers[number]
        return self.workspace.session(self.ids[number]).delete().stream

    def restore(self, number: int) -> str:
        self.workspace.restore(self.ids[number])
        return self.reopen(number)

    def _model(self, number: int) -> CallableModel:
        return CallableModel(self.voices[number], name="told", window=WINDOW)

    # --- what is there ------------------------------------------------------------------------------------------------

    @property
    def living(self) -> list[int]:
        """The sessions that are not deleted."""
        return sorted(self.managers)

    def events(self, number: int) -> list[Event]:
        return list(in_full(self.workspace.session(self.ids[number]).events()))

    def state(self, number: int) -> SessionState:
        return self.workspace.session(self.ids[number]).state()

    def agents(self, number: int) -> list[str]:
        """Who may see a part of a session: its roles, its agents, and whoever is said to have replied."""
        state = self.state(number)
        said = {one.agent for one in state.history if one.agent}
        return sorted({*ROLES, *(agent.id for agent in state.agents), *said})

    def was_told_of_others(self, number: int) -> bool:
        """Whether other sessions were ever searched for it, or it ever saw what is shared."""
        state = self.state(number)
        return bool(state.searches or state.shared.values)

    def answers(self, number: int) -> dict[str, Any]:
        """All that a session says of itself; of what it was sent, all but quotations of others and their weight."""
        state, events = self.state(number), self.events(number)
        return {
            "memory": self._remembered(number),
            "guidance": self.managers[number].get_iteration_guidance(),
            "condensed": state.condensed,
            "conversations": [_conversation(events, heading.call) for heading in calls_of(events)],
            "history": list(state.history),
            "exports": [uncounted(session_markdown(state)), entity_files(state), _object(state)],
            "shown": uncounted(self.shown(number)),
            "listed": [one for one in self.workspace.sessions() if one.session == self.ids[number]],
            "log": [_told(event) for event in events] if state.searches or state.observed_for else events,
        }

    def shown(self, number: int) -> str:
        """What the command line shows of a session, as text and as JSON."""
        out = io.StringIO()
        for more in ((), ("--json",)):
            with redirect_stdout(out):
                assert run_command(["sessions", "show", self.ids[number], "--workspace", str(self.folder), *more]) == 0
        return re.sub(r'"(tokens|cost)":[^,}]+', "", out.getvalue())

    def _remembered(self, number: int) -> list[Any]:
        view = self.workspace.session(self.ids[number]).memory()
        views = [view, *(view.for_agent(AgentId(agent)) for agent in self.agents(number))]
        parts = [part for one in views for part in (one, one.only("insights"), one.only("stored"))]
        return [[part.items, *(part.search(query, 10) for query in QUERIES)] for part in parts]

    # --- what must not be there ---------------------------------------------------------------------------------------

    def strays(self) -> Iterator[str]:
        """Yield, for each thing that says another session's word outside a quotation of it, what that is."""
        for number in self.living:
            mine = {number}
            for event in self.events(number):
                yield from (f"{event.id} {event.kind}: {why}" for why in self._strays_in(event, number))
            state = self.state(number)
            stood = [unquoted(one) for one in (state, *(point.state for point in state.points))]
            said = {"state": repr(stood), "shown": self.shown(number)}
            said |= {"memory": repr(self._remembered(number))}
            yield from (f"{number} {name}" for name, text in said.items() if words_in(text) - mine)
            for request in self.voices[number].requests:
                yield from (
                    f"{number} {request.role}'s prompt: {why}" for why in self._strays_in_prompt(request, number)
                )
        for file in (self.folder / ".workbench" / "cache" / "items").glob("*"):
            allowed = {n for n, name in self.ids.items() if name == file.stem and n not in self.private}
            if words_in(file.read_bytes().decode(errors="replace")) - allowed:
                yield f"{file.name}"

    def _strays_in(self, event: Event, number: int) -> Iterator[str]:
        body = say.content(event)
        if isinstance(body, say.OthersSearched):
            found = [(one.session, f"{one.text} {one.why}") for one in body.found]
            yield from self._strays_in_quotations(found, number)
            if event.agent and {agent for _, text in found for agent in agents_in(text)} - {event.agent}:
                yield f"{event.agent} was given another agent's words"
            body = replace(body, found=())
        elif isinstance(body, say.SharedObserved):
            seen = [(one.session, f"{one.key} {one.value}") for one in body.changes]
            yield from self._strays_in_quotations(seen, number, may_be_own=True)
            body = replace(body, changes=())
        elif isinstance(body, say.CallStarted):
            texts = [message.content for message in body.messages]
            yield from (why for text in texts for why in self._strays_in_text(text, number))
            others = [one for one in (*body.context.relevant, *body.context.dropped) if one.session]
            yield from self._strays_in_quotations([(one.session, one.reason) for one in others], number)
            own = {
                name: tuple(one for one in getattr(body.context, name) if not one.session)
                for name in ("relevant", "dropped")
            }
            body = replace(body, messages=(), context=replace(body.context, **own))
        if words_in(msgspec.json.encode(body).decode()) - {number}:
            yield "it says another session's word"

    def _strays_in_prompt(self, request: Any, number: int) -> Iterator[str]:
        for message in request.messages:
            yield from self._strays_in_text(message.content, number)
            if agents_in(message.content) - {request.role}:
                yield f"it says the words of {agents_in(message.content)}"

    def _strays_in_text(self, text: str, number: int) -> Iterator[str]:
        plain, quoted = without_quotations(text)
        yield from self._strays_in_quotations(quoted, number, may_be_own="shared_context" in text)
        if words_in(plain) - {number}:
            yield "it says another session's word outside a quotation"

    def _strays_in_quotations(
        self, quoted: list[tuple[str, str]], number: int, *, may_be_own: bool = False
    ) -> Iterator[str]:
        for session, text in quoted:
            whose = {n for n, name in self.ids.items() if name == session}
            if words_in(text) - whose:
                yield f"a quotation of {session} says another's word"
            if whose & (self.private - {number} if may_be_own else {number, *self.private}):
                yield f"it quotes {session}, which is itself or private"

    # --- agents and headers -------------------------------------------------------------------------------------------

    def assert_agents_see_their_own(self, number: int) -> None:
        """A view is what people said and what this agent replied, whatever was condensed, found or forgotten."""
        state, memory = self.state(number), self.workspace.session(self.ids[number]).memory()
        for agent in self.agents(number):
            expected = {
                f"message:{one.id}"
                for one in state.history
                if not one.task and (one.role == "user" or one.agent == agent)
            }
            view = SessionView(state, agent)
            seen = {leaf for entry in whole(view) for leaf in entry.leaves}
            assert seen - view.excluded == expected - view.excluded, agent
            assert all(agents_in(entry.text) <= {agent} for entry in whole(view)), agent
            items = [one for one in memory.for_agent(AgentId(agent)).items if one.role != "artefact"]
            assert {one.id for one in items} == expected, agent

    def assert_headers(self, number: int) -> None:
        """Every event carries the turn it was recorded in; what belongs to a call, the agent that was asked."""
        roles: dict[str, str] = {}
        for event in self.events(number):
            assert (event.session, event.person, event.workspace) == (self.ids[number], "ada", "w-1"), event
            body: Any = say.content(event)
            if isinstance(body, say.CallStarted):
                roles[body.call] = body.role
            if event.kind.startswith("call."):
                assert event.agent == roles[body.call], event


def outcome(action: Callable[[], Any]) -> str:
    """What an action comes to: what it returns, or the kind of its refusal and what it says."""
    try:
        return str(action())
    except WorkbenchError as error:
        return f"{type(error).__name__}: {error}"


def without_quotations(text: str) -> tuple[str, list[tuple[str, str]]]:
    """A prompt without what it quotes of others and of what is shared, and that, each with the session it is of."""
    found = [one for quoted in _QUOTED.findall(text) for one in json.loads(quoted)]
    return _QUOTED.sub("", text), [(one["session"], one["text"]) for one in found]


def uncounted(text: str) -> str:
    """A text without numbers of tokens: quotations of others weigh something."""
    return _TREE.sub("some ", _COUNTED.sub("some tokens", text))


def _conversation(events: list[Event], call: str) -> list[Any]:
    return [replace(one, rank=0) for one in context_of(events, call).current_conversation]


def _object(state: SessionState) -> str:
    told = {key: value for key, value in session_object(state).items() if key not in {"tokens", "tokens_by", "cost"}}
    return uncounted(json.dumps(told))


def _told(event: Event) -> Any:
    """An event without what others may move: what was found of them, what that weighs, and the chain over both."""
    body = say.content(event)
    match body:
        case say.OthersSearched():
            body = replace(body, found=(), unavailable="")
        case say.SharedObserved():
            body = replace(body, changes=(), epoch="", seq=0, anew=False)  # a stream begins with whoever is first
        case say.CallStarted():
            body = replace(body, messages=(), prompt_hash="", estimated_tokens=0, context=None, parameters={})
        case say.CallFinished():
            body = replace(body, input_tokens=0)
        case say.ContentForgotten():  # a quotation may say the same
            body = replace(body, redacted=())
    return [
        getattr(event, name) for name in ("seq", "id", "kind", "origin", "agent", "actor", "cause", "turn")
    ], uncounted(repr(body))
