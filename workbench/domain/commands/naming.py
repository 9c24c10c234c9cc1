"""Which items and people a command names: by id, by a quoted part of the title, by name. None is guessed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.domain.commands.draft import Draft
from workbench.domain.commands.errors import Misread
from workbench.domain.commands.grammar import Said, Word
from workbench.domain.plan.plan import Item, Person, Step, name_key, wording
from workbench.domain.text.cleaning import shorten
from workbench.domain.text.patterns import lazy_pattern

MOST_NAMED = 500
"""Items that one list can name."""
_RANGE = lazy_pattern(r"([A-Za-z]\d{1,9})\b.{1,20}?\b([A-Za-z]\d{1,9})\b")
_ESCAPED = lazy_pattern(r'\\(["\\“”„«»])')
_LONG_ENOUGH = 4
"""Letters of a name that may be another one with a slip."""
_NOBODY = frozenset({"none", "nobody", "no-one"})

_WHO_ONE_IS = "set `person` in config.toml, or WORKBENCH_PERSON, to your name in the plan"


def unquoted(text: str) -> str:
    """Return what is in quotes; any other text as it is."""
    if len(text) > 1 and text[0] in '"“„«' and text[-1] in '"“”»':
        return _ESCAPED.sub(r"\1", text[1:-1])
    return text


def quoted(text: str) -> str:
    """Return a text in quotes, as ``unquoted`` reads it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class Names:
    """The items and people of a draft."""

    def __init__(self, draft: Draft, me: str = "") -> None:
        self.draft = draft
        self.me = me

    def item(self, word: Word) -> Item:
        """Return the item that a word names. Raises Misread."""
        return self.draft.items[self.items(word)[0]]

    def items(self, word: Word) -> list[str]:
        """Return the ids of the items that a word names, in the order of the plan. Raises Misread."""
        text = word.text
        if word.type == "QUOTED":
            return [self._by_words(word)]
        if word.type == "RANGE" and (ends := _RANGE.search(text)):
            return self._items_between(word, ends[1].upper(), ends[2].upper())
        return [self._known(word, text.rpartition(" ")[2].upper())]

    def section(self, word: Word) -> str:
        """Return the id of the section that a word names. Raises Misread."""
        name = word.text.split()[-1]
        if name not in self.draft.sections:
            ways = tuple(f"section {section}" for section in self.draft.sections)
            raise misread(word, f"There is no section {name} in the plan.", instead=ways)
        return name

    def _known(self, word: Word, name: str) -> str:
        if name in self.draft.items:
            return name
        at = word.start + word.text.upper().index(name)
        raise Misread(at, at + len(name), self.unknown(name))

    def unknown(self, name: str) -> str:
        """Return that no item has an id, and which ones there are of its kind."""
        alike = [one for names in self.draft.order.values() for one in names if one[0] == name[0]]
        known = f"name {'..'.join(dict.fromkeys((alike[0], alike[-1])))}, or" if alike else "name an item by"
        return f"There is no {name} in the plan: {known} words of it in quotes."

    def _items_between(self, word: Word, first: str, last: str) -> list[str]:
        """Return all items of a kind from one to another, as the plan has them."""
        kind = type(self.draft.items[self._known(word, first)])
        names = [name for part in self.draft.order.values() for name in part if type(self.draft.items[name]) is kind]
        if self._known(word, last) not in names or names.index(last) < names.index(first):
            raise misread(word, f"{last} does not come after {first} in the plan.", instead=(f"{last}..{first}",))
        return names[names.index(first) : names.index(last) + 1]

    def _by_words(self, word: Word) -> str:
        wanted = unquoted(word.text).casefold().strip()
        words = {name: wording(item).casefold() for name, item in self.draft.items.items() if name == item.id}
        same = [name for name, text in words.items() if text == wanted]
        found = same or [name for name, text in words.items() if wanted and wanted in text]
        if len(found) == 1:
            return found[0]
        if found:
            named = " and ".join(f"{name} “{shorten(wording(self.draft.items[name]), 40)}”" for name in found[:2])
            more = f", and {len(found) - 2} more" if len(found) > 2 else ""
            raise misread(word, f"{named}{more} fit: say which one, by its id.", instead=tuple(found[:3]))
        from rapidfuzz import fuzz, process

        near = process.extract(wanted[:80], words, scorer=fuzz.partial_ratio, limit=2, score_cutoff=75)
        raise misread(word, "No item has these words.", instead=tuple(name for _, _, name in near))

    # --- people -------------------------------------------------------------------------------------------------------

    def people(self) -> Iterator[str]:
        """Yield the names of all who own something, or whose time the plan knows; some twice."""
        for item in self.draft.items.values():
            if isinstance(item, Person):
                yield item.text
            yield from item.owners if isinstance(item, Step) else filter(None, [getattr(item, "owner", "")])

    def person(self, word: Word) -> str:
        """Return a name as the plan has it: whole, or a part that only one has; else as it was written.

        "" for nobody. Raises Misread if two fit.
        """
        text = unquoted(word.text.removeprefix("@")).strip()
        if text.casefold() in _NOBODY:
            return ""
        known = {name_key(name): name for name in self.people()}
        if text.casefold() in known:
            return known[text.casefold()]
        part = [name for key, name in known.items() if text.casefold() in key.split()]
        near = next((name for key, name in known.items() if text and f" {text.casefold()}" in f" {key}"), "")
        if not part and '"' not in word.text and (near := near or _misspelt(text, known.values())):
            mark = "@" if word.type == "PERSON" else ""
            ways = (f"{mark}{quoted(near) if ' ' in near else near}", f"{mark}{quoted(text)}")
            why = f"Nobody in the plan is called {text}: do you mean {near}? A new name stands in quotes."
            raise misread(word, why, instead=ways)
        if len(part) > 1:
            whole = tuple(f'@"{name}"' for name in part)
            raise misread(word, f"{part[0]} and {part[1]} fit: say which one, by the whole name.", instead=whole)
        return part[0] if part else text

    def owned_by(self, name: str) -> list[str]:
        """Return the ids of what somebody owns."""
        items = self.draft.items.values()
        owners = {item.id: item.owners if isinstance(item, Step) else (getattr(item, "owner", ""),) for item in items}
        return [one for one, named in owners.items() if name_key(name) in map(name_key, named)]

    def mine(self, word: Word) -> list[str]:
        """Return the open steps of who gives the command. Raises Misread."""
        if not self.me:
            raise misread(word, f"Nobody said who you are: name the steps, or {_WHO_ONE_IS}.")
        found = [step.id for step in self.open_steps() if name_key(self.me) in map(name_key, step.owners)]
        if not found:
            raise misread(
                word, f"You are {self.me}, and no open step is {self.me}'s. Name the steps, or {_WHO_ONE_IS}."
            )
        return found

    def open_steps(self) -> list[Step]:
        """Return the steps that are neither done nor dropped, in the order of the plan."""
        steps = (self.draft.items[name] for names in self.draft.order.values() for name in names)
        return [step for step in steps if isinstance(step, Step) and step.status not in ("done", "dropped")]


def _misspelt(name: str, known: Iterable[str]) -> str:
    """Return a known name from which one differs in a letter, or in the order of two; "" for none."""
    from rapidfuzz.distance import OSA

    is_long = len(name) >= _LONG_ENOUGH and name.isalpha()
    parts = {part.casefold(): one for one in known for part in (one, *one.split())} if is_long else {}
    return next((one for part, one in parts.items() if OSA.distance(name.casefold(), part, score_cutoff=1) <= 1), "")


def misread(said: Word | Said, why: str, *, instead: tuple[str, ...] = ()) -> Misread:
    """Return the error for a word, or for the part of a command: its first word, if it is not a keyword alone."""
    words: Sequence[Word | Said] = (said.all_words() if isinstance(said, Said) else []) or [said]
    return Misread(min(word.start for word in words), max(word.end for word in words), why, instead=instead)
