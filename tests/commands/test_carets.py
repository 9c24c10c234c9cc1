"""Many wrong commands: where the caret stands in each, ‸, what is suggested in its place, →, and why, ¶."""

from __future__ import annotations

import pytest
from tests.commands.plans import PLAN, TODAY, parsed
from workbench.domain.commands import Unread, parse

WRONG = """
‸drop S3  →  S3 dropped
‸delete S3  →  remove S3
‸cancel S3  →  S3 dropped
S3 ‸drop  →  S3 dropped
S3 ‸delete  →  remove S3
S3 ‸depends S1  →  S3 needs S1
S3 ‸after S1  →  S3 needs S1
S3 ‸follows S1  →  S3 needs S1
S3 ‸Anna  →  S3 owner Anna
S3 ‸Anna takes 2d  →  S3 owner Anna takes 2d
S3 ‸anna berg
S3 ‸assigned to Anna  →  S3 owner Anna
S3 ‸until 3 May  →  S3 by 3 May
S3 ‸starts 3 May  →  S3 not before 3 May
budget ‸4k  →  budget 4k EUR
S3 ‸begins 3 May  →  S3 not before 3 May
S3 ‸finish 3 May  →  S3 done 3 May
S3 ‸complete  →  S3 done
S3 ‸completed  →  S3 done
S3 ‸in progress  →  S3 under way
S3 ‸blocked  →  S3 waiting
S3 ‸blocked by S1  →  S3 waiting for S1
S3 ‸costs 400 EUR  →  S3 cost 400 EUR
S3 ‸price 400 EUR  →  S3 cost 400 EUR
S3 ‸lasts 3d  →  S3 duration 3d
S3 ‸rename "x"  →  S3 title "x"
‸rename S3 "x"  →  S3 title "x"
‸rename S3 to "Hang"  →  S3 title "Hang"
‸set S3 owner Anna  →  S3 owner Anna
‸assign S3 to Anna  →  S3 owner Anna
‸assign Anna to S3
‸Anna owns S3
‸Ben done
‸Ben away 3-14 May  →  @Ben away 3-14 May
‸Ben off 3-14 May
@Ben ‸off 3-14 May  →  @Ben away 3-14 May
@Ben ‸vacation 3-14 May  →  @Ben away 3-14 May
@Ben ‸20h/week
@Ben hours ‸20  →  @Ben hours 20/week
add ‸Book the hall  →  add "Book the hall"
add step ‸Book the hall  →  add step "Book the hall"
add "Book the hall" ‸two
‸new step "x"  →  add step "x"
‸create "x"  →  add "x"
add ‸task "x"  →  add step "x"
add ‸milestone "x"  →  add step "x"
add risk ‸Movers cancel  →  add risk "Movers cancel"
S3 ‸move below S5  →  move S3 below S5
S3 ‸below S5  →  move S3 below S5
move S3 ‸before S5
move S3 to ‸top  →  move S3 to first
move S3 ‸up  →  move S3 first
‸swap S3 S4
split S3‸
split S3 ‸2
split S3 ‸into "a", "b"  →  split S3 "a", "b"
merge S3 S4‸
merge S3 and S4 ‸into "x"  →  merge S3 and S4 "x"
‸join S3 S4 "x"  →  merge S3 S4 "x"
repeat S3 every Monday until‸
S3 ‸every Monday  →  repeat S3 every Monday
S3 ‸weekly  →  repeat S3 weekly
‸day off 24 Dec  →  days off 24 Dec
‸holiday 24 Dec  →  days off 24 Dec
holidays ‸Germany
holidays ‸Bavaria
working days ‸4
‸work days Mon-Thu  →  working days Mon-Thu
‸workdays Mon-Thu  →  working days Mon-Thu
budget ‸40000  →  budget 40000 EUR
deadline ‸by 30 June  →  deadline 30 June
‸goal 18 Apr 2027  →  goal day 18 Apr 2027
‸event 18 Apr 2027  →  goal day 18 Apr 2027
Q2 ‸next week  →  Q2: next week
Q2 ‸answer "next week"  →  Q2 : "next week"
‸answer Q2 "next week"  →  Q2 : "next week"
U4 ‸ignore  →  U4 dismiss
U4 ‸used S3  →  U4 used in S3
V2 ‸wrong
V2 dispute‸
V2 dispute ‸the clamp  →  V2 dispute "the clamp"
D1 choose‸
D1 choose ‸C  ¶  D1 has no such option: it has A “Town hall”, B “School”.
D1 ‸decide B  →  D1 choose B
D1 ‸B  →  D1 choose B
‸choose B
undo ‸3  →  undo to 3
undo ‸v3  →  undo to v3
undo ‸last
‸revert  →  undo
redo ‸2
replan ‸now  →  replan
‸reschedule  →  replan
S3 late‸
S3 late ‸two
S3 ‸delayed 2w  →  S3 late 2w
S3 ‸postponed 2w  →  S3 late 2w
S3 ‸5d  →  S3 takes 5d
S3 ‸2w later
‸delay S3 2w  →  S3 late 2w
all late‸
‸all done  →  S1..S9 done  ¶  That is said of steps by their names alone.
‸mine late 1w
S3 ‸1w earlier
S3 ‸early 1w
‸S99 done
S3 needs ‸S99
S3 needs S4 lag‸
S3 needs S4 lag ‸soon
S3 ‸lag 2d
S3 needs ‸"nothing like it"
S3 owner Anna ‸Ben  →  S3 owner Anna, Ben
S3 @Anna, @Ben takes‸
S3 takes‸
S3 takes ‸five
S3 takes ‸5  →  S3 takes 5d
S3 takes 1-2d‸-4d
S3 ‸40  →  S3 40%
S3 100%‸%
S3 ‸5 of
S3 ‸8 of 5
S3 cost ‸7.900,5,0 EUR
S3 cost ‸400  →  S3 cost 400 EUR  ¶  Expected: an amount with its currency
S3 cost ‸EUR
S3 cost ‸400 XYZ
S3 by‸
S3 by ‸someday
S3 by ‸32 May
S3 by ‸30 Feb 2027
S3 by 3rd ‸of Mayy
S3 on 26 Mar ‸25:00
S3 on 26 Mar at‸
S3 not before‸
S3 ‸not S1  →  S3 needs not S1
S3 needs not‸
S3 clear‸
S3 clear owner and deadline‸
S3 clear ‸everything
S3 set‸
S3 set owner‸
S3 tag‸
S3 tag ‸"print"
S3 ‸untag print  →  S3 tag -print
S3 note‸
S3 note ‸asked twice  →  S3 note "asked twice"
S3 title‸
S3 status ‸finished
S3 status ‸red
S3 priority ‸urgent
S3 priority ‸1
S3 waiting for‸
S3 waiting until‸
S3 under‸
S3 under ‸Q2
S3 S4‸
‸S3..
S3..‸S99 done
S3 ‸through S5 done
S3 done; S4 ‸dne; S5 done  →  S3 done; S4 done; S5 done
S3 done, S4 ‸dne  →  S3 done, S4 done
S3 takes 2d, ‸ownr Anna  →  S3 takes 2d, owner Anna
S3 done ‸S4 done  →  S3 done; S4 done
"posters" ‸dne  →  done
‸"poster" done  →  S3 done
add "A" 2d; add "B" needs S10 ‸onwer Anna  →  add "A" 2d; add "B" needs S10 owner Anna
section goal‸
‸section nowhere text "x"  →  section goal text "x"
remove ‸section nowhere  →  remove section goal
move section goal‸
plan title‸
plan title ‸Fair  →  plan title "Fair"
‸plan name "x"  →  replan
‸title "x"
‸help
‸?
S3 done yesterday and S4 done ‸tomorrow  ¶  That day is still to come.
S3 started ‸next week
S3 done ‸31 Nov
S3 done ‸26 Nvo
S3 left‸
S3 left ‸some
S3 duration‸
S3 duration ‸long
S3 wait‸
S3 wait ‸forever
S3 hours ‸13:00
S3 hours ‸25:00-26:00
@Zoe‸
@Zoe ‸done
@Ben ‸done
@Ben owner ‸Anna
P1 takes ‸2d
‸P9 away 3 May
Q2 takes ‸2d
Q2 ‸done  →  Q2: done  ¶  Q2 is no step, and that is said of steps alone.
‸R1 done
S3 ‸@
S3 ‸@Anna/x
‸@"Ben
S3 title ‸"x  →  S3 title "x"
add ‸""
add "x" below ‸S99
add "x" first ‸second
S3 ‸remove  →  remove S3
remove‸
remove ‸S99
remove ‸everything
remove S3 S4 ‸passing
‸S3 dispute "x"
‸K1 by 3 May
S3 choose ‸B
S3 options ‸"a"
S3 away ‸3 May
D1 options‸
D1 options ‸Buy, Lease
S3 ‸ownr Anna  →  S3 owner Anna  ¶  Expected: owner
S3 takes ‸5m  →  S3 takes 5min  ¶  Expected: an effort
S3 by ‸Q2  →  S3 by Q2 2027  ¶  Expected: a date
S3 by ‸soon  ¶  Expected: a date
S3 by ‸31 Feb  ¶  There is no 31 February.
S3 done; ‸S13 done  ¶  There is no S13 in the plan: name S1..S9, or words of it in quotes.
‸"poster" owner Anna  →  S3 owner Anna  ¶  S3 “Print posters” and S4 “Hang posters” fit
‸"pront posters" done  →  S3 done  ¶  No item has these words.
S3 owner‸  ¶  Something is missing here. Expected: a text in quotes, a person, such as @Anna, a name
S3 needs ‸S3  ¶  S3 cannot need S3: name another step
S3 done ‸3 May 2027  ¶  That day is still to come.
S3 on ‸June  ¶  These are several days, and one is needed.
‸S9..S3 done  →  S3..S9 done  ¶  S3 does not come after S9 in the plan.
S3 set ‸colour red  ¶  Expected: a field
S3 priority ‸huge  ¶  “huge” is no value for priority: low, high.
S3 ‸likelihood low  ¶  S3 has no likelihood: it has
S3 clear ‸title  ¶  S3 has to keep its title.
Q2 owner Anna takes ‸2d  ¶  Q2 is no step, and only steps have an effort.
‸S3 dismiss  ¶  This is said of statements (U4), findings (V2) and offers (O1) alone.
‸U4 dispute "no"  ¶  Of U4 you can say: dismiss, used.
D1 choose ‸Z  ¶  D1 has no such option: it has A “Town hall”, B “School”.
D1 options ‸"Buy, lease"  ¶  quotes of its own: options "Buy", "lease".
S3 options ‸"Buy", "lease"  ¶  S3 is no decision: only decisions have options.
S3 is waiting ‸too long  →  S3 is waiting "too long"  ¶  “too” is not read here
S3 waiting ‸since Monday; S4 done  →  S3 waiting "since Monday"; S4 done  ¶  a text in quotes
S3 title ‸Hang posters  →  S3 title "Hang posters"  ¶  a text in quotes
‸mine done  ¶  Nobody said who you are
S3 under ‸S3  ¶  parts have no parts
S3 ‸@plans/x.md
repeat S3 ‸every first Monday of the month
merge ‸D1 D1 "x"  ¶  Name two steps, or more.
‸U4..U6 dismiss  ¶  There is no U4 in the plan
merge ‸S3 D1 "x"  ¶  Name two steps, or more.
‸owner Anna
S3 done, S4‸, owner Anna
‸Drop the signage please
S3 title ‸"Hang  →  S3 title "Hang"  ¶  This quote is not closed.
S3 note ‸“asked twice; S4 done  →  S3 note “asked twice”; S4 done  ¶  This quote is not closed.
Q2 note ‸"asked"  ¶  only steps have notes: `add note
add "Sign" under ‸D1  ¶  D1 is no step: only steps have parts.
‸frobnicate  ¶  Expected: an item, such as S3, add, budget, deadline, undo
S3 takes ‸1.250 days  →  S3 takes 1.2500 days  ¶  Expected: an effort
S3 ‸2 days early
‸five of eight found
remove ‸section risks  →  remove section goal  ¶  There is no section risks in the plan.
add ‸section steps "x"  ¶  There is a section steps already.
move ‸section goal below section goal  ¶  It cannot stand behind itself.
add T1 ‸"Doors open"  ¶  Say on which day: on 26 Mar.
add ‸X1 "x"  →  add step "x"  ¶  No item has an id with X.
‸Q9: Sam  ¶  There is no Q9 in the plan
S3 takes ‸0.125d  →  S3 takes 0.1250d  ¶  Expected: an effort
S3 effort ‸4-2-1d  ¶  an effort, such as 2d or 1-2-4d
""".strip("\n").split("\n")


@pytest.mark.parametrize("line", WRONG)
def test_an_error_names_its_place_what_was_expected_and_what_would_work(line):
    said, _, why = line.partition("  ¶  ")
    marked, _, suggestion = said.partition("  →  ")
    found = parse(marked.replace("‸", ""), PLAN, TODAY)
    assert isinstance(found, Unread)
    assert found.start == marked.index("‸")
    assert found.suggestion == suggestion
    assert why in found.why
    assert 2 <= len(str(found).splitlines()) <= 3
    if " " in suggestion:
        assert parsed(suggestion)
