"""English words that the reader knows: what makes a stretch of text one that it can claim to have read.

It is no dictionary. Small words and verbs of planning are enough to tell an English clause from gibberish and from
another language; what has none of them is not understood.
"""

from __future__ import annotations

from workbench.domain.values.small_words import SMALL

_VERBS = """
    achieve drop acquire adapt add adopt analyse analyze announce answer apply appoint archive arrange ask assemble
    assess assign attend audit automate bake become begin book borrow bring build buy call cancel carry cast
    celebrate change charge check choose clean clear close coach collect compare complete comply compose conduct
    confirm connect consolidate construct contact contract convert cook coordinate copy cover create cut cycle dance
    deal debug decide declare decommission decorate define deliver demolish deploy design develop dig digitise
    digitize discuss dismantle dispatch distribute document donate double download draft draw drive earn eat edit
    elect eliminate email employ empty enter establish estimate evaluate examine exercise exhibit expand explain
    explore export extend extract feed file fill film finalise finalize find finish fit fix fly follow found fund
    gain gather get give go grow halve hand handle harvest have help hire hold host identify implement import
    improve increase inform initiate inspect install integrate interview introduce invest investigate invite issue
    join keep kick launch lay lead learn leave let list live load log look lose lower maintain make manage map mark
    market master measure meet mend merge migrate modernise modernize monitor move name negotiate note obtain offer
    onboard open operate optimise optimize order organise organize outsource overhaul own pack paint park pass pay
    perform phone pick pitch place plan plant play post postpone practice practise prepare present print process
    procure produce program promote propose prove provide publish pull purchase push put quit raise reach read
    rebrand rebuild receive record recruit redecorate redesign redo reduce refactor reform refurbish register
    rehearse relaunch release relocate remodel remove renew renovate rent reorganise reorganize repair repeat
    replace report request research reserve resolve restore restructure retire return review revise rewrite ride
    roll run sand save scale scan schedule scope seal secure see select sell send serve set settle sew share shift
    ship shoot shop show sign simplify sing sort sow speak spend split stage standardise standardize start stay stop
    store streamline strengthen study submit supply support surprise survive sweep swim switch take talk teach tell
    test throw tidy track trade train transfer transform transition translate transport travel treat treble trim
    triple try turn understand unify unpack update upgrade upload use vacate validate verify visit wait walk wash
    watch water win wire work wrap write
"""
VERBS = frozenset(_VERBS.split())
"""What a person may ask for at the beginning of a clause."""
_NOUNS = """
    app application approval article audience bathroom bike billing birthday blog board boat book bridge brochure
    budget building business cake camp campaign car catalogue catering ceremony choir church city class clinic club
    collection community company competition concert conference contract course customer customers dashboard data
    database deadline deposit design dinner dog downtime draft election employee employees event events exam
    exhibition fair family farm fence festival film flat floor food friends funding garden goal group guest guests
    guide hall handbook holiday home hotel house idea interview inventory invitations invoice invoices job journey
    kitchen launch lawyer lease lecture lesson library licence list loan lunch magazine manual marathon market
    marriage materials meal meeting menu migration money museum music network newsletter office orchestra order page
    party patients people permit phone photos picnic platform play policy pool poster presentation price product
    programme project proposal race rehearsal release renovation report result retreat review roof room sale school
    server service shed shop show site software speech staff store story strategy street students summit supplier
    survey system talk teachers team tender terrace test theatre thesis ticket tickets tour tournament town trade
    training trees trial trip venue video visit volunteers wall warehouse website wedding window winter workshop
    workshops yard
"""
NOUNS = frozenset(_NOUNS.split())
_FOREIGN = """
    ab aber al am att au auch auf aus aux avec bei bis ce cette che como con dans das de debe del della dem den der des
    di die doit du een ein eine einem einen einer el elle en es est et faut für fur gli haben hat hay het höchstens
    ich ihr ikke il im ist je kein keine la las le les lo los ma mais med mes met mi mit mon muss mussen nach ne nicht
    niet noch non nos notre nous nur o och oder og ohne ou para pas per pero por pour que qui quoi sans sera sie sin
    sind soll sollen son sono sont su sur sus til uber un una und une uno unos unter van vom von voor vos votre
    vous werden wij wir wird y zijn zu zum zur
    dos em está estão meu minha nas não nos num numa pela pelo pra quero são sua tem uns você
    aan att bij dla dat det hoe jak jest måste med naar nie niej oraz på się som till vill waar wat
"""
FOREIGN = frozenset(_FOREIGN.split()) - SMALL
"""Small words of other languages that are no English ones."""
_QUALITIES = """
    accessible accurate affordable attractive automatic beautiful bilingual bright calm cheap
    child-friendly clean clear comfortable compact complete compliant consistent cosy dry durable easy eco-friendly
    efficient elegant fast fireproof flexible friendly green healthy high-quality inclusive inexpensive
    informal intuitive legible lightweight low-cost maintainable memorable mobile-friendly modern multilingual
    organic plain portable precise professional quick quiet readable reliable resilient responsive
    reusable robust safe scalable secure silent simple smooth soundproof stable stylish sustainable tasty
    tested tidy transparent usable user-friendly vegan vegetarian warm waterproof wheelchair-accessible
"""
QUALITIES = frozenset(_QUALITIES.split())


def base_verb(word: str) -> str:
    """Return the imperative of a word in small letters ("moving": "move"); "" where it is no verb that is known."""
    if word in VERBS:
        return word
    if word.endswith("ing"):
        stem = word[:-3]
        return next((base for base in (stem, stem + "e", stem[:-1]) if base in VERBS), "")
    return ""


def is_known(word: str) -> bool:
    """Return whether a word in small letters is one of those above, or of their forms."""
    if word in SMALL or word in NOUNS or word in QUALITIES or base_verb(word):
        return True
    stems = (word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ed"), word.removesuffix("d"))
    return any(stem in VERBS or stem in NOUNS for stem in stems)
