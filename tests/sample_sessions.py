"""Make the sample sessions in ``sessions/`` again by running the product: ``python -m tests.sample_sessions``.

    move-billing-provider-demo     a newcomer opens it first: questions, an approach, feedback, notes, an edit, a rating
    organise-wedding-80-demo       approaches turned down once, then chosen; a question asked of the plan
    write-field-guide-demo         begun from a proposal, interrupted in a call, resumed, paused at a bound, finished
    run-city-trees-demo           one approach of three, approved at once
    run-city-trees-fork           forked from it, with everything a session can have: sample_conference.py

Clock, ids and epochs are fixed, so the same product makes the same bytes. Do it whenever the rules that derive events
change (docs/architecture.md, "Change what is derived").
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from tests.offline import Offline
from tests.sample_conference import conference
from tests.steady_clock import SteadyClock
from workbench.domain.loop.gates import Answer, Gate, Note
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session.events import Bounds
from workbench.domain.session.session import SessionState
from workbench.models.ports import Part, Request
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.ports import Decision
from workbench.planning.services import NewSession, Services
from workbench.planning.session_log import SessionLog
from workbench.storage.files.log import FileLog

FOLDER = Path(__file__).parent.parent / "sessions"
ENDING = "demo"


class Answers:
    """What the person of a sample says, gate after gate."""

    def __init__(self, *answers: Answer | None) -> None:
        self._answers: Iterator[Answer | None] = iter(answers)

    async def __call__(self, state: SessionState, gate: Gate) -> Decision | None:
        if gate.kind == "question":
            return Decision(Answer(kind="skip"), "person")
        answer = next(self._answers)
        if answer is not None and answer.kind == "edit" and state.plan is not None:
            answer = Answer(kind="edit", text=to_markdown(state.plan).replace(*answer.text.split("=>"), 1))
        return None if answer is None else Decision(answer, "person")


class InterruptedModel(Offline):
    """The guided planner, with Ctrl+C pressed in the middle of its first verification."""

    def __init__(self) -> None:
        super().__init__()
        self._is_interrupted = False

    async def stream(self, request: Request) -> AsyncIterator[Part]:
        async for part in super().stream(request):
            yield part
            if request.role == "verifier" and not self._is_interrupted:
                self._is_interrupted = True
                raise asyncio.CancelledError


def say(text: str, *notes: tuple[str, str]) -> Answer:
    return Answer(kind="feedback", text=text, notes=tuple(Note(section=section, text=note) for section, note in notes))


CONTINUE, FINISH = Answer(kind="continue"), Answer(kind="finish")


def begin(goal: str, log: FileLog, clock: SteadyClock, *, iterations: int = 5, checkpoint: int = 1) -> IterationManager:
    return IterationManager(
        goal,
        iterations,
        checkpoint,
        services=Services(log=log, model=Offline(), person="ana", workspace="w-samples", clock=clock, version="sample"),
        new=NewSession(ending=ENDING),
    )


def billing(log: FileLog) -> None:
    manager = begin("Move our billing to the new provider by 30 June without downtime", log, SteadyClock())
    answers = Answers(
        Answer(kind="choose", choice="A1"),
        say("Add a step: tell the auditors in May."),
        say(
            "",
            ("risks", "Add to the risks: customers are charged twice."),
            ("steps", "S9 takes 5 days, the archive is big."),
        ),
        Answer(kind="edit", text="## Goal\n=>## Goal\n\nNot one customer pays twice.\n"),
        CONTINUE,
        FINISH,
    )
    asyncio.run(manager.run(answers))
    manager.capture_user_rating(5, "The cohorts were right.")
    manager.log_outcome("success", "Two weeks early.")


def wedding(log: FileLog) -> None:
    manager = begin("Organise a wedding for 80 guests in Lyon on 12 June 2027, at most 25,000 EUR", log, SteadyClock())
    answers = Answers(
        say("It has to be outdoors, and my sister wants to help."),
        Answer(kind="choose", choice="A1"),
        say("What happens when it rains?"),
        FINISH,
    )
    asyncio.run(manager.run(answers))
    manager.capture_user_rating(4)


PROPOSAL = """\
# A field guide to the birds of our valley

1. Agree with the nature club on forty species
2. Collect photographs and sound recordings
3. Write one page for each species
4. Have two ornithologists check every page
5. Print three hundred copies
"""


def field_guide(log: FileLog) -> None:
    clock = SteadyClock()
    manager = begin("Write a field guide to the birds of our valley by 1 March 2028", log, clock, checkpoint=2)
    manager.initialize_from_proposal(PROPOSAL, source="field-guide.md")
    session = SessionLog(log, manager.session_id, person="ana", clock=clock)
    interrupted = IterationManager(session, services=Services(log=log, model=InterruptedModel(), clock=clock))
    try:
        asyncio.run(interrupted.run(Answers()))
    except asyncio.CancelledError:
        asyncio.run(interrupted.stop("interrupted by you"))
    asyncio.run(manager.resume())
    asyncio.run(manager.set_bounds(Bounds(max_tokens=30_000)))
    asyncio.run(manager.run(Answers(CONTINUE, FINISH, FINISH)))


def make(folder: Path) -> None:
    """Write the sample sessions into a folder."""
    log = FileLog(folder, new_epoch=lambda: "sample", durable=False)
    for sample in (billing, wedding, field_guide):
        sample(log)
    with tempfile.TemporaryDirectory() as cache:
        conference(log, Path(cache))


if __name__ == "__main__":
    for old in FOLDER.glob("*.jsonl"):
        old.unlink()
    FOLDER.mkdir(exist_ok=True)
    make(FOLDER)
    sys.stdout.write("".join(f"{path.name}\n" for path in sorted(FOLDER.glob("*.jsonl"))))
