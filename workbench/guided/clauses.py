"""What parts of sentences become: a step of the core, a step in the person's words, an obligation, a limit, a note.

"paint the shelf, collect 50 toys"  ──▶ two steps, or those of the core that do it
"the council must approve it"       ──▶ a step before what it gates, and a limit that it keeps
"without downtime"                  ──▶ a limit, kept by the step in which it shows
"we live in the house"              ──▶ a note
"""

from __future__ import annotations

import re
from dataclasses import replace

from workbench.domain.facts.ledger import Stated
from workbench.domain.plan.plan import ConstraintKind, Effort, Origin
from workbench.domain.text.cleaning import shorten
from workbench.guided.brief import CLAUSES
from workbench.guided.draft import Draft, origin_of
from workbench.guided.obligations import Obligation, object_of, obligation_of, who_is_asked
from workbench.guided.phrases import VERBS, begins_with_a_verb, capital
from workbench.guided.work import YOU, Work, before_main, best_match, gated, main_step

_DOES = re.compile(
    r"^(?P<who>[^\W\d_][\w'’.-]*(?: [A-Z][\w'’.-]*)?) (?:will |can |should )?(?:do(?:es)?|handles?|leads?|books?"
    r"|organi[sz]es?|takes? care of|is responsible for|looks? after|runs?|writes?|builds?|makes?|brings?|cooks?|plans?"
    r"|prepares?)\b"
)
_SPLIT = re.compile(rf",?\s+(?:and\s+)?(?=(?:{VERBS})\s+(?:the|a|an|our|my|all|some|\d+|new|[a-z]+s)\b)")
"""Between two things to do in one sentence."""
_IS_SO = re.compile(
    r"^(?:and |but )?(?:(?:i|we|they|he|she|it|there)\b"
    r"|(?:my|our|the|a|an)\b.{0,40}?\b(?:is|are|was|has|have|needs?)\b)",
    re.IGNORECASE,
)
"""Sentences that say how something is, and ask for nothing."""
_REASON = re.compile(r"(?:because|since|as|so that|in order|given that)\b", re.IGNORECASE)
_GETS_A_YES = re.compile(r"\b(?:agree\w*|approv\w+|permi\w+|sign\w*|licen[cs]\w+|insur\w+|consent)\b", re.IGNORECASE)
_NEEDS_TIME = re.compile(
    r"(?:^|,\s*|\band\s+)(?P<words>(?!(?:i|we)\b)[^,;]{2,60}?\b(?:needs?|takes?)\b[^;]*)$", re.IGNORECASE
)
_CALENDAR_DAYS = {"day": 1.0, "working day": 1.4, "week": 7.0, "month": 30.0}
_LIMITS: dict[str, ConstraintKind] = {"exclusion": "exclusion", "quality": "quality"}
_AT_ONCE = frozenset({"permit", "insure", "notify", "end", "secret"})
"""Obligations that wait for nothing of the plan."""
_MOST_SENTENCES = 20


def add_sentences(draft: Draft) -> None:
    """Keep the words of a goal that cannot be read, in their order."""
    parts = (part.strip() for part in re.split(r"(?<=[^\d][.;!?])\s+|[。；！？\n]+", draft.brief.goal))
    draft.work = [
        Work(key=f"own{number}", title=shorten(part.rstrip("."), 150), origin=Origin("goal"))
        for number, part in enumerate([part for part in parts if part][:_MOST_SENTENCES], 1)
    ]
    ids = {one.id for one in draft.brief.facts if one.fact.type in CLAUSES}
    draft.acted |= ids
    draft.own |= ids


def take_clauses(draft: Draft) -> None:
    """Place what the person wants first, then what obliges or limits them."""
    clauses = [one for one in draft.brief.facts if one.fact.type in CLAUSES and one.fact.type != "unread"]
    limiting: list[tuple[Stated, Obligation | None]] = []
    for stated in clauses:
        text = draft.brief.said(stated)
        rule = obligation_of(text)
        if stated.fact.type != "deliverable" or (rule and not begins_with_a_verb(text)):
            limiting.append((stated, rule))
        elif stated.source == "goal":
            _deliver(draft, stated, text, is_goal=stated is clauses[0])
    for stated, rule in limiting:
        if rule and (stated.fact.type != "exclusion" or rule.name in ("secret", "permit")):
            _oblige(draft, stated, rule)
        elif is_reason(stated.fact.text):
            draft.note(draft.brief.said(stated), origin_of(stated))
            draft.acted.add(stated.id)
        elif not _wait(draft, stated):
            _limit(draft, stated)


def is_reason(text: str) -> bool:
    """Tell whether a part of a sentence says why, and asks for nothing."""
    return _REASON.match(text) is not None


def own_words_title(text: str) -> str:
    """Return the title of a step in the person's own words."""
    return capital(text) if begins_with_a_verb(text) else f"Do: “{text}”"


def _deliver(draft: Draft, stated: Stated, text: str, *, is_goal: bool) -> None:
    """Let the core as a whole make what the person wants, one of its steps, or steps in their own words."""
    if draft.brief.core and not draft.imported and is_goal:
        draft.acted.add(stated.id)
    elif (match := best_match(text, draft.practice, least=2)) is not None:
        draft.credit(match, stated)
    elif _IS_SO.match(text) and not begins_with_a_verb(text):
        draft.note(text, origin_of(stated))
        draft.acted.add(stated.id)
        draft.own.add(stated.id)
    else:
        for number, part in enumerate(_SPLIT.split(text.rpartition(": ")[2])):
            _add_own_step(draft, stated, part.strip(), f"own-{stated.id}.{number}")
        draft.acted.add(stated.id)
        draft.own.add(stated.id)


def _add_own_step(draft: Draft, stated: Stated, text: str, key: str) -> None:
    does = _DOES.match(text)
    owner = does["who"] if does and does["who"] not in ("I", "We") else YOU
    new = Work(key=key, title=shorten(own_words_title(text), 160), origin=origin_of(stated), owner=owner)
    is_next = re.match(r"(?:and )?(?:then|after that|afterwards|finally)\b", text, re.IGNORECASE)
    previous = next((one for one in reversed(draft.work) if one.key.startswith("own")), None)
    if is_next and previous:
        new = replace(new, needs=(previous.key,))
    draft.work = before_main(draft.work, new) if draft.practice else [*draft.work, new]
    draft.steps_of_facts[stated.id] = new.key


def _oblige(draft: Draft, stated: Stated, rule: Obligation) -> None:
    """Let a step of the core do what somebody is obliged to, or a step by rule before what it gates."""
    text = draft.brief.said(stated)
    limit = draft.limit(text, stated, rule.limits)
    asking = [one for one in draft.practice if rule.limits == "approval" and _GETS_A_YES.search(one.title)]
    known = best_match(text, asking, least=2)
    if known is not None:
        draft.answer(known, limit)
        return
    people = tuple(one.fact.value.name or one.fact.text for one in draft.brief.inside(stated, "person"))
    slots = {"who": who_is_asked(text, people) or "whoever has to", "words": shorten(text, 110)}
    about = _keeper(draft, object_of(text, rule)) or best_match(object_of(text, rule), draft.work, least=1)
    new = Work(
        key=f"{rule.name}-{stated.id}",
        title=rule.title.format_map(slots),
        outcome=rule.outcome.format_map(slots),
        check=rule.check.format_map(slots),
        effort=_effort(draft, stated, rule),
        origin=origin_of(stated),
        answers=(limit.id,),
        lead=max(0, about.lead - _AFTER) if about and about.lead else None,
    )
    main = main_step(draft.work)
    if rule.after:
        draft.work = [*draft.work, replace(new, needs=(main.key,) if main else ())]
    else:
        draft.work = before_main(draft.work, new) if rule.name in _AT_ONCE else gated(draft.work, new, about)
    draft.steps_of_facts[stated.id] = new.key


def _effort(draft: Draft, stated: Stated, rule: Obligation) -> Effort | None:
    """Return how long an obligation takes: as the words say it, else what is usual."""
    spans = [one.fact.value for one in draft.brief.inside(stated, "duration")]
    days = [(one.number or 0) * _CALENDAR_DAYS.get(one.unit, 0) * 5 / 7 for one in spans]
    if rule.after and len(days) == 1 and days[0]:
        return Effort(*(round(days[0], 1),) * 3)
    return Effort(*rule.days) if rule.days else None


_AFTER = 14
"""Days that an approval may come after what it is about."""


def _keeper(draft: Draft, text: str) -> Work | None:
    """Return the step of the core in which a limit shows."""
    keeping = (one for one in draft.work if one.keeps and re.search(rf"\b(?:{one.keeps})", text, re.IGNORECASE))
    return next(keeping, None) if text else None


def _wait(draft: Draft, stated: Stated) -> bool:
    """Let a step wait for somebody else ("my supervisor needs three weeks to read the draft")."""
    text = draft.brief.said(stated)
    match = _NEEDS_TIME.search(text)
    spans = [one for one in draft.brief.inside(stated, "duration") if match and one.fact.text in match["words"]]
    days = [(one.fact.value.number or 0) * _CALENDAR_DAYS.get(one.fact.value.unit, 0) for one in spans]
    if match is None or len(days) != 1 or not days[0] or not draft.practice:
        return False
    words = match["words"].strip()
    new = Work(
        key=f"wait-{stated.id}",
        title=f"Wait: “{shorten(words, 110)}”",
        outcome="The answer, in writing",
        check="What it asks for is on the list of the next step",
        wait=round(days[0]),
        origin=origin_of(stated),
    )
    draft.work = gated(draft.work, new, best_match(words, draft.practice, least=1))
    draft.acted |= {stated.id, *(one.id for one in spans)}
    return True


def _limit(draft: Draft, stated: Stated) -> None:
    text = draft.brief.said(stated)
    limit = draft.limit(text, stated, _LIMITS.get(stated.fact.type))
    keeper = _keeper(draft, text) or best_match(text, draft.work, least=2)
    if keeper is not None:
        draft.answer(keeper, limit)
    else:
        draft.own.add(stated.id)
