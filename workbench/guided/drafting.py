"""The first plan: every section drafted from the setting, the steps from the chosen approach.

    Setting + Approach or proposal ─▶ Outline (steps, what is elastic, optional, the proof) ─▶ timing ─▶ Step*
                                                                                                │
    goal · criteria · constraints · scope · approach · assumptions · steps
    schedule · actions · risks · decisions · questions

A constraint becomes an item K1, K2, … and is answered by the step in which it shows whether it holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

import msgspec

from workbench.domain.loop.tasks import PlanTask
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Effort,
    Plan,
    Question,
    Risk,
    Section,
    Step,
)
from workbench.guided import proposals
from workbench.guided.approaches import strategies, strategy_of
from workbench.guided.dates import find_dates, spoken
from workbench.guided.knowledge import ApproachKnowledge, StepKnowledge
from workbench.guided.proposals import Outline
from workbench.guided.questions import assumptions, open_questions
from workbench.guided.rendering import actions_section, schedule_section
from workbench.guided.setting import Setting, read_setting
from workbench.guided.timing import Fit, fit, scheduled, squeeze
from workbench.guided.wording import capital, filled, listed, lower_first, sentence, telling_words

FEWEST_STEPS = 10
"""A strategy of fewer steps is given the weekly look as a step of its own."""
FIRST_RISKS = 5
"""Risks of a first draft; the next iteration adds what else the field knows."""
OFFLINE = (
    "Drafted by the offline guided planner: fixed rules and tables of planning practice, not a language model. "
    "It knows how such work usually goes; what is special about yours, you know better."
)


def draft(task: PlanTask) -> Plan:
    """Return the first plan of a session."""
    setting = read_setting(task.goal, task.today, answers=task.answers, constraints=task.constraints)
    outline = _outline(task, setting)
    constraints = tuple(
        Constraint(id=f"K{number}", text=capital(text)) for number, text in enumerate(setting.brief.constraints, 1)
    )
    fitted = _fitted(outline, setting)
    dated, _ = scheduled(fitted.steps, _start(setting), setting.brief.deadline)
    steps = _answering(dated, constraints, outline, setting)
    plan = Plan(
        title=setting.brief.objective.title,
        sections=(
            Section(id="goal", title="Goal", text=_goal_text(setting)),
            _criteria(setting, constraints, _finish(steps, setting)),
            *_constraints(constraints),
            _scope(setting),
            _approach(task, outline),
            _assumptions(task, setting),
            Section(id="steps", title="Steps", items=steps),
        ),
    )
    schedule = schedule_section(plan, setting.brief.deadline, squeeze(fitted))
    plan = msgspec.structs.replace(plan, sections=(*plan.sections, schedule))
    actions = actions_section(plan, first_things(setting), setting.today)
    return msgspec.structs.replace(
        plan,
        sections=(
            *plan.sections,
            actions,
            _risks(setting, constraints, outline, steps),
            _decisions(task, setting, outline, fitted),
            _questions(setting),
        ),
    )


def _start(setting: Setting) -> date:
    return setting.brief.begin or setting.today


def _finish(steps: Sequence[Step], setting: Setting) -> str:
    """Return the ISO date that criteria are due: the deadline, else the end of the last step."""
    if setting.brief.deadline is not None:
        return setting.brief.deadline.isoformat()
    return max((step.end or "" for step in steps), default=setting.today.isoformat())


# ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _outline(task: PlanTask, setting: Setting) -> Outline:
    if task.proposal.strip():
        outline = proposals.outline_of_text(task.proposal, setting)
        if outline.steps:
            return outline
    strategy = strategy_of(task.approach, setting)
    if strategy is not None:
        return _outline_of_strategy(strategy, setting)
    return proposals.outline_of_lines(task.approach.outline if task.approach else (), setting)


def _outline_of_strategy(strategy: ApproachKnowledge, setting: Setting) -> Outline:
    """Return a strategy's steps with ids, needs and the goal's words."""
    known = next(one for one in setting.field.approaches if one.flow == strategy.flow)
    parsed = [_flow_line(line) for line in known.flow]
    tables = {**setting.field.steps, _LOOK: WEEKLY_LOOK}
    if len(parsed) < FEWEST_STEPS:
        first, last = parsed[0], parsed[-1]
        parsed = [first, (_LOOK, [first[0]], True), *parsed[1:-1], (last[0], [*(last[1] or []), _LOOK], last[2])]
    ids = {key: f"S{number}" for number, (key, _, _) in enumerate(parsed, 1)}
    steps: list[Step] = []
    before = ""
    for key, needs, _ in parsed:
        needed = needs if needs is not None else ([before] if before else [])
        steps.append(known_step(tables[key], setting, ids[key], tuple(ids[one] for one in needed)))
        before = key
    return Outline(
        steps=tuple(steps),
        elastic=frozenset(ids[key] for key, _, _ in parsed if tables[key].elastic),
        optional=frozenset(ids[key] for key, _, optional in parsed if optional),
        day=next((ids[key] for key, _, _ in parsed if tables[key].day), ""),
        proof=ids[known.proof],
        strategy=strategy,
    )


def _flow_line(line: str) -> tuple[str, list[str] | None, bool]:
    """Read ``key?: needed needed`` into key, needs (None: the step above), and whether it can be left out."""
    head, colon, needs = line.partition(":")
    return head.rstrip("?"), needs.split() if colon else None, head.endswith("?")


_LOOK = "weekly look"
WEEKLY_LOOK = StepKnowledge(
    title="Set up a weekly half hour to look at the plan",
    outcome="A fixed half hour with three questions: what is late, which risk came nearer, what is decided today",
    check="It took place twice in a row, and what was decided is in the decision log",
    first="Put the half hour into the calendar, with everybody who owns a step",
    owner="{Decider}",
    stream="Steer",
    days=(0.5, 0.5, 1),
)
"""What a flow of few steps is given besides: the habit that keeps a plan true."""


def known_step(known: StepKnowledge, setting: Setting, step_id: str, needs: tuple[str, ...]) -> Step:
    """Return a step of the tables in the goal's words."""
    low, likely, high = known.days
    return Step(
        id=step_id,
        title=filled(known.title, setting.words),
        outcome=filled(known.outcome, setting.words),
        check=filled(known.check, setting.words),
        owner=filled(known.owner, setting.words),
        effort=Effort(low=low, likely=likely, high=high),
        needs=needs,
        workstream=filled(known.stream, setting.words),
    )


def _fitted(outline: Outline, setting: Setting) -> Fit:
    deadline, start = setting.brief.deadline, _start(setting)
    if deadline is None or deadline <= start:
        return Fit(steps=outline.steps)
    reserve = max(1, (deadline - start).days // 20)
    return fit(
        outline.steps,
        start=start,
        deadline=deadline,
        elastic=outline.elastic,
        optional=outline.optional,
        reserve=reserve,
    )


def _answering(
    steps: Sequence[Step], constraints: Sequence[Constraint], outline: Outline, setting: Setting
) -> tuple[Step, ...]:
    """Return the steps with each constraint answered, and looked at, in one of them."""
    answering = list(steps)
    for constraint in constraints:
        place = place_for(constraint.text, answering, outline.proof)
        answering[place] = with_constraint(answering[place], constraint, setting.today)
    return tuple(answering)


def place_for(text: str, steps: Sequence[Step], proof: str) -> int:
    """Return the place of the step in which a constraint shows: by its words, for dates the last, else the proof."""
    if re.search(r"\(\d{4}-\d\d-\d\d\)", text):
        return _place_of_date(text, steps)
    words = telling_words(text)
    overlaps = [
        len(words & telling_words(f"{step.title} {step.outcome} {step.check}")) * (step.title != WEEKLY_LOOK.title)
        for step in steps
    ]
    if max(overlaps, default=0) >= 1:
        return overlaps.index(max(overlaps))
    if re.search(
        r"[$€£¥₹]|\b(?:budget|euros?|eur|dollars?|usd|pounds?|gbp|cost|spend|chf|francs?)\b", text, re.IGNORECASE
    ):
        for place, step in enumerate(steps):
            if re.search(
                r"budget|cost|price|offer|quote|contract|money|book", f"{step.title} {step.outcome}", re.IGNORECASE
            ):
                return place
        return 0
    return next((place for place, step in enumerate(steps) if step.id == proof), len(steps) - 1)


def _place_of_date(text: str, steps: Sequence[Step]) -> int:
    """Return the place of the step that keeps a date: the first for a beginning, one that ends by then otherwise."""
    if re.search(r"\b(?:start|begin|not before|after)\w*\b", text, re.IGNORECASE):
        return 0
    day = re.search(r"\((\d{4}-\d\d-\d\d)\)", text)
    words = telling_words(text)
    in_time = [place for place, step in enumerate(steps) if day and step.end and step.end <= day[1]]
    if not in_time or len(steps) - 1 in in_time:
        return len(steps) - 1
    return max(in_time, key=lambda place: (len(words & telling_words(steps[place].outcome)), steps[place].end, place))


def with_constraint(step: Step, constraint: Constraint, today: date) -> Step:
    """Return a step that answers a constraint: it is part of what is checked."""
    limit = next(iter(find_dates(re.sub(r"\(\d{4}-\d\d-\d\d\)", "", constraint.text), today)), None)
    quoted = re.sub(r"\s*\((\d{4}-\d\d-\d\d)\)", "", constraint.text)
    when = re.search(r"\((\d{4}-\d\d-\d\d)\)", constraint.text)
    if when is not None and limit is not None and limit.role != "start":
        addition = f"{constraint.id} is kept: “{quoted}”, {when[1]}"
    else:
        addition = f"{constraint.id} is kept: “{quoted}”"
    check = f"{step.check}; {addition}" if step.check else capital(addition)
    return msgspec.structs.replace(step, check=check, answers=(*step.answers, constraint.id))


# ── the other sections ────────────────────────────────────────────────────────────────────────────────────────────────


def _goal_text(setting: Setting) -> str:
    brief = setting.brief
    lines = [f"> {line}" for line in brief.goal.splitlines() if line.strip()] or ["> (nothing was said)"]
    read = [
        f"“{moment.text}” is {spoken(moment.day)}"
        for moment in brief.moments
        if moment.text not in moment.day.isoformat()
    ]
    if read:
        lines += ["", sentence(f"Dates as they were read: {listed(read)}")]
    amounts = list(dict.fromkeys(amount.text for amount in brief.amounts))
    if amounts:
        lines += ["", sentence(f"Amounts to keep in sight: {listed(amounts[:20])}")]
    return "\n".join(lines)


def _criteria(setting: Setting, constraints: Sequence[Constraint], due: str) -> Section:
    items = [
        Criterion(
            id="",
            text=filled(known.text, setting.words),
            measure=filled(known.measure, setting.words),
            target=filled(known.target, setting.words),
            due=due,
        )
        for known in setting.field.criteria
    ]
    if setting.brief.success:
        items.insert(
            0,
            Criterion(
                id="",
                text=capital(setting.brief.success),
                measure=f"asked point by point whether it is so, answered by {setting.the_decider}",
                target="yes to every point",
                due=due,
            ),
        )
    if setting.brief.budget and any(setting.brief.budget in one.text for one in constraints):
        items.append(
            Criterion(
                id="",
                text="The money suffices",
                measure="sum of everything ordered and paid, week by week",
                target=f"within {setting.brief.budget}",
                due=due,
            )
        )
    limits = [one for one in constraints if not re.search(r"\(\d{4}-\d\d-\d\d\)|[$€£]", one.text)]
    items += [
        Criterion(
            id="",
            text=f"Kept throughout: {one.text}",
            measure=f"cases in which {one.id} was not kept",
            target="0",
            due=due,
        )
        for one in limits[:3]
        if setting.brief.budget not in one.text or not setting.brief.budget
    ]
    return Section(
        id="criteria",
        title="Success criteria",
        items=tuple(msgspec.structs.replace(item, id=f"C{number}") for number, item in enumerate(items, 1)),
    )


def _constraints(constraints: Sequence[Constraint]) -> tuple[Section, ...]:
    text = "" if constraints else "The goal names none. What comes up later is added here and answered by a step."
    return (Section(id="constraints", title="Constraints", text=text, items=tuple(constraints)),)


def _scope(setting: Setting) -> Section:
    scope = setting.field.scope
    lines = [
        (priority, filled(text, setting.words))
        for priority, texts in (
            ("must", scope.must),
            ("should", scope.should),
            ("could", scope.could),
            ("won't", scope.wont),
        )
        for text in texts
    ]
    return Section(
        id="scope",
        title="Scope",
        items=tuple(
            Bullet(id=f"B{number}", text=text, priority=priority)  # type: ignore[arg-type]  # the pairs above
            for number, (priority, text) in enumerate(lines, 1)
        ),
    )


def _approach(task: PlanTask, outline: Outline) -> Section:
    if outline.strategy is None:
        title, summary = (task.approach.title, task.approach.summary) if task.approach else ("Your own proposal", "")
        if task.proposal.strip():
            summary = (
                "The steps are those of the proposal this session started from; checks, estimates and dates were added."
            )
        text = f"**{title}.** {summary}"
    else:
        one = outline.strategy
        text = (
            f"**{one.title}.** {one.summary}\n\n"
            f"Fits: {one.fits}\n\n"
            f"The price of it: {'; '.join(lower_first(part) for part in one.drawbacks)}."
        )
    return Section(id="approach", title="Approach", text=f"{text.strip()}\n\n*{OFFLINE}*")


def _assumptions(task: PlanTask, setting: Setting) -> Section:
    stated = list(dict.fromkeys([*task.assumptions, *assumptions(setting)]))
    lines = [sentence(text) for text in stated] + [sentence(f"Answered: {fact}") for fact in setting.brief.facts]
    if setting.brief.capacity:
        lines.append(sentence(f"Time available: {setting.brief.capacity}"))
    first = len(_scope(setting).items) + 1
    return Section(
        id="assumptions",
        title="Assumptions",
        text="If one of these turns out to be wrong, the steps that rest on it are planned anew.",
        items=tuple(Bullet(id=f"B{number}", text=text) for number, text in enumerate(dict.fromkeys(lines), first)),
    )


def first_things(setting: Setting) -> dict[str, str]:
    """Return the first thing to do for each known step, by title."""
    return {
        filled(known.title, setting.words): filled(known.first, setting.words)
        for known in (*setting.field.steps.values(), WEEKLY_LOOK)
    }


def _risks(setting: Setting, constraints: Sequence[Constraint], outline: Outline, steps: Sequence[Step]) -> Section:
    known = [
        field_risk(setting, number, f"R{number + 1}") for number in range(min(FIRST_RISKS, len(setting.field.risks)))
    ]
    proof = next((step for step in steps if step.id == outline.proof), steps[-1])
    broken = [one for one in constraints if not re.search(r"\(\d{4}-\d\d-\d\d\)", one.text)][:2]
    for one in broken:
        answering = next((step for step in steps if one.id in step.answers), proof)
        known.append(
            Risk(
                id=f"R{len(known) + 1}",
                text=f"{one.id} was not kept: “{one.text}”.",
                likelihood="medium",
                impact="high",
                sign=f"The check of {answering.id} fails, or is put off, even once.",
                response=f"Stop at {answering.id}, find the cause and repeat its check; only "
                f"{setting.the_decider} may accept an exception, in writing.",
                answers=(one.id,),
            )
        )
    end = setting.brief.deadline.isoformat() if setting.brief.deadline else max(step.end or "" for step in steps)
    return Section(
        id="risks",
        title="Risks",
        text=f"A pre-mortem: it is {end}, and “{setting.brief.objective.title}” has failed. Looking back, this is why.",
        items=tuple(known),
    )


def field_risk(setting: Setting, number: int, risk_id: str) -> Risk:
    """Return one of the field's risks, counted from 0, in the goal's words."""
    known = setting.field.risks[number]
    return Risk(
        id=risk_id,
        text=filled(known.text, setting.words),
        likelihood=known.likelihood,
        impact=known.impact,
        sign=filled(known.sign, setting.words),
        response=filled(known.response, setting.words),
    )


def _decisions(task: PlanTask, setting: Setting, outline: Outline, fitted: Fit) -> Section:
    decisions = [_choice(task, setting, outline)]
    if fitted.left_out:
        decisions.append(
            Decision(id="D2", text=squeeze(fitted), reason="The deadline leaves no room for the usual length.")
        )
    return Section(id="decisions", title="Decision log", items=tuple(decisions))


def _choice(task: PlanTask, setting: Setting, outline: Outline) -> Decision:
    if task.proposal.strip() and outline.strategy is None:
        return Decision(id="D1", text="Follow the proposal this session started from.", reason="It was given.")
    title = outline.strategy.title if outline.strategy else (task.approach.title if task.approach else "the outline")
    others = [one.title for one in strategies(setting) if one.title != title]
    how = "Chosen at the approach gate." if task.approach else "Nobody chose, so the first approach was taken."
    return Decision(
        id="D1",
        text=f"Approach: {title}.",
        reason=f"{how} Not taken: {listed([f'“{other}”' for other in others])}.",
    )


def _questions(setting: Setting) -> Section:
    return Section(
        id="questions",
        title="Open questions",
        text="" if open_questions(setting) else "None so far: goal and answers say what the plan needs to know.",
        items=tuple(
            Question(id=f"Q{number}", text=question.text, assumption=question.assumption, owner=question.owner)
            for number, question in enumerate(open_questions(setting), 1)
        ),
    )
