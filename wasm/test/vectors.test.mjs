// The shared vectors, in Node: over the package's module, and over one for engines without vector instructions.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as kcodec from "../dist/node.js";
import { allTests } from "./shared/tests.mjs";

const vectors = new URL("../../vectors/", import.meta.url);
const files = {
  list: (folder) => readdirSync(new URL(folder, vectors)),
  text: (path) => readFile(new URL(path, vectors), "utf8"),
  bytes: (path) => readFile(new URL(path, vectors)),
};

const tests = await allTests(kcodec, files);
if (tests.length < 200) throw new Error(`only ${tests.length} tests`);
for (const { name, run } of tests) test(name, run);

const noSimd = new URL("../pkg/no-simd.wasm", import.meta.url);
const skip = existsSync(noSimd) ? false : "tools/build-npm --no-simd --module wasm/pkg/no-simd.wasm was not run";
test("without vector instructions", { skip }, async (context) => {
  // The CommonJS files are a package of their own, with a module of its own.
  const slim = createRequire(import.meta.url)("../dist/slim.cjs");
  slim.initSync(readFileSync(noSimd));
  for (const { name, run } of await allTests(slim, files)) await context.test(name, run);
});
