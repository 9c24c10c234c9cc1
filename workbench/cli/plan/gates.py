"""The gates in a terminal: what stands to decide, what each answer leads to, and the person's answer.

Nothing is preselected and an empty line answers nothing. End of input (Ctrl+D) leaves the gate open.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import partial

from msgspec.structs import replace

from workbench.cli.output import Output, counted
from workbench.cli.plan.beginning import parse_numbers
from workbench.cli.plan.telling import ANSWERS
from workbench.domain.commands import Unread, echo
from workbench.domain.commands.examples import ORDER, OWN_STEP, STEP_LINES, some_examples
from workbench.domain.errors import UsageError
from workbench.domain.loop.asking.tasks import Approach
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer, AnswerKind, Gate, check_answer
from workbench.domain.loop.deciding.offers import changes_of_repair, offers_of
from workbench.domain.loop.steps import plans_without_model
from workbench.domain.session.session import SessionState
from workbench.domain.text.cleaning import clean, is_unicode, shorten
from workbench.domain.values.meanings import Chip, Meaning, chips_of, numbered
from workbench.export.editor import edit_plan
from workbench.export.edits import preview_line
from workbench.export.gates import approach_lines, gate_lines
from workbench.export.markdown import shown_markdown
from workbench.planning.beside_the_loop.commanding import worked_out
from workbench.planning.checks import check_begin, check_kept

_WIDEST_EXAMPLE = 76
_YES_OR_NO: dict[str, tuple[int, ...]] = {"yes": (1,), "y": (1,), "no": (), "n": ()}

STYLES: dict[str, str] = {"head": "bold", "quiet": "dim", "alert": "yellow", "": ""}
"""Styles of the lines that tell what a gate is about."""

Read = Callable[[str], str]
"""Shows a prompt and reads a line; raises EOFError at the end of input."""


def ask(
    state: SessionState, gate: Gate, output: Output, read: Read = input, *, changed: SessionState | None = None
) -> Answer | None:
    """Ask the person at a gate and return the answer; None when input has ended.

    ``changed``: what the session was before a command of theirs; only what is new since then is shown.
    """
    if changed is not None and gate.kind == "checkpoint" and len(changed.iterations) == len(state.iterations):
        _show_change(changed, state, output)
    else:
        _show(state, gate, output)
    while True:
        try:
            answer = _ask_gate(state, gate, output, partial(_read_text, read))
        except EOFError:
            return None
        except UsageError as error:
            output.line(str(error), "yellow")
            continue
        if answer is not None:
            return answer


def _read_text(read: Read, prompt: str) -> str:
    """Read a line. Raises EOFError, and UsageError for bytes that are not UTF-8."""
    text = read(prompt)
    if not is_unicode(text):
        raise UsageError("That line is not UTF-8 text.", "Type it again.")
    return text


def _ask_gate(state: SessionState, gate: Gate, output: Output, read: Read) -> Answer | None:
    if gate.kind == "question":
        text = read("answer (- to skip) › ").strip()
        return Answer(kind="skip") if text == "-" else Answer(kind="answer", text=text) if text else None
    typed = read("› ").strip()
    if not typed:
        return None
    if gate.kind == "approach" and typed.startswith("?"):
        _look_at(state, typed[1:].strip(), output)
        return None
    if gate.kind == "approach" and typed.isdecimal():
        return _chosen(state, gate, int(typed), output, read)
    if gate.kind == "checkpoint" and typed in {"?", ":help", ":?"}:
        _show_examples(output)
        return None
    if gate.kind == "checkpoint" and typed.startswith(":") and state.plan is not None:
        return _preview_commands(state, typed[1:], output)
    if gate.kind == "checkpoint" and typed == "p" and state.plan is not None:
        output.markdown(shown_markdown(state.plan))
        return None
    if gate.kind == "checkpoint" and typed.split()[0] == "r":
        number = typed[1:].strip() or read("which repair › ").strip()
        return Answer(kind="change", changes=changes_of_repair(state, int(number) if number.isdecimal() else 0))
    kind = next((kind for kind, (key, _) in ANSWERS.items() if typed == key and _offers(gate, kind)), None)
    if kind is None:
        raise UsageError(f"{clean(typed)!r} is not one of the keys above.", "Type one of them, then Enter.")
    return _ask_text(kind, state, gate, read)


def _preview_commands(state: SessionState, text: str, output: Output) -> Answer | None:
    """Show what commands do, and return them as an answer; None if nothing changes."""
    commanded = worked_out(state, text, datetime.now(UTC).astimezone().date())
    if commanded.settled or commanded.disputed or commanded.decision:  # no answer holds what becomes of these
        told = f"Give it after this as: workbench edit {state.session} {shlex.quote(text.strip())}"
        raise UsageError("Statements, findings and offers are not decided about at a gate.", told)
    output.line(preview_line(commanded))
    return Answer(kind="change", changes=commanded.changes) if commanded.changes else None


def _ask_text(kind: AnswerKind, state: SessionState, gate: Gate, read: Read) -> Answer | None:
    """Return the answer of a kind, with the text that it needs."""
    if kind == "edit":
        return _edited(state)
    text = ""
    if kind == "feedback":
        text = read("what should change › ").strip()
    elif kind == "reject":
        text = read("why (may be empty) › ").strip()
    answer = Answer(kind=kind, text=text)
    check_answer(gate, answer)
    return answer


def _offers(gate: Gate, kind: AnswerKind) -> bool:
    return any(choice.kind == kind for choice in gate.choices)


def _chosen(state: SessionState, gate: Gate, number: int, output: Output, read: Read) -> Answer:
    if not 1 <= number <= len(gate.options):
        raise UsageError(f"There is no approach {number}.", f"Type a number from 1 to {len(gate.options)}.")
    choice = gate.options[number - 1]
    approach = next((one for one in state.approaches if one.id == choice), None)
    if approach is None or not plans_without_model(state):
        return Answer(kind="choose", choice=choice)
    return Answer(kind="choose", choice=choice, begin=_ask_begin(approach, state, output, read))


def _look_at(state: SessionState, number: str, output: Output) -> None:
    """Show all of an approach. Raises UsageError if there is none of that number."""
    count = len(state.approaches)
    if not number.isdecimal() or not 1 <= int(number) <= count:
        raise UsageError(f"There is no approach {clean(number)!r}.", f"Type ? and a number from 1 to {count}.")
    for line in approach_lines(int(number), state.approaches[int(number) - 1]):
        output.line(f"   {line.text}", STYLES[line.tone])


def _ask_begin(approach: Approach, state: SessionState, output: Output, read: Read) -> Begin:
    """Ask which steps of a template are kept, for own steps, and what the values of the goal are."""
    if approach.template:
        for number, line in enumerate((*approach.outline, *approach.besides), start=1):
            if number == len(approach.outline) + 1:
                output.line("      only where you name it:", "dim")
            output.line(f"  {number:>2}  {clean(line)}")
        keep = _again_until_read(lambda: _ask_kept_steps(approach, read), output)
    else:
        keep = ()
    begin, today = Begin(template=approach.template, keep=keep), date.fromisoformat(state.today)
    steps = begin.kept(approach.outline) if approach.template else ()
    while True:
        outline = _own_steps(steps, today, output, read)
        commands = _values(numbered(chips_of(state.goal, today)), output, read)
        try:
            return check_begin(replace(begin, outline=outline, commands=commands), today, steps)
        except UsageError as error:
            output.line(str(error), "yellow")


def _own_steps(steps: Sequence[str], today: date, output: Output, read: Read) -> str:
    """Ask for steps of one's own, and say each back as it was read; one that cannot be read is typed again."""
    output.line(f"Steps of your own, a line each, as in: {OWN_STEP}. An empty line ends.")
    output.line(f"{ORDER} ? shows more.")
    lines: list[str] = []
    while line := read("step › ").rstrip():
        match line.strip().lstrip(":").casefold():
            case "?" | "help" | "h":
                _show_step_help(output)
                continue
            case "undo" | "u":
                gone = lines.pop().strip() if lines else ""
                output.line(f"Taken back: {gone}" if gone else "There is no line to take back.", "dim")
                continue
        told = echo(line, steps, today, lines)
        if isinstance(told, Unread):
            output.line(f"{told} Type it again.", "yellow")
            continue
        output.line(f"       {told}", "dim")
        lines.append(line)
    return "\n".join(lines)


def _show_step_help(output: Output) -> None:
    for line, about in STEP_LINES:
        output.line(f"  {shorten(f'{line:<34} {about}', _WIDEST_EXAMPLE)}")
    output.line("  undo                               takes back the line above")


def _ask_kept_steps(approach: Approach, read: Read) -> tuple[int, ...]:
    steps, besides = len(approach.outline), len(approach.besides)
    prompt = f"keep which, as in 1-4,{steps + besides} (empty: steps 1-{steps}) › "
    return check_kept(parse_numbers(read(prompt)), steps, besides)


def _values(meanings: Sequence[tuple[Chip, Meaning]], output: Output, read: Read) -> tuple[str, ...]:
    """Ask what the values that the goal names are; the commands that say it."""
    if not meanings:
        return ()
    output.line("Your goal names values. What are they?")
    for number, (chip, meaning) in enumerate(meanings, start=1):
        output.line(f"  {number:>2}  {chip.told} is {meaning.label}")
    numbers = _again_until_read(lambda: _ask_values_that_hold(len(meanings), read), output)
    return tuple(meanings[number - 1][1].command for number in numbers)


def _ask_values_that_hold(count: int, read: Read) -> tuple[int, ...]:
    """Ask which values hold; of one, yes or no is enough. Raises UsageError."""
    typed = read("does it hold (yes, no) › " if count == 1 else "which hold, as in 1,3 (empty: none) › ").strip()
    if count == 1 and typed.casefold() in _YES_OR_NO:
        return _YES_OR_NO[typed.casefold()]
    numbers = parse_numbers(typed, "value")
    if beyond := next((number for number in numbers if not 1 <= number <= count), None):
        raise UsageError(f"There is no value {beyond}.", f"They are counted from 1 to {count}.")
    return numbers


def _again_until_read(ask_for: Callable[[], tuple[int, ...]], output: Output) -> tuple[int, ...]:
    while True:
        try:
            return ask_for()
        except UsageError as error:
            output.line(str(error), "yellow")


def _edited(state: SessionState) -> Answer | None:
    """Open the plan in the person's editor and return what they made of it; None when nothing changed."""
    text = edit_plan(state.plan) if state.plan is not None else None
    return None if text is None else Answer(kind="edit", text=text)


def _show_change(before: SessionState, after: SessionState, output: Output) -> None:
    """Say in a line which findings a command made, and which it solved."""
    old, now = ({finding.text for finding in state.open_findings} for state in (before, after))
    told = [
        *(f"new: {one.text} {one.remedy}".rstrip() for one in after.open_findings if one.text not in old),
        *(f"solved: {one.text}" for one in before.open_findings if one.text not in now),
    ]
    count = len(after.open_findings)
    told += [
        f"type r {one.number} to: {one.repair.label}" for one in offers_of(after) if one.repair.finding.text not in old
    ]
    output.line(" · ".join([f"version {after.version}, {counted(count, 'finding')} open", *told]), "dim")


def _show_examples(output: Output) -> None:
    for command, about in some_examples():
        output.line(f"  :{shorten(f'{command:<48} {about}', _WIDEST_EXAMPLE)}")
    output.line("  All of them: docs/commands.md", "dim")


def _show(state: SessionState, gate: Gate, output: Output) -> None:
    output.heading(f"▲ {gate.question}")
    for line in gate_lines(state, gate):
        if line.tone == "head":
            output.line()
        key = f"type {line.key}: " if line.key else ""
        output.line(f"   {key}{line.text}", STYLES[line.tone])
    if gate.kind != "question":
        output.line()
        for choice in gate.choices:
            key = f"1–{len(gate.options)}" if choice.kind == "choose" else ANSWERS[choice.kind][0]
            output.line(f"  {key:>4}  {choice.label} — {choice.consequence}")
        if gate.kind == "approach" and plans_without_model(state):
            output.line("    ?1  look — shows one with its steps")
        if gate.kind == "checkpoint" and state.plan is not None:
            output.line("     :  a command — such as :S3 owner Anna, or :S2 effort 4d; :help shows more")
            output.line("     p  print the plan")
            if state.findings and offers_of(state):
                output.line("   r N  accept the repair N of those above")
