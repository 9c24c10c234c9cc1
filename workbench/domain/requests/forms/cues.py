"""Requests that one cue tells, wherever the words around it stand: who is away, how somebody can tell, what follows.

    "me and Karim are out 7–11 December" ─ cue: out ─▶ people × days, every other word accounted for

Tried after the forms. A cue that does not place every word leaves the clause to others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from workbench.domain.plan.plan import Step
from workbench.domain.requests.amounts import days
from workbench.domain.requests.context import Context, listed, sentence
from workbench.domain.requests.forms.frames import Frame, recent_of
from workbench.domain.requests.forms.people import away_on
from workbench.domain.requests.lookup import quoted, roots
from workbench.domain.requests.request import Reply, Unclear
from workbench.domain.values.fact import Fact

_OUT = (
    r"away|off sick|off|out(?: of (?:the )?office)?|(?:of )?no use|on (?:holidays?|leave|vacation|a trip|honeymoon)|"
    r"abroad|busy|unavailable|absent|ill|sick|unwell|poorly|laid up|on jury duty|"
    r"(?:has|has got|'s got|have) (?:jury duty|(?:the )?flu|an operation|surgery)|signed off|"
    r"travell?ing|gone|holidays?|honeymoon|vacation|in (?!charge|may\b)[a-z]{5,}|"
    r"not (?:be )?(?:here|there|around|available|in)|"
    r"(?:can't|cannot|won't) do (?:anything|a thing|any work)|"
    r"(?:can't|cannot|won't|isn't|aren't|doesn't|don't|not)(?: be)?(?: able to)?"
    r"(?: (?:here|there|around|available|work|make it|help|in))"
)
_KIN = re.compile(
    r"(?i:(?:my|our|her|his|the) )?(?:(?i:mum|mom|dad|mother|father|brother|sister|uncle|aunt|cousin|wife|husband|"
    r"partner|boss|friend|colleague)\b ?)?(?P<name>(?:(?:Dr|Mrs?|Ms)\.? )?[A-Z][\w-]+(?: [A-Z][\w-]+)*)?"
)
_EVERYBODY = re.compile(r"(?i)\b(?:all of us|both of us|we all|everybody|everyone)\b")


def _people(context: Context, phrase: str) -> tuple[str, ...]:
    """Return who a phrase names, each by their name in the plan; none where a part of it names nobody."""
    named: list[str] = []
    for part in re.split(r",|&|\band\b", phrase):
        bare = re.sub(
            r"(?i)^(?:also|so|but|both) |(?:['’](?:s|m|re|ll)| is| are| am| will| have| has|)$", "", part.strip()
        )
        if not bare:
            continue
        if bare.lower() in ("we", "us"):
            own = [name for name in context.people if name.casefold() == "you"] or list(context.people)
            named += own if len(own) == 1 or _EVERYBODY.search(context.text) else []
            if not named:
                return ()
            continue
        kin = _KIN.fullmatch(bare)
        name = context.known("me" if bare.lower() == "i" else bare) or (kin and kin["name"])
        name = name or (sentence(re.sub(r"(?i)^(?:my|our|the) ", "", bare)) if kin else "")
        if not name:
            try:
                name = bare if context.somebody(bare) else ""
            except Unclear:
                return ()
        named.append(name)
    return tuple(dict.fromkeys(named))


def _away(context: Context, match: re.Match[str]) -> Reply | None:
    """Note that people are away on some days; without a name, it is who owns the work."""
    stretches = days(context.text, context.today)
    if not stretches and (known := context.known(context.text[: match.start()].removesuffix(" is "))):
        own = tuple(step.id for step in context.steps_of(known))
        raise Unclear(f"From when until when is {known} away?", about=own)
    if not stretches or context.finder.pinned:
        return None
    is_open = re.match(r"(?i)(?:from|since|starting)\b(?!.*\b(?:to|until|till)\b)", stretches[0].text) is not None
    if len(stretches) == 1 and is_open and not context.text[stretches[0].end :].strip(" .!"):
        raise Unclear(f"Until when? You say “{context.text.rstrip(' .!')}”")
    start, end = stretches[0].start, stretches[-1].end
    if any(roots(context.text[one.end : two.start]) for one, two in pairwise(stretches)):
        return None
    if told := _AFTER_THE_DAYS.fullmatch(context.text[end:]) if not context.text[:start].strip() else None:
        who = _people(context, told["who"])
        return _noted(context, who, stretches) if who else None
    bare = re.sub(r"(?i)(?<!be )\b(?:(?:on|from|in|between|during|for|all|over) ?)+$", "", context.text[:start])
    rest = _EVERYBODY.sub("", re.sub(r"(?i)^,? so .*$", "", context.text[end:])).strip(" ,.!")
    before = _HEARD.sub("", re.sub(rf"(?i)\b(?:{_OUT})\b.*$", "", bare)).strip(" ,:")
    after = re.sub(rf"(?i)^.*?\b(?:{_OUT})\b", "", bare) if re.search(rf"(?i)\b(?:{_OUT})\b", bare) else bare
    if roots(re.sub(rf"(?i)\b(?:{_OUT}|is|are|am|will|be)\b", "", rest)) or (before != bare and roots(after)):
        return None
    who = _people(context, before) if before else _people(context, "we")
    is_noun = re.match(r"(?i)\W*(?:away|(?:on )?(?:holidays?|honeymoon|vacation))\b", context.text)
    if not who or not (before or is_noun) or (before and re.search(r"\b[A-Z]\d", before)):
        return None
    where = re.search(r" (in [A-Z]\w+)", bare)
    return _noted(context, who, stretches, f" ({where[1]})" if where else "")


def _noted(context: Context, who: tuple[str, ...], stretches: Sequence[Fact], where: str = "") -> Reply:
    reply = away_on(context, " and ".join(who), stretches)
    free = [name for name in who if not context.steps_of(name)]
    told = f"; no step is {listed([f'{name}’s' for name in free], 'or')}" if free else ""
    return Reply(reply.answer + where + told, reply.plan, about=reply.about)


_HEARD = re.compile(
    r"(?i)^(?:(?:i(?:'ve)? )?just heard|(?:please )?(?:note|bear in mind|remember)|fyi|heads up|bad news)"
    r"(?: that)?[,:]? (?:i'm afraid[,:]? )?"
)
_AFTER_THE_DAYS = re.compile(
    rf"(?i:,? *)(?P<who>\S+(?: \S+){{0,3}}?)(?i:['’]s| is| are| will be|['’]ll be) (?i:{_OUT})\b"
    r"(?: [^\s,;]+){0,6}[.!]*"
)
"""What follows days that a sentence begins with: "from 3 to 7 May, Anna is travelling in Portugal"."""


def _missed(context: Context, match: re.Match[str]) -> Reply | None:
    """Note that somebody is not to be counted on: "we have to do without Tom from 3 to 7 May"."""
    stretches = days(context.text, context.today)
    who = _people(context, match["who"])
    return _noted(context, who, stretches) if who and stretches else None


def _one_step(context: Context, phrase: str) -> Step | None:
    steps = context.finder.clear_steps(phrase)
    return steps[0] if len(steps) == 1 else None


def _checked(context: Context, match: re.Match[str]) -> Reply | None:
    """Say how somebody can tell that a step is done: "S10 is finished when the auditors have confirmed"."""
    step = _one_step(context, match["a"])
    text = sentence(match["b"])
    return context.change([step], f"{{}} is done when “{text}”", check=text) if step and len(text.split()) > 1 else None


def _needs_it(context: Context, match: re.Match[str]) -> Reply | None:
    """Let the step just spoken of need those that are named: "it needs the sketch from S2"."""
    step = recent_of(context, Step)
    others = [context.finder.by_id.get(name.upper()) for name in re.findall(r"\b[sS]\d+\b", match["what"])]
    if step is None or not others or not all(isinstance(other, Step) for other in others):
        return None
    edit = context.edit()
    for other in others:
        if other and other.id != step.id:
            edit.need(step.id, other.id)
    thing = f" (for “{match['thing'].strip()}”)" if match["thing"] else ""
    return context.done(
        f"{{}} needs {listed([o.id for o in others if o])} now{thing}".format(quoted(step)), edit, [step]
    )


CUES: Sequence[Frame] = (
    Frame(
        r"(?:^|, | )(?:(?:we|i)(?: will|'ll)?(?: have to| must| need to)? do without|"
        r"(?:don't|do not|you can't|you cannot|can't) count on) "
        r"(?P<who>[\w-]+(?: and [\w-]+)?)\b",
        _missed,
    ),
    Frame(rf"\b(?:{_OUT})\b", _away),
    Frame(
        r"^(?P<a>.+?) (?:is|are|counts as|will be)(?: only| really)? (?:done|finished|ready|complete|over) "
        r"(?:when|once|if|as soon as) (?P<b>.+)$",
        _checked,
    ),
    Frame(
        r"^(?:it|this|that)(?: also)? (?:needs|requires|uses|depends on|builds on) (?P<what>(?P<thing>.*?)(?: "
        r"(?:from|of|in) |^)?\b[A-Z]\d+\b.*)$",
        _needs_it,
    ),
)
"""Tried after all forms."""
