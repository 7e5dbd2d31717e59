/**
 * From records to bytes.
 *
 * Keys, values and headers are written one after another into the module's input, and rows that point there
 * into its tables, in the layout that decoding leaves. So the whole batch crosses in one call.
 */

import * as at from "./columns.js";
import { invalid } from "./errors.js";
import { bytesOf, type Instance, shared, View } from "./instance.js";
import { codecNames } from "./kinds.js";
import { type Names, optionsOf } from "./options.js";
import type { Bytes, Codec, EncodeOptions, NewRecord } from "./types.js";

/** Stand for "none" where a number is optional. */
export const NO_INT = -0x8000_0000;
const NO_LONG = -(2n ** 63n);

type Headers = readonly (readonly [key: Bytes, value: Bytes | null])[];

/** The records as arrays, and how much room they take. */
interface Plan {
  records: readonly NewRecord[];
  /** For each record with headers these as an array; empty if no record has any. */
  headers: (Headers | undefined)[];
  headerCount: number;
  /** At most this many bytes of keys, values and headers. */
  bytes: number;
}

/**
 * Encodes one record batch, or with magic 0 or 1 a message set. Offsets count from `baseOffset` on, as in
 * what producers send, unless records say others.
 */
export function encodeRecords(records: Iterable<NewRecord>, given?: EncodeOptions): Uint8Array<ArrayBuffer> {
  const options = optionsOf(given, optionNames);
  const header = headerOf(options);
  const plan = planOf(records);
  return shared.run((instance) => {
    const start = instance.room(plan.bytes);
    instance.check(instance.exports.rows(0, plan.records.length, plan.headerCount));
    header(new DataView(instance.bytes.buffer, instance.result(View.params)));
    const writer = new Writer(instance, start, plan.bytes);
    writer.write(plan, options.baseOffset ?? 0);
    instance.check(instance.exports.encode(plan.records.length, plan.headerCount, writer.length));
    return instance.output();
  });
}

function planOf(iterable: Iterable<NewRecord>): Plan {
  const records = listOf(iterable, "records must be an iterable of objects");
  const plan: Plan = { records, headers: [], headerCount: 0, bytes: 0 };
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    if (typeof record !== "object" || record === null) throw invalid(`record ${i} is no object`);
    const { key, value, headers } = record;
    plan.bytes += roomFor(key) + roomFor(value);
    if (headers === undefined) continue;
    const list = listOf(headers, NO_HEADERS);
    for (const header of list) {
      if (!Array.isArray(header)) throw invalid(NO_HEADERS);
      plan.bytes += roomFor(header[0]) + roomFor(header[1]);
    }
    plan.headers[i] = list;
    plan.headerCount += list.length;
  }
  return plan;
}

const GREW = "a value grew while it was being written";
const NO_HEADERS = "headers must be an iterable of [key, value]";

/** What an iterable yields; an object that is none would pass for an empty one. */
function listOf<T>(iterable: Iterable<T>, problem: string): readonly T[] {
  if (Array.isArray(iterable)) return iterable;
  if (typeof iterable?.[Symbol.iterator] !== "function") throw invalid(problem);
  return Array.from(iterable);
}

/** Bytes that a value takes at most. */
function roomFor(value: Bytes | null | undefined): number {
  if (value === null || value === undefined) return 0;
  // A UTF-16 unit takes up to three bytes in UTF-8.
  if (typeof value === "string") return value.length * 3;
  return bytesOf(value, "keys and values must be a Uint8Array, a string or null").length;
}

const utf8 = new TextEncoder();

/** Writes rows and the bytes that they point to. */
class Writer {
  /** The room that was made, and not a byte more: a getter may say something longer the second time. */
  readonly #bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #records: number;
  readonly #headers: number;
  /** Bytes written. */
  length = 0;

  constructor(instance: Instance, start: number, room: number) {
    this.#bytes = instance.bytes.subarray(start, start + room);
    this.#words = instance.words;
    this.#records = instance.result(View.records) >> 2;
    this.#headers = instance.result(View.headers) >> 2;
  }

  write({ records, headers }: Plan, baseOffset: number | bigint): void {
    const words = this.#words;
    let next = baseOffset;
    let firstHeader = 0;
    for (let i = 0; i < records.length; i++) {
      const record = records[i]!;
      const row = this.#records + i * at.RECORD;
      const offset = record.offset ?? next;
      putLong(words, row + at.Record.offset, offset);
      putLong(words, row + at.Record.timestamp, record.timestamp ?? -1);
      this.#put(row + at.Record.keyPosition, record.key);
      this.#put(row + at.Record.valuePosition, record.value);
      const own = headers[i];
      words[row + at.Record.firstHeader] = firstHeader;
      words[row + at.Record.headerCount] = own === undefined ? 0 : own.length;
      if (own !== undefined) {
        this.#putHeaders(own, this.#headers + firstHeader * at.HEADER);
        firstHeader += own.length;
      }
      next = typeof offset === "bigint" ? offset + 1n : offset + 1;
    }
  }

  #putHeaders(headers: Headers, row: number): void {
    for (const [key, value] of headers) {
      this.#put(row + at.Header.keyPosition, key);
      this.#put(row + at.Header.valuePosition, value);
      row += at.HEADER;
    }
  }

  /** Writes a value, and its position and length at `column`. */
  #put(column: number, value: Bytes | null | undefined): void {
    const position = this.length;
    let length = -1;
    if (typeof value === "string") {
      const { read, written } = utf8.encodeInto(value, this.#bytes.subarray(position));
      if (read < value.length) throw invalid(GREW);
      length = written;
    } else if (value !== null && value !== undefined) {
      length = value.length;
      if (position + length > this.#bytes.length) throw invalid(GREW);
      this.#bytes.set(value, position);
    }
    this.#words[column] = position;
    this.#words[column + 1] = length;
    if (length > 0) this.length = position + length;
  }
}

/** Writes a 64-bit column. */
function putLong(words: Int32Array, column: number, value: number | bigint): void {
  if (typeof value === "bigint") {
    longOf(value);
    words[column] = Number(BigInt.asIntN(32, value));
    words[column + 1] = Number(value >> 32n);
  } else {
    if (!Number.isSafeInteger(value)) throw invalid(`${value} is no safe integer`);
    words[column] = value >>> 0;
    words[column + 1] = Math.floor(value / 0x1_0000_0000);
  }
}

/** @internal */
export function longOf(value: number | bigint): bigint {
  if (typeof value !== "bigint" && !Number.isSafeInteger(value)) throw invalid(`${value} is no safe integer`);
  const long = BigInt(value);
  if (BigInt.asIntN(64, long) !== long) throw invalid(`${value} has more than 64 bits`);
  return long;
}

/** @internal */
export function intOf(value: number, bits: number): number {
  const most = 2 ** (bits - 1);
  if (!Number.isInteger(value) || value < -most || value >= most) throw invalid(`${value} has more than ${bits} bits`);
  return value;
}

/** A codec's number. */
export function codecOf(codec: Codec): number {
  const number = codecNames.indexOf(codec);
  if (number < 0) throw invalid(`${codec} is no codec`);
  return number;
}

const optionNames: Names<EncodeOptions> = {
  magic: true,
  codec: true,
  level: true,
  baseOffset: true,
  lastOffsetDelta: true,
  leaderEpoch: true,
  producerId: true,
  producerEpoch: true,
  baseSequence: true,
  transactional: true,
  control: true,
  logAppendTime: true,
  deleteHorizon: true,
};

/** The options, checked, to be written as the module takes them. */
function headerOf(options: EncodeOptions): (to: DataView) => void {
  const long = (value: number | bigint | undefined, none: bigint) => (value === undefined ? none : longOf(value));
  const longs = [
    long(options.baseOffset, 0n),
    long(options.producerId, -1n),
    long(options.logAppendTime, NO_LONG),
    long(options.deleteHorizon, NO_LONG),
  ];
  const ints = [
    intOf(options.level ?? NO_INT, 32),
    intOf(options.lastOffsetDelta ?? NO_INT, 32),
    intOf(options.leaderEpoch ?? -1, 32),
    intOf(options.baseSequence ?? -1, 32),
  ];
  const producerEpoch = intOf(options.producerEpoch ?? -1, 16);
  const bytes = [
    intOf(options.magic ?? 2, 8),
    codecOf(options.codec ?? "none"),
    options.transactional ? 1 : 0,
    options.control ? 1 : 0,
  ];
  return (to) => {
    longs.forEach((value, i) => to.setBigInt64(i * 8, value, true));
    ints.forEach((value, i) => to.setInt32(32 + i * 4, value, true));
    to.setInt16(48, producerEpoch, true);
    bytes.forEach((value, i) => to.setInt8(50 + i, value));
  };
}
