"""One session of a workspace: what can be done with it, and asked of it, without driving its loop.

workspace.session(id) ─▶ Session ─┬▶ state(), events(), course(), memory() …   read
├▶ rename(), rate(), remember(), forget() …  recorded
└▶ resume() ─▶ IterationManager              continues with its loop
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal

from workbench.bootstrap.parts import Parts
from workbench.domain.errors import NotFound, UsageError, WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.domain.trust import TrustRequest
from workbench.storage.files.damage.repair import Repair
from workbench.storage.files.trash import Trashed

if TYPE_CHECKING:  # the loop and the models are imported when they are first used: a list must not pay for them
    from datetime import date

    from workbench.domain.log.envelope import Moment
    from workbench.domain.log.ids import AgentId
    from workbench.domain.loop.agents import Agent
    from workbench.domain.plan.changing.operations import Change
    from workbench.domain.session.events import GapsResearched, OthersSearched
    from workbench.domain.session.session import SessionState
    from workbench.domain.session.state import Offered
    from workbench.memory.memory_view import MemoryView, SessionMemory
    from workbench.models.ports import LanguageModel
    from workbench.planning.beside_the_loop.commanding import Commanded
    from workbench.planning.iteration_manager import IterationManager
    from workbench.planning.memory.forgetting import Forgotten, Others
    from workbench.planning.memory.remembering import Said
    from workbench.planning.ports import Watch
    from workbench.planning.session_log import Pace, SessionLog
    from workbench.replay.audit import Audit, Neighbours
    from workbench.replay.verification import Verification
    from workbench.sharing.coordinator import SessionCoordinator
    from workbench.storage.files.damage.salvage import Salvage


class Session:
    """A session of a workspace.

    Reading raises NotFound if it was deleted meanwhile, LogDamaged, LogTooNew. Whatever records something returns
    when it is safe, and raises UsageError for what cannot be recorded.
    """

    def __init__(self, parts: Parts, session: SessionId) -> None:
        self._parts = parts
        self.id = session
        self._log: SessionLog | None = None

    def __repr__(self) -> str:
        return f"<Session {self.id} in {self._parts.folder.root.parent}>"

    @property
    def person(self) -> str:
        """The name of who says something here: whose steps "mine" are."""
        return self._parts.person

    def log(self, pace: Pace = iter) -> SessionLog:
        """Open the log, or catch up with it: all who use it share one state.

        ``pace`` passes on the events while they are read.
        """
        self._log = self._parts.open_log(self.id, pace)
        return self._log

    # --- reading ------------------------------------------------------------------------------------------------------

    def state(self) -> SessionState:
        """Return the session as of its last event."""
        return self.log().state

    def events(self) -> Iterator[Event]:
        """Return its events, the oldest first."""
        return self._parts.log.read(self.id)

    def course(self) -> Iterator[tuple[Moment, SessionState]]:
        """Yield each event, told in a line, with the state it led to."""
        from workbench.replay.course import course

        return course(self.events())

    def memory(self) -> MemoryView:
        """Return what it remembers, to be searched."""
        return self._memory.at(self.state())

    @cached_property
    def _memory(self) -> SessionMemory:
        from workbench.memory.memory_view import SessionMemory

        return SessionMemory(self.id, self._parts.embedder, self._parts.indexes)

    def markdown(self, *, full: bool = False) -> str:
        """Return the page to hand out, in Markdown; ``full``: the whole plan in the form that is edited and read back.

        A page that a model wrote has the plan's present dates, sums and tables.
        """
        from workbench.domain.handout import hand_out
        from workbench.export.markdown import session_markdown

        return session_markdown(self.state()) if full else hand_out(self.state())

    def page(self) -> str:
        """Return its plan as one page of HTML that needs nothing beside it. Raises NotFound before there is a plan."""
        from workbench.export.plan_page import plan_page

        state = self.state()
        if state.plan is None:
            raise NotFound("No plan is drafted yet.", f"Go on with: workbench resume {state.session}")
        return plan_page(state)

    def file(self) -> bytes:
        """Return it as a file that ``Workspace.import_session`` takes in, every event checked."""
        from workbench.storage.files.session_file import session_file

        return session_file(list(self.events()))

    def audit(self, neighbours: Neighbours | None = None) -> Audit:
        """Return whether its prompts held only what they may, by its records.

        ``neighbours`` of an earlier audit spare reading the other sessions again.
        """
        from workbench.bootstrap.listing import privacy_of_sessions
        from workbench.replay.audit import Neighbours, audit

        log = self._parts.log
        return audit(self.events(), neighbours or Neighbours(log.read, log.streams(), privacy_of_sessions(self._parts)))

    def verify(self) -> Verification:
        """Return whether executing it again gives what its log has."""
        return verified(self.events())

    def trust_request(self) -> TrustRequest:
        """Return the models of the session and of its agents that were not accepted."""
        return self._parts.models.request_of(self.state())

    # --- going on -----------------------------------------------------------------------------------------------------

    def resume(
        self, *, model: LanguageModel | None = None, watch: Watch | None = None, pace: Pace = iter
    ) -> IterationManager:
        """Return what continues with it, with the model it began with unless another one is named.

        Raises NotTrusted for a recorded model or server that the person has not named or accepted for this workspace:
        a file does not decide who is sent their texts and key.
        """
        from workbench.planning.iteration_manager import IterationManager

        log = self.log(pace)
        if log.state.submissions:
            raise UsageError("It is the review of another program's plan.", f"Look at it: workbench review {self.id}")
        services = self._parts.services(model, watch, log.state)
        return IterationManager(log, services=services)

    def add_agent(self, agent: Agent) -> None:
        """Add an agent. Raises UsageError, and ModelError for a model that cannot be opened."""
        from workbench.planning.agents import add_agent

        self._parts.models.check_agent(agent)
        add_agent(self.log(), agent)

    def fork(self, at: int | None = None, *, name: str = "") -> Session:
        """Begin a session with what this one was up to an event, by default its last. Raises UsageError."""
        return Session(self._parts, self._parts.fork(self.events(), at, name))

    def rewind(self, to: int | None = None) -> SessionState:
        """Stand before a decision again, by default before the last; return the state.

        ``to`` is one of ``state.way.behind``. Raises UsageError, LogBusy while anybody drives it.
        """
        return self._move_to(to, back=True)

    def redo(self, to: int | None = None) -> SessionState:
        """Take a rewind back; ``to`` is one of ``state.way.ahead``. Raises as ``rewind``."""
        return self._move_to(to, back=False)

    def _move_to(self, to: int | None, *, back: bool) -> SessionState:
        log = self.log()
        with log.driving():
            return log.go(to, back=back)

    def coordinator(self) -> SessionCoordinator:
        """Return its part in the shared context, which whoever opens the session starts and stops.

        Where sharing is switched off it shares nothing, and says so.
        """
        return self._parts.coordinator(self.id)

    # --- what a person says about it ----------------------------------------------------------------------------------

    def rename(self, name: str) -> SessionState:
        """Give it another name; its id stays."""
        from workbench.planning.beside_the_loop.verdicts import rename

        return self._record(lambda log: rename(log, name))

    def rate(self, stars: int, note: str = "", round_number: int = 0) -> SessionState:
        """Record a rating, 1 to 5, of an iteration, or of the session as a whole (0)."""
        from workbench.planning.beside_the_loop.verdicts import capture_user_rating

        return self._record(lambda log: capture_user_rating(log, stars, note, round_number))

    def log_outcome(
        self, outcome: str, note: str = "", *, forgot: Sequence[str] = (), took: Mapping[str, float] | None = None
    ) -> SessionState:
        """Record what became of its plan: success, partial or failure.

        ``forgot`` is what it had not thought of; ``took``: the working days of steps, by id, that took longer or less.
        """
        from workbench.planning.beside_the_loop.verdicts import log_outcome

        return self._record(lambda log: log_outcome(log, outcome, note, forgot=forgot, took=took))

    def preview_edit(self, text: str, *, today: date | None = None) -> Commanded:
        """Return what commands do to the plan, and record nothing. Raises as ``edit`` does."""
        from workbench.planning.beside_the_loop.commanding import worked_out

        return worked_out(self.state(), text, today or self._today, me=self.person)

    def edit(self, text: str, *, today: date | None = None) -> SessionState:
        """Carry out commands, all or nothing, in any state of the session; ``docs/commands.md`` lists them.

        ``today`` is what "tomorrow" is counted from. Raises NoCommand, with the place, for a text that is none, and
        UsageError for what cannot be done. Where another process drives the session, that one changes the plan.

        >>> session.edit("S3 owner Anna; S4 done").version
        4
        """
        from workbench.planning.beside_the_loop.commanding import carry_out

        return self._record(lambda log: carry_out(log, text, today or self._today, me=self.person))

    def take_in(self, text: str, changes: Callable[[SessionState], tuple[Change, ...]]) -> SessionState:
        """Change the plan in any state of the session, as ``edit`` does; ``text`` says what the changes come from."""
        from workbench.planning.beside_the_loop.commanding import take_in

        return self._record(lambda log: take_in(log, text, changes))

    @property
    def _today(self) -> date:
        return self._parts.clock.now().astimezone().date()

    def offer(self, client: str, text: str, *, reason: str = "") -> Offered:
        """Offer commands for a person to accept; nothing changes yet. Raises UsageError, and NoCommand."""
        from workbench.planning.beside_the_loop.offering import offer

        return offer(self.log(), client, text, reason, self._today)

    def report_by(self, client: str, text: str, claimed: Mapping[str, str] | None = None) -> SessionState:
        """Carry out commands that say how steps stand, for a program that a person allowed to. Raises UsageError.

        ``claimed``: the steps that others have claimed, and who; of these it may not say it.
        """
        from workbench.planning.beside_the_loop.offering import report

        return self._record(lambda log: report(log, client, text, self._today, claimed))

    def said_by(self, client: str, text: str) -> SessionState:
        """Record what a program says to the people of the session; no model is sent it. Raises UsageError."""
        from workbench.planning.beside_the_loop.offering import tell

        return self._record(lambda log: tell(log, client, text))

    def mark_statement(self, statement: str, state: Literal["dismissed", "open"]) -> SessionState:
        """Dismiss a statement, by its id (``U3``), or have it accounted for again. Raises UsageError for none."""
        from workbench.planning.beside_the_loop.reporting import mark_statement

        return self._record(lambda log: mark_statement(log, statement, state))

    def mark(self, other: str, item: str, mark: Literal["excluded", "pinned", ""]) -> SessionState:
        """Exclude an item of another session from every prompt of this one, pin it to each, or take that back."""
        from workbench.planning.memory.recalling import mark_item

        return self._record(lambda log: mark_item(log, other, item, mark))

    def switch_recall(self, *, on: bool) -> SessionState:
        """Decide whether other sessions are searched for this one from now on."""
        from workbench.planning.memory.recalling import switch_recall

        return self._record(lambda log: switch_recall(log, on=on))

    def _record(self, record: Callable[[SessionLog], object]) -> SessionState:
        log = self.log()
        record(log)
        return log.state

    # --- what it remembers --------------------------------------------------------------------------------------------

    def remember(
        self, said: Sequence[Said], *, on_progress: Callable[[int], None] | None = None, seen: bool = True
    ) -> list[str]:
        """Bring in what was said elsewhere; return the ids of the items.

        ``on_progress`` is called again and again with how many messages are in for good. Who brings in very many, in
        portions, has them read with the next look at the session only: not ``seen``, they take no memory here.
        """
        from workbench.planning.memory.remembering import remember

        log = self.log() if seen or self._log is None else self._log
        return list(remember(log, said, on_progress, seen=seen))

    def lines_in(self, file: str) -> dict[int, str]:
        """Return which lines of a file, by its sha256, it remembers already, each with the id of its item."""
        from workbench.planning.memory.remembering import lines_in

        return lines_in(self.events(), file)

    def store_entity(self, name: str, content: str) -> str:
        """Keep a named text in its memory; return the item's id."""
        from workbench.planning.memory.remembering import store_entity

        return store_entity(self.log(), name, content)

    def read_files(self, names: Sequence[str]) -> None:
        """Read files and folders of the project, by path or pattern, for the planner and all agents of the session.

        Raises UsageError for a name of which nothing can be read.
        """
        from workbench.planning.sources.project_files import fresh

        read = self._parts.project_files.required(names)
        log = self.log()
        if new := fresh(log.state, read):
            log.record_given(new, actor="person")

    def research(self, text: str = "") -> GapsResearched:
        """Look up a text, else what the session does not know, in the project's files and its memory, and record it.

        Who calls it allows the project's files to be read.
        """
        from workbench.domain.loop.asking.research import all_gaps
        from workbench.domain.text.cleaning import clean_name

        log, parts = self.log(), self._parts
        state = log.state
        gaps = (clean_name(text, 400),) if text else all_gaps(state)
        looked_up = parts.researcher().look_up(gaps, state, self._memory.at(state))
        log.record_given(looked_up, actor="person")
        return log.state.researched[-1]

    def recall(self, query: str, max_results: int, *, reason: str, agent: AgentId | None = None) -> OthersSearched:
        """Search what other sessions remember, and keep a record of it. Raises UsageError without a reason."""
        from workbench.planning.memory.recalling import search_across

        return search_across(self.log(), self._parts.others, query, max_results, agent=agent, reason=reason)

    def forgetting(self, item: str, text: str = "") -> Forgotten:
        """Return what ``forget`` would change, and change nothing. Raises as ``forget`` does."""
        from workbench.planning.memory.forgetting import look, matter_of

        log = self.log()
        matter = matter_of(log, item, text)
        copies = self._copies(matter.texts, of=self.id)
        return dataclasses.replace(look(matter, log, self._quoting_sessions), copies=tuple(copies))

    def forget(self, item: str, text: str = "", *, everywhere: bool = False) -> Forgotten:
        """Redact an item wherever the session says it, in what it shares too; ``text``: only that part of it.

        It cannot be undone. ``everywhere``: also in the sessions that have it from there, and in what they share.
        Copies of it in caches are removed, and in the trash those of the session itself; of every session that was
        deleted, if it is ``everywhere``.
        Raises NotFound if there is no such item, UsageError for a text that would take others with it, LogBusy while
        anybody drives the session.
        """
        from workbench.planning.memory.forgetting import forget, matter_of

        log = self.log()
        matter = matter_of(log, item, text)
        remove = partial(self._remove_copies, of=None if everywhere else self.id)
        return forget(matter, log, self._quoting_sessions, remove, everywhere=everywhere)

    @property
    def _quoting_sessions(self) -> Others:
        from workbench.planning.memory.forgetting import Others
        from workbench.sharing.forgetting import SharedForgetting

        parts = self._parts
        shared = SharedForgetting(
            parts.backend.shared_log(), person=parts.person, workspace=parts.backend.id, now=parts.now
        )
        return Others(parts.log, parts.open_log, shared)

    def _copies(self, texts: Collection[str], *, of: str | None) -> list[str]:
        from workbench.domain.text.mentions import Mentions

        return self._parts.backend.copies(Mentions(texts).within, of=of)

    def _remove_copies(self, texts: Collection[str], *, of: str | None) -> list[str]:
        self._parts.remove_cached_items(lambda name: not name.endswith(".json"))  # no text: not found by what they say
        copies = self._copies(texts, of=of)
        self._parts.backend.remove(copies)
        return copies

    # --- its file -----------------------------------------------------------------------------------------------------

    def delete(self) -> Trashed:
        """Move it to the trash; what was cached of its texts is gone, and it takes part in nothing any more.

        Raises NotFound, LogBusy.
        """
        parts = self._parts
        trashed = parts.backend.trash(self.id)
        parts.let_go(self.id)
        if parts.settings.shared != "off":
            with suppress(WorkbenchError):  # deleted it is, however the shared log fares; its claims can be released
                parts.shared("workbench").unsubscribe(self.id, "deleted")
        parts.remove_cached_items(lambda name: name.partition(".")[0] == self.id)
        return trashed

    def repair(self, *, keep_nothing: bool = False) -> Repair:
        """Keep what can be read of it if it is damaged; the damaged file goes to the trash, untouched.

        Raises LogDamaged if nothing could be kept, unless ``keep_nothing`` says that the session may go.
        """
        return self._parts.backend.repair(self.id, keep_nothing=keep_nothing)

    def salvage(self) -> Salvage:
        """Return what can be read of it if it is damaged, and where that is; nothing is written.

        Raises LogDamaged if nothing can be read, LogTooNew.
        """
        return self._parts.backend.salvage(self.id)


def verified(events: Iterable[Event], *, on_progress: Callable[[int], None] | None = None) -> Verification:
    """Execute a session again, wherever it is from, and compare: nothing is asked, sent or written.

    What its memory was searched with is used if it is on this machine; no file has a server asked. ``on_progress``
    is told after each event how many are done. Raises LogDamaged for a session without events.
    """
    from workbench.models.embedders import offline_embedders
    from workbench.replay.verification import verify

    return verify(events, offline_embedders, on_progress=on_progress)
