"""The exceptions: the core's numbers and names, one class a range, everything they carry."""

import pickle

import kcodec
import pytest
from kcodec import _kcodec, errors


def test_codes_are_those_of_the_core() -> None:
    core = {name: number for number, name, _ in _kcodec.error_kinds()}
    assert {code.name: code.value for code in kcodec.ErrorCode} == core


@pytest.mark.parametrize("code", kcodec.ErrorCode)
def test_class_follows_from_the_range(code: kcodec.ErrorCode) -> None:
    ranges: list[tuple[range, type[kcodec.KcodecError]]] = [
        (range(-99, 0), kcodec.ArgumentError),
        (range(-149, -99), kcodec.MalformedError),
        (range(-199, -149), kcodec.ProduceError),
        (range(-299, -199), kcodec.UnsupportedError),
        (range(-399, -299), kcodec.LimitError),
        (range(-499, -399), kcodec.CodecError),
        (range(-999, -899), kcodec.InternalError),
    ]
    assert [kind for numbers, kind in ranges if code in numbers] == [errors.class_of(code)]
    assert issubclass(errors.class_of(code), kcodec.KcodecError)


def test_a_damaged_stream_is_malformed_and_a_bad_argument_a_value_error() -> None:
    with pytest.raises(kcodec.MalformedError):
        kcodec.decompress(b"no gzip", "gzip")
    with pytest.raises(ValueError, match="INVALID_ARGUMENT"):
        kcodec.compress(b"", "gzip", 99)


def test_an_error_tells_where_and_what() -> None:
    good = kcodec.encode([(1, b"a", b"b")], base_offset=40)
    bad = bytearray(kcodec.encode([(1, b"a", b"c")], base_offset=41, codec="lz4"))
    bad[-1] ^= 1
    with pytest.raises(kcodec.MalformedError) as caught:
        kcodec.decode(good + bad)
    error = caught.value
    assert (error.code, error.name, int(error.code)) == (
        kcodec.ErrorCode.CRC_MISMATCH,
        "CRC_MISMATCH",
        -101,
    )
    assert (error.batch, error.record, error.position) == (1, None, len(good) + 17)
    assert (error.base_offset, error.next_offset, error.in_payload) == (41, 42, False)
    assert error.expected == int.from_bytes(bad[17:21], "big")
    assert error.actual == kcodec.crc32c(bad[21:])
    assert error.message == _kcodec.error_kinds()[7][2] + (
        f": expected {error.expected}, got {error.actual} (byte {error.position}, batch 1)"
    )
    assert str(error) == f"CRC_MISMATCH: {error.message}"


def test_an_error_in_a_payload_names_record_and_codec() -> None:
    inner = bytearray(kcodec.encode([(1, b"a", b"b"), (2, b"c", b"d")])[61:])
    inner[len(inner) // 2] = 1
    batch = bytearray(kcodec.encode([(1, b"a", b"b"), (2, b"c", b"d")], codec="zstd")[:61])
    batch += kcodec.compress(inner, "zstd")
    batch[8:12] = (len(batch) - 12).to_bytes(4, "big")
    kcodec.refresh_crc(batch)
    with pytest.raises(kcodec.MalformedError) as caught:
        kcodec.decode(batch)
    error = caught.value
    assert (error.codec, error.in_payload, error.record) == (kcodec.Codec.ZSTD, True, 1)


def test_errors_survive_pickling() -> None:
    with pytest.raises(kcodec.KcodecError) as caught:
        kcodec.decode(b"\xff" * 20)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is type(caught.value)
    assert (again.args, vars(again)) == (caught.value.args, vars(caught.value))


def test_keep_going_leaves_the_reason_with_the_batch() -> None:
    batches = [bytearray(kcodec.encode([(1, b"a", b"%d" % i)], base_offset=i)) for i in range(9)]
    batches[6][-1] ^= 1
    records = kcodec.decode(b"".join(batches), keep_going=True)
    errors_found = [batch.error for batch in records.batches]
    assert [error is None for error in errors_found] == [i != 6 for i in range(9)]
    assert [record.offset for record in records] == [0, 1, 2, 3, 4, 5, 7, 8]
    error = errors_found[6]
    assert error is not None and error.next_offset == records.batches[6].next_offset == 7


def test_limits_are_on_and_can_be_set() -> None:
    bomb = kcodec.encode([(0, None, b"\0" * 1_000_000)], codec="gzip")
    with pytest.raises(kcodec.LimitError) as caught:
        kcodec.decode(bomb, limits=kcodec.Limits(max_batch_bytes=4096))
    assert (caught.value.name, caught.value.expected) == ("LIMIT_BATCH_BYTES", 4096)
    with pytest.raises(kcodec.LimitError):
        kcodec.decode(bomb, limits=kcodec.Limits(max_total_bytes=4096))
    with pytest.raises(kcodec.LimitError):
        kcodec.validate(bomb, limits=kcodec.Limits(max_batch_bytes=4096))
    two = kcodec.encode([(0, None, b"", [("a", b"")])] * 2)
    for limits in (kcodec.Limits(max_records=1), kcodec.Limits(max_headers=1)):
        with pytest.raises(kcodec.LimitError):
            kcodec.decode(two, limits=limits)
    assert len(kcodec.decode(bomb, limits=kcodec.Limits())) == 1
    assert kcodec.DEFAULT_LIMITS.max_batch_bytes == 128 << 20
