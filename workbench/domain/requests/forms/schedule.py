"""How long steps take, and when they and the whole happen."""

from __future__ import annotations

import re
from datetime import date, timedelta

from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Constraint, Criterion, Effort, Step, WorkingTime
from workbench.domain.requests.amounts import (
    MOST_DAYS,
    NOT_SO,
    Span,
    day_in,
    days,
    effort_told,
    facts,
    first_of,
    last_of,
    limit_of,
    span_in,
    spoken,
    without,
)
from workbench.domain.requests.context import Context, listed, not_done_yet
from workbench.domain.requests.edit import Edit, scaled
from workbench.domain.requests.form import forms
from workbench.domain.requests.lookup import quoted, roots
from workbench.domain.requests.request import Reply, Unclear

# --- efforts ----------------------------------------------------------------------------------------------------------

_MORE = re.compile(r"(?i)\b(?:more(?! like)|longer|another|extra|additional|further)\b")
_LESS = re.compile(r"(?i)\b(?:less|fewer|shorter|faster|quicker)\b")


def _takes(context: Context, length: str, what: str = "it", by: str = "") -> Reply | None:
    span = span_in(length, context.today)
    if any(fact.type == "capacity" for fact in facts(context.text, context.today)):
        return None
    if span is None or re.search(r"(?i)\b(?:deadline|budget|end date)\b", what):
        return None
    if known := what and context.known(what):  # "the lawyer needs 5 days", who has one step
        what = (
            next(iter(step.id for step in context.steps_of(known)), what) if len(context.steps_of(known)) == 1 else what
        )
    likely = re.search(
        r"[,;(] ?(?:but )?(?:most )?(?:probably|likely|typically|usually|rather|more like|say) (?:about )?(\d[\d.]*)",
        length,
    )
    if whose := re.search(r"\bfor ([^,]+)$", without(length, [span])):
        what = whose[1]  # "Anna needs 3 days for S4"
    steps = context.finder.steps(what)
    not_done_yet(steps)
    if whose and not any(
        re.match(rf"(?i)(?:it|we|i|{re.escape(step.owner or 'it')})\b", context.text) for step in steps
    ):
        raise Unclear(f"Is that how long {quoted(steps[0])} takes, or a step of its own?", about=(steps[0].id,))
    is_less = by and context.has("shorten|cut|reduce|decrease|bring|lower")
    factor = -1 if is_less or _LESS.search(length) else 1 if by or _MORE.search(length) else 0
    edit = context.edit()
    for step in steps:
        _set_length(edit, step, span, factor)
        if likely and (set_to := edit.step(step.id).effort) and set_to.low <= float(likely[1]) <= set_to.high:
            edit.set(step.id, effort=Effort(low=set_to.low, likely=float(likely[1]), high=set_to.high))
    old, new = _length(steps[0]), _length(edit.step(steps[0].id))
    was = f", was {old}" if len(steps) == 1 and old != new else ""
    new += f" ({number(span.low)} to {number(span.high)})" if span.low != span.high else ""
    return context.done(context.told(f"{{}} takes/take {new} now{was}", steps), edit, steps)


def _length(step: Step) -> str:
    return f"{number(step.waiting)} days" if step.waiting is not None else effort_told(step.effort)


def _set_length(edit: Edit, step: Step, span: Span, factor: int) -> None:
    """Let a step take as long as said, or so much more or less; of what is under way, also what is left."""
    if step.waiting is not None and step.effort is None:
        edit.set(step.id, waiting=max(0.0, step.waiting * abs(factor) + (factor or 1) * span.calendar))
        return
    old, new = step.effort, span.working
    if factor:
        if old is None:
            raise Unclear(f"{step.id} has no estimate yet: how long does it take?", about=(step.id,))
        more = factor * new.likely
        new = Effort(low=old.low + more, likely=old.likely + more, high=old.high + more)
    elif old is not None and new.low == new.high and old.likely > 0:
        spread = scaled(old, new.likely / old.likely)
        new = Effort(low=min(spread.low, new.likely), likely=new.likely, high=max(spread.high, new.likely))
    if new.low <= 0 or new.high > MOST_DAYS:
        raise Unclear(f"{step.id} takes {effort_told(old)}: how long should it take?", about=(step.id,))
    edit.set(step.id, effort=new, milestone=False)
    if factor and step.left is not None:
        edit.set(step.id, left=max(0.25, step.left + factor * span.working.likely))


_FACTORS = {"double": 2.0, "halve": 0.5, "triple": 3.0, "twice": 2.0, "half": 0.5, "three times": 3.0, "quadruple": 4.0}


def _multiplied(context: Context, what: str, factor: str = "", share: float = 0.0) -> Reply | None:
    what = re.sub(r"(?i)^(?:the )?(?:estimates?|efforts?|time|duration)(?: (?:of|for|on))? ?", "", what)
    if re.search(r"(?i)\b(?:budget|cost|price)\b", what) or not 0 <= share < 10:
        return None
    is_less = context.has("cut|reduce|shorten|less|lower|shorter")
    times = _FACTORS.get(factor.lower()) or (1 - share if is_less else 1 + share)
    steps = [step for step in context.finder.steps(what) if step.effort] if times > 0 else []
    if not steps:
        raise Unclear("That step has no estimate yet: how many days does it take?")
    not_done_yet(steps)
    edit = context.edit()
    for step in steps:
        left = step.left * times if step.left is not None else None
        edit.set(step.id, effort=scaled(step.effort, times) if step.effort else None, left=left)
    if len(steps) > 1:
        return context.done(
            f"The estimates of {len(steps)} steps are multiplied by {number(round(times, 3))}", edit, steps
        )
    new, old = effort_told(edit.step(steps[0].id).effort), effort_told(steps[0].effort)
    return context.done(f"{context.name(steps[0])} takes {new} now, was {old}", edit, steps)


_WHOLE = re.compile(
    r"(?i)(?:(?:the |our |this )?(?:whole |entire )?(?:plan|project|thing|work|schedule|timeline)|everything|it all|"
    r"all(?: of (?:it|this))?|we|i|all the work)(?: (?:now|really|also))?"
)


# --- dates of steps ---------------------------------------------------------------------------------------------------

_BEGINS = re.compile(
    r"(?i)\b(?:starts?|begins?|starting|beginning|not before|no earlier|no sooner|earliest|not until|kicks?|postpone|"
    r"defer|delay\w*|push\w*|put|slips?|slipped|moved)\b"
)
_NOT_YET = re.compile(r"(?i)(?:\b(?:not|cannot|never|nothing)\b|n't\b)[^,]*\b(?:before|until|till)\b")
_NOT_DONE_YET = re.compile(
    r"(?i)(?:\b(?:not|cannot|never)\b|n't\b) (?:be )?(?:finish\w*|end\w*|complete\w*|done|ready)\b[^,]*"
    r"\b(?:before|until|till)\b"
)
_ENDS = re.compile(
    r"(?i)\b(?:by|due|ends?|finish\w*|done|ready|until|latest|no later|deadline|before|complete\w*|delivered|live)\b"
)


_BESIDE_DAYS = frozenset(
    roots("latest late later early morning afternoon evening night noon working day date end week")
)
"""Words beside a day that say nothing of their own."""


def _dated(context: Context, when: str, what: str = "", how: str = "") -> Reply | None:
    """Set a day of steps, or of the whole, as the words around it say: it begins then, ends by then, is on that day."""
    fact = day_in(when, context.today)
    if fact is None:
        return None
    left = without(NOT_SO.sub("", when), [fact])
    if set(roots(left)) - _BESIDE_DAYS or facts(left, context.today):
        return None
    lead = f"{how} {when[: fact.start]} {fact.text}"
    begins = (
        _BEGINS.search(lead) is not None
        or _NOT_YET.search(context.text) is not None
        or (fact.role == "start" and not _ENDS.search(how))
    )
    if begins and _NOT_DONE_YET.search(context.text):
        raise Unclear("From when on may it begin, so that it does not end before that?")
    ends = not begins and (_ENDS.search(lead) is not None or fact.role == "deadline")
    if fact.start and re.search(r"\ban?\s*(?:\w+ )?$", when[: fact.start]) and not re.search(r"\d", fact.text):
        raise Unclear(f"Which {fact.text} is that: the {spoken(first_of(fact), context.today)}, or a later one?")
    if context.finder.excluded and _WHOLE.fullmatch(what) and ends:
        return _all_by(context, limit_of(fact))
    if _WHOLE.fullmatch(what) or not what:
        return _begun_on(context, first_of(fact)) if begins else set_deadline(context, limit_of(fact))
    if not re.search(r"(?i)\b(?:starts?|begins?|not before)\b", lead) and _is_goal(context, what):
        return set_deadline(context, limit_of(fact))
    steps = context.finder.steps(what)
    day = limit_of(fact) if ends else first_of(fact)
    is_an_end = re.search(r"(?i)\bend\b", fact.text) is not None  # "before the end of March" is by its last day
    is_before = how.strip().lower().endswith("before") and not is_an_end  # "S6 before 1 March"
    if ends and is_before and fact.role != "deadline":
        day = first_of(fact) - timedelta(days=1)
    _not_past(context, day, fact.text)
    told, iso = spoken(day, context.today), day.isoformat()
    if ends:
        return context.change(steps, f"{{}} has/have to end by {told}", deadline=iso)
    if any(step.status == "under-way" for step in steps):
        raise Unclear(context.told("{} has/have begun already: what should change?", steps))
    if first_of(fact) != last_of(fact) and any(step.on and step.on == str(context.deadline) for step in steps):
        raise Unclear(f"On which day is {quoted(steps[0])}?", about=(steps[0].id,))
    if begins or first_of(fact) != last_of(fact):
        is_stretch = first_of(fact) != last_of(fact) and not _BEGINS.search(lead)
        last = last_of(fact).isoformat() if is_stretch else None
        values = {"deadline": last} if last else {}
        end = f" and has/have to end by {spoken(last_of(fact), context.today)}" if last else ""
        return context.change(steps, f"{{}} begins/begin not before {told}{end}", not_before=iso, on=None, **values)
    if context.deadline and any(step.on == context.deadline.isoformat() for step in steps):
        return set_deadline(context, day)  # the day that it is all for
    return context.change(steps, f"{{}} is/are on {told}", on=iso, not_before=None)


def _all_by(context: Context, day: date) -> Reply:
    """Let all open steps but those left aside end by a day, or before it where that is said already."""
    steps, edit = context.finder.steps("everything"), context.edit()
    for step in steps:
        edit.set(step.id, deadline=min(filter(None, (step.deadline, day.isoformat()))))
    aside = listed(sorted(context.finder.excluded))
    return context.done(f"All steps but {aside} have to end by {spoken(day, context.today)}", edit, steps)


def _is_goal(context: Context, what: str) -> bool:
    """Tell whether a phrase is no step, and what the goal says of its last day: "the opening" in "open on 10 May"."""
    goal = context.plan.section("goal")
    if goal is None or context.deadline is None or re.search(r"[A-Z]\d", what) or context.finder.nearest(what):
        return False
    said = [fact for fact in days(goal.text, context.today) if limit_of(fact) == context.deadline]
    near = {word for fact in said for word in roots(goal.text[max(0, fact.start - _BESIDE) : fact.start])}
    return bool(roots(what)) and set(roots(what)) <= near


_BESIDE = 30
"""Characters of the goal before its last day."""


def _not_past(context: Context, day: date, text: str) -> None:
    """Ask about a day that is over, or would be without the year that it is given. Raises Unclear."""
    is_far = not re.search(r"\d{4}", text) and (day - context.today).days > _FAR and re.search(r"\d", text)
    if day < context.today or is_far:
        raise Unclear(
            f"Which day do you mean: {day.day} {day:%B} {day.year}?"
            if is_far
            else f"{spoken(day, context.today)} is over: which day do you mean?"
        )


_FAR = 334
"""Days from today to a day without a year that may rather be one of the last weeks."""


def _bare(context: Context, when: str, what: str, how: str = "") -> Reply | None:
    """Set the day of a step where nothing but a day is said of it."""
    fact = day_in(when, context.today)
    return None if fact is None or roots(without(when, [fact])) else _dated(context, when, what, how)


def _freed(context: Context, steps: tuple[Step, ...]) -> Reply:
    """Let steps begin at once: they wait for no other step, and for no day."""
    needed = list(dict.fromkeys(need for step in steps for need in step.needs))
    answer = "{} can begin at once now" + (f", and no longer needs/need {listed(needed)}" if needed else "")
    return context.change(steps, answer, needs=(), lags=(), not_before=None, on=None, start=None, end=None)


# --- the whole --------------------------------------------------------------------------------------------------------


def _begun_on(context: Context, day: date) -> Reply:
    """Let the steps that nothing comes before begin on a day or after it."""
    if context.has_begun:
        raise Unclear("The work has begun already: which step begins later?")
    edit = context.edit()
    for step in context.open_steps:
        if not step.needs:
            edit.set(step.id, not_before=day.isoformat())
    return context.done(f"The work begins on {spoken(day, context.today)}", edit)


def set_deadline(context: Context, day: date) -> Reply:
    """Set the day by which the whole has to be done, wherever the plan says it."""
    _not_past(context, day, str(day))
    old, edit = context.deadline, context.edit()
    known = [item for item in context.plan.items if isinstance(item, Constraint) and old and _sets(context, item, old)]
    for item in known:
        text, field = _reworded(context, item.text, old or day, day), "last" if item.last else "day"
        edit.set(item.id, text=text, limits="date", **{field: day.isoformat()})
    name = known[0].id if known else ""
    if not known:
        text = f"Done by {day.day} {day:%B} {day.year}"
        name = edit.add(Constraint(id=edit.new_id(Constraint), text=text, limits="date", day=day.isoformat()))
    open_ids = {step.id for step in context.open_steps}
    for line in context.plan.items if old else ():
        fields = ("due",) if isinstance(line, Criterion) else ("on", "deadline") if line.id in open_ids else ()
        same = [field for field in fields if getattr(line, field) == str(old)]
        if isinstance(line, Step) and line.id in open_ids and line.start == line.end == str(old):
            same = [*same, "on"]  # the day that it is all for
        edit.set(line.id, **dict.fromkeys(same, day.isoformat()))
    if old and any(step.on == str(old) for step in context.open_steps):  # lines that name the day it is all for
        for line in context.plan.items:
            field = "title" if isinstance(line, Step) and line.id in open_ids else "text"
            if field == "title" or isinstance(line, WorkingTime):
                edit.set(line.id, **{field: _reworded(context, getattr(line, field), old, day)})
    was = f", was {spoken(old, context.today)}" if old else ""
    return context.done(f"The deadline is {spoken(day, context.today)} now{was} ({name})", edit, [name])


def _sets(context: Context, item: Constraint, old: date) -> bool:
    """Tell whether a constraint sets the day by which the whole has to be done."""
    return item.by == old.isoformat() or any(
        old in (limit_of(fact), first_of(fact)) for fact in days(item.text, context.today)
    )


def _reworded(context: Context, text: str, old: date, new: date) -> str:
    """Return a text in which a day is another one: as ISO 8601 where it was written so, else in words."""
    text = text.replace(old.isoformat(), new.isoformat())
    for fact in reversed(days(text, context.today)):
        if old in (first_of(fact), last_of(fact), limit_of(fact)):
            start = fact.core[0] if fact.core else fact.start
            lead = re.match(r"(?i)the\s+", text[start:])
            start += lead.end() if lead else 0
            text = f"{text[:start]}{new.day} {new:%B} {new.year}{text[fact.end :]}"
    return text


def _deadline(context: Context, when: str) -> Reply | None:
    """Read a new deadline: a day, or so much more or less time."""
    fact, span = day_in(when, context.today), span_in(when, context.today)
    is_relative = span and re.search(r"\b(?:by|more|earlier|later|extra|additional|another|less|fewer|longer)\b", when)
    if fact is not None and facts(without(NOT_SO.sub("", when), [fact]), context.today):
        return None
    if fact is not None and not is_relative:
        return set_deadline(context, limit_of(fact))
    if span is None:
        return None
    if context.deadline is None:
        raise Unclear("The plan has no deadline yet: by when does it have to be done?")
    is_less = context.has("less|fewer|earlier|sooner|shorten|forward|lost|lose")
    return set_deadline(context, context.deadline + timedelta(days=-span.calendar if is_less else span.calendar))


def _whole_on(context: Context, when: str) -> Reply | None:
    """Move the day that it is all for: "let's make it the 19th of June"."""
    fact = day_in(when, context.today)
    is_for_a_day = any(step.on and step.on == str(context.deadline) for step in context.open_steps)
    is_a_day = fact is not None and first_of(fact) == last_of(fact) and fact.role in ("mention", "on")
    if fact is None or not is_a_day or context.finder.recent or not is_for_a_day or roots(without(when, [fact])):
        return None
    return set_deadline(context, first_of(fact))


def _time_left(context: Context, when: str) -> Reply | None:
    """Read "we have two more weeks", "we have until 20 April" and "we have three weeks"."""
    span = span_in(when, context.today)
    if re.search(r"\b(?:until|till|by)\b", when) or (
        span and re.search(r"\b(?:more|extra|additional|less|fewer|another)\b", when)
    ):
        return _deadline(context, when) if not re.search(r"\bfor\b", when) else None
    if span is None or without(re.sub(r"\b(?:only|just|now|left|in total)\b", "", when), [span]):
        return None
    return set_deadline(context, context.today + timedelta(days=span.calendar))


_WORDS = r"""
    TIME = ((only|max(imum)?\.?|about|around|roughly|more like|at least|at most|up to|just|rather|maybe|probably|closer
        to|another|an extra|approximately) ){0,5}(\d[\w.,/]*( ?(-|–|to) ?\d[\w.,]*)?|half an?|an?|one|two|three|four|
        five|six|seven|eight|nine|ten|twelve|a couple of|a few)( (more|extra|additional|full|working|whole|and a half|to
        \w+)){0,5}[ -]?(hours?|h|hrs?|days?|d|weeks?|w|wks?|months?)\b( (more|longer|less|shorter|of work|extra))?
    LENGTH = (?P<length>{TIME}( for .+)?([,;(] ?(but )?(most )?(probably|likely|typically|usually|rather|more like|say)
        (about )?[\d.]+ ?(days?|weeks?)?\)?)?(,? (and )?(not|instead of|rather than) .+)?)
    MODAL = ( (should|must|has to|have to|needs? to|can|may|will|would|might|is|are|cannot|can't|must not|mustn't|
        shouldn't|won't|not|only|now|to be|be|really|actually|probably)){0,5}
    ESTIMATE = ( (estimate|effort|duration|time) (of|for))?
    FACTOR = (?P<factor>double|halve|triple|quadruple)
    SHARE = (?P<share>\d+ ?(%|percent))
    DEADLINE = (the |our |my )?(new |final |overall |project )?(deadline|due date|end date|finish date|target date|
        completion date)
    DAY = (?P<when>(on |by |from |in |at |for |to |until |only |not before |no (earlier|later|sooner) than |before |
        after |due ){0,5}\S.*)
    LATER = (?P<when>(on|in|not before|only|no earlier than|from|next|tomorrow) ?.*)
"""


EFFORTS = forms(
    _WORDS,
    r"""
takes
    <what>( estimate)?{MODAL}( (takes?|needs?|lasts?|requires?|gets?|has|have|take))?( (much|way|far|a lot|a bit)?
        ?(longer|shorter|more|less))?[:,]? (done in )?{LENGTH}
takes
    (extend|lengthen|increase|shorten|cut|reduce|decrease|bring down|raise|lower)( the)?{ESTIMATE} <what>( (down|up))?
        (?P<by>by) {LENGTH}
multiplied
    {FACTOR} <what>
    (add|put) {SHARE} (more )?(time |buffer |contingency )?(to|on|onto|for) <what>
    <what>( (is|takes|needs|should be|should take))? {SHARE} (more|less|longer|shorter)( time)?
""",
    _takes,
    _multiplied,
)


DATES = forms(
    _WORDS,
    r"""
deadline
    {DEADLINE}( (is|has|was|were|been|moved?s?|shifted|changed|now|should|will|be|slips?|slipped|got|extended|set|
        pushed|back|must)){0,5}:?(?P<when> .+)
    (move|push|put|shift|extend|postpone|set|change|bring) {DEADLINE}( (back|forward|out|on))?(?P<when>
        (to|until|till|by) .+)
whole_on
    (let's )?(make|have) it (on )?(?P<when>.+?)( instead| then)?
time_left
    ((we|i)('ve)?( (now|only|just|have|got|get|still|do|need))+|give (me|us))(?P<when> .+)
dated
    (?P<how>(can't|cannot|can not|must not|shouldn't) (start|begin)) (?P<when>(before|until) .+)
    <what>{MODAL}(?P<how> (n't )?(starts?|begins?|kicks? off|starting|beginning)( only| not)?( before| until)?) {DAY}
    (?P<how>start|begin|kick off) {LATER}
    <what>{MODAL}(?P<how> (done|finished|ready|completed?|over|due|delivered|ends?|finish(es)?|submitted|handed in|in
        place|live)( by| on| before| no later than| at the latest on| until)?) {DAY}
    <what>(?P<how> (by|before|no later than)) {DAY}
    (?P<how>push|postpone|delay|put|defer)( back| off| out)? <what>( back| off| out)? (?P<when>(to|until|till) .+)
bare
    <what>{MODAL}(?P<how>( (happens?|takes? place|held|scheduled|fixed|booked|planned|set|falls|moved))?( (is|on|for|to|
        at|in|over)){1,3}) (?P<when>.+)
    (?P<what>[A-Z]\d+){MODAL}(?P<how>( (happens?|takes? place|held|scheduled|fixed|booked|planned|set|falls|moved))?(
        (is|on|for|to)){0,3}) (?P<when>.+)
    (move|put|set|schedule|fix|plan|shift|book|bring|hold|do|have)( forward)? <what>( forward)?(?P<how> (to|on|for|in))
        (?P<when>.+)
freed
    <steps>( (can|could|may|should|to|does|do))?( (also|already))? (starts?|begins?|go ahead|run|happen)( (right|
        straight))? (away|now|at once|today|immediately|already|at any time|any time|on day one)
""",
    _dated,
    _deadline,
    _whole_on,
    _time_left,
    _bare,
    _freed,
)
