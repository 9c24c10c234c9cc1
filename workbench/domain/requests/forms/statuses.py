"""How the work stands: done, begun, so much left, waiting, late. A status changes only where it is said."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import date, timedelta

from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Step
from workbench.domain.plan.schedule import WorkTimes, add_working_days
from workbench.domain.requests.amounts import Span, day_in, days, first_of, past_day, span_in, spans, spoken, without
from workbench.domain.requests.context import Context, listed, not_done_yet, verb
from workbench.domain.requests.form import forms
from workbench.domain.requests.request import Reply, Unclear
from workbench.domain.values.fact import Fact

_LITTLE = re.compile(
    r"(?i)\b(?:since|on|as|of|last|it|that|took|taking|takes|in|after|and|already|now|only|just|about|us|me|him|her|"
    r"them|the|a|this|morning|afternoon|evening|time|instead|not|all|total|so|finally|at|was|end|done|finished|later|"
    r"ago|early|late|ahead|of|schedule|than|planned)\b|[,;.:()–-]"
)
_EARLY = re.compile(r"(?i)\b(?:early|earlier|ahead)\b")
_OFF_PLAN = re.compile(rf"{_EARLY.pattern}|(?i:\b(?:late|later)\b)")
_AHEAD = re.compile(
    r"(?i)\b(?:must|should|has to|have to|needs? to|will|can|could|would|not|never|be|until|till|before|once|when|if|"
    r"as soon as|get|getting|by the time)\b|n't\b"
)
_WHOLE = re.compile(
    r"(?i)we|i|everything|all|things|(?:(?:all )?(?:of )?(?:the|this|our) )?(?:whole |rest of the )?(?:thing|plan|"
    r"project|work|schedule|rest)"
)


def _said(context: Context, what: str, rest: str) -> tuple[str, str] | None:
    """Return what is spoken of and what is said of it besides; None where the words speak of what is still to come.

    Days and lengths that stand among the words of the first belong to the second.
    """
    named: list[Fact | Span] = [*days(what, context.today), *spans(what, context.today)]
    moved = " ".join(what[place.start : place.end] for place in named)
    what, rest = without(what, named), f"{rest} {moved}"
    left = without(rest, [*days(rest, context.today), *spans(rest, context.today)])
    is_more = _LITTLE.sub(" ", left).strip() or re.match(r"(?i)\W*(?:by|before|until|till)\b", rest)
    return None if is_more or not context.is_subject(what) or _AHEAD.search(what) else (what, rest)


def is_ahead(text: str) -> bool:
    """Tell whether words speak of what is still to come."""
    return _AHEAD.search(text) is not None


def _is_doer(context: Context, doer: str) -> bool:
    return doer.lower() in ("", "we", "i", "they", "he", "she") or bool(context.known(doer))


def _day(context: Context, text: str) -> date | None:
    """Return the day on which something happened; None where a text names none. Raises Unclear for one to come."""
    named = day_in(text, context.today)
    day = past_day(named, context.today) if named else None
    if day and day > context.today:
        raise Unclear(f"{spoken(day, context.today)} is still to come: has it happened, or is it planned for then?")
    return day


def _nearly(context: Context, step: Step) -> Reply:
    not_done_yet([step])
    raise Unclear(f"How many days of {context.name(step)} are left?", about=(step.id,))


def _done(context: Context, what: str, rest: str = "", doer: str = "") -> Reply | None:
    if re.match(r"(?i)close\b", context.text) and days(what, context.today):
        return None  # "close the call by 26 February"
    said = _said(context, what, rest)
    if said is None or not _is_doer(context, doer):
        return None
    steps = context.finder.steps(said[0])
    finished, took = _day(context, said[1]), span_in(said[1], context.today)
    if took and _OFF_PLAN.search(said[1]):
        finished, took = finished or _off_plan(context, steps, took, is_early=bool(_EARLY.search(said[1]))), None
    edit = context.edit()
    for step in steps:
        if step.status != "done" or finished or took:
            end = finished or date.fromisoformat(step.finished or context.today.isoformat())
            begun = step.started or (_begun(context, end, took) if took else None)
            edit.set(step.id, status="done", finished=end.isoformat(), started=begun, left=None)
    answer = context.told("{} is/are done", steps)
    answer += f" since {spoken(finished, context.today)}" if finished else ""
    answer += f", after {took}" if took else ""
    open_ids = {step.id for step in context.open_steps} - {step.id for step in steps}
    if waits := [need for need in dict.fromkeys(need for step in steps for need in step.needs) if need in open_ids]:
        answer += f"; {listed(waits)}, needed before, {verb(waits, 'is', 'are')} still open"
    return context.done(answer, edit, steps)


def _off_plan(context: Context, steps: Sequence[Step], by: Span, *, is_early: bool) -> date:
    """Return the day on which a step ended that ended so much before or after its planned end."""
    [step, *more] = steps
    if more or step.end is None:
        raise Unclear(
            f"On which day {verb([one.id for one in steps], 'was', 'were')} {listed([one.id for one in steps])} done?"
        )
    number = math.ceil(by.working.high)
    end = add_working_days(
        date.fromisoformat(step.end), -number if is_early else number, WorkTimes.of(context.plan).own
    )
    if end > context.today:
        raise Unclear(
            f"{context.name(step)} was to end on {spoken(date.fromisoformat(step.end), context.today)}: on which day "
            "was it done?",
            about=(step.id,),
        )
    return end


def _begun(context: Context, end: date, took: Span) -> str:
    if took.unit in ("week", "month", "year"):
        return (end - timedelta(days=took.calendar - 1)).isoformat()
    return add_working_days(end, 1 - max(1, math.ceil(took.working.high)), WorkTimes.of(context.plan).own).isoformat()


def _reopened(context: Context, what: str) -> Reply | None:
    if not context.finder.pinned and not context.finder.means(what):
        return None
    steps, edit = context.finder.steps(what), context.edit()
    for step in steps:
        if step.status == "done":
            edit.set(step.id, status="under-way" if step.started else "todo", finished=None)
    return context.done(context.told("{} is/are open now", steps), edit, steps)


def _started(context: Context, what: str, rest: str = "", doer: str = "") -> Reply | None:
    said = _said(context, what, rest)
    if said is None or not _is_doer(context, doer):
        return None
    day = _day(context, said[1]) or context.today
    answer = f"{{}} is/are under way since {spoken(day, context.today)}"
    return context.change(context.finder.steps(said[0]), answer, status="under-way", started=day.isoformat())


def _has_left(context: Context, step: Step, left: float | None, answer: str) -> Reply:
    not_done_yet([step])
    started = step.started or min(filter(None, (step.start, context.today.isoformat())))
    return context.change([step], answer, status="under-way", started=started, left=left)


def _percent(context: Context, step: Step, share: float = 0.5) -> Reply:
    if share > 1:
        raise Unclear(
            f"{number(round(share * 100))} % is more than all of {context.name(step)}: is it done?", about=(step.id,)
        )
    if share == 1:
        return context.change([step], "{} is done", status="done", finished=context.today.isoformat(), left=None)
    left = round(step.effort.expected * (1 - share) * 4) / 4 if step.effort else None
    rest = (
        f"{number(left)} {'day' if left == 1 else 'days'} of work are left"
        if left is not None
        else "it has no estimate: how many days are left?"
    )
    return _has_left(context, step, left, f"{number(round(share * 100))} % of {{}} is done; {rest}")


def _left(context: Context, span: Span, step: Step | None = None) -> Reply:
    step = step or context.finder.step("it")
    return _has_left(context, step, span.working.likely, f"{span} of {{}} {'is' if span.high == 1 else 'are'} left")


def _waiting(context: Context, what: str, rest: str = "") -> Reply | None:
    named = day_in(rest, context.today)
    why = re.sub(
        r"(?i)^\W*(?:by|for|on|because of|due to|until|till)\b\s*", "", without(rest, [named] if named else [])
    )
    why = re.sub(r"(?i)\s*\b(?:until|till)$", "", why.strip(" ,."))
    step = context.finder.step(what)
    if why and (other := context.finder.clear_steps(why)) and re.match(r"(?i)\W*(?:by|on|for)\b", rest):
        edit = context.edit()
        edit.need(step.id, other[0].id)
        return context.done(f"{context.name(step)} waits for {context.name(other[0])} now", edit, [step])
    until = max(first_of(named), context.today) if named else None
    answer = "{} waits" + (f" for {why}" if why else "")
    answer += f" until {spoken(until, context.today)}" if until else "; say until when, and its dates follow"
    notes = "; ".join(filter(None, [step.notes, f"waiting for {why}" if why and why not in step.notes else ""]))
    not_before = until.isoformat() if until else step.not_before
    return context.change([step], answer, status="waiting", not_before=not_before, notes=notes)


def _late(context: Context, span: Span) -> Reply:
    """Let the open work begin later: the steps that nothing open comes before, and through their needs the others."""
    waiting = {step.id for step in context.open_steps if step.status != "under-way"}
    first = [step for step in context.open_steps if step.id in waiting and step.start and not waiting & set(step.needs)]
    if not first:
        raise Unclear("No step is still to begin, so that nothing can move: which step is late?", "not done")
    edit = context.edit()
    for step in first:
        edit.set(step.id, not_before=_later(context, step, span))
    fixed = [step.id for step in context.open_steps if step.on]
    held = f", but {listed(fixed)} {verb(fixed, 'has its', 'have their')} fixed day" if fixed else ""
    return context.done(f"The work that is still open begins {span} later{held}", edit)


def _later(context: Context, step: Step, span: Span) -> str:
    begins = date.fromisoformat(step.start or context.today.isoformat())
    if span.unit in ("day", "working day", "hour"):
        return add_working_days(begins, math.ceil(span.working.high), WorkTimes.of(context.plan).own).isoformat()
    return (begins + timedelta(days=span.calendar)).isoformat()


def _slipped(context: Context, what: str, span: Span) -> Reply | None:
    if re.search(r"(?i)\bdeadline\b|\bend date\b", what):
        return None
    if _WHOLE.fullmatch(what):
        return _late(context, span)
    steps = context.finder.steps(what)
    not_done_yet(steps)
    edit = context.edit()
    for step in steps:
        if step.on or not step.start:
            day = (
                f"has its fixed day, {spoken(date.fromisoformat(step.on), context.today)}"
                if step.on
                else "has no date yet"
            )
            raise Unclear(f"{context.name(step)} {day}: when is it?", about=(step.id,))
        if step.status == "under-way":
            left = step.left if step.left is not None else step.effort.expected if step.effort else 1.0
            edit.set(step.id, left=left + span.working.likely)
        else:
            edit.set(step.id, not_before=_later(context, step, span))
    return context.done(context.told(f"{{}} is/are {span} later", steps), edit, steps)


_WORDS = r"""
    DONE = (done|finished|completed?|ready|closed|sorted|shipped|wrapped up|over|behind us|in the bag|gone out|
        been sent|sent out)
    ALREADY = ( (now|already|all|finally|just|also|both)){0,5}
    SPAN = (?P<span>((about|another|some|only|at least|roughly|like) )?(\d[\w.,/–-]*|[a-z]+( (a|of|and a half)){0,5}|
        half an?)( to \w+)?( (more|full|extra|working|additional)){0,5} ?(minutes?|hours?|h|days?|d|weeks?|w|months?))
    SHARE = (?P<share>\d+(\.\d+)? ?(%|percent|per cent))
    MOVES = (slips?|slipped|((is|are|was|were|got|gets|has been|have been) )?delayed|is late|moved?|moves|
        (is|was) pushed|will be late|is behind|r[ua]ns? late)
    LATE = (late|behind( (schedule|plan))?|delayed|overdue)
"""


FORMS = forms(
    _WORDS,
    r"""
reopened
    <what> (is|are|was)(n't| not)( (really|actually|quite))? {DONE}( (yet|after all|at all))?
percent
    (about )?{SHARE} (of|on|done (with|on)) <step>( (is|are) {DONE})?
    <step>( is| are| stands)?( at)?( about| around| roughly| some| only| now| already){0,5} {SHARE}( {DONE}| there)?
    half (of )?<step> is {DONE}
nearly
    <step>( (is|are))? (almost|nearly|mostly|not quite|as good as) {DONE}
done
    (mark|tick|check|set|close|put) <what>( off)?( (as|to|down as))? {DONE}<rest>
    <what>( (is|are|was|were|has been|have been|got)|'s){ALREADY} {DONE}<rest>
    <what>{ALREADY},? (done|finished|completed?)<rest>
    <what> took(?P<rest> .+)
left
    ((there (is|are)|we have|i have|still)( still)? )?{SPAN}( of work)?( (is|are))?( still)? (left|to go|remaining|
        remains?)( (on|for|of|in|with) <step>)?
waiting
    <what>( is| are| was| has been)?( now| currently| still)? (blocked|stuck|on hold|paused|stalled|held up|on ice|
        waiting|waits)<rest>
started
    <what>( (is|are|was|were|has|have|got)|'s)?{ALREADY} (started|begun|began|kicked off|under ?way|in progress|ongoing|
        running|in the works)<rest>
late
    (we('re| are)|i('m| am)|it('s| is)|(the )?(whole )?(thing|plan|project)( is|'s))(
        now| currently| already| running| about){0,5} {SPAN} {LATE}
    {SPAN} {LATE}
slipped
    <what> (is|are|'s|will be)( now| running| about){0,5} {SPAN} ({LATE}|later)
    <what> (has |have )?{MOVES}( back| out)?( by)?( about)? {SPAN}( later| back)?
    (push|move|shift|postpone|delay|put|slip)( back| off| out)? <what>( back| off| out)?( by)? {SPAN}( back| later)?
""",
    _reopened,
    _percent,
    _nearly,
    _done,
    _left,
    _waiting,
    _started,
    _late,
    _slipped,
)
