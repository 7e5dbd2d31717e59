"""The golden vectors of record sets: every one gives what its ``meaning`` says."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import kcodec
import pytest
from shared import LIMITS, Plain, Read, load, read_all_forms

VECTORS = load("golden.json")
BY_NAME = {vector["name"]: vector for vector in VECTORS}
RECORD_SETS = {"v0", "v1", "v2", "recordset", "convert"}
# Integers, index files, and messages of the request protocol: no part of this package.
OTHERS = set(
    "uvarint varint varlong index timeindex txnindex string uuid tagged req produce fetch api metadata "
    "init end add find list".split()
)
# Messages without their offset and size.
BARE = {"v0_sarama_snappy_message_body", "v1_zstd_wrapper_invalid"}
CODES = {
    "v2_control_wrong_crc_from_kafka_python": "CRC_MISMATCH",
    "v2_bad_crc": "CRC_MISMATCH",
    "v1_bad_crc": "CRC_MISMATCH",
    "v2_lz4_bad_header_checksum": "CODEC_CHECKSUM",
    "v2_lz4_no_endmark": "CODEC_TRUNCATED",
    "v2_count_too_high": "RECORD_COUNT",
    "v2_count_too_low": "TRAILING_BYTES",
    "v1_nested_compression_invalid": "INNER_COMPRESSED",
    "v1_wrapper_null_value_invalid": "WRAPPER_EMPTY",
    "v1_wrapper_empty_set_invalid": "WRAPPER_EMPTY",
}


def kind(vector: Any) -> str:
    return str(vector["name"].split("_")[0])


def test_all_vectors_are_known() -> None:
    assert {kind(vector) for vector in VECTORS} == RECORD_SETS | OTHERS


@pytest.mark.parametrize(
    "vector",
    [v for v in VECTORS if kind(v) in RECORD_SETS and v["name"] not in BARE],
    ids=lambda vector: vector["name"],
)
def test_vector_means_what_it_says(vector: Any, counted: Counter[str]) -> None:
    name, buf, meaning = vector["name"], bytes.fromhex(vector["hex"]), vector["meaning"]
    got = read_all_forms(buf, limits=LIMITS)
    if "error" not in meaning or name == "v2_count_offset_range_mismatch":
        assert got.faults == []
    for key, want in meaning.items():
        check_key(name, key, want, buf, got)
    counted["golden record sets"] += 1


@pytest.mark.parametrize("name", sorted(BARE))
def test_bare_message(name: str, counted: Counter[str]) -> None:
    body = bytes.fromhex(BY_NAME[name]["hex"])
    buf = (1).to_bytes(8, "big") + len(body).to_bytes(4, "big") + body
    got = read_all_forms(buf, limits=LIMITS)
    if name == "v1_zstd_wrapper_invalid":
        assert [error.name for error in got.faults] == ["CODEC_FOR_MAGIC"]
    else:
        inner = bytes.fromhex(BY_NAME[name]["meaning"]["inner"])
        assert got.data == read_all_forms(inner, limits=LIMITS).data
    counted["golden record sets"] += 1


def text(field: bytes | None) -> str | None:
    return None if field is None else field.decode("utf-8", "replace")


def number(key: bytes | None) -> int:
    """The type in the key of a control record."""
    return int.from_bytes((key or b"")[2:4], "big")


# Rows of the header by the names that the vectors have for them.
HEADER: dict[str, Callable[[kcodec.Batch], object]] = {
    "length": lambda row: row.size - 12,
    "size": lambda row: row.size - 12,
    "partitionLeaderEpoch": lambda row: row.leader_epoch,
    "magic": lambda row: row.magic,
    "crc": lambda row: f"{row.crc:08x}",
    "lastOffsetDelta": lambda row: row.last_offset_delta,
    "lastOffset": lambda row: row.last_offset,
    "nextOffset": lambda row: row.next_offset,
    "baseTimestamp": lambda row: row.base_timestamp,
    "maxTimestamp": lambda row: row.max_timestamp,
    "timestamp": lambda row: row.max_timestamp,
    "producerId": lambda row: row.producer_id,
    "producerEpoch": lambda row: row.producer_epoch,
    "baseSequence": lambda row: row.base_sequence,
    "lastSequence": lambda row: row.last_sequence,
    "recordsCount": lambda row: row.declared_count,
    "wrapper_offset": lambda row: row.base_offset,
    "timestampType": lambda row: [
        "CreateTime" if row.timestamp_type == 0 else "LogAppendTime",
        "None",
    ][row.timestamp_type is None],
}
NOTES = set(
    "note rule codec from firstOffset inner_relative hc uncompressed_sha coordinatorEpoch".split()
)


def check_key(name: str, key: str, want: Any, buf: bytes, got: Read) -> None:
    batches = got.batches
    records = [record for batch in batches for record in batch.records]
    if key in NOTES:
        return
    match key:
        case "complete_batches":
            assert (len(batches), got.tail.kind in ("partial", "zeros")) == (want, True)
            return
        case "trailing_bytes":
            assert len(buf) - got.consumed == want
            return
        case "magics":
            assert [batch.row.magic for batch in batches] == want
            return
        case "values":
            assert [text(record.value) for record in records] == want
            return
        case "timestamps":
            assert [record.timestamp for record in records] == want
            return
        case "inner_offsets_absolute" | "absolute" | "offsets":
            assert [record.offset for record in records] == want
            return
        case "error":
            check_error(name, buf, got)
            return
    row = batches[0].row
    match key:
        case "meaning" if want in ("COMMIT marker", "ABORT marker"):
            assert [record.control_type for record in row] == [want.split()[0]]
        case "meaning":
            assert row.delete_horizon is not None
        case "computed_crc":
            assert f"{got.faults[0].actual:08x}" == want
        case "records" if isinstance(want, str):
            check_ten_hellos(name, records)
        case "records":
            assert len(records) == len(want)
            for record, wanted in zip(records, want, strict=True):
                check_record(name, record, wanted, row)
        case "baseOffset" | "offset" if len(row) == 1 or row.magic == 2:
            assert row.base_offset == want
        case "crc_equal_to":
            assert buf[17:21] == bytes.fromhex(BY_NAME[want]["hex"])[17:21]
        case "attributes":
            bits = int(want.split()[0], 16) if isinstance(want, str) else want
            assert row.attributes == bits
        case "sequences":
            assert len(want) == len(records)
        case "uncompressed_len":
            assert row.codec != 0 or row.size - 61 == want
        case "type":
            assert number(records[0].key) == want
        case "key" if isinstance(want, dict):
            assert {"version": 0, "type": number(records[0].key)} == want
        case "value" if isinstance(want, dict) and "coordinatorEpoch" in want:
            epoch = int.from_bytes((records[0].value or b"")[2:6], "big")
            assert {"version": 0, "coordinatorEpoch": epoch} == want
        # The values of the other control records are messages of the protocol.
        case "value" if isinstance(want, dict):
            assert records[0].value is not None
        case "key":
            assert text(records[0].key) == want
        case "value":
            assert text(records[0].value) == want
        case "wrapper":
            shown = {
                "offset": row.base_offset,
                "attributes": row.attributes,
                "timestamp": row.max_timestamp,
            }
            assert {key: shown[key] for key in want} == want
        case _:
            assert HEADER[key](row) == want, key


def check_record(name: str, record: Plain, want: Any, row: kcodec.Batch) -> None:
    # Texts stand for themselves, except where the original has arbitrary bytes.
    as_hex = name.startswith("v2_sarama")

    def show(field: bytes | None) -> str | None:
        if field is None:
            return None
        return field.hex() if as_hex else field.decode()

    shown = {
        "offset": record.offset,
        "ts": record.timestamp,
        "timestamp": record.timestamp,
        "timestampDelta": record.timestamp - row.base_timestamp,
        "key": show(record.key),
        "value": show(record.value),
        "headers": [[show(key), show(value)] for key, value in record.headers],
    }
    assert {key: shown[key] for key in want} == want


def check_ten_hellos(name: str, records: list[Plain]) -> None:
    if name in ("v2_lz4_bad_header_checksum", "v2_lz4_no_endmark"):
        assert records == []
        return
    first = records[0].timestamp
    want = [Plain(i, first + i, b"key%02d" % i, b"hello hello hello", []) for i in range(10)]
    assert records == want


def check_error(name: str, buf: bytes, got: Read) -> None:
    """The rule that each bad vector breaks."""
    if name == "v2_count_offset_range_mismatch":
        # Legal in a fetch, refused in a produce request.
        batch = bytearray(buf)
        kcodec.assign_offsets(batch, 0)
        with pytest.raises(kcodec.ProduceError) as caught:
            kcodec.validate_produce(batch)
        assert caught.value.code == kcodec.ErrorCode.PRODUCE_OFFSETS
    else:
        assert [error.name for error in got.faults] == [CODES[name]]
