"""The clients for Python: what they encode is decoded, and the other way round, with every codec."""

from collections import Counter
from typing import Any

import kcodec
import pytest

CODECS = list(kcodec.Codec)
TIME = 1_700_000_000_000
ROWS: list[tuple[int, int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]] = [
    (0, TIME, b"key", b"value", []),
    (1, TIME + 86_400_000 * 30, None, b"", [("a", b"1"), ("a", None), ("", b"")]),
    (2, TIME - 5, b"", None, []),
    *((i, TIME + i, b"key-%d" % i, b"a value that compresses " * 20, []) for i in range(3, 400)),
]


def aiokafka() -> tuple[Any, Any, Any]:
    module = pytest.importorskip(
        "aiokafka.record._crecords", reason="aiokafka has no extension here"
    )
    return module.MemoryRecords, module.DefaultRecordBatchBuilder, module.LegacyRecordBatchBuilder


def kafka_python() -> tuple[Any, Any, Any]:
    memory = pytest.importorskip("kafka.record.memory_records")
    default = pytest.importorskip("kafka.record.default_records")
    legacy = pytest.importorskip("kafka.record.legacy_records")
    return memory.MemoryRecords, default.DefaultRecordBatchBuilder, legacy.LegacyRecordBatchBuilder


CLIENTS = [aiokafka, kafka_python]


def batches(reader: Any, buf: bytes) -> list[Any]:
    records, found = reader(buf), []
    while (batch := records.next_batch()) is not None:
        found.append(batch)
    return found


def rows(records: Any) -> list[tuple[Any, ...]]:
    return [(r.offset, r.timestamp, r.key, r.value, list(r.headers)) for r in records]


def build(builder: Any) -> bytes:
    for row in ROWS:
        assert builder.append(*row) is not None
    return bytes(builder.build())


@pytest.mark.parametrize("codec", CODECS, ids=str)
@pytest.mark.parametrize("client", CLIENTS)
class TestRecordBatches:
    def test_we_read_theirs(self, client: Any, codec: kcodec.Codec, counted: Counter[str]) -> None:
        _, builder, _ = client()
        buf = build(builder(2, codec, 1, 4000, 3, 17, 1 << 20))
        records = kcodec.decode(buf)
        assert rows(records) == ROWS
        batch = records.batches[0]
        assert batch.codec == codec and batch.is_transactional
        assert (batch.producer_id, batch.producer_epoch, batch.base_sequence) == (4000, 3, 17)
        assert batch.max_timestamp == max(row[1] for row in ROWS)
        kcodec.validate_produce(buf)
        counted[f"batches of {client.__name__} read"] += 1

    def test_they_read_ours(self, client: Any, codec: kcodec.Codec, counted: Counter[str]) -> None:
        reader, _, _ = client()
        ours = [
            kcodec.encode(ROWS, codec=codec),
            build(kcodec.BatchBuilder(2, codec, batch_size=1 << 20)),
        ]
        assert ours[0] == ours[1]
        for buf in ours:
            (batch,) = batches(reader, buf)
            assert batch.validate_crc() and batch.compression_type == codec
            assert rows(batch) == ROWS
        counted[f"batches read by {client.__name__}"] += 1

    def test_restamped_batches_stay_right(self, client: Any, codec: kcodec.Codec) -> None:
        reader, builder, _ = client()
        buf = bytearray(build(builder(2, codec, 0, -1, -1, -1, 1 << 20)))
        kcodec.assign_offsets(buf, 1000, 5)
        kcodec.set_log_append_time(buf, 99)
        (batch,) = batches(reader, bytes(buf))
        assert batch.validate_crc() and batch.base_offset == 1000
        assert [(r.offset, r.timestamp) for r in batch] == [
            (1000 + i, 99) for i in range(len(ROWS))
        ]


MESSAGE_SETS = [
    (client, magic, codec)
    for client in CLIENTS
    for magic in (0, 1)
    for codec in CODECS
    if codec != kcodec.Codec.ZSTD
    # Which aiokafka refuses to read and to write.
    if (client, magic, codec) != (aiokafka, 0, kcodec.Codec.LZ4)
]


@pytest.mark.parametrize(("client", "magic", "codec"), MESSAGE_SETS)
class TestMessageSets:
    def test_we_read_theirs(
        self, client: Any, magic: int, codec: kcodec.Codec, counted: Counter[str]
    ) -> None:
        _, _, builder = client()
        built = builder(magic, codec, 1 << 20)
        for offset, timestamp, key, value, _ in ROWS:
            built.append(offset, timestamp, key, value)
        records = kcodec.decode(bytes(built.build()))
        assert rows(records) == self.want(magic)
        counted[f"message sets of {client.__name__} read"] += 1

    def test_they_read_ours(
        self, client: Any, magic: int, codec: kcodec.Codec, counted: Counter[str]
    ) -> None:
        reader, _, _ = client()
        bare: Any = [(*row[:4], []) for row in ROWS]
        buf = kcodec.encode(bare, magic=magic, codec=codec)
        found = [record for batch in batches(reader, buf) for record in batch]
        want = [
            (offset, None if magic == 0 else time, *rest)
            for offset, time, *rest in self.want(magic)
        ]
        assert rows(found) == want
        counted[f"message sets read by {client.__name__}"] += 1

    def want(self, magic: int) -> list[tuple[Any, ...]]:
        return [
            (offset, -1 if magic == 0 else timestamp, key, value, [])
            for offset, timestamp, key, value, _ in ROWS
        ]


@pytest.mark.parametrize("client", CLIENTS)
def test_builders_agree_on_sizes(client: Any) -> None:
    """Ours stands in for theirs: the same sizes, and full at the same record."""
    _, builder, _ = client()
    arguments = (2, 0, 0, -1, -1, -1, 3000)
    theirs, ours = builder(*arguments), kcodec.BatchBuilder(*arguments)
    for row in ROWS:
        assert theirs.size() == ours.size()
        one, other = theirs.append(*row), ours.append(*row)
        assert (one is None) == (other is None)
        if one is None or other is None:
            break
        assert (one.offset, one.size, one.timestamp) == (other.offset, other.size, other.timestamp)
    else:
        pytest.fail("the builders never filled up")
    theirs.set_producer_state(7, 2, 30, *([False] if client is kafka_python else []))
    ours.set_producer_state(7, 2, 30)
    built = theirs.build()
    # kafka-python and we leave the epoch, which the broker sets, at different values.
    kcodec.assign_offsets(built, 0)
    assert bytes(built) == bytes(ours.build())
