"""What type checkers have to make of programs that use the package. Checked, and run by a test."""

from typing import TYPE_CHECKING, assert_type

import kcodec

if TYPE_CHECKING:
    from kcodec._numpy import Tables


def decoding(buf: bytearray) -> None:
    with kcodec.decode(buf, limits=kcodec.Limits(max_records=10_000)) as records:
        for record in records:
            assert_type(record.offset, int)
            assert_type(record.timestamp, int)
            assert_type(record.key, bytes | None)
            assert_type(record.value_view, memoryview | None)
            assert_type(record.headers, list[tuple[str, bytes | None]])
        assert_type(records.offsets, memoryview)
        assert_type(records.tail, kcodec.Tail)
        for batch in records.batches:
            assert_type(batch, kcodec.Batch)
            assert_type(batch.error, kcodec.KcodecError | None)
            assert_type(next(iter(batch)), kcodec.Record)
            columns = records.key_pos[batch.rows]
            assert columns.nbytes == 4 * len(batch)


def numbers(buf: memoryview) -> "Tables":
    return kcodec.decode(buf).to_numpy()


def encoding() -> bytes:
    params: kcodec.BatchParams = {"codec": kcodec.Codec.ZSTD, "level": 5}
    first = kcodec.encode([(1, b"key", b"value"), (2, None, None, [("a", b"b")])], **params)
    second = kcodec.encode(kcodec.decode(first), codec="lz4", base_offset=10)
    assert_type(second, bytes)
    builder = kcodec.BatchBuilder(compression_type="gzip", batch_size=16384)
    metadata = builder.append(0, 1_700_000_000_000, b"key", memoryview(b"value"), [])
    if metadata is not None:
        assert_type(metadata.size, int)
    batch = builder.build()
    assert_type(batch, bytearray)
    kcodec.assign_offsets(batch, 100)
    return first + second + batch


def failing(buf: bytes) -> int | None:
    try:
        kcodec.validate(buf, "crc")
    except kcodec.LimitError:
        return None
    except kcodec.KcodecError as error:
        assert_type(error.code, kcodec.ErrorCode)
        return error.next_offset
    return kcodec.murmur2(b"key")


def main() -> None:
    buf = encoding()
    decoding(bytearray(buf))
    assert len(numbers(memoryview(buf)).records) == 5
    failing(buf)
