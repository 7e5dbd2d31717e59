/** The headers of a record, in the order of the wire, with duplicates. */

import type { Records } from "kcodec/slim";

export interface Header {
  key: Uint8Array;
  value: Uint8Array | null;
}

export function headersOf(records: Records, i: number): Header[] {
  return Array.from({ length: records.headerCount(i) }, (_, h) => ({
    key: records.headerKeyBytes(i, h),
    value: records.headerValue(i, h),
  }));
}
