"""A clause read by what stands in it, whatever its order: an item, a day, a length, a sum, somebody, how it stands.

    "Handing back the old place: not before 17 May, Fiona" ─▶ S11 · day(begins) · who ─▶ "S11 not before 2027-05-17",
                                                               "Fiona takes over S11", each answered by its form

Every word is used once: by a value with the words that lead to it, by the item, or as filler. What is left over is
asked about; where it may turn what is meant, or nothing names the item, the clause is not read in this way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from workbench.domain.plan.plan import Item, Step
from workbench.domain.requests.amounts import facts, first_of, last_of, limit_of, span_in
from workbench.domain.requests.context import COMMAND, VERB, Context
from workbench.domain.requests.forms.steps import is_part
from workbench.domain.requests.lookup import ID, likeness, lines_of, roots
from workbench.domain.values.fact import Fact

_MARK = "\ue000"
"""Opens what stands for a value: this, a letter for its kind, its number, and this again."""
_CUT = "\ue001"
"""Stands where something was taken."""
_WHO, _DAY, _TIME, _SUM, _SHARE = (f"{_MARK}{kind}(\\d+){_MARK}" for kind in "wdtms")
_OWNS = (
    r"(?:(?:will|should|shall|can|could|must|has to|is going to|is to|wants? to|would) )?(?:takes?(?: over| on| care "
    r"of)?|do(?:es)?|owns?|runs?|leads?|handles?|manages?|looks after|sees to|(?:is|be) (?:responsible for|in charge "
    r"of|doing|on|down for|put down for)|be|taking(?: over)?|organi[sz]es)\b(?: (?:it|that|this|them|both))?"
)
_SOFT = r"(?:(?:please|about|around|roughly|only|just|already|rather|more like|nearer|now|then|the|a|an|at|so|say) )*"
_LEAD = (
    r"(?<!\w)(?:(?:it|that|this|which|we|and|should|must|has|have|to|needs?|will|would|can|could|takes?|may|last|"
    r"run|make|is|are|be|'s|gets?|wants?|give|for|of|lasts?|put|set|another|an?|extra|give) )*"
) + _SOFT  # fmt: skip
_BEGINS = (
    r"(?:(?:can |could |may )?waits? (?:until|till)|not before|no earlier than|not until|no sooner than|starts?|"
    r"starting|begins?|beginning|from|after)(?: (?:on|only|already|in))* ?"
)
_ENDS = (
    r"(?:by|until|till|before|no later than|not later than|deadline|due|latest|ready|done|finished|in|complete|through|"
    r"over|sorted|finish)(?: (?:on|by|only|already))* ?"
)
_ON = r"(?:(?:moved?|slips?|goes|be|is|happens?|held|fixed|planned) )?(?:(?:on|to|for|at|over) )?"
_BY = r"(?:done|run|led|handled|owned|taken over|organi[sz]ed) by|to|by|goes to|go to|belongs to|is for|give|let|assign"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(f"(?i){pattern}"))
    for kind, pattern in (
        ("who", rf"(?:\bwith )?(?:\bowner(?: is|:| should be)? ?|\b(?:{_BY}) ){_WHO}(?: {_OWNS})?"),
        ("who", rf"{_WHO}(?: (?:from|of|at) (?:the |our )?[a-z]+)? {_OWNS}"),
        ("who", rf"{_WHO} [a-z]+s (?:it|this|that|them)\b"),
        ("who", rf"(?:^|(?<=\d) ){_WHO}(?=$|[,:.])|[,:(] ?{_WHO}(?= ?(?:$|[,).]))"),
        ("left", rf"{_LEAD}{_TIME} (?:of work )?(?:left|to go|remaining)\b"),
        ("later", rf"{_LEAD}{_TIME} (?:later|late)\b"),
        ("sooner", rf"(?:\b(?:ready|finished|done|begins?|starts?) )?{_LEAD}{_TIME} (?:sooner|earlier)\b"),
        ("longer", rf"{_LEAD}{_TIME} (?:longer|more)"),
        ("length", rf"(?:\b(?:effort|estimate):? )?{_LEAD}{_TIME}(?: (?:of work|long|each|for (?:it|that)|enough))?"),
        ("stretched", rf"{_SHARE} (?:longer|more|shorter|less)(?: time)?"),
        ("share", rf"{_LEAD}{_SHARE}(?: (?:through|done|finished|complete|ready|there)|(?! ?[a-z]))"),
        ("begins", rf"{_LEAD}{_BEGINS}{_SOFT}{_DAY}(?: (?:already|onwards?|or later))?"),
        ("ends", rf"{_LEAD}{_ENDS}{_SOFT}{_DAY}(?: at the (?:very )?latest)?"),
        ("ends", rf"{_LEAD}(?:(?:on|at|by) )?{_DAY},? (?:at the (?:very )?latest|(?:the )?latest|or earlier)"),
        ("begins", rf"{_LEAD}(?:(?:on|at|from) )?{_DAY},? (?:at the (?:very )?earliest|earliest|or later|onwards?)"),
        ("on", rf"{_LEAD}{_ON}{_SOFT}{_DAY}"),
        ("cost", rf"{_LEAD}(?:costs? |cost of |price |at |for )?{_SOFT}{_SUM}"),
    )
)
_DONE = r"(?:(?:has|have|is|are|was|were|been|got|we|all|both|now|already|completely|it)\b ?|'ve |'s )*"
_STATUS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("half", re.compile(r"(?i)\b(?:is |are )?(?:about |around )?half[ -]?(?:way(?: through)?|done|finished)\b")),
    ("started", re.compile(
        r"(?i)\b(?:has |have |is |are |was |we |'ve |now |already )*(?:started|begun|began|under ?way|kicked off|in "
        r"progress|ongoing)(?: (?:on|with|already|now))*(?=\W|$)")),
    ("done", re.compile(
        r"(?i)\b(?:is|are|has been|have been|was|were|'s) (?:already |all )*(?:booked|bought|signed|sent|paid|sorted|"
        r"settled|"
        r"arranged)(?: already| now)?(?=$|[,.;])|"
        rf"\b{_DONE}(?:done|finished|completed?|ready|wrapped up|in the bag)(?: (?:it|with|already|now))*(?=\W|$)|"
        r"\bdid\b(?=.*\balready\b)")),
)  # fmt: skip
_AHEAD = re.compile(r"(?i)\b(?:must|should|has to|have to|needs? to|will|can|could|would|be|until|till|by)\b|n't\b")
_TURNS = re.compile(
    r"(?i)\b(?:not|never|no|none|if|unless|except|without|instead|maybe|perhaps|might|why|what|who|how|which|than|"
    r"or|only if|too|almost|nearly|mostly|can go|goes|want to|quotes|wants? the|risk|add|drop|remove|split|rename|"
    r"merge|swap|per|each|every|joke|silly|daft|wrong|enough)\b|n't\b|\?"
)
_RELATION = re.compile(
    r"(?i)[,\s]*\b(?:(?:and|but) )?(?:it |that |this )?(?:(?:comes?|goes|should come|must come|has to come|only|right|"
    r"directly) )*(?P<how>after|before|once|as soon as|behind|following) (?P<what>(?:(?!\b(?:after|"
    r"before)\b)[^,;.\ue000])+)"
)
_ENDS_THERE = re.compile(r"\s*(?:$|[,.;)!]|(?:and|pls|please|now|instead|then)\b)")
_IT = re.compile(r"(?i)\b(?:it|that|this|them|these|those)\b")
_LIST = re.compile(rf"^(?:(?!\b{ID}\b).)*\b{ID}\b(?:(?:,|,? and|,? &) {ID}\b)*(?:(?!\b{ID}\b).)*$")
"""Ids that stand together, and no others."""
_NAME = re.compile(r"(?:(?:Dr|Mrs?|Ms|Prof)\.? )?[A-Z][^\W\d_]+(?: (?:(?:&|de|der|den|van|von|of) )*[A-Z][^\W\d_]+)*")
_BEFORE_A_DAY = re.compile(r"(?i)(?:(?:on|by|until|till|before|from|in|at|for|no later than|not before|after|about) )+")
_FILLER = frozenset(
    roots(
        "please pls thanks btw already now then well also still just really actually bit itself myself part job own "
        "mine say said tell put down make give take need want get keep let us open sorry course already early late "
        "him her us them longer shorter work most least main whole working today currently moment end total "
        "altogether new must "
        "need "
        "have "
        "nearer rather wants own close max tops maximum obviously night morning evening afternoon fine enough"
    )
)


class _Slots:
    """What stands in a clause."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.values: dict[str, list[Fact | str]] = {kind: [] for kind in "wdtms"}
        self.uses: list[tuple[str, Fact | str]] = []
        self.relations: list[tuple[str, str]] = []
        """How a step stands to others, and their id."""
        text = re.sub(
            r"(?i)\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day) (?=\d+(?:st|nd|rd|th)\b)", "on the ", context.text
        )
        self.text = self._marked(
            re.sub(r"(?i),? (?:and )?not (?!before|until|till|earlier|later)[^,;]*$|,? (?:then|please)\W*$", "", text)
        )
        self._take_values()

    def _marked(self, text: str) -> str:
        """Return a text in which values and people are marks."""
        places: list[tuple[int, int, str, Fact | str]] = []
        for fact in facts(text, self.context.today):
            kind = self._kind(fact)
            if kind:
                places.append((fact.start, fact.end, kind, fact))
        if self.context.currency:
            sums = re.finditer(r"(?<![\w.,])\d{1,3}[.,]\d{3}(?![\w.,]*\d)", text)
            places += [(*match.span(), "m", f"{match[0]} {self.context.currency}") for match in sums]
        named = ((match, self._name(match, text)) for match in _NAME.finditer(text))
        places += [(*match.span(), "w", name) for match, name in named if name]
        places += [(*match.span(), "w", "I") for match in re.finditer(r"\b(?:I|me|myself)\b", text)]
        out, at = "", 0
        for start, end, kind, value in sorted(places, key=lambda place: (place[0], -place[1])):
            if start < at:
                continue
            lead = _BEFORE_A_DAY.match(text[start:end]) if kind == "d" else None
            begin = start + (lead.end() if lead else 0)
            out += f"{text[at:begin]}{_MARK}{kind}{len(self.values[kind])}{_MARK}"
            self.values[kind].append(value)
            at = end
        return out + text[at:]

    def _name(self, match: re.Match[str], text: str) -> str:
        """Return who is named: known to the plan, with a title, or with a word of owning behind the name."""
        name = match[0]
        if known := self.context.known(name) or next(
            (n for n in self.context.people if n.casefold() == name.casefold()), ""
        ):
            return known
        is_said = re.match(r"(?i)(?:dr|mrs?|ms|prof)\b", name) or name in self.context.finder.names
        is_given = re.search(r"\b(?:to|by) $", text[: match.start()]) and _ENDS_THERE.match(text, match.end())
        if re.match(rf"\W*{ID}\b", text) and text[: match.start()].rstrip().endswith((",", ":")):
            is_given = is_given or re.match(r" ?(?:$|[,.;])", text[match.end() :])  # "S2: Mei, 6 days"
        is_owning = is_given or re.match(
            rf"(?i)(?: (?:from|of|at) (?:the |our )?[a-z]+)? (?:{_OWNS}|[a-z]+s (?:it|that|this|them)\b)",
            text[match.end() :],
        )
        return name if (is_said or is_owning) and not re.fullmatch(ID, name) and self.context.owner(name) else ""

    @staticmethod
    def _kind(fact: Fact) -> str:
        if fact.type == "date" and fact.value.first:
            return "d"
        if fact.type == "duration":
            return "t"
        if fact.type == "amount" and fact.value.unit == "%":
            return "s"
        return "m" if fact.type == "amount" and fact.value.currency else ""

    def _take_values(self) -> None:
        """Take each value with the words that lead to it, then how the work stands, then what comes before or after."""
        for kind, pattern in _PATTERNS:
            while match := pattern.search(self.text):
                letter = match[0][match[0].index(_MARK) + 1]
                value = self.values[letter][int(match[match.lastindex or 0])]
                role = value.role if isinstance(value, Fact) and kind == "on" else ""
                self.uses.append(({"deadline": "ends", "start": "begins"}.get(role, kind), value))
                self._cut(match)
        self.text = re.sub(f"{_MARK}w(\\d+){_MARK}", lambda mark: str(self.values["w"][int(mark[1])]), self.text)
        for match in [*_RELATION.finditer(self.text)][::-1]:
            if steps := self.context.finder.clear_steps(
                re.sub(r"(?i)^(?:we|they|it) |\b(?:is|are) .*$", "", match["what"])
            ):
                how = "before" if match["how"].lower() == "before" else "after"
                self.relations += [(how, step.id) for step in steps]
                self._cut(match)
        for kind, pattern in _STATUS:
            match = pattern.search(self.text)
            if match and not _WAITS.search(self.text[: match.start()]):
                self.uses.append((kind, ""))
                self._cut(match)

    def _cut(self, match: re.Match[str]) -> None:
        self.text = f"{self.text[: match.start()]} {_CUT} {self.text[match.end() :]}"

    def subject(self) -> str:
        """Return the telling words before the first value."""
        said = VERB.split(self.text.partition(_CUT)[0], maxsplit=1)[0]
        return " ".join(word for word in said.split() if {*roots(word)} - _FILLER)

    def items(self) -> tuple[tuple[Item, ...], list[str]]:
        """Return what the rest of the clause speaks of, and the words of it that nothing takes up."""
        finder = self.context.finder
        items: tuple[Item, ...]
        names = [name.upper() for name in re.findall(rf"\b{ID}\b", self.text)]
        said = re.findall(r"[^\W\d_][\w'-]*", re.sub(rf"\b{ID}\b", " ", self.text))
        words = [word for word in said if {*roots(word)} - _FILLER]
        if finder.pinned:
            items = (finder.by_id[finder.pinned.upper()],) if finder.pinned.upper() in finder.by_id else ()
        elif names:
            items = tuple(finder.by_id[name] for name in names if name in finder.by_id)
            own = {word for item in items for word in roots(lines_of(item))}
            subject = roots(re.sub(rf"\b{ID}\b", " ", self.text.partition(_CUT)[0]))
            is_other = any(
                word not in _FILLER and not any(likeness(word, one) >= 0.9 for one in own) for word in subject
            )
            if len(items) < len(names) or is_other or not _LIST.search(self.text):
                return (), words
        elif not words or (finder.recent and _IT.match(self.context.text)):
            is_ours = re.search(r"(?i)\b(?:we|they|you|people|everybody)\b", self.text) and not _IT.search(self.text)
            recent = () if is_ours else finder.recent
            items = tuple(finder.by_id[name.upper()] for name in recent if name.upper() in finder.by_id)
        else:
            phrase = " ".join(words)
            nearest, lead = finder.nearest(phrase), finder.nearest(self.subject())
            if nearest is None and lead and finder.share(self.subject(), lead) >= _LED:
                nearest = lead
            is_told = re.match(r"(?i)\W*(?:we|i|you|they|he|she|it|nobody)\b", self.context.text)
            if nearest and is_told and finder.share(phrase, nearest) < _BY_TITLE:
                nearest = None  # "we can only cancel until 1 May" is not said of the step that can be cancelled
            items = (nearest,) if nearest else ()
        own = {word for item in items for word in roots(lines_of(item))}
        return items, [
            word for word in words if not any(likeness(one, two) >= 0.9 for one in roots(word) for two in own)
        ]


_WAITS = re.compile(r"(?i)\b(?:after|before|once|when|until|till|as soon as|if)\b")
"""Says that something waits for what stands behind it."""
_IS_CHECK = re.compile(r"(?i)\b(?:done|finished|ready|complete) (?:when|once|if|as soon as)\b")
"""Says how somebody can tell that it is done, and not that it is."""


def canonical(context: Context) -> tuple[list[str], tuple[Item, ...], list[str]] | None:
    """Return a clause as plain sentences about steps, with these and the words left over; None for what is none.

    Days of the month alone ("the 5th") are those of the month in which the step ends.
    """
    if _TURNS.search(_without_values(context.text)):
        return None
    if (
        context.finder.excluded
        or _IS_CHECK.search(context.text)
        or len(context.text.split()) > _MOST_WORDS
        or _MARK in context.text
    ):
        return None
    slots = _Slots(context)
    if re.search(r"(?i)\b(?:is|are|was|were|gets?) (?:done|finished|ready)\b", context.text) and _AHEAD.search(
        slots.text
    ):
        return None
    if _MARK in slots.text or not (slots.uses or slots.relations):
        return None
    items, left = slots.items()
    steps = tuple(item for item in items if isinstance(item, Step))
    if any(word[0].isupper() and not context.text.startswith(word) for word in left):
        return None  # perhaps somebody's name
    if not steps or len(steps) < len(items) or (COMMAND.match(slots.text.strip()) and left):
        return None
    is_named = re.search(rf"\b{ID}\b", context.text)
    kinds = {kind for kind, _ in slots.uses}
    led = context.finder.share(slots.subject(), steps[0])
    is_led = not kinds & {"on", "later", "sooner"} and led >= _BY_TITLE
    if led >= _LED and not is_named and not slots.relations and not _OF_A_DAY.search(slots.text):
        left = []  # what it does besides: "the call stays open until 26 March"
    if left and not is_named and not is_led and kinds & {"begins", "on", "later", "sooner"}:
        return None  # a day may belong to what is left over
    if "done" in kinds and any(is_part(re.sub(rf"\b{ID}\W*", "", slots.subject()), step.title) for step in steps):
        return None
    names = ", ".join(step.id for step in steps)
    told = list(_sentences(slots, names, steps, context.today))
    return (told, steps, left) if told else None


_BY_TITLE = 0.6
"""Share of the words that the title of a step has to have where some are left over."""
_OF_A_DAY = re.compile(
    rf"(?i)\b(?:week|half|first|last|end|start|beginning|middle|mid|quotes?|says?)\b[^{_CUT}]*{_CUT}"
)
"""A part of a stretch of days, which is not read yet."""
_LED = 0.9
"""Share of the words before the verb that the title has to have for what stands behind it to be told only."""
_MOST_WORDS = 22
"""Words of a clause that is read at once."""


def _without_values(text: str) -> str:
    return re.sub(
        r"(?i)(?: work| time)? than (?:that|this|it says|planned|you (?:think|say|wrote))\b| than \d+\b|\bnot "
        r"(?:before|until|till|earlier|later)\b|,? (?:and )?not (?:the |on |in |by )*[^,;]*$|one",
        "",
        text,
    )


def _sentences(slots: _Slots, names: str, steps: tuple[Step, ...], today: date) -> Iterator[str]:
    if {"sooner", "on"} <= {kind for kind, _ in slots.uses}:  # "two weeks earlier, 26 February"
        slots.uses = [("ends" if kind == "on" else kind, value) for kind, value in slots.uses if kind != "sooner"]
    uses = dict(slots.uses[::-1])
    if len(uses) < len(slots.uses):
        return  # two days, or two people: each belongs to something else
    day = next((fact for kind, fact in slots.uses if kind in ("begins", "ends", "on")), None)
    is_done = "done" in uses or _WAS_DONE.search(slots.context.text) is not None
    finished = last_of(day) if isinstance(day, Fact) else None
    if isinstance(day, Fact) and not is_done and re.search(r"(?i)\bsince\b", slots.context.text):
        return  # how it has been, and not when it is to be
    if finished and finished > today and not re.search(r"\d", str(getattr(day, "text", ""))):
        finished -= timedelta(7)
    if finished and ((is_done and finished > today) or _is_far(day, finished, today)):
        return  # still to come, or rather one of the last weeks: the person is asked
    for kind, value in slots.uses:
        if kind == "cost":
            yield f"{names} costs {value.text if isinstance(value, Fact) else value}"
        elif kind == "who":
            yield f"give {names} to {'me' if value == 'I' else value}"
        elif isinstance(value, Fact):
            is_within = (
                kind == "ends"
                and last_of(value) > first_of(value)
                and re.match(r"(?i)(?:in|during) (?!\d)", value.text) is not None
            )
            is_within = is_within and not _ENDING.search(slots.context.text)  # "has to be told in May"
            yield from _with_value("on" if is_within else kind, value, names, steps, is_done=is_done)
    if "half" in uses:
        yield f"{names} is 50 % done"
    elif is_done and "share" not in uses:
        yield f"{names} is done" + (f" since {finished.isoformat()}" if finished else "")
    elif "started" in uses:
        yield f"{names} has started"
    for how, other in slots.relations:
        yield f"{names} needs {other}" if how == "after" else f"{names} comes before {other}"


_ENDING = re.compile(r"(?i)\b(?:finish|end|done|ready|complet|deliver|over\b)")
_WAS_DONE = re.compile(
    r"(?i)\b(?:was|were|has been|have been|got|'ve|we|i) (?:all |already |finally )?(?:finished|done|completed)\b"
)


def _with_value(kind: str, fact: Fact, names: str, steps: tuple[Step, ...], *, is_done: bool) -> Iterator[str]:
    if kind in ("begins", "ends", "on"):
        if is_done:
            return
        first, last = _in_month(fact, steps, first_of(fact)), _in_month(fact, steps, last_of(fact))
        if kind == "on" and (last - first).days > _WEEKEND:
            yield f"{names} from {first.isoformat()} to {last.isoformat()}"
        elif kind == "ends":
            yield f"{names} by {_in_month(fact, steps, limit_of(fact)).isoformat()}"
        else:
            yield f"{names} {'not before' if kind == 'begins' else 'is on'} {first.isoformat()}"
        return
    span = span_in(fact.text, date.max)
    if kind in ("later", "sooner") and len(steps) == 1 and span:
        step, days = steps[0], timedelta(span.calendar if kind == "later" else -span.calendar)
        if kind == "later" and step.on:
            yield f"{names} is on {date.fromisoformat(step.on) + days}"
            return
        if kind == "sooner" and (end := step.deadline or step.end):
            yield f"{names} by {date.fromisoformat(end) + days}"
            return
    words = {"length": "takes", "longer": "takes", "share": "is"}
    ending = {"longer": " more", "share": " done", "left": " left", "later": " later", "sooner": " sooner"}
    length = re.sub(r"(?i)\s*\b(?:at (?:the )?(?:very )?(?:least|most)|minimum|max(?:imum)?|tops)\b\s*", "", fact.text)
    yield f"{names} {words.get(kind, 'has' if kind == 'left' else 'is')} {length}{ending.get(kind, '')}"


def _is_far(day: Fact | str | None, last: date, today: date) -> bool:
    return isinstance(day, Fact) and not re.search(r"\d{4}|/\d\d\b", day.text) and (last - today).days > _FAR


_FAR = 334
_WEEKEND = 3
"""Days of a stretch that a step is on; over a longer one it begins and ends."""


def _in_month(fact: Fact, steps: tuple[Step, ...], day: date) -> date:
    """Return a day of the month that is given without a month in the month of the step."""
    if re.search(r"(?i)^(?:\w+ )?(?:the )?\d{1,2}(?:st|nd|rd|th)$", fact.text.strip()) and steps[0].end:
        end = date.fromisoformat(steps[0].end)
        return day.replace(year=end.year, month=end.month) if day.day <= 28 else day
    if (
        re.fullmatch(r"(?i)(?:(?:on|by|the|this|that) )*(?:mon|tues|wednes|thurs|fri|satur|sun)day", fact.text.strip())
        and steps[0].start
    ):
        begin = date.fromisoformat(steps[0].start)
        return begin + timedelta(day.weekday() - begin.weekday()) if begin - day > timedelta(_WEEKEND) else day
    return day
