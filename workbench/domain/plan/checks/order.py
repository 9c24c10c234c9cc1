"""Is the order kept that the plan itself asks for.

order.said       a constraint's, a decision's or a step's own words: "no interview before the vote"
order.notice     28 days before the meeting
order.ended      something is taken from the old when it has ended
order.gate       an approval that nothing waits for
order.approval   what an approval is for begins before the answer is there
order.stages     installed before it is ordered; what lies under a thing, laid after it
order.input      what a print or a drawing is made from comes after it
dates.lag        "dries for 28 days before anything is laid on it"
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations, permutations

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.calendar import day_of
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.checks.days import with_iso_dates
from workbench.domain.plan.checks.irreversible import GROUP, KINDS, MODIFIERS, any_of, things_of
from workbench.domain.plan.checks.quantities import NUMBER_WORDS, count_of
from workbench.domain.plan.plan import Constraint, Decision, Item, Section, Step
from workbench.domain.text.words import stem_set, stems, tokens

_NOT_BEFORE = re.compile(
    r"\b(?:no|nothing|nobody|not|never|neither)\b(?P<then>[^.;]{0,120}?)\b(?:before|until|unless|without)\b(?P<first>[^.;]+)",
    re.IGNORECASE,
)
_ONLY_AFTER = re.compile(
    r"(?P<then>[^.;,]{1,120}?)\b(?:only (?:after|once|when|with|on)|not (?:before|until|without))\b(?P<first>[^.;]+)",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?P<first>[^.;]{1,120}?)\b(?:has|have|must|needs?|is|are)\b(?P<more>[^.;]{0,120}?)\bbefore\b(?P<then>[^.;,]+)",
    re.IGNORECASE,
)
_ONLY_THEN = re.compile(
    r"^only (?:after|once|when) (?P<first>[^.;]{1,120}?) (?:may|can|is|are|do|does|will|must|shall)\b(?P<then>[^.;]+)",
    re.IGNORECASE,
)
_NEEDS_A_YES = re.compile(
    r"^(?P<then>[^.;,]{1,60}?) (?:needs?|requires?) (?P<first>[^.;]*\b"
    r"(?:consent|approval|permit|permission|agreement|licence|release|vote|signature|yes)\b[^.;]*)",
    re.IGNORECASE,
)
_SAID_BEFORE = re.compile(r"\bbefore (?:the |it |any |we )?(?P<then>[^.;,]+)", re.IGNORECASE)


def the_order_is_kept_that_is_said(case: Case) -> Iterator[Finding]:
    """Find steps that come before what a constraint, a decision or a step's own words want to come before them."""
    places = {step.id: (section, step) for section, step in reversed(list(case.every(Step)))}
    said = {step.id: _grouped(f"{step.title} . {step.outcome}") for step in case.steps.values()}
    titles = {step.id: _grouped(step.title) for step in case.steps.values()}
    told: set[str] = set()
    for _, item in case.placed:
        if isinstance(item, Constraint | Decision):
            for then, first in _orders(with_iso_dates(item.text, case.today)):
                for step, other in _against(case, item, then, first, said):
                    if step.id not in told and case.comes_before(step, other):
                        told.add(step.id)
                        against = f"{item.id} {quoted(item.text)}"
                        text = f"{step.id} {quoted(step.title)} comes before {other.id}, against {against}."
                        remedy = f"Let {step.id} need {other.id}, and move it after."
                        yield fault("order.said", "major", places[step.id], text, remedy)
    by_word: dict[str, list[Step]] = defaultdict(list)
    for step in case.steps.values():
        for word in titles[step.id]:
            by_word[word].append(step)
    for other in case.steps.values():
        for match in _SAID_BEFORE.finditer(f"{other.title}. {other.outcome}. {other.check}. {other.notes}"):
            words = _grouped(match["then"])
            rarest = min((by_word.get(word, []) for word in sorted(words)), key=len) if len(words) > 1 else []
            for step in rarest:
                if step is not other and words <= titles[step.id] and case.comes_before(step, other):
                    text = f"{other.id} is to be done {quoted(match[0].strip())}, and {step.id} comes first."
                    remedy = f"Let {step.id} need {other.id}, and move it after."
                    yield fault("order.said", "major", places[other.id], text, remedy)


def _orders(text: str) -> Iterator[tuple[str, str]]:
    """Yield what may only come after what, as a sentence says it."""
    if match := _ONLY_THEN.search(text) or _NOT_BEFORE.search(text) or _ONLY_AFTER.search(text):
        yield from ((then, match["first"]) for then in re.split(r"\b(?:and no|or|and|nor)\b|,", match["then"]))
    elif match := _NEEDS_A_YES.search(text):
        yield match["then"], match["first"]
    elif (match := _BEFORE.search(text)) and not re.search(r"\bif\b", match[0], re.IGNORECASE):
        yield match["then"], f"{match['first']} {match['more']}"


def _against(
    case: Case, item: Item, then: str, first: str, said: Mapping[str, frozenset[str]]
) -> Iterator[tuple[Step, Step]]:
    """Yield steps that do what may only come later, each with every step that does what has to come first."""
    later, earlier = _grouped(then), _grouped(first)
    if not later or not earlier:
        return
    doing = [step for step in case.steps.values() if _does(step, later, said[step.id], then)]
    if not doing:
        return
    for other in case.steps.values():
        spoken = earlier & said[other.id]
        is_meant = item.id in other.answers and spoken
        if other not in doing and (is_meant or (len(earlier) > 1 and len(spoken) >= _MOST * len(earlier))):
            yield from ((step, other) for step in doing)


_MOST = 0.6
"""Share of the words of what has to come first that a step has to have to be meant."""


def _does(step: Step, words: frozenset[str], said: frozenset[str], then: str) -> bool:
    """Tell whether a step does what some words say: its title begins with one of them, and it has most of them.

    A use of a thing has to name it in the same form: who orders a vaccine does no vaccination.
    """
    telling = words - _LIGHT
    title = [word for one in stems(step.title) if (word := GROUP.get(one, one)) not in _LIGHT]
    if not title or len(telling & said) * 2 < len(telling):
        return False
    is_used = title[0] in _USES and telling <= frozenset(title) and bool(_forms(then) & _forms(step.title))
    return is_used or (title[0] in telling and _is_done(title[0], step))


def _is_done(head: str, step: Step) -> bool:
    """Tell whether a title's first word is what is done, and not what something else is for: "interview partners"."""
    if _STATE.match(step.title):
        return False
    named = [GROUP.get(word, word) for word in stems(step.title)]
    return named.index(head) == 0 or named[0] in _LIGHT


_STATE = re.compile(r"^(?:\w+ )?\w+ (?:is|are|was|were|gets?)\b", re.IGNORECASE)
"""A title that says what becomes of a thing: "Vaccine is delivered"."""


def _forms(text: str) -> frozenset[str]:
    """Return the telling words of a text as they are written, without the plural's s."""
    return frozenset(word.lower().removesuffix("s") for word in tokens(text) if stems(word))


_USES = stem_set("publish use print show send post open sign book order pay install switch announce let")
"""Verbs with which a thing is used, so that a ban of the thing means the step: no photos, "Publish the photos"."""
_LIGHT = stem_set("hold do make carry out conduct start begin place give run put take have perform go")
"""Verbs that leave it to the next word what is done: "hold the interviews"."""


def _grouped(text: str) -> frozenset[str]:
    return frozenset(GROUP.get(word, word) for word in stems(text)) - MODIFIERS


_AHEAD = re.compile(
    r"(?P<count>\d+|a|an|one|two|three|four|five|six|seven|eight|ten|twelve) (?:full |clear |calendar |working )?"
    r"(?P<unit>day|week|month)s? (?:before|ahead of|prior to) (?:the |our )?(?P<what>[^.;,]+)",
    re.IGNORECASE,
)
_LENGTHS = {"day": 1, "week": 7, "month": 28}


def notice_is_given_in_time(case: Case) -> Iterator[Finding]:
    """Find steps that end too late for what has to be some time after them: "28 days before the meeting"."""
    days = {step.id: day for step in case.steps.values() if (day := day_of(step.on or step.start))}
    asking = [(item, item.text) for _, item in case.placed if isinstance(item, Constraint | Decision)]
    for section, step in case.every(Step):
        own = [(step, text) for text in (step.title, step.outcome, step.check) if not _OF_OTHER_DATES.search(text)]
        told = [
            (item, text) for item, text in asking if item.id in step.answers or step.id in getattr(item, "answers", ())
        ]
        end = day_of(step.end or step.on)
        for item, text in (*own, *told) if end and step.status not in ("done", "dropped") else ():
            match = _AHEAD.search(text)
            event = _event(case, step, match["what"]) if match else None
            if match is None or event is None or event.id not in days or end is None:
                continue
            clause = re.split(r"[.;]", text[: match.start()])[-1]
            is_answer = step.waiting is not None  # comes when it comes: the request has to be in time
            if item is not step and (is_answer or not frozenset(stems(clause)) & case.words(step)):
                continue
            wanted = count_of(match["count"]) * _LENGTHS[match["unit"].lower()]
            many = count_of(match["count"]) > 1
            if 0 <= (days[event.id] - end).days < wanted:
                why = f"ends {(days[event.id] - end).days} days before {event.id} {quoted(event.title)}"
                length = f"{match['count']} {match['unit'].lower()}{'s' if many else ''}"
                said = f"{step.id} {quoted(step.title)} {why}, and {item.id} wants {length}."
                yield fault("order.notice", "major", (section, step), said, f"Move {step.id} forward, or {event.id}.")
                break


_OF_OTHER_DATES = re.compile(r"\b(?:dates?|reminders?|deliver\w*|calendar|appointments?|booked)\b", re.IGNORECASE)
"""Words of a step with which a time before an event is that of something else, and not of its own end."""


def _event(case: Case, step: Step, what: str) -> Step | None:
    """Return the step that is spoken of, preferably one that has its day."""
    words = frozenset(stems(what))
    if words <= _THE_EVENT:
        days = [other for other in case.steps.values() if other.on and other.milestone and other is not step]
        return days[0] if len(days) == 1 else None
    meant = [
        other for other in case.steps.values() if other is not step and words and words & frozenset(stems(other.title))
    ]
    exact = [
        other for other in meant if words <= frozenset(stems(other.title)) or frozenset(stems(other.title)) <= words
    ]
    fixed = [other for other in exact or meant if other.on or other.milestone]
    return fixed[0] if fixed else exact[0] if len(exact) == 1 else None


_THE_EVENT = stem_set("event day date start evening")
"""Words that name the event of a plan without its own name: "ten weeks before the day of the event"."""

_ENDED = re.compile(
    r"\b(?:end(?:s|ed|ing)?|expir\w+|terminat\w+|cancel\w*|clos\w+|switched off|runs? out|stop\w*|delet\w+"
    r"|given up)\b[^.;]{0,30}?"
    r"\b(?:from|on|by|to|of|until|at)\b(?: the)? (\d{4}-\d{2}-\d{2})",
    re.IGNORECASE,
)
_OLD = re.compile(r"\b(?:old|existing|current|previous|former)\b", re.IGNORECASE)
_FROM_THE_OLD = re.compile(
    r"\b(?:from|in|on|off|out of|beside|with) (?:the |our )?(?:\w+ )?(?:old|existing|current|previous|former)\b",
    re.IGNORECASE,
)


def nothing_is_taken_from_what_has_ended(case: Case) -> Iterator[Finding]:
    """Find steps that take something from what is old on a day on which another step has ended it."""
    for _, ending in case.every(Step):
        text = next((one for one in (ending.outcome, ending.title, ending.notes) if _OLD.search(one)), "")
        clauses = re.split(r";|, (?=and )", with_iso_dates(text, case.today))
        ends = [match for clause in clauses if _OLD.search(clause) for match in _ENDED.finditer(clause)]
        last = day_of(ends[0][1]) if ends else None
        for section, step in case.every(Step) if last else ():
            end, said = day_of(step.end), f"{step.title}. {step.outcome}"
            if step is ending or not end or not last or end <= last or step.status in ("done", "dropped"):
                continue
            if _FROM_THE_OLD.search(said) and not any(kind.action.search(step.title) for kind in KINDS if kind.ends):
                why = f"goes on until {end}, and {ending.id} ends the old on {last}"
                text = f"{step.id} {quoted(step.title)} {why}."
                yield fault("order.ended", "major", (section, step), text, f"End the old later, or move {step.id}.")


def approvals_hold_something_back(case: Case) -> Iterator[Finding]:
    """Find an approval that a constraint asks for, and that no step waits for, though work comes after it."""
    needed = {need for step in case.steps.values() for need in step.needs}
    wanted = {
        item.id: item for _, item in case.every(Constraint) if item.limits == "approval" and _GATES.search(item.text)
    }
    last = max((step.end or "" for step in case.steps.values()), default="")
    for section, step in case.every(Step):
        item = next((wanted[answer] for answer in step.answers if answer in wanted), None)
        others = [other for other in case.steps.values() if item and item.id in other.answers and other is not step]
        if item is None or step.id in needed or step.status in ("done", "dropped") or (step.end or "") >= last:
            continue
        if any(other.id in needed for other in others) or step.id in case.parts or step.parent:
            continue
        text = f"No step waits for {step.id} {quoted(step.title)}, which {item.id} {quoted(item.text)} asks for."
        yield fault("order.gate", "minor", (section, step), text, f"Let the steps that {step.id} holds back need it.")


def nothing_runs_ahead_of_its_approval(case: Case) -> Iterator[Finding]:
    """Find steps that see to a constraint that somebody has to agree to, and begin before the answer is there."""
    seeing: dict[str, list[tuple[Section, Step]]] = defaultdict(list)
    for section, step in case.every(Step):
        for name in step.answers if step.status not in ("done", "dropped") else ():
            seeing[name].append((section, step))
    for _, item in case.every(Constraint):
        waits = (step for _, step in seeing.get(item.id, ()) if step.waiting is not None)
        answers = [step for step in waits if _IS_A_YES.search(step.outcome)]
        words = _grouped(item.text)
        for section, step in seeing[item.id] if item.limits == "approval" and len(answers) == 1 else ():
            answer = answers[0]
            if step is answer or step.id in case.ancestors(answer):
                continue
            title = _grouped(step.title)
            if _LEADS_UP.search(step.title) or not title & words or not case.comes_before(step, answer):
                continue
            text = f"{step.id} {quoted(step.title)} comes before {answer.id}, and {item.id} {quoted(item.text)}."
            remedy = f"Let {step.id} need {answer.id}, and move it after."
            yield fault("order.approval", "major", (section, step), text, remedy)


_IS_A_YES = re.compile(
    r"\b(?:consents?|approv\w+|permits?|permission|licen[cs]e|vote|release|decision|agreement|yes|grant\w*|signed)\b",
    re.IGNORECASE,
)
_LEADS_UP = re.compile(
    r"\b(?:appl\w+|ask\w*|submit\w*|prepar\w+|writ\w+|draft\w*|talk\w*|inform\w*|tell\w*|request\w*|hand(?:ing)? in"
    r"|present\w*|plan\w*|draw\w*|survey\w*|inspect\w*|collect\w*|negotiat\w*|choos\w+|select\w*|list\w*|agree\w*"
    r"|decid\w+|approv\w+|answer\w*|complet\w+|remind\w*|follow\w*)\b",
    re.IGNORECASE,
)
"""Titles of what leads up to an answer, or gives it."""
_GATES = re.compile(
    r"\b(?:before|until|only|unless|without|no|nothing|not|must|has to|have to|needs?)\b", re.IGNORECASE
)

_STAGES = (
    any_of(r"order(?:ing)?|buy(?:ing)?"),
    any_of(r"deliver\w*"),
    any_of(r"install\w*|fit|fitting|mount\w*|assembl\w+|set up|build up"),
)
"""What happens to one thing, first to last."""


def one_thing_goes_its_way(case: Case) -> Iterator[Finding]:
    """Find a thing that is installed before it is ordered or delivered."""
    stages: dict[frozenset[str], list[tuple[int, Section, Step]]] = defaultdict(list)
    for section, step in case.every(Step):
        stage = next((number for number, kind in enumerate(_STAGES) if kind.match(step.title)), None)
        things = things_of(step.title, *_STAGES) if stage is not None else frozenset()
        if stage is not None and things and step.status not in ("done", "dropped"):
            stages[things].append((stage, section, step))
    for group in stages.values():
        for (early, _, first), (late, section, step) in permutations(group[:_FEW], 2):
            if early < late and case.comes_before(step, first):
                text = f"{step.id} {quoted(step.title)} comes before {first.id} {quoted(first.title)}."
                yield fault("order.stages", "major", (section, step), text, f"Let {step.id} need {first.id}.")


_FEW = 8
"""Steps about one thing that are compared with each other."""


_UNDER = re.compile(
    r"\b(?:lay|put|spread|apply|fit|install|glue|roll out)\b[^.;]*?\b(?:membrane|foil|film|insulation|underlay|primer"
    r"|sealing|sealant|fleece|geotextile|matting|gravel|sand bed|base coat|underfloor heating)\b[^.;]*?"
    r"\b(?:under|underneath|beneath|below|behind) (?:the |all )?(?P<cover>\w+)",
    re.IGNORECASE,
)
_MADE_OF = re.compile(
    r"\b(?:give|send|deliver|supply|write|collect|measure|record|survey|take|choose|draw)\b[^.;]*?\bfor (?:the |our )"
    r"(?P<work>[\w-]+(?: [\w-]+){1,2})",
    re.IGNORECASE,
)
_PRINTED = re.compile(r"^(?:draw|print|typeset|lay out|publish|edit|cut|engrave|cast)\b", re.IGNORECASE)


def what_goes_in_comes_first(case: Case) -> Iterator[Finding]:
    """Find a layer that is laid after what lies on it, and a print before what it is made from."""
    for section, step in case.every(Step):
        under, made_of = _UNDER.search(step.title), _MADE_OF.search(step.title)
        if step.status in ("done", "dropped") or not (under or made_of):
            continue
        words = frozenset(stems(under["cover"] if under else made_of["work"] if made_of else ""))
        later = (
            other
            for other in case.steps.values()
            if other is not step
            if words <= (title := frozenset(stems(other.title))) and case.comes_before(other, step)
            if (title and stems(other.title)[0] in words | _LAYS if under else _PRINTED.match(other.title))
        )
        if len(words) > (not under) and (first := next(later, None)) is not None:
            text = f"{first.id} {quoted(first.title)} comes before {step.id} {quoted(step.title)}, which goes into it."
            rule = "order.stages" if under else "order.input"
            yield fault(rule, "major", (section, step), text, f"Let {first.id} need {step.id}, and move it after.")


_LAYS = stem_set("lay fit fix install put mount pour plant glue hang tile pave")
_RESTS = re.compile(
    rf"(?P<what>[^.;,]{{1,60}}?)\b(?:dry|dries|dried|cures?|rests?|hardens?|sets?|settles?|stands?|ripens?|ferments?"
    rf"|acclimati[sz]es?|lies?)\b[^.;,]{{0,30}}?\b(?P<count>\d{{1,3}}|{NUMBER_WORDS}) (?:full |clear |calendar )?"
    r"(?P<unit>day|week|month)s?\b[^.;,]{0,20}?\bbefore\b(?P<then>[^.;]+)",
    re.IGNORECASE,
)
_LOOKS = re.compile(r"^(?:check|test|measure|inspect|watch|water|cover|protect|keep|look)\b", re.IGNORECASE)


def what_has_to_rest_rests(case: Case) -> Iterator[Finding]:
    """Find steps on a thing that begin before it has dried or rested as long as a constraint or decision wants."""
    for _, item in case.placed:
        if not isinstance(item, Constraint | Decision):
            continue
        match = _RESTS.search(item.text)
        what = frozenset(stems(match["what"])) - MODIFIERS if match else frozenset()
        made = [step for step in case.steps.values() if what and what <= case.words(step) and day_of(step.end)]
        first = min(made, key=lambda step: step.end or "", default=None)
        if match is None or first is None:
            continue
        days = count_of(match["count"]) * _LENGTHS[match["unit"].lower()]
        end, words = day_of(first.end), frozenset(stems(match["then"]))
        for section, step in case.every(Step):
            start = day_of(step.start or step.on)
            is_meant = first.id in step.needs or bool(words & frozenset(stems(step.title)) and what <= case.words(step))
            if step is first or start is None or end is None or not is_meant or _LOOKS.match(step.title):
                continue
            if start >= end and (start - end).days < days:
                text = (
                    f"{step.id} starts {(start - end).days} days after {first.id}, and {item.id} {quoted(item.text)}."
                )
                yield fault("dates.lag", "major", (section, step), text, f"Move {step.id}.")


_ONLY_ONE = re.compile(
    r"\b(?:there is|we have|we own|has) (?:only |just )?(?:one|a single) (?P<what>[\w-]+(?: [\w-]+)??)"
    r"(?= (?:with|for|in|at|on|and|which|that|to)\b|[,.;]|$)|\b(?:the|our) only (?P<other>[\w-]+)",
    re.IGNORECASE,
)


def one_thing_is_in_one_place(case: Case) -> Iterator[Finding]:
    """Find two steps of one day with a thing of which there is only one, as a line of the plan says."""
    said = ((item, _ONLY_ONE.search(wording(item))) for _, item in case.placed if not isinstance(item, Step))
    for item, match in said:
        if match is None:
            continue
        what = match["what"] or match["other"]
        used = re.compile(rf"\b(?:with|in|on|by|using) (?:the |our )?(?:\w+ )?{re.escape(what)}\b", re.IGNORECASE)
        using = [(section, step) for section, step in case.every(Step) if used.search(step.title)]
        for (_, first), (section, step) in combinations(using[:_FEW], 2):
            day, other = day_of(step.on or step.start), day_of(first.on or first.start)
            is_short = all((one.end or one.on) == (one.on or one.start) for one in (first, step))
            apart = first.id not in case.ancestors(step) and step.id not in case.ancestors(first)
            if day and day == other and is_short and apart and not {first.status, step.status} & {"done", "dropped"}:
                text = f"{first.id} and {step.id} use the {what} on {day}, and {item.id} says {quoted(wording(item))}."
                yield fault("order.one", "major", (section, step), text, f"Move {step.id}, or do it otherwise.")
