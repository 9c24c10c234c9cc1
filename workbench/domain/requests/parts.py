"""What is said of a new step: its title, who does it, how long it takes, what it costs, its days and its place."""

from __future__ import annotations

import re

import msgspec

from workbench.domain.facts.vocabulary import VERBS
from workbench.domain.plan.plan import Money
from workbench.domain.requests.amounts import Span, facts, money, spans
from workbench.domain.requests.context import Context, sentence
from workbench.domain.requests.request import Unclear
from workbench.domain.values.fact import Fact


class Wanted(msgspec.Struct, kw_only=True):
    """What is said of a new step."""

    text: str
    """What is not read yet: the title, in the end."""
    owner: str = ""
    length: Span | None = None
    cost: Money | None = None
    after: str = ""
    before: str = ""
    is_last: bool = False
    is_first: bool = False
    days: tuple[Fact, ...] = ()
    unclear: str = ""
    """What the person has to be asked."""

    def cut(self, start: int, end: int) -> None:
        """Take a stretch out of the text."""
        self.text = f"{self.text[:start]} {self.text[end:]}"


_PLACE = re.compile(
    r"(?i)[,\s]*\b(?:(?:and )?(?:(?:it|that|this) )?(?:should |must |has to |needs to )?(?:come|comes|happen|"
    r"happens|go|goes|be|is) (?:ready |done |finished )?)?(?:right |directly |immediately |just |only "
    r")?(?P<how>before|(?<!look )(?<!looks )(?<!looking )after|behind|following|prior to|ahead of|"
    r"between) (?P<what>[^,;]+?)(?=$|[,;(]|\s(?:where|in "
    r"which|at which|so that|on which)\s)"
)
_LAST = re.compile(r"(?i)[,\s]*\b(?:at the (?:very )?end|as the last (?:step|thing)|in the end|last)(?=$|,)")
_FIRST = re.compile(
    r"(?i)[,\s]*\b(?:at the (?:very )?(?:start|beginning)|as the first (?:step|thing)|first of all|right away|"
    r"first)(?=$|,)"
)
_OWNER = re.compile(
    r"[,;(]?\s*\b(?:(?:done|owned|led|handled|run|made|carried out) by|by|owner(?: is)?:?|assigned to|for "
    r"(?=[A-Z][\w-]+ to do))\s+(?P<who>[\w.'-]+(?: (?:& )?[A-Z][\w.'-]*)*)\)?(?: to do)?|(?:[,;]| [–-])\s*(?:and "
    r")?(?P<who2>[A-Z][\w.'-]+) (?:(?:will |can |should )?[a-z]+) (?:it|that|this)(?: up| on| over)?\b"
)
_LENGTH_LEAD = re.compile(
    r"(?i)(?:[,;(–:-]|\b(?:takes?(?: him| her| me| us| them)?|taking|needs?|effort|estimate|lasts?|lasting)|^)(?: "
    r"?(?:about|around|say|maybe|"
    r"roughly|probably|at most|up to|of|for))*\s*$"
)
_COST_LEAD = re.compile(
    r"(?i)(?:[,;(–:-]|\b(?:costs?|costing|for|at|about|budget|price))\s*(?:about |around |only |roughly )?$"
)
_LEAD = re.compile(
    r"(?i)\b(?:(?:(?:it |that )?(?:has to|must|needs to|should) be (?:[a-z]+(?:ed|ne|en|t|d) )?)?by|on|until|from|"
    r"before|after|not before|no later than|in|for|about|around|of|takes?|taking|costs?|"
    r"costing|at|due|effort|estimate)\s*$"
)
_FILL = re.compile(
    r"(?i)\s*\b(?:(?:and )?(?:it |that |this )?(?:takes?(?: him| her| me| us| them)?|taking|will take|should take|"
    r"costs?|needs?|lasts?|has|is|"
    r"with|for)(?: about| around)?)\s*(?=[,;)]|$)"
)
_OPENING = re.compile(
    r"(?i)^(?:to |that we |in which we |where we |for |about |called |named |titled |which |that |also |still )+"
)
_ARTICLE = re.compile(r"(?i)^(?:an?|another|the|some|one more|one)\s+(?=\w)")
_CLOSING = re.compile(
    r"(?i)[\s,]+(?:(?:to be |as |into )?(?:an? |its |their )(?:own |separate |extra )+(?:step|task)?|please|too|"
    r"instead|as well|also|to the plan|to the list|and|step|task)$"
)


def read_step(context: Context, text: str) -> Wanted:
    """Return what is said of a new step."""
    text = re.sub(
        r"\(([^()]*)\)", lambda inside: f", {inside[1]}, " if _is_said_of_it(context, inside[1]) else inside[0], text
    )
    if placed := re.match(r"(?i)(?P<place>(?:right )?(?:after|before) [^:]{1,60}): (?P<what>.+)", text):
        text = f"{placed['what']}, {placed['place']}"
    text = re.sub(r"(?i), which (?:can't|cannot|can only|must|has to)\b.*$", "", text)
    text = re.sub(
        r"(?i), that(?:'s| is) (me|my job|[A-Z][\w&' ]+)(?=,|$)",
        lambda who: f", owner: {'me' if 'm' in who[1][:1] else who[1]}",
        text,
    )
    wanted = Wanted(text=re.sub(r"(?i),? (?:nobody|no one|no owner)(?: yet)?$", "", text))
    taken: list[Fact | Span] = []
    for span in spans(text, context.today):
        closes = re.match(r"(?:\s*(?:$|[,;)(:–-]|and\b)| (?:of work|long|each)\b)", text[span.end :])
        is_set_off = _LENGTH_LEAD.search(text[: span.start]) and closes
        if (
            wanted.length is None
            and is_set_off
            and not re.match(r"\s*(?:before|after|later|ahead|notice|early)\b", text[span.end :])
        ):
            wanted.length = span
            taken.append(span)
    for fact in facts(text, context.today):
        ends = re.match(r"\s*(?:$|[,;).])", text[fact.end :]) is not None
        if re.search(r"\ban?\s*$", text[: fact.start]):
            continue  # "on a Monday" is no day
        if fact.type == "date" and fact.value.first and (ends or fact.role in ("deadline", "start", "on")):
            wanted.days = (*wanted.days, fact)
            begins = not text[: fact.start].strip()
            if ends or begins or fact.role == "deadline":  # "ring Aziz that 17 December suits" keeps its day
                taken.append(fact)
        elif fact.type == "amount" and fact.value.currency and ends and _COST_LEAD.search(text[: fact.start]):
            wanted.cost = money(fact.text, context.today)
            taken.append(fact)
    for stretch in sorted(taken, key=lambda place: -place.start):
        lead = _LEAD.sub("", f"{wanted.text[: stretch.start].rstrip()} {_preposition(stretch)}".rstrip(" (,;:–-"))
        wanted.text = f"{lead}, {wanted.text[stretch.end :].lstrip(' ),;')}"
    _read_owner(context, wanted)
    _read_place(context, wanted)
    if quoted_title := re.search(r"[\"“]([^\"”]{3,})[\"”]", wanted.text):
        wanted.text = quoted_title[1]
    title = re.sub(r"\s*,(?:\s*,)+", ",", _FILL.sub("", wanted.text.strip(" \t,;:–-")))
    title = _ARTICLE.sub("", _OPENING.sub("", title.strip(" \t,;:–-.")))
    title = title if title.count("(") == title.count(")") else re.sub(r"[()]", "", title)
    wanted.text = sentence(_CLOSING.sub("", title))[:160]
    return wanted


def _preposition(stretch: Fact | Span) -> str:
    """Return the word that a day begins with: what leads to it goes with it."""
    return "by" if isinstance(stretch, Fact) and re.match(r"(?i)by\b", stretch.text) else ""


def _is_said_of_it(context: Context, text: str) -> bool:
    """Tell whether brackets hold what is said of a step, and not a part of its title."""
    return bool(
        spans(text, context.today)
        or any(context.known(part) or part.strip() in context.finder.names for part in text.split(","))
    )


_DOER = re.compile(r"(?:[Tt]he |[Oo]ur |[Mm]y )?(?P<who>[\w-]+(?: [\w-]+)?) (?P<does>[a-z]+s) (?P<rest>.+)")
_MORE_VERBS = frozenset({"ring", "phone", "fetch", "iron", "hang"})
_NEW_DOER = re.compile(
    r"(?P<who>(?P<title>(?:Dr|Mrs?|Ms|Herr|Frau|Aunt|Uncle)\.? )?[A-Z][a-z-]+(?: [A-Z][a-z-]+)?) (?P<does>[a-z]+s) "
    r"(?P<rest>(?:the|an?|our|my|his|her|their|all|some|\d+) .+)"
)


_WILL_DO = re.compile(
    r"(?P<who>I|(?:(?:Dr|Mrs?|Ms|Herr|Frau|Aunt|Uncle)\.? )?[A-Z][a-z-]+(?: [A-Z][a-z-]+)?)"
    r"(?:'ll| will| should| must| is going to|(?<=^I)) (?!be\b|have\b|think\b|want\b|need\b)(?P<rest>[a-z]+ .+)"
)
_DOES_IT = re.compile(
    r" ?\((?P<who>[A-Z][a-z-]+)(?:'s| is| will be)? (?:doing|does|will do|handles|handling) (?:that|it|this)\)"
)


def _myself(context: Context) -> str:
    try:
        return context.known("me") or "You"
    except Unclear:  # the plan has people, and nobody said which of them speaks
        return "You"


def _read_owner(context: Context, wanted: Wanted) -> None:
    doer = _DOER.match(wanted.text)
    owner = context.known(doer["who"]) if doer else ""  # "the treasurer pays the bills"
    if not owner and (doer := _NEW_DOER.match(wanted.text)) and (doer["title"] or _bare_verb(doer["does"]) in VERBS):
        owner = context.owner(doer["who"])  # "Rhys drives the scrap to the tip"
    if doer and owner:
        wanted.owner, wanted.text = owner, f"{_bare_verb(doer['does'])} {doer['rest']}"
        return
    will = _WILL_DO.match(wanted.text)  # "Tom will pick up the keys", "I'll ring them"
    if will and (owner := _myself(context) if will["who"] == "I" else context.owner(will["who"])):
        wanted.owner, wanted.text = owner, will["rest"]
        return
    if (aside := _DOES_IT.search(wanted.text)) and (owner := context.owner(aside["who"])):
        wanted.owner = owner
        wanted.cut(*aside.span())
        return
    if (to := re.match(r"([A-Z][\w.-]+) to (?=\w)", wanted.text)) and (owner := context.owner(to[1])):
        wanted.owner, wanted.text = owner, wanted.text[to.end() :]
        return
    for part in re.split(r"[,;]", wanted.text)[1:]:
        is_name = re.fullmatch(r"\s*(?:owner:? )?[A-Z][^\W\d_]+\s*", part)
        if re.search(r"\w", part) and (owner := context.known(part) or (context.owner(part) if is_name else "")):
            wanted.owner, wanted.text = owner, wanted.text.replace(part, " ", 1)
            return
    if (match := _OWNER.search(wanted.text)) and (owner := context.owner(match["who"] or match["who2"])):
        wanted.owner = owner
        wanted.cut(*match.span())


def _bare_verb(does: str) -> str:
    if does.endswith("ies"):
        return f"{does[:-3]}y"
    return re.sub(r"(?<=[hsxo])es$|(?<!s)s$", "", does)


def _read_place(context: Context, wanted: Wanted) -> None:
    """Read where a new step stands; what names no step is part of the title, or asked about."""
    for pattern in (_LAST, _FIRST):
        if match := pattern.search(wanted.text):
            wanted.is_last, wanted.is_first = pattern is _LAST, pattern is _FIRST
            wanted.cut(*match.span())
    if (match := _PLACE.search(wanted.text)) is None:
        return
    how, what = match["how"].lower(), match["what"].strip()
    ends = re.split(r"\s+and\s+", what, maxsplit=1) if how == "between" else [what]
    try:
        steps = [context.finder.step(end, is_target=False).id for end in ends]
    except Unclear as unclear:
        if (how != "between" and unclear.reply.about) or match[0].startswith(","):
            wanted.unclear = unclear.reply.answer
            wanted.cut(*match.span())
        return
    wanted.cut(*match.span())
    if how in ("before", "prior to", "ahead of"):
        wanted.before = steps[0]
    else:
        wanted.after, wanted.before = steps[0], steps[1] if len(steps) > 1 else ""
