"""Reads what a model replied to a task: lenient in form, strict in meaning.

    text ─▶ objects in it ─▶ the one that answers ─▶ Reply, and notes of what was mended or left out
                                    └ none does ─▶ ModelReplyInvalid: what is wrong, and what to answer

A repair answers with the bad part only: it is read over what the first reply held.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from workbench.domain.errors import ModelReplyInvalid
from workbench.domain.log.ids import section_id
from workbench.domain.loop.answers.coercion import Coercion, Unfit, plain
from workbench.domain.loop.answers.fresh_ids import give_ids, give_item_ids
from workbench.domain.loop.answers.item_reply import LISTS, ItemReply, clear_empty_texts
from workbench.domain.loop.answers.reply_rules import RULES
from workbench.domain.loop.asking.tasks import (
    GenerateReply,
    GenerateTask,
    LoopTask,
    PlanReply,
    PlanTask,
    ProposeReply,
    Reply,
    WorkTask,
    reply_type,
)
from workbench.domain.loop.limits import LONGEST_TITLE, MOST_OF_A_DELIVERABLE, excess
from workbench.domain.plan.markdown.grammar import LETTERS
from workbench.domain.plan.plan import Amendment, Plan, amend
from workbench.domain.text.cleaning import clean, clean_json
from workbench.domain.text.document import unfenced
from workbench.domain.text.loose_json import LooseValue, TooDeep, json_values
from workbench.domain.text.patterns import lazy_pattern

MOST_NOTES = 20
"""Notes of one reply; the rest is counted."""
_MOST_CANDIDATES = 50
"""Objects of one reply that are considered, the last ones."""


class ReadReply(NamedTuple):
    """A reply, and what became of it on the way."""

    reply: Reply
    mended: tuple[str, ...] = ()
    """What was mended or left out, each in a sentence; () if it was as it should be."""
    is_cut: bool = False
    """Whether its text ends before it does."""


def read_reply(task: LoopTask | WorkTask, text: str, before: str = "") -> ReadReply:
    r"""Return a model's answer to ``task``, every text in it cleaned (``\u001b`` is harmless only until decoded).

    ``before`` is the reply that this one repairs; "" for a first one. Raises ModelReplyInvalid with what is wrong, and
    as its remedy what the model is to answer.
    """
    kind = _answer_type(task, text, before)
    if isinstance(task, GenerateTask) and not _DELIVERABLE.search(text):
        return _document(text)
    known: list[LooseValue] = []
    with suppress(TooDeep):
        known = _candidates(kind, before)[-1:]
    try:
        candidates = _candidates(kind, text)
    except TooDeep as error:
        raise ModelReplyInvalid(
            "The reply's JSON is nested too deeply.", "Answer with one flat JSON object."
        ) from error
    if kind is ItemReply and isinstance(task, PlanTask) and task.plan is not None and unfenced(text).strip() == "{}":
        return ReadReply(ItemReply())  # nothing is to be changed
    if not candidates:
        raise ModelReplyInvalid("The reply holds no JSON object.", "Answer with one JSON object and nothing else.")
    fault: Unfit | None = None
    for candidate in _in_order(candidates, known):
        try:
            return _check_reply(task, _coerce_reply(task, kind, candidate))
        except Unfit as unfit:
            fault = fault or unfit
    remedy = _AS_DOCUMENT if isinstance(task, GenerateTask) else _asked_for(fault)
    raise ModelReplyInvalid(f"The reply does not fit: {fault}.", remedy)


_IN_SECTIONS = lazy_pattern(r"[\"'“]amendments[\"'”]\s*:", re.IGNORECASE)
"""What an answer in whole sections has, and none by item: older sessions' replies, and those of weak models."""


def _answer_type(task: LoopTask | WorkTask, text: str, before: str) -> type[Any]:
    """Return the type of an answer: of a plan, by item or in whole sections."""
    if isinstance(task, PlanTask) and task.by_item and not _IN_SECTIONS.search(before or text):
        by_item: type[Any] = ItemReply
        return by_item
    return reply_type(task)


_DELIVERABLE = lazy_pattern(r"[{\"'“]\s*deliverable\b", re.IGNORECASE)
"""What JSON that holds a deliverable has in it, and no document."""
_AS_DOCUMENT = "Answer with the document alone, in Markdown, and begin with a line `# TITLE`."
_JSON = lazy_pattern(r"[{\[]\s*[\"'{\[]")
_HEADING = lazy_pattern(r"^#{1,6} ", re.MULTILINE)
_SHORTEST_WITHOUT_HEADINGS = 40
"""Words below which a text without a heading is a remark, and no document."""


def _document(text: str) -> ReadReply:
    """Read the answer to a task that is answered with a document."""
    document = unfenced(clean(text)).strip()
    is_short = len(document.split()) < _SHORTEST_WITHOUT_HEADINGS and _HEADING.search(document) is None
    if is_short or _JSON.match(document):
        raise ModelReplyInvalid("The reply is no document.", _AS_DOCUMENT)
    if len(document) <= MOST_OF_A_DELIVERABLE:
        return ReadReply(GenerateReply(deliverable=document))
    note = f"The document has {len(document):,} characters; the first {MOST_OF_A_DELIVERABLE:,} were read."
    return ReadReply(GenerateReply(deliverable=document[: MOST_OF_A_DELIVERABLE - 1] + "…"), (note,))


# --- which object it is -----------------------------------------------------------------------------------------------


def _candidates(kind: type[Any], text: str) -> list[LooseValue]:
    """Return the objects of a text that have a field of the reply, each out of what it is wrapped in."""
    names = {plain(name) for name in kind.__struct_fields__}
    fields = names | {name for owner, name in RULES.aliases if owner == kind.__name__}
    unwrapped = (
        replaced for candidate in json_values(text) if (replaced := _unwrapped(kind, fields, candidate)) is not None
    )
    return list(unwrapped)[-_MOST_CANDIDATES:]


def _unwrapped(kind: type[Any], fields: set[str], candidate: LooseValue) -> LooseValue | None:
    value = candidate.value
    if isinstance(value, list):
        objects = [part for part in value if isinstance(part, dict)]
        if len(objects) == 1 and _answers(objects[0], fields):
            return candidate._replace(value=objects[0], is_mended=True)
        items = next((field.name for field in msgspec.structs.fields(kind) if field.required), "steps")
        is_list_of = objects and items in {"findings", "actions", "approaches", "amendments", "steps"}
        return candidate._replace(value={items: objects}, is_mended=True) if is_list_of else None
    if _answers(value, fields):
        return candidate
    for inner in value.values():
        read = _read_inner(inner)
        if isinstance(read, dict) and _answers(read, fields):
            return candidate._replace(value=read, is_mended=True)
    return None


def _answers(value: dict[str, Any], fields: set[str]) -> bool:
    return not fields.isdisjoint(map(plain, map(str, value)))


def _read_inner(value: Any) -> Any:
    """Return a value, and JSON that was written into a string as what it says."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        with suppress(TooDeep):
            return next((loose.value for loose in json_values(value)), None)
    return value


def _in_order(candidates: Sequence[LooseValue], known: Sequence[LooseValue]) -> Iterator[LooseValue]:
    """Yield what is tried, first what a model says last; then all of it together, as one that was parted."""
    for candidate in reversed(candidates):
        yield from (_merge_parts([*known, candidate]),) if known else (candidate,)
    if len(candidates) > 1:
        yield _merge_parts([*known, *candidates])


def _merge_parts(parts: Sequence[LooseValue]) -> LooseValue:
    value: dict[str, Any] = {}
    for part in parts:
        fields = part.value if isinstance(part.value, dict) else {}
        value |= {name: new for name, new in fields.items() if new not in ("", [], None) or name not in value}
    return LooseValue(value, any(part.is_mended for part in parts), is_cut=parts[-1].is_cut)


# --- what it says -----------------------------------------------------------------------------------------------------


def _coerce_reply(task: LoopTask | WorkTask, kind: type[Any], candidate: LooseValue) -> ReadReply:
    most = MOST_OF_A_DELIVERABLE if "deliverable" in kind.__struct_fields__ else RULES.most_characters
    coercion = Coercion(replace(RULES, most_characters=most))
    value = clean_json(candidate.value)
    if isinstance(task, PlanTask):
        by_item = kind is ItemReply
        coercion.notes += give_item_ids(value, task.plan, LETTERS_OF_LISTS) if by_item else give_ids(value, task.plan)
        if by_item:
            clear_empty_texts(value)
    reply = coercion.read(kind, value)
    notes = ["It was not quite JSON, and was read as what it was meant to be."] if candidate.is_mended else []
    notes += ["It was cut off; what had come was used."] if candidate.is_cut else []
    reply, longer = _with_short_titles(reply, task.plan if isinstance(task, PlanTask) else None)
    notes += longer
    reply, renamed = _with_usable_ids(reply)
    count = coercion.reshaped + renamed
    if count:
        notes.append(f"{count:,} value{' was' if count == 1 else 's were'} put into the form that was asked for.")
    notes += coercion.notes
    more = len(notes) - MOST_NOTES
    mended = tuple(notes) if more <= 0 else (*notes[:MOST_NOTES], f"And {more:,} more.")
    return ReadReply(reply, mended, candidate.is_cut)


def _with_short_titles(reply: Reply, plan: Plan | None) -> tuple[Reply, list[str]]:
    """Return a reply in which what is too long for a step's title is in its outcome, and what was done so."""
    if not isinstance(reply, ItemReply):
        return reply, []
    long = [step for step in reply.steps if step.title and len(step.title) > LONGEST_TITLE]
    if not long:
        return reply, []
    known = {step.id: step.outcome for step in plan.steps} if plan is not None else {}
    shorter = {id(step): _with_short_title(step, known.get(step.id, "")) for step in long}
    notes = [
        f"The title of {step.id} has {len(step.title):,} characters; all behind {LONGEST_TITLE:,} is in its outcome."
        for step in long
    ]
    return replace(reply, steps=tuple(shorter.get(id(step), step) for step in reply.steps)), notes


def _with_short_title(step: Any, outcome: str) -> Any:
    cut = LONGEST_TITLE - 1
    said = (f"…{step.title[cut:]}", step.outcome or outcome)
    return replace(step, title=f"{step.title[:cut]}…", outcome="\n".join(filter(None, said)))


LETTERS_OF_LISTS = {
    name: "".join(letter for letter, known in LETTERS.items() if known is kind) for name, kind in LISTS.items()
}
"""The letters of ids in each list of an answer by item."""


def read_items(value: dict[str, Any], plan: Plan | None) -> Any:
    """Return JSON as an answer by item, its new items with ids of the plan. Raises Unfit."""
    give_item_ids(value, plan, LETTERS_OF_LISTS)
    clear_empty_texts(value)
    return Coercion(RULES).read(ItemReply, value)


def _with_usable_ids(reply: Reply) -> tuple[Reply, int]:
    """Return a reply whose approaches and sections can be told apart, and how many ids were made for that."""
    match reply:
        case ProposeReply(approaches=approaches):
            ids = [approach.id for approach in approaches]
            if len(set(ids)) == len(ids) and all(ids):
                return reply, 0
            numbered = tuple(replace(approach, id=f"A{number}") for number, approach in enumerate(approaches, start=1))
            return replace(reply, approaches=numbered), len(ids)
        case PlanReply(amendments=amendments):
            named = tuple(map(_with_section_id, amendments))
            changed = sum(new is not old for new, old in zip(named, amendments, strict=True))
            return (replace(reply, amendments=named), changed) if changed else (reply, 0)
    return reply, 0


def _with_section_id(amendment: Amendment) -> Amendment:
    section = amendment.section
    name = section_id(section.id) or section_id(section.title)
    after = section_id(amendment.after) if amendment.after else amendment.after
    if (name, after) == (section.id, amendment.after):
        return amendment
    return replace(amendment, section=replace(section, id=name), after=after)


def _check_reply(task: LoopTask | WorkTask, read: ReadReply) -> ReadReply:
    """Refuse more than can be kept and checked, and what says nothing."""
    reply = read.reply
    if isinstance(reply, PlanReply) and isinstance(task, PlanTask):
        new = amend(task.plan or Plan(title=""), reply.amendments)
        nameless = next((amendment for amendment in reply.amendments if not amendment.section.id), None)
        if nameless is not None:
            raise Unfit("amendments", "hold a section with neither an id nor a title")
        why = excess(new.sections)
        if why:
            remedy = "Answer with less: group what belongs together, and leave out the rest."
            raise ModelReplyInvalid(f"{why}.", remedy)
        if not new.sections:
            raise Unfit("amendments", "hold no section of the plan")
    if isinstance(task, PlanTask) and task.plan is None and isinstance(reply, ItemReply) and not reply.steps:
        raise Unfit("steps", "hold no step")
    if isinstance(reply, ProposeReply) and not (reply.approaches or any(map(str.strip, reply.questions))):
        raise Unfit("approaches", "hold no approach")
    return read


def _asked_for(fault: Unfit | None) -> str:
    """Return what a repair is to answer with: the field that is bad, and no other."""
    field = (fault.place or fault.reason.strip("`").partition("`")[0]) if fault is not None else ""
    name = field.partition("[")[0].partition(".")[0]
    if not name.isidentifier():
        return "Answer with one JSON object that fits the schema, and nothing else."
    return f"Answer with one JSON object that holds only `{name}`, all of it; the rest of your answer is kept."
