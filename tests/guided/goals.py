"""Thirty goals, each with what its plan must say, and eight held out that no rule was tuned on.

``says`` are literal strings, or days that words of the goal mean as seen from TODAY.
"""

from __future__ import annotations

from typing import NamedTuple

TODAY = "2026-11-23"
"""A Monday."""


class Goal(NamedTuple):
    text: str
    kind: str
    says: tuple[str, ...]


GOALS: dict[str, Goal] = {
    "billing": Goal(
        "Move our billing to the new provider by 30 June without downtime",
        "migration",
        ("2027-06-30", "ithout downtime", "invoices"),
    ),
    "crm": Goal(
        "We want to migrate our CRM to HubSpot by the end of Q3 for at most 40,000 euros, with no more than two weeks "
        "of overlap and without losing contact history.",
        "migration",
        ("2027-09-30", "40,000 euros", "o more than two weeks of overlap", "ithout losing contact history", "HubSpot"),
    ),
    "app": Goal(
        "Build a mobile app for booking our gym classes by 1 May 2027 with a budget of $60,000; it must work offline.",
        "software",
        ("2027-05-01", "$60,000", "it must work offline"),
    ),
    "sso": Goal(
        "Add single sign-on to our customer portal in 10 weeks without changing existing passwords",
        "software",
        ("2027-02-01", "ithout changing existing passwords"),
    ),
    "podcast": Goal(
        "Launch a podcast about urban beekeeping before Easter, at most 6 hours a week, under 500 euros",
        "launch",
        ("2027-03-28", "t most 6 hours a week", "nder 500 euros"),
    ),
    "cafe": Goal(
        "Open a café in Porto on 1 September 2027 with no more than €85k and 4 employees",
        "launch",
        ("2027-09-01", "o more than €85k", "4 employees"),
    ),
    "conference": Goal(
        "Organise a two-day conference for 300 developers in Vienna on 14 October 2027 with a budget of 120,000 euros. "
        "All talks must be recorded.",
        "event",
        ("2027-10-14", "300 developers", "120,000 euros", "All talks must be recorded"),
    ),
    "offsite": Goal(
        "Plan an offsite for our team of 25 people in March, no flights, max 800 euros per person",
        "event",
        ("2027-03-31", "25 people", "no flights", "800 euros per person"),
    ),
    "wedding": Goal(
        "Organise a wedding for 120 guests on 11 September 2027 in Lisbon with a budget of €35k; my grandmother must "
        "be able to get around in a wheelchair.",
        "celebration",
        ("2027-09-11", "120 guests", "€35k", "my grandmother must be able to get around in a wheelchair"),
    ),
    "birthday": Goal(
        "Surprise party for my father's 70th birthday on 8 May, 40 guests, without him noticing",
        "celebration",
        ("2027-05-08", "40 guests", "ithout him noticing"),
    ),
    "office": Goal(
        "Move our office of 60 people to a new building by the end of March, only over weekends",
        "relocation",
        ("2027-03-31", "60 people", "nly over weekends"),
    ),
    "flat": Goal(
        "Relocate from Berlin to Lyon with two kids before 1 August 2027 for under 9,000 euros",
        "relocation",
        ("2027-08-01", "two kids", "nder 9,000 euros"),
    ),
    "hiring": Goal(
        "Hire three senior engineers by 31 March, only remote candidates, at most 90k EUR each",
        "hiring",
        ("2027-03-31", "hree senior engineers", "nly remote candidates", "90k EUR"),
    ),
    "nurses": Goal(
        "Recruit 12 nurses for the new ward within six months without using agencies",
        "hiring",
        ("2027-05-23", "12 nurses", "ithout using agencies"),
    ),
    "survey": Goal(
        "Study why 20 percent of our students drop out, with at least 30 interviews, results by 15 June 2027",
        "research",
        ("2027-06-15", "20 percent", "t least 30 interviews"),
    ),
    "spanish": Goal(
        "Learn Spanish to level B2 in 9 months with at most 5 hours a week",
        "learning",
        ("2027-08-23", "t most 5 hours a week", "B2"),
    ),
    "exam": Goal(
        "Pass the driving test before summer while working full time, no lessons on Fridays",
        "learning",
        ("2027-06-01", "hile working full time", "no lessons on Fridays"),
    ),
    "thesis": Goal(
        "Write a master's thesis on coral reefs by 1 May 2027; draft to my supervisor by 15 March 2027; no more than "
        "80 pages",
        "writing",
        ("2027-05-01", "2027-03-15", "o more than 80 pages"),
    ),
    "handbook": Goal(
        "Publish an employee handbook in English and German by year end, 40 pages at most",
        "writing",
        ("2026-12-31", "40 pages"),
    ),
    "kitchen": Goal(
        "Renovate the kitchen for under $25,000. The work must not start before 1 March 2027 and must be finished by "
        "30 May 2027. We cannot use the gas stove meanwhile.",
        "construction",
        ("2027-03-01", "2027-05-30", "nder $25,000", "We cannot use the gas stove"),
    ),
    "solar": Goal(
        "Install solar panels of 10 kWp on our barn by 06/30/2027, no loan, at most 18.000 €",
        "construction",
        ("2027-06-30", "10 kWp", "no loan", "18.000 €"),
    ),
    "laptops": Goal(
        "Buy 45 laptops for the school by 15 January 2027, max 700 euros per unit, not from a single supplier",
        "procurement",
        ("2027-01-15", "45 laptops", "700 euros per unit", "ot from a single supplier"),
    ),
    "fourdays": Goal(
        "Introduce a four-day week for our 80 employees from 1 July 2027 without lower pay and keep the phones staffed "
        "Monday to Friday",
        "change",
        ("2027-07-01", "80 employees", "ithout lower pay", "eep the phones staffed"),
    ),
    "fundraising": Goal(
        "Raise £500,000 of seed funding by the end of next quarter, giving away at most 15% of the company",
        "fundraising",
        ("2027-03-31", "£500,000", "t most 15%"),
    ),
    "sales": Goal(
        "Win 200 paying customers in Poland in 12 months without discounts above 10 %",
        "sales",
        ("2027-11-23", "200 paying customers", "ithout discounts above 10 %"),
    ),
    "marathon": Goal(
        "Run a marathon on 26 September 2027 in under 4 hours without getting injured",
        "fitness",
        ("2027-09-26", "4 hours", "ithout getting injured"),
    ),
    "trip": Goal(
        "Travel through Japan for 3 weeks in April with our two children on a budget of 8,000 euros",
        "travel",
        ("2027-04-30", "3 weeks", "8,000 euros", "two children"),
    ),
    "iso": Goal(
        "Become ISO 27001 certified within 12 months while keeping the compliance team under 5 people",
        "compliance",
        ("2027-11-23", "under 5 people"),
    ),
    "dashboard": Goal(
        "Build a dashboard of our energy use in 3 months from at least 14 sites, never older than 24 hours",
        "data",
        ("2027-02-23", "t least 14 sites", "ever older than 24 hours"),
    ),
    "bees": Goal(
        "Win the village's flower contest with our street by 20 June 2027, nobody has to spend more than 50 euros",
        "generic",
        ("2027-06-20", "50 euros"),
    ),
}

HELD_OUT: dict[str, Goal] = {
    "payroll": Goal(
        "Switch payroll to DATEV at the turn of the year, i.e. by 31 December, without a single late payslip",
        "migration",
        ("2026-12-31", "ithout a single late payslip", "payslips"),
    ),
    "reunion": Goal(
        "School reunion for about 90 people on June 19th, 2027; costs must be covered by a fee of 30 euros per head",
        "celebration",
        ("2027-06-19", "90 people", "30 euros per head"),
    ),
    "warehouse": Goal(
        "We need to replace the forklifts in our warehouse (6 of them) before October for no more than 150k USD",
        "procurement",
        ("2027-10-01", "150k USD"),
    ),
    "paper": Goal(
        "Submit a paper on bat navigation to the May 3 2027 deadline, at most 8 pages, only open data",
        "writing",
        ("2027-05-03", "t most 8 pages", "nly open data"),
    ),
    "garden": Goal(
        "Build a community garden with 20 beds by mid-April without using pesticides",
        "construction",
        ("2027-04-15", "20 beds", "ithout using pesticides"),
    ),
    "piano": Goal(
        "Teach myself piano well enough to play two pieces at my sister's wedding on 17 July 2027",
        "learning",
        ("2027-07-17", "two pieces"),
    ),
    "meetings": Goal(
        "Cut the time our 40 managers spend in meetings by 30% within 100 days, without extra headcount",
        "change",
        ("2027-03-03", "40 managers", "30%", "ithout extra headcount"),
    ),
    "umzug": Goal(
        "Umzug der Praxis nach Köln bis zum 31. Juli 2027, höchstens 20.000 Euro, ohne Schließtage",
        "relocation",
        ("2027-07-31", "20.000 Euro", "hne Schließtage"),
    ),
}

HOSTILE = (
    "x",
    "42",
    "1 2 3 4 5 6 7 8 9 10",
    "🙂",
    "🙂🙂🙂 by 30 June 🙂",
    "写一本关于蜜蜂的书，六月三十日之前完成",
    "Организовать свадьбу на 100 гостей",
    "نظم حفل زفاف",
    "[red]bold[/red] <script>alert(1)</script> **move** `rm -rf /` {thing} {0} %s",
    "\x1b[31mred\x00 null \u202e right to left \ud800",
    "# Heading\n\n- a\n- b\n\n> quote\n\n```\ncode\n```",
    "must must must must",
    "by by by by 31 April 99999-99-99 0000-00-00",
    "no no no without without only only never never",
    "?" * 500,
    "\n\n\n \t ",
    "a" * 100_000,
    "Move the billing, " * 6_000,
    "by 30 June for 5 euros without delay. " * 3_000,
    "S1 K1 C1 F1 <!-- goal --> | --- |",
)
