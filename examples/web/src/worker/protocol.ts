/** What the page asks of its worker, and what comes back while the answer is on its way. */

import type { Columns } from "../segment/rows";
import type { Kind } from "../segment/rows";

/** Where an entry of the log stands. */
export interface Place {
  file: number;
  position: number;
  size: number;
  kind: Kind;
}

export interface Fault {
  code: string;
  message: string;
  /** The byte of the entry at fault, or of its payload. */
  at: number;
  inPayload: boolean;
}

/** Tables of positions, one row a record, as the codec hands them out. */
export interface RecordTables {
  records: ArrayBuffer;
  headers: ArrayBuffer;
}

export interface Entry {
  /** As in the file. */
  raw: Uint8Array;
  /** What the positions of the tables count in: `raw` itself or decompressed records. */
  payload: Uint8Array | null;
  tables: RecordTables | null;
  fault: Fault | null;
}

export type KeyMatch = "equals" | "contains";
export interface KeyQuery {
  key: Uint8Array;
  match: KeyMatch;
}

export interface Hit {
  file: number;
  /** Of the batch. */
  position: number;
  /** The record in it. */
  record: number;
}

export interface Progress {
  done: number;
  total: number;
}

export interface Methods {
  /** Replaces the opened files; events carry rows as they are found. */
  open: { args: { files: Blob[] }; event: { columns?: Columns; progress: Progress }; result: { errors: ErrorName[] } };
  entry: { args: Place; event: never; result: Entry };
  findKey: { args: KeyQuery; event: { hits: Hit[]; progress: Progress }; result: { hits: number } };
  jsonLines: { args: { places: Place[] }; event: { progress: Progress }; result: Blob };
}

export interface ErrorName {
  number: number;
  code: string;
  message: string;
}

export type Method = keyof Methods;
export type Request = { [M in Method]: { id: number; method: M; args: Methods[M]["args"] } }[Method] | { id: number; method: "cancel" };
export type Response =
  | { id: number; event: unknown }
  | { id: number; result: unknown }
  | { id: number; failed: string; cancelled: boolean };
