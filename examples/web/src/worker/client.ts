/** The page's end of the line to the worker. */

import type { Method, Methods, Response } from "./protocol";

export class Cancelled extends Error {}

interface Call {
  resolve: (result: never) => void;
  reject: (error: Error) => void;
  event: (event: never) => void;
}

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const calls = new Map<number, Call>();
let last = 0;

worker.onmessage = ({ data }: MessageEvent<Response>) => {
  const call = calls.get(data.id);
  if (call === undefined) return;
  if ("event" in data) return call.event(data.event as never);
  calls.delete(data.id);
  if ("result" in data) call.resolve(data.result as never);
  else call.reject(data.cancelled ? new Cancelled(data.failed) : new Error(data.failed));
};

worker.onerror = (event) => {
  for (const call of calls.values())
    call.reject(new Error(event.message || "the worker could not start"));
  calls.clear();
};

interface Options<M extends Method> {
  signal?: AbortSignal;
  event?: (event: Methods[M]["event"]) => void;
}

export function ask<M extends Method>(
  method: M,
  args: Methods[M]["args"],
  { signal, event = () => {} }: Options<M> = {},
): Promise<Methods[M]["result"]> {
  const id = ++last;
  signal?.addEventListener("abort", () => worker.postMessage({ id, method: "cancel" }));
  return new Promise((resolve, reject) => {
    calls.set(id, { resolve, reject, event } as Call);
    worker.postMessage({ id, method, args });
  });
}
