"""A plan: sections with stable ids, made of prose and of items that can be checked.

    Plan ─▶ Section ─▶ text      Markdown prose
                    └▶ items     Criterion · Constraint · Step · Risk · Decision · Question · Bullet

A section is the unit of amendment: what a piece of feedback does not concern stays byte-identical. Items have ids that
are stable through every version (``S3`` stays ``S3`` when ``S2`` is removed) and are never given to something else.
"""

from __future__ import annotations

from typing import Literal

import msgspec


class Effort(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A three-point estimate in working days (PERT: expected = (low + 4 × likely + high) / 6)."""

    low: float
    likely: float
    high: float

    @property
    def expected(self) -> float:
        """Working days to plan with."""
        return (self.low + 4 * self.likely + self.high) / 6


class _Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    id: str
    """A letter and a number: C criterion, K constraint, S step, R risk, D decision, Q question, B bullet."""


class Criterion(_Item, frozen=True, kw_only=True, tag="criterion"):
    """A success criterion in the SMART sense: how it is measured, against which target, until when."""

    text: str
    measure: str = ""
    target: str = ""
    due: str | None = None
    """ISO date; None where the criterion holds throughout."""


class Constraint(_Item, frozen=True, kw_only=True, tag="constraint"):
    """Something that must hold: a limit of time, money, quality, law, or a person's word."""

    text: str


class Step(_Item, frozen=True, kw_only=True, tag="step"):
    """A work package of the work breakdown structure."""

    title: str
    outcome: str = ""
    """What exists when it is done."""
    check: str = ""
    """How somebody else can tell that it is done."""
    owner: str = ""
    """A role or a person."""
    effort: Effort | None = None
    needs: tuple[str, ...] = ()
    """Ids of the steps that must be finished before (finish-to-start)."""
    start: str | None = None
    """ISO date; None when not scheduled."""
    end: str | None = None
    """ISO date, inclusive."""
    workstream: str = ""
    answers: tuple[str, ...] = ()
    """Ids of constraints (K…), criteria (C…) and feedback (F…) that this step answers."""


Level = Literal["low", "medium", "high"]


class Risk(_Item, frozen=True, kw_only=True, tag="risk"):
    """A row of the risk register, found by imagining that the plan has failed (pre-mortem, Klein 2007)."""

    text: str
    likelihood: Level = "medium"
    impact: Level = "medium"
    sign: str = ""
    """The earliest thing that would be noticed."""
    response: str = ""
    """What is done about it, and by when."""
    answers: tuple[str, ...] = ()


class Decision(_Item, frozen=True, kw_only=True, tag="decision"):
    """What was decided, why, and what it rules out."""

    text: str
    reason: str = ""
    answers: tuple[str, ...] = ()


class Question(_Item, frozen=True, kw_only=True, tag="question"):
    """What is not known yet, who can say, and what the plan assumes until then."""

    text: str
    assumption: str = ""
    owner: str = ""


class Bullet(_Item, frozen=True, kw_only=True, tag="bullet"):
    """Any other line that wants an id: scope, assumptions, notes."""

    text: str
    priority: Literal["must", "should", "could", "won't"] | None = None
    """MoSCoW; None outside of scope."""
    answers: tuple[str, ...] = ()


Item = Criterion | Constraint | Step | Risk | Decision | Question | Bullet
Answering = Step | Risk | Decision | Bullet
"""Items that can answer constraints, criteria and feedback."""


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a plan that is amended as a whole."""

    id: str
    """A slug, stable through all versions: goal, criteria, constraints, scope, approach, assumptions, steps, schedule,
    actions, risks, decisions, questions, notes, or any other."""
    title: str
    text: str = ""
    items: tuple[Item, ...] = ()


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plan as a value; a version is a plan at a point of its session."""

    title: str
    sections: tuple[Section, ...] = ()

    def section(self, section_id: str) -> Section | None:
        """Return the section with this id, or None."""
        return next((section for section in self.sections if section.id == section_id), None)

    @property
    def items(self) -> tuple[Item, ...]:
        """All items of all sections, in order."""
        return tuple(item for section in self.sections for item in section.items)

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps, in order."""
        return tuple(item for item in self.items if isinstance(item, Step))


class Amendment(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change to one section; sections that no amendment names stay as they are, byte for byte."""

    section: Section
    after: str | None = None
    """Id of the section behind which a new one is put; None: at the end. Ignored where the section exists."""
    remove: bool = False
    """Take the section out instead of putting it in."""


def amend(plan: Plan, amendments: tuple[Amendment, ...], *, title: str = "") -> Plan:
    """Return the plan with the amendments applied in order; an untouched section is the identical object."""
    sections = list(plan.sections)
    for amendment in amendments:
        place = next((i for i, section in enumerate(sections) if section.id == amendment.section.id), None)
        if amendment.remove:
            if place is not None:
                del sections[place]
        elif place is not None:
            sections[place] = amendment.section
        else:
            ids = [section.id for section in sections]
            at = ids.index(amendment.after) + 1 if amendment.after in ids else len(sections)
            sections.insert(at, amendment.section)
    return Plan(title=title or plan.title, sections=tuple(sections))
