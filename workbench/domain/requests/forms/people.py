"""Who does what, and who works when: owners, absences, hours, weekdays, days on which nobody works."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from itertools import pairwise

from workbench.domain.plan.figures import first_day
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Days, DaysOff, Person, Step, WorkingTime
from workbench.domain.requests.amounts import days, facts, first_of, last_of, spoken, weekdays, without
from workbench.domain.requests.context import Context, listed, possessive, sentence, verb
from workbench.domain.requests.form import forms
from workbench.domain.requests.forms.contents import put_in_place
from workbench.domain.requests.request import Reply, Unclear
from workbench.domain.values.fact import Fact

_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_ALL_OF_US = re.compile(
    r"(?i)(?:we|the (?:whole )?(?:team|office|company|shop|firm)|everybody|everyone|nobody|no one|all of us|our "
    r"office|there)"
)


# --- owners -----------------------------------------------------------------------------------------------------------


def _owned(context: Context, what: str, name: str) -> Reply | None:
    what = re.sub(r"(?i) (?:at|in) the (?:very )?end$", "", what)
    owner = context.owner(re.sub(r",.*$", "", name))
    if facts(name, context.today) or re.match(r"(?i)(?:get|have|not|need)\b", what):
        return None
    if not owner:
        if re.fullmatch(r"(?i)(?:someone|somebody|anyone|one|he|she|they|we)(?: else)?", name) and context.finder.means(
            what
        ):
            raise Unclear(context.told("Who takes {} over?", context.finder.steps(what)))
        return None
    return (
        _given(context, context.finder.steps(what), owner)
        if context.known(owner) or context.finder.means(what)
        else None
    )


def _given(context: Context, steps: tuple[Step, ...], owner: str) -> Reply:
    open_steps = tuple(step for step in steps if step.status != "done") or steps
    old = {step.owner for step in open_steps if step.owner and step.owner != owner}
    was = f", was {possessive(old.pop())}" if len(old) == 1 else ""
    return context.change(open_steps, f"{{}} is/are {possessive(owner)} now{was}", owner=owner)


def _handed_over(context: Context, who: str, known: str, what: str = "") -> Reply:
    """Give somebody's open steps, all or those named, to somebody else."""
    steps = context.steps_of(known)
    if what and not re.fullmatch(r"(?i)(?:all|everything|all (?:her|his|their) (?:steps|tasks|work)|everywhere)", what):
        steps = context.finder.steps(what)
    elif context.finder.pinned:
        steps = tuple(step for step in steps if step.id == context.finder.pinned)
    if not steps:
        raise Unclear(f"No open step is {known}'s: what should {who} take over?")
    return context.change(steps, f"{{}} is/are {possessive(who)} now, was/were {possessive(known)}", owner=who)


def _theirs(context: Context, what: str, name: str) -> Reply | None:
    """Read "S4 is Anna's" and "S4 goes to Anna": a bare "is" only with the ending of the name."""
    is_bare = re.search(rf" (?:is|are|should be)(?: now| all)? {re.escape(name)}", context.text)
    has_ending = re.search(r"(?:'s?|s')(?: (?:job|task|responsibility|problem|business))?(?: now)?$", context.text)
    return None if is_bare and not has_ending else _owned(context, what, name)


# --- when people work -------------------------------------------------------------------------------------------------


def _stretch(context: Context, fact: Fact) -> tuple[Days, str]:
    first, last = first_of(fact), last_of(fact)
    told = spoken(first, context.today) + (f" to {spoken(last, context.today)}" if last > first else "")
    return Days(first.isoformat(), last.isoformat()), told


def away_on(context: Context, someone: str, stretches: Sequence[Fact]) -> Reply:
    """Let somebody be away on some days; who is not in the plan yet is put among its people."""
    named, edit = [_stretch(context, fact) for fact in stretches], context.edit()
    names = [context.somebody(name) for name in re.split(r" (?:and|&) ", someone)]
    busy = [name for name in names if _is_side_by_side(context, name)]
    people = [context.record_of(edit, name) for name in names]
    for person in people:
        edit.set(person.id, away=(*person.away, *(span for span, _ in named if span not in person.away)))
    verb_form = "are" if len(names) > 1 or names[0].casefold() == "you" else "is"
    told = f"{listed(names)} {verb_form} away {listed([told for _, told in named])}"
    alone = "you" if busy == ["You"] else listed(busy)
    return context.done(told + (f"; {alone} will do one step at a time" if busy else ""), edit, people)


def _is_side_by_side(context: Context, name: str) -> bool:
    """Tell whether somebody of whose time the plan knows nothing yet owns steps that lie side by side."""
    if any(person.text.casefold() == name.casefold() for person in context.plan.people):
        return False
    spans = sorted((step.start, step.end) for step in context.steps_of(name) if step.start and step.end)
    return any(after[0] < before[1] for before, after in pairwise(spans))


def _closed(context: Context, when: str) -> Reply | None:
    if recurring := weekdays(when, context.today):
        return _set_week(
            context,
            tuple(day for day in _week(context) if day not in recurring),
            f"No work is planned on {_named(recurring)} now",
        )
    named = days(when, context.today)
    if not named:
        return None
    spans, told = zip(*(_stretch(context, fact) for fact in named), strict=True)
    edit = context.edit()
    name = edit.add(DaysOff(id=edit.new_id(DaysOff), text=_called(without(when, named)) or "Closed", days=spans))
    return context.done(f"Nobody works {listed(told)} ({name})", edit, [name])


def _called(text: str) -> str:
    """Return what days off are called: the freeze of "that's our freeze"."""
    return sentence(re.sub(r"(?i)^(?:because )?(?:(?:that|this|it)(?:'s| is) )?(?:our |the )?", "", text))[:60]


def _week(context: Context) -> tuple[int, ...]:
    return next((item.weekdays for item in context.plan.items if isinstance(item, WorkingTime)), (1, 2, 3, 4, 5))


def _named(week: tuple[int, ...]) -> str:
    return listed([_WEEKDAYS[day - 1] for day in week])


def _set_week(context: Context, week: tuple[int, ...], answer: str) -> Reply:
    if not week:
        raise Unclear("That leaves no day to work on: which days are left?")
    edit = context.edit()
    known = next((item for item in context.plan.items if isinstance(item, WorkingTime)), None)
    if known:
        edit.set(known.id, weekdays=week)
    elif week != _week(context):
        edit.add(WorkingTime(id=edit.new_id(WorkingTime), weekdays=week))
    return context.done(answer, edit)


def _works_on(context: Context, week: tuple[int, ...], someone: str = "") -> Reply:
    is_also = context.has("also|too|as well|additionally") or (set(week) <= {6, 7} and not context.has("only"))
    if context.has("never|not|don't|doesn't|can't|cannot|no"):
        week, is_also = tuple(day for day in _week(context) if day not in week), False
    if not someone and context.finder.pinned:
        item = context.finder.by_id[context.finder.pinned.upper()]
        someone = item.text if isinstance(item, Person) else getattr(item, "owner", "")
    if not someone and len(context.people) == 1:
        someone = context.people[0]
    if not someone:
        raise Unclear(f"Who works on {_named(week)} only?")
    if _ALL_OF_US.fullmatch(someone):
        week = tuple(sorted({*_week(context), *week})) if is_also else week
        return _set_week(context, week, f"Work is planned on {_named(week)} now")
    someone = re.sub(r"(?i)'(?:m|s|re)$", "", someone)
    name, edit = context.somebody(someone), context.edit()
    person = context.record_of(edit, name)
    if week == _week(context) and not person.weekdays:
        return context.done(f"{name} works on {_named(week)} now", None)
    edit.set(person.id, weekdays=week)
    return context.done(f"{name} works on {_named(week)} now", edit, [person])


def _hours(context: Context, someone: str, much: str) -> Reply | None:
    capacity = next((fact.value for fact in facts(much, context.today) if fact.type == "capacity"), None)
    if capacity is None or not capacity.number or (not context.known(someone) and not _ALL_OF_US.fullmatch(someone)):
        return None
    if _ALL_OF_US.fullmatch(someone):
        raise Unclear("Whose hours are these? Say them for each person.")
    times = {"day": len(_week(context)), "week": 1, "month": 12 / 52}.get(capacity.per, 0)
    hours = round(capacity.number * times * {"hour": 1.0, "day": 8.0, "working day": 8.0}.get(capacity.unit, 1 / 60), 2)
    if not 0 < hours <= 168:
        return None
    name, edit = context.person(someone), context.edit()
    person = context.record_of(edit, name)
    edit.set(person.id, hours=hours, weekdays=weekdays(much, context.today) or person.weekdays)
    return context.done(f"{name} has {number(hours)} hours a week now", edit, [person])


def _leaves(context: Context, known: str) -> Reply:
    if own := context.steps_of(known):
        raise Unclear(
            f"{context.told(f'{known} owns {{}}', own)}: who takes {verb(own, 'it', 'them')} over?",
            about=tuple(step.id for step in own),
        )
    edit = context.edit()
    for person in context.plan.people:
        if person.text.casefold() == known.casefold():
            edit.forget(person.id)
    return context.done(f"{known} is out of the plan; no open step was theirs", edit)


def replaced_by(context: Context, known: str, who: str) -> Reply:
    """Put somebody in the place of somebody else: as owner, and wherever lines name the other."""
    edit = context.edit()
    steps = context.steps_of(known)
    for step in steps:
        edit.set(step.id, owner=who)
    # "the treasurer" is Willemijn, and not "the Willemijn"
    changed = [step.id for step in steps] + put_in_place(context, edit, f"the {known}", who)
    if not changed:
        raise Unclear(f"No open line names {known}: what does {who} do?")
    names = list(dict.fromkeys(changed))
    return context.done(f"{who} stands in the place of {known} in {listed(names)}", edit, names)


def _joins(context: Context, who: str, role: str = "") -> Reply:
    named = days(context.text, context.today)
    capacity = [fact for fact in facts(role, context.today) if fact.type == "capacity"]
    role = re.sub(r"^(?:an?|the|our) ", "", without(role, [*days(role, context.today), *capacity]))
    edit = context.edit()
    person = context.record_of(edit, who)
    begins, start = first_of(named[0]) if named else None, first_day(context.plan) or context.today
    away = (Days(str(start), str(begins - timedelta(days=1))),) if begins and begins > start else ()
    edit.set(person.id, role=role or person.role, away=(*person.away, *away))
    since = f" from {spoken(begins, context.today)}" if begins else ""
    return context.done(
        f"{who} is among the people{f' as {role}' if role else ''}{since} ({person.id})", edit, [person]
    )


_WORDS = r"""
    WHO = (?P<who>(the |our |my )?[\w.&\'’-]+( [\w.&\'’-]+){0,3}?)
    SOMEONE = (?P<someone>(the |our |my )?[\w.&\'’-]+( [\w.&\'’-]+){0,3}?)
    KNOWN = (?P<known>(the |our |my )?[\w.&\'’-]+( [\w.&\'’-]+){0,3}?)
    ANY = (?P<name>(the |our |my )?[\w.&\'’-]+( [\w.&\'’-]+){0,3}?)
    TAKES = ((will |should |shall |can |must |has to |is going to |is to )?(takes?( over| on| care of)?|taking over|
        owns?|leads?(?! (owns?|does|takes?|has|is|will|can|should))|handles?|looks? after|does|do|shares?|gets?|
        keeps?|runs?|manages?|be responsible for|be in charge of|drives?|carry out|
        carries out)|(is|are)( now)? (responsible for|in charge of|doing|handling|leading|taking( over)?|the owner of|
        on)|'ll (do|take|handle|own))
    OF = ( (on|for|in|with|as owner of) <what>| everywhere| completely)?
    JOB = ( (job|task|responsibility|problem|business))?
    MUCH = (?P<much>.+?( (a|per|each|every) | ?/ ?)(day|week|month)\b.*)
    TEAM = (the |our )?(team|people|project)
"""


TIMES = forms(
    _WORDS,
    r"""
closed
    (we|everybody|everyone|the (office|shop|site|team))('re| are|'s| is) (closed|off|away)(?P<when> .+)
    (no (work|one works?)|nothing(?= (in|during|between|from|over)\b)|nobody (works?|is (here|in|around|available))|
        nothing (happens|(can|may|must|should|will)
        (happen|be (changed|done|touched)))|no changes?|(change |code )?freeze|blackout|(public |bank |company
        )?holidays?|days? off|(the )?(office|shop|site|building) (is )?closed|closed)( (is|are|from|on|during|at|
        over)){0,5}:? (?P<when>.+)
works_on
    {SOMEONE}( (also|can|only|will|could|just|really)){0,5} (works?|helps?|(is|are) (available|in|there|here|around|
        free)|ha(s|ve)( time)?|got( time)?)( also| only| just)? (on )?<week>( too| as well| only)?( for (this|that|it|
        the plan|us))?
    only (on )?<week>
hours
    {SOMEONE}( (only|now|can|will|could|just)){0,5} (has|have|got|works?|do|does|is available( for)?|gives?|spends?)(
        (only|about|around|up to|at most|just|for|maybe)){0,5} {MUCH}
replaced_by
    {KNOWN} ?= ?{WHO}
leaves
    {KNOWN} (leaves|is leaving|has left|left|quits?|has quit|resigned|is gone|drops out|dropped out|(can't|cannot|won't)
        (help|do it|continue|go on)( any ?more| any longer)|is no longer( with us| available| on {TEAM})?|will leave|is
        out of {TEAM}|won't be (part of|on) (it|this|{TEAM}))( (the|our|us|this) ?(team|project|company|plan)?)?( (at|
        on|in|by|from|after) .+)?
joins
    {WHO} (joins|is joining|will join|has joined|joined|comes on board|is new|helps( us)?( out)?|is (now )?(on|part of)
        the (team|project))( (us|the (team|project)))?( as (?P<role>.+?))?( (from|on|starting|in|next|for|with)\b.*)?
""",
    _closed,
    _works_on,
    _hours,
    replaced_by,
    _leaves,
    _joins,
)


OWNERS = forms(
    _WORDS,
    r"""
handed_over
    (let )?{WHO} (will |should |can )?(takes?|taking) over (<what> )?from {KNOWN}
    (replace|swap) {KNOWN} (with|by|for) {WHO}{OF}
owned
    (re-?assign|assign|give|hand( over)?|pass|delegate|move|shift)(
        over)? <what>( over)? to {ANY}( instead| please| now)?
    make <what> {ANY}('s|s')
    (put|make) {ANY}( down)? (on|responsible for|in charge of|(as )?(the )?owner of) <what>
    let {ANY} (do|handle|take|lead|own) <what>(,? (not|instead of) .+| instead)?
    {ANY} {TAKES} <what>( instead| now| from now on| together)?
    <what>( (should|must|will|can|could|has to|is to|to))?( (is|are|be|gets?|get))?( now| rather){0,5} (done|owned|led|
        handled|managed|run|taken over|carried out|taken care of)( rather)? by {ANY}(,? (not|instead of) .+)?( instead)?
theirs
    <what> (is|are|goes to|go to|belongs? to|should be|should go to|stays with|is for|moves to)( now| all)? {ANY}('s|
        s')?{JOB}( now)?
""",
    _handed_over,
    _owned,
    _theirs,
)
