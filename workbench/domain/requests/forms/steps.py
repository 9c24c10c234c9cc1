"""Which lines there are, and in which order steps come: dropped, renamed, split, merged, moved, needed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.plan import Answering, Decision, Item, Lag, Plan, Step
from workbench.domain.requests.amounts import Span, facts, limit_of
from workbench.domain.requests.context import Context, listed, not_done_yet, sentence, verb
from workbench.domain.requests.edit import Edit, reached
from workbench.domain.requests.form import forms
from workbench.domain.requests.lookup import ID, likeness, quoted, roots
from workbench.domain.requests.parts import read_step
from workbench.domain.requests.request import Reply, Unclear

_AT_ALL = re.compile(
    r"(?i),? (?:not needed|no longer|too expensive|no time|no budget|for now|altogether|completely|entirely|from "
    r"(?:the |this )?(?:plan|list)|out|anyway|at all|instead|any ?more|either)$"
)
MOST_AT_ONCE = 0.5
"""Share of the open steps from which on the person is asked before so many are taken out."""


# --- dropped and renamed ----------------------------------------------------------------------------------------------


def _kept(context: Context, items: tuple[Item, ...]) -> Reply:
    return Reply(context.told("{} stays/stay as it is", items), about=tuple(item.id for item in items))


def _dropped(context: Context, text: str) -> Reply | None:
    what = _AT_ALL.sub("", text)
    if any(fact.type in ("duration", "amount") for fact in facts(what, context.today)):
        return None
    if (
        ":" in what
        or not context.is_subject(what)
        or re.search(r"(?i)\b(?:deadline|budget|owner|estimate|effort|cost)\b", what)
    ):
        return None
    items = context.finder.items(what, None)
    steps = [item for item in items if isinstance(item, Step)]
    not_done_yet(steps)
    if part := next((item for item in items if is_part(what, wording(item))), None):
        raise Unclear(f"{quoted(part)} says more than that: shall all of it go?", about=(part.id,))
    if len(steps) > max(2, MOST_AT_ONCE * len(context.open_steps)):
        raise Unclear(
            f"That is {len(steps)} of the {len(context.open_steps)} open steps: name those that go by their ids."
        )
    ids = {step.id for step in steps}
    if parts := [step.id for step in context.plan.steps if step.parent in ids and step.id not in ids]:
        raise Unclear(f"{context.told('{} has/have', steps)} the parts {listed(parts)}: do these go too?")
    edit = context.edit()
    left = edit.detach(ids)
    for item in items:
        if isinstance(item, Step) and context.has_begun:
            edit.set(item.id, status="dropped", left=None)
        else:
            edit.forget(item.id)
    if not context.has_begun:
        _log(context, edit, items)
    answer = context.told("{} is/are dropped", items)
    if left:
        answer += f"; {listed(left)} no longer {verb(left, 'needs', 'need')} {verb(steps, 'it', 'them')}"
        before = {step.id: step.needs for step in context.plan.steps}
        new = [need for need in edit.step(left[0]).needs if need not in before[left[0]]]
        answer += f", but {listed(new)}" if new and len(left) == 1 else ""
    standing = {name for one in edit.plan.items if isinstance(one, Answering) for name in one.answers}
    lost = [name for step in steps for name in step.answers if name not in standing and name not in ids]
    if said := [item for item in edit.plan.items if item.id in lost]:
        answer += f"; nothing answers {listed([quoted(item) for item in said])} any more (shall that go too?)"
        return context.done(answer, edit, items, partly=True)
    return context.done(answer, edit, items)


def is_part(what: str, title: str) -> bool:
    """Tell whether a phrase means one thing of several in a title: the report of "clean up and write the report"."""
    if re.search(rf"(?i)\b(?:{ID}|steps?|tasks?)\b", what):
        return False
    if begins_with_verb(title):  # "Write and try the way back" is one thing
        title = re.sub(r"(?i)^(\w+) (?:and|or) (?=\w+ )", r"\1 ", title)
    parts = [set(roots(part)) for part in re.split(r"\s*(?:,|\band\b|&|/)\s*", title.partition(":")[0])]
    shared = [any(likeness(word, own) for word in roots(what) for own in part) for part in parts if part]
    return any(shared) and not all(shared) and sum(shared) < _SEVERAL


_SEVERAL = 2
"""Things of a title that stand for the whole of it."""


def _log(context: Context, edit: Edit, items: Sequence[Item]) -> None:
    """Note what was taken out, so that its id is never given to something else."""
    if names := [quoted(item) for item in items if not isinstance(item, Decision)]:
        text, reason = f"Dropped {listed(names)}.", f"Asked for: {context.text[:200]}"
        edit.add(Decision(id=edit.new_id(Decision), text=text, reason=reason))


def _needless(context: Context, text: str) -> Reply | None:
    """Drop what is said to be needless; what is no line of the plan may be something else."""
    is_named = re.search(rf"\b{ID}\b|\b(?:step|task|risk)\b", text)
    return _dropped(context, text) if is_named or context.finder.means(_AT_ALL.sub("", text), None) else None


_FIELDS = {
    "result": "outcome", "note": "notes", "what comes out of it": "outcome", "what exists then": "outcome",
    "what it delivers": "outcome",
}  # fmt: skip


def _renamed(context: Context, item: Item, text: str, field: str = "") -> Reply | None:
    new, name = (
        sentence(text),
        _FIELDS.get(field.lower(), field.lower()) or ("title" if isinstance(item, Step) else "text"),
    )
    if not new or (isinstance(item, Step) and not field and context.known(text)):
        return None
    if field and field.lower() != "response" and len(new.split()) == 1 and not new.isdecimal():
        raise Unclear(f"What should the {field} of {context.name(item)} be instead?", about=(item.id,))
    if isinstance(item, Step) and not field and re.search(r"(?:->|=>|→) ?[A-Z][a-z]+$", context.text):
        raise Unclear(f"Is {new} who does {context.name(item)}, or what it is to be called?", about=(item.id,))
    if name not in item.__struct_fields__:
        raise Unclear(f"{context.name(item)} has no {field}: what should it say?")
    answer = (
        f"The {name.removesuffix('s') if name == 'notes' else name} of {{}} is “{new}” now"
        if field
        else f"{{}} is called “{new}” now"
    )
    return context.change([item], answer, **{name: new})


# --- split and merged -------------------------------------------------------------------------------------------------

_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "half": 2, "halves": 2}
_COUNT = re.compile(
    r"(?i)(?:in(?:to)? )?(two|three|four|five|[2-5]|half|halves)\b(?: (?:separate |different )?(?:steps|parts|pieces|"
    r"tasks|ones))?[\s:,-]*"
)


_NEXT_PART = re.compile(r"(?i)(?:^|\s*(?:,(?!\d{3})|;|\band\b))\s*(?:(?:and|then|finally|first|next|lastly?)\b,?\s*)*")
_NEXT_LISTED = re.compile(r"(?i)(?:^|\s*;)\s*(?:(?:and|then|finally|first|next|lastly?)\b,?\s*)*")
_NEXT_OF_SEVERAL = re.compile(
    r"(?i)(?:^|(?<=\))\s*(?:,|\band\b))\s*(?:(?:and|then|finally|first|next|lastly?)\b,?\s*)*"
)
_DISTINCT = re.compile(
    r"(?i)(.+?) (?:is|are) (?:one|the one|the first) (?:thing|step|part|job)[,;]? (?:and )?(.+?) (?:is )?(?:another|"
    r"the other|the second)(?: (?:thing|one|step|part|job))?$"
)


_STATEMENT = re.compile(
    r"(?i)^\W*(?:i|we|he|she|they|you|it|that)(?:'\w+)?\s|\b(?:is|are|will|does|should|can|wants?)\b|"
    r"'s (?:job|thing|task)\b|^\W*(?-i:[A-Z])\w+ [a-z]+s (?:after|for|to|at|the|that|it)\b"
)
"""Of a part that is a sentence, about people more often than not, and no title."""


_COURTESY = re.compile(r"(?i)\b(?:please|pls|thanks|thank you)\b[\s,.!]*")


def _halves(title: str, number: int) -> list[str]:
    """Return titles for the parts of a step: its two things where it has two, else its title with a number."""
    two = re.fullmatch(r"(\w+) ((?:(?!and\b)[\w'’-]+ ){1,4})and ((?:[\w'’-]+ ?){1,4})", title)
    if number == 2 and two and not begins_with_verb(two[3]):  # "Book music and a photographer"
        return [f"{two[1]} {two[2].strip()}", f"{two[1]} {two[3]}"]
    return [f"{title}, part {part}" for part in range(1, number + 1)]


def _split(context: Context, step: Step, into: str = "") -> Reply:
    not_done_yet([step])
    if not into and context.has("off|out"):
        raise Unclear(f"Into which parts should {context.name(step)} be split?", about=(step.id,))
    count = _COUNT.match(into.strip(" :."))
    named = re.sub(r"^in(?:to)? ", "", into.strip(" :.")[count.end() if count else 0 :])
    named = _DISTINCT.sub(r"\1, \2", _COURTESY.sub("", named))
    is_listed = ";" in named or re.search(r"\([^()]*\)", named) is not None
    joint = _NEXT_LISTED if ";" in named else _NEXT_OF_SEVERAL if is_listed else _NEXT_PART
    wanted = [read_step(context, part) for part in joint.split(named) if part.strip()]
    titles = [part.text for part in wanted]
    number = (_COUNTS.get(count[1].lower()) or int(count[1])) if count else max(2, len(titles))
    if any(_STATEMENT.search(part) for part in joint.split(named)):
        raise Unclear(
            f"What are the parts of {context.name(step)} called, and who does each? Say “split {step.id}: this; that”",
            about=(step.id,),
        )
    if (titles and len(titles) != number) or not all(titles) or any(title.isdecimal() for title in titles):
        raise Unclear(f"Into which {number} parts should {context.name(step)} be split?", about=(step.id,))
    edit = context.edit()
    ids = edit.split(step, titles or _halves(step.title, number))
    for name, part in zip(ids, wanted, strict=False):
        own = {"owner": part.owner, "effort": part.length and part.length.working, "cost": part.cost}
        edit.set(name, **{field: value for field, value in own.items() if value})
    limits = [
        next((limit_of(fact).isoformat() for fact in part.days if fact.role == "deadline"), None) for part in wanted
    ]
    owners = {part.owner for part in wanted}
    is_apart = sum(limit is not None for limit in limits) > 1 or (len(owners) > 1 and "" not in owners)
    if is_apart:  # each has its own day, or its own owner: none waits for the other
        for other in edit.plan.steps:
            if ids[-1] in other.needs:
                edit.set(other.id, needs=(*other.needs, *ids[:-1]))
        for name, limit in zip(ids, limits, strict=True):
            edit.set(name, deadline=limit or step.deadline, needs=step.needs)
    new = listed([f"{name} “{edit.step(name).title}”" for name in ids])
    how = "side by side" if is_apart else "one after the other"
    return context.done(f"{context.name(step)} is split into {new}, {how}", edit, ids)


def _merged(context: Context, what: str, more: str = "", title: str = "") -> Reply:
    both = (more, what) if re.match(r"(?i)fold\b", context.text) else (what, more)
    parts = [context.finder.steps(part, is_target=False) for part in filter(None, both)]
    return merge(context, tuple(dict.fromkeys(step for part in parts for step in part)), title)


def merge(context: Context, steps: tuple[Step, ...], title: str = "") -> Reply:
    """Make one step of several."""
    if len(steps) < 2:
        raise Unclear(f"Merge {context.name(steps[0])} with which other step?", about=(steps[0].id,))
    not_done_yet(steps)
    edit = context.edit()
    edit.merge(steps[0], steps[1:])
    edit.set(steps[0].id, title=sentence(title) or edit.step(steps[0].id).title)
    answer = context.told("{} is/are part of", steps[1:])
    return context.done(f"{answer} {context.name(steps[0])} now, “{edit.step(steps[0].id).title}”", edit, steps[:1])


def loose(before: Plan, after: Plan) -> str:
    """Tell which steps nothing waits for any more, though something did."""
    needed = [{need for step in plan.steps for need in step.needs} for plan in (before, after)]
    free = [step.id for step in after.steps if step.id in needed[0] - needed[1]]
    return f"; nothing waits for {listed(free)} any more: what should?" if free else ""


# --- order and needs --------------------------------------------------------------------------------------------------


def put_before(edit: Edit, first: str, second: str, lag: Lag | None = None) -> None:
    """Let one step come before another; a need of the first for the second is turned around. Raises Unclear."""
    if first == second:
        raise Unclear(f"{first} cannot come before itself: which two steps do you mean?")
    later = edit.step(second)
    if later.status in ("done", "under-way"):
        raise Unclear(
            f"{quoted(later)} {'is done' if later.status == 'done' else 'has begun'} already: what should change?"
        )
    if second in edit.step(first).needs:
        edit.let_go(first, {second}, later.needs)
    _not_in_a_circle(edit, first, second)
    edit.need(second, first, lag)


def _not_in_a_circle(edit: Edit, first: str, second: str) -> None:
    """Refuse that a step needs one that needs it. Raises Unclear, with the steps between the two."""
    between = [
        step.id
        for step in edit.plan.steps
        if step.id in reached(edit.plan, [first]) and second in reached(edit.plan, [step.id])
    ]
    if second in reached(edit.plan, [first]):
        through = f" through {listed(between)}" if between else ""
        raise Unclear(f"{first} needs {second}{through}, so that each would wait for the other: which need should go?")


def _ordered(context: Context, steps: tuple[Step, ...], other: Step, how: str, span: Span | None = None) -> Reply:
    is_before = how.lower().split()[-1] not in ("after", "behind", "following", "once")
    if is_before and context.finder.pinned:
        raise Unclear(f"The note is pinned to {steps[0].id}, and {context.name(other)} would wait for it: shall it?")
    edit = context.edit()
    for step in steps:
        first, second = (step.id, other.id) if is_before else (other.id, step.id)
        elapsed = span is not None and span.unit == "week"
        lag = Lag(first, float(span.calendar) if elapsed else span.working.likely, elapsed) if span else None
        put_before(edit, first, second, lag)
    for step in steps if is_before else steps[::-1]:
        edit.move(step.id, other.id, before=is_before)
    place = f"{f'{span} ' if span else ''}{'before' if is_before else 'after'}"
    return context.done(context.told(f"{{}} comes/come {place} {context.name(other)} now", steps), edit, steps)


def _stated_order(
    context: Context, steps: tuple[Step, ...], near: tuple[Step, ...], how: str = "after", span: Span | None = None
) -> Reply | None:
    return _ordered(context, steps, near[0], how, span) if len(near) == 1 else None


def _last_or_first(context: Context, steps: tuple[Step, ...], place: str = "first") -> Reply:
    """Let steps come after all others, or before them."""
    if len(steps) != 1:
        raise Unclear(f"In which order do {context.told('{}', steps)} come {place}?")
    (step,), edit = steps, context.edit()
    not_done_yet(steps)
    others = [one for one in context.open_steps if one.id != step.id]
    is_last = re.search(r"(?i)last|end|final|back|bottom", place) is not None
    for one in context.plan.steps:
        if step.id in one.needs:
            edit.let_go(one.id, {step.id}, step.needs)
    edit.set(step.id, needs=(), lags=())
    needed = {need for one in edit.plan.steps for need in one.needs}
    for one in others:
        if is_last and one.id not in needed:
            edit.need(step.id, one.id)
        elif not is_last and one.status == "todo" and not edit.step(one.id).needs:
            edit.need(one.id, step.id)
    if others:
        edit.move(step.id, others[-1 if is_last else 0].id, before=not is_last)
    return context.done(f"{context.name(step)} comes {'after' if is_last else 'before'} all others now", edit, steps)


def _needs(
    context: Context, steps: tuple[Step, ...], near: tuple[Step, ...], instead: tuple[Step, ...] = ()
) -> Reply | None:
    if context.has("(?:more|less|extra|some|enough) (?:time|days?|weeks?|money|people|help)"):
        return None
    edit = context.edit()
    for step in steps:
        edit.let_go(step.id, {one.id for one in instead})
    for step in steps:
        for other in near:
            if step.id == other.id:
                raise Unclear(f"{step.id} cannot need itself: which step does it need?")
            _not_in_a_circle(edit, other.id, step.id)
            edit.need(step.id, other.id)
    return context.done(f"{context.told('{} needs/need', steps)} {context.told('{}', near)} now", edit, steps)


def _needs_only(context: Context, steps: tuple[Step, ...], near: tuple[Step, ...]) -> Reply:
    """Let steps need some others and no more."""
    edit = context.edit()
    for step in steps:
        if turned := [one.id for one in near if step.id in {one.id, *reached(edit.plan, [one.id])}]:
            raise Unclear(f"{listed(turned)} waits for {step.id}: which should come first?")
        edit.set(step.id, needs=tuple(one.id for one in near), lags=())
    answer = f"{context.told('{} needs/need', steps)} only {context.told('{}', near)} now"
    return context.done(answer + loose(context.plan, edit.plan), edit, steps)


def _unneeded(context: Context, steps: tuple[Step, ...], near: tuple[Step, ...]) -> Reply:
    edit = context.edit()
    for step, other in product(steps, near):
        if step.id != other.id:
            edit.let_go(step.id, {other.id})
        if step.id != other.id and other.id in reached(edit.plan, [step.id]):
            ways = [
                need for need in edit.step(step.id).needs if need == other.id or other.id in reached(edit.plan, [need])
            ]
            raise Unclear(f"{step.id} needs {other.id} through {listed(ways)}: which of these needs should go?")
    others = "each other" if steps == near else context.told("{}", near)
    answer = f"{context.told('{} does/do', steps)} not wait for {others} now"
    return context.done(answer + loose(context.plan, edit.plan), edit, steps)


def _side_by_side(context: Context, steps: tuple[Step, ...]) -> Reply | None:
    """Let no step of several wait for another of them."""
    return _unneeded(context, steps, steps) if len(steps) > 1 else None


# --- kinds ------------------------------------------------------------------------------------------------------------


_WORDS = r"""
    INTO = (?P<into>( in(to)?|:|\.(?= first)) ?.+)
    BEFORE = (?P<how>earlier than|sooner than|(right |directly |immediately |only )?(before|after|behind|in front of|
        ahead of|prior to|following|once))
    FIELD = (?P<field>what (comes out of it|exists then|it delivers)|outcome|result|check|response|sign|measure|notes?)
    TO = ( (to|into|as))?:?
    DROP = drop|remove|delete|skip|omit|scrap|ditch|kill|axe|erase|lose|strike|cancel|eliminate|exclude|cut( out)?|cross
        out|get rid of|leave out|take out|throw (out|away)|kick out|forget( about)?|do without|scratch
    LINK = (need|dependency|link|needs|dependencies)
    GONE = not (needed|necessary|required|relevant|a risk|a thing)|n't (needed|necessary|required|relevant|a risk)|
        unnecessary|superfluous|irrelevant|redundant|pointless|useless|overkill|obsolete|no longer (needed|necessary|
        required|relevant|a risk)|out|cancell?ed|not happening|off the table
    END = ( (is|has|was) (done|finished|ended|over|completed?))?
"""


FORMS = forms(
    _WORDS,
    r"""
split
    (split|break|divide)( up| down)? <step>( up| down)?{INTO}?
    <step>,? in(to)? (?P<into>(two|three|four|[2-5])( (parts|steps|pieces))?[:,] .+)
    <step> (is|are) (really |actually )?(two|three|four|several) (things|steps|tasks|jobs)( really|
         actually)?(?P<into>:.+)
merged
    <what> (are|is) (really |actually |just )?(the same|one)( (thing|step|job))?( (to|for) (me|us))?
    (put|bring|throw|lump) <what> together
    (make|turn|put|do|bring) <what> (into )?(one|a single)( .*)?
    (merge|combine|join|unite|fold) <what>( (with|into(?! (one|a single)\b)) <more>)?( (in)?to (one|a single)( (step|
        task))?)?( called <title>)?( together)?
renamed
    (rename|re-?title|call|name|change) <item>{TO} (?P<text>[\"“'‘].+)
    (rename|re-?title|reword|rephrase|rewrite) <item>( (to|into|as)|:) <text>
    ((add|put|make) )?((the|an?) )?{FIELD} (of|for|to|on) <item>( (is|should be|must be)( that)?|:) <text>
    <item> (should|must) (be called|be named|read|say)(:| that)? (?P<text>(?!(what|who|how|when|where|why|which)\b).+)
last_or_first
    <steps>( (should|must|has to|can|needs to|rather))? (belongs?|comes?|goes|be|happens?|come|go|happen|is)( (to|at|in|
        only|done))* (?P<place>(the )?(very )?(end|start|beginning|last|first|final)( (step|one|of all|of everything))?)
unneeded
    (do not|don't|never|no need to|needn't) (hold|keep) <steps>( back| up| waiting)? (for|until|because of) <near>
    <steps> (does not|doesn't|don't|do not|need not|needn't|no longer|(should|must)(n't| not| no longer))( really|
        actually)? (have to |need to )?(needs?|depends? on|ha(ve|s) to wait for|waits? for|requires?)( to wait for)?
        <near>( to (be )?(done|finish(ed)?|end|start))?
    <steps> (can|could|may|should)( also)? (start|begin|run|happen|go|be done|be started)( already)? (before|without(
        waiting for)?|in parallel (with|to)|parallel to|at the same time as|alongside|independently of|together with|
        while) <near>{END}
side_by_side
    (do |run )?<steps> (can |could |should |may )?(be done |run |happen |go |start )?(in parallel|at the same time|
        simultaneously|side by side|together)
kept
    keep <items>( (as (it|they) (is|are)|as is|in( the plan)?|there))?
    (do not|don't|never|please don't) (drop|remove|delete|skip|cut|cancel|touch|change|move|lose|rename) <items>
dropped
    (take|leave|cut|throw|cross|kick|strike) <text> (out|away|off)( (of|from) (the|this) (plan|list))?
    ({DROP}) <text>
needless
    (we |i |you )?(do not|don't|no longer|won't|will not|never)( really| actually)? (need|want|do|require|bother with)(
        to do)?( any)? <text>
    (?P<text>.+?) (is|are)( really| completely| totally| just| simply| quite)?( ?)({GONE})( (any ?more|at all|here|now|
        for us))?
    (?P<text>.+?) (can|should|must|could|may|has to|needs to) (go|be (dropped|removed|deleted|skipped|omitted|cut|left
        out|cancelled|scrapped))
stated_order
    (leave|keep|put|add|have|plan|we need) (at least )?<span> between <near> and <steps>
    (do not|don't|never) (do|start|begin|run|touch) <steps> (before|until|unless) <near>{END}
    <near> first,? (and )?then <steps>
    ((i|we)('d| would)? (want|need|like)( to have)? |(have|get) )<steps> ((ready|done|finished|in place|
        through) )*(?P<how>before) <near>{END}
    <steps>( (should|must|has to|have to|needs? to|can only|may only|can))?( (be|come|happen|be done|go|start|begin|run|
        starts|begins|comes|happens|goes|is done|is)){0,5}( (at least |at most |about |exactly |no more than
        )?(?P<span>(\w+ )?\S+ (working )?(days?|weeks?)))? {BEFORE} <near>{END}
ordered
    (do|move|put|place|schedule|start|run|have|make|shift) <steps>( (happen|come))?( up| down)? {BEFORE} <other>
needs_only
    <steps> (only|just)( really| actually)? ((has|have|needs?) to wait for|waits? for|needs?|depends? on|
        requires?) <near>
needs
    <steps> (needs?|depends? on|waits? for|builds? on) <near>,? (and )?(not|instead of|rather than|no longer) <instead>
    (add|put in|make|create)( a| the)? {LINK} (of|from|between) <steps> (to|on|for|and) <near>
    <steps> (needs?|requires?|depends? on|waits? for|ha(s|ve) to wait for|(must|should) wait for|is blocked by|relies
        on|builds? on) <near>( (first|to be (done|finished)( first)?|to (finish|end)( first)?|before))?
""",
    _split,
    _merged,
    _last_or_first,
    _renamed,
    _unneeded,
    _side_by_side,
    _kept,
    _dropped,
    _needless,
    _stated_order,
    _ordered,
    _needs_only,
    _needs,
)
