"""What is encoded decodes to itself, whatever it is."""

from typing import Any

import kcodec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shared import Plain, plain, utf8

I64 = st.integers(-(2**63), 2**63 - 1)
FIELD = st.none() | st.binary(max_size=40)
# Surrogates that stand for bytes come back, all others are no text.
KEY = st.binary(max_size=10).map(lambda key: key.decode("utf-8", "surrogateescape"))
HEADERS = st.lists(st.tuples(KEY, FIELD), max_size=3)
CODEC = st.sampled_from(["none", "gzip", "snappy", "lz4", "zstd"])
RECORDS = st.lists(st.tuples(I64, FIELD, FIELD, HEADERS), max_size=20)

settings.register_profile("quick", deadline=None, max_examples=150)
settings.load_profile("quick")


def decoded(batch: bytes) -> list[Plain]:
    with kcodec.decode(batch, skip_control=False) as records:
        return [plain(record) for record in records]


@given(RECORDS, CODEC, st.integers(0, 2**62))
def test_records_come_back(records: list[Any], codec: Any, base_offset: int) -> None:
    batch = kcodec.encode(records, codec=codec, base_offset=base_offset)
    want = [
        Plain(base_offset + i, timestamp, key, value, [(utf8(name), v) for name, v in headers])
        for i, (timestamp, key, value, headers) in enumerate(records)
    ]
    # Deltas wrap, so that any two timestamps can stand in one batch.
    assert decoded(batch) == want
    kcodec.validate(batch)


@given(RECORDS, CODEC)
def test_all_ways_to_encode_give_the_same_bytes(records: list[Any], codec: Any) -> None:
    batch = kcodec.encode(records, codec=codec)
    with kcodec.decode(batch) as result:
        params = result.batches[0].params
        data = result.segments[result.batches[0].segment]
        assert kcodec.encode(result, **params) == batch
        assert kcodec.encode(result.batches[0], **params) == batch
        again = kcodec.encode_table(data, result.record_table, result.header_table, **params)
        assert again == batch
        columns = kcodec.encode_columns(
            data,
            offsets=result.offsets,
            timestamps=result.timestamps,
            key_pos=result.key_pos,
            key_len=result.key_len,
            value_pos=result.value_pos,
            value_len=result.value_len,
            **params,
        )
        bare = [record[:3] for record in records]
        assert columns == kcodec.encode(bare, codec=codec)
    builder = kcodec.BatchBuilder(2, codec, batch_size=1 << 30)
    for offset, (timestamp, key, value, headers) in enumerate(records):
        size = builder.size()
        metadata = builder.append(offset, timestamp, key, value, headers)
        assert metadata is not None
        assert (metadata.offset, metadata.timestamp) == (offset, timestamp)
        assert builder.size() - size == metadata.size
    assert bytes(builder.build()) == batch


@given(
    st.lists(st.tuples(st.integers(-1, 2**62), FIELD, FIELD), max_size=20),
    CODEC,
    st.sampled_from([0, 1]),
)
def test_messages_come_back(records: list[Any], codec: Any, magic: int) -> None:
    if codec == "zstd":
        with pytest.raises(kcodec.UnsupportedError):
            kcodec.encode(records, magic=magic, codec=codec)
        return
    batch = kcodec.encode(records, magic=magic, codec=codec)
    want = [
        Plain(i, -1 if magic == 0 else timestamp, key, value, [])
        for i, (timestamp, key, value) in enumerate(records)
    ]
    assert decoded(batch) == want


@given(st.binary(max_size=300), CODEC)
def test_codecs_give_back_what_they_were_given(data: bytes, codec: Any) -> None:
    packed = kcodec.compress(data, codec)
    assert kcodec.decompress(packed, codec) == data
    if len(data) > 1:
        with pytest.raises(kcodec.LimitError):
            kcodec.decompress(packed, codec, len(data) - 1)


@given(st.binary(max_size=120), st.integers(0, 119), st.integers(1, 255), CODEC)
def test_damage_raises_or_decodes(value: bytes, at: int, bits: int, codec: Any) -> None:
    """Any other outcome than these is a fault of the package."""
    batch = bytearray(kcodec.encode([(1, b"k", value, [("h", b"v")])] * 3, codec=codec))
    batch[at % len(batch)] ^= bits
    for verify_crc in (True, False):
        try:
            with kcodec.decode(batch, verify_crc=verify_crc) as records:
                for record in records:
                    plain(record)
        except kcodec.KcodecError as error:
            assert error.position <= 2**31


@given(st.binary(max_size=200))
def test_checksum_in_pieces(data: bytes) -> None:
    middle = len(data) // 2
    assert kcodec.crc32c(data[middle:], kcodec.crc32c(data[:middle])) == kcodec.crc32c(data)
