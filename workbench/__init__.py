"""The planning workbench: plan with language models, in sessions that are isolated, visible and replayable.

    from workbench import Begin, Workspace, approving_all

    with Workspace.open("my-project") as workspace:
        begin = Begin(template="move-office", commands=("deadline 1 May",))
        manager = workspace.start("Move the office by 1 May", begin=begin)
        state = asyncio.run(manager.run(approving_all()))

``docs/examples`` has whole programs. Everything here is imported when it is first used: the command line must not pay
for it.
"""

from __future__ import annotations

TYPE_CHECKING = False
"""What typing calls so: to import that takes as long as all else here, and until then Ctrl+C leaves a traceback."""
if TYPE_CHECKING:
    from workbench.bootstrap import Imported as Imported
    from workbench.bootstrap import Listed as Listed
    from workbench.bootstrap import Session as Session
    from workbench.bootstrap import Workspace as Workspace
    from workbench.bootstrap.models import open_model as open_model
    from workbench.bootstrap.session import verified as verified
    from workbench.domain.errors import InvalidGoal as InvalidGoal
    from workbench.domain.errors import InvalidId as InvalidId
    from workbench.domain.errors import LogBusy as LogBusy
    from workbench.domain.errors import LogDamaged as LogDamaged
    from workbench.domain.errors import LogError as LogError
    from workbench.domain.errors import ModelError as ModelError
    from workbench.domain.errors import NotFound as NotFound
    from workbench.domain.errors import NotTrusted as NotTrusted
    from workbench.domain.errors import SettingsError as SettingsError
    from workbench.domain.errors import UsageError as UsageError
    from workbench.domain.errors import WorkbenchError as WorkbenchError
    from workbench.domain.log.envelope import Event as Event
    from workbench.domain.loop.agents import Agent as Agent
    from workbench.domain.loop.agents import new_agent as new_agent
    from workbench.domain.loop.begin import Begin as Begin
    from workbench.domain.loop.deciding.gates import Answer as Answer
    from workbench.domain.loop.deciding.gates import Gate as Gate
    from workbench.domain.loop.deciding.gates import Note as Note
    from workbench.domain.plan.plan import Plan as Plan
    from workbench.domain.session.context import Message as Message
    from workbench.domain.session.events import Bounds as Bounds
    from workbench.domain.session.events import IterationResult as IterationResult
    from workbench.domain.session.session import SessionState as SessionState
    from workbench.models.ports import Done as Done
    from workbench.models.ports import LanguageModel as LanguageModel
    from workbench.models.ports import Part as Part
    from workbench.models.ports import Request as Request
    from workbench.models.ports import TextDelta as TextDelta
    from workbench.models.ports import Usage as Usage
    from workbench.models.scripted import CallableModel as CallableModel
    from workbench.planning.iteration_manager import IterationManager as IterationManager
    from workbench.planning.memory.remembering import Said as Said
    from workbench.planning.policies import approve_all as approve_all
    from workbench.planning.policies import approving_all as approving_all
    from workbench.planning.policies import nobody as nobody
    from workbench.planning.ports import Decide as Decide
    from workbench.planning.ports import Decision as Decision
    from workbench.planning.services import NewSession as NewSession
    from workbench.planning.services import Services as Services
    from workbench.sharing.coordinator import SessionCoordinator as SessionCoordinator
    from workbench.sharing.shared_context import SharedContextManager as SharedContextManager

_MODULES = {
    "bootstrap": "Imported Listed Session Workspace",
    "bootstrap.models": "open_model",
    "bootstrap.session": "verified",
    "domain.errors": "InvalidGoal InvalidId LogBusy LogDamaged LogError ModelError NotFound NotTrusted SettingsError "
    "UsageError WorkbenchError",
    "domain.log.envelope": "Event",
    "domain.loop.agents": "Agent new_agent",
    "domain.loop.begin": "Begin",
    "domain.loop.deciding.gates": "Answer Gate Note",
    "domain.plan.plan": "Plan",
    "domain.session.context": "Message",
    "domain.session.events": "Bounds IterationResult",
    "domain.session.session": "SessionState",
    "models.ports": "Done LanguageModel Part Request TextDelta Usage",
    "models.scripted": "CallableModel",
    "planning.iteration_manager": "IterationManager",
    "planning.policies": "approve_all approving_all nobody",
    "planning.ports": "Decide Decision",
    "planning.memory.remembering": "Said",
    "planning.services": "NewSession Services",
    "sharing.coordinator": "SessionCoordinator",
    "sharing.shared_context": "SharedContextManager",
}
_PLACES = {name: module for module, names in _MODULES.items() for name in names.split()}

__all__ = sorted(_PLACES)  # noqa: PLE0605  # computed from the one list of where each name is


def __getattr__(name: str) -> object:
    """Import what is first used."""
    from importlib import import_module

    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
