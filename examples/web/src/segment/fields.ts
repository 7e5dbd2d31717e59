/**
 * Names every byte of a batch, for the annotated hex dump.
 *
 * Fields tile the bytes without gaps, so a field is its start, its kind and the record it belongs
 * to; it ends where the next one starts. A batch of a megabyte can hold half a million fields, so
 * they are kept in typed arrays and get a name and a value only when one is looked at
 * (`kinds.ts`). The walk stops at the first byte that makes no sense and calls the rest unread:
 * saying what is wrong there is the codec's part, not the dump's.
 */

import { FieldKind as F } from "./kinds";
import { varintEnd, zigzag } from "./varint";

export class Fields {
  #starts: number[] = [];
  #kinds: number[] = [];
  #records: number[] = [];

  /** `size` is the number of bytes that the fields cover. */
  constructor(readonly size: number) {}

  get length(): number {
    return this.#starts.length;
  }

  add(kind: F, start: number, end: number, record = -1): void {
    if (end <= start) return;
    this.#starts.push(start);
    this.#kinds.push(kind);
    this.#records.push(record);
  }

  start(i: number): number {
    return this.#starts[i] as number;
  }

  end(i: number): number {
    return this.#starts[i + 1] ?? this.size;
  }

  kind(i: number): F {
    return this.#kinds[i] as F;
  }

  /** The record that the field belongs to, -1 for the batch header. */
  record(i: number): number {
    return this.#records[i] as number;
  }

  /** The field that holds a byte. */
  at(byte: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.start(middle) <= byte) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The first field of a record, -1 for none. */
  ofRecord(record: number): number {
    let low = 0;
    let high = this.#records.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.record(middle) < record) low = middle + 1;
      else high = middle;
    }
    return low < this.length && this.record(low) === record ? low : -1;
  }
}

/** The fixed part of a record batch, in order, with widths. */
const HEADER: readonly [F, number][] = [
  [F.BaseOffset, 8],
  [F.BatchLength, 4],
  [F.LeaderEpoch, 4],
  [F.Magic, 1],
  [F.Crc32c, 4],
  [F.Attributes, 2],
  [F.LastOffsetDelta, 4],
  [F.BaseTimestamp, 8],
  [F.MaxTimestamp, 8],
  [F.ProducerId, 8],
  [F.ProducerEpoch, 2],
  [F.BaseSequence, 4],
  [F.RecordCount, 4],
];

const MAGIC_AT = 16;

/** Fields of the bytes of one entry of a log as it stands in the file. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Fields(bytes.length);
  const magic = bytes[MAGIC_AT];
  if (magic === 2) batch(fields, bytes);
  else if (magic === 0 || magic === 1) message(fields, bytes, 0, 0);
  else fields.add(F.Unread, 0, bytes.length);
  return fields;
}

/** Fields of decompressed records: records for magic 2, whole messages for magic 0 and 1. */
export function fieldsOfPayload(payload: Uint8Array, magic: number, control: boolean): Fields {
  const fields = new Fields(payload.length);
  if (magic === 2) return (records(fields, payload, 0, control), fields);
  let at = 0;
  for (let record = 0; at < payload.length; record++) {
    const end = message(fields, payload, at, record);
    if (end <= at) break;
    at = end;
  }
  return fields;
}

function batch(fields: Fields, bytes: Uint8Array): void {
  let at = 0;
  for (const [kind, width] of HEADER) {
    if (at + width > bytes.length) return fields.add(F.Unread, at, bytes.length);
    fields.add(kind, at, (at += width));
  }
  const attributes = bytes[22] as number;
  if ((attributes & 7) !== 0) fields.add(F.Compressed, at, bytes.length);
  else records(fields, bytes, at, (attributes & 0x20) !== 0);
}

/** One message of a message set; returns where it ends, or `at` when it does not. */
function message(fields: Fields, bytes: Uint8Array, at: number, record: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unread = () => (fields.add(F.Unread, at, bytes.length, record), bytes.length);
  if (bytes.length - at < 26) return unread();
  const end = Math.min(bytes.length, at + 12 + view.getInt32(at + 8));
  const magic = bytes[at + MAGIC_AT] as number;
  if (magic > 1 || end < at + 26) return unread();

  const add = (kind: F, width: number) => fields.add(kind, at, (at += width), record);
  add(F.Offset, 8);
  add(F.MessageSize, 4);
  add(F.Crc32, 4);
  add(F.Magic, 1);
  const codec = (bytes[at] as number) & 7;
  add(F.MessageAttributes, 1);
  if (magic === 1) add(F.Timestamp, 8);
  const contents = [
    [F.MessageKeyLength, F.Key],
    [F.MessageValueLength, codec === 0 ? F.Value : F.Compressed],
  ] as const;
  for (const [lengthKind, kind] of contents) {
    if (at + 4 > end) return unread();
    const length = Math.max(0, view.getInt32(at));
    add(lengthKind, 4);
    if (at + length > end) return unread();
    add(kind, length);
  }
  fields.add(F.Unread, at, end, record);
  return end;
}

function records(fields: Fields, bytes: Uint8Array, at: number, control: boolean): void {
  for (let record = 0; at < bytes.length; record++) {
    const end = oneRecord(fields, bytes, at, record, control);
    if (end < 0) return;
    at = end;
  }
}

function oneRecord(
  fields: Fields,
  bytes: Uint8Array,
  at: number,
  record: number,
  control: boolean,
): number {
  const unread = () => (fields.add(F.Unread, at, bytes.length, record), -1);
  /** Adds a varint and returns its value, or null where there is none. */
  const varint = (kind: F): number | null => {
    const end = varintEnd(bytes, at);
    if (end < 0) return null;
    const value = Number(zigzag(bytes, at, end));
    fields.add(kind, at, end, record);
    at = end;
    return value;
  };
  const content = (lengthKind: F, kind: F): boolean => {
    const length = varint(lengthKind);
    if (length === null || length > bytes.length - at) return false;
    fields.add(kind, at, (at += Math.max(0, length)), record);
    return true;
  };

  const length = varint(F.RecordLength);
  if (length === null || length < 0 || length > bytes.length - at) return unread();
  const end = at + length;
  fields.add(F.RecordAttributes, at, (at += 1), record);
  if (varint(F.TimestampDelta) === null || varint(F.OffsetDelta) === null) return unread();
  if (!content(F.KeyLength, control ? F.ControlKey : F.Key)) return unread();
  if (!content(F.ValueLength, control ? F.ControlValue : F.Value)) return unread();
  const headers = varint(F.HeaderCount);
  if (headers === null) return unread();
  for (let i = 0; i < headers; i++) {
    if (!content(F.HeaderKeyLength, F.HeaderKey)) return unread();
    if (!content(F.HeaderValueLength, F.HeaderValue)) return unread();
  }
  if (at > end) return unread();
  fields.add(F.Unread, at, end, record);
  return end;
}
