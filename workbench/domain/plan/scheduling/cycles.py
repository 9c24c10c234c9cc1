"""Steps that wait for one another: circles among what steps need."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

from workbench.domain.plan.plan import Step


def find_cycles(steps: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
    """Return circular dependencies, each as ids where every step is needed by the next, and the last by the first.

    One for each knot of steps that all wait for one another (``knots``): the shortest that begins with the one of them
    that is first in the plan. Opening it may leave others. Needs that name no step are left out here.
    """
    needs = _known_needs(steps)
    return tuple(_shortest_cycle(knot[0], needs, frozenset(knot)) for knot in knots(steps))


def knots(steps: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
    """Return the ids of steps that all wait for one another, in the order of the plan, and so for themselves."""
    return knots_of(_known_needs(steps))


def knots_of(needs: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the knots of a graph, whose nodes are all keys: each in the order of the keys, and all in that of theirs.

    These are the strongly connected components of the needs (Kosaraju & Sharir 1981), found in two walks over them; a
    single step is one if it needs itself.
    """
    place = {step: at for at, step in enumerate(needs)}
    found = [sorted(knot, key=place.__getitem__) for knot in _components(needs)]
    circular = (knot for knot in found if len(knot) > 1 or knot[0] in needs[knot[0]])
    return tuple(tuple(knot) for knot in sorted(circular, key=lambda knot: place[knot[0]]))


def _known_needs(steps: Iterable[Step]) -> dict[str, list[str]]:
    needs: dict[str, list[str]] = {step.id: [] for step in steps}
    for step in steps:
        needs[step.id] += [needed for needed in dict.fromkeys(step.needs) if needed in needs]
    return needs


def _components(needs: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the strongly connected components of a graph, one step each if nothing is circular."""
    needed_by: dict[str, list[str]] = {step: [] for step in needs}
    for step, needed in needs.items():
        for other in needed:
            needed_by[other].append(step)
    seen: set[str] = set()
    for root in reversed(list(_postorder(needs))):
        component: list[str] = []
        found = [root]
        while found:
            step = found.pop()
            if step not in seen:
                seen.add(step)
                component.append(step)
                found += needed_by[step]
        if component:
            yield component


def _postorder(needs: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield steps, each after all that it needs; without recursion, as a plan may be one long chain."""
    seen: set[str] = set()
    for root in needs:
        walk = [] if root in seen else [(root, iter(needs[root]))]
        seen.add(root)
        while walk:
            step, ahead = walk[-1]
            needed = next((other for other in ahead if other not in seen), None)
            if needed is None:
                walk.pop()
                yield step
            else:
                seen.add(needed)
                walk.append((needed, iter(needs[needed])))


def _shortest_cycle(first: str, needs: Mapping[str, Sequence[str]], knot: frozenset[str]) -> tuple[str, ...]:
    """Return the shortest circle through a step of a knot, which needs the last, and is needed by the second."""
    needing: dict[str, str] = {}
    ahead = deque([first])
    while first not in needing:
        step = ahead.popleft()
        for needed in needs[step]:
            if needed in knot and needed not in needing:
                needing[needed] = step
                ahead.append(needed)
    cycle = [first]
    while (step := needing[cycle[-1]]) != first:
        cycle.append(step)
    return tuple(cycle)
