"""Planning without a model in tests: who drives a session has chosen a template, as a person would.

manager = begin(model=Offline())     plans with MOVE where the session begins with nothing else
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from msgspec.structs import replace
from workbench.domain.loop.asking.tasks import PlanTask, ProposeTask
from workbench.domain.loop.begin import Begin
from workbench.models.ports import Part, Request
from workbench.templates.catalogue import Catalogue
from workbench.templates.model import TemplateModel

MOVE = Begin(template="move-system:cohorts", keep=tuple(range(1, 16)), commands=("deadline 30 June 2027",))
"""What a person begins with who moves a system in cohorts, and keeps all that the template has."""


class Offline(TemplateModel):
    """Templates, of which one is chosen where a session begins with nothing."""

    def __init__(self, chosen: Begin = MOVE) -> None:
        super().__init__(Catalogue())
        self._chosen = chosen

    def stream(self, request: Request) -> AsyncIterator[Part]:
        """Answer a request as if the person had chosen."""
        task = request.task
        if isinstance(task, ProposeTask | PlanTask) and task.begin is None:
            request = replace(request, task=replace(task, begin=self._chosen))
        return super().stream(request)
