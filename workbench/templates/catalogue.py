"""All templates by name: a person's own before their team's before the built-in ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from workbench.domain.errors import UsageError
from workbench.templates.template import Template, read_template, split_choice

BUILT_IN, OWN, TEAM = "built in", "your own", "the team's"
"""Whose a template is, as a person is told."""
_BUILT_IN = Path(__file__).with_name("builtin")


@cache
def built_in_names() -> tuple[str, ...]:
    """Return the names of the built-in templates, in order; none of them is read."""
    return tuple(sorted(file.stem for file in _BUILT_IN.glob("*.toml")))


@cache
def built_in(name: str) -> Template:
    """Return a built-in template, which is read once."""
    return read_template((_BUILT_IN / f"{name}.toml").read_text(encoding="utf-8"), name)


class Catalogue:
    """The templates that a person can choose from."""

    def __init__(self, own: Sequence[Template] = (), team: Sequence[Template] = ()) -> None:
        self._own = {one.name: one for one in own}
        self._team = {one.name: one for one in team}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all templates, a person's own first."""
        return tuple(dict.fromkeys((*self._own, *self._team, *built_in_names())))

    def __iter__(self) -> Iterator[Template]:
        """Yield all templates, as ``names`` has them."""
        return map(self.named, self.names)

    def whose(self, name: str) -> str:
        """Return whose a template is."""
        return OWN if name in self._own else TEAM if name in self._team else BUILT_IN

    def named(self, name: str) -> Template:
        """Return a template. Raises UsageError for a name that none has, with the nearest one."""
        found = self._own.get(name) or self._team.get(name)
        if found is None and name not in built_in_names():
            raise _unknown("template", name, self.names)
        return found or built_in(name)

    def chosen(self, choice: str) -> Template:
        """Return the template of ``name:variant``. Raises UsageError if there is none, or no such variant."""
        name, variant = split_choice(choice)
        template = self.named(name)
        if variant and variant not in template.variants:
            raise _unknown(f"variant of {name}", variant, tuple(template.variants))
        return template


def _unknown(what: str, name: str, known: Sequence[str]) -> UsageError:
    from rapidfuzz import process  # only who mistypes waits for it

    near = process.extractOne(name, known, score_cutoff=70)
    remedy = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known) or 'none'}."
    return UsageError(f"There is no {what} {name!r}.", remedy)
