/** What the page asks of its worker, and what comes back while the answer is on its way. */

import type { Tables } from "kcodec/slim";
import type { Columns, Kind } from "../segment/rows";

/** Where an entry of the log stands. */
export interface Place {
  file: number;
  position: number;
  size: number;
  kind: Kind;
}

export interface Fault {
  /** Of the kind of error. */
  number: number;
  /** The byte of the entry at fault, or of its payload. */
  at: number;
  inPayload: boolean;
}

export interface Entry {
  /** As in the file. */
  raw: Uint8Array;
  /** The records as kcodec's tables, null where there are none. */
  tables: Tables | null;
  fault: Fault | null;
  /** The bytes that hold the records: `raw` itself, or what it decompresses to. */
  payload: Uint8Array | null;
  /** The records were read in spite of a wrong checksum. */
  unverified: boolean;
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
  open: { args: { files: Blob[] }; event: { columns?: Columns; progress: Progress }; result: null };
  /** A small log to look at. */
  example: { args: null; event: never; result: Blob };
  errors: { args: null; event: never; result: ErrorName[] };
  entry: { args: Place; event: never; result: Entry };
  findKey: {
    args: KeyQuery;
    event: { hits: Hit[]; progress: Progress };
    result: { complete: boolean };
  };
  jsonLines: { args: { places: Place[] }; event: { progress: Progress }; result: Blob };
}

/** A kind of error, with the number and name that all of kcodec's languages share. */
export interface ErrorName {
  number: number;
  code: string;
  message: string;
}

export type Method = keyof Methods;
export type Request =
  | { [M in Method]: { id: number; method: M; args: Methods[M]["args"] } }[Method]
  | { id: number; method: "cancel" };
export type Response =
  | { id: number; event: unknown }
  | { id: number; result: unknown }
  | { id: number; failed: string; cancelled: boolean };
