"""Whether lines read like work: they begin with a verb, or they describe how something is.

"Book the venue" · "Setting up CI" · "Halle buchen"        ─▶ work
"The room is too small." · "**Frontend**: React, Tailwind"  ─▶ a statement, a definition
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from workbench.domain.plan.importing.words import word_set

_VERBS = word_set(
    "accept achieve acquire activate adapt add address adjust adopt advertise agree align allocate allow analyse "
    "analyze announce answer append apply appoint approach approve archive arrange ask assemble assess assign attach "
    "attend audit automate back backfill backup bake batch be begin benchmark book boost brainstorm break brief "
    "bring brush bug build bump buy calculate calibrate call cancel capture categorize celebrate certify change "
    "charge chase check choose clarify clean clear click close coach code collect combine commission commit "
    "communicate compare compile complete compose conduct configure confirm connect consider consolidate construct "
    "consult contact continue contract contribute convert cook coordinate copy correct cover crawl create cut cross "
    "cull customise customize cut cutover deactivate debug decide declare decommission decorate decouple dedupe "
    "deepen define delegate delete deliver demo deploy deprecate derive describe design detect determine develop "
    "diagnose digitise digitize disable discover discuss dispose distribute divide do document donate double "
    "download draft draw drill drink drive drop dry eat edit educate elect eliminate embed enable encourage end "
    "enforce engage enhance enrich enrol enroll ensure enter escalate establish estimate evaluate examine execute "
    "expand experiment explain explore export expose extend extract fetch figure file fill film finalise finalize "
    "find finish fit fix flash flush fold follow forecast format formulate forward freeze fund gather generate get "
    "give go grant group grow guard guide hand handle hang hard harden have help hire hold host identify illustrate "
    "implement import improve include incorporate increase index inform initialise initialize initiate inspect "
    "inspire install instrument integrate interview introduce inventory invest investigate invite invoice isolate "
    "issue iterate join keep kick kickoff label land launch lay lead learn leave let level light limit link list "
    "listen load localise localize locate lock log look lower mail maintain make manage map mark market measure meet "
    "mend mention mentor merge migrate minimise minimize mix mock model moderate modify monitor mount move name "
    "negotiate normalise normalize note notify obtain offer onboard open operate optimise optimize order organise "
    "organize outline outsource overhaul pack package paint parse partner pass paste patch pay perform persist phone "
    "photograph pick pilot pin ping place plan plant play polish populate port post practice practise prepare "
    "present preserve press preview price print prioritise prioritize probe process procure produce profile program "
    "promote propose protect prototype prove provide provision prune publicise publicize publish pull purchase push "
    "put qualify query queue quote raise ramp rank reach read rebase rebuild recap receive recheck record recruit "
    "redact redesign redirect reduce re-enable refactor refine refresh register rehearse release relocate remind "
    "remove rename render renew renovate rent reorganise reorganize repair repeat replace replicate reply report "
    "repurpose request require reschedule research reserve reset resize resolve respond rest restart restore "
    "restrict restructure retire retrieve retry return reuse review revise rewrite ring roll rotate route run save "
    "scaffold scale scan schedule scope score scout screen script seal search secure seed select sell send separate "
    "serve set settle setup shape share ship shoot shop show shortlist shut sign simplify simulate sketch skip slice "
    "smoke sort source speak specify spike spin split sponsor staff stage stand standardise standardize start stop "
    "store stream streamline strengthen structure study stub submit subscribe summarise summarize supply support "
    "surface survey swap switch sync take talk target taste teach tear tell terminate test think thank throw tidy "
    "tie tighten time track train transcribe transfer transform translate transport treat trial triage trigger trim "
    "troubleshoot try tune turn tweak unblock unify unit uninstall unpack update upgrade upload use validate vary "
    "verify version vet view visit visualise visualize vote walk warm wash watch weigh wire work wrap write count "
    "empty peel sew feed mow rake dust iron vacuum mop sweep stir pour thaw sit stay sleep ride hike climb swim jog "
    "stretch lift hydrate pledge fundraise campaign canvass petition lobby notarize witness swear lodge appeal "
    "insure lease sublet refinance repay withdraw deduct tax reconcile bill refund rebrand recycle reassign "
    "reconnect reinstall reload remake remap renumber reopen repaint replan repot reprint reroute resubmit retest "
    "rethink retrain revisit revoke rewire rinse rip sand saw scrub screw shorten sharpen shave shred slow soak "
    "spray stack steam sterilise sterilize strip stuff tag tape tile total tow trade trap turn type unify unload "
    "unplug unsubscribe untangle vacate varnish vet warn weed weld wean whiten widen winterize wipe wind zip zone "
    "accompany acknowledge admit advise affirm aim analyze answer anticipate apologise apologize arrive aspire "
    "assume assure await bear beat become behave believe belong bind block blog boil borrow bow brake breathe breed "
    "brew burn bury calm camp care carry cast catch cater cheer circulate cite claim classify coat comb comfort "
    "command compensate compete complain comply compress compute conceive conclude conserve consume contain contest "
    "control cope cost credit curate cycle damp dance dare date deal debate deduplicate defer demand demonstrate "
    "deny depart depend depict describe desk detach devise devote dig dim direct disconnect dismantle dismiss "
    "display dissolve doublecheck downgrade downsize drain dress duplicate earn edge elaborate elect elevate email "
    "employ empower enact endorse entertain equip erect evolve exceed exchange exclude excuse exercise exit expect "
    "expire face facilitate factor fail fasten favor favour fence fight fill-in fire fish flag flatten float focus "
    "foster frame free fulfil fulfill gain generalise generalize glue grade graph greet grind guarantee guess hack "
    "halt harvest head heat heighten hide highlight hit hook hope hunt hurry ignore illuminate impose impress induct "
    "influence initialise inject insert insist insulate interpret invent inventory"
)
_LEAD = re.compile(
    r"^(?:[^\w(\[]+|(?:[A-Z]{1,4}[.-]?\d{1,4}(?:\.\d{1,3})*|\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?=[.)]))[.):]?\s+|\*\*|\(?(?:optional|opt)\)?:?\s+|(?:then|also|please|re-?|first|finally|next)[,:]?\s+)+",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"^(?:re|un|pre|de|dis|over|out|mis)-?(?=\w{3})|^\w{1,3}-(?=\w{3})")
_BEHIND = re.compile(r"\s*\([^()]*\)|\s+(?:[–—|-]|->|→)\s.*$|,? (?:bis|am|um|ab) .*$")
_GERMAN = re.compile(r"(?:^|\s)(?:[a-zäöüß]{2,}(?:en|ern|eln)|tun)$")
_NOT_GERMAN_VERBS = word_set(
    "zwischen neben gegen wegen unten oben außen innen morgen eben sieben zehn einen keinen seinen ihren unseren "
    "gestern sondern"
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|can't|could|should|must|(?-i:may)|might|will|would|won't|doesn't|"
    r"don't|does|did|isn't|aren't|ist|sind|war|waren|hat|haben|kann|können|soll|sollte|sollen|muss|müssen|wird|"
    r"werden|darf|dürfen|gibt)\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(
    r"^(?:\*\*|__|`)[^*`]{1,60}(?:\*\*|__|`)\s*(?:[:–—-]|:\*\*|\(|←|=)|^(?:\*\*|__)[^*]{1,60}:(?:\*\*|__)\s"
)
_SUBJECT = re.compile(
    r"\W*(?:the|an?|this|that|these|those|it|there|we|they|he|she|you|i|our|my|your|his|her|their|each|every|all|"
    r"some|no|many|most|der|die|das|ein|eine|es|wir|sie|er|ich|unser|mein|dies|alle|jede[rs]?|kein)e?\b",
    re.IGNORECASE,
)
_FEWEST_OF_A_SENTENCE = 4
"""Words of a line with a full stop that make a sentence of it."""
_CODE = re.compile(r"^`[^`]+`[.,;:]?(?:\s|$)")


def is_verb(word: str) -> bool:
    """Tell whether a word is a verb, as it is or with an ending."""
    word = word.casefold()
    return any(
        base in _VERBS
        for base in (
            word,
            word.removesuffix("s"),
            word.removesuffix("es"),
            word.removesuffix("d"),
            word.removesuffix("ed"),
            f"{word.removesuffix('ies')}y",
        )
    )


def begins_with_verb(text: str) -> bool:
    """Tell whether a line begins with a verb in its base form or with -ing, or ends as German tasks do."""
    text = _LEAD.sub("", text[:300])
    first = re.match(r"[A-Za-zÀ-ž][\w'’-]*", text)
    if first is None:
        return False
    word = first[0].casefold().rstrip("'’-")
    stem = word.split("-")[0]
    if word in _VERBS or (stem in _VERBS and len(stem) > 2) or _PREFIX.sub("", word, count=1) in _VERBS:
        return True
    if word.endswith("ing") and len(word) > 5:
        return any(base in _VERBS for base in (word[:-3], f"{word[:-3]}e", word[:-4]))
    return _ends_in_infinitive(_BEHIND.sub("", text).rstrip(" .;,!"))


def _ends_in_infinitive(text: str) -> bool:
    """Tell whether a line of a few words ends in a German infinitive; English words with that ending are few."""
    words = text.split()
    if not 2 <= len(words) <= 12 or _GERMAN.search(text) is None:
        return False
    last = words[-1]
    if last in _NOT_GERMAN_VERBS or last in _ENGLISH_ENDINGS:
        return False
    return any(word[:1].isupper() for word in words[:-1]) and len(last) >= 5


_ENGLISH_ENDINGS = word_set(
    "screen when then even seven eleven open children women kitchen garden token golden written broken between been "
    "given taken chosen hidden frozen listen happen often seen green pattern modern concern northern southern "
    "eastern western linen oven queen teen citizen warden dozen siren burden maiden sudden alien specimen chicken "
    "forgotten proven overwritten"
)


def is_statement(text: str) -> bool:
    """Tell whether a line says how something is, and not what to do."""
    if begins_with_verb(text):
        return False
    is_sentence = text.rstrip().endswith(".") and len(text.split()) >= _FEWEST_OF_A_SENTENCE
    return (is_sentence and _has_subject(text)) or _FINITE.search(text[:400]) is not None


def _has_subject(text: str) -> bool:
    """Tell whether a sentence begins with what it is about, as "Orders writes a row." does."""
    if _SUBJECT.match(text):
        return True
    verb = re.match(r"\W*\w+ (\w+s)\b", text)
    return verb is not None and is_verb(verb[1])


def is_definition(text: str) -> bool:
    """Tell whether a line explains a term, or is about a piece of code."""
    text = text[:300]
    if _CODE.match(text):
        return True
    match = _DEFINITION.match(text)
    return match is not None and not begins_with_verb(text)


_T = TypeVar("_T")


def share(texts: Sequence[_T], test: Callable[[_T], bool]) -> float:
    """Return the share of the texts that fulfil a test; 0 of none."""
    return sum(map(test, texts)) / len(texts) if texts else 0.0
