/** The records of one batch: a reader over the codec's tables of positions and the bytes they count in. */

export interface Header {
  key: Uint8Array;
  value: Uint8Array | null;
}

const RECORD = 40;
const HEADER = 16;

export class Records {
  readonly length: number;
  readonly #records: DataView;
  readonly #headers: DataView;

  constructor(
    readonly payload: Uint8Array,
    tables: { records: ArrayBuffer; headers: ArrayBuffer },
  ) {
    this.length = tables.records.byteLength / RECORD;
    this.#records = new DataView(tables.records);
    this.#headers = new DataView(tables.headers);
  }

  offset(i: number): bigint {
    return this.#records.getBigInt64(i * RECORD, true);
  }

  /** Milliseconds, -1 for none. */
  timestamp(i: number): bigint {
    return this.#records.getBigInt64(i * RECORD + 8, true);
  }

  key(i: number): Uint8Array | null {
    return this.#bytes(this.#records, i * RECORD + 16);
  }

  value(i: number): Uint8Array | null {
    return this.#bytes(this.#records, i * RECORD + 24);
  }

  headerCount(i: number): number {
    return this.#records.getUint32(i * RECORD + 36, true);
  }

  headers(i: number): Header[] {
    const first = this.#records.getUint32(i * RECORD + 32, true);
    return Array.from({ length: this.headerCount(i) }, (_, h) => {
      const at = (first + h) * HEADER;
      return { key: this.#bytes(this.#headers, at) ?? new Uint8Array(), value: this.#bytes(this.#headers, at + 8) };
    });
  }

  #bytes(table: DataView, at: number): Uint8Array | null {
    const start = table.getUint32(at, true);
    const length = table.getInt32(at + 4, true);
    return length < 0 ? null : this.payload.subarray(start, start + length);
  }
}
