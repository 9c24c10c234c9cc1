"""What TinyDB can do, it can do on a journal: with its own table class, and with the one that hands over changes.

After each test the database is opened once more: whatever the test did must stand in the file.
"""

import json

import pytest
from tinydb import TinyDB, where
from tinydb.operations import add, decrement, delete, increment, subtract
from tinydb.operations import set as set_to
from tinydb.table import Document, Table
from workbench.domain.errors import LogDamaged, LogUnavailable
from workbench.storage import codec
from workbench.storage.tinydb.databases import JournalDatabase, JournalStorage, JournalTable


@pytest.fixture(params=["TinyDB's table", "JournalTable"])
def reopen(request, tmp_path):
    """Open the same database once more."""

    def opened(**options):
        options = {"durable": False, **options}
        if request.param == "JournalTable":
            return JournalDatabase(tmp_path / "db.jsonl", **options)
        return TinyDB(tmp_path / "db.jsonl", storage=JournalStorage, **options)

    return opened


@pytest.fixture
def db(reopen):
    database = reopen()
    database.insert_multiple({"int": 1, "char": char} for char in "abc")
    return database


def everything(db):
    return {name: [(doc.doc_id, dict(doc)) for doc in db.table(name)] for name in sorted(db.tables())}


@pytest.fixture
def same_when_reopened(db, reopen):
    """Whatever a test did stands in the file."""
    yield
    assert everything(reopen()) == everything(db)


pytestmark = pytest.mark.usefixtures("same_when_reopened")


def test_inserting(db):
    assert db.insert({"int": 2}) == 4
    assert db.insert_multiple([{"int": 3}, Document({"int": 9}, 20), {"int": 4}]) == [5, 20, 6]
    assert db.insert(Document({"at": "seven"}, 7)) == 7
    assert db.insert({}) == 21
    assert [doc.doc_id for doc in db.all()] == [1, 2, 3, 4, 5, 20, 6, 7, 21]
    assert len(db) == 9


def test_what_cannot_be_inserted_changes_nothing(db):
    before = everything(db)
    with pytest.raises(ValueError, match="already exists"):
        db.insert(Document({"int": 1}, 2))
    with pytest.raises(ValueError, match="already exists"):
        db.insert_multiple([{"int": 5}, Document({"int": 1}, 2)])
    with pytest.raises(ValueError, match="Mapping"):
        db.insert([1, 2])
    with pytest.raises(ValueError, match="Mapping"):
        db.insert_multiple([{"int": 5}, "text"])
    with pytest.raises(TypeError):
        db.insert({"set": {1, 2}})
    for not_json in (float("nan"), float("inf"), "\ud800"):
        with pytest.raises(ValueError, match=r"JSON|surrogates"):
            db.insert({"bad": not_json})
    assert everything(db) == before


def test_updating(db):
    assert db.update({"int": 2}, where("char") == "a") == [1]
    assert db.update({"new": [1]}) == [1, 2, 3]
    assert db.update({"int": 7}, doc_ids=[2, 3]) == [2, 3]
    assert db.update(lambda doc: doc.pop("char"), where("char") == "c") == [3]
    assert db.update_multiple([({"int": 0}, where("char") == "a"), (delete("new"), where("char") == "b")]) == [1, 2]
    assert db.update({"int": 5}, where("char") == "z") == []
    assert db.all() == [{"int": 0, "char": "a", "new": [1]}, {"int": 7, "char": "b"}, {"int": 7, "new": [1]}]


def test_operations(db):
    for operation in (
        increment("int"),
        add("int", 5),
        subtract("int", 2),
        decrement("int"),
        set_to("char", "x"),
        delete("int"),
    ):
        db.update(operation, where("char") == "a")
    assert db.get(doc_id=1) == {"char": "x", "int": 4}


def test_a_failing_update_changes_nothing(db):
    before = everything(db)

    def fail(doc):
        doc["int"] = 99
        if doc["char"] == "b":
            raise RuntimeError("no")

    with pytest.raises(RuntimeError, match="no"):
        db.update(fail)
    assert everything(db) == before


def test_upserting(db):
    assert db.upsert({"int": 5}, where("char") == "a") == [1]
    assert db.upsert({"int": 6, "char": "d"}, where("char") == "d") == [4]
    assert db.upsert(Document({"int": 7}, 2)) == [2]
    assert db.upsert(Document({"int": 8}, 9)) == [9]
    assert [(doc.doc_id, doc["int"]) for doc in db] == [(1, 5), (2, 7), (3, 1), (4, 6), (9, 8)]
    with pytest.raises(ValueError, match="doc_id"):
        db.upsert({"int": 1})


def test_removing(db):
    assert db.remove(where("char") == "b") == [2]
    assert db.remove(doc_ids=[1]) == [1]
    with pytest.raises(RuntimeError):
        db.remove()
    assert [doc.doc_id for doc in db] == [3]
    assert db.insert({"char": "z"}) == 4, "an id is not used again"


def test_truncating_starts_ids_anew(db):
    db.truncate()
    assert len(db) == 0
    assert db.tables() == {"_default"}
    assert db.insert({"char": "z"}) == 1


def test_tables(db):
    other = db.table("other")
    assert db.tables() == {"_default"}
    other.insert({"x": 1})
    db.table("empty", persist_empty=True)
    assert db.tables() == {"_default", "other", "empty"}
    assert db.table("other") is other
    db.drop_table("other")
    db.drop_table("never was")
    assert db.tables() == {"_default", "empty"}
    assert len(db.table("other")) == 0
    db.drop_tables()
    assert db.tables() == set()
    assert db.insert({"x": 1}) == 1


def test_queries(db):
    db.insert({"nested": {"list": [1, {"deep": "yes"}]}, "int": 10})
    assert db.search(where("nested").list.any(where("deep") == "yes"))[0].doc_id == 4
    assert [doc.doc_id for doc in db.search((where("int") > 5) | (where("char") == "a"))] == [1, 4]
    assert db.search(where("char") == "a") == db.search(where("char") == "a") == [{"int": 1, "char": "a"}]
    assert db.get(where("char") == "zz") is None
    assert db.get(doc_id=3)["char"] == "c"
    assert db.get(doc_id=33) is None
    assert [doc.doc_id for doc in db.get(doc_ids=[3, 1, 33])] == [1, 3]
    assert db.contains(doc_id=1)
    assert not db.contains(where("char") == "q")
    assert db.count(where("int") == 1) == 3
    with pytest.raises(RuntimeError):
        db.get()


def test_documents_are_copies(db):
    db.insert({"list": [1]})
    db.get(doc_id=4)["list"].append(2)
    db.all()[3]["list"].append(3)
    assert db.get(doc_id=4) == {"list": [1]}
    inserted = {"list": [1]}
    db.insert(inserted)
    inserted["list"].append(2)
    assert db.get(doc_id=5) == {"list": [1]}


def test_keys_become_text_as_they_do_in_json(db):
    db.insert({1: "one", None: "none", False: "no"})
    assert db.get(doc_id=4) == {"1": "one", "null": "none", "false": "no"}


def test_text_of_every_kind(db):
    for text in ("こんにちは", "\u2028\x00\x7f", "😀", 'quote " and \\ and \n'):
        assert db.get(doc_id=db.insert({text: text})) == {text: text}


def test_ids_of_another_class(reopen):
    class NamedTable(Table):
        document_id_class = str

    class NamedJournalTable(JournalTable):
        document_id_class = str

    db = reopen()
    db.table_class = NamedJournalTable if isinstance(db, JournalDatabase) else NamedTable
    names = db.table("names")
    assert names.insert(Document({"x": 1}, "alpha")) == "alpha"
    assert names.insert(Document({"x": 2}, "007")) == "007"
    names.update({"x": 3}, doc_ids=["007"])
    names.remove(doc_ids=["alpha"])
    assert [(doc.doc_id, doc["x"]) for doc in names] == [("007", 3)]


def test_an_append_is_one_line_for_each_changed_document(db, tmp_path):
    path = tmp_path / "db.jsonl"
    before = path.read_bytes()
    db.update({"int": 2}, where("char") == "b")
    db.remove(where("char") == "a")
    db.update({"int": 2}, where("char") == "b")
    lines = [json.loads(line) for line in path.read_bytes().removeprefix(before).splitlines()]
    assert [(line["table"], line["id"], line.get("doc")) for line in lines] == [
        ("_default", 2, {"int": 2, "char": "b"}),
        ("_default", 1, None),
    ]


def test_a_torn_batch_never_was(db, tmp_path, reopen):
    path = tmp_path / "db.jsonl"
    before, kept = everything(db), path.read_bytes()
    db.insert_multiple([{"x": 1}, {"x": 2}])
    torn = path.read_bytes()[:-5]
    path.write_bytes(torn)
    again = reopen()
    assert everything(again) == before
    assert again.insert({"x": 3}) == 4
    assert path.read_bytes().startswith(kept)
    assert len(path.read_bytes().removeprefix(kept).splitlines()) == 1


@pytest.mark.usefixtures("db")
def test_reading_only(tmp_path, reopen):
    before = (tmp_path / "db.jsonl").read_bytes()
    reading = reopen(access_mode="r")
    assert reading.search(where("char") == "a") == [{"int": 1, "char": "a"}]
    with pytest.raises(LogUnavailable, match="reading only"):
        reading.insert({"x": 1})
    with pytest.raises(LogUnavailable, match="reading only"):
        reading.drop_tables()
    assert (tmp_path / "db.jsonl").read_bytes() == before
    with pytest.raises(ValueError, match="access_mode"):
        reopen(access_mode="w")


def test_two_handles_see_each_other(db, reopen):
    other = reopen()
    assert other.insert({"char": "d"}) == 4
    assert db.get(doc_id=4) == {"char": "d"}
    db.update({"int": 5}, where("char") == "d")
    assert other.get(doc_id=4) == {"char": "d", "int": 5}


def test_closing_and_using_it_as_a_context(db, reopen):
    db.close()
    with reopen() as again:
        assert len(again) == 3


def test_a_line_that_is_no_record(db, tmp_path, reopen):
    kept = (tmp_path / "db.jsonl").read_bytes()
    (tmp_path / "db.jsonl").write_bytes(kept + codec.sealed(b'"table":7}'))
    with pytest.raises(LogDamaged, match="no record"):
        reopen()
    (tmp_path / "db.jsonl").write_bytes(kept)
    assert len(db) == 3
