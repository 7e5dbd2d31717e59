"""The shared test data, and a reading of record sets in which all forms of the result must agree."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import kcodec

VECTORS = Path(__file__).parents[3] / "vectors"
LIMIT = 16 << 20
"""What the bombs are to be stopped at."""
LIMITS = kcodec.Limits(max_batch_bytes=LIMIT, max_total_bytes=LIMIT)


def load(name: str) -> Any:
    """A JSON file of the shared data."""
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def load_lines(path: Path) -> list[Any]:
    """The objects of a file with one on each line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Plain(NamedTuple):
    """A record, copied."""

    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[bytes, bytes | None]]


class PlainBatch(NamedTuple):
    """A batch with its records, or with what is wrong with it."""

    row: kcodec.Batch
    records: list[Plain]

    @property
    def error(self) -> kcodec.KcodecError | None:
        return self.row.error


class Read(NamedTuple):
    """Everything that reading a record set gives."""

    batches: list[PlainBatch]
    consumed: int
    tail: kcodec.Tail

    @property
    def data(self) -> list[Plain]:
        """The records that an application may see."""
        return [
            record for batch in self.batches if not batch.row.is_control for record in batch.records
        ]

    @property
    def faults(self) -> list[kcodec.KcodecError]:
        """All faults in order, that of the tail last."""
        found = [*(batch.error for batch in self.batches), self.tail.error]
        return [error for error in found if error is not None]


def utf8(text: str) -> bytes:
    """The bytes of a header's key."""
    return text.encode("utf-8", "surrogateescape")


def plain(record: kcodec.Record) -> Plain:
    """The copy of a record, whose views must show the same."""
    for view, copy in ((record.key_view, record.key), (record.value_view, record.value)):
        assert (None if view is None else bytes(view)) == copy
    headers = [(utf8(key), value) for key, value in record.headers]
    return Plain(record.offset, record.timestamp, record.key, record.value, headers)


def read_all_forms(
    buf: bytes, *, verify_crc: bool = True, limits: kcodec.Limits | None = None
) -> Read:
    """Reads by records, by batches and by columns, with and without control records."""
    records = kcodec.decode(
        buf, verify_crc=verify_crc, keep_going=True, skip_control=False, limits=limits
    )
    batches = [PlainBatch(batch, [plain(record) for record in batch]) for batch in records.batches]
    every = [record for batch in batches for record in batch.records]
    assert [plain(record) for record in records] == every
    assert [plain(records[i]) for i in range(-len(records), 0)] == every
    assert by_columns(records) == every
    errors = [batch.error.args for batch in batches if batch.error]
    assert errors == [fault.args for fault in records.faults]
    for batch in batches:
        assert (
            batch.row.raw
            == buf[batch.row.position :][: batch.row.size]
            == bytes(batch.row.raw_view)
        )
        assert len(batch.row) == len(batch.records)
        assert not (batch.error and batch.records)
    read = Read(batches, records.consumed, records.tail)

    shown = kcodec.decode(buf, verify_crc=verify_crc, keep_going=True, limits=limits)
    if not any(batch.error for batch in batches if batch.row.is_control):
        assert [plain(record) for record in shown] == read.data
    assert_first_fault(buf, read, verify_crc, limits)
    return read


def by_columns(records: kcodec.Records) -> list[Plain]:
    """The records put together from the columns and segments."""
    found: list[Plain] = []
    segments = records.segments
    columns = list(
        zip(
            records.offsets,
            records.timestamps,
            records.key_pos,
            records.key_len,
            records.value_pos,
            records.value_len,
            records.first_header,
            records.header_count,
            strict=True,
        )
    )
    headers = list(
        zip(
            records.header_key_pos,
            records.header_key_len,
            records.header_value_pos,
            records.header_value_len,
            strict=True,
        )
    )
    for batch in records.batches:
        segment = segments[batch.segment]

        def field(pos: int, size: int, segment: memoryview = segment) -> bytes | None:
            return None if size < 0 else bytes(segment[pos : pos + size])

        for offset, timestamp, key_pos, key_len, value_pos, value_len, first, count in columns[
            batch.rows
        ]:
            pairs = [
                (field(pos, size) or b"", field(pos2, size2))
                for pos, size, pos2, size2 in headers[first : first + count]
            ]
            key, value = field(key_pos, key_len), field(value_pos, value_len)
            found.append(Plain(offset, timestamp, key, value, pairs))
    return found


def assert_first_fault(
    buf: bytes, read: Read, verify_crc: bool, limits: kcodec.Limits | None
) -> None:
    """Without ``keep_going`` the first fault is raised."""
    try:
        kcodec.decode(buf, verify_crc=verify_crc, skip_control=False, limits=limits)
    except kcodec.KcodecError as error:
        assert error.args == read.faults[0].args
        assert type(error) is type(read.faults[0])
    else:
        assert read.faults == []
