"""Whatever is written can be read back, byte for byte, and no single flipped bit goes unnoticed."""

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from workbench.domain.log.envelope import Draft, Head, Header, genesis, seal
from workbench.storage import codec

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=12,
)
drafts = st.builds(
    Draft,
    kind=text,
    v=st.integers(1, 9),
    origin=st.sampled_from(["given", "derived"]),
    session=text,
    agent=st.none() | text,
    actor=text,
    person=text,
    workspace=text,
    turn=st.integers(1, 1000),
    cause=text,
    time=text,
    body=values.map(lambda value: msgspec.Raw(msgspec.json.encode(value))),
    id=text,
)


@given(st.lists(drafts, min_size=1, max_size=5))
def test_events_round_trip(batch):
    events = seal(batch, Head("e", 3, genesis("s")))
    written = codec.encode_events(events)
    lines = written.split(b"\n")[:-1]
    assert len(lines) == len(events)
    assert codec.first_garbled(lines) is None
    assert [codec.is_unfinished(line) for line in lines] == [True] * (len(lines) - 1) + [False]
    read = list(codec.decode_events(lines))
    assert [event for event, _ in read] == list(events)
    assert codec.encode_events([event for event, _ in read]) == written, "a copy is the same bytes"
    header = msgspec.json.Encoder().encode
    for event, as_it_stands in read:
        assert as_it_stands == header(Header(**{name: getattr(event, name) for name in Header.__struct_fields__}))
    assert written.endswith(codec.ending(events[-1].hash))
    assert all(json.loads(line)["doc"]["seq"] == event.seq for line, event in zip(lines, events, strict=True))


@given(text, text)
def test_headers_round_trip(stream, epoch):
    header = codec.FileHeader(codec.FORMAT, codec.VERSION, stream, epoch)
    (line,) = codec.encode_header(header).split(b"\n")[:-1]
    assert codec.decode_header(line) == header
    assert codec.first_garbled([line]) is None


@given(drafts, st.data())
def test_a_flipped_bit_is_noticed(one, data):
    line = codec.encode_events(seal([one], Head("e", 0, genesis("s")))).removesuffix(b"\n")
    place = data.draw(st.integers(0, len(line) - 1))
    flipped = line[:place] + bytes([line[place] ^ 1 << data.draw(st.integers(0, 7))]) + line[place + 1 :]
    assert codec.first_garbled([flipped]) == 0
