"""What parts of sentences become: a step of the core, a step in the person's words, an obligation, a limit, a note.

"paint the shelf, collect 50 toys"  ──▶ two steps, or those of the core that do it
"the council must approve it"       ──▶ a step before what it gates, and a limit that it keeps
"without downtime"                  ──▶ a limit, kept by the step in which it shows
"we live in the house"              ──▶ a note
"""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.plan.plan import ConstraintKind, Effort, Origin
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import CLAUSES, Brief
from workbench.guided.draft import Draft, origin_of
from workbench.guided.obligations import Obligation, object_of, obligation_of, who_is_asked
from workbench.guided.phrases import VERBS, begins_with_a_verb, capital
from workbench.guided.work import Work, before_main, best_match, gated, main_step

_SPLIT = re.compile(rf"(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:{VERBS})\s+(?:the|a|an|our|my|all|some|\d+|new|[a-z]+s)\b)")
"""Between two things to do in one sentence."""
_CALENDAR_DAYS = {"day": 1.0, "working day": 1.4, "week": 7.0, "month": 30.0}
_LIMITS: dict[str, ConstraintKind] = {"exclusion": "exclusion", "quality": "quality"}
_SEEN_TO = frozenset({"accessible", "insure", "permit", "notify", "end", "hand over"})
"""Obligations that a step of the core sees to where it names them."""
_AT_ONCE = frozenset({"permit", "insure", "notify", "end", "secret"})
"""Obligations that wait for nothing of the plan."""
_MOST_SENTENCES, _OF_A_SUM = 20, 4


def add_sentences(draft: Draft) -> None:
    """Keep the words of a goal that cannot be read, in their order."""
    sums = [one.fact.text for one in draft.brief.of("amount") if one.fact.value.currency]
    every = (part.strip(" ,") for part in re.split(r"(?<=[^\d][.;!?])\s+|\s[–—-]\s|[。；！？\n]+", draft.brief.goal))
    parts = (part for part in every if len(part.split()) > _OF_A_SUM or not any(one in part for one in sums))
    draft.work = [
        Work(key=f"own{number}", title=shorten(part.rstrip("."), 150), origin=Origin("goal"))
        for number, part in enumerate([part for part in parts if part][:_MOST_SENTENCES], 1)
    ]
    ids = {one.id for one in draft.brief.facts if one.fact.type in CLAUSES}
    draft.acted |= ids
    draft.own |= ids


def take_clauses(draft: Draft) -> None:
    """Place what the person wants first, then what obliges or limits them."""
    clauses = [part for one in draft.brief.facts if one.fact.type in CLAUSES for part in _parted(draft, one)]
    main = next((one for one in clauses if draft.brief.main and one.id == draft.brief.main.id), None)
    limiting: list[tuple[Stated, Obligation | None]] = []
    for stated in clauses:
        text = patterns.JOINED.sub("", draft.brief.said(stated))
        rule = obligation_of(text)
        if patterns.UNDECIDED.search(text):
            _decide(draft, stated, text)
        elif stated.fact.type == "unread":
            continue
        elif stated is main:
            _deliver(draft, stated, text, is_goal=True)
        elif target := patterns.TARGET_IS.match(draft.brief.rest_of(stated)):
            draft.measure(draft.brief.title, "counted on the last day", target[1], origin_of(stated))
            draft.acted.add(stated.id)
        elif patterns.NEEDS.match(text):
            _need(draft, stated, patterns.NEEDS.sub("", text))
        elif (
            stated.fact.type != "exclusion"
            and begins_with_a_verb(patterns.MUST.sub("", text))
            and (draft.brief.beside_figures(stated) or not draft.brief.inside(stated, "capacity"))
            and not patterns.DOES_NOT.match(text)
        ):
            if stated.source == "goal":
                _deliver(draft, stated, text, is_goal=False)
        else:
            limiting.append((stated, rule))
    for stated, rule in limiting:
        if rule and (stated.fact.type != "exclusion" or rule.name in ("secret", "permit")):
            _oblige(draft, stated, rule)
        elif patterns.REASON.match(stated.fact.text):
            draft.note(draft.brief.said(stated), origin_of(stated))
            draft.acted.add(stated.id)
        elif not (_done_already(draft, stated) or _assigned(draft, stated) or _wait(draft, stated)):
            _limit(draft, stated)


def _parted(draft: Draft, stated: Stated) -> list[Stated]:
    """Return what is to be done, and each part after its first comma, where that is more than a figure.

    A list of things stays whole: "paint kitchen, hall and stairs".
    """
    said = draft.brief.said(stated)
    things = patterns.COMMA.split(said)[1:]
    is_list = bool(things) and " and " in things[-1] and all(len(one.split()) <= _OF_A_LIST for one in things)
    is_wanted = stated is draft.brief.main or (stated.fact.type == "deliverable" and begins_with_a_verb(said))
    is_list = is_list or (": " in said and not draft.practice)
    if not is_wanted or is_list or patterns.NEEDS.match(said) or draft.brief.language != "en":
        return [stated]
    parts: list[Stated] = []
    text, at = draft.brief.text_of(stated.source), stated.fact.start
    for match in [*patterns.COMMA.finditer(text, stated.fact.start, draft.brief.end_of(stated)), None]:
        end = match.start() if match else max(stated.fact.end, at)
        kind = "condition" if parts else stated.fact.type
        fact = msgspec.structs.replace(stated.fact, text=text[at:end], start=at, end=end, type=kind)
        part = msgspec.structs.replace(stated, fact=fact)
        if not parts or draft.brief.beside_figures(part):
            parts.append(part)
        at = match.end() if match else end
    return parts


_OF_A_LIST = 4
"""Words of a thing in a list."""


def own_words_title(text: str) -> str:
    """Return the title of a step in the person's own words."""
    return capital(patterns.MUST.sub("", patterns.LEAD.sub("", text)))


def _deliver(draft: Draft, stated: Stated, text: str, *, is_goal: bool) -> None:
    """Let the core as a whole make what the person wants, one of its steps, or steps in their own words."""
    draft.acted.add(stated.id)
    text = patterns.JOINED.sub("", text)
    if len(text.split()) < (_SHORT if is_goal else _FEWEST):
        text = patterns.JOINED.sub("", draft.brief.rest_of(stated))
    details = text.partition(": ")[2] if is_goal and draft.practice else ""
    if stems(details) and not any(one.fact.text in details for one in draft.brief.of("date")):
        draft.note(details, origin_of(stated))
    says_when = draft.practice and not draft.brief.beside_figures(stated)
    if (draft.brief.core and not draft.imported and is_goal) or says_when or not stems(text):
        return
    if (match := _begun(draft, text) or best_match(text, draft.practice, least=2)) is not None:
        draft.credit(match, stated)
    else:
        listed = text.partition(": ")[2] if is_goal else ""
        parts = patterns.COMMA.split(listed) if listed else _SPLIT.split(text)
        for number, part in enumerate(part.strip() for part in parts):
            says_what = begins_with_a_verb(own_words_title(part)) or patterns.HAS_DONE.match(part) is not None
            title = f"{draft.brief.title}: {part}" if listed and not says_what else part
            if patterns.STATES.search(part) and not says_what:
                draft.note(part, origin_of(stated))
            elif not draft.brief.is_amount(stated, part):
                own = _stretch(draft, stated, part)
                _add_own_step(draft, own, title, f"own-{stated.id}.{stated.fact.start}.{number}")
        draft.own.add(stated.id)


def _stretch(draft: Draft, stated: Stated, part: str) -> Stated:
    """Return a part of what a fact says as a fact of its own, so that figures in it are its own."""
    start = draft.brief.text_of(stated.source).find(part, stated.fact.start)
    if start < 0:
        return stated
    fact = msgspec.structs.replace(stated.fact, text=part, start=start, end=start + len(part))
    return msgspec.structs.replace(stated, fact=fact)


def _begun(draft: Draft, text: str) -> Work | None:
    """Return the step of the core whose own word a part begins with ("submit to the workshop", "get a permit")."""
    text = patterns.GET.sub("", text)
    return next(
        (one for one in draft.practice if one.keeps and re.match(rf"(?:{one.keeps})", text, re.IGNORECASE)), None
    )


_FEWEST, _SHORT = 2, 4
"""Words of a part that can be a step, and from which on the wanted whole says what it is."""


def _add_own_step(draft: Draft, stated: Stated, text: str, key: str) -> None:
    title = shorten(own_words_title(text).strip(" ,;"), 160)
    new = Work(key=key, title=title, origin=origin_of(stated))
    is_next = re.match(r"(?:and )?(?:then|after that|afterwards|finally)\b", text, re.IGNORECASE)
    previous = next((one for one in reversed(draft.work) if one.key.startswith("own")), None)
    if is_next and previous:
        new = replace(new, needs=(previous.key,))
    draft.work = before_main(draft.work, new) if draft.practice else [*draft.work, new]
    draft.steps_of_facts.append((stated, new.key))


def _need(draft: Draft, stated: Stated, text: str) -> None:
    """Let each thing of a list be named by the step that sees to it, or be a step."""
    for number, part in enumerate(part.strip() for part in re.split(r"[,;]\s+(?:and\s+)?|\s+and\s+", text)):
        keeper = _keeper(draft, part) if part else None
        if keeper is not None:
            draft.rename(keeper, f"{keeper.title}{', ' if keeper.title.endswith('”') else ' – '}“{part}”")
        elif part:
            _add_own_step(draft, stated, f"Arrange: {part}", f"own-{stated.id}.{stated.fact.start}.{number}")
    draft.acted.add(stated.id)


def _decide(draft: Draft, stated: Stated, text: str) -> None:
    """Put the decision that is open before what it is about."""
    what = patterns.UNDECIDED.sub("", text).strip(" ,.:;-–()")
    new = Work(
        key=f"decide-{stated.id}.{stated.fact.start}",
        title=f"Decide: “{shorten(what or text, 110)}”",
        outcome="One of them, with price and reason",
        check="Both were reckoned for the same number and the same days",
        effort=Effort(0.5, 1, 3),
        origin=origin_of(stated),
    )
    keeper = _keeper(draft, what)
    draft.work = [
        replace(one, needs=(*one.needs, new.key)) if keeper is not None and one.key == keeper.key else one
        for one in (draft.work if keeper is not None else before_main(draft.work, new))
    ]
    if keeper is not None:
        at = [one.key for one in draft.work].index(keeper.key)
        draft.work.insert(at, replace(new, lead=keeper.lead))
    draft.acted.add(stated.id)


def _done_already(draft: Draft, stated: Stated) -> bool:
    """Let what is there already be confirmed by the step that would have got it."""
    text = draft.brief.said(stated)
    keeper = _keeper(draft, text) if patterns.IS_DONE.search(text) else None
    if keeper is None or not patterns.BOOKS.match(keeper.title):
        return False
    named = keeper.title.partition(" – ")[2]
    draft.rename(keeper, f"Have it confirmed in writing, with conditions: “{text}”{f' – {named}' if named else ''}")
    draft.put(keeper, effort=Effort(0.2, 0.5, 1))
    draft.credit(keeper, stated)
    return True


def _assigned(draft: Draft, stated: Stated) -> bool:
    """Give steps to those who do them ("Lena books the hall"); who does something else is noted."""
    parts = [part.strip() for part in re.split(r",\s+(?:and\s+)?|\s+and\s+(?=[A-Z])|;\s+", draft.brief.said(stated))]
    names = {word for one in draft.brief.of("person") for word in (one.fact.value.name or one.fact.text).split()}
    does = [
        (part, match if match and names & set(match["who"].split()) else patterns.DOES.match(part))
        for part in parts
        for match in [patterns.NAME_DOES.match(part)]
    ]
    if not any(match and match["who"] not in _NOBODY for _, match in does):
        return False
    for part, match in does:
        step = None
        if match and match["who"] not in _NOBODY:
            what = part[match.end("who") :]
            step = _keeper(draft, what) or best_match(what, draft.practice, least=2)
        if step is not None and match:
            draft.put(step, owner=match["who"])
            draft.credit(step, stated)
        elif match and draft.whole and len(part.split()) <= _SHORT and match["who"] not in _NOBODY:
            draft.put(draft.whole, owner=match["who"])
        elif len(part.split()) > 1 and not re.match(r"(?:and )?I (?:do|will do|take) ", part):
            does_something = match and match["who"] not in _NOBODY and len(part[match.end() :].split()) > 1
            if match and does_something and not patterns.HAS_ROLE.search(part):
                _add_own_step(draft, stated, part, f"own-{stated.id}.{stated.fact.start}.{len(draft.work)}")
                added = next(one for one in draft.work if one.key == draft.steps_of_facts[-1][1])
                draft.put(added, owner=match["who"])
                draft.own.add(stated.id)
            else:
                draft.note(part, origin_of(stated))
    draft.acted.add(stated.id)
    return True


_NOBODY = frozenset("I We They He She It There This That You".split())  # noqa: SIM905


def _oblige(draft: Draft, stated: Stated, rule: Obligation) -> None:
    """Let a step of the core do what somebody is obliged to, or a step by rule before what it gates."""
    text = draft.brief.said(stated)
    limit = draft.limit(text, stated, rule.limits)
    keeper = _keeper(draft, text)
    if keeper is not None and rule.name in _SEEN_TO:
        draft.answer(keeper, limit)
        return
    asking = [one for one in draft.practice if rule.limits == "approval" and patterns.GETS_A_YES.search(one.title)]
    known = keeper if keeper in asking else best_match(text, asking, least=2)
    if known is not None:
        draft.answer(known, limit)
        return
    people = tuple(one.fact.value.name or one.fact.text for one in draft.brief.inside(stated, "person"))
    slots = {"who": who_is_asked(text, people) or "whoever decides", "words": shorten(text, 110)}
    about = _keeper(draft, object_of(text, rule)) or best_match(object_of(text, rule), draft.work, least=1)
    new = Work(
        key=f"{rule.name}-{stated.id}.{stated.fact.start}",
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
    draft.steps_of_facts.append((stated, new.key))


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
    match = patterns.NEEDS_TIME.search(text)
    spans = [one for one in draft.brief.inside(stated, "duration") if match and one.fact.text in match["words"]]
    days = [(one.fact.value.number or 0) * _CALENDAR_DAYS.get(one.fact.value.unit, 0) for one in spans]
    if match is None or len(days) != 1 or not days[0] or not draft.work:
        return False
    words = match["words"].strip()
    new = Work(
        key=f"wait-{stated.id}.{stated.fact.start}",
        title=f"Wait: “{shorten(words, 110)}”" if draft.practice else capital(shorten(words, 110)),
        outcome="The answer, in writing" if draft.practice else "",
        check="What it asks for is on the list of the next step" if draft.practice else "",
        wait=round(days[0]),
        origin=origin_of(stated),
    )
    draft.work = gated(draft.work, new, best_match(words, draft.practice, least=1))
    draft.acted |= {stated.id, *(one.id for one in spans)}
    return True


def _limit(draft: Draft, stated: Stated) -> None:
    """Let each part of a sentence limit the step in which it shows; what only says how something is becomes a note."""
    rest = []
    text = draft.brief.joined(stated)
    if len(text.split()) < _FEWEST:
        text = draft.brief.rest_of(stated)
    is_absence = patterns.AWAY.search(text) and draft.brief.inside(stated, "date")
    if is_absence or (draft.brief.inside(stated, "capacity") and draft.brief.inside(stated, "person")):
        draft.acted.add(stated.id)  # what it says stands among people and calendar
        return
    if draft.brief.inside(stated, "capacity"):
        draft.acted.add(stated.id)
        draft.note(text, origin_of(stated))
        return
    for number, part in enumerate(patterns.JOINED.sub("", part.strip()) for part in patterns.AND_THEN.split(text)):
        if not part or draft.brief.is_amount(stated, part):
            continue
        is_limit = (stated.fact.type in _LIMITS and not number) or (
            patterns.BINDS.search(part) and not patterns.THERE_IS.match(part)
        )
        keeper = _keeper(draft, part) or (best_match(part, draft.work, least=2) if is_limit else None)
        if keeper is not None or is_limit:
            _keep(draft, stated, part, keeper)
        else:
            rest.append(part)
    if rest:
        draft.note(", ".join(rest), origin_of(stated))
    draft.acted.add(stated.id)


def limits_of(brief: Brief) -> tuple[str, ...]:
    """Return the limits that the goal's words set, whichever way is chosen."""
    draft = Draft(brief)
    take_clauses(draft)
    return tuple(limit.text for limit in draft.constraints)


def _keep(draft: Draft, stated: Stated, text: str, keeper: Work | None) -> None:
    limit = draft.limit(text, stated, _LIMITS.get(stated.fact.type))
    if (keeper := keeper or draft.whole) is not None:
        draft.answer(keeper, limit)
    else:
        draft.own.add(stated.id)
