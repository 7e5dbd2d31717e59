"""Results shared by threads: long calls let others run, and closing beside readers is safe."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import kcodec

ROWS = [(i, b"key-%d" % i, b"value-%d" % i) for i in range(2000)]
BATCH = kcodec.encode(ROWS, codec="lz4")


def test_many_threads_decode_at_once() -> None:
    def work(seed: int) -> int:
        batch = kcodec.encode(ROWS[seed:], codec=("gzip", "snappy", "lz4", "zstd")[seed % 4])
        with kcodec.decode(batch) as records:
            assert [record.value for record in records] == [row[2] for row in ROWS[seed:]]
            return len(records)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(64))) == [2000 - seed for seed in range(64)]


def test_closing_while_others_read() -> None:
    """A reader sees the whole truth or that the result is closed."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(30):
            records = kcodec.decode(BATCH)
            started = threading.Barrier(5)

            def read(
                records: kcodec.Records = records, started: threading.Barrier = started
            ) -> str:
                started.wait()
                try:
                    while True:
                        for i, record in enumerate(records):
                            view = record.key_view
                            assert view is not None and bytes(view) == b"key-%d" % i == record.key
                        assert records.offsets.tolist() == list(range(2000))
                        assert len(records.batches) == 1
                except ValueError as error:
                    return str(error)

            with ThreadPoolExecutor(4) as pool:
                readers = [pool.submit(read) for _ in range(4)]
                started.wait()
                records.close()
                assert {reader.result() for reader in readers} == {"operation on closed records"}
    finally:
        sys.setswitchinterval(interval)


def test_threads_share_an_iterator() -> None:
    """Each record comes at least once and there is nothing but records."""
    iterator = iter(kcodec.decode(BATCH))
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: [record.offset for record in iterator], range(4)))
    assert {offset for offsets in found for offset in offsets} == set(range(2000))


def test_long_calls_release_the_interpreter() -> None:
    """While one thread decompresses, another one counts."""
    bomb = kcodec.encode([(0, None, bytes(100 << 20))], codec="gzip")
    counted, stop = 0, threading.Event()
    seen: list[int] = []

    def decompress() -> None:
        before = counted
        for _ in range(3):
            kcodec.decode(bomb).close()
        seen.append(counted - before)
        stop.set()

    thread = threading.Thread(target=decompress)
    thread.start()
    while not stop.is_set():
        counted += 1
        time.sleep(0.0005)
    thread.join()
    # With the interpreter held, at most one step between any two calls.
    assert seen[0] > 20
