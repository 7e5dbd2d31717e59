"""Fills batches as a producer does, gives them their offsets as a broker does, and reads them again.

usage: python produce.py
"""

import kcodec

MESSAGES = [
    (f"user-{i % 7}".encode(), f'{{"order": {i}}}'.encode(), [("trace", f"{i:x}".encode())])
    for i in range(1000)
]


def produce(batch_size: int) -> list[bytearray]:
    """As many batches as it takes, none larger than ``batch_size``."""
    batches: list[bytearray] = []
    builder = kcodec.BatchBuilder(compression_type="zstd", batch_size=batch_size)
    for key, value, headers in MESSAGES:
        if builder.append(len(builder), 1_700_000_000_000, key, value, headers) is None:
            batches.append(builder.build())
            builder.append(0, 1_700_000_000_000, key, value, headers)
    batches.append(builder.build())
    return batches


def append(log: bytearray, next_offset: int, batch: bytearray) -> int:
    """What a leader does with a batch: checks it, gives it its place, appends it."""
    kcodec.validate_produce(batch)
    kcodec.assign_offsets(batch, next_offset, leader_epoch=5)
    log += batch
    return kcodec.scan(batch).batches[0].next_offset


def main() -> None:
    """Produces, appends, consumes."""
    log, next_offset = bytearray(), 0
    batches = produce(16384)
    for batch in batches:
        next_offset = append(log, next_offset, batch)
    with kcodec.decode(log) as records:
        assert [(r.key, r.value, r.headers) for r in records] == MESSAGES
        assert [record.offset for record in records] == list(range(len(MESSAGES)))
    plain = sum(len(key) + len(value) for key, value, _ in MESSAGES)
    print(f"{len(MESSAGES)} records in {len(batches)} batches, {len(log)} bytes for {plain}")


if __name__ == "__main__":
    main()
