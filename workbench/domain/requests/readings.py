"""The ways in which a clause can be read: as it stands, without polite words, and spelled right."""

from __future__ import annotations

import calendar
import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from functools import cache

from rapidfuzz.distance import OSA

from workbench.domain.requests.amounts import days
from workbench.domain.requests.clauses import GOES_ON
from workbench.domain.requests.context import COMMAND
from workbench.domain.requests.forms import FORMS
from workbench.domain.requests.lookup import roots
from workbench.domain.values.units import CALENDAR_DAYS

_OPENING = re.compile(
    r"(?i)(?:(?:ok(?:ay)?|hm+|hang on|wait|no wait|correction|well|and|also|but|so|then|oh|ah|hey|hi|hello|sorry|"
    r"actually|basically|btw|by the way|fyi|plus|please|pls|just|simply|maybe|perhaps|finally|lastly|first of all|"
    r"one more thing|another thing|(?:just )?one (?:small |little )?thing(?: though)?|apart from that|other than "
    r"that|otherwise)(?:\s*[,.!:–-]+\s*|\s+)(?!more\b|of\b|step\b|risk\b|one\b|later\b|earlier\b)|(?:great|good|"
    r"fine|nice|right|thanks|thank you|yes|no|nope|nah|next)\s*[,.!:–-]+\s*)+"
)
_POLITE = re.compile(
    r"(?i)(?:(?:can?|could|would|will) (?:you|we|someone|somebody|i)(?: (?:also|please|maybe|perhaps|just|possibly|"
    r"kindly))* |would you mind |do you mind |(?:i|we)(?:'d| would)(?: really)? (?:like|love|prefer|suggest|propose|"
    r"recommend)(?: it if)?(?: you)?(?: to| that you| that we)? |(?:i|we) (?:want|need|think|suggest|propose|guess|"
    r"wish)(?: you| that)?(?: (?:we|you))?(?: (?:to|should|could|can|must))? |(?:you|we|i|one) (?:should|could|can|"
    r"must|have to|need to|ought to|might want to)(?: (?:also|really|just|probably|maybe|perhaps|please))* |(?:i|"
    r"we)(?:'d| would) (?:rather |also |just )?|let(?:'s|s| us) (?:also |just |rather |please )?|please |kindly |why "
    r"(?:don't|not)(?: (?:we|you))? |how about (?:we |you )?|go ahead and |feel free to |make sure to )+"
)
_AND = re.compile(r"(?i)^(?:(?:oh|ah|well),? )?(?:and|also|but)[\s,]+(?!more\b|of\b)")
_SHOULD_BE = re.compile(
    r"(?i)^(?P<what>[^,.;]+?) (?:is|are) (?:wrong|off|not right|not true)[,;:–-] ?(?:it|that|this|they) "
    r"(?P<rest>(?:should|must|has to|is|takes)\b.+)$"
)
_IS = re.compile(r"(?i)\b(budget|deadline|limit|date|ceiling|target)'s\b")
_WHO_IS = re.compile(r"\b([A-Z][a-z]+)'s (?=(?:in charge|responsible|away|off|out|doing|taking|on)\b)")
_AND_SO_ON = re.compile(r"(?i),? (?:and so on|and so forth|etc\.?|and all that|and stuff|or so)(?=\W|$)")
_CONTRACTED = re.compile(r"(?i)\b(do|does|did|is|are|was|were|has|have|had|would|should|could|must|ca|wo)nt\b")
_NO_APOSTROPHE = re.compile(
    r"(?i)\b(?:(that|there|here|what|who|let)(s)|(it)(s)(?= (?:an?|the|not|only|just|about|now|all|too|more|like|\d+|"
    r"[a-z]+ing)\b)|(they|you)(re)|(i|you|we|they)(ve))\b"
)
_SHORT = {
    "teh": "the", "shd": "should", "thru": "through", "u": "you", "ur": "your", "bc": "because", "cos": "because",
    "cuz": "because",
    "ppl": "people", "tmrw": "tomorrow", "tho": "though", "gonna": "going to", "wanna": "want to", "ad": "add",
    "befor": "before", "w/o": "without", "w/": "with", "abt": "about", "mth": "month", "insted": "instead",
}  # fmt: skip
_SHORTENED = re.compile(rf"(?i)(?<!\S)(?:{'|'.join(map(re.escape, _SHORT))})(?=[\s,.;:!?]|$)")
_ASIDE = re.compile(
    r"(?i)^(?:(?:(?:(?:ok(?:ay)?|so),? )?it'?s decided|btw|fyi|tbh|imo|imho|afaik|by the way|honestly|to be honest|"
    r"frankly|look|(?:(?:just|only) )?one (?:small |more |other )?(?:thing|point|change)(?: only)?)[,:]? +)+(?=\S)|"
    r"[,\s]+(?:btw|fyi|tbh|imo|imho|afaik|i think|i guess|i believe|i reckon|lol|haha|though|ok with me|"
    r"(?:that )?(?:you|we) know)(?=[.!]*$|,)"
)
_NOT_BEFORE = re.compile(
    r"(?i)(?<=\w )(?:(?:does|do|can|could|will|wo|should|must|ca)(?:n't| not|not)|never) (?:be )?(?:start\w*|begin|"
    r"happen|done|"
    r"go|come)(?: with)? (?:before|until|till|(?:any )?(?:earlier|sooner) than)\b"
)
_TO_BE = re.compile(
    r"(?i)^(?:(?P<it>it|this|that) )?(?:has to|must|needs to|should) be (?!done\b)[a-z]+(?:ed|en|t|d) (?P<by>by|"
    r"before|until|on|no later)\b"
)
"""What has to be done with what was just spoken of, by a day."""
_MINE = re.compile(r"(?i)^(?P<what>[^,;]{2,60}?)(?: is| are|'s) mine\b")
_WHO_DOES = re.compile(
    r"(?i)^(?:it's|it is|it'll be|it will be|that's) (?P<who>(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)?) (?:who|that) "
    r"(?P<does>.+?)(?:,? (?:and )?not (?:me|us|you|i))?$"
)
"""Names one person and what they do: "it's Anna who decides, not me"."""
_SO_MANY = re.compile(
    r"(?i)^(?:it's|it is|that's|that would be|there are|there's) (?=(?:(?:about|around|roughly|some|nearly|almost|"
    r"more like|only) )?\d[\d.,]*k? (?!days?|weeks?|months?|hours?|years?|minutes?)[a-z]{3,})"
)
_SO_MANY_THINGS = re.compile(
    r"(?i)^(?:just |only )?(?:a few|a couple of|two|three|four|five|several|some|few)(?: (?:small|little|more|other))* "
    r"(?:things?|points?|changes?|remarks?|notes?)(?: (?:more|from me|though))?: (?=\S)"
)
_BACK_TO = re.compile(
    r"(?i)^(?:put|set|take|bring|make|change) (?P<what>[^,;]+?) back to (?P<length>(?:\d[\d.]*|an?|half an?|one|two|"
    r"three|four|five|six|seven|eight|nine|ten) (?:working )?(?:days?|weeks?|hours?))\b"
)
"""Gives a step the length that it had."""
_HAPPY_IF = re.compile(
    r"(?i)^if (?!you\b|we\b|i\b)(?P<what>(?=[^?]*\d)(?![^?]*\b[A-Z]\d)[^?]+?),? (?:then )?(?P<who>(?:i|we)(?:'m|'re|'d "
    r"be| am| are| would be) (?:happy|fine|glad|satisfied|content))[.!]*$"
)
_APPOSED = re.compile(r"\b(?P<who>[A-Z][\w-]+), (?:my|our|her|his|their) [^,;]{2,30}, (?=(?!and\b|or\b)[a-z])")
"""Who somebody is, beside the name: "Marc, my best man, runs it"."""
_APART_FROM = re.compile(
    r"(?i)^(?P<praise>[^,;:.]*\b(?:ok(?:ay)?|fine|good|happy|great|agree\w*|like|love|works)\b[^,;:.]*?),? "
    r"(?:except(?: for)?|apart from|but not|other than|bar|only|but(?: for)?)[,:]? (?P<what>[^,:]+)[,:] (?P<rest>.+)$"
)
_CONTRAST = re.compile(r"(?i),? (?:and )?(?:not|instead of|rather than) ((?:on|in|at|by|from|for) .+)$")
"""What a value is not, after what it is: "on 1 March, not in February"."""
_TURNED = re.compile(
    r"(?i),? (?:and )?(?:not|no) (?:before|after|earlier|later|sooner|the other way (?:round|around)|vice versa)[.!]*$"
)
_TOLD_BY = re.compile(
    r"(?i)(?!.*\b(?:when|once|if|is|are|has|have)\b.*\b(?:said|says|confirmed|mentioned)\b)(?:[\w' -]{2,50}? "
    r")(?:said|says|told (?:me|us)|tells (?:me|us)|reckons|thinks|confirmed|mentioned|writes|wrote)(?: that|:)? "
    r"(?!(?:he|she|they|it|yes|no|ok|so)\b)(?=\S+ \S+)"
)
_PASSIVE = re.compile(
    r"(?i)^(?:can|could) (?P<name>(?-i:[A-Z])[a-z][\w-]+)(?P<job> (?:take|do|own|handle|lead|run|look after|see to) "
    r"(?!.*\b(?:until|till|by|in|for|or|if|more|off|at|on|days?|weeks?|holidays?|faster|alone)\b)[^?\d]{3,60})\?$|"
    r"^(?:can|could|would|may|might) (?P<who>(?!you|we|i|it|someone|somebody)\S+(?: \S+){0,5}?) (?P<please>please "
    r"|also )*(?P<rest>(?:be (?:put down|responsible|moved|given|made|added|in charge)|(?(please)(?:be|do|take|have|"
    r"own|handle|lead|start|run)|be put))\b[^?]*)\?$"
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
    r"(?i)(?:[\s,]+(?:(?:that|this|it)(?:'s| is) (?:fixed|final|certain|settled|sure|a fact|not negotiable)|period|"
    r"no matter what|until further notice|obviously|of course|clearly|(?:and )?not (?:a|one) \w+ (?:more|longer|"
    r"less)|at most|tops|max(?:imum)?|instead|btw|please|pls|thanks|thank you|thx|ok|okay|asap|for now|if possible|"
    r"if you can))*[\s.!?…]*$"
)
_TAIL = 120
"""Characters in which closing words are looked for."""
_HEAD = re.compile(r"(?i)([SRCKBDP]\d+)\s*(?::|–|—|-)\s+")


def plain(text: str, today: date) -> str:
    """Return a clause on one line, without who says it, and without what a value is not."""
    told = " ".join(text.replace("’", "'").replace("‘", "'").split())
    told = _SHORTENED.sub(lambda match: _SHORT[match[0].lower()], told)
    told = _NO_APOSTROPHE.sub(lambda match: "'".join(filter(None, match.groups())), told)
    told = _MINE.sub(r"I take \g<what>", _ASIDE.sub("", told) or told)
    if (apart := _APART_FROM.match(told)) and not COMMAND.match(apart["what"]):
        told = f"{apart['what']}, {apart['rest']}"
    told = _SO_MANY_THINGS.sub("", told)
    told = re.sub(r"(?i)\b(i|we|you|they)'ve ((?:only |just |really |still )*)got\b", r"\1 \2have", told)
    told = _WHO_DOES.sub(r"\g<who> is the one who \g<does>", told)
    told = _BACK_TO.sub(r"\g<what> takes \g<length>", told)
    if (happy := _HAPPY_IF.match(told)) and not COMMAND.search(happy["what"]):
        told = f"{happy['who']} if {happy['what']}"
    told = _APPOSED.sub(r"\g<who> ", told)
    if (many := _SO_MANY.match(told)) and not days(told, today):
        told = told[many.end() :]
    told = _PASSIVE.sub(
        lambda can: f"{can['name']} should{can['job']}" if can["name"] else f"{can['who']} should {can['rest']}", told
    )
    told = _WHO_IS.sub(r"\1 is ", told)
    told = _IS.sub(r"\1 is", _SHOULD_BE.sub(r"\g<what> \g<rest>", told))
    told = _AND_SO_ON.sub("", told)
    told = _AND.sub("", _CONTRACTED.sub(r"\1n't", re.sub(r"(?i)\b([A-Z][\w-]*)'ll\b", r"\1 will", told)))
    told = re.sub(r"(?i)^(?:finished|done|ready|complete) (?=by|before|until)", "has to be done ", told)
    if days(told, today):
        told = _TO_BE.sub(lambda be: f"{be['it'] or ''} has to be done {be['by']}".strip(), told)
    told = _NOT_BEFORE.sub("starts not before", told)
    if (by := _TOLD_BY.match(told)) and not COMMAND.match(told):
        told = told[by.end() :]
    told = _TURNED.sub("", told)
    contrast = _CONTRAST.search(told)
    return told[: contrast.start()] if contrast and days(contrast[1], today) else told


_NUMBERED = re.compile(
    r"(?i)\b(?P<kind>step|task|risk|question|criterion|constraint)s? (?:no\.? ?|nr\.? ?|#)?(?P<number>\d{1,3})\b(?! "
    r"?(?:%|days?|weeks?|h\b))|^#?(?P<bare>\d{1,2})(?=:? ?[:,–-] )|(?<=\bswap )(?P<one>\d{1,2}) (?:and|with) "
    r"(?P<other>\d{1,2})\b"
)
_LETTERS = {"task": "S", "constraint": "K"}


def with_ids(text: str, known: Collection[str]) -> str:
    """Return a clause in which "step 7" and "2: …" are the ids that they mean, where there are such items."""

    def named(match: re.Match[str]) -> str:
        if match["one"]:
            return f"S{match['one']} and S{match['other']}"
        kind = (match["kind"] or "step").lower()
        name = f"{_LETTERS.get(kind, kind[0].upper())}{int(match['number'] or match['bare'])}"
        return name if name in known else match[0]

    return _NUMBERED.sub(named, text)


_THE_DAY_BEFORE = re.compile(
    r"(?i)\b(?:on )?(?:the )?(?P<day>mon|tues|wednes|thurs|fri|satur|sun)day before(?:hand)?(?=$|[,.;!])|"
    r"\b(?P<number>an?|one|two|three|four|\d{1,2}) (?P<unit>day|week|month)s? before(?:hand)?(?=$|[,.;!])"
)
_WEEKDAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_SMALL_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4}


def grounded(text: str, event: date | None) -> str:
    """Return a clause in which "the Thursday before" and "a week before" are days before that of the plan."""
    if event is None:
        return text

    def day(match: re.Match[str]) -> str:
        if match["day"]:
            back = (event.weekday() - _WEEKDAYS.index(match["day"].lower())) % 7 or 7
        else:
            number = _SMALL_NUMBERS.get(match["number"].lower()) or int(match["number"])
            back = round(number * CALENDAR_DAYS[match["unit"].lower()])
        of = event - timedelta(days=back)
        return f"{'on' if match['day'] else 'by'} {of.day} {of:%B} {of.year}"

    return _THE_DAY_BEFORE.sub(day, text)


_STRONGEST = """
    great good fine nice perfect love loved like liked brilliant excellent wonderful super lovely awesome cool
    neat solid agreed agree approved approve happy pleased ok okay works wanted hoped expected further comments
    thanks thank cheers yes yep convinced spot thumbs impressed sense bravo proceed ahead objections complaints
    helpful
"""
_BESIDE_THEM = """
    perfectly work exactly needed clear run ship go comment changes side end done job thing convincing right
    yeah sure looks look sounds feels seems am i'm we're nothing add say best much better very so really quite
    well far makes make need signed sign off top useful sensible reasonable sound please keep up carry continue
    let let's leave stands stand
"""
_STRONG = frozenset(_STRONGEST.split())
_PRAISE = _STRONG | frozenset(_BESIDE_THEM.split())


def is_command(text: str) -> bool:
    """Tell whether a clause asks for a change of the plan, also in polite words and with a question mark."""
    opened = text[opening.end() :] if (opening := _OPENING.match(text)) else text
    polite = _POLITE.match(opened)
    is_pleading = re.match(r"(?i)(?!(?:can|could|would|will)\b).*\bplease\b", opened) is not None
    return is_pleading or COMMAND.match(opened[polite.end() :] if polite else opened) is not None


def is_praise(text: str) -> bool:
    """Tell whether a clause holds nothing but words of approval."""
    words = re.findall(r"[a-z']+", text.lower())
    said = [word for word in words if word in _PRAISE or roots(word)]
    is_denied = re.search(
        r"(?i)\bnot\b|n't\b|\bbut\b|\?|\d|\bno (?!more\b|further\b|other\b|comments?|changes?|objections?|"
        r"complaints?|remarks?|notes?)",
        text,
    )
    return (
        bool(said) and not is_denied and all(word in _PRAISE for word in said) and any(word in _STRONG for word in said)
    )


@cache
def _vocabulary() -> frozenset[str]:
    """Return the words that forms are made of."""
    return frozenset(re.findall(r"[a-z]{5,}", " ".join([*(form[0] for form in FORMS), *_NAMED_DAYS]).lower()))


_NAMED_DAYS = ("christmas", "easter", *calendar.month_name, *calendar.day_name)


def _spelled(text: str, known: Collection[str]) -> str:
    """Return a text in which words that nothing knows are what they are one slip of the fingers away from."""

    def right(match: re.Match[str]) -> str:
        word = match[0].lower()
        if word in _vocabulary() or word in known:
            return match[0]
        near = [other for other in _vocabulary() if _is_slip(word, other)]
        return near[0] if len(near) == 1 else match[0]

    return re.sub(r"[^\W\d_]{5,}", right, text)


def _is_slip(word: str, other: str) -> bool:
    """Tell whether a letter is left out, doubled or added, or two have changed places."""
    return (
        abs(len(word) - len(other)) <= 1
        and not (word.startswith(other) or other.startswith(word))  # "decide" is no slip of "decided"
        and OSA.distance(word, other, score_cutoff=1) == 1
        and (len(word) != len(other) or sorted(word) == sorted(other))
    )


def readings(text: str, *, is_pinned: bool, known: Collection[str] = ()) -> Iterator[str]:
    """Yield a clause as it can be read: as it stands, then without opening and polite words, then spelled right."""
    yield from _as_written(text, is_pinned=is_pinned)
    if (right := _spelled(text, known)) != text:
        yield from _as_written(right, is_pinned=is_pinned)


def _as_written(text: str, *, is_pinned: bool) -> Iterator[str]:
    if is_pinned and GOES_ON.match(text):
        yield f"it {text}"
    bare = text[:-_TAIL] + _CLOSING.sub("", text[-_TAIL:])
    opened = (bare[opening.end() :] if (opening := _OPENING.match(bare)) else bare) or bare
    polite = _POLITE.match(opened)
    command = opened[polite.end() :] if polite else opened if opened != bare else ""
    if COMMAND.match(command):
        first, _, rest = command.partition(" ")
        yield f"{_GERUNDS.get(first.lower(), first)} {rest}".strip()
    elif polite and re.match(r"[A-Z]\d+\b", command):
        yield command
    if "?" not in text:
        yield bare
    yield opened
    if head := _HEAD.match(opened):
        yield f"{head[1]} {opened[head.end() :]}"
        yield f"{head[1]} is {opened[head.end() :]}"
    elif (
        (colon := re.match(r"([^:]{2,40}): (?=\S)", opened))
        and not re.match(COMMAND, opened)
        and not opened.lower().startswith("no ")
    ):
        yield f"{colon[1]} is {opened[colon.end() :]}"
        yield f"{colon[1]} {opened[colon.end() :]}"
