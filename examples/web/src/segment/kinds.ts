/**
 * The fields that a dump can name: what each is called, how it is coloured and how its bytes are
 * read.
 */

import { preview, time } from "./format";
import { codecName, controlName } from "./rows";
import { zigzag } from "./varint";

export const enum FieldKind {
  Unread,
  BaseOffset,
  BatchLength,
  LeaderEpoch,
  Magic,
  Crc32c,
  Attributes,
  LastOffsetDelta,
  BaseTimestamp,
  MaxTimestamp,
  ProducerId,
  ProducerEpoch,
  BaseSequence,
  RecordCount,
  Compressed,
  RecordLength,
  RecordAttributes,
  TimestampDelta,
  OffsetDelta,
  KeyLength,
  Key,
  ValueLength,
  Value,
  HeaderCount,
  HeaderKeyLength,
  HeaderKey,
  HeaderValueLength,
  HeaderValue,
  ControlKey,
  ControlValue,
  Offset,
  MessageSize,
  Crc32,
  MessageAttributes,
  Timestamp,
  MessageKeyLength,
  MessageValueLength,
}

/** Groups of fields that share a colour. */
export type Tone =
  | "offset"
  | "length"
  | "epoch"
  | "check"
  | "flags"
  | "time"
  | "producer"
  | "key"
  | "value"
  | "header"
  | "packed"
  | "unread";

interface Description {
  name: string;
  tone: Tone;
  read: (bytes: Uint8Array) => string;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const i16 = (bytes: Uint8Array) => String(view(bytes).getInt16(0));
const i32 = (bytes: Uint8Array) => String(view(bytes).getInt32(0));
const i64 = (bytes: Uint8Array) => String(view(bytes).getBigInt64(0));
const u8 = (bytes: Uint8Array) => String(bytes[0]);
const varint = (bytes: Uint8Array) => String(zigzag(bytes, 0, bytes.length));
const moment = (bytes: Uint8Array) => {
  const at = view(bytes).getBigInt64(0);
  return at < 0n ? `${at} (none)` : `${at} (${time(at, "utc")})`;
};
const checksum = (bytes: Uint8Array) =>
  `0x${view(bytes).getUint32(0).toString(16).padStart(8, "0")}`;
const text = (bytes: Uint8Array) => preview(bytes, 120);
const nullable = (length: string) => (length.startsWith("-") ? `${length} (null)` : length);

function flags(bits: number, names: readonly [number, string][]): string {
  const set = names.filter(([mask]) => (bits & mask) !== 0).map(([, name]) => name);
  return [codecName(bits & 7), ...set].join(", ");
}

const batchAttributes = (bytes: Uint8Array) => {
  const bits = view(bytes).getInt16(0);
  const names = [
    [0x08, "log append time"],
    [0x10, "transactional"],
    [0x20, "control"],
    [0x40, "delete horizon"],
  ] as const;
  return flags(bits, names as unknown as [number, string][]);
};

const controlKey = (bytes: Uint8Array) =>
  bytes.length < 4
    ? text(bytes)
    : `version ${view(bytes).getInt16(0)}, ${controlName(view(bytes).getInt16(2))}`;

const controlValue = (bytes: Uint8Array) =>
  bytes.length === 6
    ? `version ${view(bytes).getInt16(0)}, coordinator epoch ${view(bytes).getInt32(2)}`
    : `${bytes.length} bytes`;

const TABLE: Record<FieldKind, [name: string, tone: Tone, read: (bytes: Uint8Array) => string]> = {
  [FieldKind.Unread]: ["unread", "unread", (bytes) => `${bytes.length} bytes`],
  [FieldKind.BaseOffset]: ["base offset", "offset", i64],
  [FieldKind.BatchLength]: ["batch length", "length", (b) => `${i32(b)} bytes follow`],
  [FieldKind.LeaderEpoch]: ["partition leader epoch", "epoch", i32],
  [FieldKind.Magic]: ["magic", "flags", u8],
  [FieldKind.Crc32c]: ["CRC-32C", "check", checksum],
  [FieldKind.Attributes]: ["attributes", "flags", batchAttributes],
  [FieldKind.LastOffsetDelta]: ["last offset delta", "offset", i32],
  [FieldKind.BaseTimestamp]: ["base timestamp", "time", moment],
  [FieldKind.MaxTimestamp]: ["max timestamp", "time", moment],
  [FieldKind.ProducerId]: ["producer id", "producer", i64],
  [FieldKind.ProducerEpoch]: ["producer epoch", "producer", i16],
  [FieldKind.BaseSequence]: ["base sequence", "producer", i32],
  [FieldKind.RecordCount]: ["record count", "length", i32],
  [FieldKind.Compressed]: ["compressed records", "packed", (b) => `${b.length} bytes`],
  [FieldKind.RecordLength]: ["record length", "length", varint],
  [FieldKind.RecordAttributes]: ["record attributes", "flags", u8],
  [FieldKind.TimestampDelta]: ["timestamp delta", "time", varint],
  [FieldKind.OffsetDelta]: ["offset delta", "offset", varint],
  [FieldKind.KeyLength]: ["key length", "length", (b) => nullable(varint(b))],
  [FieldKind.Key]: ["key", "key", text],
  [FieldKind.ValueLength]: ["value length", "length", (b) => nullable(varint(b))],
  [FieldKind.Value]: ["value", "value", text],
  [FieldKind.HeaderCount]: ["header count", "length", varint],
  [FieldKind.HeaderKeyLength]: ["header key length", "length", varint],
  [FieldKind.HeaderKey]: ["header key", "header", text],
  [FieldKind.HeaderValueLength]: ["header value length", "length", (b) => nullable(varint(b))],
  [FieldKind.HeaderValue]: ["header value", "value", text],
  [FieldKind.ControlKey]: ["control key", "key", controlKey],
  [FieldKind.ControlValue]: ["control value", "value", controlValue],
  [FieldKind.Offset]: ["offset", "offset", i64],
  [FieldKind.MessageSize]: ["message size", "length", (b) => `${i32(b)} bytes follow`],
  [FieldKind.Crc32]: ["CRC-32", "check", checksum],
  [FieldKind.MessageAttributes]: [
    "attributes",
    "flags",
    (b) => flags(b[0] as number, [[0x08, "log append time"]]),
  ],
  [FieldKind.Timestamp]: ["timestamp", "time", moment],
  [FieldKind.MessageKeyLength]: ["key length", "length", (b) => nullable(i32(b))],
  [FieldKind.MessageValueLength]: ["value length", "length", (b) => nullable(i32(b))],
};

export function describe(kind: FieldKind): Description {
  const [name, tone, read] = TABLE[kind];
  return { name, tone, read };
}
