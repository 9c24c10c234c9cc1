"""A session as somebody else may send it: sound by every checksum, and hostile in every text that it holds.

    bodies(until="checkpoint") ─▶ told() ─▶ events ─▶ fold() ─▶ a state to show
                                        └─▶ write() ─▶ a session file

Nothing in it went through the product's own cleaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Literal

from tests.builders import plan_changed, told
from tests.tui.hostile import HALVES, IN_A_FILE, LONG_LINE, NAMES, Hostile
from workbench.domain.loop.asking.tasks import Action, Approach, Finding
from workbench.domain.loop.deciding.gates import Choice, Gate
from workbench.domain.plan.plan import Bullet, Criterion, Plan, Section, Step
from workbench.domain.session import events as say
from workbench.domain.session.events import Body, IterationResult, Options, Quoted
from workbench.domain.session.session import SessionState, fold
from workbench.storage import codec

Stage = Literal["question", "approach", "checkpoint", "failed", "stopped", "finished"]

SESSION = "from-elsewhere-x1y2"
SHORT = tuple(name for name in NAMES if not any(half.text in name.text for half in HALVES))
"""Names that a file can hold."""


def bodies(prose: Hostile = IN_A_FILE, names: tuple[Hostile, ...] = SHORT, *, until: Stage) -> Iterator[Body]:
    """Yield what happens up to a stage; every text is hostile, each name in at least one place."""
    text = prose.text
    name = cycle(one.text for one in names)
    yield say.SessionCreated(
        goal=text, name=next(name), options=Options(model="guided"), today="2026-11-21", workbench=next(name)
    )
    yield from _said(1, next(name), text)
    approaches = tuple(
        Approach(
            id=f"A{number}",
            title=one.text,
            summary=text,
            outline=(text,),
            advantages=(text,),
            drawbacks=(text,),
            fits=text,
        )
        for number, one in enumerate(names, start=1)
    )
    yield say.ApproachesProposed(
        approaches=approaches, constraints=(text,), assumptions=(text,), questions=(text, text)
    )
    if until == "question":
        yield _gate("question", text, next(name))
        return
    if until == "approach":
        yield _gate("approach", text, next(name), tuple(approach.id for approach in approaches))
        return
    yield say.ApproachChosen(approach=approaches[0])
    for number in (1, 2):
        yield say.IterationBegun(number=number)
        yield plan_changed(version=number, plan=plan(text, names, number), by=next(name), change=0.5)
        yield from _said(number + 1, next(name), text)
        finding = Finding(rule=next(name), severity="major", text=text, remedy=text)
        yield say.PlanVerified(findings=(finding,), insights=(text,))
        action = Action(step=next(name), text=text, check=text, owner=next(name), due=next(name))
        result = IterationResult(
            iteration_num=number,
            plan=text,
            key_insights=(text,),
            verification=(finding,),
            actions=(action,),
            deliverable=text,
            change=0.5,
            plan_version=number,
        )
        yield say.IterationCompleted(result=result, checkpoint="interval")
    for one in names:
        yield say.EntityStored(name=one.text, content=text)
    yield say.OthersSearched(query=text, reason=text, found=tuple(_quoted(names)), unavailable="", for_call="c9")
    match until:
        case "checkpoint":
            yield _gate("checkpoint", text, next(name))
        case "failed":
            yield _asked(9, next(name))
            yield say.CallFailed(call="c9", error=next(name), message=text, remedy=text, partial=text)
        case "stopped":
            yield say.SessionStopped(reason=text)
        case _:
            yield say.PlanSaved(version=2)
            yield say.SessionFinished(reason=text, outcome="saved")


def plan(text: str, names: tuple[Hostile, ...], version: int) -> Plan:
    """Return a plan with hostile titles, prose and items."""
    sections = tuple(
        Section(id=f"s{number}", title=one.text, text=f"{version} {text}", items=(Bullet(id=f"B{number}", text=text),))
        for number, one in enumerate(names, start=1)
    )
    step = Step(id="S1", title=names[0].text, outcome=text, check=text, owner=names[1].text, workstream=names[2].text)
    aim = Criterion(id="C1", text=text, measure=text, target=text, due=names[0].text)
    return Plan(title=names[0].text, sections=(*sections, Section(id="steps", title="Steps", items=(step, aim))))


def _quoted(names: tuple[Hostile, ...]) -> Iterator[Quoted]:
    for number, one in enumerate(names, start=1):
        yield Quoted(
            id=f"q{number}",
            session=one.text,
            role="assistant",
            agent=one.text,
            time=one.text,
            text=one.text,
            score=1.0,
            why=one.text,
        )


def _said(number: int, role: str, text: str) -> Iterator[Body]:
    yield _asked(number, role)
    yield say.CallFinished(
        call=f"c{number}",
        text=text,
        input_tokens=1,
        output_tokens=1,
        cost=None,
        estimated=False,
        seconds=1,
        model=role,
        reason="stop",
    )


def _asked(number: int, role: str) -> Body:
    return say.CallStarted(
        call=f"c{number}", role=role, task="plan", attempt=1, model=role, messages=(), prompt_hash="", parameters={}
    )


def _gate(
    kind: Literal["question", "approach", "checkpoint"], text: str, name: str, options: tuple[str, ...] = ()
) -> Body:
    kinds = {"question": ("answer", "skip"), "approach": ("choose", "feedback", "reject")}.get(
        kind, ("continue", "feedback", "edit", "finish", "stop")
    )
    choices = tuple(Choice(kind=one, label=name, consequence=name) for one in kinds)
    return say.GateOpened(gate=Gate(id="g1", kind=kind, question=text, choices=choices, options=options))


def state(until: Stage, prose: Hostile = IN_A_FILE, names: tuple[Hostile, ...] = SHORT) -> SessionState:
    """Return the state that such a session leads to."""
    return fold(told(*bodies(prose, names, until=until), session=SESSION))


def long_state() -> SessionState:
    """Return the state of a session with a goal, a reply and a section of a megabyte each, in one line."""
    begun = next(bodies(Hostile("long", LONG_LINE, ()), until="question"))
    written = Plan(title="Long", sections=(Section(id="long", title="Long", text=LONG_LINE),))
    changed = plan_changed(version=1, plan=written, by="planner", change=1.0)
    return fold(told(begun, *_said(1, "planner", LONG_LINE), changed, session=SESSION))


def write(folder: Path, until: Stage, *, session: str = SESSION, names: tuple[Hostile, ...] = SHORT) -> Path:
    """Write such a session as a file into a folder of sessions."""
    folder.mkdir(parents=True, exist_ok=True)
    events = told(*bodies(names=names, until=until), session=session)
    header = codec.encode_header(codec.FileHeader(codec.FORMAT, codec.VERSION, session, "e"))
    path = folder / f"{session}.jsonl"
    path.write_bytes(header + b"".join(codec.encode_events([event]) for event in events))
    return path
