"""Does nothing that cannot be undone come before what it depends on: a permit, a test, a backup, a replacement.

    order.irreversible   "Wipe the old server" before "Restore test from tape"

What a step depends on is known by two things: a kind of action (``KINDS``) that has to come before an action that
cannot be undone, and a word that both speak of. A step that says how it can be taken back is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted
from workbench.domain.plan.plan import Step
from workbench.domain.text.words import stem, stem_set, stems


def any_of(words: str) -> re.Pattern[str]:
    """Return a pattern of whole words, without regard to case."""
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of action that cannot be undone."""

    action: re.Pattern[str]
    """What its title says."""
    proof: re.Pattern[str] = re.compile("(?!)")
    """What the title of a step says that has to come before, if both speak of the same thing."""
    only_of_it: bool = False
    """Whether the proof has to speak of nothing else ("Review the leaflet", "Print the leaflet"), or may."""
    anywhere: re.Pattern[str] | None = None
    """What has to come before, whatever both speak of."""
    only: re.Pattern[str] | None = None
    """What else its title has to say."""
    unless: re.Pattern[str] | None = None
    """What its title must not say: a test or a sample comes before what would be its proof."""
    ends: bool = True
    """Whether something is gone afterwards."""


_SAVED = (
    r"back(?:ing)?[- ]?ups?|cop(?:y|ies|ied|ying)|export\w*|archiv\w+|migrat\w+|transfer\w*|restor\w+|import\w*"
    r"|moving? (?:the )?data"
)
_PROVED = (
    r"verif\w+|compar\w+|reconcil\w+|test\w*|accept\w*|parallel|side by side|rehears\w+|pilot\w*|sign-?off"
    r"|approv\w+"
)
_DIGITAL = any_of(
    r"systems?|servers?|data(?:bases?)?|software|apps?|platforms?|web ?sites?|sites?|services?|lines?|accounts?"
    r"|archives?|mailbox(?:es)?|files?|records?|backups?|crm|erp|cloud|networks?|portals?|storage|disks?|hosts?"
    r"|hosting|shop|laptops?|computers?|drives?|devices?|registers?|lists?|photos?|tapes?|licen[cs]es?|phones?"
    r"|telephones?|billing|tool|originals?|negatives?|slides?|films?|documents?|domains?|subscriptions?"
)
_OLD = any_of(r"old|existing|current|previous|former|legacy|decommission\w*|retir\w+")
_TRIFLES = any_of(r"duplicates?|tests?|temporary|obsolete|unused|drafts?|samples?")
_PRELIMINARY = any_of(
    r"samples?|trials?|tests?|drafts?|quotes?|offers?|tenders?|bids?|prototypes?|stud(?:y|ies)|reports?|surveys?|designs?"
    r"|drawings?|plans?|concepts?|opinions?|analys[ei]s|assessments?|audits?|inspections?|valuations?|lawyers?|experts?"
    r"|consultants?|advis[eo]rs?|applications?|requests?|proposals?|forms?|questions?|questionnaires?|calls?"
    r"|beta|pilots?|staging|internal|campaigns?"
)
_ASKED = any_of(
    r"drafts?|tenders?|applications?|requests?|proposals?|forms?|questions?|questionnaires?|calls?|surveys?|samples?"
)
_REMOVAL = any_of(
    r"(?:switch|turn|shut|power)(?:ing|ed)? (?:\w+ ){0,4}(?:off|down)|switch-off|shut-?down"
    r"|decommission\w*|retir(?:e|ing)|delet\w+|eras\w+|wip(?:e|ing)|purg(?:e|ing)|destroy\w*|destruction"
    r"|shred\w*|dispos(?:e|al|ing)|scrap(?:ping)?|discard\w*|throw(?:ing)? (?:\w+ ){0,3}away|burn(?:ing)?|pulp(?:ing)?"
    r"|(?:hand|give|send|take|bring)(?:ing)? (?:\w+ ){0,7}to be (?:burn(?:t|ed)|destroyed|shredded|pulped|scrapped)"
)
_DEMOLITION = any_of(
    r"demoli\w+|(?:tear|knock|pull|rip|strip|take|break)(?:ing)? (?:\w+ ){0,4}(?:down|out|through)"
    r"|gut(?:ting)?|dismantl\w+|excavat\w+|fell(?:ing)?|cut(?:ting)? down"
)
_GIVING_UP = any_of(
    r"cancel\w*|terminat\w+|(?:give|giving|hand(?:ing)? in) (?:\w+ ){0,3}notice|resign\w*|quit\w*"
    r"|(?:hand|give|return)(?:ing|s)? (?:\w+ ){0,4}(?:back|keys?)|vacat\w+|clos(?:e|ing) (?:\w+ ){0,3}account"
    r"|let(?:ting)? (?:\w+ ){0,4}(?:expire|lapse)|lay(?:ing)? off|dismiss\w*|sell(?:ing)? (?:the|our|my) \w+"
)
KINDS = (
    _Kind(_REMOVAL, any_of(_SAVED), only=_DIGITAL, unless=_TRIFLES),
    _Kind(_REMOVAL, any_of(_PROVED), only=any_of(rf"{_OLD.pattern}|paper|originals?|negatives"), unless=_TRIFLES),
    _Kind(
        _DEMOLITION,
        any_of(r"permits?|permission|approv\w+|consent|survey\w*|asbestos|disconnect\w*|structural"),
        anywhere=any_of(
            r"(?:building|planning|demolition|felling|heritage) (?:permit|permission|consent|approval)|asbestos"
        ),
    ),
    _Kind(_DEMOLITION, any_of(r"order\w*"), only_of_it=True, only=_OLD),
    _Kind(
        _GIVING_UP,
        any_of(
            r"(?:sign|confirm|order|agree|secur|rent|find|get|book|accept)\w* (?:\w+ ){0,5}(?:new|replacement|next)"
            r"|(?:new|replacement) (?:\w+ ){0,2}(?:contract|lease|agreement|offer|confirmation)"
            r"|confirmation of (?:the )?new|sign\w* (?:\w+ ){0,3}(?:lease|tenancy|contract|agreement|offer)|replac\w*"
            r"|activat\w+|port(?:ed|ing)|mov\w+ (?:\w+ ){0,4}to (?:the )?new"
            r"|(?:agree\w*|consent\w*|approv\w+) to"
        ),
    ),
    _Kind(_GIVING_UP, any_of(_SAVED), only=_DIGITAL),
    _Kind(
        any_of(
            r"sign(?:ing)? (?:\w+ ){0,4}(?:contracts?|leases?|agreements?|deeds?|orders?)|buy(?:ing)?"
            r"|purchas(?:e|ing)|pay(?:ing|ment)?|order(?:ing)?|hir(?:e|ing)|transfer(?:ring)? (?:\w+ ){0,3}money"
        ),
        any_of(
            r"review\w*|negotiat\w+|legal|lawyers?|solicitors?|approv\w+|offers?|quotes?|compar\w+|references?"
            r"|due diligence|feasib\w+|specif\w+|choos\w+|select\w*|valuation|apprais\w*|consent|survey"
        ),
        only_of_it=True,
        unless=_PRELIMINARY,
        ends=False,
    ),
    _Kind(
        any_of(
            r"(?:enrol|enroll|recruit|randomi[sz]e|treat|vaccinate|examine|interview)\w* (?:\w+ ){0,3}"
            r"(?:patients|participants|subjects|volunteers|children|pupils)"
        ),
        anywhere=any_of(
            r"(?:approval|consent|yes|vote|decision) (?:\w+ ){0,3}(?:ethics|review board)"
            r"|(?:ethics|review board) (?:\w+ ){0,2}(?:approv\w+|consents?|decides|vote)"
        ),
        ends=False,
    ),
    _Kind(
        any_of(
            r"pay(?:ing)? (?:[\w'’]+ ){0,3}(?:final|rest|balance|remaining|full|last)(?: \w+){0,3}"
            r"|(?:final|last|full|closing) (?:payment|instalment|invoice)"
        ),
        any_of(r"accept\w*|inspect\w*|hand-?over|defects?|snag\w*"),
        ends=False,
    ),
    _Kind(
        any_of(
            r"(?:buy|purchas\w+|sign\w* (?:\w+ ){0,3}(?:deed|purchase)) ?(?:\w+ ){0,5}?"
            r"(?:house|flat|apartment|property|land|building|machine|vehicle|car|shop|business|contract|equipment)"
        ),
        anywhere=any_of(
            r"(?:obtain|get|secure|confirm|approv\w+|grant\w*|decid\w+) (?:\w+ ){0,4}(?:loan|mortgage|funding|grant)"
            r"|(?:loan|mortgage|funding|grant) (?:\w+ ){0,2}(?:approv\w+|commit\w+|confirm\w*|decision|agreement)"
        ),
        ends=False,
    ),
    _Kind(
        any_of(r"pour(?:ing)?|clos(?:e|ing) (?:up )?the (?:walls?|ceilings?|floors?)|backfill\w*|plaster\w*"),
        any_of(r"inspect\w*|pressure test\w*"),
        anywhere=any_of(r"inspect\w* (?:\w+ ){0,3}(?:reinforcement|pipes|wiring|cables|shell)|pressure test"),
        ends=False,
    ),
    _Kind(
        any_of(
            r"publish\w*|publication|announc\w+|print(?:ing)?|distribut\w+|send(?:ing)? out|ship(?:ping)?|press release"
            r"|send(?:ing)? (?=(?:\w+ ){0,3}(?:newsletter|letter|leaflet|flyer|brochure)s?\b)"
        ),
        any_of(
            r"certif\w+|proof-?read\w*|review\w*|approv\w+|sign(?:ing|ed)?[- ]off|clear(?:ance|ed)?"
            r"|correct(?:ion)?s?"
        ),
        only_of_it=True,
        unless=_ASKED,
        ends=False,
    ),
    _Kind(
        any_of(
            r"invit(?:e|ing) (?:\w+ ){0,3}(?:guests?|everybody|parents?|members?)"
            r"|(?:send|post|mail|print)(?:ing)? (?:\w+ ){0,4}(?:invitations?|invites|save-the-dates?|tickets)"
            r"|(?:open|start|sell)(?:ing)? (?:\w+ ){0,3}(?:registration|tickets?|ticket sales)"
            r"|ticket sales"
        ),
        anywhere=any_of(
            r"(?:book|reserv|confirm|rent|secur|fix|hir|sign)\w* (?:(?!(?:from|to|at|in)\b)\w+ ){0,4}"
            r"(?:venue|hall|barn|restaurant|church"
            r"|theatre|location|stadium|registry office|date)"
            r"|(?:event|road|music|street) (?:permit|licence|permission)"
        ),
        unless=any_of(r"tenders?|offers?|bids?|suppliers?|interviews?"),
        ends=False,
    ),
    _Kind(
        any_of(
            r"go(?:ing)?[- ]live|launch(?:ing)?|cut(?:ting)?[- ]?over|switch(?:ing)? over|switch (?:\w+ ){0,3}to"
            r"|releas(?:e|ing)|open(?:ing)? (?:the|our)(?: \w+){1,3}|opening day"
        ),
        any_of(r"test\w*|rehears\w+|pilot\w*|dry[- ]run|trial|acceptance|accept|back-?ups?|back up|uat|sign-?off"),
        only_of_it=True,
        anywhere=any_of(
            r"(?:rehears\w*|dry[- ]run|trial|test) (?:\w+ ){0,3}"
            r"(?:cut[- ]?over|go[- ]live|launch|switch[- ]?over|migration)"
        ),
        unless=_PRELIMINARY,
        ends=False,
    ),
)
_WAY_BACK = re.compile(
    r"\b(?:free of charge|at no cost|for nothing|without (?:charge|cost|penalty)|refund\w*|withdraw\w*"
    r"|roll(?:ed)?[- ]?back"
    r"|(?:set|switch(?:ed)?|turn(?:ed)?|brought) back|way back|revert\w*|undone?|restor\w+|provisional\w*|option(?:al)?"
    r"|subject to|on condition|conditional\w*|not binding|non-binding|reservation|can be cancelled|until (?:it"
    r"|that) is)\b",
    re.IGNORECASE,
)
_LATER_BY_NATURE = re.compile(
    r"\b(?:after|post-|follow-?up|monitor\w*|weekly|monthly|yearly|annual|usage|impact|next|lessons?|evaluat\w+"
    r"|feedback|results?)\b",
    re.IGNORECASE,
)
MODIFIERS = stem_set(
    "old new existing current former final whole complete full entire draft first last remaining whole proper "
    "user load security everything start team day week month step data work people person make get all rest "
    "system software platform"
)
_SIDE = stem_set(
    "check board manager director council lead head committee treasurer client customer supervisory penetration"
)
"""Who proves, and how: not what it is about."""
_GROUPS = (
    "flat apartment house home office shop premises room dwelling lease tenancy landlord",
    "job position employer employment post",
    "provider supplier tariff insurer insurance policy bank vendor licence subscription hosting",
    "venue hall location barn restaurant hotel place",
    "leaflet flyer brochure poster",
    "delete erase wipe purge destroy",
    "advertise publish announce promote poster leaflet newsletter press flyer campaign invite invitation",
    "demolish demolition dismantle",
    "order buy purchase",
    "permit permission approval approve consent licence authorisation",
)
GROUP = {stem(word): names.split()[0] for names in reversed(_GROUPS) for word in names.split()}


def things_of(text: str, *actions: re.Pattern[str]) -> frozenset[str]:
    """Return what a text speaks of besides its action, words of one group as one."""
    for action in actions:
        text = action.sub(lambda match: f" {_without_verb(match[0])} ", text)
    return frozenset(GROUP.get(word, word) for word in stems(text) if not word[0].isdigit()) - MODIFIERS - _SIDE


def _without_verb(text: str) -> str:
    """Return what an action's own words leave over: "Pay the final invoice" is about an invoice."""
    return " ".join(word for word in text.split()[1:] if word.lower() not in _PARTICLES)


_PARTICLES = frozenset(["live", "off", "down", "out", "over", "back", "notice", "to", "in", "up", "away", "through"])


def nothing_irreversible_comes_first(case: Case) -> Iterator[Finding]:
    """Find steps that cannot be undone before a step that they depend on."""
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    proofs = [_proofs(case, kind) for kind in KINDS]
    for step in case.steps.values():
        if step.status in ("done", "dropped") or _WAY_BACK.search(f"{step.outcome} {step.check} {step.notes}"):
            continue
        for kind, proving in zip(KINDS, proofs, strict=True):
            proof = _missed_proof(case, step, kind, proving) if _acts(kind, step.title) else None
            if proof:
                text = (
                    f"{step.id} {quoted(step.title)} cannot be undone, and comes before {proof.id} "
                    f"{quoted(proof.title)}, on which it depends."
                )
                remedy = f"Let {step.id} need {proof.id}, and move it after."
                yield fault("order.irreversible", "major", places[step.id], text, remedy)
                break


@dataclass(frozen=True, slots=True)
class _Proof:
    """A step that may have to come first."""

    step: Step
    things: frozenset[str]
    always: bool
    """Whether it has to, whatever the other is about."""


def _proofs(case: Case, kind: _Kind) -> tuple[_Proof, ...]:
    """Return the steps that have to come before actions of a kind, if both are about one thing."""
    proofs = []
    for step in case.steps.values():
        is_final = any(other.action.match(step.title) for other in KINDS if other.ends)
        if step.status in ("done", "dropped") or _LATER_BY_NATURE.search(step.title) or is_final:
            continue
        always = kind.anywhere is not None and kind.anywhere.search(step.title) is not None
        if always or kind.proof.search(step.title):
            proofs.append(_Proof(step, things_of(step.title, kind.proof), always))
    return tuple(proofs)


def _acts(kind: _Kind, title: str) -> bool:
    """Tell whether a title is about doing what cannot be undone: it begins or ends with it, or goes on with it."""
    if (kind.only and not kind.only.search(title)) or (kind.unless and kind.unless.search(title)):
        return False
    for match in kind.action.finditer(title):
        before = title[: match.start()].rstrip()
        if not before or before.endswith((",", ";", ":")) or before.lower().endswith((" and", " then")):
            return True
        if match.end() == len(title.rstrip(" .")) and not _ABOUT.search(before):
            return True
    return False


_ABOUT = re.compile(
    r"\b(?:with|for|against|before|after|without|until|about|plan|prepare|decide on|of)\b", re.IGNORECASE
)


def _missed_proof(case: Case, step: Step, kind: _Kind, proofs: tuple[_Proof, ...]) -> Step | None:
    """Return the first step of a plan that has to come before another, and does not."""
    things = things_of(step.title, kind.action)
    for proof in proofs:
        if proof.step is step or not (proof.always or _are_of_one(kind, step, things, proof)):
            continue
        if case.comes_before(step, proof.step):
            return proof.step
    return None


def _are_of_one(kind: _Kind, step: Step, things: frozenset[str], proof: _Proof) -> bool:
    """Tell whether a step and its proof are about one thing: data and systems may go unnamed."""
    if kind.only_of_it:
        return bool(proof.things) and proof.things <= things
    if kind.action is _REMOVAL and not things:
        return bool(_DIGITAL.search(step.title) and _DIGITAL.search(proof.step.title))
    return bool(things & proof.things) and (kind.action is not _REMOVAL or bool(_DIGITAL.search(step.title)))
