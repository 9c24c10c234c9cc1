"""What a fold of one kind of event is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.domain.envelope import Event
from workbench.domain.session_state import SessionState

Fold = Callable[[SessionState, Event, Any], dict[str, Any]]
"""(state, event, its body) -> the fields of the state that change, with their new values."""
Folds = dict[type, Fold]
