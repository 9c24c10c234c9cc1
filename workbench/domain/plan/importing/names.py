"""Names of people, and of roles, in the places where plans name who does something."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from workbench.domain.plan.importing.words import word_set

_FIRST_NAMES = word_set(
    "adam ada ahmed aisha alan albert alejandro alena alex alexander alexandra ali alice alicia alina alison amanda "
    "amelia amir amy ana andrea andreas andrew andy angela anita anja ann anna anne annika anthony anton antonia "
    "anya ariel arne arthur ashley astrid barbara beate ben benjamin bernd beth bettina bianca birgit björn bob "
    "boris brian bruno camila carla carlos carmen carol caroline carsten catherine charles charlie charlotte chen "
    "chiara chloe chris christian christina christine christoph claire clara claudia cleo cora cristina daniel "
    "daniela dave david deborah diana diego dieter dirk dmitri dominik donna doris ed edward elena eli elias elif "
    "elisa elizabeth ella ellen emil emilia emily emma eric erik erika esther ethan eva evan eve fabian fatima felix "
    "finn fiona florian frank franz franziska fred frederik frida friedrich gabriel gabriele george georg gerd gina "
    "giulia grace greg greta gustav hana hanna hannah hans harald harry hassan heike heiko helen helena helga henry "
    "henrik holger hugo ian ibrahim ida igor ilse ina ines inga ingo ingrid irene iris isabel isabella ivan jack "
    "jacob jakob james jamie jan jana jane janet janine jannik jasmin jason javier jean jeff jen jenny jens jessica "
    "jia jim jo joan joanna joe joel johan johanna johannes john jonas jonathan jorge josé josef joseph josh joshua "
    "juan judith jule julia julian julie jürgen jutta kai karen karin karl karla kate katharina kathrin katja katrin "
    "kemal ken kerstin kevin kim kira klara klaus konrad kristina kurt lara lars laura lea leah lee lena leo leon "
    "leonie li liam lili lilly lina linda linus lisa liz lotte louis louise luca lucas lucia lucy luis luisa luka "
    "lukas luke lydia magda maja malte manfred manuel manuela mara marc marcel marco marcus margaret maria marian "
    "marie marina mario marion mark marko markus marlene marta martha martin martina mary matt matteo matthew "
    "matthias max maya mehmet mei melanie melissa mia michael michaela michelle miguel mika mike mila milan mira "
    "miriam mohamed mohammed moira mona monika moritz nadia nadine nancy natalia natalie nathan nele nic nick "
    "nicholas nico nicola nicole niklas nils nina noah noel nora norbert olaf ole oleg olga oliver olivia omar oscar "
    "oskar otto pablo pam patricia patrick paul paula pedro peggy pepe pete peter petra phil philip philipp pia "
    "piotr priya rachel raj ralf ramona raul rebecca regina reiner renate rené rita rob robert robin roger roland "
    "rolf roman ron rosa rosie roy rudi ruth ryan sabine sabrina sally sam samantha samira samuel sandra sara sarah "
    "sascha saskia scott sean sebastian selim selma serena sergej sharon sigrid silke silvia simon simone sina sofia "
    "sofie sonia sonja sophia sophie stefan stefanie steffen stella stephan stephen steve steven sue susan susanne "
    "sven svenja sylvia tamara tanja tara tatjana ted teresa theo theresa thomas thorsten tim tina tobias todd tom "
    "tomas tony torsten tracy tristan udo ulf uli ulrich ulrike ursula ute uwe valentina valerie vanessa vera verena "
    "veronika victor victoria viktor vincent viola volker walter wei wendy werner wilhelm will william wolfgang "
    "xavier yann yara yasmin ying yuki yusuf yvonne zara zeynep zoe zoë"
)
_ROLES = re.compile(
    r"(?:(?:the |our )?(?:project|product|tech(?:nical)?|team|engineering|marketing|sales|design|legal|finance|data|"
    r"qa|it|hr|event|office|program(?:me)?|general|account|content|site|release|billing|front-?end|back-?end|"
    r"bau)[ -])?(?:manager(?:in)?|lead(?:er)?|owner|coordinator|director|designer|developer|dev|engineer|analyst|"
    r"architect|team|dept|department|counsel|assistant|officer|editor|admin|sponsor|chair|secretary|treasurer|"
    r"volunteers?|everybody|everyone|alle|pm|po|ceo|cto|cfo|legal|marketing|finance|sales|design|ops|devops|qa|hr|it|leitung|leiter(?:in)?|"
    r"büro|einkauf|vertrieb|rechtsabteilung|buchhaltung|vorstand|verwaltung)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: (?:[^\W\d_][\w.'’-]*|von|van|de|der|del|di|da)){0,3}")
_SEPARATOR = re.compile(r"\s*(?:,|&|\+|/|;|\band\b|\bund\b)\s*")


class Names:
    """Who a file names as somebody who does something; what else looks like a name is none."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def add(self, name: str) -> None:
        """Remember a name that a file gives in a place for names."""
        for part in _SEPARATOR.split(name.strip(" @")):
            if 1 < len(part) <= 40 and _NAME.fullmatch(part):
                self._known.add(part.casefold())

    def learn(self, candidates: Iterable[str]) -> None:
        """Take texts that stand where names do as names, where most of them are known or come again."""
        counts = Counter(part for text in candidates for part in _SEPARATOR.split(text) if part)
        sure = sum(count for name, count in counts.items() if count > 1 or self.is_name(name))
        are_names = sure > 1 and 2 * sure >= counts.total()
        for name in counts:
            if are_names or counts[name] > 1:
                self.add(name)

    def is_name(self, text: str) -> bool:
        """Tell whether a text is the name of a person or of a role, or a few of them."""
        text = text.strip()
        if not text or len(text) > 60:
            return False
        return all(self._is_one(part) for part in _SEPARATOR.split(text))

    def _is_one(self, text: str) -> bool:
        text = text.removeprefix("@")
        if not _NAME.fullmatch(text):
            return False
        if text.casefold() in self._known or _ROLES.fullmatch(text):
            return True
        first = text.split()[0].strip(".").casefold()
        return first in _FIRST_NAMES and all(word[0].isupper() or word in ("von", "van", "de") for word in text.split())
