"""Questions about a plan, answered from its data in a sentence; the plan stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable

from workbench.domain.plan.figures import Figures, StepFigures, figures, with_forecast
from workbench.domain.plan.markdown.fields import number
from workbench.domain.plan.plan import Bullet, Item, Question, Risk, Step
from workbench.domain.requests.amounts import effort_told, money_told, spoken
from workbench.domain.requests.context import Context, listed, sentence, verb
from workbench.domain.requests.edit import reached
from workbench.domain.requests.lookup import quoted, roots
from workbench.domain.requests.request import Reply, Unclear

_ASKS = re.compile(
    r"(?i)(?:why|what|how|who|whom|whose|when|where|which|is|are|was|were|am|can|could|do|does|did|will|would|should|"
    r"shall|may|might|has|have|had|isn't|aren't|don't we|doesn't|won't|wouldn't|couldn't|shouldn't|any (?:idea|chance|"
    r"reason)|explain|tell me|i (?:don't|do not) understand|i wonder|by when|until when|remind me|so )\b"
)
_NOT_ASKED = re.compile(
    r"(?i)(?:what(?:'s| is) (?:still )?(?:missing|needed) is|what (?:about adding|matters)|how about|what about "
    r"(?!.*\?)|don't (?!we\b)|do (?!we|i|you|they)|have (?!we|i|you|they|all)|is missing|will need|are missing|when "
    r"(?!do|does|did|is|are|will|can|should|would|must).*[^?]$|may not|can only|is not|are not|should be|must)"
)


def is_question(text: str, bare: str) -> bool:
    """Tell whether a clause asks something; ``bare`` is it without the polite words before a command."""
    is_polite = bare != text and _ASKS.match(bare) is None
    if is_polite:
        return False
    return (_ASKS.match(bare) is not None and _NOT_ASKED.match(bare) is None) or (
        text.endswith("?") and re.search(r"\w", text) is not None and _ASKS.match(bare) is not None
    )


def answered(context: Context) -> Reply:
    """Return what the plan says to a question."""
    told = figures(context.plan, today=context.today)
    for pattern, answer in _ANSWERS:
        if re.search(pattern, context.text, re.IGNORECASE) and (reply := answer(context, told)):
            return reply
    known = _open_already(context)
    if known is not None:
        assumed = f"; until then the plan assumes: {known.assumption}" if known.assumption else ""
        return _reply(f"That is not known yet: {known.id} asks it{assumed}")
    if re.match(r"(?i)(?:can|could|should|shall|would|may|must)\b", context.text):
        return Reply("Shall that be done? Say it as a request, and it is", outcome="asked", control="question")
    return Reply(
        "The plan does not say; “add a question: …” keeps it among the open ones",
        outcome="not done",
        control="question",
    )


def _reply(answer: str, *about: str) -> Reply:
    return Reply(answer.rstrip("."), control="question", about=about)


def _step(context: Context) -> Step | None:
    """Return the step that a question is about; None where it speaks of none, or of several."""
    try:
        return context.finder.step(_phrase(context), is_target=False)
    except Unclear:
        return None


def _phrase(context: Context) -> str:
    ids = re.findall(r"\b[sS]\d+\b", context.text)
    return ids[0] if ids else _ASKING.sub(" ", context.text.replace("'s", " ")).strip(" ?.,") or "it"


_ASKING = re.compile(
    r"(?i)\b(?:why|what|how|who|whom|whose|when|where|which|is|are|was|were|can|could|do|does|did|will|would|should|"
    r"has|have|had|the|a|an|we|i|you|it|take|takes|taking|long|so|start|starts|begin|begins|end|ends|finish|finished|"
    r"done|ready|responsible|in charge|owns?|doing|need|needs|needed|cost|costs|much|many|days|weeks|happen|happens|"
    r"late|early|after|before|of|for|to|by|on|with|really|actually|there|supposed|going|be|been|only|just|that|this)\b"
)


def _row(told: Figures, step: Step) -> StepFigures | None:
    return next((row for row in told.steps if row.step == step.id), None)


def _path(context: Context, told: Figures) -> Reply | None:
    del context
    return (
        _reply(f"The critical path is {' → '.join(told.critical_path)}: a day lost there is a day lost at the end")
        if told.critical_path
        else None
    )


_OF_THE_WHOLE = re.compile(r"(?i)\b(?:we|plan|project|whole|everything|in time|deadline)\b")


def _finish(context: Context, told: Figures) -> Reply | None:
    if told.finish is None or (_step(context) is not None and not _OF_THE_WHOLE.search(context.text)):
        return None
    answer = f"The plan ends on {spoken(told.finish, context.today)}"
    if told.deadline and told.slack_days is not None:
        days = f"{abs(told.slack_days)} working {'day' if abs(told.slack_days) == 1 else 'days'}"
        side = "before" if told.slack_days >= 0 else "after"
        answer += f", {days} {side} the deadline of {spoken(told.deadline, context.today)}"
    if unknown := [
        step.id for step in context.open_steps if step.effort is None and step.waiting is None and not step.on
    ]:
        return _reply(
            f"{answer}, but {listed(unknown[:6])} {verb(unknown, 'has', 'have')} no estimate, so that this says little"
        )
    likely = with_forecast(context.plan, today=context.today).forecast
    if likely is not None:
        answer += f"; in four of five cases by {spoken(likely.p80, context.today)}"
        answer += f", and in time in {likely.chance:.0%} of them" if likely.chance is not None else ""
    return _reply(answer)


def _long(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    if step is None:
        return _finish(context, told)
    row = _row(told, step)
    if row and row.start and row.end:
        when = f", from {spoken(row.start, context.today)} to {spoken(row.end, context.today)}"
        why = (
            f": it begins then because {row.why[0].lower()}{row.why[1:]}"
            if row.why and re.search(r"(?i)\bwhy\b", context.text)
            else ""
        )
        return _reply(f"{context.name(step)} takes {effort_told(step.effort)}{when}{why}", step.id)
    return _reply(f"{context.name(step)} takes {effort_told(step.effort)}", step.id)


def _who(context: Context, told: Figures) -> Reply | None:
    del told
    if re.search(r"(?i)\b(?:decides?|signs?|approves?|last word)\b", context.text):
        deciding = [step for step in context.plan.steps if re.search(r"(?i)decid|approv|sign|accept", step.title)]
        return (
            _reply(listed([f"{step.owner} ({step.id} “{step.title}”)" for step in deciding if step.owner][:3]))
            if deciding
            else None
        )
    try:
        steps = context.finder.steps(_phrase(context), is_target=False)
    except Unclear as unclear:
        steps = tuple(step for step in context.plan.steps if step.id in unclear.reply.about)
    owned = [f"{step.owner or 'nobody yet'} owns {context.name(step)}" for step in steps]
    return _reply(sentence(listed(owned)), *(step.id for step in steps)) if owned else None


def _when(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    row = _row(told, step) if step else None
    if step is None and (not roots(_phrase(context)) or _OF_THE_WHOLE.search(context.text)):
        return _finish(context, told)
    if step is None or row is None or row.start is None or row.end is None:
        return None
    if step.status == "done":
        return _reply(f"{context.name(step)} was done on {spoken(row.end, context.today)}", step.id)
    if row.start == row.end:
        return _reply(f"{context.name(step)} is on {spoken(row.start, context.today)}", step.id)
    return _reply(
        f"{context.name(step)} runs from {spoken(row.start, context.today)} to {spoken(row.end, context.today)}",
        step.id,
    )


def _status(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    if step is None:
        return None
    row = _row(told, step)
    ends = (
        f", and ends on {spoken(row.end, context.today)}"
        if row and row.end and step.status not in ("done", "dropped")
        else ""
    )
    words = {
        "todo": "still to do",
        "under-way": "under way",
        "waiting": "waiting",
        "done": "done",
        "dropped": "dropped",
    }
    return _reply(f"{context.name(step)} is {words[step.status]}{ends}", step.id)


def _money(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    if step is not None and step.cost:
        return _reply(f"{context.name(step)} costs {money_told(step.cost)}", step.id)
    sums = listed([money_told(total) for total in told.costs.totals])
    limits = listed([f"{money_told(limit.most)} ({limit.constraint})" for limit in told.limits])
    if sums or limits:
        return _reply(
            f"The steps cost {sums or 'nothing that the plan knows'}"
            + (f", and {limits} may be spent" if limits else "")
        )
    return None


def _parallel(context: Context, told: Figures) -> Reply | None:
    del context
    rows = [row for row in told.steps if row.start and row.end]
    pairs = [
        f"{row.step} and {other.step}"
        for at, row in enumerate(rows)
        for other in rows[at + 1 :]
        if row.start and row.end and other.start and other.end and row.start <= other.end and other.start <= row.end
    ]
    return _reply(
        f"At the same time run {listed(pairs[:5])}" if pairs else "None: each step waits for the one before it"
    )


def _open(context: Context, told: Figures) -> Reply | None:
    del context
    left = [row.step for row in told.steps if row.status not in ("done", "dropped")]
    return _reply(
        f"{told.done} of {told.count} steps are done; open {verb(left, 'is', 'are')} {listed(left[:12]) or 'none'}"
    )


def _whose(context: Context, told: Figures) -> Reply | None:
    del told
    person = next(
        (name for name in context.people if re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", context.text)),
        "",
    )
    own = [f"{step.id} “{step.title}”" for step in context.open_steps if step.owner == person]
    return _reply(f"{person} has {listed(own) or 'no open step'}") if person else None


def _assumed(context: Context, told: Figures) -> Reply | None:
    del told
    section = context.plan.section("assumptions")
    lines = [item for item in section.items if isinstance(item, Bullet)] if section else []
    words = set(roots(context.text)) - set(roots("assume assumption"))
    near = [item for item in lines if words & set(roots(item.text))] if words else lines
    return _reply("; ".join(f"{item.id}: {item.text.rstrip('.')}" for item in near[:3])) if near else None


def _slack(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    row = _row(told, step) if step else None
    if step is None:
        return _finish(context, told)
    if row is None or row.slack is None:
        return _reply(f"{context.name(step)} has no dates yet", step.id)
    days = f"{row.slack} working {'day' if row.slack == 1 else 'days'}"
    return _reply(f"{context.name(step)} can be {days} later before the end moves", step.id)


_IN_QUESTION = 0.3
"""Share of what a question supposes that the title of a step has to have."""


def _if(context: Context, told: Figures) -> Reply | None:
    """Tell what waits for what a question is about."""
    del told
    words = re.sub(r".*?\bif\b", "", context.text, count=1)
    near = [step for step in context.open_steps if roots(words) and context.finder.share(words, step) >= _IN_QUESTION]
    if not 0 < len(near) < 3:
        return None
    waiting = [step for step in context.open_steps if near[0].id in reached(context.plan, [step.id])]
    then = (
        f"{listed([step.id for step in waiting[:8]])} {verb(waiting, 'waits', 'wait')} for it"
        if waiting
        else "nothing waits for it"
    )
    return _reply(f"That is {quoted(near[0])}: {then}; no risk of the plan speaks of it", near[0].id)


def _risk(context: Context, told: Figures) -> Reply | None:
    del told
    words = set(roots(context.text))
    risks = [item for item in context.plan.items if isinstance(item, Risk)]
    best = max(risks, key=lambda item: len(words & set(roots(item.text))), default=None)
    if best is None or not words & set(roots(best.text)):
        return None
    return _reply(f"{best.id} “{best.text.rstrip('.')}”: {best.response or 'no response yet'}", best.id)


def _about(context: Context, told: Figures) -> Reply | None:
    step = _step(context)
    if step is None:
        item = _named(context)
        return _reply(f"{item.id}: {getattr(item, 'text', '')}", item.id) if item else None
    row = _row(told, step)
    needing = [other.id for other in context.plan.steps if step.id in other.needs]
    reasons = [
        f"what comes out of it: {step.outcome.rstrip('.')}" if step.outcome else "",
        f"{listed(needing)} {verb(needing, 'needs', 'need')} it" if needing else "",
        f"it begins then because {row.why[0].lower()}{row.why[1:]}" if row and row.why else "",
    ]
    return _reply(
        f"{step.id} “{step.title}” takes {effort_told(step.effort)}; {'; '.join(filter(None, reasons))}".rstrip("; "),
        step.id,
    )


def _named(context: Context) -> Item | None:
    names = {name.upper() for name in re.findall(r"\b[A-Za-z]\d+\b", context.text)}
    return next((item for item in context.plan.items if item.id.upper() in names), None)


def _open_already(context: Context) -> Question | None:
    words = set(roots(context.text))
    questions = (item for item in context.plan.items if isinstance(item, Question))
    return next((item for item in questions if len(words & set(roots(item.text))) > len(words) / 2), None)


def _count(context: Context, told: Figures) -> Reply | None:
    del context
    return _reply(f"The plan has {number(told.count)} steps, {told.done} of them done")


_STATE_ASKED = (
    r"\bwhat(?:'s| is| are| else is)? (?:left|still open|open|to do|next|the status)\b|\bhow far\b|\bwhere (?:are|do) "
    r"we\b|\bprogress\b"
)
_ANSWERS: tuple[tuple[str, Callable[[Context, Figures], Reply | None]], ...] = (
    (r"\bcritical path\b", _path),
    (r"\b(?:slack|float|leeway|buffer|wiggle room)\b", _slack),
    (r"\bassum", _assumed),
    (
        r"\b(?:in time|on time|make it|likely|chance|feasible|realistic|meet the (?:date|deadline)|enough time)\b",
        _finish,
    ),
    (r"\bhow (?:sure|certain|safe|firm|reliable|sound)\b", _finish),
    (r"\b(?:parallel|same time|side by side|simultaneous)", _parallel),
    (r"\bhow many steps\b", _count),
    (r"\bhow (?:long|many (?:days|weeks|months))\b|\btakes? so long\b|\bso long\b", _long),
    (r"\bwho(?:se|m)?\b|\bowns?\b", _who),
    (_STATE_ASKED, _open),
    (r"\bwhat (?:does|is|has|will|do|should) \S+ (?:have to |need to )?(?:do|doing|on)\b", _whose),
    (r"\bwhen\b|\b(?:what|which) (?:day|date|week)\b|\bby when\b|\bdeadline\b|\bfinish(?:ed)?\b", _when),
    (r"\b(?:what (?:happens|if)|if\b.*\?)", _risk),
    (r"\b(?:what (?:happens|if)|if\b.*\?)", _if),
    (r"\b(?:budget|how much|afford|expensive)\b|\bcosts?\b", _money),
    (
        r"^(?:is|are|has|have|was|did)\b.*\b(?:done|finished|ready|started|begun|complete|late|waiting|blocked)\b",
        _status,
    ),
    (r"\b(?:why|what|understand|explain|mean|do we need|tell me)\b", _about),
    (r"\bwhat\b.*\bdo\b", _whose),
)
