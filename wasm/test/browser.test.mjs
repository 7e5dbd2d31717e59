// The shared vectors in headless Chromium: the same modules as in Node, over the package's browser entry.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { noBrowser, serve, withPage } from "./support/browser.mjs";

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));

test("in Chromium", { skip: noBrowser, timeout: 300_000 }, async (context) => {
  const folders = { dist: folder("../dist"), shared: folder("shared"), vectors: folder("../../vectors") };
  const server = await serve(folders);
  const results = await withPage(server.url, (page) => page.evaluate(runAll)).finally(() => server.close());
  assert.ok(results.length > 200, `only ${results.length} tests`);
  for (const { name, error } of results) {
    await context.test(name, () => {
      if (error !== null) throw new Error(error);
    });
  }
});

/** Runs in the page. */
async function runAll() {
  const kcodec = await import("/dist/web.js");
  const { allTests } = await import("/shared/tests.mjs");
  const results = [];
  const run = async (name, test) => {
    const error = await Promise.resolve().then(test).then(() => null, (error) => String(error.stack));
    results.push({ name, error });
  };
  await run("nothing works before init", () => {
    try {
      kcodec.decodeRecords(new Uint8Array(0));
    } catch (error) {
      if (error.code === "NOT_LOADED") return;
    }
    throw new Error("it was not refused");
  });
  await Promise.all([kcodec.init(), kcodec.init()]);
  const get = async (path) => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path}: ${response.status}`);
    return response;
  };
  const files = {
    list: async (path) => (await get(`/list/vectors/${path}`)).json(),
    text: async (path) => (await get(`/vectors/${path}`)).text(),
    bytes: async (path) => new Uint8Array(await (await get(`/vectors/${path}`)).arrayBuffer()),
  };
  for (const { name, run: test } of await allTests(kcodec, files)) await run(name, test);
  await run("inline works at once", async () => {
    const inline = await import("/dist/inline.js");
    if (inline.crc32c(new TextEncoder().encode("123456789")) !== 0xe306_9283) throw new Error("a wrong checksum");
  });
  await run("bytes of the wrong type are compiled too", async () => {
    const response = new Response(await (await get("/dist/kcodec.wasm")).arrayBuffer(), { headers: { "Content-Type": "text/plain" } });
    await kcodec.init(response);
  });
  return results;
}
