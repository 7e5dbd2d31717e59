/**
 * Finds the entries of a log by their lengths alone, through a window of a few megabytes.
 *
 * A file is never read whole. Every window is a fresh slice that starts where the last whole entry
 * ended; an entry that is larger than the window gets a window of its own size. Where no entry can
 * be framed, the scan looks for the next place at which a record batch could start, so that one
 * damaged length does not hide the rest of the file.
 */

import { Kind } from "../segment/rows";

export interface Frame {
  kind: Kind;
  /** In the file. */
  position: number;
  size: number;
}

/** A run of frames, and the bytes of those that are batches. */
export interface Window {
  base: number;
  bytes: Uint8Array;
  frames: Frame[];
}

const WINDOW = 4 << 20;
/** A longer entry is shown, but neither read nor decoded at once. */
export const LARGEST = 256 << 20;
/** Offset and length, which the length does not count. */
const OVERHEAD = 12;
/** With the magic at byte 16, the least that can be judged. */
const JUDGED = 17;
/** By magic, of the length field. */
const SMALLEST = [14, 22, 49] as const;
/** Bytes of a record batch before its records. */
const HEADER = OVERHEAD + SMALLEST[2];

export async function* windows(
  file: Blob,
  cancelled: () => boolean,
  size = WINDOW,
): AsyncGenerator<Window> {
  let base = 0;
  let want = size;
  let lost = false;
  /** Damage or zeros that may go on in the next window. */
  let open: Frame | null = null;
  while (base < file.size && !cancelled()) {
    const bytes = new Uint8Array(await file.slice(base, base + want).arrayBuffer());
    const scan = framesIn(bytes, base, file.size, lost);
    const { frames } = scan;
    if (open !== null) {
      if (frames[0]?.kind === open.kind) frames[0] = { ...open, size: open.size + frames[0].size };
      else frames.unshift(open);
      open = null;
    }
    base += scan.consumed;
    const last = frames.at(-1);
    if (base < file.size && (last?.kind === Kind.Damaged || last?.kind === Kind.Zeros)) {
      open = frames.pop() as Frame;
    }
    if (frames.length > 0) yield { base: base - scan.consumed, bytes, frames };
    want = Math.max(size, scan.need);
    lost = scan.lost;
  }
}

interface Scan {
  frames: Frame[];
  consumed: number;
  /** Bytes of the entry that did not fit. */
  need: number;
  /** No entry starts where the next window does. */
  lost: boolean;
}

function framesIn(bytes: Uint8Array, base: number, fileSize: number, lost: boolean): Scan {
  const view = new DataView(bytes.buffer);
  const atEnd = base + bytes.length === fileSize;
  const frames: Frame[] = [];
  const add = (kind: Kind, at: number, end: number) => {
    const last = frames.at(-1);
    if (kind !== Kind.Batch && last?.kind === kind) last.size += end - at;
    else if (end > at) frames.push({ kind, position: base + at, size: end - at });
    return end;
  };
  const stop = (consumed: number, need = 0, lost = false) => ({ frames, consumed, need, lost });

  let at = 0;
  while (at < bytes.length) {
    const left = bytes.length - at;
    const size = lost || left < JUDGED ? null : sizeAt(view, at);
    if (left < JUDGED && !lost) {
      if (!atEnd) return stop(at);
      at = add(isZero(bytes, at) ? Kind.Zeros : Kind.CutOff, at, bytes.length);
    } else if (size !== null && size <= left) {
      at = add(Kind.Batch, at, at + size);
    } else if (size !== null && base + at + size <= fileSize) {
      if (size <= LARGEST) return stop(at, size);
      add(Kind.Batch, at, at + size);
      return stop(at + size);
    } else {
      const beyond = size !== null;
      const rest = fileSize - base - at;
      if (beyond && !atEnd && rest <= LARGEST) return stop(at, rest);
      const next = resync(view, at + (lost ? 0 : 1));
      if (next !== null) {
        at = add(Kind.Damaged, at, next);
        lost = false;
      } else if (isZero(bytes, at)) {
        at = add(Kind.Zeros, at, bytes.length);
      } else if (atEnd) {
        at = add(beyond ? Kind.CutOff : Kind.Damaged, at, bytes.length);
      } else {
        at = add(Kind.Damaged, at, Math.max(at + 1, bytes.length - HEADER + 1));
        return stop(at, 0, true);
      }
    }
  }
  return stop(at);
}

/** The whole size of the entry that starts here, or null where none can start. */
function sizeAt(view: DataView, at: number): number | null {
  const length = view.getInt32(at + 8);
  const smallest = SMALLEST[view.getInt8(at + 16)];
  return smallest === undefined || length < smallest ? null : OVERHEAD + length;
}

/**
 * The next place that looks like the start of a record batch, by more fields than chance would
 * fill.
 */
function resync(view: DataView, from: number): number | null {
  for (let at = from; at + HEADER <= view.byteLength; at++) {
    const likely =
      view.getUint8(at + 16) === 2 &&
      view.getUint8(at + 21) === 0 &&
      view.getUint8(at + 22) < 0x80 &&
      view.getInt32(at) === 0 &&
      view.getInt32(at + 23) >= 0 &&
      view.getInt32(at + 8) >= SMALLEST[2] &&
      view.getInt32(at + 8) <= LARGEST;
    if (likely) return at;
  }
  return null;
}

function isZero(bytes: Uint8Array, from: number): boolean {
  for (let at = from; at < bytes.length; at++) if (bytes[at] !== 0) return false;
  return true;
}
