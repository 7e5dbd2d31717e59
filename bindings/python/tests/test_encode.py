"""Encoding from what Python code has, the builder, restamping, and the small functions."""

import array
import time
from types import SimpleNamespace
from typing import Any

import kcodec
import pytest
from shared import plain

HEADERS = [("trace", b"7f"), ("trace", None), ("", b"")]


def fields(batch: bytes | bytearray) -> list[tuple[Any, ...]]:
    with kcodec.decode(batch, skip_control=False) as records:
        return [(r.offset, r.timestamp, r.key, r.value, r.headers) for r in records]


def test_records_of_all_shapes() -> None:
    given: list[Any] = [
        (10, b"a", b"b"),
        (11, None, b"", HEADERS),
        (102, 12, bytearray(b"c"), memoryview(b"d"), [(b"trace", bytearray(b"7f"))]),
        SimpleNamespace(timestamp=13, key=None, value=None),
        SimpleNamespace(offset=104, timestamp=None, key=b"e", value=b"f", headers=iter(HEADERS)),
        (105, 15, b"g", b"h", None),
    ]
    want = [
        (100, 10, b"a", b"b", []),
        (101, 11, None, b"", HEADERS),
        (102, 12, b"c", b"d", [("trace", b"7f")]),
        (103, 13, None, None, []),
        (104, -1, b"e", b"f", HEADERS),
        (105, 15, b"g", b"h", []),
    ]
    assert fields(kcodec.encode(iter(given), base_offset=100)) == want


def test_what_is_no_record_is_refused() -> None:
    bad: list[Any] = [
        (1, b"a"),
        (1,) * 6,
        (1, "text", b"a"),
        ("1", b"a", b"b"),
        (1, b"a", b"b", [b"key"]),
        (1, b"a", b"b", [(None, b"value")]),
        7,
        None,
    ]
    for record in bad:
        with pytest.raises((TypeError, AttributeError)):
            kcodec.encode([record])
    with pytest.raises(TypeError, match="'colour'"):
        kcodec.encode([], colour="blue")  # type: ignore[call-arg]
    for codec in (5, 255, -1, "LZ4", None):
        with pytest.raises(kcodec.UnsupportedError):
            kcodec.encode([], codec=codec)  # type: ignore[arg-type]
    with pytest.raises(kcodec.ArgumentError) as caught:
        kcodec.encode([(0, 1, b"", b"", []), (1 << 40, 1, b"", b"", [])])
    assert caught.value.record == 1
    with pytest.raises(kcodec.UnsupportedError) as refused:
        kcodec.encode([(1, b"", b"", HEADERS)], magic=1)
    assert refused.value.name == "NOT_REPRESENTABLE"
    with pytest.raises(OverflowError):
        kcodec.encode([(1 << 63, b"", b"")])


def test_errors_of_an_iterable_pass_through() -> None:
    def failing() -> Any:
        yield (1, b"", b"")
        raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        kcodec.encode(failing())


def test_every_parameter_gets_into_the_header() -> None:
    params: kcodec.BatchParams = {
        "magic": 2,
        "codec": kcodec.Codec.ZSTD,
        "level": 7,
        "base_offset": 1000,
        "last_offset_delta": 99,
        "leader_epoch": 7,
        "producer_id": 4000,
        "producer_epoch": 3,
        "base_sequence": 17,
        "transactional": True,
        "control": True,
        "delete_horizon": 1_700_000_000_000,
        "log_append_time": 1_700_000_000_001,
        "unknown_attributes": 0x80,
    }
    batch = kcodec.encode([(1, b"\0\0\0\1", b"\0\0\0\0\0\0")], **params)
    found = kcodec.scan(batch).batches[0]
    level = params.pop("level")
    assert level == 7 and found.params == params
    assert (found.timestamp_type, found.last_offset) == (1, 1099)
    record = kcodec.decode(batch, skip_control=False)[0]
    assert (record.control_type, record.timestamp) == ("COMMIT", 1_700_000_000_001)
    assert list(kcodec.decode(batch)) == []


def test_columns_may_be_of_any_width() -> None:
    data = b"keyvalue" * 3
    numbers = {
        "timestamps": [5, 6, 7],
        "offsets": [50, 52, 54],
        "key_pos": [0, 8, 16],
        "key_len": [3, -1, 0],
        "value_pos": [3, 11, 19],
        "value_len": [5, 0, 5],
    }
    want: list[tuple[Any, ...]] = [
        (50, 5, b"key", b"value", []),
        (52, 6, None, b"", []),
        (54, 7, b"", b"value", []),
    ]
    for widths in ("qqqqqq", "liHhIi", "hhhhhh"):
        columns: Any = {
            name: array.array(width, column)
            for width, (name, column) in zip(widths, numbers.items(), strict=True)
        }
        assert fields(kcodec.encode_columns(data, base_offset=50, **columns)) == want
    strided: Any = {
        name: memoryview(array.array("q", [n for number in column for n in (number, 99)]))[::2]
        for name, column in numbers.items()
    }
    assert fields(kcodec.encode_columns(data, base_offset=50, **strided)) == want


def test_columns_that_point_nowhere_are_refused() -> None:
    def column(*numbers: int) -> Any:
        return array.array("q", numbers)

    good: Any = {"timestamps": column(1), "value_pos": column(0), "value_len": column(4)}
    assert fields(kcodec.encode_columns(b"data", **good)) == [(0, 1, None, b"data", [])]
    bad: list[dict[str, Any]] = [
        {"value_len": column(5)},
        {"value_len": column(-2)},
        {"value_pos": column(-1)},
        {"value_pos": column(1 << 32)},
        {"value_pos": column(0, 0)},
        {"timestamps": column()},
        {"key_pos": column(0)},
        {"key_pos": column(0), "key_len": column(5)},
    ]
    for changed in bad:
        with pytest.raises(kcodec.ArgumentError):
            kcodec.encode_columns(b"data", **(good | changed))
    for wrong in (array.array("d", [1.0]), memoryview(b"1"), [1]):
        with pytest.raises(TypeError):
            kcodec.encode_columns(b"data", **(good | {"timestamps": wrong}))
    for table, headers in ((b"x" * 39, None), (b"", b"x" * 15)):
        with pytest.raises(kcodec.ArgumentError):
            kcodec.encode_table(b"", table, headers)
    with pytest.raises(kcodec.ArgumentError):
        kcodec.encode_table(b"", b"\1" * 40)


def test_the_builder_fills_up() -> None:
    builder = kcodec.BatchBuilder(batch_size=200)
    assert (len(builder), builder.size(), builder.magic) == (0, 61, 2)
    # The first one is taken whatever its size.
    big = kcodec.BatchBuilder(batch_size=1).append(0, 1, None, b"v" * 100, [])
    assert big is not None and (big.offset, big.size, big.timestamp, big.crc) == (0, 109, 1, None)
    taken = 0
    while builder.append(taken, taken, b"k", b"v" * 20, []):
        taken += 1
    size = builder.size_in_bytes(taken, taken, b"k", b"v" * 20, [])
    assert builder.size() <= 200 < builder.size() + size
    assert builder.append(taken, taken, b"k", b"", []) is not None
    batch = builder.build()
    assert isinstance(batch, bytearray) and len(fields(batch)) == taken + 1
    assert (len(builder), builder.size()) == (0, 61)
    assert builder.append(0, 9, None, b"next", []) is not None
    assert fields(builder.build()) == [(0, 9, None, b"next", [])]


def test_the_builder_takes_its_producer_late() -> None:
    builder = kcodec.BatchBuilder(2, 3, 0, -1, -1, -1, 1000)
    builder.append(0, 1, b"k", b"v", HEADERS)
    builder.set_producer_state(7, 2, 30, True)
    assert (builder.producer_id, builder.producer_epoch, builder.base_sequence) == (7, 2, 30)
    found = kcodec.decode(builder.build())
    row = found.batches[0]
    assert (row.producer_id, row.producer_epoch, row.base_sequence) == (7, 2, 30)
    assert row.is_transactional and row.codec == kcodec.Codec.LZ4
    assert plain(found[0]).value == b"v"
    with pytest.raises(kcodec.UnsupportedError):
        kcodec.BatchBuilder(1).set_producer_state(7, 2, 30)


def test_the_builder_counts_offsets_and_takes_the_time() -> None:
    builder = kcodec.BatchBuilder()
    with pytest.raises(kcodec.ArgumentError):
        builder.append(1, 1, None, None)
    before = int(time.time() * 1000)
    metadata = builder.append(0, None, None, None)
    assert metadata is not None
    assert before <= metadata.timestamp <= int(time.time() * 1000)


@pytest.mark.parametrize("magic", [0, 1])
def test_the_builder_writes_messages(magic: int) -> None:
    builder = kcodec.BatchBuilder(magic, batch_size=100)
    first = builder.append(0, 5, b"k", b"v")
    assert first is not None and first.size == builder.size() == (28, 36)[magic]
    assert fields(builder.build()) == [(0, (-1, 5)[magic], b"k", b"v", [])]


def test_restamping() -> None:
    batch = bytearray(kcodec.encode([(5, b"k", b"v"), (6, b"k", b"v")], codec="snappy"))
    records_before = bytes(batch[61:])
    kcodec.validate_produce(batch)
    kcodec.assign_offsets(batch, 4711, 3)
    assert [(row[0], row[1]) for row in fields(batch)] == [(4711, 5), (4712, 6)]
    assert kcodec.scan(batch).batches[0].leader_epoch == 3
    kcodec.set_log_append_time(batch, 99)
    assert [row[1] for row in fields(batch)] == [99, 99]
    kcodec.set_create_time(memoryview(batch), 6)
    assert [row[1] for row in fields(batch)] == [5, 6]
    assert bytes(batch[61:]) == records_before
    batch[17] ^= 1
    with pytest.raises(kcodec.MalformedError):
        kcodec.validate(batch, "crc")
    kcodec.validate(batch, "frame")
    kcodec.refresh_crc(batch)
    kcodec.validate(batch)
    with pytest.raises(ValueError, match="level"):
        kcodec.validate(batch, "deep")  # type: ignore[arg-type]


def test_tails() -> None:
    batch = kcodec.encode([(1, b"k", b"v")])
    tails = {
        b"": kcodec.Tail("none", None, None),
        batch[:11]: kcodec.Tail("partial", None, None),
        batch[:-1]: kcodec.Tail("partial", len(batch), None),
        bytes(12): kcodec.Tail("zeros", None, None),
    }
    for tail, want in tails.items():
        records = kcodec.decode(batch + tail)
        assert (records.tail, records.consumed, len(records)) == (want, len(batch), 1)
    records = kcodec.decode(batch + b"\1" * 8 + b"\0" * 20, keep_going=True)
    assert records.tail.kind == "corrupt" and records.tail.error is not None
    assert (records.tail.error.code, len(records)) == (kcodec.ErrorCode.BATCH_LENGTH, 1)


def test_header_keys_that_are_no_text() -> None:
    keys: Any = [(b"\xff\xfe", b"v"), ("\u00e9", None)]
    batch = kcodec.encode([(1, None, None, keys)])
    headers: Any = fields(batch)[0][4]
    assert headers == [("\udcff\udcfe", b"v"), ("\u00e9", None)]
    assert kcodec.encode([(1, None, None, headers)]) == batch
    with pytest.raises(kcodec.MalformedError) as caught:
        kcodec.decode(batch, check_utf8=True)
    assert caught.value.code == kcodec.ErrorCode.HEADER_KEY_UTF8
    with pytest.raises((UnicodeEncodeError, TypeError)):
        kcodec.encode([(1, None, None, [("\ud800", b"")])])


def test_hashes() -> None:
    """The values of Kafka's own tests, and of the definition of the checksum."""
    hashes = {
        b"21": -973932308,
        b"foobar": -790332482,
        b"a-little-bit-long-string": -985981536,
        b"a-little-bit-longer-string": -1486304829,
        b"abc": 479470107,
    }
    for key, value in hashes.items():
        assert kcodec.murmur2(key) == value
    assert kcodec.crc32c(b"123456789") == 0xE3069283
    assert kcodec.crc32c(bytes(100_000), kcodec.crc32c(b"")) == kcodec.crc32c(bytes(100_000))


@pytest.mark.parametrize("codec", list(kcodec.Codec))
def test_codecs_by_number_name_and_member(codec: kcodec.Codec) -> None:
    name: Any = codec.name.lower()
    packed = kcodec.compress(b"abc" * 100, codec)
    assert (
        packed == kcodec.compress(b"abc" * 100, name) == kcodec.compress(b"abc" * 100, int(codec))
    )
    assert kcodec.decompress(packed, codec) == b"abc" * 100
