/** Reads opened files from front to back and makes a row of every entry. */

import { buffersOf, type Columns, Kind, NO_ROW, type Row, RowWriter } from "../segment/rows";
import * as codec from "./codec";
import { type Frame, windows } from "./framing";
import type { Progress } from "./protocol";

/** So often the page hears of new rows while a file is read. */
const REPORT_MS = 100;

type Report = (event: { columns?: Columns; progress: Progress }, transfer?: ArrayBuffer[]) => void;

export async function index(
  files: Blob[],
  report: Report,
  cancelled: () => boolean,
): Promise<void> {
  const writer = new RowWriter();
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let before = 0;
  let reported = 0;

  const flush = (done: number) => {
    const columns = writer.take();
    report({ columns, progress: { done, total } }, buffersOf(columns));
    reported = performance.now();
  };

  for (const [number, file] of files.entries()) {
    for await (const { base, bytes, frames } of windows(file, cancelled)) {
      for (const frame of frames) {
        if (writer.full) flush(before + frame.position);
        writer.push({ ...rowOf(frame, bytes, base), file: number });
      }
      if (performance.now() - reported > REPORT_MS) flush(before + base + bytes.length);
    }
    before += file.size;
  }
  flush(cancelled() ? before : total);
}

function rowOf(frame: Frame, bytes: Uint8Array, base: number): Row {
  const { kind, position, size } = frame;
  const from = position - base;
  if (kind !== Kind.Batch || from + size > bytes.length)
    return { ...NO_ROW, kind, position, size, control: -1 };
  return { ...codec.check(bytes.subarray(from, from + size)), position };
}
