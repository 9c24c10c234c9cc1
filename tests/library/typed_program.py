# mypy: disallow-any-expr
"""A program that touches every name of ``workbench``: type-checked and never run. No expression of it is an ``Any``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

import workbench as w


class Model:
    """A model of one's own."""

    name, window = "mine", 8_000

    async def stream(self, request: w.Request) -> AsyncIterator[w.Part]:
        """Answer with the last message of the prompt."""
        last: w.Message = request.messages[-1]
        yield w.TextDelta(last.content)
        yield w.Usage(input_tokens=1, output_tokens=1)
        yield w.Done(reason="stop", model=self.name)


async def decide(state: w.SessionState, gate: w.Gate) -> w.Decision | None:
    """Send a note on the first section."""
    plan: w.Plan | None = state.plan
    notes = tuple(w.Note(section=section.id, text="Shorter.") for section in plan.sections[:1]) if plan else ()
    answer: w.Answer = w.approve_all(gate) or w.Answer(kind="feedback", notes=notes)
    return w.Decision(answer, "person")


async def drive(manager: w.IterationManager) -> None:
    """Call everything that the manager has."""
    policies: Sequence[w.Decide] = (decide, w.approving_all(2), w.nobody)
    state = await manager.run(policies[0])
    results: Sequence[w.IterationResult] = manager.iteration_history
    print(state.status, [result.change for result in results], manager.current_iteration, manager.session_id)
    manager.add_agent(w.new_agent("critic", "You look for gaps."))
    print(await manager.ask("critic", "What is missing?", parts=("the budget",)), state.agents[0].name)
    await manager.set_bounds(w.Bounds(max_calls=5))
    print((await manager.propose_approach()).gate, await manager.save_plan(), manager.get_iteration_guidance())
    await manager.process_user_feedback("Cheaper")
    await manager.rewind()
    await manager.redo()
    await manager.stop("enough")
    await manager.resume()


def use(workspace: w.Workspace) -> None:
    """Call everything that a workspace and its sessions have."""
    listed: list[w.Listed] = workspace.sessions()
    session: w.Session = workspace.session(listed[0].session)
    events: list[w.Event] = list(session.events())
    print(listed[0].as_object(), events[-1].kind, session.state().goal, session.fork(3).id, session.file())
    print(
        [(moment.text, state.seq) for moment, state in session.course()],
        session.markdown(),
        session.page(),
    )
    print(session.remember([w.Said("It is noon")]), session.store_entity("notes", "Short"), session.lines_in("0" * 64))
    print([result.item.text for result in session.memory().search("noon", 3)])
    print([quoted.text for quoted in session.recall("noon", 3, reason="to know").found])
    print(session.rename("A").name, session.rate(5).rating, session.log_outcome("success").outcome)
    print(session.rewind().seq, session.redo().seq, session.switch_recall(on=False).recall)
    print(session.mark("other-a1b2", "message:other-a1b2:1", "excluded").seq, session.trust_request().hash)
    print(session.forgetting("message:1").events, session.forget("message:1").copies, session.verify().verified)
    session.add_agent(w.Agent(id="critic", name="critic", instructions="You look for gaps."))
    print(session.audit(workspace.neighbours()).ok, session.salvage().damages, session.repair().kept)
    print(session.delete().stream, workspace.restore(session.id), workspace.trash(), workspace.empty_trash())
    imported: w.Imported = workspace.import_session("a.jsonl", new_id=True)
    print(imported.session, workspace.compare("a@1", "@2").relation, workspace.fork(events).id)
    print([result.item.text for result in workspace.search_sessions("noon", 3).literal], w.verified(events).sound)
    shared: w.SharedContextManager = workspace.shared()
    coordinator: w.SessionCoordinator = session.coordinator()
    print(shared.state().seq, coordinator.update_shared("key", 1).outcome, coordinator.get_shared("key"))
    print([info.status for info in workspace.sharing_sessions()], workspace.file_to_claim("a.py"))


def main() -> None:
    """Open a workspace with everything that can be given."""
    model: w.LanguageModel = w.open_model("guided")
    try:
        with w.Workspace.open(".", options={"iterations": 3}) as workspace:
            begin = w.Begin(outline="Pack 2d")
            manager = workspace.start("Move the office", name="Office", begin=begin, model=Model())
            workspace.session(manager.session_id).resume(model=w.CallableModel(lambda _request: "{}"))
            services = w.Services(log=workspace.log, model=model)
            print(w.IterationManager("Move the office", services=services, new=w.NewSession(name="Office")))
    except (w.LogBusy, w.LogDamaged, w.InvalidId, w.NotTrusted, w.InvalidGoal) as error:
        print(error.remedy)
    except (w.UsageError, w.NotFound, w.SettingsError, w.LogError, w.ModelError, w.WorkbenchError) as error:
        print(error.message, error.exit_code)
