"""What each role is asked at a point of a session."""

from __future__ import annotations

from msgspec.structs import replace

from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.handout import content_of, page_to_verify, references_told
from workbench.domain.loop.agents import Agent
from workbench.domain.loop.last_round import last_said
from workbench.domain.loop.plan_findings import checked, planner_findings
from workbench.domain.loop.statement_reading import goal_as_replaced, told_statements
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.loop.tasks import (
    MODEL,
    Action,
    ChatTask,
    ExecuteTask,
    GenerateTask,
    LoopTask,
    PlanTask,
    ProposeTask,
    VerifyTask,
    WorkTask,
)
from workbench.domain.loop.tool_calls import offered
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Plan
from workbench.domain.plan.schedule_told import changes_told, schedule_told
from workbench.domain.session.state import CHAT, WORK, Asking, Current, HistoryItem, PlanVersion, SessionState, Worker


def task_named(state: SessionState, name: str) -> LoopTask:
    """Return what a role is asked at this point of the session.

    Raises ModelReplyInvalid where the state has nothing to ask it about (a call without its plan, in a file from
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
            statements=told_statements(state, plan),
            known=checked(state, plan),
            earlier=tuple(finding for finding in state.findings if finding.rule == MODEL),
        )
    if name == "verify" and plan is not None:
        return VerifyTask(
            goal=goal,
            today=today,
            plan=plan,
            approach=state.approach if without_model else None,
            statements=() if without_model else told_statements(state, plan),
            schedule="" if without_model else schedule_told(plan, whole=True),
            shown=None if without_model else _shown(state)[0],
            changes=() if without_model else _shown(state)[1],
            answers=tuple(state.answers) if without_model else (),
            constraints=state.constraints if without_model else (),
            feedback=state.feedback if without_model else (),
            known=checked(state, plan),
            earlier=tuple(finding for finding in state.findings if finding.rule == MODEL),
        )
    if name == "execute" and plan is not None:
        last = last_said(state, plan, "actions")
        changed = tuple(step.id for step in plan.steps if last is not None and step.id in last.changed)
        told = "" if without_model else schedule_told(plan, whole=False)
        return ExecuteTask(
            goal=goal,
            today=today,
            plan=plan,
            statements=() if without_model else goal_as_replaced(state, plan),
            schedule=told,
            findings=state.findings,
            changed=changed,
        )
    if name == "generate" and plan is not None:
        last = last_said(state, plan, "deliverable")
        return GenerateTask(
            goal=goal,
            today=today,
            plan=plan,
            statements=() if without_model else goal_as_replaced(state, plan),
            schedule="" if without_model else schedule_told(plan, whole=False),
            actions=current.actions if current is not None else _last_actions(state),
            findings=state.findings,
            document=last.result.deliverable if last is not None else "",
            changed=last.changed if last is not None else (),
            references="" if without_model else references_told(content_of(state, plan)),
        )
    raise ModelReplyInvalid(f"There is nothing to {name!r} at this point.", "Resume the session to ask again.")


def _last_actions(state: SessionState) -> tuple[Action, ...]:
    return state.iterations[-1].actions if state.iterations else ()


def shown_version(state: SessionState) -> PlanVersion | None:
    """Return the version of the plan that prompts of this round show: the one that it began with, else its first.

    So a round's prompts begin alike, and tell beside it what is different now. Where that is much, the plan is shown
    as it is now.
    """
    current, newest = state.current, state.versions[-1] if state.versions else None
    if newest is None or current is None or plans_without_model(state):
        return newest
    begun_with = [one for one in state.versions if one.plan is current.plan_before]
    firsts = begun_with or [one for one in state.versions if one.version == current.first] or [newest]
    base = firsts[0]
    told = sum(map(len, changes_told(base.plan, newest.plan)))
    return base if told < _MOST_TOLD * len(to_markdown(newest.plan)) else newest


_MOST_TOLD = 0.4
"""Share of a plan's length up to which changes are told beside an earlier version of it."""


def _shown(state: SessionState) -> tuple[Plan | None, tuple[str, ...]]:
    """Return the earlier version that a prompt shows, and what is different now; (None, ()) for the plan as it is."""
    version, plan = shown_version(state), state.plan
    if version is None or plan is None or version.plan is plan:
        return None, ()
    return version.plan, tuple(changes_told(version.plan, plan))


def _plan_task(state: SessionState, current: Current | None) -> PlanTask:
    if current is not None and plans_without_model(state):
        return _task_without_model(state, current)
    return _task_by_item(state, current)


def _task_by_item(state: SessionState, current: Current | None) -> PlanTask:
    """Return what the planner is asked in a round; outside of one, to mend what was found in the page."""
    plan = state.plan
    shown, changes = _shown(state)
    return PlanTask(
        goal=state.goal,
        today=state.today,
        iteration=current.number if current is not None else len(state.iterations),
        approach=state.approach if plan is None else None,
        proposal=state.proposal if plan is None else "",
        answers=tuple(one for one in state.answers if not one.answer),  # the others are statements
        assumptions=state.assumptions if plan is None else (),
        findings=planner_findings(state),
        guidance=(*_guidance(state, current), *current.insights) if current is not None else (),
        plan=plan,
        by_item=True,
        statements=told_statements(state, plan),
        schedule=schedule_told(plan, whole=False) if plan is not None else "",
        mends=current is None or current.passes > 0,
        shown=shown,
        changes=changes,
    )


def _guidance(state: SessionState, current: Current) -> tuple[str, ...]:
    """Return what earlier rounds learned, unless the person said otherwise since: it may rest on what was replaced."""
    is_stale = any(one.replaced for one in state.accounts)
    return current.guidance.items if current.guidance and not is_stale else ()


def _task_without_model(state: SessionState, current: Current) -> PlanTask:
    return PlanTask(
        goal=state.goal,
        today=state.today,
        iteration=current.number,
        approach=state.approach,
        proposal=state.proposal,
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
        constraints=state.constraints,
        plan=state.plan,
        insights=state.insights,
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
        constraints=state.constraints,
        plan=state.plan,
        tools=offered(state, WORK, worker=True),
    )


def refused_reply(state: SessionState) -> HistoryItem | None:
    """Return the reply that is to be repaired."""
    return next((one for one in reversed(state.history) if one.id == state.refused), None) if state.refused else None
