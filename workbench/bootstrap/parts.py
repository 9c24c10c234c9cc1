"""What a workspace and its sessions are made of: logs, models, what searches, what is shared. Each is made once."""

from __future__ import annotations

import weakref
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from msgspec.structs import replace

from workbench.bootstrap.contents import accepted_contents
from workbench.bootstrap.models import ModelAt, TrustedModels
from workbench.domain.errors import InvalidId, LogWentBack, NotFound, SettingsError, WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.settings import Settings, cache_key_file, person_name, setting_in
from workbench.storage.backend import Backend, SessionsLog
from workbench.storage.files.cache_seal import CacheSeal, secret_in
from workbench.storage.files.workspace import WorkspaceFolder
from workbench.storage.ports import Lives
from workbench.version import VERSION

if TYPE_CHECKING:  # the loop and the models are imported when they are first used: a list must not pay for them
    from workbench.domain.session.events import Bounds
    from workbench.domain.session.session import SessionState
    from workbench.memory.kept_index import KeptIndexes
    from workbench.memory.library import Library
    from workbench.memory.other_sessions import OtherSessions
    from workbench.models.embeddings import Embedder
    from workbench.models.ports import LanguageModel
    from workbench.planning.ports import Clock, Watch
    from workbench.planning.services import Services
    from workbench.planning.session_log import Pace, SessionLog
    from workbench.planning.sources.project_files import ProjectFiles
    from workbench.planning.sources.research import Researcher
    from workbench.planning.trust.consents import Consents
    from workbench.planning.trust.tools import Toolbox
    from workbench.sharing.coordinator import SessionCoordinator
    from workbench.sharing.shared_context import SharedContextManager


class Parts:
    """What a workspace and the handles of its sessions share."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        backend: Backend,
        models: TrustedModels,
        clock: Clock | None,
        environ: Mapping[str, str],
    ) -> None:
        self.folder = folder
        self.backend = backend
        self.models = models
        self.log: SessionsLog = backend.log()
        self._given_clock = clock
        self.allowed_tools: tuple[str, ...] = ()
        """Tools that the person allowed by name, though they do more than read."""
        self.environ = environ
        self._opened: WeakValueDictionary[SessionId, SessionLog] = WeakValueDictionary()
        """Logs of sessions, while anybody uses them."""
        self._opening: defaultdict[SessionId, Lock] = defaultdict(Lock)
        """Held while a log is opened, so that two who want it at once read it once."""
        self._shared: weakref.WeakSet[SharedContextManager] = weakref.WeakSet()
        self._coordinators: weakref.WeakSet[SessionCoordinator] = weakref.WeakSet()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.models.settings

    @property
    def person(self) -> str:
        """Who is at the keyboard."""
        return person_name(self.settings)

    @cached_property
    def clock(self) -> Clock:
        """Where the time is from."""
        from workbench.planning.ports import SystemClock

        return SystemClock() if self._given_clock is None else self._given_clock

    def now(self) -> str:
        """Return this moment, as events carry it."""
        from workbench.planning.ports import stamp

        return stamp(self.clock.now())

    def close(self) -> None:
        """Leave the shared context, stop the threads, and let go of files and connections; all open again on use."""
        with ExitStack() as closing:
            closing.callback(self.backend.close)
            leave = [*(shared.close for shared in self._shared), *(member.stop for member in self._coordinators)]
            for left in leave:
                closing.enter_context(suppress(WorkbenchError))  # to other sessions it looks crashed
                closing.callback(left)

    # --- sessions -----------------------------------------------------------------------------------------------------

    def known(self, session: str) -> SessionId:
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
        if any(entry.stream == session and entry.reason == "deleted" for entry in self.backend.trashed()):
            return f"It is in the trash: `workbench sessions restore {session}` brings it back."
        from rapidfuzz import fuzz, process, utils

        near = process.extractOne(
            session, list(self.log.streams()), scorer=fuzz.WRatio, processor=utils.default_process, score_cutoff=60
        )
        return f"Did you mean {near[0]}? See `workbench sessions list`." if near else ""

    def open_log(self, session: str, pace: Pace = iter) -> SessionLog:
        """Open a session's log, or catch up with it if it is open already: all who use it share one state.

        Raises InvalidId, NotFound, LogDamaged, LogTooNew.
        """
        from workbench.planning.session_log import SessionLog

        session_id = SessionId(session)
        with self._opening[session_id]:
            log = self._opened.get(session_id)
            if log is not None:
                with suppress(LogWentBack):  # what is there now is another history
                    log.refresh(pace=pace)
                    return log
            log = SessionLog(self.log, session_id, person=self.person, clock=self.clock, pace=pace)
            return self.keep(log)

    def keep(self, log: SessionLog) -> SessionLog:
        """Share an open log with whoever opens the same session."""
        self._opened[log.session] = log
        return log

    def let_go(self, session: SessionId) -> None:
        """Open a session's log again for whoever asks next."""
        self._opened.pop(session, None)

    def fork(self, events: Iterable[Event], at: int | None, name: str) -> SessionId:
        """Begin a session with the events of another one up to ``at``, by default its last."""
        from workbench.planning.beside_the_loop.forking import fork

        origin = tuple(events)
        return fork(
            self.log,
            origin,
            len(origin) if at is None else at,
            person=self.person,
            workspace=self.backend.id,
            clock=self.clock,
            name=name,
        )

    def services(self, model: LanguageModel | None, watch: Watch | None, state: SessionState | None = None) -> Services:
        """Return what an iteration manager works with; without a ``model``, that of a session, or the one in force."""
        from workbench.planning.services import Services, ignore

        named = ModelAt("") if model is not None else self._model_at(state)
        services = Services(
            log=self.log,
            model=self.models.open_named(named) if model is None else model,
            person=self.person,
            workspace=self.backend.id,
            version=VERSION,
            clock=self.clock,
            watch=watch or ignore,
            open_model=partial(self.models.open_for_agent, named),
            others=self.others,
            consents=self.consents,
            limits=self.limits,
            files=self.project_files,
            research=self.research,
            tools=self.toolbox(),
            embedder=self.embedder,
            indexes=self.indexes,
            coordinate=None if self.settings.shared == "off" else self.coordinator,
        )
        return services if model is not None else self._following_settings(services, named, state)

    def _model_at(self, state: SessionState | None) -> ModelAt:
        return self.models.in_force() if state is None else self.models.of_session(state)

    def _following_settings(self, services: Services, named: ModelAt, state: SessionState | None) -> Services:
        """Return the services with all that goes with a model, until the settings are others."""
        return replace(
            services,
            model_name=named.name,
            base_url=named.base_url,
            server_from_settings=self.models.has_server_from_settings(state),
            roles=self.models.of_roles(named),
            open_model=partial(self.models.open_for_agent, named),
            reread=partial(self._refresh_services, self.settings),
        )

    def _refresh_services(self, known: Settings, services: Services, state: SessionState) -> Services:
        """Return the services as they are under the settings now. Raises SettingsError, ModelError and NotTrusted."""
        self.models.reread()
        if self.settings == known:
            return services
        named = self._model_at(state)
        services = replace(services, model=self.models.open_named(named))
        return self._following_settings(services, named, state)

    @cached_property
    def consents(self) -> Consents:
        """What this person allowed inside the sessions of the workspace."""
        from workbench.bootstrap.consents import KeptConsents

        return KeptConsents(self.models.store, self.folder.root)

    @property
    def limits(self) -> Bounds:
        """The person's bounds for every session."""
        from workbench.domain.session.events import Bounds

        return Bounds(**{name: getattr(self.settings, name) for name in Bounds.__struct_fields__})

    @property
    def project_files(self) -> ProjectFiles:
        """The files of the project that a person may name: as they are now, with what .gitignore says now."""
        from workbench.planning.sources.project_files import ProjectFiles

        return ProjectFiles(self.folder.root.parent)

    @property
    def research(self) -> Researcher | None:
        """What gaps are looked up with; None if no person allowed it."""
        return None if self.settings.research == "off" else self.researcher()

    def toolbox(self) -> Toolbox | None:
        """Return what models may ask for; None if no person allowed anything."""
        research, tables = self.research, self.settings.mcp
        if research is None and not tables:
            return None
        from workbench.planning.trust.mcp_servers import McpServer
        from workbench.planning.trust.tools import Toolbox

        project, theirs = self.folder.root.parent, self.settings.asked.get("mcp", {})
        servers = {
            name: McpServer(
                name,
                table,
                project=project,
                is_own=name not in theirs,
                accepted=partial(accepted_contents, self.folder.root, self.environ),
                logs=self.folder.cache,
            )
            for name, table in tables.items()
        }
        return Toolbox(research, servers=servers, allowed=self.allowed_tools)

    def researcher(self) -> Researcher:
        """Return what looks gaps up, for a person who asks for that."""
        from workbench.planning.sources.research import Researcher
        from workbench.planning.sources.web import Web

        address = self.settings.search_url
        return Researcher(self.project_files, Web(address) if address else None)

    # --- searching ----------------------------------------------------------------------------------------------------

    @cached_property
    def others(self) -> OtherSessions:
        """What recalls from other sessions."""
        from workbench.memory.other_sessions import OtherSessions

        return OtherSessions(self.library)

    @cached_property
    def library(self) -> Library:
        """What all sessions remember."""
        from workbench.memory.library import Library

        return Library(self.log, self.embedder, self.items_cache, self.folder.files, seal=self.seal)

    @cached_property
    def seal(self) -> CacheSeal:
        """What seals this person's caches of the workspace."""
        return CacheSeal(secret_in(cache_key_file(self.environ)), self.backend.id)

    @property
    def items_cache(self) -> Path:
        """Where what was read of sessions to be searched is kept, files named by their session."""
        return self.folder.cache / "items"

    @cached_property
    def indexes(self) -> KeptIndexes:
        """Where the indexes of long conversations are kept."""
        from workbench.memory.kept_index import KeptIndexes

        return KeptIndexes(self.items_cache, self.folder.files, self.seal)

    def remove_cached_items(self, is_meant: Callable[[str], bool]) -> None:
        """Remove files of the cache of items, by name."""
        with suppress(OSError):  # where the folder cannot be read, nothing was written there
            for name in filter(is_meant, self.folder.files.names(self.items_cache)):
                self.folder.files.unlink(self.items_cache / name)

    @cached_property
    def embedder(self) -> Embedder:
        """What every search of this workspace embeds with, as this person set it, whatever a session's file says."""
        from workbench.models.embedders import open_embedder

        return open_embedder(self.settings.embedder)

    # --- sharing ------------------------------------------------------------------------------------------------------

    @cached_property
    def lives(self) -> Lives:
        """Which sessions are open somewhere."""
        return self.backend.lives()

    def shared(self, actor: str) -> SharedContextManager:
        """Return the shared context, to be changed by ``actor``. Raises SettingsError if it is switched off."""
        from workbench.sharing.shared_context import SharedContextManager
        from workbench.sharing.snapshot import Snapshot

        if self.settings.shared == "off":
            source = self.settings.sources["shared"]
            raise SettingsError(f"The shared context is switched off by {source}.", setting_in(source, "shared", "on"))
        lives = self.lives
        shared = SharedContextManager(
            self.backend.shared_log(durable=self.settings.shared == "durable"),
            person=self.person,
            workspace=self.backend.id,
            now=self.now,
            actor=actor,
            is_alive=lambda session: lives.holder(session) is not None,
            declare_dead=lives.declare_dead,
            snapshot=Snapshot(self.folder.shared / "shared_context.json", self.folder.files, seal=self.seal),
        )
        self._shared.add(shared)
        return shared

    def coordinator(self, session: str) -> SessionCoordinator:
        """Return a session's part in the shared context. Raises InvalidId, NotFound."""
        from workbench.sharing.coordinator import SessionCoordinator

        shared = None if self.settings.shared == "off" else self.shared("workbench")
        coordinator = SessionCoordinator(self.known(session), shared, self.lives)
        self._coordinators.add(coordinator)
        return coordinator
