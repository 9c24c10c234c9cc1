"""The table of commands: their options, help and examples. Imports nothing of the core."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from workbench.cli import argument_types as types

PATH = str
"""The type of an argument that names a file or folder: its bytes need not be UTF-8."""


class Option(NamedTuple):
    """An argument of a command, as argparse takes it."""

    names: tuple[str, ...]
    settings: dict[str, Any]


class Group(NamedTuple):
    """Options under a title of their own, or of which at most one may be given."""

    options: tuple[Option, ...]
    title: str = ""
    is_exclusive: bool = False


@dataclass(frozen=True)
class Command:
    """A command, or a subcommand."""

    name: str
    run: str
    """``module:function`` in ``workbench.cli``; "" for a command that needs a subcommand."""
    summary: str
    """What it does, in the list of commands."""
    arguments: tuple[Option | Group, ...] = ()
    description: str = ""
    """What it does, in its own help; "" for the summary."""
    defaults: dict[str, Any] = field(default_factory=dict)
    subcommands: tuple[Command, ...] = ()


_TYPES: dict[str, Any] = {
    "N": int,
    "SEQ": int,
    "1..5": int,
    "USD": float,
    "SECONDS": float,
    "X": float,
    "DATE": types.day,
}
_TYPES |= dict.fromkeys(("FILE", "DIR", "PATH", "A", "B", "FILE|ID", "ID|FILE", "FILE|DIR|GLOB"), PATH)
"""By the word that stands for a value in the help."""


def _arg(usage: str, text: str | None = None, **settings: Any) -> Option:
    """Return an argument: ``--flag``, ``--option VALUE``, ``--option VALUE …`` if repeatable, or ``name VALUE``."""
    name, *words = usage.split()
    if not words:
        kind = {} if "choices" in settings else {"action": settings.pop("action", "store_true")}
        return Option((name,), {"help": text, **kind, **settings})
    if words[1:]:
        settings = {"action": "append", "default": [], **settings}
        text = f"{text}; repeatable"
    return Option((name,), {"metavar": words[0], "help": text, "type": _TYPES.get(words[0]), **settings})


_SESSION = _arg("session ID")
_SESSION_OR_NONE = _arg("session ID", nargs="?", default="")
_YES = _arg("--yes", "do not ask")
_REPLACE = _arg("--yes", "replace a file that exists, without asking")

COMMON = Group(
    (
        _arg(
            "--workspace DIR",
            "the folder to work in (default: WORKBENCH_WORKSPACE, or the nearest .workbench/ here or above)",
        ),
        _arg("--log URL", 'where logs are kept: redis://HOST:6379/0?workspace=NAME, or "" for files (default)'),
        _arg("--json", "print JSON, one object per line", action="store_const", const=True),
    ),
    "everywhere",
)
_MODEL = (
    _arg("--model NAME", "guided (no model, the default), openai:NAME, anthropic:NAME, google:NAME or scripted:FILE"),
    _arg("--base-url URL", "an OpenAI-compatible server"),
)
_BOUNDED_MODEL = Group(
    (
        *_MODEL,
        _arg("--max-tokens N", "pause and ask after this many tokens"),
        _arg("--max-cost USD", "pause and ask after spending this much"),
        _arg("--max-time SECONDS", "pause and ask after this much model time"),
        _arg("--max-calls N", "pause and ask after this many calls of models and tools"),
    ),
    "model and bounds",
)
_CONTEXT = (
    _arg(
        "--context FILE|DIR|GLOB …",
        "give the planner a project file, all files that match a pattern, or a map of a folder (in your text, @path "
        "does the same)",
    ),
    _arg(
        "--research",
        "look up what is not known in the project's files, except those that .gitignore lists, and in the "
        "session's memory. The plan cites what is found, and models may use tools that read those files",
        action="store_const",
        const="files",
    ),
    _arg(
        "--allow-tool NAME …", "let models use this tool without asking, even if it changes things", dest="allow_tools"
    ),
)
_AGENTS = _arg(
    "--agent FILE …", "add an agent: a TOML file with name, instructions and optionally model", dest="agents"
)
_NO_RECALL = _arg("--no-recall", "do not search other sessions")
_HOLIDAYS = _arg(
    "--holidays CODE", "add the public holidays of a country (DE) or region (DE-BY), once the plan has dates"
)
_APPROVAL = (
    _arg(
        "--approve",
        help="ask: you decide at each gate (default); all: approve everything except spending beyond a bound",
        choices=["ask", "all"],
        default="ask",
    ),
    _arg(
        "--accept-repairs RULE,…",
        "accept repairs for findings of these rules (such as steps.needs), unless a repair causes new findings",
    ),
)
_CHOOSE = _arg("--choose N", "choose approach N, counted from 1")
_OWN_STEPS = (
    _arg("--steps FILE", "steps of your own, one per line, as in Book the hall 2d @Anna; - reads standard input"),
    _arg("--deadline DAY", "the day by which all is to be done, such as 30 June"),
    _arg("--on DAY", "the day it is all for: the plan is dated back from it"),
    _arg("--budget SUM", "what it may cost, such as 40,000 EUR"),
)
_TODAY = _arg("--today DATE", "the day that dates without a year are counted from, such as 2027-03-10")

_SHARED_BY = _arg("--session ID", "the session that makes the change (default: a short-lived one)", default="")
_BASE = _arg("--base N", "the version that your change is based on (default: the latest)")
_CLAIM = (
    _arg("name NAME", "the file's path in the project, whatever folder you are in, or the task's name"),
    _arg("--session ID", "the session that has the claim, or wants it", required=True),
    _arg("--task", "NAME is a task, not a file"),
)
_SHARED = (
    Command("get", "shared:get", "print a shared value, or all of them", arguments=(_arg("key KEY", nargs="?"),)),
    Command(
        "set",
        "shared:set_key",
        "share a value; it is merged with what others changed meanwhile",
        arguments=(
            _arg("key KEY"),
            _SHARED_BY,
            _arg("value VALUE", "JSON, or else text; - reads standard input"),
            _arg("--text", "VALUE is text, even if it looks like JSON"),
            _BASE,
        ),
    ),
    Command(
        "delete",
        "shared:delete",
        "delete a key, unless someone changed it meanwhile",
        arguments=(_arg("key KEY"), _SHARED_BY, _BASE),
    ),
    Command(
        "log",
        "shared:log",
        "print every change with its rule, what lost, and its hash",
        arguments=(_arg("--limit N", "only the last N"),),
    ),
    Command(
        "watch",
        "shared:watch",
        "print changes as they are committed, until Ctrl+C",
        arguments=(
            _arg("--after SEQ", "start after this event (default: now)"),
            _arg("--limit N", "stop after N changes"),
        ),
    ),
    Command(
        "undo",
        "shared:undo",
        "undo a change, and keep what others changed since",
        arguments=(_arg("event EVENT"), _SHARED_BY),
    ),
    Command("sessions", "shared:sessions", "list the sessions that take part, with their status and claims"),
    Command(
        "claim",
        "shared:claim",
        "claim a file or task for an open session, until it is released or the session ends",
        arguments=(_arg("--queue", "wait for it if another session has it"), *_CLAIM),
    ),
    Command("release", "shared:release", "release a claim; the first session in the queue gets it", arguments=_CLAIM),
)

_FORMATS = (
    *("md", "html", "record", "json", "entities", "jsonl", "cast", "svg"),
    *("csv", "ics", "mermaid", "tasks", "spec-kit", "tasks.json", "mspdi", "xlsx"),
)
_TO = _arg("--to N", "the event to go to")
_SESSIONS = (
    Command(
        "search",
        "finding:search_sessions",
        "search the memory of all sessions, by words and by meaning",
        arguments=(_arg("query QUERY"), _arg("--limit N", "at most N results (default 10)", default=10)),
    ),
    Command("list", "finding:list_sessions", "list all sessions, newest first"),
    Command(
        "show",
        "sessions:show_session",
        "show a session: its plan, iterations, findings and memory",
        arguments=(
            _SESSION,
            _arg("--version N", "show version N of the plan", dest="plan_version"),
            _arg("--diff N", "show what changed between two versions of the plan", nargs=2, metavar=("A", "B")),
        ),
    ),
    Command(
        "changes",
        "changes:show_changes",
        "show every change of the plan and why it was made",
        arguments=(_SESSION, _arg("line LINE", "only changes of this item, such as S4", nargs="?", default="")),
    ),
    Command(
        "diff",
        "comparing:compare_sessions",
        "compare two points of one session, two sessions, or two forks",
        defaults={"layout": None},
        arguments=(
            _arg("a A", "ID or FILE as it is now; ID@SEQ as of an event; ID@vN as of plan version N"),
            _arg(
                "b B",
                "the same, or @SEQ or @vN of A's session (default: A's session now; without B, A's last two versions)",
                nargs="?",
                default="",
            ),
            Group(
                (
                    _arg(
                        "--side-by-side",
                        "both plans side by side (default from 100 columns)",
                        action="store_const",
                        const=True,
                        dest="layout",
                    ),
                    _arg("--unified", "old lines above new ones", action="store_const", const=False, dest="layout"),
                ),
                is_exclusive=True,
            ),
        ),
    ),
    Command(
        "rename", "sessions:rename_session", "rename a session; its id stays", arguments=(_SESSION, _arg("name NAME"))
    ),
    Command(
        "fork",
        "forks:fork_session",
        "start a session from the first events of another one",
        arguments=(
            _arg("session ID|FILE"),
            _arg("--at N", "the last event that the fork takes over (default: the last one)"),
            _arg("--name NAME", "the fork's name in lists", default=""),
        ),
    ),
    Command(
        "rewind",
        "forks:rewind_session",
        "go back to before a decision, by default the last one; nothing is lost",
        arguments=(_SESSION, _TO),
    ),
    Command("redo", "forks:redo_session", "go forward again after a rewind", arguments=(_SESSION, _TO)),
    Command(
        "export",
        "exporting:export_session",
        "write a session as Markdown, a web page, JSON, or in other formats",
        arguments=(
            _SESSION,
            _arg(
                "--format FORMAT",
                "md (default): the page to hand out; html: the plan, to be printed; "
                "record: how the plan came about, as a page; json; entities: one Markdown file each; jsonl: the "
                "session's file, which `sessions import` reads; cast: a recording for asciinema; svg: a picture of the "
                "screen. Only the steps: csv; xlsx (Excel); ics (iCalendar); mermaid (Gantt chart); tasks (GitHub, "
                "GitLab); spec-kit; tasks.json (Task Master); mspdi (MS Project XML, also for GanttProject and "
                "ProjectLibre)",
                choices=list(
                    _FORMATS,
                ),
            ),
            Option(
                ("--output", "-o"),
                {
                    "type": PATH,
                    "metavar": "PATH",
                    "help": "the file, or the folder for entities (default: standard output, or ./ID-entities)",
                },
            ),
            _REPLACE,
            _arg(
                "--full",
                "the whole plan in the form that `resume --edit` and `import` read (md)",
                action="store_const",
                const=True,
            ),
            _arg("--at N", "as of event N (jsonl is always whole)"),
            _arg("--size COLUMNSxROWS", "size of the terminal (cast, svg; default 120x36)"),
            _arg("--speed X", "X times as fast (cast; default 1)"),
            _arg("--theme NAME", "colours (svg; default: your theme)"),
        ),
    ),
    Command(
        "import",
        "importing:import_session",
        "import a session's file; nothing in it is run (for a plan's file: workbench import)",
        arguments=(
            _arg("file FILE", "a file from `export --format jsonl`, or a sample's"),
            _arg("--as NAME", "its name here", dest="name", default=""),
            _arg("--new-id", "import it as a copy with an id of its own"),
            _arg("--sound-part", "import what comes before the damage in a damaged file"),
        ),
    ),
    Command("delete", "sessions:delete_session", "move a session to the trash", arguments=(_SESSION,)),
    Command("trash", "sessions:list_trash", "list the trash"),
    Command("restore", "sessions:restore_session", "restore a session from the trash", arguments=(_SESSION,)),
    Command("empty-trash", "sessions:empty_trash", "delete everything in the trash for good", arguments=(_YES,)),
    Command(
        "repair",
        "sessions:repair_session",
        "keep what can be read of a damaged session; the damaged file goes to the trash",
        arguments=(_SESSION, _arg("--keep-nothing", "go on even if nothing of it can be kept")),
    ),
)

_LESSON = _arg("lesson LESSON", "its id in `workbench lessons`")
_LESSONS = (
    Command(
        "accept",
        "learning:decide",
        "give a lesson to new sessions that it fits",
        arguments=(_LESSON,),
        defaults={"deciding": "accept"},
    ),
    Command(
        "reword",
        "learning:decide",
        "accept a lesson in your own words",
        arguments=(_LESSON, _arg("text TEXT", "its new wording")),
        defaults={"deciding": "reword"},
    ),
    Command(
        "refuse",
        "learning:decide",
        "give a lesson to no session; with --session, not to that one",
        arguments=(_LESSON, _arg("--session ID", "only for this session, which was given it", default="")),
        defaults={"deciding": "refuse"},
    ),
    Command(
        "retire",
        "learning:decide",
        "give an accepted lesson to no further session",
        arguments=(_LESSON,),
        defaults={"deciding": "retire"},
    ),
)

_TEMPLATE = _arg("name NAME", "its name in `workbench template list`")
_TEMPLATES = (
    Command("list", "template:list_templates", "list all templates, yours first"),
    Command(
        "show",
        "template:show_template",
        "show a template: variants, steps and what has to be known",
        arguments=(_arg("name NAME[:VARIANT]", "a template, or one variant of it"),),
    ),
    Command(
        "save",
        "template:save",
        "make a template of a plan, without people and dates",
        description="Make a template of a plan: its steps with outcomes, checks, efforts and needs, risks and "
        "questions. Days become distances from the plan's first day, or from its last where something happens on it. "
        "People, dates and what was said stay out of it.",
        arguments=(
            _SESSION,
            _arg("--name NAME", "its name", required=True),
            _arg("--team", "put it into the workspace, for everybody who accepts it there"),
            _REPLACE,
        ),
    ),
    Command("edit", "template:edit_template", "edit a template in $EDITOR, as one of your own", arguments=(_TEMPLATE,)),
)

COMMANDS = (
    Command(
        "open",
        "start:open_application",
        "open the application, as `workbench` alone does",
        description="Open the application in the nearest workspace, at a session if you name one.",
        arguments=(_BOUNDED_MODEL, _SESSION_OR_NONE, *_CONTEXT),
    ),
    Command(
        "serve",
        "serve:serve",
        "open the application in a browser",
        description="Open the application in a browser, at a session if you name one. Only this machine can reach it, "
        "unless you give --host: then the address has a token, from WORKBENCH_SERVE_TOKEN or made for this run.",
        arguments=(
            _SESSION_OR_NONE,
            _arg("--host ADDRESS", "the address to listen on (default 127.0.0.1)", default="127.0.0.1"),
            _arg("--port N", "the port (default 8000; 0 picks a free one)", type=types.port, default=8000),
            _arg("--token", "require a token on this machine too"),
        ),
    ),
    Command(
        "run",
        "run:run",
        "plan: from a goal to a saved plan",
        arguments=(
            _BOUNDED_MODEL,
            _arg("goal GOAL", "what you want to plan, in a sentence or more; - reads standard input", nargs="?"),
            _arg("--goal-file FILE", "read the goal from a file"),
            _arg(
                "--proposal FILE",
                "start from an existing plan, in any format that `workbench import` reads; - reads standard input",
            ),
            Group(
                (
                    _arg(
                        "--template NAME",
                        "begin with the steps of a template, NAME or NAME:VARIANT (`workbench template list`)",
                    ),
                    _arg(
                        "--keep 1-4,7", "of the template these lines alone (`workbench template show NAME` counts them)"
                    ),
                    *_OWN_STEPS,
                ),
                "what the plan begins with",
            ),
            _arg("--iterations N", "iterations before it asks whether to go on (default 5)"),
            _arg("--checkpoint N", "a checkpoint after every N iterations (default 2)"),
            _arg("--name NAME", "the session's name in lists"),
            _arg("--private", "hide this session from all others"),
            _NO_RECALL,
            *_CONTEXT,
            _AGENTS,
            _HOLIDAYS,
            *_APPROVAL,
            _CHOOSE,
        ),
    ),
    Command(
        "resume",
        "run:resume",
        "continue a session exactly where it stopped",
        description="Continue a session exactly where it stopped. Without an answer, it asks at the open gate.",
        arguments=(
            _BOUNDED_MODEL,
            _SESSION,
            Group(
                (
                    _CHOOSE,
                    _arg("--feedback TEXT", "say what should change; reopens a finished session"),
                    _arg("--answer TEXT", "answer the question"),
                    _arg("--skip", "skip the question"),
                    _arg("--keep", "keep what the planner takes out, or use the answer to a prompt that was cut"),
                    _arg("--remove", "remove what the planner takes out"),
                    _arg("--again", "repeat the call that failed"),
                    _arg("--without", "go on without the answer that failed"),
                    _arg("--once", "allow the tool this once"),
                    _arg("--for-session", "allow the tool for the rest of this session"),
                    _arg("--no", "do not allow the tool"),
                    _arg("--continue", "go on past the checkpoint"),
                    _arg("--edit FILE", "replace the plan with an edited Markdown file"),
                    _arg("--do COMMAND", "change the plan with a command, as `workbench edit` does"),
                    _arg("--undo CHANGE", "undo a change of the plan (3.2), or a version (3)"),
                    _arg("--repair N", "accept a repair that `sessions show` lists"),
                    _arg("--finish", "save the plan as it is and finish"),
                    _arg("--reject TEXT", "reject all approaches and end"),
                ),
                "answer the open gate",
                is_exclusive=True,
            ),
            Group(
                (_arg("--keep-steps 1-4,7", "only these lines of the template that --choose names"), *_OWN_STEPS),
                "with --choose",
            ),
            _NO_RECALL,
            *_CONTEXT,
            _AGENTS,
            _HOLIDAYS,
            *_APPROVAL,
        ),
    ),
    Command(
        "plan",
        "plan:show_plan",
        "show a plan's figures: dates and why, forecast, costs, people",
        description="Show what is calculated from a plan: when each step happens and why then, slack, critical path, "
        "the forecast (when half, and four fifths, of the simulated courses are finished), costs against their limits, "
        "and people with their load and days away. For the plan itself: `workbench sessions show`.",
        arguments=(_SESSION, _arg("--version N", "for version N of the plan", dest="plan_version")),
    ),
    Command(
        "due",
        "due:show_due",
        "show what is late, due today, soon or at risk, over all plans",
        description="Show the steps that are late, at risk, due today or soon, over all saved plans of the workspace "
        "that are not private. Exit code 4 if a step is late.",
        arguments=(
            _arg("--plan ID …", "only this session's plan, even if it is private"),
            _arg("--days N", "how many days ahead count as soon (default 7)", type=types.days_ahead, default=7),
            _arg("--today DATE", "as of this day, YYYY-MM-DD"),
            _arg("--report", "print a report in Markdown"),
        ),
    ),
    Command(
        "edit",
        "edit:edit",
        "change a plan with commands, such as S3 owner Anna",
        description="Change a plan with commands, in any state of its session: all of them, or nothing. You see what "
        "changes and which dates move before anything is recorded. `undo` takes the last change back. All commands: "
        "docs/commands.md.",
        arguments=(
            _SESSION,
            _arg("commands COMMAND", "a command, or several with ; between them", nargs="*"),
            _arg("--file FILE", "read the commands from a file, one per line; - reads standard input"),
            _arg("--yes", "record it without asking"),
        ),
    ),
    Command(
        "status",
        "status:status",
        "report progress or a change, see what it does to the plan, and record it",
        description="Report progress or a change with commands, as `workbench edit` takes them: S3 done, S4 left 2d. "
        "You see which dates move before anything is recorded. A sentence that is no command changes nothing.",
        arguments=(
            _SESSION,
            _arg("text TEXT", "your report; - reads standard input"),
            _arg("--yes", "record it without asking"),
        ),
    ),
    Command(
        "statements",
        "statements:statements",
        "show what you said in a session, and what became of each part of it",
        description="Show what you said in a session, part by part, and what became of "
        "each: which items act on it, how it was answered, why it was declined, what replaced it, or that nobody has "
        "used it yet.",
        arguments=(
            _SESSION,
            _arg("--dismiss U", "it need not be used: no role is told of it any more"),
            _arg("--reopen U", "it is to be accounted for again"),
        ),
    ),
    Command(
        "read",
        "values:read",
        "show the dates, times, sums, durations and counts that a text names",
        description="Show the dates, times, sums, durations and counts that a text names beyond doubt, as the "
        "workbench reads them. Nothing is kept.",
        arguments=(_arg("text TEXT", "the text; - reads standard input"), _TODAY),
    ),
    Command(
        "template",
        "template:list_templates",
        "list the templates to plan with; show, save and edit them",
        subcommands=_TEMPLATES,
    ),
    Command(
        "research",
        "research:research",
        "look up a text, or a session's open questions, in the project's files and the session's memory",
        description="Look up a text in the project's files (names, headings, symbols, full text; except those that "
        ".gitignore lists), or what a session does not know: its goal, open feedback and statements, and the "
        "verifier's gaps. For a session, its memory is searched too, and what is found is recorded for its next "
        "iteration.",
        arguments=(
            _arg("what ID|TEXT"),
            _arg("--session ID", "look TEXT up for this session", dest="record_in", default=""),
        ),
    ),
    Command(
        "import",
        "plan_import:import_file",
        "read an existing plan (Markdown, task lists, CSV, tasks.json, XML, …), or merge it into a session",
        description="Read an existing plan, and show what is understood: steps with owner, effort and dates, the "
        "schedule that follows, other items, guesses, lines that fit nowhere, and what the file leaves open; with "
        "--begin, or if you say so at a terminal, begin a session from it. Reads Markdown of any kind, GitHub and "
        "spec-kit task lists, tasks.json of Task Master, CSV, Excel, MS Project XML, GanttProject, exports of trackers "
        "and Mermaid Gantt charts. With --session, "
        "show what would change in that session's plan; --yes makes these changes. Nothing is removed, and what is "
        "done stays done. Exit code 3 if there are changes and no --yes. (For a session's own file: workbench sessions "
        "import.)",
        arguments=(
            _arg("file FILE", "the plan; - reads standard input"),
            _arg("--session ID", "the session to merge it into", default=""),
            _arg("--yes", "change the session's plan without asking"),
            _arg("--begin GOAL", "begin a session from it (GOAL: the plan's title)", nargs="?", const=""),
            _TODAY,
        ),
    ),
    Command(
        "sessions",
        "finding:list_sessions",
        "list, search, show, compare, fork, rewind, rename, export, import, delete and restore sessions",
        subcommands=_SESSIONS,
    ),
    Command(
        "replay",
        "replay:replay",
        "step through a session as it happened, print its events, or verify it",
        description="Open a session in the application and step through it as it happened: play, pause, step, seek. In "
        "a pipe, or with --plain, --json or --at, print its events, one per line. With --verify, execute it again and "
        "name the first event that differs; exit with 0 only if all of it was executed again.",
        arguments=(
            _arg("session FILE|ID"),
            _arg("--plain", "no colours and no columns, even in a terminal"),
            Group(
                (
                    _arg("--at N", "print the state as of event N"),
                    _arg("--verify", "execute it again and name the first event that differs"),
                ),
                is_exclusive=True,
            ),
            _arg("--beyond-damage", "include what can be read after the damage in a damaged file"),
        ),
    ),
    Command(
        "ask",
        "agents:ask",
        "ask an agent of a session",
        description="Ask an agent of a session, and print its answer.",
        arguments=(
            Group(_MODEL, "model"),
            _SESSION,
            _arg("text TEXT"),
            _arg("--agent NAME", "the agent to ask", required=True),
            _arg("--part TEXT …", "let a worker do this part first, with a share of the tokens"),
        ),
    ),
    Command(
        "remember",
        "remember:remember",
        "add messages from elsewhere to a session's memory",
        description="Add messages from elsewhere to a session's memory: one text, or JSON Lines.",
        arguments=(
            _arg("text TEXT", nargs="?"),
            _arg("--session ID", "the session that remembers it", required=True),
            _arg("--role", help="who said it (default: user)", choices=["user", "assistant"]),
            _arg("--agent NAME", "which agent said it, with --role assistant"),
            _arg("--entity NAME", "store the text under this name instead, as its next version"),
            _arg("--jsonl FILE", 'one message per line: {"text", "role", "agent", "time"}; - reads standard input'),
        ),
    ),
    Command(
        "forget",
        "forget:forget",
        "redact something from a session's memory for good",
        description="Redact an item, or a part of it, wherever its session holds it: in the log, in summaries, in "
        "copies, and in what it shares. Says where others have it. This cannot be undone.",
        arguments=(
            _arg("item ID", "the item, as `workbench recall --json` names it, such as message:SESSION:7"),
            _arg("--session ID", "the session, if the id does not name it (insight:2.1), or a fork's"),
            _arg("--text TEXT", "redact only this part; - reads it from standard input, so no history keeps it"),
            _arg("--everywhere", "also in sessions that took it from there, and in what they share"),
            _YES,
        ),
    ),
    Command(
        "recall",
        "recall:recall",
        "search the memory of a session, or of other sessions",
        description="Search the memory of one session; with --agent, what that agent may see. With --across, search "
        "other sessions for one that asks, which records it.",
        arguments=(
            _arg("query QUERY"),
            _arg("--session ID", "the session whose memory is searched"),
            _arg("--across", "search other sessions, except private ones"),
            _arg("--asking ID", "with --across: the session that asks, and records it"),
            _arg("--reason TEXT", "with --across: why it asks"),
            _arg("--agent NAME", "only what this agent may see"),
            _arg("--limit N", "at most N results (default 5)", default=5),
        ),
    ),
    Command(
        "shared",
        "",
        "what sessions share: get, set, delete, log, watch, undo, sessions, claim, release",
        description="What the sessions of a workspace share: keys and values that each may read and change. A change "
        "that conflicts with one its session had not seen is merged, and what lost is recorded.",
        subcommands=_SHARED,
    ),
    Command(
        "context",
        "context:context",
        "show what a model was sent for a call",
        description="Show what a model was sent for a call, item by item, with source, tokens and reason, and what was "
        "left out.",
        arguments=(
            _SESSION,
            _arg("--call CALL", "which call (default: the last)"),
            _arg("--prompt", "also print the exact prompt"),
            _arg("--expand", "also print what summaries cover"),
        ),
    ),
    Command(
        "audit",
        "audit:audit_sessions",
        "prove from the records that no prompt held what it must not",
        description="Prove from a session's records alone that no prompt held what it must not: other sessions' text, "
        "other agents' replies, anything excluded or private. Exit code 1 if one did.",
        arguments=(
            _arg("session FILE|ID", nargs="?", default=""),
            _arg("--all", "every session of the workspace, and the samples"),
            _arg("--rules", "print the rules"),
        ),
    ),
    Command(
        "rate",
        "sessions:rate_session",
        "rate a plan, 1 to 5",
        arguments=(
            _SESSION,
            _arg("stars 1..5"),
            _arg("--round N", "only iteration N (default: the whole)", default=0),
            _arg("--note TEXT", default=""),
        ),
    ),
    Command(
        "outcome",
        "sessions:log_outcome",
        "record what became of a plan",
        arguments=(
            _SESSION,
            _arg("outcome", choices=["success", "partial", "failure"]),
            _arg("--note TEXT", default=""),
            _arg("--forgot TEXT …", "what the plan had not thought of"),
            _arg("--took STEP=DAYS …", "the working days that a step really took, such as S4=6", type=types.step_days),
        ),
    ),
    Command(
        "learn",
        "learning:learn",
        "show what saved sessions teach: approaches, iterations, feedback, effort, tokens, citations",
        description="Show what saved sessions teach. Each row rests on five cases or more: approaches against "
        "outcomes, iterations until a plan is saved, recurring feedback, real against likely effort, tokens by phase, "
        "and sessions that plans cite. A * marks what chance alone does not explain. Private sessions are left out.",
        arguments=(_arg("--html FILE", "write it as an HTML page"), _REPLACE),
    ),
    Command(
        "lessons",
        "learning:list_lessons",
        "show the lessons from notes and patterns; accept, reword, refuse or retire them",
        description="Show the lessons from notes and patterns: what they rest on, what was decided, and whether they "
        "helped. New sessions are given the accepted ones that fit their goal.",
        subcommands=_LESSONS,
    ),
    Command(
        "migrate",
        "migrate:migrate_logs",
        "copy every log to a Redis server, or back into files",
        description="Copy every log of the workspace (sessions, what they share, deleted ones) to a Redis server, or "
        "back into files, and compare each event. Nothing is deleted; run it again to continue where it stopped.",
        arguments=(_arg("--to PLACE", "redis://HOST:6379/0, rediss://…, unix:///PATH, or a folder", required=True),),
    ),
    Command(
        "doctor",
        "doctor:examine",
        "check that everything the workbench needs is there, and say what to change",
        description="Check versions, terminal, settings, folder, locks, log server, sessions, models and embedder, and "
        "say what to change. Exit code 1 if there is a problem.",
    ),
    Command(
        "models",
        "models:show_models",
        "list the model in use, configured models, and local model servers",
        description="List the model in use, models with settings of their own, and local servers at the usual "
        "ports of Ollama, LM Studio, llama.cpp and vLLM. Nothing is sent to any other machine.",
        arguments=(
            _arg("--try NAME", "ask this model for one word, and say what that takes", dest="name"),
            _arg("--base-url URL", "its server, if it is an OpenAI-compatible one"),
        ),
    ),
    Command("config", "config:show_config", "show each setting and where its value comes from"),
    Command(
        "trust",
        "trust:trust",
        "show what this folder's settings would spend or send, and accept it",
        description="Show what this workspace's folder asks for that spends or sends: values of its config.toml, and a "
        "foreign owner; with ID, also the models of a session and its agents. Ask, and keep what you accepted in your "
        "own folder. Exit code 3 if it was not accepted.",
        defaults={"asks_itself": True},
        arguments=(
            _arg("session ID", "a session whose models are shown too", nargs="?", default=""),
            Group(
                (
                    _arg("--list", "list what you accepted, for every workspace"),
                    _arg("--revoke", "take back what you accepted for this workspace"),
                    _arg("--yes", "accept without asking"),
                    _arg("--hash HASH", "accept exactly what was shown with this hash"),
                ),
                is_exclusive=True,
            ),
        ),
    ),
)

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
    "workbench edit": (
        'workbench edit launch-x7k2 "S3 owner Anna; S4 done"',
        'workbench edit launch-x7k2 "S3 by 3 May" "S5 needs S3" --yes',
        "workbench edit launch-x7k2 undo --yes",
        "workbench edit launch-x7k2 --file commands.txt --json",
    ),
    "workbench template": (
        "workbench template show move-system:cohorts",
        "workbench template save launch-x7k2 --name our-launch",
    ),
    "workbench status": (
        'workbench status launch-x7k2 "S3 done last Tuesday; S4 takes 5d"',
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
        "workbench sessions export launch-x7k2 -o launch.md",
        "workbench sessions export launch-x7k2 --format md --full -o plan.md",
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
