"""The compiled half of the package. What is public here is exported by ``kcodec``."""

from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeAlias, Unpack, final

# Only type checkers read this file: nothing that it imports has to be installed.
from numpy.typing import NDArray
from typing_extensions import Buffer

from kcodec._numpy import Tables
from kcodec.errors import KcodecError
from kcodec.types import BatchParams, CodecLike, Limits, Tail

# Before Python 3.12, an array is no `Buffer` for type checkers.
_Numbers: TypeAlias = Buffer | NDArray[Any]
_Headers: TypeAlias = Iterable[tuple[str | Buffer, Buffer | None]]
_RecordTuple: TypeAlias = (
    tuple[int | None, Buffer | None, Buffer | None]
    | tuple[int | None, Buffer | None, Buffer | None, _Headers | None]
    | tuple[int | None, int | None, Buffer | None, Buffer | None, _Headers | None]
)

class _RecordLike(Protocol):
    """An object with these attributes; ``offset`` and ``headers`` may be missing."""

    @property
    def timestamp(self) -> int | None: ...
    @property
    def key(self) -> Buffer | None: ...
    @property
    def value(self) -> Buffer | None: ...

@final
class Record:
    """A record of a batch, or a message. Keys, values and headers are made when they are asked for."""

    @property
    def offset(self) -> int:
        """Absolute."""
    @property
    def timestamp(self) -> int:
        """Milliseconds since the epoch, -1 for none; log-append time is already applied."""
    @property
    def key(self) -> bytes | None:
        """A copy; null is ``None``."""
    @property
    def value(self) -> bytes | None:
        """A copy; null is ``None``."""
    @property
    def key_view(self) -> memoryview | None:
        """The key in place: in the caller's own buffer, or in what was decompressed."""
    @property
    def value_view(self) -> memoryview | None:
        """The value in place: in the caller's own buffer, or in what was decompressed."""
    @property
    def headers(self) -> list[tuple[str, bytes | None]]:
        """In the order of the wire, duplicates kept. Bytes of a key that are no UTF-8 become surrogates."""
    @property
    def batch(self) -> Batch: ...
    @property
    def control_type(self) -> str | None:
        """Kafka's name for a control record: ``COMMIT``, ``LEADER_CHANGE``, ``UNKNOWN``."""

@final
class RecordIterator(Iterator[Record]):
    """Records one after the other."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Record: ...
    def __length_hint__(self) -> int: ...

@final
class Batch:
    """The header of a record batch (magic 2) or a message (magic 0 and 1).

    What an older format does not have reads as -1, as Kafka writes "none". Iterates over its records.
    """

    @property
    def index(self) -> int: ...
    @property
    def magic(self) -> int: ...
    @property
    def base_offset(self) -> int:
        """As written; that of a compressed message is the offset of the last one inside."""
    @property
    def last_offset_delta(self) -> int: ...
    @property
    def last_offset(self) -> int: ...
    @property
    def next_offset(self) -> int:
        """The offset to fetch next, whatever became of the records."""
    @property
    def offsets_unassigned(self) -> bool:
        """Whether the offsets in a compressed message are as its producer stored them."""
    @property
    def base_timestamp(self) -> int: ...
    @property
    def max_timestamp(self) -> int: ...
    @property
    def timestamp_type(self) -> Literal[0, 1] | None:
        """0 for create time, 1 for log-append time, ``None`` for magic 0."""
    @property
    def delete_horizon(self) -> int | None: ...
    @property
    def attributes(self) -> int: ...
    @property
    def codec(self) -> int:
        """A number of :class:`Codec`, or 5 to 7, which no codec has."""
    @property
    def is_transactional(self) -> bool: ...
    @property
    def is_control(self) -> bool: ...
    @property
    def leader_epoch(self) -> int: ...
    @property
    def producer_id(self) -> int: ...
    @property
    def producer_epoch(self) -> int: ...
    @property
    def base_sequence(self) -> int: ...
    @property
    def last_sequence(self) -> int: ...
    @property
    def declared_count(self) -> int:
        """The number of records as written; -1 for messages."""
    @property
    def crc(self) -> int: ...
    @property
    def crc_verified(self) -> bool: ...
    @property
    def position(self) -> int:
        """Where it starts in the buffer."""
    @property
    def size(self) -> int:
        """Its bytes."""
    @property
    def segment(self) -> int:
        """Which of ``Records.segments`` the positions of its records count in."""
    @property
    def rows(self) -> slice[int, int, int]:
        """Its rows in the columns and tables."""
    @property
    def raw(self) -> bytes:
        """A copy of its bytes."""
    @property
    def raw_view(self) -> memoryview:
        """Its bytes in the caller's buffer, to be forwarded untouched."""
    @property
    def params(self) -> BatchParams:
        """The keyword arguments that write it again: ``encode(batch, **batch.params)``."""
    @property
    def error(self) -> KcodecError | None:
        """Why it has no records; only with ``keep_going``."""
    def __len__(self) -> int: ...
    def __bool__(self) -> Literal[True]: ...
    def __iter__(self) -> RecordIterator: ...

@final
class Records:
    """Decoded batches: an iterable of records, columns over them, and the batches they are from.

    Holds the caller's buffer until it is closed or collected. Once closed, every access raises
    ``ValueError``. Views that were taken before keep what they show alive by themselves.
    """

    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> RecordIterator: ...
    def __getitem__(self, index: int) -> Record: ...
    @property
    def batches(self) -> list[Batch]:
        """In the order of the input; made anew by each access."""
    @property
    def faults(self) -> list[KcodecError]:
        """Why batches could not be read; only with ``keep_going``."""
    @property
    def consumed(self) -> int:
        """Bytes of whole batches."""
    @property
    def tail(self) -> Tail:
        """What follows the last whole batch."""
    @property
    def next_offset(self) -> int | None:
        """The offset to fetch next. ``None`` when there is no whole batch."""
    @property
    def segments(self) -> list[memoryview]:
        """What positions point into: the caller's buffer, then the payloads that were decompressed."""
    def to_numpy(self) -> Tables:
        """The tables as structured arrays, without a copy. Needs numpy."""
    @property
    def batch_table(self) -> memoryview:
        """All rows of batches, as bytes."""
    @property
    def record_table(self) -> memoryview:
        """All rows of records, as bytes: what ``encode_table`` takes."""
    @property
    def header_table(self) -> memoryview:
        """All rows of headers, as bytes."""
    @property
    def offsets(self) -> memoryview: ...
    @property
    def timestamps(self) -> memoryview: ...
    @property
    def key_pos(self) -> memoryview: ...
    @property
    def key_len(self) -> memoryview:
        """-1 is null."""
    @property
    def value_pos(self) -> memoryview: ...
    @property
    def value_len(self) -> memoryview:
        """-1 is null."""
    @property
    def first_header(self) -> memoryview:
        """The first of a record's rows in the header columns."""
    @property
    def header_count(self) -> memoryview: ...
    @property
    def header_key_pos(self) -> memoryview: ...
    @property
    def header_key_len(self) -> memoryview: ...
    @property
    def header_value_pos(self) -> memoryview: ...
    @property
    def header_value_len(self) -> memoryview:
        """-1 is null."""

def decode(
    buf: Buffer,
    *,
    verify_crc: bool = True,
    keep_going: bool = False,
    skip_control: bool = True,
    check_utf8: bool = False,
    limits: Limits | None = None,
) -> Records:
    """Decodes all whole batches in a buffer: the records of a fetch or produce request, or a segment file.

    The first fault is raised. With ``keep_going`` a batch that cannot be read has no records and an
    ``error`` instead, and decoding goes on behind it. ``skip_control`` leaves the records of control
    batches out, as consumers do. Do not write into the buffer before the call returns.
    """

def scan(buf: Buffer, *, verify_crc: bool = False) -> Records:
    """Reads the headers of all whole batches and no records: to route, count, split, forward."""

def encode(records: Iterable[_RecordTuple | _RecordLike], **params: Unpack[BatchParams]) -> bytes:
    """Encodes one batch, or the messages of a set.

    A record is ``(timestamp, key, value)``, ``(timestamp, key, value, headers)``, ``(offset, timestamp,
    key, value, headers)``, or an object with these attributes. Offsets are absolute; without one, a
    record gets the next. A timestamp of ``None`` is -1, none.
    """

def encode_table(
    data: Buffer,
    records: _Numbers,
    headers: _Numbers | None = None,
    **params: Unpack[BatchParams],
) -> bytes:
    """Encodes one batch from rows as ``Records.record_table`` and ``to_numpy`` have them.

    Positions count in ``data``, and ``first_header`` in ``headers``.
    """

def encode_columns(
    data: Buffer,
    *,
    timestamps: _Numbers,
    value_pos: _Numbers,
    value_len: _Numbers,
    key_pos: _Numbers | None = None,
    key_len: _Numbers | None = None,
    offsets: _Numbers | None = None,
    **params: Unpack[BatchParams],
) -> bytes:
    """Encodes one batch from columns of whole numbers, one a record, whose positions count in ``data``."""

@final
class RecordMetadata:
    """What :meth:`BatchBuilder.append` tells of a record."""

    @property
    def offset(self) -> int: ...
    @property
    def size(self) -> int:
        """Bytes that it takes."""
    @property
    def timestamp(self) -> int: ...
    @property
    def crc(self) -> None: ...

@final
class BatchBuilder:
    """Builds a batch record by record, in the shape of the builders of aiokafka and kafka-python."""

    def __init__(
        self,
        magic: int = 2,
        compression_type: CodecLike = 0,
        is_transactional: bool | int = False,
        producer_id: int = -1,
        producer_epoch: int = -1,
        base_sequence: int = -1,
        batch_size: int = 16384,
        *,
        level: int | None = None,
    ) -> None: ...
    def append(
        self,
        offset: int,
        timestamp: int | None,
        key: Buffer | None,
        value: Buffer | None,
        headers: _Headers | None = None,
    ) -> RecordMetadata | None:
        """Appends a record, or returns ``None`` where it would make the batch larger than ``batch_size``.

        The first record is always taken. Offsets count up from 0. A timestamp of ``None`` is now.
        """
    def build(self) -> bytearray:
        """Finishes the batch. The next record starts another one."""
    def size(self) -> int:
        """Bytes so far, as they are without compression."""
    def size_in_bytes(
        self,
        offset: int,
        timestamp: int | None,
        key: Buffer | None,
        value: Buffer | None,
        headers: _Headers | None = None,
    ) -> int:
        """Bytes that a record would take next."""
    def set_producer_state(
        self,
        producer_id: int,
        producer_epoch: int,
        base_sequence: int,
        is_transactional: bool | None = None,
    ) -> None:
        """Names the producer of the records so far."""
    @property
    def magic(self) -> int: ...
    @property
    def producer_id(self) -> int: ...
    @property
    def producer_epoch(self) -> int: ...
    @property
    def base_sequence(self) -> int: ...
    def __len__(self) -> int: ...

@final
class CommittedFilter:
    """Says batch by batch, in offset order, whether a ``read_committed`` consumer may see the records.

    Takes the pairs of first offset and producer id that a fetch response lists as aborted.
    """

    def __new__(cls, aborted: Iterable[tuple[int, int]]) -> Self: ...
    def delivers(self, batch: Batch) -> bool:
        """To be asked for every batch in order, once, also for control batches."""

def validate(
    buf: Buffer,
    level: Literal["frame", "crc", "full"] = "full",
    *,
    limits: Limits | None = None,
) -> None:
    """Checks headers, headers and checksums, or every record. Raises the first fault."""

def validate_produce(buf: Buffer, *, limits: Limits | None = None) -> None:
    """Checks what a producer sends for one partition as a broker does. Raises the first fault."""

def compress(data: Buffer, codec: CodecLike, level: int | None = None) -> bytes:
    """Compresses as Kafka's clients frame it."""

def decompress(data: Buffer, codec: CodecLike, limit: int = 0) -> bytes:
    """Decompresses to no more than ``limit`` bytes; 0 is the default for a batch."""

def crc32c(data: Buffer, seed: int = 0) -> int:
    """The CRC-32C of what has the checksum ``seed`` followed by ``data``."""

def murmur2(key: Buffer) -> int:
    """The signed 32-bit hash by which Kafka's default partitioner picks a partition."""

def assign_offsets(buf: Buffer, base_offset: int, leader_epoch: int = -1) -> None:
    """Gives the batch at the start of a writable buffer its place in the log. The checksum holds."""

def set_log_append_time(buf: Buffer, timestamp: int) -> None:
    """Marks the batch as stamped by the broker, and redoes the checksum."""

def set_create_time(buf: Buffer, max_timestamp: int) -> None:
    """Marks the batch as stamped by its producer, and redoes the checksum."""

def refresh_crc(buf: Buffer) -> None:
    """Redoes the checksum after a change of the header."""

def default_limits() -> tuple[int, int, int, int]: ...
def error_kinds() -> list[tuple[int, str, str]]: ...
def table_layouts() -> list[tuple[str, int, list[tuple[str, int, str]]]]: ...
