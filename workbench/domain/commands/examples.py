"""Examples of the language, by what they are about: the page about commands is made of them, and each is tried."""

from __future__ import annotations

import re
from collections.abc import Mapping

_OF_A_GROUP = 3
"""Examples of each group on a screen."""
OWN_STEP = "Book the hall 2d @Anna by 3 May, 90 EUR"
"""A line of one's own steps, as it is shown where some are asked for."""
ORDER = "Steps follow each other; write `together` at the end of a line for one beside the line before."
STEP_LINES = (
    ("Book the hall 2d @Anna", "two days of work, and who does it"),
    ("Print posters by 3 May, 90 EUR", "a deadline, and what it costs"),
    ("Invite everybody together", "beside the line before, not behind it"),
    ("Buy flowers needs 1", "it waits for step 1 alone, as with `after 1`; `needs none` for nothing"),
    ("Party on 26 Mar 13:00", "on its day"),
    ("  Ask the band", "indented: a part of the step above"),
)
"""Lines of one's own steps, and what they say."""
EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "Add": (
        ('add "Book the hall" 2d @Anna needs S1 by 3 May', "a step; its fields in any order"),
        ('add "Tell patients" below S4 on 26 Mar 13:00', "at a place in the list, on a day, at an hour"),
        ('add risk "Movers cancel" likelihood low impact high response "second quote by 1 Feb"', "a risk"),
        ('add "Sign the lease" 1d after S5, 90 EUR', "`after` is a need, as in `needs S5`; a sum is what it costs"),
        ('add constraint "No patient data leaves our servers"', "a constraint"),
        ('add question "Who signs?" @Sam', "a question, and who can answer it"),
        ('add criterion "300 visitors" by 18 Apr', "a success criterion"),
        ('add section later "Later"', 'a part of the plan; `add note "x" below section later` at its top'),
    ),
    "Who, how long, when": (
        (
            "S3 owner Anna",
            "the same as `S3 @Anna` and `S3 is owned by Anna`; further ones behind a comma, or `S3 also @Ben`",
        ),
        ("S3 takes 5d", "the effort; `S3 effort 1-2-4d` for low, likely and high"),
        (
            "S3 duration 3w",
            "how long it lasts, where that is not its effort: days of the calendar, or `15 working days`",
        ),
        (
            "S3 needs S1, S2 lag 3d",
            "what it waits for, besides what it needs; the lag is S2's; or `S3 depends on S1`, `S3 requires S1`",
        ),
        ("S3 needs not S1", "it does not need S1 any more; `S3 needs none` for nothing at all"),
        ("S3 by 3 May", "its deadline; `S3 before 3 May` for the day before"),
        ("S3 not before 1 Mar", "the first day on which it can begin"),
        ("S3 on 26 Mar 13:00-15:30", "the day it is on, and its hours"),
        ("S3 wait 20 working days", "nobody works, time passes: it takes the place of an effort; for both, split it"),
        ("S3 waits 4 hours after S2", "it needs S2, with a lag: hours of the clock, working or calendar days"),
        ("S3 cost 7,900 EUR", "an amount with its currency"),
    ),
    "How it stands": (
        ("S3 done", "today; `S3 done 26 Nov` on a day up to today"),
        ("S3 started Tue", "under way since then; `S3 under way` since its planned start"),
        ("S3 40%", "a share of it is done; `S3 5 of 8` counts; a word such as “printed” may follow"),
        ("S3 left 2d", "what is left of it; `S3 takes 2 more days` says the same"),
        ('S3 waiting "Anna\'s answer"', "it waits for something, in quotes or behind `for`; `until 5 Jan` may follow"),
        (
            "S3 late 2w",
            "it begins two weeks of the calendar later, its fixed day too, or ends later; `S3 3d late`: working days",
        ),
        ("all late 1w", "every open step begins a week of the calendar later, one with a fixed day too"),
        (
            "S3 dropped",
            "it is not done any more, and stays in the plan; what needs it needs what it needed; `S3 todo` opens it",
        ),
        ("mine done", "your open steps; who you are is the setting `person`, as the plan writes it"),
    ),
    "Words and fields": (
        ('S3 title "Hang posters"', "another title"),
        ('S3 note "asked twice"', "behind the notes that it has; only steps have notes"),
        ("S3 tag +print", "a tag; `S3 tag +print -loud` takes another one away"),
        ("S3 priority high", "any field of an item by its name"),
        ("S3 set outcome 50 posters", "the value up to the end of the command"),
        ("S3 clear deadline", "a field is emptied"),
    ),
    "Several, and their order": (
        ("S3 S4 S7 owner Bram", "some items at once"),
        ("S3..S9 tag +move", "all from one to another, in the order of the plan: `S3 to S9 done`"),
        ("move S3 below S5", "another place in the list; `first` for the top"),
        ("S3 under S1", "a part of S1, whose own effort then counts no more"),
        ('split S3 "hire" 2d, "train" 3d', "one step becomes two; the first keeps its id"),
        (
            'merge S3 S4 "Hire and train"',
            "S3 stays, with the work, cost, owners, needs and texts of both, and the strictest dates; losses are said",
        ),
        ("remove S3", "what needed it does not any more; `remove S3 passing needs` lets it need what S3 needed"),
        ("repeat S3 every Mon until 30 May", "it comes again"),
        ('section goal text "A fair in May."', "the prose of a section; `title` for its heading"),
        ("move section people first", "another order; `remove section people` takes it out with its items"),
    ),
    "People, calendar and money": (
        ("@Anna away 3-14 May", "a person, by name"),
        ("@Anna hours 8/week from 1 Feb to 28 Feb", "capacity for a time; `hours 20/week` for always"),
        ("@Velten hours 16/day on 26 Mar", "on a day that needs more than others"),
        ('@Anna role "lead"', 'any field of a person; `@Anna name "Anna Berg"` wherever they own something'),
        ('days off 24 Dec - 6 Jan "Freeze" for production', "for all, or for some people or tags"),
        ("holidays DE-BY", "public holidays of a country or region, with the extra `holidays`"),
        ("working days Mon-Thu", "the plan's week"),
        ("budget 40,000 EUR", "the plan's largest limit"),
        ("deadline 30 June", "the plan's last day"),
        ("goal day 18 Apr 2027", "the day that the plan is for"),
        ('plan title "Spring fair"', "the plan's title"),
    ),
    "Answer and decide": (
        ("Q2: next week, by e-mail", "the question becomes a decision; all that follows the colon is the answer"),
        ('D1 options "Buy it", "Lease it"', "what can be decided: A, B … in this order"),
        ("D1 choose B", "an option, by letter or by its words in quotes"),
        ("U4 dismiss", "a statement of yours need not be used (sessions of a language model)"),
        ("U7 used in S3", "a step does what you said"),
        ("O1 accept", "what another program offers is done (`workbench offers`)"),
        ('O2 decline "Anna is away"', "it is not; the program can read why"),
        ('V2 dispute "the clamp is certified"', "a finding is wrong, by its number in `workbench sessions show`"),
    ),
    "Dates again, and back": (
        ("replan", "every open step is dated again, from today on"),
        ("undo", "what was changed last, exactly"),
        ("undo to v3", "everything since version 3"),
        ("redo", "what was undone last, while nothing else was changed"),
    ),
}


def some_examples() -> tuple[tuple[str, str], ...]:
    """Return a screen of examples: the first ones of each group, each with what it is."""
    return tuple(example for group in EXAMPLES.values() for example in group[:_OF_A_GROUP])


def nearest_example(text: str) -> str:
    """Return the command that a text resembles most, with the text's own id."""
    from rapidfuzz import fuzz, process

    known = [command for group in EXAMPLES.values() for command, _ in group]
    wanted = re.sub(r"\b[SRCKDQPHUV]\d+\b", "S3", text[:200])
    found, _, _ = process.extractOne(wanted, known, scorer=fuzz.token_set_ratio)
    named = re.search(r"\b[SU]\d+\b", text)
    return str(found).replace("S3", named[0], 1) if named and named[0][0] == "S" else str(found)
