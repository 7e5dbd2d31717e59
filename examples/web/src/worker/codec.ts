/**
 * The only file that decodes: every entry of a log goes through kcodec here, one call an entry.
 *
 * One at a time, because then a limit or an error is that entry's own, and a position is a byte of
 * it.
 */

import {
  type BatchInfo,
  Decoder,
  decodeRecords,
  decompress,
  errorKinds,
  init,
  type Records,
} from "kcodec";
import { CODECS, CONTROL_TYPES, Kind, NO_ROW, type Row } from "../segment/rows";
import type { Entry } from "./protocol";

export { type EncodeOptions, encodeRecords, type NewRecord } from "kcodec";
export { errorKinds };

const KEEP_GOING = { keepGoing: true };
/** As kcodec's own limit for one batch. */
const MOST_PAYLOAD = 64 << 20;
const MAGIC_AT = 16;
/** The byte of the attributes that names the codec. */
const ATTRIBUTES_AT = 22;
const HEADER = 61;

let decoder: Decoder;

export async function load(): Promise<void> {
  await init();
  decoder = new Decoder(KEEP_GOING);
}

/**
 * The row of an entry: all its records are read and its checksum compared, but nothing is copied
 * out.
 */
export function check(entry: Uint8Array): Row {
  return decoder.borrow(entry, rowOf);
}

/** Hands over the records of an entry without copying them; they are gone when `use` returns. */
export function look<T>(entry: Uint8Array, use: (records: Records) => T): T {
  return decoder.borrow(entry, use);
}

/** The records of an entry that is as it should be, else none. */
export function decode(entry: Uint8Array): Records {
  return decodeRecords(entry, KEEP_GOING);
}

/** What can be shown of an entry, whatever is wrong with it. */
export function examine(raw: Uint8Array): Entry {
  const records = decode(raw);
  const [batch] = records.batches;
  const error = batch?.error ?? null;
  const fault = error && {
    number: error.number,
    at: error.position ?? 0,
    inPayload: error.inPayload,
  };
  const verified = {
    raw,
    tables: records.tables,
    fault,
    payload: batch?.segment ?? null,
    unverified: false,
  };
  if (error === null) return verified;
  if (error.code === "CRC_MISMATCH") {
    // one flipped bit should not hide all records from those who look for it
    const anyway = decodeRecords(raw, { ...KEEP_GOING, verifyCrc: false });
    const [read] = anyway.batches;
    if (read?.error === null)
      return { ...verified, tables: anyway.tables, payload: read.segment, unverified: true };
  }
  return { ...verified, tables: null, payload: error.inPayload ? payloadOf(raw) : null };
}

/** The decompressed records of a record batch in which they make no sense. */
function payloadOf(raw: Uint8Array): Uint8Array | null {
  const codec = CODECS[(raw[ATTRIBUTES_AT] as number) & 7];
  if (raw[MAGIC_AT] !== 2 || codec === undefined || codec === "none") return null;
  try {
    return decompress(codec, raw.subarray(HEADER), MOST_PAYLOAD);
  } catch {
    return null;
  }
}

const UNKNOWN_CONTROL = 127;

function rowOf(records: Records): Row {
  const batch = records.batches[0] as BatchInfo;
  const { error, count, codecNumber } = batch;
  return {
    kind: Kind.Batch,
    file: 0,
    magic: batch.magic,
    codec: codecNumber,
    attributes: batch.attributes,
    control: controlOf(batch),
    crcOk: batch.crcVerified ? 1 : 0,
    position: 0,
    size: batch.size,
    plain: error !== null && codecNumber !== 0 ? 0 : batch.payloadSize,
    // a wrapper message carries the offset of its last message
    baseOffset:
      batch.magic < 2 && count > 0 ? records.offsetBig(batch.firstRecord) : batch.baseOffset,
    lastOffset: batch.lastOffset,
    count,
    crc: batch.crc,
    baseTimestamp: batch.baseTimestamp,
    maxTimestamp: batch.maxTimestamp,
    producerId: batch.producerId,
    producerEpoch: batch.producerEpoch,
    baseSequence: batch.baseSequence,
    leaderEpoch: batch.leaderEpoch,
    error: error?.number ?? 0,
  };
}

function controlOf({ controlType }: BatchInfo): number {
  if (controlType === null) return NO_ROW.control;
  const type = (CONTROL_TYPES as readonly string[]).indexOf(controlType);
  return type < 0 ? UNKNOWN_CONTROL : type;
}
