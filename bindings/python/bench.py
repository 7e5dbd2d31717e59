"""Times decoding and encoding beside the record code of aiokafka and kafka-python, in one run.

usage: python bench.py [--rounds N]

One batch of 10 000 records, keys of 8 bytes, values of 100. Every way first has to give the right answer.
Then all of them take turns, round after round, so that a busy moment of the machine hits all alike. The
figures are the median and the best of the rounds, in nanoseconds a record; a round's figure is the best of
one turn.
"""

import argparse
import gc
import platform
import statistics
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import Any, NamedTuple

import kcodec

COUNT = 10_000
RECORDS = [
    (1_700_000_000_000 + i, b"%08d" % i, (b'{"order":%06d}' % i * 7)[:100]) for i in range(COUNT)
]
HEADERS: list[tuple[str, bytes | None]] = []
ROWS = [(i, *record, HEADERS) for i, record in enumerate(RECORDS)]
BATCH = kcodec.encode(RECORDS)
LIMIT = 1 << 30
"""Of the builders: never reached."""
TURN = 20_000_000
"""Nanoseconds after which the next way is to run."""


class Way(NamedTuple):
    """One way to do the work, and what it has to give."""

    name: str
    run: Callable[[], object]
    answer: object


def read(records: Iterable[Any]) -> list[tuple[int, int, bytes | None, bytes | None]]:
    """All fields of all records, as a check of the loops below."""
    return [(r.offset, r.timestamp, r.key, r.value) for r in records]


def touch(records: Iterable[Any]) -> None:
    """Reads four fields of each record."""
    for record in records:
        record.offset  # noqa: B018
        record.timestamp  # noqa: B018
        record.key  # noqa: B018
        record.value  # noqa: B018


def decoders() -> Iterable[tuple[str, list[Way]]]:
    """Ways to decode the batch, those that do the same work together."""
    want = [row[:4] for row in ROWS]
    peers = list(batch_readers())

    def ours(verify: bool) -> list[Way]:
        def columns() -> kcodec.Records:
            return kcodec.decode(BATCH, verify_crc=verify)

        def iterate() -> None:
            touch(kcodec.decode(BATCH, verify_crc=verify))

        with columns() as records:
            assert read(records) == want
            assert records.offsets.tolist() == [row[0] for row in ROWS]
            assert records.timestamps.tolist() == [row[1] for row in ROWS]
            spans = zip(records.value_pos, records.value_len, strict=True)
            assert [BATCH[pos : pos + size] for pos, size in spans] == [row[3] for row in ROWS]
        return [
            Way("kcodec, columns", columns, None),
            Way("kcodec, records, four fields read", iterate, None),
        ]

    def theirs(name: str, reader: Callable[[], Any], verify: bool) -> list[Way]:
        def batch() -> Any:
            batch = reader()
            assert not verify or batch.validate_crc()
            return batch

        def decode() -> None:
            for _ in batch():
                pass

        assert read(batch()) == want, name
        return [
            Way(f"{name}, records", decode, None),
            Way(f"{name}, records, four fields read", lambda: touch(batch()), None),
        ]

    for verify, title in ((True, "decode, checksum compared"), (False, "decode, not compared")):
        ways = ours(verify)
        for name, reader in peers:
            ways += theirs(name, reader, verify)
        yield title, ways


def batch_readers() -> Iterable[tuple[str, Callable[[], Any]]]:
    """The batch as the classes of the clients see it."""
    try:
        from aiokafka.record import memory_records as aiokafka

        # Without its extension it falls back to Python code, silently.
        assert "_crecords" in aiokafka.MemoryRecords.__module__, "aiokafka's extension is missing"
        yield "aiokafka", lambda: aiokafka.MemoryRecords(BATCH).next_batch()
    except ImportError:
        print("skipped: aiokafka is not installed")
    try:
        from kafka.record.memory_records import MemoryRecords

        yield "kafka-python", lambda: MemoryRecords(BATCH).next_batch()
    except ImportError:
        print("skipped: kafka-python is not installed")


def encoders() -> Iterable[tuple[str, list[Way]]]:
    """Ways to encode the batch; all give the same bytes."""
    columns = kcodec.decode(BATCH)
    given = {
        name: getattr(columns, name)
        for name in ("timestamps", "key_pos", "key_len", "value_pos", "value_len")
    }
    table = columns.record_table

    def built(make: Callable[[], Any]) -> Callable[[], object]:
        def build() -> object:
            builder = make()
            for offset, timestamp, key, value, headers in ROWS:
                builder.append(offset, timestamp, key, value, headers)
            return builder.build()

        return build

    ways = [
        Way("kcodec, table", lambda: kcodec.encode_table(BATCH, table), BATCH),
        Way("kcodec, columns", lambda: kcodec.encode_columns(BATCH, **given), BATCH),
        Way("kcodec, iterable of tuples", lambda: kcodec.encode(RECORDS), BATCH),
        Way("kcodec, BatchBuilder", built(lambda: kcodec.BatchBuilder(batch_size=LIMIT)), BATCH),
    ]
    for name, make in builders():
        ways.append(Way(f"{name}, builder", built(make), BATCH))
    yield "encode", ways


def builders() -> Iterable[tuple[str, Callable[[], Any]]]:
    """Makers of the clients' builders."""
    arguments = (2, 0, False, -1, -1, -1, LIMIT)
    try:
        from aiokafka.record.default_records import DefaultRecordBatchBuilder as Aiokafka

        assert "_crecords" in Aiokafka.__module__, "aiokafka's extension is missing"
        yield "aiokafka", lambda: Aiokafka(*arguments)
    except ImportError:
        pass
    try:
        from kafka.record.default_records import DefaultRecordBatchBuilder as KafkaPython

        yield "kafka-python", lambda: KafkaPython(*arguments)
    except ImportError:
        pass


def leader_epoch_aside(encoded: object) -> bytes:
    """The bytes of a batch, without the epoch that only a broker knows: clients differ in it."""
    batch = bytearray(encoded)  # type: ignore[call-overload]
    kcodec.assign_offsets(batch, 0)
    return bytes(batch)


def measure(ways: list[Way], rounds: int) -> list[list[float]]:
    """Times of each way in nanoseconds a record, one a round: the best of its turn."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, times, strict=True):
            taken.append(min(turn(way)) / COUNT)
    return times


def turn(way: Way) -> Iterable[int]:
    """Runs one way for a while. The first run also warms the caches, as reading from a socket does."""
    gc.collect()
    end = time.perf_counter_ns() + TURN
    while (start := time.perf_counter_ns()) < end:
        way.run()
        yield time.perf_counter_ns() - start


def report(title: str, ways: list[Way], times: list[list[float]]) -> None:
    """A table of one group."""
    print(f"\n{title}")
    print(f"{'':36} {'median':>9} {'best':>9}")
    for way, taken in zip(ways, times, strict=True):
        print(f"{way.name:36} {statistics.median(taken):9.1f} {min(taken):9.1f}")


def main() -> None:
    """Checks, measures, prints."""
    parser = argparse.ArgumentParser(description="Times the package beside others")
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    packages = ", ".join(f"{name} {found}" for name, found in installed())
    print(f"Python {platform.python_version()}, {packages}; ns a record, {rounds} rounds")
    for groups in (decoders(), encoders()):
        for title, ways in groups:
            for way in ways:
                answer = way.run()
                if way.answer is not None:
                    assert leader_epoch_aside(answer) == leader_epoch_aside(way.answer), way.name
            report(title, ways, measure(ways, rounds))


def installed() -> Iterable[tuple[str, str]]:
    """Versions of what takes part."""
    for name in ("kcodec", "aiokafka", "kafka-python"):
        try:
            yield name, version(name)
        except ModuleNotFoundError:
            continue


if __name__ == "__main__":
    main()
