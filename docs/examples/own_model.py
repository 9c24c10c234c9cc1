"""Plan with a model and a policy of your own: here the one that plans by templates, counted; the policy looks once."""

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


async def one_draft(state: SessionState, gate: Gate) -> Decision | None:
    if state.iterations:
        return None  # nobody answers: the session waits
    answer = approve_all(gate)
    return None if answer is None else Decision(answer, "policy")


with Workspace.open(".") as workspace:
    model = Counted(open_model("guided"))
    manager = workspace.start("Move our billing to the new provider by 1 May 2030", model=model)
    state = asyncio.run(manager.run(one_draft))
    print(state.status, len(state.iterations), model.requests > 4)
