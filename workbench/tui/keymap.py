"""Keys by the id of what they do: how they are shown, which act now, and which of a person's own keys collide.

    BINDINGS of screens and widgets ─▶ Key(id, key, tooltip, owner) ─▶ help, palette, settings
    [keys] of the settings ─▶ App.set_keymap;  problems() says what cannot hold

Bindings without an id are Textual's own, for moving a cursor: they are known from everywhere and stay out of sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from itertools import combinations
from pkgutil import walk_packages
from typing import Any

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import Screen

from workbench.domain.text.cleaning import clean_name
from workbench.tui.base import workbench_app

GROUPS = {
    "gate": "The open question",
    "draft": "In the input",
    "cell": "In a cell of the plan",
    "plan": "In the plan",
    "recalled": "On a message, or what was retrieved",
    "list": "In a list",
    "begin": "Beginning a plan",
    "found": "On the chosen session",
    "replay": "This replay",
    "session": "This session",
    "shared": "What sessions share",
    "start": "Start",
    "sessions": "Sessions",
    "compare": "Comparison",
    "review": "The plan under review",
    "why": "Why the plan says this",
    "learning": "Lessons",
    "models": "Models",
    "settings": "Settings",
    "app": "Everywhere",
}
"""Heading by the first part of an id, in the order they are shown: what is nearest to the focus comes first."""

_SHOWN = {
    "escape": "Esc",
    "question_mark": "?",
    "exclamation_mark": "!",
    "greater_than_sign": ">",
    "full_stop": ".",
    "less_than_sign": "<",
    "slash": "/",
    "colon": ":",
    "asterisk": "*",
    "left_square_bracket": "[",
    "plus": "+",
    "minus": "−",
    "right_square_bracket": "]",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


@dataclass(frozen=True, slots=True)
class Key:
    """Something that can be done with a key."""

    id: str
    keys: tuple[str, ...]
    """By Textual's names: ``ctrl+s``, ``f1``."""
    words: str
    tooltip: str
    action: str
    owner: type[DOMNode]
    """Where it acts."""

    @property
    def shown(self) -> str:
        """The keys as people write them: ``^S``, ``F1 or ?``."""
        return " or ".join(shown_key(key) for key in self.keys)

    @property
    def group(self) -> str:
        """First part of its id."""
        return self.id.partition(".")[0]


def shown_key(key: str) -> str:
    """Return a key as people write it: ``^S``, ``Shift+Tab``, ``?``; a settings file may call anything a key."""
    *modifiers, last = clean_name(key).split("+")
    last = _SHOWN.get(last, last)
    if "ctrl" in modifiers and len(last) == 1:
        return f"^{last.upper()}"
    named = last if len(last) == 1 else last[:1].upper() + last[1:]
    return "+".join([*(modifier.title() for modifier in modifiers), named])


def key_name(shown: str) -> str:
    """Return Textual's name of a key that is written as people write it, the first of several: ``shown_key`` undone."""
    named = {words: name for name, words in _SHOWN.items()}
    first = shown.partition(" or ")[0]
    if first in named:
        return named[first]
    *modifiers, last = first.replace("^", "Ctrl+").split("+")
    last = named.get(last, last if len(first) == 1 else last.lower())
    return "+".join([*(modifier.lower() for modifier in modifiers), last])


def active_keys(screen: Screen[Any]) -> list[Key]:
    """Return what acts on a screen at this moment, the keys of its focus first; nothing while it is not in front.

    Textual asks the screen in front whether a "screen.…" action acts, and that one may have no panes yet.
    """
    found: dict[str, Key] = {}
    if not screen.is_current:
        return []
    for key, active in screen.active_bindings.items():
        binding = active.binding
        if binding.id is None or not active.enabled:
            continue
        known = found.get(binding.id)
        keys = (*known.keys, key) if known else (key,)
        one = Key(binding.id, keys, binding.description, active.tooltip, binding.action, type(active.node))
        found[binding.id] = one
    return list(found.values())


def hint(screen: Screen[Any], binding: str, words: str = "") -> list[tuple[str, str]]:
    """Return a hint for the line at the bottom; nothing if the binding does not act."""
    of, keys = _SAME_KEYS.get()
    keys = keys if of is screen else active_keys(screen)
    return [(shown_key(key.keys[0]), words or key.words) for key in keys if key.id == binding]


@contextmanager
def same_keys(screen: Screen[Any]) -> Iterator[None]:
    """Find out once which keys act on a screen, for all hints meanwhile: each time takes milliseconds."""
    token = _SAME_KEYS.set((screen, active_keys(screen)))
    try:
        yield
    finally:
        _SAME_KEYS.reset(token)


_SAME_KEYS: ContextVar[tuple[Screen[Any] | None, list[Key]]] = ContextVar("_SAME_KEYS", default=(None, []))


KeyOf = Callable[[str], str]
"""From the id of what is done to the key it has now, as people write it."""


def key_of(node: DOMNode, binding: str) -> str:
    """Return the key by which something is done now, as people write it: by a node, around it, or elsewhere."""
    own = workbench_app(node).settings.keys.get(binding)
    return shown_key((own or _default(tuple(map(type, node.ancestors_with_self)), binding)).split(",")[0].strip())


@lru_cache(maxsize=512)
def _default(owners: tuple[type[DOMNode], ...], binding: str) -> str:
    """Return the key that something has if no person gave it another one."""
    bases = (base for owner in owners for base in owner.__mro__)
    near = (one.key for base in bases for one in _own_bindings(base) if one.id == binding)
    return next(near, "") or next(",".join(key.keys) for key in all_keys() if key.id == binding)


def help_groups(screen: Screen[Any]) -> list[tuple[str, list[Key]]]:
    """Return what acts on a screen, grouped under headings: first what has the focus, each as it was written down."""
    order = {key.id: place for place, key in enumerate(all_keys())}
    keys = sorted((key for key in active_keys(screen) if key.tooltip), key=lambda key: order.get(key.id, 0))
    near = {key.group for key in keys if key.owner is type(screen.focused)}
    groups = sorted(GROUPS.items(), key=lambda group: group[0] not in near)
    return [(heading, chosen) for group, heading in groups if (chosen := [key for key in keys if key.group == group])]


def all_keys() -> list[Key]:
    """Return everything that has an id, with its default key."""
    found: dict[str, Key] = {}
    for owner in _owners():
        for binding in _own_bindings(owner):
            if binding.id:
                keys = tuple(key.strip() for key in binding.key.split(","))
                key = Key(binding.id, keys, binding.description, binding.tooltip, binding.action, owner)
                found.setdefault(binding.id, key)
    order = list(GROUPS)
    return sorted(found.values(), key=lambda key: order.index(key.group))


def mapped_keys(own: Mapping[str, str]) -> list[Key]:
    """Return everything that has an id, with the key that a person gave it."""
    return [
        replace(key, keys=tuple(part.strip() for part in own[key.id].split(","))) if key.id in own else key
        for key in all_keys()
    ]


def unknown_ids(own: Mapping[str, str]) -> list[str]:
    """Return the ids of a person's key map that name nothing, or nothing any more: they are kept, and do nothing."""
    known = {key.id for key in all_keys()}
    return [name for name in own if name not in known]


def collisions(own: Mapping[str, str]) -> list[str]:
    """Return a sentence for each key of a person that does two things."""
    return [
        f"{shown_key(shared)} is both “{one.words}” ({one.id}) and “{other.words}” ({other.id})."
        for one, other in combinations(mapped_keys(own), 2)
        if {one.id, other.id} & own.keys() and meet(one, other)
        for shared in sorted(set(one.keys) & set(other.keys))
    ]


def problems(own: Mapping[str, str]) -> list[str]:
    """Return a sentence for each key of a person that cannot hold: an unknown id, or a key that does two things."""
    gone = (f"No key has the id {name!r}." for name in unknown_ids(own))
    return [*collisions(own), *gone]


def meet(one: Key, other: Key) -> bool:
    """Return whether two keys can act at the same time: one screen is in front, one widget has the focus."""
    if one.id in getattr(other.owner, "without", ()) or other.id in getattr(one.owner, "without", ()):
        return False
    if issubclass(one.owner, (other.owner, App)) or issubclass(other.owner, (one.owner, App)):
        return True
    return issubclass(one.owner, Screen) != issubclass(other.owner, Screen)


_OF_A_DRIVER = ("browser_input", "terminal_driver")
"""Modules of one way to run the application: they have no keys, and import what the other ways do not."""


@cache
def _owners() -> tuple[type[DOMNode], ...]:
    """Return the application, and every screen and widget with keys of its own: whatever is in its folders."""
    package = import_module(__package__)
    names = [found.name for found in walk_packages(package.__path__, f"{__package__}.") if not found.ispkg]
    return tuple(
        thing
        for name in names
        if name.rpartition(".")[2] not in _OF_A_DRIVER
        for thing in vars(import_module(name)).values()
        if isinstance(thing, type) and issubclass(thing, DOMNode) and thing.__module__ == name
    )


def _own_bindings(owner: type) -> Iterator[Binding]:
    for one in owner.__dict__.get("BINDINGS", ()):
        if isinstance(one, Binding):
            yield one
