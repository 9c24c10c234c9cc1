"""``workbench run`` and ``workbench resume``: what they read, and the answer they begin with."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from workbench.bootstrap import workspace_exists
from workbench.bootstrap.known_models import local_model_text, ways_to_plan
from workbench.cli.opening import existing_workspace, open_workspace
from workbench.cli.options import folder_of
from workbench.cli.output import Output
from workbench.cli.plan.agents import agents_of
from workbench.cli.plan.beginning import begin_of, begin_of_choice, begun_with, order_hint
from workbench.cli.plan.course import Course, check_choice
from workbench.cli.plan.telling import OPTIONS
from workbench.cli.reading import STANDARD_INPUT, given_text, read_plan_file, read_text
from workbench.domain.errors import UsageError
from workbench.domain.loop.answers.causes import made_by_hand
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, AnswerKind, Gate
from workbench.domain.loop.deciding.offers import changes_of_repair
from workbench.domain.loop.limits import MOST_OF_A_FILE, MOST_STEPS
from workbench.domain.plan.changing.history import told, undone
from workbench.domain.plan.changing.merging import carried_over
from workbench.domain.plan.changing.operations import Cause, Change, concerns, operations_between
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.session.session import SessionState
from workbench.export.markdown import version_of
from workbench.models.catalogue import GUIDED
from workbench.planning.driver import Driver
from workbench.planning.memory.recalling import LESSON
from workbench.planning.policies import choose
from workbench.planning.ports import Ahead
from workbench.planning.trust.person import require_person

MAX_INPUT_BYTES = 1_000_000
"""The most that is read from a file or standard input for a goal."""


def run(options: argparse.Namespace) -> int:
    """Plan from a goal to a saved plan."""
    if options.goal == STANDARD_INPUT and options.proposal == STANDARD_INPUT:
        raise UsageError("Goal and proposal cannot both come from standard input.", "Give one of them as a file.")
    check_choice(options.choose)
    goal, proposal = _goal(options), _proposal(options, Output.from_options(options))
    return begin_session(options, goal, proposal, Path(options.proposal).name if proposal else "-")


def begin_session(options: argparse.Namespace, goal: str, proposal: str, source: str, *, reads: bool = True) -> int:
    """Begin a session with the options of ``run``, and drive it; ``source``: where the proposal is from.

    ``reads`` is false where the goal is no words of the person: then it names no files to be read.
    """
    output = Output.from_options(options, goes_on=True)
    is_first = not workspace_exists(folder_of(options))
    agents, workspace = agents_of(options), open_workspace(options)
    given = begin_of(options, keep=options.keep)
    if given is not None and given.keep and not given.template:
        raise UsageError("--keep names steps of a template.", "Name it with --template (workbench template list).")
    if options.approve == "all" and options.choose is None and not proposal and workspace.settings.model == GUIDED:
        given = replace(given or Begin(), unasked=True)
    start = partial(
        workspace.start,
        goal,
        name=options.name or "",
        private=options.private,
        recall=not options.no_recall,
        proposal=proposal,
        source=source,
        begin=given,
        context=options.context,
        reads=reads,
    )
    settings = workspace.settings
    if not settings.withheld and (takes := local_model_text(settings.model, settings)):
        output.note(takes)
    driver = Driver(lambda watch: start(watch=watch))
    manager = driver.manager()
    if is_first and settings.sources["model"] == "default" and not output.as_json:
        output.note(ways_to_plan())
    if hint := order_hint(given, date.fromisoformat(manager.state.today)):
        output.note(hint)
    for agent in agents:
        workspace.session(manager.session_id).add_agent(agent)
    if waiting := workspace.lessons_waiting:
        told = "One lesson was" if waiting == 1 else f"{waiting} lessons were"
        output.note(f"{told} accepted here by somebody else, and not by you: workbench lessons")
    for lesson in manager.state.lessons if not output.as_json else ():
        name = lesson.id.removeprefix(LESSON)
        refusal = f"workbench lessons refuse {name} --session {manager.session_id}"
        output.note(f"Lesson {name}: {lesson.said}. Without it: {refusal}")
    return Course(workspace, driver, options, output).drive(None, is_new=True)


def resume(options: argparse.Namespace) -> int:
    """Go on with a session, answering its open gate first where an answer was given."""
    check_choice(options.choose)
    if options.approve == "all" or options.choose is not None:
        require_person("approved")  # the session is there already, and may be a person's
    output = Output.from_options(options, goes_on=True)
    agents, begin = agents_of(options), begin_of_choice(options)
    workspace = existing_workspace(options)
    session = workspace.session(options.session)
    driver = Driver(lambda watch: session.resume(watch=watch))
    manager = driver.manager()
    for agent in agents:
        session.add_agent(agent)
    if options.do is not None:
        session.edit(options.do)
    if options.no_recall:
        session.switch_recall(on=False)
    known = len(manager.state.files)
    session.read_files(options.context)
    course = Course(workspace, driver, options, output, files=known, begin=begin)
    state = manager.state
    answer = _named_answer(options, state, begin)
    if options.saying is not None:
        driver.said_ahead = _ahead(options)
    if state.finished is not None and state.gate is None and (answer is None or state.plan is None):
        return course.rest(state, answer)
    return course.drive(answer)


def _ahead(options: argparse.Namespace) -> Ahead:
    """Return what gives the planner, once, what a person says with the approach that they choose. Raises UsageError."""
    if options.choose is None:
        raise UsageError("--saying is only for --choose N.", 'Say what should change by --feedback "…".')
    if not options.saying.strip():
        raise UsageError("The text of --saying is empty.", "Say what the plan should know, or leave it out.")
    waiting = [options.saying]

    @contextmanager
    def said() -> Iterator[str]:
        yield waiting[0] if waiting else ""
        waiting.clear()

    return said


def _goal(options: argparse.Namespace) -> str:
    if options.goal and options.goal_file:
        raise UsageError("The goal is given twice.", "Give it as text or as a file.")
    if options.goal_file:
        return read_text(options.goal_file, MAX_INPUT_BYTES)
    if options.goal is None:
        raise UsageError("There is no goal.", 'Say what you want to plan: workbench run "…"')
    return given_text(options.goal, MAX_INPUT_BYTES)


def _proposal(options: argparse.Namespace, output: Output) -> str:
    """Return the text of a proposal, and note how many of its tasks have no room in a plan."""
    if options.proposal is None:
        return ""
    text = read_plan_file(options.proposal)
    if not text.strip():
        raise UsageError("The proposal is empty.", "Give a file with the proposal's text, or leave the option out.")
    if text.count("\n") >= MOST_STEPS:
        from workbench.export.imported import left_out  # most runs have none
        from workbench.plan_files import TooMuchToRead, read_plan

        try:
            if beyond := left_out(read_plan(text, name=options.proposal, today=datetime.now(UTC).date())):
                output.note(beyond)
        except TooMuchToRead:
            raise
        except UsageError:
            pass  # what is wrong with it is said if it is planned from
    return text


def _edit(state: SessionState, text: str, output: Output) -> Answer:
    """Return an edited plan as an answer; of an older version, what was edited in it.

    Raises UsageError if something that was edited is not in the plan any more.
    """
    of = version_of(text, state)
    if of is None or state.plan is None or of.version == state.version:
        return Answer(kind="edit", text=text)
    version, base = of.version, of.plan
    edited = made_by_hand(base, from_markdown(text, base))
    carried = carried_over(base, operations_between(base, edited), state.plan)
    if carried.unplaced:
        gone = ", ".join(sorted({name for one in carried.unplaced for name in concerns(one)})) or "a section"
        raise UsageError(
            f"You edited {gone} in a file of version {version}, and version {state.version} does not have it any more.",
            f"Export version {state.version}, and edit that.",
        )
    output.note(f"The file is of version {version}: what you edited in it was carried over to version {state.version}.")
    for one in carried.overridden:
        output.note(f"Your edit takes back what was changed since: {told(one, base)}.")
    changes = tuple(Change(operation, Cause("person")) for operation in carried.operations)
    return Answer(kind="change", changes=changes) if changes else Answer(kind="edit", text=to_markdown(state.plan))


def _answers(gate: Gate) -> str:
    given = [OPTIONS[choice.kind] for choice in gate.choices if choice.kind in OPTIONS]
    return f"Answer with one of: {', '.join(given)}."


def _named_answer(options: argparse.Namespace, state: SessionState, begin: Begin | None) -> Answer | None:
    """Return the answer that the options give to the open gate; None when they give none."""
    gate = state.gate
    if options.choose is not None and options.approve != "all":
        if gate is None and state.asks_again:
            return None  # it is chosen as soon as that is asked
        if gate is not None and gate.kind != "approach":
            raise UsageError(f"There is no approach to choose now. The open question: {gate.question}", _answers(gate))
        return begun_with(begin, choose(gate, options.choose), state) if gate is not None else Answer(kind="choose")
    if options.answer:
        return Answer(kind="answer", text=options.answer[0])
    texts: tuple[AnswerKind, ...] = ("feedback", "reject")
    for kind in texts:
        if (text := getattr(options, kind)) is not None:
            return Answer(kind=kind, text=text)
    if options.edit is not None:
        return _edit(state, read_text(options.edit, MOST_OF_A_FILE), Output.from_options(options))
    if options.undo is not None:
        return Answer(kind="change", changes=undone(state.versions, options.undo))
    if options.repair is not None:
        return Answer(kind="change", changes=changes_of_repair(state, options.repair))
    flags = {kind: option.removeprefix("--").replace("-", "_") for kind, option in OPTIONS.items() if " " not in option}
    return next((Answer(kind=kind) for kind, name in flags.items() if getattr(options, name)), None)
