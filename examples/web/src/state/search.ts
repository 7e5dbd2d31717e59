/** Searching by offset, time or key. A key search goes through the files in the worker. */

import { batch, computed, signal } from "@preact/signals";
import { parseTime, recordOfOffset, recordOfTime, rowOfOffset, rowOfTime } from "../segment/find";
import { fromHex } from "../segment/paste";
import { ask, Cancelled } from "../worker/client";
import type { Hit, Progress } from "../worker/protocol";
import { files, progress, rows, status } from "./log";
import { selectRecord } from "./selection";
import { zone } from "./settings";

export type By = "offset" | "time" | "key";

export const by = signal<By>("offset");
export const text = signal("");
export const contains = signal(false);
export const hits = signal<Hit[]>([]);
export const hit = signal(-1);
export const searching = signal<Progress | null>(null);
/** Whether the search ended before the end of the files, because of too many hits. */
const cut = signal(false);
/** Why the last search found nothing. */
export const complaint = signal("");

export const summary = computed(() => {
  if (complaint.value !== "") return complaint.value;
  if (by.value !== "key" || (hits.value.length === 0 && hit.value < 0)) return "";
  const more = searching.value !== null || cut.value;
  return `${hit.value + 1} of ${hits.value.length}${more ? "+" : ""}`;
});

let search: AbortController | null = null;

export function stopSearching(): void {
  search?.abort();
  search = null;
  searching.value = null;
}

export function forget(): void {
  stopSearching();
  batch(() => {
    hits.value = [];
    hit.value = -1;
    cut.value = false;
    complaint.value = "";
  });
}

export async function run(): Promise<void> {
  const wanted = text.value.trim();
  if (wanted === "" || files.value.length === 0) return;
  // Enter once more goes on to the next hit of the same key
  if (by.value === "key" && hits.value.length > 0) return step(1);
  forget();
  if (by.value === "offset") await toOffset(wanted);
  else if (by.value === "time") await toTime(wanted);
  else await toKey(text.value);
}

export async function step(by: 1 | -1): Promise<void> {
  const { length } = hits.value;
  if (length === 0) return;
  hit.value = (hit.value + by + length) % length;
  const { file, position, record: number } = hits.value[hit.value] as Hit;
  await go(rows().atPosition(file, position), () => number);
}

/** Shows a record; the file may have changed or gone since its rows were read. */
async function go(row: number, find: Parameters<typeof selectRecord>[1]): Promise<void> {
  try {
    await selectRecord(row, find);
  } catch (error) {
    complain(`could not read: ${String(error)}`);
  }
}

async function toOffset(wanted: string): Promise<void> {
  if (!/^\d+$/.test(wanted)) return complain("an offset is a whole number");
  const offset = BigInt(wanted);
  const row = rowOfOffset(rows(), offset);
  if (row < 0) return complain(`all offsets ${soFar()}are below ${wanted}`);
  await go(row, (records) => Math.max(0, recordOfOffset(records, offset)));
  const first = rows().get("baseOffset", row);
  if (offset < first)
    status.value = `No record has offset ${wanted}; the next batch starts at ${first}`;
}

async function toTime(wanted: string): Promise<void> {
  const at = parseTime(wanted, zone.value);
  if (at === null) return complain("a time is 2023-11-14 22:13:20, or milliseconds since 1970");
  const row = rowOfTime(rows(), at);
  if (row < 0) return complain(`all records ${soFar()}are earlier`);
  await go(row, (records) => Math.max(0, recordOfTime(records, at)));
}

async function toKey(wanted: string): Promise<void> {
  const digits = /^0x((?:[0-9a-f]{2})+)$/i.exec(wanted.trim())?.[1];
  const key = digits === undefined ? new TextEncoder().encode(wanted) : fromHex(digits);
  const mine = new AbortController();
  search = mine;
  searching.value = { done: 0, total: 1 };
  try {
    const { complete } = await ask(
      "findKey",
      { key, match: contains.value ? "contains" : "equals" },
      {
        signal: mine.signal,
        event: ({ hits: found, progress }) => {
          if (search !== mine) return;
          const isFirst = hits.value.length === 0 && found.length > 0;
          batch(() => {
            if (found.length > 0) hits.value = [...hits.value, ...found];
            searching.value = progress;
          });
          if (isFirst) void step(1);
        },
      },
    );
    if (search === mine) cut.value = !complete;
    if (search === mine && hits.value.length === 0) complain("no record has this key");
  } catch (error) {
    if (!(error instanceof Cancelled)) complain(String(error));
  } finally {
    if (search === mine) stopSearching();
  }
}

/** While a file is being read, what is not found may still come. */
const soFar = () => (progress.value === null ? "" : "so far ");

function complain(why: string): void {
  complaint.value = why;
}
