"""Is everything there that a plan needs: criteria, steps with outcome and check, owners, efforts, ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, Severity, fault, quoted
from workbench.domain.plan.plan import Criterion, Step
from workbench.domain.text.words import stem, stem_set, stems, tokens

_EMPTY = """
    finished complete done ready ok okay tbd tba todo step task work clear n na yes fine known open later define decide
    check nothing
"""
SAYS_NOTHING = stem_set(_EMPTY)
"""Stems of words that, alone, tell nobody how a step is checked or what comes out of it."""


def has_criteria_and_steps(case: Case) -> Iterator[Finding]:
    """Find a plan without criteria or steps: nothing says what success is, or what is done for it."""
    severity: Severity = "minor" if case.is_being_asked else "major"
    if next(case.every(Criterion), None) is None:
        yield Finding(
            rule="criteria.none",
            severity=severity,
            text="The plan has no success criterion.",
            remedy="Say how success is measured, against which target and until when.",
        )
    if not case.plan.steps:
        yield Finding(rule="steps.none", severity=severity, text="The plan has no step.", remedy="Add the steps.")


def steps_are_complete(case: Case) -> Iterator[Finding]:
    """Find steps without outcome or check, and, less grave, without owner or effort.

    A milestone says by its title what is reached, waiting is no effort, and a whole has its parts.
    """
    for section, step in case.every(Step):
        if step.status == "dropped":
            continue
        is_reached = step.milestone and bool(stems(step.title))
        grave: Severity = "minor" if case.is_in_own_words(step) else "major"
        needs_effort = case.is_work(step) and step.waiting is None and step.status != "done"
        missing: tuple[tuple[str, bool, Severity, str], ...] = (
            ("outcome", is_reached or says_something(step.outcome), grave, "Say what exists when it is done."),
            ("check", is_reached or _is_check(step), grave, "Say how somebody else can tell that it is done."),
            ("owner", is_reached or _is_somebody(step.owner), "minor", "Name a role or a person."),
            (
                "effort",
                step.effort is not None or not needs_effort,
                "minor",
                "Estimate it in working days: low, likely, high.",
            ),
        )
        for field, present, severity, remedy in missing:
            if not present:
                text = f"{step.id} {quoted(step.title)} has no {field}."
                yield fault(f"steps.{field}", severity, (section, step), text, remedy)


_HAPPENED = re.compile(
    r"\b(?:(?:took|takes|taken) place|(?:was|were|been|is|are) (?:held|done|carried out|over|finished|handed out"
    r"|distributed|satisfied|happy|content|pleased|convinced|confident|enthusiastic|successful|fine|good|appreciated"
    r"|liked|marked|informed|present)|ha(?:s|ve) (?:happened|been (?:held|done|carried out|handed out|distributed|sent"
    r"|published|filed|finished|completed|delivered|printed))|took part|attended|participated|went (?:well|smoothly"
    r"|ahead|as|fine)|well received|as (?:planned|expected|intended|scheduled)|complain\w*|impression|feels?|felt"
    r"|moods?|atmosphere|looks? (?:good|fine|right)|thinks?|believes?|according to plan|without (?:problems?"
    r"|incidents?|trouble|a hitch)|on time|satisfied|enjoyed|(?:said|says?) (?:that )?(?:it|they|all)|marked as"
    r"|praised?|(?:everybody|everyone|all) (?:attended|took part|agrees?|came|liked))\b",
    re.IGNORECASE,
)
"""Words of a check that a thing happened, and of what somebody felt."""
_TELLS_NOTHING = SAYS_NOTHING | stem_set(
    "took take taken place hold held happen happened carry carried run ran go went gone plan planned schedule "
    "scheduled time punctual good well fine great smooth smoothly success successful received satisfied happy content "
    "pleased feel feels felt feeling impression positive people team present attend attended agree agreed say says "
    "said mark marked list tool project status board lead problem trouble hitch expect expected intended described "
    "part took participant visitor guest enough look convinced think believe opinion mood atmosphere praise like "
    "liked enjoy enjoyed complain complaint day date end normal useful event overall general everything somebody "
    "someone whole result satisfaction everybody feedback evaluation form questionnaire fill filled hand handed send "
    "sent publish"
)
_NUMBERS = stem_set(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty hundred"
)


def checks_prove_something(case: Case) -> Iterator[Finding]:
    """Find checks that only say that the step happened, or was liked: no word in them could show that it failed."""
    names = frozenset(stems(" ".join((*(person.text for person in case.plan.people), *_owners(case)))))
    for section, step in case.every(Step):
        if step.status == "dropped":
            continue
        known = _TELLS_NOTHING | _NUMBERS | names | frozenset(stems(f"{step.title} . {step.outcome}"))
        says_it_happened = _HAPPENED.search(step.check) and frozenset(stems(step.check)) <= known
        is_about_sending = _SENDS.search(f"{step.title} . {step.outcome}") or _IS_ON_PAPER.search(step.title)
        about, first = frozenset(stems(step.outcome)), stems(step.check)[:1]
        if says_it_happened or (_ONLY_SENT.fullmatch(step.check) and not is_about_sending and not about & set(first)):
            text = f"The check of {step.id}, {quoted(step.check)}, would hold even if the step had failed."
            remedy = f"Say what is counted, tested or seen by somebody else when {step.id} is done."
            yield fault("steps.proof", "minor", (section, step), text, remedy)


def _owners(case: Case) -> Iterator[str]:
    return (step.owner for step in case.plan.steps)


_ONLY_SENT = re.compile(
    r"[^,;.]*\b(?:was|were|is|are|ha(?:s|ve|d)(?: been)?|got) (?:(?:all|both|now|then|also|duly"
    r"|promptly) )?(?:e-?mailed|mailed|sent|posted|copied|forwarded|paid|settled|invoiced|billed|booked|ordered"
    r"|reserved|announced|informed|notified|invited|circulated|distributed|shared|handed out|uploaded|archived"
    r"|scheduled|reported|told|discussed|thanked|mentioned|presented|put (?:up|on|in)|hung|pinned|(?:filed|entered"
    r"|noted|recorded|logged|saved|stored|kept|registered)(?= (?:in|on|at|by|with|under)\b))\b[^,;.]*\.?"
    r"|[^,;.]*\b(?:has|have) (?:sent|paid|posted|mailed|booked|ordered|invited|been moved) [^,;.]*\.?|(?:an? "
    r"|the )?(?:[\w'’-]+ ){0,3}?(?:manual|attendance list|attendance sheet|invoice|bill|poster|time ?sheet"
    r"|invitation)s?\b(?! of)[^,;.\d]*\b(?:is|are|lies?|hangs?|stands?|was|were) (?:in|on|at|with)\b[^,;.]*\.?",
    re.IGNORECASE,
)
"""A check by which a thing was sent, paid, copied or put on file: true whether or not the step did what it is for."""
_SENDS = re.compile(
    r"\b(?:send|sent|mail|invit|post|announc|tell|told|inform|letter|notif|remind|ask|writ|publish|distribut)",
    re.IGNORECASE,
)
_IS_ON_PAPER = re.compile(
    r"\b(?:pay|paid|bill|account|settl|buy|order|book|reserv|rent|hire|cop(?:y|ies)|archiv|upload|deliver|regist|file"
    r"|appl|shar|hang|minute|schedul|meet|agree|thank|report|hand|record|sign|enter|licen|permi)",
    re.IGNORECASE,
)
"""Titles of steps that such a check can prove."""


def efforts_are_ordered(case: Case) -> Iterator[Finding]:
    """Find three-point estimates that do not go from low over likely to high, or are of nothing."""
    for section, step in case.every(Step):
        effort = step.effort
        if effort and not (0 <= effort.low <= effort.likely <= effort.high and effort.high > 0):
            text = f"The effort of {step.id} does not go from low over likely to high."
            yield fault("steps.effort-order", "major", (section, step), text, f"Correct the estimate of {step.id}.")


def ids_are_unique(case: Case) -> Iterator[Finding]:
    """Find ids that name two items."""
    seen: set[str] = set()
    for section, item in case.placed:
        if item.id in seen:
            text = f"The id {item.id} is given to two items."
            yield fault("ids.twice", "major", (section, item), text, "Give the later one an id of its own.")
        seen.add(item.id)


_LONGEST_ENDING = 4
"""Letters that are cut off a form of a word; with more of them cut off, it is another one: donations, done."""


def says_something(text: str) -> bool:
    """Tell whether a text has a word that is no mere word for being done, or for not being known yet."""
    pairs = ((word, word_stem) for word in tokens(text) for word_stem in stems(word))
    return any(
        stem(word_stem) not in SAYS_NOTHING or len(word) > len(word_stem) + _LONGEST_ENDING for word, word_stem in pairs
    )


def _is_somebody(owner: str) -> bool:
    """Tell whether an owner is named: "me" is somebody, "tbd" and "?" are not."""
    return bool(tokens(owner)) and (says_something(owner) or not stems(owner))


def _is_check(step: Step) -> bool:
    """Tell whether a check is more than the title once more, or a word for being done."""
    repeats = fuzz.ratio(step.check.casefold(), step.title.casefold(), score_cutoff=95) > 95
    return says_something(step.check) and not repeats
