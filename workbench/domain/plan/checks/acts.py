"""What a step does to what, and which acts have to come before which: one table (``ORDERS``) for all plans.

    order.irreversible   "Wipe the old server" before "Restore test from tape", "Open the sale" before "Load test"

An act is known by its verb or its noun (``ACTS``). Two acts belong together when both speak of one thing, or when the
first has to come before all of the second's kind. A step that says how it can be taken back is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.plan import Step
from workbench.domain.text.words import stem, stem_set, stems


def any_of(words: str) -> re.Pattern[str]:
    """Return a pattern of whole words, without regard to case."""
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)


_W = r"(?:[\w'’]+ )"
"""A word between a verb and its object."""
ACTS = {
    name: any_of(words)
    for name, words in {
        # what is final
        "remove": rf"(?:switch|turn|shut|power)(?:ing|ed)? {_W}{{0,4}}(?:off|down)|switch-off|shut-?down"
        rf"|decommission\w*|retir(?:e|ing)|delet\w+|eras\w+|wip(?:e|ing)|purg(?:e|ing)|destroy\w*|shred\w*"
        rf"|dispos(?:e|al|ing)|scrap(?:ping)?|discard\w*|throw(?:ing)? {_W}{{0,3}}away|burn(?:ing)?|pulp(?:ing)?"
        rf"|(?:hand|give|send|take|bring)(?:ing)? {_W}{{0,7}}to be (?:burn(?:t|ed)|destroyed|shredded|pulped|scrapped)",
        "demolish": rf"demoli\w+|(?:tear|knock|pull|rip|strip|take|break)(?:ing)? {_W}{{0,4}}(?:down|out|through)"
        r"|gut(?:ting)?|dismantl\w+|excavat\w+|fell(?:ing)?|cut(?:ting)? down",
        "give up": rf"cancel\w*|terminat\w+|(?:give|giving|hand(?:ing)? in) {_W}{{0,3}}notice|resign\w*|quit\w*"
        rf"|(?:hand|give|return)(?:ing|s)? {_W}{{0,4}}(?:back|keys?)|vacat\w+|clos(?:e|ing) {_W}{{0,3}}account"
        rf"|giv(?:e|ing) up|let(?:ting)? {_W}{{0,4}}(?:expire|lapse)|lay(?:ing)? off|dismiss\w*|sell(?:ing)? (?:the"
        rf"|our|my) \w+",
        "commit": rf"sign(?:ing)? {_W}{{0,4}}(?:contracts?|leases?|agreements?|deeds?|orders?)|buy(?:ing)?"
        r"|purchas(?:e|ing)|pay(?:ing|ment)?|order(?:ing)?|hir(?:e|ing)",
        "enrol": rf"(?:enrol|enroll|recruit|randomi[sz]e|treat|vaccinate|examine|interview|include)\w* {_W}{{0,3}}"
        r"(?:patients|participants|subjects|volunteers|children|pupils)",
        "tell": r"publish\w*|publication|announc\w+|print(?:ing)?|distribut\w+|send(?:ing)? out|ship(?:ping)?"
        rf"|press release|(?:send(?:ing)?|post|mail) (?={_W}{{0,3}}(?:newsletter|letter|leaflet|flyer|brochure)s?\b)"
        r"|letters? to",
        "launch": rf"go(?:ing)?[- ]live|launch(?:ing)?|cut(?:ting)?[- ]?over|switch(?:ing)? over|switch {_W}{{0,3}}to"
        r"|releas(?:e|ing)|open(?:ing)? (?:the|our)(?: \w+){1,3}|opening day|start(?=:)",
        # what makes it safe
        "save": r"back(?:ing)?[- ]?ups?|cop(?:y|ies|ied|ying)|export\w*|archiv\w+|migrat\w+|transfer\w*|restor\w+"
        r"|import\w*|moving? (?:the )?data",
        "prove": r"prov(?:e|ing)\b|verif\w+|compar\w+ "
        r"(?!offers|quotes|prices)|reconcil\w+|test\w*|accept\w*|parallel|side by side"
        r"|rehears\w+|pilot\w*|trial|sign-?off|approv\w+",
        "run beside": r"\bboth\b|parallel|side by side|(?:old|new) (?:and|against|with|beside) (?:the )?(?:old|new)"
        r"|(?:compar\w++|reconcil\w++|check\w*+|match\w*+|verif\w++)[^.;]{0,200} (?:with|against|to) (?:the )?"
        r"(?:old|former|originals?)",
        "look for": r"scan(?:ning)?|look(?:ing)? (?:for|up|through)|search\w*|count(?:ing)?|reconcil\w+"
        r"|compar\w+ (?!offers|quotes|prices)|check\w*|inspect\w*|verif\w+|measur\w+|photograph\w*|record\w*"
        r"|sort(?:ing)?|list(?:ing)?|inventor\w+|tak(?:e|ing) stock|sampl\w+|read(?:ing)?",
        "document": r"document\w*|photograph\w*|inventor\w+|salvag\w+|archiv\w+",
        "cover": rf"fill(?:ing)? {_W}{{0,3}}in|backfill\w*|plaster(?:ing)?|bury(?:ing)?|concret\w+"
        rf"|cover(?:ing)? {_W}{{0,3}}"
        r"(?:trench|pipes?|cables?|ducts?|wires?)|clos(?:e|ing) (?:the )?(?:walls?|trench|ceilings?|shafts?|floors?)",
        "permit": r"(?:building|planning|demolition|felling|heritage) (?:permit|permission|consent|approval)|asbestos"
        r"|(?:structural )?engineer (?:approv|agree|survey)\w*",
        "shore": r"props?|shor(?:e|ing)|brac(?:e|ing)|underpin\w*|scaffold\w*|lift(?:ing)? in",
        "replace": rf"(?:sign|confirm|order|agree|secur|rent|find|get|book|accept)\w* {_W}{{0,5}}(?:new|next)"
        rf"|(?:new|replacement) {_W}{{0,2}}(?:contract|lease|agreement|offer|confirmation)|confirmation of (?:the )?new"
        rf"|sign\w* {_W}{{0,3}}(?:lease|tenancy|contract|agreement|offer)|replac\w*|activat\w+|port(?:ed|ing)"
        rf"|mov\w+ {_W}{{0,4}}to (?:the )?new|(?:agree\w*|consent\w*|approv\w+) to",
        "review": r"review\w*|negotiat\w+|legal|lawyers?|solicitors?|approv\w+|offers?|quotes?|compar\w+|references?"
        r"|due diligence|feasib\w+|specif\w+|choos\w+|select\w*|valuation|apprais\w*|consent|survey"
        r"|certif\w+|proof-?read\w*|sign(?:ing|ed)?[- ]off|clear(?:ance|ed)?|correct(?:ion)?s?",
        "ethics": rf"(?:approval|consent|yes|vote|decision) {_W}{{0,3}}(?:ethics|review board)"
        rf"|(?:ethics|review board) {_W}{{0,2}}(?:approv\w+|consents?|decides|vote)",
        "test": r"test\w*|rehears\w+|pilot\w*|dry[- ]run|trial|acceptance|accept|back-?ups?|back up|uat|sign-?off",
        "train": rf"train(?:s|ed|ing)?\b|teach|instruct\w*|brief\w*|show {_W}{{1,4}}how\b|induction|courses? for",
        "decide": r"votes?|decides?|ballot|assembl(?:y|ies)|resolution|decision|meeting approves",
    }.items()
}
_PRELIMINARY = any_of(
    r"samples?|trials?|tests?|drafts?|quotes?|offers?|tenders?|bids?|prototypes?|stud(?:y|ies)|reports?|surveys?"
    r"|designs?|drawings?|plans?|concepts?|opinions?|analys[ei]s|assessments?|audits?|inspections?|valuations?"
    r"|lawyers?|experts?|consultants?|advis[eo]rs?|applications?|requests?|proposals?|forms?|questions?"
    r"|questionnaires?|calls?|beta|pilots?|staging|internal|campaigns?"
)
_ASKED = any_of(
    r"drafts?|tenders?|applications?|requests?|proposals?|forms?|questions?|questionnaires?|calls?|surveys?|samples?"
)
_TRIFLES = any_of(r"duplicates?|tests?|temporary|obsolete|unused|drafts?|samples?")
_OLD = any_of(r"old|existing|current|previous|former|legacy|paper|originals?|negatives|decommission\w*|retir\w+")


@dataclass(frozen=True, slots=True)
class _Order:
    """An act that has to come before another one."""

    first: str
    then: str
    about: Literal["one thing", "nothing else", "anything", "one outcome"] = "one thing"
    """A thing of both titles; all things of the first's; anything; a thing of titles and outcomes."""
    only: re.Pattern[str] = re.compile("")
    """What else the title of the later act says; its outcome too, where the first is about anything."""
    unless: re.Pattern[str] = re.compile("(?!)")
    """What it does not say: a sample comes before what would be its proof."""
    severity: Severity = "major"
    """Minor where the first act can be about another thing with the same name."""


ORDERS = (
    _Order("save", "remove", unless=_TRIFLES),
    _Order("prove", "remove", only=_OLD, unless=_TRIFLES),
    _Order("run beside", "remove", "anything", only=_OLD, unless=_TRIFLES, severity="minor"),
    _Order("look for", "remove", unless=_TRIFLES, severity="minor"),
    _Order("document", "demolish", unless=_TRIFLES, severity="minor"),
    _Order("test", "cover", unless=_TRIFLES, severity="minor"),
    _Order("permit", "demolish", "anything"),
    _Order("shore", "demolish", "anything", only=any_of("walls?|ceilings?|floors?|roofs?|columns?|chimneys?")),
    _Order("replace", "give up"),
    _Order("review", "commit", "nothing else", unless=_PRELIMINARY),
    _Order("ethics", "enrol", "anything"),
    _Order("review", "tell", "nothing else", unless=_ASKED),
    _Order("decide", "tell", "anything", only=any_of("settled|decided|agreed on|has passed|is final|approved")),
    _Order("test", "launch", "one outcome", unless=_PRELIMINARY),
    _Order("train", "launch", "one outcome", unless=_PRELIMINARY),
)
"""What comes before what."""
_FINAL = ("remove", "demolish", "give up")
_WAY_BACK = any_of(
    r"free of charge|at no cost|for nothing|without (?:charge|cost|penalty)|refund\w*|withdraw\w*|roll(?:ed)?[- ]?back"
    r"|(?:set|switch(?:ed)?|turn(?:ed)?|brought) back|way back|revert\w*|undone?|restor\w+|provisional\w*|option(?:al)?"
    r"|subject to|on condition|conditional\w*|not binding|non-binding|reservation|can be cancelled|until (?:it|that) is"
)
_LATER_BY_NATURE = any_of(
    r"after|post-|follow-?up|monitor\w*|weekly|monthly|yearly|annual|usage|impact|next|lessons?|evaluat\w+|feedback"
    r"|results?|thanks?"
)
_ABOUT = any_of("with|for|against|before|after|without|until|about|plan|prepare|decide on|of")
MODIFIERS = stem_set(
    "old new existing current former final whole complete full entire draft first last remaining proper user load "
    "security everything start team day week month step data work people person make get all rest system software "
    "platform"
)
"""Words that are about how and when, and not about what."""
_SIDE = stem_set(
    "check board manager director council lead head committee treasurer client customer supervisory penetration "
    "offer open list"
)
"""Who makes it safe, and how."""
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
"""Words of one meaning, each with the one that stands for all."""
_PARTICLES = frozenset(["live", "off", "down", "out", "over", "back", "notice", "to", "in", "up", "away", "through"])


@lru_cache(maxsize=8_000)  # each act is compared with many
def things_of(text: str, act: str) -> frozenset[str]:
    """Return what a text speaks of besides its act, words of one group as one."""

    def without_verb(match: re.Match[str]) -> str:
        return f" {' '.join(word for word in match[0].split()[1:] if word.lower() not in _PARTICLES)} "

    text = ACTS[act].sub(without_verb, text)
    return frozenset(GROUP.get(word, word) for word in stems(text) if not word[0].isdigit()) - MODIFIERS - _SIDE


def nothing_irreversible_comes_first(case: Case) -> Iterator[Finding]:
    """Find steps that cannot be undone before a step that they depend on."""
    open_steps = [(section, step) for section, step in case.every(Step) if step.status not in ("done", "dropped")]
    proving = [
        step
        for _, step in open_steps
        if (ACTS["look for"].match(step.title) or not _LATER_BY_NATURE.search(step.title))
        and not any(ACTS[name].match(step.title) for name in _FINAL)
    ]
    by_act: dict[str, list[Step]] = {
        name: [step for step in proving if ACTS[name].search(step.title)] for name in {one.first for one in ORDERS}
    }
    for section, step in open_steps:
        if _WAY_BACK.search(f"{step.outcome} {step.check} {step.notes}"):
            continue
        acts = {order.then for order in ORDERS if _is_done(ACTS[order.then], step.title)}
        in_outcome = {name for name, done in _DONE.items() if name not in acts and done.search(step.outcome)}
        orders = (order for order in ORDERS if order.then in acts | in_outcome and by_act[order.first])
        missed = (
            (first, order.severity)
            for order in orders
            if (first := _missed(case, order, step, by_act[order.first], order.then in in_outcome))
        )
        for first, severity in sorted(missed, key=lambda pair: pair[1])[:1]:
            text = (
                f"{step.id} {quoted(step.title)} cannot be undone, and comes before {first.id} {quoted(first.title)}, "
                "on which it depends."
            )
            remedy = f"Let {step.id} need {first.id}, and move it after."
            yield fault("order.irreversible", severity, (section, step), text, remedy)


_DONE = {
    "remove": any_of(
        r"(?:switched|turned|shut|powered) (?:off|down)|decommissioned|deleted|erased|wiped|purged|destroyed|shredded"
        r"|scrapped|discarded|thrown away|burnt|burned|pulped|disposed of|reformatted|overwritten"
    ),
    "demolish": any_of(r"demolished|(?:torn|knocked|pulled|taken|stripped) (?:down|out)|dismantled|gutted|felled"),
}
"""Final acts as an outcome says them."""


def _is_done(act: re.Pattern[str], title: str) -> bool:
    """Tell whether a title is about doing an act: it begins or ends with it, or goes on with it."""
    for match in act.finditer(title):
        before = title[: match.start()].rstrip()
        if ":" in before:
            continue  # what is to be decided of each, and not what is done
        if not before or before.endswith((",", ";", ":")) or before.lower().endswith((" and", " then")):
            return True
        if match.end() == len(title.rstrip(" .")) and not _ABOUT.search(before):
            return True
    return False


def _missed(case: Case, order: _Order, step: Step, firsts: list[Step], in_outcome: bool) -> Step | None:
    """Return the first step of a plan that has to come before another by an order, and does not."""
    whole = f"{step.title}. {step.outcome}"
    wide = order.about == "one outcome" or in_outcome
    if not order.only.search(whole if order.about == "anything" or in_outcome else step.title) or order.unless.search(
        step.title
    ):
        return None
    things = things_of(whole if wide else step.title, order.then)
    for first in firsts:
        theirs = things_of(f"{first.title}. {first.outcome}" if wide else first.title, order.first)
        is_meant = {
            "anything": True,
            "nothing else": bool(theirs) and theirs <= things,
        }.get(order.about, bool(theirs & things))
        if first is step or not is_meant or not case.comes_before(step, first):
            continue
        if step.id in first.needs or step.id not in case.ancestors(first):  # else other steps lead there
            return first
    return None
