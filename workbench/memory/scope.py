"""What one asker may search, as an index that is kept up: only what is new is embedded.

    items by name ── compared with the last search's ─┬▶ gone or changed ─▶ taken out ─┐
    history ── what was said since that search ───────┴▶ new ─▶ embedded, added ───────┴▶ index ─▶ Found

A scope is given everything its asker may see, each time; what it remembers of the last time saves work and changes no
result. Of a conversation that goes on from the one it knows, only what is new is looked at. It is safe for threads, one
after the other; it computes: search off the event loop.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from workbench.domain.log.growing import Growing
from workbench.domain.session.items import Item
from workbench.domain.session.state import HistoryItem
from workbench.memory.found import Found
from workbench.models.embeddings import Embedder

if TYPE_CHECKING:  # numpy is imported when something is searched
    from workbench.memory.index import SearchIndex
    from workbench.memory.kept_index import KeptIndex

_NO_HISTORY: Growing[HistoryItem] = Growing()


def _nothing(_said: Iterable[HistoryItem]) -> Iterable[Item]:
    return ()


class Scope:
    """An index of exactly the items that it was last given."""

    def __init__(self, embedder: Embedder, kept: KeptIndex | None = None) -> None:
        """``kept`` is where the index of a long conversation is kept for other processes."""
        self._embedder = embedder
        self._kept = kept
        self._index: SearchIndex | None = None
        self._history = _NO_HISTORY
        """The conversation that is indexed whole."""
        self._beside: Collection[str] = ()
        """Names of the items that are indexed beside it."""
        self._lock = Lock()

    @property
    def embedder(self) -> str:
        """The name of what it is searched with. Raises ModelUnknown if that is not installed."""
        return self._embedder.name

    def search(
        self,
        query: str,
        limit: int,
        items: Mapping[str, Item],
        *,
        without: Collection[str] = (),
        history: Growing[HistoryItem] = _NO_HISTORY,
        said: Callable[[Iterable[HistoryItem]], Iterable[Item]] = _nothing,
    ) -> tuple[Found, ...]:
        """Search exactly these items, given by names that are unique among them; best first.

        ``said`` gives the items that a part of ``history`` comes to, under their ids: they are searched, too. Names in
        ``without`` are not among the results, which are otherwise those of the whole scope, their ranks too.
        Raises what the embedder raises; the next search continues from there.
        """
        with self._lock:
            return self._kept_up(items, history, said).search(query, limit, without=without)

    def _kept_up(
        self,
        items: Mapping[str, Item],
        history: Growing[HistoryItem],
        said: Callable[[Iterable[HistoryItem]], Iterable[Item]],
    ) -> SearchIndex:
        from workbench.memory.index import SearchIndex

        new = history.since(self._history)
        seen = {item.id: item for item in said(history if new is None else new)} | dict(items)
        if self._index is None:
            self._index = SearchIndex(self._embedder) if self._kept is None else self._kept.read(self._embedder, seen)
        index = self._index
        known = index.items if new is None else self._beside
        gone = {name for name in known if name in index.items and seen.get(name) != index.items[name]}
        self._history, self._beside = _NO_HISTORY, ()
        if 2 * len(gone) > len(index.items):
            index = self._index = SearchIndex(self._embedder)
            seen = {item.id: item for item in said(history)} | dict(items)
        index.remove(gone)
        index.add({name: item for name, item in seen.items() if name not in index.items})
        self._history, self._beside = history, frozenset(items)
        if self._kept is not None:
            self._kept.write(self._embedder, index, self._beside)
        return index
