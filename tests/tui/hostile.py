"""Hostile text: what somebody might put into a name, a reply, a file, a paste, to act where it is only to be read.

    ITEMS     one trick each, with what a person has to see of it
    PROSE     all of them, a line each            NAMES   all of them, packed into names of a few dozen characters
    unsafe()  what must never stand in a line of the screen: nobody could see it, or it acts
    obeyed()  the part of it that a terminal obeys, and that never leaves for one, whatever mistake is made

What has to be seen is written out here, not computed with the product's own ``clean``: the two must agree.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rich.segment import Segment


@dataclass(frozen=True)
class Hostile:
    """A text, and the pieces of it that must be seen, spaces apart."""

    name: str
    text: str
    seen: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def _as_it_is(name: str, text: str) -> Hostile:
    return Hostile(name, text, (text,))


MARKUP = (
    _as_it_is("an action", "[@click=app.quit]Click[/]"),
    _as_it_is("an action of the app", "[@click=app.bell()]Ring[/@click=]"),
    _as_it_is("an unbalanced tag", "[/x]"),
    _as_it_is("an open tag", "[bold"),
    _as_it_is("a type", "list[int]"),
    _as_it_is("colours", "[red on blue]loud[/]"),
    _as_it_is("a link in markup", "[link=https://evil.example]here[/link]"),
    _as_it_is("a variable", "[$error]$primary[/]"),
    Hostile("an escaped bracket", "\\[b]", ("[b]",)),  # Markdown takes the backslash
)
ESCAPES = (
    Hostile("OSC 0: the title", "\x1b]0;owned\x07", ("␛]0;owned␇",)),
    Hostile("OSC 7: the folder", "\x1b]7;file://x/\x1b\\", ("␛]7;file://x/␛\\",)),
    Hostile("OSC 8: a link", "\x1b]8;;http://x\x1b\\to\x1b]8;;\x1b\\", ("␛]8;;http://x␛\\to␛]8;;␛\\",)),
    Hostile("OSC 22: the pointer", "\x1b]22;wait\x07", ("␛]22;wait␇",)),
    Hostile("OSC 52: the clipboard", "\x1b]52;c;aGk=\x07", ("␛]52;c;aGk=␇",)),
    Hostile("DCS: a query", "\x1bP+q544e\x1b\\", ("␛P+q544e␛\\",)),
    Hostile("APC: a picture", "\x1b_Gf=100;AA\x1b\\", ("␛_Gf=100;AA␛\\",)),
    Hostile("CSI: blinking", "\x1b[5;31mblink", ("␛[5;31mblink",)),
    Hostile("CSI: clear", "\x1b[2J", ("␛[2J",)),
    Hostile("CSI: far away", "\x1b[777;777H", ("␛[777;777H",)),
    Hostile("CSI: where am I", "\x1b[6n", ("␛[6n",)),
    Hostile("CSI: leave the screen", "\x1b[?47l", ("␛[?47l",)),
    Hostile("ESC: reset", "\x1bc", ("␛c",)),
    Hostile("C0: over what stands", "safe\x08\x08evil", ("safe␈␈evil",)),
    Hostile("C0: a bell and no end", "a\x07b\x00c", ("a␇b␀c",)),
    Hostile("C0: other letters", "d\x0eq\x0fr", ("d␎q␏r",)),
    Hostile("C0: a page", "e\x0bf\x0cg", ("e␋f␌g",)),
    Hostile("DEL", "h\x7fi", ("h␡i",)),
    Hostile("C1: colour", "\x9b5mj", ("⟨U+009B⟩5mj",)),
    Hostile("C1: the title", "\x9d0;t\x9c", ("⟨U+009D⟩0;t⟨U+009C⟩",)),
    Hostile("C1: a query", "\x90+q\x9ck\x85l", ("⟨U+0090⟩+q⟨U+009C⟩k⟨U+0085⟩l",)),
)
UNSEEN = (
    Hostile("another direction", "user\u202egnp.exe", ("user⟨U+202E⟩gnp.exe",)),
    Hostile("isolated directions", "m\u2066n\u2069o\u200fp\u061cq", ("m⟨U+2066⟩n⟨U+2069⟩o⟨U+200F⟩p⟨U+061C⟩q",)),
    Hostile("no width", "pay\u200bpal\u2060\ufeff\u00ad.", ("pay⟨U+200B⟩pal⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩.",)),
    Hostile("tags", "r\U000e0041s", ("r⟨U+E0041⟩s",)),
    Hostile("a flood of marks", "z" + "\u0301" * 500, ("z" + "\u0301" * 8 + "⟨+492marks⟩",)),
    Hostile("a line of its own kind", "t\u2028u", ("t⟨U+2028⟩u",)),
)
HALVES = (Hostile("half of a pair", "v\ud83dw", ("v⟨U+D83D⟩w",)),)
"""What no UTF-8 file can hold: only names of files, arguments and JSON come with it."""
LINE_ENDS = (Hostile("a line over another", "good\rbad", ("good", "bad")),)
ITEMS = (*MARKUP, *ESCAPES, *UNSEEN, *HALVES, *LINE_ENDS)


def _together(name: str, items: tuple[Hostile, ...], between: str) -> Hostile:
    return Hostile(name, between.join(item.text for item in items), tuple(part for item in items for part in item.seen))


def _packed(length: int) -> Iterator[Hostile]:
    """Yield the items in names whose clean form is not longer than this."""
    pack: list[Hostile] = []
    for item in ITEMS:
        if sum(len("".join(one.seen)) + 2 for one in (*pack, item)) > length:
            yield _together(f"names from {pack[0]}", tuple(pack), " ")
            pack = []
        pack.append(item)
    yield _together(f"names from {pack[0]}", tuple(pack), " ")


PROSE = _together("everything", ITEMS, "\n\n")
IN_A_FILE = _together("everything that UTF-8 can hold", (*MARKUP, *ESCAPES, *UNSEEN, *LINE_ENDS), "\n\n")
NAMES = tuple(_packed(56))
LONG_LINE = "x" * 1_000_000
ENTITIES = Hostile(
    "what Markdown decodes",
    "a&#x202e;b c&ZeroWidthSpace;d e&#12;f&NewLine;g [h&rlm;i](http://x/&#x202e; 'j&#x2066;k')",
    ("a⟨U+202E⟩b", "c⟨U+200B⟩d", "e␌f", "g", "h⟨U+200F⟩i", "(http://x/%E2%80%AE", "“j⟨U+2066⟩k”)"),
)

_FORMATTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_OBEYED = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_FLOOD = 9
"""Marks in a row that nobody writes."""


def unsafe(text: str) -> list[str]:
    """Return what must not stand in a line of the screen: controls, directions, the invisible, floods of marks."""
    found = [ascii(match[0]) for match in _FORMATTING.finditer(text)]
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks == _FLOOD:
            found.append(f"{_FLOOD} marks on one letter")
    return found


def obeyed(text: str) -> list[str]:
    """Return the characters that a terminal would obey: controls, directions, halves of pairs."""
    return [ascii(match[0]) for match in _OBEYED.finditer(text)]


SCROLLS = ("@mouse.down scroll_up", "@mouse.down scroll_down", "@mouse.down grab")
"""What the parts of a scrollbar do."""


def acting(segments: list[Segment]) -> list[str]:
    """Return what would happen on a click, but for scrolling: links and actions in the styles of a line."""
    styles = [segment.style for segment in segments if segment.style is not None]
    links = [f"a link to {style.link}" for style in styles if style.link]
    did = [f"{name} {what}" for style in styles for name, what in style.meta.items() if name.startswith("@")]
    return links + [act for act in did if act not in SCROLLS]


def squeezed(text: str) -> str:
    """Return text without spaces, the breaks of its lines and the bars beside it."""
    return re.sub(r"[\s┃┊│▌|]+", "", text)


def unseen(item: Hostile, text: str) -> list[str]:
    """Return the pieces of an item that cannot be read in a text, however it was broken into lines."""
    there = squeezed(text)
    return [piece for piece in item.seen if squeezed(piece) not in there]
