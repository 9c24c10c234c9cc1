"""A server that cuts prompts without a word: asked about where its own counts show it, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from msgspec.structs import replace
from tests.builders import CHOOSE, Script, again, answering, begin, bodies_of, events_of, log_of
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.session import events as say
from workbench.models.embeddings import HashedWords
from workbench.models.ports import Part, Request, Usage
from workbench.models.scripted import CallableModel
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.remembering import Said, remember
from workbench.planning.policies import nobody
from workbench.replay.verification import verify

AGAIN, KEEP, STOP = (Answer(kind=kind) for kind in ("again", "keep", "stop"))
NOTE = "Note {0}: we decided that part {0} costs {0} euros, whatever anybody says about it, and is done by Friday."


class Counting(CallableModel):
    """Counts prompts in its own way, and says of itself how long they may be."""

    def __init__(self, script: Script, count: Callable[[int], int], server_window: int = 0) -> None:
        super().__init__(script, name="counting", window=131_072)
        self._count = count
        self._server_window = server_window

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        async for part in super().stream(request):
            yield self._counted(part) if isinstance(part, Usage) else part

    def _counted(self, usage: Usage) -> Usage:
        tokens = self._count(usage.input_tokens)
        return replace(usage, input_tokens=tokens, estimated=False, server_window=self._server_window)


def cut(tokens: int) -> int:
    return min(tokens, 600)


async def talkative(count: Callable[[int], int], script: Script, server_window: int = 0) -> IterationManager:
    """Begin a session whose second prompt is much longer than its first, and choose an approach."""
    manager = begin(model=Counting(script, count, server_window), max_iterations=1)
    await manager.run(nobody)
    list(remember(manager._session, [Said(NOTE.format(number)) for number in range(80)]))
    await manager.run(answering(CHOOSE))
    return manager


async def test_a_count_that_stands_still_while_prompts_grow_is_asked_about() -> None:
    script = Script()
    manager = await talkative(cut, script)
    state = manager.state
    assert (state.status, state.gate.kind, script.asked) == ("waiting", "failure", ["propose", "plan"])
    assert [choice.kind for choice in state.gate.choices] == ["keep", "again", "stop"]
    short, long = (body.estimated_tokens for body in bodies_of(manager, say.CallStarted))
    assert 600 < short < long / 1.25
    assert f"has read 600 tokens of a prompt of about {long:,}: it cuts what is too long" in state.gate.question
    assert 'Set window = 600 under [models."counting"]' in state.gate.question


async def test_an_answer_that_is_kept_is_used_and_nothing_is_asked_again() -> None:
    script = Script()
    manager = await talkative(cut, script)
    state = await manager.run(answering(KEEP))
    assert (state.gate.kind, script.asked) == ("checkpoint", ["propose", "plan", "verify"])
    assert verify(events_of(manager), lambda _name: [HashedWords()]).difference is None


async def test_asked_again_with_a_smaller_window_the_prompt_fits() -> None:
    manager = await talkative(cut, Script())
    script = Script()
    smaller = CallableModel(script, name="counting", window=4_100)
    later = again(log_of(manager), manager.session_id, model=smaller)
    await later.answer(later.state.gate, AGAIN)
    gate = (await later.run(nobody)).gate
    assert gate.kind == "checkpoint", gate
    first, second = (body for body in bodies_of(later, say.CallStarted) if body.task == "plan")
    assert first.estimated_tokens > 4_100 >= second.estimated_tokens


async def test_a_count_that_is_the_window_of_the_server_itself_is_asked_about_at_once() -> None:
    script = Script()
    manager = begin(model=Counting(script, lambda _tokens: 700, server_window=700))
    state = await manager.run(nobody)
    assert (state.gate.kind, script.asked) == ("failure", ["propose"])
    assert "has read 700 tokens of a prompt" in state.gate.question
    [finished] = bodies_of(manager, say.CallFinished)
    assert finished.server_window == 700
