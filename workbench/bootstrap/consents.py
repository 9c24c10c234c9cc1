"""The person's consents, kept in their own folder beside what they accepted of workspaces."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from workbench.domain.errors import WorkbenchError
from workbench.domain.trust import Consent
from workbench.planning.trust.consents import ProcessConsents
from workbench.storage.trust import Accepted, TrustStore


class KeptConsents:
    """The consents that this person gave in one workspace."""

    def __init__(self, store: TrustStore, root: Path) -> None:
        """``root`` is the ``.workbench`` folder."""
        self._store = store
        self._root = root
        self._here = ProcessConsents()

    def has(self, consent: Consent) -> bool:
        """Tell whether exactly this was allowed, here or in another process of this person."""
        return self._here.has(consent) or consent in self._store.accepted(self._root).consents

    def give(self, consent: Consent) -> None:
        """Record that it was. Raises UsageError as ProcessConsents does."""
        self._here.give(consent)
        self._change(lambda accepted: accepted.with_consent(consent))

    def withdraw(self, consent: Consent) -> None:
        """Record that it is not allowed any more."""
        self._here.withdraw(consent)
        if consent in self._store.accepted(self._root).consents:
            self._change(lambda accepted: accepted.without_consent(consent))

    def _change(self, changed: Callable[[Accepted], Accepted]) -> None:
        with suppress(WorkbenchError):  # if nothing can be kept, it holds for this process, and is asked again
            self._store.change(self._root, changed)
