"""Workspaces with any number of finished sessions, each with a goal, a plan and words of its own.

A few sessions are planned offline, one for each template; their events are then written again under other ids, with
other words in place of what was typed. The events are sealed anew, so numbers and hash chain hold.
"""

from __future__ import annotations

import asyncio
import random
from itertools import product
from pathlib import Path

import msgspec
from tests.benchmarks.long_sessions import draft_of
from workbench.bootstrap import Workspace
from workbench.domain.loop.begin import Begin
from workbench.domain.session.copies import in_full
from workbench.planning.policies import approving_all
from workbench.storage.files.log import FileLog

TEMPLATES = {
    "move-office": "Move the office of Quxelor to Zanbirk by 1 May",
    "hire": "Hire two welders for Quxelor in Zanbirk by 1 June",
    "event": "Hold the open day of Quxelor in Zanbirk on 12 September",
    "move-system": "Move the ledger of Quxelor to Zanbirk by 30 June",
    "procure": "Buy new lathes for Quxelor from Zanbirk by 1 March",
}
_TYPED = (b"Quxelor", b"Zanbirk")
_SYLLABLES = ("ba", "con", "der", "fi", "gra", "hol", "in", "jo", "ker", "lem", "mo", "nar", "pla", "re", "sto", "tun")
_NAMES = ["".join(syllables).capitalize() for syllables in product(_SYLLABLES, repeat=3)]


def fill(folder: Path, sessions: int) -> list[str]:
    """Make a workspace with so many saved plans; return the ids of its sessions."""
    environ = {"WORKBENCH_CONFIG": str(folder / "none")}
    chance = random.Random(sessions)
    with Workspace.open(folder, environ=environ) as workspace:
        begun = []
        for template, goal in list(TEMPLATES.items())[:sessions]:
            manager = workspace.start(goal, begin=Begin(template=template), recall=False)
            asyncio.run(manager.run(approving_all()))
            begun.append(str(manager.session_id))
        log = FileLog(workspace.folder.sessions)
        seeds = [(session, list(in_full(log.read(session)))) for session in begun]
        made = list(begun)
        for number in range(sessions - len(begun)):
            seed, events = seeds[number % len(seeds)]
            session = f"{seed[:30].rstrip('-')}-n{number:04d}"
            words = [chance.choice(_NAMES).encode() for _ in _TYPED]
            drafts = []
            for event in events:
                body = bytes(event.body).replace(seed.encode(), session.encode())
                for typed, word in zip(_TYPED, words, strict=True):
                    body = body.replace(typed, word).replace(typed.lower(), word.lower())
                cause = event.cause.replace(seed, session)
                draft = draft_of(event, session)
                drafts.append(msgspec.structs.replace(draft, body=msgspec.Raw(body), cause=cause))
            log.append(session, drafts, expected=0)
            made.append(session)
    return made
