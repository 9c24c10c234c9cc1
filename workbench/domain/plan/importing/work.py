"""Whether lines read like work: they begin with a verb, or they describe how something is.

"Book the venue" · "Setting up CI" · "Halle buchen"        ─▶ work
"The room is too small."                            ─▶ a statement
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from workbench.domain.facts.vocabulary import VERBS
from workbench.domain.plan.importing.words import word_set

_NAMES_OF_THINGS = word_set("found live master own park wait water")
_VERBS = VERBS - _NAMES_OF_THINGS | word_set("""
    accept accompany acknowledge activate address adjust admit advertise advise affirm agree aim align allocate allow
    anticipate apologise apologize appeal append approach approve arrive aspire assume assure attach await back backfill
    backup batch be bear beat behave believe belong benchmark bill bind block blog boil boost bow brainstorm brake break
    breathe breed brew brief brush bug bump burn bury calculate calibrate calm camp campaign canvass capture care catch
    categorize cater certify chase cheer circulate cite claim clarify classify click climb coat code comb combine
    comfort command commission commit communicate compensate compete compile complain compress compute conceive conclude
    configure conserve consider consult consume contain contest continue contribute control cope correct cost count
    crawl credit cross cull curate customise customize cutover damp dare date debate decouple deduct dedupe deepen defer
    delegate delete demand demo demonstrate deny depart depend depict deprecate derive describe desk detach detect
    determine devise diagnose dim direct disable dismiss dispose dissolve divide do doublecheck downgrade downsize drain
    dress drill drink dry duplicate dust edge educate elaborate elevate embed empower enable enact encourage end endorse
    enforce engage enhance enrich enrol enroll ensure entertain equip erect escalate evolve exceed exchange exclude
    excuse execute exit expect experiment expire expose face facilitate factor fail fasten favor favour fence fetch
    fight figure fill-in fire fish flag flash flatten float flush focus fold forecast format formulate forward foster
    frame free freeze fulfil fulfill fundraise generalise generalize generate glue grade grant graph greet grind group
    guarantee guard guess guide hack halt hang hard harden head heat heighten hide highlight hike hit hook hope hunt
    hurry hydrate ignore illuminate illustrate impose impress include incorporate index induct influence initialise
    initialize inject insert insist inspire instrument insulate insure interpret invent inventory invoice iron isolate
    iterate jog kickoff label land lease level lift light limit link listen lobby localise localize locate lock lodge
    mail mention mentor minimise minimize mix mock model moderate modify mop mount mow normalise normalize notarize
    notify outline package parse partner paste patch peel persist petition photograph pilot pin ping pledge polish
    populate port pour press price prioritise prioritize probe profile protect prototype provision prune publicise
    publicize qualify query queue quote rake ramp rank rebase recap reconcile redact refinance refine refresh remind
    render renumber replicate reply repot repurpose require resize respond rest restrict retrieve revoke ring rinse rip
    rotate route saw scaffold score scout screen screw script scrub search seed separate setup shape sharpen shave
    shorten shortlist shred shut simulate sit sketch skip sleep slice slow smoke soak source specify spike spin sponsor
    spray stack staff stand steam sterilise sterilize stir stream stretch strip structure stub stuff sublet subscribe
    summarise summarize surface survey swap swear sync tag tape target taste tax tear terminate thank thaw think tie
    tighten tile time total tow transcribe trap triage trial trigger troubleshoot tune tweak type unit unplug untangle
    vacuum varnish vary version vet view visualise visualize vote warm warn wean weed weigh weld whiten widen wind
    winterize wipe withdraw witness zip zone
""")
"""What tasks begin with: the verbs of planning, and of work."""
_LEAD = re.compile(
    r"^(?:[^\w(\[]+|(?:[A-Z]{1,4}[.-]?\d{1,4}(?:\.\d{1,3})*|\d{1,3}(?:\.\d{1,3})+|\d{1,3}(?=[.)]))[.):]?\s+|\*\*|\(?(?:optional|opt)\)?:?\s+|(?:then|also|please|re-?|first|finally|next)[,:]?\s+)+",
    re.IGNORECASE,
)
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
    if word in _VERBS or (stem in _VERBS and len(stem) > 2):
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
    text = re.split(r"(?<=\w\w[.!])\s+(?=[A-ZÄÖÜ])", text, maxsplit=1)[0]
    is_sentence = text.rstrip().endswith(".") and len(text.split()) >= _FEWEST_OF_A_SENTENCE
    return (is_sentence and _has_subject(text)) or _FINITE.search(text[:400]) is not None


def _has_subject(text: str) -> bool:
    """Tell whether a sentence begins with what it is about, as "Orders writes a row." does."""
    if _SUBJECT.match(text):
        return True
    verb = re.match(r"\W*\w+ (\w+s)\b", text)
    return verb is not None and is_verb(verb[1])


_T = TypeVar("_T")


def share(texts: Sequence[_T], test: Callable[[_T], bool]) -> float:
    """Return the share of the texts that fulfil a test; 0 of none."""
    return sum(map(test, texts)) / len(texts) if texts else 0.0
