"""What one asker may search, as an index that is kept up: only what is new is embedded.

    items by name ── compared with the last search's ─┬▶ gone or changed ─▶ taken out ─┐
                                                      └▶ new ─▶ embedded, added ───────┴▶ index ─▶ Found

A scope is given everything its asker may see, each time; what it remembers of the last time saves work and changes no
result. It is safe for threads, one after the other; it computes: search off the event loop.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from workbench.domain.session.items import Item
from workbench.memory.found import Found
from workbench.models.embeddings import Embedder

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex


class Scope:
    """An index of exactly the items that it was last given."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._index: SearchIndex | None = None
        self._lock = Lock()

    @property
    def embedder(self) -> str:
        """The name of what it is searched with. Raises ModelUnknown where that is not installed."""
        return self._embedder.name

    def search(
        self, query: str, limit: int, items: Mapping[str, Item], *, without: Collection[str] = ()
    ) -> tuple[Found, ...]:
        """Search exactly these items, given by names that are unique among them; best first.

        Names in ``without`` are not among the results, which are otherwise those of the whole scope, their ranks too.
        Raises what the embedder raises; the next search goes on from there.
        """
        if not items:
            return ()
        with self._lock:
            return self._kept_up(items).search(query, limit, without=without)

    def _kept_up(self, items: Mapping[str, Item]) -> SearchIndex:
        if self._index is None:
            from workbench.memory.index import SearchIndex

            self._index = SearchIndex(self._embedder)
        index = self._index
        gone = {name for name, item in index.items.items() if items.get(name) != item}
        if gone:
            index.remove(gone)
        index.add({name: item for name, item in items.items() if name not in index.items})
        return index
