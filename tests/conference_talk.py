"""What Ana says to two agents in the sample of the conference, and what they answer: see sample_conference.py."""

from __future__ import annotations

from workbench.domain.loop.agents import new_agent

NOVA = new_agent(
    "nova",
    "You are Nova. You have set up sound, cameras and streams in two hundred halls. Say what it takes, what it costs "
    "and who has to do it, in a few sentences, and say so when you are guessing.",
)
KAHNEMAN = new_agent(
    "kahneman",
    "You are Kahneman. You look for what everybody hopes and nobody has checked. Ask what usually happens in such "
    "cases, give numbers where there are any, and name the one thing you would check first.",
)

CONVERSATION = {
    # before the plan
    "Half of our members cannot travel. What does it take to have them with us?": "A hall that is built for it, or a "
    "crew that makes it so. For two days and one room I would take three cameras, one person at the sound desk, one "
    "who mixes the pictures, one for the stream, and two who look after speakers and questions. That is a crew of "
    "five, and about 5,000 EUR a day with their equipment.",
    "What must the hall itself have?": "Three things, and ask for all of them in writing: a line to the internet that "
    "nobody else uses on these days, power on a circuit of its own for the crew, and permission to be in the room the "
    "evening before. Daylight that can be shut out helps. Everything else comes in the van.",
    "What do people usually get wrong when they plan such a conference?": "They plan the stream as a window through "
    "which others may look in. In the surveys that societies publish, about a third of those who register for a "
    "stream never come, and most who leave do so in the first break. I would check first what those at home have "
    "to do in each hour, and whether anybody would notice if they were gone.",
    "Which of the three approaches would you doubt most?": "The one that sounds best: five cities. Each host is "
    "likely to succeed, at nine in ten say, and all five together succeed in six of ten cases. Nobody multiplies. "
    "The hall with a stream has one weak place, the line, and one weak place can be looked after.",
    "How long must the crew be booked ahead?": "For a September, before the end of February. September is when "
    "companies hold their own meetings again, and good crews are gone by Easter. A reservation costs nothing until "
    "about eight weeks before; ask for that in the offer.",
    # after the first draft
    "Look at the first draft: what would fail first?": "R1. You have one line, and the response is an agreement about "
    "who repairs it. Nobody repairs a line in the time that an audience waits, which is four minutes in my "
    "experience. Rent a second line from another company, and unplug the first one in the rehearsal. If nobody at "
    "home notices, you are ready.",
    "Is one rehearsal enough?": "For the crew, yes. For your moderators, no. The crew rehearses pictures and sound "
    "with people in the room. What is never rehearsed is silence: ten seconds in which the hall waits for a question "
    "from home. Take a second hour for that, with the hall empty.",
    "Which number in the draft do you believe least?": "The 80 % of those who registered. From what is published I "
    "would expect 55 to 65 %, with some effort. Either lower it, or say what is done in the week before: a letter with "
    "a link that works at once, and a name of somebody who answers when it does not. I would check first how many "
    "came to your last meeting by telephone.",
    "How do I notice early that those at home lose interest?": "Count questions by the hour, not viewers. A viewer "
    "leaves the picture running and cooks. If an hour passes with fewer than three questions from home, let the "
    "moderator ask them something that can be answered with a number. That costs nothing, and it brings the next "
    "questions with it.",
    # with what others share, and what other sessions remember
    "Ben has news of the hall. Does its line suffice?": "One line of 100 Mbit/s carries the stream three times over, "
    "so the width is not the question. Whether it is yours alone is. Ask Ben to write into the contract that the line "
    "is not used by the café on these days. And it stays one line: the second one is still needed.",
    "What should we learn from the wedding about guests, rain and lunch in the garden?": "Three things of that plan "
    "carry over. The venue keeps a room for every guest who was promised the garden; somebody decides two days before, "
    "at noon, by the forecast; and whoever has not replied is telephoned before the caterer is given a number. For 200 "
    "guests I would say it the other way round: the foyer is the plan, and the garden is the wish.",
    "And who decides about the rain, and when?": "There it is two days before, at noon, which for us is the Tuesday. I "
    "would let the programme lead decide, as the crew does not care where people eat; the caterer can still be called "
    "on that day. Write the name beside the step, so that nobody looks at the sky and argues.",
    "Both of us changed the budget this morning. Which of the numbers is wrong?": "None, and that is the trouble. Ben "
    "wrote what the hall costs, you wrote what you keep in reserve, and both were changed from the same page. The "
    "hall's new price stands, as only he touched it. The reserve was touched by both, and the later word counts: "
    "3,000. I would check first whether Ben knew that you wanted 6,000.",
    "Is a reserve of 3,000 EUR enough?": "Five per cent of the whole. For an event of a kind that you have never held "
    "before, overruns of 10 to 20 % are usual, so I would not sleep well below 6,000. Ask what could be left out in "
    "August without anybody missing it; that is your real reserve.",
    # the offer of the crew, and what members wrote
    """This is the offer of the crew. Is something in it that we do not need, or missing?

Offer 2027-118, Lichtstad Film, for two days in Utrecht, 16 and 17 September 2027
- Three cameras with operators: 3,300 EUR
- Picture mixer with operator: 1,450 EUR
- Sound desk, eight microphones without wires, one technician: 1,700 EUR
- Stream: encoder, page for the audience with a field for questions, one technician: 1,900 EUR
- Recording of each talk, cut at beginning and end, delivered within ten days: 900 EUR
- Building on the evening before, taking down on the last evening: 750 EUR
- Journeys and meals of five people: 640 EUR
- Rehearsal of two hours with four people, in the two weeks before: 580 EUR
Not contained: a line out of the hall, screens, subtitles, headsets of speakers at home, rights in music.
A reservation is free until 1 March; from eight weeks before, half of the sum is due, from two weeks before all of it.
The page for the audience carries 500 viewers; each further hundred costs 60 EUR. Data stay on servers in the EU.
Prices without tax. The offer holds until 15 January 2027.""": "It is an honest offer, and the sum of 11,220 EUR is "
    "what I would expect before tax. Two things are missing: the return of the sound to those at home, which has to "
    "come from the desk and not from a microphone in the room, and a second rehearsal. Two you can talk about: with "
    "the recordings cut by yourselves you save 900 EUR, and the third camera is a luxury for 220 seats. Check the "
    "tax: with it you are above the 10,000 EUR that stand in the budget, and the budget says nothing about that.",
    """And this is what members wrote after the last meeting by telephone. What follows from it for you?

- I could not hear who was speaking, and nobody said their names.
- My question was read out an hour later, when the speaker had left.
- It was good to be there at all, I have not travelled since 2019.
- In the breaks we looked at an empty table for forty minutes.
- The slides were too small for my screen. Somebody sent them afterwards, that helped.
- Twice the line was gone, and we did not know whether it was ours or theirs.
- I would have liked to talk with the others at home, but there was no way.
- The programme said 11 o'clock, and did not say whose.
- My hearing is bad. With subtitles I would come again.
- Please let it end at five: at home the family comes back then.""": "Nearly all of it is work for moderators and "
    "nothing for technicians. Names are said before each talk and shown below the picture. Questions from home come "
    "first, right after the talk. In the breaks the picture shows when it goes on, and a room is open in which those "
    "at home can talk with each other. Slides are sent the evening before. When the line is gone, the page says so by "
    "itself, and says whose it is. The only item that costs money is the subtitles.",
    "Do we need subtitles, and what do they cost?": "For 300 people at home, about thirty will need them and a hundred "
    "will be glad. Made by a machine, in English, they cost about 200 EUR for both days and get the names of trees "
    "wrong; give it a list of names beforehand. A person who writes along costs 1,900 EUR a day. I would take the "
    "machine, and say so on the page.",
    "What does the moderator in the hall see?": "Two things on one tablet: the questions from home, sorted by how many "
    "want to know, and a clock. Nothing else, in particular not the picture of the stream, as it is ten seconds late "
    "and irritates everybody who looks at it. The person who speaks with the crew is somebody else.",
    "Who helps somebody at home whose picture does not come?": "One of the two who look after speakers and questions, "
    "by telephone, and the number stands in the letter and on the page. From experience it is twenty calls in the "
    "first half hour and three after that. So let both of them do it until the first break, and no interviews before.",
    "How do we keep the recordings?": "Where the society keeps its journal, and as files, not as links to a company "
    "that may be gone. Three copies, one of them in another town, about 60 GB in all. Ask each speaker beforehand, on "
    "paper, whether members only or everybody may see the talk: afterwards it takes months.",
    "May we play music in the breaks?": "In the hall, yes: the house pays the society of composers. In the stream, no: "
    "that is a second right, which nobody has, and the platform will silence you for it. Let the microphones in the "
    "garden run instead. Two hours of blackbirds cost nothing, and they are on the subject.",
    "How does a panel work when two of five speakers are at home?": "Only if all five are treated as if they were at "
    "home. Put the two on one large screen at the end of the table, at the height of a head, and give the chair a list "
    "with the order in which everybody speaks; nobody interrupts. Without the list, those on the screen say three "
    "sentences in an hour. I have counted that more than once.",
    "What has to stand in the letter to the members in April?": "The two dates with their time zone, the choice "
    "between a seat and the stream on one form, and a sentence on each: what a seat costs, what the stream needs. "
    "Say plainly that no account has to be opened and no program installed. And give the telephone number already "
    "here; whoever has called once in spring will call again in September instead of giving up.",
    """Ben has sent the draft of the hall's contract. Does it hold what you need?

Contract between De Kas, Utrecht, and the Society for City Trees
1. The house lets its hall of 220 seats, foyer and garden on 16 and 17 September 2027, from 8 to 19 o'clock.
2. The price is 23,500 EUR, cleaning and light included; 30 % are due when this is signed, the rest thirty days before.
3. The society may cancel until 1 May 2027 and loses the first instalment then; afterwards the whole price is due.
4. The house gives one line to the internet of 100 Mbit/s. The café, which is open to the public, uses it too.
5. Power for equipment on the stage comes from two sockets of 16 A, on the circuit of the kitchen.
6. Technicians may enter from 7 o'clock on each day. Work in the night is not possible.
7. Nothing may be fixed to walls or windows without the house's consent in writing.
8. Two screens and a desk for sound belong to the hall; whoever uses them is liable for them.
9. Food is served by the house only. The number of guests can be changed until five working days before.
10. The house may show the hall to visitors in the breaks.
11. The house names a person who is in the building on both days and can be telephoned.
12. What is not said here needs the written form. The court of Utrecht decides.""": "Not yet; four points have to be "
    "changed before anybody signs. In 4 the line must be ours alone on both days: people at home watch when it is "
    "full. In 5 ask for a circuit of its own; the kitchen's oven has ended more streams than storms have. In 6 the "
    "crew needs the evening before, from six o'clock: it is in their offer, and nobody builds five places in one "
    "hour. In 7 ask for the consent now, for one antenna in a window. Number 11 is good, take the name into the list "
    "of telephone numbers. About the money in 2 and 3, ask Ben.",
    "What would make us call it off, and until when can we?": "You have three dates on which it becomes dear: 1 March, "
    "when the crew's reservation ends, 1 May, when the hall cannot be cancelled any more, and eight weeks before, when "
    "half of the crew is due. Write beside each of them what you would have to see to go on: thirty proposals, 150 "
    "registered, half of the programme confirmed. People who decide that beforehand stop in time, others never do.",
    "If this fails, what will the report say?": "That everybody had done their part, and nobody had watched the "
    "whole from a kitchen. Let one of the board take part from home, in both rehearsals and on both days, with "
    "nothing else to do. It is the cheapest insurance that I know, and it is usually refused.",
    # after the second draft
    "Send somebody to find out about the second line and the crew's list.": "Both are back. The second line costs "
    "1,350 EUR with an engineer on the two days, which fits into the reserve only if the reserve is 6,000. The crew "
    "brings microphones and the return of the sound; the screens are in the hall already. What is open is whether a "
    "foreign antenna may stand in the window: that is a question for Ben, before he signs.",
    "What would you leave out first, if the hall becomes dearer?": "The third camera. People forgive a dull picture "
    "and never bad sound. After that the second mixer's screen, then the printed programme. I would not touch the two "
    "moderators, and not the second line. Together that is about 1,400 EUR.",
    "How are speakers at home understood in the hall?": "Badly, as a rule. They sit in kitchens, with the microphone "
    "of a laptop two metres away. Send each of them a headset for 60 EUR three weeks before, and try it with them for "
    "ten minutes. Whoever refuses is asked for a recording. It is the cheapest improvement in your whole plan, and "
    "the draft does not have it.",
    # on one day
    "We cut it to one day. What do we save?": "Less than it seems. Hall and crew are paid by the day, which is about "
    "15,000 EUR; the second line, the rehearsals, the form and the headsets cost the same for one day as for two. So "
    "you save a quarter of the money, and lose half of the talks. People who save usually look at the sum, and never "
    "at what a talk costs then: it becomes dearer by half.",
    "And what do the members lose?": "The evening between the days. In every survey of conferences that I know, "
    "people name the conversations of the evening as the reason to come again, and the talks second. For those at "
    "home it is the other way round: two half days are easier to follow than one long one. Both groups lose.",
    # after the third draft
    "What is the one thing you would still check?": "Whether the forty members who never use a computer know that "
    "there is a hall with a seat for them. Everybody in this plan thinks of the stream, as it is new. The letter of "
    "April should say on its first line that a seat can be had by telephone.",
    "Read the plan once more as the crew will. Is anything missing?": "The evening before: S8 begins on the Thursday "
    "and the crew builds on the Wednesday. It is in my offer, and the treasurer should see that the hall's contract "
    "has it too. Otherwise I can start with this.",
    "When do we know that it works?": "On 10 September, in the second rehearsal, when somebody from home interrupts "
    "you and nobody finds that strange.",
    "Would you bet on it?": "On the two days, yes. On 80 % of those who registered, no: two to one against. But a "
    "target that makes you write the letter of the week before is worth having, even if it is missed.",
}
"""What the agents answer to what Ana says."""

SUMMARIES = {
    "nova": "Ana's society wants all 500 members at its conference in Utrecht: 200 in a hall, 300 at home. You advised "
    "a crew of five for about 5,000 EUR a day, booked before the end of February; of the hall you want, in writing, a "
    "line and a circuit of its own, and the room on the evening before. Of the first draft you said that its one line "
    "would fail first: a second one of another company, unplugged in the rehearsal; and a second rehearsal, for the "
    "silence before a question from home. Both are in the plan now."
}
"""What stands for the beginning of an agent's conversation when its window is full."""
