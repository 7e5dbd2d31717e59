"""Small inputs that broke other codecs, each with the right answer, and for a bad one the exact fault."""

from collections import Counter
from typing import Any

import kcodec
import pytest
from shared import LIMITS, VECTORS, Plain, Read, load, read_all_forms

CASES = load("cases/manifest.json")
RECORD_SETS = [case for case in CASES if case["input"] == "records"]
# Messages of the request protocol, which this package does not read.
OTHERS = {"fetch_response", "frame", "api_response", "produce_request"}
FAULTS = load("cases/faults.json")


def test_all_cases_are_known() -> None:
    assert len(RECORD_SETS) >= 90
    assert {case["input"] for case in CASES} == {"records"} | OTHERS


@pytest.mark.parametrize("case", RECORD_SETS, ids=lambda case: case["id"])
def test_case_has_the_right_answer(case: Any, counted: Counter[str]) -> None:
    name, expected = case["file"], case["expected"]
    buf = (VECTORS / "cases" / name).read_bytes()
    got = read_all_forms(buf, limits=LIMITS)
    unchecked = read_all_forms(buf, verify_crc=False, limits=LIMITS)
    match expected["outcome"]:
        case "records" | "partial" | "flagged" | "validate_reject":
            assert got.faults == []
            assert got.data == unchecked.data
            check_good(expected, got)
        case "reject" | "bomb" as outcome:
            check_bad(expected, FAULTS[name], got, unchecked)
            if outcome == "bomb":
                assert isinstance(got.faults[0], kcodec.LimitError)
        case other:
            pytest.fail(f"an outcome without a test: {other}")
    check_produce(expected, buf)
    counted["cases"] += 1


def check_good(expected: Any, got: Read) -> None:
    if "records" in expected:
        assert got.data == [plain(record) for record in expected["records"]]
    if got.batches and expected.get("next_offset") is not None:
        assert got.batches[-1].row.next_offset == expected["next_offset"]
    assert (got.tail.kind in ("partial", "zeros")) == (expected["outcome"] == "partial")
    for check, want in expected.get("check", {}).items():
        row = got.batches[0].row
        match check:
            case "control":
                control = (r for batch in got.batches if batch.row.is_control for r in batch.row)
                assert [[record.offset, record.control_type] for record in control] == want
            case "delete_horizon_ms":
                assert (row.delete_horizon, row.attributes & 0x40) == (want, 0x40)
            case "last_sequence":
                assert row.last_sequence == want
            case "offsets_assigned":
                assert (not row.offsets_unassigned) == want
            case "count":
                assert len(got.data) == want
            case other:
                pytest.fail(f"a check without a test: {other}")


def check_bad(expected: Any, want: Any, got: Read, unchecked: Read) -> None:
    fault = got.faults[0]
    assert describe(fault) == want
    if expected.get("records") is not None:
        wanted = [plain(record) for record in expected["records"]]
        assert got.data[: len(wanted)] == wanted
    else:
        assert len(got.faults) == 1 or not got.batches[0].error
    if fault.code == kcodec.ErrorCode.CRC_MISMATCH:
        assert [error.code for error in unchecked.faults[:1]] != [fault.code]
    else:
        assert [describe(error) for error in unchecked.faults] == [
            describe(error) for error in got.faults
        ]


def check_produce(expected: Any, buf: bytes) -> None:
    codes = {"offsets": "PRODUCE_OFFSETS", "max_timestamp": "PRODUCE_MAX_TIMESTAMP"}
    if expected["outcome"] == "validate_reject":
        with pytest.raises(kcodec.ProduceError) as caught:
            kcodec.validate_produce(buf, limits=LIMITS)
        assert caught.value.name == codes[expected["reason"]]
    elif expected["outcome"] == "reject":
        with pytest.raises(kcodec.KcodecError):
            kcodec.validate_produce(buf, limits=LIMITS)


def describe(error: kcodec.KcodecError) -> dict[str, object]:
    """A fault as ``faults.json`` has it."""
    return {
        "code": error.name,
        "number": int(error.code),
        "batch": error.batch,
        "record": error.record,
        "position": error.position,
        "in_payload": error.in_payload,
        "next_offset": error.next_offset,
    }


def plain(record: Any) -> Plain:
    def field(text: str | None) -> bytes | None:
        return None if text is None else bytes.fromhex(text)

    headers = [(bytes.fromhex(key), field(value)) for key, value in record["headers"]]
    return Plain(
        record["offset"], record["timestamp"], field(record["key"]), field(record["value"]), headers
    )


@pytest.mark.parametrize("case", RECORD_SETS, ids=lambda case: case["id"])
def test_validate_and_decode_agree(case: Any) -> None:
    buf = (VECTORS / "cases" / case["file"]).read_bytes()
    # A scan raises nothing; what it can know about a batch is what decoding knows.
    scanned = kcodec.scan(buf)
    decoded = kcodec.decode(buf, keep_going=True, limits=LIMITS)
    assert [batch.raw for batch in scanned.batches] == [batch.raw for batch in decoded.batches]
    assert (scanned.consumed, scanned.tail.kind) == (decoded.consumed, decoded.tail.kind)
    assert len(scanned) == 0
    try:
        kcodec.validate(buf, limits=LIMITS)
    except kcodec.KcodecError as error:
        faults = kcodec.decode(buf, keep_going=True, skip_control=False, limits=LIMITS)
        codes = [fault.code for fault in (*faults.faults, faults.tail.error) if fault]
        assert error.code == codes[0]
    else:
        # Only a call that keeps what it decompressed has a total to exceed.
        limits = kcodec.Limits(max_batch_bytes=LIMITS.max_batch_bytes)
        kcodec.decode(buf, skip_control=False, limits=limits)
