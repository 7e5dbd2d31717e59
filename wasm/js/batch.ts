/** What the header of a batch says, and what became of its records. */

import * as at from "./columns.js";
import type { KcodecError } from "./errors.js";
import { codecNames, controlNames } from "./kinds.js";
import type { Records } from "./records.js";
import type { Codec } from "./types.js";

const CODEC = 0x07;
const LOG_APPEND_TIME = 0x08;
const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;
const DELETE_HORIZON = 0x40;

const CRC_VERIFIED = 1;
const OFFSETS_UNASSIGNED = 2;

/** Bytes of a record batch before its records. */
const RECORDS = 61;

/**
 * A batch, or a message of magic 0 or 1. Fields are as written on the wire, and −1 where the format of the
 * batch does not have them. Those of 64 bits are bigints.
 */
export class BatchInfo {
  readonly #of: Records;
  /** Its place among the batches. */
  readonly index: number;

  /** @internal */
  constructor(of: Records, index: number) {
    this.#of = of;
    this.index = index;
  }

  /** Where it starts in the input. */
  get position(): number {
    return this.#word(at.Batch.position);
  }

  /** Its bytes, the 12 before the end of the length field included. */
  get size(): number {
    return this.#word(at.Batch.length);
  }

  /** Its bytes in the input, to be forwarded untouched. */
  get raw(): Uint8Array {
    const input = this.#of._columns.segments[0]!;
    return input.subarray(this.position, this.position + this.size);
  }

  /** 0, 1 or 2; anything else comes with an error. */
  get magic(): number {
    return (this.#word(at.Batch.magicCodecFlags) << 24) >> 24;
  }

  /** Unknown bits included. */
  get attributes(): number {
    return this.#word(at.Batch.epochAndAttributes) >> 16;
  }

  /** How the records are compressed; `null` for a number that Kafka does not define. */
  get codec(): Codec | null {
    return codecNames[this.codecNumber] ?? null;
  }

  get codecNumber(): number {
    return this.attributes & CODEC;
  }

  /** Whose clock the timestamps are from: nobody's (magic 0), the producer's, the broker's. */
  get timestampType(): "none" | "create" | "append" {
    if (this.magic === 0) return "none";
    return this.attributes & LOG_APPEND_TIME ? "append" : "create";
  }

  get transactional(): boolean {
    return this.#has(TRANSACTIONAL);
  }

  /** Whether its records are control records. */
  get control(): boolean {
    return this.#has(CONTROL);
  }

  /** What its first record says if it is a control record: "COMMIT", "ABORT", …, "UNKNOWN". */
  get controlType(): string | null {
    const number = this.#of._columns.controls[this.index]!;
    return number < 0 ? null : (controlNames[number] ?? "UNKNOWN");
  }

  /** A wrapper message carries the offset of its last message here. */
  get baseOffset(): bigint {
    return this.#long(at.Batch.baseOffset);
  }

  /** The last offset that the batch covers, whether or not a record still has it. */
  get lastOffset(): bigint {
    return at.saturated(this.baseOffset + BigInt(this.lastOffsetDelta));
  }

  /** The offset to fetch next, whatever became of its records. */
  get nextOffset(): bigint {
    return at.saturated(this.lastOffset + 1n);
  }

  get lastOffsetDelta(): number {
    return this.#word(at.Batch.lastOffsetDelta);
  }

  get baseTimestamp(): bigint {
    return this.#long(at.Batch.baseTimestamp);
  }

  get maxTimestamp(): bigint {
    return this.#long(at.Batch.maxTimestamp);
  }

  /** When compaction may drop the tombstones or the marker in it (KIP-534). */
  get deleteHorizon(): bigint | null {
    return this.#has(DELETE_HORIZON) ? this.baseTimestamp : null;
  }

  get leaderEpoch(): number {
    return this.#word(at.Batch.leaderEpoch);
  }

  get producerId(): bigint {
    return this.#long(at.Batch.producerId);
  }

  get producerEpoch(): number {
    return (this.#word(at.Batch.epochAndAttributes) << 16) >> 16;
  }

  /** The sequence number of the first record. */
  get baseSequence(): number {
    return this.#word(at.Batch.baseSequence);
  }

  /** The sequence number of the last record; 2^31−1 is followed by 0. */
  get lastSequence(): number {
    return this.baseSequence < 0 ? -1 : (this.baseSequence + this.lastOffsetDelta) & 0x7fff_ffff;
  }

  /** As written. */
  get crc(): number {
    return this.#word(at.Batch.crc) >>> 0;
  }

  /** Whether the checksum was compared and is right. */
  get crcVerified(): boolean {
    return (this.#flags & CRC_VERIFIED) !== 0;
  }

  /** Whether this is an old wrapper message whose offsets are as its producer stored them. */
  get offsetsUnassigned(): boolean {
    return (this.#flags & OFFSETS_UNASSIGNED) !== 0;
  }

  /** Its first record's index. */
  get firstRecord(): number {
    return this.#word(at.Batch.firstRecord);
  }

  /** How many of the records are its own. */
  get count(): number {
    return this.#word(at.Batch.recordCount);
  }

  /** As the header says; −1 for messages, which do not. */
  get declaredCount(): number {
    return this.#word(at.Batch.declaredCount);
  }

  /** What the positions of its records count in: the input, or what was decompressed. */
  get segment(): Uint8Array {
    return this.#of._columns.segments[this.#word(at.Batch.segment)]!;
  }

  /** Bytes of its records, decompressed if they were. */
  get payloadSize(): number {
    if (this.#word(at.Batch.segment) !== 0) return this.segment.length;
    return this.magic === 2 ? this.size - RECORDS : this.size;
  }

  /** Why it has no records; only with `keepGoing`. */
  get error(): KcodecError | null {
    if (this.#word(at.Batch.status) === 0) return null;
    return this.#of._faultOf(this.index);
  }

  get #flags(): number {
    return (this.#word(at.Batch.magicCodecFlags) >> 16) & 0xff;
  }

  #has(bit: number): boolean {
    return this.magic === 2 && (this.attributes & bit) !== 0;
  }

  #word(column: number): number {
    return this.#of._columns.batches[this.index * at.BATCH + column]!;
  }

  #long(column: number): bigint {
    return at.longBig(this.#of._columns.batches, this.index * at.BATCH + column);
  }
}
