/**
 * Records as JSON lines. Keys and values are strings where they are UTF-8, and stand under
 * `key_base64` and `value_base64` where they are not; null stays null. Offsets are written with all
 * their digits.
 */

import type { Records } from "kcodec/slim";
import { base64, utf8 } from "./format";
import { headersOf } from "./headers";

function field(name: string, data: Uint8Array | null): string {
  if (data === null) return `"${name}":null`;
  const text = utf8(data);
  return text === null ? `"${name}_base64":"${base64(data)}"` : `"${name}":${JSON.stringify(text)}`;
}

export function jsonLine(records: Records, i: number): string {
  const headers = headersOf(records, i).map(
    ({ key, value }) => `{${field("key", key)},${field("value", value)}}`,
  );
  return (
    `{"offset":${records.offsetBig(i)},"timestamp":${records.timestampBig(i)},` +
    `${field("key", records.key(i))},${field("value", records.value(i))},"headers":[${headers.join(",")}]}`
  );
}
