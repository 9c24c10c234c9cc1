"""Every public method through which a session is reached: it says nothing of another one but what is labelled so.

    Workspace, MemoryView, SessionMemory, OtherSessions ─ reflection ─▶ each method has its probe in PROBES
    probe(lives, session 0) ─▶ whatever it returns ─▶ no other session's word, and no other session's file changed

Whoever adds a method adds a probe; without one ``test_every_public_method_has_its_probe`` fails.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.properties.lives import Lives, Voice, agent_word, without_quotations, word, words_in
from workbench.bootstrap import Session, Workspace
from workbench.domain.errors import InvalidId, NotFound, UsageError, WorkbenchError
from workbench.domain.log.envelope import Event
from workbench.domain.log.ids import AgentId, SessionId
from workbench.domain.loop.agents import new_agent
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline
from workbench.domain.session.items import items
from workbench.domain.shared.input import OWN
from workbench.domain.trust import TrustRequest
from workbench.memory.found import Found
from workbench.memory.memory_view import MemoryView, SessionMemory
from workbench.memory.other_sessions import OtherSessions
from workbench.models.embeddings import HashedWords
from workbench.models.scripted import CallableModel
from workbench.planning.iteration_manager import IterationManager
from workbench.planning.memory.remembering import Said
from workbench.planning.memory.transcripts import Transcript
from workbench.planning.session_log import SessionLog
from workbench.storage.files.session_file import read_session_file

ASKED = "Who pays the budget of the hospital?"
COMMAND = 'add note "Dusk"'


@dataclass(frozen=True)
class Probe:
    """How a method is called for a session, and who may see what it returns."""

    call: Callable[[Lives, Any], Any]
    names_a_session: bool = True
    """Whether it is told which session: then what is no id, or nobody's, is refused."""
    for_person: bool = False
    """Whether it is of the whole workspace, which a person may see: every piece says whose it is."""


def own(method: Callable[..., Any]) -> Probe:
    """A probe of a view, which is bound to its session: nothing else can be named."""
    return Probe(lambda lives, session: method(of(lives, session).memory()))


def refusal(method: Callable[[], Any]) -> Any:
    """Return what a method returns, or what it says where it refuses."""
    try:
        return method()
    except WorkbenchError as error:
        return str(error)


def written(lives: Lives) -> str:
    """Return the name of a file of the project."""
    (lives.workspace.folder.root.parent / "notes.txt").write_text("Paid in June\n")
    return "notes.txt"


def model() -> CallableModel:
    return CallableModel(Voice(0), name="told")


def last_message(lives: Lives, session: str) -> str:
    return next(item.id for item in reversed(of(lives, session).memory().items) if item.role == "user")


def deleted(lives: Lives, session: str) -> Workspace:
    of(lives, session).delete()
    return lives.workspace


def rewound_and_redone(lives: Lives, session: str) -> object:
    of(lives, session).rewind()
    return of(lives, session).redo()


def exported(lives: Lives, session: str) -> Path:
    file = lives.folder / "exported.jsonl"
    file.write_bytes(of(lives, session).file())
    return file


def of(lives: Lives, session: str) -> Session:
    return lives.workspace.session(session)


PROBES: dict[type, dict[str, Probe]] = {
    Workspace: {
        "open": Probe(lambda lives, _: Workspace.open(lives.folder, environ={}).folder.id, names_a_session=False),
        "start": Probe(lambda lives, _: lives.workspace.start("Sell lamps", model=model()), names_a_session=False),
        "accept": Probe(lambda lives, _: lives.workspace.accept(TrustRequest()), names_a_session=False),
        "choose_model": Probe(lambda lives, _: lives.workspace.choose_model("guided"), names_a_session=False),
        "check_model": Probe(lambda lives, _: lives.workspace.check_model("openai:m", {}), names_a_session=False),
        "set_model": Probe(
            lambda lives, _: lives.workspace.set_model("openai:m", {"window": 9}), names_a_session=False
        ),
        "try_model": Probe(
            lambda lives, _: refusal(lambda: lives.workspace.try_model("guided")), names_a_session=False
        ),
        "accepted": Probe(lambda lives, _: lives.workspace.accepted(), names_a_session=False),
        "revoke": Probe(lambda lives, _: lives.workspace.revoke(), names_a_session=False),
        "reread_settings": Probe(lambda lives, _: lives.workspace.reread_settings(), names_a_session=False),
        "sessions": Probe(lambda lives, _: lives.workspace.sessions(), names_a_session=False, for_person=True),
        "open_plans": Probe(lambda lives, _: lives.workspace.open_plans(), names_a_session=False, for_person=True),
        "session": Probe(lambda lives, session: of(lives, session).id),
        "fork": Probe(lambda lives, session: lives.workspace.fork(of(lives, session).events()).id),
        "search_sessions": Probe(
            lambda lives, _: lives.workspace.search_sessions(ASKED, 50), names_a_session=False, for_person=True
        ),
        "research": Probe(lambda lives, _: lives.workspace.research("noon"), names_a_session=False),
        "neighbours": Probe(lambda lives, _: list(lives.workspace.log.streams()), names_a_session=False),
        "shared": Probe(lambda lives, _: lives.workspace.shared().get_context(lives.ids[0]), names_a_session=False),
        "sharing_sessions": Probe(lambda lives, _: lives.workspace.sharing_sessions(), names_a_session=False),
        "presence": Probe(
            lambda lives, _: lives.workspace.presence().look(lives.workspace.shared().state()), names_a_session=False
        ),
        "sharing_session": Probe(lambda lives, session: lives.workspace.sharing_session(session or "*")[0]),
        "member": Probe(lambda lives, session: lives.workspace.member(session)),
        "file_to_claim": Probe(
            lambda lives, _: lives.workspace.file_to_claim(f"{lives.workspace.folder.root.parent}/plan.md"),
            names_a_session=False,
        ),
        "import_session": Probe(
            lambda lives, _: lives.workspace.import_session(exported(lives, lives.ids[0])), names_a_session=False
        ),
        "import_transcript": Probe(
            lambda lives, _: lives.workspace.import_transcript(
                Transcript("Codex", "1", "2026-11-02", (Said("Lamps", line=1),), ())
            ),
            names_a_session=False,
        ),
        "compare": Probe(lambda lives, session: lives.workspace.compare(session, f"{session}@1")),
        "trash": Probe(lambda lives, session: deleted(lives, session).trash()),
        "restore": Probe(lambda lives, session: deleted(lives, session).restore(session)),
        "empty_trash": Probe(lambda lives, session: deleted(lives, session).empty_trash()),
        "settings": Probe(lambda lives, _: lives.workspace.settings.person, names_a_session=False),
        "analyze_learning_patterns": Probe(
            lambda lives, _: lives.workspace.analyze_learning_patterns(), names_a_session=False, for_person=True
        ),
        "templates": Probe(lambda lives, _: lives.workspace.templates().names, names_a_session=False),
        "lessons": Probe(lambda lives, _: lives.workspace.lessons(), names_a_session=False, for_person=True),
        "lessons_waiting": Probe(
            lambda lives, _: lives.workspace.lessons_waiting, names_a_session=False, for_person=True
        ),
        "decide_lesson": Probe(
            lambda lives, _: refusal(lambda: lives.workspace.decide_lesson("L000000", "accept")), names_a_session=False
        ),
        "refuse_lesson": Probe(
            lambda lives, session: refusal(lambda: lives.workspace.refuse_lesson("L000000", session)),
            names_a_session=False,
        ),
        "close": Probe(lambda lives, _: lives.workspace.close(), names_a_session=False),
    },
    Session: {
        "read_files": Probe(lambda lives, session: of(lives, session).read_files([written(lives)])),
        "resume": Probe(lambda lives, session: of(lives, session).resume(model=model())),
        "add_agent": Probe(
            lambda lives, session: of(lives, session).add_agent(new_agent("kahneman", "You are Daniel."))
        ),
        "trust_request": Probe(lambda lives, session: of(lives, session).trust_request()),
        "log": Probe(lambda lives, session: of(lives, session).log()),
        "state": Probe(lambda lives, session: of(lives, session).state()),
        "events": Probe(lambda lives, session: of(lives, session).events()),
        "rename": Probe(lambda lives, session: of(lives, session).rename("Another name")),
        "fork": Probe(lambda lives, session: of(lives, session).fork().id),
        "rewind": Probe(lambda lives, session: of(lives, session).rewind()),
        "redo": Probe(rewound_and_redone),
        "rate": Probe(lambda lives, session: of(lives, session).rate(4)),
        "log_outcome": Probe(lambda lives, session: of(lives, session).log_outcome("success")),
        "person": Probe(lambda lives, session: of(lives, session).person),
        "preview_edit": Probe(lambda lives, session: of(lives, session).preview_edit(COMMAND)),
        "edit": Probe(lambda lives, session: of(lives, session).edit(COMMAND)),
        "take_in": Probe(lambda lives, session: of(lives, session).take_in("plan.csv", lambda _: ())),
        "offer": Probe(lambda lives, session: of(lives, session).offer("claude", COMMAND)),
        "report_by": Probe(lambda lives, session: of(lives, session).report_by("claude", "S1 done")),
        "said_by": Probe(lambda lives, session: of(lives, session).said_by("claude", "It is noon")),
        "memory": Probe(lambda lives, session: of(lives, session).memory()),
        "research": Probe(lambda lives, session: of(lives, session).research("noon")),
        "recall": Probe(lambda lives, session: of(lives, session).recall(ASKED, 50, reason="to compare")),
        "mark": Probe(lambda lives, session: of(lives, session).mark("*", "*", "excluded")),
        "mark_statement": Probe(lambda lives, session: of(lives, session).mark_statement("U1", "dismissed")),
        "switch_recall": Probe(lambda lives, session: of(lives, session).switch_recall(on=False)),
        "remember": Probe(lambda lives, session: of(lives, session).remember([Said("It is noon")])),
        "lines_in": Probe(lambda lives, session: of(lives, session).lines_in("0" * 64)),
        "forgetting": Probe(lambda lives, session: of(lives, session).forgetting(last_message(lives, session))),
        "forget": Probe(lambda lives, session: of(lives, session).forget(last_message(lives, session))),
        "store_entity": Probe(lambda lives, session: of(lives, session).store_entity("notes", "It is noon")),
        "audit": Probe(lambda lives, session: of(lives, session).audit()),
        "coordinator": Probe(lambda lives, session: of(lives, session).coordinator().session),
        "markdown": Probe(lambda lives, session: of(lives, session).markdown()),
        "file": Probe(lambda lives, session: list(read_session_file(exported(lives, session)))),
        "page": Probe(lambda lives, session: of(lives, session).page()),
        "course": Probe(lambda lives, session: of(lives, session).course()),
        "delete": Probe(lambda lives, session: of(lives, session).delete()),
        "repair": Probe(lambda lives, session: of(lives, session).repair()),
        "salvage": Probe(lambda lives, session: of(lives, session).salvage()),
        "verify": Probe(lambda lives, session: of(lives, session).verify()),
    },
    MemoryView: {
        "session": own(lambda view: view.session),
        "embedder": own(lambda view: view.embedder),
        "holds_more_than": own(lambda view: view.holds_more_than(())),
        "made_by_loop": own(lambda view: view.made_by_loop),
        "for_agent": own(lambda view: [view.for_agent(AgentId(agent)) for agent in ("nova", "planner", "nobody")]),
        "only": own(lambda view: [view.only(part) for part in ("everything", "insights", "stored")]),
        "items": own(lambda view: view.items),
        "get": own(lambda view: [view.get(item.id) for item in view.items]),
        "search": own(lambda view: view.search(ASKED, 100)),
        "search_similar": own(lambda view: view.search_similar(ASKED, 100, view.session)),
        "retrieve_entity": own(lambda view: view.retrieve_entity("notes")),
        "search_memory": own(lambda view: view.search_memory(["notes"], [ASKED, word(1), "*", ""], 100)),
    },
    SessionMemory: {
        "at": Probe(lambda lives, session: SessionMemory(session, HashedWords()).at(of(lives, session).state()))
    },
    OtherSessions: {
        "search": Probe(
            lambda lives, session: [
                lives.workspace.parts.others.search(ASKED, 50, asking=session, agent=agent) for agent in (None, "nova")
            ]
        ),
        "concerning": Probe(
            lambda lives, session: [
                lives.workspace.parts.others.concerning(ASKED, 50, asking=session, agent=agent)
                for agent in (None, "nova")
            ]
        ),
    },
}
EVERY = [(kind, name) for kind, probes in PROBES.items() for name in probes]
named = pytest.mark.parametrize(("kind", "name"), EVERY, ids=[f"{kind.__name__}.{name}" for kind, name in EVERY])


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of three sessions about the same matter, the last one private; the first searched the others."""
    folder = tmp_path_factory.mktemp("grown")
    with asyncio.Runner() as runner:
        lives = Lives(folder, runner)
        for number in (1, 2, 0):
            lives.begin(number, f"Plan the budget of a hospital {word(number)}", private=number == 2, recall=True)
            lives.store(number, "notes", f"Notes on the budget of the hospital {word(number)}")
            said = f"The budget of the hospital is paid in June {word(number)}"
            reply = Said(f"{agent_word(number, 'nova')} {said}", role="assistant", agent="nova")
            lives.remember(number, [Said(said), reply])
            lives.add_agent(number, "nova")
            lives.drive(number)
            for _ in range(3):
                lives.answer(number, "")
                lives.drive(number)
            lives.ask(number, "nova", f"{ASKED} {word(number)}")
        assert [one.session for search in lives.state(0).searches for one in search.found], "it is quoted to begin with"
    return folder


@pytest.fixture
def lives(grown: Path, tmp_path: Path) -> Iterator[Lives]:
    shutil.copytree(grown, tmp_path, dirs_exist_ok=True)
    with asyncio.Runner() as runner:
        copied = Lives(tmp_path, runner)
        for session in copied.workspace.log.streams():
            copied.ids[int(session[-1])] = session
        copied.private = {2}
        yield copied


@pytest.mark.parametrize("kind", PROBES, ids=lambda kind: kind.__name__)
def test_every_public_method_has_its_probe(kind: type) -> None:
    assert {name for name in vars(kind) if not name.startswith("_")} == PROBES[kind].keys()


@pytest.mark.cases(40)
@named
def test_it_says_nothing_of_another_session_and_changes_none(lives: Lives, kind: type, name: str) -> None:
    probe, others = PROBES[kind][name], files_of(lives, 1, 2)
    pieces = list(pieces_of(probe.call(lives, lives.ids[0]), lives.ids[0]))
    for session, text in pieces:
        whose = {number for number, known in lives.ids.items() if known == session}
        assert words_in(text) <= whose, (session, text)
        assert probe.for_person or not whose & lives.private, session
    assert files_of(lives, 1, 2) == others


@named
def test_what_is_no_session_is_refused_and_the_refusal_says_nothing(lives: Lives, kind: type, name: str) -> None:
    probe, before = PROBES[kind][name], files_of(lives, 0, 1, 2)
    if not probe.names_a_session:
        return
    for nobody in (
        "",
        "*",
        "%",
        "a_b",
        "../x",
        lives.ids[1][:-1],
        lives.ids[1] + "0",
        lives.ids[1].upper(),
        "\x1b]0;x",
    ):
        if kind is OtherSessions and nobody in {lives.ids[1][:-1], lives.ids[1] + "0"}:
            continue  # who asks need not have begun; the call that records it knows its session
        with pytest.raises((InvalidId, NotFound, UsageError)) as caught:
            list(pieces_of(probe.call(lives, nobody), nobody))
        assert not words_in(f"{caught.value} {caught.value.__cause__}")
    assert files_of(lives, 0, 1, 2) == before


def test_what_belongs_to_another_session_is_not_there(lives: Lives) -> None:
    """Named by its own id, in the view or by the calls of the session that asks."""
    workspace = lives.workspace
    view = workspace.session(lives.ids[0]).memory()
    for number in (1, 2):
        foreign = [item.id for item in items(of(lives, lives.ids[number]).state()) if item.id.startswith("message:")]
        for item in (*foreign, f"{lives.ids[number]} {foreign[0]}"):
            for ask in (view.get, lambda item: workspace.session(lives.ids[0]).forget(item)):
                with pytest.raises(NotFound) as caught:
                    ask(item)
                assert not words_in(str(caught.value))
        with pytest.raises(NotFound):
            view.search_similar(ASKED, 5, SessionId(lives.ids[number]))
        with pytest.raises(NotFound):
            SessionMemory(SessionId(lives.ids[0]), HashedWords()).at(workspace.session(lives.ids[number]).state())


def files_of(lives: Lives, *numbers: int) -> dict[str, bytes]:
    files = ((number, lives.workspace.folder.sessions / f"{lives.ids[number]}.jsonl") for number in numbers)
    return {lives.ids[number]: file.read_bytes() for number, file in files}


def pieces_of(value: Any, session: str) -> Iterator[tuple[str, str]]:
    """Yield every text of a value with the session that it is said to be of: its label, else whose was asked for."""
    match value:
        case str():
            plain, quoted = without_quotations(value)
            yield from [(session, plain), *quoted]
        case Found():
            for part in (value.item, value.parts, value.why):
                yield from pieces_of(part, value.item.session)
        case Event():
            yield from pieces_of(say.content(outline(value)), session)
        case MemoryView():
            yield from pieces_of([value.session, value.items, value.search(ASKED, 100)], session)
        case SessionLog() | IterationManager():
            yield from pieces_of(value.state, session)
        case dict():
            for key, one in value.items():  # what a session says that it is at stands under its own key
                label = key.removeprefix(OWN) if isinstance(key, str) and key.startswith(OWN) else session
                yield from pieces_of([key, one], label)
        case msgspec.Struct():
            label = getattr(value, "session", "") or session
            yield from pieces_of([getattr(value, name) for name in value.__struct_fields__], label)
        case _ if is_dataclass(value):
            yield from pieces_of([getattr(value, field.name) for field in fields(value)], session)
        case _ if hasattr(value, "__iter__") and not isinstance(value, bytes | Path):
            for part in value:
                yield from pieces_of(part, session)
