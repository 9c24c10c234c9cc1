"""Do steps wait for one another in their words: each asks for what only the other makes, though no need says so.

S7 "the signed lease is in the bank's file"        S8 "Lease, signed by the parish", and S8 needs S7
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.plan import Step
from workbench.domain.text.words import stem_set, stems

_MADE = (
    r"signed|countersigned|approved|finished|final|printed|completed?|agreed|tested|released|accepted|confirmed|stamped"
    r"|granted|issued|built|delivered|installed|certified|sealed|corrected|valid|binding|paid"
)
_ASKS = re.compile(
    rf"\b(?:{_MADE}) (?!(?:every|each|all|an?|the|it|them|by|for|on|off|with|without|in|at|to)\b)"
    r"(?P<thing>[\w'’-]+(?: [\w'’-]+)?)|\b(?:once|as soon as|only (?:with|after|when|against)|needs?|requires?"
    r"|demands?|waits? for|waiting for|until|presupposes?|in exchange for|depends on|based on|drawn from|taken from"
    r"|according to|not (?:before|without)) (?P<what>[^.;:,]{1,70})",
    re.IGNORECASE,
)
"""What a text wants to be there already."""
_ON_CONDITION = re.compile(
    r"\b(?:once|as soon as|after|when|only|against|until|unless|needs?|requires?|demands?|waits?|waiting)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(
    r"\b(?:waits? for|waiting for|needs?|requires?|once|only (?:after|when|with)|depends on|based on|after|by way of"
    r"|results?|outcome|from|uses?|using|with) (?:[^.;:,]{0,60}? )?(?P<step>S\d+)\b|\b(?:that|which|what|as|(?:taken"
    r"|made|done|found|measured|collected|produced|bought|drawn|written) (?:by|in|during)) (?P<maker>S\d+)\b",
    re.IGNORECASE,
)
_HEAD = re.compile(
    r"\b(?:for|of|with|without|by|to|in|from|on|at|that|which|who|and|or|are|is|was|were|has|have|as|into)\b|[,:;.(]",
    re.IGNORECASE,
)
_TOO_GENERAL = stem_set(
    f"step work plan date day week month year hour time list page line sheet card form number name people team copy "
    f"part set two three {_MADE.replace('|', ' ')}"
)


def nothing_waits_for_what_needs_it(case: Case) -> Iterator[Finding]:
    """Find steps whose words ask for what a step makes that needs them."""
    makers: dict[str, list[Step]] = {}
    for step in case.steps.values():
        for thing in _made_by(step):
            makers.setdefault(thing, []).append(step)
    for section, step in case.every(Step):
        later = next(_asked_of_later(case, step, makers), None)
        if later and step.status not in ("done", "dropped"):
            other, words = later
            text = (
                f"{step.id} {quoted(step.title)} asks for {quoted(words)}, which {other.id} {quoted(other.title)} "
                f"makes, and {other.id} comes after it."
            )
            remedy = f"Say which of {step.id} and {other.id} can go first without the other."
            is_sure = other.id in words and step.id in case.ancestors(other)
            severity: Severity = "major" if is_sure else "minor"
            yield fault("steps.cycle", severity, (section, step), text, remedy)


def _made_by(step: Step) -> frozenset[str]:
    """Return the word for what a step makes: the last one before its outcome goes into details."""
    named = [word for word in stems(_HEAD.split(step.outcome, maxsplit=1)[0]) if not word[0].isdigit()]
    return frozenset(named[-1:]) - _TOO_GENERAL


def _asked_of_later(case: Case, step: Step, makers: dict[str, list[Step]]) -> Iterator[tuple[Step, str]]:
    """Yield the steps that need a step, and make what its words ask for."""
    before = case.ancestors(step)
    own = frozenset(stems(step.title)) | _made_by(step)
    known = own.union(*(case.words(case.steps[name]) for name in before))
    for text in (step.title, step.outcome, step.check, step.notes):
        for match in _NAMES.finditer(text):
            other = case.steps.get(match["step"] or match["maker"])
            is_later = other and other is not step and (step.id in case.ancestors(other) or case.precedes(step, other))
            if other and is_later and " not " not in match[0]:
                yield other, match[0]
        for match in _ASKS.finditer(text):
            if text is step.outcome and match["thing"] and not _ON_CONDITION.search(text[: match.end()]):
                continue
            for word in stems(match["thing"] or match["what"]):
                makes = makers.get(word, ()) if word not in known else ()
                yield from ((other, match[0]) for other in makes if step.id in case.ancestors(other))
