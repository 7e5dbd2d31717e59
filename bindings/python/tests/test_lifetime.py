"""Buffers are held while they are used, and nothing reads memory that was let go of."""

import gc
import mmap
import operator
import sys
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kcodec
import pytest

ROWS = [(i, b"key-%d" % i, b"value-%d" % i, [("h", b"%d" % i)]) for i in range(10)]
PLAIN = kcodec.encode(ROWS)
PACKED = kcodec.encode(ROWS, codec="zstd")

PROPERTIES = sorted(
    name
    for name, member in vars(kcodec.Records).items()
    if type(member).__name__ == "getset_descriptor" and name not in ("closed", "__weakref__")
)


def test_every_property_is_looked_at() -> None:
    assert {"offsets", "batches", "segments", "tail", "next_offset"} < set(PROPERTIES)
    assert len(PROPERTIES) == 21


@pytest.mark.parametrize("name", PROPERTIES)
@pytest.mark.parametrize("batch", [PLAIN, PACKED], ids=["plain", "packed"])
def test_a_closed_result_raises(batch: bytes, name: str) -> None:
    records = kcodec.decode(batch)
    getattr(records, name)
    records.close()
    with pytest.raises(ValueError, match="closed"):
        getattr(records, name)


@pytest.mark.parametrize(
    "access",
    [len, iter, list, operator.itemgetter(0), kcodec.Records.to_numpy, kcodec.Records.__enter__],
)
def test_a_closed_result_raises_by_any_other_way(access: Callable[[Any], object]) -> None:
    records = kcodec.decode(PLAIN)
    records.close()
    with pytest.raises(ValueError, match="closed"):
        access(records)


@pytest.mark.parametrize("batch", [PLAIN, PACKED], ids=["plain", "packed"])
def test_what_a_closed_result_gave_raises(batch: bytes) -> None:
    records = kcodec.decode(batch)
    record, iterator, header = records[3], iter(records), records.batches[0]
    assert next(iterator).offset == 0
    records.close()
    for name in ("key", "value", "key_view", "value_view", "headers", "batch", "control_type"):
        with pytest.raises(ValueError, match="closed"):
            getattr(record, name)
    for access in (
        lambda: next(iterator),
        lambda: iter(header),
        lambda: header.raw,
        lambda: header.raw_view,
    ):
        with pytest.raises(ValueError, match="closed"):
            access()
    # Numbers were copied.
    assert (record.offset, record.timestamp, header.base_offset) == (3, 3, 0)
    assert "closed" in repr(records) and "closed" in repr(record)


def test_with_closes() -> None:
    with kcodec.decode(PLAIN) as records:
        assert not records.closed
    assert records.closed
    records.close()
    with pytest.raises(RuntimeError, match="mine"), kcodec.decode(PLAIN) as records:
        raise RuntimeError("mine")
    assert records.closed


def test_the_buffer_is_held_until_the_result_is_closed() -> None:
    buf = bytearray(PLAIN)
    records = kcodec.decode(buf)
    with pytest.raises(BufferError):
        buf.append(0)
    records.close()
    buf.append(0)
    assert len(buf) == len(PLAIN) + 1


def test_the_buffer_is_held_until_the_result_is_gone() -> None:
    buf = bytearray(PLAIN)
    records: kcodec.Records | None = kcodec.decode(buf)
    assert records is not None
    record: kcodec.Record | None = records[0]
    records = None
    gc.collect()
    with pytest.raises(BufferError):
        buf.append(0)
    assert record is not None and record.value == b"value-0"
    record = None
    gc.collect()
    buf.append(0)


def test_a_call_that_fails_lets_go() -> None:
    for call in (kcodec.decode, kcodec.validate, kcodec.refresh_crc):
        buf = bytearray(b"\xff" * 30)
        with pytest.raises(kcodec.KcodecError):
            call(buf)
        buf.append(0)


def test_views_into_the_callers_buffer_are_not_copies() -> None:
    buf = bytearray(PLAIN)
    records = kcodec.decode(buf)
    view = records[0].value_view
    assert view is not None and view.obj is buf and bytes(view) == b"value-0"
    at = buf.index(b"value-0")
    buf[at : at + 5] = b"VALUE"
    assert bytes(view) == b"VALUE-0" == records[0].value
    # A view that outlives the result holds the buffer by itself.
    records.close()
    with pytest.raises(BufferError):
        buf.append(0)
    assert bytes(view) == b"VALUE-0"
    view.release()
    buf.append(0)


@pytest.mark.parametrize("batch", [PLAIN, PACKED], ids=["plain", "packed"])
def test_views_outlive_a_closed_result(batch: bytes) -> None:
    records = kcodec.decode(batch)
    offsets, table, value = records.offsets, records.record_table, records[9].value_view
    segment = records.segments[-1]
    pos, size = records.value_pos[9], records.value_len[9]
    records.close()
    del records
    # What was let go of is taken up again and overwritten by other results.
    others = [
        kcodec.decode(kcodec.encode([(7, b"x" * 500, b"y" * 500)] * 50, codec="lz4"))
        for _ in range(9)
    ]
    gc.collect()
    assert offsets.tolist() == list(range(10))
    assert value is not None and bytes(value) == b"value-9" == bytes(segment[pos : pos + size])
    assert table.nbytes == 10 * 40
    assert [len(other) for other in others] == [50] * 9


def test_columns_are_read_only_windows() -> None:
    column = kcodec.decode(PLAIN).offsets
    assert (column.readonly, column.format, column.itemsize, column.strides) == (
        True,
        "q",
        8,
        (40,),
    )
    with pytest.raises(TypeError):
        column[0] = 1
    keys = kcodec.decode(PLAIN).key_len
    assert (keys.format, keys.itemsize, keys[2:4].tolist()) == ("i", 4, [5, 5])
    empty = kcodec.decode(b"")
    assert (empty.offsets.tolist(), empty.record_table.nbytes, list(empty)) == ([], 0, [])


def test_a_mapped_file_can_be_closed_once_the_result_is(tmp_path: Path) -> None:
    path = tmp_path / "segment.log"
    path.write_bytes(PLAIN)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        records = kcodec.decode(mapped)
        with pytest.raises(BufferError):
            mapped.close()
        assert records[5].value == b"value-5"
        records.close()


def test_results_can_be_referred_to_weakly() -> None:
    records = kcodec.decode(PLAIN)
    reference = weakref.ref(records)
    iterator = iter(records)
    del records
    gc.collect()
    assert reference() is not None and next(iterator).key == b"key-0"
    del iterator
    gc.collect()
    assert reference() is None


def test_reference_counts_stay() -> None:
    buf = bytes(PLAIN)
    before = sys.getrefcount(buf)
    for _ in range(100):
        with kcodec.decode(buf) as records:
            for record in records:
                assert record.key_view is not None
                record.headers  # noqa: B018
            records.offsets  # noqa: B018
        with pytest.raises(kcodec.KcodecError):
            kcodec.decode(b"\xff" + buf[1:-1] + b"\xff")
    assert sys.getrefcount(buf) == before


@pytest.mark.parametrize(
    "buf",
    [
        PLAIN,
        bytearray(PLAIN),
        memoryview(PLAIN),
        memoryview(b"\0" + PLAIN + b"\0")[1:-1],
        memoryview(bytearray(PLAIN)).cast("b"),
    ],
    ids=["bytes", "bytearray", "memoryview", "slice", "signed"],
)
def test_anything_with_bytes_can_be_decoded(buf: bytes) -> None:
    records = kcodec.decode(buf)
    view = records[1].value_view
    assert view is not None and (view.format, bytes(view)) == ("B", b"value-1")
    assert kcodec.crc32c(buf) == kcodec.crc32c(PLAIN)


def test_what_is_no_contiguous_buffer_is_refused() -> None:
    with pytest.raises(BufferError):
        kcodec.decode(memoryview(PLAIN)[::2])
    for bad in ("text", 7, None, [1]):
        with pytest.raises(TypeError):
            kcodec.decode(bad)  # type: ignore[arg-type]
    with pytest.raises(BufferError, match="read-only"):
        kcodec.refresh_crc(PLAIN)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no way to see the memory in use")
def test_memory_stays_flat() -> None:
    """Good and failing calls give back what they take."""
    bad = bytearray(PACKED)
    bad[-1] ^= 1

    def work(times: int) -> None:
        for _ in range(times):
            with pytest.raises(kcodec.MalformedError):
                kcodec.decode(bad)
            records = kcodec.decode(PACKED)
            for record in records:
                assert record.value_view is not None
            kcodec.encode(records, codec="gzip")

    def resident() -> int:
        gc.collect()
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    work(2_000)
    before = resident()
    work(10_000)
    assert resident() - before < 4 << 20
