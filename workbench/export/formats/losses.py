"""What a file format of another tool cannot hold of a plan; the export says so, as the file is not the whole plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from workbench.domain.plan.markdown.fields import FIELDS, Field
from workbench.domain.plan.plan import DaysOff, Item, Plan, Step, WorkingTime
from workbench.domain.text.patterns import lazy_pattern
from workbench.export.formats.calendars import CHART_TAGS, Chart, is_bar
from workbench.export.imported import counted_kinds

_DATES = "start end started finished"
_HELD: Mapping[str, str] = {
    "mspdi": f"outcome check owner also effort duration waiting milestone {_DATES} not_before on deadline cost left "
    "parent notes needs",
    "ics": f"outcome check owner hours {_DATES} workstream parent notes needs",
    "mermaid": f"owner duration {_DATES} on workstream milestone",
    "tasks": "check owner deadline workstream parent needs",
    "spec-kit": "workstream needs",
}
"""Fields of steps that a form has beside title and state; the others have all."""
_ITEMS: Mapping[str, tuple[type[Item], ...]] = {"mspdi": (WorkingTime, DaysOff), "mermaid": (WorkingTime, DaysOff)}
"""Other items that a form has."""
_ABOUT = frozenset({"origin", "causes", "status"})


def left_out(plan: Plan, form: str) -> str:
    """Return in a sentence what a form does not hold of a plan; "" if it holds all."""
    held = (Step, *_ITEMS.get(form, ()))
    is_of_form = form == "spec-kit" and any(_is_of_form(step, form) for step in plan.steps)
    texts = 0 if is_of_form else sum(bool(section.text) for section in plan.sections)
    told = [*_of_steps(plan, form), *counted_kinds(item for item in plan.items if not isinstance(item, held))]
    told += [f"the text of {texts:,} section{'' if texts == 1 else 's'}"] if texts else []
    return f"{form} does not hold: {', '.join(told)}." if told else ""


def _of_steps(plan: Plan, form: str) -> Iterator[str]:
    steps = plan.steps
    if form in ("mspdi", "mermaid"):
        steps = tuple(step for step in steps if (is_bar(step) if form == "mermaid" else step.status != "dropped"))
        if missing := len(plan.steps) - len(steps):
            yield f"{missing:,} step{'' if missing == 1 else 's'}"
    chart = Chart(plan) if form == "mermaid" else None
    for label, field in FIELDS[Step].items():
        is_held = form not in _HELD or field.name in _HELD[form].split()
        if (
            not is_held
            and field.name not in _ABOUT
            and (count := sum(_says(step, field, form) and not _is_in(chart, step, field) for step in steps))
        ):
            yield f"{label.lower()} ({count:,})"
    if form not in ("mspdi", "csv", "xlsx") and (count := sum(bool(step.lags) for step in steps)):
        yield f"days behind what is needed ({count:,})"


_KEPT_IDS: Mapping[str, str] = {"mspdi": "uid-", "ics": "uid- event-", "spec-kit": "T0 T1"}
"""Beginnings of first tags that are ids of a form: with them come back what it had itself."""

_NO_TAG = lazy_pattern(r"(?!)")
_TAGS = {"spec-kit": lazy_pattern(r"P|US\d+")}
"""Tags that are marks of a form."""


def _says(step: Step, field: Field, form: str) -> bool:
    """Tell whether a step says something in a field, beside what goes back to where it came from."""
    is_of_form = _is_of_form(step, form)
    if field.name == "tags":
        own = 1 if is_of_form else 0
        return any(not _TAGS.get(form, _NO_TAG).fullmatch(tag) for tag in step.tags[own:])
    if form == "ics" and field.name == "on" and step.tags[:1] and step.tags[0].startswith("event-"):
        return False
    if form == "tasks" and field.name == "effort":
        return step.effort is not None and step.effort.low < step.effort.high
    return bool(field.text_of(step)) and not (is_of_form and field.name == "other" and form == "ics")


def _is_in(chart: Chart | None, step: Step, field: Field) -> bool:
    """Tell whether a chart has what a step says in a field."""
    if chart is None:
        return False
    by_needs, name = chart.begins_by_needs(step), chart.names[step.id]
    is_whole = not step.effort and not step.duration
    return {
        "needs": by_needs,
        "not_before": step.not_before == step.start,
        "deadline": by_needs and is_whole,
        "tags": all(tag in (name, *CHART_TAGS) for tag in step.tags),
    }.get(field.name, False)


def _is_of_form(step: Step, form: str) -> bool:
    return bool(step.tags) and step.tags[0].startswith(tuple(_KEPT_IDS.get(form, "-").split()))
