"""What is missing, put in: a step with its owner, effort, days and place; a risk, a question, an approval."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    ConstraintKind,
    Criterion,
    Decision,
    Item,
    Question,
    Risk,
    Step,
)
from workbench.domain.requests.amounts import days, facts, first_of, last_of, limit_of, money
from workbench.domain.requests.context import Context, listed, sentence
from workbench.domain.requests.edit import Edit
from workbench.domain.requests.form import forms
from workbench.domain.requests.forms.frames import criterion
from workbench.domain.requests.forms.steps import put_before
from workbench.domain.requests.lookup import ID, quoted, roots, telling
from workbench.domain.requests.parts import Wanted, read_step
from workbench.domain.requests.request import Reply, Unclear

# --- steps ------------------------------------------------------------------------------------------------------------


def _step(context: Context, text: str, *, is_milestone: bool = False) -> Reply:
    wanted = read_step(context, text)
    words = set(roots(wanted.text))
    if re.search(rf"\b{ID}\b", wanted.text) and any(
        n in context.finder.by_id for n in re.findall(rf"\b{ID}\b", wanted.text)
    ):
        raise Unclear(f"Is “{wanted.text}” a step of its own, or what should change?")
    if (
        not words
        or re.match(r"(?i)be\b", wanted.text)
        or len(wanted.text.split()) > 24
        or re.fullmatch(ID, wanted.text)
    ):
        raise Unclear("What should the new step be called?")
    if same := next((step for step in context.open_steps if set(roots(step.title)) == words), None):
        raise Unclear(f"{quoted(same)} is there already: what should change about it?", about=(same.id,))
    values: dict[str, Any] = {"not_before": context.today.isoformat()} if context.has_begun else {}
    for fact in wanted.days:
        if (
            first_of(fact) != last_of(fact)
            and re.match(r"(?i)(?:in|during|within) (?!\d)", fact.text)
            and fact.role != "deadline"
        ):
            values |= {"not_before": first_of(fact).isoformat(), "deadline": last_of(fact).isoformat()}
            continue
        field = "not_before" if fact.role == "start" else "on" if fact.role == "on" or is_milestone else "deadline"
        values[field] = (limit_of if field == "deadline" else first_of)(fact).isoformat()
    edit = context.edit()
    effort = wanted.length.working if wanted.length and not is_milestone else None
    step = Step(
        id=edit.new_id(Step),
        title=wanted.text,
        owner=wanted.owner,
        effort=effort,
        milestone=is_milestone,
        cost=wanted.cost,
        **values,
    )
    _put(context, edit, step, wanted)
    lacks = [what for what, value in (("owner", wanted.owner), ("estimate", effort or is_milestone)) if not value]
    answer = f"{step.id} “{step.title}” is added{_where(wanted)}"
    if wanted.unclear:
        return context.done(f"{answer}; where? {wanted.unclear}", edit, [step], partly=True)
    return context.done(answer + (f"; it has no {listed(lacks, 'and no')} yet" if lacks else ""), edit, [step])


def _put(context: Context, edit: Edit, step: Step, wanted: Wanted) -> None:
    """Put a new step behind or before another, with the needs that this means."""
    order = [one.id for one in context.plan.steps]
    if wanted.before:
        at = order.index(wanted.before)
        needs = (wanted.after,) if wanted.after else edit.step(wanted.before).needs
        edit.add(replace(step, needs=needs), after=order[at - 1] if at else "")
        put_before(edit, step.id, wanted.before)
    elif wanted.after:
        edit.add(replace(step, needs=(wanted.after,)), after=wanted.after)
    else:
        needed = {need for one in context.plan.steps for need in one.needs}
        ends = tuple(one.id for one in context.open_steps if one.id not in needed)
        edit.add(replace(step, needs=ends if wanted.is_last else ()), after="" if wanted.is_first else None)
        for one in context.open_steps if wanted.is_first else ():
            if not one.needs and one.status == "todo":
                edit.need(one.id, step.id)


def _where(wanted: Wanted) -> str:
    place = f" between {wanted.after} and {wanted.before}" if wanted.before and wanted.after else ""
    place = place or (f" before {wanted.before}" if wanted.before else f" after {wanted.after}" if wanted.after else "")
    place = place or (" at the end" if wanted.is_last else " before all others" if wanted.is_first else "")
    return place + (f", {wanted.owner}'s" if wanted.owner else "") + (f", {wanted.length}" if wanted.length else "")


# --- other lines ------------------------------------------------------------------------------------------------------

_KINDS: tuple[tuple[str, type[Item] | str], ...] = (
    (r"milestone", "milestone"),
    (r"risk|danger|chance", Risk),
    (r"(?:success )?(?:criterion|criteria?|kpi|metric)", Criterion),
    (r"constraint|rule|restriction|requirement|limit", Constraint),
    (r"(?:open )?question|q", Question),
    (r"assumption|assume|expect", "assumptions"),
    (r"decision(?: log)?", Decision),
    (r"note|remark|comment", "notes"),
    (r"step|task|phase|work package|activity|item|action|to-?do|point|line", Step),
)
_OF_SECTION: dict[str, type[Item] | str] = {
    "risks": Risk, "criteria": Criterion, "constraints": Constraint, "questions": Question, "decisions": Decision,
    "assumptions": "assumptions", "scope": "scope", "notes": "notes",
}  # fmt: skip
_LIMITS = re.compile(
    r"(?i)\b(?:must|may|can|should) ?not\b|\bcannot\b|\bcan't\b|\bmustn't\b|\bno more than\b|\bat most\b|\bhas to "
    r"(?:be|stay|remain)\b|\bmust (?:never|be|stay|remain|have|comply|fit|work|run|support)\b|\brequires?\b|\bonly "
    r"(?:on|in|at|from|between|with)\b|\bnot allowed\b"
)
_NOTHING = re.compile(
    r"(?i)(?:more |some |enough )?(?:time|hurry|rush|problem|pressure|need|point|reason|doubt|money|people|budget|"
    r"help|(?:someone|somebody|anyone)\b.*|details?|resources|staff|days|weeks|something|anything|it|this|that|more|"
    r"a break|everybody|everyone|all(?: of us)?|nobody)(?: (?:for|to|here|please|on|in|of|who|that)\b.*)?"
)


_HOW_MUCH = re.compile(
    r"(?i)(?:to )?(?:cut|reduce|lower|raise|increase|change|shift|move|trim|save) (?:the |our |my |some )?(?:budget|"
    r"costs?|money|"
    r"deadline|dates?|days?|estimates?|efforts?|time|scope)"
)
"""What has to be said with a value, and is no step."""
_OTHERWISE = re.compile(
    r"(?i)\b(?:earlier|later|sooner|faster|cheaper|longer|shorter|less|instead|differently|better)\b"
)


def _added(context: Context, text: str, kind: str = "", verb: str = "") -> Reply:
    if not kind and re.search(r"(?i)\bholidays?\b|\bdays? off\b", text) and days(text, context.today):
        raise Unclear("Is that a day on which nobody works? Say “nobody works on …”.")
    if _NOTHING.fullmatch(text) or (_OTHERWISE.search(text) and not re.match(r"add|insert|include", verb)):
        raise Unclear(f"How much, and where: which line should change for “{text}”?")
    if not kind and _HOW_MUCH.fullmatch(text):
        raise Unclear(f"“{sentence(text)}”: to how much, or to which day?")
    if not kind and not telling(text):
        raise Unclear(f"What is “{text}”: which step is missing?")
    if not kind and not re.match(r"(?i)add|insert|include", verb) and re.match(r"\d+ [\w-]+$", text):
        raise Unclear(f"Which line should say “{text}”?")
    if re.search(r"(?i)\b(?:never|not)\b", text) and re.search(r"(?i)\bmust\b", verb):
        kind = "constraint"
    of_kind = next((what for pattern, what in _KINDS if kind and re.fullmatch(rf"(?:{pattern})s?", kind.lower())), None)
    of_kind = (
        of_kind
        or _OF_SECTION.get(context.finder.section)
        or (Constraint if not verb and _LIMITS.search(text) else Step)
    )
    if of_kind in (Step, "milestone"):
        reply = _step(context, text, is_milestone=of_kind == "milestone")
        is_wish = re.search(r"(?i)\b(?:want|like|require|could use)\b", verb) is not None
        is_weak = is_wish and not kind and not (begins_with_verb(text) or " to " in text)
        is_told = not kind and re.search(r"(?i)\b(?:need|has|have) to$", verb.strip()) is not None
        what = re.split(r",? (?:before|after)\b", text)[0]
        return replace(reply, is_weak=is_weak or (is_told and context.finder.clear_steps(what) != ()))
    words = re.sub(r"(?i)^(?:that|of|about|is|:|–|-)\s+", "", text.strip()).strip(' "“”')
    if not roots(words) or re.fullmatch(ID, words):
        raise Unclear("What should it say?")
    edit = context.edit()
    name = edit.add(_line(context, edit, of_kind, words), section=of_kind if isinstance(of_kind, str) else "")
    return context.done(f"{quoted(edit.item(name))} is added", edit, [name])


def _line(context: Context, edit: Edit, kind: type[Item] | str, words: str) -> Item:
    """Return a new line that is no step."""
    if kind is Risk:
        return _risk(edit, words)
    if kind is Criterion:
        return criterion(context, edit, words)
    if kind is Constraint:
        amount = money(words, context.today)
        is_exclusion = re.search(r"\b(?:no|not|never|without|n't)\b", words)
        limits: ConstraintKind | None = "amount" if amount else "exclusion" if is_exclusion else None
        return Constraint(id=edit.new_id(Constraint), text=sentence(words), limits=limits, amount=amount)
    if kind is Question:
        return Question(id=edit.new_id(Question), text=f"{sentence(words).rstrip('?')}?")
    if kind is Decision:
        return Decision(id=edit.new_id(Decision), text=sentence(words))
    return Bullet(id=edit.new_id(Bullet), text=sentence(words))


def _risk(edit: Edit, words: str) -> Risk:
    level = r"\b(likelihood|probability|impact)\s*(?:is |of |: ?)?(low|medium|high)\b"
    levels: dict[str, Any] = {
        "impact" if field.lower() == "impact" else "likelihood": degree.lower()
        for field, degree in re.findall(level, words, re.IGNORECASE)
    }
    response = re.search(r"(?i)[,;]\s*(?:response|mitigation|then)\s*(?:is |: ?)?(.+)$", words)
    bare = re.sub(rf"(?i)[,;]?\s*(?:with )?{level}(?: and)?", "", words[: response.start()] if response else words)
    return Risk(id=edit.new_id(Risk), text=sentence(bare), response=sentence(response[1]) if response else "", **levels)


def _stated(context: Context, what: str, rest: str) -> Reply | None:
    """Take a sentence that states what must hold for a constraint."""
    has_facts = any(fact.type in ("date", "duration") for fact in facts(context.text, context.today))
    is_about_it = (
        re.search(r"\b[sS]\d+\b", what)
        or (re.match(r"(?i)(?:it|this|that|they)\b", what) and context.finder.recent)
        or any(context.known(word) for word in what.split() if word[:1].isupper())
        or context.finder.pinned
    )
    return None if has_facts or is_about_it or not _LIMITS.search(rest) else _added(context, context.text, "constraint")


def _added_all(context: Context, kind: str, text: str, verb: str = "") -> Reply:
    """Add several lines of a kind: "add two risks: rain and wind"."""
    replies: list[Reply] = []
    for part in re.split(r"\s*;\s*|\s*(?:,|\band\b)\s*(?:and\s+)?" if ";" not in text else r"\s*;\s*", text):
        plan = replies[-1].plan if replies else None
        replies.append(_added(Context(part, plan or context.plan, context.today, context.finder), part, kind, verb))
    about = tuple(name for reply in replies for name in reply.about)
    return Reply("; ".join(reply.answer for reply in replies), replies[-1].plan, about=about)


def _placed(context: Context, place: str, text: str, kind: str = "", verb: str = "") -> Reply:
    if kind and not re.fullmatch(r"(?i)step|task|phase|work package|activity|action|to-?do", kind):
        return _added(context, text, kind, verb)
    return _step(context, f"{text}, {'at the start' if place.lower() in _FIRSTS else 'at the end'}")


_FIRSTS = frozenset(
    {"first", "opening", "before everything else", "before anything else", "before all that", "before we start"}
)


def _headed(context: Context, kind: str, text: str, verb: str = "add") -> Reply:
    """Add a line of the kind that is named; without one, a sign of success."""
    return _added(context, re.sub(r"^(?:that|:) ", "", text), kind or "criterion", verb or "add")


def _needed(context: Context, text: str, gate: str) -> Reply | None:
    """Add what has to be done before or after a step, and no step does: "we have to write to the bank before S6"."""
    is_new = begins_with_verb(text) and not days(gate, context.today)
    is_known = any(context.finder.clear_steps(what) for what in (text, text.partition(" ")[2]))
    gated = context.finder.clear_steps(gate.partition(" ")[2])
    if not is_new or is_known or not gated:
        return None
    return replace(_step(context, f"{text}, {gate}"), is_weak=_TALKS.match(text) is not None)


_TALKS = re.compile(r"(?i)(?:tell|ask|talk|discuss|speak|think|know|decide|agree|wait)\b")
"""Verbs of what may be a step, or only be said."""


# --- approvals --------------------------------------------------------------------------------------------------------


def _approval(context: Context, name: str, what: str = "", before: str = "") -> Reply | None:
    """Make a step of an approval: before what it gates where that is said, else behind what is approved."""
    if (
        len(name.split()) > 3
        or re.search(r"(?i)\b(?:both|us|all|everybody|everyone)\b", name)
        or not context.is_subject(name)
    ):
        return None
    who = context.owner(name) or sentence(re.sub(r"(?i)^(?:the|our) ", "", name))
    if not what and not before:
        raise Unclear(f"What does {who} approve, and before which step?")
    gate = context.finder.step(before, is_target=False) if before else None
    thing = (
        context.finder.step(what, is_target=False) if what and (gate is None or context.finder.means(what)) else None
    )
    gated = (
        [gate]
        if gate
        else [step for step in context.open_steps if thing and thing.id in step.needs and step.status != "under-way"]
    )
    if thing is not None and not gated:
        raise Unclear(f"Should {who} approve before {quoted(thing)} begins, or after it?", about=(thing.id,))
    title = f"{who} approves {_ARTICLE_INSIDE.sub(_lower, what) if what else f'“{gate.title}”' if gate else ''}"
    edit = context.edit()
    needs = (thing.id,) if thing else gate.needs if gate else ()
    step = Step(id=edit.new_id(Step), title=title, owner=who, needs=needs)
    edit.add(step, after=thing.id if thing else None)
    for later in gated:
        edit.let_go(later.id, {thing.id} if thing else ())
        put_before(edit, step.id, later.id)
    if thing is None and gate is not None:
        edit.move(step.id, gate.id, before=True)
    waits = context.told("{} waits/wait", gated)
    return context.done(f"{step.id} “{title}” is added, and {waits} for it", edit, [step])


_ARTICLE_INSIDE = re.compile(r"^(?:The|Our|My|An?) ")


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


_WORDS = r"""
    KIND = (milestone|risk|(success )?(criterion|criteria|kpi|metric)|constraint|rule|restriction|requirement|limit|
        (open )?question|q|assumption|decision|note|remark|comment|step|task|phase|work package|activity|item|action|
        to-?do|point|line)
    HOME = (list of )?(?P<kind>milestones?|risks?|dangers|(success )?criteri(on|a)|kpis?|constraints?|rules|
        restrictions|requirements?|(open )?questions?|assumptions?|decision( log)?s?|notes?)
    THING = (as )?((an?|another|one more|the|some|a new|an extra|an additional|a separate|a further) )?((new|extra|
        additional|separate|further|short|quick) )?(?P<kind>{KIND})s?\b( ?[:–-]| (to|for|about|that|called|named|where|
        in which|of|on|saying|:)(?!\w)){0,5} ?
    VERB = (?P<verb>add:?|insert|include|put in|append|introduce|create|plan in|plan(?= an? )|schedule in|build in)(
        in)?
    NEED = ((we|i|you|the plan|it|this)('ll| will| would|'d| do|'ve| have)?( (also|still|definitely|really|then|
        probably|even|just|always)){0,5} (needs?|lacks?|miss(es)?|forgot(ten)?|forget|want|require|should have|must
        have|(are|am|is) missing|could use|have to have)( (also|still|to have))?|(don't|do not|let's not) forget(
        about)?)
    NEEDED = (someone|somebody) (has to|must|needs to|should)|we (also |still )?(have|need) to|i have to|we (also
        )?must|there (should|must|has to|needs to|ought to) be|we should( also)? (have|plan)|what('s| is)( still)?
        (missing|needed)( is|:)|missing:?|i('d| would)( also)? like( to (have|add|see))?|how about( adding)?|what about
        adding|consider( adding)?|remember( to)?|think of
    NONE = there('s| is| are|'re)( still| also)? (no|not (an?|any))|i (can't|cannot|don't) (see|find)( an?| any)?|
        where('s| is)|nothing (covers|about|is (said|planned) (about|for))
    HERE = ( (in here|in (the|this|your) (plan|list)|here|yet|at all|anywhere))
    APPROVE = (approved?|sign(s|ed)? off( on)?|signs?|signed|accepts?|accepted|clear(s|ed)?|agree[sd]?( to| with| on)?|
        release[sd]?|confirm(s|ed)?)
    MUST = (must|has to|have to|needs? to|should|will have to)( (first|also|still))?
    GATE = (,? (before|prior to) (?P<before>.+))
    NAME = (?P<name>[\w -]{2,40}?)
"""


HOMES = forms(
    _WORDS,
    r"""
headed
    (?!(our|the|my) (lines?|points?|items?|actions?)\b)((new|another|extra|one more|an?|the|our|my|biggest|main|real|
        only|greatest|major|big) ){0,5}(?P<kind>{KIND})s?( ?[:–]| -) ?<text>
    ({VERB}|write|note|list|log|file|put|record)( down)?( the following| this)?( (to|in|into|under|among|on|as)) ((the|
        our|my|a|an|another|one more) )?{HOME}(:| that|,)? ?<text>
    ({VERB}|write|note|list|log|file|put|record) <text> (to|in|into|under|among) (the |our |my )?{HOME}
    (one|another|and one|an|one more)( more)? (for|to|in|among|under) (the |our |my )?{HOME}( is)?( that|:|,)? ?<text>
    (under|for|as|in|to|among) ((the|an?|our|my|another|one more|new|further) ){0,3}{HOME}[:,]? ?({VERB}|note|write|put|
        say)?( that|:)? ?<text>
needed
    (we|i|you|someone|somebody)( (also|still|first|really))* (need|needs|have|has) to <text>,? (?P<gate>(before|after)
        .+)
""",
    _headed,
    _needed,
)


APPROVALS = forms(
    _WORDS,
    r"""
approval
    {MUST} be {APPROVE} by (?P<name>.+)
    <what> ({MUST}|needs?) ?(be|get) {APPROVE} by (?P<name>[^,]+?){GATE}?
    {NAME} {MUST} {APPROVE}{GATE}
    {NAME} {MUST} {APPROVE} <what>({GATE}|,? first)?
""",
    _approval,
)


FORMS = forms(
    _WORDS,
    r"""
placed
    {VERB} (a |an |one |the )?(new |very )?(?P<place>last|final|first|closing|opening) (step|task|one)(
        ?[:–-]| to| for| called| where){0,5} <text>
added_all
    (({VERB}|{NEED}|{NEEDED}|there are|missing) )?((a few|some|the|these|following|two|three|four|five|several|more|new|
        my|other) ){0,5}(?P<kind>risk|step|task|question|constraint|assumption|milestone|criteri)(s|a)( (are|is|still|
        that))*( missing)?( ?[:–-]) ?<text>
added
    (?P<text>.+?) (should|must|has to|needs to|could) (be|become|get|have|stay)( (an?|its|their))? (own|separate|extra)
        (step|task)
    ({VERB}|{NEED}|{NEEDED}) {THING}<text>
headed
    there('s| is) (also )?(a|another|the|one more) (?P<kind>risk|danger|chance)( that| of|:)? <text>
    ((the|our|my|another|a|one|biggest|main|real|only|greatest|major|big) ){1,5}(?P<kind>risk|assumption|constraint|open
        question) (here )?(is|would be)( that)? <text>
added
    ({NONE}) {THING}(?P<text>.+?){HERE}?
    (?P<verb>nothing (covers|about|is (said|planned) (about|for))|no ?(one|body) (has )?(thought|thinks) (of|about))
        (?P<text>.+?){HERE}?
    (?P<text>.+?) (?P<verb>is|are) (still |completely |totally )?(missing|not (in (there|the plan|here)|planned|covered|
        included|mentioned)|forgotten|nowhere( in the plan)?)
    {VERB} <text>
    (?P<verb>{NEED}|{NEEDED}) <text>
stated
    <what> (?P<rest>(must|may not|mustn't|should not|has to|have to|requires?|is not allowed|are not
        allowed|can only|may only)\b.+)
""",
    _placed,
    _added_all,
    _added,
    _headed,
    _stated,
)
