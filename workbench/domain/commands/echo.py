"""A line of one's own steps, said back as it was read, so that a mistake is seen while it is typed.

Scarify the lawn 2d @Webb £150     S3 “Scarify the lawn” · 2 days · Webb · 150 GBP
Take off the planks 3d in May      S3 “Take off the planks 3d in May” · 1 day, assumed · not read: “3d” (…)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from workbench.domain.commands.errors import Unread
from workbench.domain.commands.grammar import FIELDS
from workbench.domain.commands.outline import StepLine, fields_of, read_outline, read_step_line
from workbench.domain.commands.readings import read_whole
from workbench.domain.plan.plan import Plan, Section, Step
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern
from workbench.domain.values.calendar_words import plannable_day, spoken_day
from workbench.domain.values.plain import plain_text

_FIELDS = {
    "Duration": "lasts {}", "Wait": "waits {}", "Cost": "{}", "Not before": "not before {}", "On": "on {}",
    "Hours": "{}", "Deadline": "by {}", "Status": "{}", "Progress": "{}", "Left": "{} left", "Tags": "+{}",
    "Notes": "note: {}", "Part of": "a part of {}",
}  # fmt: skip
"""How fields are said back, beside effort and owners."""
_TELLING = frozenset(
    ["effort", "takes", "owner", "by", "before", "on", "not_before", "cost", "needs", "wait", "duration"]
)
"""Rules whose words are hardly meant as a part of a title."""
_MOST_WORDS = 5
"""Words of a field."""
_DAY = lazy_pattern(r"\d{4}-\d\d-\d\d")
_WORD = lazy_pattern(r"\S+")


def steps_before(titles: Sequence[str]) -> Plan:
    """Return a plan that has steps with these titles, S1 and so on, and nothing else."""
    steps = tuple(Step(id=f"S{number}", title=title) for number, title in enumerate(titles, 1))
    return Plan(title="", sections=(Section(id="steps", title="Steps", items=steps),) if steps else ())


def echo(line: str, titles: Sequence[str], today: date, own: Sequence[str] = ()) -> str | Unread:
    """Return a line as it is read behind steps with these titles, and what of it looks like a field and was not read.

    ``own``: the lines above it, whose steps come behind those.

    >>> echo("Book the hall 2d @Anna by 3 May", (), date(2026, 11, 29))
    'S1 “Book the hall” · 2 days · Anna · by 3 May 2027'
    >>> echo("Print posters", (), date(2026, 11, 29), ["Book the hall"])
    'S2 “Print posters” · 1 day, assumed · after S1'
    """
    parsed = read_outline("\n".join((*own, line if own else line.strip())), steps_before(titles), today)
    said = read_step_line(line, today)
    if isinstance(parsed, Unread) and own:  # a line above is wrong
        return echo(line, (*titles, *(one.strip() for one in own)), today)
    if isinstance(parsed, Unread):
        return parsed
    if isinstance(said, Unread):
        return said
    step = parsed.plan.steps[-1]
    told = [f"{step.id} “{step.title}”", *_told(step, is_assumed=step.id in parsed.assumed)]
    return " · ".join([*told, *_order(said, own, parsed.plan), *_not_read(said.title, step.id, today)])


def _order(said: StepLine, own: Sequence[str], plan: Plan) -> Iterator[str]:
    """Yield what a step follows by the order of the lines, or stands beside."""
    rules = {field.rule for field in said.said}
    step = plan.steps[-1]
    beside = [one for one in plan.steps[:-1] if one.parent == step.parent]
    if rules & {"needs", "needs_numbers", "needs_none"} or not (own and beside):
        needs = FIELDS[Step]["Needs"].of(step)
        yield from (f"needs {needs}",) if needs else ("needs nothing",) if "needs_none" in rules else ()
    elif "together" in rules:
        yield f"together with {beside[-1].id}"
    elif step.needs:
        yield f"after {FIELDS[Step]['Needs'].of(step)}"


def _told(step: Step, *, is_assumed: bool) -> Iterator[str]:
    fields = FIELDS[Step]
    effort = fields["Effort"].of(step)
    if effort:
        yield f"{effort}, assumed" if is_assumed else effort
    if step.owners:
        yield ", ".join(step.owners)
    for label, form in _FIELDS.items():
        if text := fields[label].of(step):
            day = plannable_day(text)
            yield form.format(spoken_day(day) if day else text)


def _not_read(title: str, name: str, today: date) -> Iterator[str]:
    """Yield what in a title looks like fields, and the words behind them that ended those."""
    found = list(_fields_in(title, today))
    again = [title[start:end] for start, end in found if _is_rule(title[start:end], today)]
    words = [f"“{title[start:end]}”" for start, end in found if title[start:end] not in again]
    if words:
        tail = title[found[-1][1] :].strip(" ,;")
        why = f"and “{shorten(tail, 40)}” is no field" if tail else "each once"
        yield f"not read: {', '.join(words)} (fields stand at the end, {why})"
    yield from (f"“{one}” can be said afterwards: repeat {name} {one}" for one in again)


def _fields_in(title: str, today: date) -> Iterator[tuple[int, int]]:
    """Yield where something begins and ends that would be a field at the end of the line."""
    words = [match.span() for match in _WORD.finditer(title)]
    at = 1
    while at < len(words):
        ends = range(min(len(words), at + _MOST_WORDS), at, -1)
        start = words[at][0]
        width = next((end - at for end in ends if _is_field(title[start : words[end - 1][1]].rstrip(",;"), today)), 0)
        if width:
            yield start, words[at + width - 1][1]
        at += width or 1


def _is_field(text: str, today: date) -> bool:
    said = fields_of(text, today)
    return (len(said) == 1 and said[0].rule in _TELLING) or _is_rule(text, today)


def _is_rule(text: str, today: date) -> bool:
    return read_whole("EVERY", plain_text(text), today) is not None
