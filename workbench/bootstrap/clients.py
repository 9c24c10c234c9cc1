"""Another program in a workspace: an agent that a person has open, with a name, a life and what the person allowed it.

    Client.plan · report · claim … ─▶ allowed? ─▶ one call that the command line has, too
                                                └─ no ─▶ NotAllowed, with the command that a person has to type

What it is allowed is kept in the person's own folder, with the consents. It takes part in what sessions share under an
id of its own, and sees of a session what people said and its plan, of nobody's replies. No session that is private.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property, lru_cache
from itertools import islice
from time import monotonic, sleep
from typing import Any, Literal, get_args

import msgspec

from workbench.bootstrap import Workspace
from workbench.bootstrap.listing import list_plans
from workbench.bootstrap.plan_files import PlanFiles
from workbench.bootstrap.session import Session
from workbench.domain.errors import InvalidId, LogError, NotFound, SettingsError, UsageError, WorkbenchError
from workbench.domain.log.ids import AgentId, SessionId, agent_id
from workbench.domain.loop.agents import ROLES
from workbench.domain.plan.due import due_of, startable
from workbench.domain.plan.plan import Plan, Step
from workbench.domain.plan.telling.plan_told import plan_told
from workbench.domain.session.standing import OpenPlan, open_plan
from workbench.domain.session.state import SessionState
from workbench.domain.shared.context import ContextEvent
from workbench.domain.shared.input import clean_key
from workbench.domain.text.cleaning import clean, clean_name
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.trust import Consent, digest_of
from workbench.planning.beside_the_loop.offering import check_report
from workbench.sharing.coordinator import SessionCoordinator
from workbench.sharing.following import Callback
from workbench.sharing.shared_context import SharedContextManager

Json = dict[str, Any] | list[Any] | str | int | float | bool | None
Permission = Literal["read", "offer", "report"]
"""read: plans, what is due, what sessions share and remember. offer: changes and words for a person to decide about,
claims, new sessions, values that sessions share. report: how steps stand, at once."""
PERMISSIONS: tuple[Permission, ...] = get_args(Permission)
MOST_BEGUN = 5
"""Sessions of a client that may wait for a person at a time."""
MOST_KEYS, MOST_CLAIMS = 100, 50
"""Keys that the clients of one name may share, and claims that they may hold."""
MOST_OF_A_VALUE, MOST_OF_VALUES = 16_000, 2_000_000
"""Characters of JSON of a value that a client shares, and of all that it shares while it is connected."""
MOST_RETURNED = 60_000
"""Characters of one answer."""
_BURST, _EACH_SECOND = 200, 20
_COSTS: dict[Permission, float] = {"read": 0.5, "offer": 1, "report": 4}
"""What a client may spend at once, and then in a second; and what its calls cost."""
_TAKEN = frozenset({"you", "person", "user", "workbench", "assistant", "system", *ROLES})
_STEP = lazy_pattern(r"[A-Z]{1,3}\d{1,4}[A-Za-z]?")
_MOST_FOUND, _MOST_LOGGED = 20, 200
_KEPT_OPEN = 8
"""Sessions of which only what is new is read at the next call, however much was reported."""


def allow(workspace: Workspace, name: str, permissions: Sequence[str], session: str = "") -> None:
    """Let a client do things, in one session or (``session`` "") in all that are not private. Raises UsageError."""
    if session and permissions and workspace.session(session).state().private:
        raise UsageError(f"{session} is private: no program is shown it.", "Name another session.")
    for consent in _consents(workspace, name, permissions, session):
        workspace.parts.consents.give(consent)


def deny(workspace: Workspace, name: str, permissions: Sequence[str], session: str = "") -> None:
    """Take back what ``allow`` allowed. Raises UsageError."""
    for consent in _consents(workspace, name, permissions, session):
        workspace.parts.consents.withdraw(consent)


def allowed(workspace: Workspace) -> list[tuple[str, str, Permission]]:
    """Return what clients are allowed: name, session or "" for all, permission."""
    digests = {digest_of("client", one): one for one in PERMISSIONS}
    kept = (one for one in workspace.accepted().consents if one.kind == "client" and one.digest in digests)
    return sorted((one.subject, one.session, digests[one.digest]) for one in kept)


def _consents(workspace: Workspace, name: str, permissions: Sequence[str], session: str) -> list[Consent]:
    unknown = [one for one in permissions if one not in PERMISSIONS]
    if unknown:
        raise UsageError(f"There is no permission {unknown[0][:20]!r}.", f"Name some of: {', '.join(PERMISSIONS)}.")
    where = str(workspace.session(session).id) if session else ""
    return [_consent_to(str(client_name(name)), where, one) for one in permissions]


def _consent_to(client: str, session: str, permission: str) -> Consent:
    return Consent(kind="client", session=session, subject=client, digest=digest_of("client", permission))


def client_name(name: str) -> AgentId:
    """Return the id that a client goes by. Raises InvalidId, and UsageError for a name of somebody else."""
    client = agent_id(clean_name(name, 40))
    if client in _TAKEN:
        raise UsageError(
            f"{client} is a name that the workbench uses itself.", "Give the name of the program, as in claude."
        )
    if client != name:  # rights go by the name: no other spelling of it has them
        raise UsageError(f"{clean_name(name, 40)!r} is not a valid spelling of a name.", f"Did you mean {client}?")
    return client


class NotAllowed(UsageError):
    """A person has not allowed this client to do that."""


class Client:
    """One connected program: what it can call, as it is told; one call at a time. Raises UsageError and its like."""

    def __init__(self, workspace: Workspace, name: str) -> None:
        """Connect under a name; nothing is read or shared before a person allowed it."""
        self.name = str(client_name(name))
        self.id = SessionId(f"{self.name}-{os.urandom(3).hex()}")
        """The session under which it takes part in what sessions share."""
        self._workspace = workspace
        self._session = lru_cache(_KEPT_OPEN)(workspace.session)
        self.plan_files = PlanFiles(workspace)
        """Kept up to date while it is here, whatever it may do itself."""
        self._left, self._since = float(_BURST), monotonic()
        self._shared_so_far = 0
        self._on_changes: Callback | None = None
        self._wants_part = self._takes_part = False

    # --- life ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _shared(self) -> SharedContextManager:
        return self._workspace.shared(actor=self.name)

    @cached_property
    def _part(self) -> SessionCoordinator:
        return SessionCoordinator(self.id, self._shared, self._workspace.parts.lives)

    def join(self, on_changes: Callback | None = None) -> None:
        """Take part once a person allowed anything: sessions see it, and see it crash should its process die.

        ``on_changes`` is told what sessions share while it may read all of that. Nothing where sharing is off.
        """
        self._on_changes, self._wants_part = on_changes or self._on_changes, True
        with suppress(SettingsError):
            if self._takes_part or not any(name == self.name for name, _, _ in allowed(self._workspace)):
                return
            self._takes_part = True
            self._part.start(self._notify)
            self._part.publish({"goal": f"{self.name}, another program", "phase": "joined"}, works=True)

    def _notify(self, events: Sequence[ContextEvent]) -> None:
        if self._on_changes is not None and self._may("read"):
            self._on_changes(events)

    def leave(self) -> None:
        """Take part no more; what it claimed is free."""
        if "_part" in self.__dict__:
            self._part.withdraw()
            self._part.stop("left")

    def told(self, error: WorkbenchError) -> str:
        """Return an error in a sentence with its remedy, that does not tell where the project is on this machine."""
        project = str(self._workspace.folder.root.parent)
        said = f"{error.message} {error.remedy}".strip()
        return clean(said.replace(f"{project}{os.sep}", "").replace(f" {project}", ""))

    def _may(self, permission: Permission, session: str = "") -> bool:
        consents = (_consent_to(self.name, one, permission) for one in dict.fromkeys(("", session)))
        return any(map(self._workspace.parts.consents.has, consents))

    def _check(self, permission: Permission, session: str = "") -> None:
        """Raise NotAllowed, and UsageError for a client that does too much at once."""
        self._pay(_COSTS[permission])
        if not self._may(permission, session):
            where = f" --session {session}" if session else " --all"
            raise NotAllowed(
                f"Nobody allowed {self.name} to {permission} here.",
                f"A person has to type: workbench mcp allow {self.name} {permission}{where}",
            )
        if self._wants_part:
            with suppress(WorkbenchError):  # whatever befalls what is shared, plans are read
                self.join()

    def _pay(self, cost: float) -> None:
        now = monotonic()
        self._left, self._since = min(_BURST, self._left + (now - self._since) * _EACH_SECOND), now
        if self._left < cost:
            sleep(1 / _EACH_SECOND)  # a flood of refusals leaves the machine to others
            raise UsageError("That is too much at once.", "Try again in a second.")
        self._left -= cost

    def _open(self, session: str, permission: Permission) -> Session:
        """Return a session. Raises NotAllowed; NotFound alike for a private one, a damaged one and none."""
        self._check(permission, session)
        with suppress(InvalidId, NotFound, LogError):
            known = self._session(session)
            if not known.state().private:
                return known
        name = clean_name(session, 60)
        raise NotFound(f"There is no session {name!r} here that can be read.", "Name one that `plans` lists.")

    # --- plans --------------------------------------------------------------------------------------------------------

    def plans(self) -> list[dict[str, str]]:
        """List the plans that you may read: session id, title, where each stands."""
        return [
            {"session": plan.session, "title": clean_name(plan.title, 200), "standing": plan.standing}
            for plan in self._readable()
        ]

    def _readable(self) -> list[OpenPlan]:
        """Return the plans that it may read: only what changed since the last look at them is read again."""
        plans = list_plans(self._workspace.parts).plans
        if self._may("read"):
            return plans
        found = [plan for plan in plans if self._may("read", plan.session)]
        if not found:
            self._check("read")
        return found

    def plan(
        self,
        session: str,
        part: str = "",
        format: Literal["lines", "json"] = "lines",  # noqa: A002 - its name for a program
    ) -> str | dict[str, Any]:
        """Show a plan: a line per item. `part`: a section's id, or a step's id to see it with what it depends on."""
        plan = _plan_of(self._open(session, "read").state())
        if format == "json":
            built: dict[str, Any] = msgspec.to_builtins(plan)
            return built
        if not part:
            return plan_told(plan, today=self._today)
        named = {one.id.lower(): one for one in plan.items}
        sections = {name.lower(): one for one in plan.sections for name in (one.title, one.id)}
        if section := sections.get(part.lower()):
            ids = {item.id for item in section.items}
            return "\n\n".join(filter(None, [section.text.strip(), plan_told(plan, only=ids, today=self._today)]))
        if (item := named.get(part.lower())) is None:
            known = ", ".join(one.id for one in plan.sections)
            raise NotFound(f"There is no part {part[:40]!r} in this plan.", f"Name an item's id, or one of: {known}.")
        near = {item.id, *getattr(item, "needs", ()), *(step.id for step in plan.steps if item.id in step.needs)}
        return plan_told(plan, only=near, today=self._today)

    @property
    def _today(self) -> date:
        return self._workspace.parts.clock.now().astimezone().date()

    def next_steps(self, session: str, who: str = "") -> list[dict[str, str]]:
        """List the steps that can start now or are under way, and who has claimed them. `who`: of one owner only."""
        plan = _plan_of(self._open(session, "read").state())
        claims = {step: "you" if one == self.id else one for step, one in self._claimed_steps(session).items()}
        steps = [step for step in startable(plan) if not who or who.lower() in map(str.lower, step.owners)]
        return [_next(step, claims.get(step.id, "")) for step in steps]

    def _claimed_steps(self, session: str) -> dict[str, str]:
        """Return which steps of a session are claimed, and by which session."""
        with suppress(SettingsError, LogError):
            tasks = {one.name: one.session for one in self._shared.state().leases.values() if one.kind == "task"}
            return {name.rpartition("/")[2]: one for name, one in tasks.items() if name.rpartition("/")[0] == session}
        return {}

    def due(self, session: str = "", days: int = 7) -> list[dict[str, Any]]:
        """List the steps that are late or due within `days`, of one plan or of all that you may read."""
        today = self._today
        plans = [open_plan(self._open(session, "read").state())] if session else self._readable()
        soon = max(0, min(days, 366))
        rows = ((plan.session, row) for plan in plans for row in due_of(plan.steps, today, soon=soon))
        return [{"session": name, **msgspec.to_builtins(row)} for name, row in rows]

    # --- what a person decides about ----------------------------------------------------------------------------------

    def propose_changes(self, session: str, commands: str, reason: str) -> str:
        """Offer changes of a plan as commands, a line each; nothing changes before a person accepts."""
        known = self._open(session, "offer")
        if not reason.strip():
            raise UsageError("An offer needs a reason.", "Say in a sentence why the plan should change.")
        offered = known.offer(self.name, commands, reason=reason).id
        return f"offered as {offered}; a person decides. Ask with `offers`."

    def offers(self, session: str) -> list[dict[str, str]]:
        """List what you offered to a session, and what a person decided about it."""
        state = self._open(session, "offer").state()
        return [
            {"offer": one.id, "commands": one.text, "reason": one.reason, "for version": str(one.version)}
            | {"decided": one.decided or "waits for a person", "note": one.note}
            for one in state.offers
            if one.client == self.name
        ]

    def report(self, session: str, commands: str) -> str:
        """Report how steps stand, a line each: `S1 started`, `S1 50%`, `S1 done`, `S2 takes 3 more days`.

        No other words: tell anything else with `say`. Where nobody allowed you to report, it becomes an offer.
        """
        if self._may("offer", session) and not self._may("report", session):
            check_report(self._open(session, "offer").preview_edit(commands))
            return self.propose_changes(session, commands, "a report")
        known = self._open(session, "report")
        before = known.state().version
        others = {step: one for step, one in self._claimed_steps(session).items() if not self._is_mine(one)}
        version = known.report_by(self.name, commands, others).version
        told = "done: the plan is" if version != before else "done already, nothing changes: the plan is"
        return f"{told} version {version}"

    def say(self, session: str, text: str) -> str:
        """Tell the people of a session something. It is shown as yours, and approves nothing."""
        self._open(session, "offer").said_by(self.name, text)
        return "said"

    def start_session(self, goal: str) -> str:
        """Begin a planning session for a goal, and return its id. It is private, and waits until a person opens it."""
        self._check("offer")
        prefix = f"{self.name} asks: "
        waiting = [one for one in self._workspace.sessions() if one.name.startswith(prefix) and not one.iterations]
        if len(waiting) >= MOST_BEGUN:
            raise UsageError(f"{MOST_BEGUN} sessions of {self.name} wait.", "Ask a person to open or delete one.")
        name = clean_name(f"{prefix}{goal}", 80)
        return str(self._workspace.start(goal, name=name, private=True, reads=False).state.session)

    # --- what sessions share and remember -----------------------------------------------------------------------------

    def recall(self, session: str, query: str) -> list[dict[str, Any]]:
        """Search what people said in one session, and its plans."""
        nobodys = AgentId(self.id)  # no agent of a session has this id, so nobody's replies are seen
        view = self._open(session, "read").memory().for_agent(nobodys)
        found = view.search(query, _MOST_FOUND)
        return [{"id": one.item.id, "role": one.item.role, "text": one.item.text, "why": one.why} for one in found]

    def shared_get(self, key: str = "") -> dict[str, Any]:
        """Read what sessions share: values and versions by key; without `key`, sizes where all would be too much."""
        self._check("read")
        context = self._shared.get_context(self.id)
        keys = [clean_key(key)] if key else list(context.data)
        if key and keys[0] not in context.data:
            raise NotFound(f"Nothing is shared as {key[:80]!r}.", "Leave the key out to get all of them.")
        told = {one: {"value": context.data[one], "version": context.versions[one]} for one in keys}
        if key or len(json.dumps(told, ensure_ascii=False)) <= MOST_RETURNED:
            return told
        sizes = {one: len(json.dumps(context.data[one], ensure_ascii=False)) for one in keys}
        return {one: {"characters": size, "version": context.versions[one]} for one, size in sizes.items()}

    def shared_set(self, key: str, value: Json, base_version: int | None = None) -> dict[str, Any]:
        """Share a value of JSON under a key. Meeting another change, it is merged; the answer says how.

        `base_version`: the version that you change; without it, the one that you read last while connected.
        """
        self._check("offer")
        if (size := len(json.dumps(value))) > MOST_OF_A_VALUE:
            raise UsageError(f"A value has {MOST_OF_A_VALUE:,} characters at most.", "Share it in parts.")
        self._shared_so_far += size
        if self._shared_so_far > MOST_OF_VALUES:
            raise UsageError(f"{self.name} shared {MOST_OF_VALUES:,} characters already.", "Ask a person to go on.")
        mine = [one for one, entry in self._shared.state().entries.items() if self._is_mine(entry.session)]
        if key not in mine and len(mine) >= MOST_KEYS:
            raise UsageError(f"{self.name} shares {MOST_KEYS} keys already.", "Delete one of them first.")
        return self._shared.update_context(self.id, key, value, base_version).as_object()

    def shared_delete(self, key: str, base_version: int | None = None) -> dict[str, Any]:
        """Delete a shared key, unless somebody changed it since `base_version`, or since you read it last."""
        self._check("offer")
        return self._shared.delete(self.id, key, base_version).as_object()

    def shared_log(self, after: int = 0) -> list[dict[str, Any]]:
        """List changes to what sessions share after a number, a page of them; none if there are no more."""
        self._check("read")
        events = islice(self._shared.events(after=max(after, 0)), _MOST_LOGGED)
        told: list[dict[str, Any]] = []
        left = MOST_RETURNED
        for event in events:
            row = {name: one for name, one in event.as_object().items() if one not in (None, [])}
            left -= len(json.dumps(row, ensure_ascii=False)) + 2
            if told and left < 2:
                break
            told.append(row)
        return told

    def claim(self, kind: Literal["task", "file"], name: str) -> dict[str, Any]:
        """Claim a task (`SESSION/S3` for a step) or a file, so that nobody else takes it. Refused if another has."""
        claimed = self._claimed(kind, name)
        if sum(self._is_mine(one.session) for one in self._shared.state().leases.values()) >= MOST_CLAIMS:
            raise UsageError(f"{self.name} has claimed {MOST_CLAIMS} already.", "Release one of them first.")
        self.join()
        return self._shared.claim(self.id, kind, claimed).as_object()

    def release(self, kind: Literal["task", "file"], name: str) -> dict[str, Any]:
        """Give a claim back when you are done with it."""
        return self._shared.release(self.id, kind, self._claimed(kind, name)).as_object()

    def _is_mine(self, session: str) -> bool:
        return session.rpartition("-")[0] == self.name

    def _claimed(self, kind: str, name: str) -> str:
        """Return what a claim names, a step as its plan spells it. Raises UsageError, NotAllowed, NotFound."""
        session, _, given = name.rpartition("/")
        step = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", given))).upper()
        if kind == "task" and _STEP.fullmatch(given) and not session:
            raise UsageError(f"It is not clear which plan {given} belongs to.", f"Name it as SESSION/{given}.")
        if kind == "task" and _STEP.fullmatch(step) and session:
            try:
                return f"{session}/{self._step_of(session, step)}"
            except NotFound:
                if _STEP.fullmatch(given):  # else it is a task in words
                    raise
        self._check("offer")
        return self._workspace.file_to_claim(name) if kind == "file" else name

    def _step_of(self, session: str, step: str) -> str:
        ids = {one.id.upper(): one.id for one in _plan_of(self._open(session, "offer").state()).steps}
        if step not in ids:
            raise NotFound(f"There is no step {step} in this plan.", "Name one that `plan` shows.")
        return ids[step]


def _plan_of(state: SessionState) -> Plan:
    if state.plan is None:
        raise NotFound("This session has no plan yet.", "Ask its person to open it.")
    return state.plan


def _next(step: Step, claimed: str) -> dict[str, str]:
    told = {"step": step.id, "title": step.title, "status": step.status, "owners": ", ".join(step.owners)}
    told |= {"start": step.start or "", "end": step.end or "", "done when": step.check, "claimed by": claimed}
    return {name: value for name, value in told.items() if value}
