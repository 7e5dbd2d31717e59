"""The tables as structured arrays. Only this file needs numpy, and only when it is used."""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kcodec import _kcodec

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Tables(NamedTuple):
    """One row a batch, a record, a header; read-only, in the memory of the result."""

    batches: "NDArray[np.void]"
    records: "NDArray[np.void]"
    headers: "NDArray[np.void]"


def _dtype(size: int, fields: list[tuple[str, int, str]]) -> "np.dtype[np.void]":
    names, offsets, formats = zip(*fields, strict=True)
    layout: Any = {"names": names, "offsets": offsets, "formats": formats, "itemsize": size}
    dtype: np.dtype[np.void] = np.dtype(layout)
    return dtype


DTYPES = {name: _dtype(size, fields) for name, size, fields in _kcodec.table_layouts()}


def to_numpy(records: _kcodec.Records) -> Tables:
    """Arrays over the three tables of a result."""
    return Tables(
        np.frombuffer(records.batch_table, DTYPES["batches"]),
        np.frombuffer(records.record_table, DTYPES["records"]),
        np.frombuffer(records.header_table, DTYPES["headers"]),
    )
