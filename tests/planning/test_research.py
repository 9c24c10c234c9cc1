"""Research: what is not known is looked up where a person allowed it, and what was found opens, replays and audits."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from tests.builders import (
    FIRST_DRAFT,
    Script,
    begin,
    bodies_of,
    events_of,
    plan_reply,
)
from workbench.domain.plan.plan import Origin, Risk, Section
from workbench.domain.session import events as say
from workbench.models.embeddings import HashedWords
from workbench.planning.policies import approving_all
from workbench.planning.sources.project_files import ProjectFiles
from workbench.planning.sources.research import Researcher
from workbench.replay.audit import audit
from workbench.replay.verification import verify

NOTES = "# Notes\n\nTalk to Anna first.\nNo changes 20 December – 6 January.\nThe billing deadline is 15 May 2026.\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "NOTES.md").write_text(NOTES)
    (tmp_path / "src" / "billing_provider.py").write_text("class BillingProvider:\n    def charge(self): ...\n")
    (tmp_path / "src" / "cats.py").write_text("def meow(): ...\n")
    (tmp_path / "src" / "ledger.py").write_text("def audit_trail(): ...\n# who reconciles the ledger every night\n")
    (tmp_path / "secret.txt").write_text("billing provider\n")
    (tmp_path / "ignored.md").write_text("billing provider\n")
    (tmp_path / "image.md").write_bytes(b"billing \xff\xfe provider")
    (tmp_path / ".gitignore").write_text("ignored.md\n")
    return tmp_path


def researcher(project: Path) -> Researcher:
    return Researcher(ProjectFiles(project))


def found(project: Path, text: str) -> list[str]:
    return [one.ref.rpartition(":")[0] for one in researcher(project).find(text).found]


def assert_sound(manager) -> None:
    events = events_of(manager)
    audited = audit(events)
    assert audited.ok, audited.violations
    checked = verify(events, lambda _: [HashedWords()])
    assert checked.verified, checked.difference


def assert_opens(manager, project: Path) -> int:
    """Every source that was found opens: its lines are in the file, or its item in the session."""
    items = {item.id for item in manager._memory.at(manager.state).items}
    sources = [one for account in manager.state.researched for one in account.found]
    for one in sources:
        if one.kind == "session":
            assert one.ref in items
            continue
        path, _, span = one.ref.rpartition(":")
        first, last = map(int, span.split("-"))
        lines = (project / path).read_text().splitlines()
        assert 1 <= first <= last <= len(lines)
        assert one.text.rstrip("…") in "\n".join(lines[first - 1 : last])
    return len(sources)


# --- what is found ----------------------------------------------------------------------------------------------------


def test_files_are_found_by_name_symbol_and_text_and_nothing_that_may_not_be_read(project: Path) -> None:
    assert found(project, "the billing provider")[0] == "src/billing_provider.py"
    assert found(project, "audit trail") == ["src/ledger.py"]
    assert found(project, "who reconciles at night") == ["src/ledger.py"]
    assert not found(project, "volcanoes of Iceland")
    named = {path for text in ("billing provider", "meow", "Anna", "secret") for path in found(project, text)}
    assert named.isdisjoint({"secret.txt", "ignored.md", "image.md"})


# --- in a session -----------------------------------------------------------------------------------------------------


async def test_nothing_is_read_unless_a_person_allowed_it(project: Path) -> None:
    manager = begin(files=ProjectFiles(project), max_iterations=1)
    await manager.run(approving_all())
    assert not manager.state.files
    assert not bodies_of(manager, say.GapsResearched)


async def test_findings_stand_with_path_lines_and_hash_and_are_cited(project: Path) -> None:
    cites = Risk(id="R1", text="Charges fail (src/billing_provider.py:2).", response="Ask them.")
    draft = plan_reply(*FIRST_DRAFT, Section(id="risks", title="Risks", items=(cites,)), title="Move billing")
    script = Script().then("plan", draft)
    manager = begin(script=script, research=researcher(project), max_iterations=1)
    await manager.run(approving_all())
    read = {one.read.path: one.read for one in manager.state.files}
    assert set(read) == {"src/billing_provider.py"}
    source = (project / "src" / "billing_provider.py").read_bytes()
    assert read["src/billing_provider.py"].sha256 == sha256(source).hexdigest()
    (account,) = bodies_of(manager, say.GapsResearched)
    assert account.gaps == (manager.state.goal,)
    assert assert_opens(manager, project) == 1
    assert manager.state.plan.section("risks").items[0].origin == Origin("file", "src/billing_provider.py:2")
    planner = next(call for call in bodies_of(manager, say.CallStarted) if call.task == "plan")
    listed = [one for one in planner.context.relevant if one.source == "research"]
    assert [one.reason for one in listed] == [f"found for: {manager.state.goal}"]
    assert_sound(manager)


async def test_a_session_from_elsewhere_reads_nothing_here(project: Path) -> None:
    from tests.builders import again, log_of

    manager = begin(research=researcher(project))
    other = again(log_of(manager), manager.session_id)
    await other.advance()
    await other.advance()
    (account,) = bodies_of(other, say.GapsResearched)
    assert "not allowed" in account.unavailable
    assert not other.state.files
    await other.resume()
    assert not other.state.research.on
