"""The palette: everything that can be done now, with what it does and its key, and everywhere one can go.

keys that act on the screen + what has no key (themes) ─┬▶ Command ─▶ the palette, searched fuzzily
plans, samples, what is in the plan, its people ────┘  (these once something is typed)
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.actions import parse
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content, Span
from textual.dom import DOMNode
from textual.fuzzy import Matcher

from workbench.bootstrap import sample_sessions
from workbench.domain.errors import WorkbenchError
from workbench.domain.plan.plan import Step
from workbench.domain.text.cleaning import clean_name
from workbench.tui.base import Workbench
from workbench.tui.keymap import Key, mapped_keys
from workbench.tui.lines import joined, text
from workbench.tui.pauses import beside
from workbench.tui.session.main_rows import place_of_item
from workbench.tui.session.view import SessionView
from workbench.tui.told import counted
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.main_pane import MainPane
from workbench.tui.widgets.timeline import Timeline

if TYPE_CHECKING:  # opened after the first paint
    from workbench.bootstrap import Listed


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the palette offers."""

    words: str
    about: str
    key: str
    run: Callable[[], Awaitable[object] | bool | None]


_ABOUT = 0.5  # what a command scores whose words do not fit, where what is typed is in what is said about it
_NAMED, _SAID = 2000.0, 1000.0
"""What is added for a deed that is called what is typed, and for one of which that is said: more than any score."""


class Commands(Provider):
    """The workbench's commands, instead of Textual's own."""

    _listed: Sequence[Listed] = ()

    async def startup(self) -> None:
        """Read which plans there are."""
        workspace = cast("Workbench", self.app).workspace
        if workspace is not None:
            with suppress(WorkbenchError):
                self._listed = await beside(workspace.sessions)

    async def discover(self) -> Hits:
        """Yield every command before anything is typed."""
        for command in self._commands():
            shown = _shown(command, Content(command.words))
            yield DiscoveryHit(shown, command.run, text=command.words, help=command.about)

    async def search(self, query: str) -> Hits:
        """Yield the commands whose words, or what is said about them, fit what is typed.

        What is done comes before where one can go, where a word of it begins with what is typed.
        """
        matcher, typed = self.matcher(query), re.compile(rf"\b{re.escape(query.strip())}", re.IGNORECASE)
        for is_deed, commands in ((True, self._commands()), (False, self._places())):
            for command in commands:
                score, is_named = matcher.match(command.words), typed.search(command.words) is not None
                if is_named or typed.search(command.about):  # letters strewn over a sentence say nothing
                    score = max(score, _ABOUT) + is_deed * (_NAMED if is_named else _SAID)
                if score > 0:
                    shown = _shown(command, _highlighted(matcher, command.words))
                    yield Hit(score, shown, command.run, text=command.words, help=command.about)

    def _commands(self) -> Iterator[Command]:
        app = cast("Workbench", self.app)
        keys = [key for key in mapped_keys(app.settings.keys) if key.owner is not LineList]
        places = (self.app, self.screen, *self.screen.query(MainPane), *self.screen.query(Timeline))
        for key in sorted(keys, key=lambda key: key.owner is MainPane):  # what has a key everywhere comes first
            node = next((place for place in places if isinstance(place, key.owner)), None)
            if node is not None and key.id != "app.palette" and _acts(node, key):
                run = partial(app.run_action, key.action, node)
                yield Command(clean_name(key.words.capitalize()), key.tooltip, clean_name(key.shown), run)
        yield from self._with_files(app)
        for name in app.theme_names:
            run_theme = partial(app.choose, {"theme": name})
            yield Command(f"Theme: {clean_name(name)}", "Show everything in these colours", "", run_theme)

    def _places(self) -> Iterator[Command]:
        """Yield where one can go: rows of the plan, its people's, other plans, samples."""
        app, screen = cast("Workbench", self.app), self.screen
        plan = screen.shown_plan if isinstance(screen, SessionView) else None
        if isinstance(screen, SessionView) and plan is not None:
            steps: dict[str, list[str]] = {}
            for section in plan.sections:
                for item in section.items:
                    place = place_of_item(plan, item.id)
                    words = clean_name(f"{item.id} {item.title if isinstance(item, Step) else item.text}", 200)
                    key = place.key if place is not None else ""
                    yield Command(words, f"In {clean_name(section.title)}", "", partial(screen.land, key))
                    for owner in item.owners if isinstance(item, Step) else ():
                        steps.setdefault(owner, []).append(key)
            for name, keys in steps.items():
                about = f"Has {counted(len(keys), 'step')}: n goes on from one to the next"
                yield Command(clean_name(name), about, "", partial(screen.land, keys[0], name))
        for one in self._listed:
            goal, go = clean_name(one.goal, 200), partial(app.open_session, one.session)
            yield Command(f"Plan: {clean_name(one.name or one.session)}", goal, "", go)
        for name in sample_sessions():
            yield Command(f"Sample: {name}", "Look at a finished session", "", partial(app.open_sample, name))

    def _with_files(self, app: Workbench) -> Iterator[Command]:
        """Yield what is done with files, and what else needs no key, behind the palette: it is rare."""
        deeds = [
            ("Trust: what you accepted", "See what this workspace may spend, send or run", "show_trust"),
            ("Programs: what they may do", "Let another program read, offer or report, or no longer", "show_programs"),
            ("Learning", "Lessons and patterns of saved sessions: accept, reword, refuse, retire", "show_learning"),
            ("Trust this folder", "Look at what this folder's settings ask for, and accept it", "ask_to_trust"),
            ("Messages", "What was told at the top for a moment, all of it", "show_messages"),
            ("Models", "Choose which one plans, try it with one call, set its limits", "show_models"),
        ]
        if app.opened.get(app.current_mode):
            deeds[:0] = [
                ("Export as a web page", "Write this session as one page of HTML into this folder", "export('html')"),
                ("Export as Markdown", "Write this session as Markdown into this folder", "export('md')"),
            ]
        for words, about, do in deeds:
            yield Command(words, about, "", partial(app.call_later, app.run_action, do))


def _acts(node: DOMNode, key: Key) -> bool:
    """Tell whether a command can be done now."""
    target, name, parameters = parse(key.action)
    place = {"screen": node.screen, "app": node.app}.get(target, node)
    return place.check_action(name, parameters) is True


def _highlighted(matcher: Matcher, words: str) -> Content:
    """Return words with the letters that fit the query; ``matcher.highlight`` would read them as markup."""
    _, places = matcher.fuzzy_search.match(matcher.query, words)
    return Content(words, spans=[Span(place, place + 1, matcher.match_style) for place in places])


def _shown(command: Command, words: Content) -> Content:
    return joined(words, text(f"  {command.key}", "$text-muted")) if command.key else words
