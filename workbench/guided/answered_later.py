"""Answers that come when the plan is there already.

“Q2: call the bank; then sign”   adds the steps that the question asked for
“Q1: 23 February”                gives what could be read as two days the one that was meant
“Q3: it's a limit”               adds what no line spoke of as what the person says that it is
“Q4: 1”                          adds the steps of the kind of work that the person names
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta

import msgspec

from workbench.domain.facts.reader import read_facts
from workbench.domain.loop.tasks import Answered, Feedback, Handled
from workbench.domain.plan.operations import RemoveItem, SetField, applied
from workbench.domain.plan.plan import Amendment, Constraint, Item, Origin, Plan, Question, Risk, Section, Step, amend
from workbench.domain.values.calendar_words import spoken_day
from workbench.domain.values.fact import Value
from workbench.guided.account import NO_STEPS_YET, TOLD_LATER
from workbench.guided.brief import MEANT, Brief, read_brief
from workbench.guided.composition import compose
from workbench.guided.draft import Draft
from workbench.guided.parts import KIND_QUESTION, TELL
from workbench.guided.phrases import begins_with_a_verb, capital, listed, sentences
from workbench.guided.placement import tell
from workbench.guided.told import step_title
from workbench.guided.work import steps_of

_ANSWER = re.compile(r"\W*(?P<question>Q\d+)\s*[:,–-]\s*(?P<said>.+)", re.DOTALL)
_NEXT = re.compile(r"(?<=\S)\s+(?=Q\d+\s*[:,–-]\s)")
_NO_LINE = re.compile(r"No line speaks of “(?P<what>.+?)…?”: is it a step")
_IS_A = re.compile(
    r"(?:(?:yes,? )?(?:it|that|this)(?:['’]s| is)?\s+(?:an?\s+)?(?P<kind>step|limit|constraint|risk)\b"
    r"|an?\s+(?P<kind2>step|limit|constraint|risk)\b|(?P<kind3>step|limit|constraint|risk)(?=\s*(?:[,:;.–-]|$)))"
    r"(?:,? (?:for me|of mine|mine|of its own|too|please))*[\s,:;.–-]*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_OF_THE_PLAN = re.compile(r"\b[A-Z]\d{1,6}\b")
_NOTHING_LEFT = re.compile(r"\W*(?:as for|for|and|to)?\W*", re.IGNORECASE)
_DAYS = ("day", "on", "deadline", "not_before", "due")
"""Fields that hold a day that somebody said."""


def answered(plan: Plan, said: Feedback, brief: Brief) -> tuple[Plan, list[Handled], Feedback | None]:
    """Return the plan with what a message answers, what became of it, and what is left of the message."""
    handled: list[Handled] = []
    left: list[str] = []
    for text in (piece for part in _NEXT.split(said.text) for piece in _answer_and_more(part)):
        one = msgspec.structs.replace(said, text=text)
        done = _done(plan, one, brief)
        if done is None:
            left += [] if _NOTHING_LEFT.fullmatch(text) else [text]
        else:
            plan = done[0]
            handled.append(done[1])
    rest = msgspec.structs.replace(said, text="\n".join(left)) if handled else said
    return plan, handled, rest if rest.text.strip() else None


def _answer_and_more(text: str) -> Iterator[str]:
    """Yield an answer, and what stands behind it from the first sentence on that speaks of a line of the plan."""
    places = list(sentences(text)) if _ANSWER.match(text) else []
    more = next((start for start, end in places[1:] if _OF_THE_PLAN.search(text, start, end)), len(text))
    yield from filter(str.strip, (text[:more], text[more:]))


def _done(plan: Plan, said: Feedback, brief: Brief) -> tuple[Plan, Handled] | None:
    """Return the plan with one answer in it, and what became of that; None for what answers nothing here."""
    match = _ANSWER.fullmatch(said.text)
    asked = next((item for item in plan.items if match and item.id == match["question"]), None)
    if match is None or not isinstance(asked, Question):
        return None
    words = match["said"].strip()
    if TELL in asked.text:
        return _with_steps(plan, said, brief, asked, words)
    if asked.text.startswith(KIND_QUESTION):
        return _with_kind(plan, said, brief, asked, words)
    return _with_day_meant(plan, said, brief, asked, words) or _as_named(plan, said, brief, asked, words)


def _with_kind(plan: Plan, said: Feedback, brief: Brief, asked: Question, words: str) -> tuple[Plan, Handled] | None:
    """Return a plan without steps with those of the kind of work that a person names; None where it has steps."""
    if plan.steps:
        return None
    answers = (*brief.answers, Answered(question=asked.text, answer=words.strip(" .")))
    own = [one.core for one in brief.choice.candidates if one.core.source]
    named = read_brief(brief.goal, brief.today.isoformat(), answers, brief.facts, cores=own)
    known = {item.id for item in plan.items}
    made = compose(named) if named.core else None
    if made is None or not made.steps:
        return None
    near = [item for item in plan.items if isinstance(item, Question) and _IF_IT_IS.match(item.text)]
    texts = {one.id: _IF_IT_IS.sub("Of such work I know", one.text) for one in near}
    certain = [SetField(item=name, field="text", value=text) for name, text in texts.items()]
    after = applied(plan, [*certain, RemoveItem(item=asked.id)])
    for name in ("criteria", "steps", "risks"):
        new, old = made.section(name), after.section(name)
        if new is not None and not (old and old.items):
            items = tuple(_without_unknown(item, known) for item in new.items)
            after = amend(after, (Amendment(section=msgspec.structs.replace(new, items=items)),))
    order = [section.id for section in made.sections]
    placed = sorted(after.sections, key=lambda one: order.index(one.id) if one.id in order else len(order))
    after = msgspec.structs.replace(after, sections=tuple(placed))
    approach, told = after.section("approach"), made.section("approach")
    if approach is not None and told is not None:
        after = amend(after, (Amendment(section=msgspec.structs.replace(approach, text=told.text)),))
    note = f"{named.choice.core.name if named.choice.core else ''}: {listed([one.id for one in after.steps])} added."
    sections = ("steps", "questions")
    return after, Handled(
        feedback=said.id, kind="add", sections=sections, note=capital(note), request=said.text, outcome="done"
    )


_IF_IT_IS = re.compile(r"^If it is .{1,90}?, I know(?= these steps)")


def _without_unknown(item: Item, known: Collection[str]) -> Item:
    """Return an item that answers only what the plan has."""
    if not isinstance(item, Step):
        return item
    return msgspec.structs.replace(item, answers=tuple(one for one in item.answers if one in known))


def _as_named(plan: Plan, said: Feedback, brief: Brief, asked: Question, words: str) -> tuple[Plan, Handled] | None:
    """Return the plan with what no line spoke of as a step, a limit or a risk; None for other answers."""
    quoted, named = _NO_LINE.match(asked.text), _IS_A.fullmatch(words)
    if quoted is None or named is None:
        return None
    what, rest, origin = quoted["what"], named["rest"].strip(" ."), Origin("feedback", said.id)
    kind = (named["kind"] or named["kind2"] or named["kind3"]).casefold()
    if kind == "step":
        is_told = begins_with_a_verb(step_title(rest)) or len(rest.split()) > _A_FEW
        return _with_steps(plan, said, brief, asked, rest if is_told else f"{what}, {rest}" if rest else what)
    is_risk = kind == "risk"
    text = capital(f"{what} – {rest}" if rest else what)
    new = Risk(id="", text=text, origin=origin) if is_risk else Constraint(id="", text=text, origin=origin)
    section = "risks" if is_risk else "constraints"
    after = with_item(applied(plan, [RemoveItem(item=asked.id)]), new, section)
    known = {item.id for item in plan.items}
    note = f"{listed([item.id for item in after.items if item.id not in known])} added."
    sections = (section, "questions")
    return after, Handled(feedback=said.id, kind="add", sections=sections, note=note, request=said.text, outcome="done")


_A_FEW = 3
"""Words that only add to what the question quotes: "owner Jonas"."""


def with_item(plan: Plan, item: Question | Constraint | Risk, section: str) -> Plan:
    """Return a plan with an item at the end of its section, under an id that nothing in the plan has, or speaks of."""
    letter, title = _TITLES[section]
    numbers = (int(number) for number in re.findall(rf"\b{letter}(\d{{1,6}})\b", msgspec.json.encode(plan).decode()))
    named = msgspec.structs.replace(item, id=f"{letter}{max(numbers, default=0) + 1}")
    old = plan.section(section) or Section(id=section, title=title)
    return amend(plan, (Amendment(section=msgspec.structs.replace(old, items=(*old.items, named))),))


_TITLES = {"questions": ("Q", "Open questions"), "constraints": ("K", "Constraints"), "risks": ("R", "Risks")}


def _with_steps(plan: Plan, said: Feedback, brief: Brief, asked: Item, words: str) -> tuple[Plan, Handled] | None:
    """Return the plan with the steps that words tell, and without the question; None where they tell none."""
    told = (Answered(question=TELL, answer=words),)
    draft = Draft(read_brief(brief.goal, brief.today.isoformat(), told))
    tell(draft)
    if not draft.work:
        return None
    origin = Origin("feedback", said.id)
    first = max((int(step.id[1:]) for step in plan.steps if step.id[1:].isdigit()), default=0)
    new = [_moved(step, first, origin) for step in steps_of(draft.work)]
    old = plan.section("steps") or Section(id="steps", title="Steps")
    after = applied(plan, [RemoveItem(item=asked.id)])
    approach = after.section("approach")
    amendments = [Amendment(section=msgspec.structs.replace(old, items=(*old.items, *new)))]
    if approach is not None:
        text = approach.text.replace(NO_STEPS_YET, TOLD_LATER)
        amendments.append(Amendment(section=msgspec.structs.replace(approach, text=text)))
    noted = [f"“{one.text}” is no step." for one in draft.notes]
    note = " ".join([f"{listed([one.id for one in new])} added.", *noted])
    handled = Handled(
        feedback=said.id, kind="add", sections=("steps", "questions"), note=note, request=said.text, outcome="done"
    )
    return amend(after, tuple(amendments)), handled


def _with_day_meant(
    plan: Plan, said: Feedback, brief: Brief, asked: Question, words: str
) -> tuple[Plan, Handled] | None:
    """Return the plan with the day that answers the question which one is meant; None where it names none."""
    quoted = MEANT.match(asked.text)
    if quoted is None:
        return None
    days = (fact for fact in read_facts(words, brief.today) if fact.type == "date" and not fact.doubt)
    meant = next((fact.value.first for fact in days if fact.value.first), "")
    known = next((one for one in brief.facts if one.id in _facts_of(asked)), None)
    value = known.fact.value if known is not None else Value()
    if known is None or known.source == "goal" or not meant or value.first is None:
        return None  # on a day of the goal all the others depend
    moved = date.fromisoformat(meant) - date.fromisoformat(value.first)
    before = {value.first, value.last, value.limit} - {"", None}
    field = {"deadline": "deadline", "start": "not_before"}.get(known.fact.role, "on")
    changes = [
        SetField(item=item.id, field=name, value=_moved_day(getattr(item, name, None), moved) or meant)
        for item in plan.items
        if item != asked
        for name in (_held(item, before) if _facts_of(asked) & _facts_of(item) else [])
        or ([field] if isinstance(item, Step) and quoted["words"] in item.title else [])
    ]
    if not changes:
        return None
    after = applied(plan, [*changes, RemoveItem(item=asked.id)])
    note = f"{listed(sorted({one.item for one in changes}))}: {spoken_day(date.fromisoformat(meant))} now."
    sections = tuple(dict.fromkeys(part.id for part in after.sections if part != plan.section(part.id)))
    return after, Handled(
        feedback=said.id, kind="change", sections=sections, note=note, request=said.text, outcome="done"
    )


def _moved_day(day: str | None, by: timedelta) -> str:
    return (date.fromisoformat(day) + by).isoformat() if day else ""


def _held(item: Item, days: Collection[str | None]) -> list[str]:
    """Return the fields of an item that hold one of these days."""
    return [name for name in _DAYS if getattr(item, name, None) in days]


def _facts_of(item: Item) -> frozenset[str]:
    return frozenset(item.origin.source.split() if item.origin is not None else ())


def _moved(step: Step, by: int, origin: Origin) -> Step:
    """Return a step with ids after those that the plan has."""
    needs = tuple(f"S{int(need[1:]) + by}" for need in step.needs)
    return msgspec.structs.replace(step, id=f"S{int(step.id[1:]) + by}", needs=needs, origin=origin)
