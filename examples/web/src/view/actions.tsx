/** Copying and saving what is selected. */

import type { Records } from "kcodec/slim";
import { hex, plural } from "../segment/format";
import { jsonLine } from "../segment/jsonlines";
import { files, rows, status } from "../state/log";
import { entry, type Loaded, placeOf, range, selected } from "../state/selection";
import { ask } from "../worker/client";
import type { Progress } from "../worker/protocol";

export function CopyButton({ label, text }: { label: string; text: () => string }) {
  return (
    <button type="button" class="quiet" onClick={() => void copy(text(), label)}>
      {label}
    </button>
  );
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.value = `${what}: done`;
  } catch {
    status.value = "The browser did not allow copying";
  }
}

function save(data: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  status.value = `Saved ${name}`;
}

/** The entries from the first to the last selected one, as they stand in the files without a gap. */
function rawOfRange(): Blob {
  const first = placeOf(range.peek().first);
  const last = placeOf(range.peek().last);
  const parts = files.value.slice(first.file, last.file + 1).map(({ data }, i) => {
    const from = i === 0 ? first.position : 0;
    const isLast = first.file + i === last.file;
    return data.slice(from, isLast ? last.position + last.size : data.size);
  });
  return new Blob(parts, { type: "application/octet-stream" });
}

async function jsonLinesOfRange(): Promise<Blob> {
  const { first, last } = range.peek();
  const places = Array.from({ length: last - first + 1 }, (_, i) => placeOf(first + i));
  const event = ({ progress: { done, total } }: { progress: Progress }) =>
    (status.value = `Writing JSON lines: ${Math.floor((100 * done) / Math.max(1, total))}%`);
  return ask("jsonLines", { places }, { event });
}

async function saveJsonLines(): Promise<void> {
  const name = nameOfRange("jsonl");
  try {
    save(await jsonLinesOfRange(), name);
  } catch (error) {
    status.value = `Could not save ${name}: ${String(error)}`;
  }
}

function nameOfRange(extension: string): string {
  const { first, last } = range.peek();
  const from = rows().get("baseOffset", first);
  const to = rows().get("lastOffset", last);
  return `offsets-${from}-${to}.${extension}`;
}

/** What the selected entry holds, unless it is still being read. */
function current(): Loaded | null {
  const loaded = entry.peek();
  return loaded?.row === selected.peek() ? loaded : null;
}

function jsonLinesOf(records: Records | null): string {
  if (records === null) return "";
  return Array.from({ length: records.length }, (_, i) => jsonLine(records, i)).join("\n");
}

export function BatchActions() {
  const { first, last } = range.value;
  const count = last - first + 1;
  const records = entry.value?.records ?? null;
  return (
    <span class="actions">
      {count > 1 && <span class="count">{plural(count, "entry", "entries")} selected</span>}
      <button type="button" class="quiet" onClick={() => save(rawOfRange(), nameOfRange("bin"))}>
        Save raw
      </button>
      <button type="button" class="quiet" onClick={() => void saveJsonLines()}>
        Save JSONL
      </button>
      {count === 1 && (
        <>
          <CopyButton label="Copy hex" text={() => hex(current()?.raw ?? new Uint8Array())} />
          {records !== null && records.length > 0 && (
            <CopyButton label="Copy JSONL" text={() => jsonLinesOf(current()?.records ?? null)} />
          )}
        </>
      )}
    </span>
  );
}
