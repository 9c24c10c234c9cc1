"""Words that tell no subject: verbs of planning, and small words of other languages.

Whether a session concerns a goal is told by the other words that both have (``chance.py``).
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
