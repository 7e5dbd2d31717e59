/** The worker's desk: takes requests in turn, answers each, and drops what was cancelled. */

import { jsonLine } from "../segment/jsonlines";
import { Kind } from "../segment/rows";
import * as codec from "./codec";
import { example } from "./example";
import { LARGEST } from "./framing";
import { index } from "./indexer";
import { findKey } from "./keys";
import type { Entry, Methods, Place, Request, Response } from "./protocol";

const cancelled = new Set<number>();
const ready = codec.load();
let files: Blob[] = [];

function reply(response: Response, transfer: Transferable[] = []): void {
  self.postMessage(response, { transfer });
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  if (data.method === "cancel") {
    cancelled.add(data.id);
    return;
  }
  const { id } = data;
  const stopped = () => cancelled.has(id);
  try {
    await ready;
    const result = await answer(data, stopped, (event, transfer) => reply({ id, event }, transfer));
    reply(stopped() ? { id, failed: "cancelled", cancelled: true } : { id, result });
  } catch (error) {
    reply({ id, failed: error instanceof Error ? error.message : String(error), cancelled: false });
  }
  cancelled.delete(id);
};

type Report = (event: unknown, transfer?: Transferable[]) => void;

async function answer(
  request: Exclude<Request, { method: "cancel" }>,
  stopped: () => boolean,
  report: Report,
): Promise<Methods[keyof Methods]["result"]> {
  switch (request.method) {
    case "open":
      files = request.args.files;
      await index(files, report, stopped);
      return null;
    case "example":
      return example();
    case "errors":
      return [...codec.errorKinds];
    case "entry":
      return entry(request.args);
    case "findKey":
      return findKey(files, request.args, report, stopped);
    case "jsonLines":
      return jsonLines(request.args.places, report, stopped);
  }
}

async function read({ file, position, size }: Place): Promise<Uint8Array> {
  const slice = files[file]?.slice(position, position + size);
  return slice === undefined ? new Uint8Array() : new Uint8Array(await slice.arrayBuffer());
}

/** Of bytes that are no batch, and of a batch too large to be read, only the start is looked at. */
const GLANCE = 1 << 20;

async function entry(place: Place): Promise<Entry> {
  if (place.kind !== Kind.Batch || place.size > LARGEST) {
    const raw = await read({ ...place, size: Math.min(place.size, GLANCE) });
    return { raw, tables: null, fault: null, payload: null, unverified: false };
  }
  return codec.examine(await read(place));
}

async function jsonLines(places: Place[], report: Report, stopped: () => boolean): Promise<Blob> {
  const parts: Blob[] = [];
  const total = places.reduce((sum, place) => sum + place.size, 0);
  let done = 0;
  for (const place of places) {
    if (stopped()) break;
    if (place.kind === Kind.Batch && place.size <= LARGEST) {
      const records = codec.decode(await read(place));
      let lines = "";
      for (let i = 0; i < records.length; i++) lines += `${jsonLine(records, i)}\n`;
      parts.push(new Blob([lines]));
    }
    done += place.size;
    report({ progress: { done, total } });
  }
  return new Blob(parts, { type: "application/x-ndjson" });
}
