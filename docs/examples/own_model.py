"""Plan with a model and a policy of your own: here the guided planner, counted, and a person who accepts two drafts."""

import asyncio
from collections.abc import AsyncIterator

from workbench import Decision, Gate, LanguageModel, Part, Request, SessionState, Workspace, approve_all, open_model


class Counted:
    """Passes requests on to another model."""

    def __init__(self, model: LanguageModel) -> None:
        self.name, self.window, self.requests = model.name, model.window, 0
        self._model = model

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        self.requests += 1
        async for part in self._model.stream(request):
            yield part


async def two_drafts(state: SessionState, gate: Gate) -> Decision | None:
    if len(state.iterations) >= 2:
        return None  # nobody answers: the session waits
    answer = approve_all(gate)
    return None if answer is None else Decision(answer, "policy")


with Workspace.open(".") as workspace:
    model = Counted(open_model("guided"))
    manager = workspace.start("Move our billing to the new provider by 1 May 2030", model=model)
    state = asyncio.run(manager.run(two_drafts))
    print(state.status, len(state.iterations), model.requests > 6)
