import { fieldsOf } from "../segment/fields";
import { FieldKind as F } from "../segment/kinds";
import { NO_ROW, type Row, Kind } from "../segment/rows";
import type { ErrorName, Fault, RecordTables } from "./protocol";

export interface Checked { row: Row }
export interface Decoded { payload: Uint8Array | null; tables: RecordTables | null; fault: Fault | null }

export async function load(): Promise<void> {}
export const errors: ErrorName[] = [{ number: -400, code: "FAKE", message: "no codec yet" }];

export function check(bytes: Uint8Array): Row {
  const v = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const magic = v.getInt8(16);
  const row: Row = { ...NO_ROW, kind: Kind.Batch, magic, size: bytes.length, control: -1 };
  if (magic === 2) {
    Object.assign(row, {
      baseOffset: v.getBigInt64(0), leaderEpoch: v.getInt32(12), crc: v.getUint32(17), attributes: v.getInt16(21),
      lastOffset: v.getBigInt64(0) + BigInt(v.getInt32(23)), baseTimestamp: v.getBigInt64(27), maxTimestamp: v.getBigInt64(35),
      producerId: v.getBigInt64(43), producerEpoch: v.getInt16(51), baseSequence: v.getInt32(53), count: v.getInt32(57),
      codec: v.getInt16(21) & 7, plain: bytes.length - 61, crcOk: 1,
    });
    if (row.codec) { row.plain = bytes.length * 3; }
    if (row.attributes & 0x20) row.control = v.getUint8(61 + 5 + 3);
  } else { row.baseOffset = row.lastOffset = v.getBigInt64(0); row.codec = bytes[17]! & 7; row.count = 1; row.plain = bytes.length; }
  return row;
}

export function decode(bytes: Uint8Array): Decoded {
  const fields = fieldsOf(bytes);
  const v = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const row = check(bytes);
  if (row.codec) return { payload: null, tables: null, fault: { code: "FAKE", message: "no codec yet", at: 61, inPayload: false } };
  const recs: number[][] = []; const heads: number[][] = [];
  const int = (i: number) => { let n = 0n; for (let k = fields.end(i) - 1; k >= fields.start(i); k--) n = (n << 7n) | BigInt(bytes[k]! & 127); return Number((n >> 1n) ^ -(n & 1n)); };
  for (let i = 0; i < fields.length; i++) {
    const k = fields.kind(i); const r = recs.at(-1)!; const s = fields.end(i);
    if (k === F.RecordLength) recs.push([Number(row.baseOffset), Number(row.baseTimestamp), 0, -1, 0, -1, heads.length, 0]);
    if (k === F.TimestampDelta) r[1]! += int(i);
    if (k === F.OffsetDelta) r[0]! += int(i);
    if (k === F.KeyLength) { r[2] = s; r[3] = int(i); }
    if (k === F.ValueLength) { r[4] = s; r[5] = int(i); }
    if (k === F.HeaderKeyLength) { heads.push([s, int(i), 0, -1]); r[7]!++; }
    if (k === F.HeaderValueLength) { heads.at(-1)![2] = s; heads.at(-1)![3] = int(i); }
  }
  void v;
  const records = new ArrayBuffer(recs.length * 40); const rv = new DataView(records);
  recs.forEach((r, i) => { rv.setBigInt64(i * 40, BigInt(r[0]!), true); rv.setBigInt64(i * 40 + 8, BigInt(r[1]!), true); for (let j = 2; j < 8; j++) rv.setInt32(i * 40 + 8 + (j) * 4, r[j]!, true); });
  const headers = new ArrayBuffer(heads.length * 16); const hv = new DataView(headers);
  heads.forEach((h, i) => h.forEach((x, j) => hv.setInt32(i * 16 + j * 4, x, true)));
  return { payload: bytes, tables: { records, headers }, fault: null };
}
