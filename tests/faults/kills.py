"""A campaign of kill -9 against driven sessions: ``python -m tests.faults.kills 500 [SEED]`` prints its figures.

life ─▶ killed behind its k-th line, or a moment later ─▶ life ─▶ … ─▶ finished ─▶ checked ─▶ the next session
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from tests.builders import GOAL, SESSION, begin
from tests.chains import is_sound
from workbench.domain.log.ids import session_id_for
from workbench.domain.session import events as say
from workbench.domain.session.copies import outline
from workbench.domain.session.session import SessionState, fold
from workbench.planning.policies import approving_all
from workbench.storage.files.log import FileLog

ROOT = Path(__file__).parents[2]
LINES = 90
"""Lines that an undisturbed life writes, about."""


MOST_LINES = 1000
"""Lines of a life that does not come to its end."""


@dataclass
class Figures:
    """What happened in a campaign."""

    kills: int = 0
    sessions: int = 0
    events: int = 0
    acknowledged: int = 0
    bought: int = 0
    abandoned: int = 0
    kinds_at_death: Counter[str] = field(default_factory=Counter)
    """The last line before a death: asked, answered or ack; ``born`` when there was none."""


class Campaign:
    """Sessions one after the other, their processes killed at seeded random moments."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.figures = Figures()
        self._folder = folder
        self._living = 0
        self._chance = random.Random(seed)
        self._reference = asyncio.run(begin().run(approving_all()))
        command = [sys.executable, "-m", "tests.faults.session_process", str(folder)]
        self._nursery = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._living:  # a check has failed, or time is up
            self._kill(self._living)
        self._nursery.communicate()

    def run(self, kills: int) -> Figures:
        """Kill this many lives, let the last session come to its end, and check every session."""
        while self.figures.kills < kills:
            ending = f"{self.figures.sessions:04d}"
            while self._life(ending, mortal=self.figures.kills < kills) != 0:
                self.figures.kills += 1
            self._check(ending)
            self.figures.sessions += 1
        return self.figures

    def _life(self, ending: str, *, mortal: bool) -> int:
        """Start a life and, where it is mortal, kill it at a random moment; return its exit code."""
        self._nursery.stdin.write(f"{ending}\n")
        self._nursery.stdin.flush()
        pid = self._living = int(self._line().split()[1])
        last = "born"
        behind = self._chance.randrange(LINES // 3) if mortal else -1
        moment = self._chance.choice([0.0, self._chance.uniform(0.0, 0.004)])
        while True:
            if behind == 0:
                time.sleep(moment)
                self._kill(pid)
            behind -= 1
            assert behind > -MOST_LINES, "a life comes to its end"
            line = self._line()
            if line.startswith("exit"):
                break
            last = line.split()[0]
        self._living = 0
        code = int(line.split()[1])
        assert code in (0, -signal.SIGKILL), f"a life ended by itself with {code}"
        if code:
            self.figures.kinds_at_death[last] += 1
        return code

    def _line(self) -> str:
        line = self._nursery.stdout.readline()
        assert line.endswith("\n"), "the nursery itself has died"
        return line

    def _kill(self, pid: int) -> None:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:  # it came to its end first
            return

    def _check(self, ending: str) -> None:
        session = session_id_for(GOAL, ending)
        log = FileLog(self._folder / "sessions")
        events = list(log.read(session))
        diary = [line.split() for line in (self._folder / f"diary-{ending}").read_text().splitlines()]

        assert is_sound(log, session), "the chain holds"
        assert [event.seq for event in events] == list(range(1, len(events) + 1)), "dense"
        assert len({event.id for event in events}) == len(events), "none is there twice"
        hashes = {str(event.seq): event.hash for event in events}
        acks = [(words[1], words[2]) for words in diary if words[0] == "ack"]
        assert all(hashes[seq] == link for seq, link in acks), "every acknowledged event is where it was acknowledged"
        assert len(set(acks)) == len(acks)
        self._check_purchases(events, diary)
        assert_same_end(fold(events), self._reference)
        self.figures.events += len(events)
        self.figures.acknowledged += len(acks)

    def _check_purchases(self, events: list, diary: list[list[str]]) -> None:
        prompts: dict[str, str] = {}
        finished: Counter[str] = Counter()
        abandoned: Counter[str] = Counter()
        answer_at: dict[str, str] = {}
        for event in events:
            body = say.content(outline(event))
            match body:
                case say.CallStarted():
                    prompts[body.call] = body.prompt_hash
                case say.CallFinished():
                    finished[prompts[body.call]] += 1
                    answer_at[str(event.seq)] = prompts[body.call]
                case say.CallAbandoned():
                    abandoned[prompts[body.call]] += 1
                case _:
                    pass
        assert len(prompts) == finished.total() + abandoned.total(), "every call has one end"
        assert set(finished.values()) == {1}, "every prompt of this course differs, and has one reply"
        received: set[str] = set()
        bought: Counter[str] = Counter()
        for words in diary:
            if words[0] == "ack" and words[1] in answer_at:
                received.add(answer_at[words[1]])
            if words[0] == "asked":
                bought[words[1]] += 1
                assert words[1] not in received, "no reply is bought again that was acknowledged"
        for prompt, times in bought.items():
            assert times <= 1 + abandoned[prompt], "a second purchase is always said: the first one was abandoned"
        self.figures.bought += bought.total()
        self.figures.abandoned += abandoned.total()


def assert_same_end(state: SessionState, reference: SessionState) -> None:
    """A session that was killed comes to the same end as one that was not, names apart."""
    assert state.status == "finished"
    assert state.plan == reference.plan
    assert state.saved_version == reference.saved_version == 3
    assert state.iterations == reference.iterations
    assert [entity.content for entity in state.entities] == [entity.content for entity in reference.entities]
    assert reference.session == SESSION


def main() -> None:
    kills, *seed = (int(word) for word in sys.argv[1:])
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Campaign(Path(folder), seed[0] if seed else 7) as campaign:
        figures = campaign.run(kills)
    print(f"{figures} in {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
