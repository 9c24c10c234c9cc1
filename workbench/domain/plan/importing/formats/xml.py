"""XML of others as elements that know their lines; a document type is refused, as its entities make much of little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn
from xml.parsers import expat

from msgspec import Struct, field

from workbench.domain.errors import UsageError
from workbench.domain.text.cleaning import clean
from workbench.domain.values.calendar_words import plannable_day

HEADS_PARTS = "“{}” has parts with parts: it is a workstream, without an id and dates of its own"
"""What is told of a task of a project that a plan has no step for."""
_SAVE_AGAIN = "Save the plan again in the program that it is from, as XML."


class Element(Struct, eq=False):
    """An element, with its text and what is below it."""

    name: str
    line: int
    """Counted from 0."""
    last: int = 0
    """Line at which it ends."""
    text: str = ""
    parts: list[Element] = field(default_factory=list)
    attributes: Mapping[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> range:
        """The lines from its first to its last."""
        return range(self.line, self.last + 1)

    def all(self, *path: str) -> list[Element]:
        """Return the elements below this one that a path of names leads to."""
        name, *rest = path
        here = [part for part in self.parts if part.name == name]
        return [one for part in here for one in part.all(*rest)] if rest else here

    def get(self, *path: str) -> str:
        """Return the text of the first element that a path of names leads to; "" for none."""
        return next((one.text.strip() for one in self.all(*path)), "")


def day_of(text: str) -> str | None:
    """Return the day of a moment as XML has it; None if it is none."""
    day = plannable_day(text[:10]) if text[10:11] in ("", "T") else None
    return day.isoformat() if day else None


def parsed(text: str) -> Element:
    """Return the outermost element of a text. Raises UsageError for one that is no XML, or has a document type."""
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    whole = Element("", 0)
    within = [whole]

    def begin(name: str, attributes: Mapping[str, str]) -> None:
        told = {key: clean(text).replace("\u00a0", " ") for key, text in attributes.items()}
        element = Element(name.rpartition(" ")[2], parser.CurrentLineNumber - 1, attributes=told)
        within[-1].parts.append(element)
        within.append(element)

    def end(_name: str) -> None:
        element = within.pop()
        element.last, element.text = parser.CurrentLineNumber - 1, clean(element.text).replace("\u00a0", " ")

    def said(text: str) -> None:
        within[-1].text += text

    def refuse(*_: Any) -> NoReturn:  # entities could make much of little, or be files
        raise UsageError("The XML defines words of its own.", _SAVE_AGAIN)

    parser.StartElementHandler, parser.EndElementHandler = begin, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = said, refuse
    try:
        parser.Parse(text.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise UsageError(f"The file is not complete XML: {error}.", _SAVE_AGAIN) from error
    return whole.parts[0]
