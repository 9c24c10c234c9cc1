"""Examples below the help of commands; a test runs each through the parser, so that none goes stale."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "workbench run": (
        'workbench run "Move the office by 1 May" --iterations 3 --approve all',
        "workbench run --goal-file goal.txt --proposal draft.md --private",
    ),
    "workbench resume": (
        "workbench resume launch-x7k2 --choose 2",
        'workbench resume launch-x7k2 --feedback "Tell the auditors in May."',
    ),
    "workbench sessions diff": (
        "workbench sessions diff launch-x7k2    # its last two versions",
        "workbench sessions diff launch-x7k2@v1 @v3",
        "workbench sessions diff launch-x7k2 launch-fork-a1b2 --unified",
    ),
    "workbench sessions fork": ('workbench sessions fork launch-x7k2 --at 120 --name "With one more region"',),
    "workbench sessions rewind": (
        "workbench sessions rewind launch-x7k2",
        "workbench sessions rewind launch-x7k2 --to 59",
    ),
    "workbench sessions export": (
        "workbench sessions export launch-x7k2 --format html -o launch.html",
        "workbench sessions export launch-x7k2 --format jsonl -o launch-x7k2.jsonl",
        "workbench sessions export launch-x7k2 --format cast --speed 4 -o a.cast",
    ),
    "workbench sessions import": (
        "workbench sessions import launch-x7k2.jsonl",
        "workbench sessions import damaged.jsonl --sound-part --new-id",
    ),
    "workbench replay": (
        "workbench replay run-city-trees-fork    # a sample that ships with it",
        "workbench replay launch-x7k2 --at 120 --json",
        "workbench replay launch-x7k2.jsonl --verify",
    ),
    "workbench shared": (
        "workbench shared set phase testing",
        "workbench shared claim src/db.py --session launch-x7k2",
        "workbench shared watch --json",
    ),
    "workbench shared set": (
        """workbench shared set files '["api.py", "db.py"]' --session launch-x7k2""",
        "workbench shared set phase testing --base 3    # merged with what came since",
    ),
    "workbench shared undo": ("workbench shared undo launch-x7k2:57    # an event of `shared log`",),
    "workbench shared claim": (
        "workbench shared claim src/db.py --session launch-x7k2 --queue",
        'workbench shared claim "move the invoices" --task --session launch-x7k2',
    ),
    "workbench migrate": (
        "workbench migrate --to redis://log.example.com:6379/0",
        "workbench migrate --to .    # back into files",
    ),
}
"""By the command that they are of; what stands behind ``#`` is for who reads."""
