"""Every reader of a file that anybody may have written, with what makes a case of it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import struct
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from tests.builders import CHOOSE, answering, begin, created, told
from tests.cli.test_transcripts import CLAUDE, CODEX
from tests.domain.importing.cases import cases
from tests.domain.importing.labelled import PLANS as LABELLED
from tests.fuzz.cases import Call, Case, Reader
from tests.fuzz.mutator import HUGE, Mutator
from tests.fuzz.streams import Stream
from tests.models.recording import RecordingModel
from tests.offline import Offline
from tests.replay.verified_sessions import SESSIONS, crashed, forked, redacted
from tests.sharing.managers import manager as shared_manager
from workbench.bootstrap import Workspace
from workbench.bootstrap.session import verified
from workbench.cli.look_back.sessions import show_session
from workbench.cli.memory_and_sharing.remember import remember
from workbench.cli.parser import build_parser
from workbench.cli.plan.plan_import import import_file
from workbench.cli.plan.run import MAX_INPUT_BYTES
from workbench.cli.reading import read_text
from workbench.domain.handout import hand_out
from workbench.domain.log.envelope import Event, said_at
from workbench.domain.loop.begin import Begin
from workbench.domain.loop.deciding.gates import Answer
from workbench.domain.plan.changing.change import unified
from workbench.domain.plan.checks import check_plan
from workbench.domain.plan.importing.reading import import_plan
from workbench.domain.plan.markdown import from_markdown, to_markdown
from workbench.domain.session import events as say
from workbench.domain.session.events import IterationResult
from workbench.domain.session.session import fold
from workbench.export.formats import FORMATS
from workbench.export.markdown import entity_files, session_markdown
from workbench.export.objects import session_object
from workbench.memory.library import Library
from workbench.models.embeddings import HashedWords
from workbench.models.ports import Request
from workbench.models.scripted import ScriptedModel
from workbench.planning.agents import agent_of_file
from workbench.planning.memory.transcripts import read_transcript
from workbench.planning.policies import approving_all
from workbench.planning.sources.pages import MOST_OF_A_PAGE, lines_of
from workbench.planning.sources.web import NotRead, addresses_in
from workbench.planning.trust.mcp_client import Answered, Listed
from workbench.planning.trust.mcp_servers import McpServer
from workbench.replay.audit import audit
from workbench.replay.course import course
from workbench.replay.opening import open_recording_file
from workbench.settings import cache_key_file, find_settings, trust_folder
from workbench.storage.files.cache_seal import PROCESS_SEAL, SEAL_SIZE, CacheSeal, secret_in
from workbench.storage.files.drafts import Drafts, KeptDraft
from workbench.storage.files.log import FileLog
from workbench.storage.files.opening import Files
from workbench.storage.files.session_file import read_session_file, session_file
from workbench.storage.importing import read_to_import
from workbench.storage.tinydb import JournalStorage
from workbench.storage.trust import TrustStore
from workbench.templates.catalogue import built_in
from workbench.templates.composition import first_plan
from workbench.templates.template import UnusableTemplate, read_template, to_toml
from workbench.tui.keymap import mapped_keys, problems
from workbench.tui.settings.preferences import write_preferences
from workbench.tui.settings.themes import load_themes, shipped_folder

ID = "move-billing-provider-x1y2"
SOUND = "a-sound-session-s0s0"
_OTHER_KINDS = (
    say.SessionRenamed(name="Billing, renamed"),
    say.PrivacyChanged(private=True),
    say.OutcomeLogged(outcome="partial", note="Half of it"),
    say.RatingGiven(stars=4, note="so so"),
    say.CallRetried(call="c1", reason="The network is gone.", wait=2.0),
    say.CallAbandoned(call="c1", reason="interrupted", partial="{"),
    say.IterationStored(result=IterationResult(iteration_num=1, plan="# Plan", key_insights=("One",))),
)


@cache
def streams() -> tuple[Stream, ...]:
    """Return sessions of every kind, each made by the product."""
    names = ("every_step", "edited", "from_proposal", "with_agents", "with_workers", "sharing", "failed_and_resumed")
    made: list[Sequence[Event]] = [SESSIONS[name]() for name in names]
    made += [SESSIONS["rewound"](), SESSIONS["window_too_small"](), forked(30), redacted(), crashed(25)]
    made.append(told(*_OTHER_KINDS, after=SESSIONS["edited"]()))
    return tuple(Stream(ID, events, longest=1_500) for events in made)


def environment(folder: Path) -> dict[str, str]:
    """Return an environment with settings of its own and no keys."""
    return {"WORKBENCH_CONFIG": str(folder / "user" / "config.toml")}


def workspace(folder: Path) -> Workspace:
    """Open the workspace of a folder."""
    return Workspace.open(folder, environ=environment(folder))


def parsed(*arguments: str) -> argparse.Namespace:
    return build_parser().parse_args(arguments)


def quietly(function: Callable[[], object]) -> Callable[[], object]:
    """Keep what a command prints from being seen."""

    def called() -> object:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return function()

    return called


# --- sessions ---------------------------------------------------------------------------------------------------------


def sessions(folder: Path) -> Case:
    """Open, fold, list, show, verify, audit, play, fork and export a session's file."""
    home = workspace(folder)
    path = home.folder.sessions / f"{ID}.jsonl"
    sound = told(created(), session=SOUND)
    (home.folder.sessions / f"{SOUND}.jsonl").write_bytes(session_file(sound))
    show, show_json = (parsed("sessions", "show", ID, "--workspace", str(folder), *more) for more in ([], ["--json"]))
    page = folder / "page.html"

    def listed() -> None:
        shown = [one.as_object() for one in home.sessions()]
        assert SOUND in {one["session"] for one in shown if one["status"] != "unreadable"}

    def copied() -> None:
        (home.folder.sessions / f"{home.session(ID).fork(name='Fork').id}.jsonl").unlink()

    def changed() -> None:
        home.session(ID).rename("Another")
        home.session(ID).rate(3)
        home.session(ID).rewind()

    def gone_on() -> None:
        going = home.session(ID).resume(model=Offline())
        asyncio.run(going.resume())

    def searched() -> None:
        Library(home.log, HashedWords(16), folder / "items", home.folder.files).items_for_person(ID)

    cheap: tuple[Callable[[], object], ...] = (
        listed,
        lambda: session_object(home.session(ID).state()),
        lambda: session_markdown(home.session(ID).state()),
        lambda: hand_out(home.session(ID).state()),
        lambda: list(course(read_session_file(path))),
        lambda: open_recording_file(path).beyond(),
        copied,
        lambda: home.session(ID).salvage(),
        lambda: read_to_import(path),
        lambda: read_to_import(path, sound_part=True),
        lambda: home.session(ID).file(),
        lambda: entity_files(home.session(ID).state()),
        lambda: JournalStorage(path).read(),
        lambda: home.session(ID).events(),
        changed,
        searched,
    )
    costly: tuple[Callable[[], object], ...] = (
        lambda: page.write_text(home.session(ID).page(), encoding="utf-8"),
        lambda: verified(home.session(ID).events()),
        lambda: audit(home.session(ID).events(), home.neighbours()),
        quietly(lambda: show_session(show)),
        quietly(lambda: show_session(show_json)),
        lambda: home.session(ID).repair(),
        gone_on,
        lambda: home.compare(f"{ID}@1", ID),
    )

    def case(mutator: Mutator, number: int, call: Call) -> None:
        path.write_bytes(mutator.random.choice(streams()).mutated(mutator))
        call(lambda: home.session(ID).state())
        call(cheap[number % len(cheap)])
        if number % 5 == 0:
            call(costly[number // 5 % len(costly)])

    return case


def imports(folder: Path) -> Case:
    """Take in a session's file: ``sessions import``."""
    home = workspace(folder)
    file = folder / "from-elsewhere.jsonl"
    ways: tuple[dict[str, Any], ...] = ({}, {"sound_part": True}, {"new_id": True}, {"sound_part": True, "name": "It"})

    def case(mutator: Mutator, number: int, call: Call) -> None:
        file.write_bytes(mutator.random.choice(streams()).mutated(mutator))
        imported = call(lambda: home.import_session(file, **ways[number % len(ways)]))
        if imported is not None:
            call(lambda: home.session(imported.session).state())
        for left in home.folder.sessions.iterdir():
            left.unlink()

    return case


# --- what sessions share ----------------------------------------------------------------------------------------------


def _share(log: FileLog) -> None:
    """Fill a shared log with every kind of event."""
    shared = shared_manager(log)
    for number in range(6):
        for session in ("one-a1a1", "two-b2b2"):
            shared.update_context(session, f"key{number % 3}", {"n": number, "of": session, "list": [number, "x"]})
    shared.join("one-a1a1")
    shared.join("two-b2b2")
    shared.update_context("one-a1a1", "session/one-a1a1", {"status": "planning", "tokens": 10, "gate": ""})
    shared.delete("one-a1a1", "key1")
    shared.update_context("two-b2b2", "text", "words of two", base_version=0)
    shared.claim("one-a1a1", "file", "docs/plan.md")
    shared.claim("two-b2b2", "file", "docs/plan.md")
    shared.claim("two-b2b2", "task", "S1")
    shared.release("one-a1a1", "file", "docs/plan.md")
    shared.unsubscribe("two-b2b2", "finished")


def shared_logs(folder: Path) -> Case:
    """Read, fold, follow and change a shared log, also one that begins behind archives."""
    home = workspace(folder)
    _share(home.folder.shared_log(archive_at=4_000))
    stream = Stream("events", list(home.backend.shared_log().read("events")), shared=True)
    path, archive = home.folder.shared / "events.jsonl", home.folder.shared / "archive"
    originals = {file: file.read_bytes() for file in (path, *sorted(archive.iterdir()))}
    assert len(originals) > 2

    def changed() -> None:
        shared = home.shared()
        shared.update_context("three-c3c3", "key0", {"n": 9})
        shared.delete("three-c3c3", "key2")
        shared.claim("three-c3c3", "task", "S1")

    readers: tuple[Callable[[], object], ...] = (
        lambda: list(home.shared().events()),
        lambda: [one.as_object() for one in home.sharing_sessions()],
        changed,
        lambda: home.shared().get_pending_events("one-a1a1"),
        lambda: home.shared().observe("one-a1a1"),
        lambda: home.shared().undo("one-a1a1", "events:1"),
        lambda: home.session(SOUND).coordinator(),
    )

    def case(mutator: Mutator, number: int, call: Call) -> None:
        for file, content in originals.items():
            file.write_bytes(content)
        (home.folder.shared / "shared_context.json").unlink(missing_ok=True)
        if mutator.chance(0.7):
            path.write_bytes(stream.mutated(mutator))
        else:
            file = mutator.random.choice(list(originals))
            file.write_bytes(_mutated_journal(mutator, originals[file]))
        call(lambda: home.shared().get_context("one-a1a1"))
        call(readers[number % len(readers)])

    return case


def snapshots(folder: Path) -> Case:
    """Open a shared log through its snapshot."""
    home = workspace(folder)
    _share(home.folder.shared_log())
    path = home.folder.shared / "shared_context.json"
    shared = home.shared()
    state = shared.state()
    from workbench.sharing.snapshot import Snapshot

    seal = _seal(folder)
    Snapshot(path, seal=seal).keep(state, home.backend.shared_log().head("events").epoch)
    original = path.read_bytes()
    log = (home.folder.shared / "events.jsonl").read_bytes()

    def changed() -> None:
        again = home.shared()
        again.update_context("three-c3c3", "key0", {"n": 9})
        again.claim("three-c3c3", "task", "S1")
        (home.folder.shared / "events.jsonl").write_bytes(log)

    def case(mutator: Mutator, number: int, call: Call) -> None:
        path.write_bytes(_mutated_cache(mutator, original, seal, "shared"))
        call(lambda: home.shared().get_context("one-a1a1"))
        call(lambda: [one.as_object() for one in workspace(folder).sharing_sessions()])
        if number % 4 == 0:
            call(changed)

    return case


def _seal(folder: Path) -> CacheSeal:
    """Return the seal of the caches in a folder's workspace."""
    return CacheSeal(secret_in(cache_key_file(environment(folder))), workspace(folder).backend.id)


def _mutated_cache(mutator: Mutator, data: bytes, seal: CacheSeal, *subject: str) -> bytes:
    """Return a cache that is changed behind its seal, in most cases."""
    content = seal.opened_object(data.rstrip(b"\n"), *subject)
    assert content is not None
    if mutator.chance(0.2):
        return mutator.damage(data)
    return seal.sealed_object(mutator.change_json(content), *subject)


def _mutated_line(mutator: Mutator, line: bytes) -> bytes:
    """Return a line of a journal with its checksum made again, in most cases."""
    from workbench.storage import codec

    if mutator.chance(0.2):
        return mutator.damage(line)
    return codec.sealed(mutator.change_json(b"{" + line.rstrip(b"\n")[18:])[1:])


def _mutated_journal(mutator: Mutator, content: bytes) -> bytes:
    if mutator.chance(0.3):
        return mutator.damage(content)
    lines = content.splitlines(keepends=True)
    at = mutator.random.randrange(len(lines))
    lines[at] = _mutated_line(mutator, lines[at])
    return b"".join(lines)


# --- caches -----------------------------------------------------------------------------------------------------------


def _with_sessions(folder: Path) -> Workspace:
    home = workspace(folder)
    for name in ("edited", "with_agents", "sharing"):
        events = SESSIONS[name]()
        file = home.folder.sessions / f"{name.replace('_', '-')}-s0s0.jsonl"
        file.write_bytes(Stream(file.stem, events, longest=1_000).file())
    return home


def catalogues(folder: Path) -> Case:
    """List sessions through their cache."""
    home, seal = _with_sessions(folder), _seal(folder)
    listed = len(home.sessions())
    path = home.folder.cache / "sessions.json"
    original = path.read_bytes()

    def entries() -> None:
        assert len([one.as_object() for one in home.sessions()]) == listed

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(_mutated_cache(mutator, original, seal, "sessions"))
        call(entries)

    return case


def items(folder: Path) -> Case:
    """Read what sessions remember through its cache."""
    home = _with_sessions(folder)
    cache_folder = home.folder.cache / "items"

    def library() -> Library:
        return Library(home.log, HashedWords(8), cache_folder, home.folder.files)

    session = "sharing-s0s0"
    library().items(session)
    path = cache_folder / f"{session}.json"
    original = path.read_bytes()

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(_mutated_cache(mutator, original, PROCESS_SEAL, "items", session))
        call(lambda: library().items_for_person(session))

    return case


def vectors(folder: Path) -> Case:
    """Read the vectors that were kept."""
    from workbench.memory.vectors import KeptVectors
    from workbench.storage.files.opening import Files

    texts = ["billing", "a wedding in June", "the ledger is the truth"]
    embedder = HashedWords(8)
    KeptVectors(embedder, folder, Files()).keep("s", texts)
    path = folder / "s.safetensors"
    original = path.read_bytes()[SEAL_SIZE:]
    (size,) = struct.unpack("<Q", original[:8])

    def mutated(mutator: Mutator) -> bytes:
        header, data = original[8 : 8 + size], original[8 + size :]
        match mutator.random.randrange(6):
            case 0:
                return mutator.damage(original)
            case 1:
                return struct.pack("<Q", mutator.random.choice((0, 1, size - 1, HUGE, 2**63, 2**64 - 1))) + original[8:]
            case 2:
                return original[: 8 + size] + mutator.damage(data)
        header = mutator.change_json(header)
        return struct.pack("<Q", len(header)) + header + data

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        content = mutated(mutator)
        seal = PROCESS_SEAL.seal(content, "vectors", "s", embedder.name)
        path.write_bytes(mutator.damage(seal + content) if mutator.chance(0.1) else seal + content)
        kept = KeptVectors(embedder, folder, Files())
        call(kept.keep, "s", [*texts, "one more"])
        call(kept.embed, texts)

    return case


# --- settings ---------------------------------------------------------------------------------------------------------

CONFIG = b"""\
model = "guided"
embedder = "wordllama"
person = "ada"
iterations = 5
checkpoint = 2
max_tokens = 100000
max_cost = 1.5
max_time = 60.0
max_calls = 20
shared = "on"
theme = "night"
marks = "unicode"
motion = "full"

[keys]
"app.new" = "f4"
"app.help" = "f1,question_mark"

[recall.user]
method = "hybrid"
recent = 20
nearest = 10
scope = "all"
threshold = 0.25
"""


def _settings(at: str, folder: Path) -> Case:
    """Read the person's own settings, or those of a workspace's folder."""
    path = folder / at
    path.parent.mkdir()

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(mutator.edited(CONFIG, 0.2))
        call(lambda: find_settings(folder, environ=environment(folder)))

    return case


def keymaps(folder: Path) -> Case:
    """Read a person's keys, and what cannot hold of them."""
    original = (
        b'[keys]\n"app.new" = "f4"\n"app.help" = "f1,question_mark"\n"session.rate" = "ctrl+r"\n"draft.send" = "^S"\n'
    )
    (folder / "user").mkdir()
    path = Path(environment(folder)["WORKBENCH_CONFIG"])

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(mutator.edited(original, 0.2))
        settings = call(lambda: find_settings(folder, environ=environment(folder)))
        call(write_preferences, path, {"theme": "night", "keys": {"app.new": "f5"}})
        if settings is not None and settings.keys:
            call(problems, settings.keys)
            call(lambda: [key.shown for key in mapped_keys(settings.keys)])

    return case


def identities(folder: Path) -> Case:
    """Open a workspace by its id, and by what the person accepted for it."""
    home = workspace(folder)
    store = TrustStore(trust_folder(environment(folder)))
    settings = {"model": "openai:m", "max_cost": 2.0}
    store.change(
        home.folder.root, lambda before: msgspec.structs.replace(before, settings=settings, models=(("openai:m", ""),))
    )
    home.folder.config.write_text('model = "openai:m"\nmax_cost = 2.0\n')
    (record,) = trust_folder(environment(folder)).glob("*.json")
    originals = {file: file.read_bytes() for file in (home.folder.root / "workspace.json", record)}

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        for file, original in originals.items():
            file.write_bytes(original)
        file = mutator.random.choice(list(originals))
        original = originals[file]
        file.write_bytes(mutator.changed(original, 0.3))
        call(workspace, folder)
        call(store.all)

    return case


# --- files that a person names ----------------------------------------------------------------------------------------


def agents(folder: Path) -> Case:
    """Read an agent's file."""
    original = b'name = "nova_policy"\ninstructions = """\nYou look for risks.\nName each.\n"""\nmodel = "guided"\n'
    path = folder / "agent.toml"

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(mutator.edited(original, 0.3))
        call(agent_of_file, str(path))

    return case


def themes(folder: Path) -> Case:
    """Read a theme, and make its colours."""
    originals = [file.read_bytes() for file in sorted(shipped_folder().glob("*.toml"))]
    path = folder / "own.toml"

    def loaded() -> None:
        found = load_themes([folder])
        assert len(found.themes) + len(found.failures) == 1
        assert all(failure.reason for failure in found.failures)
        for theme in found.themes:
            theme.to_color_system().generate()

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        original = mutator.random.choice(originals)
        path.write_bytes(mutator.edited(original, 0.3))
        call(loaded)

    return case


def scripts(folder: Path) -> Case:
    """Read a script of recorded answers, and play it."""
    path = folder / "script.jsonl"
    requests: list[Request] = []

    class Remembering(Offline):
        async def stream(self, request: Request) -> Any:
            requests.append(request)
            async for part in super().stream(request):
                yield part

    going = begin(model=RecordingModel(Remembering(), path), max_iterations=1)
    asyncio.run(going.run(approving_all()))
    original = b"".join(path.read_bytes().splitlines(keepends=True)[:3])

    async def played(model: ScriptedModel) -> None:
        for request in requests[:3]:
            async for _ in model.stream(request):
                pass

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        path.write_bytes(_changed_lines(mutator, original))
        model = call(ScriptedModel.load, path)
        if model is not None:
            call(lambda: asyncio.run(played(model)))

    return case


def _changed_lines(mutator: Mutator, original: bytes) -> bytes:
    """Return JSON Lines of which one is changed, or any bytes are."""
    if mutator.chance(0.3):
        return mutator.damage(original)
    parts = original.splitlines()
    at = mutator.random.randrange(len(parts))
    parts[at] = mutator.change_json(parts[at])
    return b"\n".join(parts)


def transcripts(folder: Path) -> Case:
    """Read conversations with coding agents: ``sessions import``."""
    path = folder / "transcript.jsonl"
    originals = [b"".join(json.dumps(line).encode() + b"\n" for line in lines) for lines in (CLAUDE, CODEX)]

    def case(mutator: Mutator, number: int, call: Call) -> None:
        path.write_bytes(_changed_lines(mutator, originals[number % 2]))
        read = call(read_transcript, path)
        if read is not None:
            read.title(80).encode()

    return case


def remembered(folder: Path) -> Case:
    """Bring in JSON Lines: ``remember --jsonl``."""
    home = workspace(folder)
    lines = [
        {"text": "We pay too much.", "role": "user", "time": "2026-11-20T10:00:00Z"},
        {"text": "Since March.", "role": "assistant", "agent": "nova", "time": "2026-11-20T10:00:01+02:00"},
        {"text": "Then switch over."},
    ]
    original = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    path, session = folder / "said.jsonl", home.folder.sessions / f"{SOUND}.jsonl"
    before = session_file(told(created(), session=SOUND))
    options = parsed("remember", "--session", SOUND, "--jsonl", str(path), "--workspace", str(folder), "--json")

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        session.write_bytes(before)
        path.write_bytes(_changed_lines(mutator, original))
        call(quietly(lambda: remember(options)))
        call(lambda: home.session(SOUND).state())

    return case


PROPOSAL = (
    b"# Move billing\n\n## Goal\n\nNobody pays twice.\n\n## Steps\n\n1. Copy the customers (2 days)\n2. Switch over\n"
)


def proposals(folder: Path) -> Case:
    """Begin from a proposal: ``run --proposal``."""
    path = folder / "proposal.md"

    def case(mutator: Mutator, number: int, call: Call) -> None:
        path.write_bytes(mutator.edited(PROPOSAL, 0.5))
        text = call(read_text, str(path), MAX_INPUT_BYTES)
        if text is None:
            return
        going = begin(model=Offline(), max_iterations=1)
        call(going.initialize_from_proposal, text)
        if number % 50 == 0:
            call(lambda: asyncio.run(going.run(approving_all())))

    return case


def plans(folder: Path) -> Case:
    """Read a plan in any format, as the process does that is killed where it takes too long; and use what it was."""
    files = {case.name.rpartition("/")[2]: case.text.encode() for case in cases()}
    files |= {plan.name: plan.text.encode() for plan in LABELLED.values()}
    plan, said = next((state.plan, state.updated) for name in ("every_step",) if (state := fold(SESSIONS[name]())).plan)
    assert plan is not None
    files |= {f"own.{name}": FORMATS[name](plan, said_at(said), "s-1").encode() for name in FORMATS}
    names = sorted(files)

    def case(mutator: Mutator, number: int, call: Call) -> None:
        name = names[number % len(names)]
        path = folder / name
        path.write_bytes(mutator.edited(files[name], 0.5))
        if number % 50 == 0:
            options = parsed("import", str(path), "--json", "--today", "2027-01-10")
            call(quietly(lambda: import_file(options)))
        text = call(read_text, str(path), MAX_INPUT_BYTES)
        read = call(lambda: import_plan(text or "", name=name, today=date(2027, 1, 10)))
        if read is None or len(text or "") > 200_000:
            return
        assert [fate.line for fate in read.lines] == list(range(1, len(read.lines) + 1))
        call(lambda: from_markdown(to_markdown(read.plan), read.plan))
        if number % 10 == 0:
            call(lambda: check_plan(read.plan, today=date(2027, 1, 10)))

    return case


# --- what other machines say ------------------------------------------------------------------------------------------

PAGE = b"""<!doctype html><html><head><title>Bees</title><style>p { color: red }</style></head><body><nav>
<a href="/">Up</a></nav><h1>How to <b>keep</b> bees</h1><p id="a" class="b c">In <i>May</i>.<br>Two hives &amp; smoke.
<table><tr><td>1<td>2</table><select><option>x<option>y</select><!-- <b> --><script>x()</script></body></html>"""
CHARSETS = (
    *("", "x" * 500, "utf-8", "latin-1", "punycode", "utf-7", "idna", "utf-16", "rot13", "zlib_codec"),
    "unicode_escape",
)


def pages(_folder: Path) -> Case:
    """Read a page of the web, as the process does that is killed where it takes too long."""

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        page = mutator.edited(PAGE, 0.5)
        about = f"{mutator.random.randrange(2)} {mutator.random.choice(CHARSETS)}\n".encode()
        lines = call(lambda: msgspec.json.decode(lines_of(about + page), type=list[str]))
        assert sum(map(len, lines)) <= MOST_OF_A_PAGE

    return case


def search_answers(_folder: Path) -> Case:
    """Read what a search of the web found."""
    found = [{"url": f"https://{name}.example/a?b=c#d", "title": name, "score": 1.5} for name in ("one", "two", "one")]
    original = json.dumps({"query": "bees", "number_of_results": 3, "results": found}).encode()

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        data = mutator.changed(original, 0.3)
        call(addresses_in, data, refusing=(NotRead,))

    return case


def tool_listings(_folder: Path) -> Case:
    """Take what the process says that asks a server for its tools."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    listed = [Listed(name=name, description="Opens a ticket.", schema=schema) for name in ("open", "list", "a b")]
    original = msgspec.json.encode(Answered(tools=tuple(listed), text="7 open", works=True))
    server = McpServer("tickets", {"command": ["tickets"]})

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        data = mutator.changed(original, 0.3)
        call(server.taken, data, refusing=(OSError,))

    return case


def templates(_folder: Path) -> Case:
    """Read a template, and draft a plan from it."""
    original = to_toml(built_in("move-system")).encode()

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        data = mutator.edited(original, 0.3)
        template = call(lambda: read_template(data.decode(), "p"), refusing=(UnusableTemplate, ValueError))
        if template is not None:
            call(lambda: first_plan(Begin(template="p"), template, "Keep bees", date(2027, 1, 11)))

    return case


def drafts(folder: Path) -> Case:
    """Read what a person was writing when a window closed."""
    kept = Drafts(folder, Files())
    original = msgspec.json.encode(KeptDraft("Add a step", ("yes", "no")))

    def case(mutator: Mutator, _number: int, call: Call) -> None:
        data = mutator.changed(original, 0.3)
        (folder / "s.json").write_bytes(data)
        call(kept.read, "s")

    return case


def edits(folder: Path) -> Case:
    """Take a plan that was edited by hand: ``--edit``."""
    path = folder / "plan.md"
    plans = [state.plan for name in ("edited", "every_step", "guided") if (state := fold(SESSIONS[name]())).plan]
    originals = [(plan, to_markdown(plan).encode()) for plan in plans if plan is not None]

    def answered(text: str) -> None:
        going = begin(max_iterations=1, checkpoint_interval=1)
        state = asyncio.run(going.run(answering(CHOOSE)))
        assert state.gate is not None
        asyncio.run(going.run(answering(Answer(kind="edit", text=text))))

    def case(mutator: Mutator, number: int, call: Call) -> None:
        plan, original = mutator.random.choice(originals)
        path.write_bytes(mutator.edited(original, 0.5))
        text = call(read_text, str(path), MAX_INPUT_BYTES)
        if text is None:
            return
        edited = call(from_markdown, text, plan)
        if edited is not None:
            call(lambda: from_markdown(to_markdown(edited), edited))
            call(unified, plan, edited)
        if number % 50 == 0:
            call(answered, text)

    return case


READERS = {
    name: Reader(name, prepare)
    for name, prepare in {
        "session": sessions,
        "import": imports,
        "shared": shared_logs,
        "snapshot": snapshots,
        "catalogue": catalogues,
        "items": items,
        "vectors": vectors,
        "user-settings": partial(_settings, "user/config.toml"),
        "workspace-settings": partial(_settings, ".workbench/config.toml"),
        "keymap": keymaps,
        "identity": identities,
        "agent": agents,
        "theme": themes,
        "script": scripts,
        "remember": remembered,
        "transcript": transcripts,
        "proposal": proposals,
        "plan-file": plans,
        "edit": edits,
        "page": pages,
        "search-answer": search_answers,
        "tools": tool_listings,
        "template": templates,
        "draft": drafts,
    }.items()
}
