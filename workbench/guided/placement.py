"""What the parts of sentences become: a step of the core, a step in the person's words, an obligation, a limit, a note.

"paint the shelf, collect 50 toys"  ──▶ two steps, or those of the core that do it
"the test isn't back yet"           ──▶ a step that settles it, before all else
"the council must approve it"       ──▶ a step before what it gates, and a limit that it keeps
"without downtime"                  ──▶ a limit, kept by the step in which it shows
"we live in the house"              ──▶ a note
"""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec

from workbench.domain.facts.ledger import Stated
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.plan import Effort
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.words import stems
from workbench.guided import patterns
from workbench.guided.brief import Brief
from workbench.guided.draft import Draft, origin_of
from workbench.guided.obligations import who_is_asked
from workbench.guided.parts import TELL, Kind, Part, needed_things
from workbench.guided.phrases import VERBS, begins_with_a_verb, capital, says_nothing_is_done
from workbench.guided.quantities import with_times
from workbench.guided.told import clauses_in, doer_of, is_numbered, order_of, step_title
from workbench.guided.work import YOU, Work, before_main, best_match

_SPLIT = re.compile(rf"(?:,\s+(?:and\s+)?|\s+and\s+)(?=(?:{VERBS})\s+(?:the|a|an|our|my|all|some|\d+|new|[a-z]+s)\b)")
"""Between two things to do in one sentence."""
_SAID_AGAIN = re.compile(r"(?i)(\w+) .*?, (?:and )?\1 \d")
"""The same verb once more, with a figure: "open in April, open 7 days"."""
_LONGEST_TITLE, _SHORT = 240, 14
_NOBODY = frozenset("I We They He She It There This That You".split())  # noqa: SIM905
_ORDER: tuple[Kind, ...] = ("want", "open", "done", "work", "duty", "limit", "day", "note", "asks")
"""What is placed first is there for what follows: a limit looks for the step in which it shows."""


def place_parts(draft: Draft) -> None:
    """Place what the person wants first, then what obliges or limits them."""
    parts = draft.brief.parts
    tell(draft)
    for kind in _ORDER:
        for part in parts:
            if part.kind == kind:
                _place(draft, part, part.stated is draft.brief.main)
                draft.acted |= set(part.stated.id.split())
    own = [one for one in draft.work if one.key.startswith("own")]
    if len(own) == 1 and not draft.practice:
        draft.work.remove(own[0])  # one step of a whole is the whole said again
        stated = next(stated for stated, key in draft.steps_of_facts if key == own[0].key)
        draft.note_besides(stated.fact.text, stated)
    draft.add_besides()
    if not draft.practice and not draft.brief.told_steps:
        draft.work = sorted(draft.work, key=lambda one: not one.early)


def _place(draft: Draft, part: Part, is_main: bool) -> None:
    match part.kind:
        case "want":
            _deliver(draft, part, is_main)
        case "open":
            draft.unsettled += [] if draft.covers(part.text) else [part.text]
            _note(draft, part)
        case "work":
            _assign(draft, part)
        case "duty":
            _oblige(draft, part)
        case "done" if _is_confirmed(draft, part):
            pass
        case "asks":
            draft.credit_main(part.stated)
        case "limit":
            _limit(draft, part)
        case "day":
            _put_on_a_day(draft, part)
        case _:
            _note(draft, part)


def _deliver(draft: Draft, part: Part, is_main: bool) -> None:
    """Let the core as a whole make what the person wants, one of its steps, or steps in their own words."""
    stated, brief, pieces = part.stated, draft.brief, _pieces(part)
    _limits_inside(draft, part)
    if part.is_head or brief.is_amount(stated, part.text) or not stems(part.text):
        return
    if brief.told_steps and stated.source == "goal":
        untold = [one for one in pieces if best_match(one, draft.work, least=1) is None]
        draft.untold += untold if part.head or not is_main else []
    elif draft.practice and (is_main or not brief.beside_figures(stated)):
        return
    elif part.head and (keeper := _keeper(draft, part.text)):
        draft.rename(keeper, f"{keeper.title}{', ' if keeper.title.endswith('”') else ' – '}“{part.text}”")
    elif match := best_match(part.title, draft.practice, least=2):
        draft.credit(match, stated)
    elif draft.practice and part.head and brief.main and part.head.fact.start <= brief.main.fact.start:
        draft.note_besides(part.text, stated)
    elif not pieces or draft.covers(part.title) or (is_main and not part.head and len(pieces) == 1):
        if not is_main:
            draft.note_besides(part.text, stated)
    else:
        for number, piece in enumerate(pieces):
            if patterns.STATIVE.match(piece):
                draft.limit(piece, stated, None)
                continue
            own = _stretch(draft, stated, piece) if len(pieces) > 1 else stated
            due = _due_of(draft, part.head)
            title = _as_step(draft, part, piece)
            _add_own_step(draft, own, title, f"own-{stated.id}.{stated.fact.start}.{number}", deadline=due)


def _as_step(draft: Draft, part: Part, piece: str) -> str:
    """Return a thing that is wanted as a step: "a 60-page booklet" is no step, to have it ready is one."""
    listed = [one.text for one in draft.brief.parts if part.head and one.head is part.head]
    beside = [begins_with_a_verb(step_title(one)) for one in listed]
    is_told = begins_with_a_verb(step_title(piece)) and len(piece.split()) > _NAMES_A_THING and " of " not in piece[:12]
    at = part.text.casefold().find(piece.casefold())
    is_told = is_told or not says_nothing_is_done(piece)
    if is_told or 2 * sum(beside) > len(beside) or part.stated.source != "goal" or at < 0:
        return piece
    thing = step_title(part.text[at : at + len(piece)])
    return f"Have ready: {thing.removesuffix(' please')}"


_NAMES_A_THING = 2
"""Words of a thing whose first may be taken for a verb: "crop plan"."""


def _pieces(part: Part) -> list[str]:
    """Return what a part asks for, thing by thing; nothing where it only names the whole."""
    if part.stated.source == "goal" and patterns.STATIVE.match(part.title):
        return []
    if part.stated.source == "goal" and patterns.CAN.match(part.title):
        return []
    if part.head and patterns.STATES.search(part.text) and not begins_with_a_verb(part.title):
        return []
    if begins_with_a_verb(part.title) or part.head:
        return [part.title] if _SAID_AGAIN.match(part.title) else _SPLIT.split(part.title)
    if len(needed := needed_things(part.text)) > 1:
        return needed
    things = patterns.COMMA_OR_AND.split(part.title)
    is_list = len(things) >= _FEWEST_THINGS and not any(
        patterns.NO_THING.match(thing) or patterns.GOES_ON.match(thing) or not says_nothing_is_done(thing)
        for thing in things
    )
    if is_list:
        return things
    return [part.title] if part.stated.source != "goal" or patterns.WANTED_DONE.search(part.text) else []


_FEWEST_THINGS = 3


def tell(draft: Draft) -> None:
    """Make a step of each thing to do that the person told, in the order that their words give."""
    brief = draft.brief
    steps, is_english = brief.told_steps, brief.language == "en"
    texts = [one.fact.text for one in steps]
    has_numbers = any(is_numbered(one.answer) for one in brief.answers if TELL in one.question)
    order = order_of(texts, is_numbered=has_numbers)
    told: list[Work] = []
    for number, (stated, needs) in enumerate(zip(steps, order, strict=True), 1):
        text = step_title(stated.fact.text) if is_english else stated.fact.text
        new = Work(
            key=f"told-{number}",
            title=capital(shorten(" ".join(text.split()), _LONGEST_TITLE)),
            owner=doer_of(stated.fact.text) or YOU,
            needs=tuple(f"told-{need + 1}" for need in sorted(needs)),
            origin=origin_of(stated),
        )
        told.append(with_times(draft, stated, new))
        draft.steps_of_facts.append((stated, new.key))
        draft.acted |= set(stated.id.split())
    begins = {one.key: one.on or one.not_before or one.deadline or "" for one in told}
    draft.work += [
        replace(one, needs=tuple(need for need in one.needs if begins[need] <= (one.deadline or one.on or "9")))
        for one in told
    ]
    for stated in brief.told:
        if stated not in steps:
            draft.note(stated.fact.text, origin_of(stated))
            draft.acted |= set(stated.id.split())


def _due_of(draft: Draft, head: Stated | None) -> str | None:
    """Return the day that stands before the colon of a list: "due this winter: a crop plan"."""
    dates = [one for one in draft.brief.inside(head, "date") if one.fact.role == "deadline"] if head else []
    draft.acted |= {one.id for one in dates}
    return (dates[0].fact.value.limit or dates[0].fact.value.last) if dates else None


def _stretch(draft: Draft, stated: Stated, part: str) -> Stated:
    """Return a part of what a fact says as a fact of its own, so that figures in it are its own."""
    start = draft.brief.text_of(stated.source).casefold().find(part.casefold(), stated.fact.start)
    if start < 0:
        return stated
    fact = msgspec.structs.replace(stated.fact, text=part, start=start, end=start + len(part))
    return msgspec.structs.replace(stated, fact=fact)


def _limits_inside(draft: Draft, part: Part) -> None:
    """Set the limits that stand within what is wanted: "without downtime"."""
    for one in draft.brief.facts:
        is_inside = one.source == part.stated.source and part.stated.fact.start < one.fact.start < part.stated.fact.end
        if is_inside and one.fact.type in ("exclusion", "quality") and not draft.brief.is_amount(one, one.fact.text):
            limit = draft.limit(
                patterns.JOINED.sub("", one.fact.text), one, "quality" if one.fact.type == "quality" else "exclusion"
            )
            if keeper := _keeper(draft, limit.text):
                draft.answer(keeper, limit)


def _add_own_step(draft: Draft, stated: Stated, text: str, key: str, **fields: object) -> None:
    title = capital(shorten(step_title(patterns.JOINED.sub("", text)), _LONGEST_TITLE))
    new = replace(Work(key=key, title=title, origin=origin_of(stated)), **fields)  # type: ignore[arg-type]
    is_next = re.match(r"(?:and )?(?:then|after that|afterwards|finally)\b", stated.fact.text, re.IGNORECASE)
    previous = next((one for one in reversed(draft.work) if one.key.startswith("own")), None)
    new = replace(new, needs=(previous.key,)) if is_next and previous else new
    new = with_times(draft, stated, new)
    draft.work = before_main(draft.work, new) if draft.practice else [*draft.work, new]
    draft.steps_of_facts.append((stated, new.key))


def _is_confirmed(draft: Draft, part: Part) -> bool:
    """Let what is there already be confirmed by the step that would have got it."""
    keeper = _keeper(draft, part.text)
    if keeper is None or not patterns.BOOKS.match(keeper.title):
        return False
    draft.rename(keeper, f"Have it confirmed in writing, with conditions: “{part.text}”")
    draft.put(keeper, effort=Effort(0.2, 0.5, 1))
    draft.credit(keeper, part.stated)
    return True


def _assign(draft: Draft, part: Part) -> None:
    """Give steps to whoever does them ("Lena books the hall, Ben cooks"); other work is a step of its own."""
    clauses = clauses_in(part.text)
    several = [replace(part, stated=_stretch(draft, part.stated, clause)) for clause in clauses]
    for one in several if len(clauses) > 1 else [part]:
        _assign_one(draft, one, is_one_of_several=len(clauses) > 1)


def _assign_one(draft: Draft, part: Part, *, is_one_of_several: bool) -> None:
    match = patterns.DOES.match(part.text)
    who = match["who"] if match else doer_of(part.text) if is_one_of_several else ""
    if not who or who in _NOBODY or patterns.HAS_ROLE.search(part.text):
        _note(draft, part)
        return
    what = part.text[match.end("who") if match else len(who) :]
    told = what
    for one in draft.brief.inside(part.stated, "date"):
        told = told.replace(one.fact.text, " ")  # "the week before the opening" is no work on the opening
    step = _keeper(draft, what) or best_match(told, draft.practice, least=2)
    if step is not None:
        draft.put(step, owner=who)
        draft.credit(step, part.stated)
    elif len(what.split()) > 1 and not draft.brief.told_steps:
        key = f"own-{part.stated.id}.{part.stated.fact.start}"
        _add_own_step(draft, part.stated, part.text, key, owner=who)
    else:
        _note(draft, part)


def _oblige(draft: Draft, part: Part) -> None:
    """Keep what somebody is obliged to as a limit; where it names who has to say yes, that is a step, too."""
    stated, text = part.stated, part.text
    limit = draft.limit(text, stated, "approval")
    asking = [one for one in draft.practice if patterns.GETS_A_YES.search(one.title)]
    names = [one.fact.value.name or one.fact.text for one in draft.brief.inside(stated, "person")]
    titled = (re.search(rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?{re.escape(name)}", text) for name in names)
    who = who_is_asked(text, tuple(match[0] for match in titled if match))
    title = f"Get the agreement of {who}"
    same = next((one for one in draft.work if one.title == title), None)
    about = _keeper(draft, text)
    known = about if about in asking or part.duty == "other" else None
    if known := known or best_match(text, asking, least=2) or draft.covers(text) or same:
        draft.answer(known, limit)
    elif who and part.duty == "approve" and not draft.brief.told_steps:
        key = f"approve-{stated.id}.{stated.fact.start}"
        effort = Effort(0.5, 2, 5) if draft.practice else None
        origin = origin_of(stated)
        new = Work(key, title, origin, f"The yes of {who}", effort=effort, answers=(limit.id,), early=True)
        new = replace(new, needs=(about.key,)) if about and not about.day else new
        draft.work = before_main(draft.work, new) if draft.practice else [new, *draft.work]
        draft.steps_of_facts.append((stated, new.key))


def _keeper(draft: Draft, text: str) -> Work | None:
    """Return the step of the core in which a limit shows."""
    keeping = (one for one in draft.work if one.keeps and re.search(rf"\b(?:{one.keeps})", text, re.IGNORECASE))
    return next(keeping, None) if text else None


def _limit(draft: Draft, part: Part) -> None:
    """Let a limit be kept by the step in which it shows."""
    brief, stated = draft.brief, part.stated
    is_absence = patterns.AWAY.search(part.text) and brief.inside(stated, "date")
    has_hours = bool(brief.inside(stated, "capacity"))
    is_short = len(part.text.split()) <= _SHORT
    if is_absence or (has_hours and is_short and brief.inside(stated, "person")):
        return  # what it says stands among people and calendar
    if has_hours:
        draft.note(part.text, origin_of(stated))
    elif not brief.is_amount(stated, part.text):
        is_negative = patterns.NEGATIVE.match(part.text) is not None
        money = [one.id for one in brief.inside(stated, "amount") if one.fact.value.currency]
        stated = msgspec.structs.replace(stated, id=" ".join([stated.id, *money]))
        pieces = patterns.AND_THEN.split(part.text)
        for piece in pieces if any(_keeper(draft, piece) for piece in pieces) else [part.text]:
            keeper = _keeper(draft, piece) or best_match(piece, draft.practice, least=2)
            is_limit = is_negative or not draft.practice or money
            if keeper is None and not is_limit:
                draft.note(piece, origin_of(stated))
                continue
            limit = draft.limit(piece, stated, "exclusion" if is_negative else None)
            if keeper is not None:
                draft.answer(keeper, limit)


def _put_on_a_day(draft: Draft, part: Part) -> None:
    """Put what happens on a day there; with a core, it is a limit that has a day."""
    dates = [one for one in draft.brief.inside(part.stated, "date") if not one.fact.value.recurs]
    ahead = [one for one in dates if (day_of(one.fact.value.last) or draft.brief.today) >= draft.brief.today]
    is_absence = patterns.AWAY.search(part.text) or patterns.CLOSED.search(part.text)
    if is_absence and any(one.fact.value.first != one.fact.value.last for one in dates):
        return  # what it says stands in the calendar
    value = ahead[-1].fact.value
    limit = draft.limit(part.text, part.stated, None, day=value.limit or value.last)
    if keeper := _keeper(draft, part.text):
        draft.answer(keeper, limit)
    draft.acted |= {one.id for one in dates}


def _note(draft: Draft, part: Part) -> None:
    """Keep what only says how things are; where it shows in a step of the core, that step keeps it in mind."""
    has_hours = bool(draft.brief.inside(part.stated, "capacity"))
    if part.stated.source != "goal":
        draft.unplaced.add(part.stated.source)
    elif has_hours or not draft.practice or not draft.brief.beside_figures(part.stated):
        draft.note_besides(part.text, part.stated)
    else:
        rest = []
        for piece in patterns.AND_THEN.split(part.text):
            if keeper := _keeper(draft, piece):
                draft.answer(keeper, draft.limit(piece, part.stated, None))
            else:
                rest.append(piece)
        if stems(" ".join(rest)):
            draft.note_besides(", ".join(rest), part.stated)


def limits_of(brief: Brief) -> tuple[str, ...]:
    """Return the limits that the goal's words set, whichever way is chosen."""
    draft = Draft(brief)
    place_parts(draft)
    return tuple(limit.text for limit in draft.constraints)
