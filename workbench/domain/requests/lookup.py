"""Which item a person means: by id, by order, by "it", or by its words; never a guess.

    "the archive step"  ─▶ S8            one step has the word in its title
    "the provider step" ─▶ S3 or S6?     two have it: the person is asked
    "the newsletter"    ─▶ none          no title has it: the person is asked

A word counts more the fewer titles have it, and most where none has. An item is meant where its title has enough of
the weight of what was said, and clearly more than any other's.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import log

from rapidfuzz.distance import OSA

from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Item, Person, Plan, Question, Risk, Step
from workbench.domain.requests.request import Unclear
from workbench.domain.text.cleaning import shorten

ENOUGH = 0.8
"""Share of the weight of what was said that the title of the item has to have."""
CLEARLY = 0.25
"""How much larger its share has to be than that of any other."""
_NEAR = 0.3
"""Share from which on an item is offered when the person is asked."""
_MOST_OFFERED = 4
_ALL_OF_IT = 0.95
_PARTLY, _AHEAD = 0.5, 0.2
"""Share of what was said that a step has, and how far it is ahead, where a value that is said of it tells the rest."""

KINDS: dict[str, type[Item]] = {
    "step": Step,
    "risk": Risk,
    "criterion": Criterion,
    "constraint": Constraint,
    "question": Question,
    "decision": Decision,
    "assumption": Bullet,
    "person": Person,
}
_NOUNS = {
    "step": "steps? tasks? phases? milestones? work packages? activity activities",
    "risk": "risks?",
    "criterion": "criteri(?:on|a) kpis? metrics? success measures?",
    "constraint": "constraints? restrictions? rules?",
    "question": "(?:open )?questions?",
    "decision": "decisions?",
    "assumption": "assumptions? assumed",
}
_KIND = {kind: re.compile(rf"(?i)\b(?:{nouns.replace(' ', '|').replace('(?:open|)', '(?:open )')})\b")
         for kind, nouns in _NOUNS.items()}  # fmt: skip
ID = r"[A-Za-z]\d{1,4}"
_IDS = re.compile(rf"\b({ID})(?:\s?(?:-|–|to|through|\.\.+|…)\s?({ID}))?\b")
_NUMBERED = re.compile(
    r"(?i)\b(step|task|risk|question|criterion|constraint|assumption)\s?#?(\d{1,3})\b(?!\s?(?:%|days?|weeks?|h))"
)
_BARE = re.compile(r"(?i)(?:(?:steps?|tasks?|no\.?|nr\.?|numbers?) )?#?\d{1,3}(?:(?:,| and|, and| &| or) #?\d{1,3})*")
_THIS = re.compile(
    r"(?i)(?:(?:her|his|their|its|all (?:of )?(?:her|his|their)) (?:stuff|steps?|tasks?|work|things|part|jobs?)|"
    r"(?:everything|all) of (?:hers|his|theirs)|it|its|this|that|these|those|them|both|they|the same|(?:this|that|"
    r"the) (?:one|step|task|risk|question|criterion|constraint|line|item))"
)
_IT_IS = re.compile(r"(?i)(?:it|they)\b|(?:this|that)(?:['’]s| (?:has|is|must|should|will|can|needs))\b")
"""How a phrase begins that says something of what was spoken of, whatever words it has besides."""
_ORDERS = {
    "first": 0,
    "1st": 0,
    "second": 1,
    "2nd": 1,
    "third": 2,
    "3rd": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
    "final": -1,
}
_ORDER = re.compile(
    r"(?i)(?:the )?(?P<back>second (?:to )?last|next to last|penultimate|last but one)?"
    rf"(?P<order>{'|'.join(_ORDERS)})? ?"
    r"(?P<noun>step|task|risk|question|criterion|constraint|decision|assumption|one|phase)"
)
_PART = re.compile(rf"(?i)(?:the )?(?P<order>{'|'.join(_ORDERS)}) (?:part|half|piece|of (?:these|them|the two))")
_CONTRAST = re.compile(r"(?i)\b(?:not|instead of|rather than|except|but)\b")
_STATE = re.compile(
    r"(?i)(?<=[\w”\"]) (?:(?:can )?(?:starts?|begins?)|ends?|finishes|goes (?:out|ahead|live)|(?:is|are) (?:done|"
    r"finished|ready|over|through|complete))$"
)
"""How it stands with what a phrase means: "before S7 starts"."""
_FIRST_FEW = re.compile(
    r"(?i)(?:the )?(?P<end>first|last|final) (?P<number>two|three|four|five|[2-9])(?: (?:steps|tasks|ones|of them))?"
)
_FEW = {"two": 2, "three": 3, "four": 4, "five": 5}
_UP_TO = re.compile(
    r"(?i)(?:everything|all|all(?: the)? steps|the steps)(?: that comes?)? (?P<how>up to|until|till|through|"
    r"before|after)(?: and including)? (?P<last>.+)"
)
_ALL_OF = re.compile(r"(?i)(?:all|both|every|each)(?: (?:of )?(?:the|my|open|these|those|our))* (?P<noun>[\w-]+)")
_ALL = re.compile(
    r"(?i)(?:all|every|each|both)(?: (?:of )?(?:the|them|my|our))?(?: (?:open|remaining|other))?(?: (?:steps?|tasks?|"
    r"estimates?|efforts?))?|everything|the (?:whole (?:plan|thing|project)|rest|plan|project|estimates)"
)
_ABOUT = re.compile(
    r"(?i)(?:everything|all(?: (?:the )?(?:steps|tasks|work|things|stuff))?|anything|every (?:step|task)|whatever)(?: "
    r"(?:that is|that's|to do|which is))? (?:about|for|with|around|of|on|related to|concerning) (?P<what>.+)|(?:all|"
    r"every)(?: of)?(?: the)? (?P<whose>[\w-]+(?:['’]s)?(?: [\w-]+)?) (?:steps?|tasks?|stuff|work)|(?:everything|all|"
    r"whatever|all the steps|the steps)(?: that)? (?P<who>[\w-]+(?: [\w-]+)?) (?:does|owns|has|do|have|own)|(?:all "
    r"(?:of )?)?(?P<of>[\w-]+)['’]s (?:steps?|tasks?|stuff|work|parts?|jobs?|share)"
)
_SMALL = """
    a about again all already also an and any are as at be been being but by can could do does done down each for
    from get had has have her here his how i if in into is it its just like let me more my no not now of off on one
    only or other our out over own please really s same she should so some still such than that the their them then
    there these they thing things this those to too up us very via was we were what when which while who will
    with would yet you your stuff part parts step steps task tasks item items line lines point phase activity work
    everything anything whole plan bit entire called named titled piece section entry bullet milestone risk
    question criterion criteria constraint assumption decision
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_WEAK = """
    new old big small first second third last final next main whole plan planning project team day week month time all
    key important early late
"""
"""Words that say little of themselves."""
_WEAK_VERBS = """
    make set put take give keep run build create prepare check start begin finish end complete do write send hold get
    find choose decide define review test go
"""
"""Verbs that mean an item where no other has them."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?(?:-[^\W_]+)*")
_PARTS = re.compile(r"(?i)\s*(?:,|\band\b|&|\+|\bor\b|/|\bplus\b|\bas well as\b)\s*(?:and\s+)?")


_ENDINGS = (
    ("ies", "y"),
    ("ations", "at"),
    ("ation", "at"),
    ("ings", ""),
    ("ing", ""),
    ("ed", ""),
    ("es", ""),
    ("s", ""),
)


_IRREGULAR = {
    "told": "tell", "sent": "send", "wrote": "write", "written": "write", "chosen": "choose", "chose": "choose",
    "held": "hold", "bought": "buy", "built": "build", "paid": "pay", "taught": "teach", "met": "meet", "ran": "run",
    "drawn": "draw", "begun": "begin", "shown": "show", "spoken": "speak", "brought": "bring", "sung": "sing",
    "came": "come", "went": "go", "gave": "give", "took": "take", "made": "make",
    "found": "find", "sold": "sell", "lost": "lose", "kept": "keep", "knew": "know",
}  # fmt: skip


def root(word: str) -> str:
    """Return a word without its endings, so that "migrating" and "migration" nearly meet."""
    plain = unicodedata.normalize("NFKD", re.sub("['’]s?$|['’]s$", "", word.lower()))
    plain = _IRREGULAR.get(plain, plain)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    for ending, standing in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith(("ss", "us")):
            plain = plain.removesuffix(ending) + standing
            break
    return re.sub(r"([bdgklmnprt])\1$", r"\1", plain.removesuffix("e") if len(plain) > 3 else plain)


@lru_cache(maxsize=4_000)
def roots(text: str) -> tuple[str, ...]:
    """Return the telling words of a text, each once; a word with a hyphen also as one word."""
    words: dict[str, None] = {}
    for word in _WORD.findall(text.replace("’", "'")):
        parts = word.split("-")
        for part in (*parts, *(["".join(parts)] if len(parts) > 1 else [])):
            bare = re.sub(r"(?:'(?:s|re|ve|ll|d|m)|n't)$", "", part.lower())
            if bare not in _SMALL_WORDS and (len(bare) > 1 or bare.isdecimal()):
                words.setdefault(root(bare))
    return tuple(words)


_WEAK_ROOTS, _VERB_ROOTS = (frozenset(map(root, words.split())) for words in (_WEAK, _WEAK_VERBS))


def telling(text: str) -> tuple[str, ...]:
    """Return the telling words of a text without those that say little of themselves."""
    return tuple(word for word in roots(text) if word not in _WEAK_ROOTS)


_SYNONYMS = """
    pilot small; venue place location hall; invite invitation; photo photographer picture; band dj music;
    food catering meal menu drink; launch switch cutover golive; fallback rollback way back; legal lawyer solicitor;
    train teach brief; customer client; buy purchase order; hire recruit; test check try trial; sandbox staging;
    compare comparison;
    archive archiving; migrate migration move; contract agreement; guest attendee; advertise advert promote marketing;
    rehearse rehearsal; party celebrate celebration; clean cleaning tidy; announce announcement tell;
    budget money; register registry; flyer leaflet; host speaker;
    wedding marry marriage married
"""
_KIN: dict[str, set[int]] = {}
for _number, _words in enumerate(_SYNONYMS.split(";")):
    for _synonym in _words.split():
        _KIN.setdefault(root(_synonym), set()).add(_number)


@lru_cache(maxsize=40_000)
def likeness(word: str, other: str) -> float:
    """Return how well two roots meet: 1 the same, 0.9 forms of a word, synonyms or a slip, 0.5 nearly written so."""
    if word == other:
        return 1.0
    if _KIN.get(word, set()) & _KIN.get(other, set()):
        return 0.9
    common = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    if common >= max(5, 0.7 * max(len(word), len(other))) or (common >= 5 and common == min(len(word), len(other))):
        return 0.9
    if min(len(word), len(other)) < 4 or OSA.distance(word, other, score_cutoff=1) > 1:
        return 0.0
    bare = [re.sub(r"(.)\1", r"\1", text[0] + re.sub("[aeiouy]", "", text[1:])) for text in (word, other)]
    is_slip = sorted(word) == sorted(other) or (bare[0] == bare[1] and len(bare[0]) > 3) or re.sub(
        r"(.)\1", r"\1", word) == re.sub(r"(.)\1", r"\1", other)  # fmt: skip
    return 0.9 if is_slip else 0.5


class Finder:
    """What a person can mean in a plan."""

    def __init__(self, plan: Plan, *, pinned: str = "", recent: Sequence[str] = (), section: str = "") -> None:
        """``pinned``: the one item that can be meant; ``recent``: what "it" stands for; ``section``: where to look."""
        self.plan = plan
        self.pinned = pinned
        self.recent = tuple(recent)
        self.section = section
        self.touched: frozenset[str] = frozenset()
        """Ids that the message has changed already: "the rest" is what is left."""
        self.excluded: frozenset[str] = frozenset()
        """Ids that the clause takes out of what it speaks of: "everything except S3"."""
        self.is_guessing = False
        """Whether the one item that comes near is taken for what is meant: to offer it, or after a yes."""
        self._clear: dict[str, tuple[Step, ...]] = {}

    @cached_property
    def by_id(self) -> dict[str, Item]:
        """Items by id, in upper case."""
        return {item.id.upper(): item for item in reversed(self.plan.items)}

    @cached_property
    def words(self) -> frozenset[str]:
        """Words of the lines of the plan, in small letters."""
        return frozenset(word.lower() for item in self.plan.items for word in _WORD.findall(wording(item)))

    @cached_property
    def _spread(self) -> Counter[str]:
        return Counter(word for item in self.plan.items for word in roots(wording(item)))

    @cached_property
    def _actions(self) -> frozenset[str]:
        """First words of the steps: what is done in them."""
        return frozenset(word for step in self.plan.steps for word in roots(step.title)[:1])

    def items(self, phrase: str, kind: type[Item] | None = Step, *, is_target: bool = True) -> tuple[Item, ...]:
        """Return the items that a phrase means, one or more. Raises Unclear where that is none, or not clear.

        ``kind``: what is looked for first where the phrase does not say it; None for every kind. ``is_target``: whether
        they are to be changed, and not only named beside what is.
        """
        phrase = _STATE.sub("", phrase.strip(" \t\n\"“”'‘’.,:;!?"))
        items = self._meant(phrase, kind, is_target=is_target)
        if not self.excluded or not is_target:
            return items
        if not any(item.id in self.excluded for item in items) or all(item.id in self.excluded for item in items):
            raise Unclear(f"What of {', '.join(sorted(self.excluded))}: what should not change?")
        return tuple(item for item in items if item.id not in self.excluded)

    def _meant(self, phrase: str, kind: type[Item] | None, *, is_target: bool) -> tuple[Item, ...]:
        if _CONTRAST.search(phrase):
            raise Unclear(f"Which do you mean by “{shorten(phrase, 60)}”?", is_other=True)
        if up_to := _UP_TO.fullmatch(phrase):
            return self._up_to(up_to)
        named = self.named(phrase)
        if len(named) > 1 and re.search(r"(?i)\b(?:or|either)\b", phrase):
            raise Unclear(f"Which one do you mean: {offered(named)}?")
        if self.pinned and is_target:
            return self._pinned(phrase, named)
        if named:
            return named
        if _THIS.fullmatch(phrase) or not phrase or (self.recent and _IT_IS.match(phrase)):
            return self._recent(phrase, kind)
        if (part := _PART.fullmatch(phrase)) and len(self.recent) > _ORDERS[part["order"].lower()]:
            return (self.by_id[self.recent[_ORDERS[part["order"].lower()]].upper()],)
        if few := _FIRST_FEW.fullmatch(phrase):
            count = _FEW.get(few["number"].lower()) or int(few["number"])
            return tuple(self.plan.steps[:count] if few["end"].lower() == "first" else self.plan.steps[-count:])
        if ordered := self._ordered(phrase):
            return ordered
        if (match := _ABOUT.fullmatch(phrase)) and (about := self._about(next(filter(None, match.groups())))):
            return about
        if (of := _ALL_OF.fullmatch(phrase)) and (one := self._kind_in(of["noun"])) and one is not Step:
            return tuple(item for item in self.plan.items if type(item) is one and self._fits(item, of["noun"].lower()))
        if _ALL.fullmatch(phrase) and kind is Step:
            return self._all(phrase)
        return self._by_words(phrase, self._kind_in(phrase) or kind)

    def item(self, phrase: str, kind: type[Item] | None = Step, *, is_target: bool = True) -> Item:
        """Return the one item that a phrase means. Raises Unclear."""
        items = self.items(phrase, kind, is_target=is_target)
        if len(items) > 1:
            raise Unclear(f"Which one do you mean: {offered(items)}?")
        return items[0]

    def steps(self, phrase: str, *, is_target: bool = True) -> tuple[Step, ...]:
        """Return the steps that a phrase means. Raises Unclear, for items of another kind too."""
        items = self.items(phrase, is_target=is_target)
        steps = tuple(item for item in items if isinstance(item, Step))
        if len(steps) < len(items):
            other = next(item for item in items if not isinstance(item, Step))
            raise Unclear(f"{quoted(other)} is no step: which step do you mean?", about=(other.id,))
        return steps

    def step(self, phrase: str, *, is_target: bool = True) -> Step:
        """Return the one step that a phrase means. Raises Unclear."""
        steps = self.steps(phrase, is_target=is_target)
        if len(steps) > 1:
            raise Unclear(f"Which step do you mean: {offered(steps)}?")
        return steps[0]

    def clear_steps(self, phrase: str) -> tuple[Step, ...]:
        """Return the steps that a phrase names beside what is to change; none where that is not clear."""
        if phrase not in self._clear:
            try:
                self._clear[phrase] = self.steps(phrase, is_target=False)
            except Unclear:
                self._clear[phrase] = ()
        return self._clear[phrase]

    def means(self, phrase: str, kind: type[Item] | None = Step) -> bool:
        """Tell whether a phrase clearly means something."""
        try:
            return bool(self.items(phrase, kind, is_target=False))
        except Unclear:
            return False

    def named(self, phrase: str) -> tuple[Item, ...]:
        """Return the items whose ids stand in a phrase. Raises Unclear for ids of nothing."""
        names: list[str] = []
        for match in _IDS.finditer(phrase):
            first, last = match[1].upper(), (match[2] or "").upper()
            if first not in self.by_id and not re.fullmatch(r"[SCKRDQBPWH]\d+", first):
                continue
            names.append(first)
            if last[:1] == first[:1] and int(first[1:]) < int(last[1:]) < int(first[1:]) + 100:
                between = (f"{first[0]}{number}" for number in range(int(first[1:]) + 1, int(last[1:])))
                names += [*(name for name in between if name in self.by_id), last]
            elif last:
                names.append(last)
        if not names and _BARE.fullmatch(phrase):
            names = [f"S{number}" for number in re.findall(r"\d+", phrase)]
        if not names and (numbered := _NUMBERED.search(phrase)):
            letter = {"task": "S", "constraint": "K", "assumption": "B"}.get(
                numbered[1].lower(), numbered[1][0].upper()
            )
            names.append(f"{letter}{int(numbered[2])}")
        if missing := [name for name in names if name not in self.by_id]:
            known = ", ".join(item.id for item in self.plan.items if item.id[:1] == missing[0][:1])
            raise Unclear(f"There is no {missing[0]}: which one do you mean? There are {shorten(known, 80)}"
                               if known else f"There is no {missing[0]}: which one do you mean?")  # fmt: skip
        items = tuple(dict.fromkeys(self.by_id[name] for name in names))
        own = {word for item in items for word in roots(wording(item))}
        rest = roots(_NUMBERED.sub(" ", _IDS.sub(" ", phrase))) if items and not _BARE.fullmatch(phrase) else ()
        if any(not any(likeness(word, one) for one in own) for word in rest):
            raise Unclear(f"What about “{shorten(phrase, 60)}”: which line should change, and how?", is_other=True)
        return items

    def _pinned(self, phrase: str, named: tuple[Item, ...]) -> tuple[Item, ...]:
        item = self.by_id.get(self.pinned.upper())
        if item is None:
            raise Unclear(f"{self.pinned}, which the note is pinned to, is not in the plan any more.")
        if any(other != item for other in named):
            others = ", ".join(other.id for other in named if other != item)
            raise Unclear(f"The note is pinned to {item.id} and speaks of {others}: which one is to change?")
        if not named and roots(phrase) and not _THIS.fullmatch(phrase) and self.share(phrase, item) < _NEAR:
            raise Unclear(f"The note is pinned to {quoted(item)}: is that what “{shorten(phrase, 60)}” means?")
        return (item,)

    def _recent(self, phrase: str, kind: type[Item] | None) -> tuple[Item, ...]:
        items = tuple(self.by_id[name.upper()] for name in self.recent if name.upper() in self.by_id)
        if self.recent and not items:
            is_are = "is" if len(self.recent) == 1 else "are"
            raise Unclear(f"{', '.join(self.recent)} {is_are} out of the plan already.", "done", self.recent)
        alone = [item for item in self.plan.items if type(item) is self._kind_in(phrase)]
        if not items and len(alone) == 1:
            return tuple(alone)
        if not items or (len(items) > 1 and phrase.lower() in ("it", "this", "that", "")):
            noun = "step" if kind is Step else "line"
            raise Unclear(f"Which {noun} do you mean{': ' + offered(items) if items else ''}?")
        return items

    def _up_to(self, match: re.Match[str]) -> tuple[Item, ...]:
        """Return the open steps up to one, in the order of the plan."""
        last = self.item(match["last"])
        at = [step.id for step in self.plan.steps].index(last.id) + (match["how"].lower() != "before")
        if match["how"].lower() == "after":
            later = tuple(step for step in self.plan.steps if last.id in _ahead_of(self.plan, step))
            if not later:
                raise Unclear(f"Nothing comes after {last.id}.", "not done")
            return later
        return tuple(step for step in self.plan.steps[:at] if step.status not in ("done", "dropped"))

    def _ordered(self, phrase: str) -> tuple[Item, ...]:
        match = _ORDER.fullmatch(phrase)
        if match is None or not (match["order"] or match["back"]):
            return ()
        noun = match["noun"].lower()
        if noun == "one" and not self.section:
            place = _ORDERS.get((match["order"] or "last").lower(), -2)
            lasts = [rows[place] for kind in (Step, Risk, Question) if len(rows := [
                item for item in self.plan.items if type(item) is kind]) >= abs(place) + (place >= 0)]  # fmt: skip
            raise Unclear(f"Which one do you mean: {offered(lasts)}?", about=tuple(item.id for item in lasts))
        kind = self._kind_in(noun) or Step
        items = [item for item in self.plan.items if type(item) is kind and self._fits(item, noun)]
        place = -2 if match["back"] else _ORDERS[match["order"].lower()]
        if not -len(items) <= place < len(items):
            raise Unclear(f"There are only {len(items)} of these: which one do you mean?")
        return (items[place],)

    def _fits(self, item: Item, noun: str) -> bool:
        """Tell whether a bullet stands among the assumptions where these are spoken of."""
        if not isinstance(item, Bullet) or not noun.startswith("assum"):
            return True
        section = self.plan.section("assumptions")
        return section is not None and item in section.items

    def _about(self, what: str) -> tuple[Item, ...]:
        """Return all steps whose titles have the words, or whose owner is named so."""
        what = re.sub(r"(?i)^(?:my|mine)\b", "you", what)
        whose = re.sub(r"(?i)(?:['’]s|(?<=s)['’])?(?: (?:steps?|tasks?|stuff|work|parts?))?$", "", what).casefold()
        if owned := tuple(step for step in self.plan.steps if step.owner.casefold() == whose):
            return owned
        return tuple(step for step in self.plan.steps if roots(what) and self.share(what, step) >= 0.9)

    def _all(self, phrase: str) -> tuple[Item, ...]:
        steps = tuple(step for step in self.plan.steps if step.status not in ("done", "dropped"))
        if not steps:
            raise Unclear("No step is open.", "not done")
        if phrase.lower() in ("each", "both", "all") and self.recent:
            return self._recent("them", Step)
        if phrase.lower() in ("each", "both"):
            raise Unclear("Which steps do you mean?")
        if phrase.lower().endswith("rest"):
            return tuple(step for step in steps if step.id not in {*self.recent, *self.touched})
        return steps

    def _kind_in(self, phrase: str) -> type[Item] | None:
        kinds = [kind for kind, pattern in _KIND.items() if pattern.search(phrase)]
        return KINDS[kinds[0]] if len(kinds) == 1 else None

    def _by_words(self, phrase: str, kind: type[Item] | None) -> tuple[Item, ...]:
        """Return the item that has the words, or those that the parts of a list mean. Raises Unclear."""
        chosen, near = self._ranked(phrase, kind)
        if chosen is not None:
            return (chosen,)
        parts = [part for part in _PARTS.split(phrase) if part.strip()]
        if 1 < len(parts) <= 12:
            try:
                each = [self.items(part, kind, is_target=False) for part in parts]
            except Unclear:
                each = []
            if each:
                return tuple(dict.fromkeys(item for items in each for item in items))
        noun = next((name for name, of_kind in KINDS.items() if of_kind is kind), "line")
        if len(near) > 1:
            raise Unclear(f"Which {noun} do you mean: {offered(near)}?", about=tuple(item.id for item in near))
        if near and self.is_guessing:
            return (near[0],)
        if near:
            raise Unclear(f"Do you mean {quoted(near[0])}?", about=(near[0].id,), is_guess=True)
        if kind is not None and (told := self._by_lines(phrase, kind)):
            return (told,)
        raise Unclear(f"No {noun} speaks of “{shorten(phrase, 60)}”: which one do you mean?")

    def _by_lines(self, phrase: str, kind: type[Item]) -> Item | None:
        """Return the one item whose outcome or check has all of some words, or whose outcome begins with them."""
        items = [item for item in self.plan.items if type(item) is kind and getattr(item, "status", "") != "dropped"]
        full = [item for item in items if roots(phrase) and self.share(phrase, item, lines_of(item)) >= _ALL_OF_IT]
        begun = [item for item in full if roots(getattr(item, "outcome", ""))[:1] == roots(phrase)[:1]]
        return full[0] if len(full) == 1 else begun[0] if len(begun) == 1 else None

    def _ranked(self, phrase: str, kind: type[Item] | None) -> tuple[Item | None, tuple[Item, ...]]:
        """Return the one that is meant, or None and those that come near."""
        for pool in self._pools(kind):
            shares = sorted(((self.share(phrase, item), item) for item in pool), key=lambda row: -row[0])
            if not shares or shares[0][0] < _NEAR:
                continue
            best, item = shares[0]
            if (
                best >= ENOUGH
                and self.is_telling(phrase)
                and (whole := self._about_the_whole([row for share, row in shares if share > best - CLEARLY]))
            ):
                return whole, ()
            second = shares[1][0] if len(shares) > 1 else 0.0
            bare = re.sub(r"(?i)^(?:the|our|this|that|my) | (?:step|task)$", "", phrase).casefold()
            opening = [row for share, row in shares if share == best and re.match(
                rf"(?:\w+ (?:(?:the|an?|our|my) )?)?{re.escape(bare)}\b", wording(row).casefold())]  # fmt: skip
            if len(opening) == 1 and best >= ENOUGH and bare:
                return opening[0], ()
            said = {word for word in re.findall(r"[^\W\d_]{4,}", bare) if word not in _SMALL_WORDS}
            literal = [
                row for share, row in shares if share == best and said <= {*re.findall(r"\w+", wording(row).lower())}
            ]
            if len(literal) == 1 and best >= ENOUGH and said and self.is_telling(phrase):
                return literal[0], ()
            same = [row for _, row in shares if set(roots(wording(row))) == set(roots(phrase))]
            if len(same) == 1 and best >= ENOUGH:
                return same[0], ()
            if (
                best >= ENOUGH
                and best - second >= (0.6 * CLEARLY if best == 1.0 else CLEARLY)
                and self.is_telling(phrase)
            ):
                return item, ()
            near = [row for share, row in shares if share >= max(_NEAR, best - CLEARLY)]
            return None, tuple(near[:_MOST_OFFERED])
        return None, ()

    def _about_the_whole(self, near: Sequence[Item]) -> Item | None:
        """Return the one of several that is called as the plan is: "the opening" in "Open a bakery"."""
        title = roots(self.plan.title)
        same = [item for item in near if all(any(likeness(w, t) >= 0.9 for t in title) for w in roots(wording(item)))]
        return same[0] if len(near) > 1 and len(same) == 1 else None

    def _pools(self, kind: type[Item] | None) -> Iterable[list[Item]]:
        items = [item for item in self.plan.items if getattr(item, "status", "") != "dropped"]
        section = self.plan.section(self.section) if self.section else None
        if section is not None and section.items:
            yield list(section.items)
        if kind is not None:
            yield [item for item in items if type(item) is kind]
            return
        yield [item for item in items if isinstance(item, Step)]
        yield [item for item in items if not isinstance(item, Step | Decision | Person)]

    def is_telling(self, phrase: str) -> bool:
        """Tell whether a phrase has words that can mean one thing and no other."""
        words = roots(phrase)
        return any(word not in _WEAK_ROOTS and (word not in _VERB_ROOTS or self._spread[word] == 1) for word in words)

    def _weight(self, word: str) -> float:
        rarity = 1.0 + log((len(self.plan.items) + 1) / max(1, self._spread[word]))
        return rarity * (0.3 if word in _WEAK_ROOTS else 0.5 if word in _VERB_ROOTS else 1.0)

    @cached_property
    def names(self) -> frozenset[str]:
        """Words that begin with a capital inside the sentences of the plan: people and places."""
        goal = self.plan.section("goal")
        said = [goal.text if goal else "", *(item.text for item in self.plan.items if not isinstance(item, Step))]
        return frozenset(name for text in said for name in re.findall(r"\b[A-Z][^\W\d_]+(?: & [A-Z][^\W\d_]+)*", text))

    def nearest(self, phrase: str) -> Step | None:
        """Return the open step whose title or outcome has most of a phrase, where it is clearly ahead of the others."""
        steps = [step for step in self.plan.steps if step.status != "dropped"]
        near = [(max(self.share(phrase, step), 0.8 * self.share(phrase, step, lines_of(step))), step) for step in steps]
        near.sort(key=lambda row: -row[0])
        if not near or near[0][0] < _PARTLY or not self.is_telling(phrase):
            return None
        said = {word for word in re.findall(r"[^\W\d_]{4,}", phrase.lower()) if word not in _SMALL_WORDS}
        ahead = [step for share, step in near if near[0][0] - share < _AHEAD]
        literal = [step for step in ahead if said & {*re.findall(r"\w+", step.title.lower())}]
        if len(ahead) > 1 and len(literal) == 1:
            return literal[0]
        return near[0][1] if len(near) == 1 or near[0][0] - near[1][0] >= _AHEAD else None

    def share(self, phrase: str, item: Item, text: str = "") -> float:
        """Return the share of the weight of a phrase's words that the title of an item has, or another text."""
        own = roots(text or wording(item))
        quoted_words = set(roots(" ".join(re.findall(r"“[^”]*”", wording(item))))) - set(
            roots(re.sub(r"“[^”]*”", "", wording(item)))
        )
        actions = {root(word) for word in re.findall(r"\b[^\W\d_]{3,}ing\b", phrase.lower())}
        total = had = 0.0
        joined = {root(word.replace("-", "")) for word in _WORD.findall(phrase) if "-" in word}
        for word in roots(phrase):
            best = max((likeness(word, other) for other in own), default=0.0)
            if any(likeness(word, other) for other in quoted_words):
                best = min(best, 0.6)  # what a title quotes is not what it is called
            if word in joined and not best:
                continue  # its parts count
            if not text and word in actions & self._actions and best == 1.0 and own[0] != word:
                best = 0.6  # "tiling" is the step that begins with "Tile"
            weight = self._weight(word)
            total += weight
            had += best * weight
        return had / total if total else 0.0


def _ahead_of(plan: Plan, step: Step) -> set[str]:
    """Return all steps that come before one."""
    needs, ahead, left = {one.id: one.needs for one in plan.steps}, set[str](), list(step.needs)
    while left:
        if (name := left.pop()) not in ahead:
            ahead.add(name)
            left += needs.get(name, ())
    return ahead


def lines_of(item: Item) -> str:
    """Return what an item says of itself."""
    return " ".join(str(getattr(item, field, "")) for field in ("title", "text", "outcome", "owner"))


def quoted(item: Item) -> str:
    """Return an item as a person is asked about it: ``S3 “Set up the provider”``."""
    return f"{item.id} “{shorten(wording(item), 50)}”"


def offered(items: Sequence[Item]) -> str:
    """Return items to choose from: ``S3 “…” or S8 “…”``."""
    names = [quoted(item) for item in items[:_MOST_OFFERED]]
    more = ["another"] if len(items) > _MOST_OFFERED else []
    return " or ".join([", ".join([*names, *more][:-1]), [*names, *more][-1]]) if len(names) > 1 else "".join(names)
