"""What is planned in the sample of the conference: approaches, the steps of its plans, what feedback amends, reports.

APPROACHES ─ A1 ─▶ ONE_HALL      A2 ─▶ FIRST ──AMENDED──▶ … as often as there is feedback

Nothing but what is said: data, as long as it is.
"""

from __future__ import annotations

from msgspec.structs import replace
from workbench.domain.loop.tasks import (
    Approach,
    FeedbackClass,
    WorkReply,
)
from workbench.domain.plan.plan import (
    Constraint,
    Criterion,
    Decision,
    Effort,
    Question,
    Risk,
    Section,
    Step,
)

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


def _step(
    number: int,
    title: str,
    outcome: str,
    check: str,
    owner: str,
    days: tuple[float, float, float],
    dates: tuple[str, str],
    *,
    needs: tuple[str, ...] = (),
    answers: tuple[str, ...] = (),
) -> Step:
    return Step(
        id=f"S{number}",
        title=title,
        outcome=outcome,
        check=check,
        owner=owner,
        effort=Effort(*days),
        needs=needs,
        start=dates[0],
        end=dates[1],
        answers=answers,
    )


_HALL = "Treasurer"
_TALKS = "Programme lead"
_CREW = "Technical lead"
_PEOPLE = "Host of those at home"

SIGN = _step(
    1,
    "Sign for the hall",
    "A contract for both days that can be cancelled until 1 May",
    "Both signatures and the price are in the folder",
    _HALL,
    (2, 4, 8),
    ("2026-11-23", "2026-12-11"),
    answers=("K1", "K2"),
)
CALL = _step(
    2,
    "Call for talks",
    "At least sixty proposals, a third of them from people who cannot travel",
    "The list of proposals is closed and counted",
    _TALKS,
    (4, 6, 10),
    ("2027-01-11", "2027-03-12"),
)
CHOOSE_TALKS = _step(
    3,
    "Choose the talks",
    "A programme of 24 talks with a speaker and a substitute each",
    "Every speaker has confirmed in writing",
    _TALKS,
    (5, 8, 12),
    ("2027-03-15", "2027-04-16"),
    needs=("S2",),
)
BOOK_CREW = _step(
    4,
    "Book the crew for sound, cameras and stream",
    "A crew of five for both days and for the rehearsal",
    "The offer names five people, the cameras and the price",
    _CREW,
    (2, 3, 6),
    ("2027-01-11", "2027-02-05"),
    needs=("S1",),
    answers=("C1",),
)
REGISTER = _step(
    5,
    "Open registration for hall and home",
    "One form, in which each member chooses a seat or the stream",
    "Ten members have registered in a trial, five of them from home",
    _PEOPLE,
    (3, 5, 7),
    ("2027-04-19", "2027-05-07"),
    needs=("S1", "S3"),
    answers=("K3",),
)
REHEARSE = _step(
    6,
    "Rehearse with the crew",
    "Two hours as on the day, with twenty members at home",
    "Each of the twenty has asked a question and has heard the answer",
    _CREW,
    (1, 2, 3),
    ("2027-08-30", "2027-09-03"),
    needs=("S4", "S5"),
    answers=("C2",),
)
SPEAK_FOR_HOME = _step(
    7,
    "Find two people who speak for those at home",
    "Two moderators in the hall who put the questions from the stream",
    "Both have moderated the rehearsal",
    _PEOPLE,
    (1, 2, 4),
    ("2027-05-10", "2027-05-28"),
    needs=("S3",),
    answers=("C2",),
)
HOLD = _step(
    8,
    "Hold both days",
    "24 talks, seen in the hall and at home",
    "The recording of every talk is complete",
    _TALKS,
    (2, 2, 2),
    ("2027-09-16", "2027-09-17"),
    needs=("S6", "S7"),
    answers=("C1", "C2", "K2"),
)
PAY = _step(
    9,
    "Pay the bills and report to the members",
    "All bills are paid, and the members have the account and the recordings",
    "The auditors have signed the account",
    _HALL,
    (2, 3, 5),
    ("2027-09-20", "2027-10-22"),
    needs=("S8",),
    answers=("C3",),
)
SECOND_LINE = _step(
    10,
    "Rent a second line out of the hall",
    "A mobile line of another company that carries the stream alone",
    "The first line was unplugged in the rehearsal, and nobody at home noticed",
    _CREW,
    (1, 1, 2),
    ("2027-08-16", "2027-08-27"),
    needs=("S4",),
    answers=("F2",),
)
SECOND_REHEARSAL = _step(
    11,
    "Rehearse a second time, with questions from home only",
    "One hour in which the hall is silent and everything comes from the stream",
    "No question waited longer than a minute",
    _CREW,
    (1, 1, 2),
    ("2027-09-06", "2027-09-10"),
    needs=("S6",),
    answers=("F1",),
)
SEND_HEADSETS = _step(
    12,
    "Lend headsets to speakers at home",
    "Every speaker at home has a headset that was tried with the crew",
    "A recording of each of them can be understood without effort",
    _CREW,
    (1, 2, 3),
    ("2027-08-02", "2027-08-20"),
    needs=("S3", "S4"),
    answers=("F3",),
)

STEPS = (SIGN, CALL, CHOOSE_TALKS, BOOK_CREW, REGISTER, REHEARSE, SPEAK_FOR_HOME, HOLD, PAY)
NO_UPLINK = Risk(
    id="R1",
    text="The line out of the hall fails, and 300 people see nothing.",
    likelihood="medium",
    impact="high",
    sign="The picture stops in the rehearsal.",
    response="The technical lead agrees with the hall by 5 February who repairs the line, and within which time.",
)
ANSWERED_LINE = replace(
    NO_UPLINK,
    likelihood="low",
    response="The second line of S10 takes over; the technical lead unplugs the first one in the rehearsal.",
    answers=("F2",),
)
FORGOTTEN_HOME = Risk(
    id="R2",
    text="Those at home only watch: nobody in the hall takes up their questions.",
    likelihood="high",
    impact="medium",
    sign="In the rehearsal, fewer than ten of twenty members at home have asked.",
    response="Two moderators put every second question from the stream; the programme lead keeps the time for it.",
)
BAD_SOUND = Risk(
    id="R3",
    text="Speakers at home cannot be understood in the hall.",
    likelihood="high",
    impact="medium",
    sign="The crew asks twice in the trial of S12.",
    response="Headsets are lent; who refuses one is asked for a recording by 27 August.",
    answers=("F3",),
)


def _steps(*steps: Step) -> Section:
    return Section(id="steps", title="Steps", items=tuple(sorted(steps, key=lambda step: (step.start or "", step.id))))


def _risks(*risks: Risk) -> Section:
    return Section(id="risks", title="Risks", items=risks)


def _needing(step: Step, *needs: str) -> Step:
    return replace(step, needs=(*step.needs, *needs))


FIRST = (
    Section(
        id="goal",
        title="Goal",
        text="All 500 members of the society take part in the conference on city trees on 16 and 17 September 2027: "
        "200 in a hall in Utrecht, 300 at home, with the same right to ask.",
    ),
    Section(
        id="criteria",
        title="Success criteria",
        items=(
            Criterion(
                id="C1",
                text="Who registers for the stream is there",
                measure="members who watch at least four talks, out of those who registered for the stream",
                target="80 %",
                due="2027-09-17",
            ),
            Criterion(
                id="C2",
                text="Those at home are heard",
                measure="questions from the stream, out of all questions that were answered",
                target="40 %",
                due="2027-09-17",
            ),
            Criterion(
                id="C3",
                text="The money suffices",
                measure="bills in the account of the society",
                target="at most 60,000 EUR",
                due="2027-10-22",
            ),
        ),
    ),
    Section(
        id="constraints",
        title="Constraints",
        items=tuple(Constraint(id=f"K{number}", text=text) for number, text in enumerate(CONSTRAINTS, start=1)),
    ),
    _steps(*STEPS),
    _risks(NO_UPLINK, FORGOTTEN_HOME),
    Section(
        id="questions",
        title="Open questions",
        items=(
            Question(
                id="Q1",
                text="May talks be shown to anybody after the conference?",
                assumption="For members only, until a speaker agrees to more.",
                owner=_TALKS,
            ),
        ),
    ),
)

ONE_HALL = (
    replace(FIRST[0], text="The members meet in one hall in Utrecht on 16 and 17 September 2027."),
    Section(
        id="criteria",
        title="Success criteria",
        items=(
            Criterion(
                id="C1",
                text="The hall is full",
                measure="seats that are taken, out of 500",
                target="90 %",
                due="2027-09-17",
            ),
            replace(FIRST[1].items[2], id="C2"),
        ),
    ),
    FIRST[2],
    _steps(
        SIGN,
        CALL,
        CHOOSE_TALKS,
        replace(REGISTER, title="Open registration", outcome="A form on which members book a seat", owner=_HALL),
        replace(HOLD, outcome="24 talks in one hall", check="24 talks were held", needs=("S5",), answers=("C1", "K2")),
        replace(PAY, answers=("C2",)),
    ),
    _risks(
        Risk(
            id="R1",
            text="Three of five members stay at home, as they cannot travel.",
            likelihood="high",
            impact="high",
            sign="Fewer than 150 seats are booked by 1 June.",
            response="The treasurer moves to a smaller hall while the contract can be cancelled, until 1 May.",
        )
    ),
)

REHEARSE_TWICE = "Rehearse twice, the second time with questions from home only."
WHEN_IT_FAILS = "What happens when the line out of the hall fails?"
ONE_DAY = "Cut it to one day: that must be cheaper."
BOTH_DAYS = "Keep both days. Add what Kahneman misses: how speakers at home are understood."

_SECOND = (SECOND_LINE, SECOND_REHEARSAL, *(one for one in STEPS if one not in (REHEARSE, HOLD)))
_LATER = (_needing(REHEARSE, "S10"), _needing(HOLD, "S11"))
SECOND_STEPS = _steps(*_SECOND, *_LATER)
THIRD_STEPS = _steps(SEND_HEADSETS, *_SECOND, _needing(REHEARSE, "S10", "S12"), _needing(HOLD, "S11"))

AMENDED: dict[str, tuple[FeedbackClass, str, tuple[Section, ...]]] = {
    REHEARSE_TWICE: ("add", "S11 is a second rehearsal, in the week before.", (SECOND_STEPS,)),
    WHEN_IT_FAILS: (
        "add",
        "S10 rents a second line of another company; R1 says who tries it.",
        (SECOND_STEPS, _risks(ANSWERED_LINE, FORGOTTEN_HOME)),
    ),
    ONE_DAY: (
        "change",
        "S8 holds twelve talks on the Thursday. Hall and crew are paid by the day: it saves a quarter, and breaks K2.",
        (
            _steps(
                *_SECOND,
                _LATER[0],
                replace(
                    _LATER[1],
                    title="Hold the Thursday",
                    outcome="Twelve talks, seen in the hall and at home",
                    effort=Effort(1, 1, 1),
                    end="2027-09-16",
                ),
            ),
            Section(
                id="decisions",
                title="Decisions",
                items=(
                    Decision(
                        id="D1",
                        text="The conference takes one day.",
                        reason="It is cheaper; twelve talks fall away.",
                        answers=("F3",),
                    ),
                ),
            ),
        ),
    ),
    BOTH_DAYS: (
        "add",
        "S12 lends headsets to speakers at home, and R3 says what is done for those who refuse one.",
        (THIRD_STEPS, _risks(ANSWERED_LINE, FORGOTTEN_HOME, BAD_SOUND)),
    ),
}
"""What a piece of feedback leads to: its class, what is said about it, and the sections that it amends."""

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
