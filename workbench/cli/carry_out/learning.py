"""``workbench learn`` and ``workbench lessons``: what saved sessions teach, and what a person decides about it."""

from __future__ import annotations

import argparse

from workbench.cli.look_back.sessions import done
from workbench.cli.opening import existing_workspace
from workbench.cli.output import Output, counted
from workbench.export.learned import learned_object, learned_tables, lesson_object
from workbench.planning.learning.lessons import Standing
from workbench.planning.trust.person import require_person
from workbench.tui.home.learning import learning_rows


def learn(options: argparse.Namespace) -> int:
    """Show the patterns over all sessions."""
    output = Output.from_options(options)
    learned = existing_workspace(options).analyze_learning_patterns()
    if output.as_json:
        output.json(learned_object(learned))
    else:
        left = f"; {counted(learned.left_out, 'private one')} left out" if learned.left_out else ""
        output.line(f"{counted(learned.sessions, 'session')}, {learned.judged} of them judged{left}.")
        if tables := learned_tables(learned):
            output.rows(learning_rows((), tables, output.width))
        if not learned.patterns:
            output.line("No pattern has five cases yet. Rate plans, and record their outcomes.")
    return 0


def list_lessons(options: argparse.Namespace) -> int:
    """List the lessons with what they rest on, and whether they helped."""
    output, lessons = Output.from_options(options), existing_workspace(options).lessons()
    if output.json_lines(map(lesson_object, lessons)):
        return 0
    for one in lessons:
        _show(one, output)
    if not lessons:
        output.line("No lessons yet. They come from notes: `workbench rate ID 2 --note …`, `workbench outcome`.")
    elif any(lesson.status == "proposed" for lesson in lessons):
        output.line(
            "A proposed lesson has no effect before you accept it: workbench lessons accept | reword | refuse LESSON"
        )
    return 0


def decide(options: argparse.Namespace) -> int:
    """Record what the person decided about a lesson."""
    output, workspace = Output.from_options(options), existing_workspace(options)
    if options.deciding in ("accept", "reword"):
        require_person("accepted")
    if options.deciding == "refuse" and options.session:
        workspace.refuse_lesson(options.lesson, options.session)
        told = f"{options.session} goes on without {options.lesson}."
        return done(options, told, session=options.session, lesson=options.lesson)
    standing = workspace.decide_lesson(options.lesson, options.deciding, getattr(options, "text", ""))
    if not output.json_lines([lesson_object(standing)]):
        _show(standing, output)
    return 0


def _show(one: Standing, output: Output) -> None:
    output.line(f"{one.id}  {one.status}: {one.text}", "bold" if one.status == "accepted" else "")
    output.line(f"         because: {one.because}", "dim")
    if one.used:
        output.line(f"         used in {counted(one.used, 'session')}: helped {one.helped}, misled {one.misled}", "dim")
    if one.note:
        output.line(f"         {one.note}", "yellow")
