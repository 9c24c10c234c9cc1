"""What each role is asked at a point of a session."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from msgspec.structs import replace

from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.handout import content_of, page_to_verify, reference_lines
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.asking.concerned import around, changed_items, first_steps, in_plan, moved, named_in, times
from workbench.domain.loop.asking.last_round import last_said
from workbench.domain.loop.asking.statement_reading import goal_as_replaced, statements_for_role
from workbench.domain.loop.asking.tasks import (
    MODEL,
    ChatTask,
    ExecuteTask,
    Finding,
    GenerateTask,
    LoopTask,
    PlanTask,
    ProposeTask,
    Said,
    VerifyTask,
    WorkTask,
)
from workbench.domain.loop.asking.tool_calls import offered
from workbench.domain.loop.plan_findings import changed_for, checked, judged_in, planner_findings
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.telling.plan_told import plan_told
from workbench.domain.plan.telling.schedule_told import change_lines, schedule_told
from workbench.domain.session.state import CHAT, WORK, Asking, Current, HistoryItem, PlanVersion, SessionState, Worker


def task_named(state: SessionState, name: str) -> LoopTask:
    """Return what a role is asked at this point of the session.

    Raises ModelReplyInvalid if the state has nothing to ask it about (a call without its plan, in a file from
    somebody else).
    """
    task = _task_named(state, name)
    tools = offered(state, name)
    return replace(task, tools=tools) if tools else task


def _task_named(state: SessionState, name: str) -> LoopTask:
    goal, today, plan, current = state.goal, state.today, state.plan, state.current
    without_model = plans_without_model(state)
    if name == "propose":
        return ProposeTask(
            goal=goal,
            today=today,
            answers=tuple(state.answers),
            feedback=state.feedback,
            previous=state.approaches,
            may_ask=not state.asked,
            begin=state.begin if without_model else None,
        )
    if name == "plan" and (current is not None or plan is not None):
        return _plan_task(state, current)
    if name == "verify" and plan is not None and state.ending:
        return VerifyTask(
            goal=goal,
            today=today,
            plan=plan,
            page=page_to_verify(state, plan),
            statements=statements_for_role(state, plan),
            known=checked(state, plan),
            earlier=tuple(judged_in(state)),
        )
    if name == "verify" and plan is not None:
        return VerifyTask(
            goal=goal,
            today=today,
            plan=plan,
            approach=state.approach if without_model else None,
            **({} if without_model else _what_to_verify(state, plan)),
            answers=tuple(state.answers) if without_model else (),
            constraints=state.constraints if without_model else (),
            feedback=state.feedback if without_model else (),
            known=checked(state, plan),
            earlier=tuple(judged_in(state)),
        )
    if name == "execute" and plan is not None:
        last = last_said(state, plan, "actions")
        changed = tuple(step.id for step in plan.steps if last is not None and step.id in last.changed)
        return ExecuteTask(
            goal=goal,
            today=today,
            plan=plan,
            statements=() if without_model else goal_as_replaced(state, plan),
            findings=state.findings if without_model else (),
            only=() if without_model else changed or first_steps(plan),
            changed=changed,
        )
    if name == "generate" and plan is not None:
        last = last_said(state, plan, "deliverable")
        changed = last.changed if last is not None else ()
        judged = judged_in(state)  # the program tells what it calculated
        renewed = {*changed, *named_in(judged)} if last is not None else ()
        only = () if without_model else in_plan(plan, renewed)
        shown, changes = (None, ()) if without_model or only else _earlier_version(state)
        made = current or next(reversed(state.iterations), None)
        document = last.result.deliverable if last is not None else ""
        return GenerateTask(
            goal=goal,
            today=today,
            plan=plan,
            statements=() if without_model else _for_the_page(state, plan, renews=bool(only)),
            schedule="" if without_model or only else schedule_told(plan, shown),
            actions=made.actions if made is not None else (),
            findings=state.findings,
            document=document,
            only=only,
            shown=shown,
            changes=changes,
            changed=changed,
            references="" if without_model else reference_lines(content_of(state, plan), document),
        )
    raise ModelReplyInvalid(f"There is nothing to {name!r} at this point.", "Resume the session to ask again.")


def _for_the_page(state: SessionState, plan: Plan, *, renews: bool) -> tuple[Said, ...]:
    """Return what a page has to speak of: the goal as it holds now, if it is new, and what was answered."""
    goal = () if renews else goal_as_replaced(state, plan)
    known = {one.id for one in goal}
    answered = (one for one in statements_for_role(state, plan) if one.state == "answered" and one.note)
    return (*goal, *(one for one in answered if one.id not in known))


def shown_version(state: SessionState) -> PlanVersion | None:
    """Return the version of the plan that prompts show: the same one in a few rounds, and in what follows the last.

    So prompts begin alike, and tell beside it what is different now. Where that is much, it is shown as it is now.
    """
    newest = state.versions[-1] if state.versions else None
    if newest is None or plans_without_model(state):
        return newest
    number = state.current.number if state.current is not None else len(state.iterations)
    block = number - (number - 1) % _SHOWN_ANEW
    before = [version for version in state.versions if version.iteration < block]
    base = before[-1] if before else state.versions[0]
    told = sum(map(len, change_lines(base.plan, newest.plan)))
    return base if told < _MOST_TOLD * len(plan_told(newest.plan)) else newest


_SHOWN_ANEW = 3
"""Rounds after which the plan is shown as it is then."""
_MOST_TOLD = 0.15
"""Share of a plan's length up to which changes are told beside an earlier version of it."""


def _earlier_version(state: SessionState) -> tuple[Plan | None, tuple[str, ...]]:
    """Return the earlier version that a prompt shows, and what is different now; (None, ()) for the plan as it is."""
    version, plan = shown_version(state), state.plan
    if version is None or plan is None or version.plan is plan:
        return None, ()
    return version.plan, tuple(change_lines(version.plan, plan))


def _what_to_verify(state: SessionState, plan: Plan) -> dict[str, Any]:
    """Return what a verifier is shown: the plan; the second time in a round what changed, and what that concerns."""
    current = state.current
    looked_at = current.looked_at if current is not None and current.looks else None
    seen = next((one.plan for one in state.versions if one.version == looked_at), None)
    if seen is None:
        shown, changes = _earlier_version(state)
        statements = statements_for_role(state, plan)
        return {"schedule": schedule_told(plan, shown), "shown": shown, "changes": changes, "statements": statements}
    changes = tuple(change_lines(seen, plan, beside=True))
    only = in_plan(plan, changed_items(seen, plan))
    statements = _concerning(statements_for_role(state, plan), only)
    near = tuple(one for one in around(plan, moved(seen, plan)) if one not in only)  # what changed is shown whole
    told = {"only": only, "near": near, "changes": changes, "statements": statements}
    made = [change for version in state.versions if version.version > (looked_at or 0) for change in version.changes]
    told["done_for"] = tuple(changed_for(one, made) for one in judged_in(state))
    return {"schedule": schedule_told(plan, seen), **told}


def _plan_task(state: SessionState, current: Current | None) -> PlanTask:
    if current is not None and plans_without_model(state):
        return _task_without_model(state, current)
    return _task_by_item(state, current)


def _task_by_item(state: SessionState, current: Current | None) -> PlanTask:
    """Return what the planner is asked in a round; outside of one, to mend what was found in the page.

    Who mends is shown what the findings are about, what it asked for, and what hangs together with that.
    """
    plan, findings = state.plan, planner_findings(state)
    mends = current is None or (current.passes > 0 and not state.unheard)
    only = in_plan(plan, {*named_in(findings), *state.items_wanted}) if plan is not None and mends else ()
    shown, changes = (None, ()) if only else _earlier_version(state)
    statements = statements_for_role(state, plan)
    calculated = [finding for finding in findings if finding.rule != MODEL]
    in_conflict = {one.item for one in calculated if one.item and one.severity == "major"} if only else set()
    asked_for = {*named_in(one for one in findings if one.rule == MODEL), *state.items_wanted}
    return PlanTask(
        goal=state.goal,
        today=state.today,
        iteration=current.number if current is not None else len(state.iterations),
        approach=state.approach if plan is None else None,
        proposal=state.proposal if plan is None else "",
        answers=tuple(answer for answer in state.answers if not answer.answer) if plan is None else (),
        assumptions=state.assumptions if plan is None else (),
        findings=findings,
        guidance=_guidance(state, current) if current is not None and not mends else (),
        plan=plan,
        by_item=True,
        statements=_to_account_for(statements, findings) if only else statements,
        schedule=schedule_told(plan, _before(state) if only else shown, prose=not only) if plan is not None else "",
        mends=mends,
        only=only,
        near=_in_brief(plan, calculated, in_conflict, asked_for) if plan is not None and only else (),
        shown=shown,
        changes=changes,
    )


def _in_brief(
    plan: Plan, calculated: Iterable[Finding], in_conflict: Collection[str], asked_for: Collection[str]
) -> tuple[str, ...]:
    """Return the items that who mends is shown in brief: fields are enough for what is calculated from fields."""
    beside = (*around(plan, in_conflict), *times(plan, in_conflict)) if in_conflict else ()
    return in_plan(plan, {*beside, *named_in(calculated)}.difference(asked_for))


_TO_DO = ("open", "partly")
"""States of statements that something is left to do for."""


def _concerning(statements: tuple[Said, ...], only: Collection[str]) -> tuple[Said, ...]:
    """Return the statements that something is left to do for, or that items in question act on."""
    return tuple(one for one in statements if one.state in _TO_DO or not set(one.items).isdisjoint(only))


def _to_account_for(statements: tuple[Said, ...], findings: Iterable[Finding]) -> tuple[Said, ...]:
    """Return what who mends accounts for: what is left to do, and answers that speak of what is in question."""
    named = named_in(findings)
    return tuple(
        one
        for one in statements
        if one.state in _TO_DO or (one.state == "answered" and (one.id in named or not named.isdisjoint(one.items)))
    )


def _before(state: SessionState) -> Plan | None:
    """Return the version before the newest, against which a planner that mends sees what moved."""
    return state.versions[-2].plan if len(state.versions) > 1 else None


def _guidance(state: SessionState, current: Current) -> tuple[str, ...]:
    """Return what earlier rounds learned, unless the person said otherwise since: it may rest on what was replaced."""
    return current.guidance.items if current.guidance and not _is_stale(state) else ()


def _is_stale(state: SessionState) -> bool:
    return any(account.replaced for account in state.accounts)


def _constraints(state: SessionState) -> tuple[str, ...]:
    """Return what must hold, for who is told no statements; once words were replaced, the plan says what holds."""
    return () if _is_stale(state) else state.constraints


def _task_without_model(state: SessionState, current: Current) -> PlanTask:
    return PlanTask(
        goal=state.goal,
        today=state.today,
        iteration=current.number,
        approach=state.approach,
        proposal=state.proposal,
        source=state.proposal_source.removeprefix("-"),
        feedback=state.open_feedback,
        plan=state.plan,
        begin=state.begin if state.plan is None else None,
    )


def chat_task(state: SessionState, asking: Asking) -> ChatTask:
    """Return the message that an agent is to answer, with what it is told. Raises ModelReplyInvalid."""
    agent = state.agent(asking.agent)
    asked = next((message for message in reversed(state.history) if message.id == asking.message), None)
    if agent is None or asked is None:
        raise ModelReplyInvalid("Nobody can answer that message.", "Add the agent again, and ask once more.")
    return ChatTask(
        goal=state.goal,
        today=state.today,
        agent=agent.name,
        instructions=agent.instructions,
        message=asked.text,
        constraints=_constraints(state),
        plan=state.plan,
        insights=() if _is_stale(state) else state.insights,
        tools=offered(state, CHAT),
    )


def work_task(state: SessionState, worker: Worker, agent: Agent) -> WorkTask:
    """Return the part of an agent's work that a worker does."""
    return WorkTask(
        goal=state.goal,
        today=state.today,
        agent=agent.name,
        instructions=agent.instructions,
        work=worker.work,
        constraints=_constraints(state),
        plan=state.plan,
        tools=offered(state, WORK, worker=True),
    )


def refused_reply(state: SessionState) -> HistoryItem | None:
    """Return the reply that is to be repaired."""
    return next((one for one in reversed(state.history) if one.id == state.refused), None) if state.refused else None
