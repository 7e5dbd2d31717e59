/** The opened files and their rows. */

import { batch, signal } from "@preact/signals";
import { plural } from "../segment/format";
import { Kind, recordBytes, Rows } from "../segment/rows";
import { Transactions } from "../segment/transactions";
import { ask, Cancelled } from "../worker/client";
import type { ErrorName, Progress } from "../worker/protocol";

export interface Opened {
  name: string;
  data: Blob;
  /** Where the file starts when all files are laid end to end. */
  from: number;
}

export interface Totals {
  batches: number;
  records: number;
  /** Bytes of records in the files, compressed or not, and once decompressed. */
  packed: number;
  plain: number;
  faulty: number;
  firstOffset: bigint | null;
  lastOffset: bigint | null;
}

const NOTHING: Totals = {
  batches: 0,
  records: 0,
  packed: 0,
  plain: 0,
  faulty: 0,
  firstOffset: null,
  lastOffset: null,
};

export const files = signal<Opened[]>([]);
/** Changes whenever rows were added; `rows()` is mutable and cannot be watched itself. */
export const revision = signal(0);
export const progress = signal<Progress | null>(null);
export const totals = signal<Totals>(NOTHING);
/** What the page says aloud, and in its foot. */
export const status = signal("");

let table = new Rows();
let transactionsOfTable = new Transactions();
let reading: AbortController | null = null;

export function rows(): Rows {
  revision.value;
  return table;
}

export function transactions(): Transactions {
  revision.value;
  return transactionsOfTable;
}

const errorNames = new Map<number, ErrorName>();
ask("errors", null).then(
  (errors) => errors.forEach((error) => errorNames.set(error.number, error)),
  (error) => (status.value = `The decoder could not start: ${String(error)}`),
);

export function errorName(number: number): ErrorName {
  return errorNames.get(number) ?? { number, code: `ERROR ${number}`, message: "" };
}

/** A byte of a file as a byte of all files end to end. */
export function absolute(file: number, position: number): number {
  return (files.value[file]?.from ?? 0) + position;
}

export const totalSize = () => files.value.reduce((sum, { data }) => sum + data.size, 0);

export function cancelReading(): void {
  reading?.abort();
}

/**
 * Opens files in place of those that are open. Several are taken as the segments of one partition.
 */
export async function open(named: { name: string; data: Blob }[]): Promise<void> {
  reading?.abort();
  const mine = new AbortController();
  reading = mine;
  let ordered: { name: string; data: Blob }[];
  try {
    ordered = await inOrder(named);
  } catch (error) {
    // a folder, or a file that is gone: what is open stays
    return finish(mine, `Could not read: ${String(error)}`);
  }
  if (reading !== mine) return;
  let from = 0;
  batch(() => {
    table = new Rows();
    added = 0;
    transactionsOfTable = new Transactions();
    files.value = ordered.map((file) => ({
      ...file,
      from: (from += file.data.size) - file.data.size,
    }));
    totals.value = NOTHING;
    progress.value = { done: 0, total: from };
    status.value = "";
    revision.value++;
  });
  try {
    await ask(
      "open",
      { files: ordered.map(({ data }) => data) },
      {
        signal: mine.signal,
        event: ({ columns, progress: now }) => {
          if (reading !== mine) return;
          batch(() => {
            if (columns !== undefined) table.append(columns);
            transactionsOfTable.follow(table);
            totals.value = addUp(totals.value);
            progress.value = now;
            revision.value++;
          });
        },
      },
    );
    finish(mine, summary(totals.value));
  } catch (error) {
    finish(
      mine,
      error instanceof Cancelled ? "Stopped before the end" : `Could not read: ${String(error)}`,
    );
  }
}

function finish(mine: AbortController, text: string): void {
  if (reading !== mine) return;
  batch(() => {
    progress.value = null;
    status.value = text;
    revision.value++;
  });
}

function summary({ batches, records, faulty }: Totals): string {
  if (totalSize() === 0) return "The file is empty";
  if (batches === 0) return "No batch was found: is this a segment file?";
  const errors = faulty === 0 ? "no errors" : plural(faulty, "error");
  return `${plural(batches, "batch", "batches")}, ${plural(records, "record")}, ${errors}`;
}

let added = 0;

function addUp(before: Totals): Totals {
  const sums = { ...before };
  for (; added < table.length; added++) {
    const kind = table.get("kind", added);
    if (kind === Kind.Damaged || table.get("error", added) !== 0) sums.faulty++;
    if (kind !== Kind.Batch) continue;
    sums.batches++;
    sums.records += table.get("count", added);
    const plain = table.get("plain", added);
    // what could not be decompressed counts on neither side of the ratio
    if (plain > 0) sums.packed += recordBytes(table.get("magic", added), table.get("size", added));
    sums.plain += plain;
    sums.firstOffset ??= table.get("baseOffset", added);
    sums.lastOffset = table.get("lastOffset", added);
  }
  return sums;
}

/** By the offset at which each file starts, which is also what its name says. */
async function inOrder(
  named: { name: string; data: Blob }[],
): Promise<{ name: string; data: Blob }[]> {
  const keyed = await Promise.all(
    named.map(async (file) => {
      const start = await file.data.slice(0, 8).arrayBuffer();
      return { file, offset: start.byteLength === 8 ? new DataView(start).getBigInt64(0) : -1n };
    }),
  );
  keyed.sort((a, b) => (a.offset < b.offset ? -1 : a.offset > b.offset ? 1 : 0));
  return keyed.map(({ file }) => file);
}
