"""The composition root: the only place that names a backend or a provider.

    Workspace.open(folder) ─▶ start(goal) ─▶ IterationManager
                           ├▶ resume(id)  ─▶ IterationManager
                           └▶ sessions(), state(id), course(id), rename(id), forget(id), delete(id), restore(id) …

``from workbench import Workspace`` gives a program the same calls that the command line and the application make. They
read and write files: call them from a worker thread where an event loop runs.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from workbench.domain.envelope import Event
from workbench.domain.errors import InvalidId, LogError, NotFound, SettingsError, UsageError, WorkbenchError
from workbench.domain.ids import SessionId
from workbench.domain.text import clean_name
from workbench.settings import Settings, accepted_servers_file, find_settings, person_name, setting_in
from workbench.storage.accepted import AcceptedServers
from workbench.storage.backend import Backend, SessionsLog, open_backend
from workbench.storage.catalogue import Catalogue, Entry
from workbench.storage.files import replace_whole
from workbench.storage.log_address import LogAddress, parse_log_address
from workbench.storage.places import find_workspace
from workbench.storage.ports import Lives
from workbench.storage.repair import Repair
from workbench.storage.trash import Trashed
from workbench.storage.workspace import WorkspaceFolder, open_workspace

if TYPE_CHECKING:  # the loop and the models are imported when they are first used: a list must not pay for them
    from workbench.domain.agents import Agent
    from workbench.domain.events import OthersSearched
    from workbench.domain.ids import AgentId
    from workbench.domain.session import SessionState
    from workbench.memory.every_session import EveryResult, EverySession
    from workbench.memory.library import Library
    from workbench.memory.memory_view import MemoryView
    from workbench.memory.other_sessions import OtherSessions
    from workbench.memory.session_memory import SessionMemory
    from workbench.models.embeddings import Embedder
    from workbench.models.ports import LanguageModel
    from workbench.planning.forgetting import Forgotten, Others
    from workbench.planning.iteration_manager import Coordinate, IterationManager
    from workbench.planning.ports import Clock, Watch
    from workbench.planning.remembering import Said
    from workbench.planning.session_log import SessionLog
    from workbench.replay.audit import Audit, Neighbours
    from workbench.replay.comparing import Comparison
    from workbench.replay.course import Moment
    from workbench.replay.verification import Verification
    from workbench.sharing.coordinator import SessionCoordinator
    from workbench.sharing.presence import Presence, SessionInfo
    from workbench.sharing.shared_context import SharedContextManager
    from workbench.storage.salvage import Salvage


GUIDED = "guided"
"""The model that sends nothing anywhere."""


class Listed(msgspec.Struct, frozen=True, kw_only=True):
    """A session in a list."""

    session: str
    goal: str = ""
    name: str = ""
    status: str
    """running, waiting, finished, stopped, failed, interrupted (nobody drives it any more), or unreadable."""
    iterations: int = 0
    events: int = 0
    updated: str
    """UTC, ISO 8601; of the file where the session cannot be read, and "" where it is in none."""
    error: str = ""
    """Why it cannot be read, and what to do."""

    def as_object(self) -> dict[str, Any]:
        """Return it as JSON values; ``error`` only where there is one."""
        fields = msgspec.structs.asdict(self)
        return fields if self.error else {name: value for name, value in fields.items() if name != "error"}


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A session that came from a file."""

    session: str
    events: int
    """How many the file has, or its sound part."""
    lost: int
    """Lines of a damaged file that were left out."""
    behind: int | None
    """Where the session was there already: how many events it has behind those of the file; else None."""
    stopped: bool = False
    """Whether it was in the middle of its work, which does not go on by itself here."""


class Workspace:
    """The planning sessions of one folder, and everything that can be done with them."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        settings: Settings,
        *,
        environ: Mapping[str, str],
        clock: Clock | None,
        backend: Backend | None = None,
    ) -> None:
        self.folder = folder
        self.backend: Backend = backend or folder
        """Where the logs are; by default in the folder."""
        self.settings = settings
        self.log: SessionsLog = self.backend.log()
        self._environ = environ
        self._clock = clock
        self._memories: dict[SessionId, SessionMemory] = {}

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        options: Mapping[str, Any] | None = None,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> Workspace:
        """Open the nearest workspace at or above ``folder``, or create one in it.

        ``options`` are settings by name that go before every other place (None: not set); ``environ`` is where
        variables and keys are looked up, by default the process's own. Raises LogUnavailable, LogDamaged,
        SettingsError.
        """
        environ = os.environ if environ is None else environ
        settings = find_settings(folder, options=options, environ=environ)
        opened = open_workspace(Path(folder), keeps_logs=not settings.log)
        backend = open_backend(opened, log_server(settings, opened.config, environ))
        return cls(opened, settings, environ=environ, clock=clock, backend=backend)

    # --- planning -----------------------------------------------------------------------------------------------------

    def start(
        self,
        goal: str,
        *,
        name: str = "",
        private: bool = False,
        recall: bool = True,
        model: LanguageModel | None = None,
        watch: Watch | None = None,
    ) -> IterationManager:
        """Begin a session; of a ``private`` one no other finds anything, and without ``recall`` it searches no other.

        ``model`` goes before the one that is set.

        Raises InvalidGoal, SettingsError, ModelError.
        """
        from workbench.domain.context import RecallSettings
        from workbench.domain.events import Bounds
        from workbench.planning.iteration_manager import IterationManager

        settings = self.settings
        chosen = model or self._named_model(settings.model, settings.base_url)
        return IterationManager(
            goal,
            settings.iterations,
            settings.checkpoint,
            log=self.log,
            model=chosen,
            model_name="" if model else settings.model,
            base_url="" if model else settings.base_url,
            name=name,
            private=private,
            context=msgspec.convert(settings.recall, RecallSettings),
            bounds=Bounds(
                max_tokens=settings.max_tokens,
                max_cost=settings.max_cost,
                max_time=settings.max_time,
                max_calls=settings.max_calls,
            ),
            person=person_name(settings),
            workspace=self.backend.id,
            clock=self._clock,
            version=workbench_version(),
            watch=watch,
            open_model=self._trusted_model,
            others=self._others if recall else None,
            embedder=self._embedder,
            coordinate=self._coordinate,
        )

    def resume(
        self, session: str, *, model: LanguageModel | None = None, watch: Watch | None = None
    ) -> IterationManager:
        """Open a session to go on with it, with the model it began with unless another one is named.

        Raises UsageError where a file from elsewhere names a model or server that nobody has named here: a file does
        not decide who is sent this person's texts and key.
        """
        from workbench.planning.iteration_manager import IterationManager

        log = self.session(session)
        name, base_url = ("", "") if model else self._model_of(log.state)
        return IterationManager.of(
            log,
            model=model or self._named_model(name, base_url),
            model_name=name,
            base_url=base_url,
            clock=self._clock,
            watch=watch,
            open_model=self._trusted_model,
            others=self._others,
            embedder=self._embedder,
            coordinate=self._coordinate,
        )

    @property
    def _coordinate(self) -> Coordinate | None:
        return None if self.settings.shared == "off" else self.coordinator

    def add_agent(self, manager: IterationManager, agent: Agent) -> None:
        """Let a person talk to an agent in a session; that they named its model is remembered. Raises UsageError."""
        if agent.model:
            self._named_model(agent.model, "")
        manager.add_agent(agent)

    def _trusted_model(self, name: str) -> LanguageModel:
        """Open the model of an agent. Raises UsageError where nobody named it here."""
        if name != GUIDED and (name, "") not in self._named_models():
            raise UsageError(
                f"The agent's model {clean_name(name)} was never named here.", "Add the agent again with --agent FILE."
            )
        return self._model(name, "")

    def _model_of(self, state: SessionState) -> tuple[str, str]:
        """Return the model, and its server, that a session goes on with. Raises UsageError where nobody named it."""
        options, settings = state.options, self.settings
        if settings.sources["model"] == "--model":
            return settings.model, settings.base_url
        if settings.sources["base_url"] == "--base-url":
            return options.model, settings.base_url
        recorded = (options.model, options.base_url)
        if options.model == GUIDED or recorded in {*self._named_models(), (settings.model, settings.base_url)}:
            return recorded
        server = f" at {clean_name(options.base_url, 200)}" if options.base_url else ""
        raise UsageError(
            f"The session was planned with {clean_name(options.model)}{server}, which was never named here.",
            "Name a model yourself: --model guided, or that one if you trust it, with its --base-url.",
        )

    def _named_model(self, name: str, base_url: str) -> LanguageModel:
        """Open a model that this person named, and remember that they did."""
        model = self._model(name, base_url)
        named = self._named_models()
        if name != GUIDED and (name, base_url) not in named:
            file = self.folder.cache / "named-models.json"
            replace_whole(self.folder.files, file, msgspec.json.encode([*named, (name, base_url)]))
        return model

    def _named_models(self) -> list[tuple[str, str]]:
        """Return the models and servers that were named in this workspace. A cache: what is lost is named again."""
        try:
            data = (self.folder.cache / "named-models.json").read_bytes()
            return msgspec.json.decode(data, type=list[tuple[str, str]])
        except (OSError, msgspec.MsgspecError):
            return []

    def _model(self, name: str, base_url: str) -> LanguageModel:
        from workbench.models.catalogue import open_model

        return open_model(name, base_url=base_url or None, environ=self._environ)

    # --- what was saved -----------------------------------------------------------------------------------------------

    def sessions(self) -> list[Listed]:
        """Return every session, newest first. One whose file cannot be read is listed with the reason."""
        catalogue = Catalogue(
            self.backend.listing(),
            self.folder.cache / "sessions.json",
            _summarised,
            version=SUMMARY_VERSION,
            accept=_accepted,
        )
        listed = [self._as_driven(_listed(entry)) for entry in catalogue.entries()]
        return sorted(listed, key=lambda one: (one.updated, one.session), reverse=True)

    def _as_driven(self, listed: Listed) -> Listed:
        """Say of a session in the middle of its work whether somebody is at it."""
        try:
            gone = listed.status == "running" and self.log.driver(listed.session) is None
        except LogError:  # it was deleted or damaged since it was listed
            gone = True
        return msgspec.structs.replace(listed, status="interrupted") if gone else listed

    def session(self, session: str) -> SessionLog:
        """Open a session's log. Raises InvalidId, NotFound (with what is near), LogDamaged, LogTooNew."""
        from workbench.planning.ports import SystemClock
        from workbench.planning.session_log import SessionLog

        clock = SystemClock() if self._clock is None else self._clock
        return SessionLog(self.log, self._known(session), person=person_name(self.settings), clock=clock)

    def state(self, session: str) -> SessionState:
        """Return a session as of its last event. Raises as ``session`` does."""
        from workbench.domain.session import fold

        return fold(self.events(session))

    def events(self, session: str) -> Iterator[Event]:
        """Yield a session's events. Raises as ``session`` does."""
        return self.log.read(self._known(session))

    def rename(self, session: str, name: str) -> SessionState:
        """Give a session another name; its id stays. Raises UsageError, and as ``session`` does."""
        from workbench.planning import verdicts

        log = self.session(session)
        verdicts.rename(log, name)
        return log.state

    def fork(self, events: Iterable[Event], at: int | None = None, *, name: str = "") -> SessionId:
        """Begin a session with what another one was up to an event, by default its last; return its id.

        ``events`` are the other one's: of this workspace (``events``) or of any file. Raises UsageError, and what
        reading them raises.
        """
        from workbench.planning.forking import fork
        from workbench.planning.ports import SystemClock

        origin = tuple(events)
        return fork(
            self.log,
            origin,
            len(origin) if at is None else at,
            person=person_name(self.settings),
            workspace=self.backend.id,
            clock=SystemClock() if self._clock is None else self._clock,
            name=name,
        )

    def rewind(self, session: str, to: int | None = None) -> SessionState:
        """Let a session stand before one of its decisions again, by default before the last; return its state.

        ``to`` is one of its ``state.way.behind``. Raises UsageError, LogBusy while anybody drives it, and as
        ``session`` does.
        """
        return self._go(session, to, back=True)

    def redo(self, session: str, to: int | None = None) -> SessionState:
        """Take a rewind back; ``to`` is one of its ``state.way.ahead``. Raises as ``rewind``."""
        return self._go(session, to, back=False)

    def _go(self, session: str, to: int | None, *, back: bool) -> SessionState:
        from workbench.planning.rewinding import go

        log = self.session(session)
        with log.driving():
            return go(log, to, back=back)

    def rate(self, session: str, stars: int, note: str = "") -> SessionState:
        """Record a rating, 1 to 5. Raises UsageError, and as ``session`` does."""
        from workbench.planning import verdicts

        log = self.session(session)
        verdicts.capture_user_rating(log, stars, note)
        return log.state

    def log_outcome(self, session: str, outcome: str, note: str = "") -> SessionState:
        """Record what became of a plan: success, partial or failure. Raises UsageError, and as ``session`` does."""
        from workbench.planning import verdicts

        log = self.session(session)
        verdicts.log_outcome(log, outcome, note)
        return log.state

    def memory(self, session: str) -> MemoryView:
        """Return what a session remembers, to be searched. Raises as ``session`` does."""
        from workbench.memory.session_memory import SessionMemory

        state = self.state(session)
        own = SessionId(state.session)
        return self._memories.setdefault(own, SessionMemory(own, self._embedder)).at(state)

    def search_across(
        self, query: str, max_results: int, *, asking: str, agent: AgentId | None = None, reason: str
    ) -> OthersSearched:
        """Search what other sessions remember, for the session ``asking``, which keeps a record of it.

        Raises UsageError without a reason, and as ``session`` does.
        """
        from workbench.planning.recalling import search_across

        return search_across(self.session(asking), self._others, query, max_results, agent=agent, reason=reason)

    def search_sessions(self, query: str, max_results: int) -> EveryResult:
        """Search what all sessions remember, private ones too, for the person: nothing is recorded, no prompt has it.

        Raises ModelError where the embedder fails.
        """
        return self._every_session.search(query, max_results)

    @cached_property
    def _every_session(self) -> EverySession:
        from workbench.memory.every_session import EverySession

        return EverySession(self._library)

    @cached_property
    def _others(self) -> OtherSessions:
        from workbench.memory.other_sessions import OtherSessions

        return OtherSessions(self._library)

    @cached_property
    def _library(self) -> Library:
        from workbench.memory.library import Library

        return Library(self.log, self._embedder, self._items_cache, self.folder.files)

    @property
    def _items_cache(self) -> Path:
        """Where what was read of sessions to be searched is kept, files named by their session."""
        return self.folder.cache / "items"

    @cached_property
    def _embedder(self) -> Embedder:
        """What every search of this workspace embeds with, as this person set it, whatever a session's file says."""
        from workbench.models.embedders import open_embedder

        settings = self.settings
        return open_embedder(settings.embedder, base_url=settings.embedder_url or None, environ=self._environ)

    def mark(self, session: str, other: str, item: str, mark: Literal["excluded", "pinned", ""]) -> None:
        """Exclude an item of another session from every prompt of this one, pin it to each, or take that back."""
        from workbench.planning.recalling import mark_item

        mark_item(self.session(session), other, item, mark)

    def switch_recall(self, session: str, *, on: bool) -> None:
        """Decide whether other sessions are searched for this one from now on."""
        from workbench.planning.recalling import switch_recall

        switch_recall(self.session(session), on=on)

    def remember(self, session: str, said: Sequence[Said]) -> list[str]:
        """Bring in what was said elsewhere; return the ids of the items. Raises UsageError, and as ``session`` does."""
        from workbench.planning.remembering import remember

        return list(remember(self.session(session), said))

    def forgetting(self, session: str, item: str, text: str = "") -> Forgotten:
        """Return what ``forget`` would change, and change nothing. Raises as ``forget`` does."""
        from workbench.planning.forgetting import look, matter_of

        log = self.session(session)
        matter = matter_of(log, item, text)
        copies = self._copies(matter.texts, of=log.session)
        return dataclasses.replace(look(matter, log, self._quoting_sessions), copies=tuple(copies))

    def forget(self, session: str, item: str, text: str = "", *, everywhere: bool = False) -> Forgotten:
        """Redact an item wherever its session says it, in what it shares too; ``text``: only that part of it.

        It cannot be undone. ``everywhere``: also in the sessions that have it from there, and in what they share.
        Copies of it in caches are removed, and in the trash those of the session itself; of every session that was
        deleted, where it is ``everywhere``.
        Raises NotFound where there is no such item, UsageError for a text that would take others with it, LogBusy while
        anybody drives the session, and as ``session`` does.
        """
        from workbench.planning.forgetting import forget, matter_of

        log = self.session(session)
        matter = matter_of(log, item, text)
        remove = partial(self._remove_copies, of=None if everywhere else log.session)
        return forget(matter, log, self._quoting_sessions, remove, everywhere=everywhere)

    @property
    def _quoting_sessions(self) -> Others:
        from workbench.planning.forgetting import Others
        from workbench.planning.ports import SystemClock, stamp
        from workbench.sharing.forgetting import SharedForgetting

        clock = self._clock or SystemClock()
        shared = SharedForgetting(
            self.backend.shared_log(),
            person=person_name(self.settings),
            workspace=self.backend.id,
            now=lambda: stamp(clock.now()),
        )
        return Others(self.log, self.session, shared)

    def _copies(self, texts: Collection[str], *, of: str | None) -> list[str]:
        from workbench.domain.mentions import Mentions

        return self.backend.copies(Mentions(texts).within, of=of)

    def _remove_copies(self, texts: Collection[str], *, of: str | None) -> list[str]:
        copies = self._copies(texts, of=of)
        self.backend.remove(copies)
        return copies

    def store_entity(self, session: str, name: str, content: str) -> str:
        """Keep a named text in a session's memory; return the item's id. Raises UsageError, and as ``session`` does."""
        from workbench.planning.remembering import store_entity

        return store_entity(self.session(session), name, content)

    # --- what sessions share ------------------------------------------------------------------------------------------

    def shared(self, *, actor: str = "person") -> SharedContextManager:
        """Return the shared context, to be changed by ``actor``. Raises SettingsError where it is switched off."""
        from workbench.planning.ports import SystemClock, stamp
        from workbench.sharing.shared_context import SharedContextManager
        from workbench.sharing.snapshot import Snapshot

        if self.settings.shared == "off":
            source = self.settings.sources["shared"]
            raise SettingsError(f"The shared context is switched off by {source}.", setting_in(source, "shared", "on"))
        clock = self._clock or SystemClock()
        lives = self._lives
        return SharedContextManager(
            self.backend.shared_log(durable=self.settings.shared == "durable"),
            person=person_name(self.settings),
            workspace=self.backend.id,
            now=lambda: stamp(clock.now()),
            actor=actor,
            is_alive=lambda session: lives.holder(session) is not None,
            declare_dead=lives.declare_dead,
            snapshot=Snapshot(self.folder.shared / "shared_context.json", self.folder.files),
        )

    def coordinator(self, session: str) -> SessionCoordinator:
        """Return a session's part in the shared context; it is started by whoever has the session open.

        Where sharing is switched off it shares nothing, and says so. Raises as ``session`` does.
        """
        from workbench.sharing.coordinator import SessionCoordinator

        shared = None if self.settings.shared == "off" else self.shared(actor="workbench")
        return SessionCoordinator(self._known(session), shared, self._lives)

    def sharing_sessions(self) -> list[SessionInfo]:
        """Return the sessions that take part: how they are, and what they hold; none where sharing is off."""
        from workbench.sharing.presence import present

        if self.settings.shared == "off":
            return []
        return present(self._presence.state(), self._lives, datetime.now(UTC))

    @cached_property
    def _presence(self) -> SharedContextManager:
        """What is asked again and again who takes part: it reads only what is new."""
        return self.shared()

    def presence(self) -> Presence:
        """Return who says again and again, of a state of the shared context, which sessions take part, and how."""
        from workbench.sharing.presence import Presence

        return Presence(self._lives)

    @cached_property
    def _lives(self) -> Lives:
        return self.backend.lives()

    def sharing_session(self, session: str = "") -> tuple[SessionId, bool]:
        """Return the id that a change is made under, and whether it is a passing one, drawn for this change only.

        Raises InvalidId or NotFound (with what is near) for a session that does not exist.
        """
        if session:
            return self._known(session), False
        return SessionId(f"cli-{os.urandom(4).hex()}"), True

    def member(self, session: str) -> SessionId:
        """Return the id of a session that takes part, whether or not it exists any more, or of one that exists.

        Raises SettingsError where sharing is switched off, else as ``sharing_session`` does.
        """
        is_member = session in self.shared().state().members
        return SessionId(session) if is_member else self._known(session)

    def file_to_claim(self, path: str) -> str:
        """Return a file's path in the project, as a claim names it. Raises UsageError for one outside of the project.

        The project is the folder that ``.workbench`` is in; the way to it may lead over links.
        """
        given, project = Path(path), self.folder.root.parent
        if not given.is_absolute():
            return path
        for file, base in ((given, project), (given.parent.resolve() / given.name, project.resolve())):
            if file.is_relative_to(base):
                return file.relative_to(base).as_posix()
        raise UsageError(f"{clean_name(path)} is not in the project {project}.", "Give the path of a file in it.")

    # --- reports, audit and trash -------------------------------------------------------------------------------------

    def markdown(self, session: str) -> str:
        """Return a session as one Markdown document. Raises as ``session`` does."""
        from workbench.export.markdown import session_markdown

        return session_markdown(self.state(session))

    def page(self, session: str) -> str:
        """Return a session as one page of HTML that needs nothing beside it. Raises as ``session`` does."""
        from workbench.export.html import session_page
        from workbench.replay.course import moment

        return session_page(self.events(session), moment)

    def course(self, session: str) -> Iterator[tuple[Moment, SessionState]]:
        """Yield each event of a session, told in a line, with the state it led to. Raises as ``session`` does."""
        from workbench.replay.course import course

        return course(self.events(session))

    def compare(self, a: str, b: str = "") -> Comparison:
        """Return what differs between two points, each ``ID``, ``ID@SEQ`` (an event) or ``ID@vN`` (a version).

        ``b`` may leave the id out where it is the same. Without ``b``: from ``a`` to the same session as it is now, and
        where ``a`` is no more than an id, between the last two versions of its plan. Raises UsageError and NotFound for
        a point that is not there, and as ``session`` does.
        """
        from workbench.replay.comparing import compare_named

        return compare_named(a, b, self.events)

    def audit(self, session: str, neighbours: Neighbours | None = None) -> Audit:
        """Return whether a session's prompts held only what they may, by its records. Raises as ``session`` does.

        ``neighbours`` of an earlier audit spare reading the other sessions once more.
        """
        from workbench.replay.audit import audit

        return audit(self.events(session), neighbours or self.neighbours())

    def neighbours(self) -> Neighbours:
        """Return the sessions as an audit looks at those that others quote: each is read once."""
        from workbench.replay.audit import Neighbours

        return Neighbours(self.events, self.log.streams())

    def verify(self, session: str) -> Verification:
        """Return whether executing a session again gives what its log has. Raises as ``session`` does."""
        return verified(self.events(session))

    def session_file(self, session: str) -> bytes:
        """Return a session as a file that ``import_session`` takes in, every event checked. Raises as ``session``."""
        from workbench.storage.session_file import session_file

        return session_file(list(self.events(session)))

    def import_session(
        self, file: str | Path, *, name: str = "", sound_part: bool = False, new_id: bool = False
    ) -> Imported:
        """Take in a session's file from anywhere, under its own id; ``name`` is what it is called here from then on.

        Nothing of it is run, its events stay as they are, and nothing is done where they are here already. What was
        in the middle of its work is stopped: it goes on when a person resumes it, not when one looks at it. With
        ``sound_part``, of a damaged file what stands before the damage; with ``new_id``, as a fork at its end. Raises
        NotFound, UsageError where another session has its id, LogDamaged, LogTooNew.
        """
        from workbench.planning.verdicts import usable_name
        from workbench.storage.importing import read_to_import, take_in

        called = usable_name(name) if name else ""
        events, lost = read_to_import(Path(file), sound_part=sound_part)
        if new_id:
            copy = self.fork(events, name=called)
            return Imported(session=str(copy), events=len(events), lost=lost, behind=None)
        behind = take_in(events, self.backend.holdings())
        session = events[0].session
        stopped = behind is None and self._stop_imported(session)
        if called and behind is None:
            self.rename(session, called)
        return Imported(session=session, events=len(events), lost=lost, behind=behind, stopped=stopped)

    def _stop_imported(self, session: str) -> bool:
        """Stop a session that would go on by itself; return whether it would have."""
        from workbench.domain.events import SessionStopped
        from workbench.domain.steps import Rest, Wait, next_step

        log = self.session(session)
        if isinstance(next_step(log.state), Rest | Wait):
            return False
        log.record_given([SessionStopped(reason="imported", asks_again=True)], actor="person")
        return True

    def delete(self, session: str) -> Trashed:
        """Move a session to the trash; what was cached of its texts is gone, and it takes part in nothing any more.

        Raises NotFound, LogBusy.
        """
        known = self._known(session)
        trashed = self.backend.trash(known)
        self._let_leave(known)
        for file in self._items_cache.glob(f"{known}.*"):
            file.unlink(missing_ok=True)
        return trashed

    def _let_leave(self, deleted: SessionId) -> None:
        """Say for a deleted session that it left, which it cannot say itself any more."""
        if self.settings.shared == "off":
            return
        with suppress(WorkbenchError):  # deleted it is, however the shared log fares; its claims can be released
            self.shared(actor="workbench").unsubscribe(deleted, "deleted")

    def trash(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        return self.backend.trashed()

    def restore(self, session: str) -> str:
        """Bring back the session that was deleted last under this id. Raises NotFound, UsageError."""
        deleted = [one for one in self.trash() if one.stream == session and one.reason == "deleted"]
        if not deleted:
            raise NotFound(f"There is no session {session!r} in the trash.", "See `workbench sessions trash`.")
        return self.backend.restore(deleted[-1].name)

    def empty_trash(self) -> int:
        """Delete what is in the trash for good; return how many files that were."""
        return self.backend.empty_trash()

    def repair(self, session: str, *, keep_nothing: bool = False) -> Repair:
        """Keep what can be read of a damaged session; the damaged file goes to the trash, untouched.

        Raises LogDamaged where nothing could be kept, unless ``keep_nothing`` says that the session may go.
        """
        return self.backend.repair(self._known(session), keep_nothing=keep_nothing)

    def salvage(self, session: str) -> Salvage:
        """Return what can be read of a session that is damaged, and where it is; nothing is written.

        Raises NotFound, LogDamaged where nothing can be read, LogTooNew.
        """
        return self.backend.salvage(self._known(session))

    def _known(self, session: str) -> SessionId:
        """Return the id of a session that exists. Raises InvalidId or NotFound, with what is near."""
        try:
            session_id = SessionId(session)
        except InvalidId as error:
            near = self._near(session)
            if near:
                raise NotFound(f"There is no session {session!r}.", near) from error
            raise
        if session_id not in set(self.log.streams()):
            raise NotFound(f"There is no session {session!r}.", self._near(session) or "See `workbench sessions list`.")
        return session_id

    def _near(self, session: str) -> str:
        """Return where a session that is not there may be: in the trash, or under an id that is near."""
        if any(one.stream == session and one.reason == "deleted" for one in self.trash()):
            return f"It is in the trash: `workbench sessions restore {session}` brings it back."
        from rapidfuzz import fuzz, process, utils

        near = process.extractOne(
            session, list(self.log.streams()), scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=60
        )
        return f"Did you mean {near[0]}? See `workbench sessions list`." if near else ""


def verified(events: Iterable[Event], *, on_progress: Callable[[int], None] | None = None) -> Verification:
    """Execute a session again, wherever it is from, and compare: nothing is asked, sent or written.

    What its memory was searched with is used where it is on this machine; no file has a server asked. ``on_progress``
    is told after each event how many are done. Raises LogDamaged for a session without events.
    """
    from workbench.models.embedders import offline_embedders
    from workbench.replay.verification import verify

    return verify(events, offline_embedders, on_progress=on_progress)


def log_server(settings: Settings, config: Path | None, environ: Mapping[str, str]) -> LogAddress | None:
    """Return the server that logs are kept on; None for files. One that this person names is accepted from then on.

    ``config``: the settings of the workspace's folder. Raises UsageError where only they name a server.
    """
    if not settings.log:
        return None
    source = settings.sources["log"]
    address, accepted = parse_log_address(settings.log, source), AcceptedServers(accepted_servers_file(environ))
    if source == str(config):
        accepted.require(address, source)
    else:
        accepted.add(address)
    return address


def sample_sessions() -> dict[str, Path]:
    """Return the sessions that ship with the workbench, by id: in the wheel, or beside the package in a checkout."""
    package = Path(__file__).parent
    inside, beside = package / "sample_sessions", package.parent / "sessions"
    folder = inside if inside.is_dir() else beside
    return {file.stem: file for file in sorted(folder.glob("*.jsonl"))}


def workspace_exists(folder: str | Path = ".") -> bool:
    """Return whether there is a workspace at or above a folder."""
    return find_workspace(Path(folder)) is not None


def workbench_version() -> str:
    """Return the installed version; ``0`` where the package is used without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("planning-workbench")
    except PackageNotFoundError:
        return "0"


SUMMARY_VERSION = "3"
"""Raised when ``Summary`` has other fields, so that caches of older ones are made anew."""


def _summarised(before: Mapping[str, Any] | None, events: Sequence[Event]) -> dict[str, Any]:
    """Keep a session's summary up as JSON values, the form the catalogue caches."""
    from workbench.domain.growing import as_list, from_list
    from workbench.domain.summary import Summary, summarise

    known = None if before is None else msgspec.convert(before, Summary, dec_hook=from_list)
    summary = summarise(known, events)
    return {} if summary is None else {**msgspec.to_builtins(summary, enc_hook=as_list), "status": summary.status}


def _accepted(summary: dict[str, Any]) -> object:
    """Refuse a cached summary that is none, so that it is made anew. Raises ValidationError."""
    return msgspec.convert(summary, Listed) if summary else summary


def _listed(entry: Entry) -> Listed:
    if entry.summary:
        return msgspec.convert(entry.summary, Listed)
    changed = msgspec.to_builtins(datetime.fromtimestamp(entry.changed, UTC)) if entry.changed else ""
    error = str(entry.error or "The session does not begin with its creation. Run `workbench sessions repair`.")
    return Listed(session=entry.stream, status="unreadable", updated=changed, error=error)
