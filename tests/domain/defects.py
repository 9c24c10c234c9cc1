"""Defects of six kinds, planted into the sound plans; each is something that a person or a model really writes."""

# ruff: noqa: E501 - these are tables, read by the row

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from tests.domain.sound_plans import PlanCase, sound
from workbench.domain.plan.plan import Bullet, Constraint, Criterion, Decision, Effort, Item, Plan, Risk, Section, Step


@dataclass(frozen=True)
class Defect:
    kind: str
    plan: str
    what: str
    plant: Callable[[PlanCase], PlanCase]

    @property
    def case(self) -> PlanCase:
        return self.plant(sound(self.plan))


def changed(item_id: str, **values: Any) -> Callable[[PlanCase], PlanCase]:
    """One item says something else."""

    def plant(case: PlanCase) -> PlanCase:
        assert any(item.id == item_id for item in case.plan.items), item_id
        return _mapped(case, lambda item: msgspec.structs.replace(item, **values) if item.id == item_id else item)

    return plant


def added(section_id: str, *items: Item) -> Callable[[PlanCase], PlanCase]:
    """A section, new where the plan lacks it, has more items; constraints are given to the checks as well."""

    def plant(case: PlanCase) -> PlanCase:
        old = case.plan.section(section_id) or Section(id=section_id, title=section_id.title())
        new = msgspec.structs.replace(old, items=(*old.items, *items))
        sections = tuple(new if section is old else section for section in case.plan.sections)
        plan = Plan(title=case.plan.title, sections=sections if old in case.plan.sections else (*sections, new))
        told = tuple(item.text for item in items if isinstance(item, Constraint))
        return replace(case, plan=plan, constraints=(*case.constraints, *told))

    return plant


def told(text: str) -> Callable[[PlanCase], PlanCase]:
    """A constraint was given, and the plan does not hold it at all."""
    return lambda case: replace(case, constraints=(*case.constraints, text))


def unanswered(constraint: str, text: str) -> Callable[[PlanCase], PlanCase]:
    """A constraint says something else, and nothing names it any more."""

    def quiet(item: Item) -> Item:
        if item.id == constraint:
            return Constraint(id=constraint, text=text)
        if getattr(item, "answers", ()):
            return msgspec.structs.replace(item, answers=tuple(a for a in item.answers if a != constraint))
        return item

    def plant(case: PlanCase) -> PlanCase:
        plan = _mapped(case, quiet)
        return replace(plan, constraints=tuple(i.text for i in plan.plan.items if isinstance(i, Constraint)))

    return plant


def _mapped(case: PlanCase, change: Callable[[Item], Item]) -> PlanCase:
    sections = tuple(
        msgspec.structs.replace(section, items=tuple(change(item) for item in section.items))
        for section in case.plan.sections
    )
    return replace(case, plan=Plan(title=case.plan.title, sections=sections))


def _step(item_id: str, title: str, outcome: str = "report of two pages", **values: Any) -> Step:
    return Step(
        id=item_id,
        title=title,
        outcome=outcome,
        check="project lead has read and signed it",
        owner="project lead",
        effort=Effort(low=2, likely=3, high=4),
        **values,
    )


def _defects(kind: str, *rows: tuple[str, str, Callable[[PlanCase], PlanCase]]) -> list[Defect]:
    return [Defect(kind, plan, what, plant) for plan, what, plant in rows]


DEFECTS = [
    *_defects(
        "cycle",
        ("product_launch", "needs itself", changed("S7", needs=("S7",))),
        ("product_launch", "across workstreams", changed("S3", needs=("S9",))),
        ("data_migration", "two steps", changed("S3", needs=("S4",))),
        ("office_move", "from end to beginning", changed("S1", needs=("S10",))),
        ("hiring", "three steps", changed("S5", needs=("S3", "S8"))),
        ("marathon", "long", changed("S1", needs=("S9",))),
        ("wedding", "with other needs", changed("S2", needs=("S8",))),
        ("research_study", "six steps", changed("S1", needs=("S11",))),
        ("security_audit", "audit and correction", changed("S9", needs=("S4", "S10"))),
        ("kitchen_renovation", "plaster and install", changed("S8", needs=("S6", "S9"))),
    ),
    *_defects(
        "missing check",
        ("product_launch", "empty", changed("S1", check="")),
        ("data_migration", "blank", changed("S6", check="  ")),
        ("office_move", "done", changed("S5", check="Done")),
        ("hiring", "to be defined", changed("S8", check="TBD")),
        ("marathon", "a dash", changed("S4", check="–")),
        ("wedding", "when it is finished", changed("S6", check="when it is finished")),
        ("research_study", "n/a", changed("S9", check="n/a")),
        ("security_audit", "step completed", changed("S10", check="Step is completed.")),
        ("kitchen_renovation", "ok", changed("S9", check="OK")),
        ("conference", "repeats the title", changed("S8", check="Form and train the awareness team")),
    ),
    *_defects(
        "forgotten constraint",
        ("product_launch", "only told", told("The packaging contains no plastic")),
        ("data_migration", "only told", told("The auditors want monthly status reports")),
        ("office_move", "in the plan, nowhere answered", added("constraints", Constraint(id="K9", text="Dogs are allowed in the office"))),
        ("hiring", "answer gone", unanswered("K2", "Half of the interviewers are women")),
        ("marathon", "told and listed", added("constraints", Constraint(id="K9", text="Training ends at 7 in the morning"))),
        ("wedding", "answer gone", unanswered("K4", "The neighbours are told about the noise")),
        ("research_study", "only told", told("Sensors must be returned to the lender in December")),
        ("security_audit", "in the plan, nowhere answered", added("constraints", Constraint(id="K9", text="Suppliers sign a non-disclosure agreement"))),
        ("kitchen_renovation", "answer gone", unanswered("K3", "The cat must not get out")),
        ("conference", "in the plan, nowhere answered", added("constraints", Constraint(id="K9", text="Speakers from abroad get their visa letters by 1 July 2027"))),
    ),
    *_defects(
        "date overrun",
        ("product_launch", "ends after the last due date", changed("S10", end="2027-08-13")),
        ("data_migration", "ends after the last due date", changed("S9", start="2027-09-06", end="2027-09-06")),
        ("office_move", "answers a criterion, after it is due", changed("S10", end="2027-05-20")),
        ("hiring", "starts before what it needs ends", changed("S8", start="2026-12-01", end="2026-12-11")),
        ("marathon", "ends before it starts", changed("S4", end="2026-11-20")),
        ("wedding", "criterion is past", changed("C1", due="2026-04-30")),
        ("research_study", "deadline moved forward", unanswered("K4", "Submitted by 31 March 2027")),
        ("security_audit", "effort does not fit the dates", changed("S6", effort=Effort(low=60, likely=80, high=100))),
        ("kitchen_renovation", "ends after the last due date", changed("S10", end="2027-10-08")),
        ("conference", "too little time", changed("S2", effort=Effort(low=60, likely=70, high=80))),
    ),
    *_defects(
        "duplicate",
        ("product_launch", "same words", added("steps", _step("S19", "Sign forty installers in Germany."))),
        ("data_migration", "other order", added("steps", _step("S19", "For each field of the old system, map it to the new one"))),
        ("office_move", "case and article", added("steps", _step("S19", "choose a moving company"))),
        ("hiring", "plural", added("steps", _step("S19", "Write the interview sheet"))),
        ("marathon", "risk, other article", added("risks", Risk(id="R9", text="A knee hurts again", sign="pain", response="rest"))),
        ("wedding", "gerund", added("steps", _step("S19", "Booking the barn"))),
        ("security_audit", "criterion", added("criteria", Criterion(id="C9", text="The certificate has been issued", measure="report of the auditor", target="issued", due="2027-10-15"))),
        ("kitchen_renovation", "and for comma", added("steps", _step("S19", "Plaster, tile, paint"))),
        ("conference", "synonym", added("steps", _step("S19", "Prepare the budget"))),
    ),
    *_defects(
        "contradiction",
        ("product_launch", "budget", changed("C4", target="at most 280,000 EUR")),
        ("product_launch", "out of scope, done all the same", added("steps", _step("S19", "Sign five installers in Switzerland"))),
        ("data_migration", "without, and planned", added("steps", _step("S19", "Announce a downtime of 48 hours", "billing is down for a weekend"))),
        ("data_migration", "against a decision", added("decisions", Decision(id="D9", text="Switch all customers in one weekend", reason="it is faster"))),
        ("office_move", "out of scope, bought", added("steps", _step("S19", "Buy new laptops for everybody"))),
        ("office_move", "two limits", added("decisions", Decision(id="D9", text="Spend up to 120,000 EUR", reason="prices rise"))),
        ("hiring", "excluded, commissioned", added("steps", _step("S19", "Commission a recruiting agency for the engineers"))),
        ("hiring", "two deadlines", changed("K3", text="At work by 1 November 2027")),
        ("marathon", "excluded, planned", added("steps", _step("S19", "Try running on two consecutive days each weekend"))),
        ("wedding", "won't, and done", added("steps", _step("S19", "Order the fireworks for midnight"))),
        ("wedding", "should and won't", added("scope", Bullet(id="B9", text="A photographer for the afternoon", priority="won't"))),
        ("research_study", "decided against a step", added("decisions", Decision(id="D9", text="No preregistration", reason="saves a week"))),
        ("research_study", "two amounts", added("assumptions", Bullet(id="B9", text="Grant of 120,000 EUR"))),
        ("security_audit", "won't, and audited", added("steps", _step("S19", "Audit the subsidiary in Poland"))),
        ("security_audit", "two limits", added("decisions", Decision(id="D9", text="Up to 90,000 EUR may be spent for external help"))),
        ("kitchen_renovation", "decided against a step", added("decisions", Decision(id="D9", text="We do not lay new cables"))),
        ("kitchen_renovation", "two limits of days", added("assumptions", Bullet(id="B9", text="Up to 21 days without a working stove"))),
        ("conference", "excluded, signed", added("steps", _step("S19", "Sign two alcohol sponsors"))),
        ("conference", "won't, and printed", added("steps", _step("S19", "Print the proceedings"))),
    ),
]  # fmt: skip
"""At least eight of each kind."""

UNSEEN = [
    *_defects(
        "forgotten constraint",
        ("conference", "told", told("Vegan food must be offered")),
        ("marathon", "told", told("The dentist appointment on 12 March must be possible")),
        ("hiring", "listed", added("constraints", Constraint(id="K9", text="Interviews are held in English"))),
    ),
    *_defects(
        "duplicate",
        ("product_launch", "reworded", added("steps", _step("S19", "Get the certificate from VDE"))),
        ("office_move", "reworded", added("steps", _step("S19", "Select the moving company"))),
        ("security_audit", "reworded", added("steps", _step("S19", "Perform an inventory of assets and owners"))),
        ("wedding", "reworded risk", added("risks", Risk(id="R9", text="It rains all day", sign="forecast", response="tent"))),
        ("conference", "reordered", added("steps", _step("S19", "Choose and review workshops and talks"))),
    ),
    *_defects(
        "contradiction",
        ("product_launch", "must and won't", added("scope", Bullet(id="B9", text="The calculator for savings on our website", priority="won't"))),
        ("product_launch", "sale before the certificate", added("decisions", Decision(id="D9", text="Sell the first batteries before the VDE certificate is there"))),
        ("data_migration", "maintenance window", added("steps", _step("S19", "Take billing offline for a weekend"))),
        ("data_migration", "kept and deleted", added("steps", _step("S19", "Delete invoices older than five years"))),
        ("office_move", "Easter Sunday", added("steps", _step("S19", "Continue the moving work on Easter Sunday"))),
        ("hiring", "agency in a decision", added("decisions", Decision(id="D9", text="Use two recruiting agencies for the lead"))),
        ("marathon", "number of days", added("decisions", Decision(id="D9", text="Six training days a week at most"))),
        ("wedding", "budget", added("decisions", Decision(id="D9", text="The budget is 22,000 EUR"))),
        ("wedding", "meat", added("steps", _step("S19", "Choose the roast beef for dinner"))),
        ("research_study", "deadline", changed("K4", text="Submitted no later than 30 June 2027")),
        ("research_study", "cloud", added("steps", _step("S19", "Copy the personal data to a cloud provider"))),
        ("security_audit", "never, and done", added("decisions", Decision(id="D8", text="Never move the audit date"), Decision(id="D9", text="Move the audit date to November"))),
        ("kitchen_renovation", "gas kept", added("decisions", Decision(id="D9", text="Keep the gas stove instead of an induction hob"))),
        ("kitchen_renovation", "budget of a part", added("decisions", Decision(id="D9", text="The cupboards may cost up to 26,000 EUR"))),
        ("conference", "beer", added("steps", _step("S19", "Win an alcohol brand as a sponsor"))),
        ("conference", "costs", added("criteria", Criterion(id="C9", text="Costs stay in hand", measure="accounts", target="below 80,000 EUR", due="2027-11-30"))),
    ),
]  # fmt: skip
"""Written after the rules; only number words and "perform" were learned from it. Some need knowledge of the world."""

TRAPS = [
    *_defects(
        "trap",
        ("product_launch", "another country", added("steps", _step("S19", "Sign two installers in Italy"))),
        ("product_launch", "EU and US", added("steps", _step("S18", "Test the app in the EU"), _step("S19", "Test the app in the US"))),
        ("product_launch", "part of the budget", added("decisions", Decision(id="D9", text="Spend up to 40,000 EUR on advertising"))),
        ("data_migration", "looks for the excluded", added("steps", _step("S19", "Check that no downtime occurred"))),
        ("data_migration", "measures the excluded", added("steps", _step("S19", "Measure downtime during the rehearsal"))),
        ("data_migration", "there and back", added("steps", _step("S18", "Copy the data from the old to the new system"), _step("S19", "Copy the data from the new to the old system"))),
        ("office_move", "old laptops", added("steps", _step("S19", "Carry the laptops to Altona"))),
        ("office_move", "numbered waves", added("steps", _step("S18", "Pack boxes of wave 1"), _step("S19", "Pack boxes of wave 2"))),
        ("hiring", "ends what is excluded", added("steps", _step("S19", "Cancel the contract with the recruiting agency"))),
        ("hiring", "months", added("steps", _step("S18", "Review the search in March"), _step("S19", "Review the search in May"))),
        ("marathon", "rest days", added("decisions", Decision(id="D9", text="At most two long runs a month"))),
        ("marathon", "servers", added("steps", _step("S18", "Ask runner A for advice"), _step("S19", "Ask runner B for advice"))),
        ("wedding", "price of a part", added("decisions", Decision(id="D9", text="Flowers cost at most 600 EUR"))),
        ("wedding", "says why not", added("steps", _step("S19", "Explain to the uncle why there are no fireworks"))),
        ("research_study", "another grant", added("assumptions", Bullet(id="B9", text="Travel grant of 3,000 EUR"))),
        ("research_study", "earlier part", added("decisions", Decision(id="D9", text="Protocol by 15 January 2027"))),
        ("security_audit", "Poland, informed", added("steps", _step("S19", "Inform the subsidiary in Poland about the audit"))),
        ("security_audit", "plan and test", added("steps", _step("S18", "Plan the test"), _step("S19", "Test the plan"))),
        ("kitchen_renovation", "reserve", added("decisions", Decision(id="D9", text="A reserve of 1,500 EUR for cables"))),
        ("kitchen_renovation", "other cables", added("steps", _step("S19", "Label the cables and fuses"))),
        ("conference", "other printing", added("steps", _step("S19", "Print badges and signs"))),
        ("conference", "days", added("decisions", Decision(id="D9", text="Speakers stay at most three nights at our expense"))),
    ),
]  # fmt: skip
"""Innocent lines that a rule made in haste takes for a defect."""
