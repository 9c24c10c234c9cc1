"""How large the terminal is that a cast or a picture is of."""

from __future__ import annotations

from typing import NamedTuple


class Size(NamedTuple):
    """Of a terminal."""

    columns: int
    rows: int

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"
