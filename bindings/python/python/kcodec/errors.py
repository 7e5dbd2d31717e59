"""What can be wrong, as exceptions: one class a range of numbers, the same numbers in every language."""

from enum import IntEnum


class ErrorCode(IntEnum):
    """The rule that was broken. Numbers and names are those of the C API and are never reused."""

    NULL_ARGUMENT = -1
    INVALID_ARGUMENT = -2
    ABI_MISMATCH = -3
    BUSY = -4
    BUFFER_TOO_SMALL = -5
    POISONED = -6

    BATCH_LENGTH = -100
    CRC_MISMATCH = -101
    RECORD_COUNT = -102
    TRAILING_BYTES = -103
    RECORD_LENGTH = -104
    FIELD_LENGTH = -105
    HEADER_COUNT = -106
    VARINT = -107
    TRUNCATED = -108
    OFFSET_OVERFLOW = -109
    CONTROL_RECORD = -110
    WRAPPER_EMPTY = -111
    INNER_MAGIC = -112
    INNER_COMPRESSED = -113
    INNER_OFFSET = -114
    HEADER_KEY_UTF8 = -115

    PRODUCE_BATCH_COUNT = -150
    PRODUCE_MAGIC = -151
    PRODUCE_OFFSETS = -152
    PRODUCE_MAX_TIMESTAMP = -153
    PRODUCE_CONTROL = -154
    PRODUCE_SEQUENCE = -155
    PRODUCE_ATTRIBUTES = -156

    UNKNOWN_MAGIC = -200
    UNKNOWN_CODEC = -201
    CODEC_NOT_BUILT = -202
    CODEC_FOR_MAGIC = -203
    NOT_REPRESENTABLE = -204

    LIMIT_BATCH_BYTES = -300
    LIMIT_TOTAL_BYTES = -301
    LIMIT_RECORDS = -302
    LIMIT_HEADERS = -303
    LIMIT_INPUT = -304

    CODEC_CORRUPT = -400
    CODEC_CHECKSUM = -401
    CODEC_TRUNCATED = -402
    CODEC_TRAILING = -403
    CODEC_HEADER = -404
    CODEC_WINDOW = -405
    CODEC_DICTIONARY = -406

    OUT_OF_MEMORY = -900
    INTERNAL = -901


class KcodecError(Exception):
    """A fault, and where it is. What is not known is ``None``.

    ``batch`` and ``record`` count from 0. ``position`` is the byte of the input at fault, or with
    ``in_payload`` that of the batch's decompressed records. ``expected`` and ``actual`` are what the rule
    asks for and what was found: checksums, lengths, limits. A consumer skips the batch at fault by going on
    at ``next_offset``.
    """

    def __init__(
        self,
        message: str,
        code: ErrorCode = ErrorCode.INTERNAL,
        codec: int = 0,
        position: int = 0,
        in_payload: bool = False,
        batch: int | None = None,
        record: int | None = None,
        expected: int = 0,
        actual: int = 0,
        base_offset: int | None = None,
        next_offset: int | None = None,
    ) -> None:
        # All of them are arguments of the exception, so that it survives pickling.
        super().__init__(
            message,
            code,
            codec,
            position,
            in_payload,
            batch,
            record,
            expected,
            actual,
            base_offset,
            next_offset,
        )
        self.code = code
        self.codec = codec
        self.position = position
        self.in_payload = in_payload
        self.batch = batch
        self.record = record
        self.expected = expected
        self.actual = actual
        self.base_offset = base_offset
        self.next_offset = next_offset

    @property
    def name(self) -> str:
        """The name of the code, for logs: ``CRC_MISMATCH``."""
        return self.code.name

    @property
    def message(self) -> str:
        """The fault in words, and its place."""
        return str(self.args[0])

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


class ArgumentError(KcodecError, ValueError):
    """An argument is out of its range (-1 to -99)."""


class MalformedError(KcodecError):
    """The bytes break a rule of the format (-100 to -149)."""


class ProduceError(KcodecError):
    """A broker would refuse the batch from a producer (-150 to -199)."""


class UnsupportedError(KcodecError):
    """The bytes use something that is not supported (-200 to -299)."""


class LimitError(KcodecError):
    """A limit was hit; the same bytes can be read with a higher one (-300 to -399)."""


class CodecError(MalformedError):
    """A compressed stream is malformed (-400 to -499)."""


class InternalError(KcodecError):
    """Memory ran out, or the library is at fault (-900 to -999)."""


def class_of(number: int) -> type[KcodecError]:
    """The class of a code, also of one that is newer than this file."""
    if number > -100:
        return ArgumentError
    if -150 < number <= -100:
        return MalformedError
    match -number // 100:
        case 1:
            return ProduceError
        case 2:
            return UnsupportedError
        case 3:
            return LimitError
        case 4:
            return CodecError
        case _:
            return InternalError


def from_numbers(message: str, number: int, *numbers: int | None) -> KcodecError:
    """The exception for a fault of the compiled half."""
    return class_of(number)(message, ErrorCode(number), *numbers)  # type: ignore[arg-type]
