"""What practice knows of a goal's kind of work, for a language model: steps with ids, as reference and no more."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.domain.session.events import Practice
from workbench.domain.text.cleaning import clean_name
from workbench.guided.brief import read_brief
from workbench.guided.cores import Core
from workbench.guided.work import core_work

_MOST_STEPS = 30
_LONGEST = 200
"""Characters of a title, and of an outcome: a playbook's may be of any length."""


def practice_for(goal: str, today: str, playbooks: Sequence[Core] = ()) -> tuple[Practice, ...]:
    """Return the core that is certain, else those that come near, three at most. Of two with one id, the first."""
    brief = read_brief(goal, today, cores=playbooks)
    choice = brief.choice
    cores = [choice.core] if choice.core else [one.core for one in choice.candidates]
    fitting: dict[str, Practice] = {}
    for core in cores:
        name = _as_id(core.id)
        steps = tuple(
            (f"{name}/{_as_id(one.key)}", f"{_line(one.title)}. Outcome: {_line(one.outcome)}")
            for one in core_work(core, None, brief)[:_MOST_STEPS]
        )
        source = f"playbook of {core.author or core.source}" if core.source else ""
        fitting.setdefault(name, Practice(id=name, name=_line(core.name), source=_line(source), steps=steps))
    return tuple(fitting.values())


def _as_id(name: str) -> str:
    """Return a file's name or a key as a word that can be cited."""
    return re.sub(r"[^\w.-]+", "-", name)[:80]


def _line(text: str) -> str:
    return clean_name(text, _LONGEST)
