/** What is handed in and out as plain data. */

import type { KcodecError } from "./errors.js";

/** How the records of a batch are compressed, as Kafka's `compression.type` names it. */
export type Codec = "none" | "gzip" | "snappy" | "lz4" | "zstd";

/** Bounds on what one call may make of its input. 0 and undefined mean the default, never "unlimited". */
export interface Limits {
  /** Decompressed bytes of one batch. Default 64 MiB. */
  maxBatchBytes?: number;
  /** Decompressed bytes of one call. Default 256 MiB. */
  maxTotalBytes?: number;
  /** Records of one call. Default 2^22. */
  maxRecords?: number;
  /** Headers of one call. Default 2^22. */
  maxHeaders?: number;
}

/** How to decode. */
export interface DecodeOptions {
  limits?: Limits;
  /** Compare the checksum of every batch with its bytes. Default true. */
  verifyCrc?: boolean;
  /**
   * Leave a batch that cannot be read without records, with the reason in its `error`, and go on with the
   * next. Default false: the first fault is thrown.
   */
  keepGoing?: boolean;
  /** Stop at batch headers: no records, nothing decompressed. Default false. */
  batchesOnly?: boolean;
  /** Leave control batches without records. Default false. */
  skipControl?: boolean;
  /** Refuse header keys that are no UTF-8. Default false. */
  checkUtf8?: boolean;
}

/** A record as a plain object. */
export interface KafkaRecord {
  offset: bigint;
  /** Milliseconds since the epoch, -1 for none. */
  timestamp: number;
  /** `null` is not empty. */
  key: Uint8Array | null;
  value: Uint8Array | null;
  /** In the order of the wire, duplicates kept. */
  headers: [key: string, value: Uint8Array | null][];
}

/** What follows the last whole batch of the input. Of these only "corrupt" is an error. */
export type Tail =
  /** Nothing. */
  | { kind: "none" }
  /** The start of a batch, as brokers cut fetch responses. `needed`: bytes of the whole one, if it says. */
  | { kind: "partial"; needed: number | null }
  /** Zeros to the end: a preallocated segment. */
  | { kind: "zeros" }
  /** Bytes that are no batch (only with `keepGoing`; thrown otherwise). */
  | { kind: "corrupt"; error: KcodecError };

/** The bytes behind a result, plain JavaScript memory: to be posted to a worker, or read column by column. */
export interface Tables {
  /** 88 bytes a batch, 40 a record, 16 a header, little-endian; the README names their columns. */
  batches: ArrayBuffer;
  records: ArrayBuffer;
  headers: ArrayBuffer;
  /** 2 bytes a batch: the type of its control records, −1 for none. */
  controls: ArrayBuffer;
  /** 64 bytes a fault. */
  faults: ArrayBuffer;
  /** What the positions in the rows count in. 0 is the input as the caller gave it, not a copy. */
  segments: readonly Uint8Array[];
  consumed: number;
  /** What follows the last whole batch (0 nothing, 1 a part of one, 2 zeros, 3 rubbish), and bytes needed. */
  tail: readonly [kind: number, needed: number];
}

/** A transaction that ended in an abort, as fetch responses list them. */
export interface AbortedTransaction {
  /** Offset of its first record in the partition. */
  firstOffset: bigint | number;
  producerId: bigint | number;
}

/** Bytes, or text that is written as UTF-8. */
export type Bytes = Uint8Array | string;

/** A record to be written. What is left out is null, or the last record's successor. */
export interface NewRecord {
  key?: Bytes | null;
  value?: Bytes | null;
  /** Milliseconds since the epoch. Default -1, none. */
  timestamp?: number | bigint;
  /** Default: the base offset, then each one more than the last. */
  offset?: number | bigint;
  headers?: Iterable<readonly [key: Bytes, value: Bytes | null]>;
}

/** What the header of a batch to be written says. The defaults are what a plain producer sends. */
export interface EncodeOptions {
  /** 2 for a record batch, 0 or 1 for a message set. Default 2. */
  magic?: 0 | 1 | 2;
  /** Default "none". */
  codec?: Codec;
  /** As Kafka's clients name the codec's levels. */
  level?: number;
  baseOffset?: number | bigint;
  /** Where it is beyond the last record: compaction keeps it. */
  lastOffsetDelta?: number;
  leaderEpoch?: number;
  producerId?: number | bigint;
  producerEpoch?: number;
  baseSequence?: number;
  transactional?: boolean;
  control?: boolean;
  /** The broker's append time, which then holds for all records. */
  logAppendTime?: number | bigint;
  /** The delete horizon of KIP-534. */
  deleteHorizon?: number | bigint;
}

/** How deep to look: headers; checksums too; every record too; as a broker looks at what is produced. */
export type Level = "frame" | "crc" | "full" | "produce";

/** Types that projects without the DOM's or Node's declarations do not have, and then cannot name. */
type Global<Name extends string> = typeof globalThis extends Record<Name, { prototype: infer T }> ? T : never;

/** A `WebAssembly.Module`. */
export type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } } ? T : object;

/** Bytes of a module, or what was compiled from them. */
export type ModuleBytes = ArrayBuffer | ArrayBufferView<ArrayBuffer> | CompiledModule;

type Fetched = Global<"Response"> | ModuleBytes;

/** Where the compiled module comes from: a place for `fetch`, what came from there, or a promise of that. */
export type ModuleSource = Global<"URL"> | string | Fetched | Promise<Fetched>;
