"""What a person says about a plan, read as requests: each with what does it, and its answer in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import msgspec

from workbench.domain.errors import PlanUnsound
from workbench.domain.plan.operations import operations_between
from workbench.domain.plan.plan import Person, Plan
from workbench.domain.requests.answers import answered, is_question
from workbench.domain.requests.clauses import GOES_ON, LONGEST, MOST, Clause, clauses
from workbench.domain.requests.context import COMMAND, Context
from workbench.domain.requests.forms import FORMS
from workbench.domain.requests.lookup import Finder, quoted
from workbench.domain.requests.moves import dating, moved
from workbench.domain.requests.request import Reply, Request, Unclear
from workbench.domain.text.cleaning import shorten

_OPENING = re.compile(
    r"(?:(?:ok(?:ay)?|hm+|well|and|also|but|so|then|oh|ah|hey|hi|hello|sorry|actually|basically|btw|by the way|fyi|"
    r"plus|please|pls|just|simply|maybe|perhaps|finally|lastly|first of all|one more thing|another thing)"
    r"(?:\s*[,.!:–-]+\s*|\s+)(?!more\b|of\b|step\b|risk\b|one\b|later\b|earlier\b)"
    r"|(?:great|good|fine|nice|right|thanks|thank you|yes|no|nope|nah|next)\s*[,.!:–-]+\s*)+",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:can|could|would|will) (?:you|we|someone|somebody|i)(?: (?:also|please|maybe|perhaps|just|possibly|"
    r"kindly))* "
    r"|would you mind |do you mind |(?:i|we)(?:'d| would)(?: really)? (?:like|love|prefer|suggest|propose|"
    r"recommend)(?: it if)?(?: you)?(?: to| that you| that we)? "
    r"|(?:i|we) (?:want|need|think|suggest|propose|guess|wish)(?: you| that)?(?: (?:we|you))?(?: (?:to|should|"
    r"could|can|must))? "
    r"|(?:you|we|i|one) (?:should|could|can|must|have to|need to|ought to|might want to)(?: (?:also|really|just|"
    r"probably|maybe|perhaps|please))* "
    r"|(?:i|we)(?:'d| would) (?:rather |also |just )?|let(?:'s|s| us) (?:also |just |rather |please )?|please |kindly "
    r"|why (?:don't|not)(?: (?:we|you))? |how about (?:we |you )?|go ahead and |feel free to |make sure to )+",
    re.IGNORECASE,
)
_GERUNDS = {
    "adding": "add",
    "dropping": "drop",
    "removing": "remove",
    "moving": "move",
    "splitting": "split",
    "merging": "merge",
    "making": "make",
}
_CLOSING = re.compile(
    r"(?:[\s,]+(?:(?:that|this|it)(?:'s| is) (?:fixed|final|certain|settled|sure|a fact|not negotiable)|period|no "
    r"matter what|btw|please|pls|thanks|thank you|thx|ok|okay|asap|for now|if possible|if you can))*[\s.!?…]*$",
    re.IGNORECASE,
)
_TAIL = 120
"""Characters in which closing words are looked for."""
_HEAD = re.compile(r"([SRCKBDP]\d+)\s*(?::|–|—|-)\s+", re.IGNORECASE)


def read_requests(message: str, plan: Plan, *, today: date, item: str = "", section: str = "") -> tuple[Request, ...]:
    """Return the requests of a message about a plan, in order.

    Each one's operations come after those of the ones before it. ``item`` and ``section``: what a note is pinned to; a
    note on an item changes that item and no other.
    """
    requests: list[Request] = []
    recent: tuple[str, ...] = ()
    parts = clauses(message)
    for clause in parts[:MOST]:
        request, plan, recent = _read(clause, plan, today, Finder(plan, pinned=item, recent=recent, section=section))
        last = requests[-1] if requests else None
        if last and request.control and (request.control, request.answer) == (last.control, last.answer):
            requests[-1] = msgspec.structs.replace(last, text=message[last.start : request.end], end=request.end)
        else:
            requests.append(request)
    if len(parts) > MOST:
        left = Clause(message[parts[MOST].start : parts[-1].end], parts[MOST].start, parts[-1].end)
        requests.append(
            _request(
                left, Reply(f"Only {MOST} requests are read at once: send the rest again", outcome="not understood")
            )
        )
    if not parts:
        requests.append(
            _request(
                Clause(message, 0, len(message)),
                Reply("Nothing is said: what should change?", outcome="not understood"),
            )
        )
    return tuple(requests)


def _request(clause: Clause, reply: Reply) -> Request:
    answer = reply.answer.strip()
    return Request(
        text=clause.text,
        start=clause.start,
        end=clause.end,
        outcome=reply.outcome,
        answer=answer if answer.endswith(("?", ".", "”")) else f"{answer}.",
        control=reply.control,
    )


def _read(clause: Clause, plan: Plan, today: date, finder: Finder) -> tuple[Request, Plan, tuple[str, ...]]:
    """Return a request, the plan after it, and what "it" means then."""
    try:
        reply = _reply(clause, plan, today, finder)
        request = _request(clause, reply)
        if reply.plan is None or reply.plan == plan:
            return request, plan, reply.about or finder.recent
        changed = reply.plan
        dates = dating(plan, changed, today)
        from workbench.domain.plan.operations import applied

        after = applied(changed, dates)
        moves = moved(plan, after, reply.about, today)
    except Unclear as unclear:
        return _request(clause, unclear.reply), plan, unclear.reply.about or finder.recent
    except PlanUnsound as unsound:
        return _request(clause, Reply(f"That cannot be: {unsound.message}", outcome="not done")), plan, finder.recent
    answer = request.answer if not moves else f"{request.answer.rstrip('.')}; {moves}."
    request = msgspec.structs.replace(request, answer=answer, operations=operations_between(plan, after))
    return request, after, reply.about


def _reply(clause: Clause, plan: Plan, today: date, finder: Finder) -> Reply:
    if len(clause.text) > LONGEST:
        raise Unclear("That is too long for one request: say it in shorter sentences.", "not understood")
    if not re.search(r"[^\W\d_]", clause.text):
        raise Unclear(_WHAT, "not understood")
    told = " ".join(clause.text.replace("’", "'").replace("‘", "'").split())
    for text in dict.fromkeys(
        _readings(f"{_subject(finder)} {told}" if clause.goes_on else told, is_pinned=bool(finder.pinned))
    ):
        context = Context(text, plan, today, finder)
        if is_question(told, text):
            return answered(context)
        for form in FORMS:
            if (reply := form.reply(context)) is not None:
                return reply
    return _not_understood(Context(told, plan, today, finder))


def _subject(finder: Finder) -> str:
    """Return what a clause without a subject of its own speaks of: the person, or the line, of the one before."""
    item = finder.by_id.get(finder.recent[0].upper()) if len(finder.recent) == 1 else None
    return item.text if isinstance(item, Person) else "it"


_WHAT = "I do not understand that: say it as “drop S3”, “S4 takes 5 days” or “add a step: …”"


def _readings(text: str, *, is_pinned: bool) -> Iterator[str]:
    """Yield a clause as it can be read: as it stands, then without opening and polite words."""
    if is_pinned and GOES_ON.match(text):
        yield f"it {text}"
    bare = text[:-_TAIL] + _CLOSING.sub("", text[-_TAIL:])
    if "?" not in text:
        yield bare
    opened = _OPENING.sub("", bare) or bare
    polite = _POLITE.match(opened)
    command = opened[polite.end() :] if polite else ""
    if COMMAND.match(command):
        first, _, rest = command.partition(" ")
        yield f"{_GERUNDS.get(first.lower(), first)} {rest}".strip()
    yield opened
    if head := _HEAD.match(opened):
        yield f"{head[1]} {opened[head.end() :]}"
    elif (colon := re.match(r"([^:]{2,40}): (?=\S)", opened)) and not re.match(COMMAND, opened):
        yield f"{colon[1]} is {opened[colon.end() :]}"
        yield f"{colon[1]} {opened[colon.end() :]}"


def _not_understood(context: Context) -> Reply:
    """Ask what should change about a line that is named; else say how a request can be said."""
    named = [
        context.finder.by_id[name.upper()]
        for name in re.findall(r"\b[A-Za-z]\d+\b", context.text)
        if name.upper() in context.finder.by_id
    ]
    if named:
        return Reply(f"What should change about {quoted(named[0])}?", outcome="asked", about=(named[0].id,))
    if context.finder.pinned and (item := context.finder.by_id.get(context.finder.pinned.upper())):
        return Reply(f"What should change about {quoted(item)}?", outcome="asked", about=(item.id,))
    return Reply(
        f"I do not understand “{shorten(context.text, 60)}”: say it as “drop S3”, “S4 takes 5 days” or “add a step: …”",
        outcome="not understood",
    )
