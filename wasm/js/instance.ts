/**
 * An instance of the module, its memory, and what to do when it dies.
 *
 * An instance holds one decoder and one encoder with their buffers. It is taken out of its {@link Engine} for
 * the time of a call and put back after it. So a call made from inside of another (a getter of a record to be
 * encoded, the callback of `borrow`) meets another instance, and one that trapped never comes back: memory
 * that a broken call left behind is not used again, and the next call starts afresh.
 */

import type * as Exports from "../pkg/kcodec_bg.wasm.js";
import { faultAt, invalid, KcodecError } from "./errors.js";
import { compiled } from "./loader.js";
import type { CompiledModule } from "./types.js";

/** Words of the view that calls leave their results in; tables take two, their start and their length. */
export const View = {
  batches: 0,
  records: 2,
  headers: 4,
  controls: 6,
  faults: 8,
  segments: 10,
  output: 12,
  consumed: 14,
  tail: 15,
  needed: 16,
  params: 17,
  fault: 18,
} as const;

/** As in all languages. */
const MOST_INPUT = 0x7fff_ffff;

/** Memory that the instance of the package's functions may keep between calls. */
const KEPT_BYTES = 32 * 1024 * 1024;

export class Instance {
  readonly exports: typeof Exports;
  readonly #view: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #words: Int32Array<ArrayBuffer>;

  constructor(module: CompiledModule) {
    this.exports = exportsOf(module);
    this.#view = this.exports.view() >> 2;
    this.#bytes = new Uint8Array(this.exports.memory.buffer as ArrayBuffer);
    this.#words = new Int32Array(this.#bytes.buffer);
  }

  /** All memory as bytes. Memory that grows leaves the arrays over it empty, so they are asked for anew. */
  get bytes(): Uint8Array<ArrayBuffer> {
    this.#refresh();
    return this.#bytes;
  }

  /** All memory as words of 32 bits. */
  get words(): Int32Array<ArrayBuffer> {
    this.#refresh();
    return this.#words;
  }

  #refresh(): void {
    const buffer = this.exports.memory.buffer as ArrayBuffer;
    if (this.#bytes.buffer === buffer) return;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer);
  }

  /** A word of the view. */
  result(word: number): number {
    return this.words[this.#view + word]! >>> 0;
  }

  /** Makes room for so many bytes of input, and says where. */
  room(length: number): number {
    if (length > MOST_INPUT) throw new KcodecError("LIMIT_INPUT");
    const at = this.exports.input(length) >>> 0;
    if (at === 0) throw new KcodecError("OUT_OF_MEMORY");
    return at;
  }

  /** Copies the input in. */
  put(input: Uint8Array): number {
    const at = this.room(input.length);
    this.bytes.set(input, at);
    return input.length;
  }

  /** Throws what a call reports, unless that is 0. */
  check(status: number): void {
    if (status !== 0) throw this.fault();
  }

  /** The fault of the last call. */
  fault(): KcodecError {
    return faultAt(this.bytes, (this.#view + View.fault) << 2);
  }

  /** A copy of a table with rows of so many bytes. */
  copy(table: number, size: number): ArrayBuffer {
    const start = this.result(table);
    // A copy by the constructor is not zeroed first, as one by slice is.
    return new Uint8Array(this.bytes.subarray(start, start + this.result(table + 1) * size)).buffer;
  }

  /** A copy of the bytes that a call made. */
  output(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.copy(View.output, 1));
  }
}

/** The number of the exports and layouts that this file knows. */
const ABI = 1;

/** The exports of a new instance. A module of another version would read the memory in another way. */
function exportsOf(module: CompiledModule): typeof Exports {
  let cause: unknown;
  try {
    const exports = new WebAssembly.Instance(module).exports as unknown as typeof Exports;
    if (exports.abi() === ABI) return exports;
  } catch (error) {
    if (error instanceof RangeError) throw new KcodecError("OUT_OF_MEMORY", { cause: error });
    cause = error;
  }
  throw new KcodecError("ABI_MISMATCH", { text: "the module is none of this version of kcodec", cause });
}

/** Has at most one instance, and makes one when there is none. */
export class Engine {
  #idle: Instance | null = null;
  readonly #kept: number;

  /** Instances with more memory than `kept` are dropped after a call, which gives their memory back. */
  constructor(kept: number = Infinity) {
    this.#kept = kept;
  }

  /** Makes a call. What it throws is always a {@link KcodecError}. */
  run<T>(use: (instance: Instance) => T): T {
    const instance = this.take();
    const result = this.guard(instance, use);
    this.putBack(instance);
    return result;
  }

  take(): Instance {
    const instance = this.#idle ?? new Instance(compiled());
    this.#idle = null;
    return instance;
  }

  putBack(instance: Instance): void {
    if (instance.exports.memory.buffer.byteLength <= this.#kept) this.#idle = instance;
  }

  /** Makes a call on an instance that was taken. Puts it back if it reports a fault, and drops it if it dies. */
  guard<T>(instance: Instance, use: (instance: Instance) => T): T {
    try {
      return use(instance);
    } catch (error) {
      // Whatever else it is, a trap or a range beyond the memory, the instance cannot be trusted any more.
      if (!(error instanceof KcodecError)) throw new KcodecError("INTERNAL", { cause: error });
      this.putBack(instance);
      throw error;
    }
  }

  /** Gives all memory back. */
  drop(): void {
    this.#idle = null;
  }
}

/** For the package's functions. */
export const shared = new Engine(KEPT_BYTES);

/** Refuses what is no `Uint8Array` before it can do harm; those of another realm are none by `instanceof`. */
export function bytesOf(input: Uint8Array, problem = "the input must be a Uint8Array"): Uint8Array {
  const isBytes = input instanceof Uint8Array || Object.prototype.toString.call(input) === "[object Uint8Array]";
  if (!isBytes) throw invalid(problem);
  if (input.length === 0) refuseDetached(input.buffer);
  return input;
}

/** A buffer that was posted to another thread looks empty, and is not what the caller meant. */
function refuseDetached(buffer: ArrayBufferLike): void {
  try {
    new Uint8Array(buffer);
  } catch {
    throw invalid("the buffer behind the bytes was transferred to another thread");
  }
}
