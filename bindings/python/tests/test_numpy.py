"""The tables as arrays of numpy, and what numpy makes of the columns."""

from typing import Any

import kcodec
import pytest

np = pytest.importorskip("numpy")

ROWS = [(i, b"k%d" % i, None if i % 3 else b"v" * i, [("h", b"1")] * (i % 2)) for i in range(100)]
BATCHES = kcodec.encode(ROWS) + kcodec.encode(ROWS, codec="gzip", base_offset=100)


def test_arrays_are_the_tables() -> None:
    records = kcodec.decode(BATCHES)
    tables = records.to_numpy()
    assert [len(table) for table in tables] == [2, 200, 100]
    assert [table.dtype.itemsize for table in tables] == [88, 40, 16]
    columns: dict[str, memoryview] = {
        "offset": records.offsets,
        "timestamp": records.timestamps,
        "key_pos": records.key_pos,
        "key_len": records.key_len,
        "value_pos": records.value_pos,
        "value_len": records.value_len,
        "first_header": records.first_header,
        "header_count": records.header_count,
    }
    assert set(tables.records.dtype.names or ()) == set(columns)
    for name, column in columns.items():
        array: Any = np.asarray(column)
        assert np.array_equal(array, tables.records[name])
        assert np.shares_memory(array, tables.records)
    assert tables.batches["record_count"].tolist() == [len(batch) for batch in records.batches]
    assert tables.batches["crc"].tolist() == [batch.crc for batch in records.batches]
    assert np.array_equal(np.asarray(records.header_value_pos), tables.headers["value_pos"])


def test_arrays_are_read_only_and_hold_what_they_show() -> None:
    records = kcodec.decode(BATCHES)
    tables = records.to_numpy()
    records.close()
    del records
    others = [kcodec.decode(kcodec.encode(ROWS[:n])) for n in range(1, 20)]
    assert len(others) == 19
    with pytest.raises(ValueError, match="read-only"):
        tables.records["offset"][0] = 1
    assert tables.records["offset"].tolist() == list(range(200))


def test_edited_rows_encode() -> None:
    records = kcodec.decode(BATCHES)
    batch = records.batches[1]
    tables = records.to_numpy()
    kept: Any = tables.records[batch.rows].copy()
    kept = kept[kept["value_len"] >= 0]
    kept["timestamp"] += 1000
    params = batch.params
    params["codec"] = "none"
    again = kcodec.encode_table(records.segments[batch.segment], kept, tables.headers, **params)
    want = [
        (100 + i, 1000 + timestamp, key, value, headers)
        for i, (timestamp, key, value, headers) in enumerate(ROWS)
        if value is not None
    ]
    found = kcodec.decode(again)
    assert [(r.offset, r.timestamp, r.key, r.value, r.headers) for r in found] == want
    assert found.next_offset == 200


def test_columns_of_numpy_encode() -> None:
    count = 50
    data = b"x" * count
    batch = kcodec.encode_columns(
        data,
        timestamps=np.arange(count),
        value_pos=np.arange(count, dtype=np.uint32),
        value_len=np.ones(count, dtype=np.int16),
    )
    assert [(r.timestamp, r.key, r.value) for r in kcodec.decode(batch)] == [
        (i, None, b"x") for i in range(count)
    ]
    with pytest.raises(TypeError):
        swapped = np.arange(count).astype(">i8")
        kcodec.encode_columns(data, timestamps=swapped, value_pos=swapped, value_len=swapped)
