"""Requests that are told by a cue, wherever it stands, and by what the rest of the clause names.

    "Don't hold [the pilot] back for [all the interfaces]"  ─ cue: hold back, denied ─▶ S6 no longer needs S4

Forms fit a whole clause, word for word; a frame looks for its cue, and reads the words around it as items, people,
days and sums. What it cannot place it leaves to the forms.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from workbench.domain.plan.checks.case import wording
from workbench.domain.plan.importing.work import begins_with_verb
from workbench.domain.plan.plan import (
    Bullet,
    Constraint,
    Criterion,
    Item,
    Person,
    Question,
    Risk,
    Step,
)
from workbench.domain.requests.amounts import (
    days,
    facts,
    limit_of,
    money,
    money_told,
    without,
)
from workbench.domain.requests.context import Context, listed, possessive, sentence
from workbench.domain.requests.edit import Edit
from workbench.domain.requests.form import Action
from workbench.domain.requests.forms.steps import put_before
from workbench.domain.requests.lookup import ID, likeness, lines_of, quoted, roots, telling
from workbench.domain.requests.parts import read_step
from workbench.domain.requests.request import Reply, Unclear

AnyItem = TypeVar("AnyItem", bound=Item)


class Frame(NamedTuple):
    """A cue, and what answers the clause that has it."""

    cue: str
    action: Action

    def reply(self, context: Context) -> Reply | None:
        """Return the answer to a clause; None where it has not this meaning. Raises Unclear to ask the person."""
        match = re.search(self.cue, context.text, re.IGNORECASE)
        return self.action(context, match) if match else None


# --- order ------------------------------------------------------------------------------------------------------------


def _swapped(context: Context, _match: re.Match[str]) -> Reply | None:
    """Turn the order of two steps around where the first waits for the second; else ask what is meant."""
    swap = re.search(r"(?i)(?:swap|switch|exchange)(?: round| around)? (?P<what>.+?)(?: round| around)?$", context.text)
    if swap is None or re.search(r"(?i)\b(?:with|for|by|from)\b.*\b(?:[A-Z][a-z]+)$", context.text):
        return None
    try:
        steps = context.finder.items(re.sub(r"(?i)\bwith\b", "and", swap["what"]))
    except Unclear:
        return None
    if len(steps) != 2 or not all(isinstance(step, Step) for step in steps):
        return None
    for first, second in (steps, steps[::-1]):
        if isinstance(first, Step) and second.id in first.needs:
            edit = context.edit()
            put_before(edit, first.id, second.id)
            edit.move(first.id, second.id, before=True)
            return context.done(f"{context.name(first)} comes before {context.name(second)} now", edit, steps)
    raise Unclear(
        f"Neither of {listed([quoted(step) for step in steps])} needs the other: which is to come first, or do you "
        "mean their places in the list?",
        about=tuple(step.id for step in steps),
    )


# --- what is taken back in part ---------------------------------------------------------------------------------------

_FIELDS = ("title", "text", "outcome", "check", "assumption")
_JOINT = re.compile(r"(,? and (?:then )?|, (?:and )?|;\s*|\. )")


def _without(text: str, words: Sequence[str]) -> str | None:
    """Return a text without those of its parts that have some words; None where none has them, "" where all have."""
    is_done = begins_with_verb(text)  # "Write and try the way back" is one thing
    pieces = _JOINT.split(re.sub(r"^(\w+) and (?=\w+ )", "\\1 \0", text) if is_done else text)
    parts, joints = pieces[::2], pieces[1::2]
    has = [set(words) <= set(roots(part)) for part in parts]
    if not any(has):
        return None
    parts = [part.replace("\0", "") for part in parts] if all(has) else parts
    if all(has) or len(parts) == 1:
        return ""
    kept = [part for part, is_out in zip(parts, has, strict=True) if not is_out]
    if has[-1] and len(kept[-1].split()) == 1 < len(parts[-1].split()):
        return ""  # "German and French invoices": the noun of both would go
    if (
        has[0]
        and (first := parts[0].split())
        and not re.match(r"(?i)(?:[a-z]+ )?(?:is|are|wants?|has|must)\b", kept[0])
    ):
        is_clause = re.match(r"(?:[a-z]+ (?:the|an?|my|our|its|it)\b|my |our )", kept[0])
        kept[0] = kept[0] if is_clause else f"{first[0]} {kept[0]}"
    left = [joint for joint, is_out in zip(joints, has[1:], strict=True) if not is_out][-len(kept) + 1 :]
    whole = kept[0] + "".join(f"{joint}{part}" for joint, part in zip(left, kept[1:], strict=False))
    whole = whole.replace(" \0", " and ")
    return whole[:1].upper() + whole[1:]


def _denied(context: Context, match: re.Match[str]) -> Reply | None:
    """Take out what is not wanted: parts of lines that name it, word for word."""
    thing = re.sub(r"(?i)\b(?:thing|bit|part|stuff|one)\b|,.*$", "", match["thing"]).strip(" .!")
    words = list(telling(thing))
    is_line = re.match(r"(?i)(?:the |that |this |my |our )?(?:risk|question|step|task|constraint|criterion)\b", thing)
    if not words or len(words) > 4 or is_line or re.search(rf"\b{ID}\b", thing) or facts(thing, context.today):
        return None
    if context.finder.pinned or any(step.owner and set(roots(step.owner)) & set(words) for step in context.open_steps):
        return None
    edit, cut, whole = context.edit(), list[str](), list[Item]()
    for item in context.open_lines:
        if isinstance(item, Risk | Criterion | Person):
            continue
        values: dict[str, str] = {}
        for field in _FIELDS:
            new = _without(text, words) if (text := str(getattr(item, field, "") or "")) else None
            if new is not None:
                values[field] = new
        main = "title" if isinstance(item, Step) else "text"
        if main not in values:
            continue
        if values[main]:
            edit.set(item.id, **{field: value for field, value in values.items() if value or field != main})
            cut.append(item.id)
        else:
            whole.append(item)
    if not cut:
        return None
    if any(isinstance(item, Step) for item in whole):
        raise Unclear(
            f"Does that change {listed([quoted(item) for item in whole[:4]])} as well, or {listed(cut)} alone?"
        )
    answers = [f"{name} says “{wording(edit.item(name))}” now" for name in cut]
    rest = f"; {listed([quoted(item) for item in whole[:3]])} still speaks of it" if whole else ""
    return context.done("; ".join(answers) + rest, edit, cut, partly=bool(rest))


_NEGATION = (
    r"^(?:(?:that's |this is |it's )?(?:wrong|not true|not right|no)[:,;.–-]+ ?)?(?:there(?:'s| is| are)|we(?:'ve "
    r"got| have| need|'ve)?|i(?: have| need)?) (?:no|not an?y?|don't have an?y?|haven't (?:got )?an?y?) "
    r"(?P<thing>[^,;]+?)(?: to [a-z]+| any ?more| at all)?(?:[,;].*)?$"
)


def _no_such(context: Context, match: re.Match[str]) -> Reply | None:
    """Ask about the steps that rest on what is said not to be there; a denial changes no line by itself."""
    words = telling(match["thing"])
    resting = [
        step for step in context.open_steps
        if words and all(any(likeness(word, own) >= 0.9 for own in roots(lines_of(step))) for word in words)
    ]  # fmt: skip
    is_owner = any(step.owner and set(roots(step.owner)) & set(words) for step in context.open_steps)
    if not resting or is_owner or facts(match["thing"], context.today):
        return None
    raise Unclear(
        context.told(f"{{}} rests/rest on {match['thing']}: what should happen to it/them?", resting[:4]),
        about=tuple(step.id for step in resting),
    )


# --- lines that are no steps ------------------------------------------------------------------------------------------


def _softened(context: Context, match: re.Match[str]) -> Reply | None:
    """Make a wish of a constraint: "no downtime is nice to have, not a must"."""
    what = match["what"].strip(" ,")
    items = [item for item in context.plan.items if isinstance(item, Constraint)]
    own = set(roots(what))
    near = [item for item in items if item.id in what.upper().split() or (own and own <= set(roots(item.text)))]
    near = near or [item for item in items if context.finder.share(what, item) >= 0.8]
    if len(near) != 1:
        return None
    [item], edit = near, context.edit()
    parts = [part for part in _JOINT.split(item.text)[::2] if roots(part)]
    if len(parts) > 1 and item.id not in what.upper().split() and not own >= set(roots(item.text)):
        raise Unclear(f"{quoted(item)} says more than that: how should each part of it be said?", about=(item.id,))
    edit.forget(item.id)
    name = edit.new_id(Bullet)
    edit.add(Bullet(id=name, text=item.text, priority="could"), section="scope")
    for step in context.plan.steps:
        if item.id in step.answers:
            edit.set(step.id, answers=(*edit.step(step.id).answers, name))
    return context.done(f"{quoted(item)} is no constraint any more, but a wish ({name})", edit, [name])


_NEXT_SIGN = re.compile(
    r",? and (?=(?:\S+ ){1,6}?(?:is|are|has|have|takes?|can|gets?|stays?|comes?|goes|works?|don't|do|does|doesn't|"
    r"[a-z]{3,}s)\b)"
)
"""Between two signs of success."""


def _succeeding(context: Context, match: re.Match[str]) -> Reply | None:
    """Note how success is seen, or how somebody can tell that the step just spoken of is done."""
    text = match["text"].strip(" .")
    if re.search(r"(?i)\b(?:done|finished|complete)$", match["lead"].strip()):
        step = recent_of(context, Step)
        if step is None:
            return None
        before = context.text[: match.start()].strip(" ,.;") if match.start() else ""
        before = re.sub(r"(?i),? and$", "", before)
        if facts(before, context.today):
            return None
        values = {"check": sentence(text)}
        if before and not step.outcome:
            values["outcome"] = sentence(before)
        return context.change([step], f"{{}} is done when “{sentence(text)}”", **values)
    share = re.search(r"(?i)(?:at (?:least|most) )?\d+ (?:out )?of (?:the )?\d+", text)
    near = [item for item in context.plan.items if isinstance(item, Criterion) and item.target and any(
        likeness(word, own) >= 0.9 for word in roots(text) for own in roots(f"{item.text} {item.measure}")
        if not word.isdecimal())]  # fmt: skip
    if share and len(near) == 1:
        return context.change(near, f"The target of {{}} is {share[0]} now, was {near[0].target}", target=share[0])
    edit, names = context.edit(), list[str]()
    for part in _NEXT_SIGN.split(text):
        names.append(edit.add(criterion(context, edit, part)))
    settled = [item for item in context.plan.items if isinstance(item, Question) and re.search(
        r"(?i)\b(?:worked|success\w*|succeeded)\b", item.text)]  # fmt: skip
    for question in settled:
        edit.forget(question.id)
    answer = listed([quoted(edit.item(name)) for name in names])
    rest = f"; {listed([item.id for item in settled])} is settled" if settled else ""
    return context.done(f"{answer} {'is' if len(names) == 1 else 'are'} added{rest}", edit, names)


def criterion(context: Context, edit: Edit, text: str) -> Criterion:
    """Return a new criterion, with its target and its day where the words have them."""
    due = next(
        (fact for fact in days(text, context.today) if not fact.text.lower().startswith(("within", "in "))), None
    )
    bare = without(text, [due]) if due else text
    limit = re.search(
        r"(?i)\b(?:not more than|no more than|at most|at least|not less than|under|over|below|above|fewer than|less "
        r"than|more than|all|none) (?:of )?\d[\d.,]*(?: ?%| percent| (?:out )?of (?:the )?\d+)?|\b\d[\d.,]* ?(?:%|"
        r"percent)",
        bare,
    )
    measure = sentence(f"{bare[: limit.start()]} {bare[limit.end() :]}") if limit else ""
    target = limit[0] if limit and len(measure.split()) > 1 else ""
    return Criterion(
        id=edit.new_id(Criterion),
        text=sentence(bare),
        measure=measure if target else "",
        target=re.sub(r"(?i)^(?:not|no) more than", "at most", target),
        due=limit_of(due).isoformat() if due else None,
    )


_CAP = r"max(?:imum|\.)?|at most|not more than|no more than|up to|under|below|capped at|tops"
_LIMITED = re.compile(
    rf"(?P<what>[^\d]{{3,40}}?)[: ]+(?:{_CAP}|for)? ?(?P<sum>\D?\d[\d.,]*\d?k?(?: ?[€$£]| ?[A-Za-z]{{3,5}})?)"
)
_LIMIT_FOR = re.compile(rf"(?:{_CAP}) (?P<sum>\S*\d\S*(?: ?[A-Za-z€$£]+)?) (?:for|on) (?P<what>.+)")


def _capped(context: Context, _match: re.Match[str]) -> Reply | None:
    """Note what may be spent on each of several things: "music max 1,200, food at most 9k"."""
    named: list[tuple[str, str]] = []
    for part in re.split(r"[;,](?!\d{3})\s*(?:and )?|\band\b", context.text):
        limit = _LIMITED.fullmatch(part.strip(" .")) or _LIMIT_FOR.fullmatch(part.strip(" ."))
        if limit is None:
            return None
        named.append((re.sub(rf"(?i)\s*\b(?:{_CAP}|is|costs?|the|no)$", "", limit["what"]).strip(" :"), limit["sum"]))
    sums = [money(f"budget {amount}", context.today, context.currency) for _, amount in named]
    is_capped = re.search(rf"(?i)\b(?:{_CAP})\b", context.text) is not None
    if (
        len(named) < 2
        or not is_capped
        or not all(sums)
        or any(re.search(r"(?i)\bbudget|deadline\b", w) for w, _ in named)
    ):
        return None
    edit, answers = context.edit(), list[str]()
    for (what, _), amount in zip(named, sums, strict=True):
        if amount is None:
            return None
        words = f"At most {money_told(amount)} for {what.lower()}"
        name = edit.add(Constraint(id=edit.new_id(Constraint), text=words, limits="amount", amount=amount))
        near = context.finder.clear_steps(what)
        answers.append(f"{name} “{words}” is added" + ("" if near else f" (no step speaks of {what.lower()})"))
    return context.done("; ".join(answers), edit)


def recent_of(context: Context, kind: type[AnyItem]) -> AnyItem | None:
    """Return the one line of a kind that a note is pinned to, or that was spoken of just before."""
    names = [context.finder.pinned] if context.finder.pinned else context.finder.recent
    item = context.finder.by_id.get(names[0].upper()) if len(names) == 1 else None
    return item if isinstance(item, kind) else None


def _said_of_new(context: Context, match: re.Match[str]) -> Reply | None:
    """Take what somebody has to do for what the new step is about: "you forgot support. Amir has to brief them"."""
    step, who = recent_of(context, Step), context.owner(match["who"])
    if step is None or not who or step.owner or step.outcome or step.start != step.end or len(step.title.split()) > 2:
        return None
    wanted = read_step(context, match["does"])
    values: dict[str, object] = {
        "owner": who,
        "title": f"{step.title}: {wanted.text[:1].lower()}{wanted.text[1:]}"[:160],
    }
    if wanted.length:
        values["effort"] = wanted.length.working
    edit = context.edit()
    edit.set(step.id, **values)
    if wanted.before:
        put_before(edit, step.id, wanted.before)
    answer = f"{step.id} “{values['title']}” is {possessive(who)} now" + (f", {wanted.length}" if wanted.length else "")
    return context.done(answer + (f", before {wanted.before}" if wanted.before else ""), edit, [step])


def _not_invented(context: Context, _match: re.Match[str]) -> Reply | None:
    """Say that this planner invents nothing, and what is missing where that is asked for."""
    lacking = [
        f"{risk.id} has no {listed([f for f in ('sign', 'response') if not getattr(risk, f)], 'and no')}"
        for risk in context.plan.items
        if isinstance(risk, Risk) and not (risk.sign and risk.response) and re.search(r"(?i)\brisk", context.text)
    ]
    rest = f"; {listed(lacking)}" if lacking else ""
    return Reply(
        f"The offline planner invents nothing: say what should stand there, or choose a language model{rest}",
        outcome="not done",
    )


FRAMES: tuple[Frame, ...] = (
    Frame(
        r"^(?:(?:can|could|would|will) you )?(?:please )?(?:come up with|think (?:of|up)|invent|brainstorm|surprise "
        r"me|suggest|propose|find us|give (?:me|us)|write(?: me| us)?|draft|make up) (?!.*(?:\bstep\b.*:|approach|"
        r"option|alternative|version)).*\b(?:something|ideas?|more fun|better|proper|nicer|section|text|names?|"
        r"slogans?|jokes?|suggestions?|good|creative)\b",
        _not_invented,
    ),
    Frame(r"^(?:please )?(?:swap|switch|exchange)\b", _swapped),
    Frame(_NEGATION, _no_such),
    Frame(
        r"^(?:no|drop|skip|forget(?: about)?|scrap|lose|leave out|without) (?:the |an? |any "
        r")?(?P<thing>[^,;.]+?)(?: please| then| any ?more)?$",
        _denied,
    ),
    Frame(
        r"^(?P<what>.+?) (?:is|are|would be)(?: only| just| really| more of)? (?:an? )?(?:nice[- ]to[- ]haves?|nice|"
        r"optional|wish|bonus|not (?:an? )?(?:must|essential|vital|hard limit)|no must|negotiable|flexible)\b",
        _softened,
    ),
    Frame(
        r"(?P<lead>(?:^|\b)(?:for (?:me|us),? )?(?:(?:it|this|that|we|i|the (?:plan|project|thing))(?:'s|'m|'re|'ve|"
        r" is| am| are| will be|'d be| was| has| have)?)? ?(?:been )?(?:an? )?(?:success(?: for (?:me|us))?|"
        r"successful|succeeded|worked|happy|done|finished|complete|win))(?:(?: is| means| looks like)?(?: (?:if|when|"
        r"once|as soon as|that)| ?[:=])| means) (?P<text>.+)$",
        _succeeding,
    ),
    Frame(r"\d", _capped),
    Frame(
        r"^(?P<who>[A-Z][\w-]+|I) (?:has to|have to|needs? to|will|should|must|can|is going to) (?P<does>(?!(?:take|"
        r"do|own|handle|sign|approve|be)\b)[a-z].+)$",
        _said_of_new,
    ),
)
"""In the order in which they are tried, after what is asked of the workbench itself."""
