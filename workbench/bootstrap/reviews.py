"""Plans of other programs under review: each source, a session of a program or a file, has a session of its own.

source ─▶ review_of ─▶ SessionLog ─▶ planning/beside_the_loop/reviewing.py: submit, write_note, decide, deliver
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from workbench.bootstrap import Session, Workspace
from workbench.domain.errors import NotFound, StaleHead, UsageError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId, session_id_for
from workbench.domain.session import events as say
from workbench.domain.text.cleaning import clean_name
from workbench.domain.text.outline import document
from workbench.planning.beside_the_loop.reviewing import check_submission
from workbench.planning.beside_the_loop.verdicts import NAME_LENGTH
from workbench.planning.session_log import SessionLog
from workbench.version import VERSION

PLAN_FOLDERS = {"claude": "~/.claude/plans", "gemini": "~/.gemini/tmp", "opencode": ".opencode/plans"}
"""Where agents write their plans, as Markdown."""


def review_id(source: str, label: str) -> SessionId:
    """Return the id of a source's review; ``label`` is in it."""
    return session_id_for(f"review {label}", sha256(source.encode()).hexdigest()[:10])


def review_of(workspace: Workspace, source: str, label: str, text: str) -> SessionLog:
    """Open the review of a source, or begin it under its first plan's title. It is private: no model is sent it.

    Raises UsageError for what is not a plan.
    """
    check_submission(text)
    session, parts = review_id(source, label), workspace.parts
    if session not in set(parts.log.streams()):
        title = clean_name(document(text).title, NAME_LENGTH) or "A plan without words"
        today = parts.clock.now().date().isoformat()
        options = say.Options(private=True)
        created = say.SessionCreated(
            goal=f"Review: {title}", name=title, options=options, today=today, workbench=VERSION, rules=rules.CURRENT
        )
        turn = Turn(session=session, person=parts.person, workspace=parts.backend.id)
        first = say.draft(created, turn, actor="person", cause="", time=parts.now())
        with suppress(StaleHead):  # somebody else began it just now
            parts.log.append(session, [first], expected=0)
    return parts.open_log(session)


def reviews(workspace: Workspace) -> Iterator[SessionLog]:
    """Yield every review, the newest first."""
    return (workspace.session(session.session).log() for session in workspace.sessions() if session.submissions)


def review_named(workspace: Workspace, name: str) -> Session | None:
    """Return the review of an id; None if there is no session of that id. Raises UsageError for another session."""
    try:
        found = workspace.session(name)
    except UsageError:  # no id, or none that is here
        return None
    if not found.state().submissions:
        raise UsageError(f"{found.id} is not a review.", "List the reviews: workbench review")
    return found


def newest_plan(agent: str) -> Path:
    """Return the plan file that an agent wrote last. Raises NotFound if there is none."""
    folder = Path(PLAN_FOLDERS.get(agent, "")).expanduser()
    files = [file for file in folder.rglob("*.md") if file.is_file()] if agent in PLAN_FOLDERS else []
    if not files:
        raise NotFound(f"No plan file of {agent} is known.", "Name its file, or give the plan on standard input (-).")
    return max(files, key=lambda file: file.stat().st_mtime)
