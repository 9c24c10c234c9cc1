"""The summary: as a model wrote it, else what the plan comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.handout.content import Content, lines
from workbench.domain.handout.names import number_of, with_names
from workbench.domain.loop.asking.last_round import older_version
from workbench.domain.plan.plan import Decision
from workbench.domain.plan.references import filled, tightest, weekday_and_day, working_days
from workbench.domain.plan.scheduling.calendar import day_of
from workbench.domain.session.state import SessionState
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.text.quoting import closed

_MOST_WORDS = 400
OLD_TABLE = lazy_pattern(r"\{(?:table\.[^{}\n]{1,200}|open)\}")
"""What pages of earlier versions took from the program."""
_GUIDED = "guided"
"""Plans without a model: the document repeats the plan, and is no summary."""


def document_of(state: SessionState) -> str:
    """Return the last document that a model wrote in a session; "" if there is none."""
    text = next((iteration.deliverable for iteration in reversed(state.iterations) if iteration.deliverable), "")
    return "" if state.options.model == _GUIDED else text.strip()


def written_summary(content: Content) -> tuple[str, ...]:
    """Return the summary that the last document of the session is or begins with; () if there is none."""
    state, plan = content.state, content.state.plan
    text = document_of(state)
    summary = lowered(filled(_beginning(text), plan)) if text and plan is not None else ""
    if summary and (version := older_version(state, "deliverable")):
        return summary, f"(This summary was written for version {version} of the plan.)"
    return (summary,) if summary else ()


def _beginning(text: str) -> str:
    """Return a short document without its title; of a long one, the part before its second ``##``.

    Of a page of an earlier version, what is above its tables.
    """
    text = re.sub(r"\A\s*# .*", "", text).strip()
    if OLD_TABLE.search(text):
        return OLD_TABLE.sub("", text.partition("## ")[0]).strip()
    if len(text.split()) <= _MOST_WORDS:
        return text
    starts = [match.start() for match in re.finditer(r"^## ", text, re.MULTILINE)]
    return _paragraphs(text[: starts[1]] if len(starts) > 1 else text)


def _paragraphs(text: str) -> str:
    """Return as many whole paragraphs as a summary has room for, of the first one at least a part."""
    kept: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        if len(" ".join([*kept, paragraph]).split()) > _MOST_WORDS:
            break
        kept.append(paragraph)
    return "\n\n".join(kept) or f"{' '.join(text.split()[:_MOST_WORDS])} …"


def lowered(text: str) -> str:
    """Return prose so that its headings are below those of the page, and code that it begins ends in it."""
    prose = re.sub(r"\r\n?", "\n", text).strip("\n")
    return closed(re.sub(r"^ {0,3}(?=#)", "##", prose, flags=re.MULTILINE))


def calculated_summary(content: Content) -> Iterator[str]:
    """Yield the goal, and what the plan comes to: when it is ready, where it is tightest, what is open."""
    goal = content.plan.section("goal")
    if goal is not None and goal.text.strip():
        yield lowered(goal.text)
    yield from lines([*ready_lines(content), *_open(content)])


def ready_lines(content: Content) -> Iterator[str]:
    """Yield when the plan is ready, how that stands to its day, and the step that can slip least.

    Neither is said of what happens only in some case.
    """
    told = content.figures
    if told.unsound:
        yield with_names(content.plan, told.unsound)
        return
    conditional = {step.id for step in content.plan.steps if step.condition}
    certain = [step for step in told.steps if step.step not in conditional]
    if told.finish is not None and any(step.end == told.finish for step in certain):
        yield f"Ready on **{weekday_and_day(told.finish)}**{_to_its_day(content)}."
    step = tightest(content.plan, told)
    if step is not None and step.slack is not None:
        yield f"Tightest: step {number_of(step.step)}, {step.title}: {_room(content, step.step, step.slack)}."


def _to_its_day(content: Content) -> str:
    """Return how far before or after the day it is for a plan ends, or the step that meets the day; "" without one."""
    told = content.figures
    if told.deadline is None or told.distance is None:
        return ""
    far, side = told.distance
    by = f"{told.day}, {content.weekday(told.deadline)}"
    held = next((f"step {number_of(step.step)}, {step.title}" for step in told.steps if step.step == told.held), "")
    if side == "after":
        return f": **LATE by {far}** against {by}{f' of {held}' if held else ''}"
    if side == "on" and not held:
        return f", {told.day}"
    spare = f"{far} {side} {by}".lstrip()
    return f"; {held}, is done {spare}" if held else f", {spare}"


def _room(content: Content, name: str, slack: int) -> str:
    """Return how many days a step has to spare, or what of the plan it makes late."""
    if slack >= 0:
        return f"{working_days(slack)} to spare" if slack else "no day to spare"
    told, plan = content.figures, content.plan
    ends, late, behind = {step.step: step.end for step in told.steps}, working_days(-slack), [name]
    for at in behind:  # grows by what needs a step of it
        behind += [one.id for one in plan.steps if at in one.needs and one.id not in behind and one.status != "dropped"]
    for step in (one for one in plan.steps if one.id in behind):
        needed = max(filter(None, (ends.get(need) for need in step.needs if need in behind)), default=None)
        if (on := day_of(step.on)) and needed and needed >= on:
            return f"{late} too late for step {number_of(step.id)} on {content.day(step.on)}"
        if (by := day_of(step.deadline)) and (end := ends.get(step.id)) and end > by:
            return f"{late} too late for the deadline of step {number_of(step.id)}, {content.day(step.deadline)}"
    return f"{late} too late for {told.day}, {content.weekday(told.deadline)}" if told.deadline else f"{late} late"


def _open(content: Content) -> Iterator[str]:
    decisions = [item for item in content.plan.items if isinstance(item, Decision) and item.is_open]
    if decisions:
        first = min((item.latest for item in decisions if item.latest), default=None)
        by = f", the first by {content.day(first)}" if first else ""
        yield f"{len(decisions)} decision{' is' if len(decisions) == 1 else 's are'} open{by}."
