"""Segments that real brokers wrote, against what Kafka's own classes read in them."""

import base64
from collections import Counter
from pathlib import Path
from typing import Any

import kcodec
import pytest
from shared import VECTORS, PlainBatch, load_lines, read_all_forms

EXPECTED = sorted((VECTORS / "segments").glob("*.expected.jsonl"))
TIMESTAMP_TYPES = {None: "NoTimestampType", 0: "CreateTime", 1: "LogAppendTime"}


def test_all_segments_are_there() -> None:
    assert len(EXPECTED) >= 56


@pytest.mark.parametrize(
    "path", EXPECTED, ids=lambda path: path.name.removesuffix(".expected.jsonl")
)
def test_segment_reads_as_kafka_reads_it(path: Path, counted: Counter[str]) -> None:
    buf = path.with_name(path.name.removesuffix(".expected.jsonl")).read_bytes()
    got = read_all_forms(buf)
    *want_batches, end = load_lines(path)
    assert [describe(batch) for batch in got.batches] == want_batches
    assert end == {"end": got.consumed, "file_size": len(buf), "tail": got.tail.kind}
    counted["segments"] += 1
    counted["records in segments"] += sum(len(batch.records) for batch in got.batches)


def describe(batch: PlainBatch) -> dict[str, Any]:
    """A batch as the expected files have it."""
    row = batch.row
    assert batch.error is None
    v2 = row.magic == 2
    described: dict[str, Any] = {
        "position": row.position,
        "size": row.size,
        "magic": row.magic,
        "codec": kcodec.Codec(row.codec).name.lower(),
        "base_offset": row.base_offset if v2 else batch.records[0].offset,
        "last_offset": row.last_offset,
        "next_offset": row.next_offset,
        "declared_count": row.declared_count if v2 else None,
        "crc": row.crc,
        "crc_ok": row.crc_verified,
        "timestamp_type": TIMESTAMP_TYPES[row.timestamp_type],
        "max_timestamp": row.max_timestamp,
    }
    if v2:
        described |= {
            "base_timestamp": row.base_timestamp,
            "leader_epoch": row.leader_epoch,
            "producer_id": row.producer_id,
            "producer_epoch": row.producer_epoch,
            "base_sequence": row.base_sequence,
            "last_sequence": row.last_sequence,
            "transactional": row.is_transactional,
            "control": row.is_control,
            "delete_horizon": row.delete_horizon,
        }
    return described | {"records": [describe_record(record) for record in row]}


def describe_record(record: kcodec.Record) -> dict[str, Any]:
    def text(field: bytes | None) -> str | None:
        return None if field is None else base64.b64encode(field).decode()

    described: dict[str, Any] = {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key_base64": text(record.key),
        "value_base64": text(record.value),
        "headers": [{"key": key, "value_base64": text(value)} for key, value in record.headers],
    }
    if record.control_type is not None:
        described["control_type"] = record.control_type
    return described


def test_committed_records_only() -> None:
    """A transaction that its marker ends in an abort is left out, whether or not markers are decoded."""
    buf = (VECTORS / "segments" / "java_txn-15.log").read_bytes()
    for records in (kcodec.decode(buf), kcodec.decode(buf, skip_control=False)):
        seen, dropped = kcodec.CommittedFilter([(17, 1)]), kcodec.CommittedFilter([])
        delivered = [seen.delivers(batch) for batch in records.batches]
        data = [not batch.is_control for batch in records.batches]
        assert delivered != data and [dropped.delivers(batch) for batch in records.batches] == data
        aborted = [
            b
            for b, kept, is_data in zip(records.batches, delivered, data, strict=True)
            if is_data and not kept
        ]
        assert aborted and all(b.producer_id == 1 and b.is_transactional for b in aborted)
        # The first marker of that producer ends it.
        after = next(
            b for b in records.batches if b.is_control and b.producer_id == 1 and b.base_offset > 17
        )
        assert max(b.base_offset for b in aborted) < after.base_offset
