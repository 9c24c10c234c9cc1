"""What a person wants different: dates, limits, owners, lengths, order, names, or the thing itself.

deadline · start · budget          reach as far as their dates and sums are quoted
owner · length · order · split · merge · name · likelihood     one or two items
anything else                      is taken into the item it speaks of, in the person's words
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import msgspec

from workbench.domain.loop.tasks import Feedback
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Item, Level, Plan, Risk, Step
from workbench.guided.adding import add_constraint, length_in
from workbench.guided.amounts import find_amounts
from workbench.guided.dates import find_dates
from workbench.guided.editing import (
    drop_item,
    item_of,
    log_decision,
    next_id,
    put_item,
    renewed_addition,
    replace_item,
    with_steps,
)
from workbench.guided.feedback import Subject, as_title, subject_of, words_of
from workbench.guided.limits import deadline_of
from workbench.guided.reading import deadline_in
from workbench.guided.setting import Setting
from workbench.guided.timing import scaled_effort
from workbench.guided.wording import capital

Result = tuple[Plan, str, date | None]
_Change = Callable[[Plan, Feedback, Subject, Setting], Result | None]


def change(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result:
    """Change what the feedback speaks of, and log it."""
    for attempt in _ATTEMPTS:
        result = attempt(plan, said, subject, setting)
        if result is not None:
            changed, note, start = result
            return log_decision(changed, capital(note), f"Asked for in {said.id}.", (said.id,)), note, start
    return plan, "Nothing in the plan is meant by this; please name the step or the section.", None


# ── dates and limits ──────────────────────────────────────────────────────────────────────────────────────────────────


def _deadline(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    if isinstance(subject.item, Step) or not re.search(
        r"\b(?:deadline|due|finish(?:ed)?|done|ready|until|till|have\s+to\s+be|end\s+date|target\s+date|the\s+date)\b",
        said.text,
        re.IGNORECASE,
    ):
        return None
    moments = find_dates(said.text, setting.today)
    if not moments:
        return None
    moment = next((one for one in reversed(moments) if one.role == "deadline"), moments[-1])
    if (
        re.search(r"\b(?:not|instead\s+of|rather\s+than)\s+(?:\w+\s+){0,2}$", said.text[: moment.start])
        and len(moments) > 1
    ):
        moment = next(one for one in moments if one != moment)
    old_day = deadline_of(plan, setting.today)
    text = f"By {moment.text} ({moment.day.isoformat()})"
    old = next((one for one in _constraints(plan) if old_day and deadline_in_one(one, setting) == old_day), None)
    if old is None:
        plan, constraint_id = add_constraint(plan, text, setting.today)
    else:
        constraint_id = old.id
        new = msgspec.structs.replace(old, text=f"{text}; this replaces “{old.text}”")
        plan = _reworded(plan, old, new)
    plan = _with_due(plan, old_day, moment.limit)
    return plan, f"the deadline is {moment.limit.isoformat()} now ({constraint_id}).", None


def deadline_in_one(constraint: Constraint, setting: Setting) -> date | None:
    """Return the last day that a single constraint allows."""
    return deadline_in((constraint.text,), setting.today)


def _constraints(plan: Plan) -> list[Constraint]:
    return [item for item in plan.items if isinstance(item, Constraint)]


def _with_due(plan: Plan, old: date | None, new: date) -> Plan:
    """Return the plan whose criteria are due on the new day, and whose pre-mortem looks back from it."""
    for item in plan.items:
        if isinstance(item, Criterion) and (old is None or item.due in {None, old.isoformat()}):
            plan = replace_item(plan, msgspec.structs.replace(item, due=new.isoformat()))
    risks = plan.section("risks")
    if risks is not None and old is not None:
        renewed = msgspec.structs.replace(risks, text=risks.text.replace(old.isoformat(), new.isoformat(), 1))
        plan = msgspec.structs.replace(
            plan, sections=tuple(renewed if section is risks else section for section in plan.sections)
        )
    return plan


def _start(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    if not re.search(r"\b(?:start|begin|kick\s*off)\w*\b", said.text, re.IGNORECASE):
        return None
    moments = find_dates(said.text, setting.today)
    if not moments:
        return None
    moment = moments[0]
    if isinstance(subject.item, Step) and subject.named:
        return None
    day = moment.day if moment.exact or moment.role == "start" else moment.day.replace(day=1)
    plan, constraint = add_constraint(plan, f"Start on {day.isoformat()} ({day.isoformat()})", setting.today, 0)
    return plan, f"the work starts on {day.isoformat()} ({constraint}).", day


def _budget(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    if isinstance(subject.item, Step) and subject.named:
        return None
    amounts = [one for one in find_amounts(said.text) if one.kind in {"money", "number"}]
    if not amounts or not re.search(r"\b(?:budget|cost|spend|money|price|pay)\w*\b", said.text, re.IGNORECASE):
        return None
    new_amount = next(
        (one for one in amounts if not re.search(r"\b(?:not|instead\s+of|than)\s+$", said.text[: one.start])),
        amounts[0],
    )
    old = next((one for one in _constraints(plan) if _sums(one.text)), None)
    if old is None:
        plan, constraint_id = add_constraint(plan, f"Budget: {new_amount.text}", setting.today)
        return plan, f"the budget is {new_amount.text} ({constraint_id}).", None
    old_amount = _sums(old.text)[0]
    new = msgspec.structs.replace(old, text=old.text.replace(old_amount, new_amount.text, 1))
    plan = _reworded(plan, old, new)
    for item in plan.items:
        if isinstance(item, Criterion) and old_amount in item.target:
            changed = msgspec.structs.replace(item, target=item.target.replace(old_amount, new_amount.text))
            plan = replace_item(plan, changed)
    return plan, f"{old.id} says {new_amount.text} instead of {old_amount} now.", None


def _sums(text: str) -> list[str]:
    return [one.text for one in find_amounts(text) if one.kind == "money"]


def _reworded(plan: Plan, old: Constraint, new: Constraint) -> Plan:
    """Return the plan with a constraint reworded wherever it is quoted."""
    plan = replace_item(plan, new)
    for item in plan.items:
        if isinstance(item, Step) and old.id in item.answers:
            plan = replace_item(plan, renewed_addition(item, old, new))
        elif isinstance(item, Risk) and old.id in item.answers:
            plan = replace_item(plan, msgspec.structs.replace(item, text=item.text.replace(old.text, new.text)))
        elif isinstance(item, Criterion) and item.text == f"Kept throughout: {old.text}":
            plan = replace_item(plan, msgspec.structs.replace(item, text=f"Kept throughout: {new.text}"))
    return plan


# ── one item ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_NAME = r"(?P<who>[A-Z][\w.'’-]+(?:\s+[A-Z][\w.'’-]+)?)"
_OWNERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:done|owned|led|handled|taken\s+over|carried\s+out|run|managed)\s+by\s+(?:our\s+|the\s+|my\s+)?{_NAME}",
        rf"\b(?:[Aa]ssign|[Hh]and|[Gg]ive|[Pp]ass)\s+(?:.+?)\s+(?:over\s+)?to\s+{_NAME}",
        rf"\b[Ll]et\s+{_NAME}\s+(?:do|own|take|lead|handle)",
        (
            rf"(?:^|\b(?:[Oo]ur|[Mm]y|[Tt]he)\s+(?:\w+\s+)?|[,;]\s*){_NAME}(?:,\s*not\s+[^,]+,)?\s+"
            r"(?:is\s+responsible|is\s+in\s+charge|owns|leads|takes\s+over|takes\s+care|should\s+(?:do|own|lead|take)|"
            r"will\s+(?:do|own|lead|take|handle)|does)\b"
        ),
        rf"\b(?:owner|responsible)\s+(?:of\s+\w+\s+)?(?:is|should\s+be|:)\s*{_NAME}",
    )
)


def _owner(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    match = next((found for pattern in _OWNERS if (found := pattern.search(said.text)) is not None), None)
    step = subject.item
    if match is None or not isinstance(step, Step) or re.fullmatch(r"[SCKRDQB]\d+", match["who"]):
        return None
    who = match["who"].rstrip(".")
    plan = replace_item(plan, msgspec.structs.replace(step, owner=who))
    return plan, f"{who} owns {step.id} now, instead of {step.owner or 'nobody'}.", None


def _length(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    step = subject.item
    parts = re.split(r"\b(?:instead\s+of|rather\s+than|,?\s*not)\b", said.text, maxsplit=1)
    effort = length_in(parts[0], last=True) or length_in(said.text)
    if effort is None or not isinstance(step, Step):
        return None
    before = f"{step.effort.likely:g}" if step.effort else "no estimate"
    plan = replace_item(plan, msgspec.structs.replace(step, effort=effort))
    return plan, f"{step.id} takes {effort.likely:g} working days now, instead of {before}.", None


def _order(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del subject, setting
    match = re.search(
        r"(?P<one>.+?)\s+(?P<how>before|after|behind|in\s+front\s+of|ahead\s+of)\s+(?P<other>.+)",
        said.text,
        re.IGNORECASE,
    )
    if match is None:
        return None
    one, other = (subject_of(match[part], plan, "steps").item for part in ("one", "other"))
    if not isinstance(one, Step) or not isinstance(other, Step) or one.id == other.id:
        return None
    first, second = (one, other) if match["how"].lower() in {"before", "in front of", "ahead of"} else (other, one)
    return _put_before(plan, first, second), f"{first.id} comes before {second.id} now.", None


def _put_before(plan: Plan, first: Step, second: Step) -> Plan:
    """Return the plan in which ``second`` needs ``first``; what led from second to first is turned around."""
    steps = {step.id: step for step in plan.steps}
    between = _leads_to(steps, second.id, first.id)
    if between:
        steps[first.id] = msgspec.structs.replace(
            first,
            needs=tuple(
                dict.fromkeys(
                    [need for need in first.needs if need not in between]
                    + [n for n in second.needs if n not in between]
                )
            ),
        )
    kept = [need for need in second.needs if not (between and need in first.needs)]
    steps[second.id] = msgspec.structs.replace(second, needs=tuple(dict.fromkeys([*kept, first.id])))
    return with_steps(plan, steps)


def _leads_to(steps: dict[str, Step], start: str, end: str) -> set[str]:
    """Return the steps on the ways from ``start`` to ``end``, both included; empty where there is none."""

    def reaches(step: str) -> bool:
        return step == start or any(reaches(need) for need in steps[step].needs if need in steps)

    return {step for step in steps if reaches(step) and _is_before(steps, step, end)} if reaches(end) else set()


def _is_before(steps: dict[str, Step], step: str, end: str) -> bool:
    return step == end or any(_is_before(steps, step, need) for need in steps[end].needs if need in steps)


def _split(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    if not re.search(r"\b(?:split|divide|break)\b", said.text, re.IGNORECASE) or not isinstance(subject.item, Step):
        return None
    plan, second = split_step(plan, subject.item)
    return plan, f"{subject.item.id} is split: {second} is its second part.", None


def split_step(plan: Plan, step: Step) -> tuple[Plan, str]:
    """Return the plan with a step in two halves, the second under a new id, and that id."""
    second_id = next_id(plan, "S")
    half = scaled_effort(step.effort, 0.5) if step.effort else None
    first = msgspec.structs.replace(
        step,
        title=f"{step.title}: first half",
        outcome=f"Half of it, and what was learned from it: {_lower(step.outcome)}",
        check=f"Shown to the owner of the next step, who names what the second half must do differently ({second_id})",
        effort=half,
        answers=(),
    )
    second = msgspec.structs.replace(
        step, id=second_id, title=f"{step.title}: second half", needs=(step.id,), effort=half
    )
    following = next((one.id for at, one in enumerate(plan.steps) if at and plan.steps[at - 1].id == step.id), "")
    waiting = {
        one.id: msgspec.structs.replace(one, needs=tuple(second_id if need == step.id else need for need in one.needs))
        for one in plan.steps
        if step.id in one.needs
    }
    plan = put_item(replace_item(plan, first), "steps", second, before=following)
    return with_steps(plan, waiting), second_id


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _merge(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del subject, setting
    if not re.search(r"\b(?:merge|combine|join)\b", said.text, re.IGNORECASE):
        return None
    named = [item for name in re.findall(r"\b(S\d+)\b", said.text) if (item := item_of(plan, name)) is not None]
    if len(named) < 2 or not isinstance(named[0], Step) or not isinstance(named[1], Step):
        return None
    return merge_steps(plan, named[0], named[1]), f"{named[1].id} is part of {named[0].id} now.", None


def merge_steps(plan: Plan, kept: Step, gone: Step) -> Plan:
    """Return the plan in which one step does what two did, under the id of the first."""
    effort = (
        Effort(
            low=kept.effort.low + gone.effort.low,
            likely=kept.effort.likely + gone.effort.likely,
            high=kept.effort.high + gone.effort.high,
        )
        if kept.effort and gone.effort
        else kept.effort or gone.effort
    )
    needs = tuple(dict.fromkeys(need for need in (*kept.needs, *gone.needs) if need not in {kept.id, gone.id}))
    merged = msgspec.structs.replace(
        kept,
        title=f"{kept.title}, and {_lower(gone.title)}",
        outcome=f"{kept.outcome}; {_lower(gone.outcome)}",
        check=f"{kept.check}; {_lower(gone.check)}",
        needs=needs,
        effort=effort,
        answers=tuple(dict.fromkeys((*kept.answers, *gone.answers))),
    )
    steps = [merged if step.id == kept.id else step for step in plan.steps]
    rest = {
        step.id: msgspec.structs.replace(
            step,
            needs=tuple(
                dict.fromkeys(
                    kept.id if need == gone.id else need
                    for need in step.needs
                    if (kept.id if need == gone.id else need) != step.id
                )
            ),
        )
        for step in steps
        if step.id != gone.id
    }
    return with_steps(drop_item(plan, gone.id), rest)


def _rename(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    match = re.search(
        r"\b(?:rename|call|change)\s+(?:.+?)\s+(?:to|into|as)?\s*[:]?\s*[\"“'‘«](?P<name>[^\"”'’»]{2,120})[\"”'’»]|"
        r"\brename\s+(?:.+?)\s+(?:to|into|as)\s+(?P<plain>.{2,120})$|\bshould\s+be\s+called\s+(?P<called>.{2,120})$",
        said.text.strip(" ."),
        re.IGNORECASE,
    )
    item = subject.item
    if match is None or item is None:
        return None
    name = capital((match["name"] or match["plain"] or match["called"]).strip(" .\"“”'"))
    renamed = (
        msgspec.structs.replace(item, title=name)
        if isinstance(item, Step)
        else msgspec.structs.replace(item, text=name)
    )
    return replace_item(plan, renamed), f"{item.id} is called “{name}” now.", None


_LEVELS: tuple[Level, ...] = ("low", "medium", "high")


def _level(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    risk = subject.item
    if not isinstance(risk, Risk):
        return None
    is_impact = re.search(r"\b(?:impact|severe|serious|harm|worse|bad)\w*\b", said.text, re.IGNORECASE) is not None
    named = re.search(r"\b(low|medium|high)(?:er)?\b", said.text, re.IGNORECASE)
    now = _LEVELS.index(risk.impact if is_impact else risk.likelihood)
    if re.search(
        r"\b(?:less|not|un)\s*(?:very\s+|so\s+)?likely\b|\blower\b|\bless\b|\btoo\s+high\b|\brarely\b",
        said.text,
        re.IGNORECASE,
    ):
        level = _LEVELS[max(0, now - 1)]
    elif re.search(
        r"\b(?:more|very|quite)\s+likely\b|\bhigher\b|\bworse\b|\btoo\s+low\b|\bmore\b", said.text, re.IGNORECASE
    ):
        level = _LEVELS[min(2, now + 1)]
    elif named is not None:
        level = next(one for one in _LEVELS if one == named[1].lower())
    else:
        return None
    field = "impact" if is_impact else "likelihood"
    changed = (
        msgspec.structs.replace(risk, impact=level) if is_impact else msgspec.structs.replace(risk, likelihood=level)
    )
    return replace_item(plan, changed), f"the {field} of {risk.id} is {level} now, instead of {_LEVELS[now]}.", None


_SWAP = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:replace|swap|exchange|switch)\s+(?P<old>.+?)\s+(?:with|by|for)\s+(?P<new>.+)",
        (
            r"\binstead\s+of\s+(?P<old>.+?),?\s+(?:i|we)(?:['’]d|\s+would)?\s+(?:rather\s+|like\s+to\s+|want\s+to\s+|should\s+)*"
            r"(?P<new>.+)"
        ),
        r"^(?P<new>.+?)\s+(?:instead\s+of|rather\s+than)\s+(?P<old>.+)",
        r"^(?:use|take|choose|do)\s+(?P<new>.+?)\s+instead$",
    )
)


def _swap(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    text = " ".join(said.text.split()).strip(" .!")
    match = next((found for pattern in _SWAP if (found := pattern.search(text)) is not None), None)
    if match is None:
        return None
    old = match.groupdict().get("old") or ""
    meant = subject_of(old, plan, said.section).item if old else None
    item = meant or subject.item or _nearest(plan, said.text)
    new = match["new"].strip(" .,")
    if item is None:
        return None
    if not isinstance(item, Step):
        return (
            replace_item(plan, msgspec.structs.replace(item, text=capital(new))),
            f"{item.id} says “{new}” now.",
            None,
        )
    additions = "".join(re.findall(r"; K\d+ is kept: “[^”]*”(?:, \d{4}-\d\d-\d\d)?", item.check))
    changed = msgspec.structs.replace(
        item,
        title=as_title(new),
        outcome=f"In place, as asked for: {new}",
        check=f"The person who asked for it ({said.id}) has seen the result and agrees{additions}",
        answers=(*item.answers, said.id),
    )
    return replace_item(plan, changed), f"{item.id} was “{item.title}” and is “{changed.title}” now.", None


def _faster(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    del setting
    shorter = re.search(
        r"\b(?:too\s+long|too\s+slow|faster|shorter|quicker|shorten|speed\s+up|cut)\b", said.text, re.IGNORECASE
    )
    longer = re.search(
        r"\b(?:too\s+(?:short|tight|optimistic|fast|ambitious)|longer|more\s+time|slower|extend)\b",
        said.text,
        re.IGNORECASE,
    )
    if shorter is None and longer is None:
        return None
    factor = 0.8 if shorter else 1.25
    meant = subject.item if isinstance(subject.item, Step) else None
    steps = {
        step.id: msgspec.structs.replace(step, effort=scaled_effort(step.effort, factor))
        for step in plan.steps
        if step.effort and (meant is None or step.id == meant.id)
    }
    what = meant.id if meant else "every step"
    return with_steps(plan, steps), f"the estimate of {what} is {factor:.0%} of what it was.", None


def _as_said(plan: Plan, said: Feedback, subject: Subject, setting: Setting) -> Result | None:
    """Take a change that no rule knows into the item it speaks of, in the person's words."""
    item = subject.item or _nearest(plan, said.text)
    text = " ".join(said.text.split()).strip(" .!")
    if item is None:
        return None
    if isinstance(item, Step):
        changed: Item = msgspec.structs.replace(
            item, outcome=f"{item.outcome}; as asked in {said.id}: {text}", answers=(*item.answers, said.id)
        )
    elif isinstance(item, Constraint):
        changed = msgspec.structs.replace(item, text=f"{item.text}; {text} ({said.id})")
        plan = _reworded(plan, item, changed)
    else:
        changed = msgspec.structs.replace(item, text=f"{item.text.rstrip('.')}; as asked in {said.id}: {text}.")
    del setting
    return replace_item(plan, changed), f"{item.id} “{words_of(item)}” takes this in: {text}.", None


def _nearest(plan: Plan, text: str) -> Step | None:
    """Return the step that shares most words with a text, the last but one where none does."""
    item = subject_of(text, plan, "steps").item
    if isinstance(item, Step):
        return item
    return plan.steps[max(0, len(plan.steps) - 2)] if plan.steps else None


_ATTEMPTS: tuple[_Change, ...] = (
    _rename,
    _split,
    _merge,
    _owner,
    _deadline,
    _start,
    _budget,
    _order,
    _level,
    _length,
    _swap,
    _faster,
    _as_said,
)
