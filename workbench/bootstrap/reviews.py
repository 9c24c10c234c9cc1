"""Plans of other programs under review: each source, a session of a program or a file, has a session of its own.

source ─▶ review_of ─▶ SessionLog ─▶ planning/reviewing.py: submit, write_note, decide, deliver
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from workbench.bootstrap import Session, Workspace
from workbench.bootstrap.parts import Parts
from workbench.domain.errors import NotFound, StaleHead, UsageError
from workbench.domain.log import rules
from workbench.domain.log.envelope import Turn
from workbench.domain.log.ids import SessionId, session_id_for
from workbench.domain.review.lines import document
from workbench.domain.session import events as say
from workbench.domain.session.state import SessionState
from workbench.domain.text.cleaning import clean_name
from workbench.planning.session_log import SessionLog
from workbench.planning.verdicts import NAME_LENGTH
from workbench.version import VERSION

PLAN_FOLDERS = {"claude": "~/.claude/plans", "gemini": "~/.gemini/tmp", "opencode": ".opencode/plans"}
"""Where agents write their plans, as Markdown."""
_UNNAMED = "A plan without words"


def review_of(workspace: Workspace, source: str, label: str, text: str) -> SessionLog:
    """Open the review of a source, or begin it under the title of its first plan. It is private: no model is sent it.

    ``source`` says where plans of this review come from, ``label`` stands in the review's id.
    """
    session = session_id_for(f"review {label}", sha256(source.encode()).hexdigest()[:10])
    parts = workspace.parts
    if session not in set(parts.log.streams()):
        title = clean_name(document(text).title, NAME_LENGTH) or _UNNAMED
        _begin(parts, session, title)
    return parts.open_log(session)


def _begin(parts: Parts, session: SessionId, title: str) -> None:
    created = say.SessionCreated(
        goal=f"Review: {title}",
        name=title,
        options=say.Options(private=True),
        today=parts.clock.now().date().isoformat(),
        workbench=VERSION,
        rules=rules.CURRENT,
    )
    turn = Turn(session=session, person=parts.person, workspace=parts.backend.id)
    try:
        parts.log.append(session, [say.draft(created, turn, actor="person", cause="", time=parts.now())], expected=0)
    except StaleHead:  # somebody else began it just now
        return


def reviews(workspace: Workspace) -> Iterator[SessionState]:
    """Yield every review, the newest first."""
    return (workspace.session(one.session).state() for one in workspace.sessions() if one.submissions)


def review_named(workspace: Workspace, name: str) -> Session | None:
    """Return the review of an id; None where there is no session of that id. Raises UsageError for another session."""
    try:
        found = workspace.session(name)
    except UsageError:  # no id, or none that is here
        return None
    if not found.state().submissions:
        raise UsageError(f"{found.id} is no review.", "List the reviews: workbench review")
    return found


def newest_plan(agent: str) -> Path:
    """Return the plan file that an agent wrote last. Raises NotFound where there is none."""
    folder = Path(PLAN_FOLDERS.get(agent, "")).expanduser()
    files = [file for file in folder.rglob("*.md") if file.is_file()] if agent in PLAN_FOLDERS else []
    if not files:
        where = f"in {PLAN_FOLDERS[agent]}" if agent in PLAN_FOLDERS else "in files"
        raise NotFound(f"No plan of {agent} stands {where}.", "Name its file, or give the plan on standard input (-).")
    return max(files, key=lambda file: file.stat().st_mtime)
