"""A message cut into clauses that each ask for something of their own.

    "Drop S7, and Tom takes over S4. Add a step: pack and ship."
     └─1──┘       └──────2────────┘  └───────────3──────────┘

Sentences and lines are cut always, "and", "also", "but", "then" and commas only before what begins a request. Nothing
is cut inside quotation marks, nor after "Add a step:".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import msgspec

_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|(?<!\w)['‘][^'’\n]{2,300}['’](?!\w)|\([^()\n]{1,300}\)"
)
_SENTENCE_END = re.compile(
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bca)(?<!\bexcl)(?<!\bincl)(?<!\bapprox)[.!?…]+("
    r"?=\s|$)|;|\n"
)
_SPLIT, _FIRST = (
    re.compile(r"(?i)\W*(?:please )?(?:split|divide|break)\b[^.;]*$"),
    re.compile(r"(?i)\s+(?:first|one|part one)\b"),
)
_SPLIT_INTO = re.compile(r"(?i)\W*(?:please )?(?:split|divide|break)\b[^.:;]*(?:\.\s+(?:first|one)\b|:)")
_ORDINAL_DAY = re.compile(r"(?i)\d\.\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_COMMANDS = (
    "add|insert|include|drop|remove|delete|skip|omit|scrap|ditch|rename|call|reword|rewrite|split|merge|combine|"
    "move|put|swap|shift|push|postpone|delay|assign|give|hand|let|make|mark|set|change|reduce|increase|extend|"
    "shorten|double|halve|raise|lower|replace|use|start|finish|begin|undo|ignore|forget|schedule|do|show|translate|"
    "bring|close|reopen|cancel|cut|get rid|leave out|take out|don['’]t forget"
)
_IDS = r"[A-Z]\d+(?:(?:,| and|, and|-) ?[A-Z]\d+)*"
_VERBS = (
    "is|are|was|were|has|have|had|takes?|took|needs?|(?<!\ba )must|should|can|cannot|can['’]t|costs?|owns?|does|"
    "leaves?|left|joins?|starts?|started|ends?|ended|slips?|slipped|will|becomes?|isn['’]t|aren['’]t|doesn['’]t|"
    "don['’]t|depends?|belongs?|comes?|goes|gets?|works?|handles?|leads?|waits?|requires?"
)
_BEGINS = re.compile(
    rf"(?i)(?:(?:please|also|then|just|and|but|maybe|so|now)\s+)*(?:(?:{_COMMANDS})\b(?!\s*[,.]|\s+and\b)|(?:we|i|"
    rf"you|there|nobody|it|they|he|she)\b\s*['’\w]|{_IDS}(?:\s+(?:{_VERBS})\b|\s+(?:done|finished|started|first|by|"
    rf"before|after)\b|:\s)|(?!(?:by|on|in|at|from|before|after|until|till|for|with|of|to)\b)(?:the\s+|our\s+|"
    rf"my\s+)?[^\s,;:]+(?:\s+[^\s,;:]+){{0,4}}?\s+(?:{_VERBS})\b)"
)
GOES_ON = re.compile(
    r"(?i)(?:is|takes?|took|does|can|was|owns|leads|handles|has|works|needs?|must|should|starts?|ends?|costs?|"
    r"belongs\s+to|depends\s+on|requires?|can\s+start)\b"
)
"""Opens a second half that speaks of the subject of the first: "S3 is done and took 4 days"."""
_JOINT = re.compile(
    r"(?i),?\s+(?:and(?:\s+(?:then|also))?|but|also|then|plus)\s+|,?\s+so(?:\s+that)?\s+|,\s+|\s+(?=(?:because|since|"
    r"as (?:the|we|it|they|he|she|our|i))\b)|"
    rf":\s+(?=(?:{_COMMANDS})\b)|"
    r"\s+[–—-]{1,2}\s+"
)
_TAKES_ALL = re.compile(
    r"(?i)\W*(?:if|unless|in case|provided)\b|\W*(?:\w+\W+){0,6}?(?:step|task|risk|question|criterion|constraint|"
    r"assumption|decision|milestone)s?\s*(?:(?:after|before)\s+[^:\n]{1,60})?:|\W*(?:(?:the\s+)?(?:answer|"
    r"reply)\s+to\s+)?Q\d+(?:\s+is\s+(?:answered|settled))?\s*[:,–-]|\W*(?:we(?:['’]ve|\s+have)?\s+)?decided\b|"
    r"\W*(?:rename|reword|call)\b(?!.*\0)|\W*(?:please )?(?:split|break|divide)\b[^:.]{1,80}(?::|"
    r"\.\s+first\b)(?!.*\b(?:and|then) \w+ [A-Z]\d)|[^:.]{0,60}\b(?:outcome|result|check|response|notes?|says?|what "
    r"comes out of it)\b[^:.]{0,30}:|(?:it|this|that|we)(?:['’]ve| has| have| will have)? (?:worked|succeeded) "
    r"(?:when|if)\b|success (?:is|means)\b|"
    r"[^,.;]{1,60} (?:is|are) (?:wrong|off|not right|not true)[,;:–-] ?(?:it|that|this|they) |"
    r"[^:.,]{1,40} (?:is|are)(?: really| actually)? (?:two|three|four|several) \w+(?: really| actually)?:"
)
_MORE_THAN_AN_ANSWER = re.compile(
    r"(?i)\W*Q\d+\s*[:,–-][^.;]{1,200}?(?P<more>,? and )(?=(?:she|he|they|the \w+|[A-Z]\w+) (?:has|have|needs?|must)\b)"
)
"""An answer to a question, and what somebody has to do."""
_RENAMES = re.compile(r"(?i)\W*(?:please )?(?:rename|re-?title|call)\b")
_NAMES = re.compile(r"(?i)[^\s,]+(?: [^\s,]+){0,3} (?:to|as|into|->|→) ?")
_NEXT_NAME = re.compile(
    r"(?i)(?<=\0)(?:,\s*|,?\s+and\s+)(?=[^\0]{2,40}?\s(?:to|as|into)\s+\0)|(?:,\s+|"
    r",?\s+and\s+(?:also\s+)?)(?=(?:(?:rename|call)\s+)?[A-Z]\d{1,4}\s+(?:to|as|into|->|→|\0|[\"“]))|,?\s+(?:and|then|"
    r"also)\s+"
    rf"(?=(?:{_COMMANDS})\s+[A-Z]\d)"
)
_HAS_VERB = re.compile(rf"(?i)\b(?:{_COMMANDS}|{_VERBS}|done|finished|no|not|wrong|late)\b")
_TWO_OF_US, _I_DO = re.compile(r"(?:^|, |\band )[A-Z][a-z]+$"), re.compile(r"(?:I|me|[A-Z][a-z]+)\b")
""""Mum and I do it": two names are not cut apart."""
_NO_BEGINNING = re.compile(r"(?i)(?:which|that|who|because|since|so|as|if|until|unless|where|when|while)\b")
MOST = 40
"""Clauses of a message that are read."""
LONGEST = 600
"""Characters of a clause that is read."""


class Clause(msgspec.Struct, frozen=True):
    """A stretch of a message."""

    text: str
    start: int
    end: int
    goes_on: bool = False
    """Whether its subject is that of the clause before."""
    full: str = ""
    """What it says with the words that it leaves out; "" for the text as it stands."""


def clauses(message: str) -> tuple[Clause, ...]:
    """Return the clauses of a message, in order, without the space and the joints between them."""
    masked = _masked(message)
    if _NUMBERED.match(masked):  # 1) … 2) …: each is a sentence
        masked = re.sub(r"[\s,;]+(?=\d[.)]\s)", lambda gap: "\n" * len(gap[0]), masked)
    parts = (part for start, end in _sentences(masked) for part in _parts(masked, start, end))
    cut = (_trimmed(message, start, end, goes_on) for start, end, goes_on in parts)
    return tuple(clause for clause in cut if clause.text)


_NUMBERED = re.compile(r"\s*1[.)]\s.*[\s,;]2[.)]\s", re.DOTALL)


def _sentences(masked: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SENTENCE_END.finditer(masked):
        is_number = masked[start : match.start()].strip().isdecimal() and match[0] == "."
        so_far = masked[start : match.start()]
        is_split = bool(_SPLIT.match(so_far) and _FIRST.match(masked, match.end()))
        is_split = is_split or (match[0] == ";" and _SPLIT_INTO.match(so_far) is not None)
        if is_number or is_split or (match.start() and _ORDINAL_DAY.match(masked, match.start() - 1)):
            continue
        yield start, match.end()
        start = match.end()
    yield start, len(masked)


def _parts(masked: str, start: int, end: int, *, renames: bool = False) -> Iterator[tuple[int, int, bool]]:
    """Yield the clauses of a sentence, each with whether it goes on with the subject of the one before."""
    renames = renames or _RENAMES.match(masked, start, end) is not None
    if renames and (joint := _NEXT_NAME.search(masked, start, end)):
        yield start, joint.start(), False
        yield from _parts(masked, joint.end(), end, renames=_NAMES.match(masked, joint.end(), end) is not None)
        return
    if answer := _MORE_THAN_AN_ANSWER.match(masked, start, end):
        yield start, answer.start("more"), False
        yield from _parts(masked, answer.end("more"), end)
        return
    if end - start > LONGEST or _TAKES_ALL.match(masked, start, end):
        yield start, end, False
        return
    goes_on = False
    verbs = [match.start() for match in _HAS_VERB.finditer(masked, start, end)]
    for joint in _JOINT.finditer(masked, start, end):
        if joint.start() < start or bisect_left(verbs, start) == bisect_left(verbs, joint.start()):
            continue
        rest = masked[joint.end() : min(end, joint.end() + 120)]
        is_word = joint[0].strip(", ").isalpha()
        continues = is_word and GOES_ON.match(rest) is not None
        if is_word and _TWO_OF_US.search(masked, start, joint.start()) and _I_DO.match(rest):
            continue
        if continues or (_BEGINS.match(rest) and not _NO_BEGINNING.match(rest)):
            yield start, joint.start(), goes_on
            start, goes_on = joint.end(), continues
            if _TAKES_ALL.match(masked, start, end):
                break
    yield start, end, goes_on


_MOST_HALVES, _LONGEST_HALVED = 4, 300
_OBJECT_AND_MORE = re.compile(
    r"(?i)[A-Z]\d{1,4}\b|(?:the |our )?[\w'“”\" -]{2,40}? (?:to|until|till|by|into|as|from|after|before) "
)
_LEFT_OUT = re.compile(
    rf"(?i) (?:(?:should|must|can|will|could) (?:be |do |own |have |take(?: over)? |handle |need )?|(?:{_VERBS}|does|"
    r"do|takes over|looks after|owns|handles|runs)(?: (?:to|by|over|after|until))? )"
)


_TAG = re.compile(r"(?i)(?:right|correct|yes|no|true|or not|(?:is|does|do|has|was|are)n['’]t (?:it|they|that))\?+")
"""Makes a question of what stands before it."""


def halves(clause: Clause) -> Iterator[tuple[Clause, Clause]]:
    """Yield the ways to cut a clause in two where it joins words."""
    if aside := re.search(r" \(([^()]+)\)\.?$", clause.text):
        before = Clause(clause.text[: aside.start()], clause.start, clause.start + aside.start(), clause.goes_on)
        yield before, Clause(aside[1], clause.start + aside.start(1), clause.start + aside.end(1))
    masked = _masked(clause.text)
    for joint in [*_JOINT.finditer(masked)][:_MOST_HALVES] if len(masked) <= _LONGEST_HALVED else ():
        first, second = clause.text[: joint.start()].rstrip(" ,"), clause.text[joint.end() :]
        if first and second and not _TAG.fullmatch(second):
            yield (
                Clause(first, clause.start, clause.start + len(first), clause.goes_on),
                Clause(second, clause.start + joint.end(), clause.end, GOES_ON.match(second) is not None),
            )


def filled(model: str, text: str, *, is_list: bool) -> Iterator[str]:
    """Yield a text with the words of a clause before it that it leaves out: "Anna does S4, Tom S5"."""
    if _HAS_VERB.search(text):
        return
    if not is_list and _OBJECT_AND_MORE.match(text) and (command := re.match(rf"(?i)(?:{_COMMANDS})\b", model)):
        yield f"{command[0]} {text}"
    if verb := _LEFT_OUT.search(model):
        words = text.split()
        for at in range(1, min(6, len(words))):
            yield f"{' '.join(words[:at])}{verb[0]}{' '.join(words[at:])}"


def _masked(message: str) -> str:
    """Return a message of the same length in which nothing is cut that stands in quotation marks or brackets."""
    return _QUOTED.sub(lambda match: "\0" * len(match[0]), message)


_EDGE = re.compile(r"(?:[\s,;]|[-*•]\s|\d+[.)]\s)+")


def _trimmed(message: str, start: int, end: int, goes_on: bool) -> Clause:
    if lead := _EDGE.match(message, start, end):
        start = lead.end()
    text = message[start:end].rstrip().rstrip(",;")
    return Clause(text, start, start + len(text), goes_on)
