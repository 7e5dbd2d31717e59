/** The selected batches, the entry that is looked at, and the record in it. */

import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { type Records, recordsFrom } from "kcodec/slim";
import { Kind, type Row } from "../segment/rows";
import { ask } from "../worker/client";
import type { Entry, Place } from "../worker/protocol";
import { files, revision, rows, status } from "./log";
import { narrow } from "./settings";

export type Tab = "batches" | "records" | "bytes" | "transactions";

export interface Loaded extends Entry {
  row: number;
  of: Row;
  records: Records | null;
}

export const selected = signal(-1);
/** The other end of a selection of several batches. */
export const anchor = signal(-1);
export const record = signal(-1);
export const tab = signal<Tab>("batches");
/** The content of the selected entry; while it is being read, still that of the one before. */
export const entry = signal<Loaded | null>(null);
/** A byte that the dump is to show: of the entry, or of its payload. */
export const wanted = signal<{ byte: number; inPayload: boolean } | null>(null);

export const range = computed(() => ({
  first: Math.min(selected.value, anchor.value),
  last: Math.max(selected.value, anchor.value),
}));

export function placeOf(row: number): Place {
  const table = rows();
  return {
    file: table.get("file", row),
    position: table.get("position", row),
    size: table.get("size", row),
    kind: table.get("kind", row),
  };
}

export function select(row: number, extend = false): void {
  batch(() => {
    if (row !== selected.value) wanted.value = null;
    selected.value = row;
    if (!extend || anchor.value < 0) anchor.value = row;
  });
}

/** Selects a row and, once it is read, the record that `find` names. */
export async function selectRecord(row: number, find: (records: Records) => number): Promise<void> {
  select(row);
  const loaded = await load(row);
  if (loaded === null) return;
  batch(() => {
    show(loaded, loaded.records === null ? -1 : find(loaded.records));
    if (narrow.value || tab.value === "batches") tab.value = "records";
  });
}

/** Opens the dump at a byte. */
export function showByte(byte: number, inPayload: boolean): void {
  batch(() => {
    tab.value = "bytes";
    wanted.value = { byte, inPayload };
  });
}

/** The content of a row, or null when another row or log was selected meanwhile. */
async function load(row: number): Promise<Loaded | null> {
  const log = files.peek();
  const shown = entry.peek();
  if (shown?.row === row) return shown;
  const of = rows().at(row);
  const read = await ask("entry", placeOf(row));
  if (selected.peek() !== row || files.peek() !== log) return null;
  return { ...read, row, of, records: read.tables && recordsFrom(read.tables) };
}

function show(loaded: Loaded, number: number): void {
  batch(() => {
    entry.value = loaded;
    record.value = number;
  });
}

effect(() => {
  files.value;
  batch(() => {
    selected.value = -1;
    anchor.value = -1;
    entry.value = null;
    record.value = -1;
    wanted.value = null;
  });
});

// the first row is selected as soon as there is one, so that the page never looks empty
effect(() => {
  revision.value;
  untracked(() => {
    if (selected.value < 0 && rows().length > 0) select(0);
  });
});

effect(() => {
  const row = selected.value;
  if (row < 0 || row === entry.peek()?.row) return;
  untracked(() => load(row)).then(
    (loaded) => {
      if (loaded === null || loaded.row === entry.peek()?.row) return;
      show(loaded, (loaded.records?.length ?? 0) > 0 ? 0 : -1);
    },
    (error) => (status.value = `Could not read: ${String(error)}`),
  );
});

export function isFaulty(row: Row): boolean {
  return row.kind === Kind.Damaged || row.error !== 0;
}
