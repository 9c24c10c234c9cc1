"""A session as a strong model holds it, recorded at the size of plans that were really made; surgery.json is its words.

propose ─▶ questions, then approaches     plan ─▶ draft · what feedback changes · what findings change
verify ─▶ two major findings a round      execute, generate ─▶ actions, and a page with its tables
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.builders import FixedClock, begin
from workbench.domain.loop.asking.tasks import (
    ExecuteTask,
    Finding,
    GenerateTask,
    PlanTask,
    ProposeTask,
    Task,
    VerifyTask,
)
from workbench.domain.loop.deciding.gates import Answer, Gate
from workbench.domain.session.session import SessionState
from workbench.models.ports import Request
from workbench.models.scripted import CallableModel
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.ports import Decision

RECORDED = json.loads(Path(__file__).with_name("surgery.json").read_text(encoding="utf-8"))
TODAY = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
WINDOW = 131_072


class _Clock(FixedClock):
    def now(self) -> datetime:
        return TODAY


class Strong:
    """What the model answers, and every request that it was sent."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.replies: list[str] = []
        self._rounds = 0
        self._looks = 0
        self._pages = 0

    def __call__(self, request: Request) -> str:
        """Answer a request."""
        self.requests.append(request)
        reply = self._reply(request.task)
        self.replies.append(reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))
        return self.replies[-1]

    def _reply(self, task: Task) -> Any:
        match task:
            case ProposeTask(may_ask=True):
                return {"questions": RECORDED["questions"]}
            case ProposeTask():
                return {"approaches": RECORDED["approaches"], "assumptions": ["The old rooms are ours until 2 April."]}
            case PlanTask():
                return self._planned(task)
            case VerifyTask(page=page) if page:
                return {"findings": RECORDED["page_look"]}
            case VerifyTask():
                self._looks += 1
                looks = "looks" if self._looks == 1 else "second_looks"
                return {"findings": RECORDED[looks][self._rounds]}
            case ExecuteTask():
                actions = RECORDED["actions"]
                return {"actions": [one for one in actions if not task.changed or one["step"] in task.changed]}
            case GenerateTask():
                return RECORDED["page_again" if task.document else "page"]
            case _:
                raise AssertionError(f"nobody answers {task}")

    def _planned(self, task: PlanTask) -> Any:
        open_ones = [one for one in task.statements if one.state == "open"]
        if task.plan is None:
            used = [{"id": one.id, "state": "used", "items": ["new4"]} for one in open_ones]
            return RECORDED["draft"] | {"statements": used}
        said = next((text for text in RECORDED["feedback"] if any(one.text in text for one in open_ones)), None)
        if said is not None:
            self._rounds += 1
            self._looks = 0
            return RECORDED["amendments"][said]
        return _mended(task.findings)


def _mended(findings: tuple[Finding, ...]) -> Any:
    """Return what mends findings: for what is calculated as it is recorded, else another check of the step."""
    steps: dict[str, Any] = {}
    for number, one in enumerate(findings, 1):
        step = one.item or ""
        if one.rule != "model" and step in RECORDED["mends"]:
            steps[step] = RECORDED["mends"][step] | {"because": [f"V{number}"]}
        elif one.rule == "model" and step.startswith("S") and step not in steps:
            check = f"Mira compares it with the list on the day before: {one.remedy or one.text}"
            steps[step] = {"id": step, "check": check, "because": [f"V{number}"]}
    return {"steps": list(steps.values())}


def surgery(model: Strong, **options: Any) -> IterationManager:
    """Return the session before its first step."""
    called = CallableModel(model, name="strong", window=WINDOW)
    options = {"max_iterations": 9, "checkpoint_interval": 1} | options
    return begin(RECORDED["goal"], model=called, clock=_Clock(), **options)


class Person:
    """Who answers the questions, chooses the first approach, says two things, and finishes."""

    def __init__(self) -> None:
        self._said = list(RECORDED["feedback"])
        self._answers = list(RECORDED["answers"])

    async def __call__(self, _state: SessionState, gate: Gate) -> Decision | None:
        """Answer a gate."""
        return Decision(self._answer(gate), "person")

    def _answer(self, gate: Gate) -> Answer:
        if gate.kind == "question":
            text = self._answers.pop(0)
            return Answer(kind="answer", text=text) if text else Answer(kind="skip")
        if gate.kind == "approach":
            return Answer(kind="choose", choice="A1")
        if gate.kind == "removal":
            return Answer(kind="keep")
        if self._said:
            return Answer(kind="feedback", text=self._said.pop(0))
        return Answer(kind="finish")
