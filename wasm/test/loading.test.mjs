// Where the module may come from, and what is said when it does not.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { crc32c, init, initSync, KcodecError } from "../dist/slim.js";

const file = new URL("../dist/kcodec.wasm", import.meta.url);
const bytes = readFileSync(file);
const digits = new TextEncoder().encode("123456789");
const works = () => assert.equal(crc32c(digits), 0xe306_9283);
const notLoaded = (reason) => (error) =>
  error instanceof KcodecError && error.code === "NOT_LOADED" && reason.test(error.message);

test("without a module nothing works, and what is none is refused with a reason", async () => {
  assert.throws(works, notLoaded(/await init/));
  await assert.rejects(init(), notLoaded(/needs a source/));
  const missing = new Response("", { status: 404, statusText: "Not Found" });
  const sources = [
    [missing, /404 Not Found/],
    [Promise.resolve(missing), /404 Not Found/],
    [Promise.reject(new Error("no such file")), /no such file/],
    [bytes.subarray(0, 100), /compile/i],
    [{}, /neither a place/],
    [null, /needs a source/],
    ["http://127.0.0.1:1/", /fetch failed/],
  ];
  for (const [source, reason] of sources) await assert.rejects(init(source), notLoaded(reason), String(reason));
  for (const source of [undefined, bytes.subarray(0, 100), "text"]) {
    assert.throws(() => initSync(source), notLoaded(/could not be loaded/));
  }
  assert.throws(works, notLoaded(/await init/));
});

test("a module of no kcodec is refused at the first call, and another one can follow", async () => {
  await init(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));
  assert.throws(works, { code: "ABI_MISMATCH" });
  initSync(bytes);
  works();
});

const wasm = { headers: { "Content-Type": "application/wasm" } };
const sources = {
  "a Buffer": () => bytes,
  "a part of a larger buffer": () => new Uint8Array(Buffer.concat([Buffer.alloc(3), bytes])).subarray(3),
  "an ArrayBuffer": () => Uint8Array.from(bytes).buffer,
  "a DataView": () => new DataView(Uint8Array.from(bytes).buffer),
  "a module": () => new WebAssembly.Module(bytes),
  "a response": () => new Response(bytes, wasm),
  "a response of another type": () => new Response(bytes),
  "a promise of a response": () => Promise.resolve(new Response(bytes, wasm)),
  "a promise of bytes": () => readFile(file),
  "a promise of a module": () => WebAssembly.compile(bytes),
  "a place": () => new URL(`data:application/wasm;base64,${bytes.toString("base64")}`),
};
for (const [name, source] of Object.entries(sources)) {
  test(`from ${name}, twice at once`, async () => {
    await Promise.all([init(source()), init(source()), init()]);
    works();
  });
}
