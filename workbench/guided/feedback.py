"""What a piece of feedback is, what it speaks of, and which sections it concerns.

    text ─▶ classify ─▶ add · remove · change · question · emphasise
    text + plan ─▶ subject_of ─▶ the item meant, or the kind of item ─▶ concerned ─▶ section ids

The class is that of the first telling phrase: what people want stands at the beginning ("Drop …", "We also need …"),
and the rest explains. Questions are recognised first, unless they are polite commands ("Could you add …?").
"""

from __future__ import annotations

import re
from collections import Counter

import msgspec

from workbench.domain.loop.tasks import FeedbackClass
from workbench.domain.plan.plan import Constraint, Criterion, Decision, Item, Plan, Question, Risk, Step
from workbench.guided.wording import base_verb, telling_words

_POLITE = re.compile(
    r"^(?:(?:ok(?:ay)?|hm+|well|and|also|but|so|great|good|fine|thanks|thank you|hi|hello|nice|sorry)\b[,.!:]?\s+)*"
    r"(?:(?:can|could|would|will)\s+(?:you|we|someone|somebody)\s+(?:also\s+|please\s+|maybe\s+|perhaps\s+)*"
    r"(?=(?:add|include|insert|append|put|drop|remove|delete|skip|cut|omit|strike|scrap|change|rename|replace|move|shift|"
    r"swap|split|merge|shorten|extend|assign|make|reduce|increase|postpone|plan|mention|note|list)\b)"
    r"|(?:would\s+you\s+mind\s+)|(?:please|kindly|maybe|perhaps|just|simply|also)\s*,?\s+|(?:let['’]?s|let\s+us)\s+"
    r"|(?:i|we)(?:['’]d|\s+would)\s+(?:suggest|propose|recommend)\s+(?:to\s+|that\s+(?:you|we)\s+)?"
    r"|(?:you|we)\s+(?:should|could|can|must|have\s+to|need\s+to|ought\s+to)\s+(?:also\s+|really\s+|just\s+)*(?=[a-z]))*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^(?:(?:and|but|so|ok(?:ay)?|hm+|then|also)\b,?\s+)*(?:why|what|how|who|whom|whose|when|where|which|is|are|was|were|"
    r"am|can|could|do|does|did|will|would|should|shall|may|might|has|have|isn['’]?t|aren['’]?t|don['’]?t\s+we|"
    r"doesn['’]?t|won['’]?t|wouldn['’]?t|couldn['’]?t|shouldn['’]?t|warum|wieso|wer|wann|wie|pourquoi|qui|quand|comment|"
    r"por\s+qué|quién|cuándo|cómo|any\s+(?:idea|reason|chance))\b",
    re.IGNORECASE,
)
_WONDERS = re.compile(
    r"\b(?:i\s+(?:do\s*n['’]?t|do\s+not|didn['’]?t|can['’]?t|cannot)\s+(?:understand|see\s+why|get\s+(?:why|what)|follow)|"
    r"i\s+wonder|not\s+(?:clear|sure)\s+(?:to\s+me\s+)?(?:why|what|how|who|whether|if|when)|unclear|please\s+explain|"
    r"(?:can|could)\s+you\s+(?:please\s+)?(?:explain|tell|clarify|say)|explain\b|tell\s+me|what\s+about|"
    r"i(?:['’]d|\s+would)\s+(?:like|love)\s+to\s+(?:know|understand))",
    re.IGNORECASE,
)
_NOT_ASKED = re.compile(
    r"^(?:what(?:['’]s|\s+is)?\s+(?:missing|needed|i\s+miss|we\s+(?:miss|need|lack)|i\s+(?:want|need))|"
    r"have\s+(?:a|an|the|anna|[A-Z])|do\s+(?:S\d|the\b|not\b)|don['’]t\s+(?!we\b|you\b|i\b)|may\s+i\s+add|"
    r"when\s+(?!.*\?)(?!(?:do|does|did|is|are|will|can|should|would|must|shall)\b)|"
    r"how\s+about\s+(?:adding|dropping|removing)|what\s+matters|which\s+(?:means|is)|is\s+missing|will\s+need)",
    re.IGNORECASE,
)

_PHRASES: tuple[tuple[FeedbackClass, str], ...] = (
    (
        "emphasise",
        (
            r"(?:the\s+)?(?:most|more|very|so|really|extremely|absolutely|particularly|especially|equally)\s+important|"
            r"\bimportant(?:ly)?\b|\b(?:is|are)\s+(?:absolutely\s+|really\s+)?(?:crucial|essential|vital|key|paramount|central|"
            r"decisive|imperative|critical|sacred|everything|non-negotiable|a\s+must|a\s+priority|the\s+priority|my\s+priority)\b|"
            r"\b(?:is|are)\s+(?:the|our|my|a)\s+(?:\w+\s+)?(?:key|crucial|critical|top|first|number\s+one|big|biggest|main|"
            r"highest|real|decisive)\b(?!\s+path)|\b(?:top|highest|number\s+one|first)\s+priority\b|\bmatters?\b|"
            r"\babove\s+all\b|\bmost\s+of\s+all\b|\bfirst\s+and\s+foremost\b|\bpay\s+(?:\w+\s+){0,3}attention\b|"
            r"\b(?:be|very|extra|especially)\s+(?:very\s+|extra\s+|especially\s+)?careful\b|\btake\s+(?:\w+\s+)?care\s+(?:that|with)\b|"
            r"^focus\b|\bfocus\s+(?:more\s+)?on\b|\bemphasi[sz]e\b|\bstress\b|\bcomes?\s+(?:first|before\s+everything)\b|"
            r"\bconcerns?\s+(?:me|us)\b|\b(?:big|main|major|real|biggest|serious)\s+(?:concern|worry|issue|fear)\b|"
            r"\bworr(?:y|ied|ies)\b|\bmust\s+(?:never|under\s+no\s+circumstances|not\s+fail)\b|\bat\s+all\s+costs\b|"
            r"\bunder\s+no\s+circumstances\b|\bdon['’]t\s+compromise\b|\bno\s+compromises?\b|\btake\s+\w+\s+seriously\b|"
            r"\bbear\s+in\s+mind\b|\bkeep\s+(?:in\s+mind|an\s+eye\s+on)\b|\bmake\s+(?:absolutely\s+)?sure\b|\bensure\b|"
            r"\bprioriti[sz]e\b|\bcannot\s+be\s+overstated\b|\bmean(?:s)?\s+(?:a\s+lot|everything)\b|\bheart\s+of\b"
        ),
    ),
    (
        "remove",
        (
            r"^(?:drop|remove|delete|skip|cut(?!\s+(?:[\w ]+)\s+(?:to|by|down)\b)|omit|strike|scrap|ditch|erase|"
            r"leave\s+out|take\s+out|get\s+rid|throw\s+out|cross\s+out|kill|axe|forget(?:\s+about)?|lose|exclude|"
            r"no\s+(?!more\s+than|later|less|one\b|doubt|matter))\b|"
            r"\b(?:drop|remove|delete|skip|omit|strike|scrap|leave)\s+(?:it|that|this|them)(?:\s+out)?\b|"
            r"\btake\s+(?:[\w'’-]+\s+){1,6}(?:out|off|away)\b|\bleave\s+(?:[\w'’-]+\s+){0,6}out\b|\bleave\s+out\b|\bget\s+rid\s+of\b|"
            r"\b(?:do\s*n['’]?t|do\s+not|no\s+longer|does\s*n['’]?t|never)\s+(?:really\s+|actually\s+)?(?:need|want)\b(?!\s+to\s+(?:wait|hurry))|"
            r"\b(?:is|are)\s+(?:really\s+|completely\s+|quite\s+)?(?:not\s+(?:needed|necessary|required|relevant)|n['’]t\s+needed|"
            r"unnecessary|superfluous|irrelevant|redundant|pointless|useless|overkill|obsolete)\b|"
            r"\b(?:isn['’]t|aren['’]t|not)\s+(?:needed|necessary|required|relevant)\b|\bcan\s+(?:go|be\s+(?:dropped|removed|deleted|"
            r"skipped|omitted|cut))\b|\bshould\s+(?:go|be\s+(?:dropped|removed|deleted|cut))\b|\b(?:do|can\s+do|could\s+do|get\s+by)\s+without\b|"
            r"\bunnecessary\b|\bsuperfluous\b|\birrelevant\b|\boverkill\b|\bwe\s+can\s+(?:skip|drop)\b|\bstreichen\b|\bsupprimer\b"
        ),
    ),
    (
        "change",
        (
            r"^(?:change|rename|replace|swap|split|merge|combine|join|shorten|extend|move|shift|postpone|delay|bring\s+forward|"
            r"rewrite|reword|rephrase|update|correct|fix|set|reduce|increase|lower|raise|double|halve|reorder|adjust|assign|hand|"
            r"give\s+(?:S\d|the\s+\w+\s+to)|let\s+\w+\s+(?:do|own|take|lead|handle)|use\s+.+\s+instead|turn|divide|tighten|relax|"
            r"make\s+(?!(?:absolutely\s+)?sure)|start\s+(?:in|on|with|later|earlier|only)|begin\s+(?:in|on|with|later|earlier)|"
            r"finish\s+(?:in|on|by)|do\s+(?!without|not|n['’]t)|put\s+[\w ]+\s+(?:before|after|behind)|switch|"
            r"cut\s+[\w ]+\s+(?:to|by|down)|instead|rather|call\s+(?:it|S\d|the\s+step))\b|"
            r"\binstead\b|\brather\s+than\b|\bwould\s+rather\b|\bshould\s+(?:rather\s+)?be\s+(?:done\s+|owned\s+|led\s+|handled\s+)?by\b|"
            r"\bshould\s+(?:be|come|happen|start|begin|end|take|last|own|read|say|lead|do)\b(?!\s+(?:a\s+(?:step|risk|criterion|"
            r"constraint|question|section))|\s+(?:included|added|missing|right|there))|"
            r"\bshould\s+be\s+(?:called|earlier|later|shorter|longer|before|after|split|merged|higher|lower|high|low|medium)\b|"
            r"\b(?:is|are)\s+(?:responsible|in\s+charge)\b|\b(?:owns|leads|takes\s+over|will\s+(?:do|own|lead|take))\b|"
            r"\b(?:needs?|takes?|lasts?|requires?)\s+(?:only\s+|about\s+|at\s+least\s+|more\s+like\s+|up\s+to\s+)*"
            r"(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|a|half\s+a)\s+(?:working\s+)?(?:hours?|days?|weeks?|months?)\b|"
            r"\btoo\s+(?:long|short|late|early|optimistic|pessimistic|high|low|vague|tight|big|small|expensive|slow|fast|little|"
            r"much|many|few|general|generic|ambitious)\b|\b(?:the|our)\s+(?:new\s+)?(?:deadline|budget|date|owner|due\s+date)\s+"
            r"(?:is|are|has|was|moved?s?|changed|shifted|should|will)\b|\b(?:much\s+)?(?:more|less)\s+likely\b|\bnot\s+likely\b|"
            r"\bwe\s+(?:have|only\s+have|now\s+have|got)\s+(?:only\s+|now\s+)?(?:until|till|\d|more\s+time|less\s+time)|"
            r"\b(?:be|get|have\s+it)\s+(?:done|finished|ready|live)\s+by\b|\bchange\b|"
            r"\b(?:earlier|later|faster|slower|shorter|cheaper|stricter)\b|\bnot\s+\w+\s+but\b|\bwrong\b|\bincorrect\b|"
            r"\b(?:more|less)\s+(?:time|days|weeks|detail|concrete|ambitious|strict)\b|\bmust\s+be\s+done\s+by\s+[A-Z]\w+\s*\.?$"
        ),
    ),
    (
        "add",
        (
            r"^(?:add|include|insert|append|put\s+in|plan|consider|mention|note|provide|write\s+down|list|bring\s+in|think\s+of|"
            r"remember|schedule|allow|build\s+in|constraint|risk|question|assumption|criterion|new)\b|\badd\b|\binclude\b|"
            r"\b(?:we|i|you|they)(?:['’]ll)?\s+(?:will\s+)?(?:also\s+|still\s+|really\s+)*(?:need|lack|miss|require|want)\b|"
            r"\b(?:also|still)\s+(?:need|want|required?|missing)\b|\bforg[eo]t(?:ten)?\b|\bmissing\b|\bdon['’]?t\s+forget\b|"
            r"\bdo\s+not\s+forget\b|\bthere\s+(?:should|must|has\s+to|needs\s+to|is\s+no|are\s+no)\b|"
            r"\b(?:i|we)(?:['’]d|\s+would)\s+(?:also\s+)?(?:like|love|want)\b|\bone\s+more\s+thing\b|\bas\s+well\b|\btoo[.!]?$|"
            r"\badditional(?:ly)?\b|\bin\s+addition\b|\bshould\s+be\s+(?:included|added)\b|\bwithout\s+a\b|\bwhat\s+about\b|"
            r"\bextra\b|\banother\b|\bshould\s+not\s+be\s+missing\b"
        ),
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _PHRASES)


def classify(text: str) -> FeedbackClass:
    """Return what a piece of feedback asks for."""
    words = " ".join(text.split())
    bare = _POLITE.sub("", words, count=1)
    polite = bare != words and re.match(r"\s*(?:can|could|would|will)\b", _without_opening(words), re.IGNORECASE)
    asks = _ASKS.match(words) is not None and not polite and _NOT_ASKED.match(_without_opening(words)) is None
    if asks or (words.endswith("?") and not polite) or _WONDERS.search(words):
        return "question"
    found = [
        (match.start(), rank, kind) for rank, (kind, pattern) in enumerate(_PATTERNS) if (match := pattern.search(bare))
    ]
    if found:
        return min(found)[2]
    if re.search(r"\b[SCKRDQB]\d+\b", bare):
        return "change"
    return "add"


def _without_opening(words: str) -> str:
    return re.sub(
        r"^(?:(?:and|but|so|ok(?:ay)?|hm+|then|also|please|well)\b[,.!]?\s+)+", "", words, flags=re.IGNORECASE
    )


_NAMED_KINDS: tuple[tuple[type[Item] | str, str], ...] = (
    (Risk, r"\brisks?\b|\bpre-?mortem\b|\bwhat\s+could\s+go\s+wrong\b"),
    (Criterion, r"\b(?:success\s+)?criteri(?:on|a)\b|\bsuccess\s+measures?\b|\bkpis?\b|\bmetrics?\b"),
    (Constraint, r"\bconstraints?\b|\brestrictions?\b"),
    (Question, r"\bopen\s+questions?\b|\bquestions?\b"),
    ("assumptions", r"\bassumptions?\b|\bassume\b"),
    ("scope", r"\bscope\b|\b(?:must|should|could)\s+(?:list|line)s?\b|\bout\s+of\s+scope\b"),
    (Decision, r"\bdecision\s+log\b"),
    ("actions", r"\bfirst\s+actions?\b"),
    (Step, r"\bsteps?\b|\btasks?\b|\bwork\s+packages?\b|\bphases?\b"),
)
_SECTION_KINDS: dict[str, type[Item] | str] = {
    "risks": Risk,
    "criteria": Criterion,
    "constraints": Constraint,
    "questions": Question,
    "assumptions": "assumptions",
    "scope": "scope",
    "decisions": Decision,
    "steps": Step,
    "schedule": Step,
}


class Subject(msgspec.Struct, frozen=True):
    """What a piece of feedback speaks of."""

    kind: type[Item] | str
    """A kind of item, or the id of a section of bullets."""
    item: Item | None = None
    """The very item, where one is meant."""
    named: bool = False
    """True where the text names the kind itself ("the risk that …")."""


def subject_of(text: str, plan: Plan, section: str | None = None) -> Subject:
    """Return what a text speaks of: an item by id, by order ("the first assumption") or by its words."""
    by_id = next(
        (item for name in re.findall(r"\b([SCKRDQB]\d+)\b", text) for item in plan.items if item.id == name), None
    )
    if by_id is not None:
        return Subject(kind_of_item(by_id, plan), by_id, named=True)
    pinned = _SECTION_KINDS.get(section or "")
    named = next((kind for kind, pattern in _NAMED_KINDS if re.search(pattern, text, re.IGNORECASE)), None)
    kind = pinned or named
    by_order = _by_order(text, plan, kind)
    if by_order is not None:
        return Subject(kind_of_item(by_order, plan), by_order, named=True)
    item = _by_words(text, plan, kind)
    if item is not None:
        return Subject(kind_of_item(item, plan), item, named=kind is not None)
    return Subject(kind or Step, None, named=kind is not None)


def concerned(kind: FeedbackClass, subject: type[Item] | str) -> tuple[str, ...]:
    """Return the only sections that feedback of a class on a subject may amend.

    A change of dates or limits reaches further, and says so where it is made (changing.py).
    """
    if kind == "question":
        return ("questions",)
    if kind == "emphasise":
        return ("constraints", "steps", "decisions")
    if subject is Step:
        return ("steps", "schedule", "actions", "decisions")
    if subject is Constraint:
        return ("constraints", "criteria", "steps", "risks", "decisions")
    return (_section_id(subject), "decisions")


def _section_id(subject: type[Item] | str) -> str:
    if isinstance(subject, str):
        return subject
    return {Risk: "risks", Criterion: "criteria", Question: "questions", Decision: "decisions"}.get(subject, "notes")


def kind_of_item(item: Item, plan: Plan) -> type[Item] | str:
    """Return the kind of an item; of bullets, the section they stand in."""
    if isinstance(item, (Step, Risk, Criterion, Constraint, Question, Decision)):
        return type(item)
    return next((section.id for section in plan.sections if item in section.items), "notes")


def words_of(item: Item) -> str:
    """Return the words by which an item is known."""
    return item.title if isinstance(item, Step) else item.text


_ORDER = {"first": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4, "last": -1}


def _by_order(text: str, plan: Plan, kind: type[Item] | str | None) -> Item | None:
    match = re.search(
        r"\b(first|second|third|fourth|fifth|last)\s+(?:step|risk|criterion|constraint|question|assumption|task)\b",
        text,
        re.IGNORECASE,
    )
    if match is None or kind is None:
        return None
    items = [item for item in plan.items if kind_of_item(item, plan) == kind]
    place = _ORDER[match[1].lower()]
    return items[place] if -len(items) <= place < len(items) else None


def _by_words(text: str, plan: Plan, kind: type[Item] | str | None) -> Item | None:
    """Return the item that a text speaks of by its telling words, rare ones counting more; None where it is unclear."""
    said = telling_words(text) - _STRUCTURE
    items = [item for item in plan.items if kind_of_item(item, plan) == kind] if kind else list(plan.steps)
    spread = Counter(word for item in items for word in telling_words(words_of(item)))
    best, score = None, 0.0
    for item in items:
        title = telling_words(words_of(item))
        more = telling_words(f"{getattr(item, 'outcome', '')} {getattr(item, 'sign', '')}") - title
        points = sum(1.0 / spread[word] for word in said & title) + 0.2 * len(said & more)
        if points > score:
            best, score = item, points
    return best if score >= 0.5 else None


_STRUCTURE = telling_words("step steps risk criterion constraint question assumption task about everything please")


def phrase_of(text: str) -> str:
    """Return what is to be added, without the words that ask for it; the first sentence, without its reasons."""
    words = _POLITE.sub("", " ".join(text.split()), count=1)
    words = _ASKED_FOR.sub("", words, count=1)
    words = re.split(
        r"(?<=\w)[.!?;](?:\s|$)|,?\s+(?:because|since|otherwise|as\s+(?:we|it|they|he|she)|so\s+that)\s", words
    )[0]
    words = re.split(r",\s+(?:it|they|this|that|which|who)\s+(?:takes?|needs?|is|are|will)\b", words)[0]
    words = re.sub(
        r"\s+(?:as\s+well|too|also|please|to\s+the\s+plan|to\s+the\s+list)$",
        "",
        words.strip(" .,;:!-–—"),
        flags=re.IGNORECASE,
    )
    words = _SOMEBODY.sub("", words, count=1)
    return words.strip(" .,;:!-–—“”\"'") or " ".join(text.split())[:80]


def asks_for_something(text: str) -> bool:
    """Tell whether a text says that something is wanted or missing, rather than stating how things are."""
    return _ASKED_FOR.match(_POLITE.sub("", " ".join(text.split()), count=1)) is not None


_ASKED_FOR = re.compile(
    r"^(?:one\s+more\s+thing\s*:?\s*|(?:add|include|insert|append|put\s+in|mention|note|list|consider|provide|allow\s+for|"
    r"build\s+in|remember|think\s+of|plan(?:\s+in|\s+for)?)\s+(?:to\s+)?|(?:don['’]?t|do\s+not)\s+forget\s+(?:about\s+|to\s+)?|"
    r"(?:i|we|you)\s+(?:have\s+)?(?:also\s+|still\s+|completely\s+|really\s+)*(?:forgot(?:ten)?|need|lack|miss|want|require)\s+(?:about\s+|to\s+)?|"
    r"(?:i|we)(?:['’]d|\s+would)\s+(?:also\s+)?(?:like|love|want)\s+(?:to\s+(?:have|see|add)\s+)?|"
    r"what(?:['’]s|\s+is)?\s+(?:still\s+)?(?:missing|needed|i\s+miss)\s+is\s+|there\s+(?:should|must|has\s+to|needs\s+to)\s+be\s+|"
    r"there\s+(?:is|are)\s+no\s+|missing\s*:?\s*(?:is\s+)?|(?:new\s+)?(?:constraint|risk|step|question|assumption|criterion)\s*:\s*)"
    r"(?:(?:an?\s+|the\s+|another\s+|one\s+more\s+)?(?:extra\s+|additional\s+|new\s+|further\s+|open\s+)?"
    r"(?:step|task|phase|work\s+package|risk|success\s+criterion|criterion|constraint|question|assumption|point|line)"
    r"(?:\s*:\s*|\s+(?:to|for|about|that|of|on|in\s+which\s+we)\s+|\s+))?",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(
    r"^(?:someone|somebody|we|i|you|one|they)\s+(?:also\s+|still\s+)*(?:has\s+to|have\s+to|must|should|needs?\s+to|ought\s+to)\s+",
    re.IGNORECASE,
)


def as_title(phrase: str) -> str:
    """Return a phrase as the title of a step: an imperative, or something to be arranged."""
    words = phrase.split()
    verb = base_verb(words[0]) if words else ""
    if verb:
        return f"{verb.capitalize()} {' '.join(words[1:])}".strip()
    if words and words[0].lower() in {
        "make",
        "call",
        "check",
        "tell",
        "inform",
        "let",
        "pack",
        "use",
        "thank",
        "back",
        "give",
        "show",
    }:
        return phrase[:1].upper() + phrase[1:]
    return f"Arrange {phrase[:1].lower() + phrase[1:] if words and words[0].lower() in _ARTICLES else phrase}"


_ARTICLES = frozenset(["a", "an", "the", "some", "our", "my", "another", "more"])
