"""The first plan: a core's steps, what the person's words add to them, limits, and nothing besides.

Brief ─▶ core's steps ─┐
parts of sentences ────┼─▶ Work ─▶ days ─▶ Step*        parts.py, placement.py
days, amounts, people ─┘                                quantities.py
what is left over ─▶ questions                          questions.py
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.loop.tasks import Approach
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Effort, Item, Origin, Plan, Question, Risk, Section, Step, WorkingTime
from workbench.domain.plan.schedule import Schedule, WorkTimes, dated, schedule
from workbench.domain.text.cleaning import shorten
from workbench.guided import patterns
from workbench.guided.account import account_of
from workbench.guided.approaches import ENOUGH_TOLD, way_of
from workbench.guided.brief import Brief
from workbench.guided.draft import Draft, origin_of, with_ids
from workbench.guided.kinds import ASKS
from workbench.guided.parts import SEEN, TELL
from workbench.guided.phrases import capital
from workbench.guided.placement import place_parts, tell
from workbench.guided.quantities import take_quantities
from workbench.guided.questions import VAGUE, Asked, questions_of, raised
from workbench.guided.work import YOU, Work, best_match, core_work, needing, steps_of, unknown_after, with_leads

MOST_RISKS = 3


def compose(brief: Brief, approach: Approach | None = None, imported: Sequence[Step] = ()) -> Plan:
    """Return the first plan of a session. ``imported``: steps of a proposal, which stand in place of a core's."""
    has_steps = brief.core and not imported and not (brief.is_vague or brief.is_impossible) and brief.language == "en"
    work = core_work(brief.core, way_of(approach, brief.core), brief) if has_steps and brief.core else []
    tight = _tight(brief, work, day_of(brief.day.fact.value.first) if brief.day else None, WorkTimes())
    if tight.startswith(_SHORTEST) and brief.core and not brief.choice.confirmed:
        tight = tight.replace("the steps take", f"the usual steps of {brief.core.name} take")
        brief, work = msgspec.structs.replace(brief, choice=replace(brief.choice, core=None)), []
    usual: list[Work] = []
    if len(brief.told_steps) >= ENOUGH_TOLD and not imported:
        brief = msgspec.structs.replace(brief, choice=replace(brief.choice, core=None, confirmed=True))
        usual, work, tight = work, [], ""
    draft = Draft(brief, tuple(imported), work)
    if brief.language != "en":
        tell(draft)
    elif not brief.is_vague:
        place_parts(draft)
    _note_answers(draft)
    take_quantities(draft)
    _add_criterion(draft)
    missed = [one.title for one in usual if best_match(one.title, draft.work, least=1) is None]
    return _assembled(draft, approach, "" if draft.work and brief.core else tight, missed)


def _add_criterion(draft: Draft) -> None:
    """Say how success is seen, where the core or an answer says it."""
    brief = draft.brief
    if brief.told_steps and brief.main:
        draft.credit_main(brief.main)
    better, seen = brief.answer_to(VAGUE["better"]), brief.answer_to(VAGUE["see"])
    if told := brief.answer_to(SEEN):
        ids = [one.id for one in brief.facts if brief.is_seen(one.source)]
        draft.acted |= set(ids)
        ids += [brief.main.id] if brief.main else []
        draft.measure(brief.title, told, "as you said", Origin("answer", " ".join(ids)))
        return
    if better:
        draft.measure(better, seen, seen, Origin("answer"))
    elif brief.core and not (draft.criteria or draft.imported or brief.is_vague) and brief.language == "en":
        origin = origin_of(brief.main) if brief.main else Origin("goal")
        draft.measure(brief.title, brief.fill(brief.core.measure), brief.core.target, origin)


def _note_answers(draft: Draft) -> None:
    """Keep whole every answer of which something became neither a step nor a limit; a short one with its question."""
    brief = draft.brief
    placed = {part.stated.source for part in brief.parts} | {one.source for one in brief.told_steps}
    for number, answered in enumerate(brief.answers, 1):
        source, said = f"A{number}", answered.answer.strip()
        is_open = source in draft.unplaced or source not in placed
        is_day = patterns.WHEN.search(answered.question) and len(said.split()) <= _MERE_DAY
        if answered.question.startswith(ASKS):
            draft.acted |= {one.id for one in brief.facts if one.source == source}
            is_open = len(said.split()) > _SAYS_WHAT_FOR
        if not said or answered.question == SEEN or is_day or not is_open:
            continue
        ids = [one.id for one in brief.facts if one.source == source]
        lead = f"{answered.question} " if brief.language == "en" and len(said.split()) < _SAYS_WHAT_FOR else ""
        draft.acted |= set(ids)
        draft.note(f"{lead}{capital(' '.join(said.split()))}", Origin("answer", " ".join(ids) or source))


_SAYS_WHAT_FOR, _MERE_DAY = 5, 9
"""Words of an answer from which on it needs no question beside it; words of a day."""


def _assembled(draft: Draft, approach: Approach | None, usual: str, missed: Sequence[str]) -> Plan:
    """``usual``: why the usual steps do not fit, where they were left out for that; ``missed``: as in questions."""
    brief, left = draft.brief, draft.left()
    steps, calendar, tight = _scheduled(draft)
    tight = usual or tight
    asked = questions_of(brief, left, tuple(raised(tight, missed, draft.untold, draft.unsettled)))
    questions = _questions(brief, [one for one in asked if not (draft.practice and TELL in one.text)])
    goal = "\n".join(f"> {line}" for line in brief.goal.splitlines() if line.strip()) or "> (nothing was said)"
    times = (*calendar, *draft.days_off, *draft.people.values())
    notes = {
        kind: tuple(one for one in draft.notes if one.origin and (one.origin.kind == "answer") == kind)
        for kind in (True, False)
    }
    sections = (
        Section(id="goal", title="Goal", text=goal),
        Section(id="approach", title="Approach", text=account_of(draft, approach, questions, tight)),
        Section(id="criteria", title="Success criteria", items=with_ids(draft.criteria)),
        Section(id="constraints", title="Constraints", items=tuple(draft.constraints)),
        Section(id="answers", title="What you answered", items=notes[True]),
        Section(id="notes", title="What you said besides", items=notes[False]),
        Section(id="calendar", title="Calendar and people", items=times),
        Section(id="steps", title="Steps", items=steps),
        Section(id="risks", title="Risks", items=_risks(draft)),
        Section(id="questions", title="Open questions", items=questions),
    )
    return Plan(title=brief.title, sections=tuple(one for one in sections if one.items or one.text))


def _questions(brief: Brief, asked: Sequence[Asked]) -> tuple[Question, ...]:
    source = brief.core.id if brief.core else "questions"
    return tuple(
        Question(
            id=f"Q{number}",
            text=one.text,
            assumption=one.assumption,
            owner=YOU,
            origin=Origin("goal", " ".join(one.facts)) if one.facts else Origin("practice", source),
        )
        for number, one in enumerate(asked, 1)
    )


def _risks(draft: Draft) -> tuple[Risk, ...]:
    brief, core = draft.brief, draft.brief.core
    if core is None or draft.imported or brief.is_vague:
        return ()
    return tuple(
        Risk(
            id=f"R{number}",
            text=brief.fill(risk.text),
            sign=brief.fill(risk.sign),
            response=brief.fill(risk.response),
            origin=Origin("practice", core.id),
        )
        for number, risk in enumerate(core.risks[:MOST_RISKS], 1)
    )


def _scheduled(draft: Draft) -> tuple[tuple[Step, ...], tuple[Item, ...], str]:
    """Return the steps with the dates that can be known, how they were scheduled, and why the time does not suffice.

    An event is planned back from its day. Nothing has a date after a step whose length nobody knows: it and what
    comes after it have the last day on which they still are in time.
    """
    if draft.imported:
        return draft.imported, (), ""
    brief, work = draft.brief, draft.work
    times = WorkTimes.of(Plan(title="", sections=(_section((*draft.days_off, *draft.people.values())),)))
    if brief.core and brief.core.event and brief.day is None:
        return steps_of(work), (), ""  # all is for a day that nobody has named yet
    main = next((one for one in work if one.on and one.day), None)
    loose = {one.key for one in work if not (draft.practice or one.has_a_place)}
    day, unknown = day_of(main.on) if main else None, unknown_after(work, loose)
    after = needing(work, main.key) if main else frozenset()
    known = [one for one in work if one.key not in unknown and one.key not in after]
    try:
        if day is not None:
            work = with_leads(work, [one for one in known if one is not main], day, brief.today, times)
            known = [one for one in work if one.key not in unknown and one.key not in after]
        planned = schedule(steps_of(known), start=brief.today, deadline=brief.deadline, times=times)
        tight = _tight(brief, known, day, times)
        calendar: tuple[Item, ...] = ()
        is_held = any(one.key in unknown and not unknown.issuperset(one.needs) and one.needs for one in work)
        waits = is_held and any(one.lead is None and one.key not in unknown for one in known if one is not main)
        if day is not None and not waits and _end_before(planned, main, known) <= day:
            backward = WorkTimes(times.own, times.people, backward=True)
            planned = schedule(steps_of(known), start=brief.today, deadline=day, times=backward)
            text = f"Planned back from {day:%A}, {day.day} {day:%B %Y}"
            calendar = (WorkingTime(id="W1", text=text, backward=True, origin=Origin("calculated")),)
        dates = dict(zip((one.key for one in known), _dates(known, planned), strict=True))
        if day is not None and after:
            rest = [one for one in work if one.key in after and one.key not in unknown]
            later = schedule(
                steps_of(rest), start=(brief.last_day or day) + timedelta(days=1), deadline=None, times=times
            )
            dates |= dict(zip((one.key for one in rest), _dates(rest, later), strict=True))
        last = _last_days(brief, work, unknown, times)
        ahead = {key: day.isoformat() for key, day in last.items() if day >= brief.today and draft.practice}
        tight = tight or _too_late(brief, work)
    except PlanUnsound:
        return steps_of(work), (), ""
    if main and brief.last_day:
        dates[main.key] = (dates[main.key][0], brief.last_day.isoformat())
    return (
        tuple(
            msgspec.structs.replace(step, start=start, end=end, deadline=step.deadline or ahead.get(one.key))
            for one, step in zip(work, steps_of(work), strict=True)
            for start, end in [dates.get(one.key, (None, None))]
        ),
        calendar,
        tight,
    )


def _dates(work: Sequence[Work], planned: Schedule) -> list[tuple[str | None, str | None]]:
    steps = dated(Plan(title="", sections=(_section(steps_of(work)),)), planned).steps
    return [(step.start, step.end) for step in steps]


def _end_before(planned: Schedule, main: Work | None, work: Sequence[Work]) -> date:
    """Return when all is ready for the step that all is for."""
    rows = zip(work, planned.rows, strict=True)
    return max((row.end for one, row in rows if main is None or one.key != main.key), default=date.min)


def _tight(brief: Brief, work: Sequence[Work], day: date | None, times: WorkTimes) -> str:
    """Return why the time does not suffice, by the shortest efforts or the likely ones; "" where it does."""
    limit = day or brief.deadline
    main = next((one for one in work if one.on and one.day), None)
    if limit is None or limit < brief.today or not work:
        return ""
    shortest = [replace(one, effort=one.effort and Effort(*(one.effort.low,) * 3)) for one in work]
    for steps, words in ((shortest, _SHORTEST), (work, "By the likely efforts")):
        end = _end_before(schedule(steps_of(steps), start=brief.today, deadline=None, times=times), main, steps)
        if end > limit:
            return f"{words} the steps take until {end.day} {end:%B %Y}, and {limit.day} {limit:%B} is the last day."
    return ""


_SHORTEST = "Even by the shortest efforts"


def _last_days(brief: Brief, work: Sequence[Work], unknown: Collection[str], times: WorkTimes) -> dict[str, date]:
    """Return by when steps have to end whose dates nobody knows, so that all is done in time."""
    rest, limit = [one for one in work if one.key in unknown], brief.deadline
    if limit is None or limit < brief.today or not rest:
        return {}
    backward = WorkTimes(times.own, times.people, backward=True)
    free = steps_of([replace(one, not_before=None) for one in rest])
    planned = schedule(free, start=date.min.replace(year=limit.year - 5), deadline=limit, times=backward)
    return {one.key: row.end for one, row in zip(rest, planned.rows, strict=True)}


def _too_late(brief: Brief, work: Sequence[Work]) -> str:
    """Return which told step is only possible after the last day; "" for none."""
    limit = brief.deadline
    after = next((one for one in work if limit and (one.on or one.not_before or "") > limit.isoformat()), None)
    day = day_of(after.on or after.not_before) if after else None
    if after is None or day is None or limit is None or limit < brief.today or not brief.told_steps:
        return ""
    last_day = f"{limit.day} {limit:%B %Y} is the last day"
    return f"“{shorten(after.title, 60)}” is not before {day.day} {day:%B %Y}, and {last_day}."


def _section(items: Sequence[Item]) -> Section:
    return Section(id="items", title="", items=tuple(items))
