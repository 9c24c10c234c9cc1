"""The documents of a table as JSON: read one by one, and compared for what changed."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from workbench.domain.errors import LogDamaged
from workbench.domain.log.envelope import UNREADABLE
from workbench.storage import codec


class TableChange(MutableMapping[Any, Any]):
    """A table as an updater sees it, which remembers what was touched."""

    def __init__(self, held: Mapping[str, bytes], id_class: Callable[[str], Any]) -> None:
        self._held = held
        self._id_class = id_class
        self._touched: dict[Any, Any] = {}
        self._removed: dict[str, None] = {}
        self._cleared = False

    def __getitem__(self, doc_id: Any) -> Any:
        if doc_id not in self:
            raise KeyError(doc_id)
        if doc_id not in self._touched:
            self._touched[doc_id] = _decoded(self._held[str(doc_id)])
        return self._touched[doc_id]

    def __setitem__(self, doc_id: Any, document: Any) -> None:
        self._touched[doc_id] = document
        self._removed.pop(str(doc_id), None)

    def __delitem__(self, doc_id: Any) -> None:
        if doc_id not in self:
            raise KeyError(doc_id)
        self._touched.pop(doc_id, None)
        if str(doc_id) in self._held:
            self._removed[str(doc_id)] = None

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._touched or self._is_held(str(doc_id))

    def __iter__(self) -> Iterator[Any]:
        yield from (self._id_class(key) for key in self._held if self._is_held(key))
        yield from [doc_id for doc_id in self._touched if not self._is_held(str(doc_id))]

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def clear(self) -> None:
        """Remove every document."""
        self._cleared = True
        self._touched.clear()
        self._removed.clear()

    def _is_held(self, key: str) -> bool:
        return not self._cleared and key in self._held and key not in self._removed

    def records(self, name: str, *, is_new: bool) -> list[codec.Record]:
        """Return the records that make a table what it is now; an updated table exists, be it empty."""
        changed = encoded(self._touched)
        held = {} if self._cleared else self._held
        records = [codec.Record(name)] if self._cleared or (is_new and not changed) else []
        records += [codec.Record(name, _key(key)) for key in self._removed]
        return records + [codec.Record(name, _key(key), doc) for key, doc in changed.items() if held.get(key) != doc]


class Documents(Mapping[str, Any]):
    """The documents of a table, decoded when they are asked for; a walk over them is a walk over a copy."""

    def __init__(self, held: Mapping[str, bytes]) -> None:
        self._held = held

    def __getitem__(self, key: str) -> Any:
        return _decoded(self._held[key])

    def __iter__(self) -> Iterator[str]:
        self._held = dict(self._held)
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)


def differences(name: str, held: Mapping[str, bytes] | None, wanted: Mapping[str, bytes]) -> Iterator[codec.Record]:
    """Yield the records that turn a table, or None where there is none, into the wanted one."""
    if not wanted and held != {}:
        yield codec.Record(name)
        return
    held = held or {}
    yield from (codec.Record(name, _key(key)) for key in held if key not in wanted)
    yield from (codec.Record(name, _key(key), doc) for key, doc in wanted.items() if held.get(key) != doc)


def encoded(documents: Mapping[Any, Any]) -> dict[str, bytes]:
    """Return documents as JSON; text that is not Unicode and numbers that are not finite have none: ValueError."""
    return {
        str(doc_id): json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        for doc_id, document in documents.items()
    }


def _decoded(document: bytes) -> Any:
    try:
        decoded = json.loads(document, parse_float=_finite)
        if not isinstance(decoded, dict):
            raise ValueError("it is no object")  # noqa: TRY004 - told like everything that is no document
    except UNREADABLE as error:
        raise LogDamaged(f"A document cannot be read: {error}.", "Restore the file from a copy.") from error
    return decoded


def _finite(digits: str) -> float:
    """Return a number of a document; 1e400, which could not be written again, is refused with ValueError."""
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large")
    return number


def _key(key: str) -> int | str:
    return int(key) if len(key) < 20 and key.isdecimal() and key.isascii() and str(int(key)) == key else key
