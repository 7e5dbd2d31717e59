"""Decodes a segment file and prints every record.

usage: python inspect_segment.py FILE
"""

import mmap
import sys
from pathlib import Path

import kcodec

TAILS = {
    "none": "",
    "partial": ", then a batch that is cut off",
    "zeros": ", then zeros",
    "corrupt": ", then bytes that are no batch",
}


def shown(field: bytes | None) -> str:
    """A key or value as text, everything that is not printable escaped. Null is not empty."""
    if field is None:
        return "null"
    return "".join(chr(c) if 0x20 <= c < 0x7F and c != 0x5C else f"\\x{c:02x}" for c in field)


def print_batch(batch: kcodec.Batch) -> None:
    """A line for the batch, and one for each of its records."""
    fault = f": {batch.error}" if batch.error else ""
    print(
        f"batch at {batch.position}: {batch.size} bytes, magic {batch.magic}, codec {batch.codec}, "
        f"offsets {batch.base_offset}..{batch.next_offset - 1}{fault}"
    )
    for record in batch:
        headers = "".join(
            f" header={shown(key.encode('utf-8', 'surrogateescape'))} ={shown(value)}"
            for key, value in record.headers
        )
        fields = f"key={shown(record.key)} value={shown(record.value)}{headers}"
        print(f"  {record.offset} {record.timestamp} {fields}")


def inspect(path: Path) -> bool:
    """Prints a file; says whether all of it could be read."""
    if path.stat().st_size == 0:
        print("0 batches, 0 records in 0 bytes")
        return True
    # The file is decoded where it is mapped: what isn't compressed is never copied as a whole.
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        kcodec.decode(mapped, keep_going=True, skip_control=False) as records,
    ):
        batches = records.batches
        for batch in batches:
            print_batch(batch)
        count, tail = len(records), TAILS[records.tail.kind]
        print(f"{len(batches)} batches, {count} records in {records.consumed} bytes{tail}")
        return not records.faults and records.tail.error is None


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(not inspect(Path(sys.argv[1])))
