"""Do the steps fit together: every need is a step, and nothing waits for itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.domain.loop.tasks import Finding
from workbench.domain.plan.checks.case import Case, fault, quoted, wording
from workbench.domain.plan.plan import Decision, Step


def needs_are_steps(case: Case) -> Iterator[Finding]:
    """Find needs that are no step of this plan."""
    for section, step in case.every(Step):
        for needed in step.needs:
            if needed not in case.steps:
                text = f"{step.id} {quoted(step.title)} needs {needed}, and there is no such step."
                yield fault("steps.needs", "major", (section, step), text, f"Correct what {step.id} needs.")


def no_step_waits_for_itself(case: Case) -> Iterator[Finding]:
    """Find circles of needs, in which no step can be the first."""
    places = {item.id: section.id for section, item in case.placed}
    for cycle in case.cycles:
        chain = " → ".join((*cycle, cycle[0]))
        yield Finding(
            rule="steps.cycle",
            severity="major",
            text=f"{cycle[0]} needs itself." if len(cycle) == 1 else f"These steps wait for one another: {chain}.",
            section=places[cycle[0]],
            item=cycle[0],
            remedy="Take out one of these dependencies.",
        )


def answers_name_items(case: Case) -> Iterator[Finding]:
    """Find answers to what does not exist: no item of the plan, and no feedback that was given."""
    known = {item.id for _, item in case.placed} | {said.id for said in case.feedback}
    for section, item in case.placed:
        for answer in getattr(item, "answers", ()):
            is_told = answer.startswith("G") or (answer.startswith("F") and not case.feedback)
            if answer not in known and not is_told:
                text = f"{item.id} answers {answer}, and there is no {answer}."
                yield fault("answers.unknown", "minor", (section, item), text, f"Correct what {item.id} answers.")


_ID = re.compile(r"(?<![\w-])([SKCRDQ])(\d{1,3})(?![\w-])")


def ids_in_texts_are_known(case: Case) -> Iterator[Finding]:
    """Find items that a text names by an id that nothing has; a decision is a record, and may name what is gone."""
    known = {item.id for _, item in case.placed}
    kinds = {match[1] for name in known if (match := _ID.fullmatch(name))}
    for section, item in case.placed:
        texts = (str(getattr(item, name, "")) for name in _TEXTS)
        named = (match for text in texts for match in _ID.finditer(text))
        unknown = next((match[0] for match in named if match[0] not in known and match[1] in kinds), "")
        if unknown and not isinstance(item, Decision):
            text = f"{item.id} {quoted(wording(item))} speaks of {unknown}, and there is no {unknown}."
            yield fault("ids.unknown", "minor", (section, item), text, f"Correct what {item.id} speaks of.")


_TEXTS = (
    "title", "text", "outcome", "check", "notes", "response", "sign", "reason", "measure", "target", "assumption",
)  # fmt: skip
