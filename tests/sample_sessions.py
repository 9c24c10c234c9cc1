"""Make the sample sessions in ``sessions/`` again by running the product: ``python -m tests.sample_sessions``.

    move-billing-provider-demo     a newcomer opens it first: a template, own steps, commands, an edit, a rating
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
from datetime import date
from pathlib import Path
from typing import Any

from tests.sample_conference import conference
from tests.steady_clock import SteadyClock
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, Gate, Note
from workbench.domain.plan.markdown import to_markdown
from workbench.domain.session.events import Bounds
from workbench.domain.session.session import SessionState
from workbench.models.ports import Part, Request
from workbench.planning.beside_the_loop.commanding import worked_out
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.ports import Decision
from workbench.planning.services import NewSession, Services
from workbench.planning.session_log import SessionLog
from workbench.storage.files.log import FileLog
from workbench.templates.model import TemplateModel

FOLDER = Path(__file__).parent.parent / "sessions"
ENDING = "demo"


class Answers:
    """What the person of a sample says, gate after gate; a text is commands."""

    def __init__(self, *answers: Answer | str | None) -> None:
        self._answers: Iterator[Answer | str | None] = iter(answers)

    async def __call__(self, state: SessionState, _gate: Gate) -> Decision | None:
        answer = next(self._answers)
        if isinstance(answer, str):
            commanded = worked_out(state, answer, date.fromisoformat(state.today))
            answer = Answer(kind="change", changes=commanded.changes)
        if answer is not None and answer.kind == "edit" and state.plan is not None:
            answer = Answer(kind="edit", text=to_markdown(state.plan).replace(*answer.text.split("=>"), 1))
        return None if answer is None else Decision(answer, "person")


class InterruptedModel(TemplateModel):
    """The planner without a model, with Ctrl+C pressed in the middle of its first verification."""

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


def chosen(approach: str, **begin: Any) -> Answer:
    return Answer(kind="choose", choice=approach, begin=Begin(**begin))


CONTINUE, FINISH = Answer(kind="continue"), Answer(kind="finish")


def begin(goal: str, log: FileLog, clock: SteadyClock, *, iterations: int = 5, checkpoint: int = 1) -> IterationManager:
    return IterationManager(
        goal,
        iterations,
        checkpoint,
        services=Services(
            log=log, model=TemplateModel(), person="ana", workspace="w-samples", clock=clock, version="sample"
        ),
        new=NewSession(ending=ENDING),
    )


def billing(log: FileLog) -> None:
    manager = begin("Move our billing to the new provider by 30 June without downtime", log, SteadyClock())
    answers = Answers(
        chosen(
            "A1",
            template="move-system:cohorts",
            keep=tuple(range(1, 16)),
            outline="Tell the auditors 1d @Ana by 14 May 2027\nAnnounce the new invoices 2d @Tom together",
            commands=("deadline 30 June 2027", "budget 40,000 EUR"),
        ),
        'S9 effort 5d; S1 owner Ana; add risk "Customers are charged twice" likelihood low impact high',
        say("The archive is big.", ("steps", "Can S4 begin earlier?")),
        Answer(kind="edit", text="## Goal\n=>## Goal\n\nNot one customer pays twice.\n"),
        FINISH,
    )
    asyncio.run(manager.run(answers))
    manager.capture_user_rating(5, "The cohorts were right.")
    manager.log_outcome("success", "Two weeks early.")


def wedding(log: FileLog) -> None:
    manager = begin("Organise a wedding for 80 guests in Lyon on 12 June 2027, at most 25,000 EUR", log, SteadyClock())
    answers = Answers(
        say("It has to be outdoors, and my sister wants to help."),
        chosen(
            "A1",
            template="celebration:rented-place",
            keep=tuple(range(1, 12)),
            commands=("goal day 12 June 2027", "budget 25,000 EUR"),
        ),
        say("What happens when it rains?"),
        'add question "What happens when it rains?" @Ana',
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
    asyncio.run(manager.set_bounds(Bounds(max_tokens=2_000)))
    asyncio.run(manager.run(Answers(CONTINUE, FINISH)))


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
