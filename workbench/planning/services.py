"""What an iteration manager is given: the services it works with, and how a new session begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, field

from workbench.domain.errors import UsageError, WorkbenchError
from workbench.domain.log import rules
from workbench.domain.log.ids import SessionId
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.begin import Begin
from workbench.domain.session import events as say
from workbench.domain.session.context import RecallSettings
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.goal import check_goal
from workbench.models.embeddings import Embedder, HashedWords
from workbench.models.ports import LanguageModel
from workbench.planning.beside_the_loop.verdicts import NAME_LENGTH
from workbench.planning.checks import check_begin, check_options
from workbench.planning.ports import Clock, SystemClock, Watch
from workbench.planning.session_log import SessionLog
from workbench.planning.trust.consents import Consents, ProcessConsents
from workbench.sharing.coordinator import SessionCoordinator
from workbench.storage.ports import EventLog

if TYPE_CHECKING:  # what searches is imported when there is something to search
    from workbench.memory.kept_index import KeptIndexes
    from workbench.memory.other_sessions import OtherSessions
    from workbench.planning.sources.project_files import ProjectFiles
    from workbench.planning.sources.research import Researcher
    from workbench.planning.trust.tools import Toolbox

OpenModel = Callable[[Agent], LanguageModel]
"""Opens an agent's own model. Raises UsageError, ModelError, and NotTrusted for a server that was not accepted."""

Coordinate = Callable[[SessionId], SessionCoordinator]
"""Gives a session its part in the shared context."""


def _refuse_model(agent: Agent) -> LanguageModel:
    raise UsageError(f"The agent's model {clean_name(agent.model)} cannot be opened here.", "Leave its model out.")


def ignore(_role: str, _part: object) -> None:
    """Show nothing."""


class Services(Struct, frozen=True, kw_only=True):
    """What an iteration manager works with."""

    log: EventLog
    model: LanguageModel
    model_name: str = ""
    """What opens the model again, if that is more than its own name; a resumed session takes it over."""
    base_url: str = ""
    server_from_settings: bool = False
    """Whether ``base_url`` is what the settings name, and follows them."""
    reread: Callable[[Services, SessionState], Services] | None = None
    """Gives the services with the models that the settings name at that moment; None: they stay as they are. Raises
    SettingsError, ModelError and NotTrusted."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Model by role, if it is another one; ``open_model`` opens it."""
    person: str = "person"
    workspace: str = "workspace"
    version: str = ""
    """Of the workbench."""
    clock: Clock = field(default_factory=SystemClock)
    watch: Watch = ignore
    open_model: OpenModel = _refuse_model
    others: OtherSessions | None = None
    """Other sessions, searched before the planner is asked; None: nothing is searched."""
    research: Researcher | None = None
    """What gaps are looked up with; None: no person allowed it."""
    tools: Toolbox | None = None
    """What models may ask for; None: nothing."""
    consents: Consents = field(default_factory=ProcessConsents)
    """What the person allowed, whatever a session's log says."""
    limits: say.Bounds = field(default_factory=say.Bounds)
    """Bounds that the person set for every session."""
    files: ProjectFiles | None = None
    """Files that a person may name with ``@path``; None: it is a word like others."""
    embedder: Embedder = field(default_factory=HashedWords)
    indexes: KeptIndexes | None = None
    """Where indexes of long conversations are kept for other processes; None keeps none."""
    """What the session's own memory is searched with."""
    lessons: Callable[[str], tuple[say.Lesson, ...]] | None = None
    """Gives the lessons that fit a goal; None: a new session is given none."""
    coordinate: Coordinate | None = None
    """None: the session looks at nothing that others share."""


class NewSession(Struct, frozen=True, kw_only=True):
    """How a session begins, beside its goal and its iterations."""

    name: str = ""
    """"": the first line of the goal."""
    private: bool = False
    context: RecallSettings = field(default_factory=RecallSettings)
    bounds: say.Bounds = field(default_factory=say.Bounds)
    begin: Begin | None = None
    """What the person chose and typed to begin with; None for nothing."""
    practice: tuple[say.Practice, ...] = ()
    """The template that they chose, as reference for a language model."""
    ending: str | None = None
    """Fixes the random end of the session's id, for tests."""


def begin_session(
    goal: str, max_iterations: int, checkpoint_interval: int, services: Services, new: NewSession
) -> SessionLog:
    """Write the first event of a session. Raises InvalidGoal and SettingsError."""
    text = check_goal(goal)
    begin = check_begin(new.begin, services.clock.now().date()) if new.begin else None
    options = check_options(
        say.Options(
            max_iterations=max_iterations,
            checkpoint_interval=checkpoint_interval,
            model=services.model_name or services.model.name,
            base_url=services.base_url,
            server_from_settings=services.server_from_settings or msgspec.UNSET,
            roles=dict(services.roles),
            bounds=new.bounds,
            private=new.private,
            recall=services.others is not None,
            shared=services.coordinate is not None,
            context=new.context,
        )
    )
    created = say.SessionCreated(
        goal=text,
        name=clean_name(new.name or text.splitlines()[0], NAME_LENGTH),
        options=options,
        today=services.clock.now().date().isoformat(),
        workbench=services.version,
        rules=rules.CURRENT,
    )
    given = _lessons(services, text)
    log = SessionLog.create(
        services.log,
        created,
        person=services.person,
        workspace=services.workspace,
        clock=services.clock,
        ending=new.ending,
    )
    if given is not None:
        log.record_given([given], actor="workbench")
    if begin is not None:
        log.record_given([say.BeginGiven(begin=begin)], actor="person")
    if new.practice:
        log.record_given([say.PracticeGiven(practice=new.practice)], actor="person")
    if services.research is not None:
        log.record_given([services.research.switched], actor="person")
    if services.tools is not None:
        log.record_given([services.tools.offered], actor="person")
    return log


def _lessons(services: Services, goal: str) -> say.LessonsGiven | None:
    """Return the lessons that fit a goal; None if there are none. Planning goes on where they cannot be read."""
    if services.lessons is None or services.others is None:
        return None
    try:
        lessons = services.lessons(goal)
    except WorkbenchError as error:
        return say.LessonsGiven(unavailable=error.message)
    return say.LessonsGiven(lessons=lessons) if lessons else None
