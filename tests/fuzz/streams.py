"""Streams of events, mutated: in most cases numbered, chained and checksummed again, so that readers get to see them.

base events ─▶ one of them changed, doubled, moved or left out ─▶ sealed again ─▶ the bytes of a file
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import msgspec
from tests.builders import as_draft
from tests.fuzz.mutator import Mutator
from workbench.domain.log.envelope import Draft, Event, Head, genesis, seal
from workbench.domain.session import events as say
from workbench.storage import codec

_HEADERS: dict[str, tuple[Any, ...]] = {
    "kind": (*say.KINDS, "", "x", "\x1b[2J.x", "shared.changed"),
    "v": (0, -1, 2, 99, 2**63, "1", None, 1.5),
    "origin": ("given", "derived", "", 1),
    "session": ("", "../x", "another-session-x1y2", 5, "\u202e"),
    "agent": ("planner", "nova", "", "\x07", 7),
    "actor": ("", "policy", "tool:\x1b", "person", 1),
    "person": ("", "\x1b]0;x\x07", "x" * 5000),
    "workspace": ("", "../..", 3),
    "turn": (0, -1, 2, 2**53, 2**63, "1", 1.5, None),
    "cause": ("", "nobody:1", "x:99999999999", 5),
    "time": ("", "yesterday", "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "2026-02-30T00:00:00Z", "\x1b", 5),
    "id": ("", "x", ":", "x:-1", "x:99999999999999999999", "\x1b", 5),
}
_FILE_HEADERS = (
    codec.FileHeader(codec.FORMAT, 3, "s", "e", 2**60, "0" * 64),
    codec.FileHeader(codec.FORMAT, 99, "s", "e"),
    codec.FileHeader(codec.FORMAT, 1, "", "e"),
    codec.FileHeader(codec.FORMAT, 1, "\x1b[2J", "e"),
    codec.FileHeader("\x1b[2J", 1, "s", "e"),
)


class Stream:
    """The events of a file, ready to be written with mutations."""

    def __init__(self, name: str, events: Sequence[Event], *, longest: int = 3_000, shared: bool = False) -> None:
        """``longest`` are the bytes of a body: events with longer ones are left out, to keep cases quick.

        ``shared``: events keep the sessions that they are of.
        """
        self.name = name
        kept = [as_draft(event) for event in events if len(bytes(event.body)) <= longest]
        own = kept if shared else [msgspec.structs.replace(draft, session=name) for draft in kept]
        self.events = seal(own, Head("e", 0, genesis(name)))

    @cached_property
    def _header(self) -> bytes:
        return codec.encode_header(codec.FileHeader(codec.FORMAT, codec.PLAIN, self.name, "e"))

    @cached_property
    def _lines(self) -> list[bytes]:
        return [codec.encode_events([event]) for event in self.events]

    def file(self) -> bytes:
        """Return the file as it is."""
        return self._header + b"".join(self._lines)

    def mutated(self, mutator: Mutator) -> bytes:
        """Return the file with something changed."""
        draw = mutator.random
        match draw.randrange(20):
            case 0 | 1:
                return mutator.damage(self.file())
            case 2:
                return mutator.change_json(self._header[:-1]) + b"\n" + b"".join(self._lines)
            case 3:
                header = draw.choice(_FILE_HEADERS)
                return codec.encode_header(header) + b"".join(self._lines)
            case 4:
                header = mutator.change_json(b"{" + self._header[18:-1])
                return codec.sealed(header[1:]) + b"".join(self._lines)
            case 5:
                lines = list(self._lines)
                at = draw.randrange(len(lines))
                lines[at] = codec.sealed(mutator.change_json(b"{" + lines[at][18:-1])[1:])
                return self._header + b"".join(lines)
        return self._resealed(mutator)

    def _resealed(self, mutator: Mutator) -> bytes:
        draw = mutator.random
        at = draw.randrange(len(self.events))
        end = min(len(self.events), at + draw.choice((1, 2, 5, 20, 1000)))
        drafts = [as_draft(event) for event in self.events[at:end]]
        match draw.randrange(12):
            case 0:
                drafts.insert(0, drafts[0])
            case 1:
                drafts.reverse()
            case 2:
                del drafts[0]
            case 3:
                drafts.append(as_draft(draw.choice(self.events)))
            case 4 | 5:
                drafts[0] = _other_header(drafts[0], mutator)
            case _:
                drafts[0] = _other_body(drafts[0], mutator)
        if drafts and mutator.chance(0.2):
            number = draw.randrange(len(drafts))
            drafts[number] = _other_body(drafts[number], mutator)
        if mutator.chance(0.5):
            drafts = [msgspec.structs.replace(draft, id="") if draft.id in (None, "") else draft for draft in drafts]
        before = self.events[at - 1] if at else None
        head = Head("e", 0, genesis(self.name)) if before is None else Head("e", before.seq, before.hash)
        sealed = seal(drafts, head)
        return self._header + b"".join(self._lines[:at]) + b"".join(codec.encode_events([one]) for one in sealed)


def _other_body(draft: Draft, mutator: Mutator) -> Draft:
    return msgspec.structs.replace(draft, body=msgspec.Raw(mutator.change_json(bytes(draft.body))))


def _other_header(draft: Draft, mutator: Mutator) -> Draft:
    name = mutator.random.choice(list(_HEADERS))
    return msgspec.structs.replace(draft, **{name: mutator.random.choice(_HEADERS[name])})
