"""Sentences of everyday work are no commands: they change nothing, and the answer says where, and what would work."""

from __future__ import annotations

import pytest
from tests.commands.plans import PLAN, TODAY
from workbench.domain.commands import Unread, parse
from workbench.domain.commands.examples import nearest_example

SENTENCES = """
The hall is booked.
We finished the posters yesterday.
Anna is ill until Thursday.
Can somebody call the caterer?
Please drop the signage.
I don't think we need S4 any more.
S3 is nearly there.
S3 looks good to me
S3 should be done by Friday
S3 will be done on Monday
S3 might be late
S3 is not done
S3 isn't finished yet
S3 was done badly
S3 needs more time
S3 needs a second pair of eyes
S3 takes longer than we thought
S3 took 4 days
S3 costs too much
S3 is waiting on the printer, I believe
S3 is waiting too long
S3 waiting since Monday
S3 waiting to see
S3 and S4 could be swapped
S3 before S5, please
S3 done? I doubt it
S3 done, or so Ben says
S3 almost done, 90 % of it
S3 by the end of whatever week suits Anna
S3 owner should be Anna
S3 owner is probably Anna
S3 has been moved to May
S3 two days early
S3 is cancelled if it rains
S3 started, then stopped again
S3 under budget
S3 under control
S3 to be discussed
S3 5 of 8 rooms are too small
S3 halb fertig
S3 90 % of the money is gone
S3 5 of 8 are too small
S3 5 of 8 rooms are booked twice
S3 40% to go
S3 40% left
S3 40 % offen
S3 90 % of it is done
S3 90 % printed and the rest is lost
S3 90 % printed, I think
S3 40% open
S3 is 90% certain
S3 60 % women
S3 10% red
S3 3 of 5 men
S3 40% never printed
S3 50% destroyed
S3 2 of 3 broken
S3 three hours in
S3 five days planned
S3 2 days done
S3 90% sure
S3 5 of 8 rejected
S3 5 of 8 missing
S3 60% confident
S3 ist fertig
Ben says S2 is done
Done with S3
Done.
All done!
All is well
Mine is done
Move the date by a week
Move S3
Remove the risk about rain
Add more posters
Add a step for the flyers
Budget is tight
The budget is 40,000 EUR at most
Deadline has been moved to July
Days off are a problem in May
Undo what Ben did
Replan everything from March on
Split the work between Anna and Ben
Merge these two
Repeat after me
Q2 is still open
D1: we take the school
U4 is not what I said
@Anna is on leave in May
@Ben, could you look at S3?
Tomorrow at 13:00 in the town hall
300 visitors came
5 of 8 rooms are ready
We are three weeks late
40%
2d
Hello
""".strip().split("\n")


@pytest.mark.parametrize("sentence", SENTENCES)
def test_an_everyday_sentence_changes_nothing(sentence):
    found = parse(sentence, PLAN, TODAY, me="Ben Lang")
    assert isinstance(found, Unread), found.operations
    assert found.why
    assert nearest_example(sentence)
