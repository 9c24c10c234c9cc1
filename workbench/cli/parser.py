"""The commands and their options. Imports nothing of the core: ``--help`` costs what argparse costs."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

from workbench.cli import argument_types

_EPILOG = """\
exit codes: 0 done, 1 failed, 2 wrong use, 3 waiting for a person, 4 something is late, 130 interrupted

  workbench run "Move our billing to the new provider by 30 June without downtime"
  workbench sessions list
  workbench resume ID --feedback "Keep the old provider until the audit is through"
"""

_LONGEST_MESSAGE = 1_000
"""Characters of what the parser says, which may quote an argument of any length."""
_PATH = str
"""The type of an argument that names a file or folder, which may be called what no text can hold."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "workbench run": (
        'workbench run "Move the office by 1 May" --iterations 3 --approve all',
        "workbench run --goal-file goal.txt --proposal draft.md --private",
        'workbench run "Move by May, see @docs/budget.md" --context "notes/*.md"',
    ),
    "workbench resume": (
        "workbench resume launch-x7k2 --choose 2",
        'workbench resume launch-x7k2 --feedback "Tell the auditors in May."',
        "workbench resume launch-x7k2 --holidays DE-BY",
    ),
    "workbench plan": (
        "workbench plan launch-x7k2",
        "workbench plan launch-x7k2 --version 2 --json",
    ),
    "workbench due": (
        "workbench due --days 14",
        "workbench due --plan launch-x7k2 --report",
    ),
    "workbench status": (
        'workbench status launch-x7k2 "S3 done since Tuesday, S4 takes 5 days"',
        'workbench status launch-x7k2 "Anna is away 3-14 May" --yes --json',
    ),
    "workbench research": (
        'workbench research "retries of failed payments"',
        "workbench research launch-x7k2 --json    # its gaps, recorded in it",
    ),
    "workbench outcome": ('workbench outcome launch-x7k2 partial --forgot "a pentest" --took S4=6',),
    "workbench learn": ("workbench learn --html learned.html",),
    "workbench lessons": (
        "workbench lessons accept L4f21c",
        'workbench lessons reword L4f21c "Include a step to choose the pentest firm"',
        "workbench lessons refuse L4f21c --session launch-x7k2",
    ),
    "workbench read": (
        'workbench read "Open the shop by 3 May for at most 20k EUR"',
        "workbench read - --today 2027-03-10 --json    # from standard input",
    ),
    "workbench import": (
        "workbench import plan.md    # only shows what is read as what",
        "workbench import tracker.csv --session launch-x7k2",
        "workbench import tasks.json --session launch-x7k2 --yes",
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
        "workbench sessions export launch-x7k2 --format ics -o launch.ics",
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
    "workbench serve": (
        "workbench serve --port 8100",
        "workbench serve --host 0.0.0.0    # prints an address with a token",
    ),
    "workbench migrate": (
        "workbench migrate --to redis://log.example.com:6379/0",
        "workbench migrate --to .    # back into files",
    ),
}
"""By the command that they are of; what stands behind ``#`` is for who reads."""


class _Formatter(argparse.HelpFormatter):
    """Wraps prose, and leaves examples, which are indented, as they are."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if text.startswith(" ") else super()._fill_text(text, width, indent)


class _Parser(argparse.ArgumentParser):
    """Wrong use ends in one sentence and where to look."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _Formatter} | options)
        if self.prog in EXAMPLES:
            self.epilog = "\n".join(f"  {example}" for example in EXAMPLES[self.prog])
        self.register("type", None, argument_types.text)
        self.register("type", int, argument_types.whole)
        self.register("type", float, argument_types.decimal)

    def error(self, message: str) -> NoReturn:
        """End with a message on one line; argparse quotes arguments in it as they are."""
        from workbench.domain.text.cleaning import clean_name  # here: `--help` does not need it

        sentence = clean_name(f"{message[:1].upper()}{message[1:]}", _LONGEST_MESSAGE)
        self.exit(2, f"workbench: {sentence}. See `{self.prog} --help`.\n")


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    parser = _Parser(
        prog="workbench",
        description="Plan with language models, in sessions that are isolated, visible and replayable.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version and end")
    parser.set_defaults(run=_lazily("workbench.cli.start", "start"), workspace=None, log=None, session="")
    parser.set_defaults(context=[], allow_tools=[])
    common = _common()
    commands = _commands(parser)
    _add_open(commands, common)
    _add_serve(commands, common)
    _add_run(commands, common)
    _add_resume(commands, common)
    _add_plan(commands, common)
    _add_due(commands, common)
    _add_status(commands, common)
    _add_read(commands, common)
    _add_research(commands, common)
    _add_import(commands, common)
    _add_sessions(commands, common)
    _add_replay(commands, common)
    _add_memory(commands, common)
    _add_shared(commands, common)
    _add_context(commands, common)
    _add_audit(commands, common)
    _add_verdicts(commands, common)
    _add_learning(commands, common)
    migrate = commands.add_parser(
        "migrate",
        parents=[common],
        help="copy every log to a Redis server, or back into files",
        description="Copy every log of the workspace (sessions, what they share, deleted sessions) to a Redis server, "
        "or back into files, and compare each event. Nothing is deleted; run it again to go on where it stopped.",
    )
    migrate.add_argument(
        "--to", required=True, metavar="PLACE", help="redis://HOST:6379/0, rediss://…, unix:///PATH, or a folder"
    )
    migrate.set_defaults(run=_lazily("workbench.cli.migrate", "migrate_logs"))
    doctor = commands.add_parser(
        "doctor",
        parents=[common],
        help="look whether everything is there that the workbench needs, and say what to change",
        description="Look at versions, terminal, settings, folder, locks, log server, sessions, models and embedder, "
        "and say what to change. Exit code 1 where there is a problem.",
    )
    doctor.set_defaults(run=_lazily("workbench.cli.doctor", "examine"))
    models = commands.add_parser(
        "models",
        parents=[common],
        help="list the model in force, those with settings of their own, and what answers on this machine",
        description="List the model in force, those with settings of their own, and what answers on this machine at "
        "the usual ports of Ollama, LM Studio, llama.cpp and vLLM. Nothing is sent to any other machine.",
    )
    models.add_argument("--try", dest="name", metavar="NAME", help="ask this model for one word; say what that takes")
    models.add_argument("--base-url", metavar="URL", help="its server, where it is an OpenAI-compatible one")
    models.set_defaults(run=_lazily("workbench.cli.models", "show_models"))
    config = commands.add_parser("config", parents=[common], help="show each setting and where its value comes from")
    config.set_defaults(run=_lazily("workbench.cli.config", "show_config"))
    _add_trust(commands, common)
    return parser


def _add_trust(commands: Any, common: _Parser) -> None:
    trust = commands.add_parser(
        "trust",
        parents=[common],
        help="show what this folder asks for that spends or sends, and accept it",
        description="Show what this workspace's folder asks for that spends or sends: values of its config.toml, a "
        "foreign owner; with ID also the models of a session and its agents. Ask, and remember exactly what was "
        "accepted in your own folder. Exit code 3 where it was not accepted.",
    )
    trust.add_argument("session", nargs="?", default="", metavar="ID", help="a session whose models are shown, too")
    what = trust.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="list what you accepted, for every workspace")
    what.add_argument("--revoke", action="store_true", help="forget what you accepted for this workspace")
    what.add_argument("--yes", action="store_true", help="accept without a question")
    what.add_argument("--hash", metavar="HASH", help="accept exactly what was shown with this hash")
    trust.set_defaults(run=_lazily("workbench.cli.trust", "trust"), asks_itself=True)


def _lazily(module: str, name: str) -> Callable[[argparse.Namespace], int]:
    """Return a command that imports its module when it runs."""

    def run(options: argparse.Namespace) -> int:
        code: int = getattr(import_module(module), name)(options)
        return code

    return run


def _commands(parser: argparse.ArgumentParser, *, required: bool = False) -> Any:
    """Return where the commands below a parser are added."""
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser, required=required)
    commands.type = _PATH  # a command is given with all its arguments, which have types of their own
    return commands


def _common(*, inherited: bool = False) -> _Parser:
    """Return the options of every command; ``inherited``: of a command below one that has them already."""
    common = _Parser(add_help=False, argument_default=argparse.SUPPRESS if inherited else None)
    group = common.add_argument_group("everywhere")
    group.add_argument(
        "--workspace",
        type=_PATH,
        metavar="DIR",
        help="the folder to work in (default: WORKBENCH_WORKSPACE, else the nearest .workbench/ upwards)",
    )
    group.add_argument(
        "--log",
        metavar="URL",
        help='where logs are kept: redis://HOST:6379/0?workspace=NAME, or "" for files in the workspace (default)',
    )
    default: dict[str, Any] = {} if inherited else {"default": False}
    group.add_argument(
        "--json", action="store_const", const=True, help="print JSON, one object or one a line", **default
    )
    return common


def _models(*, bounded: bool = True) -> _Parser:
    """Return the options of a command that calls a model; ``bounded``: and of the session's bounds."""
    models = _Parser(add_help=False)
    group = models.add_argument_group("model and bounds" if bounded else "model")
    group.add_argument(
        "--model",
        metavar="NAME",
        help="guided (offline, the default), openai:NAME, anthropic:NAME, google:NAME or scripted:FILE",
    )
    group.add_argument("--base-url", metavar="URL", help="an OpenAI-compatible server")
    if not bounded:
        return models
    group.add_argument("--max-tokens", type=int, metavar="N", help="pause and ask when so many tokens are spent")
    group.add_argument("--max-cost", type=float, metavar="USD", help="pause and ask when so many US dollars are spent")
    group.add_argument("--max-time", type=float, metavar="SECONDS", help="pause and ask when models took so long")
    group.add_argument("--max-calls", type=int, metavar="N", help="pause and ask when models were called so often")
    return models


def _approval(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approve",
        choices=["ask", "all"],
        default="ask",
        help="ask: you decide at each gate (default); all: approve everything except spending beyond a bound",
    )
    parser.add_argument(
        "--accept-repairs",
        metavar="RULE,…",
        help="accept what is offered for findings of these rules (steps.needs), unless it makes new ones",
    )


def _holidays(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--holidays",
        metavar="CODE",
        help="put the public holidays of a country (DE) or region (DE-BY) into the plan, as an edit, once it has dates",
    )


def _context(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--context",
        type=_PATH,
        action="append",
        default=[],
        metavar="FILE|DIR|GLOB",
        help="let the planner know a file of the project, those that a pattern names, or a map of a folder; may be "
        "repeated. In what you write, @path does the same",
    )
    parser.add_argument(
        "--research",
        action="store_const",
        const="files",
        help="look up what is not known in the project's files (not those that .gitignore leaves out) and this "
        "session's memory; the plan cites what was found, and models may ask for tools that read those files",
    )
    parser.add_argument(
        "--allow-tool",
        action="append",
        default=[],
        dest="allow_tools",
        metavar="NAME",
        help="do not ask before this tool is used, though it does more than read; may be repeated",
    )


def _agents(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--agent",
        type=_PATH,
        action="append",
        default=[],
        dest="agents",
        metavar="FILE",
        help="add an agent to talk to: a TOML file with name, instructions and, if you like, model; may be repeated",
    )


_CHOOSE = "choose approach N, counted from 1"


def _add_open(commands: Any, common: _Parser) -> None:
    opening = commands.add_parser(
        "open",
        parents=[common, _models()],
        help="open the application; so does no command at all",
        description="Open the application in the nearest workspace, at a session where one is named.",
    )
    opening.add_argument("session", nargs="?", default="", metavar="ID")
    _context(opening)
    opening.set_defaults(run=_lazily("workbench.cli.start", "open_application"))


def _add_serve(commands: Any, common: _Parser) -> None:
    serving = commands.add_parser(
        "serve",
        parents=[common],
        help="open the application in a browser",
        description="Open the application in a browser, at a session where one is named. Only this machine reaches it, "
        "unless --host says otherwise: then the address has a token, from WORKBENCH_SERVE_TOKEN or made for this run.",
    )
    serving.add_argument("session", nargs="?", default="", metavar="ID")
    serving.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help="listen there (default 127.0.0.1)")
    serving.add_argument(
        "--port", type=argument_types.port, default=8000, metavar="N", help="default 8000; 0 takes a free one"
    )
    serving.add_argument("--token", action="store_true", help="ask for a token on this machine, too")
    serving.set_defaults(run=_lazily("workbench.cli.serve", "serve"))


def _add_run(commands: Any, common: _Parser) -> None:
    run = commands.add_parser(
        "run",
        parents=[common, _models()],
        help="plan: from a goal to a saved plan",
        description="Plan: from a goal to a saved plan.",
    )
    run.add_argument(
        "goal",
        nargs="?",
        metavar="GOAL",
        help="what you want to plan, in a sentence or more; - reads it from standard input",
    )
    run.add_argument("--goal-file", type=_PATH, metavar="FILE", help="read the goal from a file")
    run.add_argument(
        "--proposal",
        type=_PATH,
        metavar="FILE",
        help="start from a plan that exists already, in any form that `workbench import` reads; - reads standard input",
    )
    run.add_argument(
        "--iterations", type=int, metavar="N", help="iterations before it asks whether to go on (default 5)"
    )
    run.add_argument("--checkpoint", type=int, metavar="N", help="a checkpoint after every N iterations (default 2)")
    run.add_argument("--name", metavar="NAME", help="what the session is called in lists")
    run.add_argument("--private", action="store_true", help="let no other session find anything of this one")
    run.add_argument("--no-recall", action="store_true", help="search no other session for this one")
    _context(run)
    _agents(run)
    _holidays(run)
    _approval(run)
    run.add_argument("--choose", type=int, metavar="N", help=_CHOOSE)
    run.set_defaults(run=_lazily("workbench.cli.run", "run"))


def _add_resume(commands: Any, common: _Parser) -> None:
    resume = commands.add_parser(
        "resume",
        parents=[common, _models()],
        help="go on with a session exactly where it stopped",
        description="Go on with a session exactly where it stopped. Without an answer, it asks at the open gate.",
    )
    resume.add_argument("session", metavar="ID")
    answers = resume.add_argument_group("answer the open gate").add_mutually_exclusive_group()
    answers.add_argument("--choose", type=int, metavar="N", help=_CHOOSE)
    answers.add_argument("--feedback", metavar="TEXT", help="say what should change; reopens a finished session")
    answers.add_argument("--answer", metavar="TEXT", help="answer the question")
    answers.add_argument("--skip", action="store_true", help="skip the question")
    answers.add_argument("--keep", action="store_true", help="keep what the planner left out")
    answers.add_argument("--remove", action="store_true", help="remove what the planner left out")
    answers.add_argument("--again", action="store_true", help="ask again what was not answered")
    answers.add_argument("--offline", action="store_true", help="let the offline planner do, once, what failed")
    answers.add_argument("--without", action="store_true", help="go on without what was not answered")
    answers.add_argument("--once", action="store_true", help="allow the tool that is asked for, this time")
    answers.add_argument(
        "--for-session", action="store_true", help="allow the tool that is asked for, in this session from now on"
    )
    answers.add_argument("--no", action="store_true", help="do not allow the tool that is asked for")
    answers.add_argument("--continue", dest="go_on", action="store_true", help="go on past the checkpoint")
    answers.add_argument("--edit", type=_PATH, metavar="FILE", help="take the plan from an edited Markdown file")
    answers.add_argument("--undo", metavar="CHANGE", help="take back a change of the plan (3.2), or a version (3)")
    answers.add_argument("--repair", type=int, metavar="N", help="accept a repair that `sessions show` lists")
    answers.add_argument("--finish", action="store_true", help="save the plan as it is and finish")
    answers.add_argument("--reject", metavar="TEXT", help="reject all approaches and end")
    _context(resume)
    _agents(resume)
    _holidays(resume)
    _approval(resume)
    resume.set_defaults(run=_lazily("workbench.cli.run", "resume"))


def _add_plan(commands: Any, common: _Parser) -> None:
    plan = commands.add_parser(
        "plan",
        parents=[common],
        help="show what a plan comes to: dates and why, forecast, costs, people",
        description="Show what is calculated from a plan: when each step happens and why then, slack and critical "
        "path, when all is finished in half and in four of five of the simulated courses, costs against their limits, "
        "and people with their load and days away. The plan itself: `workbench sessions show`.",
    )
    plan.add_argument("session", metavar="ID")
    plan.add_argument("--version", type=int, metavar="N", dest="plan_version", help="of version N of the plan")
    plan.set_defaults(run=_lazily("workbench.cli.plan", "show_plan"))


def _add_research(commands: Any, common: _Parser) -> None:
    research = commands.add_parser(
        "research",
        parents=[common],
        help="look up a text, or what a session does not know, in the project's files and the session's memory",
        description="Look up a text in the project's files (names, headings, symbols, full text; not those that "
        ".gitignore leaves out), or what a session does not know: its goal, open feedback and facts, the verifier's "
        "gaps. Of a session also its memory, and what was read is recorded in it, for its next iteration.",
    )
    research.add_argument("what", metavar="ID|TEXT")
    research.add_argument("--session", dest="record_in", default="", metavar="ID", help="look TEXT up for this session")
    research.set_defaults(run=_lazily("workbench.cli.research", "research"))


def _add_due(commands: Any, common: _Parser) -> None:
    due = commands.add_parser(
        "due",
        parents=[common],
        help="show what is late, due today, soon or at risk, over all plans",
        description="Show the steps that are late, at risk, due today or soon, over all saved plans of the workspace "
        "that are not private. Exit code 4 where a step is late.",
    )
    due.add_argument(
        "--plan", action="append", default=[], metavar="ID", help="only this session's plan, private or not; repeatable"
    )
    due.add_argument(
        "--days",
        type=argument_types.days_ahead,
        default=7,
        metavar="N",
        help="how many days ahead are soon (default 7)",
    )
    due.add_argument("--today", type=argument_types.day, metavar="DATE", help="as of this day, YYYY-MM-DD")
    due.add_argument("--report", action="store_true", help="print a report in Markdown")
    due.set_defaults(run=_lazily("workbench.cli.due", "show_due"))


def _add_status(commands: Any, common: _Parser) -> None:
    status = commands.add_parser(
        "status",
        parents=[common],
        help="say how the work stands, or what changes: see what it does to the plan, and record it",
        description="Say in your own words how the work stands or what changes. Each thing that is asked for gets a "
        "line: done, or asked back. Which dates move is shown before anything is recorded.",
    )
    status.add_argument("session", metavar="ID")
    status.add_argument("text", metavar="TEXT", help="what you say; - reads it from standard input")
    status.add_argument("--yes", action="store_true", help="record it without asking")
    status.set_defaults(run=_lazily("workbench.cli.status", "status"))


def _add_read(commands: Any, common: _Parser) -> None:
    read = commands.add_parser(
        "read",
        parents=[common],
        help="show what is read from a text: dates, money, people, …, and what is not understood",
        description="Show what is read from a goal or a message: dates and what they are for, money, durations, "
        "people, what is to be done, what is excluded, on which conditions, and what is not understood. A ▲ marks what "
        "you should look at. Nothing is kept.",
    )
    read.add_argument("text", metavar="TEXT", help="the text; - reads it from standard input")
    read.add_argument(
        "--today",
        type=argument_types.day,
        metavar="DATE",
        help='the day that "tomorrow" and days without a year are counted from, like 2027-03-10 (default: today)',
    )
    read.set_defaults(run=_lazily("workbench.cli.facts", "read"))


def _add_import(commands: Any, common: _Parser) -> None:
    importing = commands.add_parser(
        "import",
        parents=[common],
        help="read a plan that you have (Markdown, task lists, CSV, tasks.json, XML, …), also into a session's plan",
        description="Read a plan that you have, and show what is read as what: steps with owner, effort and dates, "
        "other items, what was guessed, lines without a place, and what the file leaves open. Markdown of any shape, "
        "GitHub and spec-kit task lists, tasks.json of Task Master, CSV, MS-Project XML and Mermaid Gantt charts are "
        "read. With --session, show what it changes in that session's plan; --yes makes these changes. Nothing is "
        "taken away, and what is done stays done. Exit code 3 where there are changes and no --yes. (A session's own "
        "file is taken in by workbench sessions import.)",
    )
    importing.add_argument("file", type=_PATH, metavar="FILE", help="the plan; - reads it from standard input")
    importing.add_argument("--session", default="", metavar="ID", help="the session whose plan it is brought into")
    importing.add_argument("--yes", action="store_true", help="change the session's plan without a question")
    importing.add_argument(
        "--today",
        type=argument_types.day,
        metavar="DATE",
        help="the day that days without a year are counted from, like 2027-03-10 (default: today)",
    )
    importing.set_defaults(run=_lazily("workbench.cli.plan_import", "import_file"))


def _add_sessions(commands: Any, common: _Parser) -> None:
    sessions = commands.add_parser(
        "sessions",
        parents=[common],
        help="list, search, show, compare, fork, rewind, rename, export, import, delete and restore sessions",
    )
    sessions.set_defaults(run=_lazily("workbench.cli.finding", "list_sessions"))
    inherited = _common(inherited=True)
    verbs = _commands(sessions)

    def verb(name: str, function: str, summary: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = verbs.add_parser(
            name, parents=[inherited], help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        parser.set_defaults(run=_lazily("workbench.cli.sessions", function))
        return parser

    search = verb("search", "search_sessions", "search what any session remembers, by words and by meaning")
    search.set_defaults(run=_lazily("workbench.cli.finding", "search_sessions"))
    search.add_argument("query", metavar="QUERY")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="results at most (default 10)")

    listing = verb("list", "list_sessions", "list all sessions, newest first")
    listing.set_defaults(run=_lazily("workbench.cli.finding", "list_sessions"))
    show = verb("show", "show_session", "show a session: its plan, iterations, findings and what it remembers")
    show.add_argument("session", metavar="ID")
    show.add_argument("--version", type=int, metavar="N", dest="plan_version", help="show version N of the plan")
    show.add_argument(
        "--diff", nargs=2, type=int, metavar=("A", "B"), help="show what changed between two versions of the plan"
    )
    changes = verb("changes", "show_changes", "show what was done to the plan, change by change, and why")
    changes.set_defaults(run=_lazily("workbench.cli.changes", "show_changes"))
    changes.add_argument("session", metavar="ID")
    changes.add_argument("line", nargs="?", default="", metavar="LINE", help="only what made this line: its id, as S4")
    diff = verb("diff", "compare_sessions", "compare two points of one session, two sessions, or two forks")
    diff.set_defaults(run=_lazily("workbench.cli.comparing", "compare_sessions"), layout=None)
    diff.add_argument(
        "a", type=_PATH, metavar="A", help="ID or FILE as it is now; ID@SEQ as of an event; ID@vN as of plan version N"
    )
    diff.add_argument(
        "b",
        type=_PATH,
        nargs="?",
        default="",
        metavar="B",
        help="the same, or @SEQ or @vN of A's session (default: A's session now; of A alone, its last two versions)",
    )
    layout = diff.add_mutually_exclusive_group()
    layout.add_argument(
        "--side-by-side",
        dest="layout",
        action="store_const",
        const=True,
        help="both plans beside each other (default where there are 100 columns)",
    )
    layout.add_argument(
        "--unified", dest="layout", action="store_const", const=False, help="what went above what came instead"
    )
    rename = verb("rename", "rename_session", "give a session another name; its id stays")
    rename.add_argument("session", metavar="ID")
    rename.add_argument("name", metavar="NAME")
    fork = verb("fork", "fork_session", "begin a session with what another one was up to an event")
    fork.set_defaults(run=_lazily("workbench.cli.forks", "fork_session"))
    fork.add_argument("session", type=_PATH, metavar="ID|FILE")
    fork.add_argument("--at", type=int, metavar="N", help="the last event that the fork takes over (default: the last)")
    fork.add_argument("--name", default="", metavar="NAME", help="what the fork is called in lists")
    for name, summary in (
        ("rewind", "stand before a decision again, by default the last; nothing is lost"),
        ("redo", "go forward again after a rewind"),
    ):
        going = verb(name, f"{name}_session", summary)
        going.set_defaults(run=_lazily("workbench.cli.forks", f"{name}_session"))
        going.add_argument("session", metavar="ID")
        going.add_argument("--to", type=int, metavar="N", help="the event behind which it stands then")
    export = verb("export", "export_session", "write a session as Markdown, a web page, JSON, or in other forms")
    export.set_defaults(run=_lazily("workbench.cli.exporting", "export_session"))
    export.add_argument("session", metavar="ID")
    export.add_argument(
        "--format",
        choices=[
            *("md", "html", "record", "json", "entities", "jsonl", "cast", "svg"),
            *("csv", "ics", "mermaid", "tasks", "spec-kit", "tasks.json", "mspdi"),
        ],
        metavar="FORMAT",
        help="md (default), html: the plan as a page that prints well; record: how it came about, as a page with "
        "versions, differences and provenance; json; entities: a Markdown file "
        "each; jsonl: the session's file, which `import` reads back; cast: its course for asciinema; svg: a picture of "
        "the screen. Of the plan's steps alone: csv; ics (iCalendar); mermaid (a gantt chart); tasks (GitHub, GitLab); "
        "spec-kit; tasks.json (Task Master); mspdi (MS Project XML, for GanttProject and ProjectLibre, too)",
    )
    export.add_argument(
        "--output",
        "-o",
        type=_PATH,
        metavar="PATH",
        help="file, or folder (entities), to write; default: standard output, or ./ID-entities",
    )
    export.add_argument("--at", type=int, metavar="N", help="as of event N (not jsonl, which is always whole)")
    export.add_argument("--size", metavar="COLUMNSxROWS", help="of the terminal (cast, svg; default 120x36)")
    export.add_argument("--speed", type=float, metavar="X", help="so many times as fast (cast; default 1)")
    export.add_argument("--theme", metavar="NAME", help="the picture's colours (svg; default: your own theme)")
    summary = "take in a session's file from anywhere; nothing of it is run (a plan's file: workbench import)"
    importing = verb("import", "import_session", summary)
    importing.set_defaults(run=_lazily("workbench.cli.importing", "import_session"))
    importing.add_argument(
        "file", type=_PATH, metavar="FILE", help="a file that `export --format jsonl` wrote, or a sample's"
    )
    importing.add_argument("--as", dest="name", default="", metavar="NAME", help="what it is called here")
    importing.add_argument("--new-id", action="store_true", help="as a copy of its own, which says where it came from")
    importing.add_argument("--sound-part", action="store_true", help="of a damaged file, what stands before the damage")
    delete = verb("delete", "delete_session", "move a session to the trash")
    delete.add_argument("session", metavar="ID")
    verb("trash", "list_trash", "list what is in the trash")
    restore = verb("restore", "restore_session", "bring a session back from the trash")
    restore.add_argument("session", metavar="ID")
    empty = verb("empty-trash", "empty_trash", "delete what is in the trash, for good")
    empty.add_argument("--yes", action="store_true", help="do not ask")
    repair = verb(
        "repair", "repair_session", "keep what can be read of a damaged session; the damaged file goes to the trash"
    )
    repair.add_argument("session", metavar="ID")
    repair.add_argument("--keep-nothing", action="store_true", help="also where nothing of it can be kept")


def _add_replay(commands: Any, common: _Parser) -> None:
    replay = commands.add_parser(
        "replay",
        parents=[common],
        help="walk through a session as it happened, print its course, or verify it",
        description="Open a session in the application to walk through it as it happened: play, pause, step, seek. "
        "In a pipe, or with --plain, --json or --at: print its course, an event a line. With --verify: execute it "
        "again, and name the first event that differs; exit with 0 only if all of it was executed again.",
    )
    replay.add_argument("session", type=_PATH, metavar="FILE|ID")
    replay.add_argument("--plain", action="store_true", help="no colours and no columns, also in a terminal")
    what = replay.add_mutually_exclusive_group()
    what.add_argument("--at", type=int, metavar="N", help="print the state as of event N instead")
    what.add_argument("--verify", action="store_true", help="execute it again and name the first event that differs")
    replay.add_argument(
        "--beyond-damage", action="store_true", help="of a damaged file, also what can be read behind the damage"
    )
    replay.set_defaults(run=_lazily("workbench.cli.replay", "replay"))


def _add_memory(commands: Any, common: _Parser) -> None:
    ask = commands.add_parser(
        "ask",
        parents=[common, _models(bounded=False)],
        help="ask an agent of a session something",
        description="Ask an agent of a session something, and print its answer.",
    )
    ask.add_argument("session", metavar="ID")
    ask.add_argument("text", metavar="TEXT")
    ask.add_argument("--agent", required=True, metavar="NAME", help="who is to answer")
    ask.add_argument(
        "--part",
        action="append",
        default=[],
        metavar="TEXT",
        help="let a worker do this part of it first, with a share of the tokens; may be repeated",
    )
    ask.set_defaults(run=_lazily("workbench.cli.agents", "ask"))
    remember = commands.add_parser(
        "remember",
        parents=[common],
        help="bring what was said elsewhere into a session's memory",
        description="Bring what was said elsewhere into a session's memory: one text, or JSON Lines.",
    )
    remember.add_argument("text", nargs="?", metavar="TEXT")
    remember.add_argument("--session", required=True, metavar="ID", help="the session that remembers it")
    remember.add_argument("--role", choices=["user", "assistant"], help="who said it (default: user)")
    remember.add_argument("--agent", metavar="NAME", help="which agent said it, with --role assistant")
    remember.add_argument("--entity", metavar="NAME", help="keep the text under this name instead, as its next version")
    remember.add_argument(
        "--jsonl",
        type=_PATH,
        metavar="FILE",
        help='a message a line: {"text", "role", "agent", "time"}; - reads standard input',
    )
    remember.set_defaults(run=_lazily("workbench.cli.remember", "remember"))

    forget = commands.add_parser(
        "forget",
        parents=[common],
        help="redact something that a session remembers, for good",
        description="Redact an item, or a part of it, wherever its session says it: in the log, in summaries, in "
        "copies, in what it shares. Tells where others have it. It cannot be undone.",
    )
    forget.add_argument("item", metavar="ID", help="the item, as `workbench recall --json` names it: message:SESSION:7")
    forget.add_argument(
        "--session", metavar="ID", help="the session: where the id does not name it (insight:2.1), or that of a fork"
    )
    forget.add_argument(
        "--text", metavar="TEXT", help="forget only this part of it; - reads it from standard input, out of any history"
    )
    forget.add_argument(
        "--everywhere", action="store_true", help="also in the sessions that have it from there, and in what they share"
    )
    forget.add_argument("--yes", action="store_true", help="do not ask")
    forget.set_defaults(run=_lazily("workbench.cli.forget", "forget"))
    recall = commands.add_parser(
        "recall",
        parents=[common],
        help="search what a session remembers, or what others do",
        description="Search what one session remembers; with --agent, what that agent of it may see. With --across, "
        "search what other sessions remember for one that asks, which keeps a record of it.",
    )
    recall.add_argument("query", metavar="QUERY")
    recall.add_argument("--session", metavar="ID", help="the session whose memory is searched")
    recall.add_argument("--across", action="store_true", help="search other sessions, private ones excepted")
    recall.add_argument("--asking", metavar="ID", help="with --across: the session that asks, and records it")
    recall.add_argument("--reason", metavar="TEXT", help="with --across: what it is needed for")
    recall.add_argument("--agent", metavar="NAME", help="only what this agent may see")
    recall.add_argument("--limit", type=int, default=5, metavar="N", help="results at most (default 5)")
    recall.set_defaults(run=_lazily("workbench.cli.recall", "recall"))


def _add_shared(commands: Any, common: _Parser) -> None:
    shared = commands.add_parser(
        "shared",
        parents=[common],
        help="what the sessions of a workspace share: get, set, delete, log, watch, undo, sessions, claim, release",
        description="What the sessions of a workspace share: keys and values that each may read and change. A change "
        "that meets one its session had not seen is merged, and what lost is recorded.",
    )
    inherited = _common(inherited=True)
    verbs = _commands(shared, required=True)

    def verb(name: str, function: str, summary: str) -> argparse.ArgumentParser:
        parser: argparse.ArgumentParser = verbs.add_parser(
            name, parents=[inherited], help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        parser.set_defaults(run=_lazily("workbench.cli.shared", function))
        return parser

    def changing(name: str, function: str, summary: str, what: str) -> argparse.ArgumentParser:
        parser = verb(name, function, summary)
        parser.add_argument(what.lower(), metavar=what)
        parser.add_argument(
            "--session", default="", metavar="ID", help="the session that changes it (default: a short-lived one)"
        )
        return parser

    get = verb("get", "get", "print what is shared as a key, or everything")
    get.add_argument("key", nargs="?", metavar="KEY")
    setting = changing("set", "set_key", "share a value; it is merged with what others changed meanwhile", "KEY")
    setting.add_argument("value", metavar="VALUE", help="JSON, or else a text; - reads standard input")
    setting.add_argument("--text", action="store_true", help="VALUE is a text, also where it looks like JSON")
    deleting = changing("delete", "delete", "delete a key, unless somebody changed it meanwhile", "KEY")
    for parser in (setting, deleting):
        parser.add_argument(
            "--base", type=int, metavar="N", help="the version that your change starts from (default: the last one)"
        )
    log = verb("log", "log", "print every change, with rule, what lost, and its hash")
    log.add_argument("--limit", type=int, metavar="N", help="only the last N")
    watch = verb("watch", "watch", "print changes as they are committed, until Ctrl+C")
    watch.add_argument("--after", type=int, metavar="SEQ", help="begin behind this event (default: from now on)")
    watch.add_argument("--limit", type=int, metavar="N", help="end after N changes")
    changing("undo", "undo", "take a change back, and keep what others changed since", "EVENT")
    verb("sessions", "sessions", "list the sessions that take part: how they are, and what they have claimed")
    claiming = verb("claim", "claim", "claim a file or a task for a session that is open, until it is released or ends")
    claiming.add_argument("--queue", action="store_true", help="wait for it where another session has it")
    releasing = verb("release", "release", "give a claim back; the first session that waits for it gets it")
    for parser in (claiming, releasing):
        parser.add_argument(
            "name",
            metavar="NAME",
            help="the file's path in the project, whatever folder you are in, or the task's name",
        )
        parser.add_argument("--session", required=True, metavar="ID", help="the session that has it, or wants it")
        parser.add_argument("--task", action="store_true", help="NAME is a task, not a file")


def _add_context(commands: Any, common: _Parser) -> None:
    context = commands.add_parser(
        "context",
        parents=[common],
        help="show what a model was sent for a call",
        description="Show what a model was sent for a call: item by item, with source, tokens and reason, and what was "
        "left out.",
    )
    context.add_argument("session", metavar="ID")
    context.add_argument("--call", metavar="N", help="which call (default: the last)")
    context.add_argument("--prompt", action="store_true", help="print the exact prompt too")
    context.add_argument("--expand", action="store_true", help="print what summaries stand for, too")
    context.set_defaults(run=_lazily("workbench.cli.context", "context"))


def _add_audit(commands: Any, common: _Parser) -> None:
    audit = commands.add_parser(
        "audit",
        parents=[common],
        help="prove from the records that no prompt held what it must not",
        description="Prove from a session's records alone that no prompt held what it must not: another session's "
        "text, another agent's reply, what was excluded or private. Exit code 1 where one did.",
    )
    audit.add_argument("session", type=_PATH, nargs="?", default="", metavar="FILE|ID")
    audit.add_argument("--all", action="store_true", help="every session of the workspace, and those that ship with it")
    audit.add_argument("--rules", action="store_true", help="print the rules instead")
    audit.set_defaults(run=_lazily("workbench.cli.audit", "audit_sessions"))


def _add_verdicts(commands: Any, common: _Parser) -> None:
    rate = commands.add_parser("rate", parents=[common], help="rate a plan, 1 to 5")
    rate.add_argument("session", metavar="ID")
    rate.add_argument("stars", type=int, metavar="1..5")
    rate.add_argument("--round", type=int, default=0, metavar="N", help="only its round N (default: the whole)")
    rate.add_argument("--note", default="", metavar="TEXT")
    rate.set_defaults(run=_lazily("workbench.cli.sessions", "rate_session"))
    outcome = commands.add_parser("outcome", parents=[common], help="record what became of a plan")
    outcome.add_argument("session", metavar="ID")
    outcome.add_argument("outcome", choices=["success", "partial", "failure"])
    outcome.add_argument("--note", default="", metavar="TEXT")
    outcome.add_argument(
        "--forgot", action="append", default=[], metavar="TEXT", help="what the plan had not thought of; repeatable"
    )
    outcome.add_argument(
        "--took",
        action="append",
        default=[],
        type=argument_types.step_days,
        metavar="STEP=DAYS",
        help="the working days of a step that took longer, or less, as S4=6; repeatable",
    )
    outcome.set_defaults(run=_lazily("workbench.cli.sessions", "log_outcome"))


def _add_learning(commands: Any, common: _Parser) -> None:
    learn = commands.add_parser(
        "learn",
        parents=[common],
        help="show what saved sessions teach: approaches, rounds, feedback, efforts, tokens, what plans cite",
        description="Show what saved sessions teach, each row with its number of cases, at least five: approaches "
        "against outcomes, rounds until a plan is saved, feedback that recurs, real against likely effort, tokens by "
        "phase, and sessions that plans cite. A * marks what chance alone does not explain. Private ones are left out.",
    )
    learn.add_argument("--html", type=_PATH, metavar="FILE", help="write it as one page of HTML")
    learn.set_defaults(run=_lazily("workbench.cli.learning", "learn"))
    lessons = commands.add_parser(
        "lessons",
        parents=[common],
        help="show what notes and patterns teach, and accept, reword, refuse or retire it",
        description="Show the lessons that notes and patterns teach: what they rest on, what was decided, and whether "
        "they helped. New sessions are given those that you accepted and that fit their goal.",
    )
    lessons.set_defaults(run=_lazily("workbench.cli.learning", "list_lessons"))
    inherited = _common(inherited=True)
    verbs = _commands(lessons)
    for name, summary in (
        ("accept", "give a lesson to new sessions that it fits"),
        ("reword", "accept a lesson in your own words"),
        ("refuse", "give a lesson to no session; with --session, not to this one"),
        ("retire", "give a lesson that was accepted to no further session"),
    ):
        verb = verbs.add_parser(
            name, parents=[inherited], help=summary, description=f"{summary[0].upper()}{summary[1:]}."
        )
        verb.add_argument("lesson", metavar="LESSON", help="its name in `workbench lessons`")
        if name == "reword":
            verb.add_argument("text", metavar="TEXT", help="what it says from now on")
        if name == "refuse":
            verb.add_argument("--session", default="", metavar="ID", help="only for this session, which was given it")
        verb.set_defaults(run=_lazily("workbench.cli.learning", "decide"), deciding=name)
