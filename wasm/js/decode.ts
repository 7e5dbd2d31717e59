/// <reference lib="esnext.disposable" preserve="true" />
/** From bytes to records. */

import type { BatchInfo } from "./batch.js";
import * as at from "./columns.js";
import type { Columns } from "./columns.js";
import { FAULT_SIZE, invalid } from "./errors.js";
import { longOf } from "./encode.js";
import { bytesOf, Engine, type Instance, shared, View } from "./instance.js";
import { type Names, optionsOf } from "./options.js";
import { Records, recordsFrom } from "./records.js";
import type { AbortedTransaction, DecodeOptions, Level, Limits, Tables } from "./types.js";

const Flag = { skipCrc: 1, keepGoing: 2, batchesOnly: 4, skipControl: 8, checkUtf8: 16 } as const;
const levels: readonly Level[] = ["frame", "crc", "full", "produce"];

const limitNames: Names<Limits> = { maxBatchBytes: true, maxTotalBytes: true, maxRecords: true, maxHeaders: true };
const optionNames: Names<DecodeOptions> = {
  limits: true,
  verifyCrc: true,
  keepGoing: true,
  batchesOnly: true,
  skipControl: true,
  checkUtf8: true,
};

/** The options as the module takes them: flags and four limits. */
type Numbers = [flags: number, ...limits: LimitNumbers];
type LimitNumbers = [batch: number, total: number, records: number, headers: number];

function numbersOf(given: DecodeOptions | undefined): Numbers {
  const options = optionsOf(given, optionNames);
  const flags =
    (options.verifyCrc === false ? Flag.skipCrc : 0) |
    (options.keepGoing ? Flag.keepGoing : 0) |
    (options.batchesOnly ? Flag.batchesOnly : 0) |
    (options.skipControl ? Flag.skipControl : 0) |
    (options.checkUtf8 ? Flag.checkUtf8 : 0);
  return [flags, ...limitsOf(options.limits)];
}

function limitsOf(given: Limits | undefined): LimitNumbers {
  const limits = optionsOf(given, limitNames, "limits");
  const limit = (name: keyof Limits) => limitOf(limits[name], name);
  return [limit("maxBatchBytes"), limit("maxTotalBytes"), limit("maxRecords"), limit("maxHeaders")];
}

/** @internal A limit as 32 bits. Larger ones could never be reached in the memory of a module. */
export function limitOf(value: number | undefined, name: string): number {
  if (value === undefined) return 0;
  if (!(value >= 0 && (Number.isInteger(value) || value === Infinity))) {
    throw invalid(`${name} must be a whole number, and not negative`);
  }
  return Math.min(value, 0xffff_ffff);
}

const none: Numbers = [0, 0, 0, 0, 0];

/** Decodes into the module's own tables. */
function run(instance: Instance, input: Uint8Array, numbers: Numbers): void {
  instance.check(instance.exports.decode(instance.put(input), ...numbers));
}

/** Where the module's segments are: starts and lengths, two words each. */
function segmentsIn(instance: Instance): Int32Array {
  const start = instance.result(View.segments) >> 2;
  return instance.words.subarray(start, start + instance.result(View.segments + 1) * 2);
}

/** Copies the module's tables. */
function copied(instance: Instance, input: Uint8Array): Tables {
  const found = segmentsIn(instance);
  const segments = [input];
  for (let i = 0; i < found.length; i += 2) {
    const start = found[i]! >>> 0;
    segments.push(instance.bytes.slice(start, start + found[i + 1]!));
  }
  return {
    batches: instance.copy(View.batches, at.BATCH * 4),
    records: instance.copy(View.records, at.RECORD * 4),
    headers: instance.copy(View.headers, at.HEADER * 4),
    controls: instance.copy(View.controls, 2),
    faults: instance.copy(View.faults, FAULT_SIZE),
    segments,
    consumed: instance.result(View.consumed),
    tail: [instance.result(View.tail), instance.result(View.needed)],
  };
}

/** The module's tables themselves. */
function borrowed(instance: Instance, input: Uint8Array): Columns {
  const { buffer } = instance.bytes;
  const table = (word: number) => [buffer, instance.result(word), instance.result(word + 1)] as const;
  const words = (word: number, width: number) => {
    const [, start, rows] = table(word);
    return new Int32Array(buffer, start, rows * width);
  };
  const found = segmentsIn(instance);
  const segments = [input];
  for (let i = 0; i < found.length; i += 2) {
    segments.push(new Uint8Array(buffer, found[i]! >>> 0, found[i + 1]!));
  }
  const [, faults, count] = table(View.faults);
  return {
    batches: words(View.batches, at.BATCH),
    records: words(View.records, at.RECORD),
    headers: words(View.headers, at.HEADER),
    controls: new Int16Array(...table(View.controls)),
    faults: new Uint8Array(buffer, faults, count * FAULT_SIZE),
    segments,
    consumed: instance.result(View.consumed),
    tail: [instance.result(View.tail), instance.result(View.needed)],
  };
}

function decodeWith(engine: Engine, input: Uint8Array, numbers: Numbers): Records {
  const bytes = bytesOf(input);
  return recordsFrom(
    engine.run((instance) => {
      run(instance, bytes, numbers);
      return copied(instance, bytes);
    }),
  );
}

/**
 * Decodes a record set: the records of a fetch response or produce request, or a segment file. Of all
 * batches and magics; a tail that is cut off or zero is no error.
 */
export function decodeRecords(input: Uint8Array, options?: DecodeOptions): Records {
  return decodeWith(shared, input, options === undefined ? none : numbersOf(options));
}

/** What {@link scanBatches} finds. */
export type Scan = Pick<Records, "batches" | "faults" | "consumed" | "tail" | "nextOffset">;

/** Splits a record set into its batches by their headers alone. Faults are in the batches and the tail. */
export function scanBatches(input: Uint8Array): Scan {
  return decodeRecords(input, { batchesOnly: true, verifyCrc: false, keepGoing: true });
}

/** Checks a record set and throws the first fault. A tail that is cut off or zero is none. */
export function validate(input: Uint8Array, level: Level = "full", options?: Pick<DecodeOptions, "limits">): void {
  const number = levels.indexOf(level);
  if (number < 0) throw invalid(`${level} is no level`);
  const bytes = bytesOf(input);
  const limits = limitsOf(optionsOf(options, { limits: true }).limits);
  shared.run((instance) => {
    instance.check(instance.exports.validate(instance.put(bytes), number, ...limits));
  });
}

/**
 * The batches whose records a consumer with isolation level read_committed gets, given the list of aborted
 * transactions that came with them. Needs control batches with their records.
 */
export function committedBatches(records: Records, aborted: Iterable<AbortedTransaction>): BatchInfo[] {
  const { batches, controls } = records._columns;
  const numbers = Array.from(aborted, ({ firstOffset, producerId }) => [longOf(firstOffset), longOf(producerId)]);
  const pairs = new BigInt64Array(numbers.flat());
  const flags = shared.run((instance) => {
    instance.check(instance.exports.rows(controls.length, 0, 0));
    instance.put(new Uint8Array(pairs.buffer));
    instance.words.set(batches, instance.result(View.batches) >> 2);
    new Int16Array(instance.bytes.buffer).set(controls, instance.result(View.controls) >> 1);
    instance.check(instance.exports.committed(controls.length, numbers.length));
    return instance.output();
  });
  return records.batches.filter((_, i) => flags[i] === 1);
}

/**
 * Decodes with the same options again and again, and keeps its memory from call to call. Nothing has to be
 * freed: `using`, or dispose, gives the memory back sooner than garbage collection would.
 */
export class Decoder {
  readonly #numbers: Numbers;
  readonly #engine = new Engine();

  constructor(options?: DecodeOptions) {
    this.#numbers = numbersOf(options);
  }

  /** As {@link decodeRecords}. */
  decode(input: Uint8Array): Records {
    return decodeWith(this.#engine, input, this.#numbers);
  }

  /**
   * Decodes without copying the result: the view reads the module's memory, until `use` returns. Then it
   * throws VIEW_EXPIRED, and arrays that it gave out are not to be used any more. `use` must not be async.
   */
  borrow<T>(input: Uint8Array, use: (view: RecordsView) => T): T {
    const bytes = bytesOf(input);
    const instance = this.#engine.take();
    const view = this.#engine.guard(instance, () => {
      run(instance, bytes, this.#numbers);
      return new RecordsView(borrowed(instance, bytes));
    });
    try {
      const result = use(view);
      if (result instanceof Promise) throw invalid("the callback of borrow must not be async");
      return result;
    } finally {
      view._expire();
      this.#engine.putBack(instance);
    }
  }

  [Symbol.dispose](): void {
    this.#engine.drop();
  }
}

/** Reads a result in the module's own memory, for as long as the callback of `borrow` runs. */
export class RecordsView extends Records {
  #live = true;

  get live(): boolean {
    return this.#live;
  }

  /** The same records in memory of their own, to be kept. */
  copy(): Records {
    return recordsFrom(this.tables);
  }

  /** Copies. */
  override get tables(): Tables {
    const { batches, records, headers, controls, faults, segments, consumed, tail } = this._columns;
    return {
      batches: batches.slice().buffer as ArrayBuffer,
      records: records.slice().buffer as ArrayBuffer,
      headers: headers.slice().buffer as ArrayBuffer,
      controls: controls.slice().buffer as ArrayBuffer,
      faults: faults.slice().buffer as ArrayBuffer,
      segments: segments.map((bytes, i) => (i === 0 ? bytes : bytes.slice())),
      consumed,
      tail,
    };
  }

  /** @internal */
  override _expire(): void {
    this.#live = false;
    super._expire();
  }
}
