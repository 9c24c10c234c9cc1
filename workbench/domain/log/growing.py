"""A sequence that only grows, and that every earlier state keeps seeing as it was.

State is folded event by event; copying a tuple for each event would be quadratic (17 s at 100,000 events). Here all
states of one history share one list, and each sees its own prefix of it. Appending to the newest prefix is O(1);
appending to an older one starts a copy of its own, so a prefix never changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar, get_args, get_origin, overload

import msgspec

T = TypeVar("T")


class Growing(Sequence[T], Generic[T]):
    """An immutable sequence with O(1) ``appended``; equal to any sequence of equal items."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items: list[T] = list(items)
        self._length = len(self._items)

    def appended(self, *new: T) -> Growing[T]:
        """Return the sequence with ``new`` after its last item; this one stays as it is."""
        grown: Growing[T] = Growing.__new__(Growing)
        is_newest = len(self._items) == self._length > 0  # an empty one is anybody's beginning: never shared
        grown._items = self._items if is_newest else self._items[: self._length]
        grown._items.extend(new)
        grown._length = self._length + len(new)
        return grown

    def since(self, earlier: Growing[T]) -> list[T] | None:
        """Return what was appended to ``earlier``; None if this one is not known to continue from it."""
        goes_on = earlier._items is self._items and earlier._length <= self._length
        return self._items[earlier._length : self._length] if goes_on else None

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[i] for i in range(*index.indices(self._length)))
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else self._length + index]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[T]:
        items = self._items
        for i in range(self._length):
            yield items[i]

    def __reversed__(self) -> Iterator[T]:
        items = self._items
        for i in range(self._length - 1, -1, -1):
            yield items[i]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str | bytes):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Growing({list(self)!r})"


def as_list(value: Any) -> list[Any]:
    """Return a growing sequence as JSON has it: a hook for encoding. Raises NotImplementedError for anything else."""
    if isinstance(value, Growing):
        return list(value)
    raise NotImplementedError(type(value).__name__)


def from_list(kind: Any, value: Any) -> Growing[Any]:
    """Return what ``as_list`` made of a growing sequence: a hook for decoding. Raises as msgspec does."""
    if get_origin(kind) is not Growing:
        raise NotImplementedError(kind)
    return Growing(msgspec.convert(value, list[get_args(kind)[0]]))  # type: ignore[misc]  # a type that is found out here
