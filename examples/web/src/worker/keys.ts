/** Looks for a key in every record of the opened files, in the order of the log. */

import type { Records } from "kcodec/slim";
import { Kind } from "../segment/rows";
import * as codec from "./codec";
import { windows } from "./framing";
import type { Hit, KeyQuery, Progress } from "./protocol";

const REPORT_MS = 150;
/** More hits than anyone steps through; the search ends there. */
export const MOST_HITS = 10_000;

type Report = (event: { hits: Hit[]; progress: Progress }) => void;

export async function findKey(
  files: Blob[],
  query: KeyQuery,
  report: Report,
  cancelled: () => boolean,
) {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const matches = query.match === "equals" ? equals : contains;
  let hits: Hit[] = [];
  let found = 0;
  let told = 0;
  let before = 0;
  let reported = performance.now();

  for (const [file, blob] of files.entries()) {
    for await (const { base, bytes, frames } of windows(blob, cancelled)) {
      for (const { kind, position, size } of frames) {
        const from = position - base;
        if (kind !== Kind.Batch || from + size > bytes.length) continue;
        codec.look(bytes.subarray(from, from + size), (records) => {
          for (let record = 0; record < records.length && found < MOST_HITS; record++) {
            if (matches(records, record, query.key))
              found = hits.push({ file, position, record }) + told;
          }
        });
      }
      if (performance.now() - reported > REPORT_MS || found === MOST_HITS) {
        report({ hits, progress: { done: before + base + bytes.length, total } });
        told = found;
        hits = [];
        reported = performance.now();
      }
      if (found === MOST_HITS) return { complete: false };
    }
    before += blob.size;
  }
  report({ hits, progress: { done: total, total } });
  return { complete: true };
}

/** Most keys are told apart by their length, without making a view of them. */
function equals(records: Records, record: number, wanted: Uint8Array): boolean {
  if (records.keyLength(record) !== wanted.length) return false;
  return (records.key(record) as Uint8Array).every((byte, i) => byte === wanted[i]);
}

function contains(records: Records, record: number, wanted: Uint8Array): boolean {
  const key = records.key(record);
  if (key === null) return false;
  const last = key.length - wanted.length;
  for (let from = 0; from <= last; from++) {
    if (wanted.every((byte, i) => byte === key[from + i])) return true;
  }
  return false;
}
