"""Is the plan whole: ids, needs, parts, answers, references in prose, and fields that are missing."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.domain.loop.asking.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, listed, quoted
from workbench.domain.plan.plan import Criterion, Item, Person, Section, Step, wording
from workbench.domain.plan.references import unknown_references
from workbench.domain.plan.scheduling.step_work import own_minutes
from workbench.domain.text.patterns import lazy_pattern


def has_steps(case: Case) -> Iterator[Finding]:
    """Find a plan without steps: nothing says what is done. One without criteria says it in its constraints."""
    if not case.plan.steps:
        yield Finding(rule="steps.none", severity="minor", text="The plan has no step.", remedy="Add the steps.")


def ids_are_unique(case: Case) -> Iterator[Finding]:
    """Find ids that name two items."""
    seen: set[str] = set()
    for section, item in case.placed:
        if item.id in seen:
            text = f"The id {item.id} is given to two items."
            yield fault("ids.twice", "major", (section, item), text, "Give the later one an id of its own.")
        seen.add(item.id)


_MOST_NAMED = 12  # steps of a circle


def fields_are_filled(case: Case) -> Iterator[Finding]:
    """Find steps and criteria that lack a field that they need; one finding for all that lack the same."""
    lacking: dict[tuple[str, str], list[tuple[Section, Item]]] = {}
    for section, item in case.placed:
        for rule, remedy in _lacking(case, item):
            lacking.setdefault((rule, remedy), []).append((section, item))
    for (rule, remedy), places in lacking.items():
        verb = "has" if len(places) == 1 else "have"
        text = f"{listed([item.id for _, item in places])} {verb} no {rule.rpartition('.')[2]}."
        yield fault(rule, "minor", places[0], text, remedy)


def _lacking(case: Case, item: Item) -> Iterator[tuple[str, str]]:
    if isinstance(item, Criterion):
        if not item.measure.strip():
            yield "criteria.measure", "Say how it is measured."
        if not item.target.strip():
            yield "criteria.target", "Give it a number, a date or a state that anybody can see."
    if not isinstance(item, Step) or item.status in ("done", "dropped") or item.milestone:
        return
    if item.waiting is not None or item.id in case.parts:
        return
    if not item.owner.strip():
        yield "steps.owner", "Name a role or a person."
    if item.effort is None and not item.duration and own_minutes(item) is None:
        yield "steps.effort", "Estimate it in working days: low, likely, high."


def efforts_are_ordered(case: Case) -> Iterator[Finding]:
    """Find three-point estimates that do not go from low over likely to high, or are of nothing."""
    for section, step in case.every(Step):
        effort = step.effort
        if effort and not (0 <= effort.low <= effort.likely <= effort.high and effort.high > 0):
            text = f"The effort of {step.id} does not go from low over likely to high."
            yield fault("steps.effort-order", "major", (section, step), text, f"Correct the estimate of {step.id}.")


def needs_are_steps(case: Case) -> Iterator[Finding]:
    """Find needs that are no step of this plan."""
    for section, step in case.every(Step):
        for needed in step.needs:
            if needed not in case.steps:
                text = f"{step.id} {quoted(step.title)} needs {needed}, and there is no such step."
                yield fault("steps.needs", "major", (section, step), text, f"Correct what {step.id} needs.")


def no_step_waits_for_itself(case: Case) -> Iterator[Finding]:
    """Find circles of needs, in which no step can be the first."""
    places = {item.id: (section, item) for section, item in reversed(case.placed)}
    for cycle in case.cycles:
        names = cycle if len(cycle) <= _MOST_NAMED else (*cycle[:_MOST_NAMED], "…")
        chain = " → ".join((*names, cycle[0]))
        text = f"{cycle[0]} needs itself." if len(cycle) == 1 else f"These steps wait for one another: {chain}."
        yield fault("steps.cycle", "major", places[cycle[0]], text, "Take out one of these dependencies.")


def parts_and_lags_fit(case: Case) -> Iterator[Finding]:
    """Find parts of what is not a step, parts of parts, and lags after what is not needed."""
    for section, step in case.every(Step):
        place, whole = (section, step), case.steps.get(step.parent)
        if step.parent and (whole is None or whole is step or whole.parent):
            why = "no step of this plan" if whole is None else "the step itself" if whole is step else "a part too"
            text = f"{step.id} {quoted(step.title)} is a part of {step.parent}, which is {why}."
            yield fault("steps.parent", "major", place, text, f"Name for {step.id} a step that is no part.")
        for lag in step.lags:
            if lag.step not in step.needs:
                text = f"{step.id} waits {lag.days:g} days after {lag.step}, which it does not need."
                yield fault("steps.lag", "minor", place, text, f"Correct what {step.id} needs.")


_ID = lazy_pattern(r"[A-Z]\d+")


def references_name_items(case: Case) -> Iterator[Finding]:
    """Find what answers, or refers to, an item that the plan does not have.

    Facts and feedback, which can be answered, stand elsewhere; of decisions, funds and places a name in words is no id.
    """
    known = {item.id for item in case.plan.items}
    for section, item in case.placed:
        place, name = (section, item), f"{item.id} {quoted(wording(item))}"
        for answer in getattr(item, "answers", ()):
            if answer not in known and answer[:1] in ("K", "C"):
                text = f"{name} answers {answer}, and there is no {answer}."
                yield fault("answers.unknown", "minor", place, text, f"Correct what {item.id} answers.")
        for other in _references(item):
            if other not in known and _ID.fullmatch(other):
                text = f"{name} refers to {other}, and there is no {other}."
                yield fault("ids.unknown", "major", place, text, f"Correct what {item.id} refers to.")


def _references(item: Item) -> tuple[str, ...]:
    if isinstance(item, Step):
        return (*item.decisions, item.fund, item.place)
    return tuple(period.decision for period in item.capacity) if isinstance(item, Person) else ()


def references_are_known(case: Case) -> Iterator[Finding]:
    """Find references in prose that stay as they are."""
    for one in unknown_references(case.plan):
        text = f"{one.item or 'The text'} refers to {one.reference}, which the plan does not have."
        remedy = "Name an item and a value that it has, or say it in words."
        yield Finding(
            rule="references.unknown", severity="minor", text=text, section=one.section, item=one.item, remedy=remedy
        )
