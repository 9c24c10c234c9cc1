"""P20: the first search of other sessions in a new process: 50 sessions of 100 items.

    python -m tests.benchmarks.p20_other_sessions [--embedder minilm] [--quick]

Two processes search one after the other: the first finds nothing kept, the second what the first kept beside the items.
Each says its seconds for the search alone, imports and the loading of the model left out by a search of nothing before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.long_sessions import printed
from tests.builders import FixedClock
from workbench.bootstrap import Workspace
from workbench.models.scripted import CallableModel
from workbench.planning.memory.remembering import Said

_SEARCH = """
import json, sys, time
from workbench.bootstrap import Workspace
environ = {"WORKBENCH_CONFIG": sys.argv[1] + "/none.toml", "WORKBENCH_EMBEDDER": sys.argv[2]}
workspace = Workspace.open(sys.argv[1], environ=environ)
workspace.session(sys.argv[3]).memory().search("anything", 1)
started = time.perf_counter()
found = workspace.parts.others.search("word7 word13 of session 7", 10, asking=sys.argv[3], agent=None).near
print(json.dumps([time.perf_counter() - started, [[one.item.session, one.item.id] for one in found]]))
"""


def fill(folder: Path, sessions: int, items: int) -> str:
    """Make a workspace of sessions in which so many things of forty words were said; return the id of an empty one."""
    workspace = Workspace.open(folder, environ={"WORKBENCH_CONFIG": str(folder / "none")}, clock=FixedClock())
    model = CallableModel(lambda _: "", name="none")
    for session in range(sessions):
        begun = workspace.start(f"Session {session}", model=model).session_id
        words = [[f"word{(session * 31 + n * 7 + k) % 997}" for k in range(40)] for n in range(items - 1)]
        said = [Said(f"{session}.{n} {' '.join(of_item)}") for n, of_item in enumerate(words)]
        workspace.session(begun).remember(said)
    return str(workspace.start("Ask the others", model=model).session_id)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--embedder", default="wordllama")
    parser.add_argument("--quick", action="store_true", help="two sessions")
    options = parser.parse_args()
    sessions = 2 if options.quick else 50
    with tempfile.TemporaryDirectory() as folder:
        asking = fill(Path(folder), sessions, 100)
        command = [sys.executable, "-c", _SEARCH, folder, options.embedder, asking]
        first, second = (
            json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(2)
        )
        cache = sum(file.stat().st_size for file in Path(folder, ".workbench", "cache", "items").iterdir())
    printed(
        {
            "benchmark": "p20",
            "embedder": options.embedder,
            "items": sessions * 100,
            "first_s": round(first[0], 3),
            "second_s": round(second[0], 3),
            "same_results": first[1] == second[1] != [],
            "cache_mb": round(cache / 1e6, 1),
        }
    )


if __name__ == "__main__":
    main()
