"""Questions about a plan, answered from its data in a sentence; the plan stays as it is.

What is asked about has to be found: a question about "the fibre" is not answered with the end of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date

from workbench.domain.plan.figures import Figures, StepFigures, figures, with_forecast
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Decision,
    Item,
    Person,
    Question,
    Risk,
    Step,
)  # fmt: skip
from workbench.domain.requests.amounts import days, effort_told, first_of, last_of, money_told, spoken
from workbench.domain.requests.context import COMMAND, Context, listed, possessive, sentence, verb
from workbench.domain.requests.edit import reached
from workbench.domain.requests.lookup import likeness, quoted, roots
from workbench.domain.requests.request import Reply, Unclear

_ASKS = re.compile(
    r"(?i)(?:why|what(?:'?s)?|how|who(?:'?s)?|whom|whose|when|where|which|is|are|was|were|am|can|could|do|does|did|"
    r"will|would|should|shall|may|might|has|have|had|isn't|aren't|don't we|doesn't|won't|wouldn't|couldn't|"
    r"shouldn't|any (?:idea|chance|reason)|explain|tell me|i (?:don't|do not) (?:understand|get(?= [A-Z]\d))|i "
    r"wonder|by when|until when|remind me|so (?=wh|how|is|are|can|do)|(?:if|suppose) (?=.*\?))\b"
)
_NOT_ASKED = re.compile(
    r"(?i)(?:(?:can['’]t|cannot|(?:could|must|should|may|can)(?:n['’]t| not))\b(?!.*\?)|"
    r"(?:has|have) to\b(?!.*\?)|what (?:i|we) (?:can't|cannot|won't|"
    r"couldn't)|what(?:'s| is) (?:still )?(?:missing|needed) is|what (?:about adding|matters|we do)|how about|what "
    r"about (?!.*\?)|don't (?!we\b)|do (?!(?:we|i|you|they)\b)|have (?!(?:we|i|you|they|all)\b)|is missing|will need|"
    r"are missing|when (?!do|does|did|is|are|will|can|should|would|must).*[^?]$|which (?!.*\?)(?!steps?|tasks?|ones?|"
    r"risks?|is|are|day)|may not|can only|is not|are not|should be|must|who (?!.*\?)(?:can|will)\b)"
)
_ASKING_WORDS = """
    why what how who whos whats whom whose when where which is are was were can could do does did will would
    should has have take takes taking long start starts begin begins end ends finish finished done ready
    responsible charge owns own doing need needs needed cost costs much many days weeks happen happens late
    early after before depends wait waits waiting comes come really actually supposed going left still open
    first next last day date mean moment tell explain understand finishing starting down run runs get gets got
    possible anything something nothing days actually currently slack float buffer leeway sure certain likely
    critical path earlier later sooner faster owner estimate estimates effort deadline plan project work works
    time people person step step's hours myself leave out shorten cut skip save free busy say says said mention
    keep keeps holds holding stops stopping exactly think longest shortest biggest most least risk risks question
    questions
    total altogether sum all whole thing things week month shall maybe tasks belong stand stands half latest
"""
_ASKING = frozenset(roots(_ASKING_WORDS))
"""Words that ask, and name nothing of the plan."""

Imagine = Callable[[str], str]
"""Tells what a request would do, without doing it; "" where that is not clear."""
Answer = Callable[[Context, Figures], Reply | None]


def is_question(text: str, bare: str) -> bool:
    """Tell whether a clause asks something; ``bare`` is it without the polite words before a command."""
    if bare != text and _ASKS.match(bare) is None and not text.lower().startswith("if "):
        return False
    is_asked = text.rstrip().endswith("?") or bare.lower().startswith("if ") or _NOT_ASKED.match(bare) is None
    return (_ASKS.match(bare) or _ASKS.match(text)) is not None and is_asked


def answered(context: Context, imagine: Imagine) -> Reply:
    """Return what the plan says to a question; else that it does not say."""
    told = figures(context.plan)
    if condition := re.search(
        r"(?i)^(?:so |and |but )?(?:if|suppose|say) (?P<first>[^?]+?)(?:, (?:\S+ .*)?)?\?*$|"
        r"\b(?:what|how|who).*?\bif (?P<what>[^?]+)",
        context.text,
    ):
        what = _present((condition["first"] or condition["what"]).strip())
        if then := imagine(what):
            return _reply(f"If so: {then.rstrip('.')}. Nothing is changed")
        if reply := _risk(context, what):
            return reply
    for pattern, answer in _ANSWERS:
        if re.search(pattern, context.text, re.IGNORECASE) and (reply := answer(context, told)):
            return reply
    if context.has("late|behind|on time|on track") and _is_whole(context):
        return _late(context, told)
    if known := _open_already(context):
        assumed = f"; until then the plan assumes: {known.assumption}" if known.assumption else ""
        return _reply(f"That is not known yet: {known.id} asks it{assumed}")
    if re.match(r"(?i)(?:can|could|should|shall|would|may|must|will|is it possible to)\b", context.text):
        would = imagine(re.sub(r"(?i)^(?:\w+ (?:we|i|you|it)|is it possible to) ", "", context.text).rstrip("? "))
        about = f"That would do this: {would} " if would else ""
        return Reply(f"{about}Shall that be done? Say it as a request, and it is", outcome="asked", control="question")
    return Reply(
        "The plan does not say; “add a question: …” keeps it among the open ones",
        outcome="not done",
        control="question",
    )


_IRREGULAR = {
    "gave": "give",
    "took": "take",
    "made": "make",
    "had": "have",
    "did": "do",
    "brought": "bring",
    "left": "leave",
}


def _late(context: Context, told: Figures) -> Reply:
    """Tell whether the work keeps its days."""
    late = [
        row.step for row in told.steps if row.end and row.end < context.today and row.status not in ("done", "dropped")
    ]
    if late:
        return _reply(f"Yes: {listed(late)} should be done by now, and {verb(late, 'is', 'are')} not")
    end = f"; the plan ends {_day(context, told.finish)}" if told.finish else ""
    limit = f", {_day(context, told.deadline)} is the deadline" if told.deadline else ""
    return _reply(f"No: no step that should be done is open{end}{limit}")


def missing(context: Context) -> Reply | None:
    """Say that a line that is asked about is not there: "there's no S4?"."""
    match = re.fullmatch(
        r"(?i)(?:so )?(?:there(?:'s| is) no|where(?:'s| is)|what(?:'s| is|about)|is there an?) ([a-z]\d{1,3})\?*",
        context.text,
    )
    if match is None or match[1].upper() in context.finder.by_id:
        return None
    of_kind = [item.id for item in context.plan.items if item.id[0] == match[1][0].upper()]
    return _reply(
        f"There is no {match[1].upper()}: there are {listed(of_kind)}" if of_kind else f"There is no {match[1].upper()}"
    )


def _present(text: str) -> str:
    """Return what is imagined as it would be asked for: "we moved it" as "move it"."""
    match = re.match(r"(?i)(?:we|i|you|they) (\w+) ", text)
    if match is None:
        return text
    bare = re.sub(r"(?i)(?<=[bdgmnpt])([bdgmnpt])ed$", "", match[1]) if match[1].lower().endswith("ped") else match[1]
    ways = [_IRREGULAR.get(match[1].lower(), bare), re.sub(r"ed$", "", bare), re.sub(r"d$", "", bare), bare]
    command = next((way for way in ways if COMMAND.fullmatch(way)), "")
    return f"{command} {text[match.end() :]}" if command else text


def _reply(answer: str, *about: str) -> Reply:
    return Reply(answer.rstrip("."), control="question", about=about)


# --- what is asked about ----------------------------------------------------------------------------------------------


def _words(context: Context) -> list[str]:
    """Return the words of a question that name something, those of people and days left out."""
    text = re.sub(r"(?i)\b[a-z]\d+\b|['’]s\b", " ", context.text)
    for fact in days(text, context.today):
        text = text.replace(fact.text, " ")
    text = (
        re.sub(r"(?i)\bwhen\b.*\bis\b.*$|\bat all\b|\banyway\b", " ", text[1:]) if re.match("(?i)why", text) else text
    )
    names = {word.casefold() for name in context.people for word in name.split()}
    return [w for w in re.findall(r"[^\W\d_][\w'-]*", text) if w.casefold() not in names and set(roots(w)) - _ASKING]


def _steps(context: Context) -> tuple[Step, ...]:
    """Return the steps that a question is about; none where it names none, or none clearly."""
    ids = [context.finder.by_id.get(name.upper()) for name in re.findall(r"\b[sS]\d+\b", context.text)]
    if named := tuple(step for step in ids if isinstance(step, Step)):
        return named
    if words := " ".join(_words(context)):
        near = context.finder.clear_steps(words) or (context.finder.nearest(words),)
        return tuple(step for step in near if step)
    if re.search(r"(?i)\b(?:it|that|this)\b", context.text):
        return tuple(step for step in context.plan.steps if step.id in context.finder.recent)
    return ()


def _step(context: Context) -> Step | None:
    steps = _steps(context)
    return steps[0] if len(steps) == 1 else None


def _is_whole(context: Context) -> bool:
    """Tell whether a question names nothing but the plan."""
    title = roots(context.plan.title)
    named = [
        word for word in _words(context) if not any(likeness(one, two) >= 0.9 for one in roots(word) for two in title)
    ]
    return not re.search(r"\b[A-Z]\d+\b", context.text) and not named


def _person(context: Context) -> str:
    """Return who a question is about; "" for nobody."""
    named = [name for name in context.people if re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", context.text)]
    if not named and re.search(r"\b(?:I|me|my|myself)\b", context.text, re.IGNORECASE):
        try:
            return context.known("me")
        except Unclear:
            return ""
    words = set(re.findall(r"\b[A-Z]\w+", context.text))
    return named[0] if named else next((name for word in sorted(words) if (name := context.known(word))), "")


def _row(told: Figures, step: Step) -> StepFigures | None:
    return next((row for row in told.steps if row.step == step.id), None)


def _day(context: Context, day: date | None) -> str:
    return spoken(day, context.today) if day else "a day that is not known"


def _named(steps: Iterable[Item], most: int = 8) -> str:
    return listed([quoted(step) for step in steps][:most])


# --- order and slack --------------------------------------------------------------------------------------------------


def _needs(context: Context, told: Figures) -> Reply | None:
    del told
    if (step := _step(context)) is None:
        return None
    needed = [other for other in context.plan.steps if other.id in step.needs]
    is_open = [other.id for other in needed if other.status not in ("done", "dropped")]
    rest = (
        f"; still open {verb(is_open, 'is', 'are')} {listed(is_open)}" if is_open and len(is_open) < len(needed) else ""
    )
    if not needed:
        return _reply(f"{context.name(step)} needs no other step", step.id)
    return _reply(f"{context.name(step)} needs {_named(needed)}{rest}", step.id)


def _dependents(context: Context, told: Figures) -> Reply | None:
    del told
    if (step := _step(context)) is None:
        return None
    direct = [other for other in context.plan.steps if step.id in other.needs]
    later = [one.id for one in context.open_steps if step.id in reached(context.plan, [one.id]) and one not in direct]
    if not direct:
        return _reply(f"No step needs {context.name(step)}", step.id)
    rest = f", and through {verb(direct, 'it', 'them')} {listed(later)}" if later else ""
    return _reply(f"{_named(direct)} {verb(direct, 'needs', 'need')} {context.name(step)}{rest}", step.id)


def _between(context: Context, told: Figures) -> Reply | None:
    """Tell whether one of two steps has to wait for the other."""
    del told
    if len(steps := _steps(context)) != 2:
        return None
    for first, second in (steps, steps[::-1]):
        if second.id in reached(context.plan, [first.id]):
            through = (
                ""
                if second.id in first.needs
                else f" through {listed([n for n in first.needs if second.id in {n, *reached(context.plan, [n])}])}"
            )
            made = f", for {second.outcome.rstrip('.')}" if second.outcome and not through else ""
            no = "" if context.has("why") else "No: "
            needs = f"{no}{context.name(first)} needs {context.name(second)}{through}{made}"
            return _reply(f"{needs}; “{first.id} does not need {second.id}” would change that", first.id)
    return _reply(f"Yes: neither of {_named(steps)} needs the other")


def _why(context: Context, told: Figures) -> Reply | None:
    if len(_steps(context)) == 2 and (reply := _between(context, told)):
        return reply
    step = _step(context)
    row = _row(told, step) if step else None
    if step is None or row is None:
        return _path(context, told) if _is_whole(context) else None
    needing = [other.id for other in context.plan.steps if step.id in other.needs]
    uses = f"{listed(needing)} {verb(needing, 'needs', 'need')} it" if needing else ""
    makes = f"what comes out of it: {step.outcome.rstrip('.')}" if step.outcome else ""
    if row.start is None:
        return _reply(f"{quoted(step)} has no dates yet; {makes}".rstrip("; "), step.id)
    why = f"it begins on {_day(context, row.start)}: {row.why}"
    before = re.match(r"after (\S+)", row.why)
    last = next((one for one in told.steps if before and one.step == before[1].rstrip(",;")), None)
    why += f", which ends on {_day(context, last.end)}" if last else ""
    told_of = [f"{context.name(step)} takes {effort_told(step.effort)} and ends on {_day(context, row.end)}", why, uses]
    if re.search(r"(?i)\b(?:need|do we|have (?:a|to)|for\b|is there|at all|point)", context.text):
        told_of = [f"{context.name(step)} takes {effort_told(step.effort)}", makes, uses, why]
    return _reply("; ".join(filter(None, told_of)), step.id)


def _path(context: Context, told: Figures) -> Reply | None:
    """Tell what the end hangs on, the longest step of it first of all."""
    steps = [
        step for name in told.critical_path for step in context.plan.steps if step.id == name and step.status != "done"
    ]
    if not steps:
        steps = [step for step in context.open_steps if step.effort and step.start]
    longest = sorted(
        (step for step in steps if step.effort), key=lambda step: -(step.effort.expected if step.effort else 0)
    )
    dear = listed([f"{quoted(step)} with {effort_told(step.effort)}" for step in longest[:3]])
    unknown = [
        step.id
        for step in context.open_steps
        if step.effort is None and step.waiting is None and not step.on and not step.milestone
    ]
    lacks = f"; {listed(unknown)} {verb(unknown, 'has', 'have')} no estimate" if unknown else ""
    fixed = [step for step in context.open_steps if step.on]
    held = f"; {_named(fixed)} {verb(fixed, 'has its', 'have their')} fixed day" if fixed else ""
    path = (" → " if told.critical_path else ", ").join(step.id for step in steps)
    return _reply(
        f"The end hangs on {path}: only what is shorter or left out there brings it forward; the longest "
        f"{verb(longest[:3], 'is', 'are')} {dear}{lacks}{held}"
    )


def _slack(context: Context, told: Figures) -> Reply | None:
    if (step := _step(context)) is None:
        return _finish(context, told) if _is_whole(context) else None
    row = _row(told, step)
    if row is None or row.slack is None:
        return _reply(f"{context.name(step)} has no dates yet", step.id)
    length = f"{row.slack} working {'day' if row.slack == 1 else 'days'}"
    return _reply(f"{context.name(step)} can be {length} later before the end moves", step.id)


def _parallel(context: Context, told: Figures) -> Reply | None:
    if reply := _between(context, told):
        return reply
    rows = [(row.step, row.start, row.end) for row in told.steps if row.start and row.end]
    pairs = [
        f"{one} and {other}"
        for at, (one, start, end) in enumerate(rows)
        for other, begin, close in rows[at + 1 :]
        if start <= close and begin <= end
    ]
    return _reply(
        f"At the same time run {listed(pairs[:5])}" if pairs else "None: each step waits for the one before it"
    )


def _edge(context: Context, told: Figures) -> Reply | None:
    """Tell which step is first, next or last."""
    rows = [row for row in told.steps if row.start and row.end and row.status not in ("done", "dropped")]
    if not rows or not _is_whole(context):
        return None
    is_last = context.has("last|final")
    edge = max(row.end for row in rows if row.end) if is_last else min(row.start for row in rows if row.start)
    names = [row.step for row in rows if (row.end if is_last else row.start) == edge]
    steps = [step for step in context.plan.steps if step.id in names]
    return _reply(
        f"{'Last' if is_last else 'First'} {verb(steps, 'comes', 'come')} {_named(steps)}, on {_day(context, edge)}"
    )


# --- dates ------------------------------------------------------------------------------------------------------------


def _finish(context: Context, told: Figures) -> Reply | None:
    if told.finish is None or not _is_whole(context):
        return None
    answer = f"The plan ends on {_day(context, told.finish)}"
    if told.deadline and told.slack_days is not None:
        length = f"{abs(told.slack_days)} working {'day' if abs(told.slack_days) == 1 else 'days'}"
        answer += (
            f", {length} {'before' if told.slack_days >= 0 else 'after'} the deadline of {_day(context, told.deadline)}"
        )
    if unknown := [s.id for s in context.open_steps if s.effort is None and s.waiting is None and not s.on]:
        return _reply(
            f"{answer}, but {listed(unknown[:6])} {verb(unknown, 'has', 'have')} no estimate, so that this says little"
        )
    likely = with_forecast(context.plan).forecast
    if likely is not None:
        answer += f"; in four of five cases by {_day(context, likely.p80)}"
        answer += f", and in time in {likely.chance:.0%} of them" if likely.chance is not None else ""
    return _reply(answer)


def _when(context: Context, told: Figures) -> Reply | None:
    if (step := _step(context)) is None:
        return _finish(context, told)
    row = _row(told, step)
    due = f"; it has to end by {_day(context, date.fromisoformat(step.deadline))}" if step.deadline else ""
    if row is None or row.start is None or row.end is None:
        return _reply(f"{context.name(step)} has no dates yet{due}", step.id)
    if step.status == "done":
        return _reply(f"{context.name(step)} was done on {_day(context, row.end)}", step.id)
    if row.start == row.end:
        return _reply(f"{context.name(step)} is on {_day(context, row.start)}{due}", step.id)
    return _reply(
        f"{context.name(step)} runs from {_day(context, row.start)} to {_day(context, row.end)}{due}", step.id
    )


def _long(context: Context, told: Figures) -> Reply | None:
    if person := _person(context) if context.has("work|do|have|i|my") and not _steps(context) else "":
        return _load(told, person)
    if (step := _step(context)) is None:
        if told.start is None or told.finish is None or not _is_whole(context):
            return None
        return _reply(f"The plan runs from {_day(context, told.start)} to {_day(context, told.finish)}")
    row = _row(told, step)
    when = f", from {_day(context, row.start)} to {_day(context, row.end)}" if row and row.start else ""
    why = f"; {row.why}" if row and context.has("why") else ""
    return _reply(f"{context.name(step)} takes {effort_told(step.effort)}{when}{why}", step.id)


def _load(told: Figures, person: str) -> Reply | None:
    row = next((row for row in told.people if row.name.casefold() == person.casefold()), None)
    if row is None:
        return _reply(f"{person} has no step")
    has = "have" if person == "You" else "has"
    return _reply(f"{sentence(person)} {has} {number(round(row.days, 1))} days of work, in {listed(list(row.steps))}")


def _in_period(context: Context, told: Figures) -> Reply | None:
    """Tell which steps lie in a stretch of days, of somebody or of all; and whether somebody is away then."""
    named, person = days(context.text, context.today), _person(context)
    record = next((one for one in context.plan.people if one.text.casefold() == person.casefold()), None)
    spans = [(first_of(fact), last_of(fact)) for fact in named]
    if not spans and record and context.has("off|away|holidays?|absent|out"):
        spans = [(date.fromisoformat(away.first), date.fromisoformat(away.last)) for away in record.away]
    if not spans or _steps(context):
        return None
    rows = [row for row in told.steps if row.start and row.end and (not person or row.owner == person)]
    inside = [row.step for row in rows for a, b in spans if row.start and row.end and row.start <= b and a <= row.end]
    steps = [step for step in context.plan.steps if step.id in inside and step.status != "dropped"]
    when = listed([_day(context, a) + (f" to {_day(context, b)}" if b > a else "") for a, b in spans])
    gone = (
        [away for away in record.away for a, b in spans if str(a) <= away.last and away.first <= str(b)]
        if record
        else []
    )
    away = f"; {person} is away {listed([f'{one.first} to {one.last}' for one in gone])}" if gone else ""
    whose = f"{possessive(person)} steps" if person else "the steps"
    return _reply(
        f"In {when} {verb(steps, 'lies', 'lie')} {_named(steps)}{away}"
        if steps
        else f"None of {whose} lies in {when}{away}"
    )


# --- people -----------------------------------------------------------------------------------------------------------


def _who(context: Context, told: Figures) -> Reply | None:
    if context.has("most|busiest"):
        rows = sorted((row for row in told.people if row.days), key=lambda row: -row.days)
        return (
            _reply(listed([f"{row.name} with {number(round(row.days, 1))} days" for row in rows[:3]])) if rows else None
        )
    if context.has("decides?|signs?|approves?|last word") and not _steps(context):
        deciding = [
            step for step in context.plan.steps if re.search(r"(?i)decid|approv|sign|accept", step.title) and step.owner
        ]
        told_of = [f"{step.owner} ({quoted(step)})" for step in deciding[:3]]
        return _reply(listed(told_of)) if told_of and _is_whole(context) else None
    steps = _steps(context)
    owned = [f"{step.owner or 'nobody yet'} owns {context.name(step)}" for step in steps]
    return _reply(sentence(listed(owned)), *(step.id for step in steps)) if owned else None


def _whose(context: Context, told: Figures) -> Reply | None:
    del told
    if not (person := _person(context)) or _steps(context):
        return None
    own = [step for step in context.open_steps if step.owner == person]
    return _reply(f"{person} {'have' if person == 'You' else 'has'} {_named(own) or 'no open step'}")


# --- what there is ----------------------------------------------------------------------------------------------------

_LACKS = {"estimate": "effort", "date": "start"}
"""Fields by another name."""


def _lacking(context: Context, told: Figures) -> Reply | None:
    del told
    match = re.search(
        r"(?i)\b(?:no|without(?: an?)?|lacks?|missing)(?: \w+)? (owner|estimate|effort|outcome|check|cost|date)s?\b",
        context.text,
    )
    if match is None:
        return None
    steps = [
        step
        for step in context.open_steps
        if not getattr(step, _LACKS.get(match[1].lower(), match[1].lower())) and not step.milestone
    ]
    return _reply(
        f"{_named(steps)} {verb(steps, 'has', 'have')} no {match[1]}"
        if steps
        else f"Every open step has its {match[1]}"
    )


def _longest(context: Context, told: Figures) -> Reply | None:
    del told
    if context.has("expensive|dear|costs?|money"):
        priced = sorted((s for s in context.open_steps if s.cost), key=lambda s: -(s.cost.amount if s.cost else 0))
        return (
            _reply(listed([f"{quoted(s)} with {money_told(s.cost)}" for s in priced[:3] if s.cost])) if priced else None
        )
    sign = 1 if context.has("shortest|quickest|smallest") else -1
    ranked = sorted(
        (s for s in context.open_steps if s.effort), key=lambda s: sign * (s.effort.expected if s.effort else 0)
    )
    return (
        _reply(listed([f"{quoted(step)} with {effort_told(step.effort)}" for step in ranked[:3]])) if ranked else None
    )


def _count(_context: Context, told: Figures) -> Reply | None:
    return _reply(f"The plan has {number(told.count)} steps, {told.done} of them done")


def _open(context: Context, told: Figures) -> Reply | None:
    left = [row.step for row in told.steps if row.status not in ("done", "dropped")]
    if not _is_whole(context):
        return _status(context, told)
    return _reply(
        f"{told.done} of {told.count} steps are done; open {verb(left, 'is', 'are')} {listed(left[:12]) or 'none'}"
    )


_STATES = {"todo": "still to do", "under-way": "under way", "waiting": "waiting", "done": "done", "dropped": "dropped"}


def _status(context: Context, told: Figures) -> Reply | None:
    if (step := _step(context)) is None:
        return None
    row = _row(told, step)
    ends = (
        f", and ends on {_day(context, row.end)}" if row and row.end and step.status not in ("done", "dropped") else ""
    )
    return _reply(f"{context.name(step)} is {_STATES[step.status]}{ends}", step.id)


def _money(context: Context, told: Figures) -> Reply | None:
    if step := _step(context):
        return _reply(
            f"{context.name(step)} costs {money_told(step.cost) if step.cost else 'nothing that the plan knows'}"
            + "".join(f"; {money_told(limit.most)} ({limit.constraint}) is for the whole" for limit in told.limits),
            step.id,
        )
    sums = listed([money_told(total) for total in told.costs.totals])
    limits = listed([f"{money_told(limit.most)} ({limit.constraint})" for limit in told.limits])
    if not (sums or limits) or not (_is_whole(context) or context.has("budget|money")):
        return None
    return _reply(
        f"The steps cost {sums or 'nothing that the plan knows'}" + (f", and {limits} may be spent" if limits else "")
    )


_LISTED: tuple[tuple[str, type[Item]], ...] = (
    (r"risks?|go wrong|dangers?", Risk), (r"questions?|unclear|not known|unknown|undecided", Question),
    (r"constraints?|limits|rules", Constraint), (r"criteri\w+|success\w*|measured?", Criterion),
    (r"decisions?|decided", Decision), (r"people|involved|team", Person),
)  # fmt: skip


def _list(context: Context, told: Figures) -> Reply | None:
    del told
    kind = next((kind for pattern, kind in _LISTED if context.has(pattern)), None)
    lines = [item for item in context.plan.items if type(item) is kind]
    words = {root for word in _words(context) for root in roots(word)} - set(roots("wrong unclear known involved team"))
    if kind is None or (words and kind is not Risk):
        return None
    near = [line for line in lines if not words or words & set(roots(wordy(line)))]
    return _reply("; ".join(quoted(line) for line in near[:6])) if near else None


def _assumed(context: Context, told: Figures) -> Reply | None:
    del told
    section = context.plan.section("assumptions")
    lines = [item for item in section.items if isinstance(item, Bullet)] if section else []
    words = set(roots(context.text)) - set(roots("assume assumption"))
    near = [item for item in lines if words & set(roots(item.text))] if words else lines
    return _reply("; ".join(f"{item.id}: {item.text.rstrip('.')}" for item in near[:3])) if near else None


def _risk(context: Context, what: str) -> Reply | None:
    words = set(roots(what)) - _ASKING
    risks = [item for item in context.plan.items if isinstance(item, Risk)]
    best = max(risks, key=lambda item: len(words & set(roots(item.text))), default=None)
    if best is None or not words & set(roots(best.text)):
        words |= set(roots("people")) if re.search(r"(?i)\bpeople\b", what) else set()
        best = next((item for item in risks if words & set(re.findall(r"\w+", item.text.lower()))), None)
    if best is None:
        step = context.finder.nearest(what)
        later = [one.id for one in context.open_steps if step and step.id in reached(context.plan, [one.id])]
        waits = f"{listed(later[:8])} {verb(later, 'waits', 'wait')} for it" if later else "nothing waits for it"
        return _reply(f"That is {quoted(step)}: {waits}; no risk of the plan speaks of it", step.id) if step else None
    sign = f"; its sign: {best.sign.rstrip('.')}" if best.sign else ""
    return _reply(
        f"{best.id} “{best.text.rstrip('.')}”: {best.response.rstrip('.') or 'no response yet'}{sign}", best.id
    )


def _mentioned(context: Context, told: Figures) -> Reply | None:
    """Tell which lines speak of something."""
    del told
    words = [root for word in _words(context) for root in roots(word)]
    if not words:
        return None
    lines = [
        item
        for item in context.plan.items
        if all(any(likeness(w, o) >= 0.9 for o in roots(wordy(item))) for w in words)
    ]
    return _reply(_named(lines, 4) if lines else f"No line of the plan speaks of {' '.join(_words(context))}")


def wordy(item: Item) -> str:
    """Return all words of an item."""
    fields = ("title", "text", "outcome", "check", "notes", "response", "sign", "measure", "assumption", "reason")
    return " ".join(str(getattr(item, field, "")) for field in fields)


def _about(context: Context, told: Figures) -> Reply | None:
    names = {name.upper() for name in re.findall(r"\b[A-Za-z]\d+\b", context.text)}
    item = next((item for item in context.plan.items if item.id.upper() in names and not isinstance(item, Step)), None)
    if item is not None:
        return _reply(f"{item.id}: {getattr(item, 'text', '')}", item.id)
    if (step := _step(context)) is None:
        return None
    row = _row(told, step)
    when = f", from {_day(context, row.start)} to {_day(context, row.end)}" if row and row.start else ""
    makes = f"; what comes out of it: {step.outcome.rstrip('.')}" if step.outcome else ""
    return _reply(f"{quoted(step)} takes {effort_told(step.effort)}{when}{makes}", step.id)


def _open_already(context: Context) -> Question | None:
    words = set(roots(context.text))
    questions: Sequence[Question] = [item for item in context.plan.items if isinstance(item, Question)]
    return next((item for item in questions if len(words & set(roots(item.text))) > len(words) / 2), None)


_SHORTER = (
    r"\b(?:leave out|skip|shorten|cut|drop|give up|speed|faster|save time)\b.*\b(?:earlier|sooner|faster|time|weeks?|"
    r"days?)\b"
)
_LIST_OF = r"\b(?:say|says|mention|include|cover|anything|something|plan|there|about|for|where)\b"
_ANSWERS: tuple[tuple[str, Answer], ...] = (
    (_SHORTER, _path),
    (r"\b(?:stop|hold|block|prevent|delay)(?:s|ping|ing)? (?:us|it|the)\b|\bcritical path\b|\bbottleneck", _path),
    (r"\b(?:slack|float|leeway|buffer|wiggle room)\b", _slack),
    (r"\bassum", _assumed),
    (r"\bwhy\b", _why),
    (r"^(?:what|which).*\b(?:depends?|waits?|hangs?|needs?|comes?)\b.*\b(?:on|for|after)\b", _dependents),
    (r"\bwhich steps need\b|^what needs\b", _dependents),
    (r"^(?:what|which).*\b(?:before|needed for|need for|wait for|depend on|does .* need)\b", _needs),
    (r"^(?:can|could|does|must|may|is)\b.*\b(?:before|after|without|need|wait|parallel|same time)\b", _between),
    (r"\b(?:no|without|lacks?|missing)\b.*\b(?:owner|estimate|effort|outcome|check|cost|date)s?\b", _lacking),
    (r"\b(?:longest|shortest|biggest|smallest|most expensive|dearest)\b", _longest),
    (r"\b(?:in|on|during|between|over|off|away|free|next|this)\b", _in_period),
    (r"\b(?:in time|on time|make it|likely|chance|feasible|realistic|meet the \w+|enough time)\b", _finish),
    (r"\bhow (?:sure|certain|safe|firm|reliable|sound)\b", _finish),
    (r"\b(?:parallel|same time|side by side|simultaneous)", _parallel),
    (r"\bhow many steps\b", _count),
    (r"\bhow (?:long|many (?:days|weeks|months|hours)|much (?:work|time))\b|\btakes? so long\b|\bso long\b", _long),
    (r"\bwho(?:'?s|se|m)?\b|\bowns?\b", _who),
    (r"\b(?:first|next|last)\b.*\b(?:step|thing|task|do|comes?|up)\b|\bwhat(?:'s| is) (?:first|next|last)\b", _edge),
    (r"\bwhat(?:'s| is| are| else is)? (?:left|still open|open|to do|next|the status)\b|\bhow far\b", _open),
    (r"\bwhere (?:are|do) we\b|\bprogress\b", _open),
    (r"\bwhen\b|\b(?:what|which) (?:day|date|week)\b|\bby when\b|\bdeadline\b|\bfinish(?:ed)?\b", _when),
    (r"\b(?:budget|how much|afford|expensive|money)\b|\bcosts?\b", _money),
    (r"^(?:is|are|has|have|was|did)\b.*\b(?:done|finished|ready|started|begun|late|waiting|blocked)\b", _status),
    (r"\b(?:what|which|anything|tasks?|list)\b", _list),
    (r"\b(?:what|which|anything|steps?|why)\b", _whose),
    (r"\b(?:what|understand|don't get|do not get|explain|mean|tell me)\b", _about),
    (rf"^(?:does|is|are|do (?:we|you|any)|where|has|what)\b.*{_LIST_OF}", _mentioned),
)
"""Words of a question, and what answers it where it can; the first that does."""
