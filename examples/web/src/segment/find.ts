/** Finds an offset or a time among the rows and then among a batch's records. */

import type { Records } from "kcodec/slim";
import type { Zone } from "./format";
import { Kind, type Rows } from "./rows";

/** The first batch that reaches an offset: the one that holds it, or the next one after a gap. */
export function rowOfOffset(rows: Rows, offset: bigint): number {
  return first(
    rows.length,
    (row) => rows.get("kind", row) === Kind.Batch && rows.get("lastOffset", row) >= offset,
  );
}

/** The first batch with a record of that time or later. */
export function rowOfTime(rows: Rows, at: bigint): number {
  return first(
    rows.length,
    (row) => rows.get("kind", row) === Kind.Batch && rows.get("maxTimestamp", row) >= at,
  );
}

export function recordOfOffset(records: Records, offset: bigint): number {
  return first(records.length, (i) => records.offsetBig(i) >= offset);
}

export function recordOfTime(records: Records, at: bigint): number {
  return first(records.length, (i) => records.timestampBig(i) >= at);
}

/**
 * Timestamps need not rise, and damaged rows have no offset, so this looks at one after the other.
 */
function first(length: number, fits: (i: number) => boolean): number {
  for (let i = 0; i < length; i++) if (fits(i)) return i;
  return -1;
}

/** `1700000000105`, `2023-11-14`, `2023-11-14 22:13:20.105`, with or without `T` and a zone. */
export function parseTime(text: string, zone: Zone): bigint | null {
  const trimmed = text.trim();
  if (/^-?\d{5,}$/.test(trimmed)) return BigInt(trimmed);
  const parts =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:[.,]\d{1,3})?)?))?\s*(Z|UTC|[+-]\d\d:?\d\d)?$/i.exec(
      trimmed,
    );
  if (parts === null) return null;
  const [, day, clock = "00:00", named] = parts;
  const suffix =
    named === undefined ? (zone === "utc" ? "Z" : "") : named.toUpperCase().replace("UTC", "Z");
  const at = Date.parse(`${day}T${clock.replace(",", ".")}${suffix}`);
  return Number.isNaN(at) ? null : BigInt(at);
}
