/** The one error class, and how a fault becomes one. */

import { codecNames, coreKinds } from "./kinds.js";
import type { Codec } from "./types.js";

/** Kinds that only JavaScript knows, with numbers that the core leaves free. */
const ownKinds = [
  [-50, "NOT_LOADED", "the module is not loaded: await init() first"],
  [-51, "VIEW_EXPIRED", "the view was used after its callback had returned"],
  [-52, "UNSAFE_INTEGER", "the number is beyond 2^53: use the accessor that returns a bigint"],
] as const;

const kinds = [...coreKinds, ...ownKinds] as const;

/** The name of a rule that was broken; all languages have the same, but for the last three. */
export type ErrorCode = (typeof kinds)[number][1];

/** Every kind of error. */
export const errorKinds: readonly { number: number; code: ErrorCode; message: string }[] = kinds.map(
  ([number, code, message]) => ({ number, code, message }),
);

const byNumber = new Map(errorKinds.map((kind) => [kind.number, kind]));
const byCode = new Map(errorKinds.map((kind) => [kind.code, kind]));

/** What is known of a fault. What is not is left out. */
export interface FaultDetails {
  /** Which batch of the input, counted from 0. */
  batch?: number;
  /** Which record of the batch, counted from 0. */
  record?: number;
  /** The byte of the input at fault; with `inPayload` that of the batch's decompressed records. */
  position?: number;
  inPayload?: boolean;
  /** The codec of the batch at fault. */
  codec?: Codec;
  /** What the rule asks for, and what was found: checksums, sizes, limits. */
  expected?: bigint;
  actual?: bigint;
  /** Of the batch at fault. */
  baseOffset?: bigint;
  /** To read on from, so as to skip the batch at fault. */
  nextOffset?: bigint;
}

/** Thrown by everything here that can fail. */
export class KcodecError extends Error {
  override readonly name = "KcodecError";
  readonly code: ErrorCode;
  /** The same in every language, always negative. */
  readonly number: number;
  declare readonly batch?: number;
  declare readonly record?: number;
  declare readonly position?: number;
  readonly inPayload: boolean;
  declare readonly codec?: Codec;
  declare readonly expected?: bigint;
  declare readonly actual?: bigint;
  declare readonly baseOffset?: bigint;
  declare readonly nextOffset?: bigint;

  constructor(code: ErrorCode, details: FaultDetails & { cause?: unknown; text?: string } = {}) {
    const { cause, text, ...known } = details;
    const kind = byCode.get(code)!;
    super((text ?? kind.message) + place(known), cause === undefined ? undefined : { cause });
    this.code = code;
    this.number = kind.number;
    this.inPayload = false;
    Object.assign(this, known);
  }
}

function place({ expected, actual, position, inPayload, batch, record }: FaultDetails): string {
  const values = expected === undefined ? "" : `: expected ${expected}, got ${actual}`;
  if (position === undefined) return values;
  const parts = [`${inPayload ? "byte of the decompressed records" : "byte"} ${position}`];
  if (batch !== undefined) parts.push(`batch ${batch}`);
  if (record !== undefined) parts.push(`record ${record}`);
  return `${values} (${parts.join(", ")})`;
}

/** Bytes of a fault's row. */
export const FAULT_SIZE = 64;

/** The batch that a fault's row is of; that of a corrupt tail comes after all of them. */
export function batchOfFault(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, FAULT_SIZE).getUint32(8, true);
}

/** Reads a fault's row. */
export function faultAt(bytes: Uint8Array, at: number): KcodecError {
  const row = new DataView(bytes.buffer, bytes.byteOffset + at, FAULT_SIZE);
  const int = (offset: number) => row.getInt32(offset, true);
  const long = (offset: number) => row.getBigInt64(offset, true);
  const details: FaultDetails = { position: Number(row.getBigUint64(16, true)) };
  if (int(4) !== 0) details.codec = codecNames[int(4)]!;
  if (int(8) >= 0) details.batch = int(8);
  if (int(12) >= 0) details.record = int(12);
  if (long(24) !== 0n || long(32) !== 0n) {
    details.expected = row.getBigUint64(24, true);
    details.actual = row.getBigUint64(32, true);
  }
  if (long(40) >= 0n) details.baseOffset = long(40);
  if (long(48) >= 0n) details.nextOffset = long(48);
  if (int(56) === 1) details.inPayload = true;
  return new KcodecError(byNumber.get(int(0))?.code ?? "INTERNAL", details);
}

/** Refuses an argument. */
export function invalid(text: string): KcodecError {
  return new KcodecError("INVALID_ARGUMENT", { text });
}
