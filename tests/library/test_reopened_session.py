"""A round of a long session in another process: what was indexed is not indexed again, and its log is read once."""

from __future__ import annotations

import pytest
from tests.benchmarks.p26_growth import begun, round_of, workspace_in
from workbench.domain.session import session as folding
from workbench.memory.index import SearchIndex
from workbench.storage.files.opening import Files


class Work:
    """What a process does, counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.indexed = self.bytes_read = self.folded = 0
        add, read, apply = SearchIndex.add, Files.read, folding.apply

        def counted_add(index, items):
            self.indexed += len(items)
            add(index, items)

        def counted_read(files, descriptor, size, offset):
            data = read(files, descriptor, size, offset)
            self.bytes_read += len(data)
            return data

        def counted_apply(state, event):
            self.folded += 1
            return apply(state, event)

        monkeypatch.setattr(SearchIndex, "add", counted_add)
        monkeypatch.setattr(Files, "read", counted_read)
        monkeypatch.setattr(folding, "apply", counted_apply)


def reopened_round(folder, messages: int) -> tuple[Work, int]:
    """Return the work of a round in a process that opens the session again, and the bytes of what it finds on disk."""
    with pytest.MonkeyPatch.context() as patches:
        patches.setenv("WORKBENCH_CONFIG", f"{folder}/none")
        session = begun(workspace_in(folder), messages)
        round_of(workspace_in(folder), session, "Put the risks first")
        kept = [file.stat().st_size for file in folder.rglob("*") if file.suffix in (".jsonl", ".index")]
        work = Work(patches)
        round_of(workspace_in(folder), session, "Say who decides")
    return work, sum(kept)


@pytest.mark.full
@pytest.mark.timeout(120)
def test_a_reopened_round_indexes_only_what_is_new(tmp_path):
    (few, of_few), (many, of_many) = (reopened_round(tmp_path / str(count), count) for count in (5_000, 6_000))
    assert len(list(tmp_path.rglob("*.index"))) == 2
    assert few.indexed < 40
    assert many.indexed < 40
    assert many.folded - few.folded == 1_000
    assert few.bytes_read < 1.2 * of_few
    assert many.bytes_read < 1.2 * of_many
