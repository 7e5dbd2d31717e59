/**
 * The tables as typed arrays: where each column of a row lies, and how a number of 64 bits is read.
 *
 * Rows are read as words of 32 bits. A 64-bit column becomes a number out of two words, which is many times
 * faster than a bigint, and one that a number cannot hold exactly is refused.
 */

import { KcodecError } from "./errors.js";
import type { Tables } from "./types.js";

/** Words of 32 bits in a row. */
export const BATCH = 22;
export const RECORD = 10;
export const HEADER = 4;

/** Columns of a batch: words, except for the last ones, which are bytes. */
export const Batch = {
  baseOffset: 0,
  baseTimestamp: 2,
  maxTimestamp: 4,
  producerId: 6,
  position: 8,
  length: 9,
  segment: 10,
  firstRecord: 11,
  recordCount: 12,
  declaredCount: 13,
  lastOffsetDelta: 14,
  leaderEpoch: 15,
  baseSequence: 16,
  crc: 17,
  status: 18,
  /** Producer epoch in the low half, attributes in the high one. */
  epochAndAttributes: 19,
  /** Magic, codec, flags, a byte each. */
  magicCodecFlags: 20,
} as const;

/** Columns of a record. */
export const Record = {
  offset: 0,
  timestamp: 2,
  keyPosition: 4,
  keyLength: 5,
  valuePosition: 6,
  valueLength: 7,
  firstHeader: 8,
  headerCount: 9,
} as const;

/** Columns of a header. */
export const Header = { keyPosition: 0, keyLength: 1, valuePosition: 2, valueLength: 3 } as const;

/** The tables of a result, as its readers want them. */
export interface Columns {
  readonly batches: Int32Array;
  readonly records: Int32Array;
  readonly headers: Int32Array;
  readonly controls: Int16Array;
  /** Rows of faults, as bytes. */
  readonly faults: Uint8Array;
  readonly segments: readonly Uint8Array[];
  readonly consumed: number;
  readonly tail: readonly [kind: number, needed: number];
}

/** The columns of tables that are plain memory. */
export function columnsOf(tables: Tables): Columns {
  return {
    batches: new Int32Array(tables.batches),
    records: new Int32Array(tables.records),
    headers: new Int32Array(tables.headers),
    controls: new Int16Array(tables.controls),
    faults: new Uint8Array(tables.faults),
    segments: tables.segments,
    consumed: tables.consumed,
    tail: tables.tail,
  };
}

/** The columns of a view that has expired: asking for any of them throws. */
export const expired: Columns = new Proxy({} as Columns, {
  get() {
    throw new KcodecError("VIEW_EXPIRED");
  },
});

const HIGHEST = 0x1f_ffff;

/** A 64-bit column as a number. Throws UNSAFE_INTEGER rather than round. */
export function long(words: Int32Array, at: number): number {
  const high = words[at + 1]!;
  if (high > HIGHEST || high < ~HIGHEST) throw new KcodecError("UNSAFE_INTEGER");
  return high * 0x1_0000_0000 + (words[at]! >>> 0);
}

/** A 64-bit column as a bigint. */
export function longBig(words: Int32Array, at: number): bigint {
  const high = words[at + 1]!;
  const low = words[at]! >>> 0;
  // Most numbers fit, and one bigint out of a number is faster than two put together.
  if (high <= HIGHEST && high >= ~HIGHEST) return BigInt(high * 0x1_0000_0000 + low);
  return (BigInt(high) << 32n) | BigInt(low);
}

const least = -(2n ** 63n);
const most = 2n ** 63n - 1n;

/** Keeps a sum of offsets in 64 bits, as the core does. */
export function saturated(value: bigint): bigint {
  return value > most ? most : value < least ? least : value;
}
