"""Kinds of things and of work, each with words for what is of the kind: an excavator is a machine, drilling is noise."""

from __future__ import annotations

from workbench.domain.text.words import stem_set

_KINDS = {
    "noisy noise loud": "drill drilled hammer hammered saw sawn demolish chisel jackhammer grind break blast",
    "dusty dust dirty": "grind sand sawn plaster demolish chisel sweep",
    "digging dig excavation earthworks": "dig dug excavate trench foundation excavator digger",
    "flame flames fire": "burn candle torch firework barbecue bonfire weld welding grill",
    "machine machines machinery engine engines motor": "excavator digger tractor bulldozer roller dumper forklift chainsaw "
    "harvester mower crawler lorry jackhammer",
    "vehicle vehicles car cars traffic": "car van lorry lorries truck bus coach tractor minibus",
    "chemical chemicals pesticide pesticides poison": "herbicide glyphosate pesticide fungicide insecticide biocide bleach "
    "solvent creosote chlorine acetone",
    "meat": "sausage ham beef chicken pork bacon salami turkey lamb goulash",
    "animal": "sausage ham beef chicken pork bacon fish egg milk butter cheese cream honey gelatine",
    "milk dairy lactose": "butter cheese cream yoghurt whey quark",
    "nut nuts": "almond hazelnut walnut peanut pecan cashew marzipan nougat pistachio",
    "gluten": "wheat rye barley spelt semolina breadcrumb",
    "alcohol alcoholic": "wine beer champagne prosecco punch schnapps sekt cider cocktail liqueur",
    "plastic plastics": "polystyrene styrofoam pvc polythene polyethylene nylon vinyl acrylic",
    "additive additives": "enzyme preservative emulsifier colouring flavouring stabiliser",
    "screw screws nail nails fixing": "drill bolt dowel screw nail plug",
    "flying fly flight flights": "aeroplane airline flight fly",
    "photo photos picture pictures photography": "photograph film video camera",
}
KINDS = tuple((stem_set(names), stem_set(words)) for names, words in _KINDS.items())
"""Names of a kind, each with the stems of words for what is of it."""


def of_kind(names: frozenset[str]) -> frozenset[str]:
    """Return words for all that is of the kinds that some stems name."""
    return frozenset().union(*(words for kind, words in KINDS if kind & names))
