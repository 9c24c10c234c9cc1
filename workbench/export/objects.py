"""A session as one JSON object, for programs. Keys that are here stay; more may come."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from workbench.domain.loop.deciding.convergence import progress, why_stopped
from workbench.domain.loop.deciding.offers import offers_of
from workbench.domain.plan.figures import Figures
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.plan.plan import Section
from workbench.domain.session.session import SessionState
from workbench.domain.session.state import PlanVersion
from workbench.export.figures import figures_of
from workbench.export.markdown import plan_version
from workbench.export.statements import statement_objects


class PlanObject(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a session's plan, with everything that is calculated from it."""

    schema: Literal["workbench.plan/1"] = "workbench.plan/1"
    session: str
    version: int
    title: str
    markdown: str
    sections: tuple[Section, ...]
    figures: Figures


def plan_object(state: SessionState, chosen: PlanVersion) -> dict[str, Any]:
    """Return a version of the plan as JSON values; docs/json/workbench.plan-1.json is their schema."""
    plan = chosen.plan
    told: dict[str, Any] = msgspec.to_builtins(
        PlanObject(
            session=state.session,
            version=chosen.version,
            title=plan.title,
            markdown=to_markdown(plan),
            sections=plan.sections,
            figures=figures_of(state, plan),
        )
    )
    return told


def session_object(state: SessionState, version: int | None = None) -> dict[str, Any]:
    """Return everything a session came to, as JSON values. Raises NotFound for a version that does not exist."""
    chosen = plan_version(state, version)
    return {
        "schema": "workbench.session/1",
        "session": state.session,
        "name": state.name,
        "goal": state.goal,
        "status": state.status,
        "created": state.created,
        "updated": state.updated,
        "person": state.person,
        "model": state.options.model,
        "rules": list(state.rules),
        "events": state.seq,
        "gate": msgspec.to_builtins(state.gate),
        "approaches": msgspec.to_builtins(state.approaches),
        "approach": msgspec.to_builtins(state.approach),
        "answers": msgspec.to_builtins(tuple(state.answers)),
        "feedback": msgspec.to_builtins(state.feedback),
        "statements": msgspec.to_builtins(statement_objects(state.accounts)),
        "handled": msgspec.to_builtins(state.handled),
        "plan": None if chosen is None else plan_object(state, chosen),
        "versions": [
            {"version": one.version, "by": one.by, "iteration": one.iteration, "change": one.change, "time": one.time}
            for one in state.versions
        ],
        "saved_version": state.saved_version,
        "iterations": [
            {
                "number": result.iteration_num,
                "change": result.change,
                "insights": list(result.key_insights),
                "findings": msgspec.to_builtins(result.verification),
                "actions": msgspec.to_builtins(result.actions),
                "plan_version": result.plan_version,
                "open_statements": one.open_statements,
                "steps": one.steps,
                "steps_with_source": one.sourced,
            }
            for one, result in zip(progress(state), state.iterations, strict=True)
        ],
        "stopped_because": why_stopped(state),
        "deliverable": state.iterations[-1].deliverable if state.iterations else "",
        "findings": msgspec.to_builtins(state.findings),
        "repairs": [
            {
                "number": offer.number,
                "rule": offer.repair.finding.rule,
                "text": offer.repair.label,
                "consequence": offer.consequence,
            }
            for offer in offers_of(state)
        ],
        "files": [{"id": f"file:{one.id}", "time": one.time, **msgspec.to_builtins(one.read)} for one in state.files],
        "research": [msgspec.to_builtins(one) for one in state.researched],
        "entities": [{"name": entity.name, "content": entity.content} for entity in state.entities],
        "tokens": state.spent.tokens,
        "tokens_by": dict(state.tokens_by),
        "cost": state.spent.cost,
        "rating": msgspec.to_builtins(state.rating),
        "outcome": msgspec.to_builtins(state.outcome),
    }
