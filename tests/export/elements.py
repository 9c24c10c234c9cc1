"""A page as a browser reads it: its elements, their attributes, and the text that is seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str | None]
    text: list[str] = field(default_factory=list)
    """Its own and that of the elements within it."""

    @property
    def words(self) -> str:
        return "".join(self.text)


class Elements(HTMLParser):
    """Reads a page; fails where an element is closed that is not open, or is left open."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.all: list[Element] = []
        self.comments: list[str] = []
        self._open: list[Element] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} stands twice"
        element = Element(tag, dict(attrs))
        self.all.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)

    def of(self, tag: str, **attributes: str) -> list[Element]:
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [one for one in self.all if one.tag == tag and wanted.items() <= one.attributes.items()]

    @property
    def words(self) -> str:
        """What is seen of the page."""
        return next(one for one in self.all if one.tag == "body").words
