"""Plan files for coding agents: a person writes one once, and whatever of the workbench runs keeps it up to date.

    sessions export --format agents -o FILE ─▶ kept, in the person's own folder ─▶ every few seconds: another version?
                                                 still as we wrote it ─▶ replaced ◀─┴─▶ changed by another hand ─▶ told

The list of these files is stored with the consents, so that no folder from elsewhere can name one.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from workbench.bootstrap import Workspace
from workbench.domain.errors import LogError, NotFound
from workbench.domain.text.cleaning import clean_name
from workbench.domain.trust import Consent, digest_of
from workbench.storage.files.opening import Files, read_whole
from workbench.storage.files.watching.stopping import Stop
from workbench.storage.writing import write_file

_EVERY = 2.0
"""Seconds between two looks."""
_LARGEST = 5_000_000
"""Bytes of a file that is looked at."""
_DIGEST = digest_of("plan file")


def keep(workspace: Workspace, session: str, path: Path) -> None:
    """Keep a file that was written up to date from now on."""
    workspace.parts.consents.give(
        Consent(kind="plan file", session=str(session), subject=str(path.absolute()), digest=_DIGEST)
    )


class PlanFiles:
    """The plan files of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._written: dict[Consent, int] = {}
        """Last event of its session that a file has, by file."""
        self._told: set[Consent] = set()

    def keep_up(self, stopped: Stop, tell: Callable[[str], object]) -> None:
        """Look again and again, in a thread, until it is stopped; ``tell`` is given what a person has to know."""

        def look() -> None:
            while not stopped.wait(_EVERY):
                with suppress(LogError):  # a log that is away: looked at again
                    for said in self.renew():
                        tell(said)

        threading.Thread(target=look, name="plan files", daemon=True).start()

    def renew(self) -> list[str]:
        """Write the files whose plans have changed; return which are left alone, each once."""
        kept = (one for one in self._workspace.accepted().consents if (one.kind, one.digest) == ("plan file", _DIGEST))
        return [said for one in kept if (said := self._renew(one))]

    def _renew(self, kept: Consent) -> str:
        from workbench.export.plan_file import is_as_written, plan_file  # for the thread: not for the first paint

        path = Path(kept.subject)
        try:
            seq = self._workspace.log.head(kept.session).seq
            if self._written.get(kept) == seq:
                return ""
            now = read_whole(Files(), path, most=_LARGEST).decode(errors="replace")
            if not is_as_written(now):
                return self._left_alone(kept, "was changed by another hand")
            text = plan_file(self._workspace.session(kept.session).state())
            if text != now:
                write_file(path, text.encode("utf-8", "backslashreplace"), replace=True)
        except NotFound:  # the session was deleted
            self._workspace.parts.consents.withdraw(kept)
        except FileNotFoundError:
            return ""  # a person took it away, or another branch has none: it is not made again
        except OSError as error:
            return self._left_alone(kept, f"cannot be written ({error.strerror})")
        else:
            self._written[kept] = seq
            self._told.discard(kept)
        return ""

    def _left_alone(self, kept: Consent, why: str) -> str:
        if kept in self._told:
            return ""
        self._told.add(kept)
        again = f"workbench sessions export {kept.session} --format agents -o FILE --yes"
        return f"{clean_name(kept.subject, 200)} {why} and is left as it is. Write it again with: {again}"
