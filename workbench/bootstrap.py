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
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakValueDictionary

import msgspec

from workbench.domain.errors import (
    InvalidId,
    LogError,
    LogWentBack,
    NotFound,
    NotTrusted,
    SettingsError,
    UsageError,
    WorkbenchError,
)
from workbench.domain.log.envelope import Event, Moment
from workbench.domain.log.ids import SessionId
from workbench.domain.text.cleaning import clean_name
from workbench.domain.trust import ModelUse, TrustRequest, server_of
from workbench.settings import Settings, cache_key_file, find_settings, person_name, setting_in, trust_folder
from workbench.storage.backend import Backend, SessionsLog, open_backend
from workbench.storage.catalogue import Catalogue, Entry
from workbench.storage.files.cache_seal import CacheSeal, secret_in
from workbench.storage.files.repair import Repair
from workbench.storage.files.trash import Trashed
from workbench.storage.files.workspace import WorkspaceFolder, open_workspace
from workbench.storage.log_address import LogAddress, parse_log_address
from workbench.storage.places import find_workspace
from workbench.storage.ports import Lives
from workbench.storage.trust import Accepted, TrustStore

if TYPE_CHECKING:  # the loop and the models are imported when they are first used: a list must not pay for them
    from workbench.domain.log.ids import AgentId
    from workbench.domain.loop.agents import Agent
    from workbench.domain.session.events import OthersSearched
    from workbench.domain.session.session import SessionState
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
    from workbench.planning.session_log import Pace, SessionLog
    from workbench.replay.audit import Audit, Neighbours
    from workbench.replay.comparing import Comparison
    from workbench.replay.verification import Verification
    from workbench.sharing.coordinator import SessionCoordinator
    from workbench.sharing.presence import Presence, SessionInfo
    from workbench.sharing.shared_context import SharedContextManager
    from workbench.storage.files.salvage import Salvage


_BEGINS_WITHIN = timedelta(seconds=5)
"""How long a new session may take until somebody drives it."""
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
    rules_change: str = ""
    """What a person is told of a copy to which newer rules apply than to its file; "" where they are the same."""


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
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.folder = folder
        self.backend: Backend = backend or folder
        """Where the logs are; by default in the folder."""
        self.settings = settings
        self.log: SessionsLog = self.backend.log()
        self._environ = environ
        self._options = options
        self._clock = clock
        self._trust = TrustStore(trust_folder(environ), folder.files)
        self._memories: dict[SessionId, SessionMemory] = {}
        self._opened: WeakValueDictionary[SessionId, SessionLog] = WeakValueDictionary()
        """Logs of sessions, while anybody uses them."""
        self._opening: defaultdict[SessionId, Lock] = defaultdict(Lock)
        """Held while a log is opened, so that two who want it at once read it once."""

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
        SettingsError, and NotTrusted for a folder, or a log server of its settings, that the person has not accepted.
        """
        environ = os.environ if environ is None else environ
        settings = find_settings(folder, options=options, environ=environ)
        settings.require("log")
        opened = open_workspace(Path(folder), keeps_logs=not settings.log)
        backend = open_backend(opened, log_server(settings, opened.root, environ))
        return cls(opened, settings, environ=environ, clock=clock, backend=backend, options=options)

    # --- trust --------------------------------------------------------------------------------------------------------

    def accept(self, request: TrustRequest) -> None:
        """Accept what this workspace asks for: it holds from now on. Raises LogUnavailable."""
        self._trust.change(self.folder.root, lambda accepted: accepted.with_request(request))
        self.settings = find_settings(self.folder.root.parent, options=self._options, environ=self._environ)

    def trust_request(self, session: str) -> TrustRequest:
        """Return the models of a session and of its agents that were not accepted. Raises as ``session`` does."""
        state = self.state(session)
        recorded = (state.options.model, state.options.base_url)
        uses = [] if self._is_trusted(*recorded) else [_use(recorded, f"session {state.session}")]
        for agent in state.agents:
            pair = _agent_pair(agent, recorded)
            if agent.model and not self._is_trusted_server(pair, recorded):
                uses.append(_use(pair, f"agent {agent.name}"))
        return TrustRequest(models=tuple(uses))

    @property
    def _accepted(self) -> Accepted:
        return self._trust.accepted(self.folder.root)

    def _is_trusted(self, model: str, base_url: str) -> bool:
        """Tell whether the person named a model with its server for this workspace, or sends nothing with it."""
        settings = self.settings
        in_force = (settings.model, settings.base_url)
        return model == GUIDED or (model, base_url) in (in_force, *self._accepted.models)

    def _is_trusted_server(self, pair: tuple[str, str], session: tuple[str, str]) -> bool:
        """Tell whether an agent's model is on its session's server, or on one that was accepted."""
        return pair[0] == GUIDED or server_of(*pair) == server_of(*session) or self._accepted.has_server_of(*pair)

    def _remember_model(self, model: str, base_url: str) -> None:
        """Remember that the person named a model; where that cannot be kept, they are asked."""
        if model != GUIDED:
            with suppress(WorkbenchError):
                self._trust.change(self.folder.root, lambda accepted: accepted.with_model(model, base_url))

    # --- planning -----------------------------------------------------------------------------------------------------

    def start(
        self,
        goal: str,
        *,
        name: str = "",
        private: bool = False,
        recall: bool = True,
        proposal: str = "",
        source: str = "-",
        model: LanguageModel | None = None,
        watch: Watch | None = None,
    ) -> IterationManager:
        """Begin a session; of a ``private`` one no other finds anything, and without ``recall`` it searches no other.

        It plans from a ``proposal`` where one is given; ``source`` says where that is from. ``model`` goes before the
        one that is set.

        Raises InvalidGoal, SettingsError, ModelError, UsageError for a proposal that is too large for the model, and
        NotTrusted where the folder's settings were not accepted.
        """
        from workbench.domain.session.context import RecallSettings
        from workbench.domain.session.events import Bounds
        from workbench.planning.checks import check_proposal
        from workbench.planning.iteration_manager import IterationManager

        settings = self.settings
        pair = ("", "") if model else self._model_in_force()
        chosen, embedder = model or self._named_model(*pair), self._embedder
        if proposal:
            check_proposal(proposal, chosen.window)
        manager = IterationManager(
            goal,
            settings.iterations,
            settings.checkpoint,
            log=self.log,
            model=chosen,
            model_name=pair[0],
            base_url=pair[1],
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
            open_model=partial(self._agent_model, pair),
            others=self._others if recall else None,
            embedder=embedder,
            coordinate=self._coordinate,
        )
        if proposal:
            manager.initialize_from_proposal(proposal, source=source)
        return manager

    def resume(
        self, session: str, *, model: LanguageModel | None = None, watch: Watch | None = None, pace: Pace = iter
    ) -> IterationManager:
        """Open a session to go on with it, with the model it began with unless another one is named.

        ``pace`` passes on the events while they are read. Raises NotTrusted for a recorded model or server that the
        person has not named or accepted for this workspace: a file does not decide who is sent their texts and key.
        """
        from workbench.planning.iteration_manager import IterationManager

        log = self.session(session, pace)
        name, base_url = ("", "") if model else self._model_of(log.state)
        return IterationManager.of(
            log,
            model=model or self._named_model(name, base_url),
            model_name=name,
            base_url=base_url,
            clock=self._clock,
            watch=watch,
            open_model=partial(self._agent_model, (name, base_url)),
            others=self._others,
            embedder=self._embedder,
            coordinate=self._coordinate,
        )

    @property
    def _coordinate(self) -> Coordinate | None:
        return None if self.settings.shared == "off" else self.coordinator

    def add_agent(self, manager: IterationManager, agent: Agent) -> None:
        """Add an agent to a session. Raises UsageError, and ModelError for a model that cannot be opened."""
        if agent.model:
            from workbench.models.catalogue import SCRIPTED, parse_model_name

            self._model(agent.model, agent.base_url)
            if parse_model_name(agent.model).provider == SCRIPTED:  # it sends nothing: who names its file accepts it
                self._remember_model(agent.model, agent.base_url)
        manager.add_agent(agent)

    def _agent_model(self, session: tuple[str, str], agent: Agent) -> LanguageModel:
        """Open the model of an agent. Raises NotTrusted for a server that is not the session's and was not accepted."""
        pair = _agent_pair(agent, session)
        if not self._is_trusted_server(pair, session):
            raise _not_named(_use(pair, f"agent {agent.name}"), "`workbench trust SESSION` shows it and asks.")
        return self._model(*pair)

    def _model_in_force(self) -> tuple[str, str]:
        """Return the model that the settings name, and its server. Raises NotTrusted."""
        settings = self.settings
        settings.require("model")
        if ":" in settings.model:
            settings.require("base_url")
        return settings.model, settings.base_url

    def _model_of(self, state: SessionState) -> tuple[str, str]:
        """Return the model, and its server, that a session goes on with. Raises NotTrusted."""
        options, settings = state.options, self.settings
        if settings.sources["model"] == "--model":
            return self._model_in_force()
        if settings.sources["base_url"] == "--base-url":
            return options.model, settings.base_url
        recorded = (options.model, options.base_url)
        if not self._is_trusted(*recorded):
            raise _not_named(
                _use(recorded, f"session {state.session}"), "Accept it, or name a model yourself: --model guided."
            )
        return recorded

    def _named_model(self, name: str, base_url: str) -> LanguageModel:
        """Open a model that the person named or accepted, and remember that they did."""
        model = self._model(name, base_url)
        self._remember_model(name, base_url)
        return model

    def _model(self, name: str, base_url: str) -> LanguageModel:
        return open_model(name, base_url=base_url or None, environ=self._environ)

    # --- what was saved -----------------------------------------------------------------------------------------------

    def sessions(self) -> list[Listed]:
        """Return every session, newest first. One whose file cannot be read is listed with the reason."""
        catalogue: Catalogue[Any] = Catalogue(
            self.backend.log(),
            self.folder.cache / "sessions.json",
            _summarised,
            version=SUMMARY_VERSION,
            accept=_accepted,
            seal=self._seal,
            files=self.folder.files,
        )
        listed = [self._as_driven(entry) for entry in catalogue.entries()]
        return sorted(listed, key=lambda one: (one.updated, one.session), reverse=True)

    def _as_driven(self, entry: Entry) -> Listed:
        """Return a session of the catalogue, ``interrupted`` where nobody is at its work."""
        listed = _listed(entry)
        in_call = bool(entry.summary and entry.summary.get("call"))
        is_cut_off = listed.status == "running" and not self._is_at_work(listed, in_call=in_call)
        return msgspec.structs.replace(listed, status="interrupted") if is_cut_off else listed

    def _is_at_work(self, listed: Listed, *, in_call: bool) -> bool:
        """Tell whether somebody drives a session, or is just about to. ``in_call``: a call has no answer yet."""
        try:
            if self.log.driver(listed.session) is not None:
                return True
            if self.log.head(listed.session).seq != listed.events:  # it went on, and perhaps ended, since it was read
                return True
            if self._lives.holder(listed.session) is not None:
                return not in_call  # nobody waits for the answer of a call that is not driven
        except (LogError, NotFound):  # it was deleted or damaged since it was listed
            return False
        age = datetime.now(UTC) - datetime.fromisoformat(listed.updated)
        return listed.events == 1 and age < _BEGINS_WITHIN

    def session(self, session: str, pace: Pace = iter) -> SessionLog:
        """Open a session's log, or catch up with it where it is open already: all who use it share one state.

        ``pace`` passes on the events while they are read. Raises InvalidId, NotFound (with what is near), LogDamaged,
        LogTooNew.
        """
        from workbench.planning.ports import SystemClock
        from workbench.planning.session_log import SessionLog

        session_id = self._known(session)
        with self._opening[session_id]:
            log = self._opened.get(session_id)
            if log is not None:
                with suppress(LogWentBack):  # what is there now is another history
                    log.refresh(pace=pace)
                    return log
            clock = SystemClock() if self._clock is None else self._clock
            log = SessionLog(self.log, session_id, person=person_name(self.settings), clock=clock, pace=pace)
            self._opened[session_id] = log
            return log

    def state(self, session: str) -> SessionState:
        """Return a session as of its last event. Raises as ``session`` does."""
        from workbench.domain.session.session import fold

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

        return Library(self.log, self._embedder, self._items_cache, self.folder.files, seal=self._seal)

    @cached_property
    def _seal(self) -> CacheSeal:
        return CacheSeal(secret_in(cache_key_file(self._environ)), self.backend.id)

    @property
    def _items_cache(self) -> Path:
        """Where what was read of sessions to be searched is kept, files named by their session."""
        return self.folder.cache / "items"

    @cached_property
    def _embedder(self) -> Embedder:
        """What every search of this workspace embeds with, as this person set it, whatever a session's file says."""
        from workbench.models.embedders import open_embedder

        settings = self.settings
        settings.require("embedder", "embedder_url")
        return open_embedder(settings.embedder, base_url=settings.embedder_url or None, environ=self._environ)

    def mark(self, session: str, other: str, item: str, mark: Literal["excluded", "pinned", ""]) -> None:
        """Exclude an item of another session from every prompt of this one, pin it to each, or take that back."""
        from workbench.planning.recalling import mark_item

        mark_item(self.session(session), other, item, mark)

    def switch_recall(self, session: str, *, on: bool) -> None:
        """Decide whether other sessions are searched for this one from now on."""
        from workbench.planning.recalling import switch_recall

        switch_recall(self.session(session), on=on)

    def remember(
        self, session: str, said: Sequence[Said], *, on_progress: Callable[[int], None] | None = None
    ) -> list[str]:
        """Bring in what was said elsewhere; return the ids of the items. Raises UsageError, and as ``session`` does.

        ``on_progress`` is told again and again how many messages are in for good.
        """
        from workbench.planning.remembering import remember

        return list(remember(self.session(session), said, on_progress))

    def lines_in(self, session: str, file: str) -> dict[int, str]:
        """Return which lines of a file, by its sha256, a session remembers already, each with the id of its item.

        Raises as ``session`` does.
        """
        from workbench.planning.remembering import lines_in

        return lines_in(self.events(session), file)

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
        from workbench.domain.text.mentions import Mentions

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
            snapshot=Snapshot(self.folder.shared / "shared_context.json", self.folder.files, seal=self._seal),
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
        return present(self._presence.state, self._lives, datetime.now(UTC), self._has_ended)

    @cached_property
    def _presence(self) -> SharedContextManager:
        """What is asked again and again who takes part: it reads only what is new."""
        return self.shared()

    def presence(self) -> Presence:
        """Return who says again and again, of a state of the shared context, which sessions take part, and how."""
        from workbench.sharing.presence import Presence

        return Presence(self._lives, self._presence.state, self._has_ended)

    def _has_ended(self, session: str) -> bool:
        try:
            return self.state(session).status in {"finished", "stopped", "failed"}
        except (LogError, NotFound, InvalidId):
            return False

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
        from workbench.storage.files.session_file import session_file

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
        from workbench.domain.log.rules import change_told, stretches_of
        from workbench.planning.verdicts import usable_name
        from workbench.storage.importing import read_to_import, take_in

        called = usable_name(name) if name else ""
        events, lost = read_to_import(Path(file), sound_part=sound_part)
        if new_id:
            copy = self.fork(events, name=called)
            change = change_told(stretches_of(events), stretches_of(self.events(copy)))
            return Imported(session=str(copy), events=len(events), lost=lost, behind=None, rules_change=change)
        behind = take_in(events, self.backend.holdings())
        session = events[0].session
        stopped = behind is None and self._stop_imported(session)
        if called and behind is None:
            self.rename(session, called)
        return Imported(session=session, events=len(events), lost=lost, behind=behind, stopped=stopped)

    def _stop_imported(self, session: str) -> bool:
        """Stop a session that would go on by itself; return whether it would have."""
        from workbench.domain.loop.steps import Rest, Wait, next_step
        from workbench.domain.session.events import SessionStopped

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
        files = self.folder.files
        with suppress(OSError):  # where it cannot be read, nothing was written there
            for name in files.names(self._items_cache):
                if name.partition(".")[0] == known:
                    files.unlink(self._items_cache / name)
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


def open_model(name: str, *, base_url: str | None, environ: Mapping[str, str]) -> LanguageModel:
    """Return the model with this name.

    ``base_url`` replaces the provider's address; with one, OpenAI's protocol needs no key. ``environ`` is where keys
    are looked up. Reads a script's file, and nothing else; call it where blocking is allowed.
    Raises ModelUnknown (no such provider, extra not installed, no usable script), ModelDenied (no key) and
    SettingsError (a base URL that is no address).
    """
    from workbench.models import catalogue

    parsed = catalogue.parse_model_name(name)
    if parsed.provider == catalogue.GUIDED:
        from workbench.guided import GuidedModel

        return GuidedModel()
    if parsed.provider == catalogue.SCRIPTED:
        from workbench.models.scripted import ScriptedModel

        return ScriptedModel.load(parsed.model)
    from workbench.models.providers import ProviderModel

    provider = catalogue.PROVIDERS[parsed.provider]
    if base_url is not None:
        catalogue.check_base_url(base_url)
    catalogue.require_extra(provider)
    key = catalogue.find_key(provider, base_url, environ)
    return ProviderModel(provider, parsed.model, key=key, base_url=base_url)


def log_server(settings: Settings, root: Path | None, environ: Mapping[str, str]) -> LogAddress | None:
    """Return the server that logs are kept on; None for files. One that the person names is accepted from then on.

    ``root``: the ``.workbench`` folder, where there is one. Raises NotTrusted where only its settings name a server.
    """
    settings.require("log")
    if not settings.log:
        return None
    source = settings.sources["log"]
    address = parse_log_address(settings.log, source)
    if root is not None and source != str(root / "config.toml"):
        accept_log(root, address, environ)
    return address


def accept_log(root: Path, address: LogAddress, environ: Mapping[str, str]) -> None:
    """Remember that the person named a log server; where that cannot be kept, they are asked."""
    with suppress(WorkbenchError):
        TrustStore(trust_folder(environ)).change(root, lambda accepted: accepted.with_log(address.shown))


def trust_request(folder: str | Path, environ: Mapping[str, str]) -> TrustRequest:
    """Return what the nearest workspace asks for and was not accepted: its owner first, then its settings.

    Raises NotFound where there is no workspace, SettingsError.
    """
    _workspace_root(folder)
    try:
        return find_settings(folder, environ=environ).request
    except NotTrusted as error:
        return error.request


def accept(folder: str | Path, request: TrustRequest, environ: Mapping[str, str]) -> None:
    """Accept what the nearest workspace asks for. Raises NotFound, LogUnavailable."""
    store = TrustStore(trust_folder(environ))
    store.change(_workspace_root(folder), lambda accepted: accepted.with_request(request))


def accepted_for(folder: str | Path, environ: Mapping[str, str]) -> Accepted:
    """Return what was accepted for the nearest workspace. Raises NotFound."""
    return TrustStore(trust_folder(environ)).accepted(_workspace_root(folder))


def accepted_everywhere(environ: Mapping[str, str]) -> list[Accepted]:
    """Return what was accepted for any workspace, by its path."""
    return TrustStore(trust_folder(environ)).all()


def revoke(folder: str | Path, environ: Mapping[str, str]) -> bool:
    """Forget what was accepted for the nearest workspace; tell whether there was anything. Raises NotFound."""
    return TrustStore(trust_folder(environ)).revoke(_workspace_root(folder))


def _workspace_root(folder: str | Path) -> Path:
    root = find_workspace(Path(folder))
    if root is None:
        raise NotFound("There is no workspace here or in a folder above.", "Name its folder with --workspace.")
    return root


def _agent_pair(agent: Agent, session: tuple[str, str]) -> tuple[str, str]:
    """Return an agent's model and its server: the session's where the provider is the same and none is named."""
    is_same = server_of(agent.model, "")[0] == server_of(session[0], "")[0]
    return agent.model, agent.base_url or (session[1] if is_same else "")


def _use(pair: tuple[str, str], used_by: str) -> ModelUse:
    from workbench.models.catalogue import host_of

    return ModelUse(model=pair[0], base_url=pair[1], host=host_of(*pair), used_by=used_by)


def _not_named(use: ModelUse, remedy: str) -> NotTrusted:
    return NotTrusted(
        f"The {use.used_by} would send prompts and key for {clean_name(use.model)} to {clean_name(use.host, 200)}, "
        "which you have not accepted here.",
        remedy,
        TrustRequest(models=(use,)),
    )


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
    from workbench.domain.log.growing import as_list, from_list
    from workbench.domain.session.summary import Summary, summarise

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
