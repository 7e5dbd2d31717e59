/** The records of a buffer: tables, and readers that make a value only when it is asked for. */

import { BatchInfo } from "./batch.js";
import * as at from "./columns.js";
import { type Columns, columnsOf, expired } from "./columns.js";
import { batchOfFault, FAULT_SIZE, faultAt, invalid, KcodecError } from "./errors.js";
import { RecordRef } from "./record.js";
import type { KafkaRecord, Tables, Tail } from "./types.js";

const text = new TextDecoder();

/**
 * What one call decoded, in plain JavaScript memory: nothing to free, and still good after any later call.
 *
 * Keys and values are views of the caller's own input, or for compressed batches of one copy of what was
 * decompressed. Indices count the records of control batches too; iterating leaves those out, since no
 * application should see them.
 */
export class Records implements Iterable<RecordRef> {
  /** @internal Where everything but records reads from, so that one place says when a view has expired. */
  _columns: Columns;
  #records: Int32Array;
  #length: number;
  #batches: BatchInfo[] | null = null;
  #faults: KcodecError[] | null = null;
  /** The records that have their bytes in `#bytes`: those of the batch that was asked for last. */
  #from = 0;
  #to = 0;
  #bytes: Uint8Array = new Uint8Array(0);

  /** @internal */
  constructor(columns: Columns) {
    this._columns = columns;
    this.#records = columns.records;
    this.#length = columns.records.length / at.RECORD;
  }

  /** Records in the table. */
  get length(): number {
    if (this.#length < 0) this.#expired();
    return this.#length;
  }

  /** The batches, and messages of magic 0 and 1, in the order of the input. */
  get batches(): readonly BatchInfo[] {
    const count = this._columns.batches.length / at.BATCH;
    return (this.#batches ??= Array.from({ length: count }, (_, i) => new BatchInfo(this, i)));
  }

  /** What could not be read, and why: batches, and a corrupt tail. Only with `keepGoing`. */
  get faults(): readonly KcodecError[] {
    const { faults } = this._columns;
    const count = faults.length / FAULT_SIZE;
    return (this.#faults ??= Array.from({ length: count }, (_, i) => faultAt(faults, i * FAULT_SIZE)));
  }

  /** @internal The fault of a batch that has one. They are in the order of their batches. */
  _faultOf(batch: number): KcodecError {
    const { faults } = this._columns;
    let low = 0;
    let high = faults.length / FAULT_SIZE - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (batchOfFault(faults, middle * FAULT_SIZE) < batch) low = middle + 1;
      else high = middle;
    }
    return faultAt(faults, low * FAULT_SIZE);
  }

  /** Bytes of whole batches; less than the input when a tail is left. */
  get consumed(): number {
    return this._columns.consumed;
  }

  /** What follows the last whole batch. */
  get tail(): Tail {
    const { tail, faults } = this._columns;
    return tailOf(tail, faults);
  }

  /** The offset to fetch next: after the last batch. `null` without a whole batch. */
  get nextOffset(): bigint | null {
    return this.batches.at(-1)?.nextOffset ?? null;
  }

  /** The batch that holds record `i`. */
  batchOf(i: number): BatchInfo {
    this.#row(i);
    return this.batches[this.#find(i)]!;
  }

  /** Null is not empty. */
  key(i: number): Uint8Array | null {
    return this.#slice(i, this.#records, this.#row(i) + at.Record.keyPosition);
  }

  value(i: number): Uint8Array | null {
    return this.#slice(i, this.#records, this.#row(i) + at.Record.valuePosition);
  }

  /** Bytes of the key, −1 for null, without making a view. */
  keyLength(i: number): number {
    return this.#records[this.#row(i) + at.Record.keyLength]!;
  }

  valueLength(i: number): number {
    return this.#records[this.#row(i) + at.Record.valueLength]!;
  }

  /** Where the key starts in the `segment` of its batch. */
  keyPosition(i: number): number {
    return this.#records[this.#row(i) + at.Record.keyPosition]!;
  }

  valuePosition(i: number): number {
    return this.#records[this.#row(i) + at.Record.valuePosition]!;
  }

  /** Throws UNSAFE_INTEGER for one beyond 2^53; see `offsetBig`. */
  offset(i: number): number {
    return at.long(this.#records, this.#row(i) + at.Record.offset);
  }

  offsetBig(i: number): bigint {
    return at.longBig(this.#records, this.#row(i) + at.Record.offset);
  }

  /** Milliseconds since the epoch, −1 for none. Throws UNSAFE_INTEGER beyond 2^53; see `timestampBig`. */
  timestamp(i: number): number {
    return at.long(this.#records, this.#row(i) + at.Record.timestamp);
  }

  timestampBig(i: number): bigint {
    return at.longBig(this.#records, this.#row(i) + at.Record.timestamp);
  }

  headerCount(i: number): number {
    return this.#records[this.#row(i) + at.Record.headerCount]!;
  }

  /** The key of header `h`, bytes that are no UTF-8 replaced. */
  headerKey(i: number, h: number): string {
    return text.decode(this.headerKeyBytes(i, h));
  }

  headerKeyBytes(i: number, h: number): Uint8Array {
    return this.#slice(i, this._columns.headers, this.#header(i, h) + at.Header.keyPosition)!;
  }

  headerValue(i: number, h: number): Uint8Array | null {
    return this.#slice(i, this._columns.headers, this.#header(i, h) + at.Header.valuePosition);
  }

  /** The headers, in the order of the wire, duplicates kept. */
  headers(i: number): KafkaRecord["headers"] {
    const count = this.headerCount(i);
    const headers: KafkaRecord["headers"] = [];
    for (let h = 0; h < count; h++) headers.push([this.headerKey(i, h), this.headerValue(i, h)]);
    return headers;
  }

  /** Record `i` as an object of its own. */
  at(i: number): KafkaRecord {
    return {
      offset: this.offsetBig(i),
      timestamp: this.timestamp(i),
      key: this.key(i),
      value: this.value(i),
      headers: this.headers(i),
    };
  }

  /** The records that an application may see. One cursor is moved on; its `toObject` keeps a record. */
  [Symbol.iterator](): IterableIterator<RecordRef> {
    const cursor = new RecordRef(this);
    const result: IteratorYieldResult<RecordRef> = { done: false, value: cursor };
    let next = 0;
    let end = 0;
    let batch = 0;
    const iterator: IterableIterator<RecordRef> = {
      next: () => {
        while (next === end) {
          const info = this.batches[batch++];
          if (info === undefined) return { done: true, value: undefined };
          if (info.control) continue;
          next = info.firstRecord;
          end = next + info.count;
        }
        cursor._index = next++;
        return result;
      },
      [Symbol.iterator]: () => iterator,
    };
    return iterator;
  }

  /** The bytes behind this result, to be posted to another thread; `recordsFrom` reads them there. */
  get tables(): Tables {
    const { batches, records, headers, controls, faults, segments, consumed, tail } = this._columns;
    return {
      batches: memoryOf(batches),
      records: memoryOf(records),
      headers: memoryOf(headers),
      controls: memoryOf(controls),
      faults: memoryOf(faults),
      segments,
      consumed,
      tail,
    };
  }

  /** @internal Lets every reader throw from now on, those of its batches too. */
  _expire(): void {
    this._columns = expired;
    this.#records = new Int32Array(0);
    this.#length = -1;
  }

  #expired(): never {
    throw new KcodecError("VIEW_EXPIRED");
  }

  /** Where the row of record `i` starts. */
  #row(i: number): number {
    if (i >>> 0 !== i || i >= this.#length) throw invalid(`there is no record ${i} of ${this.length}`);
    return i * at.RECORD;
  }

  #header(i: number, h: number): number {
    const row = this.#row(i);
    const records = this.#records;
    const count = records[row + at.Record.headerCount]!;
    if (h >>> 0 !== h || h >= count) throw invalid(`there is no header ${h} of ${count}`);
    return (records[row + at.Record.firstHeader]! + h) * at.HEADER;
  }

  /** The bytes that the position and length at `column` mean. */
  #slice(i: number, words: Int32Array, column: number): Uint8Array | null {
    const length = words[column + 1]!;
    if (length < 0) return null;
    if (i < this.#from || i >= this.#to) this.#find(i);
    const bytes = this.#bytes;
    return new Uint8Array(bytes.buffer, bytes.byteOffset + words[column]!, length);
  }

  /** Finds the batch of record `i`, the last one that starts at or before it, and its bytes. */
  #find(i: number): number {
    const { batches, segments } = this._columns;
    let low = 0;
    let high = batches.length / at.BATCH;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (batches[middle * at.BATCH + at.Batch.firstRecord]! <= i) low = middle;
      else high = middle;
    }
    const row = low * at.BATCH;
    this.#from = batches[row + at.Batch.firstRecord]!;
    this.#to = this.#from + batches[row + at.Batch.recordCount]!;
    this.#bytes = segments[batches[row + at.Batch.segment]!]!;
    return low;
  }
}

/** The memory of an array that has it for itself. */
function memoryOf(words: Int32Array | Int16Array | Uint8Array): ArrayBuffer {
  return words.buffer as ArrayBuffer;
}

/** The tail that the numbers mean; the fault of a corrupt one is the last of the table. */
export function tailOf([kind, needed]: readonly [number, number], faults: Uint8Array): Tail {
  switch (kind) {
    case 0:
      return { kind: "none" };
    case 1:
      return { kind: "partial", needed: needed === 0 ? null : needed };
    case 2:
      return { kind: "zeros" };
    default:
      return { kind: "corrupt", error: faultAt(faults, faults.length - FAULT_SIZE) };
  }
}

/** Reads tables again that were posted from another thread. Needs no module. */
export function recordsFrom(tables: Tables): Records {
  return new Records(columnsOf(tables));
}
