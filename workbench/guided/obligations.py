"""What a person's words oblige somebody to do: steps by rule, and only where words say so.

"Legal must sign off the contract" ──approve──▶ Get the sign-off …    before what it gates
"we need a permit for the stand"   ──permit───▶ Apply for …           before the day
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.domain.plan.plan import ConstraintKind


@dataclass(frozen=True, slots=True)
class Obligation:
    """A rule: words that oblige, and the step that follows from them."""

    name: str
    words: re.Pattern[str]
    title: str
    """``{who}`` is the person or body that the words name, ``{words}`` the words."""
    outcome: str
    check: str
    limits: ConstraintKind
    days: tuple[float, float, float] | None
    """Working days that it usually takes; None where that differs too much."""
    after: bool
    """Whether it comes when all else is done; else before what it is about is used."""


def _rule(
    name: str,
    words: str,
    texts: tuple[str, str, str],
    limits: ConstraintKind = "approval",
    *,
    days: tuple[float, float, float] | None = None,
    after: bool = False,
) -> Obligation:
    return Obligation(name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE), *texts, limits, days, after)


_MUST = r"(?:must|has to|have to|needs? to|should|is to|are to|wants? to|will)"
OBLIGATIONS = (
    _rule(
        "approve",
        rf"sign(?:s|ed)?[- ]?off|{_MUST} (?:\w+ )?(?:approve|agree|authori[sz]e|consent|sign|decide)"
        rf"|{_MUST} see .{{0,40}}first|{_MUST} give (?:\w+ )?(?:permission|consent|approval)"
        r"|(?:approval|consent|agreement|go-ahead) (?:of|by|from)"
        r"|(?:approved|signed|authori[sz]ed) by|needs? (?:the )?\w+(?:['’]s)? (?:approval|consent|agreement|ok)",
        ("Get {who} to agree: “{words}”", "Written yes of {who}", "The yes names the version that was looked at"),
        days=(0.5, 2, 5),
    ),
    _rule(
        "permit",
        r"(?:needs?|requires?|get|obtain|apply for|without|with) (?:\w+ ){0,3}?"
        r"(?:permits?|permission|licen[cs]e|visas?)",
        (
            "Apply, and wait for the answer: “{words}”",
            "The permission in writing",
            "Place, days and conditions stand in it",
        ),
    ),
    _rule(
        "insure",
        r"(?:must|has to|have to|needs?(?: to be)?|be|get|with) (?:\w+ ){0,3}?(?:insured|insurance)",
        ("Take out the insurance: “{words}”", "The policy", "It covers the days, the people and the worst case"),
        days=(0.5, 1, 3),
    ),
    _rule(
        "comply",
        r"(?:comply|complies|compliant|conform\w*|in line) with"
        r"|(?:must|has to|have to) meet (?:the )?(?:norm|standard|law|rules?|code)\w*",
        (
            "Have it checked against the rule: “{words}”",
            "List of what the rule asks for, each point met or open",
            "Whoever answers for the rule has signed the list",
        ),
        "quality",
    ),
    _rule(
        "accessible",
        r"accessib\w+|wheelchairs?|barrier[- ]free|step[- ]free|screen readers?|deaf|blind(?: people| users)?",
        (
            "Go through every place and way with those who need it: “{words}”",
            "What each place offers, in writing; what stops them, settled",
            "One of them has been through the list",
        ),
        "quality",
        days=(0.5, 1, 2),
    ),
    _rule(
        "secret",
        rf"confidential\w*|secret\w*|{_MUST} not (?:know|find out|hear)|nobody (?:may|must|is to) (?:know|tell|hear)"
        r"|without \w+(?: \w+){0,2} (?:noticing|knowing)",
        (
            "Settle who may know, and how it is kept from the others: “{words}”",
            "List of those who know",
            "Invoices, calendars and messages were looked through for traces",
        ),
        "exclusion",
        days=(0.2, 0.5, 1),
    ),
    _rule(
        "notify",
        rf"{_MUST} (?:\w+ ){{0,2}}?(?:be )?(?:notif(?:y|ied)|informed?|told|announced?)"
        r"|(?:weeks?|days?|months?)['’]? notice to",
        (
            "Send the notice: “{words}”",
            "The notice, and the list of those who got it",
            "Who did not confirm was called",
        ),
        days=(0.5, 1, 2),
    ),
    _rule(
        "hand over",
        r"hand(?:ed|s)? (?:it )?over|handover|take[ns]? (?:it )?over (?:by|from)",
        ("Hand it over: “{words}”", "Signed record with what is open", "Whoever takes it over did it once alone"),
        "quality",
        days=(0.5, 1, 3),
        after=True,
    ),
    _rule(
        "end",
        r"(?:end|cancel|terminate|get out of) (?:the |our |my )?(?:\w+ )?(?:contract|lease|subscription|tenancy)",
        ("Give notice: “{words}”", "Confirmation with the last day", "The period of notice in the contract is kept"),
        days=(0.5, 1, 2),
    ),
)
"""In the order in which they are tried; the first that fits a clause counts."""
_WHO = re.compile(
    r"^(?:(?:and|but|also|then)\s+)?(?P<who>(?:the |our |my )?[\w'’-]+"
    r"(?: (?!must|has|have|needs?|should|is|are|will|wants?)[\w'’-]+){0,3}?)\s+"
    r"(?:must|has to|have to|needs? to|should|signs?|is to|are to|wants? to|will|approves?|agrees?|decides?)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|from|of) "
    r"(?P<who>(?:the |our |my )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?|(?:the|our|my) [\w'’-]+(?: [\w'’-]+)?)"
)
_NOBODY = frozenset("it this that they we i you there everything all nothing".split())  # noqa: SIM905  reads better


def obligation_of(clause: str) -> Obligation | None:
    """Return the obligation that a part of a sentence speaks of; None for none."""
    return next((one for one in OBLIGATIONS if one.words.search(clause[:500])), None)


def object_of(clause: str, rule: Obligation) -> str:
    """Return what the words speak of after the verb that obliges ("the menu")."""
    match = rule.words.search(clause[:500])
    return clause[match.end() :] if match else ""


def who_is_asked(clause: str, people: tuple[str, ...] = ()) -> str:
    """Return who has to say yes, as the words name them; "" where they name nobody."""
    if people:
        return people[0]
    for pattern in (_WHO, _BY):
        match = pattern.search(clause[:300])
        if match and match["who"].casefold() not in _NOBODY:
            return re.sub(r"^(The|Our|My)\b", lambda article: article[1].lower(), match["who"])
    return ""
