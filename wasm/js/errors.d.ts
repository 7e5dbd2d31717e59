import type { Codec } from "./types.js";

/** The names that all of kcodec's languages share, and three of JavaScript's own. */
export type ErrorCode = "CRC_MISMATCH" | "BATCH_LENGTH" | "NOT_LOADED" | "VIEW_EXPIRED" | "UNSAFE_INTEGER" | (string & {});

export declare class KcodecError extends Error {
  readonly code: ErrorCode;
  /** The same in every language, negative. */
  readonly number: number;
  /** Counted from 0. */
  readonly batch?: number;
  readonly record?: number;
  /** The byte of the input at fault; with `inPayload` that of the batch's decompressed records. */
  readonly position?: number;
  readonly inPayload: boolean;
  readonly codec?: Codec;
  readonly expected?: bigint;
  readonly actual?: bigint;
  /** Of the batch at fault; nextOffset skips it. */
  readonly baseOffset?: bigint;
  readonly nextOffset?: bigint;
}
/** Every kind of error, by number. */
export declare const errorKinds: readonly { number: number; code: string; message: string }[];
