"""Pieces of feedback on plans, each with its class and the sections it concerns; fifteen more are held out.

``concerns`` are the only sections that may change. A new, changed or removed step moves the dates of others: then the
schedule and the first actions follow from it, and the decision log notes it.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.domain.loop.tasks import FeedbackClass

STEPS = frozenset({"steps", "schedule", "actions", "decisions"})
"""A step came, went or changed."""
DEADLINE = STEPS | {"constraints", "criteria", "risks"}
"""The date that everything is held against changed."""
LIMIT = frozenset({"constraints", "criteria", "steps", "risks", "decisions"})
"""A constraint changed, and what quotes it."""
RISKS = frozenset({"risks", "decisions"})
CRITERIA = frozenset({"criteria", "decisions"})
QUESTIONS = frozenset({"questions", "decisions"})
ASSUMPTIONS = frozenset({"assumptions", "decisions"})
OUT_OF_SCOPE = STEPS | {"scope"}
"""Nothing in the plan is meant, so that the scope says it will not be done; or a step is meant."""
ASKED = frozenset({"questions"})
"""A question changes nothing but the open questions, and these only where the plan has no answer."""
WEIGHT = frozenset({"constraints", "steps", "decisions"})
"""What is emphasised becomes a constraint that a step answers."""


class Case(NamedTuple):
    plan: str
    """Key of the goal."""
    text: str
    kind: FeedbackClass
    concerns: frozenset[str]


CASES: tuple[Case, ...] = (
    # add
    Case("billing", "Please add a step to train the support team on the new invoices.", "add", STEPS),
    Case("billing", "You forgot the sales-tax registration in Norway.", "add", STEPS),
    Case("wedding", "We also need a photographer.", "add", STEPS),
    Case("wedding", "There should be a risk about rain during the outdoor ceremony.", "add", RISKS),
    Case("hiring", "Include a trial day with the team before we make an offer.", "add", STEPS),
    Case(
        "hiring",
        "Add a success criterion: every new engineer ships something in the first month.",
        "add",
        CRITERIA,
    ),
    Case("thesis", "What's missing is a data management plan.", "add", STEPS),
    Case(
        "thesis",
        "Constraint: the university requires an ethics approval before any interviews.",
        "add",
        WEIGHT,
    ),
    Case("kitchen", "Don't forget to order the worktop early, it takes six weeks.", "add", STEPS),
    Case("kitchen", "Put in a temporary cooking place in the garage while the work goes on.", "add", STEPS),
    Case("conference", "I'd like a live stream for people who can't travel.", "add", STEPS),
    # remove
    Case("billing", "Drop S7.", "remove", STEPS),
    Case("billing", "We don't need the step about telling customers, marketing does that anyway.", "remove", STEPS),
    Case("wedding", "Skip the rehearsal dinner.", "remove", OUT_OF_SCOPE),
    Case("hiring", "Remove R3, that won't happen here.", "remove", RISKS),
    Case("hiring", "Q2 is irrelevant, delete it.", "remove", QUESTIONS),
    Case("thesis", "No peer review round please, there is no time.", "remove", OUT_OF_SCOPE),
    Case("thesis", "Get rid of the first assumption.", "remove", ASSUMPTIONS),
    Case("kitchen", "The step S2 is unnecessary.", "remove", STEPS),
    Case("kitchen", "Please leave out everything about selling the old furniture.", "remove", OUT_OF_SCOPE),
    Case("conference", "Cut the sponsors, we pay for it ourselves.", "remove", OUT_OF_SCOPE),
    # change
    Case("billing", "S3 should be done by Maria.", "change", STEPS),
    Case("billing", "The pilot should take three weeks instead of two.", "change", STEPS),
    Case("billing", "Move the deadline to 15 May.", "change", DEADLINE),
    Case("wedding", "Rename S1 to 'Agree on budget and guest list'.", "change", STEPS),
    Case("wedding", "Do S5 before S4.", "change", STEPS),
    Case("hiring", "The budget is 80,000 euros, not 90k.", "change", LIMIT),
    Case("hiring", "Replace the phone interviews with a written exercise.", "change", STEPS),
    Case("thesis", "R1 is much less likely than you say.", "change", RISKS),
    Case("thesis", "Split S4 into two parts.", "change", STEPS),
    Case("kitchen", "Our neighbour Tom, not the project lead, is responsible for S2.", "change", STEPS),
    Case("kitchen", "S6 takes 10 days.", "change", STEPS),
    Case(
        "conference",
        "Instead of one big venue I would rather use three small rooms at the university.",
        "change",
        STEPS,
    ),
    Case("conference", "Start in January rather than now.", "change", DEADLINE),
    # question
    Case("billing", "Why do we need a way back?", "question", ASKED),
    Case("billing", "How long does the whole thing take?", "question", ASKED),
    Case("wedding", "Who is responsible for the catering?", "question", ASKED),
    Case("wedding", "What happens if it rains?", "question", ASKED),
    Case("hiring", "What is the critical path?", "question", ASKED),
    Case("hiring", "Can we afford a recruiter?", "question", ASKED),
    Case("thesis", "When do I have to hand in the first draft?", "question", ASKED),
    Case("thesis", "Is 80 pages realistic", "question", ASKED),
    Case("kitchen", "Do we need a permit for the new window?", "question", ASKED),
    Case("kitchen", "I don't understand S5 - what exactly comes out of it?", "question", ASKED),
    Case("conference", "Which steps can be done in parallel?", "question", ASKED),
    Case("conference", "could we not simply use the town hall", "question", ASKED),
    # emphasise
    Case("billing", "The most important thing is that no customer gets two invoices.", "emphasise", WEIGHT),
    Case("billing", "Security really matters here.", "emphasise", WEIGHT),
    Case("wedding", "It is crucial that my grandmother can take part in everything.", "emphasise", WEIGHT),
    Case("wedding", "Food is everything for us!", "emphasise", WEIGHT),
    Case("hiring", "Please pay special attention to diversity among the candidates.", "emphasise", WEIGHT),
    Case("hiring", "Focus on quality over speed.", "emphasise", WEIGHT),
    Case("thesis", "Above all the statistics must be right.", "emphasise", WEIGHT),
    Case("thesis", "S3 is the key step for me.", "emphasise", WEIGHT),
    Case("kitchen", "Dust is a big concern, our baby sleeps next door.", "emphasise", WEIGHT),
    Case(
        "kitchen",
        "I can't stress enough how important it is that the water is never off overnight.",
        "emphasise",
        WEIGHT,
    ),
    Case("conference", "The speakers come first, everything else is secondary.", "emphasise", WEIGHT),
)

HELD_OUT: tuple[Case, ...] = (
    Case("kitchen", "One more thing: someone has to cancel the old insurance.", "add", STEPS),
    Case("wedding", "Plan a tasting with the caterer as well.", "add", STEPS),
    Case("thesis", "I miss a step for archiving the interview recordings.", "add", STEPS),
    Case("billing", "S4 can go.", "remove", STEPS),
    Case("conference", "I would do without the newsletter.", "remove", OUT_OF_SCOPE),
    Case("hiring", "Strike R2 from the list.", "remove", RISKS),
    Case("billing", "Hand S2 over to Priya.", "change", STEPS),
    Case("hiring", "We have until 20 April now.", "change", DEADLINE),
    Case("kitchen", "Two weeks for S3 is too long, make it five days.", "change", STEPS),
    Case("wedding", "What does the plan assume about the budget?", "question", ASKED),
    Case("conference", "How likely is it that we finish on time?", "question", ASKED),
    Case("billing", "and who signs off in the end", "question", ASKED),
    Case("hiring", "Nothing matters more to us than the privacy of the applicants.", "emphasise", WEIGHT),
    Case("kitchen", "Please be very careful with the electrical work.", "emphasise", WEIGHT),
    Case("conference", "Quality of the talks is our top priority.", "emphasise", WEIGHT),
)
