"""What is asked of the workbench: go on, undo, finish, other approaches, a language, fewer words."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.domain.requests.context import Context
from workbench.domain.requests.form import Action, forms
from workbench.domain.requests.request import Control, Reply, Unclear

_ANSWERS: Mapping[str, tuple[Control, str]] = {
    "approve": ("approve", "Nothing is to be changed"),
    "thank": ("", "Nothing is to be changed"),
    "undo": ("undo", "There is nothing in this message to take back"),
    "finish": ("finish", "The plan is to be saved"),
    "give_up": ("give up", "The plan is to be given up"),
    "other_approaches": ("other approaches", "Other approaches are to be proposed"),
    "dismiss": ("dismiss", "What you said before is left aside"),
    "language": ("language", "The plan is to be written in another language"),
    "shorter": ("shorter", "The plan is to be said in fewer words"),
    "longer": ("longer", "The plan is to be said in more detail"),
}


def _asks_which(_context: Context) -> Reply:
    raise Unclear("Is the text too long, or does the work take too long?")


def _asks_what(_context: Context) -> Reply:
    raise Unclear("What did you mean? Say how it should be, or “undo”, and the last change is taken back.")


def _says(name: str) -> Action:
    def action(_context: Context) -> Reply:
        control, answer = _ANSWERS[name]
        return Reply(answer, control=control, outcome="not done" if control == "undo" else "done")

    action.__name__ = name
    return action


_WORDS = r"""
    YES = (ok(ay)?|k|whatever|al ?right|right|fair enough|yes|yep|yeah|sure|fine( (by|with|for) (me|us))?|good( stuff)?|
        great|((we|i|let)('ll| will|'s) )?(do|take|keep|go with|leave|use) (it|this|that|the plan)( like| as)?( (this|
        that|it is))|perfect|excellent|agreed|approved|lgtm|(that |this |it |all |the plan |everything )?(looks|sounds|
        seems|is|'s) (good|great|fine|right|ok(ay)?|perfect)( (to|for|by|with) me)?|that works|works for me|go (ahead|
        on|for it)|go|carry on|continue|proceed|keep going|next|do it|ship it|all good|good to go|no (changes|
        objections?|further changes)|nothing (to (change|add)|else)|i('m| am) (happy|fine|ok(ay)?)( with (it|that|
        this))?|leave (it|everything) as (it )?is|as is)
    THANKS = ((please )?(leave|keep) (the rest|everything else|all else|the others) (alone|as (it|they) (is|are)|
        untouched)|(don't|do not|never) (touch|change|move) (anything else|the (rest|dates|others))|
        (the rest|everything else|otherwise|all else|the others?)( (is|are|looks?|seems?))?( all)? (fine|good|
        ok(ay)?|great|perfect|right)|(many )?thanks( a lot)?( for [^,]+)?|thank you( (so|very) much)?( for [^,]+)?|thx|
        cheers|nice( (one|work|job|plan))?|well done|love it|i (really )?(like|love) (?!to\b)[^,]+|awesome|cool|amazing|
        wow|(great|good) (work|job|plan)|much better|hi|hello|hey)
    FILLER = ([\s,.!:)–-]++(then|now|so|please|thanks|thank you|for now|everyone|all|there|and|a lot)?)*+
    IT = (all (of )?)?(it|this|that|the (plan|text|document|whole thing|answer|proposal)|everything)
    LANGUAGE = (german|english|french|spanish|italian|dutch|portuguese|polish|czech|danish|swedish|norwegian|finnish|
        turkish|russian|ukrainian|chinese|japanese|korean|arabic|hindi|greek|hungarian|romanian|deutsch|français|
        español|italiano)
"""

FORMS = forms(
    _WORDS,
    r"""
approve
    {YES}({FILLER}({YES}|{THANKS}))*+{FILLER}
thank
    {THANKS}({FILLER}{THANKS})*+{FILLER}( {YES})?
undo
    (undo|revert|roll ?back|reverse)\b.*|(take|put|turn|set|bring|go|switch|change|get|return)( (it|that|this|them|
        things|
        everything|the plan))?( all)? back( to)?( (how|what|the way|as) (it|that|things) (was|were))?( .{0,60})?|
        (restore|
        bring back) the (previous|last|old|earlier) (version|plan)
    take back (?!what i).*
    that was (a mistake|wrong)
asks_what
    (no,? )?((that|it)('s| is| was) )?not what i (meant|asked for|said|wanted)
finish
    finish( (it|now|here|the (session|planning)))?|save( (it|this|that|the plan))?( (and (finish|exit|quit)|now))?
    we('re| are) done( here)?|i('m| am) done|(that's|that is|that'll be) (it|all)|done|end (it|here)
give_up
    (we|i)( have|'ve|'re|'m| are| am| will|'ll)? (give|gave|given|giving) ({IT} )?up
    (give|abandon|cancel) {IT}( up)?|{IT} (is|has been|was) (given up|abandoned|cancelled|called off)|give up( on {IT})?
other_approaches
    ((show|give|try|propose|suggest|offer|make|get|find)( (me|us))?|i('d like| want)( to see)?|are there|any)? ?((some|a
        few|an?|two|three|any) )?(other|another|(completely )?different|alternative|new|more) (approach(es)?|options?|
        ideas?|ways?|proposals?|alternatives?|plans?)( to (do|reach) (it|this|that))?
    start (over|again|from scratch)|(what are )?(the )?alternatives
    i don't like (this|the|any) (approach|plan|of (it|them))
dismiss
    (ignore|forget|disregard|scratch|scrap) (that|this|it|what i (just )?(said|wrote)( about .+)?|my (last|previous)
        (message|comment|note|request)s?|all (that|of that))
    (i )?(take|took) back what i (just )?(said|wrote)( (about|on) .+)?
    never ?mind|(sorry,? )?wrong (window|chat|plan)|(oh )?forget it
language
    ((can|could) (you|i|we) (have|get|write|do|say) )?({IT} )?((translate|write|switch|answer|give me|do|put|make|say|i
        want|i need)\b ?({IT} )?)?(in(to)?|to|auf) {LANGUAGE}
    {LANGUAGE}( only)?|(speak|use|translate) {LANGUAGE}
asks_which
    make (it|this|the plan) (a bit |much )?shorter
    ({IT} (is|'s) |it's |that's |way |far |much ){0,5}too long
shorter
    ({IT} (is|'s) |it's |that's |way |far |much ){0,5}(too (long|much( (text|detail|information))?|detailed|wordy|
        verbose|complicated|complex)|tl;?dr)
    (much |even |a bit |make (it|this|the plan) |keep it ){0,5}(shorter|briefer|more concise|simpler|short|brief)
    (less|fewer) (detail|text|words|details)|(shorten|condense|simplify|trim) {IT}|cut it down
longer
    ({IT} (is|'s) |it's |that's |way |far |much ){0,5}too (short|vague|general|generic|high[- ]level|superficial|thin)
    (i (need|want)|give me|add|can i have)? ?(some |much |a lot )?(more|further) details?
    (make (it|this|the plan) )?(more detailed|longer|more specific|more concrete)
    (elaborate|expand)( on (it|this|that))?
""",
    _asks_which,
    _asks_what,
    *map(_says, _ANSWERS),
)
