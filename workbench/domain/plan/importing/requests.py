"""Lines and sentences of running text that say what somebody is to do, by their shape.

TODO: … · Anna: please order … · Tom, can you ask … · RS to query … · Ruth will scan …   ─▶ asked for, anywhere
First we give notice … · After that Mira collects … · The council must approve …         ─▶ planned, in a text
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.plan.importing.headings import MONTH, OPEN, topic_of
from workbench.domain.plan.importing.labels import label_of
from workbench.domain.plan.importing.names import Names
from workbench.domain.plan.importing.work import begins_with_verb, is_verb

_NAME = r"[A-ZÄÖÜ](?:[^\W\d_]|[.'’-]){0,30}"
_WHO = (
    rf"(?:@[\w.-]+(?: ?(?:[+&,/]|and) ?@[\w.-]+)*"
    rf"|{_NAME}(?: (?:von |van |de |der )?{_NAME}){{0,2}}(?:(?:, | ?[&+/] ?| and | und ){_NAME}){{0,2}}|I)"
)
ACTION = re.compile(
    r"[^\w\s]*+(?:TODO|ACTION(?! (?:ITEM|POINT|PLAN|LOG|LIST)S?\b)|FIXME|todo(?! list)|"
    r"(?i:to do|next(?: steps?)?|ai|"
    r"actions?|action (?:item|point)s?)(?=\s?:))"
    r"(?:\s?\((?P<who>[^()]{1,40})\))?(?:\*\*)?\s?[:–—-]?(?:\*\*)?\s+(?=\S)"
)
"""A word before a line that says that it is to be done."""
_TO_SOMEBODY = re.compile(
    rf"(?P<who>{_WHO})(?:\s*[:,]|\s+[–—-])\s+"
    r"(?P<cue>(?:(?:(?:can|could|will|would) you|you(?:['’]re|['’]ll| are| will)|(?:kannst|könntest) du|I(?:['’]ll|"
    r" will| can|['’]m going to)|ich|also|please|"
    r"bitte|auch)\b ?)*)(?P<what>\S.*)",
    re.DOTALL,
)
_OF_SOMEBODY = re.compile(
    rf"(?P<who>(?!(?:\w+ed|Nothing|Nobody|Ways?|How|What|When|Where|Time)\b){_WHO}|all)\s+"
    r"(?P<cue>to|will|shall|should|must|needs? to|macht)\s+(?P<what>\S.*)"
)
_DOES = re.compile(rf"(?:^|\W)(?P<who>{_NAME}(?: {_NAME})?) (?:to|will|shall|should|must|muss|soll|wird|macht|–|—) ")
_NEEDED = re.compile(
    r"(?:und |also )?bitte (?!nicht)|(?:someone|somebody|jemand|we|wir) (?:must|needs? to|ha(?:s|ve) to|muss|müssen|"
    r"soll\w*) |.{0,80}\b(?:muss|müssen|soll|sollen|sollte|müsste)\b.{0,80}\w(?:en|ern|eln)[.!]?$",
    re.IGNORECASE,
)
_DOING = re.compile(rf"(?:\W|\d)*(?P<who>{_WHO}) (?:also |then )?(?:(?:is|are) )?(?P<verb>[a-z]+?)(?:ing)?\b")
_SIGNS = re.compile(r"^[^\w@]+")
_NAMES = Names()
_BY_INITIALS = re.compile(rf"(?:[A-Z]{{2,3}}(?= (?:to|will|shall) [a-z]{{3}})|{_NAME}(?= kümmert sich ))")
_PLEASE = re.compile(r"\bplease\s+(?:also\s+)?(?P<what>\w.*)", re.IGNORECASE | re.DOTALL)
_WHO_CAN = re.compile(
    r"(?:can|could) (?:you|somebody|someone|anybody|anyone) (?:please |also )?(?P<what>\w.*)", re.IGNORECASE
)
QUESTION = re.compile(
    r"\W*(?:who|what|when|where|why|how|which|do|does|did|is|are|can|may|will|would|should|shall|wer|was|wann|wo|"
    r"warum|wie|welche\w?)\b.*\?\W*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?P<who>(?-i:{_NAME}(?: (?:and |& )?{_NAME})?"
    r"(?= (?:can|could|will|shall|must|should|ha[sd]|have|needs?|is|are|to)\b))|we|I|you|"
    rf"somebody|someone|(?:the|my|our) \w+(?: (?-i:{_NAME}))?) "
    r"(?:(?P<modal>(?:have|has|had|need|needs|ought|wants?|(?:(?:am|is|are) )?going|am|is) to|can|could|"
    r"will|shall|must|should|(?:(?:have|has) )?already|ha(?:s|ve)(?= \w+ed\b)|"
    r"(?:am|is|are)(?= \w+ing\b))|(?:have|has))? ?(?P<what>\S.*)",
    re.IGNORECASE,
)
_NO_DEED = re.compile(r"(?:be|have|has|not|never|only|also|still|always|no|an?|the)\b|[^a-z]")
"""What stands behind "will" or "must" where nothing is done."""
_FIRST_OF_ALL = re.compile(
    r"^(?:\W*(?:so far|so|and|first of all|first(?:ly)?|second(?:ly)?|then|next|after(?:wards| that)?"
    r"|finally)\b,?\s*)+",
    re.IGNORECASE,
)
_WHEN_SO = re.compile(
    r"^(?:while [^,.;]{2,40}?(?:, | (?=(?:we|I) ))"
    r"|(?:when|once|as soon as|after|before|in|on|by|if|during|until)\b[^,.;]{2,60}, )",
    re.IGNORECASE,
)
_AT_THAT_TIME = re.compile(r"^(?:in|on|by|during) (?:the )?(?:\w+ ){1,5}?(?=we |I )", re.IGNORECASE)
_ANYBODY = re.compile(r"we|I|you|somebody|someone", re.IGNORECASE)
_NEXT = re.compile(
    r"^(?:so |and )?(?:before (?:any|every)thing else|first(?:ly)?|second(?:ly)?|then|next|after(?:wards?)?|later|"
    r"meanwhile|in the meantime|finally|lastly|once|as soon as|on the (?:day|morning)|zuerst|zunächst|dann|danach|"
    r"anschließend|schließlich|zuletzt|sobald|inzwischen)\b|\b(?:then|afterwards|danach|anschließend)\b"
    rf"|\b(?:in|by|from|until|on|after|before|im|bis|ab|am|nach) (?:early |mid-?|late |the end of )?{MONTH}\b"
    r"|['’]ll\b|\b(?:will|shall|must|(?:am|are|is) going to|wants? to|needs? to|ha(?:s|ve) to|"
    r"wird|werden|muss|müssen|soll|sollen)\b"
    r"(?! not| nicht)",
    re.IGNORECASE,
)
"""What a sentence has that says what comes next."""
_NO_WORK = re.compile(
    r"\b(?:everything|all|it) (?:must|has to|have to|will|should) be\b"
    r"|\b(?:was|were|had|has been|have been|war|waren|hatte|hatten|nobody|no one|niemand|not|never|nicht|"
    r"whether|"
    r"ob|if)\b|\?$",
    re.IGNORECASE,
)

_REASON = re.compile(
    r";\s|,? because\b|,? so that\b|, (?:so|which|who|where|since|but|as|although)\b"
    r"|,? and (?=(?:it|that|this|she|he|they)\b)"
)
_AND = re.compile(r"(?<!,) and (?:then )?(?=\w+ (?!it\b|them\b)\w)")
_IN_A_MONTH = re.compile(
    r"\s+(?:in|during|by|on|before|until|after) (?:the )?"
    r"(?:(?:first|second|third|last|week|half|end|middle|early|mid|late|of|\d+\w*) )*"
    rf"{MONTH}\b(?: \d{{4}})?\W*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    rf"(?P<who>{_WHO}) (?:does|do|did|will do|can do|handles?|takes? care of|is on) (?:this|that|it|these)\b"
    r"|(?:[Ii]t|[Tt]his|[Tt]hat|[Tt]hese|[Tt]hey) (?:must|has to|have to|should|needs? to|will) be "
    r"(?:over|done|finished|ready|complete)\b"
    r"|[A-Z][\w' ]{2,40} needs? (?:the \w+|it|this|them) by\b",
)
_ALREADY = re.compile(rf"\b(?:already|schon|bereits)\b|^(?:So far,? )?(?:[Ww]e|I|{_NAME}) ha(?:s|ve) [a-z]+ed\b")
_ING = re.compile(r"\W*\w+ing\b")
_FEWEST_WORDS = 3


def is_request(text: str) -> bool:
    """Tell whether a line asks somebody for something, or promises it."""
    text = _SIGNS.sub("", text[:400])
    if ACTION.match(text) or _BY_INITIALS.match(text) or _NEEDED.match(text):
        return True
    match = _TO_SOMEBODY.match(text)
    if match is not None and (match["cue"] or begins_with_verb(match["what"])):
        return topic_of(match["who"]) == OPEN and not (label_of(text) or ("", ""))[1]
    match = _OF_SOMEBODY.match(text)
    if match is not None and not (match["cue"] == "to" or match["who"] == "I" or _NAMES.is_name(match["who"])):
        return False
    match = match or _PLEASE.search(text) or _WHO_CAN.match(text)
    return match is not None and begins_with_verb(match["what"])


def tell_who(texts: Sequence[str]) -> bool:
    """Tell whether lines say who does what, and one of those is a person: "Lewis books the van"."""
    matches = (_DOING.match(text[:400]) for text in texts if not begins_with_verb(text))
    doers = [match["who"] for match in matches if match is not None and is_verb(match["verb"])]
    return 2 * len(doers) >= len(texts) and any(map(_NAMES.is_name, doers))


def asked(text: str, names: Names) -> tuple[str, str]:
    """Return who a line asks, by name or initials, and for what; "" for nobody, and where no words ask for it."""
    text = _SIGNS.sub("", text[:400])
    if (label_of(text) or ("", ""))[1]:
        return "", ""
    match = _TO_SOMEBODY.match(text) or _OF_SOMEBODY.match(text) or _DOES.search(text)
    what = (match.groupdict().get("what") or "") if match is not None else ""
    if (initials := _BY_INITIALS.match(text)) is not None:
        return initials[0], what
    if match is None and (doing := _DOING.match(text)) is not None and is_verb(doing["verb"]):
        return (doing["who"], "") if names.is_name(doing["who"]) else ("", "")
    if match is not None and match.re is _OF_SOMEBODY and begins_with_verb(text) and not names.is_name(match["who"]):
        return "", ""  # "Learn to read"
    who = match["who"] if match is not None else ""
    is_asked = match is not None and bool(match.groupdict().get("cue")) and is_request(text)
    return (who, what) if who != "I" and (names.is_name(who) or is_asked) else ("", "")


def clause_of(sentence: str) -> tuple[str, str]:
    """Return who does something by a sentence, and what, without what leads to it; ("", sentence) where it is plain.

    "When the door is clear, Amina can tell the regulars" becomes Amina, and "tell the regulars".
    """
    text = re.sub(r"['’]ll\b", " will", _FIRST_OF_ALL.sub("", sentence))
    for candidate in (text, _WHEN_SO.sub("", text), _AT_THAT_TIME.sub("", text)):
        match = _CLAUSE.match(candidate)
        if match is not None and (
            begins_with_verb(match["what"]) or (match["modal"] and not _NO_DEED.match(match["what"]))
        ):
            return "" if _ANYBODY.fullmatch(match["who"]) else match["who"], match["what"]
        if begins_with_verb(candidate):
            return "", candidate
    return "", sentence


def clauses_of(sentence: str) -> tuple[str, list[str]]:
    """Return who does something by a sentence, and each thing that is done, without reasons and remarks behind it."""
    who, what = clause_of(sentence)
    who = re.sub(r"^(?:my|our) \w+ (?=[A-Z])", "", who, flags=re.IGNORECASE)
    if what != sentence:
        what = _REASON.split(what, maxsplit=1)[0]
    parts = _AND.split(what)
    is_deed = what != sentence or begins_with_verb(what)
    parts = parts if is_deed and all(map(begins_with_verb, parts[1:])) else [what]
    return who, [_IN_A_MONTH.sub("", part).strip(" .,;") for part in parts]


def is_past(sentence: str) -> bool:
    """Tell whether a sentence says that something is done already."""
    return _ALREADY.search(sentence) is not None


def is_person(who: str) -> bool:
    """Tell whether what is said to do something can be a person, or a few."""
    return re.fullmatch(_WHO, who) is not None and who != "I" and not who.endswith(("ing", "tion", "ment"))


def goes_on(sentence: str) -> str | None:
    """Return who does what the sentence before says, "" for nobody: "Pavel does this", "It must be over by May"."""
    match = _GOES_ON.match(sentence)
    return (match["who"] or "") if match is not None else None


def is_planned(sentence: str) -> bool:
    """Tell whether a sentence of a text that tells a plan says what is done next."""
    if not says_what(sentence):
        return False
    if begins_with_verb(sentence) and not _ING.match(sentence):
        return True
    return is_past(sentence) or _NEXT.search(sentence[:400]) is not None


def says_what(sentence: str) -> bool:
    """Tell whether a sentence says that somebody does something, and not how it was or is."""
    sentence = sentence[:400]
    if _NO_WORK.search(sentence) or label_of(sentence) or len(sentence.split()) < _FEWEST_WORDS:
        return False
    return any(is_verb(word) for word in re.findall(r"[^\W\d_]+", sentence) if word != "be")
