/**
 * What the page keeps of a log: one row a batch, in typed columns, about 100 bytes each.
 *
 * Payloads are never kept. A row says where its bytes stand in which file, so that they can be
 * read again on demand. Bytes that belong to no batch (damage, a cut-off tail, preallocated zeros)
 * are rows too, so that the table, the picture and the hex dump can show them at their place.
 */

export const enum Kind {
  Batch,
  /** Bytes in which no batch can be framed. */
  Damaged,
  /** The start of a batch that goes on after the end of the file. */
  CutOff,
  /** Zeros up to the end, as in a preallocated segment. */
  Zeros,
}

const LAYOUT = {
  kind: Uint8Array,
  file: Uint16Array,
  magic: Int8Array,
  codec: Uint8Array,
  attributes: Int16Array,
  /** The type of the control record, -1 for none. */
  control: Int8Array,
  crcOk: Uint8Array,
  position: Float64Array,
  size: Float64Array,
  /** Bytes of the records once decompressed, 0 when that is not known. */
  plain: Float64Array,
  baseOffset: BigInt64Array,
  lastOffset: BigInt64Array,
  /** Records found inside. */
  count: Int32Array,
  crc: Uint32Array,
  baseTimestamp: BigInt64Array,
  maxTimestamp: BigInt64Array,
  producerId: BigInt64Array,
  producerEpoch: Int16Array,
  baseSequence: Int32Array,
  leaderEpoch: Int32Array,
  /** 0, or the number of the error. */
  error: Int16Array,
} as const;

type Name = keyof typeof LAYOUT;
export type Columns = { [N in Name]: InstanceType<(typeof LAYOUT)[N]> };
export type Row = { [N in Name]: Columns[N] extends BigInt64Array ? bigint : number };

const NAMES = Object.keys(LAYOUT) as Name[];
const BLOCK = 1 << 14;

export const NO_ROW: Row = Object.fromEntries(
  NAMES.map((name) => [name, LAYOUT[name] === BigInt64Array ? -1n : 0]),
) as Row;

function allocate(length: number): Columns {
  return Object.fromEntries(NAMES.map((name) => [name, new LAYOUT[name](length)])) as Columns;
}

/** Collects rows in the worker, to be handed over a few thousand at a time. */
export class RowWriter {
  #columns = allocate(BLOCK / 4);
  #length = 0;

  get full(): boolean {
    return this.#length === BLOCK / 4;
  }

  push(row: Row): void {
    for (const name of NAMES)
      (this.#columns[name] as Record<number, unknown>)[this.#length] = row[name];
    this.#length++;
  }

  /** The rows so far; the writer starts anew. */
  take(): Columns {
    const taken = {} as Record<Name, unknown>;
    for (const name of NAMES) taken[name] = this.#columns[name].slice(0, this.#length);
    this.#length = 0;
    return taken as Columns;
  }
}

export function buffersOf(columns: Columns): ArrayBuffer[] {
  return NAMES.map((name) => columns[name].buffer as ArrayBuffer);
}

/** All rows of the opened files, in blocks that never move. */
export class Rows {
  length = 0;
  readonly #blocks: Columns[] = [];

  append(columns: Columns): void {
    const total = columns.kind.length;
    for (let from = 0; from < total;) {
      const at = this.length % BLOCK;
      if (at === 0) this.#blocks.push(allocate(BLOCK));
      const block = this.#blocks.at(-1) as Columns;
      const to = Math.min(total, from + BLOCK - at);
      for (const name of NAMES) {
        (block[name] as Uint8Array).set(
          columns[name].subarray(from, to) as unknown as Uint8Array,
          at,
        );
      }
      this.length += to - from;
      from = to;
    }
  }

  /** One cell, without making an object of its row. */
  get<N extends Name>(name: N, index: number): Row[N] {
    const block = this.#blocks[Math.floor(index / BLOCK)] as Columns;
    return block[name][index % BLOCK] as Row[N];
  }

  at(index: number): Row {
    const row = {} as Record<Name, unknown>;
    for (const name of NAMES) row[name] = this.get(name, index);
    return row as Row;
  }

  /** The row that holds a byte of a file, by bisection; -1 for none. */
  atPosition(file: number, position: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const before =
        this.get("file", middle) < file ||
        (this.get("file", middle) === file && this.get("position", middle) <= position);
      if (before) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Bytes before the records of an entry; for a message, before its key and value. */
const OVERHEAD = [26, 34, 61] as const;

/** How many bytes of an entry hold records, compressed or not. */
export function recordBytes(magic: number, size: number): number {
  return Math.max(0, size - (OVERHEAD[magic] ?? 0));
}

export const CODECS = ["none", "gzip", "snappy", "lz4", "zstd"] as const;

export function codecName(codec: number): string {
  return CODECS[codec] ?? `codec ${codec}`;
}

const LOG_APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;
const DELETE_HORIZON = 0x40;

type Attributed = Pick<Row, "magic" | "attributes">;
export const isTransactional = (row: Attributed) =>
  row.magic === 2 && (row.attributes & TRANSACTIONAL) !== 0;
export const isControl = (row: Attributed) => row.magic === 2 && (row.attributes & CONTROL) !== 0;
export const hasDeleteHorizon = (row: Attributed) =>
  row.magic === 2 && (row.attributes & DELETE_HORIZON) !== 0;
export const isLogAppendTime = (row: Attributed) =>
  row.magic > 0 && (row.attributes & LOG_APPEND_TIME) !== 0;

export const CONTROL_TYPES = [
  "ABORT",
  "COMMIT",
  "LEADER_CHANGE",
  "SNAPSHOT_HEADER",
  "SNAPSHOT_FOOTER",
  "KRAFT_VERSION",
  "KRAFT_VOTERS",
] as const;

export function controlName(type: number): string {
  return CONTROL_TYPES[type] ?? "UNKNOWN";
}
