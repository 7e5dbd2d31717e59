"""A codec for the Kafka wire format: record batches, message sets and their compression.

>>> import kcodec
>>> batch = kcodec.encode([(1700000000000, b"key", b"value")], codec="zstd")
>>> with kcodec.decode(batch) as records:
...     [(record.offset, record.value) for record in records]
[(0, b'value')]
"""

from kcodec._kcodec import (
    Batch,
    BatchBuilder,
    CommittedFilter,
    Record,
    RecordIterator,
    RecordMetadata,
    Records,
    assign_offsets,
    compress,
    crc32c,
    decode,
    decompress,
    encode,
    encode_columns,
    encode_table,
    murmur2,
    refresh_crc,
    scan,
    set_create_time,
    set_log_append_time,
    validate,
    validate_produce,
)
from kcodec.errors import (
    ArgumentError,
    CodecError,
    ErrorCode,
    InternalError,
    KcodecError,
    LimitError,
    MalformedError,
    ProduceError,
    UnsupportedError,
)
from kcodec.types import DEFAULT_LIMITS, BatchParams, Codec, Limits, Tail

__all__ = [
    "DEFAULT_LIMITS",
    "ArgumentError",
    "Batch",
    "BatchBuilder",
    "BatchParams",
    "Codec",
    "CodecError",
    "CommittedFilter",
    "ErrorCode",
    "InternalError",
    "KcodecError",
    "LimitError",
    "Limits",
    "MalformedError",
    "ProduceError",
    "Record",
    "RecordIterator",
    "RecordMetadata",
    "Records",
    "Tail",
    "UnsupportedError",
    "assign_offsets",
    "compress",
    "crc32c",
    "decode",
    "decompress",
    "encode",
    "encode_columns",
    "encode_table",
    "murmur2",
    "refresh_crc",
    "scan",
    "set_create_time",
    "set_log_append_time",
    "validate",
    "validate_produce",
]
