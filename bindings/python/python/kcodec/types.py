"""The small types around records: codecs, limits, tails."""

from enum import IntEnum
from typing import Literal, NamedTuple

from kcodec import _kcodec
from kcodec.errors import KcodecError


class Codec(IntEnum):
    """How records are compressed. Wherever a codec is asked for, its number or name does as well."""

    NONE = 0
    GZIP = 1
    SNAPPY = 2
    LZ4 = 3
    ZSTD = 4


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
