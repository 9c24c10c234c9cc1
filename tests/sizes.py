"""Lines of each room beside what was meant: ``python -m tests.sizes`` prints the table of docs/architecture.md."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parent.parent
BUDGET: dict[str, tuple[float, tuple[str, ...]]] = {
    "log": (0.6, ("domain/log",)),
    "session": (3.5, ("domain/session",)),
    "shared": (1.2, ("domain/shared",)),
    "text": (0.7, ("domain/text",)),
    "values": (3.0, ("domain/values",)),
    "statements": (0.4, ("domain/statements",)),
    "commands": (1.4, ("domain/commands",)),
    "plan, checks, hand-out": (6.4, ("domain/plan", "domain/handout")),
    "plan files": (3.0, ("domain/plan/importing", "domain/plan/markdown", "export/formats")),
    "loop": (3.0, ("domain/loop",)),
    "templates": (1.2, ("templates",)),
    "storage": (6.8, ("storage",)),
    "models": (3.6, ("models",)),
    "memory, context, sharing": (4.6, ("memory", "context", "sharing")),
    "planning": (5.3, ("planning",)),
    "replay": (4.7, ("replay",)),
    "export": (2.6, ("export",)),
    "bootstrap, settings": (2.5, ("bootstrap", "settings.py")),
    "cli": (5.6, ("cli",)),
    "tui": (12.0, ("tui",)),
}
"""By room: thousands of lines, and the folders that it is; a folder that is named by itself counts there alone."""


def lines_of(place: Path) -> int:
    """Return the lines of a file, or of all in a folder: of programs, and of tables beside them."""
    files = [file for kind in ("*.py", "*.txt") for file in place.rglob(kind)] if place.is_dir() else [place]
    return sum(file.read_bytes().count(b"\n") for file in files)


def main() -> None:
    """Print the table."""
    package = ROOT / "workbench"
    named = {package / folder for _, folders in BUDGET.values() for folder in folders}
    print("| room | lines | meant |\n|---|---|---|")
    for room, (budget, folders) in BUDGET.items():
        places = [package / folder for folder in folders]
        within = [one for one in named for place in places if one not in places and place in one.parents]
        count = sum(map(lines_of, places)) - sum(map(lines_of, within))
        print(f"| {room} | {count:,} | {budget * 1000:,.0f} |")
    tests = lines_of(ROOT / "tests") - lines_of(ROOT / "tests" / "benchmarks")
    print(f"| **all** | **{lines_of(package):,}** | **80,000** |\n| tests, without benchmarks | {tests:,} | 74,000 |")


if __name__ == "__main__":
    main()
