"""Ways to break isolation on purpose, each of which the suite must notice.

    python -m tests.mutations [WORDS …] [--list]

    checkout ─copied─▶ folder ─one text replaced─▶ the few tests that are named for it ─┬─ fail ─▶ killed
                                                                                        └─ pass ─▶ survived

With WORDS only mutations whose name holds one of them are tried. It ends with 1 where any survives. Each text stands
in its file exactly once; tests/test_mutations.py says so as soon as one does not any more.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_FAILED = 1
"""What pytest ends with where tests ran and failed; whatever else it ends with is a mistake in the list."""


@dataclass(frozen=True)
class Mutation:
    """One text of the package replaced by another."""

    name: str
    file: str
    """Under workbench/."""
    old: str
    new: str
    tests: tuple[str, ...]
    """Arguments for pytest: the fewest tests that notice it."""

    def applied(self, text: str) -> str:
        """Return the file's text with the mutation. Raises ValueError where its text does not stand there once."""
        if text.count(self.old) != 1:
            raise ValueError(f"{self.name}: the text stands {text.count(self.old)} times in {self.file}")
        return text.replace(self.old, self.new)


MUTATIONS = (
    Mutation(
        "another session's file is opened",
        "bootstrap/session.py",
        "return self._parts.log.read(self.id)",
        "return self._parts.log.read(next(one for one in self._parts.log.streams() if one != self.id))",
        ("tests/properties/test_public_methods.py", "-k", "says_nothing and Session.record"),
    ),
    Mutation(
        "a log is folded from another session's events",
        "planning/session_log.py",
        "self._state = fold(self._known.taking(pace(iter(log.read(self.session)))))",
        "self._state = fold(self._known.taking(pace(iter(log.read(max(log.streams()))))))",
        ("tests/properties/test_public_methods.py", "-k", "says_nothing and Workspace.session"),
    ),
    Mutation(
        "no agent filter in search",
        "domain/session/items.py",
        'return item.role != "assistant" or (item.agent is not None and item.agent == agent)',
        'return item.role != "assistant" or agent != ""',
        ("tests/memory/test_memory_view.py", "-k", "agents_view_is"),
    ),
    Mutation(
        "a reply of nobody is everybody's",
        "domain/session/items.py",
        "or (item.agent is not None and item.agent == agent)",
        "or item.agent in (None, agent)",
        ("tests/memory/test_memory_view.py", "-k", "reply_of_nobody"),
    ),
    Mutation(
        "no agent filter in the view",
        "context/view.py",
        "elif not one.task and (agent is None or one.agent == agent):",
        "elif not one.task:",
        ("tests/context/test_gather.py", "-k", "view_holds_what_people_said"),
    ),
    Mutation(
        "no agent filter for summaries",
        "context/entry.py",
        "return entry.agent == agent\n    is_shared",
        "return True\n    is_shared",
        ("tests/context/test_condense.py", "-k", "summary"),
    ),
    Mutation(
        "no agent filter for what was found",
        "context/recall.py",
        "if not is_visible(entry, view.session, view.agent):",
        "if not entry.text:",
        ("tests/context/test_gather.py", "-k", "of_another_session_an_agent"),
    ),
    Mutation(
        "no agent filter in search across",
        "memory/other_sessions.py",
        "for item in every if agent is None or visible_to(item, agent)}",
        "for item in every}",
        ("tests/memory/test_other_sessions.py", "-k", "namesake"),
    ),
    Mutation(
        "an agent is concerned by what another replied",
        "memory/session_terms.py",
        'agent is None or seer is None or (seer != "" and seer == agent)',
        "agent is None or seer is None or bool(seer)",
        ("tests/memory/test_other_sessions.py", "-k", "may_not_see"),
    ),
    Mutation(
        "private sessions are found",
        "memory/library.py",
        "kept = _Kept(stamp, () if state.private else items(state), state.private)",
        "kept = _Kept(stamp, items(state), private=False)",
        ("tests/memory/test_other_sessions.py", "-k", "private"),
    ),
    Mutation(
        "the asking session finds itself across",
        "memory/other_sessions.py",
        "if session != asking}",
        'if session != ""}',
        ("tests/memory/test_other_sessions.py", "-k", "own_items"),
    ),
    Mutation(
        "what was recalled is remembered as if it were new",
        "domain/session/items.py",
        "chain(_insights(state), _sections(state), entities)",
        "chain(_insights(state), _sections(state), entities, _quoted(state))",
        ("tests/memory/test_other_sessions.py", "-k", "not_found_again"),
    ),
    Mutation(
        "one index for all agents",
        "memory/memory_view.py",
        "self._scopes.setdefault((asker, part, ",
        "self._scopes.setdefault((None, part, ",
        ("tests/memory/test_memory_view.py", "tests/memory/test_session_memory.py"),
    ),
    Mutation(
        "a private session's index is kept in a file",
        "memory/memory_view.py",
        "if kept is not None and state.private:",
        "if kept is None and state.private:",
        ("tests/memory/test_kept_index.py", "-k", "private"),
    ),
    Mutation(
        "an index keeps what its asker may not see",
        "memory/scope.py",
        "name in index.items and seen.get(name) != index.items[name]",
        "name in index.items and seen.get(name, index.items[name]) != index.items[name]",
        ("tests/memory/test_session_memory.py", "-k", "kept_up"),
    ),
    Mutation(
        "everything is searched, and filtered afterwards",
        "memory/memory_view.py",
        "return scope.search(query, limit, self._beside, without=without, history=history, said=self._seen_messages)",
        "everyone = MemoryView(self._state, self._scope_of, None, self._part)\n"
        "        scope = self._scope_of(self._state, None, self._part)\n"
        "        arguments = {'without': without, 'history': history, 'said': everyone._seen_messages}\n"
        "        found = scope.search(query, limit, self._beside, **arguments)\n"
        "        return tuple(one for one in found if one.item.id in self._by_id)",
        ("tests/memory/test_memory_view.py", "-k", "moves_neither_order"),
    ),
    Mutation(
        "another session's state makes a view",
        "memory/memory_view.py",
        "if state.session != self._session:",
        "if not state.session:",
        ("tests/memory/test_session_memory.py", "-k", "another_sessions_state"),
    ),
    Mutation(
        "what is excluded is sent",
        "context/view.py",
        'if mark == "excluded")',
        'if mark == "left out")',
        ("tests/planning/test_recall_across.py", "-k", "excluded"),
    ),
    Mutation(
        "sessions are found by the beginning of their id",
        "bootstrap/parts.py",
        "if session_id not in set(self.log.streams()):",
        "session_id = next((SessionId(one) for one in self.log.streams() if one.startswith(session_id)), session_id)\n"
        "        if session_id not in set(self.log.streams()):",
        ("tests/properties/test_public_methods.py", "-k", "refused and Session.state"),
    ),
    Mutation(
        "items are found by the beginning of their id",
        "memory/memory_view.py",
        "item = self._by_id.get(item_id)",
        "item = next((item for name, item in self._by_id.items() if name.startswith(item_id)), None)",
        ("tests/memory/test_memory_view.py", "-k", "got_by_its_id"),
    ),
    Mutation(
        "a search across is not recorded",
        "planning/memory/recalling.py",
        'session.record_given([searched], actor="person", agent=agent)',
        "session.refresh()",
        ("tests/memory/test_other_sessions.py", "-k", "search_is_recorded"),
    ),
    Mutation(
        "quotations stand among what was said",
        "planning/asking/gathering.py",
        "return messages_for(call, said[:place], _quotations(bundle, state), since=said[place:])",
        'said += [Message(role="user", content=entry.text) for entry in bundle.relevant_history]\n'
        "    return messages_for(call, said, {})",
        ("tests/planning/test_recall_across.py", "-k", "quoted_as_data"),
    ),
    Mutation(
        "quotations do not say whose they are",
        "planning/asking/gathering.py",
        "session = state.written_as if is_own else entry.session",
        "session = state.written_as",
        ("tests/planning/test_recall_across.py", "-k", "quoted_as_data"),
    ),
    Mutation(
        "one agent's summary is given to another",
        "domain/session/state.py",
        "for whose, summary in self.condensed if whose == agent)",
        "for whose, summary in self.condensed if agent)",
        ("tests/planning/test_contexts.py", "-k", "own_summary"),
    ),
    Mutation(
        "where a search fails, others' results stand in",
        "planning/memory/recalling.py",
        'return replace(nothing, unavailable=f"The search failed ({type(error).__name__}).")',
        "neighbours = next(others._library.items(one) for one in others._library.log.streams() if one != asking)\n"
        "        found = tuple(\n"
        "            say.Quoted(id=item.id, session=item.session, role=item.role, agent=item.agent, time=item.time,\n"
        '                       text=item.text, score=0.0, why="the nearest there is")\n'
        "            for item in neighbours\n"
        "        )\n"
        '        return replace(nothing, found=found, unavailable=f"The search failed ({type(error).__name__}).")',
        ("tests/planning/test_recall_across.py", "-k", "search_that_fails"),
    ),
    Mutation(
        "another session's cache is believed",
        "memory/library.py",
        "return self.stamp == stamp and all(item.session == session for item in self.items)",
        "return self.stamp == stamp",
        ("tests/memory/test_other_sessions.py", "-k", "cache_of_nonsense"),
    ),
    Mutation(
        "the ledger is not recorded",
        "planning/asking/calling.py",
        "context=prepared.context,",
        "context=None,",
        ("tests/planning/test_contexts.py", "-k", "has_its_ledger"),
    ),
    Mutation(
        "events do not say whose turn it was",
        "planning/session_log.py",
        "agent=None if agent is None else AgentId(agent),",
        "agent=None,",
        ("tests/properties/test_turns.py", "-k", "in_one_loop or in"),
    ),
    Mutation(
        "without recall others are searched all the same",
        "domain/loop/workflow.py",
        "return state.recall and (state.searched_for,",
        "return (state.searched_for,",
        ("tests/planning/test_recall_across.py", "-k", "seed_001"),
    ),
    Mutation(
        "excluded keys of the shared context come through",
        "context/recall.py",
        "if entry.id in view.excluded:",
        'if entry.id in view.excluded and entry.kind != "shared":',
        ("tests/planning/test_taking_part.py", "-k", "excluded_is_gone"),
    ),
    Mutation(
        "a session sees in what is shared what it says itself",
        "sharing/coordinator.py",
        "for one in observed.changed if one[0] != own)",
        "for one in observed.changed if one[0])",
        ("tests/planning/test_taking_part.py", "-k", "own_one_is_not_even_seen"),
    ),
    Mutation(
        "what is shared is quoted to every role",
        "planning/asking/gathering.py",
        "if not (state.sharing and may_quote_others(call)):",
        "if not state.sharing:",
        ("tests/planning/test_taking_part.py", "-k", "other_roles_are_not"),
    ),
    Mutation(
        "with others is shared where a private session is",
        "planning/iteration_manager.py",
        "if state.private:\n            self.coordinator.withdraw()\n        elif",
        "if",
        ("tests/planning/test_taking_part.py", "-k", "private_session_looks"),
    ),
)
_HELPERS = {
    "what was recalled is remembered as if it were new": (
        "\n\ndef _quoted(state: SessionState) -> Iterator[Item]:\n"
        "    for search in state.searches:\n"
        "        for one in search.found:\n"
        "            yield Item(id=one.id, session=state.session, role=one.role, agent=one.agent, seq=state.seq,\n"
        "                       time=one.time, text=one.text)\n"
    ),
}
"""What a mutation needs at the end of its file."""


def mutated(mutation: Mutation, root: Path = ROOT) -> str:
    """Return the text of the file that a mutation changes. Raises ValueError where it does not fit."""
    text = (root / "workbench" / mutation.file).read_text(encoding="utf-8")
    return mutation.applied(text) + _HELPERS.get(mutation.name, "")


def copied(folder: Path) -> Path:
    """Copy of the checkout what tests need."""
    for name in ("workbench", "tests", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "__snapshots__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def run_tests(folder: Path, tests: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run tests of a copy against the package beside them."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-cov", "-p", "no:cacheprovider", *tests]
    environ = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)


def is_killed(mutation: Mutation, folder: Path) -> bool:
    """Tell whether the tests notice a mutation, and nothing else. Raises ValueError where they could not be run."""
    file = folder / "workbench" / mutation.file
    original = file.read_text(encoding="utf-8")
    sound = run_tests(folder, mutation.tests)
    if sound.returncode != 0:
        raise ValueError(f"{mutation.name}: its tests do not pass without it.\n{sound.stdout}{sound.stderr}")
    file.write_text(mutated(mutation, folder), encoding="utf-8")
    try:
        broken = run_tests(folder, mutation.tests)
    finally:
        file.write_text(original, encoding="utf-8")
    if broken.returncode not in (0, _FAILED):
        raise ValueError(f"{mutation.name}: its tests could not be run.\n{broken.stdout}{broken.stderr}")
    return broken.returncode == _FAILED


def main() -> int:
    """Try them and print a line for each."""
    parser = argparse.ArgumentParser(description="Break isolation on purpose, and see whether the suite notices.")
    parser.add_argument("words", nargs="*", help="only mutations whose name holds one of these")
    parser.add_argument("--list", action="store_true", help="print the names alone")
    options = parser.parse_args()
    chosen = [one for one in MUTATIONS if not options.words or any(word in one.name for word in options.words)]
    if options.list:
        print("\n".join(one.name for one in chosen))
        return 0
    survived = 0
    with tempfile.TemporaryDirectory() as name:
        folder = copied(Path(name))
        for one in chosen:
            begun = time.monotonic()
            killed = is_killed(one, folder)
            survived += not killed
            print(f"{'killed' if killed else 'SURVIVED':8}  {time.monotonic() - begun:5.1f} s  {one.name}", flush=True)
    print(f"{len(chosen) - survived} of {len(chosen)} killed")
    return 1 if survived or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
