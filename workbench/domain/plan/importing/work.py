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
    "accept accompany achieve acknowledge acquire activate adapt add address adjust admit adopt advertise advise "
    "affirm agree aim align allocate allow analyse analyze announce answer anticipate apologise apologize appeal "
    "append apply appoint approach approve archive arrange arrive ask aspire assemble assess assign assume assure "
    "attach attend audit automate await back backfill backup bake batch be bear beat become begin behave believe "
    "belong benchmark bill bind block blog boil book boost borrow bow brainstorm brake break breathe breed brew brief "
    "bring brush bug build bump burn bury buy calculate calibrate call calm camp campaign cancel canvass capture care "
    "carry cast catch categorize cater celebrate certify change charge chase check cheer choose circulate cite claim "
    "clarify classify clean clear click climb close coach coat code collect comb combine comfort command commission "
    "commit communicate compare compensate compete compile complain complete comply compose compress compute conceive "
    "conclude conduct configure confirm connect conserve consider consolidate construct consult consume contact "
    "contain contest continue contract contribute control convert cook coordinate cope copy correct cost count cover "
    "crawl create credit cross cull curate customise customize cut cutover cycle damp dance dare date deal debate "
    "decide declare decorate decouple deduct dedupe deepen defer define delegate delete deliver demand demo "
    "demonstrate deny depart depend depict deploy deprecate derive describe desk detach detect determine develop "
    "devise diagnose dig digitise digitize dim direct disable discuss dismantle dismiss dispose dissolve distribute "
    "divide do document donate double doublecheck downgrade download downsize draft drain draw dress drill drink "
    "drive drop dry duplicate dust earn eat edge edit educate elaborate elect elevate eliminate email embed employ "
    "empower empty enable enact encourage end endorse enforce engage enhance enrich enrol enroll ensure enter "
    "entertain equip erect escalate establish estimate evaluate evolve examine exceed exchange exclude excuse execute "
    "exercise exit expand expect experiment expire explain explore export expose extend extract face facilitate "
    "factor fail fasten favor favour feed fence fetch fight figure file fill fill-in film finalise finalize find "
    "finish fire fish fit fix flag flash flatten float flush focus fold follow forecast format formulate forward "
    "foster frame free freeze fulfil fulfill fund fundraise gain gather generalise generalize generate get give glue "
    "go grade grant graph greet grind group grow guarantee guard guess guide hack halt hand handle hang hard harden "
    "harvest have head heat heighten help hide highlight hike hire hit hold hook hope host hunt hurry hydrate "
    "identify ignore illuminate illustrate implement import impose impress improve include incorporate increase index "
    "induct influence inform initialise initialize initiate inject insert insist inspect inspire install instrument "
    "insulate insure integrate interpret interview introduce invent inventory invest investigate invite invoice iron "
    "isolate issue iterate jog join keep kick kickoff label land launch lay lead learn lease leave let level lift "
    "light limit link list listen load lobby localise localize locate lock lodge log look lower mail maintain make "
    "manage map mark market measure meet mend mention mentor merge migrate minimise minimize mix mock model moderate "
    "modify monitor mop mount move mow name negotiate normalise normalize notarize note notify obtain offer onboard "
    "open operate optimise optimize order organise organize outline overhaul pack package paint parse partner pass "
    "paste patch pay peel perform persist petition phone photograph pick pilot pin ping place plan plant play pledge "
    "polish populate port post pour practice practise prepare present press price print prioritise prioritize probe "
    "process procure produce profile program promote propose protect prototype prove provide provision prune "
    "publicise publicize publish pull purchase push put qualify query queue quote raise rake ramp rank reach read "
    "rebase rebrand recap receive reconcile record recruit redact reduce refinance refine refresh register rehearse "
    "remind render renew renovate rent renumber repair repeat replicate reply repot repurpose request require resize "
    "resolve respond rest restrict retire retrieve revise revoke ride ring rinse rip roll rotate route run sand save "
    "saw scaffold scale scan schedule scope score scout screen screw script scrub seal search secure seed select sell "
    "send separate serve set settle setup sew shape share sharpen shave ship shoot shop shorten shortlist show shred "
    "shut sign simplify simulate sit sketch skip sleep slice slow smoke soak sort source speak specify spike spin "
    "split sponsor spray stack staff stage stand standardise standardize start stay steam sterilise sterilize stir "
    "stop store stream streamline strengthen stretch strip structure stub study stuff sublet submit subscribe "
    "summarise summarize supply support surface survey swap swear sweep swim switch sync tag take talk tape target "
    "taste tax teach tear tell terminate test thank thaw think throw tidy tie tighten tile time total tow track trade "
    "train transcribe transfer transform translate transport trap treat triage trial trigger trim troubleshoot try "
    "tune turn tweak type unify unit unplug untangle update upgrade upload use vacate vacuum validate varnish vary "
    "verify version vet view visit visualise visualize vote walk warm warn wash watch wean weed weigh weld whiten "
    "widen wind winterize wipe wire withdraw witness work wrap write zip zone"
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
    """Tell whether a line explains a term."""
    text = text[:300]
    match = _DEFINITION.match(text)
    return match is not None and not begins_with_verb(text)


_T = TypeVar("_T")


def share(texts: Sequence[_T], test: Callable[[_T], bool]) -> float:
    """Return the share of the texts that fulfil a test; 0 of none."""
    return sum(map(test, texts)) / len(texts) if texts else 0.0
