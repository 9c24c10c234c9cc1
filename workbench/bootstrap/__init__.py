"""The composition root: the only place that names a backend or a provider.

    Workspace.open(folder) ─▶ start(goal)  ─▶ IterationManager
                           ├▶ session(id)  ─▶ Session, what concerns this session
                           └▶ sessions(), search_sessions(), shared(), import_session(), trash(), restore() …

``from workbench import Workspace`` gives a program the same calls that the command line and the application make. They
read and write files: call them from a worker thread where an event loop runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

import msgspec

from workbench.bootstrap.listing import (
    Listed,
    OpenPlans,
    SessionCatalogue,
    catalogue_of,
    list_open_plans,
    list_sessions,
    privacy_of_sessions,
)
from workbench.bootstrap.models import ModelAt, TrustedModels, log_server
from workbench.bootstrap.parts import Parts
from workbench.bootstrap.session import Session
from workbench.domain.errors import InvalidId, LogError, NotFound, UsageError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import SessionId
from workbench.domain.text.cleaning import clean_name
from workbench.domain.trust import TrustRequest
from workbench.settings import Settings, find_settings
from workbench.storage.backend import open_backend
from workbench.storage.files.trash import Trashed
from workbench.storage.files.workspace import open_workspace
from workbench.storage.places import find_workspace
from workbench.storage.trust import Accepted
from workbench.version import VERSION

if TYPE_CHECKING:  # the loop and the models are imported when they are first used: a list must not pay for them
    from workbench.bootstrap.known_models import TriedModel
    from workbench.bootstrap.learning import Learning
    from workbench.domain.loop.begin import Begin
    from workbench.domain.session.events import GapsResearched, Practice
    from workbench.memory.other_sessions import AcrossResult, EverySession
    from workbench.models.ports import LanguageModel
    from workbench.planning.iteration_manager import IterationManager
    from workbench.planning.learning.lessons import Standing
    from workbench.planning.learning.patterns import Learned
    from workbench.planning.memory.transcripts import Transcript
    from workbench.planning.ports import Clock, Watch
    from workbench.replay.audit import Neighbours
    from workbench.replay.comparing import Comparison
    from workbench.sharing.presence import Presence, SessionInfo
    from workbench.sharing.shared_context import SharedContextManager
    from workbench.templates.catalogue import Catalogue

__all__ = ["Imported", "Listed", "Session", "Workspace", "sample_sessions", "workspace_exists"]


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """A session that came from a file."""

    session: str
    events: int
    """How many the file has, or its sound part."""
    lost: int
    """Lines of a damaged file that were left out."""
    behind: int | None
    """Where the session was there already: how many events it has after those of the file; else None."""
    stopped: bool = False
    """Whether it was in the middle of its work, which does not continue by itself here."""
    rules_change: str = ""
    """What a person is told of a copy to which newer rules apply than to its file; "" if they are the same."""


class Workspace:
    """The planning sessions of one folder.

    ``with`` closes what it opened; without, everything is let go of when the process ends.
    """

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.folder = parts.folder
        self.backend = parts.backend
        """Where the logs are; by default in the folder."""
        self.log = parts.log
        self.context: tuple[str, ...] = ()
        """Files of the project, by path or pattern, that each session is to know which begins here."""

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        options: Mapping[str, object] | None = None,
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
        return cls(Parts(opened, backend, TrustedModels(opened, settings, options, environ), clock, environ))

    def __repr__(self) -> str:
        return f"<Workspace {self.folder.root.parent}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the shared context, stop the threads, and let go of files and connections; all open again on use."""
        self.parts.close()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.parts.settings

    def accept(self, request: TrustRequest) -> None:
        """Accept what this workspace asks for: it holds from now on. Raises LogUnavailable."""
        self.parts.models.accept(request)

    def choose_model(self, name: str, base_url: str = "") -> None:
        """Plan with a model from now on, also in sessions that continue. Raises ModelError as opening it does."""
        self.parts.models.open_named(ModelAt(name, base_url))
        self.parts.models.choose(model=name, base_url=base_url)

    def check_model(self, name: str, table: Mapping[str, Any]) -> None:
        """Raise SettingsError, or ModelError, for what cannot hold for a model."""
        from workbench.models.own_settings import check_model_tables

        check_model_tables({name: table}, "What you wrote")

    def set_model(self, name: str, table: Mapping[str, Any]) -> None:
        """Let this hold for a model, by its name. Raises as ``check_model``."""
        self.check_model(name, table)
        self.parts.models.choose(models={name: table})

    def try_model(self, name: str, base_url: str = "") -> TriedModel:
        """Ask a model for one word. Blocks until it has answered. Raises ModelError and SettingsError."""
        from workbench.bootstrap.known_models import try_model

        return try_model(self.settings, name, base_url, self.parts.environ)

    def accepted(self) -> Accepted:
        """Return what the person accepted for this workspace. Raises LogUnavailable."""
        return self.parts.models.accepted()

    def revoke(self) -> None:
        """Accept nothing of it any more. Raises LogUnavailable."""
        self.parts.models.revoke()

    def reread_settings(self) -> None:
        """Use the settings as they are now for what begins from now on. Raises SettingsError."""
        self.parts.models.reread()

    # --- sessions -----------------------------------------------------------------------------------------------------

    def start(
        self,
        goal: str,
        *,
        name: str = "",
        private: bool = False,
        recall: bool = True,
        proposal: str = "",
        source: str = "-",
        begin: Begin | None = None,
        context: Sequence[str] = (),
        reads: bool = True,
        model: LanguageModel | None = None,
        watch: Watch | None = None,
    ) -> IterationManager:
        """Begin a session; of a ``private`` one no other finds anything, and without ``recall`` it searches no other.

        It plans from a ``proposal`` if one is given; ``source`` says where that is from. ``context`` names files of
        the project, by path or pattern, that it is to know, beside those that the goal names with ``@path``, unless
        ``reads`` is false. ``begin`` is a template, own steps and values; a language model gets the template as
        reference. ``model`` goes before the one that is set.

        Raises InvalidGoal, SettingsError, ModelError, UsageError for a proposal that is too large for the model and for
        files that cannot be read, and NotTrusted if the folder's settings were not accepted.
        """
        from workbench.domain.session.context import RecallSettings
        from workbench.domain.session.events import Bounds
        from workbench.models.catalogue import GUIDED
        from workbench.planning.checks import check_proposal
        from workbench.planning.iteration_manager import IterationManager
        from workbench.planning.services import NewSession, begin_session
        from workbench.planning.trust.consents import bounds_consent
        from workbench.planning.trust.person import agent_around

        settings, parts = self.settings, self.parts
        services = parts.services(model, watch)
        services = msgspec.structs.replace(services, lessons=self._learning.fitting)
        if not recall:
            services = msgspec.structs.replace(services, others=None)
        if proposal:
            check_proposal(proposal)
            if services.model.name == GUIDED:  # a language model reads it itself
                self._check_readable(proposal, source)
        new = NewSession(
            name=name,
            private=private,
            context=msgspec.convert(settings.recall, RecallSettings),
            bounds=parts.limits,
            begin=begin,
            practice=self._reference(begin, services.model.name) if begin is not None and begin.template else (),
        )
        files = parts.project_files
        read = dict.fromkeys((*files.required((*self.context, *context)), *(files.mentioned(goal) if reads else ())))
        checkpoint = settings.checkpoint
        if settings.sources["checkpoint"] == "default" and services.model.name != GUIDED:
            checkpoint = 1  # a person looks at each round of a language model, unless they said otherwise
        log = parts.keep(begin_session(goal, settings.iterations, checkpoint, services, new))
        is_named = any(settings.sources[name].startswith(("--", "WORKBENCH_")) for name in Bounds.__struct_fields__)
        if is_named and not agent_around():
            parts.consents.give(bounds_consent(log.state, parts.limits))  # they need not hold in the next process
        if read:
            log.record_given(tuple(read), actor="person")
        manager = IterationManager(log, services=services)
        if proposal:
            manager.initialize_from_proposal(proposal, source=source)
        return manager

    def templates(self) -> Catalogue:
        """Return the templates that can be chosen: those that come with the workbench, the person's, the team's."""
        from workbench.bootstrap.templates import load_templates

        return load_templates(self.settings, self.folder.root, self.parts.environ).catalogue

    def _reference(self, begin: Begin, model: str) -> tuple[Practice, ...]:
        """Return the template that was chosen as reference for a language model. Raises UsageError for another."""
        from workbench.models.catalogue import GUIDED
        from workbench.planning.checks import check_kept
        from workbench.templates.composition import besides
        from workbench.templates.reference import practice_of
        from workbench.templates.template import split_choice

        catalogue = self.templates()
        template = catalogue.chosen(begin.template)
        check_kept(begin.keep, len(template.way(split_choice(begin.template)[1])), len(besides(template)))
        return () if model == GUIDED else (practice_of(template, begin.template, begin.keep),)

    @staticmethod
    def _check_readable(proposal: str, source: str) -> None:
        """Raise UsageError for a proposal that the offline planner cannot read, before a session begins from it."""
        from workbench.domain.loop.limits import MOST_OF_AN_EDIT
        from workbench.plan_files import read_plan

        name = "" if source == "-" else source
        read_plan(proposal[:MOST_OF_AN_EDIT], name=name, today=datetime.now(UTC).date())

    @cached_property
    def _catalogue(self) -> SessionCatalogue:
        return catalogue_of(self.parts)

    def sessions(self) -> list[Listed]:
        """Return every session, newest first. One whose file cannot be read is listed with the reason."""
        return list_sessions(self.parts, self._catalogue)

    def open_plans(self) -> OpenPlans:
        """Return what is open of the plans that are carried out, the newest first."""
        return list_open_plans(self.parts)

    def session(self, session: str) -> Session:
        """Return a session, by its whole id. Raises InvalidId, and NotFound with what is near."""
        return Session(self.parts, self.parts.known(session))

    def research(self, text: str) -> GapsResearched:
        """Look a text up in the project's files; nothing is recorded."""
        return self.parts.researcher().find(clean_name(text, 400))

    def fork(self, events: Iterable[Event], at: int | None = None, *, name: str = "") -> Session:
        """Begin a session with what another one was up to an event, by default its last.

        ``events`` are the other one's, of any file; ``Session.fork`` forks one of this workspace. Raises UsageError,
        and what reading them raises.
        """
        return Session(self.parts, self.parts.fork(events, at, name))

    def import_session(
        self, file: str | Path, *, name: str = "", sound_part: bool = False, new_id: bool = False
    ) -> Imported:
        """Take in a session's file from anywhere, under its own id; ``name`` is what it is called here from then on.

        Nothing of it is run, its events stay as they are, and nothing is done if they are here already. What was
        in the middle of its work is stopped: it continues when a person resumes it, not when one looks at it. With
        ``sound_part``, of a damaged file what is before the damage; with ``new_id``, as a fork at its end. Raises
        NotFound, UsageError if another session has its id, LogDamaged, LogTooNew.
        """
        from workbench.domain.log.rules import rules_change_text, stretches_of
        from workbench.planning.beside_the_loop.verdicts import usable_name
        from workbench.storage.importing import read_to_import, take_in

        called = usable_name(name) if name else ""
        events, lost = read_to_import(Path(file), sound_part=sound_part)
        if new_id:
            copy = self.fork(events, name=called)
            change = rules_change_text(stretches_of(events), stretches_of(copy.events()))
            return Imported(session=str(copy.id), events=len(events), lost=lost, behind=None, rules_change=change)
        behind = take_in(events, self.backend.holdings())
        session = events[0].session
        stopped = behind is None and self._stop_imported(session)
        if called and behind is None:
            self.session(session).rename(called)
        return Imported(session=session, events=len(events), lost=lost, behind=behind, stopped=stopped)

    def import_transcript(self, transcript: Transcript, *, name: str = "") -> tuple[str, int]:
        """Take in a conversation with a coding agent as a session that is read only; return its id, and what is new.

        Where it is here already, with what was said since. Raises UsageError.
        """
        from workbench.domain.session import events as say
        from workbench.domain.text.goal import MAX_GOAL_LENGTH
        from workbench.planning.beside_the_loop.verdicts import NAME_LENGTH, usable_name
        from workbench.planning.memory.remembering import not_yet_in
        from workbench.planning.session_log import SessionLog

        parts, ending = self.parts, transcript.file[:10]
        known = next((stream for stream in self.log.streams() if stream.endswith(f"-{ending}")), None)
        if known is None:
            created = say.SessionCreated(
                goal=transcript.title(MAX_GOAL_LENGTH),
                name=usable_name(name or transcript.title(NAME_LENGTH)),
                options=say.Options(transcript=transcript.label),
                today=parts.clock.now().date().isoformat(),
                workbench=VERSION,
                rules=rules.CURRENT,
            )
            log = SessionLog.create(
                self.log, created, person=parts.person, workspace=self.backend.id, clock=parts.clock, ending=ending
            )
            parts.keep(log).record_given([say.SessionStopped(reason="a transcript, to be read")], actor="person")
            known = str(log.session)
        session = self.session(known)
        return known, len(session.remember(not_yet_in(session.events(), transcript.said)))

    def _stop_imported(self, session: str) -> bool:
        """Stop a session that would continue by itself; return whether it would have."""
        from workbench.domain.loop.steps import Rest, Wait
        from workbench.domain.loop.workflow import next_step
        from workbench.domain.session.events import ResearchSwitched, SessionStopped, ToolsOffered

        log = self.session(session).log()
        if log.state.tools.tools or log.state.research.on:  # what was allowed elsewhere is not allowed here
            log.record_given([ToolsOffered(), ResearchSwitched(on=False)], actor="person")
        if isinstance(next_step(log.state), Rest | Wait):
            return False
        log.record_given([SessionStopped(reason="imported", asks_again=True)], actor="person")
        return True

    def search_sessions(self, query: str, max_results: int) -> AcrossResult:
        """Search what all sessions remember, private ones too, for the person: nothing is recorded, no prompt has it.

        Raises ModelError if the embedder fails.
        """
        return self._every_session.search(query, max_results)

    @cached_property
    def _every_session(self) -> EverySession:
        from workbench.memory.other_sessions import EverySession

        return EverySession(self.parts.library)

    def compare(self, a: str, b: str = "") -> Comparison:
        """Return what differs between two points, each ``ID``, ``ID@SEQ`` (an event) or ``ID@vN`` (a version).

        ``b`` may leave the id out if it is the same. Without ``b``: from ``a`` to the same session as it is now, and
        where ``a`` is no more than an id, between the last two versions of its plan. Raises UsageError and NotFound for
        a point that is not there, and as ``session`` does.
        """
        from workbench.replay.comparing import compare_named

        return compare_named(a, b, lambda session: self.session(session).events())

    def neighbours(self) -> Neighbours:
        """Return the sessions as audits look at those that others quote: each is read once."""
        from workbench.replay.audit import Neighbours

        return Neighbours(self.log.read, self.log.streams(), privacy_of_sessions(self.parts))

    def trash(self) -> list[Trashed]:
        """Return what is in the trash, the oldest first."""
        return self.backend.trashed()

    def restore(self, session: str) -> str:
        """Bring back the session that was deleted last under this id. Raises NotFound, UsageError."""
        deleted = [entry for entry in self.trash() if entry.stream == session and entry.reason == "deleted"]
        if not deleted:
            raise NotFound(f"There is no session {session!r} in the trash.", "See `workbench sessions trash`.")
        return self.backend.restore(deleted[-1].name)

    def empty_trash(self) -> int:
        """Delete what is in the trash for good; return how many files that were."""
        return self.backend.empty_trash()

    # --- what sessions teach ------------------------------------------------------------------------------------------

    def analyze_learning_patterns(self) -> Learned:
        """Return the patterns over all sessions that are not private, each with its number of cases, at least five."""
        return self._learning.learned()

    def lessons(self) -> tuple[Standing, ...]:
        """Return what notes and patterns teach: proposed, or decided about by a person. None acts that is proposed."""
        return self._learning.lessons()

    @property
    def lessons_waiting(self) -> int:
        """Lessons that fitted the last session begun here, but that only somebody else accepted."""
        return self._learning.waiting

    def decide_lesson(
        self, lesson: str, deciding: Literal["accept", "reword", "refuse", "retire"], text: str = ""
    ) -> Standing:
        """Record a person's decision about a lesson, and return it as it is; reworded (``text``) it is accepted.

        Raises NotFound, UsageError for what cannot be decided, LogError.
        """
        return self._learning.decide(lesson, deciding, text)

    def refuse_lesson(self, lesson: str, session: str) -> None:
        """Keep a lesson out of one session that was given it. Raises NotFound, UsageError."""
        self._learning.refuse_here(lesson, session)

    @cached_property
    def _learning(self) -> Learning:
        from workbench.bootstrap.learning import Learning

        return Learning(self.parts)

    # --- what sessions share ------------------------------------------------------------------------------------------

    def shared(self, *, actor: str = "person") -> SharedContextManager:
        """Return the shared context, to be changed by ``actor``. Raises SettingsError if it is switched off."""
        return self.parts.shared(actor)

    def sharing_sessions(self) -> list[SessionInfo]:
        """Return the sessions that take part: how they are, and what they hold; none if sharing is off."""
        from workbench.sharing.presence import present

        if self.settings.shared == "off":
            return []
        return present(self._presence.state, self.parts.lives, datetime.now(UTC), self._has_ended)

    @cached_property
    def _presence(self) -> SharedContextManager:
        """What is asked again and again who takes part: it reads only what is new."""
        return self.shared()

    def presence(self) -> Presence:
        """Return who says again and again, of a state of the shared context, which sessions take part, and how."""
        from workbench.sharing.presence import Presence

        return Presence(self.parts.lives, self._presence.state, self._has_ended)

    def _has_ended(self, session: str) -> bool:
        try:
            return self.session(session).state().status in {"finished", "stopped", "failed"}
        except (LogError, NotFound, InvalidId):
            return False

    def sharing_session(self, session: str = "") -> tuple[SessionId, bool]:
        """Return the id that a change is made under, and whether it is a passing one, drawn for this change only.

        Raises InvalidId or NotFound (with what is near) for a session that does not exist.
        """
        if session:
            return self.parts.known(session), False
        return SessionId(f"cli-{os.urandom(4).hex()}"), True

    def member(self, session: str) -> SessionId:
        """Return the id of a session that takes part, whether or not it exists any more, or of one that exists.

        Raises SettingsError if sharing is switched off, else as ``sharing_session`` does.
        """
        is_member = session in self.shared().state().members
        return SessionId(session) if is_member else self.parts.known(session)

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


def sample_sessions() -> dict[str, Path]:
    """Return the sessions that ship with the workbench, by id: in the wheel, or beside the package in a checkout."""
    package = Path(__file__).parent.parent
    inside, beside = package / "sample_sessions", package.parent / "sessions"
    folder = inside if inside.is_dir() else beside
    return {file.stem: file for file in sorted(folder.glob("*.jsonl"))}


def workspace_exists(folder: str | Path = ".") -> bool:
    """Return whether there is a workspace at or above a folder."""
    return find_workspace(Path(folder)) is not None
