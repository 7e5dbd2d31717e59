/**
 * Gathers the rows into the pixel columns of the picture, by where their bytes stand in the files.
 */

import { codecName, Kind, type Rows } from "../segment/rows";

export interface Bin {
  /** The first row that starts or goes on in this column, -1 for none. */
  row: number;
  /** Of the largest batch in the column. */
  stored: number;
  plain: number;
  codec: string;
  faulty: boolean;
  /** Bytes that are no batch. */
  gap: boolean;
}

export interface Bins {
  columns: Bin[];
  /** The largest batch, decompressed: the top of the scale. 0 without a batch. */
  highest: number;
}

export function binsOf(
  rows: Rows,
  total: number,
  width: number,
  absolute: (row: number) => number,
): Bins {
  const columns = Array.from({ length: width }, emptyBin);
  let highest = 0;
  // before the first layout there is nothing to draw on
  if (width === 0) return { columns, highest };
  const perByte = width / Math.max(1, total);
  for (let row = 0; row < rows.length; row++) {
    const size = rows.get("size", row);
    const at = absolute(row);
    const kind = rows.get("kind", row);
    const plain = Math.max(size, rows.get("plain", row));
    if (kind === Kind.Batch) highest = Math.max(highest, plain);
    const first = Math.min(width - 1, Math.floor(at * perByte));
    const last = Math.max(first, Math.min(width - 1, Math.ceil((at + size) * perByte) - 1));
    for (let x = first; x <= last; x++) {
      const bin = columns[x] as Bin;
      if (bin.row < 0) bin.row = row;
      if (kind === Kind.Damaged || rows.get("error", row) !== 0) bin.faulty = true;
      if (kind !== Kind.Batch) bin.gap = true;
      else if (plain > bin.plain) {
        bin.stored = size;
        bin.plain = plain;
        bin.codec = codecName(rows.get("codec", row));
      }
    }
  }
  return { columns, highest };
}

function emptyBin(): Bin {
  return { row: -1, stored: 0, plain: 0, codec: "none", faulty: false, gap: false };
}
