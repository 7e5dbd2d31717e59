// In a page: here, and in a worker that posts its tables.

import { decodeRecords, init, recordsFrom } from "kcodec";
import { read } from "./read.mjs";

await init();
const here = read(decodeRecords);
const worker = new Worker(new URL("./worker.mjs", import.meta.url), { type: "module" });
worker.onmessage = ({ data }) => {
  const there = read(() => recordsFrom(data));
  document.title = here === there ? here : `${here} but ${there}`;
};
worker.onerror = (event) => (document.title = `failed: ${event.message}`);
