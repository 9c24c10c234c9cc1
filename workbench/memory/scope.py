"""What one asker may search, as an index that is kept up: only what is new is embedded.

    items by name ── compared with the last search's ─┬▶ gone or changed ─▶ taken out ─┐
                                                      └▶ new ─▶ embedded, added ───────┴▶ index ─▶ Recalled

A scope is given everything its asker may see, each time; what it remembers of the last time saves work and changes no
result. It is safe for threads, one after the other; it computes: search off the event loop.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

from workbench.domain.session.items import Item
from workbench.memory.documents import Document
from workbench.memory.found import Found
from workbench.models.embeddings import Embedder

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex


@dataclass(frozen=True, slots=True)
class Recalled:
    """An item that was found, and how."""

    item: Item
    found: Found


class Scope:
    """An index of exactly the items that it was last given."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._items: dict[str, Item] = {}
        """What is indexed, by its name in the index."""
        self._index: SearchIndex | None = None
        self._lock = Lock()

    @property
    def embedder(self) -> str:
        """The name of what it is searched with. Raises ModelUnknown where that is not installed."""
        return self._embedder.name

    def search(
        self, query: str, limit: int, items: Mapping[str, Item], *, without: Collection[str] = ()
    ) -> tuple[Recalled, ...]:
        """Search exactly these items, given by names that are unique among them; best first.

        Names in ``without`` are not among the results, which are otherwise those of the whole scope, their ranks too.
        Raises what the embedder raises; the next search goes on from there.
        """
        if not items:
            return ()
        with self._lock:
            found = self._kept_up(items).search(query, limit, without=without)
        return tuple(Recalled(items[one.id], one) for one in found)

    def _kept_up(self, items: Mapping[str, Item]) -> SearchIndex:
        if self._index is None:
            from workbench.memory.index import SearchIndex

            self._index = SearchIndex(self._embedder)
        index = self._index
        gone = {name for name, item in self._items.items() if items.get(name) != item}
        if gone:
            index.remove(gone)
            self._items = {name: item for name, item in self._items.items() if name not in gone}
        new = {name: item for name, item in items.items() if name not in self._items}
        try:
            index.add(replace(document_of(item), id=name) for name, item in new.items())
        finally:
            self._items |= {name: item for name, item in new.items() if name in index}
        return index


def document_of(item: Item) -> Document:
    """Return an item as it is indexed: messages are turns of a talk, artefacts stand for themselves."""
    return Document(
        id=item.id,
        text=item.text,
        speaker=item.agent or "",
        time=item.time,
        talk=item.role != "artefact",
        thread=item.session,
        place=item.seq,
    )
