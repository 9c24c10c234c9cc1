"""A server for embeddings: asked in batches, again where it fails, and never believed."""

import threading

import numpy as np
import pytest
from tests.models.conftest import KEY
from tests.models.fake_openai import drop, embeddings, hanging, page, status
from tests.waiting import eventually
from workbench.domain.errors import ModelDenied, ModelReplyInvalid, ModelTooSlow, ModelUnknown, ModelUnreachable
from workbench.models.openai_embeddings import OpenAIEmbeddings
from workbench.models.secret import Secret

AT_ONCE = {"retry_after_ms": "1"}


def lengths(text):
    return [float(len(text)), 1.0]


@pytest.fixture
def embedder(server):
    server.will(embeddings(lengths))
    return OpenAIEmbeddings("m-1", key=Secret(KEY), base_url=server.base_url)


def sent(server):
    return [request["body"]["input"] for request in server.requests]


def test_texts_are_sent_in_batches_and_come_back_in_their_order(server, embedder):
    texts = ["x" * number for number in range(1, 301)]
    rows = embedder.embed(texts)
    assert [len(batch) for batch in sent(server)] == [128, 128, 44]
    assert rows[:, 0] / rows[:, 1] == pytest.approx(range(1, 301), rel=1e-4)
    [request, *_] = server.requests
    assert request["path"] == "/v1/embeddings"
    assert request["headers"]["authorization"] == f"Bearer {KEY}"
    assert request["body"]["model"] == "m-1"


def test_blank_texts_are_not_sent_and_long_ones_are_cut(server, embedder):
    rows = embedder.embed(["", "a", " \n", "b" * 100_000])
    assert sent(server) == [["a", "b" * 2_000]]
    assert rows.any(axis=1).tolist() == [False, True, False, True]


def test_how_long_vectors_are_is_asked_once(server, embedder):
    assert (embedder.dimensions, embedder.dimensions) == (2, 2)
    assert len(server.requests) == 1
    assert embedder.embed([]).shape == (0, 2)


def test_a_server_that_fails_is_asked_again(server, embedder):
    server.will(status(500, **AT_ONCE), status(429, **AT_ONCE), embeddings(lengths))
    assert embedder.embed(["a"]).shape == (1, 2)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (status(401, f"Incorrect API key {KEY}"), ModelDenied),
        (status(403), ModelDenied),
        (status(404), ModelUnknown),
        (status(400, f"no {KEY}\x1b[2J"), ModelUnreachable),
        (status(500, **AT_ONCE), ModelUnreachable),
        (page(), ModelReplyInvalid),
        (embeddings(lambda _: []), ModelReplyInvalid),
        (embeddings(lambda _: [1.0, "x"]), ModelReplyInvalid),
        (embeddings(lambda text: [1.0] * len(text)), ModelReplyInvalid),
        (embeddings(lambda _: [1e400, 1.0]), ModelReplyInvalid),
        (lambda handler: handler.whole(200, {"data": []}), ModelReplyInvalid),
        (lambda handler: handler.whole(200, {"data": [{"index": 0, "embedding": [1.0]}]}), ModelReplyInvalid),
        (lambda handler: handler.whole(200, b"{"), ModelReplyInvalid),
    ],
)
def test_what_goes_wrong_is_said_with_a_remedy_and_without_the_key(server, embedder, behaviour, error):
    server.will(behaviour)
    with pytest.raises(error) as caught:
        embedder.embed(["a", "bb"])
    assert caught.value.__context__ is None
    assert caught.value.remedy.endswith("or search offline with the setting embedder = wordllama.")
    assert KEY not in str(caught.value)
    assert "\x1b" not in str(caught.value)


def test_a_server_that_does_not_answer_in_time_is_said(server, embedder, monkeypatch):
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *_args, **_more: 0.0)
    monkeypatch.setattr("workbench.models.openai_embeddings._SECONDS", 0.05)
    server.will(hanging(until=threading.Event()))
    with pytest.raises(ModelTooSlow, match="No answer came in time"):
        embedder.embed(["a"])
    eventually(lambda: len(server.requests) == 3)


def test_vectors_of_another_length_than_before_are_refused(server, embedder):
    embedder.embed(["a"])
    server.will(embeddings(lambda _: [1.0, 2.0, 3.0]))
    with pytest.raises(ModelReplyInvalid):
        embedder.embed(["b"])


def test_no_server_is_said(monkeypatch):
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *_args, **_more: 0.0)
    with pytest.raises(ModelUnreachable, match="No connection to embeddings by m-1 at http"):
        OpenAIEmbeddings("m-1", key=Secret(KEY), base_url="http://127.0.0.1:9/v1").embed(["a"])


def test_a_connection_that_drops_is_tried_again(server, embedder, monkeypatch):
    monkeypatch.setattr("openai._base_client.BaseClient._calculate_retry_timeout", lambda *_args, **_more: 0.0)
    server.will(drop, embeddings(lengths))
    assert embedder.embed(["a"]).shape == (1, 2)


def test_nothing_of_the_environment_moves_the_address_and_no_name_holds_the_key(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    embedder = OpenAIEmbeddings("m-1", key=Secret(KEY))
    assert embedder.name == "m-1 at https://api.openai.com/v1"
    assert KEY not in repr(embedder)


def test_rows_are_of_length_one(embedder):
    assert np.linalg.norm(embedder.embed(["abc", "d"]), axis=1) == pytest.approx([1, 1])
