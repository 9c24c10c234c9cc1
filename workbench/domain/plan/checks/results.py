"""Is everything made that a step relies on, and before it.

    results.unmade     "the signed contract", "according to the seating plan": and no step makes one
    results.later      what a step relies on is made only after it
    ids.unknown        "as in S12": and there is no S12

A result is a document or a thing of the same few kinds (``_RESULTS``) that is spoken of as finished, or as something
to go by. What exists already is seldom named in this way.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.plan import Risk, Step
from workbench.domain.text.words import stem_set, stems

_RESULTS = """
    agreement analysis announcement application approval assessment blueprint brief briefing budget calculation
    catalogue
    certificate checklist commitment comparison concept contract copy cost curriculum design diagram dossier draft
    drawing
    estimate evaluation forecast form guideline handbook inventory invitation leaflet lease letter licence list log
    manual map mapping memo menu minutes mock-up offer order outline permit plan plans policy poster presentation
    procedure programme proposal protocol prototype quote record receipt recipe register report roster rota sample
    schedule script sketch specification strategy study summary survey syllabus template ticket timetable valuation
"""
_KINDS = stem_set(_RESULTS)
_EVIDENCE = stem_set("protocol receipt record minutes letter log certificate register report form")
"""Kinds that come about by checking, so that nobody else has to make them."""
_PLANNED = stem_set("plan design drawing concept menu schedule programme rota roster timetable script budget")
"""Kinds that seldom exist before somebody plans."""
_FINISHED = (
    "signed|approved|agreed|confirmed|accepted|tested|final|finished|completed|countersigned|stamped|granted|released"
    "|written|printed|revised|updated|audited|verified|negotiated"
)
_NOUNS = r"((?:[\w-]+ ){0,2}?[\w-]+)"
_SPOKEN_OF = re.compile(rf"\b(?:the|its|their|our) (?:{_FINISHED}) {_NOUNS}(?![\w-])", re.IGNORECASE)
_GONE_BY = re.compile(
    r"\b(?:according to|based on|compared (?:with|to|against)|as (?:drawn|agreed|described|set out|fixed|written"
    r"|planned|"
    r"shown|laid down|listed) in|in line with|against|follow(?:s|ing)?|matches|match|equals?|corresponds? to|as per|"
    rf"in accordance with|checked (?:with|by)) (?:the|our|its) {_NOUNS}(?![\w-])",
    re.IGNORECASE,
)
_ID = re.compile(r"(?<![\w-])([SK])(\d{1,3})(?![\w-])")


def results_are_made(case: Case) -> Iterator[Finding]:
    """Find results that a step goes by, and that no step makes, or only a later one."""
    made: dict[str, list[Step]] = defaultdict(list)
    for step in case.steps.values():
        for word in frozenset(stems(_without_references(f"{step.title} . {step.outcome}"))) & _KINDS:
            made[word].append(step)
    known = {
        word for _, item in case.placed if not isinstance(item, Step | Risk) for word in stems(wording(item))
    } | set(stems(case.goal))
    for section, step in case.every(Step):
        if step.status in ("done", "dropped"):
            continue
        for phrase in _references(step):
            words = stems(phrase.text)
            kind = next((word for word in words if word in _KINDS), "")
            makers = [maker for maker in made.get(kind, ()) if set(words) <= case.words(maker)]
            is_named = phrase.is_finished or (len(words) > 1 and kind in _PLANNED)
            if kind and is_named and kind not in made and kind not in known and kind not in _EVIDENCE:
                text = f"{step.id} relies on {quoted(phrase.text)}, and no step of the plan makes it."
                remedy = f"Add a step before {step.id} that makes it, or say where it comes from."
                yield fault("results.unmade", "minor", (section, step), text, remedy)
                break
            if len(words) > 1 and len(makers) == 1 and _is_later(case, makers[0], step):
                text = f"{step.id} relies on {quoted(phrase.text)}, which {makers[0].id} makes only later."
                remedy = f"Let {step.id} need {makers[0].id}."
                yield fault("results.later", "major", (section, step), text, remedy)
                break


@dataclass(frozen=True, slots=True)
class _Reference:
    """What a step goes by."""

    text: str
    """Three words at most, the kind of result last."""
    is_finished: bool
    """Whether it is spoken of as done: "the signed contract"."""


def _references(step: Step) -> Iterator[_Reference]:
    for text in (step.check, step.outcome, step.title, step.notes):
        for pattern in (_SPOKEN_OF, _GONE_BY):
            for match in pattern.finditer(text):
                words = text[match.start(1) :].split()[:3]
                heads = [at for at, word in enumerate(words) if frozenset(stems(word)) & _KINDS]
                if heads:
                    phrase = " ".join(words[: heads[0] + 1]).strip(" .,;:")
                    yield _Reference(phrase, pattern is _SPOKEN_OF)


def _without_references(text: str) -> str:
    return _GONE_BY.sub(" ", text)


def _is_later(case: Case, maker: Step, step: Step) -> bool:
    if maker is step or case.precedes(maker, step):
        return False
    if step.id in case.ancestors(maker):
        return True
    return bool(maker.start and step.end and maker.start > step.end)


def ids_in_texts_are_known(case: Case) -> Iterator[Finding]:
    """Find steps and constraints that a text names by an id that nothing has."""
    known = {item.id for _, item in case.placed}
    kinds = {match[1] for name in known if (match := _ID.fullmatch(name))}
    for section, item in case.placed:
        texts = (str(getattr(item, name, "")) for name in ("outcome", "check", "notes", "response", "sign", "reason"))
        named = (match for text in texts for match in _ID.finditer(text))
        unknown = next((match[0] for match in named if match[0] not in known and match[1] in kinds), "")
        if unknown:
            text = f"{item.id} {quoted(wording(item))} speaks of {unknown}, and there is no {unknown}."
            yield fault("ids.unknown", "minor", (section, item), text, f"Correct what {item.id} speaks of.")
