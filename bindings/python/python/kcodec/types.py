"""The small types around records: codecs, limits, tails."""

from enum import IntEnum
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from kcodec import _kcodec
from kcodec.errors import KcodecError


class Codec(IntEnum):
    """How records are compressed."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


CodecLike: TypeAlias = Codec | int | Literal["none", "gzip", "snappy", "lz4", "zstd"]
"""Wherever a codec is asked for, its number or name does as well."""


class BatchParams(TypedDict, total=False):
    """The keyword arguments of ``encode``, ``encode_table`` and ``encode_columns``."""

    magic: int
    """2 for a record batch (the default), 0 or 1 for a message set."""
    codec: CodecLike
    level: int | None
    """The codec's level as Kafka's clients name it; ``None`` is Kafka's default."""
    base_offset: int
    """The offset of the first record. Producers send 0, a broker assigns it."""
    last_offset_delta: int | None
    leader_epoch: int
    producer_id: int
    producer_epoch: int
    base_sequence: int
    transactional: bool
    control: bool
    log_append_time: int | None
    delete_horizon: int | None
    unknown_attributes: int
    """Attribute bits 7 to 15, to be kept from a batch that is written again."""


class Limits(NamedTuple):
    """Bounds on what one call may allocate. 0 stands for the default: there is no "unlimited" by accident."""

    max_batch_bytes: int = 0
    """Decompressed bytes of one batch."""
    max_total_bytes: int = 0
    """Decompressed bytes of one call."""
    max_records: int = 0
    """Records of one call."""
    max_headers: int = 0
    """Headers of one call."""


DEFAULT_LIMITS = Limits(*_kcodec.default_limits())
"""What the zeros of :class:`Limits` stand for."""


class Tail(NamedTuple):
    """What follows the last whole batch. A cut-off tail is no error: brokers cut fetch responses by bytes."""

    kind: Literal["none", "partial", "zeros", "corrupt"]
    needed: int | None
    """Bytes of the whole batch that a partial tail is the start of, if its length field is there."""
    error: KcodecError | None
    """What is wrong with a corrupt tail."""
