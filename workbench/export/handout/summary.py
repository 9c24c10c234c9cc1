"""The summary: as a model wrote it, else what the plan comes to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from workbench.domain.loop.last_round import last_said
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.money import money_text
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Item, deadline_of
from workbench.domain.plan.references import filled, weekday_and_day, working_days
from workbench.domain.text.quoting import closed
from workbench.export.handout.content import Content
from workbench.export.handout.money import sums_by_currency
from workbench.export.handout.open_points import is_open

_MOST_WORDS = 400
_GUIDED = "guided"
"""Plans without a model: the document repeats the plan, and is no summary."""


def written_summary(content: Content) -> tuple[str, ...]:
    """Return the summary that the last document of the session is or begins with; () where there is none."""
    state, plan = content.state, content.state.plan
    text = next((one.deliverable for one in reversed(state.iterations) if one.deliverable), "")
    if not text.strip() or plan is None or state.options.model == _GUIDED:
        return ()
    summary = lowered(filled(_beginning(text), plan))
    said = last_said(state, plan, "deliverable")
    if said is not None and said.changed and said.result.plan_version:
        return summary, f"(This summary was written for version {said.result.plan_version} of the plan.)"
    return (summary,) if summary else ()


def _beginning(text: str) -> str:
    """Return a short document without its title; of a long one, the part before its second ``##``."""
    text = re.sub(r"\A\s*# .*", "", text).strip()
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
    """Return prose so that its headings stand below those of the page, and code that it begins ends in it."""
    lines = re.sub(r"\r\n?", "\n", text).strip("\n")
    return closed(re.sub(r"^ {0,3}(?=#)", "##", lines, flags=re.MULTILINE))


def calculated_summary(content: Content) -> Iterator[str]:
    """Yield the goal, and what the plan comes to: ready when, at what cost, what is open, where it is tightest."""
    goal = content.plan.section("goal")
    if goal is not None and goal.text.strip():
        yield lowered(goal.text)
    yield from content.lines([*ready_lines(content, with_title=True), *_costs(content), *_open(content)])


def ready_lines(content: Content, *, with_title: bool) -> Iterator[str]:
    """Yield when the plan is ready, against which day, and the step that has the least time."""
    told = content.figures
    if told.finish is not None:
        yield f"Ready on **{weekday_and_day(told.finish)}**{_beside_its_day(content)}."
    wholes = {step.part_of for step in told.steps}
    left = [
        (step.slack, step)
        for step in told.steps
        if step.slack is not None and step.step not in wholes and step.status not in ("done", "dropped")
    ]
    if left:
        slack, step = min(left, key=lambda one: one[0])
        title = f", {content.short(step.title)}" if with_title else ""
        yield f"Tightest: {step.step}{title}: {_spare(slack)}."


def _spare(slack: int) -> str:
    if slack < 0:
        return f"{working_days(-slack)} late"
    return f"{working_days(slack)} to spare" if slack else "no time to spare"


def _beside_its_day(content: Content) -> str:
    """Return where the finish stands: ``, 3 working days before Wed 31 Mar 2027 (K2)``; "" where no day is set."""
    told, by = content.figures, deadline_of(content.plan)
    if by is None or told.slack_days is None:
        return ""
    names = (item.id for item in content.plan.items if _day_of(item) == by)
    name = f" ({one})" if (one := next(names, "")) else ""
    if told.finish == by:
        return f", the last day possible{name}"
    side = "after" if told.slack_days < 0 else "before"
    return f", {working_days(abs(told.slack_days))} {side} {weekday_and_day(by)}{name}"


def _day_of(item: Item) -> date | None:
    """Return the day by which an item wants the whole to be ready; None for none."""
    match item:
        case Constraint(limits="date"):
            return day_of(item.day)
        case Criterion():
            return day_of(item.due)
        case _:
            return None


def _costs(content: Content) -> Iterator[str]:
    for currency, sums in sums_by_currency(content.plan).items():
        known, estimated = (money_text(one) for one in sums.as_money(currency))
        yield f"Costs in {currency}: {known} known, {estimated} estimated."


def _open(content: Content) -> Iterator[str]:
    decisions = [item for item in content.plan.items if isinstance(item, Decision) and is_open(item)]
    if decisions:
        first = min((item.latest for item in decisions if item.latest), default=None)
        by = f", the first by {content.day(first)}" if first else ""
        yield f"{len(decisions)} decision{' is' if len(decisions) == 1 else 's are'} open{by}."
