/**
 * The package's functions and classes, declared ahead of their code. Entries: `kcodec`, `kcodec/slim`,
 * `kcodec/inline`, `kcodec/kcodec.wasm`.
 */
import type {
  AbortedTransaction, Bytes, Codec, DecodeOptions, EncodeOptions, KafkaRecord, Level, ModuleSource, NewRecord, Tables, Tail,
} from "./types.js";
export type * from "./types.js";
export { KcodecError, type ErrorCode, errorKinds } from "./errors.js";
import type { KcodecError } from "./errors.js";

/**
 * The records of a buffer. JS-owned, nothing to free. `length` and indices count the records of control
 * batches too; iterating leaves those out, as an application should not see them.
 */
export declare class Records implements Iterable<RecordRef> {
  readonly length: number;
  readonly batches: readonly BatchInfo[];
  /** The batches that could not be read (keepGoing). */
  readonly faults: readonly KcodecError[];
  /** Bytes of whole batches; less than the input when a tail is left. */
  readonly consumed: number;
  readonly tail: Tail;
  /** The offset to fetch next, null without a whole batch. */
  readonly nextOffset: bigint | null;
  readonly tables: Tables;
  key(i: number): Uint8Array | null;
  value(i: number): Uint8Array | null;
  /** Bytes of the key or value, -1 for null, without making a view. */
  keyLength(i: number): number;
  valueLength(i: number): number;
  /** Throws UNSAFE_INTEGER beyond 2^53. */
  offset(i: number): number;
  offsetBig(i: number): bigint;
  timestamp(i: number): number;
  timestampBig(i: number): bigint;
  headerCount(i: number): number;
  headerKey(i: number, h: number): string;
  headerKeyBytes(i: number, h: number): Uint8Array;
  headerValue(i: number, h: number): Uint8Array | null;
  /** Where the key or value starts in the batch's `segment`. */
  keyPosition(i: number): number;
  valuePosition(i: number): number;
  /** The batch that holds record i. */
  batchOf(i: number): BatchInfo;
  at(i: number): KafkaRecord;
  [Symbol.iterator](): IterableIterator<RecordRef>;
}

/** The cursor of an iteration: one object, moved on from record to record. `toObject` keeps a record. */
export declare class RecordRef {
  readonly index: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly offset: number;
  readonly offsetBig: bigint;
  readonly timestamp: number;
  readonly timestampBig: bigint;
  headers(): Iterable<readonly [key: string, value: Uint8Array | null]>;
  toObject(): KafkaRecord;
}

/** A batch, or a message of magic 0 or 1. 64-bit fields are bigint; -1 stands for none as on the wire. */
export declare class BatchInfo {
  readonly index: number;
  /** Where it starts in the input, and its bytes. */
  readonly position: number;
  readonly size: number;
  readonly raw: Uint8Array;
  readonly magic: number;
  readonly attributes: number;
  /** null for a number that Kafka does not define. */
  readonly codec: Codec | null;
  readonly codecNumber: number;
  readonly timestampType: "none" | "create" | "append";
  readonly transactional: boolean;
  readonly control: boolean;
  /** Of a control batch's first record: "COMMIT", "ABORT", "LEADER_CHANGE", ... "UNKNOWN"; null without. */
  readonly controlType: string | null;
  readonly baseOffset: bigint;
  readonly lastOffset: bigint;
  readonly nextOffset: bigint;
  readonly baseTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly deleteHorizon: bigint | null;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly lastSequence: number;
  readonly leaderEpoch: number;
  readonly lastOffsetDelta: number;
  readonly crc: number;
  readonly crcVerified: boolean;
  /** An old wrapper message with offsets as its producer stored them. */
  readonly offsetsUnassigned: boolean;
  /** Its records are rows firstRecord to firstRecord + count - 1. */
  readonly firstRecord: number;
  readonly count: number;
  /** As the header says; -1 for messages. */
  readonly declaredCount: number;
  /** What positions of its records count in: the input, or its own decompressed records. */
  readonly segment: Uint8Array;
  /** Bytes of its records after decompression. */
  readonly payloadSize: number;
  /** Why it has no records (keepGoing). */
  readonly error: KcodecError | null;
}

/** Reuses its memory from call to call. Nothing needs to be freed; dispose gives memory back sooner. */
export declare class Decoder {
  constructor(options?: DecodeOptions);
  decode(input: Uint8Array): Records;
  /** Hands `use` a view of wasm memory that holds until it returns: no copies, and nothing to keep. */
  borrow<T>(input: Uint8Array, use: (view: RecordsView) => T): T;
  [Symbol.dispose](): void;
}
export declare class RecordsView extends Records {
  readonly live: boolean;
  copy(): Records;
}

export interface Scan {
  readonly batches: readonly BatchInfo[];
  readonly consumed: number;
  readonly tail: Tail;
  readonly nextOffset: bigint | null;
}

export declare function decodeRecords(input: Uint8Array, options?: DecodeOptions): Records;
/** Headers only; faults are in the batches. */
export declare function scanBatches(input: Uint8Array): Scan;
/** Throws the first fault. A cut-off or zero tail is none. */
export declare function validate(input: Uint8Array, level?: Level, options?: DecodeOptions): void;
export declare function encodeRecords(records: Iterable<NewRecord>, options?: EncodeOptions): Uint8Array;
/** The batches whose records a read_committed consumer gets. */
export declare function committedBatches(records: Records, aborted: Iterable<AbortedTransaction>): BatchInfo[];
export declare function compress(codec: Codec, input: Uint8Array, level?: number): Uint8Array;
/** To no more than `limit` bytes, else LIMIT_BATCH_BYTES. */
export declare function decompress(codec: Codec, input: Uint8Array, limit: number): Uint8Array;
/** Of the bytes that have the checksum `seed`, followed by `input`. */
export declare function crc32c(input: Uint8Array, seed?: number): number;
/** Kafka's default partitioner hashes keys with it; a signed 32-bit number. */
export declare function murmur2(input: Bytes): number;
/** The reader over posted tables: `postMessage(records.tables)`, `recordsFrom(event.data)`; needs no wasm. */
export declare function recordsFrom(tables: Tables): Records;

/** Loads the module. Needed in browsers and with `slim`; elsewhere it happens at the first call. */
export declare function init(source?: ModuleSource): Promise<void>;
export declare function initSync(source: ArrayBuffer | ArrayBufferView<ArrayBuffer> | WebAssembly.Module): void;
export declare const version: string;
/** The codecs in the loaded module. */
export declare function codecs(): readonly Codec[];
