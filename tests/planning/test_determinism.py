"""With the same clock and ids, the same session twice is the same bytes."""

import asyncio

import pytest
from tests.builders import Script, answering, begin, feedback
from tests.offline import Offline
from tests.planning.test_resume import decide, scripted
from workbench.planning.policies import approving_all
from workbench.storage.files.log import FileLog


def file_of(folder, decide, **options):
    log = FileLog(folder, durable=False, new_epoch=lambda: "epoch")
    manager = begin(log=log, **options)
    asyncio.run(manager.run(decide))
    return (folder / f"{manager.session_id}.jsonl").read_bytes()


@pytest.mark.parametrize("guided", [False, True])
def test_the_same_session_twice_is_the_same_bytes(tmp_path, guided):
    def model():
        return {"model": Offline()} if guided else {"script": scripted()}

    decider = approving_all() if guided else decide
    first, second = (file_of(tmp_path / name, decider, **model()) for name in ("a", "b"))
    assert first == second
    assert first.count(b"\n") > 25


def test_another_answer_is_other_bytes(tmp_path):
    """The comparison above could fail."""
    first = file_of(tmp_path / "a", answering(feedback("Cheaper")), script=Script())
    second = file_of(tmp_path / "b", answering(feedback("Dearer")), script=Script())
    assert first != second
