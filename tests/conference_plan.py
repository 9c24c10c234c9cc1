"""What is planned in the sample of the conference: approaches, what the planner answers by item, reports of workers.

    APPROACHES ─ A1 ─▶ ONE_HALL      A2 ─▶ FIRST ──AMENDED──▶ … as often as there is feedback ──MENDED──▶ …

Answers are as a model writes them: JSON that names what changes, with ids of statements (U3) for its causes. Nothing
but what is said: data, as long as it is.
"""

from __future__ import annotations

from typing import Any

from workbench.domain.loop.tasks import Approach, WorkReply

GOAL = "Run the city trees conference in Utrecht on 16 and 17 September 2027 for 500 members, at most 60,000 EUR"
QUESTION = "How many of the 500 members can travel to Utrecht?"
CONSTRAINTS = ("At most 60,000 EUR", "On 16 and 17 September 2027", "All 500 members can take part")

APPROACHES = (
    Approach(
        id="A1",
        title="Everybody in one hall",
        summary="The conference as it always was: one large hall, two days, everybody travels.",
        outline=("Sign for a hall of 500 seats", "Call for talks", "Open registration", "Hold both days"),
        advantages=("Nothing new has to work", "People meet in the breaks"),
        drawbacks=("Who cannot travel is left out", "A hall of 500 seats takes half of the money"),
        fits="Nearly all members can travel.",
    ),
    Approach(
        id="A2",
        title="A hall and a stream, with equal rights",
        summary="200 people in a smaller hall, 300 at home, who see, hear and ask as if they sat in the third row.",
        outline=("Sign for a hall of 200 seats", "Book a crew for the stream", "Rehearse with questions from home"),
        advantages=("Everybody can take part", "The smaller hall pays for the crew"),
        drawbacks=("The line out of the hall can fail", "Somebody has to speak for those at home"),
        fits="Many members cannot travel, and talks matter more than breaks.",
    ),
    Approach(
        id="A3",
        title="Five cities, one programme",
        summary="Five small halls in five countries watch one programme together and hold their own walks.",
        outline=("Find a host in each city", "Agree on one programme", "Link the five halls"),
        advantages=("Short journeys for all", "Walks under local trees"),
        drawbacks=("Five contracts and five crews", "It stands or falls with five hosts"),
        fits="There are five chapters that can carry a day each.",
    ),
)


Reply = dict[str, Any]
"""An answer by item, or a part of it, as JSON has it."""


def _effort(low: float, likely: float, high: float) -> Reply:
    return {"low": low, "likely": likely, "high": high}


def _euros(amount: str) -> Reply:
    return {"amount": amount, "currency": "EUR"}


_HALL = "Treasurer"
_TALKS = "Programme lead"
_CREW = "Technical lead"
_PEOPLE = "Host of those at home"
_MODERATORS = "Two moderators"

SIGN: Reply = {
    "id": "S1",
    "title": "Sign for the hall",
    "outcome": "A contract for both days that can be cancelled until 1 May",
    "check": "Both signatures and the price are in the folder",
    "owner": _HALL,
    "effort": _effort(2, 4, 8),
    "not_before": "2026-11-23",
    "deadline": "2027-01-29",
    "cost": _euros("21000"),
    "cost_kind": "rent",
    "basis": "estimate",
    "because": ["U1"],
}
CALL: Reply = {
    "id": "S2",
    "title": "Call for talks",
    "outcome": "At least sixty proposals, a third of them from people who cannot travel",
    "check": "The list of proposals is closed and counted",
    "owner": _TALKS,
    "effort": _effort(2, 3, 6),
    "not_before": "2027-01-11",
}
CHOOSE_TALKS: Reply = {
    "id": "S3",
    "title": "Choose the talks",
    "outcome": "A programme of 24 talks with a speaker and a substitute each",
    "check": "Every speaker has confirmed in writing",
    "owner": _TALKS,
    "effort": _effort(5, 8, 12),
    "needs": ["S2"],
    "lags": [{"step": "S2", "days": 28, "elapsed": True}],
}
BOOK_CREW: Reply = {
    "id": "S4",
    "title": "Book the crew for sound, cameras and stream",
    "outcome": "A crew of five for both days and for the rehearsal",
    "check": "The offer names five people, the cameras and the price",
    "owner": _CREW,
    "effort": _effort(2, 3, 6),
    "needs": ["S1"],
    "not_before": "2027-01-11",
    "deadline": "2027-02-26",
    "cost": _euros("10000"),
    "cost_kind": "crew",
    "basis": "estimate",
}
REGISTER: Reply = {
    "id": "S5",
    "title": "Open registration for hall and home",
    "outcome": "One form, in which each member chooses a seat or the stream",
    "check": "Ten members have registered in a trial, five of them from home",
    "owner": _PEOPLE,
    "effort": _effort(3, 5, 7),
    "needs": ["S1", "S3"],
    "because": ["U1", "U2"],
}
REHEARSE: Reply = {
    "id": "S6",
    "title": "Rehearse with the crew",
    "outcome": "Two hours as on the day, with twenty members at home",
    "check": "Each of the twenty has asked a question and has heard the answer",
    "owner": _CREW,
    "effort": _effort(0.25, 0.25, 0.25),
    "on": "2027-09-03",
    "needs": ["S4", "S5"],
    "decisions": ["D1"],
}
SPEAK_FOR_HOME: Reply = {
    "id": "S7",
    "title": "Find two people who speak for those at home",
    "outcome": "Two moderators in the hall who put the questions from the stream",
    "check": "Both have moderated the rehearsal",
    "owner": _PEOPLE,
    "effort": _effort(1, 2, 4),
    "needs": ["S3"],
    "because": ["U2"],
}
HOLD: Reply = {
    "id": "S8",
    "title": "Hold both days",
    "outcome": "24 talks, seen in the hall and at home",
    "check": "The recording of every talk is complete",
    "owner": _TALKS,
    "effort": _effort(2, 2, 2),
    "on": "2027-09-16",
    "needs": ["S6", "S7"],
    "cost": _euros("18000"),
    "cost_kind": "meals and journeys of speakers",
    "basis": "estimate",
    "because": ["U1"],
}
PAY: Reply = {
    "id": "S9",
    "title": "Pay the bills and report to the members",
    "outcome": "All bills are paid, and the members have the account and the recordings",
    "check": "The auditors have signed the account",
    "owner": _HALL,
    "effort": _effort(2, 3, 5),
    "needs": ["S8"],
    "deadline": "2027-10-22",
    "because": ["U1"],
}

_WEEK_OF_THE_CONFERENCE = {"hours": 40, "first": "2027-09-13", "last": "2027-09-19"}
_PEOPLE_OF_BOTH: list[Reply] = [
    {"id": "P1", "text": _HALL, "hours": 8},
    {"id": "P2", "text": _TALKS, "hours": 12, "capacity": [_WEEK_OF_THE_CONFERENCE]},
]
_MONEY: Reply = {
    "id": "K1",
    "text": "At most 60,000 EUR",
    "limits": "amount",
    "amount": _euros("60000"),
    "because": ["U1"],
}
_BOTH_DAYS: Reply = {
    "id": "K2", "text": "On 16 and 17 September 2027", "limits": "date", "day": "2027-09-16", "last": "2027-09-17",
    "because": ["U1"],
}  # fmt: skip
_ACCOUNT: Reply = {
    "text": "The money suffices",
    "measure": "bills in the account of the society",
    "target": "at most 60,000 EUR",
    "due": "2027-10-22",
    "because": ["U1"],
}
NO_UPLINK: Reply = {
    "id": "R1",
    "text": "The line out of the hall fails, and 300 people see nothing.",
    "likelihood": "medium",
    "impact": "high",
    "sign": "The picture stops in the rehearsal.",
    "response": "The technical lead agrees with the hall by 5 February who repairs the line, and within which time.",
    "because": ["U2"],
}
FORGOTTEN_HOME: Reply = {
    "id": "R2",
    "text": "Those at home only watch: nobody in the hall takes up their questions.",
    "likelihood": "high",
    "impact": "medium",
    "sign": "In the rehearsal, fewer than ten of twenty members at home have asked.",
    "response": "Two moderators put every second question from the stream; the programme lead keeps the time for it.",
    "because": ["U2"],
}

FIRST: Reply = {
    "title": "City trees, Utrecht 2027",
    "sections": [
        {
            "id": "goal",
            "text": "All 500 members of the society take part in the conference on city trees on 16 and 17 September "
            "2027: 200 in a hall in Utrecht, 300 at home, with the same right to ask.",
        }
    ],
    "criteria": [
        {
            "id": "C1",
            "text": "Who registers for the stream is there",
            "measure": "members who watch at least four talks, out of those who registered for the stream",
            "target": "80 %",
            "due": "2027-09-17",
            "because": ["U2"],
        },
        {
            "id": "C2",
            "text": "Those at home are heard",
            "measure": "questions from the stream, out of all questions that were answered",
            "target": "40 %",
            "due": "2027-09-17",
            "because": ["U2"],
        },
        {"id": "C3", **_ACCOUNT},
    ],
    "constraints": [
        _MONEY,
        _BOTH_DAYS,
        {"id": "K3", "text": "All 500 members can take part", "limits": "rule", "because": ["U1", "U2"]},
    ],
    "people": [*_PEOPLE_OF_BOTH, {"id": "P3", "text": _CREW, "hours": 12}, {"id": "P4", "text": _PEOPLE, "hours": 10}],
    "decisions": [
        {
            "id": "D1",
            "text": "Do speakers at home talk live, or send a recording?",
            "reason": "What the crew rehearses depends on it.",
            "owner": _TALKS,
            "latest": "2027-07-30",
            "options": [{"text": "Live"}, {"text": "A recording, and questions live"}],
            "assumed": "They talk live.",
            "advice": "Live: who is at home has the same right to ask, and to be asked.",
            "because": ["U2"],
        }
    ],
    "steps": [SIGN, CALL, CHOOSE_TALKS, BOOK_CREW, REGISTER, REHEARSE, SPEAK_FOR_HOME, HOLD, PAY],
    "risks": [NO_UPLINK, FORGOTTEN_HOME],
    "questions": [
        {
            "id": "Q1",
            "text": "May talks be shown to anybody after the conference?",
            "assumption": "For members only, until a speaker agrees to more.",
            "owner": _TALKS,
        }
    ],
    "statements": [
        {"id": "U1", "state": "used", "items": ["K1", "K2", "S8"]},
        {"id": "U2", "state": "used", "items": ["S5", "S7"]},
    ],
    "insights": ["The contract of the hall comes first: everything else can still be moved."],
}

ONE_HALL: Reply = {
    "title": FIRST["title"],
    "sections": [{"id": "goal", "text": "The members meet in one hall in Utrecht on 16 and 17 September 2027."}],
    "criteria": [
        {
            "id": "C1",
            "text": "The hall is full",
            "measure": "seats that are taken, out of 500",
            "target": "90 %",
            "due": "2027-09-17",
            "because": ["U1"],
        },
        {"id": "C2", **_ACCOUNT},
    ],
    "constraints": [_MONEY, _BOTH_DAYS],
    "people": _PEOPLE_OF_BOTH,
    "steps": [
        SIGN | {"cost": _euros("30000")},
        CALL,
        CHOOSE_TALKS,
        REGISTER
        | {
            "title": "Open registration",
            "outcome": "A form on which members book a seat",
            "owner": _HALL,
            "because": ["U1"],
        },
        HOLD | {"outcome": "24 talks in one hall", "check": "24 talks were held", "needs": ["S5"]},
        PAY,
    ],
    "risks": [
        {
            "id": "R1",
            "text": "Three of five members stay at home, as they cannot travel.",
            "likelihood": "high",
            "impact": "high",
            "sign": "Fewer than 150 seats are booked by 1 June.",
            "response": "The treasurer moves to a smaller hall while the contract can be cancelled, until 1 May.",
        }
    ],
    "statements": [{"id": "U1", "state": "used", "items": ["K1", "K2", "S8"]}],
    "insights": FIRST["insights"],
}

REHEARSE_TWICE = "Rehearse twice, the second time with questions from home only."
WHEN_IT_FAILS = "What happens when the line out of the hall fails?"
ONE_DAY = "Cut it to one day: that must be cheaper."
BOTH_DAYS = """\
Keep both days.
The board allows 65,000 EUR now.
Add what Kahneman misses: how speakers at home are understood.
The recordings are for members only.
Could we fly in the speaker from Melbourne?
"""

AMENDED: dict[str, Reply] = {
    REHEARSE_TWICE: {
        "steps": [
            {
                "id": "new1",
                "title": "Rent a second line out of the hall",
                "outcome": "A mobile line of another company that carries the stream alone",
                "check": "The first line was unplugged in the rehearsal, and nobody at home noticed",
                "owner": _CREW,
                "effort": _effort(0.5, 1, 2),
                "not_before": "2027-08-16",
                "needs": ["S4"],
                "cost": _euros("1350"),
                "cost_kind": "line",
                "basis": "estimate",
                "below": "S5",
                "because": ["U4"],
            },
            {"id": "S6", "needs": ["S4", "S5", "S7", "new1"], "because": ["U4"]},
            {
                "id": "new2",
                "title": "Rehearse a second time, with questions from home only",
                "outcome": "One hour in which the hall is silent and everything comes from the stream",
                "check": "No question waited longer than a minute",
                "owner": _MODERATORS,
                "effort": _effort(0.125, 0.125, 0.125),
                "on": "2027-09-10",
                "needs": ["S6"],
                "below": "S7",
                "because": ["U3"],
            },
            {"id": "S8", "needs": ["S6", "S7", "new2"], "because": ["U3"]},
        ],
        "risks": [
            {
                "id": "R1",
                "likelihood": "low",
                "response": "The second line takes over; the technical lead unplugs the first one in the rehearsal.",
                "because": ["U4"],
            }
        ],
        "statements": [
            {"id": "U3", "state": "used", "items": ["new2"]},
            {
                "id": "U4",
                "state": "answered",
                "note": "A second line of another company takes over; R1 says who tries it, and when.",
                "items": ["new1", "R1"],
            },
        ],
        "insights": ["The first rehearsal is for lines and pictures, the second for the silence before a question."],
    },
    ONE_DAY: {
        "replaced": [{"statement": "U1", "part": "16 and 17 September 2027", "by": "U5"}],
        "constraints": [{"id": "K2", "text": "On 16 September 2027", "clear": ["last"], "because": ["U5"]}],
        "steps": [
            {
                "id": "S8",
                "title": "Hold the Thursday",
                "outcome": "Twelve talks, seen in the hall and at home",
                "effort": _effort(1, 1, 1),
                "cost": _euros("10000"),
                "because": ["U5"],
            }
        ],
        "decisions": [
            {
                "id": "new1",
                "text": "The conference takes one day.",
                "reason": "Hall and crew are paid by the day: it saves a quarter, and twelve talks fall away.",
                "because": ["U5"],
            }
        ],
        "statements": [{"id": "U5", "state": "used", "items": ["K2", "S8", "new1"]}],
        "insights": ["One day saves a quarter of the money and costs half of the talks."],
    },
    "Keep both days.": {
        "replaced": [{"statement": "U1", "part": "at most 60,000 EUR", "by": "U6"}],
        "criteria": [{"id": "C3", "target": "at most 65,000 EUR", "because": ["U6"]}],
        "constraints": [{"id": "K1", "text": "At most 65,000 EUR", "amount": _euros("65000"), "because": ["U6"]}],
        "steps": [
            {
                "id": "new1",
                "title": "Lend headsets to speakers at home",
                "outcome": "Every speaker at home has a headset that was tried with the crew",
                "check": "A recording of each of them can be understood without effort",
                "owner": _CREW,
                "effort": _effort(1, 2, 3),
                "not_before": "2027-08-02",
                "needs": ["S3", "S4"],
                "cost": _euros("1500"),
                "cost_kind": "equipment",
                "basis": "estimate",
                "below": "S5",
                "because": ["U7"],
            },
            {"id": "S6", "needs": ["S4", "S5", "S7", "S10", "new1"], "because": ["U7"]},
        ],
        "risks": [
            {
                "id": "new2",
                "text": "Speakers at home cannot be understood in the hall.",
                "likelihood": "high",
                "impact": "medium",
                "sign": "The crew asks twice in the trial of the headsets.",
                "response": "Headsets are lent; who refuses one is asked for a recording by 27 August.",
                "because": ["U7"],
            }
        ],
        "decisions": [
            {
                "id": "new3",
                "text": "Recordings are for members only.",
                "reason": "Ana says so; a speaker who wants more says so in writing.",
                "because": ["U8"],
            }
        ],
        "remove": [{"id": "Q1", "because": ["U8"]}],
        "statements": [
            {"id": "U5", "state": "used", "items": ["K2", "S8"]},
            {"id": "U6", "state": "used", "items": ["K1", "C3"]},
            {"id": "U7", "state": "used", "items": ["new1", "new2"]},
            {"id": "U8", "state": "used", "items": ["new3", "Q1"]},
            {
                "id": "U9",
                "state": "declined",
                "note": "She speaks from home, with a headset, as all who cannot travel: a flight is 2,000 EUR, and "
                "the reserve is kept.",
            },
        ],
        "insights": ["What is lent to speakers at home is the cheapest improvement of the plan."],
    },
}
"""What the planner answers to feedback, by the first of its statements."""

UNHEARD = "S6 rehearses questions from home, and need not wait for S7, which finds the two who put them."
TWO_DAYS = "The goal still says 16 and 17 September, and K2 and S8 have one day."
MENDED: dict[str, Reply] = {
    UNHEARD: {"steps": [{"id": "S6", "needs": ["S4", "S5", "S7"]}]},
    TWO_DAYS: {
        "sections": [
            {
                "id": "goal",
                "text": "All 500 members of the society take part in the conference on city trees on 16 September "
                "2027: 200 in a hall in Utrecht, 300 at home, with the same right to ask.",
            }
        ]
    },
}
"""What the planner answers to a finding of the verifier."""

REPORTS = {
    "Find out what a second line out of the hall costs for two days.": WorkReply(
        answer="A bonded mobile line costs 450 EUR a day with an engineer, 260 EUR without. For both days and the "
        "rehearsals that is 1,350 EUR with an engineer on the two days only.",
        evidence=("e1",),
        open_questions=("Does the hall let a foreign antenna stand in its window?",),
    ),
    "List what the crew must bring, so that questions from home are heard in the hall.": WorkReply(
        answer="Two screens that face the stage, a return of the sound to the stream without the hall's own sound, "
        "and a microphone for each moderator. The hall has the screens; the rest is in the offer of the crew.",
        evidence=("e1", "e2"),
    ),
}
