"""Interruptions at every moment of a call, timeouts, and somebody else who appends in between: nothing is lost."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from tests.builders import (
    CHOOSE,
    Script,
    again,
    answering,
    begin,
    bodies_of,
    events_of,
    kinds_of,
    log_of,
    other_handle,
    propose_reply,
)
from tests.memory_log import MemoryLog
from workbench.domain.errors import LogBusy, ModelContextExceeded
from workbench.domain.session import events as say
from workbench.models.ports import Done, Parameters, TextDelta
from workbench.models.scripted import CallableModel
from workbench.planning.asking import calling
from workbench.planning.beside_the_loop import verdicts
from workbench.planning.policies import approving_all, nobody
from workbench.storage.files.log import FileLog


class Parts:
    """A model that streams these parts; an Event among them is awaited, an exception raised."""

    name = "parts"
    window = 200_000

    def __init__(self, *parts):
        self._parts = parts
        self.reached = asyncio.Event()
        self.closed = False

    async def stream(self, _request):
        try:
            for part in self._parts:
                if isinstance(part, Exception):
                    raise part
                if part is ...:
                    self.reached.set()
                    await asyncio.Event().wait()
                else:
                    yield part
        finally:
            self.closed = True


DONE = Done(reason="stop", model="parts")


async def interrupted(manager, model):
    """Run until the model hangs, then cancel as Ctrl+C does."""
    running = asyncio.ensure_future(manager.run(nobody))
    await model.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


# --- interruptions ----------------------------------------------------------------------------------------------------


async def test_an_interrupted_reply_keeps_what_was_received():
    model = Parts(TextDelta('{"approaches'), TextDelta('\x1b": [\u202e'), ...)
    manager = begin(model=model)
    await interrupted(manager, model)
    [abandoned] = bodies_of(manager, say.CallAbandoned)
    assert abandoned.partial == '{"approaches␛": [⟨U+202E⟩'
    assert abandoned.reason == "Interrupted by you; what was received is kept."
    assert events_of(manager)[-1].actor == "person"
    assert model.closed, "the request is ended"
    assert manager.state.pending is None


async def test_after_an_interruption_the_driver_s_lock_is_free_and_the_session_goes_on(tmp_path):
    log = FileLog(tmp_path / "sessions")
    model = Parts(TextDelta("{"), ...)
    manager = begin(model=model, log=log)
    await interrupted(manager, model)
    assert log.driver(manager.session_id) is None
    script = Script()
    later = again(log, manager.session_id, script=script)
    await later.resume()
    assert (await later.run(approving_all())).status == "finished"
    assert script.asked[:2] == ["propose", "plan"]


async def test_a_reply_that_was_complete_is_kept_although_the_stream_was_interrupted_behind_it():
    model = Parts(TextDelta(propose_reply()), DONE, ...)
    manager = begin(model=model)
    await interrupted(manager, model)
    assert kinds_of(manager)[-1] == "call.finished"
    script = Script()
    await again(log_of(manager), manager.session_id, script=script).run(nobody)
    assert script.asked == []


class SlowLog:
    """A log whose appends of one kind wait until they are let go."""

    def __init__(self, log, kind):
        self._log = log
        self._kind = kind
        self.reached, self.let_go = threading.Event(), threading.Event()

    def __getattr__(self, name):
        return getattr(self._log, name)

    def append(self, stream, drafts, *, expected, **options):
        if any(draft.kind == self._kind for draft in drafts):
            self.reached.set()
            assert self.let_go.wait(60)
        return self._log.append(stream, drafts, expected=expected, **options)


@pytest.mark.parametrize("kind", ["call.started", "call.finished", "approaches.proposed", "gate.opened"])
async def test_an_interruption_waits_for_what_is_being_written(kind):
    """No lock is given back, and nothing else begins, while a thread still writes."""
    log = MemoryLog()
    session = begin(log=log).session_id
    slow = SlowLog(log, kind)
    manager = again(slow, session)
    running = asyncio.ensure_future(manager.run(nobody))
    await asyncio.to_thread(slow.reached.wait, 60)
    running.cancel()
    done, _ = await asyncio.wait([running], timeout=0.05)
    assert not done
    assert kind not in kinds_of(manager)
    slow.let_go.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert kind in kinds_of(manager)
    script = Script()
    state = await again(log, session, script=script).run(nobody)
    assert state.gate.kind == "approach"
    assert script.asked == (["propose"] if kind == "call.started" else [])


def test_a_loop_that_ends_loses_nothing_that_waits_for_a_thread():
    model = Parts(TextDelta('{"approaches'), ...)
    manager = begin(model=model)
    busy = threading.Event()

    async def leave():
        loop, running = asyncio.get_running_loop(), asyncio.ensure_future(manager.run(nobody))
        await model.reached.wait()
        loop.set_default_executor(ThreadPoolExecutor(1))
        loop.run_in_executor(None, busy.wait)
        running.cancel()
        await asyncio.sleep(0)
        loop.call_later(0.05, busy.set)  # by then all tasks were cancelled

    asyncio.run(leave())
    [abandoned] = bodies_of(manager, say.CallAbandoned)
    assert abandoned.partial == '{"approaches'


async def test_a_stop_is_noted_and_resumed_from():
    manager = begin()
    await manager.run(answering(CHOOSE))
    await manager.stop("closed")
    state = await manager.run(approving_all())
    assert (state.status, state.stopped) == ("stopped", "closed")
    await manager.resume()
    assert (await manager.run(approving_all())).status == "finished"


# --- models that do not come to an end --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "bounds", "message"),
    [
        ({"idle": 0.2}, say.Bounds(), "The model sent nothing for 0 seconds."),
        ({"idle": 60}, say.Bounds(max_time=0.5), "The model gave no complete reply within the 1 s that were left."),
    ],
    ids=["nothing comes", "bound of time"],
)
async def test_a_call_that_stands_still_ends_and_keeps_what_was_received(monkeypatch, limits, bounds, message):
    monkeypatch.setattr(calling, "Parameters", partial(Parameters, **limits))
    model = Parts(TextDelta("half an an"), ...)
    manager = begin(model=model, bounds=bounds)
    state = await manager.run(nobody)
    assert (state.failure.error, state.failure.message) == ("ModelTooSlow", message)
    assert state.failure.remedy
    [failed] = bodies_of(manager, say.CallFailed)
    assert failed.partial == "half an an"
    assert model.closed


class Narrowing(CallableModel):
    """Finds its window smaller than it was said to be, as often as it is told to."""

    def __init__(self, *windows):
        super().__init__(Script(), name="narrow", window=200_000)
        self.windows = list(windows)

    @property
    def window(self):
        return self._window

    async def stream(self, request):
        if self.windows:
            self._window = self.windows.pop(0)
            raise ModelContextExceeded("The prompt is longer than the model can read.", "Use another model.")
        async for part in super().stream(request):
            yield part


async def test_a_prompt_that_was_too_long_is_fitted_into_the_window_that_was_learned():
    manager = begin(model=Narrowing(9_000, 8_000))
    state = await manager.run(nobody)
    assert state.gate.kind == "approach"
    assert [body.context.window for body in bodies_of(manager, say.CallStarted)] == [200_000, 9_000, 8_000]
    first, _ = bodies_of(manager, say.CallAbandoned)
    assert first.reason == "The model reads 9,000 tokens at most, by our count: a shorter prompt follows."
    assert (first.input_tokens, first.cost, state.spent.cost) == (0, 0.0, 0.0)
    assert [body.origin for body in events_of(manager) if body.kind == "call.abandoned"] == ["given", "given"]


async def test_what_is_no_stream_at_all_is_a_failure_of_the_model():
    class NoStream:
        name = "none"
        window = 200_000

        def stream(self, _request):
            return None

    manager = begin(model=NoStream())
    assert (await manager.run(nobody)).failure.message.endswith("an error of its own (TypeError).")


async def test_a_screen_that_fails_while_a_reply_arrives_leaves_no_call_open():
    def watch(_role, part):
        if isinstance(part, TextDelta):
            raise ZeroDivisionError

    manager = begin(model=Parts(TextDelta("half"), TextDelta(" an answer"), DONE), watch=watch)
    with pytest.raises(ZeroDivisionError):
        await manager.run(nobody)
    [abandoned] = bodies_of(manager, say.CallAbandoned)
    assert (abandoned.reason, abandoned.partial) == (
        "Interrupted by an error (ZeroDivisionError); what was received is kept.",
        "half",
    )
    assert events_of(manager)[-1].actor == "workbench"


# --- somebody else at the same time -----------------------------------------------------------------------------------


async def test_a_rename_between_any_look_and_the_writing_that_follows(monkeypatch):
    """Every derived event is refused once and derived again; none is lost, and none is there twice."""
    log = MemoryLog()
    session = begin(log=log).session_id
    other = other_handle(log, session)
    manager = again(log, session)
    append, overtaken = log.append, set()

    def overtaking(stream, drafts, *, expected, **options):
        key = (drafts[0].kind, expected)
        if expected and drafts[0].kind != "session.renamed" and drafts[0].kind not in overtaken:
            overtaken.add(drafts[0].kind)
            verdicts.rename(other, f"before {key[0]}")
        return append(stream, drafts, expected=expected, **options)

    monkeypatch.setattr(log, "append", overtaking)
    state = await manager.run(approving_all())
    calm = begin()
    await calm.run(approving_all())
    assert state.status == "finished"
    assert [kind for kind in kinds_of(manager) if kind != "session.renamed"] == kinds_of(calm)
    assert len(overtaken) > 12


async def test_a_head_that_never_stands_still_does_not_cost_a_given_event(monkeypatch):
    log = MemoryLog()
    manager = begin(log=log)
    other = other_handle(log, manager.session_id)
    append = log.append
    names = iter(range(1000))

    def hurried(stream, drafts, *, expected, **options):
        if drafts[0].kind == "rating.given":
            other.refresh()
            append(stream, _renaming(other, next(names)), expected=None)
        return append(stream, drafts, expected=expected, **options)

    monkeypatch.setattr(log, "append", hurried)
    manager.capture_user_rating(4)
    assert next(names) > 10
    assert manager.state.rating.stars == 4
    assert kinds_of(manager)[-1] == "rating.given"


def _renaming(session, number):
    body = say.SessionRenamed(name=f"n{number}")
    return session._drafts(session.state, [body], actor="person", cause="", agent=None, origin="given", next_turn=False)


def test_threads_that_use_one_session_log_do_not_fold_an_event_twice(monkeypatch):
    """A screen that stores something through the manager's own log, just while the manager looks at it."""
    log = MemoryLog()
    kept = begin(log=log)._session
    read, looking, stored = log.read, threading.Event(), threading.Event()

    def overtaken(stream, **options):
        looking.set()
        stored.wait(0.2)  # without a lock the other thread comes first here; with one it has to wait
        return read(stream, **options)

    def storing():
        assert looking.wait(60)
        kept.record_given([say.EntityStored(name="e", content="once")], actor="person")
        stored.set()

    thread = threading.Thread(target=storing)
    thread.start()
    monkeypatch.setattr(log, "read", overtaken)
    kept.refresh()
    thread.join()
    assert [entity.content for entity in kept.refresh().entities] == ["once"]


async def test_two_processes_cannot_drive_one_session(tmp_path):
    log = FileLog(tmp_path / "sessions")
    model = Parts(TextDelta("{"), ...)
    manager = begin(model=model, log=log)
    running = asyncio.ensure_future(manager.run(nobody))
    await model.reached.wait()
    rival = again(FileLog(tmp_path / "sessions"), manager.session_id)
    with pytest.raises(LogBusy, match="is driven by process"):
        await rival.run(nobody)
    verdicts.rename(other_handle(log, manager.session_id), "Appending is open to all")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert (await rival.run(nobody)).gate.kind == "approach"


class Waiting:
    """The told model, which first waits until it is let go."""

    name = "waiting"
    window = 200_000

    def __init__(self, script):
        self._model = CallableModel(script, name="waiting")
        self.reached, self.let_go = asyncio.Event(), asyncio.Event()

    async def stream(self, request):
        self.reached.set()
        await self.let_go.wait()
        async for part in self._model.stream(request):
            yield part


ADVANCES = {
    "advance": lambda manager: manager.advance(),
    "propose_approach": lambda manager: manager.propose_approach(),
    "call_planner": lambda manager: manager.call_planner(),
    "call_generator": lambda manager: manager.call_generator(),
    "run": lambda manager: manager.run(nobody),
}


@pytest.mark.parametrize("same_manager", [False, True], ids=["another process", "another task"])
@pytest.mark.parametrize("name", ADVANCES)
async def test_nobody_advances_a_session_while_a_reply_is_on_its_way_to_somebody_else(tmp_path, name, same_manager):
    script = Script()
    model = Waiting(script)
    manager = begin(model=model, log=FileLog(tmp_path / "sessions"))
    driving = asyncio.ensure_future(manager.propose_approach())
    await model.reached.wait()
    rival = manager if same_manager else again(FileLog(tmp_path / "sessions"), manager.session_id, script=script)
    with pytest.raises(LogBusy):
        await ADVANCES[name](rival)
    model.let_go.set()
    assert (await driving).gate.kind == "approach"
    assert script.asked == ["propose"], "bought once"
    assert "call.abandoned" not in kinds_of(manager)


async def test_the_lock_is_held_until_the_last_of_a_manager_s_tasks_is_done():
    manager = begin()
    first, second = manager.driving(), manager.driving()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    with pytest.raises(LogBusy):
        await again(log_of(manager), manager.session_id).advance()
    second.__exit__(None, None, None)
    assert log_of(manager).driver(manager.session_id) is None
