"""Kinds of things and of work, each with words for what is of it: an excavator is a machine, drilling is noise."""

from __future__ import annotations

import re

from workbench.domain.text.words import stem_set, stems

_KINDS = {
    "noisy noise loud": "drill drilled hammer hammered saw sawn demolish chisel jackhammer grind break blast",
    "dusty dust dirty": "grind sand sawn plaster demolish chisel sweep",
    "digging dig excavation earthworks": "dig dug excavate trench foundation excavator digger",
    "flame flames fire": "burn candle torch firework barbecue bonfire weld welding grill",
    "machine machinery engine motor": "excavator digger tractor bulldozer roller dumper forklift chainsaw mower lorry",
    "chemical pesticide poison": "herbicide glyphosate pesticide fungicide insecticide biocide bleach solvent chlorine",
    "meat": "sausage ham beef chicken pork bacon salami turkey lamb goulash",
    "animal": "sausage ham beef chicken pork bacon fish egg milk butter cheese cream honey gelatine",
    "nut nuts": "almond hazelnut walnut peanut pecan cashew marzipan nougat pistachio",
    "alcohol alcoholic": "beer champagne prosecco punch schnapps sekt cider cocktail liqueur",
    "plastic plastics": "polystyrene styrofoam pvc polythene polyethylene nylon vinyl acrylic",
}
KINDS = tuple((stem_set(names), stem_set(words)) for names, words in _KINDS.items())
"""Names of a kind, each with the stems of words for what is of it."""


def of_kind(names: frozenset[str]) -> frozenset[str]:
    """Return words for all that is of the kinds that some stems name."""
    return frozenset().union(*(words for kind, words in KINDS if kind & names))


def head(phrase: str) -> frozenset[str]:
    """Return the stem of what a phrase is about: alcohol of "alcohol at the feast", sponsor of "alcohol sponsors"."""
    return frozenset([word for word in stems(_REST.split(phrase, maxsplit=1)[0]) if word not in _ANY][-1:])


_REST = re.compile(r"\b(?:in|of|for|to|by|with|or|and|at|on|within|during|from)\b")
_ANY = stem_set("product work works ingredient")
